r"""Trees of the Cambridge Grammar of the English Language, with functions, gaps and fused heads.

The module ``cgel_trees`` describes the notation.

tokens  words, gaps and punctuation: ``pos`` is the category, ``function`` the function; ``lemma`` (``:l``)
        and ``xpos`` are there where they are written. A gap is ``--`` with the tag ``GAP``, a word that is
        only meant (``:correct`` without ``:t``) is in ``⟨⟩``. Punctuation, an attribute of a word in the
        file, is a token with the tag ``p`` under the word's parent.
misc    of tokens and nodes: ``Index=x|Correct=lose|Subt=do|Subt=n't|Subp=-|Note=...``, with ``\p`` for a bar
        and two backslashes for one; ``Before=Yes`` marks punctuation that belongs to the word after it
secondary edges
        from a gap's antecedent to the constituent that the gap is in, with the gap's function; and for fused
        functions, such as ``Det-Head``, from the constituent to the phrase further up in which it has
        the other function (``Det`` in the noun phrase)

Secondary edges follow from indices and functions; others are not written. Header lines are the sentence's
comments.

Source: Reynolds, Brett, Aryaman Arora and Nathan Schneider (2023): Unified Syntactic Annotation of English in
the CGEL Framework. LAW. Payne, John, Rodney Huddleston and Geoffrey Pullum (2007): Fusion of Functions.
Journal of Linguistics 43(3), on constituents with two functions.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from itertools import pairwise

import numpy as np

from crossbank.formalisms.cgel.formats.cgel_trees import (
    ATTRIBUTES,
    CORRECTION,
    GAP,
    LEMMA,
    NOTE,
    PARTS,
    PUNCTUATION,
    ROOT,
    TAG,
    TEXT,
    CgelSentence,
    Constituent,
    read_trees,
)
from crossbank.treebanks.arrays import Int64Array
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.errors import ConversionError
from crossbank.treebanks.formats.format import Format
from crossbank.treebanks.formats.text_files import reading_lines, writing
from crossbank.treebanks.formats.unwritable_strings import LINE_BREAK, refuse_strings
from crossbank.treebanks.tables import NO_PARENT, node_end
from crossbank.treebanks.treebank import Treebank

FORMAT = Format(
    position=190,
    suffixes=(".cgel",),
    trees=True,
    scheme="cgel",
    holds={"constituents", "functions", "tags", "further tags", "lemmas", "identifiers", "comments"},
    refuses=("several roots", "discontinuous constituents"),
    changes=("labels with spaces",),
    begins=(r"# sent_id = [^\n]*\n(#[^\n]*\n)*\s*\(",),
)

DAMAGE = "crossbank.formalisms.cgel.formats.damaged_trees:TREES"

GAP_FORM = "--"
"""The form of a gap, as in the header ``sent`` of the files."""

INTENDED = re.compile("⟨(.*)⟩")
"""Pattern of the form of a word that is intended and not written."""

PUNCTUATION_TAG = "p"

BEFORE = "Before=Yes"

ABSENT = "_"
"""The sign for a missing category or function."""

MISC = {"Correct": CORRECTION, "Subt": PARTS[0], "Subp": PARTS[1], "Note": NOTE}
"""The name of a constituent's attributes in ``misc``."""

NAMES = {attribute: name for name, attribute in MISC.items()}

FUSED = re.compile(r"([^-]+)-([^-]+)")
"""Two fused functions: the one in a higher phrase, and the one in the constituent's parent."""

OUTER = {"Det": ("Nom",)}
"""Categories that may be between a constituent and the phrase with its outer function: a determiner
belongs to the noun phrase, with any number of nominals (``Nom``) in between."""


# Reading


def _read(lines: Iterable[tuple[int, str]], source: str) -> Treebank:
    builder = TreebankBuilder(source)
    for tree in read_trees(lines, source):
        _add(builder, tree)
    return builder.build()


