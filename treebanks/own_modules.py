"""Custom modules in the current folder, and the modules of this folder that they import.

The folder itself is not on Python's search path: a file ``yaml.py`` or ``pandas.py`` in it must not be taken
for the library of that name.
"""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from itertools import accumulate
from pathlib import Path
from types import ModuleType


class _OwnModules:
    """Finder of requested modules of a folder, after all other finders.

    It has no base class: importing ``importlib.abc`` would take longer than everything else here.
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.names: set[str] = set()

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return PathFinder.find_spec(name, [self.folder]) if path is None and name in self.names else None


def make_known(module: str) -> None:
    """Let Python find a module of the current folder, and the modules of the folder that it imports."""
    folder = os.getcwd()
    finders = [finder for finder in sys.meta_path if isinstance(finder, _OwnModules)]
    finder = next((finder for finder in finders if finder.folder == folder), None)
    if finder is None:
        finder = _OwnModules(folder)
        sys.meta_path.append(finder)
    finder.names.update(name.partition(".")[0] for name in own_files(module))


def own_files(module: str) -> dict[str, Path]:
    """Return the files, by name, of a module of the current folder and of its imports from this folder.

    Imports inside functions count as well. The result is empty for a module that does not exist there, and
    for one that Python finds elsewhere: installed packages take precedence.
    """
    folder = Path.cwd()
    files: dict[str, Path] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        # A package's own file is read before that of a module in it.
        for part in accumulate(name.split("."), "{}.{}".format):
            if part not in files and (path := _file(folder, part)) is not None:
                files[part] = path
                waiting += _imports(path, part)
    return files


def _file(folder: Path, name: str) -> Path | None:
    base = folder.joinpath(*name.split("."))
    path = next((path for path in (base / "__init__.py", base.with_suffix(".py")) if path.is_file()), None)
    return path if path is not None and not _is_elsewhere(name.partition(".")[0], folder) else None


def _is_elsewhere(top: str, folder: Path) -> bool:
    """Return whether Python has a top-level module of this name outside of the folder."""
    if top in sys.stdlib_module_names:
        return True
    search_path = [path for path in sys.path if Path(path).absolute() != folder]
    return PathFinder.find_spec(top, search_path) is not None


def _imports(path: Path, name: str) -> list[str]:
    """Return the modules that a file may import: of ``from a import b`` both ``a`` and ``a.b``."""
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return []  # the import itself reports the error
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    modules: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules += (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join((*above, *((node.module,) if node.module else ())))
            modules += (module, *(f"{module}.{alias.name}" for alias in node.names))
    return [name for name in modules if name.strip(".")]
