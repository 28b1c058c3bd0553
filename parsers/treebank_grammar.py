"""Grammars read off treebanks: relative frequencies of local trees, markovised and binarised.

Charniak, Eugene (1996): Tree-bank Grammars. AAAI. Johnson, Mark (1998): PCFG Models of Linguistic Tree
Representations. Computational Linguistics 24(4). Klein, Dan, and Christopher Manning (2003): Accurate
Unlexicalized Parsing. ACL, section 2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from crossbank.converters.heads.marking import head_children, mark_heads
from crossbank.converters.schemes.scheme import Scheme
from crossbank.parsers.probabilistic_grammar import Grammar, GrammarBuilder, GrammarError, Symbol
from crossbank.parsers.smoothing import Child, HeadOutward, State
from crossbank.parsers.unknown_words import UNKNOWN, UNKNOWN_SHARE, UnknownWords, learn_unknown_words
from crossbank.treebanks import Treebank

Smoothing: TypeAlias = Literal["none", "witten_bell", "left_out"]

ALL = -1
"""No limit to how many ancestors or siblings a symbol remembers."""


@dataclass(frozen=True)
class Markovisation:
    """Context that the symbols of a grammar remember.

    vertical    1: the node's own label; 2: its parent's too; and so on; ``ALL``: all ancestors'
    horizontal  of how many children further out a part of a rule knows; ``ALL``: of all, which is the
                treebank's grammar itself with its rules binarised
    functions   whether functions are part of labels and tags
    """

    vertical: int = 1
    horizontal: int = ALL
    functions: bool = False


Named: TypeAlias = tuple[str, bool]
"""The name of a child, and whether it is a tag: a tag and a category may have the same name."""


class SymbolItem(NamedTuple):
    """A token or node of a tree, with the parts of its symbol."""

    label: str
    function: str
    children: tuple[SymbolItem, ...]
    head: int
    """The child that is the head."""
    token: int
    """The token's index in the sentence, -1 for a node."""


def treebank_grammar(
    bank: Treebank,
    markovisation: Markovisation,
    scheme: Scheme | None = None,
    *,
    tags_as_terminals: bool = False,
    rare: int = 1,
    smoothing: Smoothing = "none",
) -> tuple[Grammar, UnknownWords | None]:
    """Return the grammar of continuous trees with one root each, and which words it knows (None for tags).

    With ``tags_as_terminals`` sentences are sequences of tags. Otherwise words seen at most ``rare``
    times are seen as their signatures. Rules are binarised from the head outward, by the scheme's head
    rules; without a scheme the first child counts as the head. Sentences without a token do not count.
    With smoothing rules that were not seen have a probability, and every tag may be an unknown word's; with
    ``left_out`` the weights of back-off are learned.

    Raises GrammarError if there is no tree, or where sentences have several roots.
    """
    if scheme is not None and bank.has_constituents and not bank.has_heads:
        bank = mark_heads(bank, scheme)
    unknown = None
    if not tags_as_terminals:
        unknown = learn_unknown_words((bank.words(s) for s in range(len(bank))), rare)
    outward = HeadOutward(markovisation.horizontal, learned=smoothing == "left_out")
    counts = _Counts(markovisation, None if smoothing == "none" else outward)
    for sentence, root in enumerate(trees(bank)):
        if root is None:
            continue
        tokens = bank.tokens.rows(sentence)
        if unknown is None:
            terminals = bank.vocabulary.decode(bank.tokens.pos[tokens])
        else:
            terminals = [unknown.terminal(w, index == 0) for index, w in enumerate(bank.words(sentence))]
        counts.add(root, terminals, rare_words=None if unknown is None else unknown.words)
    if counts.start is None:
        raise GrammarError("training set: there are no trees")
    return counts.grammar(), unknown


