"""A treebank that is read where it lies: a stored source names the user's own file, with its checksum.

A study of thousands of files would write each of them again. To read CoNLL-U takes less time than to read
Parquet, so such a study keeps the names of its files alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from functools import lru_cache
from os import PathLike, fspath
from os.path import dirname, getsize, isabs, isfile, join, normpath, relpath
from typing import Any

from crossbank.treebanks.chunks import FACTS, Facts
from crossbank.treebanks.errors import CrossbankError, FormatError
from crossbank.treebanks.files import checksum_of
from crossbank.treebanks.formats import read
from crossbank.treebanks.treebank import Treebank

IN_PLACE = "in_place"
"""The key under which a stored source names the user's file."""

MAX_BYTES = 1 << 26
"""Larger files are written again, in shards, which are read one by one."""


def name_original(
    original: str | PathLike[str], format: str, encoding: str | None, stored: str | PathLike[str]
) -> tuple[dict[str, Any], Treebank] | None:
    """Return what names a file in the file ``stored``, with its treebank; None if it must be written itself.

    It must if it is large or damaged, or if reading it had to change something, which is reported beside
    a treebank.
    """
    if not isfile(original) or getsize(original) > MAX_BYTES:
        return None
    digest = checksum_of(fspath(original))
    try:
        bank = _original(fspath(original), format, encoding, digest)
    except FormatError:
        return None  # what happens to damage is not known here
    if bank.diagnosis or bank.history:
        return None
    path = fspath(original) if isabs(original) else relpath(original, dirname(stored))
    facts = asdict(Facts.of(bank))
    return {"path": path, "format": format, "encoding": encoding, "sha256": digest, FACTS: facts}, bank


def rename_original(
    named: Mapping[str, Any], stored: str | PathLike[str], other: str | PathLike[str]
) -> dict[str, Any]:
    """Return what names the same file in the file ``other``."""
    path = str(named["path"])
    return {**named, "path": path if isabs(path) else relpath(join(dirname(stored), path), dirname(other))}


def read_original(named: Mapping[str, Any], stored: str | PathLike[str]) -> Treebank:
    """Return the treebank that a source of ``stored`` names.

    Raises CrossbankError if it is gone or changed.
    """
    original = normpath(join(dirname(stored), named["path"]))
    try:
        unchanged = checksum_of(original) == named["sha256"]
    except FileNotFoundError as error:
        raise CrossbankError(f"{original}: no such file, which {fspath(stored)} names") from error
    if not unchanged:
        expected = "expected the same (the same command reads it again)"
        raise CrossbankError(
            f"{original}: found other content than when {fspath(stored)} was written, {expected}"
        )
    return _original(original, named["format"], named["encoding"], named["sha256"])


@lru_cache(maxsize=2)
def _original(path: str, format: str, encoding: str | None, digest: str) -> Treebank:
    """Return the treebank, which a job asks for again at once; ``digest`` is of its content."""
    return read(path, format, encoding=encoding)
