"""Learning curves of a study with five sizes in two treebanks, and of studies without any."""

from typing import Any

import numpy as np

from crossbank.reports.estimates.curves import find_axes, group_curves
from crossbank.reports.estimates.questions import CURVES
from crossbank.reports.estimates.table import estimates_of
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.sections.learning_curves import LearningCurvesSection
from tests.reports.counted import both, study_of

SIZES = (500, 1000, 2000, 4000, 8000)


def five_sizes(**others: Any) -> StudyResults:
    """Return candidates trained on five sizes, in no particular order, better with more."""
    shuffled = [SIZES[index] for index in (3, 0, 4, 2, 1)]
    scored = {
        treebank: {f"n{size}": both(0.5 + SIZES.index(size) / 10, size, gold_seed=seed) for size in shuffled}
        for seed, treebank in enumerate(("tiger", "tuba"))
    }
    attributes = {f"n{size}": {"training_size": size, **others} for size in SIZES}
    return study_of(scored, attributes, dict.fromkeys(attributes, "parser"))


def test_the_table_has_each_size_with_its_scores_and_intervals() -> None:
    study = five_sizes()
    table, compared = LearningCurvesSection(study).tables
    assert compared.key == "curve-differences"
    assert table.key == "over-training_size"
    assert [column.heading for column in table.columns[:4]] == [
        "Treebank",
        "Curve",
        "Candidate",
        "Training size",
    ]
    sizes = [row[3].value for row in table.rows]
    assert sizes == [float(size) for size in SIZES] * 2
    f1 = [row[9] for row in table.rows[:5]]
    expected = [
        study.treebanks[0].candidates[index].counts["brackets"].value("f1") for index in (1, 4, 3, 0, 2)
    ]
    assert [cell.value for cell in f1] == expected == sorted(expected)
    assert all(cell.low <= cell.value <= cell.high for cell in f1)


def test_each_metric_has_a_chart_with_a_line_for_each_treebank() -> None:
    study = five_sizes()
    figures = LearningCurvesSection(study).figures
    assert [figure.key for figure in figures] == [
        "over-training_size-brackets", "over-training_size-lineages",
    ]  # fmt: skip
    rows = figures[0].chart.rows
    for treebank in ("tiger", "tuba"):
        points = [(row["x"], row["y"]) for row in rows if row["series"] == treebank]
        assert len(points) == 5
        assert points == sorted(points)
        assert [y for _, y in points] == sorted(y for _, y in points)
    assert all(row["low"] < row["y"] < row["high"] for row in rows)
    assert any(row["hover"].startswith("tiger · n500: ") for row in rows)


def test_a_curve_is_one_candidate_of_the_study_file() -> None:
    """Two candidates with the same sizes are two curves, whatever else is equal."""
    names = {f"{system}_{size}": (system, size) for system in ("pcfg", "pcfg_words") for size in (100, 450)}
    attributes = {name: {"training_size": size, "parser": "pcfg"} for name, (_, size) in names.items()}
    scored = {
        "tiger": {name: both(0.5 + index / 20, index) for index, name in enumerate(names)},
        "tuba": {
            name: both(0.8, index + 9, gold_seed=3) for index, name in enumerate(names) if "words" not in name
        },
    }
    study = study_of(scored, attributes, {name: system for name, (system, _) in names.items()})
    assert {
        key: [c.name for of in points.values() for c in of]
        for key, points in group_curves(study, "training_size").items()
    } == {
        ("tiger", "pcfg"): ["pcfg_100", "pcfg_450"],
        ("tiger", "pcfg_words"): ["pcfg_words_100", "pcfg_words_450"],
        ("tuba", "pcfg"): ["pcfg_100", "pcfg_450"],
    }
    f1 = {t: {n: c["brackets"].value("f1") for n, c in of.items()} for t, of in scored.items()}
    rows = {
        (row.treebank, row.candidate, row.other_treebank, row.other, row.key): row.value
        for row in estimates_of(study).of(CURVES)
        if row.measure.name == "f1"
    }
    at_450 = f1["tiger"]["pcfg_450"] - f1["tuba"]["pcfg_450"]
    at_100 = f1["tiger"]["pcfg_100"] - f1["tuba"]["pcfg_100"]
    key = "tiger", "pcfg", "tuba", "pcfg"
    assert np.isclose(rows[*key, "training size 450"], at_450)
    assert np.isclose(rows[*key, "training size 100 to 450"], at_450 - at_100)
    own = f1["tiger"]["pcfg_450"] - f1["tiger"]["pcfg_words_450"]
    assert np.isclose(rows["tiger", "pcfg", "tiger", "pcfg_words", "training size 450"], own)
    assert not [names for names in rows if names[1] != names[3] and names[0] != names[2]]


