"""XML read element by element: nothing outside the file is fetched, nothing that has been read is kept."""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from html.entities import name2codepoint
from os import PathLike
from typing import BinaryIO, Literal, NamedTuple, TypeAlias, cast
from xml.parsers import expat

from crossbank.treebanks.errors import FormatError, OptionError
from crossbank.treebanks.files import open_binary, unpacking
from crossbank.treebanks.formats.text_files import TEXT, Functions, Path
from crossbank.treebanks.tables import node_end
from crossbank.treebanks.treebank import Treebank

BUFFER_SIZE = 1 << 16
"""The number of bytes that are read at once."""

_ENTITY = re.compile(rb"&([A-Za-z][A-Za-z0-9_.-]*);")
_DEFINED = re.compile(rb"<!ENTITY\s+([^\s%]+)")
_OF_XML = (b"amp", b"lt", b"gt", b"quot", b"apos")
_LONGEST = 64


class Element(NamedTuple):
    """An element without what is in it: the names are ``{namespace}name`` without the first brace.

    tag    its name without a namespace
    attributes  by name
    line   the line on which its tag begins, from 1
    above  the element that it is in
    """

    tag: str
    attributes: dict[str, str]
    line: int
    above: Element | None


Event: TypeAlias = 'tuple[Literal["start", "end"], Element]'
"""An element that begins or ends."""


def xml_events(
    stream: io.BufferedIOBase, path: str | PathLike[str], encoding: str | None, format_name: str
) -> Iterator[Event]:
    """Yield the beginnings and ends of elements.

    encoding  instead of the one that the XML declaration names
    format_name  the expected kind of file: ``TIGER-XML``

    HTML's entities (``&uuml;``) are read as the characters they stand for. Entities outside the file are left
    out of texts and refused in attributes; expat ends what entities of entities multiply.

    Raises FormatError with the line where the file is no XML.
    """
    parser = expat.ParserCreate(xml_encoding(encoding) if encoding else None, "}")
    events: list[Event] = []
    open_elements: list[Element] = []

    def begin(name: str, attributes: dict[str, str]) -> None:
        above = open_elements[-1] if open_elements else None
        element = Element(name.rpartition("}")[2], attributes, parser.CurrentLineNumber, above)
        open_elements.append(element)
        events.append(("start", element))

    parser.StartElementHandler = begin
    parser.EndElementHandler = lambda _: events.append(("end", open_elements.pop()))
    text = KnownEntities(cast(BinaryIO, stream), path)
    try:
        while chunk := text.read(BUFFER_SIZE):
            parser.Parse(chunk)
            yield from events
            events.clear()
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        if error.code == NO_ELEMENTS and parser.CurrentByteIndex <= 0:
            raise FormatError(path, "an empty file", "at least one sentence") from error
        reason = expat.ErrorString(error.code)
        if open_elements and error.code in (MISMATCH, NO_ELEMENTS):
            reason = f"<{open_elements[-1].tag}> of line {open_elements[-1].line} has no end"
        raise FormatError(
            path, f"XML that is not well-formed ({reason})", format_name, line=error.lineno
        ) from error
    except (LookupError, ValueError) as error:
        expected = "UTF-8, UTF-16 or one of a byte for each character"
        raise FormatError(path, f"an encoding that XML is not read in ({error})", expected) from error


NO_ELEMENTS = expat.errors.codes[expat.errors.XML_ERROR_NO_ELEMENTS]
MISMATCH = expat.errors.codes[expat.errors.XML_ERROR_TAG_MISMATCH]


