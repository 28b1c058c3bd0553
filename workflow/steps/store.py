"""A store of files that several studies need: a treebank is read, converted and scored once for all of them.

The name of a stored file is a checksum of all that it was made from: the content of the inputs, the settings
(format, scheme, transformations), and the code. So what is in the store is never out of date, and it may be
deleted at any time. A file's own checksum is the second part of its name. A copy whose content has another
one is not used.

Files are written beside their place and renamed, so that a kill leaves no half of one. Two runs that store
the same file at once write the same bytes. Files are copied and not linked: Snakemake touches the files that
it knows.
"""

from __future__ import annotations

import json
import os
import shutil
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

VARIABLE = "CROSSBANK_STORE"
"""The environment variable that names the store's folder. Without it nothing is stored."""

FOLDER = Path("results") / ".store"
"""The store of several studies that are run with one command."""


@dataclass(frozen=True)
class Store:
    """A folder of files by what they were made from."""

    folder: Path

    @classmethod
    def of_run(cls) -> Store | None:
        """Return the store that the environment names; None without one."""
        named = os.environ.get(VARIABLE, "")
        return cls(Path(named)) if named else None

    def fetch(self, source: Any, path: Path) -> bool:
        """Copy the file that was made from ``source`` to ``path``; return whether there is one."""
        from crossbank.treebanks.files import checksum_of  # with NumPy, which a doctor may lack

        for found in sorted(self._place(source).parent.glob(f"{_key(source)}.*")):
            try:
                shutil.copyfile(found, path)
                if checksum_of(path) == found.suffix.removeprefix("."):
                    return True
                found.unlink(missing_ok=True)
            except OSError:
                continue  # another process has taken it away
        return False

    def keep(self, source: Any, path: Path) -> None:
        """Store a copy of the file that was made from ``source``; where that fails, go on without it."""
        from crossbank.treebanks.files import checksum_of

        place = self._place(source)
        part = place.with_name(f".{place.name}.{os.getpid()}.part")
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, part)
            os.replace(part, place.with_name(f"{place.name}.{checksum_of(part)}"))
        except OSError:
            with suppress(OSError):
                part.unlink()

    def size(self) -> int:
        """Return the bytes of all stored files."""
        return sum(path.stat().st_size for path in self.folder.glob("*/*") if path.is_file())

    def _place(self, source: Any) -> Path:
        key = _key(source)
        return self.folder / key[:2] / key


def _key(source: Any) -> str:
    return sha256(json.dumps(source, sort_keys=True).encode()).hexdigest()
