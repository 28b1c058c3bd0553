"""Examples at the end of each command's help work, in the order in which they are there."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from crossbank.treebanks.formats import read, write
from crossbank.workflow.commands import COMMANDS
from crossbank.workflow.commands.cli import main

ROOT = Path(__file__).resolve().parents[2]
FIRST = ("init", "train")
"""Commands that write what the examples of others read."""


def examples_of(command: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    with pytest.raises(SystemExit) as asked:
        main([command, "--help"])
    assert asked.value.code == 0
    lines = capsys.readouterr().out.splitlines()
    return [line.strip() for line in lines[lines.index("examples:") + 1 :]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some sentences of the embedded corpus under the names that the examples use."""
    folder = tmp_path_factory.mktemp("examples")
    chosen = list(range(20))
    corpus = read(ROOT / "examples" / "tiger.export").select(chosen)
    write(corpus, folder / "corpus.xml", "tigerxml")
    resolved = ["convert", str(folder / "corpus.xml"), str(folder / "gold.mrg"), "--resolve"]
    assert main(resolved) == 0
    for name, system in (("parsed", "alpha"), ("other", "beta"), ("third", "beta")):
        write(read(ROOT / "examples" / f"tiger.{system}.mrg").select(chosen), folder / f"{name}.mrg")
    for side in ("gold", "parsed"):
        bank = read(folder / f"{side}.mrg")
        for part in (0, 1):
            write(bank.select(chosen[part::2]), folder / side / f"{part}.mrg")
        call = [str(folder / f"{side}.mrg"), str(folder / f"{side}.conllu"), "--scheme", "tiger"]
        assert main(["convert", *call]) == 0
    write(corpus.select([0, 1]), folder / "sentences.txt", "text")
    (folder / "COLLINS.prm").write_text("CUTOFF_LEN 40\nDELETE_LABEL VROOT\nEQ_LABEL ADVP PRT\n")
    return folder


@pytest.mark.parametrize("command", sorted(COMMANDS, key=lambda name: (name not in FIRST, name)))
def test_the_examples_work(
    command: str, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    examples = examples_of(command, capsys)
    assert 1 <= len(examples) <= 3
    for example in examples:
        program, *words = shlex.split(example)
        assert (program, words[0]) == ("crossbank", command)
        if command == "study" and "--dry-run" not in words:
            words.append("--dry-run")  # A study takes a minute.
        code = main(words)
        said = capsys.readouterr()
        # A fresh draft of a scheme is refused until it is edited, and says so.
        unfinished = command == "doctor" or (words[:2] == ["scheme", "check"] and "edit" in said.out)
        assert code == 0 or (unfinished and code == 1), (example, said.out, said.err)
        assert said.out or command in ("convert", "consensus", "parse", "grammar", "study", "train"), example
