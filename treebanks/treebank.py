"""Treebank: sentences, tokens and nodes as columns over one vocabulary."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from crossbank.treebanks.arrangement import arrange, indices_without_deleted, prune_nodes, prune_tokens
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array
from crossbank.treebanks.cached_properties import cached_property
from crossbank.treebanks.diagnosis import Diagnosis, Finding, concatenate_findings, finding, select_findings
from crossbank.treebanks.errors import ConversionError
from crossbank.treebanks.forest import Forest
from crossbank.treebanks.identifiers import Identifiers
from crossbank.treebanks.other_libraries import conversion
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.sentence import Sentence
from crossbank.treebanks.tables import (
    NO_PARENT,
    ROOT,
    TABLES,
    UNATTACHED,
    EmptyNodes,
    FurtherHeads,
    MultiwordTokens,
    Nodes,
    Relations,
    SecondaryEdges,
    Sentences,
    Table,
    Tables,
    Tokens,
    node_end,
)
from crossbank.treebanks.validation import refuse_unsound
from crossbank.treebanks.vocabulary import Vocabulary

if TYPE_CHECKING:
    from conllu import TokenList
    from nltk import Tree


PARTS = dict.fromkeys(("vocabulary", "diagnosis", "history", *TABLES))
"""The parts of a treebank that can be replaced."""

OF_TREES = ("forest", "spans", "discontinuous_sentences")
"""Cached attributes that are computed from the parents of tokens and nodes."""

REFERRING = ("multiword", "empty", "relations", "further_heads", "secondary")
"""The tables with references to tokens, besides the tables of tokens and nodes."""

EDGES_DROPPED = "secondary edges dropped with their ends"


def _moved(old: Int32Array, table: Table, offsets: Int64Array, new_index: Int32Array) -> Int32Array:
    """Return a column of token indices after tokens have moved to ``new_index``.

    offsets  offsets of the tokens before the move

    Negative values are not indices, and are unchanged. So are all values of sentences without tokens, since
    relations have indices of words that their file does not list.
    """
    start, length = (np.repeat(each, table.lengths()) for each in (offsets[:-1], np.diff(offsets)))
    new, there = old.copy(), (old >= 0) & (length > 0)
    new[there] = new_index[(start + old)[there]]
    return new


class Treebank(Tables):
    """Sentences with constituents, dependencies, grammatical relations, or several of them.

    A treebank is never changed once it is made: methods that change something return another
    treebank, which shares unchanged arrays. It is made from tables, or from the arguments of
    ``crossbank.read``: a path, or parses in memory. Nodes are in pre-order and each
    dominates at least one token. A node's span follows from the tokens under it, so discontinuous
    constituents need no special treatment. ``diagnosis`` has the diagnostics of transformations by
    sentence, ``history`` the transformations as a study lists them.

    Raises CrossbankError for inconsistent tables (``treebanks.validation``).
    """

    @overload
    def __init__(self, vocabulary: str | PathLike[str] | Treebank | Iterable[object], /) -> None: ...

    @overload
    def __init__(
        self,
        vocabulary: Vocabulary,
        sentences: Sentences,
        tokens: Tokens,
        nodes: Nodes | None = None,
        *,
        secondary: SecondaryEdges | None = None,
        multiword: MultiwordTokens | None = None,
        empty: EmptyNodes | None = None,
        relations: Relations | None = None,
        further_heads: FurtherHeads | None = None,
        diagnosis: Diagnosis = (),
        history: tuple[str, ...] = (),
    ) -> None: ...

    def __init__(self, vocabulary: Any, *tables: Any, **parts: Any) -> None:
        if not tables and not parts:
            self.__dict__.update(conversion("of_source")(vocabulary, "trees").__dict__)
            self.is_sound = True  # treebanks of readers of other packages were checked
            return
        self._hold(vocabulary, *tables, **parts)
        refuse_unsound(self, "treebank")

    @classmethod
    def of_tables(
        cls, vocabulary: Vocabulary, sentences: Sentences, tokens: Tokens, *nodes: Nodes, **parts: Any
    ) -> Treebank:
        """Return a treebank of tables that are known to be consistent; the arguments are those of the class.

        For readers and transformations of this package only: nothing is checked, and an invalid index makes a
        compiled loop read outside of an array.
        """
        made = cls.__new__(cls)
        made._hold(vocabulary, sentences, tokens, *nodes, **parts)
        return made

    @overload
    def __getitem__(self, index: int) -> Sentence: ...

    @overload
    def __getitem__(self, index: slice) -> Treebank: ...

    def __getitem__(self, index: int | slice) -> Sentence | Treebank:
        """Return a sentence by its index (negative ones count from the end), or a treebank of a slice."""
        if isinstance(index, slice):
            return self.select(np.arange(len(self))[index])
        try:
            return Sentence(self, range(len(self))[index])
        except IndexError:
            sentences = quantity(len(self), "sentence")
            raise IndexError(f"sentence {index}: the treebank has {sentences}") from None

    def __iter__(self) -> Iterator[Sentence]:
        """Yield the sentences in their order."""
        return (Sentence(self, index) for index in range(len(self)))

    def __repr__(self) -> str:
        sizes = (len(self), "sentence"), (len(self.tokens), "token"), (len(self.nodes), "node")
        return f"<Treebank of {', '.join(quantity(*size) for size in sizes)}>"

    def _repr_html_(self) -> str:
        """Return the sizes, and the first sentence as a picture, for notebooks."""
        sizes = repr(self).strip("<>")
        return f"<p>{sizes}</p>{self[0]._repr_html_() if len(self) else ''}"

    # The contents of the columns

    @property
    def has_constituents(self) -> bool:
        """Return whether a sentence has a phrasal node."""
        return bool(self.nodes.offsets[-1])

    @cached_property
    def has_dependencies(self) -> bool:
        """Return whether a token has a head."""
        return not self.tokens.lacks("head") and bool((self.tokens.head != UNATTACHED).any())

    @property
    def has_relations(self) -> bool:
        """Return whether a sentence has a grammatical relation."""
        return bool(self.relations.offsets[-1])

    @cached_property
    def has_tags(self) -> bool:
        """Return whether a token has a tag or a lexical category."""
        return not self.tokens.lacks("pos")

    @cached_property
    def has_heads(self) -> bool:
        """Return whether the lexical head of a node is marked."""
        return bool((self.nodes.head != UNATTACHED).any())

    @cached_property
    def has_several_analyses(self) -> bool:
        """Return whether a sentence has more than one analysis."""
        return not self.sentences.lacks("analysis")

    def lacks(self, analysis: str) -> bool:
        """Return whether there are tokens, and no ``constituents``, ``tags`` ...

        For ``relations``, and if there are relations, sentences are enough: relations need no tokens.
        """
        has: bool = getattr(self, f"has_{analysis}")
        wordless = analysis == "relations" or self.has_relations
        return not has and len(self if wordless else self.tokens) > 0

    def rows_of_items(self, sentences: NDArray[np.integer], items: NDArray[np.integer]) -> NDArray[np.intp]:
        """Return the rows of items in the table of all tokens followed by all nodes; -1 for -1.

        Items are written as in ``treebanks.forest``, each with its sentence.
        """
        tokens = self.tokens.lengths()[sentences]
        node = len(self.tokens) + self.nodes.offsets[sentences] + items - tokens
        rows = np.where(items < tokens, self.tokens.offsets[sentences] + items, node)
        return np.where(items < 0, -1, rows)

    @cached_property
    def discontinuous_sentences(self) -> NDArray[np.intp]:
        """Sentences with at least one discontinuous node, in order."""
        return np.unique(self.nodes.sentence_of_row()[self.spans.discontinuous]).astype(np.intp)

    @property
    def sentence_ids(self) -> Sequence[str]:
        """Identifiers of all sentences, computed on request."""
        return _SentenceIds(self)

    def equals(self, other: Treebank, *, ignore: Collection[str] = ()) -> bool:
        """Return whether two treebanks have the same strings, positions, diagnostics and history.

        The order of the vocabulary does not matter. ``ignore`` has the names of parts that may differ:
        columns of any table (``source``, ``line`` ...), ``diagnosis`` or ``history``.
        """
        codes = self.vocabulary.translation(other.vocabulary)
        for name in TABLES:
            mine, their_table = getattr(self, name), getattr(other, name)
            if not np.array_equal(mine.offsets, their_table.offsets):
                return False
            for column in mine.columns():
                values = getattr(mine, column)
                values = codes[values] if column in mine.STRINGS else values
                if column not in ignore and not np.array_equal(values, getattr(their_table, column)):
                    return False
        findings = [
            [(finding.step, finding.event, finding.counts.tolist()) for finding in bank.diagnosis]
            for bank in (self, other)
        ]
        same_findings = "diagnosis" in ignore or findings[0] == findings[1]
        return same_findings and ("history" in ignore or self.history == other.history)

    # Selection and concatenation of sentences

    def replace(self, **parts: Any) -> Treebank:
        """Return the treebank with some parts replaced (``tokens=``, ``nodes=``, ``vocabulary=`` ...)."""
        if not parts.keys() <= PARTS.keys():
            raise TypeError(f"a treebank has no {', '.join(sorted(parts.keys() - PARTS.keys()))}")
        made, own = Treebank.__new__(Treebank), self.__dict__
        held = made.__dict__
        for name in PARTS:
            held[name] = own[name]
        held.update(parts)
        if _has_same_trees(self.tokens, made.tokens) and _has_same_trees(self.nodes, made.nodes):
            for name in OF_TREES:
                if name in own:
                    held[name] = own[name]
        if "has_several_analyses" in own and "sentences" not in parts:
            held["has_several_analyses"] = own["has_several_analyses"]
        return made

    def diagnosed(self, *findings: Diagnosis) -> Treebank:
        """Return the treebank with further diagnostics after its own."""
        more = tuple(f for findings_of_step in findings for f in findings_of_step)
        return self.replace(diagnosis=self.diagnosis + more) if more else self

    def with_events(self, step: str, events: Mapping[str, Sequence[int] | NDArray[np.integer]]) -> Treebank:
        """Return the treebank with diagnostics of a step: for each event, the sentence of each occurrence."""
        return self.diagnosed(*(finding(step, event, at, len(self)) for event, at in events.items()))

    def with_counts(self, step: str, counts: Mapping[str, Int32Array]) -> Treebank:
        """Return the treebank with diagnostics of a step: for each event, its number in each sentence."""
        findings = [Finding(step, event, n) for event, n in counts.items() if np.count_nonzero(n)]
        return self.replace(diagnosis=(*self.diagnosis, *findings)) if findings else self

    def select(self, sentences: Sequence[int] | NDArray[np.integer] | BoolArray) -> Treebank:
        """Return some sentences, by their numbers in the order given, or by a mask."""
        chosen = np.asarray(sentences)
        chosen = np.flatnonzero(chosen) if chosen.dtype == np.bool_ else chosen.astype(np.intp)
        return self.replace(
            diagnosis=select_findings(self.diagnosis, chosen),
            **{name: getattr(self, name).select(chosen) for name in TABLES},
        )

    def between(self, first: int, last: int) -> Treebank:
        """Return the sentences ``first`` to ``last - 1``, which share the memory of this treebank."""
        return self.replace(
            diagnosis=select_findings(self.diagnosis, slice(first, last)),
            **{name: getattr(self, name).between(first, last) for name in TABLES},
        )

    @staticmethod
    def concatenate(banks: Sequence[Treebank]) -> Treebank:
        """Return sentences of several treebanks, one after the other; their histories must be the same."""
        if len(banks) == 1:
            return banks[0]
        if len({bank.history for bank in banks}) > 1:
            raise ConversionError("treebanks: they went through different transformations, expected the same")
        vocabulary = banks[0].vocabulary
        tables: dict[str, list[Any]] = {name: [] for name in TABLES}
        for bank in banks:
            vocabulary, codes = vocabulary.extended(bank.vocabulary)
            for name in TABLES:
                table = getattr(bank, name)
                tables[name].append(table if bank is banks[0] else table.recoded(codes))
        return Treebank.of_tables(
            vocabulary,
            diagnosis=concatenate_findings([(bank.diagnosis, len(bank)) for bank in banks]),
            history=banks[0].history,
            **{name: type(parts[0]).concatenate(parts) for name, parts in tables.items()},
        )

    def only_chosen(self) -> Treebank:
        """Return the treebank with the chosen analysis of each sentence: see ``treebanks.readings``."""
        if not self.has_several_analyses:
            return self
        chosen: Treebank = conversion("only_chosen")(self)
        return chosen

    def compact(self) -> Treebank:
        """Return the same treebank over a vocabulary of only those strings that it uses."""
        tables = {name: getattr(self, name) for name in TABLES}
        columns = [
            getattr(table, name)
            for table in tables.values()
            for name in table.known()
            if name in table.STRINGS
        ]
        used = self.vocabulary.occurring(np.zeros(1, np.int32), *columns)
        codes = np.zeros(len(self.vocabulary), np.int32)
        codes[used] = np.arange(len(used), dtype=np.int32)
        vocabulary = self.vocabulary.only(used)
        return self.replace(vocabulary=vocabulary, **{name: t.recoded(codes) for name, t in tables.items()})

    def without_contents(self) -> Treebank:
        """Return the sentences without tokens and analyses, but with diagnostics and history."""
        none = {name: type(getattr(self, name)).empty(len(self)) for name in TABLES if name != "sentences"}
        return self.replace(**none).compact()

    # Changes that restore the order of nodes and all references to them

    def with_strings(
        self,
        table: Literal["tokens", "nodes", "secondary"],
        column: str,
        change: Callable[[str], str],
        *,
        keep: bool = False,
    ) -> Treebank:
        """Return the treebank with a column's strings replaced by ``change``: see ``Vocabulary.mapped``."""
        rows = getattr(self, table)
        old = getattr(rows, column)
        vocabulary, codes = self.vocabulary.mapped(old, change, keep=keep)
        if codes is old:
            return self
        return self.replace(vocabulary=vocabulary, **{table: rows.replace(**{column: codes})})

    def with_columns(
        self,
        table: Literal["sentences", "tokens"],
        rows: Sequence[int] | NDArray[np.intp] | None = None,
        **columns: Iterable[str],
    ) -> Treebank:
        """Return the treebank with other strings in columns of a table, in all of its rows or in some."""
        vocabulary, codes = self.vocabulary.extended(chain.from_iterable(columns.values()))
        changed = {name: getattr(getattr(self, table), name).copy() for name in columns}
        for column, values in zip(changed.values(), np.split(codes, len(columns)), strict=True):
            column[slice(None) if rows is None else rows] = values
        return self.replace(vocabulary=vocabulary, **{table: getattr(self, table).replace(**changed)})

    def with_structure(
        self,
        *,
        token_parent: Int32Array | None = None,
        node_parent: Int32Array | None = None,
        nodes: Nodes | None = None,
    ) -> Treebank:
        """Return the treebank with other parents of tokens and nodes, in pre-order.

        ``token_parent`` and ``node_parent`` have the shape of the columns they replace. ``nodes``
        is a node table with further nodes, in any order, after the existing nodes of each sentence;
        ``node_parent`` is then its parent column. Nodes that no longer dominate a token are removed,
        with the secondary edges that end at them.

        Raises ConversionError if the parents form a cycle or do not exist.
        """
        nodes = nodes if nodes is not None else self.nodes
        node_parent = node_parent if node_parent is not None else nodes.parent
        token_parent = token_parent if token_parent is not None else self.tokens.parent
        forest = Forest(self.tokens.offsets, token_parent, nodes.offsets, node_parent)
        order, offsets, token_above, node_above, wrong = arrange(forest)
        if wrong >= 0:
            parents = (token_parent[self.tokens.rows(wrong)], node_parent[nodes.rows(wrong)])
            missing = max(int(column.max(initial=-1)) for column in parents) >= nodes.lengths()[wrong]
            problem = "a parent that does not exist" if missing else "nodes that dominate each other"
            raise self.refused(wrong, f"found {problem}, expected a tree")
        columns = {name: getattr(nodes, name)[order] for name in nodes.known()} | {"parent": node_above}
        bank = self.replace(
            tokens=self.tokens.replace(parent=token_above), nodes=Nodes.of(offsets, **columns)
        )
        return bank._with_moved_nodes(nodes, order, offsets)

    def _with_moved_nodes(self, nodes: Nodes, order: NDArray[np.integer], offsets: Int64Array) -> Treebank:
        """Return the treebank with references to moved nodes updated; edges to removed nodes are dropped.

        nodes           the nodes before the move
        order, offsets  the old row of each remaining node, and where sentences begin among these
        """
        if not len(edges := self.secondary):
            return self
        new_index = np.full(len(nodes), -1, np.int32)
        new_index[order] = np.arange(len(order)) - np.repeat(offsets[:-1], np.diff(offsets))
        remaining, ends = np.ones(len(edges), np.bool_), {}
        for column in ("child", "parent"):
            old = getattr(edges, column)
            is_node, ends[column] = old < 0, old.copy()
            new = new_index[nodes.begins(edges)[is_node] + node_end(old[is_node])]
            ends[column][is_node] = node_end(new)
            remaining[is_node] &= new >= 0
        return self._keeping("secondary", edges.replace(**ends), remaining, "arrange", EDGES_DROPPED)

    def without_tokens(self, deleted: BoolArray, step: str = "delete_tokens") -> Treebank:
        """Return the treebank without the tokens of a mask, ``(tokens,)``, and nodes left without words.

        A dependent of a deleted token becomes a dependent of that token's head. References to a deleted token
        that cannot be kept (secondary edges, multiword tokens, empty nodes, lexical heads) are dropped and
        counted in the diagnosis under ``step``.
        """
        if not np.count_nonzero(deleted):
            return self
        bank, tokens, nodes = self, self.tokens, self.nodes
        has_heads = ["head" in table.known() for table in (tokens, nodes)]
        if any(has_heads) or any(len(getattr(self, name)) for name in REFERRING):
            new_index = indices_without_deleted(tokens.offsets, deleted)
            if has_heads[0]:
                head = _moved(self._heads_without(deleted), tokens, tokens.offsets, new_index)
                tokens = tokens.replace(head=head)
            if has_heads[1]:
                node_head = _moved(nodes.head, nodes, tokens.offsets, new_index)
                node_head[(nodes.head >= 0) & (node_head < 0)] = UNATTACHED
                nodes = nodes.replace(head=node_head)
            bank = self.replace(tokens=tokens, nodes=nodes)._with_moved_tokens(
                new_index, tokens.offsets, step
            )
        kept, kept_nodes, offsets, node_offsets, parent, node_parent, is_ordered = prune_tokens(
            bank.forest, deleted
        )
        shorter = bank._with_nodes(
            bank.tokens.taken(kept, offsets, parent=parent), kept_nodes, node_offsets, node_parent
        )
        return shorter if is_ordered else shorter.with_structure()

    def without_nodes(self, deleted: BoolArray) -> Treebank:
        """Return the treebank without the nodes of a mask, ``(nodes,)``; their parents get their children."""
        if not np.count_nonzero(deleted):
            return self
        kept, offsets, token_parent, node_parent = prune_nodes(self.forest, deleted)
        return self._with_nodes(self.tokens.replace(parent=token_parent), kept, offsets, node_parent)

    def _with_nodes(
        self, tokens: Tokens, kept: Int32Array, offsets: Int64Array, parent: Int32Array
    ) -> Treebank:
        """Return the treebank with other tokens, and with some of its nodes under other parents."""
        nodes = self.nodes
        shorter = self.replace(tokens=tokens, nodes=nodes.taken(kept, offsets, parent=parent))
        return shorter._with_moved_nodes(nodes, kept, offsets)

    def _heads_without(self, deleted: BoolArray) -> Int32Array:
        """Return the heads of tokens; a deleted head is replaced by its own head, and so on."""
        tokens = self.tokens
        start, head = tokens.begins(tokens), tokens.head.copy()
        # Each round follows a chain of deleted heads by one step.
        for _ in range(int(tokens.lengths().max(initial=0))):
            chained = np.flatnonzero((head >= 0) & deleted[np.where(head >= 0, start + head, 0)])
            if len(chained) == 0:
                break
            head[chained] = tokens.head[start[chained] + head[chained]]
        else:
            head[(head >= 0) & deleted[np.where(head >= 0, start + head, 0)]] = UNATTACHED
        return head

    def with_repeated_tokens(self, times: NDArray[np.integer], step: str) -> Treebank:
        """Return the treebank with each token repeated ``times`` times (1 or more), shape ``(tokens,)``.

        References to a token become references to its first copy; the other copies depend on it.
        Multiword tokens over repeated ones are dropped and counted in the diagnosis under ``step``.
        """
        tokens = self.tokens
        before = np.concatenate(([0], np.cumsum(times)))
        new_index = (before[:-1] - np.repeat(before[tokens.offsets[:-1]], tokens.lengths())).astype(np.int32)
        head = _moved(tokens.head, tokens, tokens.offsets, new_index)
        offsets: Int64Array = before[tokens.offsets].astype(np.int64)
        columns = {name: np.repeat(getattr(tokens, name), times) for name in Tokens.columns()}
        columns["head"] = np.repeat(head, times)
        further = np.ones(len(columns["head"]), np.bool_)
        further[before[:-1]] = False
        further &= columns["head"] != UNATTACHED
        columns["head"][further] = np.repeat(new_index, times)[further]
        nodes = self.nodes.replace(head=_moved(self.nodes.head, self.nodes, tokens.offsets, new_index))
        bank = self.replace(tokens=Tokens(offsets, **columns), nodes=nodes)
        return bank._with_moved_tokens(new_index, tokens.offsets, step)

    def _with_moved_tokens(self, new_index: Int32Array, offsets: Int64Array, step: str) -> Treebank:
        """Return the treebank with updated references to moved tokens; ``step`` counts dropped ones.

        new_index  the new index of each token in its sentence, -1 if it was removed
        offsets    offsets of the tokens before the move
        """

        def moved(table: Table, column: str) -> Int32Array:
            return _moved(getattr(table, column), table, offsets, new_index)

        bank = self
        if len(words := self.multiword):
            first, last = moved(words, "first"), moved(words, "last")
            remaining = (first >= 0) & (last >= 0) & (last - first == words.last - words.first)
            event = "multiword tokens dropped with their words"
            bank = bank._keeping("multiword", words.replace(first=first, last=last), remaining, step, event)
        if len(empty := self.empty):
            anchor = moved(empty, "anchor")
            remaining, event = (empty.anchor < 0) | (anchor >= 0), "empty nodes dropped with the token before"
            bank = bank._keeping("empty", empty.replace(anchor=anchor), remaining, step, event)
        if self.has_relations:  # a relation keeps the word of a deleted token
            lost = []
            for name, columns in (
                ("relations", ("head_index", "dependent_index")),
                ("further_heads", ("index",)),
            ):
                table = getattr(self, name)
                new = {column: moved(table, column) for column in columns}
                for column, new_indices in new.items():
                    lost.append(table.sentence_of_row()[(getattr(table, column) >= 0) & (new_indices < 0)])
                bank = bank.replace(**{name: table.replace(**new)})
            event = "words of relations left without their token"
            bank = bank.with_events(step, {event: np.concatenate(lost)})
        if len(edges := self.secondary):
            ends = {column: moved(edges, column) for column in ("child", "parent")}
            remaining = np.all([(getattr(edges, column) < 0) | (new >= 0) for column, new in ends.items()], 0)
            bank = bank._keeping("secondary", edges.replace(**ends), remaining, step, EDGES_DROPPED)
        return bank

    def _keeping(self, name: str, table: Table, remaining: BoolArray, step: str, event: str) -> Treebank:
        """Return the treebank with only the rows of a mask in a table; the others are counted as an event."""
        dropped = table.sentence_of_row()[~remaining]
        return self.replace(**{name: table.take(remaining)}).with_events(step, {event: dropped})

    # Other libraries' trees and token lists

    def tree(self, sentence: int, *, indices: bool = False) -> Tree:
        """Return constituents of a sentence as an ``nltk.Tree``: see ``treebanks.in_memory.nltk_trees``."""
        tree: Tree = conversion("to_tree")(self, sentence, indices=indices)
        return tree

    def token_list(self, sentence: int) -> TokenList:
        """Return tokens of a sentence as a ``conllu.TokenList``: see ``treebanks.in_memory.token_lists``."""
        tokens: TokenList = conversion("to_token_list")(self, sentence)
        return tokens

    def to_nltk(self, *, indices: bool = False) -> list[Tree | None]:
        """Return all sentences as ``nltk.Tree``, None if there is no parse: see ``tree``."""
        return [self.tree(i, indices=indices) if len(self[i]) else None for i in range(len(self))]

    def to_token_lists(self) -> list[TokenList]:
        """Return all sentences as ``conllu.TokenList``: see ``token_list``."""
        return [self.token_list(index) for index in range(len(self))]

    def to_spans(self) -> list[tuple[list[str], list[tuple[int, int, str]]]]:
        """Return the words and constituents of all sentences, ``(start, end, label)``: see ``in_memory``."""
        spans: list[tuple[list[str], list[tuple[int, int, str]]]] = conversion("to_spans")(self)
        return spans

    @staticmethod
    def from_trees(trees: Sequence[Tree], words: Sequence[Sequence[str]] | None = None) -> Treebank:
        """Return a treebank of ``nltk`` trees; ``words`` where their leaves are indices."""
        bank: Treebank = conversion("from_trees")(trees, words)
        return bank

    @staticmethod
    def from_token_lists(token_lists: Sequence[TokenList]) -> Treebank:
        """Return a treebank of ``conllu`` token lists."""
        bank: Treebank = conversion("from_token_lists")(token_lists)
        return bank


def _has_same_trees(one: Tokens | Nodes, other: Tokens | Nodes) -> bool:
    return one is other or (one.offsets is other.offsets and one.parent is other.parent)


NO_STRINGS = Vocabulary()
"""The vocabulary of the empty string."""


class _SentenceIds(Identifiers):
    """Identifiers of a treebank's sentences, without its other tables."""

    def __init__(self, bank: Treebank) -> None:
        self._ids, self._ordinals = bank.sentences.id, bank.sentences.ordinal
        self._vocabulary = NO_STRINGS if bank.sentences.lacks("id") else bank.vocabulary

    def __len__(self) -> int:
        return len(self._ids)

    def at(self, index: int) -> str:
        return self._vocabulary[int(self._ids[index])] or str(int(self._ordinals[index]))


__all__ = ["NO_PARENT", "ROOT", "UNATTACHED", "Treebank"]
