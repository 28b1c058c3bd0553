"""Moved constituents are hung where their traces stand."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossbank.converters.scheme_files import load_scheme
from crossbank.converters.transformations import transform
from crossbank.treebanks import Treebank
from crossbank.treebanks.errors import RequirementError
from crossbank.treebanks.formats import bracket
from tests.converters.banks import events, render
from tests.errors import raises

PTB, PPCHE = map(load_scheme, ("ptb", "ppche"))


def resolved(tree: str, scheme: str = "ptb") -> Treebank:
    return transform(bracket.loads(tree), ["resolve_traces"], load_scheme(scheme))


def heads(bank: Treebank, *steps: str) -> dict[str, tuple[str, str]]:
    """Return the words by the word they depend on and the relation, in the scheme's view of dependencies."""
    done = transform(bank, [*steps, *PTB.views["dependencies"]], PTB)
    words = [*done.words(0), "-"]
    return {
        word: (words[head], done.vocabulary[relation])
        for word, head, relation in zip(
            words, done.tokens.head.tolist(), done.tokens.relation.tolist(), strict=False
        )
    }


@pytest.mark.parametrize(
    ("scheme", "tree", "expected"),
    [
        pytest.param(
            "ptb",
            "(SBARQ (WHNP-1 (WP what)) (SQ (VBD did) (NP-SBJ (PRP I)) (VP (VB find) (NP (-NONE- *T*-1)))))",
            "(SBARQ (SQ (VP (WHNP-1 0) 3) 1 (NP-SBJ 2)))",
            id="wh-movement",
        ),
        pytest.param(
            "ptb",
            "(NP (NP (NNS ships)) (SBAR (WHNP-1 (WDT that)) (S (NP-SBJ (-NONE- *T*-1)) (VP (VBP sail)))))",
            "(NP (NP 0) (SBAR (S (WHNP-1:SBJ 1) (VP 2))))",
            id="relative clause",
        ),
        pytest.param(
            "ptb",
            "(S (S-TPC-1 (NP-SBJ (PRP it)) (VP (VBZ rains))) (, ,) (NP-SBJ (PRP she)) "
            "(VP (VBD said) (SBAR (-NONE- 0) (S (-NONE- *T*-1)))) (. .))",
            "(S (VP (SBAR (S-TPC-1 (NP-SBJ 0) (VP 1))) 4) 2 (NP-SBJ 3) 5)",
            id="topicalisation",
        ),
        pytest.param(
            "ptb",
            "(S (NP-SBJ (NP (DT a) (NN ship)) (SBAR (-NONE- *ICH*-2))) (VP (VBD came) "
            "(SBAR-2 (WHNP-3 (WDT that)) (S (NP-SBJ (-NONE- *T*-3)) (VP (VBD leaked))))))",
            "(S (NP-SBJ (NP 0 1) (SBAR-2 (S (WHNP-3:SBJ 3) (VP 4)))) (VP 2))",
            id="extraposed relative clause",
        ),
        pytest.param(
            "ptb",
            "(S (NP-SBJ (NP (PRP it)) (SBAR (-NONE- *EXP*-1))) (VP (VBZ is) (ADJP-PRD (JJ sad)) "
            "(SBAR-1 (IN that) (S (NP-SBJ (PRP we)) (VP (VBP leave))))))",
            "(S (NP-SBJ (NP 0) (SBAR-1 3 (S (NP-SBJ 4) (VP 5)))) (VP 1 (ADJP-PRD 2)))",
            id="it and its clause",
        ),
        pytest.param(
            "ptb",
            "(S (NP-SBJ (PRP we)) (VP (VP (VBP paint) (NP (-NONE- *RNR*-1))) (CC and) "
            "(VP (VBP sell) (NP (-NONE- *RNR*-1))) (NP-1 (NNS boats))))",
            "(S (NP-SBJ 0) (VP (VP 1) 2 (VP 3 (NP-1 4))))",
            id="right node raising: the closest conjunct",
        ),
        pytest.param(
            "ptb",
            "(S (S (NP-SBJ-1 (PRP I)) (VP (VBD rowed) (NP-TMP-2 (NN today)))) (CC and) "
            "(S (NP-SBJ=1 (PRP you)) (NP-TMP=2 (NN then))))",
            "(S (S (NP-SBJ-1 0) (VP 1 (NP-TMP-2 2))) 3 (S (NP-SBJ=1 4) (NP-TMP=2 5)))",
            id="gapping is no movement",
        ),
        pytest.param(
            "ptb",
            "(S (NP-SBJ-1 (PRP they)) (VP (VBD were) (VP (VBN seen) (NP (-NONE- *-1)))))",
            "(S (NP-SBJ-1 0) (VP 1 (VP 2)))",
            id="the subject of a passive stays",
        ),
        pytest.param(
            "ptb",
            "(SBAR (WHNP-1 (-NONE- 0)) (S (NP-SBJ (PRP I)) (VP (VBP see) (NP (-NONE- *T*-1)))))",
            "(SBAR (S (NP-SBJ 0) (VP 1)))",
            id="a silent relative pronoun",
        ),
        pytest.param(
            "ptb",
            "(S (NP-1 (NN x)) (NP-2 (-NONE- *T*-1)) (VP (VBZ y) (NP-OBJ (-NONE- *ICH*-2))))",
            "(S (VP (NP-1:OBJ 0) 1))",
            id="a chain",
        ),
        pytest.param(
            "ppche",
            "(IP-MAT (NP-SBJ (N maðurin) (CP-REL *ICH*-2)) (BEDI var) "
            "(CP-REL-2 (WNP-3 sum) (C 0) (IP-SUB (NP-SBJ *T*-3) (VBDI kom))))",
            "(IP-MAT (NP-SBJ 0 (CP-REL-2 (IP-SUB 2:SBJ 3))) 1)",
            id="ppche: a trace is a leaf with its constituent's label",
        ),
    ],
)  # fmt: skip
def test_where_constituents_go(scheme: str, tree: str, expected: str) -> None:
    bank = transform(bracket.loads(tree), ["resolve_traces", "delete_empty_elements"], load_scheme(scheme))
    assert render(bank, functions=True) == expected


