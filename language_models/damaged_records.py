"""Records of answers that are no JSON: what can be read of their identifiers and answers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

LINES = "records that are not JSON"

_STRING = r'"((?:[^"\\\n]|\\.)*+)'
_PAIR = re.compile(rf'"([\w.-]+)"\s*:\s*{_STRING}', re.DOTALL)
_NUMBER = re.compile(r'"([\w.-]+)"\s*:\s*(\d{1,9})\b')
_OBJECT = re.compile(r'\{\s*"')
_DECODER = json.JSONDecoder()


def read_pairs(text: str) -> dict[str, str]:
    """Return the keys of a damaged record whose values are strings, which may be cut, or numbers."""
    pairs = {match[1]: match[2] for match in _NUMBER.finditer(text)}
    return {**pairs, **{match[1]: _decoded(match[2]) for match in _PAIR.finditer(text)}}


def _decoded(written: str) -> str:
    """Return a string of JSON without its escapes; as it is written if these are damaged."""
    try:
        value: str = json.loads(f'"{written}"', strict=False)
    except ValueError:
        return written.replace("\\n", "\n").replace("\\t", "\t").replace('\\"', '"')
    return value


def cut_array(text: str) -> Iterator[tuple[object, str, int]]:
    """Yield each object of a damaged array, or None and its text, with its line."""
    position = 0
    line = 1
    while (match := _OBJECT.search(text, position)) is not None:
        line += text.count("\n", position, match.start())
        begin = match.start()
        try:
            value, position = _DECODER.raw_decode(text, begin)
        except (ValueError, RecursionError):
            following = _next_record(text, match.end())
            position = len(text) if following is None else following
            yield None, text[begin:position], line
        else:
            yield value, "", line
        line += text.count("\n", begin, position)


def _next_record(text: str, begin: int) -> int | None:
    """Return where the next object begins that can be read, or that begins a line."""
    for match in _OBJECT.finditer(text, begin):
        before = text[max(0, match.start() - 40) : match.start()].rstrip(" \t")
        if before.endswith((",", "\n", "[")) and not before.rstrip(",\n \t[").endswith(":"):
            return match.start()
    return None
