"""Sentences of two treebanks are matched by identifier, place or words, and never without the same words."""

from hypothesis import given
from hypothesis import strategies as st

from crossbank.metrics.pairing.sentence_alignment import SentenceRun, align_sentences, joined_sentences
from crossbank.treebanks import ROOT, UNATTACHED, Treebank
from crossbank.treebanks.builder import TreebankBuilder


def bank(*sentences: str, ids: str = "", source: str = "x.conllu") -> Treebank:
    """Sentences of words, each of which depends on the first; ``ids`` has a letter for each sentence."""
    builder = TreebankBuilder(source)
    for number, sentence in enumerate(sentences):
        builder.sentence(id=ids[number] if ids else "", line=number + 1)
        for index, word in enumerate(sentence.split()):
            builder.token(form=word, head=0 if index else -1, relation="dep" if index else "root")
    return builder.build()


def matched(gold: Treebank, trees: Treebank) -> list[tuple[list[int], list[int]]]:
    return [(list(range(*one)), list(range(*other))) for one, other in align_sentences(gold, trees).runs]


def test_identifiers_come_before_places() -> None:
    gold, trees = bank("a b", "c", "d", ids="xyz"), bank("c", "d", "a b", ids="yzx")
    assert matched(gold, trees) == [([0], [2]), ([1], [0]), ([2], [1])]


def test_places_are_not_believed() -> None:
    assert matched(bank("a", "b", "c"), bank("c", "a", "b")) == [([0], [1]), ([1], [2]), ([2], [0])]


def test_equal_sentences_are_matched_in_order() -> None:
    assert matched(bank("ja", "ja", "nein"), bank("ja", "x", "ja", "nein")) == [
        ([0], [0]),
        ([1], [2]),
        ([2], [3]),
    ]


def test_sentences_that_are_cut_otherwise_are_matched_as_runs() -> None:
    gold, trees = bank("a b c", "d", "e f", "g"), bank("e", "f g", "a", "b", "c d", "x")
    aligned = align_sentences(gold, trees)
    assert aligned.runs == [(SentenceRun(0, 2), SentenceRun(2, 5)), (SentenceRun(2, 4), SentenceRun(0, 2))]
    assert aligned.joined == 2
    assert [(left.sentence, left.side) for left in aligned.unmatched] == [("6", "trees")]


def test_a_text_that_each_side_has_once_is_no_part_of_a_run() -> None:
    """Masked words look alike: by its letters alone a sentence could be a part of the one before."""
    assert matched(bank("x x", "x", "x x x"), bank("x", "x x x", "y")) == [([1], [0]), ([2], [1])]


def test_words_may_be_split_and_signs_added() -> None:
    assert matched(bank("frásögnina , eg"), bank("frásögn$ $ina eg", "*")) == [([0], [0])]
    assert matched(bank("Bar-Jesus"), bank("Bar<dash/>Jesus", "x")) == [([0], [0])]


def test_what_is_left_over_says_why() -> None:
    alignment = align_sentences(bank("a b", "c", source="g"), bank("a x", "c", source="t"))
    assert [tuple(left) for left in alignment.unmatched] == [
        ("1", "gold", "g:1", "word 2: found 'x', expected 'b'"),
        ("1", "trees", "t:1", "no sentence of gold has these words"),
    ]
    shorter = align_sentences(bank("a b", "c"), bank("a", "c"))
    assert shorter.unmatched[0].reason == "found 1 word, expected 2"
    other = align_sentences(bank("a b"), bank("c", "d"))
    assert other.unmatched[0].reason == "no tree has these words"


def test_the_tree_that_begins_alike_is_named() -> None:
    gold = bank("Og teir tóku til orða so", "x")
    alignment = align_sentences(gold, bank("Og teir tóku", "til orða nú", "x", source="t"))
    assert alignment.unmatched[0].reason == "word 6: found 'nú', expected 'so' (tree 1, t:1)"
    alignment = align_sentences(gold.select([0]), bank("z", "Og teir tóku til", source="t"))
    assert (
        alignment.unmatched[0].reason == "word 5: found 'the end of the text', expected 'orða' (tree 2, t:2)"
    )


def test_a_run_of_sentences_is_one_sentence_with_the_first_one_s_root() -> None:
    joined = joined_sentences(bank("z", "a b c", "d e"), [SentenceRun(1, 3), SentenceRun(0, 1)])
    assert [joined.words(i) for i in range(2)] == [["a", "b", "c", "d", "e"], ["z"]]
    assert joined.tokens.head.tolist() == [ROOT, 0, 0, UNATTACHED, 3, ROOT]


def test_a_text_of_one_word_repeated_is_matched() -> None:
    gold = bank("x x x", *["x"] * 300)
    assert len(align_sentences(gold, bank(*["x"] * 303)).unmatched) == 0


@given(
    st.lists(st.sampled_from(["a", "ab", "b", "ba c", "d e f", "a b"]), min_size=1, max_size=8),
    st.randoms(use_true_random=False),
)
def test_no_sentence_is_used_twice_and_letters_are_the_same(sentences: list[str], random: object) -> None:
    other = sorted(sentences, key=lambda _: random.random())  # type: ignore[attr-defined]
    gold, trees = bank(*sentences), bank(*other, "zz")
    aligned = align_sentences(gold, trees)
    for side, treebank in enumerate((gold, trees)):
        used = [sentence for runs in aligned.runs for sentence in range(*runs[side])]
        left = [u for u in aligned.unmatched if u.side == ("gold", "trees")[side]]
        assert len(used) == len(set(used))
        assert len(used) + len(left) == len(treebank)
    for one, another in aligned.runs:
        texts = [
            "".join(word for sentence in range(*run) for word in treebank.words(sentence))
            for run, treebank in ((one, gold), (another, trees))
        ]
        assert texts[0] == texts[1]
