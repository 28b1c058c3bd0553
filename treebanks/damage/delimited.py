"""Damage of formats whose sentences are lines, paragraphs, or what follows a mark: how these are cut.

Brackets of Lisp and Prolog are closed where a closing bracket of another one follows, and at the end of
the sentence; closing brackets without a counterpart are dropped. What is in quotes is no bracket.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise

from crossbank.treebanks.damage.brackets import ADDED, DROPPED

LINES = "lines that cannot be read dropped"
ENDS = "marks of the end of a sentence added"
STOPS = "full stops added"

PAIRS: Mapping[str, str] = {"(": ")", "[": "]"}

Split = Callable[[str], list[str]]

_LINE = re.compile(r"[^\n]*\n|[^\n]+$")


def split_lines(text: str) -> list[str]:
    """Return the lines of a text, each with its end."""
    return _LINE.findall(text)


def split_paragraphs(text: str) -> list[str]:
    """Return what is between blank lines, each with the blank lines after it."""
    return _joined(split_lines(text), lambda line, before: bool(line.strip()) and not before[-1].strip())


def split_at(begin: str) -> Split:
    """Return a function that cuts a text before each match of a pattern; the first block is before all."""
    pattern = re.compile(begin, re.MULTILINE)

    def split(text: str) -> list[str]:
        bounds = [0, *(match.start() for match in pattern.finditer(text)), len(text)]
        return [text[first:last] for first, last in pairwise(bounds)]

    return split


def split_at_lines(begins: Callable[[str], bool], is_comment: Callable[[str], bool]) -> Split:
    """Return a function that cuts a text before lines that begin sentences, and the comments before."""

    def split(text: str) -> list[str]:
        blocks: list[list[str]] = []
        comments: list[str] = []
        for line in split_lines(text):
            if is_comment(line):
                comments.append(line)
                continue
            if begins(line) or not blocks:
                blocks.append([])
            blocks[-1] += [*comments, line]
            comments = []
        if comments:
            blocks = blocks or [[]]
            blocks[-1] += comments
        return ["".join(block) for block in blocks]

    return split


def _joined(lines: Sequence[str], begins: Callable[[str, list[str]], bool]) -> list[str]:
    blocks: list[list[str]] = []
    for line in lines:
        if not blocks or begins(line, blocks[-1]):
            blocks.append([])
        blocks[-1].append(line)
    return ["".join(block) for block in blocks]


def close_brackets(text: str, token: re.Pattern[str]) -> tuple[str, Counter[str]]:
    """Return a text with as many closing brackets as opening ones, and what was done.

    token  matches brackets, and what hides them: strings in quotes and escaped characters
    """
    kinds: Counter[str] = Counter()
    closing: list[str] = []
    output: list[str] = []
    end = 0
    for match in token.finditer(text):
        output.append(text[end : match.start()])
        end, written = match.end(), match[0]
        if written in PAIRS:
            closing.append(PAIRS[written])
        elif written in PAIRS.values():
            if written not in closing:
                kinds[DROPPED] += 1
                continue
            while closing[-1] != written:
                output.append(closing.pop())
                kinds[ADDED] += 1
            closing.pop()
        output.append(written)
    output.append(text[end:])
    if closing:
        body = "".join(output)
        kept = body.rstrip()
        output = [kept, *reversed(closing), body[len(kept) :]]
        kinds[ADDED] += len(closing)
    return "".join(output), kinds


def close_term(text: str, token: re.Pattern[str]) -> tuple[str, Counter[str]]:
    """Return a term of Prolog whose brackets are closed, with its full stop, and what was done."""
    text = text.rstrip()
    kinds = Counter() if text.endswith(".") else Counter({STOPS: 1})
    text, repairs = close_brackets(text.removesuffix("."), token)
    return f"{text}.\n", kinds + repairs


def keep_readable(lines: Iterable[str], is_read: Callable[[str], bool]) -> tuple[list[str], Counter[str]]:
    """Return the lines that can be read or are blank, and the number of the others."""
    kept: list[str] = []
    kinds: Counter[str] = Counter()
    for line in lines:
        if line.strip() and not is_read(line):
            kinds[LINES] += 1
        else:
            kept.append(line)
    return kept, kinds
