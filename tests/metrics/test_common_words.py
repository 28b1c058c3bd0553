"""Words and sentences that differ: aligned by characters or by edits, before metrics compare them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import crossbank
from crossbank.metrics.counting.metric import METRICS, metric_class
from crossbank.metrics.counting.scoring import Views, compare_views, scoring_of
from crossbank.metrics.pairing.pair import Pair, Status
from crossbank.metrics.pairing.text_alignment import aligned_groups
from crossbank.metrics.pairing.word_classes import CLASSES, class_of_change, folded, letters_of
from crossbank.metrics.pairing.word_forms import ALIGNED
from crossbank.treebanks import CrossbankError, OptionError, Treebank
from crossbank.treebanks.formats import conllu, read
from crossbank.treebanks.in_memory.sources import treebank_of_source

GOLD = "(S (NP (DT the) (NN dog)) (VP (MD can) (RB not) (VP (VB bark))) (. .))"


def compared(
    gold: list[str] | Treebank, candidate: list[str] | Treebank, metric: str, words: str, **options: Any
) -> tuple[dict[str, float], Pair]:
    """Return the sums of a metric's columns, and the pair that it saw."""
    sides = (treebank_of_source(one, "side") for one in (gold, candidate))
    scoring = scoring_of([metric], {"words": words, **options})
    ((counts, pair),) = compare_views(*(Views(one, None) for one in sides), scoring, None)
    return {name: float(column.sum()) for name, column in counts.columns.items()}, pair


def events(pair: Pair) -> dict[str, int]:
    return {one.event: one.total for one in pair.candidate.diagnosis if one.step == ALIGNED}


def brackets(candidate: str, words: str = "align") -> tuple[float, float, float]:
    sums, _ = compared([GOLD], [candidate], "parseval", words)
    return sums["gold"], sums["candidate"], sums["matched"]


def similarity(candidate: str, words: str = "align") -> tuple[float, float]:
    sums, _ = compared([GOLD], [candidate], "leaf_ancestor", words)
    return sums["words"], sums["similarity"]


@pytest.mark.parametrize("words", ["characters", "align"])
def test_spans_are_carried_over_through_characters(words: str) -> None:
    other = "(S (NP (DT the) (NN dog)) (VP (MD cannot) (VP (VB bark))) (. .))"
    assert brackets(other, words) == (4, 4, 4)
    assert similarity(other, words) == (6, 6)
    crossed = "(S (NP (DT the) (NN do)) (VP (MD gcan) (RB not) (VP (VB bark))) (. .))"
    assert brackets(crossed, words) == (4, 4, 2)  # NP and VP end elsewhere


def test_characters_alone_do_not_align_other_characters() -> None:
    sums, pair = compared([GOLD], [GOLD.replace("bark", "sleep")], "parseval", "characters")
    assert pair.status.tolist() == [Status.WORDS_DIFFER]
    assert sums["matched"] == 0


def test_brackets_with_an_inserted_word_are_wrong() -> None:
    inserted = "(S (NP (DT the) (JJ big) (NN dog)) (VP (MD can) (RB not) (VP (VB bark))) (. .))"
    assert brackets(inserted) == (4, 4, 2)  # S and NP are over a word that gold lacks
    assert similarity(inserted) == (7, 6)
    alone = "(S (NP (DT the) (NN dog)) (X (Y so)) (VP (MD can) (RB not) (VP (VB bark))) (. .))"
    assert brackets(alone) == (4, 5, 3)


def test_brackets_with_a_dropped_word_are_missed() -> None:
    dropped = "(S (NP (DT the) (NN dog)) (VP (MD can) (VP (VB bark))) (. .))"
    assert brackets(dropped) == (4, 4, 2)
    assert similarity(dropped) == (6, 5)


def test_classes_of_spelling_are_the_same_word() -> None:
    gold = [
        "(S (`` ``) (NP (NNP Zoë)) (VP (VBZ ’s) (-LRB- -LRB-) (ADJP (JJ ill)) (-RRB- -RRB-)) (: --) (: …))"
    ]
    candidate = [
        "(S (`` “) (NP (NNP Zoe\u0308)) (VP (VBZ 's) (-LRB- （) (ADJP (JJ ILL)) (-RRB- ）)) (: —) (: ...))"
    ]
    sums, pair = compared(gold, candidate, "parseval", "align")
    assert sums["matched"] == sums["gold"] == sums["candidate"] == 4
    assert events(pair) == {
        "words changed in quotation marks": 1,
        "words changed in apostrophes": 1,
        "words changed in brackets": 2,
        "words changed in capitals": 1,
        "words changed in dashes": 1,
        "words changed in ellipses": 1,
    }


def test_other_spelling_is_the_same_word_if_most_characters_are() -> None:
    assert aligned_groups(["colour", "is"], ["color", "was"]) == [(1, 1), (1, 0), (0, 1)]
    assert aligned_groups(["a", "b", "c"], ["a", "c"]) == [(1, 1), (1, 0), (1, 1)]
    assert aligned_groups(["x", "can", "not", "y"], ["z", "cannot", "y"]) == [(1, 0), (0, 1), (2, 1), (1, 1)]


