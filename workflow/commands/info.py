"""``crossbank info``: what a treebank holds."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from crossbank.workflow.commands.arguments import BY_NAME, scheme_of


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("--format", metavar="F", help=BY_NAME)
    parser.add_argument("--encoding", metavar="E", help="encoding of FILE (default: UTF-8)")
    parser.add_argument(
        "--scheme", metavar="S", help="the annotation scheme of FILE; it says what punctuation is"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(given: Namespace) -> int:
    """Print the counts and ratios of a treebank."""
    from crossbank.converters.crossing.attach_punctuation import with_punctuation_attached
    from crossbank.treebanks.formats import read
    from crossbank.treebanks.ratios import describe

    bank = read(given.file, given.format, encoding=given.encoding)
    described = describe(bank, with_punctuation_attached(bank, scheme_of(given.scheme)))
    if given.json:
        import json

        print(json.dumps(described))
    else:
        width = max(len(name) for name in described)
        for name, value in described.items():
            shown = f"{value:.4f}" if isinstance(value, float) else str(value)
            print(f"{name.replace('_', ' '):<{width}}  {shown}")
    return 0
