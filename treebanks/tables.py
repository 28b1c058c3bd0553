"""Tables of a treebank: columns of equal length, cut into sentences by offsets.

Every position inside a table (a token's parent, a head, an edge's ends) is counted from the
beginning of its own sentence, so sentences can be selected and joined without rewriting them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cache, lru_cache
from typing import Any, ClassVar, Self, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from crossbank.treebanks.arrangement import Extents, count_blocks, measure
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array, offsets_of
from crossbank.treebanks.cached_properties import cached_property
from crossbank.treebanks.code_columns import count_flags, numbers_of_codes
from crossbank.treebanks.diagnosis import Diagnosis
from crossbank.treebanks.errors import FormatError, SentenceError
from crossbank.treebanks.forest import Forest
from crossbank.treebanks.ranges import in_ranges
from crossbank.treebanks.vocabulary import Vocabulary

End = TypeVar("End", int, Int32Array)
Value = TypeVar("Value")
Codes: TypeAlias = Int32Array
"""A column that holds codes of the vocabulary."""

NO_PARENT = -1
"""The parent of a token or node without a parent: a root of its sentence."""

ROOT = -1
"""The head of a token that is the root of its dependency tree."""

UNATTACHED = -2
"""The head of a token without a head, and the lexical head of a node whose head is not marked."""

NO_TOKEN = -1
"""The token of a slot of a relation that is empty, or whose word has no known position."""

ABSENT = {"parent": NO_PARENT, "head": UNATTACHED, "head_index": NO_TOKEN, "dependent_index": NO_TOKEN}
"""The value of a column of positions that is not given; columns of strings have code 0."""

LARGEST = 2**31 - 1
"""The largest number that tables hold. No sentence has a token of that number."""


def whole_number(digits: str) -> int:
    """Return the number of a string of decimal digits; ``LARGEST`` for more than nine digits.

    A file may have thousands of digits, which ``int`` refuses and tables cannot hold.

    >>> whole_number("007"), whole_number("9" * 5000) == LARGEST
    (7, True)
    """
    return int(digits) if len(digits.lstrip("0")) <= 9 else LARGEST


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of equal length; rows ``offsets[i]:offsets[i + 1]`` belong to sentence ``i``."""

    offsets: Int64Array

    STRINGS: ClassVar[tuple[str, ...]] = ()
    """The columns that hold codes of the vocabulary."""

    _zeros: ClassVar[tuple[str, ...]] = ()
    """The columns that are zeros where they are not given."""

    _positions: ClassVar[tuple[tuple[str, int], ...]] = ()
    """The other columns, with their value where they are not given."""

    def __init_subclass__(cls) -> None:
        cls.STRINGS = tuple(name for name, kind in cls.__annotations__.items() if kind == "Codes")
        cls._zeros = tuple(name for name in cls.__annotations__ if name not in ABSENT)
        cls._positions = tuple((name, ABSENT[name]) for name in cls.__annotations__ if name in ABSENT)

    def __len__(self) -> int:
        return int(self.offsets[-1])

    @classmethod
    @cache
    def columns(cls) -> tuple[str, ...]:
        """Return the names of the columns, without ``offsets``."""
        return tuple(field.name for field in fields(cls) if field.name != "offsets")

    @classmethod
    @lru_cache(maxsize=128)
    def empty(cls, sentences: int) -> Self:
        """Return a table of this many sentences without a row.

        It may be shared, since tables are never changed.
        """
        offsets = np.zeros(sentences + 1, np.int64)
        offsets.flags.writeable = False
        return cls.of(offsets)

    @classmethod
    def of(cls, offsets: Int64Array, **columns: Int32Array) -> Self:
        """Return a table from the columns that are known. The others hold empty strings and no parents."""
        rows = int(offsets[-1])
        for name, column in columns.items():
            if len(column) != rows:
                raise ValueError(f"{name} has {len(column)} rows, the offsets say {rows}")
        made = object.__new__(cls)
        # All columns without values share one array.
        held = made.__dict__
        held.update(dict.fromkeys(cls._zeros, constant(rows, 0)))
        for name, value in cls._positions:
            held[name] = columns[name] if name in columns else constant(rows, value)
        held.update(columns, offsets=offsets)
        if len(held) > len(cls._zeros) + len(cls._positions) + 1:
            raise TypeError(f"{cls.__name__} has no {', '.join(sorted(columns.keys() - cls.columns()))}")
        return made

    def known(self) -> list[str]:
        """Return the columns that have values; the others need not be copied."""
        held, zeros = self.__dict__, constant(0, 0).base
        # Most columns are absent: this comparison saves a call for each.
        names = [name for name in self.columns() if held[name].base is not zeros]
        return [name for name in names if not _is_absent(name, held[name])]

    def lacks(self, column: str) -> bool:
        """Return whether a column is ``absent``: no row has a value in it."""
        return _is_absent(column, getattr(self, column))

    def rows(self, sentence: int) -> slice:
        """Return the rows of one sentence."""
        return slice(int(self.offsets[sentence]), int(self.offsets[sentence + 1]))

    def sentence_of(self, row: int) -> int:
        """Return the sentence that a row belongs to."""
        return int(np.searchsorted(self.offsets, row, side="right")) - 1

    def lengths(self) -> Int64Array:
        """Return rows per sentence, shape ``(sentences,)``."""
        return self.offsets[1:] - self.offsets[:-1]

    def sentence_of_row(self) -> Int32Array:
        """Return the sentence that each row belongs to, shape ``(rows,)``."""
        return np.repeat(np.arange(len(self.offsets) - 1, dtype=np.int32), self.lengths())

    def counted(self, rows: BoolArray) -> Int32Array:
        """Return the number of rows of a mask in each sentence, shape ``(sentences,)``."""
        return count_flags(self.offsets, rows)

    def begins(self, rows: Table) -> Int64Array:
        """Return the first row here of the sentence of each row of another table, shape ``(its rows,)``."""
        return np.repeat(self.offsets[:-1], rows.lengths())

    def indices(self) -> Int32Array:
        """Return the index of each row in its sentence, shape ``(rows,)``."""
        return (np.arange(len(self)) - self.begins(self)).astype(np.int32)

    def replace(self, **columns: Int32Array) -> Self:
        """Return the table with some columns replaced."""
        if not columns.keys() <= self.__dict__.keys():
            unknown = ", ".join(columns.keys() - self.__dict__.keys())
            raise TypeError(f"{type(self).__name__} has no {unknown}")
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__, **columns)
        return made

    def select(self, sentences: NDArray[np.integer]) -> Self:
        """Return the rows of some sentences, in the order given."""
        lengths = self.lengths()[sentences]
        offsets = offsets_of(lengths)
        taken = np.repeat(self.offsets[:-1][sentences] - offsets[:-1], lengths) + np.arange(offsets[-1])
        return type(self).of(offsets, **{name: getattr(self, name)[taken] for name in self.known()})

    def between(self, first: int, last: int) -> Self:
        """Return the rows of the sentences ``first`` to ``last - 1``: views of the same memory."""
        offsets = self.offsets[first : last + 1]
        rows = slice(int(offsets[0]), int(offsets[-1]))
        columns = {name: getattr(self, name)[rows] for name in self.columns()}
        return type(self)(offsets - offsets[0], **columns)

    def take(self, rows: NDArray[np.bool_]) -> Self:
        """Return the rows that a mask keeps; positions inside the columns are left as they are."""
        row_numbers = np.flatnonzero(rows).astype(np.int32)
        return self.taken(row_numbers, np.searchsorted(row_numbers, self.offsets).astype(np.int64))

    def taken(self, rows: Int32Array, offsets: Int64Array, **columns: Int32Array) -> Self:
        """Return some rows with new sentence offsets; ``columns`` replace the table's own."""
        # A column's values by rows are gathered as numbers by codes are.
        taken = {
            name: numbers_of_codes(rows, getattr(self, name)) for name in self.known() if name not in columns
        }
        return type(self).of(offsets, **taken, **columns)

    def extended(
        self, sentences: NDArray[np.integer], **columns: Int32Array
    ) -> tuple[Self, NDArray[np.intp], NDArray[np.intp]]:
        """Return the table with further rows, which come after the other rows of their sentence.

        ``sentences`` has the sentence of each new row, in ascending order. Columns that are not given
        hold empty strings and no parents. Returns the table, and the indices of the old and the new rows.
        """
        offsets = offsets_of(self.lengths() + np.bincount(sentences, minlength=len(self.offsets) - 1))
        is_new = np.zeros(int(offsets[-1]), np.bool_)
        is_new[self.offsets[1:][sentences] + np.arange(len(sentences))] = True
        old, new = np.flatnonzero(~is_new), np.flatnonzero(is_new)
        extended: dict[str, Int32Array] = {}
        for name in {*self.known(), *columns}:
            column = extended[name] = np.full(len(is_new), ABSENT.get(name, 0), np.int32)
            column[old] = getattr(self, name)
            if name in columns:
                column[new] = columns[name]
        return type(self).of(offsets, **extended), old, new

    @classmethod
    def concatenate(cls, tables: Sequence[Self]) -> Self:
        """Return the tables' sentences one after the other; their codes must be of one vocabulary."""
        offsets = offsets_of(np.concatenate([table.lengths() for table in tables]))
        known = {name for table in tables for name in table.known()}
        return cls.of(
            offsets, **{name: np.concatenate([getattr(table, name) for table in tables]) for name in known}
        )

    def recoded(self, codes: Int32Array) -> Self:
        """Return the same table with every code ``c`` replaced by ``codes[c]``."""
        return self.replace(
            **{
                name: numbers_of_codes(getattr(self, name), codes)
                for name in self.known()
                if name in self.STRINGS
            }
        )


