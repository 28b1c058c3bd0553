"""``crossbank compare``: several candidates beside each other, with tests of their differences."""

from __future__ import annotations

import io
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from typing import TYPE_CHECKING

from crossbank.workflow.commands.arguments import (
    BY_NAME,
    add_metric,
    add_option,
    options_of,
    refuse_combinations,
)
from crossbank.workflow.commands.parser import Names

if TYPE_CHECKING:
    from crossbank.reports.results.study import StudyResults

EXAMPLES = (
    "crossbank compare gold.mrg parsed.mrg other.mrg --scheme tiger --names ours,theirs",
    "crossbank compare gold.mrg parsed.mrg other.mrg --scheme tiger --json --seed 7",
)


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("gold", metavar="GOLD", help="the gold trees")
    parser.add_argument(
        "candidates",
        metavar="CANDIDATE",
        nargs="+",
        help="parsers' trees of the same sentences; GOLD itself is left out",
    )
    parser.add_argument("--format", metavar="F", help=BY_NAME)
    parser.add_argument("--candidate-format", metavar="F", help="format of the candidates, if it differs")
    parser.add_argument("--encoding", metavar="E", help="encoding of all (default: UTF-8)")
    parser.add_argument("--scheme", metavar="NAME_OR_FILE", help="the annotation scheme")
    add_metric(parser, "as for score (default: parseval)")
    add_option(parser, "as for score")
    parser.add_argument("--unscored", choices=("skip", "empty"), default="empty", help="as for score")
    parser.add_argument(
        "--names",
        metavar="NAME,NAME...",
        action=Names,
        known=tuple,
        help="the candidates' names, in their order (default: the names of their files)",
    )
    parser.add_argument(
        "--trials", metavar="N", type=_counted, help="random swaps for each p (default: 10000)"
    )
    parser.add_argument(
        "--samples", metavar="N", type=_number, help="resamples for each interval (default: 1000)"
    )
    parser.add_argument(
        "--seed",
        metavar="N",
        type=_number,
        help="the same seed gives the same numbers (default: 1)",
    )
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object, as in docs/comparison.schema.json"
    )
    parser.add_argument("--report", metavar="DIR", help="write the report of a study to this folder")


def _number(written: str) -> int:
    if not written.isdecimal():
        raise ArgumentTypeError(f"found {written!r}, expected a whole number from 0")
    return int(written)


def _counted(written: str) -> int:
    if not written.isdecimal() or int(written) == 0:
        raise ArgumentTypeError(f"found {written!r}, expected a whole number from 1")
    return int(written)


def run(given: Namespace) -> int:
    """Print the scores, the differences with their tests, and the findings."""
    import contextlib
    import json
    import tempfile
    from dataclasses import replace
    from pathlib import Path

    from crossbank.reports.texts.compared import as_values
    from crossbank.workflow.compare import study_content
    from crossbank.workflow.steps.here import run_here

    refuse_combinations("compare", given)
    others = [path for path in given.candidates if Path(path).resolve() != Path(given.gold).resolve()]
    if given.names is None and 0 < len(others) < len(given.candidates):
        print(f"{given.gold} is gold, and no candidate", file=sys.stderr)
        given.candidates = others
    metrics, options = given.metric or ["parseval"], options_of(given.option)
    numbers = {name: getattr(given, name) for name in ("samples", "trials", "seed")}
    content = study_content(
        given.gold,
        given.candidates,
        metrics,
        options,
        format=given.format,
        candidate_format=given.candidate_format,
        encoding=given.encoding,
        scheme=given.scheme,
        unscored=given.unscored,
        names=given.names,
        **{name: number for name, number in numbers.items() if number is not None},
    )
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
        print(
            f"The report: {folder / 'report' / 'index.html'}", file=sys.stderr if given.json else sys.stdout
        )
    return 0


def _print(found: StudyResults) -> None:
    from crossbank.reports.findings.candidates import better_candidates
    from crossbank.reports.findings.family import family
    from crossbank.reports.findings.measures import agreement_on_candidates
    from crossbank.reports.pages.page import remarks
    from crossbank.reports.sections.scores import comparison
    from crossbank.reports.tables.markdown import markdown
    from crossbank.reports.texts.compared import tests
    from crossbank.reports.texts.summary import findings_said

    if warnings := remarks(found):
        print("\n".join(f"- {warning}" for warning in warnings) + "\n")
    print(markdown(comparison(found)))
    if family(found).comparisons:
        print(markdown(tests(found)))
    if said := findings_said([*better_candidates(family(found)), *agreement_on_candidates(family(found))]):
        print(f"{said}\n")
