"""What YAML allows and nobody means; messages about it, and about everything else, that stay short."""

from collections import OrderedDict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import crossbank
from crossbank.reports.study.reading import changed_keys, resolved
from crossbank.treebanks import CrossbankError, FormatError, OptionError
from crossbank.treebanks.errors import LONGEST, shortened
from crossbank.treebanks.recognition import encoding_begun
from crossbank.treebanks.yaml_files import load_yaml
from crossbank.treebanks.yaml_nodes import YamlError, line_of
from tests.errors import raises

BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 9)
)


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("a: 1\nb: 2\na: 3\n", {"line": 3, "key": "", "names": ("'a'",)}),
        ("a: {b: 1, c: 2, b: 3}\n", {"line": 1, "key": "", "names": ("'b'",)}),
        ("a: .nan\n", {"line": 1, "key": ""}),
        ("x: 1\na: [1, -.INF]\n", {"line": 2, "key": "", "names": ("INF",)}),
        (BOMB, {"line": 7, "key": "", "names": ("10,000,000",)}),
        ("a: &a [1, *a]\n", {"line": 1, "key": ""}),
    ],
)
def test_what_nobody_means_is_refused(tmp_path: Path, text: str, fields: dict[str, object]) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(text, encoding="utf-8")
    with raises(YamlError, **fields):
        load_yaml(path)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 40_000,
        "[" * 40_000 + "]" * 40_000,
        "{a: " * 3_000,
        "- " * 300 + "x",
        "9" * 5_000,
        "0x" + "f" * 9_000,
        "1.0e+999",
        "2020-02-33",
        "!!bool perhaps",
        "!!int ''",
        "!!float x",
        "!!timestamp x",
    ],
)
def test_what_no_value_can_be_made_of_is_refused(tmp_path: Path, text: str) -> None:
    """libyaml composes by recursion, and PyYAML makes values with errors of its own."""
    path = tmp_path / "x.yaml"
    content = text if text[0] in "[{-" else f"a: {text}"
    path.write_text(content, encoding="utf-8")
    with raises(YamlError, "1: found", file="x.yaml", line=1):
        load_yaml(path)
    assert line_of(path, ["a"]) in (None, 1)
    with raises(YamlError, "--config bootstrap", line=1):
        changed_keys([f"bootstrap={content}"])


@given(st.recursive(st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_a_study_of_mappings_of_any_class_is_written(content: object) -> None:
    """Snakemake reads a study in JSON into mappings of another class."""

    def ordered(value: object) -> object:
        if isinstance(value, dict):
            return OrderedDict((key, ordered(each)) for key, each in value.items())
        return [ordered(each) for each in value] if isinstance(value, list) else value

    assert resolved({"a": ordered(content)}) == resolved({"a": content})


def test_what_is_meant_is_read(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text("a: &a {x: 1}\nb: {<<: *a, x: 2, y: nan}\nc: [*a, *a]\nd: 1e3\n", encoding="utf-8")
    assert load_yaml(path) == {
        "a": {"x": 1}, "b": {"x": 2, "y": "nan"}, "c": [{"x": 1}, {"x": 1}], "d": "1e3",
    }  # fmt: skip
    path.write_text("# nothing\n", encoding="utf-8")
    assert load_yaml(path) is None


@given(st.text(min_size=0, max_size=2000))
def test_no_message_is_long(text: str) -> None:
    for error in (
        CrossbankError(text),
        FormatError("gold.mrg", text, "a label", line=3),
        OptionError("metric", text, [*"abc", text]),
    ):
        assert all(len(line) <= LONGEST for line in str(error).split("\n"))
    assert len(text) > LONGEST or shortened(text) == text


def test_the_beginning_and_the_end_of_a_long_message_stay() -> None:
    message = str(FormatError("gold.mrg", "x" * 800_287, "a tree in brackets", line=7))
    assert message.startswith("gold.mrg:7: found xxx")
    assert message.endswith("xxx, expected a tree in brackets")
    assert " ... " in message
    assert len(message) <= LONGEST


@pytest.mark.parametrize("cut", [12, 200])
def test_a_cut_gzip_file_is_named(tmp_path: Path, cut: int) -> None:
    import gzip

    path = tmp_path / "gold.mrg.gz"
    path.write_bytes(gzip.compress(bytes(range(256)) * 9)[:cut])
    for read in (crossbank.read, encoding_begun):
        with raises(FormatError, file="gold.mrg.gz"):
            read(path)
