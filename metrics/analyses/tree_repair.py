"""Error types, by repairing the candidate's tree into gold's.

Kummerfeld, Jonathan K., et al. (2012): Parser Showdown at the Wall Street Corral. EMNLP. There, nodes are
inserted, deleted and moved until the trees are the same. All that one repair corrects is one error. Here the
repairs are read off the brackets. The yields that both trees have, and all words, are shared constituents. If
a bracket of the candidate turns into one of gold when shared constituents are added or removed, these were
attached elsewhere. All brackets that this one move corrects are one error. The scheme lists the categories of
each kind of attachment, and what marks coordination (``error_types``), so the types hold for any language.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from heapq import heapify, heappop, heappush

import numpy as np
from numpy.typing import NDArray

from crossbank.converters.schemes.scheme import ErrorLabels
from crossbank.metrics.analyses.differing_functions import (
    both_have_functions,
    collect_edges,
    differing_functions,
)
from crossbank.metrics.analyses.moves import Moves
from crossbank.metrics.loops.moved_words import SharedConstituents, count_differing_constituents
from crossbank.metrics.pairing.pair import Pair
from crossbank.metrics.pairing.word_forms import canonical
from crossbank.treebanks import UNATTACHED, Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array

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
    "function": "function",
    "pos": "tag",
    "not_typed": "not typed",
}
"""Every type of error, as files name it, with its title on pages, in the order of the tables."""

TYPES = tuple(TITLES)

NOT_TYPED = "not_typed"
"""The type of a sentence that is too long to be typed: one for the sentence, whatever its errors are."""

MAX_TYPED = 2_000
"""The most words, or constituents of one side, of a sentence whose errors are typed.

