"""Chart of scores with intervals: one dot each, on an axis that holds them all."""

from lxml import etree

from crossbank.metrics.counting.counts import Measure, ratio
from crossbank.reports.charts.intervals import Row, interval_chart, row_chart
from crossbank.reports.results.summary import Score

MEASURE = Measure("f1", lambda sums: ratio(sums["a"], sums["b"]), "a / b")


def score(value: float | None, low: float | None = None, high: float | None = None) -> Score:
    return Score("study", "klein", "raw", "parseval", "f1", value, low, high, 9, "parseval|v1.0")


def test_each_score_has_a_dot_within_its_interval_and_the_axis() -> None:
    svg = etree.fromstring(interval_chart([score(0.8, 0.75, 0.9), score(0.5), score(None)], MEASURE))
    dots = [float(dot.get("cx")) for dot in svg.iter("circle")]
    ticks = {float(t.text): float(t.get("x")) for t in svg.iter("text") if t.get("class") == "tick"}
    assert len(dots) == 2
    assert dots[1] == ticks[50.0]
    assert dots[0] == ticks[80.0]
    assert min(ticks.values()) <= dots[1] < dots[0] <= max(ticks.values())
    (interval,) = (path.get("d") for path in svg.iter("path") if path.get("class") == "interval")
    low, high = float(interval[1:].split()[0]), float(interval.split("H")[1].split("M")[0])
    assert low < dots[0] < high


def test_scores_that_are_all_the_same_have_an_axis_too() -> None:
    svg = interval_chart([score(1.0, 1.0, 1.0)] * 2, MEASURE)
    ticks = [t for t in etree.fromstring(svg).iter("text") if t.get("class") == "tick"]
    assert len(ticks) > 1
    assert ticks[0].text == "100"


def test_no_score_no_chart() -> None:
    assert interval_chart([score(None)], MEASURE) == ""


def test_only_names_that_have_no_room_are_pressed() -> None:
    pressed = [n for n in range(1, 200) if "textLength" in row_chart([Row("x" * n, 1, "1")], "t", "F1")]
    assert pressed == list(range(57, 200))
