"""Answers in text files: a file each in a folder, or blocks of one file.

Blocks are between lines of three signs or more, in which the identifier may be (``=== s1 ===``, ``--- s1``),
else between two blank lines or more, else between blank lines. Blank lines in Markdown fences do not count.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from os import PathLike

from crossbank.language_models.records import AnswerRecord
from crossbank.treebanks.damage.rules import DamagePolicy
from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.files import decode_leniently, read_bytes, read_text

ENDING = ".txt"

_RULE = re.compile(r"^(={3,}|-{3,}|\*{3,}|#{3,})[ \t]*([^\n|]*?)[ \t]*\1?[ \t]*$")
_FENCE = re.compile(r"^[ \t]*(```|~~~)")


def read_answers(path: str | PathLike[str], encoding: str | None, policy: DamagePolicy) -> str:
    """Return the text of a file; with NUL for bytes that are no text, unless these are to stop reading."""
    if policy is DamagePolicy.STOP:
        return read_text(path, encoding)
    return decode_leniently(read_bytes(path), encoding)


def records_of_folder(path: str, encoding: str | None, policy: DamagePolicy) -> Iterator[AnswerRecord]:
    """Yield the answers in a folder, of which each file's name without its ending is the identifier."""
    files = sorted(entry.path for entry in os.scandir(path) if entry.is_file() and entry.name[0] != ".")
    if not files:
        raise CrossbankError(f"{path}: found no files in this folder, expected an answer in each")
    for file in files:
        name = os.path.basename(file)
        text = read_answers(file, encoding, policy) if os.path.getsize(file) else ""
        yield AnswerRecord(name.partition(".")[0] or name, answers=[text], line=1)


def records_of_blocks(text: str) -> Iterator[AnswerRecord]:
    """Yield the answers in the blocks of a text."""
    lines = text.split("\n")
    rules = [index for index, match in enumerate(map(_RULE.match, lines)) if match is not None]
    yield from _between_rules(lines, rules) if rules else _between_blank_lines(lines)


def _between_rules(lines: list[str], rules: list[int]) -> Iterator[AnswerRecord]:
    ends = [*rules[1:], len(lines)]
    if before := "\n".join(lines[: rules[0]]).strip():
        yield AnswerRecord("", answers=[before], line=1)
    for rule, end in zip(rules, ends, strict=True):
        match = _RULE.match(lines[rule])
        assert match is not None
        block = "\n".join(lines[rule + 1 : end])
        if block.strip() or match[2]:
            yield AnswerRecord(match[2], answers=[block], line=rule + 1)


def _between_blank_lines(lines: list[str]) -> Iterator[AnswerRecord]:
    is_fenced = False
    bounds: list[tuple[int, int]] = []  # the first line of each block, and the blank lines before it
    blank = 1
    for index, line in enumerate(lines):
        is_blank = not line.strip()
        if _FENCE.match(line):
            is_fenced = not is_fenced
        if is_blank and (not is_fenced or blank):
            blank += 1
            continue
        if blank and not is_blank:
            bounds.append((index, blank))
        blank = 0
    has_wide = any(number > 1 for _, number in bounds[1:])
    first = [index for index, number in bounds if index == bounds[0][0] or not has_wide or number > 1]
    for begin, end in zip(first, [*first[1:], len(lines)], strict=True):
        yield AnswerRecord("", answers=["\n".join(lines[begin:end])], line=begin + 1)
