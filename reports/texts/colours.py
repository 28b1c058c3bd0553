"""Colours of a terminal. A sign or a word always has the same information.

There are none where output goes to a file or a pipe, where the variable ``NO_COLOR`` is set (no-color.org),
and on terminals that know none; ``--colour`` overrules this.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Literal, TextIO

When = Literal["auto", "always", "never"]

Tone = Literal["error", "warning", "good", "bad", "doubtful"]

COLOUR_CODES: Mapping[Tone, str] = {
    "error": "1;31",
    "warning": "33",
    "good": "32",
    "bad": "31",
    "doubtful": "33",
}
"""The codes of ECMA-48: 1 bold, 31 red, 32 green, 33 yellow."""

_when: When = "auto"


def use_colours(when: When) -> None:
    """Set whether colours are used: never, always, or on terminals that have colours (``auto``)."""
    global _when
    _when = when


def has_colours(stream: TextIO) -> bool:
    """Return whether text for a stream gets colours."""
    if _when != "auto":
        return _when == "always"
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb" and stream.isatty()


def add_colour(text: str, tone: Tone, stream: TextIO) -> str:
    """Return a text in the colour of its kind, if the stream is to have colours."""
    if not text or not has_colours(stream):
        return text
    # The mark distinguishes these colours from escape sequences in words, which an ``EscapedStream`` escapes.
    begin = f"\x1b{getattr(stream, 'colour_mark', '')}["
    return f"{begin}{COLOUR_CODES[tone]}m{text}{begin}0m"
