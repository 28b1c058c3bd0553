"""Error types, found by repairing the candidate's tree into gold's.

Kummerfeld, Jonathan K., et al. (2012): Parser Showdown at the Wall Street Corral. EMNLP. There, nodes are
inserted, deleted and moved until the trees are the same. All that one repair mends is one error. Here the
repairs are read off the brackets. Constituents that both trees have are pieces. If a bracket of the candidate
turns into one of gold when a piece is added or removed, the piece was attached elsewhere. All brackets that
this one move mends are one error. The scheme says which categories are which kind of attachment, and what
marks coordination (``error_types``), so the types hold for any language.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from heapq import heapify, heappop, heappush

import numpy as np

from crossbank.converters.schemes.scheme import ErrorLabels
from crossbank.metrics.pairing.pair import Pair
from crossbank.metrics.pairing.word_forms import canonical
from crossbank.treebanks import UNATTACHED, Treebank
from crossbank.treebanks.arrays import BoolArray

TITLES = {
    "pp_attachment": "PP attachment",
    "clause_attachment": "clause attachment",
    "np_attachment": "NP attachment",
    "modifier_attachment": "modifier attachment",
    "other_attachment": "other attachment",
    "coordination": "coordination",
    "label": "label",
    "unary": "unary",
    "missing_node": "missing node",
    "additional_node": "additional node",
    "span": "span",
    "pos": "tag",
    "not_typed": "not typed",
}
"""Every type of error, as files name it, with its title on pages, in the order of the tables."""

TYPES = tuple(TITLES)

NOT_TYPED = "not_typed"
"""The type of a sentence that is too long to be typed: one for the sentence, whatever its errors are."""

MAX_TYPED = 2_000
"""The most words, or constituents of one side, of a sentence whose errors are typed.

Time grows by the square of this number. In the worst case (1,500 words, all constituents have the same label
and none is right) it is six seconds.
"""

ATTACHED = ("pp_attachment", "clause_attachment")
"""Kinds of attachment that are not part of a phrase's core: the phrase may exist because of them."""


@dataclass(frozen=True)
class ParsingError:
    """One error of a candidate.

    words               the words concerned, by place from 0
    missing, additional  labels of gold's brackets that the error loses, and of the candidate's that it adds
    """

    sentence: int
    type: str
    words: tuple[int, ...]
    missing: tuple[str, ...] = ()
    additional: tuple[str, ...] = ()


@dataclass
class _Side:
    """One tree of a pair: its brackets, and the labels and yields of each bracket's children."""

    bank: Treebank
    sentence: int
    labels: list[str]
    yields: list[int]
    tags: list[str]

    @classmethod
    def of(cls, bank: Treebank, sentence: int) -> _Side:
        tags = bank.vocabulary.decode(bank.tokens.pos[bank.tokens.rows(sentence)])
        labels = list(map(canonical, bank.labels(sentence)))
        return cls(bank, sentence, labels, bank.yields(sentence), list(map(canonical, tags)))

    @cached_property
    def children(self) -> list[list[tuple[str, int]]]:
        bank, children = self.bank, [list[tuple[str, int]]() for _ in self.labels]
        for node, parent in enumerate(bank.nodes.parent[bank.nodes.rows(self.sentence)].tolist()):
            if parent >= 0:
                children[parent].append((self.labels[node], self.yields[node]))
        for word, parent in enumerate(bank.tokens.parent[bank.tokens.rows(self.sentence)].tolist()):
            if parent >= 0:
                children[parent].append((self.tags[word], 1 << word))
        for of_node in children:
            of_node.sort(key=lambda child: child[1] & -child[1])
        return children


def errors(pair: Pair, scheme_labels: ErrorLabels) -> Iterator[ParsingError]:
    """Yield the errors of all scored sentences, sentence by sentence; see ``MAX_TYPED``."""
    tables = pair.gold.tokens, pair.gold.nodes, pair.candidate.nodes
    too_long = np.maximum.reduce([table.lengths() for table in tables]) > MAX_TYPED
    for sentence in np.flatnonzero(pair.scored & ~_alike(pair)).tolist():
        if too_long[sentence]:
            yield ParsingError(sentence, NOT_TYPED, ())
            continue
        sides = _Side.of(pair.gold, sentence), _Side.of(pair.candidate, sentence)
        yield from _sentence_errors(sentence, *sides, scheme_labels)


