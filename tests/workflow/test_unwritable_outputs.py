"""Outputs that cannot be written, and damaged inputs of options: one sentence, whatever the command."""

import subprocess
import sys
from pathlib import Path

import pytest

GOLD = "(S (NP (DT The) (NN cat)) (VP (VBD slept)))\n"

FULL = Path("/dev/full")


def call(folder: Path, *words: str, output: Path | None = None) -> tuple[int, str]:
    """Run a command in a folder; return its exit code and messages."""
    (folder / "gold.mrg").write_text(GOLD * 9, encoding="utf-8")
    command = [sys.executable, "-m", "crossbank", *words]
    with (output or folder / "out.txt").open("w") as stream:
        completed = subprocess.run(
            command, cwd=folder, stdout=stream, stderr=subprocess.PIPE, text=True, check=False
        )
    return completed.returncode, completed.stderr


@pytest.mark.skipif(not FULL.exists(), reason="the system has no full device")
@pytest.mark.parametrize(
    "words",
    [
        ("view", "gold.mrg"),
        ("find", "NP", "gold.mrg", "--json"),
        ("info", "gold.mrg"),
        ("score", "gold.mrg", "gold.mrg", "--mode", "evalb"),
        ("convert", "gold.mrg", "-", "--to", "bracket"),
        ("list", "formats"),
    ],
    ids=" ".join,
)
def test_a_full_disk_below_standard_output(words: tuple[str, ...], tmp_path: Path) -> None:
    code, messages = call(tmp_path, *words, output=FULL)
    assert code == 2
    assert messages.splitlines()[-1].endswith(": no space left on device")
    assert "Traceback" not in messages


@pytest.mark.parametrize(
    "words",
    [
        ("score", "gold.mrg", "gold.mrg", "--per-sentence", "gold.mrg/x/y.csv"),
        ("compare", "gold.mrg", "gold.mrg", "gold.mrg", "--report", "gold.mrg/x"),
        ("convert", "gold.mrg", "gold.mrg/x/y.mrg", "--to", "bracket"),
        ("init", "gold.mrg/x/s.yaml"),
    ],
    ids=" ".join,
)
def test_a_file_in_the_place_of_a_folder(words: tuple[str, ...], tmp_path: Path) -> None:
    code, messages = call(tmp_path, *words)
    assert code == 2
    assert "Traceback" not in messages
    assert "gold.mrg" in messages


@pytest.mark.parametrize("content", ["[" * 100_000, '{"a":', "9" * 5000, "\0", '{"scores": [5]}'])
def test_a_damaged_baseline(content: str, tmp_path: Path) -> None:
    (tmp_path / "b.json").write_text(content, encoding="utf-8")
    code, messages = call(tmp_path, "score", "gold.mrg", "gold.mrg", "--baseline", "b.json")
    assert code == 2
    assert "--baseline b.json: there are no scores" in messages
    assert "Traceback" not in messages
