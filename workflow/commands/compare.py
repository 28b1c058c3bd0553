"""``crossbank compare``: several candidates beside each other, with tests of their differences."""

from __future__ import annotations

import contextlib
import io
import json
import sys
import tempfile
from argparse import Namespace
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from crossbank.workflow.commands.cli import Parser, options_of, whole_number

if TYPE_CHECKING:
    from crossbank.reports.results.study_results import StudyResults

EXAMPLES = (
    "crossbank compare gold.mrg parsed.mrg other.mrg --scheme tiger --names ours,theirs",
    "crossbank compare gold.mrg parsed.mrg other.mrg --scheme tiger --json --seed 7",
)


def arguments(parser: Parser) -> None:
    """Add the arguments of the command."""
    parser.value("gold", "GOLD", "the gold trees")
    parser.value(
        "candidates", "CANDIDATE", "parsers' trees of the same sentences; GOLD itself is left out", nargs="+"
    )
    parser.reading("all", candidates="the candidates")
    parser.value("--scheme", "NAME_OR_FILE", "the annotation scheme")
    parser.metric("as for score (default: parseval)")
    parser.option("as for score")
    parser.add_argument("--unscored", choices=("skip", "empty"), default="empty", help="as for score")
    parser.names("the candidates' names, in their order (default: the names of their files)")
    parser.value(
        "--trials", "N", "random swaps for each p (default: 10000)", type=partial(whole_number, least=1)
    )
    parser.value("--samples", "N", "resamples for each interval (default: 1000)", type=whole_number)
    parser.value("--seed", "N", "the same seed gives the same numbers (default: 1)", type=whole_number)
    parser.flag("--json", "print one JSON object, as in docs/comparison.schema.json")
    parser.value("--report", "DIR", "write the report of a study to this folder")


def run(given: Namespace) -> None:
    """Print the scores, the differences with their tests, and the findings."""
    from crossbank.reports.texts.compared import as_values
    from crossbank.workflow.steps.here import run_here, study_content

    others = [path for path in given.candidates if Path(path).resolve() != Path(given.gold).resolve()]
    if given.names is None and 0 < len(others) < len(given.candidates):
        print(f"{given.gold} is gold, and no candidate", file=sys.stderr)
        given.candidates = others
    keys = ("format", "candidate_format", "encoding", "scheme", "unscored", "names")
    named = {key: getattr(given, key) for key in (*keys, "samples", "trials", "seed")}
    named = {key: value for key, value in named.items() if value is not None}
    metrics, options = given.metric or ["parseval"], options_of(given.option)
    content = study_content(given.gold, given.candidates, metrics, options, **named)
    (treebank,) = content["treebanks"]
    files = {"gold": given.gold, **{found["name"]: found["path"] for found in treebank["candidates"]}}
    with tempfile.TemporaryDirectory() as elsewhere:
        folder = Path(given.report or elsewhere)
        with contextlib.redirect_stderr(io.StringIO()):
            found = run_here(content, folder, reported=bool(given.report))
            # Without a report no reader sees what is found in trees: it belongs to no family of tests.
            found = found if given.report else replace(found, pair_of=None)
        if given.json:
            print(json.dumps(as_values(found, files), ensure_ascii=False))
        else:
            _print(found)
    if given.report:
        stream = sys.stderr if given.json else sys.stdout
        print(f"The report: {folder / 'report' / 'index.html'}", file=stream)


def _print(found: StudyResults) -> None:
    from crossbank.reports.findings.candidates import better_candidates
    from crossbank.reports.findings.family import family
    from crossbank.reports.findings.measures import agreement_on_candidates
    from crossbank.reports.pages.page import remarks
    from crossbank.reports.sections.scores import comparison
    from crossbank.reports.tables.markdown import markdown
    from crossbank.reports.texts.compared import tests
    from crossbank.reports.texts.terminal_summary import findings_said

    if warnings := remarks(found):
        print("\n".join(f"- {warning}" for warning in warnings) + "\n")
    print(markdown(comparison(found)))
    if family(found).comparisons:
        print(markdown(tests(found)))
    if said := findings_said([*better_candidates(family(found)), *agreement_on_candidates(family(found))]):
        print(f"{said}\n")
