"""What a package adds to Crossbank, by kind and name, read off its files without importing them.

A declaration is at the top of a module, with literal values:

``FORMAT = Format(...)``          a format, named like its module; so are ``MODE = Mode(...)``, a mode, and
                                  ``PLUG_IN = PlugIn(...)``, a folder that may be absent
``@transformation(...)``          a transformation, named like its function
``@command("name", ...)``         a command of the command line with ``help=``; so are ``@score_option(...)``,
                                  an option of ``crossbank score``, and ``@question(...)``, which reports
                                  answer by families of tests
``@public_function``              a function that users call as ``crossbank.NAME``
``@adds_keys(Class)``             keys of a class that adds them to those of YAML files, as ``Class.key``
``name`` and ``version``          class attributes of a metric; a parser has ``name`` and ``output``, a
                                  section of reports ``key`` and ``heading``, what makes candidates of
                                  studies ``name`` and ``makes``

A YAML file in a folder ``schemes`` is a scheme; the other folders of data are in ``FOLDERS``. The building of
a package writes all this into ``manifest.json`` (``python plugins/manifest.py FOLDER``), which is read in a
millisecond. In a checkout new files are read as well, and those that have changed. The module imports nothing
of the package, since it runs before that is installed.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import ast

FILE = "manifest.json"

CONSTANTS = {"FORMAT": "format", "MODE": "mode", "PLUG_IN": "plug-in"}
"""The kind of what a constant declares."""

DECORATORS = {
    "transformation": "transformation",
    "command": "command",
    "command_group": "command",
    "question": "question",
    "score_option": "score_option",
    "public_function": "function",
}
"""The kind of a decorated function."""

CLASSES = (
    ("name", "version", "metric"),
    ("name", "output", "parser"),
    ("key", "heading", "section"),
    ("name", "makes", "making"),
)
"""Two class attributes, of which the first is the name, and the kind of the class that has them."""

ADDS_KEYS = "adds_keys"
"""The decorator of a class that adds keys to those of another one."""

FOLDERS = {
    "schemes": "scheme",
    "relation_rules": "relation rules",
    "universal_rules": "universal rules",
    "rewriting_rules": "rewriting rules",
    "study_rules": "study rules",
}
"""The kind of the files in a folder of this name: YAML files, or rules of Snakemake."""

DATA = (".yaml", ".smk")
"""The endings of such files."""

HAS_DECLARATION = (
    rf"(?m)^(?:{'|'.join(CONSTANTS)}) = |^@(?:{'|'.join((*DECORATORS, ADDS_KEYS))})\b"
    r"|^    (?:name|key)\b[^()\n]* = "
)

SKIPPED = ("__pycache__", "tests")

Entry = tuple[str, str, str, dict[str, Any]]
"""Kind, name, attribute of the module, and the literal values of a declaration."""


class Declaration(NamedTuple):
    """Something that a package adds.

    file       its module or data file, relative to the folder that has the manifest
    attribute  the name in the module; empty for the module itself
    values     the literal values of the declaration
    """

    kind: str
    name: str
    file: str
    attribute: str
    values: dict[str, Any]


def declarations(folder: str | os.PathLike[str]) -> list[Declaration]:
    """Return everything that a package declares, from its manifest and from files that are newer.

    folder  the folder of the package. What the manifest names is returned also if its file is absent.
    """
    folder = os.fspath(folder)
    stored, written = _stored(folder)
    if stored is None or _is_checkout(folder):
        known = stored or {}
        for file, path in _source_files(folder):
            # A module that has declared nothing is not looked at again until the package is built.
            if file not in known or (known[file] and os.stat(path).st_mtime > written):
                known[file] = scan(path)
        stored = known
    return [
        Declaration(kind, name, file, attribute, values)
        for file, entries in sorted(stored.items())
        for kind, name, attribute, values in entries
    ]


def write_manifest(folder: str | os.PathLike[str]) -> None:
    """Write the manifest of the package in a folder. Raises ValueError if two declarations share a name."""
    folder = os.fspath(folder)
    entries = {file: scan(path) for file, path in _source_files(folder)}
    files: dict[tuple[str, str], str] = {}
    for file, declared in entries.items():
        for kind, name, *_ in declared:
            if (kind, name) in files and kind != "plug-in":
                raise ValueError(f"{file}: the {kind} {name} is also declared in {files[kind, name]}")
            files[kind, name] = file
    text = json.dumps(dict(sorted(entries.items())), ensure_ascii=False, separators=(",", ":"))
    temporary = os.path.join(folder, f"{FILE}.{os.getpid()}")
    Path(temporary).write_text(text, "utf-8")
    os.replace(temporary, os.path.join(folder, FILE))


def scan(path: str) -> list[Entry]:
    """Return the declarations of a file. Raises ValueError for a value that is not literal."""
    if path.endswith(DATA):
        return [(FOLDERS[Path(path).parent.name], Path(path).stem, "", {})]
    text = Path(path).read_text("utf-8")
    import ast

    return list(_declared(path, ast.parse(text, path))) if re.search(HAS_DECLARATION, text) else []


def _stored(folder: str) -> tuple[dict[str, list[Entry]] | None, float]:
    """Return the manifest by files and when it was written; None if there is none."""
    path = os.path.join(folder, FILE)
    try:
        with open(path, encoding="utf-8") as stream:
            return json.load(stream), os.stat(path).st_mtime
    except (OSError, ValueError):
        return None, 0


def _is_checkout(folder: str) -> bool:
    """Return whether files may have changed since the package was built."""
    return os.path.isfile(os.path.join(folder, os.pardir, "pyproject.toml"))


def _source_files(folder: str) -> Iterator[tuple[str, str]]:
    """Yield the files that may declare something: relative to the folder, and as a path."""
    waiting = [""]
    while waiting:
        inside = waiting.pop()
        is_data = inside.rpartition("/")[2] in FOLDERS
        with os.scandir(os.path.join(folder, inside)) as entries:
            for entry in entries:
                name = f"{inside}/{entry.name}" if inside else entry.name
                if entry.name.endswith(".py") or (is_data and entry.name.endswith(DATA)):
                    yield name, entry.path
                elif "." not in entry.name and entry.name not in SKIPPED and entry.is_dir():
                    waiting.append(name)


def _declared(path: str, tree: ast.Module) -> Iterator[Entry]:
    import ast

    module = Path(path).parent.name if path.endswith("__init__.py") else Path(path).stem
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            name = node.targets[0].id if isinstance(node.targets[0], ast.Name) else ""
            if name in CONSTANTS:
                values = _keywords(path, node.value, is_strict=True)
                yield CONSTANTS[name], values.pop("name", module), "", values
        elif isinstance(node, ast.FunctionDef):
            yield from _decorated(path, node)
        elif isinstance(node, ast.ClassDef):
            yield from _added_keys(node)
            values = dict(_class_values(node))
            for first, second, kind in CLASSES:
                if isinstance(values.get(first), str) and second in values:
                    further = {name: value for name, value in values.items() if name == "position"}
                    yield kind, values[first], node.name, further


def _decorated(path: str, function: ast.FunctionDef) -> Iterator[Entry]:
    import ast

    for decorator in function.decorator_list:
        call = decorator if isinstance(decorator, ast.Call) else None
        target = call.func if call is not None else decorator
        if isinstance(target, ast.Name) and target.id in DECORATORS:
            values = _keywords(path, call, is_strict=False) if call is not None else {}
            name = function.name
            if call is not None and call.args:
                name = ast.literal_eval(call.args[0])
            yield DECORATORS[target.id], name, function.name, values


def _added_keys(node: ast.ClassDef) -> Iterator[Entry]:
    """Yield the keys that a class adds to those of the class that its decorator names."""
    import ast

    for decorator in node.decorator_list:
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == ADDS_KEYS:
            model = ast.unparse(decorator.args[0])
            for field in (one for one in node.body if isinstance(one, ast.AnnAssign)):
                call = field.value if isinstance(field.value, ast.Call) else None
                named = [one.value for one in call.keywords if one.arg == "name"] if call is not None else []
                name = ast.literal_eval(named[0]) if named else ast.unparse(field.target)
                yield "key", f"{model}.{name}", node.name, {}


def _keywords(path: str, call: ast.Call, *, is_strict: bool) -> dict[str, Any]:
    import ast

    values = {}
    for keyword in call.keywords:
        try:
            value = ast.literal_eval(keyword.value)
            values[str(keyword.arg)] = sorted(value) if isinstance(value, set) else value
        except ValueError:
            if is_strict:
                message = f"{keyword.arg} of a declaration is an expression: write its value"
                raise ValueError(f"{path}:{call.lineno}: {message}") from None
    return values


def _class_values(node: ast.ClassDef) -> Iterator[tuple[str, Any]]:
    """Yield the literal attributes of a class; ``a, b = 1, 2`` are two."""
    import ast

    for statement in node.body:
        pairs: list[tuple[ast.expr, ast.expr]]
        if isinstance(statement, ast.AnnAssign) and statement.value is not None:
            pairs = [(statement.target, statement.value)]
        elif isinstance(statement, ast.Assign):
            target, value = statement.targets[0], statement.value
            pairs = [(target, value)]
            if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                pairs = list(zip(target.elts, value.elts, strict=False))
        else:
            continue
        for target, value in pairs:
            if isinstance(target, ast.Name) and isinstance(value, (ast.Constant, ast.UnaryOp)):
                yield target.id, ast.literal_eval(value)


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        write_manifest(argument)
