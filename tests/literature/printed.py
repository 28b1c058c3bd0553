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

What papers work out by hand or print of single sentences, computed again by the tests of the literature;
`python -m tests.literature.printed` writes this page. Figures of whole parsers and treebanks are in
[Training and parsing](parsing.md): the papers' corpora and parsers are not ours.

<!-- written by python -m tests.literature.printed -->
"""

END = "<!-- end of what is written -->\n"


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
    """Return the page: a table of the figures that differ, and a list of the others for each paper."""
    papers = sorted({row.paper for row in rows})
    same = [row for row in rows if row.printed == row.ours]
    counts = f"{len(rows)} figures of {len(papers)} papers; {len(same)} are the same, and below by paper.\n"
    parts = [HEAD, counts]
    parts.append("## Figures that differ\n")
    lines = ["| paper | table or section | what | printed | ours | why |", "|---|---|---|---|---|---|"]
    lines += [f"| {' | '.join(row)} |" for row in sorted(rows) if row.printed != row.ours]
    parts.append("\n".join(lines) + "\n")
    for paper in papers:
        parts.append(f"## {paper}\n")
        tables: dict[str, dict[str, list[str]]] = {}
        for row in same:
            if row.paper == paper:
                subject, comma, figure = row.item.rpartition(", ")
                shown = f"{figure} {row.printed}" if comma else f"{row.item} {row.printed}"
                tables.setdefault(row.table, {}).setdefault(subject, []).append(shown)
        parts.append("".join(f"- {table}: {_figures(subjects)}\n" for table, subjects in tables.items()))
    return "\n".join([*parts, END])


def _figures(subjects: dict[str, list[str]]) -> str:
    """Return the figures of a table, those of one subject together."""
    return "; ".join(
        f"{subject}: {', '.join(figures)}" if subject else "; ".join(figures)
        for subject, figures in subjects.items()
    )


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
