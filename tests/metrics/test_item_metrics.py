"""What follows from a metric's items: sums, lists, losses, and the configurations that go with errors."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

from crossbank.formalisms.redwoods.formats import tsdb
from crossbank.metrics.analyses.mined_configurations import match_patterns, mined
from crossbank.metrics.counting.counts import Column, Counts
from crossbank.metrics.counting.items import ItemMetric
from crossbank.metrics.counting.metric import METRICS, Metric, metric, metric_class
from crossbank.metrics.counting.scoring import Views, compare_views, scoring_of
from crossbank.metrics.pairing.pair import Pair, Status
from crossbank.treebanks import Treebank
from crossbank.treebanks.formats import bracket
from tests.formalisms.redwoods.profiles import CAT, CAT_MRS, NAME_MRS, Result, profile
from tests.metrics.test_signatures import samples, scored

ITEM_METRICS = [name for name in METRICS if issubclass(metric_class(name), ItemMetric)]

NO_WORDS = frozenset({"edm"})
"""The metrics whose items stand for no words: nodes of graphs are known by their characters alone."""


@cache
def graphs() -> tuple[Treebank, Treebank]:
    """Return a meaning graph, and another one that has a name where the first has a noun."""
    with TemporaryDirectory() as folder:
        gold, other = (
            tsdb.load(profile(Path(folder) / str(index), {1: ("the cat sleeps", [Result(CAT, mrs)])}))
            for index, mrs in enumerate((CAT_MRS, NAME_MRS))
        )
    return gold, other


def compared(name: str) -> Iterator[tuple[Metric, Counts, Pair]]:
    """Yield the samples that a metric can score, with their counts."""
    actual = [scored(index, name) for index in range(len(samples()))]
    if name == "edm":
        one, other = (Views(bank, None) for bank in graphs())
        actual = [*compare_views(one, other, scoring_of([name], {}), None)]
    for one in actual:
        if one is not None:
            yield metric(name, {"labels": "NP"} if name == "selected" else {}), *one


def gold_and_common(counts: Counts) -> tuple[Column, Column]:
    """Gold's items and those in common; of TedEval with one gold, what needs no edit on either side."""
    columns = counts.columns
    if "edits" in columns:
        gold = columns["generalised"]
        return gold, (gold + columns["candidate"] - columns["edits"]) / 2
    return columns["key" if "key" in columns else "gold"], columns["matched"]


@pytest.mark.parametrize("name", ITEM_METRICS)
def test_the_list_of_items_has_what_was_counted(name: str) -> None:
    total = 0
    for of, counts, pair in compared(name):
        gold, common = gold_and_common(counts)
        for sentence in range(len(counts)):
            items = of.items(pair, sentence)
            total += len(items)
            both = sum(item.matched for item in items)
            assert both == common[sentence]
            assert gold[sentence] == sum(item.side != "candidate" for item in items)
            assert all(item.side == "both" or not item.matched for item in items)
            assert all(item.label or item.tokens or item.gold or item.candidate for item in items)
    assert total


@pytest.mark.parametrize("name", ITEM_METRICS)
def test_what_is_not_found_loses(name: str) -> None:
    """Gold loses nothing beside itself, and something where the score says so."""
    some = False
    for of, counts, pair in compared(name):
        losses = of.losses(pair)
        assert losses is not None
        size = len(pair.gold.tokens if losses.of == "tokens" else pair.gold.nodes)
        assert losses.counted.shape == losses.loss.shape == (size,)
        assert ((losses.loss >= 0) & (losses.loss <= 1)).all()
        assert not losses.loss[~losses.counted].any()
        gold, common = gold_and_common(counts)
        missing = float((gold - common)[pair.scored].sum())
        assert losses.total <= missing + 1e-9
        some |= losses.total > 0
        same = of.losses(Pair(pair.gold, pair.gold, np.where(pair.scored, pair.status, 1).astype(np.int8)))
        assert same is not None
        assert same.total == 0
    assert some or name in NO_WORDS


@pytest.mark.parametrize("name", ITEM_METRICS)
def test_configurations_that_go_with_errors(name: str) -> None:
    """``--find`` and ``--mine``: a pattern that finds every constituent finds what loses under one."""
    actual, trees = 0, False
    for of, _, pair in compared(name):
        losses = of.losses(pair)
        if losses is None or not pair.gold.has_constituents:
            continue
        (every,) = match_patterns(pair.gold, losses, ["__"])
        assert every.units <= losses.counted.sum()
        assert every.units * every.loss <= losses.total + 1e-9
        actual, trees = actual + every.units, True
        assert all(0 <= one.loss <= 1 for one in mined(pair.gold, losses, trials=20))
    assert actual or not trees or name in NO_WORDS


@pytest.mark.parametrize(
    ("name", "options"), [*((name, {}) for name in METRICS), ("parseval", {"duplicates": "once"})]
)
def test_an_unscored_sentence_is_not_exact(name: str, options: dict[str, str]) -> None:
    """Not even where neither side has anything to find in it: sums of 0 are the same."""
    for default, _, pair in compared(name):
        of = metric(name, options) if options else default
        empty = bracket.loads("(())")
        gold, candidate = (
            Treebank.concatenate([bank, empty.replace(history=bank.history)])
            for bank in (pair.gold, pair.candidate)
        )
        for status in (Status.NO_PARSE, Status.WORDS_DIFFER):
            statuses = np.append(pair.status, status).astype(np.int8)
            columns = of.counts(Pair(gold, candidate, statuses)).columns
            for column in {"exact", "unlabelled_exact", "no_crossing", "parsed"} & set(columns):
                assert columns[column][-1] == 0, column
