"""Majority parse of several candidates, and maximum spanning trees."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from crossbank.converters.consensus.majority import consensus, maximum_spanning_tree
from crossbank.converters.consensus.samples import split_analyses
from crossbank.formalisms.ccg.formats import candc
from crossbank.metrics.pairing.pair import pair
from crossbank.metrics.parseval import Parseval, brackets, crossing
from crossbank.treebanks import ConversionError, Treebank
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.formats import conllu, export, nbest
from crossbank.treebanks.formats.bracket import dumps, loads
from crossbank.treebanks.relations.relation import relations_of
from tests.assumptions import assume
from tests.errors import raises
from tests.metrics.trees import continuous, discontinuous, from_parents, token_sets


def majority(*trees: str, labels: bool = True) -> str:
    return dumps(consensus([loads(tree) for tree in trees], labels=labels)).strip()


A = "(S (NP (D the) (N dog)) (VP (V saw) (NP (D a) (N cat)) (PP (P in) (N town))))"
B = "(S (NP (D the) (N dog)) (VP (V saw) (NP (NP (D a) (N cat)) (PP (P in) (N town)))))"
C = "(S (NX (D the) (N dog)) (VP (N saw) (NP (D a) (N cat)) (PP (P in) (N town))))"


def test_labelled_brackets() -> None:
    assert majority(A, B, C) == A
    assert majority(A, B) == "(S (NP (D the) (N dog)) (VP (V saw) (NP (D a) (N cat)) (PP (P in) (N town))))"
    assert majority(A, C) == "(S (D the) (N dog) (VP (V saw) (NP (D a) (N cat)) (PP (P in) (N town))))"


def test_unlabelled_brackets_get_the_most_frequent_label() -> None:
    assert majority(A, C, labels=False) == A
    assert majority(C, A, A, labels=False) == A


def test_unary_chains_and_repeated_labels() -> None:
    assert majority("(S (NP (NP (N a))))", "(S (NP (N a)))", "(S (NP (NP (N a))))") == "(S (NP (NP (N a))))"
    assert majority("(S (NP (NP (N a))))", "(S (NP (N a)))", "(S (NP (N a)))") == "(S (NP (N a)))"


def test_candidates_without_a_parse_or_with_other_words_do_not_vote() -> None:
    bank = consensus([loads("(())"), loads("(S (NP (N a)) (V b))"), loads("(S (NP (N a)) (V c))")])
    assert dumps(bank) == "(S (NP (N a)) (V b))\n"
    assert {f.event: f.total for f in bank.diagnosis} == {"candidates without a vote": 2}
    with raises(ConversionError, "consensus", "1, 2 sentences"):
        consensus([loads("(S a)"), loads("(S a)(S a)")])


def test_what_nobody_votes_on_is_kept_or_counted() -> None:
    text = "1-2\tzum\t_\t_\t_\t_\t_\t_\t_\t_\n1\tzu\t_\tA\t_\t_\t2\tx\t2.1:x\t_\n"
    bank = conllu.loads(text + "2\tdem\t_\tD\t_\t_\t0\troot\t_\t_\n2.1\tx\t_\t_\t_\t_\t_\t_\t1:y\t_\n\n")
    assert conllu.dumps(consensus([bank, bank])) == conllu.dumps(bank)
    trees = export.loads("#FORMAT 3\n#BOS 1 1 1 1\na\tN\t--\tSB\t500\tOC\t500\n#500\tS\t--\t--\t0\n#EOS 1\n")
    reported = {finding.event: finding.total for finding in consensus([trees, trees]).diagnosis}
    assert reported == {"functions dropped": 1, "secondary edges dropped": 1}


def dependencies(*heads: int, relations: str = "") -> Treebank:
    builder = TreebankBuilder()
    builder.sentence()
    for index, head in enumerate(heads):
        builder.token(form=f"w{index}", head=head, relation=relations[index] if relations else "x")
    return builder.build()


def test_dependencies() -> None:
    bank = consensus([dependencies(1, -1, 1), dependencies(1, -1, 0), dependencies(-1, 0, 1)])
    assert bank.tokens.head.tolist() == [1, -1, 1]


def test_the_arcs_with_most_votes_may_be_no_tree() -> None:
    # Two of three say 0 -> 1, two say 1 -> 0: one of them must give way.
    bank = consensus(
        [dependencies(1, -1, 1), dependencies(1, 2, -1), dependencies(-1, 0, 0), dependencies(-1, 0, 1)]
    )
    heads = bank.tokens.head.tolist()
    assert -1 in heads
    assert heads[:2] != [1, 0]


def test_relations_are_those_of_the_candidates_with_that_head() -> None:
    sides = [dependencies(1, -1, relations=r) for r in ("sr", "or")] + [dependencies(-1, 0, relations="or")]
    bank = consensus([sides[0], sides[2], sides[1], sides[1]])
    assert bank.vocabulary.decode(bank.tokens.relation) == ["o", "r"]


def test_relations_of_most_candidates() -> None:
    first = "sees_2 X 1 Anna_1\nsees_2 X 2 cats_3\n<c> Anna|N|N sees|V|X cats|N|N\n"
    other = first.replace("X 2 cats_3", "Y 2 cats_3")
    agreed = consensus([candc.loads(text) for text in (first, other, first)])
    assert [(r.name, r.type, r.dependent.word) for r in relations_of(agreed, 0)] == [
        ("X", "1", "Anna"),
        ("X", "2", "cats"),
    ]
    assert len(consensus([candc.loads(text) for text in (first, other)]).relations) == 1


@given(st.integers(2, 4), st.data())
def test_the_spanning_tree_is_the_heaviest(nodes: int, data: st.DataObject) -> None:
    weights = {
        (source, target): float(data.draw(st.integers(0, 6)))
        for target in range(1, nodes + 1)
        for source in range(nodes + 1)
        if source != target
    }
    tree_heads = maximum_spanning_tree(weights, nodes + 1)

    def total(heads: tuple[int, ...]) -> float:
        for node in range(1, nodes + 1):
            seen, above = set(), node
            while above and above not in seen:
                seen.add(above)
                above = heads[above - 1]
            if above:
                return -1.0
        return sum(weights.get((head, node + 1), -100.0) for node, head in enumerate(heads))

    every = product(range(nodes + 1), repeat=nodes)
    assert total(tuple(tree_heads[node] for node in range(1, nodes + 1))) == max(map(total, every))


@st.composite
def candidates(draw: st.DrawFn) -> list[Treebank]:
    length = draw(st.integers(1, 6))
    kind = draw(st.sampled_from([continuous, discontinuous]))
    return [from_parents([draw(kind(length))]) for _ in range(draw(st.integers(1, 4)))]


@given(candidates())
def test_majority_brackets_are_a_tree_of_them(banks: list[Treebank]) -> None:
    for labels in (True, False):
        bank = consensus(banks, labels=labels)
        assert not crossing(*(2 * [brackets(bank, bank.nodes.label)]), pair(bank, bank).scored).any()
        spans = [{tokens for _, tokens in token_sets(one, 0)} for one in banks]
        assert all(2 * sum(tokens in one for one in spans) > len(banks) for _, tokens in token_sets(bank, 0))


@given(candidates())
def test_the_consensus_of_one_is_itself(banks: list[Treebank]) -> None:
    bank = consensus(banks[:1])
    assert len(bank.nodes) == len(banks[0].nodes)
    assume(len(bank.nodes) > 0)
    assert Parseval().counts(pair(banks[0], bank)).value("f1") == 1


def test_each_of_several_analyses_is_a_candidate() -> None:
    """Of three samples two agree; a sentence with one sample has one vote."""
    text = "3 1\n0\n(S (A a))\n0\n(X (A a))\n0\n(X (A a))\n\n1 2\n0\n(S (B b))\n"
    candidates = split_analyses(nbest.loads(text))
    assert [[one.words(i) for i in range(2)] for one in candidates] == [
        [["a"], ["b"]],
        [["a"], []],
        [["a"], []],
    ]
    agreed = consensus(candidates)
    assert [agreed.labels(i) for i in range(2)] == [["X"], ["S"]]
    assert agreed.sentence_ids[:] == ["1", "2"]