def _alike(pair: Pair) -> BoolArray:
    """A mask of the scored sentences whose trees are the same on both sides, shape ``(sentences,)``."""
    gold, candidate = pair.gold, pair.candidate
    alike: BoolArray = pair.scored & (gold.nodes.lengths() == candidate.nodes.lengths())
    differing = np.zeros(len(pair), np.bool_)
    for own, opposite_table in ((gold.tokens, candidate.tokens), (gold.nodes, candidate.nodes)):
        rows, opposite = (np.repeat(alike, table.lengths()) for table in (own, opposite_table))
        sentence = own.sentence_of_row()[rows]
        string = "pos" if own is gold.tokens else "label"
        parents = own.parent[rows] != opposite_table.parent[opposite]
        strings = getattr(own, string)[rows] != pair.candidate_codes(
            getattr(opposite_table, string)[opposite]
        )
        differing[sentence[parents | strings]] = True
    return np.logical_and(alike, ~differing)


def dependency_errors(pair: Pair, scheme_labels: ErrorLabels) -> Iterator[ParsingError]:
    """Yield the errors of dependencies: each word with another head, relation or tag is one error.

    A wrong head is of the type that the scheme gives gold's relation (an oblique attached elsewhere is a
    PP attachment), a right head under another relation an error of label. Subtypes are cut at ``:``. Words
    that have no head on either side, such as those that are left out, are no errors.
    """
    gold, candidate = pair.gold.tokens, pair.candidate.tokens
    rows, opposite = (np.flatnonzero(np.repeat(pair.scored, side.lengths())) for side in (gold, candidate))
    differing = gold.head[rows] != candidate.head[opposite]
    attached = differing | (gold.head[rows] != UNATTACHED)
    for name in ("relation", "pos"):
        differing |= getattr(gold, name)[rows] != pair.candidate_codes(getattr(candidate, name)[opposite])
    rows, opposite = rows[differing & attached], opposite[differing & attached]
    columns = [gold.sentence_of_row()[rows].tolist(), gold.places()[rows].tolist()]
    for side, chosen in ((pair.gold, rows), (pair.candidate, opposite)):
        tokens, decode = side.tokens, side.vocabulary.decode
        columns += [
            tokens.head[chosen].tolist(),
            [relation.partition(":")[0] for relation in decode(tokens.relation[chosen])],
            list(map(canonical, decode(tokens.pos[chosen]))),
        ]
    for sentence, word, head, relation, tag, found_head, predicted, found_tag in zip(*columns, strict=True):
        if tag != found_tag:
            yield ParsingError(sentence, "pos", (word,), (tag,), (found_tag,))
        if head != found_head:
            coordinated = relation in scheme_labels.coordination
            type_ = "coordination" if coordinated else scheme_labels.attachment.get(relation)
            yield ParsingError(sentence, type_ or "other_attachment", (word,), (relation,), (predicted,))
        elif relation != predicted:
            yield ParsingError(sentence, "label", (word,), (relation,), (predicted,))


FOUND_IN: dict[str, Callable[[Pair, ErrorLabels], Iterator[ParsingError]]] = {
    "constituents": errors,
    "heads": errors,
    "dependencies": dependency_errors,
    "dependency_graphs": dependency_errors,
}
"""The function that finds errors in a view; constituents tell more, so they come first."""


def _sentence_errors(
    sentence: int, gold: _Side, candidate: _Side, scheme_labels: ErrorLabels
) -> Iterator[ParsingError]:
    for word, (expected, predicted) in enumerate(zip(gold.tags, candidate.tags, strict=True)):
        if expected != predicted:
            yield ParsingError(sentence, "pos", (word,), (expected,), (predicted,))
    repair = _Repair(gold, candidate, scheme_labels)
    for type_, words, missing, additional in repair.errors():
        lost = tuple(gold.labels[node] for node in missing)
        added = tuple(candidate.labels[node] for node in additional)
        yield ParsingError(sentence, type_, tuple(_places(words)), lost, added)


