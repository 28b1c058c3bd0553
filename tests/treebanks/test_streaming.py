"""A big file read in chunks is the treebank that the whole file is, wherever it is cut."""

from __future__ import annotations

import gzip
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crossbank.treebanks import CrossbankError, Treebank
from crossbank.treebanks.errors import FormatError
from crossbank.treebanks.formats import FORMATS, REGISTRY, bracket, read, read_chunks
from tests.errors import raises

STREAMED = [name for name in FORMATS if hasattr(REGISTRY.load(name), "load_chunks")]


def chunks(path: Path, format: str, size: int, encoding: str | None = None) -> list[Treebank]:
    return list(read_chunks(path, format, encoding=encoding, size=size))


def same(path: Path, format: str, size: int, encoding: str | None = None) -> int:
    """Compare a file's chunks with the whole file, or their errors. Returns the number of chunks."""
    expected = outcome(lambda: [read(path, format, encoding=encoding)])
    actual = outcome(lambda: chunks(path, format, size, encoding))
    if isinstance(expected, str) or isinstance(actual, str):
        assert actual == expected
        return 0
    (whole,), joined = expected, Treebank.concatenate(actual)
    assert joined.equals(whole, ignore={"diagnosis"})
    assert {(one.step, one.event): one.counts.tolist() for one in joined.diagnosis} == {
        (one.step, one.event): one.counts.tolist() for one in whole.diagnosis
    }
    return len(actual)


def outcome(reading: Callable[[], list[Treebank]]) -> list[Treebank] | str:
    try:
        return reading()
    except CrossbankError as error:
        return f"{type(error).__name__}: {error}"


ITEMS = {
    "bracket": [
        "(S (A a) (NP (B b)))",
        "(S (A a b)\n(X c))",
        "(())",
        "\n",
        "\n",
        "\n",
        "\n\n",
        "(S (A é))\n",
        "(S (A a))\n",
        "(S (A a) (C ))\n",
        "(S the (A a))\r\n",
        "(S (NP the air) (VP moves))",
        "(S (NP air))\n",
        " ",
        "( (S c (A d) (N )))",
        "\n(TOP ())\n",
        "null\n",
        '\nNo parse for: "(a) b"\n',
        "\nNo parse for: (a)(b)\n",
    ],
    "discbracket": [
        "(S (A 1=b) (B 0=a))\n",
        "(S (A 0=a))\ta comment\n",
        "(S (A 0) (B 1))\ta b\r\n",
        "\n",
        "(())\n",
    ],
    "conllu": [
        "1\ta\t_\tN\t_\t_\t0\troot\t_\t_\n\n",
        "1\té\t_\tN\t_\t_\t0\troot\t_\t_\r\n\r\n",
        "# sent_id = x\n1-2\tab\t_\t_\t_\t_\t_\t_\t_\tC=x\n1\ta\t\tN\t_\t_\t2\tdet\t_\t_\n"
        "2\tb\t_\tV\t_\t_\t0\troot\t_\t_\n2.1\tc\t_\tV\t_\t_\t_\t_\t_\t_\n\n",
        "# newdoc id = d\n# only a comment\n\n",
        "\n",
        " \n",
        "\r\n",
        "\r",
    ],
    "conllx": ["1\ta\t_\tN\tN\t_\t0\troot\t_\t_\n\n", "1\tb\t_\tN\tN\t_\n\n", "\n", " \n"],
    "export": [
        "#FORMAT 3\n",
        "#FORMAT 4\n",
        "#BOT ORIGIN\n7\tpaper\n#EOT ORIGIN\n",
        "%% a comment\n",
        "#BOS 1 2 1 7 %% said\na\tN\t--\tHD\t500\n#500\tNP\t--\t--\t0\n#EOS 1\n",
        "#BOS 2\né\té\tN\t--\tHD\t0\n#EOS 2\n",
        "\r\n",
    ],
    "text": ["a b c\n", "\n", "é\r\n", "d\r", "e"],
}
FAULTS = {
    "bracket": ["(A", "a)", "é"],
    "discbracket": ["(S (A 2=a))\n", "x\n"],
    "conllu": ["1\ta\n\n", "1\té\t_\tN\t_\t_\t7\troot\t_\t_\n\n", "# a comment"],
    "conllx": ["# a comment\n\n"],
    "export": ["#BOS 3\na\tN\t--\tHD\t501\n#EOS 3\n", "#EOS\n", "a\n"],
    "text": ["\0"],
}


def test_the_formats_that_are_read_in_chunks() -> None:
    assert set(STREAMED) == set(ITEMS) == set(FAULTS)