def _add(builder: TreebankBuilder, tree: CgelSentence) -> None:
    builder.sentence(id=tree.id, line=tree.line, comments="\n".join(tree.headers))
    node: dict[int, int] = {ROOT: NO_PARENT}
    ends: list[int] = []  # each constituent as an end of a secondary edge
    for index, one in enumerate(tree.constituents):
        above = node[one.parent]
        if one.category != GAP and not one.is_word:
            node[index] = builder.node(
                label=_known(one.category),
                function=_known(one.function),
                parent=above,
                misc=_misc(one.index, one.attributes),
            )
            ends.append(node_end(node[index]))
            dropped = sum(name not in NAMES for name, _ in one.attributes)
            if dropped:
                builder.count_event("attributes of words on phrases dropped", dropped)
            continue
        # Punctuation comes before or after the word.
        after = one.category == GAP or one.value(TEXT) is None
        if after:
            ends.append(_token(builder, one, above))
        for name, value in one.attributes:
            if name == TEXT:
                ends.append(_token(builder, one, above))
                after = True
            elif name == PUNCTUATION:
                builder.token(form=value, pos=PUNCTUATION_TAG, parent=above, misc="" if after else BEFORE)
    _add_antecedents(builder, tree, ends, node)
    _add_fusions(builder, tree, ends, node)


def _token(builder: TreebankBuilder, one: Constituent, above: int) -> int:
    """Add a word or gap, and return its position."""
    text = GAP_FORM if one.category == GAP else one.value(TEXT)
    return builder.token(
        form=f"⟨{one.lexeme}⟩" if text is None else text,
        lemma=one.value(LEMMA) or "",
        pos=_known(one.category),
        xpos=one.value(TAG) or "",
        function=_known(one.function),
        parent=above,
        misc=_misc(one.index, one.attributes),
    )


def _known(name: str) -> str:
    return "" if name == ABSENT else name.replace(ESCAPES[":"], ":").replace(HYPHEN, "-")


def _misc(index: str, attributes: Iterable[tuple[str, str]]) -> str:
    pairs = [("Index", index)] if index else []
    pairs += [(NAMES[name], value) for name, value in attributes if name in NAMES]
    escapes = str.maketrans({"\\": "\\\\", "|": "\\p"})
    return "|".join(f"{name}={value.translate(escapes)}" for name, value in pairs)


def _add_antecedents(
    builder: TreebankBuilder, tree: CgelSentence, ends: list[int], node: dict[int, int]
) -> None:
    """Add an edge for each gap, from the constituent with its index; gaps without antecedent are counted."""
    antecedents: dict[str, int] = {}
    for index, one in enumerate(tree.constituents):
        if one.index and one.category != GAP:
            if one.index in antecedents:
                builder.count_event("further antecedents of one index")
            antecedents.setdefault(one.index, index)
    for one in tree.constituents:
        if one.category != GAP:
            continue
        index = antecedents.get(one.index, ROOT)
        if index == ROOT:
            builder.count_event("gaps without an antecedent")
        elif one.parent != ROOT:
            builder.secondary(label=one.function, child=ends[index], parent=node_end(node[one.parent]))


def _add_fusions(builder: TreebankBuilder, tree: CgelSentence, ends: list[int], node: dict[int, int]) -> None:
    """Add an edge for each fused function; the diagnosis counts those without a phrase further up."""
    parents = [one.parent for one in tree.constituents]
    categories = [one.category for one in tree.constituents]
    for index, one in enumerate(tree.constituents):
        label, outer = _fusion(one.function, one.parent, parents, categories)
        if label and outer == ROOT:
            builder.count_event("fused functions without a phrase further up")
        elif label:
            builder.secondary(label=label, child=ends[index], parent=node_end(node[outer]))


def _fusion(function: str, parent: int, parents: Sequence[int], categories: Sequence[str]) -> tuple[str, int]:
    """Return the outer of two fused functions and the phrase further up; "" and ``ROOT`` for none."""
    fused = FUSED.fullmatch(function)
    if fused is None:
        return "", ROOT
    passed = OUTER.get(fused[1], ())
    outer = parent if passed or parent == ROOT else parents[parent]
    while passed and outer != ROOT and categories[outer] in passed:
        outer = parents[outer]
    return fused[1], ROOT if outer == parent else outer


