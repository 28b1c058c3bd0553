"""Recognition of the format and the encoding of a file by its name or its first lines."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from os import PathLike
from typing import Any

from crossbank.treebanks.errors import FormatError, shortened
from crossbank.treebanks.failed_parses import FIRST_FAILED_PARSES
from crossbank.treebanks.files import open_binary, unpacking, unreadable
from crossbank.treebanks.named_arguments import argument
from crossbank.treebanks.registry import Registry

BEGINNING = 100_000
"""Number of bytes at the beginning of a file that are examined."""

FORMATS = Registry("format", "module:format")


@cache
def patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the beginnings of files and the format of each, in the order in which they are tried.

    Relation lists, lexica and the trees of GreynirCorpus begin like other brackets and words: they must be
    named.
    """
    return _patterns(FORMATS.declared())


def _patterns(declared: Mapping[str, Mapping[str, Any]]) -> tuple[tuple[re.Pattern[str], str], ...]:
    ranked = sorted(declared.items(), key=lambda entry: entry[1].get("rank", 0))
    return tuple((re.compile(sign), name) for name, values in ranked for sign in values.get("begins", ()))


def format_begun(path: str | PathLike[str]) -> str | None:
    """Return the format by the first lines of a file; None for an empty file.

    Raises CrossbankError if it cannot be read, FormatError if the first lines are of no known format.
    """
    text = FIRST_FAILED_PARSES.sub("", _decoded(_beginning(path))[0], count=1)
    if not text.strip():
        return None
    format_name = next((format for sign, format in patterns() if sign.match(text)), None)
    if format_name is None:
        signs_of_others = _patterns(FORMATS.declared_by_others())
        format_name = next((format for sign, format in signs_of_others if sign.match(text)), None)
    if format_name is None:
        text_shown = shortened(text.strip().split("\n")[0], 40)
        problem = f"its name and first lines are of no known format; name one ({argument('format')})"
        raise FormatError(path, repr(text_shown), f"a treebank; {problem}")
    return format_name


def encoding_begun(path: str | PathLike[str]) -> str | None:
    """Return the encoding of the first lines of a file: Latin-1, or None for UTF-8.

    Raises CrossbankError if the file cannot be read.
    """
    return _decoded(_beginning(path))[1]


def _beginning(path: str | PathLike[str]) -> bytes:
    try:
        with unpacking(path), open_binary(path) as file:
            return file.read(BEGINNING)
    except OSError as error:
        raise unreadable(path, error) from error


def _decoded(beginning: bytes) -> tuple[str, str | None]:
    """Return the text, and its encoding if that is not UTF-8. The last character may be cut off."""
    try:
        return beginning.decode("utf-8-sig", errors="strict"), None
    except UnicodeDecodeError as error:
        if error.start > len(beginning) - 4 and len(beginning) == BEGINNING:
            return beginning[: error.start].decode("utf-8-sig"), None
    return beginning.decode("latin-1"), "latin-1"
