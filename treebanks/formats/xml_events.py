"""XML read element by element: nothing outside the file is fetched, nothing that has been read is kept."""

from __future__ import annotations

import codecs
import gzip
import io
import re
import zlib
from collections.abc import Collection, Iterator, Mapping
from os import PathLike
from typing import BinaryIO, Literal, NamedTuple, TypeAlias, cast
from xml.parsers import expat

from crossbank.treebanks.errors import CrossbankError, FormatError
from crossbank.treebanks.formats.xml_entities import KnownEntities

PIECE = 1 << 16
"""The number of bytes that are read at once."""


class Element(NamedTuple):
    """An element without what is in it: the names are ``{namespace}name`` without the first brace.

    tag    its name without a namespace
    given  the attributes by name
    line   the line on which its tag begins, from 1
    above  the element that it is in
    """

    tag: str
    given: dict[str, str]
    line: int
    above: Element | None


Event: TypeAlias = 'tuple[Literal["start", "end"], Element]'
"""An element that begins or ends."""


def xml_events(
    stream: io.BufferedIOBase, path: str | PathLike[str], encoding: str | None, kind: str
) -> Iterator[Event]:
    """Yield the beginnings and ends of elements.

    encoding  in the place of the one that the XML declaration names
    kind      the expected kind of file: ``TIGER-XML``

    HTML's entities (``&uuml;``) are read as the characters they stand for. Entities outside the file are left
    out of texts and refused in attributes; expat ends what entities of entities multiply.

    Raises FormatError with the line where the file is no XML.
    """
    parser = expat.ParserCreate(xml_encoding(encoding) if encoding else None, "}")
    found: list[Event] = []
    open_elements: list[Element] = []

    def begin(name: str, given: dict[str, str]) -> None:
        above = open_elements[-1] if open_elements else None
        element = Element(name.rpartition("}")[2], given, parser.CurrentLineNumber, above)
        open_elements.append(element)
        found.append(("start", element))

    parser.StartElementHandler = begin
    parser.EndElementHandler = lambda _: found.append(("end", open_elements.pop()))
    text = KnownEntities(cast(BinaryIO, stream), path)
    try:
        while piece := text.read(PIECE):
            parser.Parse(piece)
            yield from found
            found.clear()
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        if error.code == NO_ELEMENTS and parser.CurrentByteIndex <= 0:
            raise FormatError(path, "an empty file", "at least one sentence") from error
        said = expat.ErrorString(error.code)
        if open_elements and error.code in (MISMATCH, NO_ELEMENTS):
            said = f"<{open_elements[-1].tag}> of line {open_elements[-1].line} has no end"
        raise FormatError(path, f"XML that is not well-formed ({said})", kind, line=error.lineno) from error
    except (LookupError, ValueError) as error:
        expected = "UTF-8, UTF-16 or one of a byte for each character"
        raise FormatError(path, f"an encoding that XML is not read in ({error})", expected) from error
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise FormatError(path, f"a damaged gzip file ({error})", "a complete one") from error


NO_ELEMENTS = expat.errors.codes[expat.errors.XML_ERROR_NO_ELEMENTS]
MISMATCH = expat.errors.codes[expat.errors.XML_ERROR_TAG_MISMATCH]


def xml_encoding(name: str) -> str:
    """An encoding by the name that XML has for it: ``latin-1`` is ``ISO-8859-1``.

    Raises CrossbankError where Python does not know it.
    """
    try:
        known = codecs.lookup(name).name
    except LookupError as error:
        raise CrossbankError(f"encoding: found {name!r}, expected one that Python knows") from error
    return re.sub("^cp125", "windows-125", re.sub("^iso8859", "iso-8859", known)).upper()


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
