"""Command line on a terminal: progress of long work and of studies, interrupts."""

import io
import os
import re
import select
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from crossbank.treebanks.progress import CLEAR
from crossbank.workflow.study_progress import StudyWatch, step_name
from tests.workflow.test_study_run import GOLD, POOR, ROOT

pty = pytest.importorskip("pty", reason="terminals of this kind are on POSIX systems")

PROGRAM = ["-m", "crossbank"]

STUDY = """\
study: s
treebanks:
  - {name: t, scheme: ptb, gold: {path: gold.mrg}, candidates: [{name: a, path: a.mrg}]}
metrics: [parseval]
bootstrap: {samples: 10}
"""

SHOWN_AT_ONCE = """\
import sys
from crossbank.treebanks import progress
from crossbank.workflow.commands.cli import main
progress.PATIENCE, progress.INTERVAL = 0.0, 0.002
begin = progress.WatchOfWork.begin
progress.WatchOfWork.begin = lambda watch, work: (begin(watch, work), watch.draw())
sys.exit(main(sys.argv[1:]))
"""
"""A command that shows every work when it begins, however soon it ends."""


def on_a_terminal(folder: Path, *words: str, program: Sequence[str], typed_at: str = "") -> tuple[str, int]:
    """Return the output of a command on a terminal, and its exit code, with an interrupt at some output."""
    process, terminal = pty.fork()
    if process == 0:
        # Where these tests run in the background, shells have it ignored.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.chdir(folder)
        variables = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", "COLUMNS": "100"}
        os.execve(sys.executable, [sys.executable, *program, *words], variables)
    written, end = b"", time.monotonic() + 600
    while time.monotonic() < end:
        if select.select([terminal], [], [], 0.1)[0]:
            try:
                data = os.read(terminal, 1 << 16)
            except OSError:
                break
            if not data:
                break
            written += data
            if typed_at and typed_at.encode() in written:
                os.write(terminal, b"\x03")
                typed_at = ""
    _, status = os.waitpid(process, 0)
    os.close(terminal)
    return written.decode(), os.waitstatus_to_exitcode(status)


@pytest.fixture(scope="module")
def trees(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with trees, and with so many of them (``long_``) that they take seconds to score."""
    folder = tmp_path_factory.mktemp("terminal")
    for name in ("gold", "parsed"):
        random = Random(name)
        trees = [random_tree(random, [f"w{number}_{index}" for index in range(100)]) for number in range(400)]
        (folder / f"{name}.mrg").write_text("\n".join(trees), encoding="utf-8")
        (folder / f"long_{name}.mrg").write_text("\n".join(20 * trees), encoding="utf-8")
    return folder


def random_tree(random: Random, words: Sequence[str]) -> str:
    """Return a tree with two children of each constituent."""
    if len(words) == 1:
        return f"(NN {words[0]})"
    cut = random.randrange(1, len(words))
    children = f"{random_tree(random, words[:cut])} {random_tree(random, words[cut:])}"
    return f"({random.choice(('S', 'NP', 'VP', 'PP'))} {children})"


SCORE = ("score", "gold.mrg", "parsed.mrg", "--metric", "parseval,tree_distance")


def test_progress_is_shown_and_cleared(trees: Path) -> None:
    written, code = on_a_terminal(trees, *SCORE, program=["-c", SHOWN_AT_ONCE])
    assert code == 0
    assert f"{CLEAR}reading" in written
    assert f"{CLEAR}scoring" in written
    displayed, _, printed = written.rpartition(CLEAR)
    assert "scoring" in displayed
    assert "scoring" not in printed
    assert "\r\nparseval|" in f"\r\n{printed}"


def test_short_work_and_quiet_work_show_nothing(trees: Path) -> None:
    (trees / "short.mrg").write_text(GOLD, encoding="utf-8")
    for words in (("info", "short.mrg"), (*SCORE, "--quiet")):
        written, code = on_a_terminal(trees, *words, program=PROGRAM)
        assert code == 0
        assert CLEAR not in written
        assert "reading" not in written


def test_an_interrupt_leaves_the_terminal_clean(trees: Path) -> None:
    words = [f"long_{word}" if word.endswith(".mrg") else word for word in SCORE]
    written, code = on_a_terminal(trees, *words, program=["-c", SHOWN_AT_ONCE], typed_at="scoring")
    assert code == 130
    assert "Traceback" not in written
    assert re.search(rf"{re.escape(CLEAR)}\r?\n?Stopped\.\r\n$", written)


def with_a_study(folder: Path) -> Path:
    for name, content in {"gold.mrg": GOLD, "a.mrg": POOR, "s.yaml": STUDY}.items():
        (folder / name).write_text(content, encoding="utf-8")
    return folder


def test_a_study_shows_its_steps(tmp_path: Path) -> None:
    written, code = on_a_terminal(with_a_study(tmp_path), "study", "s.yaml", program=PROGRAM)
    assert code == 0
    progress = r"\x1b\[K\d+ of \d+ steps  \[[#.]{20}\] +\d+ %  (.* left  )?"
    assert re.search(f"{progress}(study|read|constituents|score|report)", written)
    assert not re.search(rf"{progress}[^\r\n]*(\r?\n|$)", written)
    assert "\nThe report: results/s/report/index.html" in written
    assert "jobid" not in written
    assert "Select jobs" not in written


@pytest.mark.slow
def test_a_dry_run_shows_no_steps(tmp_path: Path) -> None:
    written, code = on_a_terminal(with_a_study(tmp_path), "study", "s.yaml", "--dry-run", program=PROGRAM)
    assert code == 0
    assert CLEAR not in written


def test_the_line_of_a_study() -> None:
    watch = StudyWatch(io.StringIO())
    assert watch.line(0) == ""
    watch.take({"done": 0, "total": 40}, 100)
    for number, name in enumerate("abcde"):
        watch.take({"job": number, "begins": f"score tiger/{name}"}, 100)
    bar = "[....................]   0 %"
    assert watch.line(101) == f"0 of 40 steps  {bar}  score tiger/a, score tiger/b, score tiger/c and 2 more"
    for number in range(4):
        watch.take({"job": number, "begins": ""}, 110)
    watch.take({"done": 10, "total": 40}, 110)
    assert watch.line(115) == "10 of 40 steps  [#####...............]  25 %  25 s left  score tiger/e"
    assert watch.line(200) == "10 of 40 steps  [#####...............]  25 %  0 s left  score tiger/e"
    watch.take({"done": 40, "total": 40}, 120)
    assert watch.line(121) == ""


def test_steps_are_named_by_treebank_and_candidate() -> None:
    assert step_name("results/demo/logs/score/tiger/alpha.log") == "score tiger/alpha"
    assert step_name("results/demo/logs/report.log") == "report"
