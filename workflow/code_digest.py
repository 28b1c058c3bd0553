"""A digest of the code that a step of a study depends on.

Snakemake sees that an input is newer, not that a module has changed. A digest among a rule's
params makes a change of a metric rerun what depends on it, and nothing else.
"""

from __future__ import annotations

import ast
import hashlib
from functools import cache
from pathlib import Path

import crossbank

DATA_FOLDERS = ("schemes", "maps", "hierarchies", "templates")
DATA_SUFFIXES = {".yaml", ".json", ".j2", ".css", ".js"}

PACKAGE = Path(crossbank.__file__).parent


def code_digest(*modules: str) -> str:
    """Twelve hexadecimal digits over some modules and all of ours that they import, at any depth.

    Data files (schemes, templates) beside the modules of a package count with the package.
    """
    files = sorted({file for module in modules for file in dependencies(module)})
    digest = hashlib.sha256()
    for file in files:
        digest.update(str(file.relative_to(PACKAGE)).encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


@cache
def dependencies(module: str) -> frozenset[Path]:
    """The source files of a module and of every module of ours that it imports, at any depth."""
    found: dict[str, Path] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        path = _file_of(name)
        if name not in found and path is not None:
            found[name] = path
            waiting += imports(path)
    data = {
        file
        for path in found.values()
        for folder in (path.parent, *(path.parent / name for name in DATA_FOLDERS))
        if folder.is_dir()
        for file in folder.iterdir()
        if file.suffix in DATA_SUFFIXES
    }
    return frozenset(found.values()) | data


@cache
def imports(path: Path) -> tuple[str, ...]:
    """The modules of ours that a source file imports, inside functions too."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return tuple(sorted(name for name in names if name.split(".")[0] == PACKAGE.name))


def _file_of(module: str) -> Path | None:
    base = PACKAGE.parent.joinpath(*module.split("."))
    for path in (base.with_suffix(".py"), base / "__init__.py"):
        if path.is_file():
            return path
    return None