@dataclass(frozen=True, eq=False)
class Sentences(Table):
    """One row per sentence.

    id        the identifier the file gives; empty if it gives none
    ordinal   1 for the first sentence of its file, and so on; analyses of one sentence have the same
    source    the file
    line      where the sentence begins in it, from 1; 0 where unknown
    comments  the comment lines before the sentence, joined by newlines
    analysis, score, chosen
              for sentences with several analyses: the number of the row's analysis, from 0, its score as
              written, and whether it is marked as the right one (``treebanks.readings``)
    """

    id: Codes
    ordinal: Int32Array
    source: Codes
    line: Int32Array
    comments: Codes
    analysis: Int32Array
    score: Codes
    chosen: Int32Array

    @classmethod
    def numbered(cls, count: int, source: int, **columns: Int32Array) -> Self:
        """Return the rows of the ``count`` sentences of one file, whose name has the code ``source``."""
        sources = np.empty(count, np.int32)
        sources.fill(source)
        ordinal = np.arange(1, count + 1, dtype=np.int32)
        return cls.of(np.arange(count + 1, dtype=np.int64), ordinal=ordinal, source=sources, **columns)


@dataclass(frozen=True, eq=False)
class Tokens(Table):
    """One row per token, in textual order.

    form, lemma, pos, morph  as the treebank has them; ``pos`` is UPOS in CoNLL-U, CPOSTAG in CoNLL-X
    xpos, deps, misc         the further columns of the CoNLL formats; comments of the export format
    function                 the label of the edge to ``parent``
    parent                   the node above the token, or ``NO_PARENT``
    head                     the token it depends on, ``ROOT`` or ``UNATTACHED``
    relation                 the label of that dependency
    """

    form: Codes
    lemma: Codes
    pos: Codes
    xpos: Codes
    morph: Codes
    function: Codes
    relation: Codes
    deps: Codes
    misc: Codes
    parent: Int32Array
    head: Int32Array