# Writing

ESCAPES = {"(": "-LRB-", ")": "-RRB-", ":": "-COLON-", '"': "''"}
"""Escapes of characters that categories and functions cannot have; a blank is written ``_``."""

HYPHEN = "-HYPHEN-"
"""The escape of the hyphen of a function, such as TüBa's ``V-MOD``, that would be read as two fused ones."""


UNWRITABLE = {
    "tokens.form": rf"{LINE_BREAK}|^ *\Z",
    "tokens.lemma": LINE_BREAK,
    "tokens.xpos": LINE_BREAK,
    "tokens.misc": LINE_BREAK,
    "nodes.misc": LINE_BREAK,
    "tokens.function": rf"^({'|'.join(ATTRIBUTES)})\Z",
    "nodes.function": rf"^({'|'.join(ATTRIBUTES)})\Z",
    "sentences.id": LINE_BREAK,
    "sentences.comments": r"\r",
}
"""Strings that a line cannot hold, and functions that are the names of attributes."""


def dumps(bank: Treebank) -> str:
    """Return trees in the layout of the published files.

    Each constituent is on a line of its own, and a blank line follows each tree.

    An absent category or function is written ``_``. Raises ConversionError if a
    sentence has not exactly one root or no words, where its branches cross, and for line breaks in strings.
    """
    refuse_strings(bank, "cgel", UNWRITABLE)
    return "".join(f"{line}\n" for sentence in range(len(bank)) for line in _Writer(bank, sentence).lines())


def count_dropped_edges(bank: Treebank) -> Int64Array:
    """Count each sentence's secondary edges that do not follow from the written tree."""
    counts = bank.secondary.lengths().astype(np.int64)
    for sentence in np.flatnonzero(counts).tolist():
        with suppress(ConversionError):  # a sentence that cannot be written drops all its edges
            back = loads("\n".join(_Writer(bank, sentence).lines()))
            counts[sentence] = (Counter(_edges(bank, sentence)) - Counter(_edges(back, 0))).total()
    return counts


def _edges(bank: Treebank, sentence: int) -> Iterator[tuple[int, str, int]]:
    """Yield child, label and parent of a sentence's secondary edges."""
    rows, table = bank.secondary.rows(sentence), bank.secondary
    labels = bank.vocabulary.decode(table.label[rows])
    return zip(table.child[rows].tolist(), labels, table.parent[rows].tolist(), strict=True)


