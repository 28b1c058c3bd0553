"""A command of Crossbank with the compiled modules as the plain Python that they are, too.

    python -m tests.uncompiled score GOLD CANDIDATE
    python -m pdb -m tests.uncompiled score GOLD CANDIDATE
    python -m tests.uncompiled --results SENTENCES FILE

The second steps through it. The third writes what ``tests.every_loop`` finds in so many sentences to FILE,
with pickle.
"""

from __future__ import annotations

import os
import pickle
import re
import sys
from collections.abc import Iterator
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SUFFIXES = (".so", ".pyd")
"""The endings of compiled modules."""


class Uncompiled(MetaPathFinder):
    """Finds the source of each compiled module of the package."""

    def __init__(self) -> None:
        self.sources = {
            ".".join(path.relative_to(ROOT).with_suffix("").parts): path
            for path in _sources(ROOT / "crossbank")
        }

    def find_spec(self, name: str, path: Any = None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name not in self.sources:
            return None
        source = str(self.sources[name])
        return spec_from_file_location(name, source, loader=SourceFileLoader(name, source))


def _sources(folder: Path) -> Iterator[Path]:
    """Yield the compiled modules under a folder, whose parts may be links."""
    for path in sorted(folder.iterdir()):
        if path.is_dir() and path.name != "__pycache__":
            yield from _sources(path)
        elif path.suffix == ".py" and re.search(r"^import cython$", path.read_text("utf-8"), re.M):
            yield path


def compiled_modules() -> list[str]:
    """Return the package's compiled modules that are loaded, but for the one that all of them share."""
    loaded = [
        (name, module.__spec__) for name, module in sys.modules.items() if name.startswith("crossbank.")
    ]
    return [
        name
        for name, spec in loaded
        if spec is not None and (spec.origin or "").endswith(SUFFIXES) and name != "crossbank._memoryviews"
    ]


def main(arguments: list[str]) -> int:
    """Run the command with all loops uncompiled. Returns its exit status."""
    sys.meta_path.insert(0, Uncompiled())
    os.environ["CROSSBANK_PLAIN_LOOPS"] = "1"
    import numpy as np

    with np.errstate(over="ignore"):  # Hashes and fingerprints are taken modulo 2^64.
        if arguments[:1] == ["--results"]:
            from tests.every_loop import results

            Path(arguments[2]).write_bytes(pickle.dumps(results(int(arguments[1]))))
            status = 0
        else:
            from crossbank.workflow.commands.cli import main as crossbank

            status = crossbank(arguments)
    assert not compiled_modules(), compiled_modules()
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
