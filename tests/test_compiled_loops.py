"""Compiled loops: the same answers as uncompiled; one list of array types."""

from __future__ import annotations

import ast
import os
import pickle
import re
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pytest

from crossbank.treebanks import arrays
from tests.every_loop import differing, results
from tests.uncompiled import CheckedLoader, Uncompiled, compiled_modules

ROOT = Path(__file__).resolve().parents[1]
KINDS = {
    "int": np.int32,
    "long long": np.int64,
    "unsigned long long": np.uint64,
    "unsigned char": np.uint8,
    "double": np.float64,
}
"""The types of arrays.pxd; a flag is a byte there."""


def test_uncompiled_modules_give_the_same_answers_bit_for_bit(tmp_path: Path) -> None:
    sentences, file = 8, tmp_path / "results"
    subprocess.run(
        [sys.executable, "-m", "tests.uncompiled", "--results", str(sentences), str(file)],
        check=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    compiled = results(sentences)
    assert "crossbank.metrics.loops.zhang_shasha" in compiled_modules()
    assert differing(compiled, pickle.loads(file.read_bytes())) == []


def test_a_negative_index_is_an_error_in_an_uncompiled_loop(tmp_path: Path) -> None:
    """Python would count it from the end, and a compiled loop reads or writes before the array."""
    source = tmp_path / "loop.py"
    source.write_text(
        "def read(array, i):\n    return array[i]\n\n"
        "def write(array, i):\n    array[i, 0] += 1\n\n"
        "def names(table, name):\n    return table[name]\n",
        "utf-8",
    )
    spec = spec_from_file_location("loop", source, loader=CheckedLoader("loop", str(source)))
    assert spec is not None
    assert spec.loader is not None
    loop = module_from_spec(spec)
    spec.loader.exec_module(loop)
    array, matrix = np.arange(3), np.zeros((2, 2))
    assert [loop.read(array, i) for i in (0, np.int32(2))] == [0, 2]
    assert loop.names({"a": 1}, "a") == 1
    loop.write(matrix, 1)
    assert matrix.tolist() == [[0, 0], [1, 0]]
    for index in (-1, np.int32(-1)):
        with pytest.raises(IndexError, match="negative"):
            loop.read(array, index)
        with pytest.raises(IndexError, match="negative"):
            loop.write(matrix, index)
    assert not list(tmp_path.glob("**/*.pyc"))


def test_a_debugger_stops_inside_of_a_loop_that_runs_uncompiled(tmp_path: Path) -> None:
    """As docs/compiled_loops.md says: the second bracket that matches is the first two tokens'."""
    gold, candidate = tmp_path / "gold.mrg", tmp_path / "candidate.mrg"
    gold.write_text("(S (NP (DT a) (NN b)) (VP (VB c)))\n", "utf-8")
    candidate.write_text("(S (NP (DT a) (NN b)) (VP (VB c)))\n", "utf-8")
    loop = "crossbank/metrics/loops/bracket_matching.py"
    lines = (ROOT / loop).read_text("utf-8").splitlines()
    index = lines.index("                        matched[c] = True") + 1
    requested = [
        f"break {loop}:{index}",
        "continue",
        "continue",
        "p [int(n) for n in (c, start, size)]",
        "quit",
    ]
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pdb", *(part for line in requested for part in ("-c", line))),
            *("-m", "tests.uncompiled", "score", str(gold), str(candidate)),
        ],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "[1, 0, 2]" in done.stdout.splitlines(), done.stdout + done.stderr


def test_array_types_are_the_same_for_python_and_the_compiler() -> None:
    declared = (ROOT / "treebanks" / "arrays.pxd").read_text("utf-8")
    compiled = {}
    for const, kind, shape, name in re.findall(
        r"^ctypedef (const )?([a-z ]+)\[(.*)\] (\w+)$", declared, re.M
    ):
        compiled[name] = (bool(const), KINDS[kind], shape)
    assert len(compiled) == declared.count("ctypedef")
    source = ast.parse(Path(arrays.__file__).read_text("utf-8"))
    names = [
        node.target.id
        for node in source.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    ]
    assert sorted(names) == sorted(compiled)
    for name in names:
        const, kind, shape = compiled[name]
        actual = getattr(arrays, name).__args__[1].__args__[0]
        assert (np.uint8 if actual is np.bool_ else actual) is kind, name
        assert const == (not name.endswith("Output")), name
        assert shape == (":, ::1" if "Matrix" in name else "::1"), name


def test_no_module_imports_numba() -> None:
    floors = (
        "treebanks",
        "converters",
        "metrics",
        "parsers",
        "reports",
        "workflow",
        "formalisms",
        "compat",
        "crossbank",
    )
    sources = [path for floor in floors for path in (ROOT / floor).rglob("*.py")]
    assert len(sources) > 200
    assert not [
        path for path in sources if re.search(r"^\s*(import|from) numba\b", path.read_text("utf-8"), re.M)
    ]


def test_white_space_is_the_same_for_python_and_the_compiler() -> None:
    folder = ROOT / "treebanks" / "scanners"
    rules = [
        re.findall(r"return (.*?);?$", (folder / name).read_text("utf-8"), re.M)
        for name in ("white_space.py", "white_space.pxd")
    ]
    rules[1] = [
        rule.replace("||", "or").replace("(byte >= 9 && byte <= 13)", "9 <= byte <= 13") for rule in rules[1]
    ]
    assert len(rules[0]) == 1
    assert rules[0] == rules[1]


def test_a_function_that_calls_one_that_may_raise_says_so_itself() -> None:
    """Where no value tells of an error, a function in C would swallow it, and the loop would go on."""
    functions = [
        ({ast.unparse(one).partition("(")[0] for one in function.decorator_list}, owner, function)
        for path in Uncompiled().sources.values()
        for owner in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(owner, ast.Module | ast.ClassDef)
        for function in owner.body
        if isinstance(function, ast.FunctionDef)
    ]
    raising = {
        f"self.{function.name}" if isinstance(owner, ast.ClassDef) else function.name
        for decorators, owner, function in functions
        if "cython.exceptval" in decorators
    }
    silent = [
        function
        for decorators, _, function in functions
        if "cython.cfunc" in decorators and "cython.exceptval" not in decorators
    ]
    assert len(silent) > 150
    assert len(raising) > 30
    swallowing = {
        function.name: called
        for function in silent
        for call in ast.walk(function)
        if isinstance(call, ast.Call) and (called := ast.unparse(call.func)) in raising
    }
    # Derivations of k_best have a `grow` of their own, which notes what it could not get.
    assert swallowing == {"add": "self.grow"}
