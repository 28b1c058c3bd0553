"""Dependencies of local trees: against the definition, and what is done to labels before."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given

from crossbank.converters.scheme_files import load_scheme
from crossbank.converters.transformations import transform
from crossbank.metrics.counting.counts import Counts
from crossbank.metrics.counting.scoring import LackingViewError, in_view, score, scoring_of
from crossbank.metrics.local_dependencies import LocalDependencies
from crossbank.metrics.pairing.pair import pair
from crossbank.treebanks import Treebank
from crossbank.treebanks.errors import RequirementError
from crossbank.treebanks.formats.bracket import loads
from tests.assumptions import assume
from tests.converters.banks import bank_of
from tests.errors import raises
from tests.metrics.trees import ancestors, pairs, reversed_order

PTB, TIGER = load_scheme("ptb"), load_scheme("tiger")

Dependency = tuple[int | None, tuple[str, ...]]
"""The place of a word's head, and parent, head child, sister and direction; nothing for the head of all."""


def headed(bank: Treebank) -> Treebank:
    return transform(bank, ["mark_heads"], PTB)


def by_definition(bank: Treebank, sentence: int) -> list[Dependency]:
    """Return the dependency of every word, from its ancestors."""
    rows = bank.nodes.rows(sentence)
    labels = bank.vocabulary.decode(bank.nodes.label[rows])
    head = bank.nodes.head[rows].tolist()
    actual: list[Dependency] = []
    projection = [
        [node for node in ancestors(bank, sentence, word) if head[node] == word]
        for word in range(len(bank.words(sentence)))
    ]
    for word, own in enumerate(projection):
        above = ancestors(bank, sentence, word)[len(own) :]
        if not above:
            actual.append((None, ()))
            continue
        governor = head[above[0]]
        below = projection[governor].index(above[0])
        child = labels[projection[governor][below - 1]] if below else "TAG"
        sister = labels[own[-1]] if own else "TAG"
        direction = "right" if governor < word else "left"
        actual.append((governor, (labels[above[0]], child, sister, direction)))
    return actual


@given(pairs())
def test_it_is_what_the_definition_says(sides: tuple[Treebank, Treebank]) -> None:
    gold, candidate = map(headed, sides)
    both = pair(gold, candidate)
    counts = LocalDependencies().counts(both)
    for sentence in range(len(gold)):
        computed = by_definition(gold, sentence)
        reference = by_definition(candidate, sentence) if both.scored[sentence] else []
        same = list(zip(computed, reference, strict=False))
        assert counts.columns["gold"][sentence] == len(computed)
        assert counts.columns["candidate"][sentence] == len(reference)
        assert counts.columns["heads"][sentence] == sum(own[0] == other[0] for own, other in same)
        assert counts.columns["matched"][sentence] == sum(own == other for own, other in same)
    parts, sums = counts.by_breakdown("relation"), counts.sums()
    for name in ("gold", "candidate", "heads", "matched"):
        assert sum(row[name] for row in parts.values()) == sums[name]


@given(pairs())
def test_identity_and_order(sides: tuple[Treebank, Treebank]) -> None:
    gold, candidate = map(headed, sides)

    def values(one: Treebank, other: Treebank) -> dict[str, float]:
        return LocalDependencies().counts(pair(one, other)).values()

    assert set(values(gold, gold).values()) == {1}
    assert values(reversed_order(gold), reversed_order(candidate)) == values(gold, candidate)


@given(pairs())
def test_exchange(sides: tuple[Treebank, Treebank]) -> None:
    gold, candidate = map(headed, sides)
    assume(candidate.tokens.lengths().all())
    there, back = (
        LocalDependencies().counts(pair(*both)).values() for both in ((gold, candidate), (candidate, gold))
    )
    assert there["precision"] == back["recall"]
    assert there["unlabelled_recall"] == back["unlabelled_precision"]


def scored(gold: str, candidate: str, **options: object) -> Counts:
    (counts,) = score(loads(gold), loads(candidate), scoring_of(["local_dependencies"], options), PTB)
    return counts


COMPLEMENT = "(S (NP-C (NNP Vinken)) (VP (MD will) (VP-C (VB join) (NP-C (DT the) (NN board)))) (. .))"
ADJUNCT = "(S (NP (NNP Vinken)) (VP (MD will) (VP-C (VB join) (NP-C (DT the) (NNS board)))) (. .))"