@pytest.mark.parametrize(
    ("tree", "event"),
    [
        ("(S (NP (-NONE- *T*-1)) (VP (VB go)))", "traces without a constituent of their index"),
        ("(S (WHNP-1 (-NONE- 0)) (NP (-NONE- *T*-1)) (VP (VB go)))", "traces of silent constituents"),
        (
            "(S (NP-1 (NN a)) (NP-1 (NN b)) (VP (VB go) (NP (-NONE- *T*-1))))",
            "further constituents of one index",
        ),
        ("(S-1 (NN a) (PRN (NN b) (S (-NONE- *T*-1))))", "traces inside the constituent they stand for"),
        ("(S (NP-1 (NN a)) (NP (-NONE- *T*-1)) (VP (VB go)))", "moved constituents in their place already"),
        ("(S (NP-1 (NN a)) (VP (VB go) (NP (-NONE- *-1))))", "co-indexed constituents left in place"),
        ("(S (NP-1 (NN a)) (VP (VB go) (NP=1 (NN b))))", "indices of gapping left"),
        (
            "(S (X (VB v) (NP (-NONE- *RNR*-1))) (X (VB w) (NP (-NONE- *RNR*-1))) (NP-1 (NN a)))",
            "further traces of a constituent",
        ),
    ],
)  # fmt: skip
def test_what_is_counted(tree: str, event: str) -> None:
    assert events(resolved(tree))[f"resolve_traces: {event}"] == 1


@pytest.mark.parametrize(
    "tree",
    [
        "(S (NP-1 (NP-1 (-NONE- *T*-1))) (VP (VB go)))",
        "(S (NP-1 (-NONE- *T*-2)) (NP-2 (-NONE- *T*-1)) (VP (VB go)))",
        "(S (NP-1 (NN a) (NP (-NONE- *T*-2))) (NP-2 (NN b) (NP (-NONE- *T*-1))) (VP (VB go)))",
        "(S (NP-1 (-NONE- *-2)) (NP-2 (-NONE- *-1)) (VP (VB go)))",
        "(NP-1 (-NONE- *T*-1))",
    ],
)
def test_traces_that_go_round_leave_a_tree(tree: str) -> None:
    bank = resolved(tree)
    assert bank.words(0) == bracket.loads(tree).words(0)
    assert events(bank)


def test_the_first_word_of_a_treebank_is_moved_by_itself() -> None:
    """Its tag has the index: it is token 0, and no constituent. It takes over the trace's function."""
    bank = resolved("(S (WP-1 what) (NP (PRP she)) (VP (VBD saw) (NP-OBJ (-NONE- *T*-1))))")
    moved = transform(bank, ["delete_empty_elements"], PTB)
    assert render(moved, functions=True) == "(S (VP 0:OBJ 2) (NP 1))"
    assert sum(events(bank).values()) == 1


