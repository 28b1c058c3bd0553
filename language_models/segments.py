"""Parts of an answer in Markdown: what is in fences, and what is between them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_FENCE = re.compile(r"^[ \t]*(```+|~~~+)([^\n`]*)$", re.MULTILINE)
_ONE_LINE_FENCE = re.compile(
    r"^[ \t]*```(?:\w+[ \t]+(?=[(\[])|[ \t]*(?=[(\[|0-9]))|(?<=[)\]|])[ \t]*```[ \t]*$", re.MULTILINE
)
_QUOTED = re.compile(r"^[ \t]*>(?=[ \t]*\S)", re.MULTILINE)


class Segment(NamedTuple):
    """A part of an answer.

    begin     the character of the answer at which it begins
    is_fenced whether it is between fences
    """

    text: str
    begin: int
    is_fenced: bool


def list_segments(text: str) -> Iterator[Segment]:
    """Yield the parts of an answer without the fences. A fence that is not closed ends with the answer."""
    # Spaces in place of marks: characters stay where they are.
    text = _ONE_LINE_FENCE.sub(lambda match: " " * len(match[0]), text)
    text = _QUOTED.sub(lambda match: " " * len(match[0]), text)
    begin, mark = 0, ""
    for match in _FENCE.finditer(text):
        if not mark or (match[1].startswith(mark) and not match[2].strip()):
            yield Segment(text[begin : match.start()], begin, bool(mark))
            begin, mark = match.end(), "" if mark else match[1]
    yield Segment(text[begin:], begin, bool(mark))
