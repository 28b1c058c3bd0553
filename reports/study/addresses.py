"""Files that are given by their address on the web, and the paths under which they are kept."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from crossbank.treebanks.files import matching

FOLDER = Path("results/downloads")
"""The folder of all studies' downloads, relative to the folder in which a study runs."""


@dataclass(frozen=True)
class Download:
    """A file on the web.

    checksum  its SHA-256 checksum as 64 hexadecimal digits; empty if the study has none
    """

    address: str
    checksum: str = ""

    @property
    def path(self) -> Path:
        """The local path: in a folder for each address, with the name that the file has there."""
        name = PurePosixPath(unquote(urlsplit(self.address).path)).name
        if name in ("", "..") or not name.isprintable():
            name = "index"
        return FOLDER / sha256(self.address.encode()).hexdigest()[:12] / name


def local(path: str) -> list[str]:
    """Return the files that a path stands for: those that match it, or the path of the download."""
    return [str(Download(path).path)] if is_address(path) else matching(path)


def is_address(path: str) -> bool:
    """Return whether a path begins with ``http://`` or ``https://``."""
    return path.startswith(("https://", "http://"))