def test_texts_with_nothing_in_common_score_nothing() -> None:
    other = "(S (X (Y qq) (Y ww)))"
    assert brackets(other) == (4, 2, 0)
    assert similarity(other) == (8, 0)


def arcs(text: str) -> Treebank:
    rows = [line.split() for line in text.strip().split("\n")]
    lines = (f"{n}\t{w}\t{w}\tX\tX\t_\t{h}\t{r}\t_\t_\n" for n, (w, h, r) in enumerate(rows, 1))
    return conllu.loads("".join(lines) + "\n")


def test_arcs_from_and_to_unmatched_words_are_wrong() -> None:
    gold = arcs("the 2 det\ndog 4 nsubj\ncannot 4 aux\nbark 0 root")
    sums, _ = compared(
        gold,
        arcs("the 2 det\ndog 5 nsubj\ncan 5 aux\nnot 5 advmod\nbark 0 root"),
        "dependencies",
        "characters",
    )
    assert (sums["gold"], sums["candidate"], sums["matched"], sums["heads"]) == (4, 5, 3, 3)
    sums, _ = compared(gold, arcs("the 3 det\nbig 3 amod\ndog 4 nsubj\nbark 0 root"), "dependencies", "align")
    assert (sums["gold"], sums["candidate"], sums["matched"]) == (4, 4, 3)
    # The head of "dog" is a word without counterpart on either side.
    sums, _ = compared(arcs("a 2 x\nnew 0 root"), arcs("a 2 x\nqqq 0 root"), "dependencies", "align")
    assert (sums["gold"], sums["candidate"], sums["matched"]) == (2, 2, 0)


def test_sentences_are_joined_at_common_boundaries() -> None:
    gold = ["(S (A a) (B b))", "(S (C c) (D d))", "(S (E e))"]
    candidate = ["(S (A a))", "(S (B b) (C c))", "(S (D d))", "(S (E e))"]
    sums, pair = compared(gold, candidate, "parseval", "characters")
    assert pair.status.tolist() == [Status.SCORED, Status.SKIPPED, Status.SCORED]
    assert (sums["gold"], sums["candidate"], sums["matched"]) == (3, 4, 1)
    assert events(pair) == {"sentences joined": 3}
    assert list(pair.sentence_ids()) == ["1", "2", "3"]


def test_same_number_of_sentences_cut_elsewhere() -> None:
    gold, candidate = ["(S (A a) (B b))", "(S (C c))"], ["(S (A a))", "(S (B b) (C c))"]
    sums, pair = compared(gold, candidate, "parseval", "align")
    assert pair.status.tolist() == [Status.SCORED, Status.SKIPPED]
    assert (sums["gold"], sums["candidate"], sums["matched"]) == (2, 2, 0)


def test_half_of_the_sentences_and_sentences_of_nobody() -> None:
    gold = [f"(S (A a{n}{n}) (B b{n}) (C c))" for n in range(10)]
    sums, pair = compared(gold, gold[::2], "parseval", "align")
    assert pair.status.tolist() == [Status.SCORED, Status.NO_PARSE] * 5
    assert (sums["gold"], sums["candidate"], sums["matched"]) == (10, 5, 5)
    beyond = [*gold[:3], "(S (X (Y of) (Y nobody)))", *gold[3:]]
    sums, pair = compared(gold, beyond, "parseval", "align")
    assert (sums["gold"], sums["candidate"], sums["matched"]) == (10, 12, 9)
    assert events(pair)["words that gold lacks"] == 2


def test_deleted_tokens_are_those_of_gold_else_of_the_candidate() -> None:
    gold = ["(S (NP (N a)) (VP (V b)) (. .))"]
    more = ["(S (NP (N a) (, ,)) (VP (V b)) (. .))"]
    sums, _ = compared(gold, more, "parseval", "align", delete="unicode")
    assert sums["matched"] == sums["gold"] == sums["candidate"] == 3
    sums, _ = compared(gold, ["(S (NP (N a)) (VP (V b)))"], "parseval", "align", delete="unicode")
    assert sums["matched"] == sums["gold"] == sums["candidate"] == 3


def test_signature_and_refusals() -> None:
    one = crossbank.score([GOLD], [GOLD], words="align")
    assert "|compared_words:align|" in str(one.signature)
    assert "compared_words" not in str(crossbank.score([GOLD], [GOLD]).signature)
    assert str(crossbank.score([GOLD], [GOLD], words="same").signature) == str(
        crossbank.score([GOLD], [GOLD]).signature
    )
    with pytest.raises(OptionError):
        crossbank.score([GOLD], [GOLD], words="similar")
    with pytest.raises(OptionError):
        crossbank.score([GOLD], [GOLD], words="align", align=True)
    with pytest.raises(CrossbankError):
        crossbank.score([GOLD], [GOLD], "conll18", words="align", delete="none")
    with pytest.raises(CrossbankError):
        crossbank.score([GOLD, GOLD], [GOLD])


