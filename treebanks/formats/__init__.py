"""The formats by name, and reading and writing whichever a file is in.

Each format is a module with the same four functions::

    load(path, *, encoding=None) -> Treebank       loads(text) -> Treebank
    dump(bank, path, *, encoding="utf-8") -> None  dumps(bank) -> str

imported when it is first used. Parquet, being binary, is only loaded and dumped; exportXML is only read.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import Any

from crossbank.treebanks.errors import ConversionError, CrossbankError, OptionError, one_of
from crossbank.treebanks.files import matching
from crossbank.treebanks.nbest import has_several_analyses
from crossbank.treebanks.treebank import Treebank

FORMATS = (
    "bracket",
    "discbracket",
    "export",
    "tigerxml",
    "exportxml",
    "conllx",
    "conllu",
    "relations",
    "rasp",
    "marytts",
    "auto",
    "parg",
    "candc",
    "langpro",
    "text",
    "parquet",
)

READ_ONLY = ("exportxml",)

NBEST = ("auto", "parquet")
"""The formats that can hold several analyses of a sentence."""

SUFFIXES = {
    ".mrg": "bracket",
    ".psd": "bracket",
    ".ptb": "bracket",
    ".bracket": "bracket",
    ".discbracket": "discbracket",
    ".dbr": "discbracket",
    ".export": "export",
    ".negra": "export",
    ".xml": "tigerxml",
    ".tigerxml": "tigerxml",
    ".exportxml": "exportxml",
    ".conll": "conllx",
    ".conllx": "conllx",
    ".conllu": "conllu",
    ".grs": "relations",
    ".gr": "relations",
    ".auto": "auto",
    ".parg": "parg",
    ".gold_deps": "candc",
    ".pl": "langpro",
    ".txt": "text",
    ".parquet": "parquet",
}


def format_of(path: str | PathLike[str]) -> str:
    """The format that a file's name tells (``.gz`` aside); brackets where it tells none."""
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    if suffixes and suffixes[-1] == ".gz":
        suffixes.pop()
    return SUFFIXES.get(suffixes[-1], "bracket") if suffixes else "bracket"


def read(path: str | PathLike[str], format: str | None = None, *, encoding: str | None = None) -> Treebank:
    """Read a treebank in a named format, else in the one that its file's name tells.

    Raises OptionError for an unknown format, FormatError where the file is not in it.
    """
    options: dict[str, Any] = {} if encoding is None else {"encoding": encoding}
    bank: Treebank = _module(format or format_of(path)).load(path, **options)
    return bank


def read_all(patterns: Iterable[str], format: str | None = None, *, encoding: str | None = None) -> Treebank:
    """The sentences of several files, one after the other; a name with ``*`` in it is all that it matches.

    Raises CrossbankError where it matches nothing, and the errors of ``read``.
    """
    banks = []
    for pattern in patterns:
        paths = matching(pattern)
        if not paths:
            raise CrossbankError(f"{pattern}: found no such file, expected one to read")
        banks += [read(path, format, encoding=encoding) for path in paths]
    return Treebank.concatenate(banks)


def write(bank: Treebank, path: str | PathLike[str], format: str | None = None) -> None:
    """Write a treebank in a named format, else in the one that the file's name tells.

    Raises OptionError for a format that is unknown or only read, ConversionError where a sentence has several
    analyses and the format has no place for them.
    """
    name = format or format_of(path)
    if name in READ_ONLY:
        raise OptionError("format to write", name, [known for known in FORMATS if known not in READ_ONLY])
    if name in FORMATS and name not in NBEST and has_several_analyses(bank):
        raise ConversionError(
            f"{bank.where(0)}: found several analyses of a sentence, expected one each to write as {name} "
            f"({one_of(NBEST)} can hold more; the transformation chosen_analyses takes one each)"
        )
    _module(name).dump(bank, path)


def _module(format: str) -> Any:
    if format not in FORMATS:
        raise OptionError("format", format, FORMATS)
    return import_module(f"crossbank.treebanks.formats.{format}")
