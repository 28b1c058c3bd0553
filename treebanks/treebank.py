"""Treebank: sentences, tokens and nodes as columns over one vocabulary."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from crossbank.treebanks.arrangement import arrange
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array
from crossbank.treebanks.conversions import conversion
from crossbank.treebanks.diagnosis import Diagnosis, concatenate_findings, finding, select_findings
from crossbank.treebanks.errors import ConversionError
from crossbank.treebanks.forest import Forest
from crossbank.treebanks.identifiers import Identifiers
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
    Tables,
    Tokens,
)
from crossbank.treebanks.validation import refuse_unsound
from crossbank.treebanks.vocabulary import Vocabulary

if TYPE_CHECKING:
    from conllu import TokenList
    from nltk import Tree


class Treebank(Tables):
    """Sentences with constituents, dependencies, grammatical relations, or several of them.

    A treebank is never changed once it is made: methods that change something return another
    treebank, which shares the arrays that are the same. It is made of tables, or of whatever
    ``crossbank.read`` takes: a path, or parses that are in memory. Nodes are in pre-order and each
    dominates at least one token. A node's span follows from the tokens under it, so discontinuous
    constituents need no special treatment. ``diagnosis`` tells what transformations did to single
    sentences, ``history`` which transformations there were, as a study lists them.

    Raises CrossbankError for tables that do not fit together (``treebanks.validation``).
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
            return
        self._hold(vocabulary, *tables, **parts)
        refuse_unsound(self, "treebank")

    @classmethod
    def of_tables(
        cls, vocabulary: Vocabulary, sentences: Sentences, tokens: Tokens, *nodes: Nodes, **parts: Any
    ) -> Treebank:
        """A treebank of tables that are known to fit together; the arguments are those of the class.

        For readers and transformations of this package: nothing is looked at, and a position that is not
        there is a fault of the memory in a compiled loop.
        """
        made = cls.__new__(cls)
        made._hold(vocabulary, sentences, tokens, *nodes, **parts)
        return made

    @overload
    def __getitem__(self, place: int) -> Sentence: ...

    @overload
    def __getitem__(self, place: slice) -> Treebank: ...

    def __getitem__(self, place: int | slice) -> Sentence | Treebank:
        """A sentence by its number from 0 (negative ones count from the end), or a treebank of a slice."""
        if isinstance(place, slice):
            return self.select(np.arange(len(self))[place])
        return Sentence(self, range(len(self))[place])

    def __iter__(self) -> Iterator[Sentence]:
        """Yield the sentences in their order."""
        return (Sentence(self, place) for place in range(len(self)))

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
        """True if a sentence has a phrasal node."""
        return len(self.nodes) > 0

    @cached_property
    def has_dependencies(self) -> bool:
        """True if a token has a head."""
        return bool((self.tokens.head != UNATTACHED).any())

    @property
    def has_relations(self) -> bool:
        """True if a sentence has a grammatical relation."""
        return len(self.relations) > 0

    @cached_property
    def has_tags(self) -> bool:
        """True if a token has a tag or a lexical category."""
        return bool(self.tokens.pos.any())

    @cached_property
    def has_heads(self) -> bool:
        """True if the lexical head of a node is marked."""
        return bool((self.nodes.head != UNATTACHED).any())

    @property
    def has_several_analyses(self) -> bool:
        """True if a sentence has more than one analysis."""
        return bool(self.sentences.analysis.any())

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
        """Identifiers of all sentences, made as they are asked for."""
        return _SentenceIds(self)

    def equals(self, other: Treebank, *, ignore: Collection[str] = ()) -> bool:
        """True if two treebanks have the same strings, positions, findings and history.

        The order of the vocabulary does not matter. ``ignore`` names what may differ:
        columns of any table (``source``, ``line`` ...), ``diagnosis`` or ``history``.
        """
        codes = self.vocabulary.translation(other.vocabulary)
        for name in TABLES:
            mine, theirs = getattr(self, name), getattr(other, name)
            if not np.array_equal(mine.offsets, theirs.offsets):
                return False
            for column in mine.columns():
                values = getattr(mine, column)
                values = codes[values] if column in mine.STRINGS else values
                if column not in ignore and not np.array_equal(values, getattr(theirs, column)):
                    return False
        findings = [
            [(finding.step, finding.event, finding.counts.tolist()) for finding in bank.diagnosis]
            for bank in (self, other)
        ]
        same_findings = "diagnosis" in ignore or findings[0] == findings[1]
        return same_findings and ("history" in ignore or self.history == other.history)

    # Sentences taken out and put together

    def replace(self, **parts: Any) -> Treebank:
        """Return the same treebank with other parts (``tokens=``, ``nodes=``, ``vocabulary=`` ...)."""
        held = {name: getattr(self, name) for name in ("vocabulary", "diagnosis", "history", *TABLES)}
        made = Treebank.of_tables(**held | parts)
        if all(a is b for a, b in zip(self._trees(), made._trees(), strict=True)):
            known = ("forest", "spans", "discontinuous_sentences")
            made.__dict__.update({name: value for name, value in vars(self).items() if name in known})
        return made

    def _trees(self) -> tuple[object, ...]:
        """Return the arrays that say which item is below which."""
        return self.tokens.offsets, self.tokens.parent, self.nodes.offsets, self.nodes.parent

    def diagnosed(self, *findings: Diagnosis) -> Treebank:
        """Return the same treebank with more findings after its own."""
        more = tuple(f for findings_of_step in findings for f in findings_of_step)
        return self.replace(diagnosis=self.diagnosis + more) if more else self

    def select(self, sentences: Sequence[int] | NDArray[np.integer] | BoolArray) -> Treebank:
        """Some sentences, by their numbers in the order given, or by a mask."""
        chosen = np.asarray(sentences)
        chosen = np.flatnonzero(chosen) if chosen.dtype == np.bool_ else chosen.astype(np.intp)
        return self.replace(
            diagnosis=select_findings(self.diagnosis, chosen),
            **{name: getattr(self, name).select(chosen) for name in TABLES},
        )

    @staticmethod
    def concatenate(banks: Sequence[Treebank]) -> Treebank:
        """Sentences of several treebanks, one after the other; their histories must be the same."""
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
        """Return the treebank with the chosen analysis of each sentence: see ``treebanks.nbest``."""
        if not self.has_several_analyses:
            return self
        chosen: Treebank = conversion("only_chosen")(self)
        return chosen

    def compact(self) -> Treebank:
        """Return the same treebank over a vocabulary of only those strings that it uses."""
        used = np.zeros(len(self.vocabulary), np.bool_)
        used[0] = True
        tables = {name: getattr(self, name) for name in TABLES}
        for table in tables.values():
            for column in table.STRINGS:
                used[getattr(table, column)] = True
        codes = (np.cumsum(used) - 1).astype(np.int32)
        vocabulary = Vocabulary(self.vocabulary.decode(np.flatnonzero(used).astype(np.int32)))
        return self.replace(vocabulary=vocabulary, **{name: t.recoded(codes) for name, t in tables.items()})

    def without_contents(self) -> Treebank:
        """Return the sentences without what they consist of: what happened to them can still be told."""
        none = {name: type(getattr(self, name)).empty(len(self)) for name in TABLES if name != "sentences"}
        return self.replace(**none).compact()

    # Changes that keep the order of nodes and every reference to them right

    def with_strings(
        self, table: Literal["tokens", "nodes", "secondary"], column: str, change: Callable[[str], str]
    ) -> Treebank:
        """Replace every string of a column by ``change(string)``, called once per distinct string."""
        rows = getattr(self, table)
        vocabulary, codes = self.vocabulary.mapped(getattr(rows, column), change)
        return self.replace(vocabulary=vocabulary, **{table: rows.replace(**{column: codes})})

    def with_columns(self, table: Literal["sentences", "tokens"], **columns: Sequence[str]) -> Treebank:
        """Put other strings into some columns of a table, one for each of its rows."""
        vocabulary, codes = self.vocabulary.extended(chain.from_iterable(columns.values()))
        values = dict(zip(columns, np.split(codes, len(columns)), strict=True))
        return self.replace(vocabulary=vocabulary, **{table: getattr(self, table).replace(**values)})

    def with_structure(
        self,
        *,
        token_parent: Int32Array | None = None,
        node_parent: Int32Array | None = None,
        nodes: Nodes | None = None,
    ) -> Treebank:
        """Give tokens and nodes other parents, then restore pre-order.

        ``token_parent`` and ``node_parent`` have the shape of the columns they replace. ``nodes``
        gives a node table with further nodes, in any order within their sentence, after the ones
        that were there; ``node_parent`` is then its parent column. Nodes that no longer dominate a
        token are gone, with the secondary edges that end at them.

        Raises ConversionError where the parents form a cycle, or are not there.
        """
        nodes = nodes if nodes is not None else self.nodes
        node_parent = node_parent if node_parent is not None else nodes.parent
        token_parent = token_parent if token_parent is not None else self.tokens.parent
        forest = Forest(self.tokens.offsets, token_parent, nodes.offsets, node_parent)
        order, offsets, token_above, node_above, wrong = arrange(forest)
        if wrong >= 0:
            parents = (token_parent[self.tokens.rows(wrong)], node_parent[nodes.rows(wrong)])
            missing = max(int(column.max(initial=-1)) for column in parents) >= nodes.lengths()[wrong]
            found = "a parent that does not exist" if missing else "nodes that dominate each other"
            raise self.refused(wrong, f"found {found}, expected a tree")
        columns = {name: getattr(nodes, name)[order] for name in Nodes.columns()}
        columns["parent"] = node_above
        bank = self.replace(tokens=self.tokens.replace(parent=token_above), nodes=Nodes(offsets, **columns))
        if len(self.secondary):
            place = np.full(len(nodes), -1, np.int32)
            place[order] = np.arange(len(order)) - np.repeat(offsets[:-1], np.diff(offsets))
            bank = bank._with_secondary(node_place=place, node_offsets=nodes.offsets)
        return bank

    def without_tokens(self, deleted: BoolArray, step: str = "delete_tokens") -> Treebank:
        """Delete the tokens of a mask, shape ``(tokens,)``, and the nodes they leave without a word.

        A dependent of a deleted token becomes a dependent of that token's head. References to a deleted token
        that cannot be kept (secondary edges, multiword tokens, empty nodes, lexical heads) are dropped and
        counted in the diagnosis under ``step``.
        """
        if not deleted.any():
            return self
        kept = ~deleted
        tokens = self.tokens
        before = np.concatenate(([0], np.cumsum(kept)))
        place = np.where(kept, before[:-1] - np.repeat(before[tokens.offsets[:-1]], tokens.lengths()), -1)
        place = place.astype(np.int32)
        start = tokens.begins(tokens)
        head = tokens.head.copy()
        # Climb from deleted heads to their own heads; each round settles one step of a chain.
        for _ in range(int(tokens.lengths().max(initial=0))):
            chained = np.flatnonzero((head >= 0) & deleted[np.where(head >= 0, start + head, 0)])
            if len(chained) == 0:
                break
            head[chained] = tokens.head[start[chained] + head[chained]]
        else:
            head[(head >= 0) & deleted[np.where(head >= 0, start + head, 0)]] = UNATTACHED
        head = np.where(head >= 0, place[np.where(head >= 0, start + head, 0)], head).astype(np.int32)
        nodes = self.nodes
        first_token = tokens.begins(nodes)
        marked = nodes.head >= 0
        new_head = np.where(marked, place[np.where(marked, first_token + nodes.head, 0)], nodes.head)
        lost = marked & (new_head < 0)
        new_head = np.where(lost, UNATTACHED, new_head).astype(np.int32)
        bank = self.replace(tokens=tokens.replace(head=head).take(kept), nodes=nodes.replace(head=new_head))
        bank = bank._with_multiword(place, tokens.offsets, step)
        bank = bank._with_empty(place, tokens.offsets, step)
        bank = bank._with_relations(place, tokens.offsets, step)
        bank = bank._with_secondary(token_place=place, token_offsets=tokens.offsets, step=step)
        return bank.with_structure()

    def with_repeated_tokens(self, times: NDArray[np.integer], step: str) -> Treebank:
        """Put several equal tokens in the place of each, at least one; ``times`` has shape ``(tokens,)``.

        What refers to a token refers to the first of them; in dependencies the others depend on it.
        Multiword tokens over repeated ones are dropped and counted in the diagnosis under ``step``.
        """
        tokens = self.tokens
        before = np.concatenate(([0], np.cumsum(times)))
        place = (before[:-1] - np.repeat(before[tokens.offsets[:-1]], tokens.lengths())).astype(np.int32)
        head = np.where(
            tokens.head >= 0, place[np.maximum(tokens.begins(tokens) + tokens.head, 0)], tokens.head
        )
        offsets: Int64Array = before[tokens.offsets].astype(np.int64)
        columns = {name: np.repeat(getattr(tokens, name), times) for name in Tokens.columns()}
        columns["head"] = np.repeat(head, times).astype(np.int32)
        further = np.ones(len(columns["head"]), np.bool_)
        further[before[:-1]] = False
        further &= columns["head"] != UNATTACHED
        columns["head"][further] = np.repeat(place, times)[further]
        first_token = tokens.begins(self.nodes)
        marked = self.nodes.head >= 0
        node_head = np.where(
            marked, place[np.where(marked, first_token + self.nodes.head, 0)], self.nodes.head
        )
        bank = self.replace(
            tokens=Tokens(offsets, **columns), nodes=self.nodes.replace(head=node_head.astype(np.int32))
        )
        bank = bank._with_multiword(place, tokens.offsets, step)
        bank = bank._with_empty(place, tokens.offsets, step)
        bank = bank._with_relations(place, tokens.offsets, step)
        return bank._with_secondary(token_place=place, token_offsets=tokens.offsets, step=step)

    def _with_secondary(
        self,
        *,
        token_place: Int32Array | None = None,
        token_offsets: Int64Array | None = None,
        node_place: Int32Array | None = None,
        node_offsets: Int64Array | None = None,
        step: str = "arrange",
    ) -> Treebank:
        """Follow secondary edges to where their ends have gone (-1: the end is gone)."""
        edges = self.secondary
        if len(edges) == 0:
            return self
        sentence = edges.sentence_of_row()
        kept = np.ones(len(edges), np.bool_)
        ends: dict[str, Int32Array] = {}
        for column in ("child", "parent"):
            old = getattr(edges, column)
            new = old.copy()
            if token_place is not None and token_offsets is not None:
                is_token = old >= 0
                new[is_token] = token_place[token_offsets[sentence[is_token]] + old[is_token]]
                kept &= ~(is_token & (new < 0))
            if node_place is not None and node_offsets is not None:
                is_node = old < 0
                place = node_place[node_offsets[sentence[is_node]] - 1 - old[is_node]]
                new[is_node] = -1 - place
                kept[is_node] &= place >= 0
            ends[column] = new
        dropped = finding(step, "secondary edges dropped with their ends", sentence[~kept], len(self))
        return self.replace(secondary=edges.replace(**ends).take(kept)).diagnosed(dropped)

    def _with_multiword(self, place: Int32Array, offsets: Int64Array, step: str) -> Treebank:
        """Keep the multiword tokens all of whose words are kept."""
        table = self.multiword
        if len(table) == 0:
            return self
        sentence = table.sentence_of_row()
        first, last = place[offsets[sentence] + table.first], place[offsets[sentence] + table.last]
        kept = (first >= 0) & (last >= 0) & (last - first == table.last - table.first)
        dropped = finding(step, "multiword tokens dropped with their words", sentence[~kept], len(self))
        return self.replace(multiword=table.replace(first=first, last=last).take(kept)).diagnosed(dropped)

    def _with_empty(self, place: Int32Array, offsets: Int64Array, step: str) -> Treebank:
        """Keep the empty nodes that come after a token that is kept, or first."""
        table = self.empty
        if len(table) == 0:
            return self
        sentence = table.sentence_of_row()
        anchored = table.anchor >= 0
        anchor = np.where(anchored, place[offsets[sentence] + np.maximum(table.anchor, 0)], -1)
        kept = ~anchored | (anchor >= 0)
        dropped = finding(step, "empty nodes dropped with the token before", sentence[~kept], len(self))
        return self.replace(empty=table.replace(anchor=anchor.astype(np.int32)).take(kept)).diagnosed(dropped)

    def _with_relations(self, place: Int32Array, offsets: Int64Array, step: str) -> Treebank:
        """Follow the words of relations to where they have gone; a deleted one stays as a word."""
        if not self.has_relations:
            return self
        lost = []
        changed: dict[str, Any] = {}
        for name, columns in (
            ("relations", ("head_index", "dependent_index")),
            ("further_heads", ("index",)),
        ):
            table = getattr(self, name)
            start = np.repeat(offsets[:-1], table.lengths())
            for column in columns:
                old = getattr(table, column)
                new = np.where(old >= 0, place[np.where(old >= 0, start + old, 0)], old).astype(np.int32)
                lost.append(table.sentence_of_row()[(old >= 0) & (new < 0)])
                table = table.replace(**{column: new})
            changed[name] = table
        event = "words of relations left without their token"
        return self.replace(**changed).diagnosed(finding(step, event, np.concatenate(lost), len(self)))

    # Other libraries' trees and token lists

    def tree(self, sentence: int, *, indices: bool = False) -> Tree:
        """Constituents of a sentence as an ``nltk.Tree``: see ``treebanks.in_memory.nltk_trees``."""
        found: Tree = conversion("to_tree")(self, sentence, indices=indices)
        return found

    def token_list(self, sentence: int) -> TokenList:
        """Tokens of a sentence as a ``conllu.TokenList``: see ``treebanks.in_memory.token_lists``."""
        found: TokenList = conversion("to_token_list")(self, sentence)
        return found

    def to_nltk(self, *, indices: bool = False) -> list[Tree | None]:
        """All sentences as ``nltk.Tree``, None where there is no parse: see ``tree``."""
        return [self.tree(i, indices=indices) if len(self[i]) else None for i in range(len(self))]

    def to_token_lists(self) -> list[TokenList]:
        """All sentences as ``conllu.TokenList``: see ``token_list``."""
        return [self.token_list(place) for place in range(len(self))]

    def to_spans(self) -> list[tuple[list[str], list[tuple[int, int, str]]]]:
        """Words and constituents of all sentences, ``(start, end, label)``: see ``in_memory``."""
        found: list[tuple[list[str], list[tuple[int, int, str]]]] = conversion("to_spans")(self)
        return found

    @staticmethod
    def from_trees(trees: Sequence[Tree], words: Sequence[Sequence[str]] | None = None) -> Treebank:
        """A treebank of ``nltk`` trees; ``words`` where their leaves are indices."""
        bank: Treebank = conversion("from_trees")(trees, words)
        return bank

    @staticmethod
    def from_token_lists(token_lists: Sequence[TokenList]) -> Treebank:
        """A treebank of ``conllu`` token lists."""
        bank: Treebank = conversion("from_token_lists")(token_lists)
        return bank


class _SentenceIds(Identifiers):
    """Identifiers of a treebank's sentences, without its other tables."""

    def __init__(self, bank: Treebank) -> None:
        self._ids, self._ordinals = bank.sentences.id, bank.sentences.ordinal
        self._vocabulary = bank.vocabulary if self._ids.any() else Vocabulary()

    def __len__(self) -> int:
        return len(self._ids)

    def at(self, place: int) -> str:
        return self._vocabulary[int(self._ids[place])] or str(int(self._ordinals[place]))


__all__ = ["NO_PARENT", "ROOT", "UNATTACHED", "Treebank"]
