"""TIGER-XML (Mengel and Lezius 2000, An XML-based encoding format for syntactically annotated corpora).

A sentence is a graph of terminals and nonterminals, whose edges name their children::

    <s id="s5"><graph root="s5_501">
      <terminals>
        <t id="s5_1" word="Bücher" lemma="Buch" pos="NN" morph="Acc.Pl"/> ...
      <nonterminals>
        <nt id="s5_500" cat="VP"><edge label="OA" idref="s5_1"/> ... </nt>

A node or token to which no edge points is a root, and there may be several; an explicit ``VROOT`` above them
is a node like any other. In a sentence without one, a node ``s5_VROOT`` with the category ``--`` is written
above all roots: only edges have labels, so it holds the roots' functions, and disco-dop takes the topmost
node for a virtual root whatever its name. It is no node when it is read. A secondary edge is in its
child and names its parent.

A sentence's id must begin with a letter: ``3`` is written as ``s3`` with ``orig_id="3"``, and read as ``3``.
A node's name is its id without that of the sentence, ``500``; the ids of terminals are not kept.
``--`` is a tag, lemma, morphology or function that is missing, and read as the empty string.
Attributes of tokens and nodes other than word, lemma, pos, morph and cat are joined in the column ``misc``,
``case=Nom|number=Sg``, those with the value ``--`` omitted; attributes of ``<s>`` are lines
of the sentence's comments, ``art_id = 8288``. The head of a file is read over.
"""

from __future__ import annotations

import io
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from os import PathLike
from typing import NamedTuple

import numpy as np

from crossbank.treebanks.arrays import BoolArray
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.errors import FormatError
from crossbank.treebanks.files import write_text
from crossbank.treebanks.formats.format import Format
from crossbank.treebanks.formats.numbering import bottom_up, node_names
from crossbank.treebanks.formats.xml_events import (
    Element,
    XmlSentence,
    further_attributes,
    reading_xml,
    xml_encoding,
    xml_events,
)
from crossbank.treebanks.tables import NO_PARENT, Nodes, Table, Tokens, node_end
from crossbank.treebanks.treebank import Treebank

FORMAT = Format(
    position=50,
    suffixes=(".xml", ".tigerxml"),
    trees=True,
    holds={
        "constituents",
        "functions",
        "secondary edges",
        "tags",
        "lemmas",
        "morphology",
        "features of nodes",
        "identifiers",
        "comments",
    },
    begins=(r"\s*<",),
    rank=1,
)

DAMAGE = "crossbank.treebanks.damage.xml_sentences:TIGERXML"

VIRTUAL_ROOT = "VROOT"
"""The name of the node above the roots of a sentence."""

NO_CATEGORY = "--"
"""Its category, which tells it from a ``VROOT`` of the treebank."""

NO_VALUE = "--"
"""What stands for a missing tag, lemma, morphology or function: disco-dop needs every attribute."""

TOKEN_COLUMNS = {"word": "form", "lemma": "lemma", "pos": "pos", "morph": "morph"}
"""The attributes of ``<t>`` and their columns."""

NODE_COLUMNS = {"cat": "label", "morph": "morph"}
"""The attributes of ``<nt>`` and their columns."""

_FRAME = frozenset({"s", "graph", "terminals", "nonterminals"})
_NAME = re.compile(r"[^\W\d][\w.-]*")
_NODE_NAME = re.compile(r"[\w.-]+")
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}
)


def dump(bank: Treebank, path: str | PathLike[str], *, encoding: str = "utf-8") -> None:
    """Write a file, gzipped where its name ends in ``.gz``: see ``dumps``."""
    write_text(path, _written(bank, encoding), encoding)


def dumps(bank: Treebank) -> str:
    """Return the treebank as TIGER-XML, with a head that lists features and labels as TIGERSearch wants them.

    Nodes keep their names where a sentence's are all there and distinct; otherwise they are numbered
    from 500, and come after their children. Dependencies, ``xpos`` and ``deps`` have no attribute in this
    format.

    Raises ConversionError if a string has a character that XML cannot hold.
    """
    return _written(bank, "utf-8")


# Reading


def _read(stream: io.BufferedIOBase, path: str | PathLike[str], encoding: str | None) -> Treebank:
    """Raise FormatError for text that is not XML or has no sentences, ConversionError for cycles of nodes."""
    builder = TreebankBuilder(str(path))
    sentences = 0
    elements: list[Element] = []
    for event, element in xml_events(stream, path, encoding, "TIGER-XML"):
        if event == "start":
            if element.tag == "s" and elements:
                raise FormatError(path, "<s> in a sentence", "the end of the one before", line=element.line)
            if element.tag == "s" or elements:
                elements.append(element)
        elif element.tag == "s":
            _Sentence(path, elements[0].attributes.get("id", "")).add_to(builder, elements)
            sentences += 1
            elements.clear()
    if not sentences:
        raise FormatError(path, "XML without a sentence <s>", "TIGER-XML")
    return builder.build()


