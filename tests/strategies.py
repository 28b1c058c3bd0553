"""Random treebanks for property tests."""

from typing import Any

from hypothesis import strategies as st

from crossbank.treebanks import NO_PARENT, ROOT, Treebank
from crossbank.treebanks.builder import TreebankBuilder

LETTERS = "aBeßÄö0518.,:;-_*=|/\\#%&<>\"'()[]{}~§«»日\u0301"

WORDS = st.one_of(
    st.text(LETTERS, min_size=1, max_size=5),
    st.sampled_from(["#", "#1", "#500", "#777", "%%", "%", "--", "#EOS", "#BOS", "0", "(", "-LRB-"]),
)
"""Words without white space, among them those that look like a mark of some format."""

LABELS = st.sampled_from(["S", "VP", "NP", "NX=PER", "ADVP|PRT", "NP-SBJ", "--", "VROOT"])
TAGS = st.sampled_from(["NN", "$(", "$,", "VVFIN", "PPER*", "--"])
FUNCTIONS = st.sampled_from(["SB", "OA", "OA-MOD", "-", "--"])
MORPHS = st.sampled_from(["", "--", "Nom.Sg", "3sis", "Case=Nom|Number=Sing"])
MISC = st.sampled_from(["", "", "R=coreferential.2:500", "two words", "case=Nom|number=Sg", "a=b|c", "=x"])
COMMENTS = st.sampled_from(["", "", "art_id = 8", "art_id = 8\na remark", "a remark\nanother one"])


@st.composite
def treebanks(
    draw: st.DrawFn,
    *,
    words: st.SearchStrategy[str] = WORDS,
    labels: st.SearchStrategy[str] = LABELS,
    dependencies: bool = False,
    secondary: bool = True,
    lemmas: bool | None = None,
    min_sentences: int = 1,
    max_sentences: int = 3,
    min_tokens: int = 1,
    max_tokens: int = 7,
) -> Treebank:
    """Return a small treebank of constituents, discontinuous and with several roots as it happens.

    ``lemmas`` says whether tokens have lemmas (by chance where it is None), ``dependencies`` whether
    they have heads, which then make a tree. Either all nodes of a sentence are named or none.
    """
    builder = TreebankBuilder("random")
    with_lemmas = draw(st.booleans()) if lemmas is None else lemmas
    for _ in range(draw(st.integers(min_sentences, max_sentences))):
        builder.sentence(
            id=draw(st.sampled_from(["", "s1", "s1_2", "x"])),
            line=draw(st.integers(0, 9)),
            comments=draw(COMMENTS),
        )
        tokens = draw(st.integers(min_tokens, max_tokens))
        nodes = draw(st.integers(0, 5))
        heads = draw(_heads(tokens)) if dependencies else []
        for token in range(tokens):
            columns: dict[str, Any] = {"lemma": draw(words)} if with_lemmas else {}
            if heads:
                columns |= {"head": heads[token], "relation": draw(FUNCTIONS)}
            builder.token(
                form=draw(words),
                pos=draw(TAGS),
                morph=draw(MORPHS),
                misc=draw(MISC),
                **_edge(draw(st.integers(NO_PARENT, nodes - 1)), draw(FUNCTIONS)),
                **columns,
            )
        numbers = draw(
            st.one_of(
                st.just([""] * nodes),
                st.lists(st.integers(500, 1200).map(str), min_size=nodes, max_size=nodes, unique=True),
            )
        )
        for node in range(nodes):
            # A parent has a higher number, so there is no cycle; the builder restores pre-order.
            parent = draw(st.integers(node + 1, nodes))
            builder.node(
                label=draw(labels),
                morph=draw(MORPHS),
                misc=draw(MISC),
                name=numbers[node],
                **_edge(parent if parent < nodes else NO_PARENT, draw(FUNCTIONS)),
            )
        for _ in range(draw(st.integers(0, 2)) if secondary and tokens + nodes > 0 else 0):
            ends = st.integers(-nodes, tokens - 1)
            builder.secondary(label=draw(FUNCTIONS), child=draw(ends), parent=draw(ends))
    # Nodes without a word are left out, which is no news here.
    return builder.build().replace(diagnosis=())


def _edge(parent: int, function: str) -> dict[str, Any]:
    """Return functions, none for roots, since most formats cannot hold these."""
    return {"parent": parent, "function": function if parent != NO_PARENT else ""}


@st.composite
def _heads(draw: st.DrawFn, tokens: int) -> list[int]:
    order = draw(st.permutations(range(tokens)))
    heads = [ROOT] * tokens
    for index, token in enumerate(order[1:], 1):
        heads[token] = order[draw(st.integers(0, index - 1))]
    return heads