def test_curves_that_cross_have_a_row_where_they_do() -> None:
    names = {f"{system}_{size}": (system, size) for system in "ab" for size in (1, 2, 3, 4)}
    quality = {"a": (0.5, 0.6, 0.7, 0.8), "b": (0.6, 0.62, 0.64, 0.66)}
    scored = {"bank": {n: both(quality[s][size - 1], size) for n, (s, size) in names.items()}}
    attributes = {name: {"training_size": size} for name, (_, size) in names.items()}
    study = study_of(scored, attributes, {name: system for name, (system, _) in names.items()})
    rows = [row for row in estimates_of(study).of(CURVES) if row.measure.name == "f1"]
    points = {row.key: row for row in rows}
    assert [key for key in points if " to " in key] == ["training size 1 to 4", "training size 2 to 3"]
    assert points["training size 2"].value < 0 < points["training size 3"].value
    assert points["training size 1 to 4"].significant


def test_sizes_far_apart_are_laid_out_logarithmically() -> None:
    scored = {"klein": {str(size): both(0.6, size) for size in (10, 100, 1000)}}
    study = study_of(
        scored,
        {str(n): {"training_size": n} for n in (10, 100, 1000)},
        dict.fromkeys(("10", "100", "1000"), "parser"),
    )
    chart = LearningCurvesSection(study).figures[0].chart
    assert "training size (logarithmic)" in chart.svg
    assert all(layer["encoding"]["x"]["scale"]["type"] == "log" for layer in chart.view["layer"])


def test_attributes_that_are_no_axis() -> None:
    one = study_of({"klein": {"a": both(0.5)}}, {"a": {"training_size": 10}})
    words = study_of({"klein": {n: both(0.5) for n in "ab"}}, {"a": {"parser": "x"}, "b": {"parser": "y"}})
    flags = study_of({"klein": {n: both(0.5) for n in "ab"}}, {"a": {"tuned": True}, "b": {"tuned": False}})
    for study in (one, words, flags):
        assert not LearningCurvesSection(study).has_content()


def test_a_candidate_without_scores_is_a_gap_in_the_line() -> None:
    silent = both(0.5, policy="skip")
    for counts in silent.values():
        counts.status[:] = 1
    study = study_of({"klein": {"a": silent, "b": both(0.6), "c": both(0.7)}}, {
        "a": {"training_size": 10}, "b": {"training_size": 20}, "c": {"training_size": 30},
    }, dict.fromkeys("abc", "parser"))  # fmt: skip
    section = LearningCurvesSection(study)
    assert section.tables[0].rows[0][9].text == "–"
    assert [row["x"] for row in section.figures[0].chart.rows] == [20, 30]


def test_many_treebanks_share_a_line_of_means_and_are_not_compared_along_the_axis() -> None:
    scored = {
        f"t{number}": {
            f"{system}-{size}": both(0.5 + size / 20_000, number) for system in "abc" for size in (500, 1000)
        }
        for number in range(5)
    }
    attributes = {
        f"{system}-{size}": {"system": system, "size": size} for system in "abc" for size in (500, 1000)
    }
    study = study_of(scored, attributes)
    figure, _ = LearningCurvesSection(study).figures
    assert {row["series"] for row in figure.chart.rows} == {"a", "b", "c"}
    assert "the mean score over 5 treebanks" in figure.caption
    assert not estimates_of(study).of(CURVES)


def test_many_lines_are_a_mean_for_each_system_and_not_for_each_seed() -> None:
    runs = [(system, size, seed) for system in "xyz" for size in (500, 1000) for seed in (7, 8)]
    attributes = {f"{s}-{n}-{r}": {"system": s, "training_size": n, "seed": r} for s, n, r in runs}
    scored = {
        f"t{number}": {name: both(0.5 + index / 40, number + index) for index, name in enumerate(attributes)}
        for number in range(5)
    }
    del scored["t0"]["x-500-8"]  # of this treebank's system the mean is that of the other seed
    for name in ("z-500-7", "z-500-8"):
        del scored["t1"][name]
    figure, _ = LearningCurvesSection(study_of(scored, attributes)).figures
    assert {row["series"] for row in figure.chart.rows} == {"x", "y", "z"}
    assert "over 5 treebanks, each counting the same, and of several seeds their mean" in figure.caption
    f1 = {
        treebank: {name: 100 * counts["brackets"].value("f1") for name, counts in of.items()}
        for treebank, of in scored.items()
    }
    seeds = [[of[name] for name in ("x-500-7", "x-500-8") if name in of] for of in f1.values()]
    messages = [row["hover"] for row in figure.chart.rows]
    assert f"x 500: {np.mean([np.mean(of) for of in seeds]):.2f}" in messages
    assert not any(title and title.startswith("z 500") for title in messages)  # one treebank has none
    assert any(title and title.startswith("z 1,000") for title in messages)


