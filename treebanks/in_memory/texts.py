"""Treebanks as text or bytes in memory, and in files that are already open."""

from __future__ import annotations

import io
from collections.abc import Callable
from os import PathLike
from tempfile import TemporaryDirectory
from typing import IO, Any

from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.files import GZIP, decode, encoded, refuse_nul, unpacked
from crossbank.treebanks.formats import (
    FORMATS,
    REGISTRY,
    format_named,
    format_of,
    format_to_write,
    read,
    refuse_dependencies_alone,
    refuse_unwritable,
    write,
)
from crossbank.treebanks.in_memory.elements import named
from crossbank.treebanks.treebank import Treebank
from crossbank.treebanks.validation import refuse_unsound


def loads(text: str | bytes, format: str, *, encoding: str | None = None) -> Treebank:
    """Return a treebank of a text, or of a file's bytes, gzipped or not.

    encoding  the encoding of bytes, by default UTF-8

    Raises OptionError for an unknown format, FormatError if the text is not in it.
    """
    if not isinstance(text, (str, bytes, bytearray)):
        raise CrossbankError(f"text: found {named(text)}, expected a string or bytes")
    if format_named(format).folder:
        problem = f"the format {format}, which is a folder of files"
        raise CrossbankError(f"text: found {problem}, expected one of a text")
    reader = REGISTRY.load(format)
    if isinstance(text, str):
        encoded(text, "text", "utf-8")
    if not isinstance(text, str):
        if text.startswith(GZIP):
            text = unpacked(text, "text")
        if hasattr(reader, "loads"):
            text = decode(bytes(text), "text", encoding)
    if hasattr(reader, "loads"):
        bank: Treebank = reader.loads(text)
        if format not in FORMATS:
            refuse_unsound(bank, "text")
        return bank
    with TemporaryDirectory() as folder:
        path = f"{folder}/text"
        with open(path, "wb") as stream:
            stream.write(text.encode() if isinstance(text, str) else text)
        return read(path, format, encoding=None if isinstance(text, str) else encoding)


def dumps(bank: Treebank, format: str) -> str:
    """Return a treebank as text. Raises the errors of ``write``, CrossbankError for a binary format."""
    refuse_unwritable(bank, format)
    refuse_dependencies_alone(bank, format)
    loaded = REGISTRY.load(format)
    if not hasattr(loaded, "dumps"):
        expected = "expected one that is (dump writes it)"
        raise CrossbankError(f"dumps: found the format {format}, which is no text, {expected}")
    text: str = loaded.dumps(bank)
    refuse_nul(text, "text")
    return text


def load(file: IO[Any], format: str | None = None, *, encoding: str | None = None) -> Treebank:
    """Return a treebank of a file that is open, for text or bytes, gzipped or not.

    Without a format, the file's name decides. Raises the errors of ``loads``.
    """
    if isinstance(file, (str, PathLike)) or not hasattr(file, "read"):
        raise CrossbankError(f"load: found {named(file)}, expected a file that is open (read takes a path)")
    return loads(file.read(), format or _format_of(file, format_of), encoding=encoding)


def dump(bank: Treebank, file: IO[Any], format: str | None = None) -> None:
    """Write a treebank into a file that is open, as text, or in UTF-8 where the file takes bytes.

    Without a format, the file's name decides. Raises the errors of ``dumps``.
    """
    if isinstance(file, (str, PathLike)) or not hasattr(file, "write"):
        raise CrossbankError(f"dump: found {named(file)}, expected a file that is open (write takes a path)")
    name = format or _format_of(file, format_to_write)
    is_text = isinstance(file, io.TextIOBase)
    if is_text or hasattr(REGISTRY.load(name), "dumps"):
        text = dumps(bank, name)
        file.write(text if is_text else text.encode())
        return
    with TemporaryDirectory() as folder:
        write(bank, f"{folder}/text", name)
        with open(f"{folder}/text", "rb") as stream:
            file.write(stream.read())


def _format_of(file: IO[Any], format_by_name: Callable[[str], str]) -> str:
    name = getattr(file, "name", None)
    if not isinstance(name, str):
        raise CrossbankError("format is missing: the file has no name from which it is known")
    return format_by_name(name)
