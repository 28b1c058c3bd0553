"""exportXML, the format in which TüBa-D/Z is published with all its layers (Telljohann et al. 2012).

Words stand within their nodes, and each names its parent::

    <text xml:id="text_0" origin="T990507.2"><sentence xml:id="s5">
      <node xml:id="s5_500" cat="NX" func="ON" parent="s5_501">
        <word xml:id="s5_1" form="Bücher" pos="NN" morph="npn" lemma="Buch" func="HD" parent="s5_500"
              dephead="s5_2" deprel="SUBJ"/> ...

The attribute ``parent`` counts, not the element around a word or node: punctuation within a node has no
parent, and where layers overlap an element, even a sentence, ends before everything that belongs to it.
So a sentence goes on until the next one begins. An element without ``parent`` is a root. A word with
``deprel`` and without ``dephead`` is a root of the dependencies, of which a sentence has many, since
punctuation is one as well (the conversion ``single_root`` joins them). A secondary edge is in its child
and names its parent.

A node's name is its id without that of the sentence, ``500``; the ids of words are not kept. The origin of
a text is a line of its sentences' comments, ``document = T990507.2``. Further attributes of words and
nodes are joined in the column ``misc``; a ``span`` follows from the elements that belong to it. All other
elements (named entities, anaphora, connectives, discourse units and relations, topics) are left out, and
counted with the sentence that they begin in or after. The head of a file, ``<schema>``, is ignored.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterable
from os import PathLike

import numpy as np

from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.cycles import on_cycle
from crossbank.treebanks.errors import FormatError
from crossbank.treebanks.files import open_binary
from crossbank.treebanks.formats.xml_events import (
    Element,
    further_attributes,
    xml_events,
)
from crossbank.treebanks.tables import NO_PARENT, ROOT, UNATTACHED
from crossbank.treebanks.treebank import Treebank

ID = "http://www.w3.org/XML/1998/namespace}id"

TOKEN_COLUMNS = {
    "form": "form", "lemma": "lemma", "pos": "pos", "morph": "morph",
    "func": "function", "deprel": "relation",
}  # fmt: skip
"""The attributes of ``<word>`` and their columns."""

NODE_COLUMNS = {"cat": "label", "func": "function"}
"""The attributes of ``<node>`` and their columns."""

NO_FUNCTION = "--"
"""The function of an element without a parent."""

_ELSEWHERE = frozenset((ID, "parent", "dephead", "span"))
_FRAME = frozenset(("body", "text"))


def load(path: str | PathLike[str], *, encoding: str | None = None) -> Treebank:
    """Read a file, gzipped or not, sentence by sentence.

    The encoding is the one that the XML declaration names, unless ``encoding`` names another.
    Nothing outside the file is ever fetched.

    Raises FormatError with line and sentence where the file is no XML, an id is missing, unknown or
    there twice, or the parents of nodes or the heads of words form a cycle.
    """
    with open_binary(path) as stream:
        return _Reader(path).read(stream, encoding)


def loads(text: str) -> Treebank:
    """Read a treebank from text, whatever encoding it declares; raises the errors of ``load``."""
    return _Reader("text").read(io.BytesIO(text.removeprefix("\ufeff").encode()), "utf-8")


class _Reader:
    """Contents of a file so far, and of the sentence that is being read."""

    def __init__(self, path: str | PathLike[str]) -> None:
        self._path = path
        self._builder = TreebankBuilder(str(path))
        self._document = ""
        self._early: Counter[str] = Counter()  # elements before the first sentence
        self._seen: set[str] = set()
        self._id: str | None = None  # that of the sentence
        self._within = False  # its element has not ended
        self._words: list[Element] = []
        self._nodes: list[Element] = []
        self._edges: list[tuple[int, Element]] = []
        self._place: dict[str, int] = {}  # word i is i, node j is -1 - j

    def read(self, stream: io.BufferedIOBase, encoding: str | None) -> Treebank:
        """Return the whole file."""
        in_body = False
        for event, element in xml_events(stream, self._path, encoding, "exportXML"):
            tag = element.tag
            in_body = in_body or tag == "body"
            if not in_body:
                continue
            if event == "start":
                self._begin(element, tag)
            else:
                self._within = self._within and tag != "sentence"
        self._end_sentence()
        if not self._seen:
            raise FormatError(self._path, "XML without a <sentence> in its <body>", "exportXML")
        return self._builder.build()

    def _begin(self, element: Element, tag: str) -> None:
        if tag in ("word", "node"):
            self._add(element, tag)
        elif tag == "sentence":
            self._begin_sentence(element)
        elif tag == "text":
            self._document = element.given.get("origin", "")
        elif tag == "secEdge":
            self._add_edge(element)
        elif tag not in _FRAME and self._id is None:
            self._early[tag] += 1
        elif tag not in _FRAME:
            self._builder.found(f"elements <{tag}> left out")

    def _begin_sentence(self, element: Element) -> None:
        given, line = element.given, element.line
        if self._within:
            raise self._refuse(line, "<sentence> in a sentence", "the end of the one before")
        self._end_sentence()
        identifier = given.get(ID)
        if identifier is None:
            raise self._refuse(line, "<sentence> without xml:id", "an attribute xml:id")
        if identifier in self._seen:
            raise self._refuse(line, f"sentence {identifier} a second time", "it once")
        self._seen.add(identifier)
        self._id, self._within = identifier, True
        comments = [f"document = {self._document}"] if self._document else []
        comments += (f"{name} = {value}" for name, value in given.items() if name not in _ELSEWHERE)
        self._builder.sentence(id=identifier, line=line, comments="\n".join(comments))
        for tag, times in self._early.items():
            self._builder.found(f"elements <{tag}> left out", times)
        self._early.clear()

    def _add(self, item: Element, tag: str) -> None:
        for attribute, name in ((ID, "xml:id"), ("form", "form") if tag == "word" else ("cat", "cat")):
            if attribute not in item.given:
                raise self._refuse(item.line, f"<{tag}> without {name}", f"an attribute {name}")
        identifier = item.given[ID]
        if not self._within and (self._id is None or not identifier.startswith(f"{self._id}_")):
            raise self._refuse(item.line, f"{identifier} outside a sentence", "it within its sentence")
        if identifier in self._place:
            raise self._refuse(item.line, f"the id {identifier} a second time", "it once")
        if tag == "word":
            self._place[identifier] = len(self._words)
            self._words.append(item)
        else:
            self._place[identifier] = -1 - len(self._nodes)
            self._nodes.append(item)

    def _add_edge(self, item: Element) -> None:
        above = item.above
        child = None if above is None else self._place.get(above.given.get(ID, ""))
        if child is None:
            raise self._refuse(item.line, "<secEdge> outside a word or node", "it within its child")
        if "parent" not in item.given:
            raise self._refuse(item.line, "<secEdge> without parent", "an attribute parent")
        self._edges.append((child, item))

    def _end_sentence(self) -> None:
        """Make the sentence, if there is one, from its elements."""
        if self._id is None:
            return
        words, nodes, prefix = self._words, self._nodes, f"{self._id}_"
        parents = [self._parent(item) for item in words]
        above = [self._parent(item) for item in nodes]
        heads = [self._head(item) for item in words]
        for items, over, what in ((nodes, above, "nodes that dominate"), (words, heads, "words that govern")):
            cyclic = on_cycle(np.array([0, len(over)]), np.array(over, np.int32))
            if cyclic.any():
                one = items[int(cyclic.argmax())]
                found = f"{what} each other ({one.given[ID]} is one of them)"
                raise self._refuse(one.line, found, "a tree")
        self._builder.tokens(
            **{column: [w.given.get(name, "") for w in words] for name, column in TOKEN_COLUMNS.items()},
            misc=[further_attributes(w.given, (*_ELSEWHERE, *TOKEN_COLUMNS)) for w in words],
            parent=parents,
            head=heads,
        )
        self._builder.nodes(
            **{column: [n.given.get(name, "") for n in nodes] for name, column in NODE_COLUMNS.items()},
            misc=[further_attributes(n.given, (*_ELSEWHERE, *NODE_COLUMNS)) for n in nodes],
            name=[n.given[ID].removeprefix(prefix) for n in nodes],
            parent=above,
        )
        for child, item in self._edges:
            self._builder.secondary(
                label=item.given.get("cat", ""), child=child, parent=self._place_of(item, "parent")
            )
        self._count_functions(zip((*parents, *above), (*words, *nodes), strict=True))
        self._id, self._words, self._nodes, self._edges, self._place = None, [], [], [], {}

    def _parent(self, item: Element) -> int:
        if "parent" not in item.given:
            return NO_PARENT
        place = self._place_of(item, "parent")
        if place >= 0:
            raise self._refuse(item.line, f"the word {item.given['parent']} as parent", "the id of a node")
        return -1 - place

    def _head(self, item: Element) -> int:
        if "dephead" not in item.given:
            return ROOT if "deprel" in item.given else UNATTACHED
        place = self._place_of(item, "dephead")
        if place < 0:
            raise self._refuse(item.line, f"the node {item.given['dephead']} as head", "the id of a word")
        return place

    def _place_of(self, item: Element, attribute: str) -> int:
        """Return the word or node that an attribute names."""
        name = item.given[attribute]
        if name not in self._place:
            raise self._refuse(item.line, f"{attribute} {name}", "the id of a word or node of the sentence")
        return self._place[name]

    def _count_functions(self, items: Iterable[tuple[int, Element]]) -> None:
        rootless = sum(
            parent == NO_PARENT and item.given.get("func", NO_FUNCTION) != NO_FUNCTION
            for parent, item in items
        )
        if rootless:
            self._builder.found("words and nodes with a function and without a parent", rootless)

    def _refuse(self, line: int, found: str, expected: str) -> FormatError:
        return FormatError(self._path, found, expected, line=line, sentence=self._id)
