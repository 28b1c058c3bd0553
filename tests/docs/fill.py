"""Write the real output into a page: ``python -m tests.docs.fill docs/start.md``.

Only output that is not the shown one is replaced. What a page shows of it keeps its shape. With ``--times``
the processor time of each block of Python is written below it.
"""

from __future__ import annotations

import math
import re
import shutil
import subprocess
import sys
import tempfile
import time
from difflib import SequenceMatcher
from pathlib import Path

import pytest

from tests.docs.blocks import Block, Command, differs
from tests.docs.running import Page, WrongBlockError

BROWSER = (
    "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars",
    "--disable-background-networking", "--window-size=1400,1000", "--virtual-time-budget=4000",
)  # fmt: skip


class Filled(Page):
    """A page that is run, and what is to be changed in it.

    changes  the line of each command, the index and the number of the lines that it printed, new lines
    """

    def __init__(self, page: Path, folder: Path) -> None:
        super().__init__(page, folder)
        self.changes: list[tuple[int, int, int, list[str]]] = []

    def compare(self, block: Block, command: Command, actual: str) -> None:
        """Note the output that is to be replaced."""
        if differs(command.output, actual):
            first = command.line + command.text.count("\n")
            self.changes.append(
                (command.line, first, len(command.output), _shortened(command.output, actual))
            )

    def show(self, block: Block) -> None:
        """Write the figure, or a picture of it."""
        source, _, kind = block.notes["figure"].partition(" ")
        displayed = block.page.parent / block.text
        displayed.parent.mkdir(exist_ok=True)
        path = self.folder / source
        if path.suffix == ".svg":
            shutil.copyfile(path, displayed)
        elif path.suffix == ".pdf":
            subprocess.run(
                ["pdftoppm", "-png", "-r", "96", "-singlefile", path, displayed.with_suffix("")], check=True
            )
        else:
            dark = ["--blink-settings=preferredColorScheme=0"] if kind == "dark" else []
            call = [*BROWSER, *dark, f"--screenshot={displayed}", path.as_uri()]
            subprocess.run(call, check=True, stderr=subprocess.DEVNULL)
        print(f"{displayed}: written")


def fill(path: Path) -> None:
    """Run a page and write it anew."""
    with tempfile.TemporaryDirectory() as folder:
        page = Filled(path, Path(folder))
        for block in page.blocks:
            try:
                page.run(block)
            except (pytest.skip.Exception, WrongBlockError) as error:
                print(error)
    print(f"{path}: {len(page.changes)} changes")
    lines = path.read_text(encoding="utf-8").splitlines()
    for line, first, count, new in reversed(page.changes):
        command = lines[line - 1]
        indent = command[: len(command) - len(command.lstrip(" "))]
        lines[first : first + count] = [f"{indent}{text}".rstrip() for text in new]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


TIME = re.compile(r"\n\*[\d.,]+ m?s of processor time\*\n")
"""What stands below a block whose time is told."""

RUNS = 5
"""The number of times that a page is run. The shortest time of each block counts."""


def fill_times(path: Path) -> None:
    """Write below each block of Python that is run how long it takes, once modules are loaded."""
    times: dict[int, float] = {}
    path.write_text(TIME.sub("", path.read_text(encoding="utf-8")), encoding="utf-8")
    for _ in range(RUNS):
        with tempfile.TemporaryDirectory() as folder:
            page = Page(path, Path(folder))
            for block in page.blocks:
                if block.language == "python" and "not run" not in block.notes:
                    began = time.process_time()
                    page.run(block)
                    end = block.line + block.text.count("\n") + 1
                    times[end] = min(time.process_time() - began, times.get(end, math.inf))
    lines = path.read_text(encoding="utf-8").splitlines()
    for end, seconds in sorted(times.items(), reverse=True):
        messages = f"{seconds:.1f} s" if seconds >= 1 else f"{1000 * seconds:.{seconds < 0.01:d}f} ms"
        lines[end:end] = ["", f"*{messages} of processor time*"]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _shortened(displayed: tuple[str, ...], actual: str) -> list[str]:
    """Return the output in the shape in which it was shown.

    Around one ``...`` the lines in front and after keep their number. Among several, each line is replaced
    by the most similar one that follows.
    """
    new = actual.expandtabs().rstrip().splitlines()
    if "..." not in displayed:
        return new
    if displayed.count("...") == 1:
        head = displayed.index("...")
        tail = len(displayed) - head - 1
        return [*new[:head], "...", *(new[-tail:] if tail else [])]
    written: list[str] = []
    begin = 0
    for line in displayed:
        if line == "..." or begin == len(new):
            written.append("...")
            continue
        alike = [SequenceMatcher(None, line, other).ratio() for other in new[begin:]]
        begin += alike.index(max(alike)) + 1
        written.append(new[begin - 1])
    return written


if __name__ == "__main__":
    for name in sys.argv[1:]:
        if name != "--times":
            (fill_times if "--times" in sys.argv else fill)(Path(name).resolve())
