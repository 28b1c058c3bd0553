"""Parses in an answer that is JSON or has some: trees as nested arrays or objects, rows, strings.

Lists of Python are read as arrays. The nodes of a tree are arrays that begin with a label, objects with a
label and children, or objects with one key, the label, as in ``{"NP": [{"NNP": "Ann"}]}``. Rows are an array
of objects or of arrays, one object on each line, or an object of columns.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from crossbank.language_models.column_candidates import candidate_of_rows, column_named, columns_of_header
from crossbank.language_models.parse_candidate import JSON, ParseCandidate, escape_brackets

LABELS = (
    *("label", "tag", "type", "category", "pos", "name", "node"),
    *("nonterminal", "constituent", "phrase", "cat", "symbol"),
)
CHILDREN = (
    *("children", "daughters", "constituents", "nodes", "subtrees", "kids", "branches"),
    *("child", "parts", "content"),
)
WORDS = ("word", "form", "token", "text", "leaf", "value", "terminal", "surface", "content")
"""The keys of trees whose nodes are objects."""

CLOSED = object()
"""What stands for a closing bracket on the stack."""

MAX_FAILURES = 10
"""The number of brackets that begin no value after which no further one is looked for in a text."""

_BEGIN = re.compile(r"^[ \t]*(?:[\w.]+[ \t]*[:=][ \t]*)?(?=[\[{])", re.MULTILINE)
_QUOTED_LIST = re.compile(r"""\s*(?:[\w.]+[ \t]*=[ \t]*)?[(\[]\s*['"]""")
_PART_OF_LIST = re.compile(
    r"""\s*(?:([(\[])|([)\]])|'((?:[^'\\]|\\.)*+)'|"((?:[^"\\]|\\.)*+)"|,)""", re.DOTALL
)
_DECODER = json.JSONDecoder()


def json_value(text: str) -> Any:
    """Return the value of a text that is JSON, or a list of Python, as a whole; None if it is not."""
    stripped = text.strip()
    if stripped.startswith(("[", "{", '"')) and stripped.endswith(("]", "}", '"')):
        try:
            return json.loads(stripped)
        except (ValueError, RecursionError):
            pass
    return _quoted_list(stripped) if _QUOTED_LIST.match(stripped) else None


def _quoted_list(text: str) -> list[Any] | None:
    """Return nested lists or tuples of strings in quotes; None if the text has anything else."""
    first = _QUOTED_LIST.match(text)
    position = text.index("=") + 1 if first and "=" in first[0] else 0
    root: list[Any] = []
    stack = [root]
    while position < len(text):
        match = _PART_OF_LIST.match(text, position)
        if match is None:
            return None
        position = match.end()
        if match[1]:
            stack[-1].append([])
            stack.append(stack[-1][-1])
        elif match[2]:
            stack.pop()
            if not stack:
                return None
        elif match.lastindex:
            stack[-1].append(re.sub(r"\\(.)", r"\1", match[match.lastindex]))
    return root[0] if len(stack) == 1 and len(root) == 1 else None


def embedded_values(text: str) -> Iterator[tuple[Any, int, int]]:
    """Yield the objects and arrays of JSON that begin lines of a text, and where they begin and end.

    Objects that follow each other are one array: JSON Lines.
    """
    position = failures = 0
    objects: list[Any] = []
    begin_of_objects = end_of_objects = 0
    while failures < MAX_FAILURES and (match := _BEGIN.search(text, position)) is not None:
        begin = match.end()
        try:
            value, end = _DECODER.raw_decode(text, begin)
        except (ValueError, RecursionError):
            failures += 1
            position = begin + 1
            continue
        position = end
        if isinstance(value, dict) and (not objects or not text[end_of_objects:begin].strip(" \t\n,")):
            begin_of_objects = begin_of_objects if objects else begin
            objects.append(value)
            end_of_objects = end
            continue
        if objects:
            yield (objects[0] if len(objects) == 1 else objects), begin_of_objects, end_of_objects
        objects = [value] if isinstance(value, dict) else []
        begin_of_objects, end_of_objects = begin, end
        if not objects:
            yield value, begin, end
    if objects:
        yield (objects[0] if len(objects) == 1 else objects), begin_of_objects, end_of_objects


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
    """Return the parse that an array of rows, or an object of columns, is; None if it is neither."""
    if isinstance(value, dict):
        value = _rows_of_object(value)
    if not isinstance(value, list) or not value:
        return None
    if all(isinstance(row, dict) for row in value):
        names = list(dict.fromkeys(name for row in value[:5] for name in row))
        header = [column_named(name) for name in names]
        if 1 not in header or not {3, 6} & set(header):
            return None
        rows = [[_cell(row.get(name)) for name in names] for row in value]
        return candidate_of_rows(rows, header, begin, end)
    if not all(isinstance(row, list) and len(row) > 2 for row in value):
        return None
    rows = [[*map(_cell, row)] for row in value]
    named = columns_of_header(rows[0])
    if named is not None:
        return candidate_of_rows(rows[1:], named, begin, end)
    return candidate_of_rows(rows, None, begin, end) if rows[0][0].isdecimal() else None


def _rows_of_object(value: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """Return rows of an object whose keys are their numbers, or the names of columns; None for others."""
    if value and all(name.isdecimal() and isinstance(row, dict) for name, row in value.items()):
        return [{"id": name, **row} for name, row in value.items()]
    columns = {
        name if column_named(name) is not None else name.removesuffix("s"): cells
        for name, cells in value.items()
        if isinstance(cells, list) and not any(isinstance(cell, (list, dict)) for cell in cells)
    }
    named = {name: cells for name, cells in columns.items() if column_named(name) is not None}
    if len(named) < 2 or len({len(cells) for cells in named.values()}) != 1:
        return None
    return [dict(zip(named, row, strict=True)) for row in zip(*named.values(), strict=True)]


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
            parts.append(f" ({_escaped(_label(node) or '')}")
            waiting.append(CLOSED)
            waiting += reversed(_children(node))
        else:
            return None
    return ParseCandidate("brackets", "".join(parts).strip(), words, begin, end)


def _is_node(value: Any) -> bool:
    if isinstance(value, dict):
        return _label(value) is not None and bool(_children(value))
    return isinstance(value, list) and len(value) > 1 and isinstance(value[0], str)


def _is_keyed(node: Mapping[str, Any]) -> bool:
    """Return whether the only key of an object is a label."""
    return len(node) == 1 and all(name[:1] and not name[0].islower() for name in node)


def _label(node: Any) -> str | None:
    if isinstance(node, list):
        return str(node[0])
    if _is_keyed(node):
        return str(next(iter(node)))
    return next((node[one] for one in LABELS if isinstance(node.get(one), str)), None)


def _children(node: Any) -> Sequence[Any]:
    if isinstance(node, list):
        return node[1:]
    if _is_keyed(node):
        (below,) = node.values()
        return below if isinstance(below, list) else [below] if isinstance(below, str) else []
    children: Sequence[Any] = next((node[name] for name in CHILDREN if isinstance(node.get(name), list)), [])
    words = (node[name] for name in WORDS if isinstance(node.get(name), str))
    return children or list(words)[:1]


def _escaped(text: str) -> str:
    return escape_brackets("_".join(text.split())) or "_"
