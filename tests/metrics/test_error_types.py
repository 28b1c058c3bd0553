"""Error types by tree repair: hand-made cases, and the known errors of the embedded candidates."""

import csv
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import crossbank
from crossbank.converters.scheme_files import load_scheme
from crossbank.converters.transformations import transform
from crossbank.metrics.analyses.moves import Moves, _differing_edges, _edges
from crossbank.metrics.analyses.tree_repair import MAX_TYPED, _Repair, _Tree, dependency_errors, errors
from crossbank.metrics.pairing.pair import pair
from crossbank.treebanks import Treebank
from crossbank.treebanks.errors import CrossbankWarning
from crossbank.treebanks.formats import bracket, conllu, read
from tests.metrics.trees import pairs

ROOT = Path(__file__).resolve().parents[2]
PTB = load_scheme("ptb").error_types


def typed(gold: str, candidate: str) -> list[tuple[str, tuple[int, ...]]]:
    both = pair(bracket.loads(gold), bracket.loads(candidate))
    return [(error.type, error.words) for error in errors(both, PTB)]


SAW = "(S (NP (PRP I)) (VP (VBD saw) (NP (NP (DT a) (NN man)) (PP (IN with) (NP (NN hat))))))"


@pytest.mark.parametrize(
    ("gold", "candidate", "expected"),
    [
        (
            SAW,
            "(S (NP (PRP I)) (VP (VBD saw) (NP (DT a) (NN man)) (PP (IN with) (NP (NN hat)))))",
            [("pp_attachment", (4, 5))],
        ),
        (SAW, SAW.replace("(NP (NN hat))", "(VP (NN hat))"), [("label", (5,))]),
        (SAW, SAW.replace("VBD", "VB"), [("pos", (1,))]),
        (SAW, SAW.replace("(NP (NN hat))", "(NN hat)"), [("unary", (5,))]),
        (
            "(S (NP (NP (NNS cats)) (CC and) (NP (NNS dogs))) (VP (VBP run)))",
            "(S (NP (NNS cats)) (CC and) (NP (NNS dogs)) (VP (VBP run)))",
            [("coordination", (0, 1, 2))],
        ),
        (
            "(S (NP (DT the) (JJ old) (NN man)) (VP (VBZ sleeps)))",
            "(S (DT the) (JJ old) (NN man) (VP (VBZ sleeps)))",
            [("missing_node", (0, 1, 2))],
        ),
        (
            "(S (DT the) (JJ old) (NN man) (VP (VBZ sleeps)))",
            "(S (NP (DT the) (JJ old) (NN man)) (VP (VBZ sleeps)))",
            [("additional_node", (0, 1, 2))],
        ),
        (SAW, SAW, []),
    ],
)
def test_one_error_is_one_error(
    gold: str, candidate: str, expected: list[tuple[str, tuple[int, ...]]]
) -> None:
    assert typed(gold, candidate) == expected


SUBJECT = "(S (NP-SBJ (PRP I)) (VP (VBD saw) (NP-OBJ (DT a) (NN man)) (PP-LOC (IN in) (NP (NN town)))))"


@pytest.mark.parametrize(
    ("candidate", "expected"),
    [
        (SUBJECT, []),
        (SUBJECT.replace("NP-OBJ", "NP-PRD"), [("function", (2, 3), ("OBJ",), ("PRD",))]),
        (SUBJECT.replace("NP-OBJ", "NP"), [("function", (2, 3), ("OBJ",), ("",))]),
        # A parser that prints no functions makes no error in them.
        (SUBJECT.replace("-SBJ", "").replace("-OBJ", "").replace("-LOC", ""), []),
        # Function of what is attached elsewhere, or has another label, follows from that.
        (
            SUBJECT.replace("man)) (PP-LOC (IN in) (NP (NN town)))", "man) (PP-TMP (IN in) (NP (NN town))))"),
            [("pp_attachment", (4, 5), ("NP",), ("NP",))],
        ),
        (SUBJECT.replace("PP-LOC", "XP-TMP"), [("label", (4, 5), ("PP",), ("XP",))]),
    ],
)
def test_errors_of_functions_are_of_edges_that_both_trees_have(
    candidate: str, expected: list[tuple[str, tuple[int, ...], tuple[str, ...], tuple[str, ...]]]
) -> None:
    scheme = load_scheme("ptb")
    sides = (transform(bracket.loads(text), ["split_functions"], scheme) for text in (SUBJECT, candidate))
    both = pair(*sides)
    listed = [(error.type, error.words, error.missing, error.additional) for error in errors(both, PTB)]
    assert listed == expected


