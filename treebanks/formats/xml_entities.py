"""Entities of HTML in XML files: corpora write umlauts as ``&uuml;`` and leave out, or name, a DTD.

Nothing outside the file is fetched, so a parser would stop at such an entity, or, where the file names a
DTD, leave it out of the word.
"""

from __future__ import annotations

import re
from html.entities import name2codepoint
from os import PathLike
from typing import BinaryIO

from crossbank.treebanks.errors import FormatError

_ENTITY = re.compile(rb"&([A-Za-z][A-Za-z0-9_.-]*);")
_DEFINED = re.compile(rb"<!ENTITY\s+([^\s%]+)")
_OF_XML = (b"amp", b"lt", b"gt", b"quot", b"apos")
_LONGEST = 64


class KnownEntities:
    """A stream of XML with HTML's entities as numbers, but for those that the file defines itself.

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
            piece = self._stream.read(size)
            text += piece
            cut = text.rfind(b"&", max(0, len(text) - _LONGEST))
            # An entity that the end of the piece cuts waits for the next one.
            if not piece or cut < 0 or b";" in text[cut:]:
                cut = len(text)
                break
        text, self._rest = text[:cut], text[cut:]
        self._defined = self._defined[-_LONGEST:] + text
        if b"<!ENTITY" in self._defined:
            self._own.update(_DEFINED.findall(self._defined))
        known = _ENTITY.sub(self._number, text) if b"&" in text else text
        self._line += text.count(b"\n")
        return known

    def _number(self, found: re.Match[bytes]) -> bytes:
        name = found[1]
        if name in self._own:
            return found[0]
        code = name2codepoint.get(name.decode())
        if code is None:
            line = self._line + found.string.count(b"\n", 0, found.start())
            raise FormatError(
                self._path, f"the entity {found[0].decode()}", "one of XML, HTML or the file's own", line=line
            )
        return b"&#%d;" % code
