"""``crossbank heads``: which rules fire, for heads or for Universal Dependencies."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, Any

import click

from crossbank.treebanks.errors import CrossbankError, MissingAnnotationError
from crossbank.treebanks.formats import read_all
from crossbank.treebanks.quantities import quantity
from crossbank.workflow.commands.command import command
from crossbank.workflow.commands.parameters import (
    files_argument,
    json_option,
    reading_options,
    scheme_option,
)
from crossbank.workflow.commands.printing import print_result

if TYPE_CHECKING:
    from crossbank.converters.heads.head_rule_diagnosis import HeadFinding
    from crossbank.converters.universal.rule_diagnosis import RuleFinding

MAX_NAMED = 5
"""The number of sentences that a line names; all of them are in the JSON."""

TITLES = {
    "function": "by a rule about functions",
    "category": "by a rule about categories alone",
    "default": "by the default",
    "disagreement": "with another head without functions",
}

MAX_UNIVERSAL_NAMED = 3
"""The number of sentences that a line names."""

UNIVERSAL_TITLES = {
    "head": "heads of nodes with several children, by rule",
    "default": "heads by no rule",
    "relation": "relations, by rule",
    "revision": "relations and governors changed, by rule (the last one of each word)",
    "dep": "words without a relation (dep), by configuration",
}

EXAMPLES = (
    "crossbank heads corpus.xml --scheme tiger",
    "crossbank heads 'gold/*.mrg' --scheme tiger --rules rightmost --json",
)


@command(
    "heads",
    EXAMPLES,
    group="look",
    help="list the head rules that apply, and how often",
    position=90,
)
@files_argument("constituency trees")
@scheme_option(required=True)
@reading_options("FILES")
@click.option("--rules", metavar="NAME", default="", help="another of the scheme's sets of head rules")
@click.option(
    "--ud",
    is_flag=True,
    help="the rules for Universal Dependencies: which fired where, and words without a relation (dep)",
)
@json_option("print a JSON list, with all sentences")
def run(
    files: Sequence[str],
    scheme: str,
    format: str | None,
    encoding: str | None,
    rules: str,
    ud: bool,
    json: bool,
) -> None:
    """Print the rules with their counts. Raises ConversionError for files without trees."""
    from crossbank.converters.heads.head_rule_diagnosis import diagnose_heads
    from crossbank.converters.scheme_files import load_scheme
    from crossbank.converters.transformations import parse, transform

    loaded = load_scheme(scheme)
    bank = read_all(files, format, encoding=encoding)
    if not bank.has_constituents:
        raise MissingAnnotationError(files[0], "trees", "whose heads could be marked")
    if ud:
        from crossbank.converters.universal.rule_diagnosis import diagnose_universal

        if rules:
            raise CrossbankError("--rules does not work with --ud")
        fired = diagnose_universal(bank, loaded)
        print_result(json, lambda: as_json(fired), lambda: universal_as_text(fired))
        return
    # Heads are marked as for dependencies: without empty elements and metadata.
    steps = map(parse, loaded.views.get("dependencies", ()))
    before = list(takewhile(lambda one: one.name != "dependencies", steps))
    bank = transform(bank, before, loaded)
    findings = diagnose_heads(bank, loaded, rules)
    print_result(json, lambda: as_json(findings), lambda: as_text(findings))


def as_text(findings: Sequence[HeadFinding]) -> str:
    """Return the number of nodes by decision, and a line for each rule of each category."""
    from crossbank.converters.heads.head_rule_diagnosis import ORDER

    choices = sum(row.nodes for row in findings if row.how != "disagreement")
    lines = [f"{quantity(choices, 'node')} with more than one child"]
    for how in ORDER:
        nodes = sum(row.nodes for row in findings if row.how == how)
        proportion = f"{100 * nodes / choices:.2f} %" if choices else "-"
        lines.append(f"  {nodes:>9,}  {proportion:>8}  {TITLES[how]}")
    width = max([len("category"), *(len(row.category) for row in findings)])
    lines += ["", f"{'category':<{width}}  {'nodes':>9}  head and sentences"]
    for row in findings:
        reason = {"default": "the default", "disagreement": f"! {row.what}"}.get(row.how, row.what)
        lines.append(
            f"{row.category:<{width}}  {row.nodes:>9,}  {reason}: {_first(row.sentences, MAX_NAMED)}"
        )
    return "\n".join(lines)


def universal_as_text(findings: Sequence[RuleFinding]) -> str:
    """Return a line for each rule that fired, in the file's order, and for each configuration without one."""
    lines = []
    for kind, title in UNIVERSAL_TITLES.items():
        rows = [row for row in findings if row.kind == kind]
        lines.append(f"{title}: {sum(row.words for row in rows):,}")
        lines += [
            f"  {row.words:>8,}  {row.what}: {_first(row.sentences, MAX_UNIVERSAL_NAMED)}" for row in rows
        ]
    return "\n".join(lines)


def as_json(findings: Sequence[HeadFinding] | Sequence[RuleFinding]) -> list[dict[str, Any]]:
    """Return all findings with all sentences, for ``json.dumps``."""
    return [row._asdict() for row in findings]


def _first(sentences: Sequence[str], most: int) -> str:
    return " ".join(sentences[:most]) + (" ..." if len(sentences) > most else "")