def test_a_wh_phrase_depends_on_the_verb_of_its_trace() -> None:
    bank = bracket.loads(
        "(SBARQ (WHNP-1 (WP what)) (SQ (MD can) (NP-SBJ (PRP we)) (VP (VB say) (SBAR (-NONE- 0) "
        "(S (NP-SBJ (PRP they)) (VP (VBD saw) (NP (-NONE- *T*-1))))))))"
    )  # fmt: skip
    assert heads(bank)["what"] == ("can", "dep")
    assert heads(bank, "resolve_traces")["what"] == ("saw", "dep")


def test_silent_subjects_become_secondary_edges() -> None:
    bank = resolved(
        "(S (NP-SBJ-1 (PRP they)) (VP (VBD tried) (S (NP-SBJ (-NONE- *-1)) (VP (TO to) (VP (VB row))))))"
    )
    edges = bank.secondary
    assert [bank.vocabulary[code] for code in edges.label.tolist()] == ["SBJ"]
    labels = [bank.vocabulary[int(bank.nodes.label[-1 - end])] for end in (edges.child[0], edges.parent[0])]
    assert labels == ["NP-SBJ-1", "S"]
    deep = transform(bank, ["delete_empty_elements", "dependencies:secondary=yes"], PTB)
    assert deep.vocabulary[int(deep.tokens.deps[0])] == "2:SBJ|3:SBJ"
    # The subject of a passive in a relative clause is the relative pronoun.
    chained = resolved(
        "(SBAR (WHNP-1 (WP who)) (S (NP-SBJ-2 (-NONE- *T*-1)) (VP (VBD was) "
        "(VP (VBN seen) (NP (-NONE- *-2))))))"
    )
    assert chained.vocabulary[int(chained.nodes.label[-1 - chained.secondary.child[0]])] == "WHNP-1"
    text = "(S (NP-1 (NN a)) (VP (VB b) (NP (-NONE- *-1))))"
    assert len(transform(bracket.loads(text), ["resolve_traces:secondary=no"], PTB).secondary) == 0


def test_a_scheme_without_traces_has_nothing_to_resolve() -> None:
    with raises(RequirementError, name="resolve_traces", required="a scheme that describes traces"):
        transform(bracket.loads("(S (X a))"), ["resolve_traces"], load_scheme("tiger"))


@st.composite
def trees_with_traces(draw: st.DrawFn) -> str:
    index = st.integers(1, 3)

    def leaf() -> str:
        kind = draw(st.sampled_from(["*T*", "*ICH*", "*RNR*", "*", ""]))
        return f"(-NONE- {kind}-{draw(index)})" if kind else "(NN a)"

    def node(depth: int) -> str:
        mark = f"-{draw(index)}" if draw(st.booleans()) else ""
        count = draw(st.integers(1, 3))
        below = [node(depth - 1) if depth and draw(st.booleans()) else leaf() for _ in range(count)]
        return f"(X{mark} {' '.join(below)})"

    return f"(S (NN b) {node(3)} {node(2)})"


@given(trees_with_traces())
def test_whatever_the_traces_words_stay_and_have_one_head(tree: str) -> None:
    before = bracket.loads(tree)
    bank = transform(before, ["resolve_traces", "delete_empty_elements", "dependencies", "single_root"], PTB)
    assert bank.words(0) == transform(before, ["delete_empty_elements"], PTB).words(0)
    head = bank.tokens.head
    assert (head < 0).sum() == 1
    above = np.arange(len(head))
    for _ in range(len(head)):
        above = np.where(above >= 0, head[above], above)
    assert (above < 0).all()


@pytest.mark.parametrize(("corpus", "moved"), [("farpahc", 763), ("icepahc", 5016)])
def test_real_traces(shared_data: Path, corpus: str, moved: int) -> None:
    files = sorted((shared_data / corpus / "psd").glob("*.psd"))
    bank = Treebank.concatenate([bracket.load(path) for path in files])
    plain = transform(
        bank, ["delete_metadata", "delete_empty_elements", "dependencies", "single_root"], PPCHE
    )
    deep = transform(
        bank,
        ["delete_metadata", "resolve_traces", "delete_empty_elements", "dependencies", "single_root"],
        PPCHE,
    )
    assert np.array_equal(deep.tokens.form, deep.vocabulary.extended(plain.vocabulary)[1][plain.tokens.form])
    assert (deep.tokens.head < 0).sum() == (deep.tokens.lengths() > 0).sum()
    assert events(deep)["resolve_traces: moved constituents put back"] == moved
    different = float((deep.tokens.head != plain.tokens.head).mean())
    assert 0.005 < different < 0.02
