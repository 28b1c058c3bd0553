"""Damage of trees of the Cambridge Grammar: sentences between blank lines, and brackets that are closed."""

from __future__ import annotations

import re

from crossbank.treebanks.damage.delimited import close_brackets, split_lines, split_paragraphs
from crossbank.treebanks.damage.rules import DamageRules, Repaired

_TOKEN = re.compile(r'"(?:[^"\\\n]|\\["\\])*"|[()]')


def _headers(block: str) -> list[str]:
    lines = []
    for line in split_lines(block):
        if not line.startswith("#"):
            break
        lines.append(line.rstrip("\n") + "\n")
    return lines


def _repair(block: str) -> Repaired:
    """Return a sentence whose brackets are closed."""
    headers = _headers(block)
    tree = "".join(split_lines(block)[len(headers) :])
    text, kinds = close_brackets(tree, _TOKEN)
    return Repaired("".join([*headers, text.rstrip("\n"), "\n\n"]), kinds)


def _without_parse(block: str) -> str:
    return "".join([*_headers(block), '(X :t "_")\n\n'])


TREES = DamageRules(split_paragraphs, _repair, _without_parse)