Time grows by the square of this number. In the worst case (half of gold's constituents are of two words, half
of the candidate's of one, all have the same label, and none is right) it is two seconds, with 250 MB.
"""

MAX_MOVED = 3
"""The most shared constituents that are moved as one."""

ATTACHED = ("pp_attachment", "clause_attachment")
"""Kinds of attachment that are not part of a phrase's core: the phrase may exist because of them."""


@dataclass(frozen=True)
class ParsingError:
    """One error of a candidate.

    words                the words concerned, by index from 0
    missing, additional  labels of gold's brackets that the candidate lacks, and of those that it has instead;
                         of an error of function gold's and the candidate's
    """

    sentence: int
    type: str
    words: tuple[int, ...]
    missing: tuple[str, ...] = ()
    additional: tuple[str, ...] = ()


@dataclass
class _Tree:
    """One tree of a pair: its brackets, and the labels and yields of each bracket's children."""

    bank: Treebank
    sentence: int
    labels: list[str]
    yields: list[int]
    tags: list[str]

    @classmethod
    def of(cls, bank: Treebank, sentence: int) -> _Tree:
        tags = bank.vocabulary.decode(bank.tokens.pos[bank.tokens.rows(sentence)])
        labels = list(map(canonical, bank.labels(sentence)))
        return cls(bank, sentence, labels, bank.yields(sentence), list(map(canonical, tags)))

    @cached_property
    def parents(self) -> Int32Array:
        return self.bank.nodes.parent[self.bank.nodes.rows(self.sentence)]

    @cached_property
    def token_parents(self) -> Int32Array:
        return self.bank.tokens.parent[self.bank.tokens.rows(self.sentence)]

    @cached_property
    def children(self) -> list[list[tuple[str, int]]]:
        children = [list[tuple[str, int]]() for _ in self.labels]
        for node, parent in enumerate(self.parents.tolist()):
            if parent >= 0:
                children[parent].append((self.labels[node], self.yields[node]))
        for word, parent in enumerate(self.token_parents.tolist()):
            if parent >= 0:
                children[parent].append((self.tags[word], 1 << word))
        for of_node in children:
            of_node.sort(key=lambda child: child[1] & -child[1])
        return children

    def shared(self, indices: Mapping[int, int]) -> SharedConstituents:
        """Return where the shared constituents are in this tree; ``indices`` has them by their yields."""
        shared = np.full(len(self.labels), -1, np.int32)
        lowest = np.full(len(indices), -1, np.int32)
        for word, parent in enumerate(self.token_parents.tolist()):
            lowest[indices[1 << word]] = parent
        for node in range(len(self.labels) - 1, -1, -1):
            index = indices.get(self.yields[node], -1)
            if index >= 0 and (lowest[index] < 0 or self.yields[lowest[index]] != self.yields[node]):
                lowest[index] = node
            if index >= 0 and lowest[index] == node:
                shared[node] = index
        return SharedConstituents(self.parents, shared, lowest)


def errors(pair: Pair, scheme_labels: ErrorLabels) -> Iterator[ParsingError]:
    """Yield the errors of all scored sentences, sentence by sentence; see ``MAX_TYPED``.

    Errors of functions are among them where both sides have functions.
    """
    with_functions = both_have_functions(pair)
    tables = pair.gold.tokens, pair.gold.nodes, pair.candidate.nodes
    too_long = np.maximum.reduce([table.lengths() for table in tables]) > MAX_TYPED
    for sentence in np.flatnonzero(pair.scored & ~_alike(pair, with_functions)).tolist():
        if too_long[sentence]:
            yield ParsingError(sentence, NOT_TYPED, ())
            continue
        trees = _Tree.of(pair.gold, sentence), _Tree.of(pair.candidate, sentence)
        yield from _sentence_errors(sentence, *trees, scheme_labels)
        if with_functions:
            edges = (collect_edges(tree.bank, sentence, tree.labels, tree.yields) for tree in trees)
            for words, function, other in differing_functions(*edges):
                yield ParsingError(sentence, "function", tuple(_indices(words)), (function,), (other,))


def _alike(pair: Pair, with_functions: bool) -> BoolArray:
    """Return a mask of the scored sentences with the same trees in both treebanks, shape ``(sentences,)``."""
    gold, candidate = pair.gold, pair.candidate
    alike: BoolArray = pair.scored & (gold.nodes.lengths() == candidate.nodes.lengths())
    differing = np.zeros(len(pair), np.bool_)
    for left, right in ((gold.tokens, candidate.tokens), (gold.nodes, candidate.nodes)):
        left_rows, right_rows = (np.repeat(alike, table.lengths()) for table in (left, right))
        sentence = left.sentence_of_row()[left_rows]
        differs = left.parent[left_rows] != right.parent[right_rows]
        strings = ["pos" if left is gold.tokens else "label", *["function"] * with_functions]
        for string in strings:
            codes = pair.candidate_codes(getattr(right, string)[right_rows])
            differs |= getattr(left, string)[left_rows] != codes
        differing[sentence[differs]] = True
    return np.logical_and(alike, ~differing)


def dependency_errors(pair: Pair, scheme_labels: ErrorLabels) -> Iterator[ParsingError]:
    """Yield the errors of dependencies: each word with another head, relation or tag is one error.

    A wrong head is of the type that the scheme gives gold's relation (an oblique attached elsewhere is a
    PP attachment), a right head under another relation an error of label. Subtypes are cut at ``:``. Words
    without a head in gold and candidate, such as those that are not scored, are no errors.
    """
    gold, candidate = pair.gold.tokens, pair.candidate.tokens
    rows, opposite = (np.flatnonzero(np.repeat(pair.scored, table.lengths())) for table in (gold, candidate))
    differing = gold.head[rows] != candidate.head[opposite]
    attached = differing | (gold.head[rows] != UNATTACHED)
    for name in ("relation", "pos"):
        differing |= getattr(gold, name)[rows] != pair.candidate_codes(getattr(candidate, name)[opposite])
    rows, opposite = rows[differing & attached], opposite[differing & attached]
    columns = [gold.sentence_of_row()[rows].tolist(), gold.indices()[rows].tolist()]
    for bank, chosen in ((pair.gold, rows), (pair.candidate, opposite)):
        tokens, decode = bank.tokens, bank.vocabulary.decode
        columns += [
            tokens.head[chosen].tolist(),
            [relation.partition(":")[0] for relation in decode(tokens.relation[chosen])],
            list(map(canonical, decode(tokens.pos[chosen]))),
        ]
    for sentence, word, head, relation, tag, predicted_head, predicted, predicted_tag in zip(
        *columns, strict=True
    ):
        if tag != predicted_tag:
            yield ParsingError(sentence, "pos", (word,), (tag,), (predicted_tag,))
        if head != predicted_head:
            coordinated = relation in scheme_labels.coordination
            type_ = "coordination" if coordinated else scheme_labels.attachment.get(relation)
            yield ParsingError(sentence, type_ or "other_attachment", (word,), (relation,), (predicted,))
        elif relation != predicted:
            yield ParsingError(sentence, "label", (word,), (relation,), (predicted,))


ERRORS_OF_VIEW: dict[str, Callable[[Pair, ErrorLabels], Iterator[ParsingError]]] = {
    "constituents": errors,
    "heads": errors,
    "dependencies": dependency_errors,
    "dependency_graphs": dependency_errors,
}
"""The function that types the errors of a view; constituents have more types, so they come first."""


def _sentence_errors(
    sentence: int, gold: _Tree, candidate: _Tree, scheme_labels: ErrorLabels
) -> Iterator[ParsingError]:
    for word, (expected, predicted) in enumerate(zip(gold.tags, candidate.tags, strict=True)):
        if expected != predicted:
            yield ParsingError(sentence, "pos", (word,), (expected,), (predicted,))
    repair = _Repair(gold, candidate, scheme_labels)
    for type_, words, missing, additional in repair.errors():
        gold_labels = tuple(gold.labels[node] for node in missing)
        candidate_labels = tuple(candidate.labels[node] for node in additional)
        yield ParsingError(sentence, type_, tuple(_indices(words)), gold_labels, candidate_labels)


class _Repair:
    """Brackets that differ in one pair of trees. They are explained one error after the other.

    Time grows by the square of the number of brackets: each of gold's that the candidate lacks is compared
    with each of the candidate's that gold lacks.

    missing, additional  brackets that nothing explains so far, in pre-order
    """

    def __init__(self, gold: _Tree, candidate: _Tree, scheme_labels: ErrorLabels) -> None:
        self.gold, self.candidate, self.map = gold, candidate, scheme_labels
        self.missing = dict.fromkeys(_surplus(gold, candidate))
        self.additional = dict.fromkeys(_surplus(candidate, gold))

    @cached_property
    def shared(self) -> dict[int, str]:
        """Category of each shared constituent: of each yield that both trees have, and of each word."""
        gold, candidate = self.gold, self.candidate
        shared = dict(zip(candidate.yields, candidate.labels, strict=True))
        shared |= dict(zip(gold.yields, gold.labels, strict=True))
        both = set(gold.yields) & set(candidate.yields)
        shared = {words: label for words, label in shared.items() if words in both}
        return shared | {1 << word: tag for word, tag in enumerate(gold.tags)}

    @cached_property
    def above(self) -> list[list[int]]:
        """Shared constituents that contain each word, from the smallest; each contains the one before."""
        above = [list[int]() for _ in self.gold.tags]
        for constituent in sorted(self.shared, key=int.bit_count):
            for word in _indices(constituent):
                above[word].append(constituent)
        return above

    @cached_property
    def containing(self) -> list[int]:
        """The smallest shared constituent that is larger than each node of gold; 0 if there is none."""
        yields, containing = self.gold.yields, list[int]()
        for node, parent in enumerate(self.gold.parents.tolist()):
            if parent < 0:
                containing.append(0)
            elif yields[parent] in self.shared and yields[parent] != yields[node]:
                containing.append(yields[parent])
            else:
                containing.append(containing[parent])
        return containing

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
        """Yield errors of label: the same words under another label.

        The conjuncts of a relabelled coordination belong to its error.
        """
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
        """Yield attachment errors: those that correct most brackets first, then those of the fewest words.

        Moves wait by the number of brackets that they correct. One that corrects fewer when it is its turn,
        since an earlier one has corrected the others, waits again.
        """
        moves = self._moves()
        gold, candidate = self.gold.yields, self.candidate.yields
        waiting = dict(moves.by_rank())
        ranks = list(waiting)
        heapify(ranks)
        while ranks:
            rank = heappop(ranks)
            for move in sorted(waiting.pop(rank)):
                pairs = moves.pairs(move, self.missing, self.additional)
                if len(pairs) == -rank[0]:
                    words = gold[pairs[0][0]] ^ candidate[pairs[0][1]]
                    missing, additional = [], []
                    for node, other in filter(self._is_open, pairs):
                        del self.missing[node], self.additional[other]
                        missing.append(node)
                        additional.append(other)
                    yield self._attachment(words), words, missing, additional
                elif pairs:
                    later = -len(pairs), rank[1]
                    if later not in waiting:
                        heappush(ranks, later)
                    waiting.setdefault(later, []).append(move)

    def _is_open(self, brackets: tuple[int, int]) -> bool:
        """Return whether a bracket of gold and one of the candidate are both unexplained so far."""
        return brackets[0] in self.missing and brackets[1] in self.additional

    def _moves(self) -> Moves:
        """Return the pairs of brackets that turn into each other where one to three constituents move."""
        if not self.missing or not self.additional:
            return Moves([], [], [0], [])
        gold, candidate = self.gold, self.candidate
        missing, additional = (np.array(list(nodes), np.int64) for nodes in (self.missing, self.additional))
        constituents, words = self._differences()
        moved = constituents[np.ix_(missing, additional)]
        turn = (moved > 0) & (moved <= MAX_MOVED)
        columns_of: dict[int, list[int]] = {}
        for column, other in enumerate(self.additional):
            columns_of.setdefault(candidate.yields[other], []).append(column)
        for row, node in enumerate(self.missing):
            # What completes a bracket to a shared constituent is as far from it as this is large, and moves.
            if self.containing[node]:
                turn[row, columns_of.get(self.containing[node] ^ gold.yields[node], [])] = True
        codes = {label: code for code, label in enumerate({*gold.labels, *candidate.labels})}
        gold_codes = np.array([codes[gold.labels[node]] for node in self.missing])
        candidate_codes = np.array([codes[candidate.labels[other]] for other in self.additional])
        turn &= gold_codes[:, None] == candidate_codes
        if "" in self.shared.values():
            for row, column in np.argwhere(turn).tolist():
                difference = gold.yields[missing[row]] ^ candidate.yields[additional[column]]
                turn[row, column] = bool(self._head(difference))
        rows, columns = np.nonzero(turn)
        of_missing = {node: gold.yields[node] for node in self.missing}
        of_additional = {other: candidate.yields[other] for other in self.additional}
        sizes = words[missing[rows], additional[columns]]
        return Moves.of(of_missing, of_additional, rows, columns, sizes)

    def _differences(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return by how many shared constituents, and by how many words, each pair of brackets differs."""
        indices = {words: index for index, words in enumerate(self.shared)}
        gold, candidate = self.gold.shared(indices), self.candidate.shared(indices)
        constituents = np.ones(len(indices), np.int32)
        words = np.array([constituent.bit_count() == 1 for constituent in indices], np.int32)
        for constituent, node in zip(indices, np.asarray(gold.lowest).tolist(), strict=True):
            if node >= 0:
                larger = self.gold.yields[node]
                if larger == constituent or larger not in indices:
                    larger = self.containing[node]
                if larger:
                    constituents[indices[larger]] -= 1
        return (
            count_differing_constituents(gold, candidate, constituents),
            count_differing_constituents(gold, candidate, words),
        )

    def _attached_into(self) -> Iterator[tuple[str, int, list[int], list[int]]]:
        """Yield the brackets that exist only because a phrase is attached in them or conjuncts are joined."""
        for tree, nodes in ((self.gold, self.missing), (self.candidate, self.additional)):
            for node in list(nodes):
                if node not in nodes:
                    continue
                type_, words, explained = "", tree.yields[node], [node]
                if self._joins(tree, node):
                    type_ = "coordination"
                    explained += self._conjuncts(tree, node, nodes)
                elif attached := self._attached(tree, node):
                    type_, words = attached
                if type_:
                    del nodes[node]
                    yield type_, words, *((explained, []) if tree is self.gold else ([], explained))

    def _attached(self, tree: _Tree, node: int) -> tuple[str, int] | None:
        """Return the category and the words of the last phrase attached in a phrase other than a clause."""
        if self.map.attachment.get(tree.labels[node]) == "clause_attachment":
            return None
        attached = [
            (self.map.attachment[label], words)
            for label, words in tree.children[node]
            if self.map.attachment.get(label) in ATTACHED and words in self.shared
        ]
        alone = not attached or attached[-1][1] == tree.yields[node]
        return None if alone else attached[-1]

    def _conjuncts(self, tree: _Tree, node: int, nodes: dict[int, None]) -> list[int]:
        """Return the unexplained brackets right under a coordination; they are removed from ``nodes``."""
        under = {words for _, words in tree.children[node]}
        conjuncts = [other for other in nodes if other != node and tree.yields[other] in under]
        for other in conjuncts:
            del nodes[other]
        return conjuncts

    def _stretched(self) -> Iterator[tuple[str, int, list[int], list[int]]]:
        """Yield the errors of extent: the same label over words that overlap."""
        labelled: dict[str, dict[int, None]] = {}
        for other in self.additional:
            labelled.setdefault(self.candidate.labels[other], {})[other] = None
        for node in list(self.missing):
            words, opposite = self.gold.yields[node], labelled.get(self.gold.labels[node], {})
            for other in opposite:
                if words & self.candidate.yields[other]:
                    del self.missing[node], self.additional[other], opposite[other]
                    yield "span", words ^ self.candidate.yields[other], [node], [other]
                    break

    def _head(self, words: int) -> str:
        """Return the category of a set of words that moves as a whole; empty if they have no label."""
        names = self._categories(words)
        return next((name for name in names if name in self.map.attachment), names[0])

    def _categories(self, words: int) -> list[str]:
        """Return the categories of the shared constituents that a set of words consists of."""
        rest, names = words, list[str]()
        while rest:
            above = self.above[(rest & -rest).bit_length() - 1]
            # Those within the set of words come before the first that is not.
            within = bisect_left(above, True, 1, key=lambda constituent: constituent & words != constituent)
            names.append(self.shared[above[within - 1]])
            rest &= ~above[within - 1]
        return names

    def _attachment(self, words: int) -> str:
        """Return the type of error where some words are attached elsewhere."""
        names = self._categories(words)
        if set(names) & (self.map.conjunctions | self.map.coordination):
            return "coordination"
        head = self._head(words)
        return self.map.attachment.get(head, "span" if words.bit_count() == 1 else "other_attachment")

    def _joins(self, tree: _Tree, node: int) -> bool:
        """Return whether a node is a coordination: by its category, or by a conjunction right under it."""
        conjunction = any(label in self.map.conjunctions for label, _ in tree.children[node][1:])
        return tree.labels[node] in self.map.coordination or conjunction

    def _alone(self, tree: _Tree, node: int, otherwise: str) -> str:
        """Return the type of a bracket that nothing else explains."""
        words = tree.yields[node]
        single = len(tree.children[node]) == 1 or tree.yields.count(words) > 1
        return "unary" if single else otherwise


def _indices(words: int) -> list[int]:
    """Return the indices of a set of words."""
    return [index for index, bit in enumerate(reversed(f"{words:b}")) if bit == "1"]


def _surplus(tree: _Tree, opposite: _Tree) -> list[int]:
    """Return the nodes of one tree that the other lacks. Of several equal nodes, only the surplus ones."""
    brackets = list(zip(tree.labels, tree.yields, strict=True))
    opposite_brackets = list(zip(opposite.labels, opposite.yields, strict=True))
    if len(set(brackets)) == len(brackets):
        opposite_set = set(opposite_brackets)
        return [node for node, bracket in enumerate(brackets) if bracket not in opposite_set]
    remaining = Counter(brackets) - Counter(opposite_brackets)
    surplus = []
    for node, bracket in enumerate(brackets):
        if remaining[bracket] > 0:
            remaining[bracket] -= 1
            surplus.append(node)
    return surplus
