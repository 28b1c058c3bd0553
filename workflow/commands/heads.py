"""``crossbank heads``: which rules fire, for heads or for Universal Dependencies."""

from __future__ import annotations

from argparse import Namespace
from itertools import takewhile

from crossbank.treebanks.errors import ConversionError, CrossbankError
from crossbank.treebanks.formats import read_all
from crossbank.workflow.commands.cli import Parser
from crossbank.workflow.commands.printing import print_found

EXAMPLES = (
    "crossbank heads corpus.xml --scheme tiger",
    "crossbank heads 'gold/*.mrg' --scheme tiger --rules rightmost --json",
)


def arguments(parser: Parser) -> None:
    """Add the arguments of the command."""
    parser.files("constituency trees")
    parser.value("--scheme", "S", "the annotation scheme", required=True)
    parser.reading("FILE")
    parser.value("--rules", "NAME", "another of the scheme's sets of head rules", default="")
    parser.flag(
        "--ud", "the rules for Universal Dependencies: which fired where, and words without a relation (dep)"
    )
    parser.flag("--json", "print a JSON list, with all sentences")


def run(given: Namespace) -> None:
    """Print the rules with their counts. Raises ConversionError for files without trees."""
    from crossbank.converters.heads.head_rule_diagnosis import diagnose_heads
    from crossbank.converters.scheme_files import load_scheme
    from crossbank.converters.transformations import parse, transform
    from crossbank.reports.texts.fired_rules import as_json, as_text, universal_as_text

    scheme = load_scheme(given.scheme)
    bank = read_all(given.files, given.format, encoding=given.encoding)
    if not bank.has_constituents:
        raise ConversionError(f"{given.files[0]}: there are no trees (heads)")
    if given.ud:
        from crossbank.converters.universal.rule_diagnosis import diagnose_universal

        if given.rules:
            raise CrossbankError("--rules does not work with --ud")
        fired = diagnose_universal(bank, scheme)
        print_found(given, lambda: as_json(fired), lambda: universal_as_text(fired))
        return
    # The trees as dependencies are read off them: without empty elements and metadata.
    steps = map(parse, scheme.views.get("dependencies", ()))
    before = list(takewhile(lambda one: one.name != "dependencies", steps))
    bank = transform(bank, before, scheme)
    found = diagnose_heads(bank, scheme, given.rules)
    print_found(given, lambda: as_json(found), lambda: as_text(found))
