"""Gold against gold: counts, the floor of differences, and the sections that compare two treebanks."""

from dataclasses import replace
from pathlib import Path

import pytest

from crossbank.converters.scheme_files import load_scheme
from crossbank.converters.transformations import transform
from crossbank.metrics.analyses.gold_against_gold import comparable_metric
from crossbank.metrics.dependencies import Dependencies
from crossbank.metrics.leaf_ancestor import LeafAncestor
from crossbank.metrics.pairing.pair import pair
from crossbank.metrics.parseval import Parseval
from crossbank.metrics.parseval1991 import Parseval1991
from crossbank.metrics.relations import Relations
from crossbank.reports.estimates.questions import ERRORS, TREEBANKS
from crossbank.reports.estimates.statements import statements_of
from crossbank.reports.estimates.table import estimates_of
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.sections.across_treebanks import find_contradictions, select_rows
from crossbank.reports.sections.floor import FloorSection
from crossbank.reports.sections.perfect import PerfectSection
from crossbank.reports.sections.same_error import SameErrorSection
from crossbank.treebanks.formats import bracket, read
from crossbank.workflow.steps.here import run_here

EXAMPLES = Path(__file__).parents[2] / "examples"
STEPS = ["virtual_root", "raise_crossing", "attach_punctuation", "split_functions"]
TIGER, TUEBADZ = (
    transform(read(EXAMPLES / f"{name}.export"), STEPS, load_scheme(name)) for name in ("tiger", "tuebadz")
)


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> StudyResults:
    treebanks = [
        {
            "name": name,
            "scheme": scheme,
            "gold": {"path": str(EXAMPLES / f"{scheme}.export")},
            "views": {"constituents": STEPS},
            "candidates": [
                {"name": who, "path": str(EXAMPLES / f"{scheme}.{who}.mrg")} for who in ("alpha", "beta")
            ],
        }
        for name, scheme in (("tiger", "tiger"), ("tuba", "tuebadz"))
    ]
    content = {
        "study": "floors",
        "treebanks": treebanks,
        "metrics": ["parseval", "conformance", "leaf_ancestor", "relations"],
        "bootstrap": {"samples": 50},
        "tests": {"trials": 199},
    }
    return run_here(content, tmp_path_factory.mktemp("floor") / "results")


def test_schemes_without_common_labels_are_compared_without_labels() -> None:
    assert comparable_metric(Parseval(), [TIGER], [TUEBADZ]) == Parseval(labels=False)
    assert comparable_metric(LeafAncestor(), [TIGER], [TUEBADZ]) == LeafAncestor(cost="none")
    assert comparable_metric(Dependencies(), [TIGER], [TIGER]) == Dependencies()
    for metric in (Parseval1991(), Relations()):
        assert comparable_metric(metric, [TIGER], [TUEBADZ]) == metric


def test_schemes_with_common_labels_are_compared_with_them() -> None:
    assert comparable_metric(Parseval(), [TIGER], [TIGER]) == Parseval()
    few = bracket.loads("(S (NP (A a)) (X (B b)) (Y (C c)))")
    assert comparable_metric(Parseval(), [bracket.loads("(S (NP (A a)) (VP (B b)))")], [few]) == Parseval()


def test_without_labels_only_the_structure_costs_something() -> None:
    gold = bracket.loads("(S (NP (A a) (B b)) (VP (C c)))")
    other = bracket.loads("(T (X (A a) (B b)) (Y (C c)))")
    assert LeafAncestor(cost="none").counts(pair(gold, other)).value("mean") == 1
    flat = bracket.loads("(T (A a) (B b) (Y (C c)))")
    # "[ NP S" and "NP S" against "[ T" and "T": one symbol of 5, one of 4 less; "VP ] S" is the same.
    scores = LeafAncestor(cost="none").counts(pair(gold, flat)).value("mean")
    assert scores == pytest.approx(((1 - 1 / 5) + (1 - 2 / 4) + 1) / 3)


