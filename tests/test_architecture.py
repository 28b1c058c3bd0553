"""Each layer imports only those before it, and no two modules or packages import each other."""

import ast
import re
from collections.abc import Callable, Iterable
from pathlib import Path

from tests.imports import (
    LAYERS,
    ROOT,
    cycles,
    imported_names,
    module_graph,
    modules,
    package_graph,
    syntax_tree,
)


def by_file(
    names_of: Callable[[Path], Iterable[str]], layers: Iterable[str] = LAYERS
) -> dict[str, list[str]]:
    """Return what a function returns for the modules of some layers, where that is not empty."""
    layers = set(layers)
    paths = [path.relative_to(ROOT) for path in modules()]
    names = {str(path): sorted(names_of(ROOT / path)) for path in paths if path.parts[0] in layers}
    return {path: listed for path, listed in names.items() if listed}


def test_a_layer_imports_only_those_before_it() -> None:
    def imports_of_later_layers(path: Path) -> list[str]:
        layer = LAYERS.index(path.relative_to(ROOT).parts[0])
        later = tuple(f"crossbank.{name}" for name in LAYERS[layer + 1 :])
        return [name for name in imported_names(path, types=True) if name.startswith(later)]

    assert by_file(imports_of_later_layers) == {}


def test_no_layer_imports_the_public_api() -> None:
    public = {"crossbank", *(f"crossbank.{module.stem}" for module in (ROOT / "crossbank").glob("*.py"))}
    assert by_file(lambda path: imported_names(path, types=True) & public) == {
        "workflow/code_digest.py": ["crossbank"]
    }


def test_metrics_compare_treebanks_and_not_files() -> None:
    """Modes are asked about files. TedEval reads the other schemes' gold trees."""

    def formats(path: Path) -> list[str]:
        if path.is_relative_to(ROOT / "metrics/modes"):
            return []
        return [name for name in imported_names(path, types=True) if ".treebanks.formats." in name]

    assert by_file(formats, ["metrics"]) == {
        "metrics/tedeval.py": ["crossbank.treebanks.formats.read"],
        "metrics/relations.py": [
            "crossbank.treebanks.formats.relations",
            "crossbank.treebanks.formats.relations.written_relations",
        ],
    }


def test_no_modules_import_each_other() -> None:
    assert cycles(module_graph(types=False)) == []


def test_no_packages_import_each_other() -> None:
    assert cycles(package_graph()) == []


def test_cycles_are_the_strongly_connected_components() -> None:
    graph = {"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": {"e"}, "e": {"d"}, "f": {"a"}}
    assert cycles(graph) == [["b", "c"], ["d", "e"]]


SLOW = {"nltk", "conllu", "pyarrow", "snakemake", "altair", "jinja2", "scipy", "jsonschema", "delphin"}


def imported_at_once(path: Path) -> set[str]:
    """Return the libraries that are imported when a file is: not inside functions, not for types alone."""
    names: set[str] = set()
    for node in syntax_tree(path).body:
        if isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
        elif isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
    return {name.split(".")[0] for name in names}


def test_slow_libraries_are_imported_where_they_are_used() -> None:
    assert by_file(lambda path: imported_at_once(path) & SLOW) == {}


OPTION = re.compile(r"(?<![\w-])--[a-z]")


def named_options(path: Path) -> list[str]:
    """Return the strings of a file, but for docstrings, that name an option of the command line."""
    tree = syntax_tree(path)
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    strings = (
        node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in docstrings
    )
    return [node.value for node in strings if isinstance(node.value, str) and OPTION.search(node.value)]


def test_what_python_raises_names_no_option_of_the_command_line() -> None:
    """Options are named by ``argument``, which knows how Python and the command line write them."""
    layers = ["treebanks", "converters", "parsers", "metrics", "crossbank"]
    naming = [path for path in by_file(named_options, layers) if not path.startswith("parsers/commands/")]
    assert naming == ["treebanks/named_arguments.py"]
