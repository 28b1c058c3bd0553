"""XML read element by element: nothing outside the file is fetched, nothing that has been read is kept."""

from __future__ import annotations

import codecs
import gzip
import io
import re
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, BinaryIO, cast

from crossbank.treebanks.errors import CrossbankError, FormatError
from crossbank.treebanks.formats.xml_entities import KnownEntities

if TYPE_CHECKING:
    from lxml.etree import _Element


def xml_events(
    stream: io.BufferedIOBase,
    path: str | PathLike[str],
    encoding: str | None,
    kind: str,
    events: Sequence[str] = ("end",),
    tag: str | None = None,
) -> Iterator[tuple[str, _Element]]:
    """The beginnings (``start``) and ends (``end``) of elements, as ``events`` asks for them.

    encoding  in the place of the one that the XML declaration names
    kind      the expected kind of file: ``TIGER-XML``
    tag       the elements that are asked for; all by default

    HTML's entities (``&uuml;``) are read as the characters they stand for.

    Raises FormatError with the line where the file is no XML.
    """
    from lxml import etree

    try:
        yield from etree.iterparse(
            KnownEntities(cast(BinaryIO, stream), path),
            events=events,
            tag=tag,
            encoding=xml_encoding(encoding) if encoding else None,
            huge_tree=True,
            load_dtd=False,
            no_network=True,
            resolve_entities=False,
            remove_comments=True,
            remove_pis=True,
        )
    except etree.XMLSyntaxError as error:
        message = re.sub(r"(, line \d+, column \d+)+$", "", error.msg or "")
        if not error.lineno:
            raise FormatError(path, "an empty file", "at least one sentence") from error
        raise FormatError(
            path, f"XML that is not well-formed ({message})", kind, line=error.lineno
        ) from error
    except LookupError as error:
        raise CrossbankError(f"encoding: found {encoding!r}, expected one that XML knows") from error
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise FormatError(path, f"a damaged gzip file ({error})", "a complete one") from error


def xml_encoding(name: str) -> str:
    """An encoding by the name that XML has for it: ``latin-1`` is ``ISO-8859-1``.

    Raises CrossbankError where Python does not know it.
    """
    try:
        known = codecs.lookup(name).name
    except LookupError as error:
        raise CrossbankError(f"encoding: found {name!r}, expected one that Python knows") from error
    return re.sub("^cp125", "windows-125", re.sub("^iso8859", "iso-8859", known)).upper()


def forget(element: _Element) -> None:
    """Free an element that has been read, and those before it."""
    element.clear()
    above = element.getparent()
    while above is not None and element.getprevious() is not None:
        del above[0]


def attributes_of(element: _Element) -> dict[str, str]:
    """The attributes of an element by name."""
    return cast("dict[str, str]", dict(element.attrib))


def line_of(element: _Element) -> int:
    """The line on which the tag that begins an element ends, from 1; 0 where it is not known.

    Behind line 65,535 libxml2 infers it from the text around the element: it may be the one after.
    """
    return cast(int, element.sourceline or 0)


def further_attributes(attributes: Mapping[str, str], known: Collection[str]) -> str:
    """The attributes that have no column, joined for ``misc``: ``case=Nom|number=Sg``."""
    further = {
        name.rpartition("}")[2]: value
        for name, value in attributes.items()
        if name not in known and value not in ("", "--")
    }
    if list(further) == ["misc"]:
        return further["misc"]
    return "|".join(f"{name}={value}" for name, value in further.items())
