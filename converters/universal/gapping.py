"""Gapping: clauses whose verb is that of the clause before, where the trees number what corresponds.

Bies, Ann, et al. (1995): Bracketing Guidelines for Treebank II Style, section 7: ``NP=1`` corresponds to
``NP-1``. https://universaldependencies.org/u/dep/orphan.html: the first of what is left depends as ``conj``,
the others are its orphans. https://universaldependencies.org/u/overview/enhanced-syntax.html: in enhanced
dependencies an empty node stands for the verb.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from crossbank.converters.dependencies.single_root import arc_sort_key
from crossbank.converters.schemes.scheme import Scheme
from crossbank.converters.universal.enhanced import marked
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import Int32Array, offsets_of
from crossbank.treebanks.tables import EmptyNodes

COPIED = ("form", "lemma", "pos", "xpos", "morph")
"""The columns that an empty node has from the verb for which it stands."""


@dataclass(frozen=True)
class Gap:
    """A clause without its verb; words are counted in the sentence.

    sentence  its number
    verb      the verb of the clause before
    left      the words that are left, each with the one to which it corresponds
    spans     where the phrase of each begins, and where it ends
    """

    sentence: int
    verb: int
    left: tuple[tuple[int, int], ...]
    spans: tuple[tuple[int, int], ...]


def gaps_in(bank: Treebank, scheme: Scheme, chosen: Int32Array, head: Int32Array) -> list[Gap]:
    """Return the gaps of a treebank whose parts correspond to dependents of one verb, the first its conjunct.

    chosen  the word that heads each node
    head    the governor of each word
    """
    used = np.unique(bank.nodes.label).tolist()
    parts = {code: scheme.labels.parts(bank.vocabulary[code]) for code in used}
    numbered = [code for code, part in parts.items() if part.gap]
    if not numbered:
        return []
    nodes, gaps = bank.nodes, []
    sentences = np.unique(nodes.sentence_of_row()[np.isin(nodes.label, numbered)])
    for sentence in sentences.tolist():
        base, first = int(nodes.offsets[sentence]), int(bank.tokens.offsets[sentence])
        rows = range(base, int(nodes.offsets[sentence + 1]))
        full = {parts[int(nodes.label[row])].index: row for row in reversed(rows)}
        clauses: dict[int, list[tuple[int, int]]] = {}
        for row in rows:
            gap = parts[int(nodes.label[row])].gap
            if gap and gap in full:
                above = _above(nodes.parent, base, full[gap])
                clause = row
                while (parent := int(nodes.parent[clause])) >= 0 and base + parent not in above:
                    clause = base + parent
                clauses.setdefault(clause, []).append((row, full[gap]))
        for pairs in clauses.values():
            left = tuple((int(chosen[row]), int(chosen[other])) for row, other in pairs)
            verbs = {int(head[first + other]) for _, other in left}
            spans = tuple((int(bank.spans.start[row]), int(bank.spans.end[row])) for row, _ in pairs)
            if len(verbs) == 1 and (verb := verbs.pop()) >= 0 and verb < left[0][0]:
                gaps.append(Gap(sentence, verb, left, spans))
    return gaps


def _above(parent: Int32Array, base: int, row: int) -> set[int]:
    ancestors = set()
    while (above := int(parent[row])) >= 0:
        row = base + above
        ancestors.add(row)
    return ancestors


def with_orphans(
    gaps: list[Gap], bank: Treebank, head: Int32Array, relation: Int32Array, names: list[str]
) -> list[Gap]:
    """Let the least oblique of what is left depend on the verb, and the others on it; the gaps that are so.

    head, relation  are changed in place; relations are indices into ``names``
    """
    remaining = []
    for gap in gaps:
        first, end = bank.tokens.offsets[gap.sentence : gap.sentence + 2].tolist()
        heads = head[first:end]
        tops = [index for index, (word, _) in enumerate(gap.left) if heads[word] == gap.verb]
        if len(tops) != 1:
            continue
        (old, _), span = gap.left[tops[0]], gap.spans[tops[0]]
        rest = [word for word, _ in gap.left if word != old]
        if any(heads[word] not in (old, *rest) for word in rest):
            continue
        new = min(gap.left, key=lambda pair: _rank(names[int(relation[first + pair[1]])]))[0]
        for word in np.flatnonzero(heads == old).tolist():
            if not span[0] <= word < span[1]:
                heads[word] = new
        for word, _ in gap.left:
            heads[word] = gap.verb if word == new else new
            relation[first + word] = names.index("conj" if word == new else "orphan")
        remaining.append(gap)
    return remaining


def _rank(relation: str) -> int:
    """Return the position of a relation in the order of obliqueness."""
    order = ("nsubj", "csubj", "obj", "iobj")
    bare = relation.partition(":")[0]
    return order.index(bare) if bare in order else len(order)


def with_empty_nodes(bank: Treebank, gaps: list[Gap]) -> Treebank:
    """Return the treebank of enhanced dependencies with an empty node for each gap."""
    if not gaps:
        return bank
    deps: dict[int, str] = {}
    rows: list[tuple[int, int, int, int, str]] = []
    after: Counter[tuple[int, int]] = Counter()
    for gap in gaps:
        sentence = _EnhancedSentence(bank, gap.sentence, deps)
        parts = zip(gap.left, gap.spans, strict=True)
        top, of_top = next((word, span) for (word, _), span in parts if sentence.head(word) == gap.verb)
        # The verb would come after a subject, else before what is left.
        subject = sentence.relation(gap.left[0][1]).startswith("nsubj") and len(gap.left) > 1
        anchor = gap.spans[1 if subject else 0][0] - 1
        after[gap.sentence, anchor] += 1
        index = after[gap.sentence, anchor]
        name = f"{anchor + 1}.{index}"
        own = [edge for edge in sentence.edges(top) if edge.startswith(f"{gap.verb + 1}:conj")]
        for word in range(sentence.length):
            if not of_top[0] <= word < of_top[1]:
                sentence.replace(word, top, name)
        for word, other in gap.left:
            sentence.set(word, f"{name}:{sentence.named(word, other)}")
        if not any(sentence.relation(other).startswith(("nsubj", "csubj")) for _, other in gap.left):
            for word in range(gap.verb):
                if sentence.head(word) == gap.verb and sentence.relation(word).startswith("nsubj"):
                    sentence.set(word, *sentence.edges(word), f"{name}:{sentence.relation(word)}")
        verb = sentence.first + gap.verb
        rows.append((gap.sentence, anchor, index, verb, own[0] if own else f"{gap.verb + 1}:conj"))
    rows.sort()
    vocabulary, codes = bank.vocabulary.extended([*deps.values(), *(row[4] for row in rows)])
    column = bank.tokens.deps.copy()
    column[list(deps)] = codes[: len(deps)]
    verbs = np.array([row[3] for row in rows])
    table = EmptyNodes.of(
        offsets_of(np.bincount([row[0] for row in rows], minlength=len(bank))),
        anchor=np.array([row[1] for row in rows], np.int32),
        index=np.array([row[2] for row in rows], np.int32),
        deps=codes[len(deps) :],
        **{name: getattr(bank.tokens, name)[verbs] for name in COPIED},
    )
    return bank.replace(vocabulary=vocabulary, tokens=bank.tokens.replace(deps=column), empty=table)


class _EnhancedSentence:
    """Enhanced dependencies of one sentence as strings; ``deps`` has those that were changed, by row."""

    def __init__(self, bank: Treebank, number: int, deps: dict[int, str]) -> None:
        self.bank, self.deps = bank, deps
        self.first = int(bank.tokens.offsets[number])
        self.length = int(bank.tokens.offsets[number + 1]) - self.first

    def head(self, word: int) -> int:
        return int(self.bank.tokens.head[self.first + word])

    def relation(self, word: int) -> str:
        return self.bank.vocabulary[int(self.bank.tokens.relation[self.first + word])]

    def edges(self, word: int) -> list[str]:
        row = self.first + word
        return self.deps.get(row, self.bank.vocabulary[int(self.bank.tokens.deps[row])]).split("|")

    def set(self, word: int, *edges: str) -> None:
        self.deps[self.first + word] = "|".join(sorted(set(edges), key=arc_sort_key))

    def replace(self, word: int, head: int, by: str) -> None:
        """Let a word depend on an empty node where it depended on a word; what it shared with that goes."""
        old = f"{head + 1}:"
        edges = self.edges(word)
        if not any(edge.startswith(old) for edge in edges):
            return
        replaced = [edge for edge in edges if not edge.startswith(old)]
        if self.head(word) == head:
            replaced += [by + edge[len(old) - 1 :] for edge in edges if edge.startswith(old)]
        self.set(word, *replaced)

    def named(self, word: int, other: int) -> str:
        """Relation of a word that corresponds to another, with its own preposition or subjunction."""
        name, marks = self.relation(other), self.below(word, "case", "mark")
        if not marks or name == "conj":  # a conjunct is marked by its conjunction
            return name
        words = (self.first + one for one in (marks[0], *self.below(marks[0], "fixed")))
        return marked(name, "_".join(self.bank.vocabulary[int(self.bank.tokens.lemma[row])] for row in words))

    def below(self, word: int, *relations: str) -> list[int]:
        return [w for w in range(self.length) if self.head(w) == word and self.relation(w) in relations]
