"""Trees in other brackets than Penn's, written as these: characters stay where they are, as far as possible.

Known are square brackets, also those of LaTeX's ``qtree`` (``[.NP``) and ``forest`` (``[NN [dog]]``), wide
brackets, elements of XML (``<NP>``), colons after labels, and words in quotes.
"""

from __future__ import annotations

import re
from collections import Counter

from crossbank.language_models.parse_candidate import ELEMENTS, SQUARE

_SQUARE_BEGIN = re.compile(r"\[\.?[A-Z]\S*\s*\[")
_OPENING_WORD = re.compile(r"\[([^\s\[\]]++)[ \t]++\[[ \t]*+\]")
_CLOSING_WORD = re.compile(r"\[([^\s\[\]]++)[ \t]++\][ \t]*+\]")
_DOTTED = re.compile(r"\(\.(?=\S)")
_LEAF = re.compile(r"\([^\s()]++[ \t]++[^\s()]++[ \t]*+\)")
_LEAF_IN_BRACKETS = re.compile(r"\(([^\s()]++)([ \t]++)\(([^\s()]++)\)\)")

_ELEMENT_END = re.compile(r"</([^\sa-z<>/()][^\sa-z<>/()]*)>")
_ELEMENT = re.compile(r"<([^\sa-z<>/()][^\sa-z<>/()]*)>")
MIN_ELEMENTS = 3

_LABEL = re.compile(r"\(([^\s()]++)(?=[\s(])")
_QUOTED_WORD = re.compile(r"""(\([^\s()]++[ \t]++)(["'])([^\s()"']++)\2(?=[ \t]*+\))""")


def as_penn_brackets(text: str) -> tuple[str, Counter[str]]:
    """Return a text whose trees are in Penn brackets, and what was replaced."""
    notes: Counter[str] = Counter()
    if "(" not in text:
        text = text.replace("（", "(").replace("）", ")")
    if "(" not in text and _SQUARE_BEGIN.search(text):
        text = _OPENING_WORD.sub(r"[\1 -LSB-]", text)
        text = _CLOSING_WORD.sub(r"[\1 -RSB-]", text)
        text = text.translate(str.maketrans("()[]", "{}()"))
        if 2 * len(_DOTTED.findall(text)) > text.count("("):
            text = _DOTTED.sub(" (", text)
        if not _LEAF.search(text):
            text = _LEAF_IN_BRACKETS.sub(r"(\1\2 \3 )", text)
        notes[SQUARE] += 1
    elif "(" not in text and len(_ELEMENT_END.findall(text)) >= MIN_ELEMENTS:
        text = _ELEMENT_END.sub(lambda match: ")".ljust(len(match[0])), text)
        text = _ELEMENT.sub(r"(\1 ", text)
        notes[ELEMENTS] += 1
    if "(" in text:
        text = _without_signs(text)
    return text, notes


def _without_signs(text: str) -> str:
    """Return trees without colons after labels and quotes around words, if most have them."""
    labels = _LABEL.findall(text)
    colons = sum(label.endswith(":") and label != ":" for label in labels)
    if 2 * colons > len(labels):
        text = _LABEL.sub(
            lambda match: f"({match[1][:-1]} " if match[1].endswith(":") and match[1] != ":" else match[0],
            text,
        )
    if '"' in text or "'" in text:
        quoted = len(_QUOTED_WORD.findall(text))
        if quoted and 2 * quoted > len(_LEAF.findall(text)):
            text = _QUOTED_WORD.sub(r"\1 \3 ", text)
    return text