def test_tags_are_one_label_and_punctuation_is_left_out() -> None:
    counts = scored(COMPLEMENT, ADJUNCT, complements="no")
    assert (counts.value("f1"), counts.sums()["gold"]) == (1, 5)
    assert set(counts.by_breakdown("relation")) == {
        "<TOP>", "<S, VP, NP, left>", "<VP, TAG, VP, right>", "<VP, TAG, NP, right>", "<NP, TAG, TAG, left>",
    }  # fmt: skip
    assert scored(COMPLEMENT, ADJUNCT, complements="no", tags="yes").value("recall") == 4 / 5


def test_complement_marks_belong_to_relations() -> None:
    counts = scored(COMPLEMENT, ADJUNCT)
    assert (counts.value("recall"), counts.value("unlabelled_recall")) == (4 / 5, 1)
    relations = counts.by_breakdown("relation")
    assert relations["<S, VP, NP-C, left>"]["gold"] == relations["<S, VP, NP, left>"]["candidate"] == 1


def test_coordinations_are_told_apart() -> None:
    tree = (
        "(S (CC But) (NP (NP (NNS cats)) (, ,) (NP (NNS dogs)) (CC and) (NP (NNS birds))) (VP (VBP sleep)))"
    )
    relations = {
        "<S, VP, TAG, left>",
        "<S, VP, NP, left>",
        "<NP, NP, NP, right>",
        "<NP, NP, TAG, right>",
        "<TOP>",
    }
    assert set(scored(tree, tree, coordination="no").by_breakdown("relation")) == relations
    assert set(scored(tree, tree).by_breakdown("relation")) == relations | {"<NP, NP, NP, right, CC>"}
    assert "<NP, NP, NP>" in scored(tree, tree, direction="no").by_breakdown("relation")


def test_heads_are_found_before_functions_are_stripped() -> None:
    """The view follows the scheme's constituents, so crossing branches are raised there too."""
    bank = bank_of("(S 0=er/PPER:SB (VP:OC 1=Bücher/NN:OA 3=gelesen/VVPP:HD) 2=hat/VAFIN:HD)")
    seen = in_view(bank, "heads", TIGER)
    assert seen.history == (
        "virtual_root", "raise_crossing", "attach_punctuation", "split_functions", "mark_heads",
        "mark_coordination",
    )  # fmt: skip
    items = LocalDependencies().items(pair(seen, seen), 0)
    assert [(item.tokens, item.label) for item in items] == [
        ((0, 2), "<S, TAG, TAG, left>"),
        ((1, 2), "<S, TAG, TAG, left>"),
        ((2,), "<TOP>"),
        ((3, 2), "<S, TAG, VP, right>"),
    ]


def test_without_heads_it_is_refused() -> None:
    bank = loads("(S (NP (NN a)) (VP (VB b)))")
    with raises(
        RequirementError,
        name="local_dependencies",
        required="phrasal nodes with lexical heads, or a scheme with head rules",
    ):
        score(bank, bank, scoring_of(["local_dependencies"], {}))
    words = bank_of("0=a/NN")
    with raises(LackingViewError, annotation="trees"):
        score(words, words, scoring_of(["local_dependencies"], {}), PTB)


def test_real_parser_output(shared_data: Path) -> None:
    """FarPaHC: one dependency for each word of gold, and labels make it no easier."""
    folder = shared_data / "farpahc" / "parsers" / "e1"
    if not folder.is_dir():
        pytest.skip("FarPaHC's parser output is not in ../shared/data")
    text = (folder / "corpus" / "far_split0testing.psd").read_text()
    gold = loads(re.sub(r"\(TOP \(", "( (", text))
    parsed = loads((folder / "output" / "far_split0machineparsed.psd").read_text())
    scoring, scheme = scoring_of(["local_dependencies"], {}), load_scheme("ppche")
    (same,), (actual,) = score(gold, gold, scoring, scheme), score(gold, parsed, scoring, scheme)
    assert set(same.values().values()) == {1}
    assert actual.status_counts() == {"total": 372, "scored": 372}
    sums = actual.sums()
    assert sums["gold"] == sums["candidate"]
    assert 0.8 < actual.value("recall") < actual.value("unlabelled_recall") < 0.95
    assert actual.by_breakdown("relation")["<TOP>"]["gold"] == 372
