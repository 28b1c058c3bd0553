"""Whether measures agree, as tables and charts: hand-made scores of sentences, and of candidates."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from crossbank.metrics.counting.counts import Counts, Measure, Signature, ratio
from crossbank.metrics.pairing.pair import Status
from crossbank.reports.results.sentence_facts import SentenceFacts
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.sections.agreement import (
    MAX_SCATTERS_ON_PAGE,
    AgreementSection,
    build_correlation_table,
    build_decile_table,
    build_error_rank_table,
    build_order_table,
    pair_measures,
)
from crossbank.reports.sections.section import Section
from crossbank.reports.tables.table import ReportTable
from crossbank.workflow.steps.here import run_here, study_content
from tests.reports.counted import both, study_of


def marks(name: str, values: list[float], status: list[int] | None = None) -> Counts:
    """Return a metric of one measure that gives each sentence a mark."""
    return Counts(
        Signature(name, "1.0"),
        (Measure("mean", lambda sums: ratio(sums["mark"], sums["rows"]), "mean mark", title="Avg."),),
        [f"s{index}" for index in range(1, len(values) + 1)],
        np.array(status or [Status.SCORED] * len(values), np.int8),
        {"mark": np.array(values)},
    )


def marked(**candidates: tuple[list[float], list[float]]) -> StudyResults:
    scored = {name: {"a": marks("a", a), "b": marks("b", b)} for name, (a, b) in candidates.items()}
    return study_of({"klein": scored})


def table(section: Section, key: str) -> ReportTable:
    (actual,) = (t for t in section.tables if t.key == key)
    return actual


def test_correlations_deciles_and_disagreements_of_a_small_case() -> None:
    one = [(20 - index) / 20 for index in range(20)]
    other = [one[19], *one[1:19], one[0]]
    section = AgreementSection(marked(parser=(one, other)))
    (row,) = table(section, "correlations").rows
    # 20 sentences, the first and last exchanged: 2 * 18 + 1 of 190 pairs are ordered otherwise.
    assert [cell.text for cell in row] == [
        "klein", "parser", "a Avg.", "b Avg.", "20",
        f"{row[5].value:.3f}", f"{1 - 6 * 2 * 19**2 / (20 * 399):.3f}", f"{(190 - 2 * 37) / 190:.3f}",
    ]  # fmt: skip
    deciles = table(section, "deciles-klein-parser-a.mean-b.mean")
    assert [[cell.text for cell in row] for row in (deciles.rows[0], deciles.rows[1], deciles.rows[9])] == [
        ["1", "1", *"········", "1"], ["2", "·", "2", *"········"], ["10", "1", *"········", "1"],
    ]  # fmt: skip
    worst = table(section, "disagreements-klein-parser-a.mean-b.mean")
    assert [[cell.text for cell in row[:6]] for row in worst.rows] == [
        ["a Avg.", "s1", "100.00", "5.00", "1", "10"],
        ["b Avg.", "s20", "5.00", "100.00", "10", "1"],
    ]


def test_disagreements_lead_to_the_trees_where_these_are_drawn() -> None:
    study = marked(parser=([0.9, 0.1], [0.1, 0.9]))
    links = []
    for drawn in (study, replace(study, pair_of=lambda treebank, candidate, metric: None)):
        rows = table(AgreementSection(drawn), "disagreements-klein-parser-a.mean-b.mean")
        links.append([row[1].link for row in rows.rows])
    assert links == [
        ["", ""],
        [f"sentences.html#treebank=klein&candidate=parser&text={name}" for name in ("s1", "s2")],
    ]


def test_sentences_that_a_metric_did_not_score_are_left_out() -> None:
    unscored = [Status.SCORED, Status.SCORED, Status.NO_PARSE]
    counts = {"a": marks("a", [0.1, 0.2, 0.0], unscored), "b": marks("b", [0.3, 0.4, 0.0], unscored)}
    study = study_of({"klein": {"parser": counts}})
    assert build_correlation_table(study, list(pair_measures(study, headlines=True))).rows[0][4].text == "2"


@pytest.mark.parametrize("values", [[0.5, 0.5, 0.5], [0.5], []])
def test_constant_measures_and_few_sentences_give_dashes_and_a_sentence(values: list[float]) -> None:
    study = marked(parser=(values, values[::-1]))
    actual = build_correlation_table(study, list(pair_measures(study, headlines=True)))
    assert [cell.text for cell in actual.rows[0][5:]] == ["–", "–", "–"]
    assert "one of the two has the same value for all sentences" in actual.caption
    section = AgreementSection(study)
    assert not [t for t in section.tables if t.key.startswith("disagreements")]
    assert "nan" not in "".join(figure.chart.svg for figure in section.figures).lower()
    assert all("deciles" not in t.key for t in section.tables)


def test_the_order_of_candidates_changes_with_the_measure() -> None:
    study = marked(x=([0.9], [0.1]), y=([0.5], [0.6]), z=([0.4], [0.6]))
    assert [[(cell.text, cell.below) for cell in row[1:]] for row in build_order_table(study).rows] == [
        [("x", ""), ("1", ""), ("3", "−2")],
        [("y", ""), ("2", ""), ("1", "+1")],
        [("z", ""), ("3", ""), ("1", "+2")],
    ]


def test_the_order_is_that_of_the_main_measure() -> None:
    actual = both(0.5)["brackets"]
    matched = {"careful": (2, 2), "eager": (12, 8)}  # of ten brackets: precision 100 and 67, F1 33 and 73
    scored = {
        name: {"brackets": replace(actual, columns={
            key: np.full(len(actual), value, np.float64)
            for key, value in (("gold", 10), ("candidate", own), ("matched", right))
        })}
        for name, (own, right) in matched.items()
    }  # fmt: skip
    for chosen in ((), ("brackets.precision", "brackets.recall", "brackets.f1")):
        placed = build_order_table(replace(study_of({"klein": scored}), columns=chosen))
        assert [column.heading for column in placed.columns[2:]] == ["Prec.", "Rec.", "F1"]
        assert [[(cell.text, cell.below) for cell in row[1:]] for row in placed.rows] == [
            [("eager", ""), ("2", "−1"), ("1", ""), ("1", "")],
            [("careful", ""), ("1", "+1"), ("2", ""), ("2", "")],
        ]
        assert placed.caption.endswith(" against brackets F1.")


def test_gaps_between_neighbours_as_in_roarks_figure() -> None:
    study = study_of({"klein": {"poor": both(0.5, 3), "good": both(0.9, 1), "fair": both(0.8, 2)}})
    (gaps,) = (figure for figure in AgreementSection(study).figures if figure.key == "gaps-klein")
    assert [row["name"] for row in gaps.chart.rows] == [
        "good − fair: brackets F1", "good − fair: lineages Avg.",
        "fair − poor: brackets F1", "fair − poor: lineages Avg.",
    ]  # fmt: skip
    values = [row["text"] for row in gaps.chart.rows]
    counts = {c.name: c.counts["brackets"].value("f1") for c in study.treebanks[0].candidates}
    assert values[0] == f"+{100 * (counts['good'] - counts['fair']):.2f}"


def test_a_scatter_plot_says_its_sentences_and_stays_small() -> None:
    size = 100_000
    random = np.random.default_rng(1)
    one, other = random.beta(5, 2, size), random.beta(5, 2, size)
    study = marked(parser=(list(one), list(other)))
    (treebank,) = study.treebanks
    facts = SentenceFacts(np.ones(size, np.int32), lambda row: f"word{row} <&> " + "long " * 50)
    study = replace(study, treebanks=[replace(treebank, sentences=facts)])
    (figure,) = AgreementSection(study).figures
    assert len(figure.chart.svg) < 250_000
    assert figure.on_page
    assert sum(row["sentences"] for row in figure.chart.rows) == size
    single = [row["hover"] for row in figure.chart.rows if row["sentences"] == 1]
    assert any("word" in title and "<&>" in title and title.endswith("…") for title in single)


def test_plots_beyond_the_first_are_in_files_only() -> None:
    number = MAX_SCATTERS_ON_PAGE + 2
    section = AgreementSection(study_of({"klein": {f"c{n}": both(0.5 + n / 20, n) for n in range(number)}}))
    scatters = [figure for figure in section.figures if figure.key.startswith("scatter")]
    unseen = sum(not figure.on_page for figure in scatters)
    assert (unseen, len(scatters)) == (2, number)
    assert any(messages.startswith(f"{unseen} further scatter plot") for messages in section.introduction())


def test_deciles_need_ten_sentences() -> None:
    study = marked(parser=([0.1] * 9, [0.2] * 9))
    (pair,) = pair_measures(study, headlines=True)
    cells = [cell.value for row in build_decile_table(pair).rows for cell in row[1:] if cell and cell.value]
    assert sum(cells) == pytest.approx(9)
    assert not [t for t in AgreementSection(study).tables if t.key.startswith("deciles")]


def test_sentences_with_one_error_have_ranks_by_its_type(tmp_path: Path) -> None:
    """Ten of twenty sentences have one wrong label: of the other nineteen on average 4.5 are below each."""
    gold = "(S (NP (DT the) (NN dog)) (VP (VBZ barks)))\n"
    (tmp_path / "gold.mrg").write_text(gold * 20, encoding="utf-8")
    (tmp_path / "parsed.mrg").write_text(10 * (gold + gold.replace("NP", "PP")), encoding="utf-8")
    paths = str(tmp_path / "gold.mrg"), [str(tmp_path / "parsed.mrg")]
    content = study_content(*paths, ["parseval", "leaf_ancestor"], {}, scheme="ptb")
    study = run_here({**content, "bootstrap": {"samples": 10}}, tmp_path / "made")
    (row,) = build_error_rank_table(study).rows
    assert row[3].value == 10
    assert [cell.value for cell in row[4:]] == [pytest.approx(100 * 4.5 / 19)] * 2
    assert row[4].below == "23.7 to 23.7"
