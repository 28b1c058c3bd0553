"""Figures that papers print, beside ours: ``python -m tests.literature.printed`` writes docs/replications.md.

Tests of the literature compare by ``replicates``, which keeps a row of the page: the page has what the tests
have computed, and nothing else.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "replications.md"

HEAD = """# Printed figures and ours

What papers work out by hand or print of single sentences, computed again.
`python -m tests.literature.printed` runs the tests of the literature and writes this page of their rows; a
test does it, too. Where ours differs from what is printed, the last column says why; elsewhere it is empty.

Figures of whole parsers and treebanks are in [Training and parsing](parsing.md): the papers' corpora and
parsers are not ours.
"""


class Row(NamedTuple):
    """A printed figure and ours, as text."""

    paper: str
    table: str
    item: str
    printed: str
    ours: str
    why: str = ""


ROWS: dict[Row, None] = {}
"""The rows of the tests that have run, each once."""


def replicates(paper: str, table: str, item: str, printed: object, ours: object, why: str = "") -> None:
    """Keep a row, and fail where ours differs without a reason, or does not differ with one."""
    row = Row(paper, table, item, str(printed), str(ours), why)
    assert (row.printed == row.ours) is not bool(why), row
    ROWS[row] = None


def page(rows: list[Row]) -> str:
    """Return the page, with a table for each paper."""
    parts = [HEAD]
    same = sum(row.printed == row.ours for row in rows)
    parts.append(f"{len(rows)} figures of {len({row.paper for row in rows})} papers; {same} are the same.\n")
    for paper in sorted({row.paper for row in rows}):
        parts.append(f"## {paper}\n")
        lines = ["| table or section | what | printed | ours | why different |", "|---|---|---|---|---|"]
        lines += [f"| {' | '.join(row[1:])} |" for row in rows if row.paper == paper]
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def computed() -> str:
    """Page as the tests make it in a process of their own. Raises CalledProcessError where one fails."""
    done = subprocess.run(
        [sys.executable, "-c", "import tests.literature.printed as p; p.run()"],
        cwd=ROOT,
        env={**os.environ, "CROSSBANK_PRINTED": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stderr


def run() -> None:
    """Run the tests of the literature that need no corpus, and print the page on stderr."""
    import pytest

    status = pytest.main(["-q", "-p", "no:cacheprovider", "-n0", "tests/literature", "-k", "not lexicon"])
    sys.stderr.write(page(list(ROWS)))
    sys.exit(status)


if __name__ == "__main__":
    PAGE.write_text(computed(), encoding="utf-8")
