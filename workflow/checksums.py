"""Checksums of files: SHA-256."""

from __future__ import annotations

from functools import lru_cache
from hashlib import file_digest
from pathlib import Path


def checksum(path: Path) -> str:
    """Return the checksum of a file; computed again only where the file has changed."""
    status = path.stat()
    return _known(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=256)
def _known(path: Path, changed: int, size: int) -> str:
    return computed_checksum(path)


def computed_checksum(path: Path) -> str:
    """Return the checksum of a file that may have changed since a moment ago."""
    with path.open("rb") as stream:
        return file_digest(stream, "sha256").hexdigest()
