"""``crossbank convert`` makes the same of a large file, chunk by chunk, as of a small one."""

from pathlib import Path

import pytest

from crossbank.treebanks import files, formats
from crossbank.treebanks.formats import write
from crossbank.workflow.commands import convert
from crossbank.workflow.commands.cli import main
from tests.workflow.test_study_run import ROOT

EXAMPLES = ROOT / "examples"


def made(folder: Path, source: Path, target: str, options: list[str], chunk: int) -> tuple[object, ...]:
    """Return the exit code of a conversion with chunks of some size, and everything that it writes."""
    with pytest.MonkeyPatch.context() as changed:
        for module in (files, formats, convert):
            changed.setattr(module, "LARGE_CHUNK", chunk)
        folder.mkdir()
        changed.chdir(folder)
        code = main(["convert", str(source), target, "--diagnosis", "changes.csv", *options])
    # Findings of one step may be in another order.
    return code, {
        path.name: sorted(path.read_bytes().splitlines()) if path.suffix == ".csv" else path.read_bytes()
        for path in folder.iterdir()
    }


@pytest.mark.parametrize(
    ("source", "target", "options", "is_whole"),
    [
        ("tuebadz.alpha.mrg", "out.mrg", [], False),
        ("tuebadz.alpha.mrg", "out.mrg", ["--scheme", "tuebadz", "--transform", "delete_punctuation"], False),
        ("tuebadz.export", "out.conllu", ["--scheme", "tuebadz"], False),
        ("tuebadz.export", "out.conllx", ["--scheme", "tuebadz"], False),
        ("tuebadz.export", "out.dbr", [], False),
        ("tuebadz.export", "out.txt", [], False),
        ("tiger.export", "out.dbr", ["--scheme", "tiger"], False),
        ("tuebadz.export", "out.xml", [], None),
        ("tuebadz.export", "out.mrg.gz", [], None),
        ("tiger.export", "out.mrg", [], True),
        ("tiger.export", "out.mrg", ["--resolve"], None),
        ("tuebadz.export", "out.conllu", ["--scheme", "tiger"], False),
    ],
)
def test_the_same_is_made_of_chunks(
    tmp_path: Path,
    source: str,
    target: str,
    options: list[str],
    is_whole: bool | None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    done: list[bool] = []
    in_chunks = convert._convert_in_chunks
    monkeypatch.setattr(
        convert, "_convert_in_chunks", lambda *inputs: done.append(in_chunks(*inputs)) or done[-1]
    )
    whole = made(tmp_path / "whole", EXAMPLES / source, target, options, 1 << 24)
    messages = capsys.readouterr().err
    chunks = made(tmp_path / "chunks", EXAMPLES / source, target, options, 3000)
    assert chunks == whole
    assert sorted(capsys.readouterr().err.splitlines()) == sorted(messages.splitlines())
    assert done == ([] if is_whole is None else [not is_whole])


def test_a_fault_in_a_late_chunk_leaves_the_target_as_it_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "gold.mrg"
    source.write_text("(S (A a))\n" * 2000 + "(S (A a)\n", encoding="utf-8")
    code, written = made(tmp_path / "made", source, "out.conllu", [], 3000)
    assert (code, written) == (2, {})
    assert f"{source}:2001: sentence 2001: found 1 opening bracket" in capsys.readouterr().err


@pytest.mark.parametrize("name", [name for name, format in formats.FORMATS.items() if format.appended])
def test_text_of_these_formats_is_appended(tmp_path: Path, name: str) -> None:
    source = "tuebadz.alpha.mrg" if name == "bracket" else "tuebadz.export"
    bank = formats.read(EXAMPLES / source)
    dumps = formats.REGISTRY.load(name).dumps
    write(bank, tmp_path / "whole", name)
    chunks = (bank[:1], bank[1:40], bank[40:])
    assert "".join(map(dumps, chunks)) == (tmp_path / "whole").read_text(encoding="utf-8")
