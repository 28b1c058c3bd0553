"""A digest of the code that a step of a study depends on.

Snakemake sees that an input is newer, not that a module has changed. A digest among a rule's
params makes a change of a metric rerun what depends on it, and nothing else.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec
from pathlib import Path

import crossbank
from crossbank.treebanks.own_modules import own_files

DATA_FOLDERS = (
    "schemes",
    "relation_rules",
    "universal_rules",
    "rewriting_rules",
    "maps",
    "hierarchies",
    "templates",
)
DATA_SUFFIXES = {".yaml", ".json", ".j2", ".css", ".js"}

PACKAGE = Path(crossbank.__file__).parent

IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(?:\(([^)]*)\)|([^\n#]*))|import[ \t]+([^\n#]*))", re.M
)
"""An import, at the top or inside a function: ``from MODULE import NAMES`` or ``import MODULES``."""

NAMED = re.compile(r'^[A-Z_]+ = "([\w.]+):\w+"$', re.M)
"""A module that a constant names, and that is imported when it is needed: ``DAMAGE = "MODULE:NAME"``."""

COMPILED = "cython.cimports."
"""The prefix of a module's name where a compiled module imports its declarations."""


@cache
def code_digest(*modules: str) -> str:
    """Return twelve hexadecimal digits over some modules and all that they import, at any depth.

    A compiled module counts with the source that it is compiled from and with its declarations, or with all
    that is compiled where a wheel was installed, which has no such sources; a module
    of the study's folder with all of the folder that it imports. Data files (schemes, templates) beside the
    modules of a package count with the package.
    """
    files = sorted({file for module in modules for file in dependencies(module)})
    digest = hashlib.sha256()
    for file in files:
        root = next((root for root in (PACKAGE, Path.cwd()) if file.is_relative_to(root)), file.parent)
        digest.update(str(file.relative_to(root)).encode())
        digest.update(_content(file))
    return digest.hexdigest()[:12]


@cache
def dependencies(module: str) -> frozenset[Path]:
    """Return the source files of a module and of every module of Crossbank that it imports, at any depth."""
    files_by_name: dict[str, tuple[Path, ...]] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in files_by_name:
            files_by_name[name] = _files_of(name)
            for path in files_by_name[name]:
                waiting += imports(path)
    files = {path for paths in files_by_name.values() for path in paths}
    folders = {path.parent for path in files if path.is_relative_to(PACKAGE)}
    return frozenset(files).union(*map(_data, folders))


@cache
def imports(path: Path) -> tuple[str, ...]:
    """Return Crossbank's modules that a source file imports, also in functions, or names in a constant."""
    if path.suffix not in (".py", ".pxd"):
        return ()
    source = _content(path).decode("utf-8")
    imported = set(NAMED.findall(source))
    for module, listed, names, plain in IMPORT.findall(source):
        for name in re.split(r"[\s,]+", listed or names or plain):
            imported.add(f"{module}.{name}" if module else name)
        imported.add(module)
    own_modules = (name.removeprefix(COMPILED) for name in imported)
    return tuple(sorted(name for name in own_modules if name.split(".")[0] == PACKAGE.name))


@cache
def _files_of(module: str) -> tuple[Path, ...]:
    """Return the source of a module, and the declarations of one that is compiled."""
    if module.split(".")[0] != PACKAGE.name:
        if own := own_files(module):
            return tuple(own.values())
        spec = find_spec(module)
        return (Path(spec.origin),) if spec is not None and spec.origin else ()
    base = PACKAGE.parent.joinpath(*module.split("."))
    candidates = (base.with_suffix(".py"), base.with_suffix(".pxd"), base / "__init__.py")
    sources = tuple(path for path in candidates if path.is_file())
    return sources or _compiled_files(base)


def _compiled_files(base: Path) -> tuple[Path, ...]:
    """Return all compiled modules of an installed package if one of them, at ``base``, has no source there.

    What a compiled module imports of others is not known without its source.
    """
    if not any(base.with_suffix(suffix).is_file() for suffix in EXTENSION_SUFFIXES):
        return ()
    return tuple(sorted(path for path in PACKAGE.rglob(f"*{EXTENSION_SUFFIXES[0]}") if path.is_file()))


@cache
def _data(package: Path) -> frozenset[Path]:
    files = (file for name in ("", *DATA_FOLDERS) for file in package.joinpath(name).glob("*"))
    return frozenset(file for file in files if file.suffix in DATA_SUFFIXES)


@cache
def _content(path: Path) -> bytes:
    return path.read_bytes()