def test_all_brackets_that_one_move_corrects_are_one_error() -> None:
    gold = (
        "(S (NP (PRP I)) (VP (VBD ate) (NP (NP (NN soup)) (PP (IN of) (NP (NN fish) "
        "(PP (IN from) (NP (NN sea))))))))"
    )
    candidate = (
        "(S (NP (PRP I)) (VP (VBD ate) (NP (NP (NN soup)) (PP (IN of) (NP (NN fish)))) "
        "(PP (IN from) (NP (NN sea)))))"
    )
    both = pair(bracket.loads(gold), bracket.loads(candidate))
    (error,) = errors(both, PTB)
    assert error.type == "pp_attachment"
    assert error.words == (5, 6)
    assert Counter(error.missing) == Counter(error.additional) == Counter(["NP", "PP", "NP"])


def chain(words: int, *, right: bool, labels: str) -> str:
    """Return a sentence whose words are attached one after the other, on the right or on the left."""
    nodes = [f"({labels[index % len(labels)]} " for index in range(words)]
    leaves = [f"(NN w{index})" for index in range(words)]
    if right:
        return "".join(map("".join, zip(nodes, leaves, strict=True))) + ")" * words
    return "".join(nodes) + ")".join(leaves) + ")"


def brackets_of_two(words: int) -> str:
    """Return a sentence in which every two words are a constituent."""
    leaves = [f"(NN w{index})" for index in range(words)]
    return "(T " + "".join(f"(X {left} {right})" for left, right in batched(leaves)) + ")"


def brackets_of_one(words: int) -> str:
    """Return a sentence in which every second word is a constituent."""
    leaves = [f"(NN w{index})" for index in range(words)]
    return "(T " + "".join(f"{left} (X {right})" for left, right in batched(leaves)) + ")"


def batched(leaves: list[str]) -> Iterator[tuple[str, str]]:
    return zip(leaves[::2], leaves[1::2], strict=True)


def count_calls(gold: str, candidate: str) -> int:
    """Count the functions that are called, those of Python and of C, to type the errors of a sentence."""
    calls, both = Counter[str](), pair(bracket.loads(gold), bracket.loads(candidate))
    before = sys.getprofile()
    sys.setprofile(lambda frame, event, argument: calls.update([event]))
    try:
        assert list(errors(both, PTB))
    finally:
        sys.setprofile(before)
    return calls["call"] + calls["c_call"]


def test_calls_do_not_grow_by_the_pairs_of_brackets_that_cannot_turn_into_each_other() -> None:
    """There were four calls for each pair: 11 seconds for 2,000 words."""
    calls = [
        count_calls(*(chain(words, right=right, labels="X") for right in (True, False)))
        for words in (100, 400)
    ]
    assert calls[1] < 6 * calls[0]


def test_calls_grow_by_the_square_of_the_number_of_words() -> None:
    """Every bracket of two words may turn into every bracket of one."""
    calls = [count_calls(brackets_of_two(words), brackets_of_one(words)) for words in (100, 400)]
    assert calls[1] < 18 * calls[0]


@given(
    st.lists(st.integers(1, 2**40), min_size=1, max_size=6, unique=True),
    st.lists(st.integers(1, 2**40), min_size=1, max_size=6, unique=True),
)
def test_moves_are_in_the_order_of_their_numbers_of_words_and_of_their_words(
    gold: list[int], candidate: list[int]
) -> None:
    """Of sets of words with gaps, too, the one that has the last word that differs comes later."""
    pairs = [pair for pair in np.ndindex(len(gold), len(candidate)) if gold[pair[0]] != candidate[pair[1]]]
    expected: dict[int, list[tuple[int, int]]] = {}
    for row, column in pairs:
        expected.setdefault(gold[row] ^ candidate[column], []).append((row, column))
    moved = sorted(expected, key=lambda words: (words.bit_count(), words))
    rows, columns = np.array(pairs, np.int64).reshape(-1, 2).T
    sizes = [(gold[row] ^ candidate[column]).bit_count() for row, column in pairs]
    moves = Moves.of(
        dict(enumerate(gold)), dict(enumerate(candidate)), rows, columns, np.array(sizes, np.int32)
    )
    assert moves.sizes == [words.bit_count() for words in moved]
    assert [moves.pairs(move, range(6), range(6)) for move in range(len(moved))] == [
        expected[words] for words in moved
    ]
    ranks = dict(moves.by_rank())
    assert [*ranks] == sorted({(-len(expected[words]), words.bit_count()) for words in moved})
    assert sorted(move for of_rank in ranks.values() for move in of_rank) == [*range(len(moved))]


def test_a_move_is_as_short_in_a_long_sentence() -> None:
    """A move had a bit for each word, so that a pair of brackets took longer in a longer sentence."""
    arguments = ({0: 0b110}, {0: 0b10}, np.zeros(1, np.int64), np.zeros(1, np.int64), np.ones(1, np.int32))
    assert Moves.of(*arguments).pairs(0, [0], [0]) == [(0, 0)]
    far = ({0: 0b110 << 2000}, {0: 0b10 << 2000}, *arguments[2:])
    edges = [
        _differing_edges(_edges(one.values()), _edges(other.values()), *rows, 2)
        for one, other, *rows, _ in (arguments, far)
    ]
    assert edges[0].nbytes == edges[1].nbytes == 4