def test_the_option_of_relations_keeps_its_name() -> None:
    scoring = scoring_of(["relations"], {"relations.words": "form", "words": "align"})
    assert scoring.words == "align"
    assert vars(scoring.metrics[0])["words"] == "form"
    assert scoring_of(["relations"], {"words": "position"}).words == "same"


@given(st.lists(st.text("ab'’“\"- \u0308é\u200d\x01שא", max_size=4), max_size=8), st.data())
def test_groups_are_all_words(gold: list[str], data: st.DataObject) -> None:
    candidate = data.draw(st.lists(st.sampled_from([*gold, "a", "ab", ""]), max_size=8))
    sides = [[folded(word) for word in side] for side in (gold, candidate)]
    groups = aligned_groups(*sides)
    assert (
        tuple(np.sum(groups, axis=0, initial=0)) == (len(gold), len(candidate))
        if groups
        else not (gold or candidate)
    )
    g = c = 0
    for left, right in groups:
        one, other = "".join(sides[0][g : g + left]), "".join(sides[1][c : c + right])
        if left > 1 or right > 1:
            assert one == other
        g, c = g + left, c + right
    if sides[0] == sides[1]:
        assert groups == [(1, 1)] * len(gold)


@given(st.text(max_size=8))
def test_letters_are_stable(form: str) -> None:
    assert class_of_change(form, form) == ""
    assert letters_of(form) == letters_of(letters_of(form)) or "\\" in form or "B-" in form


def test_every_class_has_a_name() -> None:
    assert {
        class_of_change(one, other)
        for one, other in (
            ("a", "\u200ba"),
            ('"', "„"),
            ("'", "‘"),
            ("-", "–"),
            ("...", "…"),
            ("[", "［"),
            ("fi", "ﬁ"),
            ("A", "a"),
        )
    } == set(CLASSES)


@pytest.mark.parametrize("words", [3000, 200_000])
def test_long_texts_are_cut(words: int) -> None:
    gold = [f"w{n % 977}" for n in range(words)]
    candidate = [*gold[: words // 2], "new", *gold[words // 2 + 3 :]]
    groups = aligned_groups(gold, candidate)
    assert [group for group in groups if group != (1, 1)] == [(1, 0), (1, 0), (1, 0), (0, 1)]
    assert tuple(np.sum(groups, axis=0)) == (len(gold), len(candidate))


def test_texts_of_other_words_are_bounded() -> None:
    groups = aligned_groups([f"a{n % 7}" for n in range(20_000)], [f"{n % 7}b" for n in range(20_000)])
    assert tuple(np.sum(groups, axis=0)) == (20_000, 20_000)


def conll18_files(shared_data: Path) -> list[tuple[str, Path, Path]]:
    folder = shared_data / "conll18"
    gold = {path.name: path for path in (folder / "00-gold-standard").glob("*.conllu")}
    systems = sorted(path for path in folder.glob("*/*.conllu") if "gold" not in path.parent.name)
    return [(f"{path.parent.name} {path.stem}", gold[path.name], path) for path in systems]


@pytest.mark.slow
def test_attachment_scores_are_those_of_conll18(shared_data: Path, subtests: pytest.Subtests) -> None:
    """All words are aligned as the official scorer aligns them: the same numbers of right words."""
    for name, gold, system in conll18_files(shared_data):
        with subtests.test(name):
            official = crossbank.score(gold, system, "conll18")
            with pytest.warns(crossbank.CrossbankWarning):
                ours = crossbank.score(gold, system, "dependencies", words="characters", subtypes=False)
            assert ours["f1"] == pytest.approx(official["las"], abs=1e-12)
            unlabelled, _ = compared(read(gold), read(system), "dependencies", "characters", labels=False)
            f1 = 2 * unlabelled["matched"] / (unlabelled["gold"] + unlabelled["candidate"])
            assert f1 == pytest.approx(official["uas"], abs=1e-12)


@pytest.mark.parametrize("words", ["characters", "align"])
def test_same_words_have_the_same_scores(words: str, subtests: pytest.Subtests) -> None:
    examples = Path(__file__).parents[2] / "examples"
    gold, candidate = read(examples / "tiger.export"), read(examples / "tiger.alpha.mrg")
    for metric in METRICS:
        if not metric_class(metric).compares_words:
            continue
        with subtests.test(metric):
            options: dict[str, Any] = {"selected": {"labels": "NP"}}.get(metric, {})
            try:
                same = crossbank.score(gold[:60], candidate[:60], metric, scheme="tiger", **options)
            except CrossbankError:
                continue  # the candidate has no functions
            other = crossbank.score(gold[:60], candidate[:60], metric, scheme="tiger", words=words, **options)
            assert set(same.counts.columns) == set(other.counts.columns)
            for name, column in same.counts.columns.items():
                assert np.array_equal(column, other.counts.columns[name], equal_nan=True)
