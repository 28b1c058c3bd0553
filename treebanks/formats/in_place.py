"""A treebank that is read where it lies: a small file names the user's own, with the checksum of its content.

A study of thousands of files would write each of them again. To read CoNLL-U takes less time than to read
Parquet, so such a study keeps the names of its files alone.
"""

from __future__ import annotations

import json
from functools import lru_cache
from os import PathLike, fspath
from os.path import dirname, getsize, isabs, isfile, join, normpath, relpath
from pathlib import Path

from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.files import checksum_of
from crossbank.treebanks.formats import read
from crossbank.treebanks.treebank import Treebank

MARK = b"crossbank: read in place\n"
"""The beginning of a file that names another one; Parquet begins otherwise."""

MOST = 1 << 26
"""Files with more bytes are written again, in shards, which are read one by one."""


def write_place(
    original: str | PathLike[str], format: str, encoding: str | None, path: Path
) -> Treebank | None:
    """Write to ``path`` where a treebank lies, and return it; None where it must be written itself.

    It must where its file is large, or where something was found in reading it that is told beside it.
    """
    if not isfile(original) or getsize(original) > MOST:
        return None
    digest = checksum_of(fspath(original))
    bank = _original(fspath(original), format, encoding, digest)
    if bank.diagnosis or bank.history:
        return None
    source = fspath(original) if isabs(original) else relpath(original, path.parent)
    named = {"path": source, "format": format, "encoding": encoding, "sha256": digest}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(MARK + json.dumps(named, sort_keys=True).encode())
    return bank


def names_a_place(path: str | PathLike[str]) -> bool:
    """True for a file that ``write_place`` has written."""
    try:
        with open(path, "rb") as stream:
            return stream.read(len(MARK)) == MARK
    except OSError:
        return False


def treebank_in_place(path: str | PathLike[str]) -> Treebank | None:
    """Return the treebank that a file names, else None. Raises CrossbankError if it is gone or changed."""
    if not names_a_place(path):
        return None
    named = json.loads(Path(path).read_bytes()[len(MARK) :])
    original = normpath(join(dirname(path), named["path"]))
    try:
        unchanged = checksum_of(original) == named["sha256"]
    except FileNotFoundError as error:
        raise CrossbankError(f"{original}: no such file, which {path} names") from error
    if not unchanged:
        expected = "expected the same (the same command reads it again)"
        raise CrossbankError(f"{original}: found other content than when {path} was written, {expected}")
    return _original(original, named["format"], named["encoding"], named["sha256"])


@lru_cache(maxsize=2)
def _original(path: str, format: str, encoding: str | None, digest: str) -> Treebank:
    """Return the treebank, which a job asks for again at once; ``digest`` is of its content."""
    return read(path, format, encoding=encoding)
