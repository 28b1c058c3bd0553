"""Alpino XML, the format of Dutch treebanks (van Noord et al. 2013, Large Scale Syntactic Annotation: Lassy).

Nodes stand within each other; a node with an attribute ``word`` is a word, one with ``cat`` a constituent,
and ``begin`` is the number of words before it::

    <alpino_ds version="1.3">
      <node id="0" rel="top" cat="top" begin="0" end="2">
        <node id="1" rel="--" cat="smain" begin="0" end="2">
          <node id="2" rel="su" pt="n" word="Anna" lemma="Anna" begin="0" end="1"/>
          <node id="3" rel="hd" pt="ww" word="slaapt" lemma="slapen" begin="1" end="2"/>
        </node>
      </node>
      <sentence sentid="s1">Anna slaapt</sentence>
    </alpino_ds>

The words of a node need not be adjacent, and stand in any order in the file: ``begin`` orders them. A node
with an ``index`` and neither a word nor a category stands for the node with that index: it is read as a
secondary edge from its parent, with its relation as the label. The column ``function`` has ``rel``, ``pos``
has ``pt`` (in older files ``pos``), ``xpos`` has ``postag``, ``lemma`` has ``lemma`` (in older files
``root``); further attributes are joined in ``misc``. Metadata are lines of the sentence's comments. A
sentence without ``sentid`` has the name of its file as identifier, if it is the only one there. All other
elements are dropped, and counted.

A file holds one sentence, or many within an element ``<treebank>`` or any other.
"""

from __future__ import annotations

import io
from os import PathLike
from pathlib import Path

from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.errors import FormatError
from crossbank.treebanks.formats.format import Format
from crossbank.treebanks.formats.text_files import TEXT
from crossbank.treebanks.formats.xml_events import Element, further_attributes, reading_xml, xml_events
from crossbank.treebanks.tables import NO_PARENT, node_end
from crossbank.treebanks.treebank import Treebank

FORMAT = Format(
    position=65,
    suffixes=(".alpino", ".xml"),
    written=False,
    begins=(r"(?s)\s*(<\?xml[^>]*>\s*)?(<!--.*?-->\s*|<!DOCTYPE[^>]*>\s*)*(<\w+>\s*)?<alpino_ds\b",),
)

DAMAGE = "crossbank.treebanks.damage.xml_sentences:ALPINO"

_COLUMNS = {"pos": ("pt", "pos"), "xpos": ("postag",), "lemma": ("lemma", "root")}
"""The columns of words, with the attributes that they are read from: the first that is there."""

_READ = frozenset(
    ("id", "rel", "cat", "word", "begin", "end", "index", "pt", "pos", "postag", "lemma", "root")
)


