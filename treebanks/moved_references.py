"""Sentences joined, and tokens put into other columns: everything that refers to tokens and nodes follows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from crossbank.treebanks.arrays import Int32Array, Int64Array, offsets_of
from crossbank.treebanks.diagnosis import Finding
from crossbank.treebanks.tables import ABSENT, TABLES, Table, Tokens
from crossbank.treebanks.treebank import Treebank

OF_TOKENS = {
    "tokens": ("head",),
    "nodes": ("head",),
    "secondary": ("child", "parent"),
    "multiword": ("first", "last"),
    "empty": ("anchor",),
    "relations": ("head_index", "dependent_index"),
    "further_heads": ("index",),
}
"""The columns that hold indices of tokens; negative values are none."""

OF_NODES = {"tokens": ("parent",), "nodes": ("parent",)}
"""The columns that hold indices of nodes. Ends of secondary edges are nodes where they are negative."""


def with_token_columns(bank: Treebank, source: NDArray[np.integer], offsets: Int64Array) -> Treebank:
    """Return a treebank with other columns of tokens: the token of each, or a new one.

    source   the row of the token in each new column, -1 for a new token; all tokens occur, in their order,
             and what occurs again repeats the same word under the same node
    offsets  those of the new columns, shape ``(sentences + 1,)``

    What refers to a token refers to its first column. New and repeated tokens have no head; new ones have no
    node above, and empty strings.
    """
    tokens = bank.tokens
    is_new = source < 0
    first_columns, last_columns = (np.empty(len(tokens), np.int64) for _ in range(2))
    columns = np.arange(len(source)) - np.repeat(offsets[:-1], np.diff(offsets))
    last_columns[source[~is_new]] = columns[~is_new]
    first_columns[source[~is_new][::-1]] = columns[~is_new][::-1]
    moved: dict[str, Any] = {}
    for name, references in OF_TOKENS.items():
        table = getattr(bank, name)
        if not len(table):
            continue
        begin = tokens.begins(table)
        changed = {}
        for column in references:
            old = getattr(table, column)
            # Lists of relations may have indices of words that are no tokens.
            row = np.where(old >= 0, begin + old, 0)
            known = (old >= 0) & (row < np.repeat(tokens.offsets[1:], table.lengths()))
            new = (last_columns if column == "last" else first_columns)[np.where(known, row, 0)]
            changed[column] = np.where(known, new, old).astype(np.int32)
        moved[name] = table.replace(**changed)
    words = moved.get("tokens", tokens)
    taken = np.where(is_new, 0, source)
    of_tokens = {}
    for name in words.known():
        values = getattr(words, name)[taken] if len(tokens) else np.zeros(len(source), np.int32)
        of_tokens[name] = np.where(is_new, ABSENT.get(name, 0), values).astype(np.int32)
    if "head" in of_tokens:
        is_repeated = np.ones(len(source), np.bool_)
        is_repeated[(first_columns + np.repeat(offsets[:-1], tokens.lengths()))] = False
        of_tokens["head"][is_repeated] = ABSENT["head"]
    moved["tokens"] = Tokens.of(offsets, **of_tokens)
    return bank.replace(**moved)


def with_joined_sentences(bank: Treebank, rows: Int64Array, sentences: int, names: Int64Array) -> Treebank:
    """Return a treebank in which sentences are put together.

    rows       the sentence to which each belongs afterwards, in ascending order, shape ``(sentences,)``
    sentences  their number afterwards; those to which none belongs have no words
    names      the sentence of each of them whose identifier and position it has

    Joined trees are roots side by side.
    """
    shifts = {name: _shifts(getattr(bank, name), rows) for name in ("tokens", "nodes", "relations")}
    tables: dict[str, Any] = {"sentences": bank.sentences.select(names)}
    for name in TABLES:
        if name == "sentences":
            continue
        table = getattr(bank, name)
        lengths = np.bincount(rows, table.lengths(), sentences).astype(np.int64)
        columns = {column: getattr(table, column) for column in table.known()}
        repeated = {of: np.repeat(shift, table.lengths()) for of, shift in shifts.items()}
        for column in OF_TOKENS.get(name, ()):
            if column in columns:
                columns[column] = _shifted(columns[column], repeated["tokens"])
        for column in OF_NODES.get(name, ()):
            if column in columns:
                columns[column] = _shifted(columns[column], repeated["nodes"])
        if name == "secondary":
            for column in OF_TOKENS[name]:
                ends = columns.get(column, getattr(table, column))
                is_node = getattr(table, column) < 0
                columns[column] = np.where(is_node, ends - repeated["nodes"], ends).astype(np.int32)
        if name == "further_heads" and "relation" in columns:
            columns["relation"] = _shifted(columns["relation"], repeated["relations"])
        tables[name] = type(table).of(offsets_of(lengths), **columns)
    findings = tuple(
        Finding(one.step, one.event, np.bincount(rows, one.counts, sentences).astype(np.int32))
        for one in bank.diagnosis
    )
    return bank.replace(diagnosis=findings, **tables)


def _shifts(table: Table, rows: Int64Array) -> Int64Array:
    """Return the number of rows of a table before each sentence among those that are joined with it."""
    begins = table.offsets[:-1]
    first = np.searchsorted(rows, rows, side="left")
    shifts: Int64Array = begins - begins[first]
    return shifts


def _shifted(column: Int32Array, shift: NDArray[np.integer]) -> Int32Array:
    return np.where(column >= 0, column + shift, column).astype(np.int32)
