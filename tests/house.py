"""What the six floors and ``crossbank/`` amount to, in numbers: ``python -m tests.house`` prints them.

lines              of Python, blank ones too
modules            files of Python
repeated names     names that two or more of them have, but for ``__init__.py``
long signatures    functions with more than six arguments, ``self`` not counted
circles            sets of rooms (folders) that import each other, and the rooms in them
knots              the same of modules, with what is imported for types alone
files of a pair    files whose functions run between ``crossbank score`` and the printed F1 of one sentence
switches           how often one file's function calls another's on that way
files of a key     files of the floors that name one key of study files, ``hot_spots``
"""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
FLOORS = ("treebanks", "converters", "parsers", "metrics", "reports", "workflow")
MOST_ARGUMENTS = 6
KEY = "hot_spots"
PAIR = ("(S (NP (DT the) (NN dog)) (VP (VB barks)))\n", "(S (NP (DT the)) (NP (NN dog)) (VP (VB barks)))\n")

TRACED = """
import json, os, sys, threading
OF_HOUSE = os.sep + "crossbank" + os.sep
from crossbank.workflow.commands.cli import main
OF_MODULES_TOO = ("<genexpr>", "<listcomp>", "<setcomp>", "<dictcomp>", "<lambda>")
files, switches = set(), 0
def look(frame, event, argument):
    global switches
    own = frame.f_code
    inside = frame
    while inside.f_code.co_name in OF_MODULES_TOO and inside.f_back:
        inside = inside.f_back
    if event == "call" and OF_HOUSE in own.co_filename and inside.f_code.co_flags & 1:  # a function's
        files.add(own.co_filename.rpartition(OF_HOUSE)[2])
        caller = frame.f_back and frame.f_back.f_code.co_filename
        switches += bool(caller) and OF_HOUSE in caller and caller != own.co_filename
sys.setprofile(look)
threading.setprofile(look)
status = main(sys.argv[1:])
sys.setprofile(None)
print(json.dumps([status, sorted(files), switches]))
"""


def modules() -> list[Path]:
    """Return the files of Python of all floors, and of the public face."""
    return [path for floor in (*FLOORS, "crossbank") for path in sorted((ROOT / floor).rglob("*.py"))]


@cache
def parsed(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text("utf-8"))


def module_name(path: Path) -> str:
    """Return the name under which a file is imported."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(("crossbank", *parts[parts[0] == "crossbank" :])).removesuffix(".__init__")


def imported(path: Path, *, types: bool) -> set[str]:
    """Names that a file imports, inside functions too; with or without those for types alone."""
    waiting: list[ast.AST] = [parsed(path)]
    names: set[str] = set()
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.ImportFrom) and node.module:
            own = node.module.removeprefix("cython.cimports.")
            names |= {own, *(f"{own}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        if types or not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"):
            waiting.extend(ast.iter_child_nodes(node))
    return names


def imports_of_modules(*, types: bool) -> dict[str, set[str]]:
    """Return the modules that each module imports; a package, where none of its modules is named."""
    names = {module_name(path): imported(path, types=types) for path in modules()}
    return {module: {name for name in found if name in names} - {module} for module, found in names.items()}


def imports_of_rooms() -> dict[str, set[str]]:
    """Rooms that each room's modules import, but for types. A room is a folder with its own modules."""
    rooms = {module_name(path): str(path.parent.relative_to(ROOT)) for path in modules()}
    graph: dict[str, set[str]] = {room: set() for room in rooms.values()}
    for path in modules():
        room = rooms[module_name(path)]
        for name in imported(path, types=False):
            # Of "from a.room import name" the package counts only where the name is not a module of it.
            if name in rooms and rooms[name] != room:
                graph[room].add(rooms[name])
    return graph