def trees(bank: Treebank) -> Iterator[SymbolItem | None]:
    """Yield the tree of each sentence, children in order; None if a sentence has no token or no node.

    Raises GrammarError for several roots and for discontinuous constituents.
    """
    if len(bank.discontinuous_sentences):
        sentence = int(bank.discontinuous_sentences[0])
        raise GrammarError(
            f"{bank.where(sentence)}: sentence {bank.sentence_id(sentence)}: found a "
            "discontinuous constituent (raise_crossing or split_crossing)"
        )
    decode = bank.vocabulary.decode
    heads = head_children(bank) if bank.has_heads else None
    spans = bank.spans
    for sentence in range(len(bank)):
        tokens, nodes = bank.tokens.rows(sentence), bank.nodes.rows(sentence)
        if tokens.start == tokens.stop or nodes.start == nodes.stop:
            yield None
            continue
        parents = bank.nodes.parent[nodes].tolist()
        starts = spans.start[nodes].tolist()
        labels, functions = decode(bank.nodes.label[nodes]), decode(bank.nodes.function[nodes])
        head = [0] * len(parents) if heads is None else heads[nodes].tolist()
        tags = decode(bank.tokens.pos[tokens])
        children: list[list[tuple[int, int]]] = [[] for _ in parents]  # first token and item
        token_parents = bank.tokens.parent[tokens].tolist()
        roots = sum(parent < 0 for parent in parents) + sum(parent < 0 for parent in token_parents)
        if roots != 1:
            raise GrammarError(
                f"{bank.where(sentence)}: sentence {bank.sentence_id(sentence)}: found {roots} roots, "
                "expected one (virtual_root)"
            )
        for token, parent in enumerate(token_parents):
            children[parent].append((token, token))
        for node, parent in enumerate(parents):
            if parent >= 0:
                children[parent].append((starts[node], len(tags) + node))
        token_functions = decode(bank.tokens.function[tokens])
        items: list[SymbolItem | None] = [None] * len(parents)
        for node in range(len(parents) - 1, -1, -1):
            numbers = [number for _, number in sorted(children[node])]
            below = tuple(
                SymbolItem(tags[n], token_functions[n], (), 0, n)
                if n < len(tags)
                else _made(items[n - len(tags)])
                for n in numbers
            )
            centre = numbers.index(head[node]) if heads is not None and head[node] in numbers else 0
            items[node] = SymbolItem(labels[node], functions[node], below, centre, -1)
        yield _made(items[0])


def _made(item: SymbolItem | None) -> SymbolItem:
    """Return an item that exists: children come after their parents, and are built before them."""
    assert item is not None
    return item