class _Repair:
    """Brackets that differ in one pair of trees. They are explained one error after the other.

    Time grows by the square of the number of brackets: each of gold's that the candidate lacks is compared
    with each of the candidate's that gold lacks, once.

    missing, additional  brackets that nothing explains so far, in pre-order
    """

    def __init__(self, gold: _Side, candidate: _Side, scheme_labels: ErrorLabels) -> None:
        self.gold, self.candidate, self.map = gold, candidate, scheme_labels
        self.missing = dict.fromkeys(_lonely(gold, candidate))
        self.additional = dict.fromkeys(_lonely(candidate, gold))

    @cached_property
    def pieces(self) -> dict[int, str]:
        """Category of each piece: of the words of each constituent on both sides, and of each word."""
        gold, candidate = self.gold, self.candidate
        pieces = dict(zip(candidate.yields, candidate.labels, strict=True))
        pieces |= dict(zip(gold.yields, gold.labels, strict=True))
        both = set(gold.yields) & set(candidate.yields)
        pieces = {words: label for words, label in pieces.items() if words in both}
        return pieces | {1 << word: tag for word, tag in enumerate(gold.tags)}

    @cached_property
    def around(self) -> list[list[int]]:
        """Pieces that contain each word, from the smallest; in a tree each contains the one before."""
        around = [list[int]() for _ in self.gold.tags]
        for piece in sorted(self.pieces, key=int.bit_count):
            for word in _places(piece):
                around[word].append(piece)
        return around

    def errors(self) -> Iterator[tuple[str, int, list[int], list[int]]]:
        """Yield the type, the words, and the brackets of gold and of the candidate of each error."""
        yield from self._relabelled()
        yield from self._moved()
        yield from self._attached_into()
        yield from self._stretched()
        for node in self.missing:
            yield self._alone(self.gold, node, "missing_node"), self.gold.yields[node], [node], []
        for node in self.additional:
            type_ = self._alone(self.candidate, node, "additional_node")
            yield type_, self.candidate.yields[node], [], [node]

    def _relabelled(self) -> Iterator[tuple[str, int, list[int], list[int]]]:
        """Errors of label: the same words under another label. A coordination takes its conjuncts along."""
        over: dict[int, list[int]] = {}
        for node in self.additional:
            over.setdefault(self.candidate.yields[node], []).append(node)
        for node in list(self.missing):
            words = self.gold.yields[node]
            same = [other for other in over.get(words, ()) if other in self.additional]
            if node in self.missing and same:
                del self.missing[node], self.additional[same[0]]
                if {self.gold.labels[node], self.candidate.labels[same[0]]} & self.map.coordination:
                    missing = [node, *self._conjuncts(self.gold, node, self.missing)]
                    additional = [same[0], *self._conjuncts(self.candidate, same[0], self.additional)]
                    yield "coordination", words, missing, additional
                else:
                    yield "label", words, [node], same[:1]

    def _moved(self) -> Iterator[tuple[str, int, list[int], list[int]]]:
        """Attachment errors, those that mend most brackets first.

        Adding or removing a piece turns a bracket of the candidate into one of gold. The first of the queue
        mends most; what an earlier one has mended meanwhile is counted when it comes to the front.
        """
        moves = self._moves()
        queue = [(-len(pairs), words.bit_count(), words) for words, pairs in moves.items()]
        heapify(queue)
        while queue:
            before, size, words = heappop(queue)
            pairs = [pair for pair in moves[words] if pair[0] in self.missing and pair[1] in self.additional]
            if len(pairs) == -before:
                missing, additional = [], []
                for node, other in pairs:
                    if node in self.missing and other in self.additional:
                        del self.missing[node], self.additional[other]
                        missing.append(node)
                        additional.append(other)
                yield self._attachment(words), words, missing, additional
            elif pairs:
                moves[words] = pairs
                heappush(queue, (-len(pairs), size, words))

    def _moves(self) -> dict[int, list[tuple[int, int]]]:
        """Return the pairs of brackets that turn into each other where some words move, by these words."""
        named: dict[str, list[tuple[int, int]]] = {}
        for other in self.additional:
            named.setdefault(self.candidate.labels[other], []).append((other, self.candidate.yields[other]))
        moves: dict[int, list[tuple[int, int]]] = {}
        for node in self.missing:
            own = self.gold.yields[node]
            for other, words in named.get(self.gold.labels[node], ()):
                if self._head(own ^ words):
                    moves.setdefault(own ^ words, []).append((node, other))
        return moves

    def _attached_into(self) -> Iterator[tuple[str, int, list[int], list[int]]]:
        """Brackets that exist only because a phrase is attached in them or conjuncts are joined."""
        for side, nodes in ((self.gold, self.missing), (self.candidate, self.additional)):
            for node in list(nodes):
                if node not in nodes:
                    continue
                type_, words, explained = "", side.yields[node], [node]
                if self._joins(side, node):
                    type_ = "coordination"
                    explained += self._conjuncts(side, node, nodes)
                elif attached := self._attached(side, node):
                    type_, words = attached
                if type_:
                    del nodes[node]
                    yield type_, words, *((explained, []) if side is self.gold else ([], explained))

    def _attached(self, side: _Side, node: int) -> tuple[str, int] | None:
        """Kind and the words of the last phrase that is attached in a phrase other than a clause."""
        if self.map.attachment.get(side.labels[node]) == "clause_attachment":
            return None
        attached = [
            (self.map.attachment[label], words)
            for label, words in side.children[node]
            if self.map.attachment.get(label) in ATTACHED and words in self.pieces
        ]
        alone = not attached or attached[-1][1] == side.yields[node]
        return None if alone else attached[-1]

    def _conjuncts(self, side: _Side, node: int, nodes: dict[int, None]) -> list[int]:
        """Return the unexplained brackets right under a coordination; they are removed from ``nodes``."""
        under = {words for _, words in side.children[node]}
        conjuncts = [other for other in nodes if other != node and side.yields[other] in under]
        for other in conjuncts:
            del nodes[other]
        return conjuncts

    def _stretched(self) -> Iterator[tuple[str, int, list[int], list[int]]]:
        """Errors of extent: the same label over words that overlap."""
        for node in list(self.missing):
            for other in self.additional:
                words = self.gold.yields[node] & self.candidate.yields[other]
                if words and self.gold.labels[node] == self.candidate.labels[other]:
                    del self.missing[node], self.additional[other]
                    yield "span", self.gold.yields[node] ^ self.candidate.yields[other], [node], [other]
                    break

    def _head(self, words: int) -> str:
        """Return the category of a set of words that moves as a whole; empty where the words do not."""
        names = self._pieces(words)
        return next((name for name in names if name in self.map.attachment), names[0] if names else "")

    def _pieces(self, words: int) -> list[str]:
        """Categories of the one to three pieces that make up a set of words; none where it takes more."""
        rest, names = words, list[str]()
        while rest:
            if len(names) == 3:
                return []
            around = self.around[(rest & -rest).bit_length() - 1]
            # The pieces around a word that are no larger than the words: those before the first that is.
            within = bisect_left(around, True, 1, key=lambda piece: piece & words != piece)
            piece = around[within - 1]
            names.append(self.pieces[piece])
            rest &= ~piece
        return names

    def _attachment(self, words: int) -> str:
        """Return the type of error where some words are attached elsewhere."""
        names = self._pieces(words)
        if set(names) & (self.map.conjunctions | self.map.coordination):
            return "coordination"
        head = self._head(words)
        return self.map.attachment.get(head, "span" if words.bit_count() == 1 else "other_attachment")

    def _joins(self, side: _Side, node: int) -> bool:
        """True if a node is a coordination: by its category, or by a conjunction right under it."""
        conjunction = any(label in self.map.conjunctions for label, _ in side.children[node][1:])
        return side.labels[node] in self.map.coordination or conjunction

    def _alone(self, side: _Side, node: int, otherwise: str) -> str:
        """Return the type of a bracket that nothing else explains."""
        words = side.yields[node]
        single = len(side.children[node]) == 1 or side.yields.count(words) > 1
        return "unary" if single else otherwise


def _places(words: int) -> list[int]:
    """Return the places of a set of words."""
    return [index for index, bit in enumerate(reversed(f"{words:b}")) if bit == "1"]


def _lonely(side: _Side, opposite: _Side) -> list[int]:
    """Return the nodes of one tree that the other lacks. Of several equal nodes, only the surplus ones."""
    brackets = list(zip(side.labels, side.yields, strict=True))
    opposite_brackets = list(zip(opposite.labels, opposite.yields, strict=True))
    if len(set(brackets)) == len(brackets):
        there = set(opposite_brackets)
        return [node for node, bracket in enumerate(brackets) if bracket not in there]
    left = Counter(brackets) - Counter(opposite_brackets)
    lonely = []
    for node, bracket in enumerate(brackets):
        if left[bracket] > 0:
            left[bracket] -= 1
            lonely.append(node)
    return lonely
