"""The format and the encoding of a file, recognised by its name or by what it begins with."""

from __future__ import annotations

import re
from os import PathLike, fspath
from os.path import isdir, splitext

from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.files import open_binary, unpacking
from crossbank.treebanks.formats import SUFFIXES, format_of

BEGINNING = 100_000
"""The number of bytes that are looked at."""

SIGNS = (
    (re.compile(r"\s*<\?xml[^>]*>\s*(<!--.*?-->\s*)*<exportxml|\s*<exportxml", re.S), "exportxml"),
    (re.compile(r"\s*<"), "tigerxml"),
    (re.compile(r"\s*(%%[^\n]*\n)*#(FORMAT|BOT|BOS) "), "export"),
    (re.compile(r"\s*ID=[^\n]*\n\(<[TL] "), "auto"),
    (re.compile(r"# sent_id = [^\n]*\n(#[^\n]*\n)*\s*\("), "cgel"),
    (re.compile(r"\s*(#[^\n]*\n\s*)*1\t([^\t\n]*\t){8}[^\t\n]*(\n|$)"), "conllu"),
    (re.compile(r"\s*(#[^\n]*\n\s*)*1-[0-9]+\t([^\t\n]*\t){8}"), "conllu"),
    (re.compile(r"[^\n]*\([^()]* ?[0-9]+=[^()]+\)"), "discbracket"),
    (re.compile(r"\s*\("), "bracket"),
)
"""The beginnings of files, and the format of each; the first that fits counts."""


def recognised(path: str | PathLike[str]) -> tuple[str, str | None]:
    """The format of a file and its encoding, None for UTF-8.

    The name decides where it has the ending of a format. Raises CrossbankError for a file that cannot be
    read, or whose name and beginning tell no format.
    """
    name = fspath(path)
    if isdir(name):
        return format_of(name), None
    try:
        with unpacking(name), open_binary(name) as file:
            beginning = file.read(BEGINNING)
    except OSError as error:
        raise CrossbankError(f"{name}: {error.strerror or error}") from error
    stem, suffix = splitext(name.lower())
    suffix = splitext(stem)[1] if suffix == ".gz" else suffix
    if suffix == ".parquet":
        return "parquet", None
    text, encoding = _decoded(beginning)
    if suffix in SUFFIXES and suffix != ".txt":
        return SUFFIXES[suffix], encoding
    for sign, format in SIGNS:
        if sign.match(text):
            return format, encoding
    found = repr(text.strip()[:40]) if text.strip() else "nothing"
    raise CrossbankError(f"{name}: found {found}, expected the beginning of a treebank (name its format)")


def _decoded(beginning: bytes) -> tuple[str, str | None]:
    """The text, and its encoding if that is not UTF-8. The last character may be cut off."""
    try:
        return beginning.decode("utf-8-sig", errors="strict"), None
    except UnicodeDecodeError as error:
        if error.start > len(beginning) - 4 and len(beginning) == BEGINNING:
            return beginning[: error.start].decode("utf-8-sig"), None
    return beginning.decode("latin-1"), "latin-1"
