"""Carriage returns and NUL: one rule for every format of text, for files, their chunks and strings."""

import codecs
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import crossbank
from crossbank.treebanks.errors import FormatError
from crossbank.treebanks.files import utf8_blocks, utf8_of
from tests.errors import raises

TEXTS = {
    "auto": "ID=1 PARSER=GOLD NUMPARSE=1\n(<T NP 1 2> (<L N/N JJ JJ a N/N>) (<L N NN NN b N>) )\n",
    "mrg": "(S (NP (NN a)) (VP (VB b)))\n",
    "discbracket": "(S (NP 0=a) (VP 1=b))\n",
    "export": "#FORMAT 3\n#BOS 1 1 1 1\na NN -- -- 500\nb NN -- -- 500\n#500 S -- -- 0\n#EOS 1\n",
    "conllu": "1\ta\t_\tN\tN\t_\t0\troot\t_\t_\n2\tb\t_\tN\tN\t_\t1\tx\t_\t_\n\n",
    "conll": "1\ta\t_\tN\tN\t_\t0\troot\t_\t_\n2\tb\t_\tN\tN\t_\t1\tx\t_\t_\n\n",
    "txt": "a b\n",
    "nbest": "1 -1.0\n(S (NP (NN a)) (VP (VB b)))\n\n",
    "gr": "(ncsubj a b _)\n",
    "parg": '<s id="1">\n0\t1\tN/N\t1\ta b\n<\\s>\n',
    "gold_deps": "# x\n\na_1 N/N 1 b_2\n\n",
    "triples": "cf(1,eq(attr(var(0),'PRED'),'a'))\n",
}
"""A text of each format, with the word ``a`` in it."""


def read(folder: Path, suffix: str, data: bytes, encoding: str | None = None) -> crossbank.Treebank:
    path = folder / f"x.{suffix}"
    path.write_bytes(data)
    return crossbank.read(path, encoding=encoding)


READ = ["auto", "mrg", "discbracket", "export", "conllu", "conll", "txt", "gr", "gold_deps"]


@pytest.mark.parametrize("suffix", READ)
def test_all_line_ends_say_the_same(tmp_path: Path, suffix: str) -> None:
    text = TEXTS[suffix]
    plain = read(tmp_path, suffix, text.encode())
    assert plain.diagnosis == ()
    for ends, message in (
        ("\r\n", "line ends of Windows (CRLF)"),
        ("\r", "line ends of old Macintoshes (CR)"),
    ):
        bank = read(tmp_path, suffix, text.replace("\n", ends).encode())
        assert bank.equals(plain, ignore=["diagnosis", "source"])
        assert [finding.event for finding in bank.diagnosis] == [message]
    for encoding in ("utf-16", "utf-16-le"):
        bank = read(tmp_path, suffix, text.encode(encoding), encoding)
        assert bank.equals(plain, ignore=["source"])


@pytest.mark.parametrize("suffix", [*TEXTS, "rasp"])
@pytest.mark.parametrize("copies", [0, pytest.param(8000, marks=pytest.mark.slow)])
def test_a_stray_carriage_return_and_nul_are_refused_wherever_they_are(
    tmp_path: Path, suffix: str, copies: int
) -> None:
    text = TEXTS.get(suffix, "(S a b)\n")
    line = 1 + copies * text.count("\n") + text.partition("a")[0].count("\n") if suffix != "auto" else 0
    for mark, actual in (("\r", "a carriage return inside the line"), ("\0", "binary data")):
        index = text.index("a ") if suffix == "auto" else text.index("a")
        damaged = text * copies + text[: index + 1] + mark + "q" + text[index + 1 :]
        path = tmp_path / f"x.{suffix}"
        path.write_bytes(damaged.encode())
        with raises(FormatError, actual=actual) as refused:
            crossbank.read(path, "rasp" if suffix == "rasp" else None)
        assert mark == "\0" or refused.value.line == (line or 2 + 2 * copies)
        # A file whose last line has no end, but a carriage return in it.
        path.write_bytes(
            (text * max(1, copies) + text.rstrip("\n").replace("a", "a" + mark + "q", 1)).encode()
        )
        with raises(FormatError, actual=actual):
            crossbank.read(path, "rasp" if suffix == "rasp" else None)


def blocks(path: Path, size: int) -> Iterator[bytes]:
    return utf8_blocks(path, None, size)


@example(text="a\n\r\r\n", size=1, mark=b"", encoding=None)
@settings(deadline=None, max_examples=400)
@given(
    text=st.text(alphabet="ab\r\n\0é\u0d0d\u0a0d", max_size=12),
    size=st.integers(1, 6),
    mark=st.sampled_from([b"", codecs.BOM_UTF8]),
    encoding=st.sampled_from([None, None, "latin-1", "utf-16", "utf-16-be"]),
)
def test_blocks_are_the_text_of_the_file(
    tmp_path_factory: pytest.TempPathFactory, text: str, size: int, mark: bytes, encoding: str | None
) -> None:
    """Whichever line ends and encoding it has, wherever it is cut, and with the same error."""
    path = tmp_path_factory.mktemp("blocks") / "x"
    data = text.encode(encoding or "utf-8", errors="replace")
    path.write_bytes(mark + data if encoding is None else data)

    def result(read: Callable[[], bytes]) -> bytes | str:
        try:
            return read()
        except FormatError as error:
            return str(error)

    expected = result(lambda: utf8_of(path, encoding))
    assert result(lambda: b"".join(utf8_blocks(path, encoding, size))) == expected


@pytest.mark.parametrize("size", range(3, 12))
def test_blocks_end_nowhere_inside_of_a_line_end(tmp_path: Path, size: int) -> None:
    path = tmp_path / "x"
    data = b"ab\r\ncd\r\n\r\nefg\r\n"
    path.write_bytes(data)
    assert b"".join(blocks(path, size)) == data
    path.write_bytes(data + b"h\rij")
    with raises(FormatError, line=5, actual="a carriage return inside the line"):
        list(blocks(path, size))
