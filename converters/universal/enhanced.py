"""Enhanced dependencies, from basic ones.

https://universaldependencies.org/u/overview/enhanced-syntax.html: conjuncts have the governor of the first
one and share its subject, controlled verbs have subjects, the antecedent of a relative clause takes the
place of the pronoun, and relations name the adposition, subjunction or conjunction that marks them.
Schuster, Sebastian, and Christopher D. Manning (2016): Enhanced English Universal Dependencies. LREC.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from crossbank.converters.dependencies.single_root import arc_sort_key
from crossbank.converters.loops.enhanced_edges import Basic, enhance
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array
from crossbank.treebanks.ranges import in_ranges
from crossbank.treebanks.vocabulary import Vocabulary

ADDED = ("nsubj", "nsubj:pass", "nsubj:xsubj", "nsubj:pass:xsubj", "ref")
"""The relations that edges are added with."""

MARKED = ("obl", "nmod", "advcl", "acl", "conj")
"""The relations that name their marker."""

NOT_SHARED = ("root", "parataxis", "reparandum", "orphan", "discourse", "vocative", "punct")
"""The relations of a first conjunct that the others do not have."""

_WORDS = re.compile(r"[^\W\d_]+(?:_[^\W\d_]+)*")


def with_enhanced(bank: Treebank, controller: Int32Array) -> Treebank:
    """Treebank with enhanced dependencies in the column DEPS; those that were there are replaced.

    controller  the subject that is known of each word, counted in its sentence; -1 for none
    """
    if not len(bank.tokens):
        return bank
    used = np.unique(bank.tokens.relation)
    names = [bank.vocabulary[code] for code in used.tolist()]
    names += [name for name in ADDED if name not in names]
    number = np.zeros(len(bank.vocabulary), np.int32)
    number[used] = np.arange(len(used))
    relation = number[bank.tokens.relation]

    bare = [name.partition(":")[0] for name in names]

    def those(listed: Sequence[str], *accepted: str) -> BoolArray:
        return np.array([name in accepted for name in listed], np.bool_)

    features = bank.vocabulary.matching(lambda text: "PronType=Rel" in text)
    outer = np.array([name.endswith(":outer") for name in names], np.bool_)
    basic = Basic(
        bank.tokens.offsets,
        bank.tokens.head,
        relation,
        features[bank.tokens.morph],
        controller,
        conjunct=those(bare, "conj"),
        subject=those(bare, "nsubj", "csubj") & ~outer,
        object=those(names, "obj", "iobj"),
        open=those(names, "xcomp"),
        relative_clause=those(names, "acl:relcl", "advcl:relcl"),
        marked=those(names, "obl", "nmod", "advcl", "acl"),
        marker=those(bare, "case", "mark"),
        linker=those(names, "cc"),
        passive=those(names, "aux:pass"),
        shared=~those(bare, *NOT_SHARED),
        names=np.array([names.index(name) for name in ADDED], np.int32),
    )
    chunks: dict[int, NDArray[np.int32]] = {}

    def search(first: int, last: int) -> None:
        chunks[first] = enhance(basic, first, last)

    in_ranges(search, len(bank))
    edges = np.concatenate([chunks[first] for first in sorted(chunks)])
    edges = edges[np.lexsort((edges[:, 2], edges[:, 1], edges[:, 0]))]
    return _written(bank, edges, names, relation)


def _written(
    bank: Treebank, edges: NDArray[np.int32], names: Sequence[str], relation: Int32Array
) -> Treebank:
    """Return the treebank with edges as the column DEPS has them."""
    rows = edges[:, 0]
    begins = bank.tokens.offsets[:-1][bank.tokens.sentence_of_row()[rows]]
    lemma = bank.tokens.lemma if bank.tokens.lemma.any() else bank.tokens.form
    vocabulary, expression = _expressions(bank, relation, names, lemma)
    marker = np.where(edges[:, 3] >= 0, expression[edges[:, 3] + begins], 0)
    keys = (edges[:, 1].astype(np.int64) + 1) * len(names) + edges[:, 2]
    keys = keys * len(vocabulary) + marker
    distinct, inverse = np.unique(keys, return_inverse=True)
    rest, word = np.divmod(distinct, len(vocabulary))
    columns = (column.tolist() for column in (*np.divmod(rest, len(names)), word))
    vocabulary, codes = vocabulary.extended(
        f"{head}:{marked(names[kind], vocabulary[marker])}"
        for head, kind, marker in zip(*columns, strict=True)
    )
    codes = codes[inverse]
    counts = np.bincount(rows, minlength=len(bank.tokens))
    ends = np.cumsum(counts)
    deps = np.zeros(len(bank.tokens), np.int32)
    deps[counts > 0] = codes[ends[counts > 0] - 1]
    several = np.flatnonzero(counts > 1)
    listed = codes.tolist()
    joined = [
        "|".join(sorted(map(vocabulary.__getitem__, listed[end - count : end]), key=arc_sort_key))
        for end, count in zip(ends[several].tolist(), counts[several].tolist(), strict=True)
    ]
    vocabulary, deps[several] = vocabulary.extended(joined)
    return bank.replace(vocabulary=vocabulary, tokens=bank.tokens.replace(deps=deps))


def marked(relation: str, marker: str) -> str:
    """Return a relation with its marker where it names one: ``obl:in``, ``nsubj``."""
    marker = marker.lower().replace(" ", "_")
    return f"{relation}:{marker}" if relation in MARKED and _WORDS.fullmatch(marker) else relation


def _expressions(
    bank: Treebank, relation: Int32Array, names: Sequence[str], lemma: Int32Array
) -> tuple[Vocabulary, Int32Array]:
    """Return the lemma of each word, with those of the words that are ``fixed`` to it: ``because_of``."""
    tokens = bank.tokens
    if "fixed" not in names:
        return bank.vocabulary, lemma
    fixed = np.flatnonzero((relation == names.index("fixed")) & (tokens.head >= 0))
    first = tokens.head[fixed] + tokens.begins(tokens)[fixed]
    lemmas: dict[int, list[str]] = {}
    for row, word in zip(first.tolist(), fixed.tolist(), strict=True):
        parts = lemmas.setdefault(row, [bank.vocabulary[int(lemma[row])]])
        parts.append(bank.vocabulary[int(lemma[word])])
    lemma = lemma.copy()
    vocabulary, lemma[list(lemmas)] = bank.vocabulary.extended("_".join(parts) for parts in lemmas.values())
    return vocabulary, lemma
