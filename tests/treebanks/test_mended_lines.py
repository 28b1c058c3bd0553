"""Byte order marks and the line ends of Windows: read over, and told of."""

import codecs
import gzip
from pathlib import Path

import pytest

from crossbank.treebanks.files import BYTE_ORDER_MARK, WINDOWS_LINE_ENDS, list_repairs
from crossbank.treebanks.formats import bracket, read, write
from crossbank.workflow.commands.cli import main

MODES = {"conll18": "x.conllu", "eval07": "x.conllu", "evalb": "x.mrg", "discodop": "x.mrg"}


def mangled(path: Path) -> Path:
    """Return the same file with a byte order mark and with carriage returns."""
    data = path.read_bytes()
    zipped = path.suffix == ".gz"
    text = gzip.decompress(data) if zipped else data
    other = path.with_name(f"windows.{path.name}")
    text = codecs.BOM_UTF8 + text.replace(b"\n", b"\r\n")
    other.write_bytes(gzip.compress(text, mtime=0) if zipped else text)
    return other


@pytest.mark.parametrize("name", ["x.conllu", "x.conllu.gz", "x.mrg", "x.export"])
def test_what_is_taken_off_lines_is_found_in_every_format_of_text(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    write(bracket.loads("(S (NN a))\n(S (NN b))"), path)
    plain = read(path)
    assert not plain.diagnosis
    messages = read(mangled(path))
    actual = {one.event: one.counts.tolist() for one in messages.diagnosis}
    assert actual == {BYTE_ORDER_MARK: [1, 0], WINDOWS_LINE_ENDS: [1, 0]}
    assert messages.replace(diagnosis=()).equals(plain, ignore=["source"])


@pytest.mark.parametrize("mode", MODES)
def test_the_modes_tell_of_it_too(mode: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / MODES[mode]
    if path.suffix == ".mrg":
        path.write_text("(S (NN a))\n")
    else:
        path.write_text("1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n")
    main(["score", "--mode", mode, str(path), str(path)])
    assert BYTE_ORDER_MARK not in capsys.readouterr().err
    other = mangled(path)
    main(["score", "--mode", mode, str(path), str(other)])
    messages = capsys.readouterr().err.splitlines()
    for what in (BYTE_ORDER_MARK, WINDOWS_LINE_ENDS):
        assert f"{other}: {what}: read over, other programs may not" in messages


def test_nothing_is_said_of_binary_and_missing_files(tmp_path: Path) -> None:
    path = tmp_path / "x"
    assert list_repairs(path) == ()
    path.write_bytes(codecs.BOM_UTF8 + b"\0\r\n")
    assert list_repairs(path) == ()