class _Edge(NamedTuple):
    """An edge as its parent or child has it: that item, the label, and the id of the other end."""

    item: int | None
    label: str
    idref: str
    element: Element


class _Sentence(XmlSentence):
    """A sentence with its edges; the item of the node above all roots is None."""

    def __init__(self, path: str | PathLike[str], id: str) -> None:
        super().__init__(path, id)
        self.edges: list[_Edge] = []
        self.secondary: list[tuple[int, _Edge]] = []
        self.item: int | None = 0  # of the element that edges are in

    def add_to(self, builder: TreebankBuilder, elements: list[Element]) -> None:
        attributes = elements[0].attributes
        original = attributes.get("orig_id", "")
        if original and original != self.id and _identifier(original) == self.id:
            del attributes["orig_id"]
        else:
            original = self.id or ""
        comments = [
            line
            for name, value in attributes.items()
            if name != "id" and value
            for line in (value.split("\n") if name == "comments" else [f"{name} = {value}"])
        ]
        builder.sentence(id=original, line=elements[0].line, comments="\n".join(comments))
        for element in elements:
            if element.tag in ("t", "nt"):
                self._add_item(element)
                if element.tag == "t" and not element.attributes["word"]:
                    builder.count_event("terminals with an empty word")
            elif element.tag in ("edge", "secedge"):
                self._add_edge(element)
            elif element.tag not in _FRAME:
                builder.count_event(f"elements <{element.tag}> dropped")
        tokens, nodes = (
            [element.attributes for element in self.words],
            [element.attributes for element in self.nodes],
        )
        (token_parent, token_function), (node_parent, node_function) = self._parents_and_functions()
        builder.tokens(
            form=[t["word"] for t in tokens],
            **{column: [_known(t.get(column, "")) for t in tokens] for column in ("lemma", "pos", "morph")},
            misc=[further_attributes(t, (*TOKEN_COLUMNS, "id")) for t in tokens],
            function=token_function,
            parent=token_parent,
        )
        builder.nodes(
            label=[n["cat"] for n in nodes],
            morph=[_known(n.get("morph", "")) for n in nodes],
            misc=[further_attributes(n, (*NODE_COLUMNS, "id")) for n in nodes],
            name=[n["id"].removeprefix(f"{self.id}_") for n in nodes],
            function=node_function,
            parent=node_parent,
        )
        for item, edge in self.secondary:
            builder.secondary(label=edge.label, child=item, parent=self._end(edge, "a secondary edge"))

    def _add_item(self, element: Element) -> None:
        is_word = element.tag == "t"
        id, content = self.require(element, "id"), self.require(element, "word" if is_word else "cat")
        if not is_word and id == f"{self.id}_{VIRTUAL_ROOT}" and content == NO_CATEGORY:
            self.item = None
        else:
            self.item = self.add(element, id, is_word=is_word)

    def _add_edge(self, element: Element) -> None:
        idref = self.require(element, "idref")
        edge = _Edge(self.item, _known(element.attributes.get("label", "")), idref, element)
        if element.tag == "edge":
            self.edges.append(edge)
        elif self.item is None:
            actual = "<secedge> in the root of all roots"
            raise self.error(element, actual, "secedges of terminals and nodes")
        else:
            self.secondary.append((self.item, edge))

    def _parents_and_functions(self) -> list[tuple[list[int], list[str]]]:
        """Return the parents and functions of tokens, and those of nodes, as the edges say."""
        tokens, nodes = (([NO_PARENT] * len(some), [""] * len(some)) for some in (self.words, self.nodes))
        for edge in self.edges:
            item, label, idref, element = edge
            if item is not None and item >= 0:
                actual = f"<edge> in {self.words[item].attributes['id']}, a terminal"
                raise self.error(element, actual, "edges of nonterminals")
            child = self._end(edge, "an edge")
            (parents, functions), row = (tokens, child) if child >= 0 else (nodes, node_end(child))
            if item is not None and parents[row] != NO_PARENT:
                both = " and ".join(
                    self.nodes[node].attributes["id"] for node in (parents[row], node_end(item))
                )
                raise self.error(element, f"{idref} as a child of {both}", "one parent")
            functions[row] = label
            parents[row] = parents[row] if item is None else node_end(item)
        return [tokens, nodes]

    def _end(self, edge: _Edge, what: str) -> int:
        if edge.idref not in self.items:
            actual = f"{what} to {edge.idref}"
            raise self.error(edge.element, actual, "the id of a terminal or nonterminal")
        return self.items[edge.idref]


