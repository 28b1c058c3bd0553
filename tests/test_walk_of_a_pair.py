"""CONTRIBUTING.md's way from the command to the score: its functions are called, in its order."""

import re
import sys
import threading
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from crossbank.workflow.commands.cli import main
from tests.docs.blocks import ROOT

ROW = re.compile(r"^\| `([a-z_/0-9]+\.py)` \| `([a-z_]+)` \|", re.MULTILINE)
WALK = ROW.findall((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))

TREE = "(S (NP (DT The) (NN cat)) (VP (VBD saw) (NP (DT a) (NN bird))) (. .))\n"


def test_the_functions_are_called_in_the_order_of_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each function of the table is called after the one before it has begun."""
    for name in ("gold.mrg", "parsed.mrg"):
        (tmp_path / name).write_text(TREE, encoding="utf-8")
    # Schemes are kept in memory. Under another name this one has not been loaded by another test.
    (tmp_path / "own.yaml").write_bytes((ROOT / "converters" / "schemes" / "ptb.yaml").read_bytes())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CROSSBANK_THREADS", "1")
    calls: list[tuple[str, str]] = []

    def note_call(frame: FrameType, event: str, argument: Any) -> None:
        if event == "call":
            path = Path(frame.f_code.co_filename).resolve()
            if path.is_relative_to(ROOT):
                calls.append((path.relative_to(ROOT).as_posix(), frame.f_code.co_name))

    before = sys.getprofile()
    threading.setprofile(note_call)
    sys.setprofile(note_call)
    try:
        code = main(["score", "gold.mrg", "parsed.mrg", "--scheme", "own.yaml"])
    finally:
        sys.setprofile(before)
        threading.setprofile(before)
    assert code == 0
    position = 0
    for step in WALK:
        assert step in calls[position:], f"{step} is not called after the steps before it"
        position = calls.index(step, position) + 1
    assert WALK
