"""A study in which one parser prints functions and another does not: only some scores can be compared."""

from pathlib import Path

import pytest

from crossbank.converters.scheme_files import load_scheme
from crossbank.converters.transformations import transform
from crossbank.metrics.counting.presentation import alike, shared
from crossbank.reports.estimates.questions import CANDIDATES, TREEBANKS
from crossbank.reports.estimates.table import estimates_of
from crossbank.reports.sections.scores import build_comparison_table, select_compared_measures
from crossbank.treebanks.formats import read, write
from crossbank.workflow.steps.here import run_here

EXAMPLES = Path(__file__).parents[2] / "examples"

ORDERS = [("bare", "full"), ("full", "bare")]


@pytest.mark.parametrize("names", ORDERS)
def test_scores_that_mean_the_same_are_compared_and_the_report_is_made(
    names: tuple[str, str], tmp_path: Path
) -> None:
    gold = EXAMPLES / "tiger.export"
    full = tmp_path / "full.export"
    full.write_text(gold.read_text("utf-8").replace("\tOA\t", "\tSB\t"), "utf-8")
    bare = tmp_path / "bare.mrg"
    alpha = read(EXAMPLES / "tiger.alpha.mrg")
    write(transform(alpha, ["strip_functions"], load_scheme("tiger")), bare)
    paths = {"bare": str(bare), "full": str(full)}
    treebank = {
        "scheme": "tiger",
        "gold": {"path": str(gold)},
        "candidates": [{"name": name, "path": paths[name]} for name in names],
    }
    study = {
        "study": "mixed",
        "treebanks": [{"name": name, **treebank} for name in ("one", "two")],
        "metrics": ["dependencies", "parseval"],
        "bootstrap": {"samples": 20},
        "tests": {"trials": 20},
    }
    completed = run_here(study, tmp_path / "results")
    assert (tmp_path / "results" / "report" / "index.html").is_file()
    assert completed.headlines["dependencies"].name == "uas"
    assert [m.name for name, m in select_compared_measures(completed) if name == "dependencies"] == [
        "uas",
        "las",
    ]
    table = build_comparison_table(completed)
    index = [column.heading for column in table.columns].index("LAS")
    las = {row[1].text: row[index].text for row in table.rows}
    assert las["bare"] == "–" != las["full"]
    pairs, between = (estimates_of(completed).of(question) for question in (CANDIDATES, TREEBANKS))
    # Triples of the one are labelled, those of the other are not. The full one is compared with itself, too.
    within = {one.measure.name for one in pairs if one.metric == "dependencies"}
    assert within == {"uas", "unlabelled_exact"}
    assert {one.measure.name for one in (*pairs, *between) if one.candidate == one.other == "full"} >= {
        "uas",
        "las",
    }
    counts = completed.by_metric["dependencies"]
    assert {m.name for m in alike(counts)} - {m.name for m in shared(counts)} == {"las", "label_accuracy"}