def _known(string: str) -> str:
    return "" if string == NO_VALUE else string


# Writing


def _written(bank: Treebank, encoding: str) -> str:
    _check_characters(bank)
    escaped = [string.translate(_ESCAPES) for string in bank.vocabulary]
    # Sentences without a node named ``VROOT`` of their own get one.
    has_virtual_root = np.ones(len(bank), np.bool_)
    named = bank.nodes.name == bank.vocabulary.code(VIRTUAL_ROOT)
    has_virtual_root[bank.nodes.sentence_of_row()[named]] = False
    parts = [
        f'<?xml version="1.0" encoding="{xml_encoding(encoding)}" standalone="yes"?>\n<corpus id="corpus">\n',
        *_head(bank, escaped, has_virtual_root),
        "<body>\n",
        *_sentences(bank, escaped, has_virtual_root),
        "</body>\n</corpus>\n",
    ]
    return "".join(parts)


def _check_characters(bank: Treebank) -> None:
    bad = bank.vocabulary.matching(lambda string: _NOT_XML.search(string) is not None)
    if not bad.any():
        return
    for table in (bank.sentences, bank.tokens, bank.nodes, bank.secondary):
        for column in table.STRINGS:
            codes = getattr(table, column)
            rows = bad[codes].nonzero()[0]
            if len(rows) and column != "source":
                sentence = int(table.sentence_of_row()[rows[0]])
                string = bank.vocabulary[int(codes[rows[0]])]
                raise bank.refused(sentence, f"found {string!r}, expected characters that XML can hold")


def _head(bank: Treebank, escaped: list[str], has_virtual_root: BoolArray) -> Iterator[str]:
    """Head of a file: the labels, and the features of terminals (T), nonterminals (NT) or both (FREC)."""
    domains: dict[str, str] = {"word": "T", "cat": "NT"}
    values: dict[str, set[int]] = defaultdict(set)
    for domain, table, columns in (("T", bank.tokens, TOKEN_COLUMNS), ("NT", bank.nodes, NODE_COLUMNS)):
        for name, column in columns.items():
            used = _used(table, column)
            if (used or domain == "T") and name not in ("word", "cat"):
                domains[name] = "FREC" if domains.get(name, domain) != domain else domain
            if name not in ("word", "lemma"):
                values[name] |= used
        for misc in sorted(bank.vocabulary[code] for code in _used(table, "misc")):
            for name, _ in _as_attributes(misc, columns):
                domains[name] = "FREC" if domains.get(name, domain) != domain else domain
    yield "<head>\n<annotation>\n"
    for name, domain in domains.items():
        listed = [escaped[code] for code in values[name]]
        if name == "cat" and has_virtual_root.any():
            listed.append(NO_CATEGORY)
        if name in ("pos", "morph") and not getattr(bank.tokens, name).all():
            listed.append(NO_VALUE)
        yield _listed(f'<feature name="{name}" domain="{domain}"', listed, "feature")
    functions = np.concatenate([bank.tokens.function, bank.nodes.function])
    for element, codes in (("edgelabel", functions), ("secedgelabel", bank.secondary.label)):
        if len(codes) and (codes.any() or element == "edgelabel"):
            listed = [escaped[code] or NO_VALUE for code in np.unique(codes).tolist()]
            yield _listed(f"<{element}", listed, element)
    yield "</annotation>\n</head>\n"


def _listed(tag: str, values: list[str], element: str) -> str:
    listed = "".join(f'<value name="{value}"/>\n' for value in sorted(set(values)))
    return f"{tag}>\n{listed}</{element}>\n" if values else f"{tag}/>\n"


def _used(table: Table, column: str) -> set[int]:
    """Return the codes in a column, without that of the empty string."""
    return set(np.unique(getattr(table, column)).tolist()) - {0}


