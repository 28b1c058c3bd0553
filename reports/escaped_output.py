"""Output for terminals with the control characters of words escaped.

A word may clear the screen, set the title of the window or type a command on some terminals, and a character
of bidirectional text may turn around the order of a line. ``escaped_output`` replaces standard output and
standard error by streams that write such characters as ``\\u001b``. JSON has the same notation, so its
meaning does not change. Line ends, tabs and Crossbank's own colours are unchanged. Content of files is
written to ``underlying_stream``.
"""

from __future__ import annotations

import codecs
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

CONTROL = "\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff"
"""Control characters except tab and line feed, line separators, overrides of the direction of text,
surrogates and noncharacters."""

MARK = os.urandom(8).hex()
"""Random text after the first character of Crossbank's colours, which no file can have."""

UNSAFE = re.compile(rf"\x1b{MARK}(\[[0-9;]*m)|[{CONTROL}]")


def escape_text(text: str, encoding: str = "utf-8") -> str:
    r"""Return a text with control characters, and characters that an encoding lacks, in the notation of JSON.

    >>> print(escape_text("a\x1b[2Jb\x9b\n"), end="")
    a\u001b[2Jb\u009b
    """
    text = UNSAFE.sub(_escape_match, text)
    if codecs.lookup(encoding).name == "utf-8":
        return text
    return text.encode(encoding, _ESCAPE).decode(encoding)


def _escape_match(match: re.Match[str]) -> str:
    return f"\x1b{match[1]}" if match[1] else _utf16_escapes(match[0])


def _utf16_escapes(text: str) -> str:
    """Return the UTF-16 units of a text, as JSON writes them."""
    units = text.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[begin : begin + 4]}" for begin in range(0, len(units), 4))


_ESCAPE = "crossbank.escaped"


def _escape(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return _utf16_escapes(error.object[error.start : error.end]), error.end


codecs.register_error(_ESCAPE, _escape)


class EscapedStream:
    """A text stream that escapes text; all other attributes are those of the underlying stream."""

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
    """Escape text for standard output and standard error until the end of the block."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (
        stream if stream is None or isinstance(stream, EscapedStream) else EscapedStream(stream)
        for stream in before
    )
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