@pytest.mark.parametrize("name", ITEMS)
@pytest.mark.parametrize("encoding", [None, "latin-1", "utf-16"])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(data=st.data(), size=st.integers(1, 200), mark=st.booleans(), packed=st.booleans())
def test_chunks_are_the_whole_file(
    tmp_path: Path, name: str, encoding: str | None, data: st.DataObject, size: int, mark: bool, packed: bool
) -> None:
    faults = data.draw(st.sampled_from([[], FAULTS[name]]))
    items = data.draw(st.lists(st.sampled_from(ITEMS[name] + faults), max_size=25))
    content = "".join(items).encode(encoding or "utf-8")
    if mark and encoding is None:
        content = b"\xef\xbb\xbf" + content
    path = tmp_path / "file"
    path.write_bytes(gzip.compress(content) if packed else content)
    same(path, name, size, encoding)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(
    st.lists(
        st.sampled_from(["(S (A a))\n", "(S (A a))\n", "(())\n", "\n", "  \n", "(S (A b))"]), max_size=30
    ),
    st.integers(1, 60),
)
def test_blank_lines_say_what_they_say_in_the_whole_file(tmp_path: Path, lines: list[str], size: int) -> None:
    path = tmp_path / "file.mrg"
    path.write_text("".join(lines) + "(S (A z))\n", encoding="utf-8")
    try:
        whole = bracket.load(path)
    except CrossbankError:
        with pytest.raises(CrossbankError):
            list(bracket.load_chunks(path, size=size))
        return
    actual = [bank for bank in bracket.load_chunks(path, size=size) if len(bank)]
    assert Treebank.concatenate(actual).equals(whole)


def test_the_first_trees_tell_whether_a_file_has_tags(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where a chunk by itself would say something else, and the same number of trees in any chunks."""
    monkeypatch.setattr(bracket, "TREES_FOR_TAGS", 4)
    path = tmp_path / "file.mrg"
    with_tags, without = "(S (A a) (B b))\n", "(S (NP the cold air) (VP it))\n"
    for content, words in (
        (with_tags + without * 30, 2 + 30 * 4),
        (with_tags * 4 + without * 30, 8 + 30 * 2),
        (without * 5 + with_tags * 90, 5 * 4 + 90 * 2),
        ("(())\n" * 9 + with_tags + without * 30, 2 + 30 * 4),
    ):
        path.write_text(content, encoding="utf-8")
        for size in (10, 70, 200):
            assert same(path, "bracket", size) > 1
        assert len(read(path, "bracket").tokens) == words


def test_invalid_bytes_in_a_late_chunk_are_named_with_their_line(tmp_path: Path) -> None:
    path = tmp_path / "file.mrg"
    path.write_bytes(b"(S (A a))\n" * 40 + b"(S (A \xff))\n")
    with raises(FormatError, file="file.mrg", line=41, actual="the byte 0xff, which is not utf-8"):
        chunks(path, "bracket", 50)


def test_a_gzipped_file_that_is_cut_off_is_named_damaged(tmp_path: Path) -> None:
    path = tmp_path / "file.mrg.gz"
    path.write_bytes(gzip.compress("".join(f"(S (A a{i}))\n" for i in range(5000)).encode())[:-20])
    assert same(path, "bracket", 1000) == 0


def test_a_file_that_is_missing_or_empty_is_named_as_before(tmp_path: Path) -> None:
    (tmp_path / "empty.mrg").write_bytes(b"")
    for name in ("empty.mrg", "missing.mrg"):
        assert same(tmp_path / name, "bracket", 10) == 0


@pytest.mark.parametrize(
    "file",
    [
        "gum/dep/GUM_academic_economics.conllu",
        "tuebadz-masked/test.ptb",
        "farpahc/parsers/e1/output/far_split0machineparsed.psd",
    ],
)
def test_real_files_are_the_same_in_chunks(shared_data: Path, file: str) -> None:
    path = shared_data / file
    format = "conllu" if file.endswith("conllu") else "bracket"
    for size in (1000, 9_000):
        assert same(path, format, size) >= path.stat().st_size // (4 * size)


@pytest.mark.parametrize("name", ["bracket", "conllu", pytest.param("export", marks=pytest.mark.slow)])
def test_memory_is_that_of_a_chunk(tmp_path: Path, name: str) -> None:
    items: dict[str, Callable[[int], str]] = {
        "bracket": lambda _: "(S (NP (N word)) (VP (V sleeps)))\n",
        "conllu": lambda _: "1\ta\t_\tN\t_\t_\t2\tdep\t_\t_\n2\tb\t_\tV\t_\t_\t0\troot\t_\t_\n\n",
        "export": lambda i: f"#BOS {i}\na\ta\tN\t--\tHD\t500\n#500\t--\tNP\t--\t--\t0\n#EOS {i}\n",
    }
    peaks = []
    for sentences in (4_000, 24_000):
        path = tmp_path / f"{sentences}"
        path.write_text("".join(map(items[name], range(sentences))), encoding="utf-8")
        tracemalloc.start()
        for bank in read_chunks(path, name, size=20_000):
            assert len(bank) < 2_000
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 2 * peaks[0]
