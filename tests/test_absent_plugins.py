"""Crossbank without the folders that only add something: its commands work, and name what is absent."""

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from crossbank.plugins.packages import bundled
from tests.imports import LAYERS, ROOT, modules, syntax_tree

PLUG_INS = ("formalisms", "compat")

TIGER = ROOT / "examples" / "tiger.export"
PENN = ROOT / "examples" / "three_styles" / "penn.mrg"
PARSED = ROOT / "examples" / "three_styles" / "penn.parsed.mrg"


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which Python finds the package without its plug-ins, as after their deletion."""
    folder = tmp_path_factory.mktemp("core")
    (folder / "crossbank").mkdir()
    for path in (ROOT / "crossbank").iterdir():
        if path.name not in (*PLUG_INS, "__pycache__"):
            (folder / "crossbank" / path.name).symlink_to(path.resolve())
    for name in ("pyproject.toml", *LAYERS):
        if name not in PLUG_INS:
            (folder / name).symlink_to(ROOT / name)
    return folder


def run(core: Path, *words: str | Path) -> tuple[int, str]:
    """Return the exit code and the output of a command."""
    done = subprocess.run(
        [sys.executable, "-m", "crossbank", *map(str, words)],
        cwd=core,
        env={**os.environ, "PYTHONPATH": str(core)},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_commands_work_without_plug_ins(core: Path) -> None:
    code, output = run(core, "score", PENN, PARSED, "--scheme", "ptb", "--json")
    scores = {score["measure"]: score["value"] for score in json.loads(output)["scores"]}
    assert (code, set(scores) >= {"precision", "recall", "f1"}) == (0, True)
    code, output = run(core, "convert", TIGER, "trees.mrg", "--scheme", "tiger", "--resolve")
    assert code == 0, output
    assert (core / "trees.mrg").read_text("utf-8").count("\n") == 120
    code, output = run(core, "info", TIGER, "--scheme", "tiger")
    assert code == 0
    assert re.search(r"^sentences +120$", output, re.M)


@pytest.mark.parametrize("kind", ["metrics", "formats", "schemes", "transformations", "modes"])
def test_lists_name_what_is_there(core: Path, kind: str) -> None:
    code, output = run(core, "list", kind, "--json")
    assert code == 0
    names = {added.name: added.declared.file.partition("/")[0] for added in bundled(kind[:-1])}
    assert set(json.loads(output)) == {name for name, folder in names.items() if folder not in PLUG_INS}


@pytest.mark.parametrize(
    ("option", "name", "folder"),
    [
        ("--metric", "ccg_dependencies", "formalisms/ccg"),
        ("--metric", "conll18", "compat/conll18"),
        ("--mode", "evalb", "compat/evalb"),
        ("--format", "xle", "formalisms/lfg"),
        ("--scheme", "redwoods", "formalisms/redwoods"),
    ],
)
def test_what_is_absent_is_named(core: Path, option: str, name: str, folder: str) -> None:
    code, output = run(core, "score", PENN, PARSED, option, name)
    assert code == 2
    assert f"{name}: it is part of {folder}, which is not installed" in output
    assert output.count("\n") == 1


FORMALISMS = re.compile(r"\b(?:ccg|lfg|redwoods|cgel)(?:\b|_)", re.IGNORECASE)


def test_no_string_of_the_core_names_a_formalism() -> None:
    """Docstrings may: they cite papers whose titles do."""
    named = {}
    for path in modules():
        layer = path.relative_to(ROOT).parts[0]
        if layer in PLUG_INS or layer == "parsers":
            continue
        tree = syntax_tree(path)
        docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        strings = [
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings
        ]
        if listed := [text for text in strings if FORMALISMS.search(text)]:
            named[str(path.relative_to(ROOT))] = listed
    assert named == {}
