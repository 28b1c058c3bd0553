"""Control characters of a treebank's words, in the notation of JSON: ``\\u001b``."""

from __future__ import annotations

import codecs
import os
import re

CONTROL = "\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff"
"""Control characters but for the tab and the line feed; separators of lines, overrides of the direction of
text, halves of characters, and what is no character."""

MARK = os.urandom(8).hex()
"""What our own colours have after their first character, and no file can have."""

UNSAFE = re.compile(rf"\x1b{MARK}(\[[0-9;]*m)|[{CONTROL}]")


def escape_text(text: str, encoding: str = "utf-8") -> str:
    r"""Return a text with control characters, and what an encoding lacks, in the notation of JSON.

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