def test_means_are_all_over_the_same_treebanks() -> None:
    names = {f"{system}-{size}": {"system": system, "size": size} for system in "abc" for size in (500, 1000)}
    scored = {f"t{number}": {name: both(0.5, number) for name in names} for number in range(6)}
    del scored["t0"]["a-500"], scored["t0"]["b-500"], scored["t0"]["c-500"]
    del scored["t1"]["b-500"], scored["t1"]["b-1000"]
    (figure, _) = LearningCurvesSection(study_of(scored, names)).figures
    assert "over 4 treebanks" in figure.caption
    f1 = [100 * scored[f"t{number}"]["b-500"]["brackets"].value("f1") for number in (2, 3, 4, 5)]
    messages = [row["hover"] for row in figure.chart.rows]
    assert [f"{name} 500: {np.mean(f1):.2f}" in messages for name in "abc"] == 3 * [True]
    for series in {row["series"] for row in figure.chart.rows}:
        assert [row["x"] for row in figure.chart.rows if row["series"] == series] == [500, 1000]


def test_many_candidates_of_one_treebank_are_a_matrix_of_systems_and_sizes() -> None:
    systems = ("lstm", "pcfg")
    names = {f"{system}-{size}": {"system": system, "size": size} for system in systems for size in SIZES}
    qualities = {name: 0.4 + 0.04 * index for index, name in enumerate(names)}
    study = study_of({"tiger": {n: both(qualities[n], 1) for n in names if n != "lstm-500"}}, names)
    section = LearningCurvesSection(study)
    matrix, other, long, _ = section.tables
    assert [t.key for t in section.tables][:3] == ["along-size-brackets", "along-size-lineages", "over-size"]
    assert [section.is_open(t) for t in section.tables] == [True, False, False, False]
    assert [section.is_printed(t) for t in section.tables] == [True, True, False, False]
    assert [column.heading for column in matrix.columns] == ["Candidate", *(f"{size:,}" for size in SIZES)]
    assert [row[0].text for row in matrix.rows] == ["lstm", "pcfg"]
    assert matrix.rows[0][1].text == "–"
    cells = [cell for row in matrix.rows for cell in row[1:] if cell.value is not None]
    f1 = {c.name: c.counts["brackets"].value("f1") for c in study.treebanks[0].candidates}
    assert [cell.value for cell in cells] == [f1[name] for name in names if name in f1]
    assert [cell.best for cell in cells] == [cell.value == max(f1.values()) for cell in cells]
    assert {cell.shade for cell in cells} == {1, 2, 3, 4, 5}
    assert not cells[0].alike
    assert (len(other.rows), len(long.rows)) == (2, 9)


def test_seeds_are_no_axis() -> None:
    study = study_of({"klein": {n: both(0.5) for n in "ab"}}, {"a": {"seed": 1}, "b": {"seed": 2}})
    assert find_axes(study) == []


def test_a_line_is_a_system_with_the_spread_of_its_seeds() -> None:
    runs = {
        f"{parser}{size}{seed}": (parser, size, seed) for parser in "xy" for size in (1, 2) for seed in (7, 8)
    }
    scored = {"klein": {name: both(0.5 + number / 20, number) for number, name in enumerate(runs)}}
    named = ("parser", "size", "seed")
    attributes = {name: dict(zip(named, run, strict=True)) for name, run in runs.items()}
    study = study_of(scored, attributes, {name: parser for name, (parser, *_) in runs.items()})
    assert find_axes(study) == ["size"]
    rows = LearningCurvesSection(study).figures[0].chart.rows
    assert len({row["series"] for row in rows}) == 2
    assert sum(row["low"] is not None for row in rows) == 4
    first = [100 * one.counts["brackets"].value("f1") for one in study.treebanks[0].candidates[:2]]
    messages = [row["hover"] for row in rows]
    spread = f"the mean of 2 seeds ({min(first):.2f} to {max(first):.2f})"
    assert f"klein · x: {sum(first) / 2:.2f}, {spread}" in messages
