"""Checks that a treebank's tables are consistent, as they must be after every reader and transformation.

Compiled loops do not check the positions in tables. So tables from elsewhere (Parquet files,
``Treebank(...)``, formats and transformations of other packages) are checked by ``unsound`` first. Several
roots of dependencies and cycles of heads are allowed: no loop relies on trees of dependencies, and readers
accept what files have.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

import numpy as np

from crossbank.treebanks.arrangement import arrange, first_unsound
from crossbank.treebanks.arrays import BoolArray
from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.tables import NO_PARENT, NO_TOKEN, TABLES, UNATTACHED, Table, Tables, node_end


@dataclass(frozen=True)
class InvalidSentence:
    """A problem of a sentence.

    sentence  its number in the treebank, from 0
    what      the fault as a short phrase, with tokens and nodes counted from 1
    """

    sentence: int
    what: str

    @property
    def message(self) -> str:
        """Return the problem with the sentence counted from 1."""
        return f"{self.what} (sentence {self.sentence + 1})"


def unsound(bank: Tables, *, strings: bool = True, trees: bool = True) -> InvalidSentence | None:
    """Return the first problem that could make a loop read outside of a table; None if there is none.

    strings  whether codes are compared with the vocabulary
    trees    whether nodes are already in pre-order
    """
    if problem := _frames(bank):
        return InvalidSentence(0, problem)
    checks = _Checks(bank)
    checks.tables(strings=strings, trees=trees)
    return min(checks.problems, key=lambda problem: problem.sentence, default=None)


def refuse_unsound(bank: Tables, where: str, *, trees: bool = True) -> None:
    """Raise CrossbankError, with the source of a treebank, if its tables are inconsistent; check it once."""
    if not isinstance(bank, Tables):
        raise CrossbankError(f"{where}: found an object of type {type(bank).__name__}, expected a Treebank")
    if bank.is_sound:
        return
    if problem := unsound(bank, trees=trees):
        raise CrossbankError(f"{where}: found {problem.message}, expected consistent tables")
    bank.is_sound = trees


class _Checks:
    def __init__(self, bank: Tables) -> None:
        self.bank = bank
        self.problems: list[InvalidSentence] = []

    def rows(self, table: Table, bad: BoolArray, what: str, item: str = "") -> None:
        """Report the rows of a table for which ``bad`` holds; ``item`` says what a row is."""
        if not bad.any():
            return
        sentence_of = table.sentence_of_row()
        for row in np.flatnonzero(bad).tolist():
            sentence = int(sentence_of[row])
            position = row - int(table.offsets[sentence]) + 1
            self.problems.append(InvalidSentence(sentence, f"{item} {position}: {what}" if item else what))

    def tables(self, *, strings: bool = True, trees: bool = True) -> None:
        """Check all that compiled loops rely on.

        Valid positions in trees, the largest part, are checked by one loop.
        """
        if strings:
            self.strings()
        if not trees:
            self.heads()
        elif first_unsound(self.bank.forest, self.bank.tokens.head, self.bank.nodes.head) >= 0:
            self.constituents()
            self.heads()
        self.analyses()
        self.references()
        self.relations()

    def strings(self) -> None:
        size = len(self.bank.vocabulary)
        for name in TABLES:
            table = getattr(self.bank, name)
            for column in table.STRINGS:
                codes = getattr(table, column)
                if len(codes) and (codes.min() < 0 or codes.max() >= size):
                    self.rows(table, (codes < 0) | (codes >= size), f"a {column} outside the vocabulary")

    def analyses(self) -> None:
        """Check that the first row begins a sentence."""
        sentences = self.bank.sentences
        if not sentences.analysis.any():
            return
        unbegun = sentences.analysis < 0
        unbegun[0] |= sentences.analysis[0] != 0
        self.rows(sentences, unbegun, "a further analysis has no first one before it")

    def constituents(self) -> None:
        tokens, nodes = self.bank.tokens, self.bank.nodes
        sentence_of_node = nodes.sentence_of_row()
        known = nodes.lengths()[tokens.sentence_of_row()]
        missing = (tokens.parent < NO_PARENT) | (tokens.parent >= known)
        self.rows(tokens, missing, "its parent does not exist", "token")
        position = np.arange(len(nodes)) - nodes.offsets[sentence_of_node]
        late = (nodes.parent < NO_PARENT) | (nodes.parent >= position)
        self.rows(nodes, late, "its parent does not come before it", "node")
        if missing.any() or late.any():
            return
        empty = self.bank.spans.size == 0
        self.rows(nodes, empty, "it dominates no token", "node")
        if not empty.any():
            order = arrange(self.bank.forest)[0]
            self.rows(nodes, order != np.arange(len(nodes)), "it is not at its index in pre-order", "node")

    def heads(self) -> None:
        nodes = self.bank.nodes
        there = self.bank.tokens.lengths()[nodes.sentence_of_row()]
        unknown = (nodes.head != UNATTACHED) & ((nodes.head < 0) | (nodes.head >= there))
        self.rows(nodes, unknown, "its lexical head does not exist", "node")
        tokens = self.bank.tokens
        missing = (tokens.head < UNATTACHED) | (tokens.head >= tokens.lengths()[tokens.sentence_of_row()])
        self.rows(tokens, missing, "its head does not exist", "token")

    def references(self) -> None:
        """Check secondary edges, multiword tokens and empty nodes."""
        tokens, nodes = self.bank.tokens.lengths(), self.bank.nodes.lengths()
        edges, words, empty = self.bank.secondary, self.bank.multiword, self.bank.empty
        if not (len(edges) or len(words) or len(empty)):
            return
        sentence = edges.sentence_of_row()
        for end in (edges.child, edges.parent):
            nowhere = (end >= tokens[sentence]) | (node_end(end) >= nodes[sentence])
            self.rows(edges, nowhere, "a secondary edge leads nowhere")
        sentence = words.sentence_of_row()
        nowhere = (words.first < 0) | (words.last < words.first) | (words.last >= tokens[sentence])
        self.rows(words, nowhere, "a multiword token covers no tokens")
        overlapping = np.zeros(len(words), np.bool_)
        overlapping[1:] = (sentence[1:] == sentence[:-1]) & (words.first[1:] <= words.last[:-1])
        self.rows(words, overlapping & ~nowhere, "multiword tokens overlap or are out of order")
        nowhere = (empty.anchor < -1) | (empty.anchor >= tokens[empty.sentence_of_row()])
        self.rows(empty, nowhere, "an empty node follows a token that does not exist")

    def relations(self) -> None:
        """Check grammatical relations and their further heads: the sentence must have their tokens."""
        tokens, relations, heads = self.bank.tokens.lengths(), self.bank.relations, self.bank.further_heads
        if not (len(relations) or len(heads)):
            return
        ends = (relations, relations.head_index), (relations, relations.dependent_index), (heads, heads.index)
        for table, index in ends:
            length = tokens[table.sentence_of_row()]
            nowhere = (index < NO_TOKEN) | ((length > 0) & (index >= length))
            self.rows(table, nowhere, "a relation has a word that does not exist")
        if relations.weight.any():
            codes, strings = np.unique(relations.weight).tolist(), self.bank.vocabulary
            wrong = [code for code in codes if 0 < code < len(strings) and not _is_number(strings[code])]
            bad = np.isin(relations.weight, wrong)
            self.rows(relations, bad, "a relation has a weight that is not a number")
        count = relations.lengths()[heads.sentence_of_row()]
        nowhere = (heads.relation < 0) | (heads.relation >= count)
        self.rows(heads, nowhere, "a further head belongs to a relation that does not exist")


def _is_number(written: str) -> bool:
    try:
        return isfinite(float(written))
    except ValueError:
        return False


def _frames(bank: Tables) -> str:
    """Return the reason why the tables cannot be cut into sentences, or the empty string."""
    for name in TABLES:
        table = getattr(bank, name)
        if len(table.offsets) != len(bank) + 1:
            number = quantity(len(table.offsets) - 1, "sentence")
            return f"{name} have offsets for {number}, not for {len(bank)}"
        for column in ("offsets", *table.columns()):
            values, dtype = getattr(table, column), np.int64 if column == "offsets" else np.int32
            if not isinstance(values, np.ndarray) or values.dtype != dtype or values.ndim != 1:
                return f"{name} have {column} that are no array of {np.dtype(dtype)} in one dimension"
            if not values.flags.c_contiguous:
                return f"{name} have {column} that are not contiguous"
        if table.offsets[0] != 0 or (np.diff(table.offsets) < 0).any():
            return f"{name} have offsets that do not ascend from 0"
        for column in table.columns():
            if len(getattr(table, column)) != len(table):
                return f"{name} have {len(getattr(table, column))} of {column}, not {len(table)}"
    return ""