@dataclass(frozen=True, eq=False)
class Nodes(Table):
    """One row per phrasal node, in pre-order: a parent comes before its children.

    label, function  category and the label of the edge to ``parent``
    morph, misc      the further columns and comments of the export format
    name             the node's identifier in its file (``500``), without the sentence's
    parent           the node above it, or ``NO_PARENT``
    head             the token that is its lexical head, or ``UNATTACHED`` while heads are not marked
    """

    label: Codes
    function: Codes
    morph: Codes
    name: Codes
    misc: Codes
    parent: Int32Array
    head: Int32Array

    def parent_rows(self, rows: Tokens | Nodes) -> Int64Array:
        """Return the row here of the node above each token or node, or ``NO_PARENT``; shape ``(rows,)``."""
        return np.where(rows.parent == NO_PARENT, NO_PARENT, rows.parent + self.begins(rows))


def node_end(node: End) -> End:
    """Return the code of a node (or of an array of nodes) as the end of a secondary edge, or its inverse.

    The code does not depend on the number of tokens, which readers do not know yet when they read an edge.
    """
    return -1 - node


@dataclass(frozen=True, eq=False)
class SecondaryEdges(Table):
    """Edges of a second layer, such as TIGER's secondary edges.

    Each end is an item of the sentence: token ``i`` is written ``i``, node ``j`` as ``node_end`` says.
    """

    label: Codes
    child: Int32Array
    parent: Int32Array