def _sentences(bank: Treebank, escaped: list[str], has_virtual_root: BoolArray) -> Iterator[str]:
    names = node_names(bank, _NODE_NAME)
    tokens = _attribute_strings(bank, bank.tokens, TOKEN_COLUMNS, escaped)
    nodes = _attribute_strings(bank, bank.nodes, NODE_COLUMNS, escaped)
    secondary: dict[int, list[int]] = defaultdict(list)
    for edge, sentence in enumerate(bank.secondary.sentence_of_row().tolist()):
        secondary[sentence].append(edge)
    for sentence in range(len(bank)):
        original = bank.sentence_id(sentence)
        identifier = _identifier(original)
        token_rows, node_rows = bank.tokens.rows(sentence), bank.nodes.rows(sentence)
        count = token_rows.stop - token_rows.start
        # Token i is item i, node j is item count + j.
        ids = [f"{identifier}_{name}" for name in (*range(1, count + 1), *names[node_rows])]
        label = (*bank.tokens.function[token_rows].tolist(), *bank.nodes.function[node_rows].tolist())
        start = (*range(count), *bank.spans.start[node_rows].tolist())
        node_parent = bank.nodes.parent[node_rows].tolist()
        above = (*bank.tokens.parent[token_rows].tolist(), *node_parent)
        edges: dict[int, str] = defaultdict(str)
        for item in sorted(range(len(ids)), key=start.__getitem__):
            edges[above[item]] += _edge("edge", escaped[label[item]], ids[item])
        second: dict[int, str] = defaultdict(str)
        for edge in secondary.get(sentence, ()):
            ends = int(bank.secondary.child[edge]), int(bank.secondary.parent[edge])
            child, parent = (end if end >= 0 else count + node_end(end) for end in ends)
            second[child] += _edge("secedge", escaped[int(bank.secondary.label[edge])], ids[parent])
        virtual = f"{identifier}_{VIRTUAL_ROOT}" if ids and has_virtual_root[sentence] else ""
        root = f' root="{virtual or ids[min(count, len(ids) - 1)]}"' if ids else ""
        comments = _comments(bank.vocabulary[int(bank.sentences.comments[sentence])])
        if identifier != original and " orig_id=" not in comments:
            comments = f' orig_id="{original.translate(_ESCAPES)}"{comments}'
        yield f'<s id="{identifier}"{comments}>\n<graph{root}>\n<terminals>\n'
        for item in range(count):
            end = f">\n{second[item]}</t>\n" if item in second else "/>\n"
            yield f'<t id="{ids[item]}"{tokens[token_rows.start + item]}{end}'
        yield "</terminals>\n<nonterminals>\n"
        for node in bottom_up(node_parent):
            inside = edges[node] + second[count + node]
            yield f'<nt id="{ids[count + node]}"{nodes[node_rows.start + node]}>\n{inside}</nt>\n'
        if virtual:
            yield f'<nt id="{virtual}" cat="{NO_CATEGORY}">\n{edges[NO_PARENT]}</nt>\n'
        yield "</nonterminals>\n</graph>\n</s>\n"


def _edge(element: str, label: str, idref: str) -> str:
    return f'<{element} label="{label or NO_VALUE}" idref="{idref}"/>\n'


def _attribute_strings(
    bank: Treebank, table: Tokens | Nodes, columns: Mapping[str, str], escaped: list[str]
) -> list[str]:
    """Return the attributes of every token or node as they are in its tag."""
    strings = []
    for name, column in columns.items():
        written = {code: f' {name}="{escaped[code]}"' for code in _used(table, column)}
        # Every attribute of a word must be there, and a node's category.
        missing = "" if name in ("word", "cat") else NO_VALUE
        written[0] = f' {name}="{missing}"' if table is bank.tokens or name == "cat" else ""
        strings.append([written[code] for code in getattr(table, column).tolist()])
    misc = {0: ""}
    for code in _used(table, "misc"):
        pairs = _as_attributes(bank.vocabulary[code], columns)
        misc[code] = "".join(f' {name}="{value.translate(_ESCAPES)}"' for name, value in pairs)
    strings.append([misc[code] for code in table.misc.tolist()])
    return ["".join(parts) for parts in zip(*strings, strict=True)]


def _as_attributes(misc: str, columns: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return a value of ``misc`` as attributes: ``case=Nom|number=Sg`` as two, other text as ``misc``."""
    pairs = [part.partition("=") for part in misc.split("|")]
    names = [name for name, _, _ in pairs]
    taken = {*columns, "id", "misc"}
    if len(set(names)) == len(names) and all(
        _NAME.fullmatch(name) and name not in taken and value not in ("", "--") for name, _, value in pairs
    ):
        return [(name, value) for name, _, value in pairs]
    return [("misc", misc)]


def _comments(comments: str) -> str:
    """Return the comments as attributes of ``<s>``: ``art_id = 8288`` as one, other text as ``comments``."""
    pairs: dict[str, str] = {}
    remaining: list[str] = []
    for line in comments.split("\n") if comments else ():
        name, _, value = line.partition(" = ")
        if value and _NAME.fullmatch(name) and name not in pairs and name not in ("id", "comments"):
            pairs[name] = value
        else:
            remaining.append(line)
    if remaining:
        pairs["comments"] = "\n".join(remaining)
    return "".join(f' {name}="{value.translate(_ESCAPES)}"' for name, value in pairs.items())


def _identifier(name: str) -> str:
    """Return a sentence's id as XML allows it."""
    name = re.sub(r"[^\w.-]", "_", name)
    return name if _NAME.fullmatch(name) else f"s{name}"


load, loads = reading_xml(_read)
