"""Format and the encoding of a file, recognised by its name or by its first lines."""

from __future__ import annotations

import re
from os import PathLike, fspath

from crossbank.treebanks.errors import CrossbankError, FormatError, shortened
from crossbank.treebanks.failed_parses import FIRST_FAILED_PARSES
from crossbank.treebanks.files import open_binary, unpacking
from crossbank.treebanks.named_arguments import argument

BEGINNING = 100_000
"""The number of bytes that are looked at."""

UNIVERSAL = (
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT",
    "SCONJ", "SYM", "VERB", "X",
)  # fmt: skip
"""The tags of words in CoNLL-U. CoNLL-X, with columns in the same places, has others there."""

SIGNS = (
    (re.compile(r"\s*(<\?xml[^>]*>\s*)?(<!--.*?-->\s*|<!DOCTYPE[^>]*>\s*)*<(exml-doc|exportxml)\b", re.S),
     "exportxml"),
    (re.compile(r'\s*<s id="'), "parg"),
    (re.compile(r"\s*<"), "tigerxml"),
    (re.compile(r"\s*(%%[^\n]*\n)*#(FORMAT|BOT|BOS) "), "export"),
    (re.compile(r"\s*ID=[^\n]*\n\(<[TL] "), "auto"),
    (re.compile(r"# sent_id = [^\n]*\n(#[^\n]*\n)*\s*\("), "cgel"),
    (re.compile(r"\s*(#[^\n]*\n\s*)+1\t([^\t\n]*\t){8}[^\t\n]*(\n|$)"), "conllu"),
    (re.compile(r"\s*(#[^\n]*\n\s*)*1-[0-9]+\t([^\t\n]*\t){8}"), "conllu"),
    (re.compile(rf"(1|0\.1)\t[^\t\n]*\t[^\t\n]*\t({'|'.join(UNIVERSAL)})\t([^\t\n]*\t){{5}}[^\t\n]*(\n|$)"),
     "conllu"),
    (re.compile(r"\s*1\t([^\t\n]*\t){6,8}[^\t\n]*(\n|$)"), "conllx"),
    (re.compile(r"\s*(%[^\n]*\n\s*)*fstructure\("), "xle"),
    (re.compile(r"\s*((%|:-)[^\n]*\n\s*)*ccg\("), "langpro"),
    (re.compile(r"(#[^\n]*\n)*\s*\S+_[0-9]+ \S+ [0-9]+ \S+_[0-9]+"), "candc"),
    (re.compile(r"%(LB|RB) |\s*\((\||\")"), "rasp"),
    (re.compile(r"\s*sentence\(\s*id\("), "triples"),
    (re.compile(r"\s*[0-9]+-[0-9]+\|\(|\s*[0-9]+\s+\S+\n-?[0-9.eE+-]+\s*\n\("), "nbest"),
    (re.compile(r"[^\n]*\([^()]* ?[0-9]+=[^()]+\)"), "discbracket"),
    (re.compile(r"\s*\("), "bracket"),
)  # fmt: skip
"""The beginnings of files, and the format of each; the first that fits counts. Relation lists, lexica and
the trees of GreynirCorpus begin like other brackets and words: they must be named."""


def format_begun(path: str | PathLike[str]) -> str | None:
    """Return the format that the first lines of a file tell; None for an empty file.

    Raises CrossbankError where it cannot be read, FormatError where the first lines tell none.
    """
    text = FIRST_FAILED_PARSES.sub("", _decoded(_beginning(path))[0], count=1)
    found = next((format for sign, format in SIGNS if sign.match(text)), None)
    if found is None and text.strip():
        shown = shortened(text.strip().split("\n")[0], 40)
        said = f"its name and first lines tell no format ({argument('format')})"
        raise FormatError(path, repr(shown), f"a treebank; {said}")
    return found


def encoding_begun(path: str | PathLike[str]) -> str | None:
    """Return the encoding of the first lines of a file: Latin-1, or None for UTF-8.

    Raises CrossbankError where the file cannot be read.
    """
    return _decoded(_beginning(path))[1]


def _beginning(path: str | PathLike[str]) -> bytes:
    try:
        with unpacking(path), open_binary(path) as file:
            return file.read(BEGINNING)
    except OSError as error:
        raise CrossbankError(f"{fspath(path)}: {error.strerror or error}") from error


def _decoded(beginning: bytes) -> tuple[str, str | None]:
    """Return the text, and its encoding if that is not UTF-8. The last character may be cut off."""
    try:
        return beginning.decode("utf-8-sig", errors="strict"), None
    except UnicodeDecodeError as error:
        if error.start > len(beginning) - 4 and len(beginning) == BEGINNING:
            return beginning[: error.start].decode("utf-8-sig"), None
    return beginning.decode("latin-1"), "latin-1"
