"""Losses of a treebank that is written in a format and read again.

File, line and number of a sentence are not compared. Two nodes are the same if they dominate the same tokens;
of several over the same tokens, those with the same label.
"""

from __future__ import annotations

import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from crossbank.treebanks.arrays import BoolArray, Int32Array
from crossbank.treebanks.errors import CrossbankError, OptionError
from crossbank.treebanks.extras import MissingExtraError
from crossbank.treebanks.formats import read, write
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.tables import ABSENT, NO_PARENT, node_end
from crossbank.treebanks.treebank import Treebank

Change: TypeAlias = Literal["lost", "changed", "added"]

CHANGES: tuple[Change, ...] = ("lost", "changed", "added")

COLUMNS = {
    "sentences": ("id", "comments"),
    "tokens": (
        "form", "lemma", "pos", "xpos", "morph", "function", "relation", "deps", "misc", "head",
    ),
    "nodes": ("label", "function", "morph", "name", "misc", "head"),
}  # fmt: skip
"""The columns that are compared value by value."""

FURTHER = ("secondary", "multiword", "empty", "relations", "further_heads")
"""The tables that are compared by whole rows."""


class Refused(NamedTuple):
    """A sentence that a format cannot hold: its file and line, and the message of the writer or reader."""

    sentence: str
    where: str
    reason: str


@dataclass
class Difference:
    """One difference, of ``tokens.lemma``, ``nodes`` ...: the number of values or rows, and the sentences."""

    what: str
    counts: dict[Change, int] = field(default_factory=lambda: dict.fromkeys(CHANGES, 0))
    sentences: set[int] = field(default_factory=set)


@dataclass(frozen=True)
class RoundTrip:
    """Numbers of sentences that were read again and that are unchanged, and the differences of the others.

    differences  in the order of tables and columns; sentences are indices in the treebank
    refused      sentences that the format cannot hold
    """

    format: str
    sentences: int
    same: int
    differences: Sequence[Difference]
    refused: Sequence[Refused]


def round_trip(bank: Treebank, format: str) -> RoundTrip:
    """Write a treebank in a format, read it again and compare. Raises OptionError for a read-only format."""
    differences: dict[str, Difference] = {}
    refused: list[Refused] = []
    differing: set[int] = set()
    with tempfile.TemporaryDirectory() as folder:
        for sentences, result in _in_parts(bank, format, Path(folder) / "written"):
            if isinstance(result, Treebank):
                for what, change, sentence, count in _differences(bank.select(sentences), result):
                    difference = differences.setdefault(what, Difference(what))
                    difference.counts[change] += count
                    difference.sentences.add(int(sentences[sentence]))
                    differing.add(int(sentences[sentence]))
            else:
                first_sentence = int(sentences[0])
                refused.append(Refused(bank.sentence_id(first_sentence), bank.where(first_sentence), result))
    order = [*(f"{table}.{column}" for table, columns in COLUMNS.items() for column in columns), *FURTHER]
    known = {
        what: first_sentence
        for first_sentence, what in enumerate(["tokens", "tokens.parent", "nodes", *order])
    }
    return RoundTrip(
        format,
        len(bank),
        len(bank) - len(refused) - len(differing),
        sorted(differences.values(), key=lambda difference: known[difference.what]),
        refused,
    )


def _in_parts(bank: Treebank, format: str, path: Path) -> Iterator[tuple[NDArray[np.intp], Treebank | str]]:
    """Yield parts that can be read again, or the reason for a single sentence; a refused part is halved."""
    waiting: list[NDArray[np.intp]] = [np.arange(len(bank), dtype=np.intp)] if len(bank) else []
    while waiting:
        sentences = waiting.pop()
        # A part over its own strings: formats look at every string of the vocabulary.
        part = bank if len(sentences) == len(bank) else bank.select(sentences).compact()
        try:
            write(part, path, format)
            back = read(path, format)
            if len(back) != len(sentences):
                raise CrossbankError(f"found {quantity(len(back), 'sentence')}, expected {len(sentences)}")
        except (OptionError, MissingExtraError):
            raise
        except CrossbankError as error:
            if len(sentences) == 1:
                message, actual = str(error), str(error).partition("found ")[2]
                yield (
                    sentences,
                    f"found {actual.partition(' (')[0]}" if actual else message.rpartition(": ")[2],
                )
            else:
                middle = len(sentences) // 2
                waiting += [sentences[middle:], sentences[:middle]]
        else:
            yield sentences, back


def _differences(bank: Treebank, back: Treebank) -> Iterator[tuple[str, Change, int, int]]:
    """Yield each difference: the column or table, its kind, its sentence and the number of cases there."""
    missing = bank.tokens.lengths() - back.tokens.lengths()
    for sentence in np.flatnonzero(missing).tolist():
        count = int(missing[sentence])
        yield "tokens", "lost" if count > 0 else "added", sentence, abs(count)
    same_words = np.flatnonzero(missing == 0).astype(np.intp)
    if len(same_words) < len(bank):
        bank, back = bank.select(same_words), back.select(same_words)
    differences = _same_words(bank, back)
    yield from (
        (what, change, int(same_words[sentence]), count) for what, change, sentence, count in differences
    )


