"""Findings about a scheme's file: what is wrong with it, and what in it a treebank never uses."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from crossbank.treebanks.yaml_files import key_path, line_of


class Finding(NamedTuple):
    """One thing about a key of a file.

    error    whether the file cannot be used so; a warning if not
    keys     where it stands: keys of mappings and numbers of entries
    message  what was found and what was expected
    line     the line, from 1; None where no line is known
    """

    path: Path
    error: bool
    keys: Sequence[str | int]
    message: str
    line: int | None = None

    @classmethod
    def at(cls, path: Path, keys: Sequence[str | int], message: str, *, error: bool) -> Finding:
        """A finding with the line of its key, or of the last of the key's parents that is there."""
        return cls(path, error, keys, message, line_of(path, keys))

    @property
    def severity(self) -> str:
        """``error`` or ``warning``."""
        return "error" if self.error else "warning"

    def __str__(self) -> str:
        where = f"{self.path}:{self.line}" if self.line else str(self.path)
        said = ": ".join(filter(None, (key_path(self.keys), self.message)))
        return f"{where}: {self.severity}: {said}"
