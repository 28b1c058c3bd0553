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
elements (named entities, anaphora, connectives, discourse units and relations, topics) are omitted, and
counted with the sentence that they begin in or after. The head of a file, ``<schema>``, is ignored.
"""

from __future__ import annotations

import io
from collections import Counter
from os import PathLike

import numpy as np

from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.cycles import on_cycle
from crossbank.treebanks.errors import FormatError
from crossbank.treebanks.formats.format import Format
from crossbank.treebanks.formats.xml_events import (
    Element,
    XmlSentence,
    further_attributes,
    reading_xml,
    xml_events,
)
from crossbank.treebanks.tables import NO_PARENT, ROOT, UNATTACHED, node_end
from crossbank.treebanks.treebank import Treebank

FORMAT = Format(
    position=60,
    suffixes=(".exportxml", ".xml"),
    written=False,
    begins=(r"(?s)\s*(<\?xml[^>]*>\s*)?(<!--.*?-->\s*|<!DOCTYPE[^>]*>\s*)*<(exml-doc|exportxml)\b",),
)

DAMAGE = "crossbank.treebanks.damage.xml_sentences:EXPORTXML"

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


class _ExportXmlSentence(XmlSentence):
    """A sentence, with its secondary edges: the child and the element of each."""

    def __init__(self, path: str | PathLike[str], id: str | None) -> None:
        super().__init__(path, id)
        self.edges: list[tuple[int, Element]] = []

    def parent(self, item: Element) -> int:
        if "parent" not in item.attributes:
            return NO_PARENT
        index = self.named(item, "parent")
        if index >= 0:
            raise self.error(item, f"the word {item.attributes['parent']} as parent", "the id of a node")
        return node_end(index)

    def head(self, item: Element) -> int:
        if "dephead" not in item.attributes:
            return ROOT if "deprel" in item.attributes else UNATTACHED
        index = self.named(item, "dephead")
        if index < 0:
            raise self.error(item, f"the node {item.attributes['dephead']} as head", "the id of a word")
        return index

    def named(self, item: Element, attribute: str) -> int:
        """Return the word or node that an attribute names."""
        name = item.attributes[attribute]
        if name not in self.items:
            raise self.error(item, f"{attribute} {name}", "the id of a word or node of the sentence")
        return self.items[name]

    def add_to(self, builder: TreebankBuilder) -> None:
        words, nodes, prefix = self.words, self.nodes, f"{self.id}_"
        parents, above = [self.parent(item) for item in words], [self.parent(item) for item in nodes]
        heads = [self.head(item) for item in words]
        for items, over, what in ((nodes, above, "nodes that dominate"), (words, heads, "words that govern")):
            cyclic = on_cycle(np.array([0, len(over)]), np.array(over, np.int32))
            if cyclic.any():
                one = items[int(cyclic.argmax())]
                raise self.error(one, f"{what} each other ({one.attributes[ID]} is one of them)", "a tree")
        builder.tokens(
            **{column: [w.attributes.get(name, "") for w in words] for name, column in TOKEN_COLUMNS.items()},
            misc=[further_attributes(w.attributes, (*_ELSEWHERE, *TOKEN_COLUMNS)) for w in words],
            parent=parents,
            head=heads,
        )
        builder.nodes(
            **{column: [n.attributes.get(name, "") for n in nodes] for name, column in NODE_COLUMNS.items()},
            misc=[further_attributes(n.attributes, (*_ELSEWHERE, *NODE_COLUMNS)) for n in nodes],
            name=[n.attributes[ID].removeprefix(prefix) for n in nodes],
            parent=above,
        )
        for child, edge in self.edges:
            builder.secondary(
                label=edge.attributes.get("cat", ""), child=child, parent=self.named(edge, "parent")
            )
        rootless = sum(
            parent == NO_PARENT and item.attributes.get("func", NO_FUNCTION) != NO_FUNCTION
            for parent, item in zip((*parents, *above), (*words, *nodes), strict=True)
        )
        if rootless:
            builder.count_event("words and nodes with a function and without a parent", rootless)


class _ExportXmlReader:
    def __init__(self, path: str | PathLike[str]) -> None:
        self._path = path
        self._builder = TreebankBuilder(str(path))
        self._document = ""
        self._early: Counter[str] = Counter()  # elements before the first sentence
        self._seen: set[str] = set()
        self._sentence = _ExportXmlSentence(path, None)
        self._within = False  # its element has not ended

    def read(self, stream: io.BufferedIOBase, encoding: str | None) -> Treebank:
        """Raise FormatError for text that is not XML, missing, unknown and duplicate ids, and cycles."""
        in_body = False
        for event, element in xml_events(stream, self._path, encoding, "exportXML"):
            in_body = in_body or element.tag == "body"
            if not in_body:
                continue
            if event == "start":
                self._begin(element, element.tag)
            else:
                self._within = self._within and element.tag != "sentence"
        if not self._seen:
            raise FormatError(self._path, "XML without a <sentence> in its <body>", "exportXML")
        self._sentence.add_to(self._builder)
        return self._builder.build()

    def _begin(self, element: Element, tag: str) -> None:
        if tag in ("word", "node"):
            self._add(element, is_word=tag == "word")
        elif tag == "sentence":
            self._begin_sentence(element)
        elif tag == "text":
            self._document = element.attributes.get("origin", "")
        elif tag == "secEdge":
            child = element.above and self._sentence.items.get(element.above.attributes.get(ID, ""))
            if child is None:
                actual = "<secEdge> outside a word or node"
                raise self._sentence.error(element, actual, "it within its child")
            self._sentence.require(element, "parent")
            self._sentence.edges.append((child, element))
        elif tag not in _FRAME and not self._seen:
            self._early[tag] += 1
        elif tag not in _FRAME:
            self._builder.count_event(f"elements <{tag}> dropped")

    def _begin_sentence(self, element: Element) -> None:
        if self._within:
            raise self._sentence.error(element, "<sentence> in a sentence", "the end of the one before")
        if self._seen:
            self._sentence.add_to(self._builder)
        self._sentence = _ExportXmlSentence(self._path, None)
        identifier = self._sentence.require(element, ID, "xml:id")
        if identifier in self._seen:
            raise self._sentence.error(element, f"sentence {identifier} a second time", "it once")
        self._seen.add(identifier)
        self._sentence.id, self._within = identifier, True
        comments = [f"document = {self._document}"] if self._document else []
        comments += (
            f"{name} = {value}" for name, value in element.attributes.items() if name not in _ELSEWHERE
        )
        self._builder.sentence(id=identifier, line=element.line, comments="\n".join(comments))
        for tag, times in self._early.items():
            self._builder.count_event(f"elements <{tag}> dropped", times)
        self._early.clear()

    def _add(self, item: Element, *, is_word: bool) -> None:
        sentence = self._sentence
        identifier = sentence.require(item, ID, "xml:id")
        sentence.require(item, "form" if is_word else "cat")
        if not self._within and (sentence.id is None or not identifier.startswith(f"{sentence.id}_")):
            raise sentence.error(item, f"{identifier} outside a sentence", "it within its sentence")
        sentence.add(item, identifier, is_word=is_word)


load, loads = reading_xml(lambda stream, path, encoding: _ExportXmlReader(path).read(stream, encoding))
