"""Imports between the package's own modules, read from the sources."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

LAYERS = (
    "plugins",
    "treebanks",
    "converters",
    "metrics",
    "reports",
    "workflow",
    "formalisms",
    "parsers",
    "compat",
    "language_models",
)
"""Packages in the order in which each may import those before it."""


def modules() -> list[Path]:
    """Return the Python files of all layers, and of the public API."""
    return [path for layer in (*LAYERS, "crossbank") for path in sorted((ROOT / layer).rglob("*.py"))]


@cache
def syntax_tree(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text("utf-8"))


def module_name(path: Path) -> str:
    """Return the name under which a file is imported."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(("crossbank", *parts[parts[0] == "crossbank" :])).removesuffix(".__init__")


def imported_names(path: Path, *, types: bool) -> set[str]:
    """Return the names that a file imports, also inside functions; with or without those for types alone."""
    waiting: list[ast.AST] = [syntax_tree(path)]
    names: set[str] = set()
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.ImportFrom) and node.module:
            module = node.module.removeprefix("cython.cimports.")
            names |= {module, *(f"{module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        if types or not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"):
            waiting.extend(ast.iter_child_nodes(node))
    return names


def module_graph(*, types: bool) -> dict[str, set[str]]:
    """Return the modules that each module imports."""
    imports = {module_name(path): imported_names(path, types=types) for path in modules()}
    return {
        module: {name for name in names if name in imports} - {module} for module, names in imports.items()
    }


def package_graph() -> dict[str, set[str]]:
    """Return the packages whose modules each package imports, but for types. A package is one folder."""
    packages = {module_name(path): str(path.parent.relative_to(ROOT)) for path in modules()}
    graph: dict[str, set[str]] = {package: set() for package in packages.values()}
    for path in modules():
        package = packages[module_name(path)]
        imports = {packages[name] for name in imported_names(path, types=False) if name in packages}
        graph[package] |= imports - {package}
    return graph


def cycles(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """Return the sets of two or more nodes that reach each other (strongly connected components)."""

    def reachable(start: str) -> set[str]:
        seen, waiting = set[str](), [start]
        while waiting:
            for name in graph[waiting.pop()] - seen:
                seen.add(name)
                waiting.append(name)
        return seen

    reach = {name: reachable(name) for name in graph}
    components = {
        tuple(sorted(other for other in reach[name] if name in reach[other]))
        for name in graph
        if name in reach[name]
    }
    return sorted(list(component) for component in components)
