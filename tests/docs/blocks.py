"""Code blocks of a page or of a metric's docstring, and the notes that it has on them.

A note is an HTML comment on a line of its own above a block, which readers of the page do not see:

    <!-- not run: REASON -->   the block is not run; the reason is printed
    <!-- needs: gum, erg -->   folders of ../shared/data, which are linked into the folder of the run
    <!-- file: NAME -->        the block is the content of a file, which is written
    <!-- figure: PATH -->      above an image: it shows this file, which the blocks above it have written

Blocks of ``console`` have commands after ``$ `` and their output. A command must end with exit code 0,
unless ``$ echo $?`` follows it. Blocks of ``bash`` have commands alone. Blocks of ``python`` are run, and
where they have ``>>> `` their output is compared. In output a line ``...`` stands for any lines, and
``...`` within a line for any text. Other languages are not run. Texts in an SVG are compared, too; of a PDF
the first page is shown, of an HTML page what a browser shows first, dark where ``dark`` follows the path.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

from crossbank.metrics.counting.metric import METRICS

ROOT = Path(__file__).resolve().parents[2]

GUIDES = [
    ROOT / "docs" / f"{name}.md" for name in ("start", "score", "compare", "convert", "study", "report")
]

METRIC_PAGES = {
    name: ROOT.joinpath(*reference.partition(":")[0].split(".")[1:]).with_suffix(".py")
    for name, reference in METRICS.items()
}
"""The module of each metric, whose docstring is the metric's page."""

PAGES = [
    page
    for page in (
        *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "config/README.md")),
        *sorted((ROOT / "docs").rglob("*.md")),
        *dict.fromkeys(METRIC_PAGES.values()),
        *sorted((ROOT / "formalisms").glob("*/*.md")),
        *sorted((ROOT / "parsers").glob("*.md")),
        *sorted((ROOT / "language_models").glob("*.md")),
    )
    if page not in GUIDES
]

RUN = ("bash", "console", "python")
"""The languages of blocks that are run."""

_FENCE = re.compile(
    r"^(?P<indent> *)```(?P<language>\w*)\n(?P<text>.*?)^(?P=indent)```[ ]*$", re.MULTILINE | re.DOTALL
)
_NOTES = re.compile(r"(?:^ *<!-- [^\n]* -->\n\n?)*\Z", re.MULTILINE)
_NOTE = re.compile(r"<!-- (not run|needs|file): (.+?) -->")
_FIGURE = re.compile(r"^<!-- figure: (.+?) -->\n+\[?!\[[^\]]*\]\(([^)]+)\)", re.MULTILINE)


@dataclass(frozen=True)
class Command:
    """A command and the output that the page shows; without output there is nothing to compare."""

    line: int
    text: str
    output: tuple[str, ...] = ()


@dataclass(frozen=True)
class Block:
    """A block of code on a page, and the notes above it."""

    page: Path
    line: int
    language: str
    text: str
    notes: dict[str, str]

    def __str__(self) -> str:
        page = self.page.relative_to(ROOT) if self.page.is_relative_to(ROOT) else self.page
        return f"{page.as_posix()}:{self.line}"

    @property
    def is_run(self) -> bool:
        """True if the block does something when its page is run."""
        return self.language in RUN or not self.notes.keys().isdisjoint(("file", "figure"))

    @property
    def needs(self) -> list[str]:
        """Folders of ../shared/data that the block reads."""
        return [name.strip() for name in self.notes.get("needs", "").split(",") if name.strip()]

    def commands(self) -> list[Command]:
        """Return the commands of a block of ``bash`` or ``console``; a backslash continues a line."""
        actual: list[Command] = []
        goes_on = False
        for line, text in enumerate(self.text.splitlines(), self.line + 1):
            if goes_on:
                actual[-1] = replace(actual[-1], text=f"{actual[-1].text}\n{text}")
            elif self.language == "console" and not text.startswith("$ "):
                assert actual, f"{self.page.name}:{line}: found {text!r}, expected a command after `$ `"
                actual[-1] = replace(actual[-1], output=(*actual[-1].output, text))
                continue
            elif text.strip() and not text.startswith("#"):
                actual.append(Command(line, text.removeprefix("$ ") if self.language == "console" else text))
            goes_on = text.endswith("\\")
        return actual


def blocks_of(*pages: Path) -> list[Block]:
    """Return all blocks of some pages that are run, in the order of the pages."""
    return [block for page in pages for block in all_blocks(page) if block.is_run]


def all_blocks(page: Path) -> list[Block]:
    """All fenced blocks of a page, and its figures: the text of such a block is the path of the image."""
    text = page.read_text(encoding="utf-8")
    actual = []
    for fence in _FENCE.finditer(text):
        above = _NOTES.search(text[: fence.start()])
        notes = dict(_NOTE.findall(above[0])) if above else {}
        indent = fence["indent"]
        lines = [line.removeprefix(indent) for line in fence["text"].splitlines(keepends=True)]
        number = text.count("\n", 0, fence.start()) + 1
        actual.append(Block(page, number, fence["language"], "".join(lines), notes))
    for figure in _FIGURE.finditer(text):
        number = text.count("\n", 0, figure.start()) + 1
        actual.append(Block(page, number, "figure", figure[2], {"figure": figure[1]}))
    return sorted(actual, key=lambda block: block.line)


def differs(displayed: tuple[str, ...], actual: str) -> bool:
    """Return whether the shown output is not the one that was found, blanks at the ends of lines left out."""
    lines = [line.rstrip() for line in displayed]
    pattern = "".join(
        r"(?:.*\n)*?" if line == "..." else "[^\n]*?".join(map(re.escape, line.split("..."))) + r"\n"
        for line in lines
    )
    real = "".join(f"{line.rstrip()}\n" for line in actual.expandtabs().rstrip().splitlines())
    return re.fullmatch(pattern, real) is None