class _Counts:
    """Counts the local trees of one tree after another."""

    def __init__(self, markovisation: Markovisation, smoothed: HeadOutward | None) -> None:
        self.smoothed = smoothed
        self._below: dict[int, tuple[str, ...]] = {}
        self.builder = GrammarBuilder()
        self.start: int | None = None
        self.vertical = markovisation.vertical
        self.horizontal = markovisation.horizontal
        self.functions = markovisation.functions
        self._heads: dict[tuple[object, ...], int] = {}

    def add(self, root: SymbolItem, terminals: Sequence[str], rare_words: frozenset[str] | None) -> None:
        start = self._symbol(root, ())
        if self.start is not None and start != self.start:
            names = [self.builder.symbols[code].name for code in (self.start, start)]
            raise GrammarError(
                f"training set: trees have the roots {names[0]} and {names[1]}, expected one label"
            )
        self.start = start
        waiting: list[tuple[SymbolItem, tuple[str, ...]]] = [(root, ())]
        while waiting:
            item, ancestors = waiting.pop()
            parent = self._symbol(item, ancestors)
            if item.token >= 0:
                terminal = terminals[item.token]
                if rare_words is not None and terminal not in rare_words and terminal != UNKNOWN:
                    self.builder.add_word(parent, terminal, 1 - UNKNOWN_SHARE)
                    self.builder.add_word(parent, UNKNOWN, UNKNOWN_SHARE)
                else:
                    self.builder.add_word(parent, terminal)
                continue
            lineage = (self._name(item), *ancestors)
            below = lineage if self.vertical == ALL else lineage[: self.vertical - 1]
            if self.smoothed is not None:
                self._count_children(self.smoothed, parent, item, below)
            else:
                nearest = lineage if self.vertical == ALL else lineage[: self.vertical]
                self._add_rule(parent, item, below, nearest)
            waiting.extend((child, below) for child in item.children)

    def grammar(self) -> Grammar:
        """Return the grammar of all trees that were added."""
        assert self.start is not None
        if self.smoothed is not None:
            for tag in sorted({tag for tag, _ in self.builder.lexicon}):
                self.builder.add_word(tag, UNKNOWN, UNKNOWN_SHARE)
            for rule in self.smoothed.rules(self._symbol_below):
                parent, *children = (self._code(part) for part in rule[:3] if part is not None)
                self.builder.add_rule(parent, children, rule.probability, rule.head)
        return self.builder.build(self.start, relative=True)

    def _code(self, part: State | int) -> int:
        """Return the code of a symbol or state of generation.

        A state's symbol is made when it is first seen.
        """
        if isinstance(part, int):
            return part
        above = self.builder.symbols[part.symbol]
        name = f"@{above.name}|{part.head.label}{'<>'[part.side]}{part.level}"
        return self.builder.symbol(part, Symbol(name, above.label, above.function, "intermediate"))

    def _count_children(
        self, smoothed: HeadOutward, parent: int, item: SymbolItem, below: tuple[str, ...]
    ) -> None:
        for child in item.children:
            self._symbol(child, below)
        self._below[parent] = below
        children = [self._child(child) for child in item.children]
        smoothed.add(parent, self._child(item), children, item.head)

    def _child(self, item: SymbolItem) -> Child:
        return Child(item.token >= 0, item.label, item.function if self.functions else "")

    def _symbol_below(self, parent: int, child: Child) -> int | None:
        return self.builder.code((*child, () if child.tag else self._below[parent]))

    def _add_rule(
        self, parent: int, item: SymbolItem, below: tuple[str, ...], lineage: tuple[str, ...]
    ) -> None:
        """Count the rules of a node, from the outermost children inward: left ones, then right ones."""
        codes = [self._symbol(child, below) for child in item.children]
        if len(codes) == 1:
            self.builder.add_unary(parent, codes[0])
            return
        names = [(self._name(child), child.token >= 0) for child in item.children]
        head = item.head
        if self.horizontal == ALL:
            # A rule is binarised in one way only, or its probability would be divided among several.
            head = self._heads.setdefault((lineage, *names), head)
        first, last = 0, len(codes) - 1
        while last - first > 1:
            if first < head:
                rest = self._rest(item, lineage, names, head, first + 1, last)
                self.builder.add_binary(parent, codes[first], rest, head=1)
                first += 1
            else:
                rest = self._rest(item, lineage, names, head, first, last - 1)
                self.builder.add_binary(parent, rest, codes[last], head=0)
                last -= 1
            parent = rest
        self.builder.add_binary(parent, codes[first], codes[last], head=int(head == last))

    def _rest(
        self,
        item: SymbolItem,
        lineage: tuple[str, ...],
        names: Sequence[Named],
        head: int,
        first: int,
        last: int,
    ) -> int:
        """Return the intermediate symbol of the children ``first`` to ``last``.

        It remembers the outermost of them.

        It has the label and the function of the node that it is a part of.
        """
        order = len(names) if self.horizontal == ALL else self.horizontal
        left, right = tuple(names[first:head]), tuple(reversed(names[head + 1 : last + 1]))
        if self.horizontal != ALL:
            # The right side is complete before the first child on the left is added.
            left, right = left[:order], () if left else right[:order]
        on_left = first < head
        key = ("rest", lineage, names[head], on_left, left, right)
        code = self.builder.code(key)
        if code is None:
            parts = [name for name, _ in left], f"<{names[head][0]}>", [name for name, _ in reversed(right)]
            sides = "_".join((*parts[0], parts[1], *parts[2]))
            name = f"@{'^'.join(lineage)}|{'' if on_left else '>'}{sides}"
            function = item.function if self.functions else ""
            code = self.builder.symbol(key, Symbol(name, item.label, function, "intermediate"))
        return code

    def _symbol(self, item: SymbolItem, ancestors: tuple[str, ...]) -> int:
        if item.token >= 0:
            ancestors = ()
        function = item.function if self.functions else ""
        key = (item.token >= 0, item.label, function, ancestors)
        code = self.builder.code(key)
        if code is None:
            name = "^".join((self._name(item), *ancestors))
            type = "tag" if item.token >= 0 else "phrase"
            code = self.builder.symbol(key, Symbol(name, item.label, function, type))  # type: ignore[arg-type]
        return code

    def _name(self, item: SymbolItem) -> str:
        return f"{item.label}/{item.function}" if self.functions and item.function else item.label


def distinct_labels(grammar: Grammar) -> tuple[list[str], np.ndarray[tuple[int], np.dtype[np.int32]]]:
    """Return the labels that nodes and tags can have, and for each symbol its index among them.

    Symbols that are not nodes share the first entry, whose label is empty.
    """
    numbers: dict[tuple[str, str], int] = {("", ""): 0}
    group = [
        0 if s.type == "intermediate" else numbers.setdefault((s.type, s.label), len(numbers))
        for s in grammar.symbols
    ]
    return [label for _, label in numbers], np.array(group, np.int32)