@dataclass(frozen=True, eq=False)
class MultiwordTokens(Table):
    """Surface tokens that stand for several syntactic words (CoNLL-U ranges): first to last token."""

    first: Int32Array
    last: Int32Array
    form: Codes
    morph: Codes
    misc: Codes


@dataclass(frozen=True, eq=False)
class EmptyNodes(Table):
    """CoNLL-U's empty nodes: the ``index``-th after token ``anchor`` (-1: before the first token)."""

    anchor: Int32Array
    index: Int32Array
    form: Codes
    lemma: Codes
    pos: Codes
    xpos: Codes
    morph: Codes
    deps: Codes
    misc: Codes


@dataclass(frozen=True, eq=False)
class Relations(Table):
    """Grammatical relations: one row per relation, in any order within the sentence.

    name        ``ncsubj``
    type        the word that introduces or subclassifies it: ``to`` in ``(xcomp to decide drop)``
    initial_gr  the relation that the dependent has logically: ``obj`` for the subject of a passive
    weight      the proportion of an n-best set's analyses that have it, as written; empty for 1
    head_index, head_word, head_tag
                the word that fills the slot: its token or ``NO_TOKEN``, its lemma or form, its tag
    dependent_index, dependent_word, dependent_tag
                the same; ``NO_TOKEN`` and no word where the slot is empty (``_``)
    """

    name: Codes
    type: Codes
    initial_gr: Codes
    weight: Codes
    head_index: Int32Array
    head_word: Codes
    head_tag: Codes
    dependent_index: Int32Array
    dependent_word: Codes
    dependent_tag: Codes


@dataclass(frozen=True, eq=False)
class FurtherHeads(Table):
    """Heads of a relation after its first, as in ``(conj or acquire decide)``.

    ``relation`` is the relation's row within its sentence; rows are in its order.
    """

    relation: Int32Array
    index: Int32Array
    word: Codes
    tag: Codes


TABLES: dict[str, type[Table]] = {
    "sentences": Sentences,
    "tokens": Tokens,
    "nodes": Nodes,
    "secondary": SecondaryEdges,
    "multiword": MultiwordTokens,
    "empty": EmptyNodes,
    "relations": Relations,
    "further_heads": FurtherHeads,
}
"""The tables of a treebank, by their names there."""


@dataclass(frozen=True, eq=False)
class Spans:
    """Yields of nodes, one row per node; positions are counted from the beginning of the sentence.

    start    first token
    end      one past the last token
    size     number of tokens
    fan_out  number of maximal runs of neighbouring tokens: 1 for a continuous constituent
    has_gaps  whether there is a yield with gaps
    """

    start: Int32Array
    end: Int32Array
    size: Int32Array
    fan_out: Int32Array
    has_gaps: bool

    @property
    def discontinuous(self) -> BoolArray:
        """A mask of the nodes that have a yield with gaps."""
        result: BoolArray = self.fan_out > 1
        return result


@lru_cache(maxsize=4)
def _empty_tables(sentences: int) -> dict[str, Table]:
    """Return each table of a treebank without a row in it, by its name."""
    # Chunks have many sizes: a larger cache would take more memory than a chunk.
    offsets = np.zeros(sentences + 1, np.int64)
    offsets.flags.writeable = False
    return {name: kind.of(offsets) for name, kind in TABLES.items()}


