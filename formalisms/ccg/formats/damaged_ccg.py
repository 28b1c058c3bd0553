"""Damage of derivations and dependencies of CCG: where sentences begin, and how they are repaired."""

from __future__ import annotations

import re
from collections import Counter

from crossbank.formalisms.ccg.formats import candc, parg
from crossbank.treebanks.damage.delimited import (
    ENDS,
    LINES,
    close_brackets,
    close_term,
    keep_readable,
    split_at,
    split_at_lines,
    split_lines,
)
from crossbank.treebanks.damage.rules import DamageRules, Repaired
from crossbank.treebanks.errors import CrossbankError

CHILDREN = "numbers of children corrected"
# Derivations of CCGbank: a header and a line

_DERIVATION_TOKEN = re.compile(r"\(<L [^<>\n]*>\)|<[^<>\n]*>|[()]")
_NODE = re.compile(r"\(<T ([^<>\n]*)>|\(<L [^<>\n]*>\)|(\))")


def _repair_auto(block: str) -> Repaired:
    """Return a derivation that is closed and whose nodes have the numbers of children that they name."""
    header, *lines = block.rstrip().split("\n")
    text, kinds = close_brackets(" ".join(lines), _DERIVATION_TOKEN)
    children: list[int] = []
    open_nodes: list[int] = []
    for match in _NODE.finditer(text):
        if match[2]:
            if open_nodes:
                open_nodes.pop()
            continue
        if open_nodes:
            children[open_nodes[-1]] += 1
        if match[1] is not None:
            open_nodes.append(len(children))
            children.append(0)
    numbers = iter(children)

    def corrected(match: re.Match[str]) -> str:
        if match[1] is None:
            return match[0]
        fields, number = match[1].split(" "), str(next(numbers))
        kinds[CHILDREN] += fields[-1] != number
        return f"(<T {' '.join([*fields[:-1], number])}>"

    return Repaired(f"{header}\n{_NODE.sub(corrected, text)}\n", +kinds)


def _header(block: str) -> str:
    first = split_lines(block)[0].rstrip("\n")
    return f"{first if first.startswith('ID=') else 'ID=damaged'}\n"


AUTO = DamageRules(split_at(r"^ID="), _repair_auto, _header, has_marks=True)

# Dependencies of CCGbank: between two marks

_PARG_BEGIN = re.compile(r'<s id="[^"<>\n]*">[^<>\n]*')


def _is_dependency(line: str) -> bool:
    columns = line.split()
    return len(columns) in (parg.COLUMNS, parg.COLUMNS + 1) and all(
        columns[index].isdecimal() for index in (0, 1, 3)
    )


def _repair_parg(block: str) -> Repaired:
    """Return a sentence with its mark at the end, without lines that are no dependencies."""
    begin, *rest = split_lines(block)
    if not _PARG_BEGIN.match(begin.strip()):
        return Repaired("", Counter())
    kinds: Counter[str] = Counter()
    lines = []
    for line in rest:
        if line.strip() in parg.END:
            break
        if _is_dependency(line):
            lines.append(line.rstrip("\n") + "\n")
        elif line.strip():
            kinds[LINES] += 1
    else:
        kinds[ENDS] += 1
    return Repaired("".join([begin.rstrip("\n"), "\n", *lines, "<\\s>\n"]), kinds)


def _no_dependencies(block: str) -> str:
    begin = _PARG_BEGIN.match(block.strip())
    return f"{begin[0].rstrip() if begin else parg.NO_NAME}\n<\\s>\n"


PARG = DamageRules(
    split_at(r"^[ \t]*<s[ >]|(?<=<\\s>\n)(?=(?!\s*<s[ >])[ \t]*\S)"),
    _repair_parg,
    _no_dependencies,
    has_marks=True,
)

# Dependencies of the C&C tools: between blank lines


def _split_candc(text: str) -> list[str]:
    """Return the head of a text, and its sentences, each with the blank line that ends it."""
    head = re.match(r"(?:[ \t]*#[^\n]*\n)*(?:[ \t]*\n)?(?:<c>[ \t]*\n[ \t]*\n)?", text)
    begin = head.end() if head and "#" in head[0] else 0
    is_end = [True]

    def begins(line: str) -> bool:
        was_end, is_end[0] = is_end[0], not line.strip()
        return was_end

    return [text[:begin], *split_at_lines(begins, lambda line: False)(text[begin:])]


def _repair_candc(block: str) -> Repaired:
    kept, kinds = keep_readable(split_lines(block), _is_read_by_candc)
    return Repaired("".join(kept), kinds)


def _is_read_by_candc(line: str) -> bool:
    try:
        candc.loads(line)
    except CrossbankError:
        return False
    return True


CANDC = DamageRules(_split_candc, _repair_candc, lambda block: "\n", frames=(1, 0))

# Derivations as terms of Prolog

TERM_TOKEN = re.compile(r"'(?:[^'\\\n]|\\.|'')*'|%[^\n]*|[()\[\]]")


def _repair_langpro(block: str) -> Repaired:
    """Return a derivation whose brackets are closed, with its full stop."""
    return Repaired(*close_term(block, TERM_TOKEN))


def _no_derivation(block: str) -> str:
    number = re.match(r"ccg\(\s*(\d+)", block)
    return f"ccg({number[1] if number else 0}, t(n, '_', '_', '_', '_', '_')).\n"


_FACTS = split_at(r"^ccg\(|(?<=\)\.\n)(?=[^\s%:])")
_DIRECTIVES = re.compile(r"(?:[ \t]*(?:%|:-)[^\n]*\n|[ \t]*\n)*")


def _split_langpro(text: str) -> list[str]:
    """Return the directives before all derivations, and these."""
    directives = _DIRECTIVES.match(text)
    begin = directives.end() if directives else 0
    return [text[:begin], *_FACTS(text[begin:])]


LANGPRO = DamageRules(_split_langpro, _repair_langpro, _no_derivation, frames=(1, 0), has_marks=True)