class _AlpinoSentence:
    """The elements of a sentence, from ``<alpino_ds>`` to its end."""

    def __init__(self, path: str | PathLike[str], line: int) -> None:
        self.path, self.line = path, line
        self.id = ""
        self.nodes: list[Element] = []
        self.comments: list[str] = []
        self.dropped: list[str] = []

    def error(self, element: Element, actual: str, expected: str) -> FormatError:
        """Return an error at an element."""
        return FormatError(self.path, actual, expected, line=element.line, sentence=self.id or None)

    def begin_of(self, element: Element) -> int:
        """Return the number of words before a word."""
        begin = element.attributes.get("begin", "")
        if not begin.isdecimal():
            raise self.error(element, f"<node> with begin={begin!r}", "the number of words before it")
        return int(begin)

    def add_to(self, builder: TreebankBuilder) -> None:
        """Add the sentence.

        Raises FormatError for nodes without content, words with nodes in them and indices of nothing.
        """
        words, constituents, references = [], [], []
        for element in self.nodes:
            attributes = element.attributes
            if "word" in attributes:
                words.append(element)
            elif "cat" in attributes:
                constituents.append(element)
            elif "index" in attributes:
                references.append(element)
            else:
                raise self.error(element, "<node> without a word, cat and index", "one of them")
        words.sort(key=self.begin_of)
        # Elements are equal where their attributes are: they are distinguished by identity.
        items = {id(word): index for index, word in enumerate(words)}
        items |= {id(node): node_end(index) for index, node in enumerate(constituents)}
        builder.sentence(id=self.id, line=self.line, comments="\n".join(self.comments))
        builder.tokens(
            form=[word.attributes["word"] for word in words],
            function=[word.attributes.get("rel", "") for word in words],
            misc=[further_attributes(word.attributes, _READ) for word in words],
            parent=[self._parent(word, items) for word in words],
            **{
                column: [
                    next((word.attributes[name] for name in names if name in word.attributes), "")
                    for word in words
                ]
                for column, names in _COLUMNS.items()
            },
        )
        builder.nodes(
            label=[node.attributes["cat"] for node in constituents],
            function=[node.attributes.get("rel", "") for node in constituents],
            misc=[further_attributes(node.attributes, _READ) for node in constituents],
            name=[node.attributes.get("id", "") for node in constituents],
            parent=[self._parent(node, items) for node in constituents],
        )
        self._add_references(builder, references, items)
        for tag in self.dropped:
            builder.count_event(f"elements <{tag}> dropped")

    def _parent(self, element: Element, items: dict[int, int]) -> int:
        above = element.above
        if above is None or above.tag != "node":
            return NO_PARENT
        parent = items.get(id(above), 0)
        if parent >= 0:
            raise self.error(element, "<node> in a word or a reference", "it within a node that has cat")
        return node_end(parent)

    def _add_references(
        self, builder: TreebankBuilder, references: list[Element], items: dict[int, int]
    ) -> None:
        indexed: dict[str, Element] = {}
        for element in self.nodes:
            index = element.attributes.get("index")
            if index is not None and id(element) in items:
                if index in indexed:
                    raise self.error(element, f"the index {index} on a second node with content", "it on one")
                indexed[index] = element
        for element in references:
            index, parent = element.attributes["index"], self._parent(element, items)
            if index not in indexed:
                raise self.error(
                    element, f"the index {index} of no node", "that of a node with a word or cat"
                )
            if parent == NO_PARENT:
                raise self.error(element, "a reference outside a node", "it within a node that has cat")
            label = element.attributes.get("rel", "")
            builder.secondary(label=label, child=items[id(indexed[index])], parent=node_end(parent))


def _read(stream: io.BufferedIOBase, path: str | PathLike[str], encoding: str | None) -> Treebank:
    """Read all sentences. Raises FormatError for text that is not XML, and for XML without a sentence."""
    builder = TreebankBuilder(str(path))
    previous: _AlpinoSentence | None = None
    sentence: _AlpinoSentence | None = None
    count = 0
    for event, element in xml_events(stream, path, encoding, "Alpino XML"):
        is_sentence = element.tag == "alpino_ds"
        if event == "start" and is_sentence:
            if sentence is not None:
                raise sentence.error(element, "<alpino_ds> in a sentence", "the end of the one before")
            sentence = _AlpinoSentence(path, element.line)
        elif sentence is None:
            continue
        elif event == "start":
            _collect(sentence, element)
        elif is_sentence:
            # Whether a sentence is the only one of its file is known when the next one ends, or the file.
            if previous is not None:
                previous.add_to(builder)
            previous, sentence, count = sentence, None, count + 1
    if previous is None:
        raise FormatError(path, "XML without a sentence <alpino_ds>", "Alpino XML")
    if count == 1 and not previous.id and path != TEXT:
        previous.id = Path(path).name.partition(".")[0]
    previous.add_to(builder)
    return builder.build()


def _collect(sentence: _AlpinoSentence, element: Element) -> None:
    """Note an element that begins within a sentence."""
    attributes = element.attributes
    if element.tag == "node":
        sentence.nodes.append(element)
    elif element.tag == "sentence":
        sentence.id = attributes.get("sentid", "")
    elif element.tag == "meta":
        sentence.comments.append(f"{attributes.get('name', '')} = {attributes.get('value', '')}")
    elif element.tag not in ("metadata", "comments"):
        sentence.dropped.append(element.tag)


load, loads = reading_xml(_read)