def test_gold_has_no_perfect_score_in_another_scheme(study: StudyResults) -> None:
    losses = {(floor.treebank, floor.other, floor.metric): floor.loss for floor in study.floors}
    assert len(losses) == 8
    assert losses["tiger", "tuba", "parseval"] == losses["tuba", "tiger", "parseval"]
    assert losses["tiger", "tuba", "parseval"] == pytest.approx(0.4723, abs=0.0005)
    assert losses["tiger", "tuba", "relations"] < 0.05
    assert {floor.metric for floor in study.floors if floor.is_labelled} == {"relations"}


def test_differences_of_treebanks_have_a_floor_and_smaller_ones_no_statement(study: StudyResults) -> None:
    main = {metric: measure.name for metric, measure in study.headlines.items()}
    rows = [row for row in estimates_of(study).of(TREEBANKS) if main[row.metric] == row.measure.name]
    losses = dict[str, float]()
    for floor in study.floors:
        losses[floor.metric] = max(floor.loss, losses.get(floor.metric, 0.0))
    assert {row.metric: row.floor for row in rows} == pytest.approx(losses)
    assert any(row.significant and not row.is_above_floor for row in rows)
    statement_rows = [statement.row for statement in statements_of(study) if statement.type == "treebanks"]
    assert all(row.floor is not None and abs(row.value) > row.floor for row in statement_rows)
    others = [row for row in estimates_of(study).of(TREEBANKS) if main[row.metric] != row.measure.name]
    assert {row.floor for row in others} == {None}
    costs = [row for row in estimates_of(study).of(ERRORS) if row.other_treebank != row.treebank]
    assert {row.metric: row.floor for row in costs} == dict.fromkeys(losses)


def test_the_floor_has_scores_labels_and_sentences(study: StudyResults) -> None:
    tables = {table.key: table for table in FloorSection(study).tables}
    assert tables.keys() == {"floor-scores", "floor-by-label", "floor-sentences"}
    assert len(tables["floor-scores"].rows) == 8
    by = {(row[2].text, row[3].text) for row in tables["floor-by-label"].rows}
    assert ("Grammatical relations F1", "relation") in by
    assert not any(measure == "Parseval F1" for measure, _ in by)
    assert all(row[4].value is not None and row[4].value < 1 for row in tables["floor-sentences"].rows)


def test_the_first_screen_is_the_cost_of_one_error_beside_the_floor(study: StudyResults) -> None:
    figure = SameErrorSection(study).first_screen_figure()
    assert figure is not None
    rows = figure.chart.rows
    assert {(row["panel"], row["series"]) for row in rows} == {
        (p, s) for p in (0, 1) for s in ("tiger", "tuba")
    }
    costs = {(row["row"], row["series"]): row["value"] for row in rows if row["panel"] == 0}
    assert costs["Parseval F1", "tiger"] > 2 * costs["Parseval F1", "tuba"]


def test_treebanks_are_contradicted_where_two_measures_order_them_differently(study: StudyResults) -> None:
    rows = select_rows(study)
    assert len(rows) == 8
    assert find_contradictions(rows) == []
    row = next(row for row in rows if row.significant)
    contrary = replace(row, contrast=replace(row.contrast, metric="relations"), value=-row.value)
    ((better, worse),) = find_contradictions([row, contrary])
    assert better.is_first_better
    assert not worse.is_first_better
    assert find_contradictions([row, replace(contrary, significant=False)]) == []


def test_a_wrong_tag_is_not_seen_by_parseval_and_a_missing_node_not_by_relations(study: StudyResults) -> None:
    """Rehbein and van Genabith (2007), sections 5.1 and 5.2."""
    section = PerfectSection(study)
    matrix, types = section.tables
    titles = [column.heading for column in matrix.columns]
    (row,) = (row for row in matrix.rows if [cell.text for cell in row[:2]] == ["tiger", "Parseval F1"])
    unseen = dict(zip(titles, row, strict=True))
    assert unseen["Leaf-ancestor Avg."].value == 0
    listed = {tuple(cell.text for cell in row[:3]): row[4].text for row in types.rows}
    assert listed["tiger", "Parseval F1", "Grammatical relations F1"].startswith("function 17")
    assert "unary" in listed["tiger", "Grammatical relations F1", "Parseval F1"]
