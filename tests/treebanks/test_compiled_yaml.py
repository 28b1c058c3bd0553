"""Compiled content of the package's YAML files: equal to what the parser reads, and never out of date."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from crossbank.treebanks import compiled_yaml
from crossbank.treebanks.compiled_yaml import compile_files, compiled_file
from crossbank.treebanks.yaml_files import load_yaml
from tests.errors import raises

LAYERS = [
    compiled_yaml.ROOT / layer
    for layer in ("treebanks", "converters", "parsers", "metrics", "reports", "formalisms", "compat")
]
FILES = [path for layer in LAYERS for path in sorted(layer.rglob("*.yaml"))]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_compiled_content_is_that_of_the_parser(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / path.name
    copy.write_bytes(path.read_bytes())
    parsed = load_yaml(copy)  # outside of the package nothing is compiled; a key that comes twice is an error
    compile_files(tmp_path)
    version, content = json.loads(compiled_file(copy).read_text("utf-8"))
    assert content == parsed == load_yaml(path)
    assert version[0] == len(path.read_bytes())


def test_an_edited_file_is_parsed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled_yaml, "ROOT", tmp_path)
    path = tmp_path / "scheme.yaml"
    path.write_text("name: first\n")
    compile_files(tmp_path)
    assert load_yaml(path) == {"name": "first"}
    path.write_text("name: other\n")  # as long as before
    assert load_yaml(path) == {"name": "other"}
    compiled_file(path).write_text("[[12")
    assert load_yaml(path) == {"name": "other"}


def test_a_file_beside_a_custom_one_is_ignored(tmp_path: Path) -> None:
    path = tmp_path / "scheme.yaml"
    path.write_text("name: own\n")
    compile_files(tmp_path)
    compiled_file(path).write_text(compiled_file(path).read_text().replace("own", "foreign"))
    assert load_yaml(path) == {"name": "own"}


def test_content_that_json_cannot_hold_is_refused(tmp_path: Path) -> None:
    (tmp_path / "numbers.yaml").write_text("1: one\n")
    with raises(ValueError, "numbers.yaml"):
        compile_files(tmp_path)


def test_a_scheme_of_the_package_needs_no_parser() -> None:
    """Loading a scheme for a metric of constituents imports neither the parser nor the rules of heads."""
    program = (
        "import sys\n"
        "from crossbank.converters.scheme_files import load_scheme\n"
        "assert load_scheme('ptb').views['constituents']\n"
        "print(*sorted({'yaml', 'crossbank.converters.schemes.head_rules'} & {*sys.modules}))\n"
        "assert load_scheme('ptb').heads.rules['NP']\n"
        "print(*sorted({'yaml', 'crossbank.converters.schemes.head_rules'} & {*sys.modules}))\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout == "\ncrossbank.converters.schemes.head_rules\n"