class KnownEntities:
    """A stream of XML with HTML's entities as numbers, except those that the file defines itself.

    Corpora write umlauts as ``&uuml;`` and omit, or name, a DTD. Nothing outside the file is fetched, so
    expat would stop at such an entity, or, where the file names a DTD, leave it out of the word.

    ``read`` raises FormatError, with the line, for an entity that neither the file nor HTML defines.
    """

    def __init__(self, stream: BinaryIO, path: str | PathLike[str]) -> None:
        self._stream, self._path = stream, path
        self._own = set(_OF_XML)
        self._line, self._rest, self._defined = 1, b"", b""

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes: about as many as asked for, none at the end."""
        text, cut = self._rest, 0
        while cut == 0:
            chunk = self._stream.read(size)
            text += chunk
            cut = text.rfind(b"&", max(0, len(text) - _LONGEST))
            # An entity that the end of the chunk cuts waits for the next one.
            if not chunk or cut < 0 or b";" in text[cut:]:
                cut = len(text)
                break
        text, self._rest = text[:cut], text[cut:]
        self._defined = self._defined[-_LONGEST:] + text
        if b"<!ENTITY" in self._defined:
            self._own.update(_DEFINED.findall(self._defined))
        known = _ENTITY.sub(self._number, text) if b"&" in text else text
        self._line += text.count(b"\n")
        return known

    def _number(self, match: re.Match[bytes]) -> bytes:
        name = match[1]
        if name in self._own:
            return match[0]
        code = name2codepoint.get(name.decode())
        if code is None:
            line = self._line + match.string.count(b"\n", 0, match.start())
            expected = "one of XML, HTML or the file's own"
            raise FormatError(self._path, f"the entity {match[0].decode()}", expected, line=line)
        return b"&#%d;" % code


def xml_encoding(name: str) -> str:
    """Return XML's name of an encoding: ``ISO-8859-1`` for ``latin-1``.

    Raises CrossbankError for encodings without one.
    """
    try:
        known = codecs.lookup(name).name.removesuffix("-sig")
    except LookupError as error:
        raise OptionError("encoding", name, "utf-8, latin-1 or another encoding that Python has") from error
    return re.sub("^cp125", "windows-125", re.sub("^iso8859", "iso-8859", known)).upper()


def reading_xml(read: Callable[[io.BufferedIOBase, Path, str | None], Treebank]) -> Functions:
    """Return the functions of a format that is read from a stream of XML, the source's name and an encoding.

    ``load`` takes a file in the encoding that its XML declaration names, unless ``encoding`` names another;
    ``loads`` takes text, whatever encoding it declares. Nothing outside the file is ever fetched.
    """

    def load(path: Path, *, encoding: str | None = None) -> Treebank:
        with unpacking(path), open_binary(path) as stream:
            return read(stream, path, encoding)

    def loads(text: str, source: str = TEXT) -> Treebank:
        return read(io.BytesIO(text.removeprefix("\ufeff").encode()), source, "utf-8")

    return load, loads


class XmlSentence:
    """Words and nodes of a sentence by id: a word is its index, a node the ``node_end`` of its index."""

    def __init__(self, path: Path, id: str | None) -> None:
        self.path, self.id = path, id
        self.words: list[Element] = []
        self.nodes: list[Element] = []
        self.items: dict[str, int] = {}

    def error(self, element: Element, actual: str, expected: str) -> FormatError:
        """Return an error at an element."""
        return FormatError(self.path, actual, expected, line=element.line, sentence=self.id or None)

    def require(self, element: Element, name: str, display_name: str = "") -> str:
        """Return the value of an attribute. Raises FormatError if it is missing."""
        if name not in element.attributes:
            actual = f"<{element.tag}> without {display_name or name}"
            raise self.error(element, actual, f"an attribute {display_name or name}")
        return element.attributes[name]

    def add(self, element: Element, id: str, *, is_word: bool) -> int:
        """Add a word or node, and return its item. Raises FormatError for an id that another one has."""
        if id in self.items:
            raise self.error(element, f"the id {id} a second time", "it once")
        elements = self.words if is_word else self.nodes
        self.items[id] = item = len(elements) if is_word else node_end(len(elements))
        elements.append(element)
        return item


def further_attributes(attributes: Mapping[str, str], known: Collection[str]) -> str:
    """Return the attributes that have no column, joined for ``misc``: ``case=Nom|number=Sg``."""
    further = {
        name.rpartition("}")[2]: value
        for name, value in attributes.items()
        if name not in known and value not in ("", "--")
    }
    if list(further) == ["misc"]:
        return further["misc"]
    return "|".join(f"{name}={value}" for name, value in further.items())
