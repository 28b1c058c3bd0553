"""Crossbank without the folders that only add something: its commands work, and name what is absent."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from crossbank.plugins.packages import bundled
from tests.imports import LAYERS, ROOT, imported_names, modules, syntax_tree

PLUG_INS = ("formalisms", "compat", "parsers", "language_models")
NAMED = ("format", "metric", "mode", "scheme", "transformation", "parser")
"""The kinds of things that tests name."""

TESTED = ("treebanks", "converters", "metrics")
"""The folders whose tests are run without plug-ins; those of reports and workflow make pages for minutes."""

TIGER = ROOT / "examples" / "tiger.export"
PENN = ROOT / "examples" / "three_styles" / "penn.mrg"
PARSED = ROOT / "examples" / "three_styles" / "penn.parsed.mrg"


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the project from which the folders of plug-ins were deleted."""
    folder = tmp_path_factory.mktemp("core") / "project"
    ignored = shutil.ignore_patterns("__pycache__", ".*", *PLUG_INS)
    for name in ("crossbank", *LAYERS, "tests", "examples", "config"):
        if name not in PLUG_INS:
            shutil.copytree(ROOT / name, folder / name, symlinks=True, ignore=ignored)
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, folder / name)
    shutil.copytree(ROOT / "docs", folder / "docs", ignore=ignored)
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


def of_plug_ins(kinds: Iterable[str]) -> dict[str, str]:
    """Return the names that plug-ins declare, each with its folder."""
    return {
        added.name: added.declared.file.partition("/")[0]
        for kind in kinds
        for added in bundled(kind)
        if added.declared.file.startswith(PLUG_INS)
    }


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


def test_a_report_is_made_without_plug_ins(core: Path) -> None:
    pytest.importorskip("jinja2", reason="reports need the extra study")
    others = (ROOT / "examples" / f"tiger.{name}.mrg" for name in ("alpha", "beta"))
    code, output = run(core, "compare", TIGER, *others, "--scheme", "tiger", "--report", "page")
    assert code == 0, output
    assert list((core / "page").rglob("index.html"))


@pytest.mark.parametrize("kind", ["metrics", "formats", "schemes", "transformations", "modes"])
def test_lists_name_what_is_there(core: Path, kind: str) -> None:
    code, output = run(core, "list", kind, "--json")
    assert code == 0
    names = {added.name for added in bundled(kind[:-1])}
    assert set(json.loads(output)) == names - set(of_plug_ins([kind[:-1]]))


def imports_plug_in(path: Path) -> bool:
    """Return whether a test imports a plug-in, itself or by another module of the tests."""
    names = imported_names(path, types=True)
    own = (ROOT / f"{name.replace('.', '/')}.py" for name in names if name.startswith("tests."))
    return any(name.startswith(tuple(f"crossbank.{folder}" for folder in PLUG_INS)) for name in names) or any(
        imports_plug_in(path) for path in own if path.is_file()
    )


@pytest.mark.slow
def test_the_tests_of_the_core_pass_without_plug_ins(core: Path) -> None:
    """Run are the quick tests of files that import no plug-in, name none, and read no study that trains."""
    names = sorted(map(re.escape, of_plug_ins(NAMED)), key=len, reverse=True)
    word = re.compile(rf"(?<![\w-])(?:{'|'.join(names)}|config/config\.yaml)(?![\w-])", re.IGNORECASE)
    independent = [
        path
        for folder in TESTED
        for path in sorted((ROOT / "tests" / folder).rglob("test_*.py"))
        if not imports_plug_in(path) and not any(map(word.search, strings_of(path)))
    ]
    assert len(independent) > 70
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "--quiet", "-p", "no:cacheprovider", "-m", "not slow"),
            *("--hypothesis-profile", "few"),
            *(str(path.relative_to(ROOT)) for path in independent),
        ],
        cwd=core,
        env={**os.environ, "PYTHONPATH": str(core)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr
    assert int(re.findall(r"(\d+) passed", done.stdout)[-1]) > 1000


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


def test_a_command_and_an_option_that_are_absent_are_named(core: Path) -> None:
    code, output = run(core, "train", PENN, "model")
    assert (code, "train is part of parsers, which is not installed" in output) == (2, True)
    code, output = run(core, "score", PENN, PARSED, "--per-bit", "model")
    assert (code, "--per-bit is part of parsers, which is not installed" in output) == (2, True)


def test_a_study_that_trains_names_what_is_absent(core: Path) -> None:
    gold = {"path": str(PENN)}
    candidate = {"name": "own", "parser": {"pcfg": {}}, "training": {"sizes": [2, "all"]}}
    treebank = {"name": "t", "scheme": "ptb", "gold": gold, "folds": 2, "candidates": [candidate]}
    study = {"study": "s", "treebanks": [treebank], "metrics": ["parseval"]}
    (core / "s.yaml").write_text(json.dumps(study), encoding="utf-8")
    code, output = run(core, "check", "s.yaml")
    assert code == 2
    assert "'parser' is part of parsers, which is not installed" in output
    assert output.count("\n") == 1


FORMALISMS = r"\b(?:ccg|lfg|redwoods|cgel)(?:\b|_)"


def strings_of(path: Path) -> list[str]:
    """Return the strings of a file, but for docstrings: they cite papers whose titles name formalisms."""
    tree = syntax_tree(path)
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings
    ]


def test_no_string_of_the_core_names_a_plug_in() -> None:
    """Names of formalisms, of parsers, and of what only parsers have."""
    parsers = [*of_plug_ins(["parser"]), "entropy", "crossbank train"]
    names = re.compile(rf"(?i:{FORMALISMS})|(?<![\w-])(?:{'|'.join(parsers)})(?![\w-])")
    named = {}
    for path in modules():
        if path.relative_to(ROOT).parts[0] in PLUG_INS:
            continue
        if listed := [text for text in strings_of(path) if names.search(text)]:
            named[str(path.relative_to(ROOT))] = listed
    assert named == {}
