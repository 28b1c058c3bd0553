"""What holds for every tree: words stay, nothing is changed in place, conversions end where they say."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossbank.converters.crossing.attach_punctuation import attach_punctuation
from crossbank.converters.crossing.raise_crossing import raise_crossing
from crossbank.converters.crossing.split_crossing import split_crossing
from crossbank.converters.deletions import collapse_unary, delete_punctuation
from crossbank.converters.heads.marking import mark_heads
from crossbank.converters.labels import split_functions, strip_functions
from crossbank.converters.scheme_files import load_scheme
from crossbank.converters.transformations import TRANSFORMATIONS, transform
from crossbank.converters.virtual_root import virtual_root
from crossbank.treebanks import NO_PARENT, ROOT, UNATTACHED, Treebank
from crossbank.treebanks.builder import TreebankBuilder
from tests.assumptions import assume
from tests.converters.banks import render
from tests.validity import validate

SCHEMES = [load_scheme(name) for name in ("tiger", "ptb", "tuebadz", "ppche", "negra")]
TIGER, PTB, TUEBADZ = SCHEMES[:3]
LABELS = ["S", "VP", "NP", "PP", "NP-SBJ-1", "NX=PER:ON", "MF", "VROOT", ""]
FUNCTIONS = ["", "HD", "NK", "AC", "OA", "--"]
CLAUSES = [
    "SIMPX", "S", "CS", "CNP", "FKOORD", "FKONJ", "NX", "PX", "PP", "NP", "MF", "VF", "LV", "LK", "VC",
    "VXFIN", "VXINF", "VROOT",
]  # fmt: skip
ROLES = [
    "", "HD", "-", "NK", "AC", "CJ", "CD", "KONJ", "ON", "OA", "OAK", "OA-MOD", "ON-MOD", "MOD", "MOD-MOD",
    "V-MOD", "MODK", "V-MODK", "PREDK", "PRED", "MOD-MODK", "OA-MODK", "APP",
]  # fmt: skip
TAGS = ["NN", "VVFIN", "APPR", "ART", "$,", "$.", "-NONE-", ",", "KOUS", "KON"]


@st.composite
def banks(draw: st.DrawFn, labels: list[str] = LABELS, functions: list[str] = FUNCTIONS) -> Treebank:
    """Return up to nine words under up to seven nodes, discontinuous as they come, with several roots."""
    builder = TreebankBuilder("random")
    for _ in range(draw(st.integers(1, 3))):
        builder.sentence()
        nodes = draw(st.integers(0, 7))
        for node in range(nodes):
            builder.node(
                label=draw(st.sampled_from(labels)),
                function=draw(st.sampled_from(functions)),
                parent=draw(st.integers(-1, node - 1)),
            )
        words = draw(st.integers(0, 9))
        for word in range(words):
            builder.token(
                form=draw(st.sampled_from(["a", "b", "*T*-1", "0"])) + str(word),
                pos=draw(st.sampled_from(TAGS)),
                function=draw(st.sampled_from(functions)),
                parent=draw(st.integers(-1, nodes - 1)),
            )
        ends = st.integers(-nodes, words - 1)
        for _ in range(draw(st.integers(0, 3)) if words else 0):
            label = draw(st.sampled_from(["HD", "SB"]))
            builder.secondary(label=label, child=draw(ends), parent=draw(ends))
    # Nodes without a word are left out with their edges, which is no news here.
    return builder.build().replace(diagnosis=())


def arrays(bank: Treebank) -> list[np.ndarray]:
    tables = (bank.sentences, bank.tokens, bank.nodes, bank.secondary)
    return [getattr(table, name) for table in tables for name in ("offsets", *table.columns())]


def words(bank: Treebank) -> list[list[str]]:
    return [bank.words(i) for i in range(len(bank))]


def trees(bank: Treebank) -> list[str]:
    return [render(bank, i, functions=True) for i in range(len(bank))]


# Five need options, six dependencies, four derivations of CCG; one puts relations in the place of trees.
LEFT_OUT = (
    *("map_labels", "split_lemmas", "syllable_structure", "delete_nodes", "replay_decisions"),
    *("attach_to_main_verbs", "attach_word_groups", "auxiliaries_as_leaves", "single_root"),
    *("rewrite_dependencies", "chunk_dependencies"),
    *("delete_punctuation_levels", "ccg_heads", "ccg_dependencies", "ccg_relations"),
    "relations_from_trees",
)
NO_OPTIONS = [name for name in TRANSFORMATIONS if name not in LEFT_OUT]

RULES = {
    "erase": "erasures",
    "redraw": "redrawing",
    "flatten": "flat_key",
    "agreed_labels": "flat_key",
    "label_frames": "frames",
    "noun_chunks": "chunks",
}
"""Conversions by rules that not every scheme has, and where a scheme has them."""


@given(banks(), st.sampled_from([scheme.name for scheme in SCHEMES]), st.sampled_from(NO_OPTIONS))
def test_words_stay_and_nothing_changes_in_place(bank, of, name) -> None:  # type: ignore[no-untyped-def]
    scheme = load_scheme(of)
    assume(getattr(scheme, RULES.get(name, "name")) is not None)
    assume(name != "resolve_traces" or scheme.traces.moved)
    before = [array.copy() for array in arrays(bank)]
    result = transform(bank, [name], scheme)
    assert all(np.array_equal(a, b) for a, b in zip(before, arrays(bank), strict=True))
    assert result is not bank
    shorter = ("delete_", "erase", "flatten")
    if name == "universal_dependencies":
        # They have no traces; all other words stay.
        empty = iter(scheme.is_empty(bank).tolist())
        spoken = [[word for word in messages if not next(empty)] for messages in words(bank)]
        assert words(result) == spoken
    elif name.startswith(shorter) and not name.endswith(("nodes", "roots", "brackets")):
        for long, short in zip(words(bank), words(result), strict=True):
            rest = iter(long)
            assert all(word in rest for word in short)
    else:
        assert words(result) == words(bank)
    assert all(len(f.counts) == len(bank) and f.total > 0 for f in result.diagnosis)
    lost = sum(f.total for f in result.diagnosis if f.event == "secondary edges dropped with their ends")
    assert len(result.secondary) + lost == len(bank.secondary)


ONCE: list[Callable[[Treebank], Treebank]] = [
    lambda bank: strip_functions(bank, PTB),
    lambda bank: split_functions(bank, PTB),
    lambda bank: delete_punctuation(bank, TIGER),
    lambda bank: virtual_root(bank, TIGER),
    lambda bank: collapse_unary(bank),
    lambda bank: attach_punctuation(bank, TIGER, which="all"),
    lambda bank: raise_crossing(bank, TIGER, punctuation="word"),
    lambda bank: split_crossing(bank, TIGER, punctuation="word"),
]


@pytest.mark.parametrize("conversion", ONCE)
@given(bank=banks())
def test_twice_is_once(bank: Treebank, conversion: Callable[[Treebank], Treebank]) -> None:
    once = conversion(bank)
    assert trees(conversion(once)) == trees(once)


@given(banks())
def test_no_node_is_discontinuous_afterwards(bank: Treebank) -> None:
    for resolved in (
        raise_crossing(bank, TIGER, punctuation="word"),
        split_crossing(bank, TIGER, punctuation="word"),
        attach_punctuation(raise_crossing(bank, TIGER), TIGER),
        attach_punctuation(split_crossing(bank, TIGER), TIGER),
    ):
        assert not resolved.spans.discontinuous.any()


@given(banks())
def test_raising_keeps_every_node_and_changes_only_sentences_with_crossing_branches(bank: Treebank) -> None:
    resolved = raise_crossing(bank, TIGER, punctuation="word")
    crossing = set(bank.discontinuous_sentences.tolist())
    for i, (before, after) in enumerate(zip(trees(bank), trees(resolved), strict=True)):
        assert (before != after) == (i in crossing)
        assert sorted(before.replace("(", " ( ").replace(")", " ) ").split()) == sorted(
            after.replace("(", " ( ").replace(")", " ) ").split()
        )


CHOICES = st.fixed_dictionaries(
    {
        "coordination": st.sampled_from(["first", "all", "universal", "chain"]),
        "prepositions": st.sampled_from(["scheme", "noun", "preposition"]),
        "punctuation": st.sampled_from(["root", "tree"]),
        "secondary": st.booleans(),
    }
)


@given(
    st.one_of(banks(), banks(CLAUSES, ROLES)),
    st.sampled_from(SCHEMES),
    CHOICES,
    st.sampled_from(
        [[], ["raise_crossing"], ["insert_flat_phrases"], ["strip_functions", "insert_flat_phrases"]]
    ),
)
def test_dependencies_are_trees(bank, scheme, choices, before) -> None:  # type: ignore[no-untyped-def]
    """Whatever is chosen: the same words, one head each, no cycles, and roots are called so."""
    assume(choices["prepositions"] in ("scheme", *scheme.prepositions))
    result = transform(bank, [*before, {"dependencies": choices}], scheme)
    assert words(result) == words(bank)
    if not result.has_constituents:
        return
    relations = result.vocabulary.decode(result.tokens.relation)
    assert all(relations)
    assert all(r == "root" for r, h in zip(relations, result.tokens.head.tolist(), strict=True) if h == ROOT)
    joined = transform(result, ["single_root"], scheme)
    assert validate(joined) == []
    assert UNATTACHED not in result.tokens.head
    for graphs in (result, joined) if choices["secondary"] else ():
        columns = (
            graphs.vocabulary.decode(column) for column in (graphs.tokens.relation, graphs.tokens.deps)
        )
        for head, relation, graph in zip(graphs.tokens.head.tolist(), *columns, strict=True):
            assert f"{head + 1}:{relation}" in graph.split("|")


@given(banks(), st.sampled_from(SCHEMES))
def test_lexical_heads_are_words_of_their_phrase(bank, scheme) -> None:  # type: ignore[no-untyped-def]
    marked = mark_heads(bank, scheme)
    for i in range(len(bank)):
        parents = marked.nodes.parent[marked.nodes.rows(i)].tolist()
        hosts = marked.tokens.parent[marked.tokens.rows(i)].tolist()
        for node, head in enumerate(marked.nodes.head[marked.nodes.rows(i)].tolist()):
            above = hosts[head]
            while above != node:
                assert above != NO_PARENT
                above = parents[above]


@given(banks())
def test_projective_after_raising(bank: Treebank) -> None:
    resolved = transform(bank, ["raise_crossing:punctuation=word", "dependencies:punctuation=tree"], PTB)
    for i in range(len(bank)):
        heads = resolved.tokens.head[resolved.tokens.rows(i)].tolist()
        if not resolved.has_constituents:
            continue
        for token, head in enumerate(heads):
            for between in range(min(token, head) + 1, max(token, head)) if head >= 0 else ():
                above = between
                while above not in (token, head, -1):
                    above = heads[above]
                assert above != -1
