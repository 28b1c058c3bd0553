"""The house has five floors and a room for parsers, and imports go down only."""

import ast
from collections.abc import Iterable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FLOORS = ["treebanks", "converters", "parsers", "metrics", "reports", "workflow"]
MODULES = [path for floor in FLOORS for path in sorted((ROOT / floor).rglob("*.py"))]

FORBIDDEN_NAMES = {"utils", "util", "helpers", "helper", "common", "misc", "manager", "handler"}


def imported(path: Path) -> set[str]:
    """Names of all modules that a file imports, at the top and inside functions."""
    return _names(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_go_down_only(path: Path) -> None:
    floor = FLOORS.index(path.relative_to(ROOT).parts[0])
    floors_above = tuple(f"crossbank.{name}" for name in FLOORS[floor + 1 :])
    above = {name for name in imported(path) if name.startswith(floors_above)}
    assert not above, f"{path.relative_to(ROOT)} imports from floors above: {sorted(above)}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_floor_imports_the_public_face(path: Path) -> None:
    face = {"crossbank", *(f"crossbank.{module.stem}" for module in (ROOT / "crossbank").glob("*.py"))}
    names = {name for name in imported(path) if name in face}
    assert names <= ({"crossbank"} if path.name == "code_digest.py" else set())


@pytest.mark.parametrize("floor", FLOORS)
def test_imports_of_a_floor_form_no_cycle(floor: str) -> None:
    graph = {module_name(path): at_run_time(path) for path in sorted((ROOT / floor).rglob("*.py"))}
    waiting = {
        module: {name for name in names if name in graph} - {module} for module, names in graph.items()
    }
    while waiting:
        free = [module for module, names in waiting.items() if not names & waiting.keys()]
        assert free, f"these import each other: {sorted(waiting)}"
        for module in free:
            del waiting[module]


def module_name(path: Path) -> str:
    """The name under which a file is imported."""
    return ".".join(("crossbank", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")


def top_level(path: Path) -> set[str]:
    """Modules that are imported when a file is: not inside functions, not for types alone."""
    return _names(ast.parse(path.read_text(encoding="utf-8")).body)


def at_run_time(path: Path) -> set[str]:
    """Modules that a file imports, inside functions too, but for those that it needs for types alone."""
    waiting: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    found: list[ast.AST] = []
    while waiting:
        node = waiting.pop()
        found.append(node)
        if not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"):
            waiting.extend(ast.iter_child_nodes(node))
    return _names(found)


def _names(nodes: Iterable[ast.AST]) -> set[str]:
    names: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
    return names


def test_no_file_is_a_drawer_for_everything() -> None:
    drawers = [path for path in MODULES if path.stem in FORBIDDEN_NAMES]
    assert not drawers


SLOW = {
    "nltk",
    "conllu",
    "pyarrow",
    "lxml",
    "snakemake",
    "altair",
    "jinja2",
    "scipy",
    "jsonschema",
    "delphin",
}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_slow_libraries_are_imported_where_they_are_used(path: Path) -> None:
    at_start = {name.split(".")[0] for name in top_level(path)} & SLOW
    assert not at_start, f"{path.relative_to(ROOT)} imports {sorted(at_start)} at its top"


QUESTIONS = ("Whether", "What", "Which", "Where", "When", "Who", "How", "Why")


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_first_line_of_a_docstring_says_what_is_returned(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    first_lines = [
        (ast.get_docstring(node) or "").partition("\n")[0]
        for node in ast.walk(tree)
        if isinstance(node, documented)
    ]
    clauses = [line for line in first_lines if line.startswith(tuple(f"{word} " for word in QUESTIONS))]
    assert not clauses, f"expected a noun phrase or the imperative (True if ..., Count ...): {clauses}"
    halves = [line for line in first_lines if line and line.rstrip("`)")[-1] not in ".:?!"]
    assert not halves, f"expected a first line that is a sentence or a phrase: {halves}"