class _Writer:
    def __init__(self, bank: Treebank, sentence: int) -> None:
        self._bank, self._sentence = bank, sentence
        words, inner = bank.tokens.rows(sentence), bank.nodes.rows(sentence)
        columns = ("form", "lemma", "pos", "xpos", "function", "misc")
        self._tokens = bank.cells("tokens", sentence, *columns)
        self._token_parents = bank.tokens.parent[words].tolist()
        self._nodes = bank.cells("nodes", sentence, "label", "function", "misc")
        self._node_parents = bank.nodes.parent[inner].tolist()
        self._labels = [label for label, *_ in self._nodes]
        self._edges = set(_edges(bank, sentence))
        self._starts = bank.spans.start[inner].tolist()
        if bank.spans.discontinuous[inner].any():
            raise self._error("crossing branches", "none (raise_crossing removes them)")

    def lines(self) -> Iterator[str]:
        yield from self._headers()
        beside, own = self._punctuation()
        if not own:
            raise self._error("no words", "a tree")
        depth: dict[int, int] = {NO_PARENT: -1}
        lines: list[tuple[int, str]] = []  # with the depth of each
        started = 0
        for token in own:
            while started < len(self._nodes) and self._starts[started] <= token:
                depth[started] = depth[self._node_parents[started]] + 1
                lines.append((depth[started], self._node(started)))
                started += 1
            level = depth[self._token_parents[token]] + 1
            lines.append((level, self._word(token, *beside.get(token, ([], [])))))
        roots = [level for level, _ in lines].count(0)
        if roots != 1:
            raise self._error(f"{roots} roots", "one")
        for (level, line), (following, _) in pairwise([*lines, (0, "")]):
            yield "    " * level + line + ")" * (level - following + 1)
        yield ""

    def _headers(self) -> list[str]:
        ((identifier, comments),) = self._bank.cells("sentences", self._sentence, "id", "comments")
        lines = [line if line.startswith("#") else f"# {line}" for line in comments.split("\n") if line]
        if identifier and not any(re.match(r"#\s*sent_id\s*=", line) for line in lines):
            lines.insert(0, f"# sent_id = {identifier}")
        return lines

    def _punctuation(self) -> tuple[dict[int, tuple[list[str], list[str]]], list[int]]:
        """Return the punctuation before and after each word, and the tokens that are no such punctuation."""
        beside: dict[int, tuple[list[str], list[str]]] = {}
        own: list[int] = []
        before: list[str] = []
        last = -1
        for token, (form, _, tag, *_, misc) in enumerate(self._tokens):
            if tag != PUNCTUATION_TAG:
                own.append(token)
                if tag != GAP:
                    beside[token] = (before, [])
                    before, last = [], token
            elif last < 0 or misc == BEFORE:
                before.append(form)
            else:
                beside[last][1].append(form)
        if before and last >= 0:
            beside[last][1].extend(before)
        return beside, own

    def _node(self, node: int) -> str:
        label, function, misc = self._nodes[node]
        index, attributes = attributes_of(misc)
        opened = self._opened(label, function, index, self._node_parents[node], node_end(node))
        return opened + _written(attributes)

    def _word(self, token: int, before: list[str], after: list[str]) -> str:
        form, lemma, tag, xpos, function, misc = self._tokens[token]
        index, attributes = attributes_of(misc)
        opened = self._opened(tag, function, index, self._token_parents[token], token)
        pairs = [(PUNCTUATION, mark) for mark in before]
        if tag != GAP:
            meant = INTENDED.fullmatch(form)
            pairs += [(TEXT, form)] if meant is None else []
            if meant is not None and all(name != CORRECTION for name, _ in attributes):
                pairs.append((CORRECTION, meant[1]))
        pairs += [one for one in attributes if one[0] == CORRECTION]
        pairs += [(name, value) for name, value in ((LEMMA, lemma), (TAG, xpos)) if value]
        pairs += [one for one in attributes if one[0] in PARTS]
        pairs += [(PUNCTUATION, mark) for mark in after]
        return opened + _written([*pairs, *(one for one in attributes if one[0] == NOTE)])

    def _opened(self, category: str, function: str, index: str, parent: int, end: int) -> str:
        """Return the beginning of a constituent: its function, bracket, index and category."""
        label, outer = _fusion(function, parent, self._node_parents, self._labels)
        if outer != ROOT and (end, label, node_end(outer)) not in self._edges:
            function = function.replace("-", HYPHEN)
        before = "(" if parent == NO_PARENT else f":{_name(function)} ("
        return before + (f"{_name(index)} / " if index else "") + _name(category)

    def _error(self, actual: str, expected: str) -> ConversionError:
        return self._bank.refused(self._sentence, f"found {actual}, expected {expected} to write as cgel")


@cache
def _name(text: str) -> str:
    """Return a category, function or index as the notation can hold it."""
    written = "".join(ESCAPES.get(character, character) for character in "_".join(text.split()))
    return "-SLASH-" if written == "/" else written or ABSENT


def attributes_of(misc: str) -> tuple[str, list[tuple[str, str]]]:
    """Return the index and the attributes in ``misc``; other entries are ignored."""
    index, attributes = "", []
    for pair in misc.split("|") if misc else ():
        name, _, value = pair.partition("=")
        value = re.sub(r"\\(.)", lambda match: "|" if match[1] == "p" else match[1], value)
        if name == "Index":
            index = value
        elif name in MISC:
            attributes.append((MISC[name], value))
    return index, attributes


def _written(attributes: Iterable[tuple[str, str]]) -> str:
    return "".join(
        ' :{} "{}"'.format(name, value.replace("\\", "\\\\").replace('"', '\\"'))
        for name, value in attributes
    )


load, loads = reading_lines(_read)
dump = writing(dumps)
