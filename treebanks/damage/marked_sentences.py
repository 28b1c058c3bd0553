"""Damage of the export format, whose sentences are between marks.

A sentence goes from its mark to the next one. A missing mark at its end is added, and rows are repaired as
``export_rows`` says.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

from crossbank.treebanks.damage.export_rows import repair_rows
from crossbank.treebanks.damage.rules import DamageRules, Repaired

END_ADDED = "marks of the end of a sentence added"
END_NUMBER = "numbers at the end of a sentence replaced"
NUMBER_ADDED = "numbers of sentences added"
UNKNOWN = "sentences that cannot be repaired"

_BOS = re.compile(r"^#BOS[ \t][^\t\n]*$", re.MULTILINE)
_WITHOUT_BOS = re.compile(
    r"^#EOS[^\t\n]*\n(?=(?!#BOS|#FORMAT|%%|#BOT)[^\n]*\S[^\n]*\n[^\n]*\t)", re.MULTILINE
)
"""The end of a sentence that is followed by another one whose beginning is damaged."""


_HEAD = re.compile(
    r"(?:%%[^\n]*\n|#FORMAT[^\n]*\n|#BOT[^\n]*\n(?:(?!#EOT|#BOS)[^\n]*\n)*#EOT[^\n]*\n|[ \t]*\n)*"
)
"""What comes before the first sentence."""


def _split_export(text: str) -> list[str]:
    begins = [match.start() for match in _BOS.finditer(text)]
    head = _HEAD.match(text)
    if begins and head and text[head.end() : begins[0]].strip():
        begins.append(head.end())  # the mark of the first sentence is damaged
    begins += [match.end() for match in _WITHOUT_BOS.finditer(text)]
    begins.sort()
    bounds = [0, *begins, len(text)]
    return [text[begin:end] for begin, end in pairwise(bounds)]


def _repair_export(block: str) -> Repaired:
    """Return a sentence that ends with its mark, without what comes after it."""
    if not _BOS.match(block):
        return Repaired("", Counter())
    first, *rest = block.rstrip("\n").split("\n")
    rows = []
    kinds: Counter[str] = Counter()
    for line in rest:
        if re.match(r"#EOS\b[^\t]*$", line):
            ends = ["#EOS"], ["#EOS", _name_in(first)]
            kinds[END_NUMBER] += bool(first.split()[1:]) and line.split() not in ends
            break
        rows.append(line)
    else:
        kinds[END_ADDED] += 1
    name = _name_in(first)
    begin = first
    if not first.split()[1:]:
        begin = f"#BOS {name}"
        kinds[NUMBER_ADDED] += 1
    rows = repair_rows(rows, kinds)
    return Repaired("\n".join([begin, *rows, f"#EOS {name}"]) + "\n", kinds or Counter({UNKNOWN: 1}))


def _export_without_parse(block: str) -> str:
    end = re.search(r"^#EOS[ \t]+(\S+)", block, re.MULTILINE)
    begin = _BOS.match(block)
    name = _name_in(begin[0]) if begin else end[1] if end else "0"
    return f"#BOS {name}\n#EOS {name}\n"


def _name_in(begin: str) -> str:
    """Return the number that the mark of a beginning names; 0 where it names none."""
    return next(iter(begin.split()[1:]), "0")


EXPORT = DamageRules(_split_export, _repair_export, _export_without_parse, frames=(1, 0), has_marks=True)
"""The rules of the export format."""
