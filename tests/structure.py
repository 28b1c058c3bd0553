"""Print the size and the structure of the code: ``python -m tests.structure``. No test depends on it.

For each layer its modules, lines and functions with more than six arguments; then the longest modules, names
of modules that occur twice, and the modules that import each other for types.
"""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

from tests.imports import LAYERS, ROOT, cycles, module_graph, modules, syntax_tree

MAX_ARGUMENTS = 6
LISTED = 10


def line_count(path: Path) -> int:
    """Return the number of lines of a file."""
    return path.read_text("utf-8").count("\n")


def long_signatures(path: Path) -> list[str]:
    """Return the functions of a file with more than six arguments, ``self`` not counted."""
    names = []
    for node in ast.walk(syntax_tree(path)):
        if isinstance(node, ast.FunctionDef):
            arguments = [one.arg for one in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
            if len(arguments) - (arguments[:1] in (["self"], ["cls"])) > MAX_ARGUMENTS:
                names.append(node.name)
    return names


def main() -> None:
    """Print all tables."""
    print(f"{'layer':12}{'modules':>9}{'lines':>9}{'long signatures':>17}")
    for layer in (*LAYERS, "crossbank"):
        paths = [path for path in modules() if path.relative_to(ROOT).parts[0] == layer]
        signatures = sum(len(long_signatures(path)) for path in paths)
        print(f"{layer:12}{len(paths):>9,}{sum(map(line_count, paths)):>9,}{signatures:>17,}")
    print("\nThe longest modules:")
    for path in sorted(modules(), key=line_count, reverse=True)[:LISTED]:
        print(f"{line_count(path):>7,}  {path.relative_to(ROOT)}")
    print("\nNames of modules that occur twice or more:")
    names = Counter(path.name for path in modules() if path.name != "__init__.py")
    print(" ", ", ".join(f"{name} ({count})" for name, count in names.most_common() if count > 1))
    print("\nModules that import each other, with imports for types:")
    for component in cycles(module_graph(types=True)):
        print(" ", *component)


if __name__ == "__main__":
    main()