def _same_words(bank: Treebank, back: Treebank) -> Iterator[tuple[str, Change, int, int]]:
    """Yield the differences of treebanks with the same number of words in each sentence."""
    match, added = _matched_nodes(bank, back)
    of_node = bank.nodes.sentence_of_row()
    yield from _counted("nodes", "lost", of_node[match < 0])
    yield from _counted("nodes", "added", back.nodes.sentence_of_row()[added])
    yield from _parents(bank, back, match)
    codes = bank.vocabulary.translation(back.vocabulary)
    matched = match >= 0
    of_nodes: tuple[Any, Any] = matched, (back.nodes.begins(bank.nodes) + match)[matched]
    for table, columns in COLUMNS.items():
        original, read_back = getattr(bank, table), getattr(back, table)
        rows, rows_read_back = of_nodes if table == "nodes" else (slice(None), slice(None))
        sentence = original.sentence_of_row()[rows]
        for column in columns:
            old, new = getattr(original, column)[rows], getattr(read_back, column)[rows_read_back]
            old = codes[old] if column in original.STRINGS else old
            for change, mask in _changes(old, new, ABSENT.get(column, 0)):
                yield from _counted(f"{table}.{column}", change, sentence[mask])
    for table in FURTHER:
        yield from _rows(bank, back, table, match)


def _counted(what: str, change: Change, sentences: Int32Array) -> Iterator[tuple[str, Change, int, int]]:
    distinct, counts = np.unique(sentences, return_counts=True)
    for sentence, count in zip(distinct.tolist(), counts.tolist(), strict=True):
        yield what, change, sentence, count


def _changes(old: Int32Array, new: Int32Array, absent: int) -> list[tuple[Change, BoolArray]]:
    differing = old != new
    return [
        ("lost", differing & (old != absent) & (new == absent)),
        ("changed", differing & (old != absent) & (new != absent)),
        ("added", differing & (old == absent)),
    ]


def _matched_nodes(bank: Treebank, back: Treebank) -> tuple[Int32Array, BoolArray]:
    """Return the index of each node in the sentence that was read back, or -1; a mask of the new nodes."""
    match = np.full(len(bank.nodes), -1, np.int32)
    added = np.ones(len(back.nodes), np.bool_)
    for sentence in range(len(bank)):
        original, rows_back = bank.nodes.rows(sentence), back.nodes.rows(sentence)
        words = bank.tokens.rows(sentence)
        if np.array_equal(bank.nodes.parent[original], back.nodes.parent[rows_back]) and np.array_equal(
            bank.tokens.parent[words], back.tokens.parent[words]
        ):
            match[original] = np.arange(original.stop - original.start)
            added[rows_back] = False
            continue
        labels = bank.labels(sentence), back.labels(sentence)
        covered = bank.yields(sentence), back.yields(sentence)
        for by_label in (True, False):
            waiting: defaultdict[Any, list[int]] = defaultdict(list)
            for node in range(len(covered[1]) - 1, -1, -1):
                if added[rows_back.start + node]:
                    waiting[covered[1][node], labels[1][node] if by_label else ""].append(node)
            for node, words_under in enumerate(covered[0]):
                alike = waiting[words_under, labels[0][node] if by_label else ""]
                if match[original.start + node] < 0 and alike:
                    match[original.start + node] = alike.pop()
                    added[rows_back.start + match[original.start + node]] = False
    return match, added


def _parents(bank: Treebank, back: Treebank, match: Int32Array) -> Iterator[tuple[str, Change, int, int]]:
    """Yield words that hang on another node than before; if that node is gone, they count as lost with it."""
    tokens = bank.tokens
    base = bank.nodes.begins(tokens)
    hanging = tokens.parent >= 0
    expected = np.full(len(tokens), NO_PARENT, np.int32)
    expected[hanging] = match[base[hanging] + tokens.parent[hanging]]
    gone = hanging & (expected < 0)
    for change, mask in _changes(np.where(gone, back.tokens.parent, expected), back.tokens.parent, NO_PARENT):
        yield from _counted("tokens.parent", change, tokens.sentence_of_row()[mask])


def _rows(
    bank: Treebank, back: Treebank, table: str, match: Int32Array
) -> Iterator[tuple[str, Change, int, int]]:
    """Yield the rows of a table that are lost and added; a changed row is both."""
    original, read_back = getattr(bank, table), getattr(back, table)
    for sentence in np.flatnonzero(original.lengths() + read_back.lengths()).tolist():
        old, new = Counter(_written(bank, table, sentence, match)), Counter(_written(back, table, sentence))
        for change, count in (("lost", (old - new).total()), ("added", (new - old).total())):
            if count:
                yield table, change, sentence, count  # type: ignore[misc]


def _written(
    bank: Treebank, table: str, sentence: int, match: Int32Array | None = None
) -> Iterator[tuple[Any, ...]]:
    """Return a sentence's rows as values; ends of edges in nodes are mapped to the nodes read back."""
    rows = getattr(bank, table)
    part = rows.rows(sentence)
    columns: list[list[Any]] = []
    for name in rows.columns():
        values = getattr(rows, name)[part]
        if name in rows.STRINGS:
            columns.append(bank.vocabulary.decode(values))
        elif table == "secondary" and match is not None:
            base = int(bank.nodes.offsets[sentence])
            columns.append(
                [e if e >= 0 else node_end(int(match[base + node_end(e)])) for e in values.tolist()]
            )
        else:
            columns.append(values.tolist())
    return zip(*columns, strict=True)
