"""Output for people without the control characters of a treebank's words, which steer terminals.

A word may clear the screen, set the title of the window or type a command on some terminals, and a character
of bidirectional text may turn around the order of a line. ``escaped_output`` puts streams in the place of
standard output and standard error that write such characters as ``\\u001b``. JSON has the same notation, so
its meaning stays. Line ends, tabs and our own colours pass. What must be the bytes of a file goes to
``underlying_stream``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from crossbank.reports.control_characters import MARK, escape_text


class EscapedStream:
    """A text stream that escapes what it is given; all else is that of the stream below."""

    colour_mark = MARK

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)

    def write(self, text: str) -> int:
        """Write a text, escaped."""
        self.stream.write(escape_text(text, getattr(self.stream, "encoding", None) or "utf-8"))
        return len(text)

    def writelines(self, lines: list[str]) -> None:
        """Write several texts, escaped."""
        for line in lines:
            self.write(line)


def underlying_stream(stream: Any) -> TextIO:
    """Return the stream below an ``EscapedStream``, for bytes that programs read."""
    below: TextIO = stream.stream if isinstance(stream, EscapedStream) else stream
    return below


@contextmanager
def escaped_output() -> Iterator[None]:
    """Escape what is written to standard output and standard error, until the end of the block."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (
        stream if stream is None or isinstance(stream, EscapedStream) else EscapedStream(stream)
        for stream in before
    )
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