def largest_within(words: int, shared: Iterable[int]) -> list[int]:
    """Return the largest of the shared constituents within a set of words."""
    within = [other for other in shared if other & words == other]
    return [one for one in within if not any(one != other and one & other == one for other in within)]


@given(pairs())
def test_brackets_that_turn_into_each_other_are_those_of_the_definition(
    sides: tuple[Treebank, Treebank],
) -> None:
    both = pair(*sides)
    for sentence in np.flatnonzero(both.scored).tolist():
        gold, candidate = _Tree.of(both.gold, sentence), _Tree.of(both.candidate, sentence)
        repair = _Repair(gold, candidate, PTB)
        moves, by_definition = repair._moves(), set()
        for node, other in product(repair.missing, repair.additional):
            words = gold.yields[node] ^ candidate.yields[other]
            consists_of_few = 1 <= len(largest_within(words, repair.shared)) <= 3
            if gold.labels[node] == candidate.labels[other] and consists_of_few and repair._head(words):
                by_definition.add((node, other))
        assert set(zip(moves.missing, moves.additional, strict=True)) == by_definition


def test_sentences_that_are_too_long_are_counted_and_listed_as_not_typed() -> None:
    sizes = (5, MAX_TYPED + 1, 3)
    gold, candidate = ([chain(words, right=right, labels="XY") for words in sizes] for right in (True, False))
    with pytest.warns(CrossbankWarning, match="not typed: 2$"):
        table = {row["type"]: row for row in crossbank.errors(gold, candidate, "ptb")}
    assert [table["not_typed"][name] for name in ("errors", "sentences", "constructions")] == [1, 1, 3]
    assert {row["sentences"] for row in table.values()} == {1, 2}
    short = crossbank.errors(gold[::2], candidate[::2], "ptb").rows()
    assert [row["type"] for row in short] == list(table)[:-1]
    assert [row["errors"] for row in short] == [row["errors"] for row in table.values()][:-1]


def test_in_dependencies_each_wrong_head_is_an_error_of_its_relation() -> None:
    line = "{}\t{}\t_\t{}\t_\t_\t{}\t{}\t_\t_\n"
    words = [("saw", "VERB", 0, "root"), ("man", "NOUN", 1, "obj"), ("hat", "NOUN", 2, "nmod")]
    wrong = [("saw", "VERB", 0, "root"), ("man", "NOUN", 1, "nsubj"), ("hat", "PROPN", 1, "obl")]
    gold, candidate = (
        conllu.loads("".join(line.format(i, *word) for i, word in enumerate(side, 1)) + "\n")
        for side in (words, wrong)
    )
    listed = list(dependency_errors(pair(gold, candidate), load_scheme("ud").error_types))
    assert [(error.type, error.words) for error in listed] == [
        ("label", (1,)),
        ("pos", (2,)),
        ("pp_attachment", (2,)),
    ]


@given(pairs())
def test_every_bracket_that_differs_belongs_to_one_error(sides: tuple[Treebank, Treebank]) -> None:
    gold, candidate = sides
    both = pair(gold, candidate)
    listed = [error for error in errors(both, PTB) if error.type != "pos"]
    for sentence in np.flatnonzero(both.scored).tolist():
        own = [error for error in listed if error.sentence == sentence]
        brackets = [
            Counter(zip(bank.labels(sentence), bank.yields(sentence), strict=True))
            for bank in (gold, candidate)
        ]
        assert sum(len(error.missing) for error in own) == (brackets[0] - brackets[1]).total()
        assert sum(len(error.additional) for error in own) == (brackets[1] - brackets[0]).total()


@pytest.mark.parametrize("scheme_name", ["tiger", "tuebadz"])
@pytest.mark.parametrize("candidate_name", ["alpha", "beta"])
def test_the_known_errors_of_the_embedded_candidates_are_listed(
    scheme_name: str, candidate_name: str
) -> None:
    scheme = load_scheme(scheme_name)
    # The scheme's view of constituents, with functions.
    steps = ["virtual_root", "raise_crossing", "attach_punctuation", "split_functions", "delete_punctuation"]
    gold, candidate = (
        transform(read(ROOT / "examples" / name), steps, scheme)
        for name in (f"{scheme_name}.export", f"{scheme_name}.{candidate_name}.mrg")
    )
    both = pair(gold, candidate)
    listed: dict[str, set[str]] = {}
    for error in errors(both, scheme.error_types):
        listed.setdefault(gold.sentence_id(error.sentence), set()).add(error.type)
    known: dict[str, set[str]] = {}
    with open(ROOT / "examples" / "errors.csv", encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            if (row["scheme"], row["candidate"]) == (scheme_name, candidate_name) and row[
                "type"
            ] != "unparsed":
                known.setdefault(row["sentence"], set()).add(row["type"])
    assert set(listed) == set(known)
    for exact in ("pp_attachment", "pos", "coordination", "label", "function"):
        assert {s for s, types in listed.items() if exact in types} == {
            s for s, types in known.items() if exact in types
        }, exact
