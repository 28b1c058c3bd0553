"""Damage of formats whose sentences are between marks: the export format and TIGER-XML.

A sentence goes from its mark to the next one. A missing mark at its end is added, other damage is not
repaired: a row or an element that cannot be read takes the structure of the sentence with it.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

from crossbank.treebanks.damage.rules import DamageRules, Repaired

END_ADDED = "marks of the end of a sentence added"
NUMBER_ADDED = "numbers of sentences added"
UNKNOWN = "sentences that cannot be repaired"

_BOS = re.compile(r"^#BOS[ \t][^\t\n]*$", re.MULTILINE)
_WITHOUT_BOS = re.compile(
    r"^#EOS[^\t\n]*\n(?=(?!#BOS|#FORMAT|%%|#BOT)[^\n]*\S[^\n]*\n[^\n]*\t)", re.MULTILINE
)
"""The end of a sentence that is followed by another one whose beginning is damaged."""

_XML_WITHOUT_BEGIN = re.compile(r"</s>\s*(?=[^\s<]|<(?!/|s[ \t\n>]|!--))")
_XML_SENTENCE = re.compile(r"<s[ \t\n>]")
_XML_FOOT = re.compile(r"</body>|</corpus>|</subcorpus>")
_XML_ID = re.compile(r"""<s\b[^>]*?\bid\s*=\s*("[^"<&]*"|'[^'<&]*')""")


def _split_export(text: str) -> list[str]:
    begins = [match.start() for match in _BOS.finditer(text)]
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
            break
        rows.append(line)
    else:
        kinds[END_ADDED] += 1
    name = _name_in(first)
    begin = first
    if not first.split()[1:]:
        begin = f"#BOS {name}"
        kinds[NUMBER_ADDED] += 1
    return Repaired("\n".join([begin, *rows, f"#EOS {name}"]) + "\n", kinds or Counter({UNKNOWN: 1}))


def _export_without_parse(block: str) -> str:
    end = re.search(r"^#EOS[ \t]+(\S+)", block, re.MULTILINE)
    begin = _BOS.match(block)
    name = _name_in(begin[0]) if begin else end[1] if end else "0"
    return f"#BOS {name}\n#EOS {name}\n"


def _name_in(begin: str) -> str:
    """Return the number that the mark of a beginning names; 0 where it names none."""
    return next(iter(begin.split()[1:]), "0")


def _split_xml(text: str) -> list[str]:
    begins = [match.start() for match in _XML_SENTENCE.finditer(text)]
    begins += [match.end() for match in _XML_WITHOUT_BEGIN.finditer(text)]
    begins.sort()
    feet = [match.start() for match in _XML_FOOT.finditer(text, begins[-1] if begins else 0)]
    bounds = [0, *begins, feet[0] if feet else len(text), len(text)]
    return [text[begin:end] for begin, end in pairwise(bounds)]


def _repair_xml(block: str) -> Repaired:
    """Return a sentence with the ends of its elements."""
    body = block.partition("</s>")[0].rstrip()
    kinds = Counter({END_ADDED: 1} if "</s>" not in block else {UNKNOWN: 1})
    ends = ""
    for name in ("nonterminals", "terminals", "graph"):
        if f"<{name}" in body and f"</{name}>" not in body:
            ends += f"</{name}>"
    return Repaired(f"{body}{ends}</s>\n", kinds)


def _xml_without_parse(block: str) -> str:
    name = _XML_ID.match(block)
    return f"<s id={name[1] if name else chr(34) + 's_damaged' + chr(34)}><graph/></s>\n"


EXPORT = DamageRules(_split_export, _repair_export, _export_without_parse, frames=(1, 0))
TIGERXML = DamageRules(_split_xml, _repair_xml, _xml_without_parse, frames=(1, 1))
