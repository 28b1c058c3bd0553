"""Docstrings of the project as Markdown.

A docstring's list of names (``name  meaning``, with further lines indented) becomes a table. A paragraph that
ends in ``::`` is followed by code as it stands. Double backquotes become single ones.
"""

from __future__ import annotations

import re
from inspect import cleandoc
from pathlib import Path

from markdown_tables import table

NAMED = re.compile(r"\*{0,2}\w[\w.]*(?:, \*{0,2}\w[\w.]*)*")
ENTRY = re.compile(rf"(?P<names>{NAMED.pattern})(?:  +(?P<meaning>\S.*))?$")


ROOT = Path(__file__).resolve().parents[2]


def generated_from(*files: str | Path | None) -> str:
    """Return the line that says from which files of the repository a page is generated."""
    paths = [Path(file).resolve().relative_to(ROOT).as_posix() for file in files if file is not None]
    return f"*Generated from {', which extends '.join(f'`{path}`' for path in paths)}.*\n"


def as_markdown(docstring: str) -> str:
    """Return the docstring with its tables, its code and its marks of code as Markdown writes them."""
    blocks = re.split(r"\n{2,}", cleandoc(docstring))
    written, code = [], False
    for block in blocks:
        if code and block.startswith(" "):
            written.append("\n".join(f"    {line}" for line in cleandoc(block).splitlines()))
            continue
        code = block.endswith("::")
        written.append(_ruled(block) or _entries(block) or _text(block.removesuffix(":") if code else block))
    return "\n\n".join(written)


def first_paragraph(docstring: str) -> str:
    """Return the first paragraph of a docstring, as Markdown on one line."""
    return " ".join(_text(cleandoc(docstring).partition("\n\n")[0]).split())


def _text(block: str) -> str:
    return re.sub(r"``(.+?)``", r"`\1`", block, flags=re.S).replace("*", r"\*")


def _entries(block: str) -> str:
    """A block of names and meanings as a table; empty if it is something else."""
    rows: list[list[str]] = []
    for line in block.splitlines():
        entry = ENTRY.match(line)
        if entry and entry["meaning"]:
            names = ", ".join(f"`{name}`" for name in entry["names"].split(", "))
            rows.append([names, entry["meaning"]])
        elif rows and line.startswith(" "):
            rows[-1][1] += " " + line.strip()
        else:
            return ""
    return table(["name", "meaning"], [[names, _text(meaning)] for names, meaning in rows]) if rows else ""


def _ruled(block: str) -> str:
    """A table ruled with ``=``, as reStructuredText writes it; empty if the block is none."""
    lines = block.splitlines()
    if not re.fullmatch("=[= ]+=", lines[0]):
        return ""
    begins = [column.start() for column in re.finditer("=+", lines[0])]
    rows = [[line[a:b].strip() for a, b in zip(begins, [*begins[1:], None], strict=True)] for line in lines]
    heads, *cells = [row for row in rows if not row[0].startswith("=")]
    return table(heads, [[_text(cell) for cell in row] for row in cells])
