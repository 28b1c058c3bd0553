"""Parses in an answer that is JSON: trees as nested arrays or objects, rows as arrays or objects, strings."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from crossbank.language_models.column_candidates import NAMES, candidate_of_rows
from crossbank.language_models.parse_candidate import JSON, ParseCandidate

LABELS = ("label", "tag", "type", "category", "pos", "name", "node")
CHILDREN = ("children", "daughters", "constituents", "nodes")
WORDS = ("word", "form", "token", "text", "leaf")
"""The keys of trees whose nodes are objects."""

CLOSED = object()
"""What stands for a closing bracket on the stack."""


def json_value(text: str) -> Any:
    """Return the value of a text that is JSON as a whole; None if it is not, or is too deep."""
    stripped = text.strip()
    if not stripped.startswith(("[", "{", '"')) or not stripped.endswith(("]", "}", '"')):
        return None
    try:
        return json.loads(stripped)
    except (ValueError, RecursionError):
        return None


def list_json_candidates(value: Any, begin: int, end: int) -> Iterator[ParseCandidate | str]:
    """Yield the parses in a value, and strings in which parses may be."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
            continue
        candidate = _candidate_of_tree(one, begin, end) or _candidate_of_table(one, begin, end)
        if candidate is not None:
            candidate.notes[JSON] += 1
            yield candidate
        elif isinstance(one, dict):
            waiting += reversed(list(one.values()))
        elif isinstance(one, list):
            waiting += reversed(one)


def _candidate_of_table(value: Any, begin: int, end: int) -> ParseCandidate | None:
    """Return the parse that an array of rows is; None if it is no such array."""
    if not isinstance(value, list) or not value:
        return None
    if all(isinstance(row, dict) for row in value):
        names = list(dict.fromkeys(name for row in value[:5] for name in row))
        header = [NAMES.get(name.lower().replace("_", " ")) for name in names]
        if 1 not in header or not {3, 6} & set(header):
            return None
        rows = [[_cell(row.get(name)) for name in names] for row in value]
        return candidate_of_rows(rows, header, begin, end)
    if all(isinstance(row, list) and len(row) > 2 for row in value) and isinstance(value[0][0], int):
        return candidate_of_rows([[*map(_cell, row)] for row in value], None, begin, end)
    return None


def _cell(value: Any) -> str:
    if isinstance(value, dict):
        return "|".join(f"{name}={one}" for name, one in value.items()) or "_"
    return "_" if value is None or value == "" else " ".join(str(value).split())


def _candidate_of_tree(value: Any, begin: int, end: int) -> ParseCandidate | None:
    """Return the tree of nested arrays or objects; None if the value is none."""
    if not _is_node(value) or not any(map(_is_node, _children(value))):
        return None
    parts: list[str] = []
    words = 0
    waiting: list[Any] = [value]
    while waiting:
        node = waiting.pop()
        if node is CLOSED:
            parts.append(")")
        elif isinstance(node, str):
            words += 1
            parts.append(f" {_escaped(node)}")
        elif _is_node(node):
            parts.append(f" ({_escaped(_label(node))}")
            waiting.append(CLOSED)
            waiting += reversed(_children(node))
        else:
            return None
    return ParseCandidate("brackets", "".join(parts).strip(), words, begin, end)


def _is_node(value: Any) -> bool:
    if isinstance(value, dict):
        return any(isinstance(value.get(name), str) for name in LABELS) and bool(_children(value))
    return isinstance(value, list) and len(value) > 1 and isinstance(value[0], str)


def _label(node: Any) -> str:
    return str(node[0] if isinstance(node, list) else next(node[one] for one in LABELS if one in node))


def _children(node: Any) -> Sequence[Any]:
    if isinstance(node, list):
        return node[1:]
    children: Sequence[Any] = next((node[name] for name in CHILDREN if isinstance(node.get(name), list)), [])
    words = (node[name] for name in WORDS if isinstance(node.get(name), str))
    return children or list(words)[:1]


def _escaped(text: str) -> str:
    return "_".join(text.split()).replace("(", "-LRB-").replace(")", "-RRB-") or "_"
