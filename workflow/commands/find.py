"""``crossbank find``: nodes that a tree pattern matches."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from crossbank.workflow.commands.arguments import BY_NAME, scheme_of


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "pattern", metavar="PATTERN", help="such as 'NP < (NN . PP)': see converters/patterns"
    )
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("--format", metavar="F", help=BY_NAME)
    parser.add_argument("--encoding", metavar="E", help="encoding of FILE (default: UTF-8)")
    parser.add_argument(
        "--scheme", metavar="S", help="the annotation scheme, by whose rules <# and ># know heads"
    )
    parser.add_argument("--json", action="store_true", help="print a JSON list, one entry for each match")


def run(given: Namespace) -> int:
    """Print a line for each node that matches."""
    from crossbank.converters.patterns.matching import find
    from crossbank.converters.patterns.program import compile_pattern
    from crossbank.treebanks.formats import read

    program = compile_pattern(given.pattern)
    scheme = scheme_of(given.scheme)
    bank = read(given.file, given.format, encoding=given.encoding)
    if scheme is not None and bank.has_constituents:
        from crossbank.converters.heads.marking import mark_heads

        bank = mark_heads(bank, scheme)
    found = find(program, bank)
    if not len(found):
        print(f"{given.file}: no node, tag or word that {given.pattern!r} fits", file=sys.stderr)
    if given.json:
        import json

        entries = [
            {"sentence": bank.sentence_id(m.sentence), "node": m.place, "label": m.label, "words": m.words}
            for m in found
        ]
        print(json.dumps(entries, ensure_ascii=False))
    else:
        for m in found:
            print(bank.sentence_id(m.sentence), m.place, m.label, " ".join(m.words), sep="\t")
    return 0
