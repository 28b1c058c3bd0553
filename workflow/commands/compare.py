"""``crossbank compare``: several candidates beside each other, with tests of their differences."""

from __future__ import annotations

import contextlib
import io
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from crossbank.treebanks.errors import CrossbankError
from crossbank.workflow.commands.command import command
from crossbank.workflow.commands.parameters import (
    FILE,
    INPUT,
    Names,
    damaged_option,
    json_option,
    metric_option,
    names_option,
    options_option,
    reading_options,
    samples_option,
    scheme_option,
    seed_option,
    words_option,
)

if TYPE_CHECKING:
    from crossbank.reports.results.study_results import StudyResults

EXAMPLES = (
    "crossbank compare gold.mrg parsed.mrg other.mrg --scheme tiger --names mine,baseline",
    "crossbank compare gold.mrg parsed.mrg other.mrg --scheme tiger --json --seed 7",
)


@command(
    "compare", EXAMPLES, group="score", help="compare candidates with gold and with each other", position=20
)
@click.argument("gold", type=INPUT, help="the gold trees")
@click.argument(
    "candidates",
    nargs=-1,
    required=True,
    type=INPUT,
    help="parsers' trees of the same sentences; GOLD itself is skipped",
)
@reading_options("all", candidates="the candidates")
@damaged_option
@scheme_option()
@metric_option("as for score (default: parseval)")
@options_option("as for score")
@click.option("--unscored", type=click.Choice(("skip", "empty")), default="empty", help="as for score")
@words_option
@names_option("--names", Names(), "the candidates' names, in their order (default: the names of their files)")
@click.option(
    "--trials",
    metavar="N",
    type=click.IntRange(min=1),
    help="draws of sentences for each p and interval of a difference (default: 10000)",
)
@samples_option("resamples for each interval of a score (default: 1000)")
@seed_option("the same seed gives the same numbers (default: 1)")
@json_option("print one JSON object, as in docs/comparison.schema.json")
@click.option("--report", metavar="DIR", type=FILE, help="write the report of a study to this folder")
def run(
    gold: str,
    candidates: Sequence[str],
    metric: Sequence[str],
    option: Mapping[str, str],
    words: str | None,
    names: Sequence[str],
    json: bool,
    report: str | None,
    **settings: Any,
) -> None:
    """Print the scores, the differences with their tests, and the main results."""
    from crossbank.reports.texts.compared import comparison_as_values
    from crossbank.workflow.steps.here import run_here, study_content

    other_files = [path for path in candidates if Path(path).resolve() != Path(gold).resolve()]
    if not names and 0 < len(other_files) < len(candidates):
        print(f"{gold}: this file is gold, and is not compared as a candidate", file=sys.stderr)
        candidates = other_files
    # The format, the scheme and the like are keys of a study.
    named = {key: value for key, value in {**settings, "names": names or None}.items() if value is not None}
    options = {**option, **({"words": words} if words else {})}
    content = study_content(gold, candidates, metric or ["parseval"], options, **named)
    (treebank,) = content["treebanks"]
    if report and Path(report).is_file():
        raise CrossbankError(f"{report}: this is a file; name a folder for the report")
    files = {"gold": gold, **{results["name"]: results["path"] for results in treebank["candidates"]}}
    with tempfile.TemporaryDirectory() as elsewhere:
        folder = Path(report or elsewhere)
        with contextlib.redirect_stderr(io.StringIO()):
            results = run_here(content, folder, reported=bool(report))
            # Errors and configurations are only displayed in reports: without one they join no family of
            # tests.
            results = results if report else replace(results, pair_of=None)
        if json:
            print(dumps(comparison_as_values(results, files), ensure_ascii=False))
        else:
            _print(results)
    if report:
        stream = sys.stderr if json else sys.stdout
        print(f"The report: {folder / 'report' / 'index.html'}", file=stream)


def _print(results: StudyResults) -> None:
    from crossbank.reports.estimates.statements import statements_of
    from crossbank.reports.pages.page import list_warnings
    from crossbank.reports.sections.scores import build_comparison_table
    from crossbank.reports.tables.markdown import format_markdown
    from crossbank.reports.texts.compared import build_tests_table
    from crossbank.reports.texts.terminal_summary import format_statements

    if warnings := list_warnings(results):
        print("\n".join(f"- {warning}" for warning in warnings) + "\n")
    print(format_markdown(build_comparison_table(results)))
    if (table := build_tests_table(results)).rows:
        print(format_markdown(table))
    if lines := format_statements(statements_of(results)):
        print(f"{lines}\n")