def circles(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """Return the sets of two or more that reach each other (strongly connected components), largest first."""

    def reached(start: str) -> set[str]:
        seen, waiting = set[str](), [start]
        while waiting:
            for name in graph[waiting.pop()] - seen:
                seen.add(name)
                waiting.append(name)
        return seen

    reach = {name: reached(name) for name in graph}
    found = {
        tuple(sorted(other for other in reach[name] if name in reach[other]))
        for name in graph
        if name in reach[name]
    }
    return sorted((list(one) for one in found), key=lambda one: (-len(one), one))


def long_signatures() -> list[tuple[int, str, str]]:
    """Functions with more than six arguments: how many, file and name, the longest first."""
    found = []
    for path in modules():
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.FunctionDef):
                names = [one.arg for one in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
                count = len(names) - (names[:1] in (["self"], ["cls"]))
                if count > MOST_ARGUMENTS:
                    found.append((count, str(path.relative_to(ROOT)), node.name))
    return sorted(found, reverse=True)


def repeated_names() -> dict[str, int]:
    """File names that stand more than once, with how often."""
    count = Counter(path.name for path in modules() if path.name != "__init__.py")
    return {name: number for name, number in count.most_common() if number > 1}


def way_of_a_pair() -> tuple[list[str], int]:
    """Files whose functions run when one pair of trees is scored, and the switches between files."""
    with TemporaryDirectory() as folder:
        gold, candidate = Path(folder) / "gold.mrg", Path(folder) / "candidate.mrg"
        gold.write_text(PAIR[0], "utf-8")
        candidate.write_text(PAIR[1], "utf-8")
        done = subprocess.run(
            [sys.executable, "-c", TRACED, "score", str(gold), str(candidate)],
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": str(ROOT), "CROSSBANK_CORES": "1"},
            capture_output=True,
            text=True,
            check=True,
        )
    status, files, switches = json.loads(done.stdout.splitlines()[-1])
    assert not status, done.stdout + done.stderr
    return files, switches


def files_of_a_key(key: str = KEY) -> list[str]:
    """Return the files of the floors that name a key of study files: code, schemas, rules, templates."""
    endings = {".py", ".yaml", ".smk", ".html", ".j2", ""}
    paths: Iterable[Path] = (path for floor in FLOORS for path in sorted((ROOT / floor).rglob("*")))
    return [
        str(path.relative_to(ROOT))
        for path in paths
        if path.is_file()
        and not path.is_symlink()
        and path.suffix in endings
        and re.search(rf"\b{key}\b", path.read_text("utf-8"))
    ]


def counts() -> dict[str, int]:
    """All numbers, by name."""
    rooms, knots = circles(imports_of_rooms()), circles(imports_of_modules(types=True))
    files, switches = way_of_a_pair()
    return {
        "lines": sum(path.read_text("utf-8").count("\n") for path in modules()),
        "modules": len(modules()),
        "repeated names": len(repeated_names()),
        "long signatures": len(long_signatures()),
        "circles of rooms": len(rooms),
        "rooms in circles": sum(len(one) for one in rooms),
        "modules in knots": sum(len(one) for one in knots),
        "files of a pair": len(files),
        "switches of a pair": switches,
        "files of a key": len(files_of_a_key()),
    }


def main(arguments: list[str]) -> int:
    """Print the numbers; with ``--list`` also what they count."""
    for name, number in counts().items():
        print(f"{name:20}{number:>8,}")
    if "--list" in arguments:
        print("\nRooms that import each other:", *map(" ".join, circles(imports_of_rooms())), sep="\n  ")
        print(
            "\nModules that do:",
            *(" ".join(one) for one in circles(imports_of_modules(types=True))),
            sep="\n  ",
        )
        print("\nNames:", *(f"{name} {number}" for name, number in repeated_names().items()), sep="\n  ")
        print("\nSignatures:", *(" ".join(map(str, one)) for one in long_signatures()), sep="\n  ")
        print("\nFiles of a pair:", *way_of_a_pair()[0], sep="\n  ")
        print("\nFiles of a key:", *files_of_a_key(), sep="\n  ")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]) or sys.stdout.flush())
    except BrokenPipeError:  # the reader, such as head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
