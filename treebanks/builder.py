"""Treebanks built token by token, for readers of formats that do not need a compiled loop."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from itertools import repeat
from typing import Any

import numpy as np

from crossbank.treebanks.arrays import offsets_of
from crossbank.treebanks.diagnosis import Finding
from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.tables import ABSENT, TABLES
from crossbank.treebanks.treebank import Treebank
from crossbank.treebanks.validation import refuse_unsound
from crossbank.treebanks.vocabulary import Vocabulary


class TreebankBuilder:
    """Collects sentences in any order of nodes and makes the treebank.

    Call ``sentence`` first, then ``token``, ``node`` and the others for that sentence. Parents,
    heads and edge ends are positions within the sentence, in the order of the calls; a parent may
    be a node that is added later.

    >>> builder = TreebankBuilder(source="example")
    >>> builder.sentence(id="s1")
    >>> builder.token(form="Anna", pos="NE", parent=0)
    0
    >>> builder.node(label="NP")
    0
    >>> builder.build()
    <Treebank of 1 sentence, 1 token, 1 node>
    """

    def __init__(self, source: str = "") -> None:
        self._source = source
        self._codes = Codes({"": 0})
        self._columns = {name: {c: array("i") for c in table.columns()} for name, table in TABLES.items()}
        self._lengths: dict[str, list[int]] = {name: [] for name in TABLES}
        self._events: dict[str, dict[int, int]] = {}
        self._sentences = 0

    def _row(self, table: str, values: Mapping[str, str | int]) -> int:
        columns = self._columns[table]
        try:
            for name, column in columns.items():
                value = values.get(name)
                if value is None:
                    column.append(ABSENT.get(name, 0))
                elif isinstance(value, str):
                    column.append(self._codes[value])
                else:
                    column.append(value)
        except OverflowError as error:
            raise self._too_large(table) from error
        if unknown := [name for name in values if name not in columns]:
            raise TypeError(f"{table} have no {', '.join(unknown)}")
        lengths = self._lengths[table]
        lengths[-1] += 1
        return lengths[-1] - 1

    def _too_large(self, table: str) -> CrossbankError:
        where, problem = self._source or "treebank", f"a number among its {table} that 32 bits do not hold"
        expected = "an index in the sentence"
        return CrossbankError(f"{where}: sentence {self._sentences}: found {problem}, expected {expected}")

    def _rows(self, table: str, columns: Mapping[str, Sequence[str] | Sequence[int]]) -> None:
        count = len(next(iter(columns.values())))
        if any(len(values) != count for values in columns.values()):
            raise ValueError(f"{table}: columns of different length")
        try:
            for name, column in self._columns[table].items():
                values: Any = columns.get(name)
                if values is None:
                    column.extend(repeat(ABSENT.get(name, 0), count))
                elif name in TABLES[table].STRINGS:
                    column.extend(map(self._codes.__getitem__, values))
                else:
                    column.extend(values)
        except OverflowError as error:
            raise self._too_large(table) from error
        if unknown := [name for name in columns if name not in self._columns[table]]:
            raise TypeError(f"{table} have no {', '.join(unknown)}")
        self._lengths[table][-1] += count

    def sentence(
        self,
        *,
        id: str = "",
        line: int = 0,
        comments: str = "",
        analysis: int = 0,
        score: str = "",
        chosen: bool = False,
    ) -> None:
        """Begin a sentence, or a further analysis of the one before: see ``treebanks.readings``.

        ``comments`` are its comment lines joined by newlines.
        """
        for lengths in self._lengths.values():
            lengths.append(0)
        self._sentences += analysis == 0
        columns: dict[str, str | int] = {"id": id, "line": line, "comments": comments, "analysis": analysis}
        columns |= {"score": score, "chosen": int(chosen)}
        self._row("sentences", columns | {"ordinal": self._sentences, "source": self._source})

    def token(self, **columns: str | int) -> int:
        """Add a token; returns its position in the sentence."""
        return self._row("tokens", columns)

    def tokens(self, **columns: Sequence[str] | Sequence[int]) -> None:
        """Add tokens column by column, which is several times faster than one by one."""
        self._rows("tokens", columns)

    def nodes(self, **columns: Sequence[str] | Sequence[int]) -> None:
        """Add nodes column by column."""
        self._rows("nodes", columns)

    def node(self, **columns: str | int) -> int:
        """Add a node; returns its position in the sentence."""
        return self._row("nodes", columns)

    def secondary(self, *, label: str, child: int, parent: int) -> None:
        """Add a secondary edge; an end is token ``i`` written ``i`` or node ``j`` written ``-1 - j``."""
        self._row("secondary", {"label": label, "child": child, "parent": parent})

    def multiword(self, **columns: str | int) -> None:
        """Add a surface token that covers tokens ``first`` to ``last``."""
        self._row("multiword", columns)

    def empty(self, **columns: str | int) -> None:
        """Add an empty node after token ``anchor``."""
        self._row("empty", columns)

    def count_event(self, event: str, times: int = 1) -> None:
        """Count an event of the sentence for the diagnosis, such as something dropped or guessed."""
        counts = self._events.setdefault(event, {})
        sentence = len(self._lengths["sentences"]) - 1
        counts[sentence] = counts.get(sentence, 0) + times

    def relation(self, **columns: str | int) -> int:
        """Add a grammatical relation; returns its position in the sentence."""
        return self._row("relations", columns)

    def relations(self, **columns: Sequence[str] | Sequence[int]) -> None:
        """Add grammatical relations column by column."""
        self._rows("relations", columns)

    def further_head(self, **columns: str | int) -> None:
        """Add a head to the relation at a position, after the heads it has."""
        self._row("further_heads", columns)

    def build(self) -> Treebank:
        """Return the treebank, its nodes in pre-order; nodes without a word are omitted and counted.

        Raises ConversionError if the parents of nodes form a cycle, CrossbankError where another position
        is not there.
        """
        parts: dict[str, Any] = {}
        for name, table in TABLES.items():
            columns = {c: np.array(values, np.int32) for c, values in self._columns[name].items()}
            parts[name] = table.of(offsets_of(np.array(self._lengths[name], np.int64)), **columns)
        bank = Treebank.of_tables(Vocabulary(tuple(self._codes)), **parts)
        refuse_unsound(bank, self._source or "treebank", trees=False)
        bank = ordered(bank)
        findings = [
            Finding("read", event, np.bincount([*times], [*times.values()], len(bank)).astype(np.int32))
            for event, times in self._events.items()
        ]
        return bank.diagnosed(tuple(findings))


def ordered(bank: Treebank) -> Treebank:
    """Put nodes in pre-order, edges by child, and count nodes without words. Raises ConversionError."""
    arranged = bank.with_structure()
    lost = (bank.nodes.lengths() - arranged.nodes.lengths()).astype(np.int32)
    if lost.any():
        arranged = arranged.diagnosed((Finding("read", "nodes without a word dropped", lost),))
    edges = arranged.secondary
    if len(edges) == 0:
        return arranged
    index = np.where(edges.child >= 0, edges.child, 2**30 - edges.child)
    order = np.lexsort((index, edges.sentence_of_row()))
    columns = {column: getattr(edges, column)[order] for column in edges.columns()}
    return arranged.replace(secondary=edges.replace(**columns))


class Codes(dict[str, int]):
    """Codes by string; a string that is requested the first time gets the next code."""

    def __missing__(self, string: str) -> int:
        self[string] = code = len(self)
        return code
