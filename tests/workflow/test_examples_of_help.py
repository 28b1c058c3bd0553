"""Examples at the end of each command's help work, each command's in a folder of its own."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest

from crossbank.treebanks.formats import read, write
from crossbank.workflow.commands import COMMANDS
from crossbank.workflow.commands.cli import main

ROOT = Path(__file__).resolve().parents[2]


def examples_of(command: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    assert main([command, "--help"]) == 0
    lines = capsys.readouterr().out.splitlines()
    return [line.strip() for line in lines[lines.index("Examples:") + 1 :]]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return some sentences of the embedded corpus under the names of the examples, a model and a study."""
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
    assert main(["train", str(folder / "gold.mrg"), str(folder / "model"), "--scheme", "tiger"]) == 0
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert main(["init", "gold.mrg", "parsed.mrg", "other.mrg", "--output", "study.yaml"]) == 0
    return folder


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_the_examples_work(
    command: str,
    prepared: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(shutil.copytree(prepared, tmp_path / "examples"))
    if command == "init":
        Path("study.yaml").unlink()  # the file that it writes
    examples = examples_of(command, capsys)
    assert 1 <= len(examples) <= 3
    for example in examples:
        program, *words = shlex.split(example)
        assert (program, words[0]) == ("crossbank", command)
        if command == "study" and "--dry-run" not in words:
            words.append("--dry-run")  # A study takes a minute.
        code = main(words)
        messages = capsys.readouterr()
        if command == "report":
            # A finished study takes a minute; tests/workflow/test_verification.py verifies one.
            assert (code, messages.err.count("\n")) == (2, 1), (example, messages.err)
            continue
        # A fresh draft of a scheme is refused until it is edited, and says so.
        unfinished = command == "doctor" or (words[:2] == ["scheme", "check"] and "edit" in messages.out)
        assert code == 0 or (unfinished and code == 1), (example, messages.out, messages.err)
        assert messages.out or command in (
            "convert",
            "consensus",
            "parse",
            "grammar",
            "prompts",
            "study",
            "train",
        ), example
