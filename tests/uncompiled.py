"""A command of Crossbank with the compiled modules as the plain Python that they are, too.

    python -m tests.uncompiled score GOLD CANDIDATE
    python -m pdb -m tests.uncompiled score GOLD CANDIDATE
    python -m tests.uncompiled --results SENTENCES FILE
    python -m tests.uncompiled --fuzz [--minutes N] [--seed S] [--only READER]

The second steps through it. The third writes what ``tests.every_loop`` finds in so many sentences to FILE,
with pickle. The fourth runs the fuzzer (``tests.fuzz.run``): an index out of bounds or below 0 is a fault.
"""

from __future__ import annotations

import ast
import os
import pickle
import re
import sys
from collections.abc import Iterator
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
SUFFIXES = (".so", ".pyd")
"""The endings of compiled modules."""


def refuse_negative(index: Any) -> Any:
    """Return an index that a compiled loop may use.

    Raises IndexError if it is negative: Python counts from the end, a compiled loop reads before the array.
    """
    for part in index if type(index) is tuple else (index,):
        if isinstance(part, (int, np.integer)) and part < 0:
            raise IndexError(f"index {index} is negative")
    return index


class CheckedIndices(ast.NodeTransformer):
    """Wraps each index in ``refuse_negative``, except those of types."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.Subscript:
        self.generic_visit(node)
        if not isinstance(node.slice, ast.Slice):
            name = ast.Name(refuse_negative.__name__, ast.Load())
            node.slice = ast.copy_location(ast.Call(name, [node.slice], []), node.slice)
        return ast.fix_missing_locations(node)


class CheckedLoader(SourceFileLoader):
    """Loads a module whose negative indices are errors."""

    def get_code(self, fullname: str) -> CodeType:
        """Return the module's code, which is not kept on disk."""
        path = self.get_filename(fullname)
        return compile(CheckedIndices().visit(ast.parse(self.get_data(path), path)), path, "exec")

    def exec_module(self, module: ModuleType) -> None:
        """Run the module, where ``refuse_negative`` is known."""
        setattr(module, refuse_negative.__name__, refuse_negative)
        super().exec_module(module)


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
        return spec_from_file_location(name, source, loader=CheckedLoader(name, source))


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
    os.environ.setdefault("CROSSBANK_THREADS", "1")  # a debugger stops in the first thread alone
    with np.errstate(over="ignore"):  # Hashes and fingerprints are taken modulo 2^64.
        if arguments[:1] == ["--results"]:
            from tests.every_loop import results

            Path(arguments[2]).write_bytes(pickle.dumps(results(int(arguments[1]))))
            status = 0
        elif arguments[:1] == ["--fuzz"]:
            from tests.fuzz.run import main as fuzz

            status = fuzz(arguments[1:])
        else:
            from crossbank.workflow.commands.cli import main as crossbank

            status = crossbank(arguments)
    assert not compiled_modules(), compiled_modules()
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
