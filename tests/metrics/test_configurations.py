"""Configurations that go with errors: what patterns find and what is mined, with probabilities."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossbank.converters.patterns.syntax import PatternError
from crossbank.metrics.analyses.mined_configurations import PROPERTIES, Configuration, match_patterns, mined
from crossbank.metrics.counting.metric import Losses, Metric
from crossbank.metrics.leaf_ancestor import LeafAncestor
from crossbank.metrics.parseval import Parseval
from crossbank.metrics.tree_distance import TreeDistance
from crossbank.treebanks import Treebank
from crossbank.treebanks.formats import bracket
from tests.errors import raises
from tests.metrics.trees import labelled

WHOLE = "[S [NP the/D old/A dog/N ] [VP barked/V ] ]"
WHOLE_WRONG = "[S the/D old/A dog/N [VP barked/V ] ]"
SHORT = "[S [NP dogs/N ] [VP bark/V [PP in/P [NP parks/N ] ] ] ]"
SHORT_WRONG = "[S [NP dogs/N ] [VP bark/V ] [PP in/P [NP parks/N ] ] ]"

MULTI_WORD = "S <1 (NP < (__ $. __))"
"""Sampson and Babarczy (2003), section 7: "when a subordinate S begins with a multi-word NP"."""


def losses_of(metric: Metric, gold: Treebank, candidate: Treebank) -> tuple[Treebank, Losses]:
    pair = metric.pair(gold, candidate)
    losses = metric.losses(pair)
    assert losses is not None
    return pair.gold, losses


def trees(wrong: int, right: int) -> tuple[Treebank, Treebank]:
    """Sentences that begin with an NP of three words, some wrong, and as many short ones, all right."""
    gold = [WHOLE] * (wrong + right) + [SHORT] * (wrong + right)
    candidate = [WHOLE_WRONG] * wrong + [WHOLE] * right + [SHORT] * (wrong + right)
    return labelled(*gold), labelled(*candidate)


def by_name(actual: list[Configuration]) -> dict[str, Configuration]:
    return {one.name: one for one in actual}


def test_a_pattern_counts_the_brackets_that_it_finds() -> None:
    gold, losses = losses_of(Parseval(), *trees(15, 5))
    noun, clause = match_patterns(gold, losses, ["NP < (__ $. __)", MULTI_WORD])
    assert (noun.units, noun.loss) == (20, 0.75)
    assert (clause.units, clause.loss) == (20, 0.0)
    assert losses.average == pytest.approx(15 / (20 * 3 + 20 * 5))
    assert noun.p < 0.01
    assert clause.p == 1
    assert noun.sentences == list(range(15))


def test_a_pattern_counts_all_tokens_of_what_it_finds() -> None:
    gold, losses = losses_of(LeafAncestor(), *trees(15, 5))
    clause, tag, word = match_patterns(gold, losses, [MULTI_WORD, "V", "dog"])
    assert clause.units == 20 * 4
    assert tag.units == 40
    assert word.units == 20
    assert clause.loss > losses.average
    assert clause.p < 0.05
    assert losses.total == pytest.approx(losses.loss.sum())


def test_a_tag_that_is_found_stands_for_its_constituent() -> None:
    gold, losses = losses_of(Parseval(), *trees(1, 0))
    (tag,) = match_patterns(gold, losses, ["A"])
    assert (tag.units, tag.loss) == (1, 1.0)


def test_what_is_mined_is_what_was_made_wrong() -> None:
    gold, losses = losses_of(Parseval(), *trees(15, 5))
    configurations = mined(gold, losses)
    assert configurations[0].name in ("NP, 3 to 5 tokens", "NP, beginning with D", "beginning with D")
    significant = {one.name for one in configurations if one.p <= 0.05 and one.excess > 0}
    assert "NP, 3 to 5 tokens" in significant | {configurations[0].name}
    assert not any("PP" in name for name in significant)
    assert not any("VP" in name.split(",")[0] for name in significant)


def test_a_pair_of_properties_that_says_nothing_new_is_left_out() -> None:
    gold, losses = losses_of(Parseval(), *trees(15, 5))
    names = by_name(mined(gold, losses))
    # Every PP is under VP, so the pair has the occurrences of "PP".
    assert "PP, under VP" not in names


def test_identical_trees_have_no_configurations_that_lose() -> None:
    gold, _ = trees(10, 10)
    for metric in (Parseval(), LeafAncestor()):
        bank, losses = losses_of(metric, gold, gold)
        assert losses.total == 0
        assert all(one.excess == 0 for one in mined(bank, losses))
        assert [one.p for one in match_patterns(bank, losses, ["NP"])] == [1.0]


def test_what_is_not_found_has_no_loss() -> None:
    gold, losses = losses_of(Parseval(), *trees(1, 1))
    (actual,) = match_patterns(gold, losses, ["CP"])
    assert (actual.units, actual.loss, actual.p, actual.excess) == (0, 0.0, 1.0, 0.0)


def test_a_pattern_that_cannot_be_parsed_is_named() -> None:
    gold, losses = losses_of(Parseval(), *trees(1, 1))
    with raises(PatternError, offset=6):
        match_patterns(gold, losses, ["NP < ("])


def test_sentences_without_a_parse_say_nothing() -> None:
    _, losses = losses_of(Parseval(), labelled(WHOLE, SHORT), labelled("", SHORT))
    assert losses.counted.tolist() == [False] * 3 + [True] * 5


def test_metrics_that_do_not_say_what_tokens_lose() -> None:
    assert not TreeDistance().says_losses()
    assert Parseval().says_losses()


@given(st.lists(st.sampled_from([(WHOLE, WHOLE_WRONG), (SHORT, SHORT_WRONG), (WHOLE, WHOLE)]), min_size=1))
def test_losses_are_what_the_scores_lack(sentences: list[tuple[str, str]]) -> None:
    gold, candidate = (labelled(*side) for side in zip(*sentences, strict=True))
    for metric, measure in ((Parseval(), "recall"), (LeafAncestor(), "word_mean")):
        pair = metric.pair(gold, candidate)
        losses = metric.losses(pair)
        assert losses is not None
        assert 1 - losses.average == pytest.approx(metric.counts(pair).value(measure))


def test_probabilities_equal_a_plain_count_over_all_signs() -> None:
    """Ten sentences in which an NP loses, by different amounts: all 1,024 choices of signs are few enough."""
    gold = labelled(*[WHOLE] * 12)
    losses = Losses("nodes", np.ones(36, np.bool_), np.zeros(36))
    losses.loss[1::3] = [1, 1, 1, 1, 1, 0, 0, 1, 1, 0, 1, 1]
    (actual,) = match_patterns(gold, losses, ["NP"], trials=20_000)
    excess = losses.loss[1::3] - losses.loss.mean()
    signs = 1 - 2 * (np.arange(2**12)[:, None] >> np.arange(12) & 1)
    exact = float((signs @ excess >= excess.sum() - 1e-9).mean())
    assert actual.p == pytest.approx(exact, abs=0.003)


def test_the_family_of_configurations_is_corrected_for() -> None:
    """Of patterns without any effect hardly ever one is called significant, although there are many."""
    random = np.random.default_rng(7)
    gold = labelled(*[SHORT] * 60)
    patterns = ["NP", "VP", "PP", "S", "NP > PP", "NP > S"]
    significant = 0
    for seed in range(40):
        losses = Losses("nodes", np.ones(300, np.bool_), random.random(300))
        significant += any(one.p <= 0.05 for one in match_patterns(gold, losses, patterns, seed=seed))
    assert significant <= 6


def test_every_property_can_be_read() -> None:
    bank = labelled(WHOLE, SHORT)
    for read in PROPERTIES.values():
        assert len(read(bank)) == len(bank.nodes)
    decode = bank.vocabulary.decode
    first = PROPERTIES["beginning with"](bank)
    assert decode(first) == ["NP", "D", "V", "NP", "N", "V", "P", "N"]
    after, before = PROPERTIES["after"](bank), PROPERTIES["before"](bank)
    names = [[bank.vocabulary[code] if code >= 0 else "" for code in codes] for codes in (after, before)]
    assert names == [["", "", "N", "", "", "N", "V", "P"], ["", "V", "", "", "V", "", "", ""]]


def test_a_real_parser(shared_data: Path) -> None:
    folder = shared_data / "farpahc" / "parsers" / "e1"
    gold = bracket.load(folder / "corpus" / "far_split0testing.psd")
    parsed = bracket.load(folder / "output" / "far_split0machineparsed.psd")
    for metric in (Parseval(), LeafAncestor()):
        bank, losses = losses_of(metric, gold, parsed)
        configurations = mined(bank, losses)
        # Units that are in each class of one property add up to all of them.
        labels = [
            one
            for one in configurations
            if one.name in set(bank.vocabulary.decode(np.unique(bank.nodes.label)))
        ]
        assert sum(one.units for one in labels) <= int(losses.counted.sum())
        assert any(one.p <= 0.05 and one.excess > 0 for one in configurations)
