"""``crossbank info``: what a treebank holds."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from crossbank.workflow.commands.arguments import BY_NAME


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("--format", metavar="F", help=BY_NAME)
    parser.add_argument("--encoding", metavar="E", help="encoding of FILE (default: UTF-8)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(given: Namespace) -> int:
    """Print the counts and ratios of a treebank."""
    from crossbank.treebanks.formats import read
    from crossbank.treebanks.ratios import describe

    described = describe(read(given.file, given.format, encoding=given.encoding))
    if given.json:
        import json

        print(json.dumps(described))
    else:
        width = max(len(name) for name in described)
        for name, value in described.items():
            shown = f"{value:.4f}" if isinstance(value, float) else str(value)
            print(f"{name.replace('_', ' '):<{width}}  {shown}")
    return 0