class Tables:
    """The tables of a ``Treebank``, over one vocabulary."""

    is_sound = False
    """Whether the consistency of the tables was checked."""

    vocabulary: Vocabulary
    sentences: Sentences
    tokens: Tokens
    nodes: Nodes
    secondary: SecondaryEdges
    multiword: MultiwordTokens
    empty: EmptyNodes
    relations: Relations
    further_heads: FurtherHeads
    diagnosis: Diagnosis
    history: tuple[str, ...]

    def _hold(
        self,
        vocabulary: Vocabulary,
        sentences: Sentences,
        tokens: Tokens,
        nodes: Nodes | None = None,
        *,
        diagnosis: Diagnosis = (),
        history: tuple[str, ...] = (),
        **further: Table | None,
    ) -> None:
        """Take the tables as they are; those that are not given are empty."""
        held = self.__dict__
        held.update(_empty_tables(len(sentences)))
        held.update({name: table for name, table in further.items() if table is not None})
        if len(held) > len(TABLES):
            raise TypeError(f"a treebank has no {', '.join(sorted(further.keys() - TABLES.keys()))}")
        if nodes is not None:
            held["nodes"] = nodes
        held.update(
            vocabulary=vocabulary, sentences=sentences, tokens=tokens, diagnosis=diagnosis, history=history
        )

    def __len__(self) -> int:
        """Return the number of sentences."""
        return len(self.sentences.offsets) - 1

    def words(self, sentence: int) -> list[str]:
        """Return the forms of a sentence's tokens."""
        return self.vocabulary.decode(self.tokens.form[self.tokens.rows(sentence)])

    def cells(self, table: str, sentence: int, *columns: str) -> list[tuple[str, ...]]:
        """Return the strings of some columns of a table in a sentence, row by row."""
        table_of_name, decode = getattr(self, table), self.vocabulary.decode
        rows = table_of_name.rows(sentence)
        return list(zip(*(decode(getattr(table_of_name, column)[rows]) for column in columns), strict=True))

    def labels(self, sentence: int) -> list[str]:
        """Return the labels of a sentence's nodes."""
        return self.vocabulary.decode(self.nodes.label[self.nodes.rows(sentence)])

    def number_of_roots(self) -> int:
        """Return the number of tokens and nodes without a node above, in all sentences."""
        tokens, nodes = self.tokens.parent, self.nodes.parent
        return int(np.count_nonzero(tokens == NO_PARENT) + np.count_nonzero(nodes == NO_PARENT))

    def roots(self) -> NDArray[np.intp]:
        """Return the number of tokens and nodes of each sentence without a node above."""
        tokens, nodes = self.tokens, self.nodes
        return tokens.counted(tokens.parent == NO_PARENT) + nodes.counted(nodes.parent == NO_PARENT)

    def yields(self, sentence: int) -> list[int]:
        """Return the tokens under each node of a sentence, as a set of bits: bit ``i`` for token ``i``."""
        parents = self.nodes.parent[self.nodes.rows(sentence)].tolist()
        yields = [0] * len(parents)
        for word, parent in enumerate(self.tokens.parent[self.tokens.rows(sentence)].tolist()):
            if parent >= 0:
                yields[parent] |= 1 << word
        for node in range(len(parents) - 1, -1, -1):  # children come after their parents
            if parents[node] >= 0:
                yields[parents[node]] |= yields[node]
        return yields

    def edges_of_words(self, sentence: int) -> Iterator[tuple[slice, int]]:
        """Yield for each token of a sentence the nodes that begin with it, and how many nodes end with it.

        No constituent of the sentence may be discontinuous.
        """
        words, inner = self.tokens.rows(sentence), self.nodes.rows(sentence)
        starts, ends = self.spans.start[inner].tolist(), Counter(self.spans.end[inner].tolist())
        node = 0
        for token in range(words.stop - words.start):
            first = node
            while node < len(starts) and starts[node] == token:
                node += 1
            yield slice(first, node), ends[token + 1]

    def sentence_id(self, sentence: int) -> str:
        """Return the identifier that the file gives a sentence, else its index in the file, from 1."""
        code = int(self.sentences.id[sentence])
        return self.vocabulary[code] if code else str(int(self.sentences.ordinal[sentence]))

    def where(self, sentence: int) -> str:
        """Return the file and line of a sentence, as far as they are known: ``gold.mrg:12``."""
        source = self.vocabulary[int(self.sentences.source[sentence])]
        line = int(self.sentences.line[sentence])
        return f"{source}:{line}" if line else source

    def refused(self, sentence: int, problem: str) -> SentenceError:
        """Return the error of a sentence that a conversion cannot convert."""
        source = self.vocabulary[int(self.sentences.source[sentence])]
        line = int(self.sentences.line[sentence]) or None
        return SentenceError(source, line, self.sentence_id(sentence), problem)

    def misread(self, sentence: int, actual: str, expected: str) -> FormatError:
        """Return the error of a sentence that violates the format of its file."""
        source = self.vocabulary[int(self.sentences.source[sentence])]
        line = int(self.sentences.line[sentence]) or None
        return FormatError(source, actual, expected, line=line, sentence=self.sentence_id(sentence))

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes to copy or pickle, without cached values."""
        return {name: value for name, value in self.__dict__.items() if name not in ("forest", "_derived")}

    @cached_property
    def _derived(self) -> dict[Hashable, Any]:
        return {}

    def derived(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """Return the cached value of a key, or make it.

        Gold is compared many times; values that depend on gold alone are computed once.
        """
        known = self._derived
        if key not in known:
            known[key] = make()
        value: Value = known[key]
        return value

    @cached_property
    def forest(self) -> Forest:
        """Trees as compiled loops see them."""
        return Forest(self.tokens.offsets, self.tokens.parent, self.nodes.offsets, self.nodes.parent)

    @cached_property
    def spans(self) -> Spans:
        """Start, end, size and fan-out of every node; nodes must be in pre-order."""
        forest, sentences, nodes = self.forest, len(self), len(self.nodes)
        start, end, size = np.empty(nodes, np.int32), np.empty(nodes, np.int32), np.empty(nodes, np.int32)
        gaps = np.empty(sentences, np.bool_)
        extents = Extents(start, end, size)
        in_ranges(lambda first, last: measure(forest, extents, gaps, first, last), sentences)
        fan_out = constant(nodes, 1)
        has_gaps = bool(np.count_nonzero(gaps))
        if has_gaps:
            counts = fan_out.copy()
            in_ranges(lambda first, last: count_blocks(forest, gaps, counts, first, last), sentences)
            fan_out = counts
        return Spans(start, end, size, fan_out, has_gaps)


def absent(column: str, rows: int) -> Int32Array:
    """Return a column without values, which takes no memory: empty strings, or no parents and heads."""
    return constant(rows, ABSENT.get(column, 0))


def _is_absent(column: str, values: Int32Array) -> bool:
    """Return whether no row has a value in a column. Writable columns of positions count as having values."""
    if values.base is not None and values.base is _CONSTANT.get(ABSENT.get(column, 0)):
        return True
    if column not in ABSENT:
        # If there are values, one is mostly among the first rows.
        return not len(values) or not (values[0] or values[:64].any() or values.any())
    return not values.flags.writeable and bool((values == ABSENT[column]).all())


SMALLEST_CONSTANT = 1 << 14
"""Minimal number of rows of the shared column from which ``constant`` takes slices."""

_CONSTANT: dict[int, Int32Array] = {}


def constant(rows: int, value: int) -> Int32Array:
    """Return a column with one value in all rows.

    All such columns share their memory and cannot be written.
    """
    shared = _CONSTANT.get(value)
    if shared is None or len(shared) < rows:
        # Zeros take no memory until they are written. The surplus serves chunks of nearly the same size and
        # the many single sentences.
        shared = np.zeros(max(rows + rows // 8, SMALLEST_CONSTANT), np.int32)
        if value:
            shared.fill(value)
        shared.flags.writeable = False
        _CONSTANT[value] = shared
    return shared[:rows]
