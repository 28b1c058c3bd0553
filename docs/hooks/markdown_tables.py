"""Tables and code in Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table with one line for each row; bars within cells are escaped."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(map(_cell, line)) + " |" for line in lines) + "\n"


def code(text: str) -> str:
    """Text as code, between more backquotes than are in it."""
    if "`" not in text:
        return f"`{text}`"
    marks = "`" * (max(map(len, re.findall("`+", text))) + 1)
    return f"{marks} {text} {marks}"


def _cell(text: str) -> str:
    text = re.sub(r"`([^`]*[|][^`]*)`", _code_with_bars, " ".join(text.split()))
    return text.replace("|", "\\|")


def _code_with_bars(match: re.Match[str]) -> str:
    """Code as HTML: in code a backslash before a bar would be shown."""
    return f"<code>{escape(match[1], quote=False).replace('|', '&#124;')}</code>"
