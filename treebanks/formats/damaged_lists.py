"""Damage of lists of words, relations and parses, of numbered trees, and of brackets without tags."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial

from crossbank.treebanks.damage import brackets
from crossbank.treebanks.damage.delimited import (
    close_brackets,
    keep_readable,
    split_at_lines,
    split_lines,
    split_paragraphs,
)
from crossbank.treebanks.damage.rules import DamageRules, Repaired
from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.formats import nbest, rasp, relation_lists

HYPHENS = "hyphens and spaces between syllables dropped"
NUMBERS = "numbers of parses corrected"

NO_NAME = "damaged"
"""The name of a sentence whose own is damaged."""

# Text, a sentence a line: only what is no text is damage


def _as_it_is(block: str) -> Repaired:
    return Repaired(block, Counter())


TEXT = DamageRules(split_lines, _as_it_is, lambda block: "\n")

# Pronunciation lexica, a word a line


def _repair_word(line: str) -> Repaired:
    """Return a word whose syllables are joined by one hyphen."""
    spelling, *transcribed = line.split(maxsplit=1)
    if not transcribed:
        return Repaired(line, Counter())
    syllables = re.split(r"[-\s]+", transcribed[0].strip(" \t-\n"))
    return Repaired(f"{spelling} {'-'.join(syllables)}\n", Counter({HYPHENS: 1}))


def _word_alone(line: str) -> str:
    return f"{line.split(maxsplit=1)[0]}\n"


MARYTTS = DamageRules(split_lines, _repair_word, _word_alone)

# Lists of relations


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith(";")


def _beginning(text: str) -> relation_lists.Beginning:
    """Return how sentences begin: as the first line says, or, where that is damaged, as another one does."""
    lines = [line for line in map(str.strip, text.split("\n")) if line and line[0] != ";"]
    first = relation_lists.beginning_of(lines[0].encode("utf-8", "replace")) if lines else "gap"
    if first != "gap" or not lines or lines[0][0] in "({" or relation_lists.WEIGHT.match(lines[0]):
        return first
    if any(relation_lists.NUMBER.match(line) for line in lines):
        return "number"
    return "words" if any(map(relation_lists.is_words, lines)) else "gap"


def _split_relations(text: str) -> list[str]:
    beginning = _beginning(text)
    if beginning == "gap":
        return split_paragraphs(text)
    return split_at_lines(lambda line: _begins(line.strip(), beginning), _is_comment)(text)


def _begins(line: str, beginning: str) -> bool:
    if beginning == "number":
        # A line that is neither words nor relations is a number that is damaged.
        is_number = relation_lists.NUMBER.match(line) is not None
        return is_number or bool(line and not relation_lists.is_words(line) and not set(line) & {*"(){}"})
    return relation_lists.is_words(line)


def _is_readable(line: str) -> bool:
    try:
        relation_lists.read_list(line.encode("utf-8", "replace"), "")
    except CrossbankError:
        return False
    return True


def _repair_relations(block: str) -> Repaired:
    """Return a sentence with those of its relations that can be read, each closed."""
    kinds: Counter[str] = Counter()
    lines = []
    for line in split_lines(block):
        if "(" in line and not _is_comment(line) and not _is_readable(line):
            line, repairs = close_brackets(line, _RELATION_TOKEN)
            kinds += repairs
        lines.append(line)
    kept, dropped = keep_readable(lines, lambda line: _is_comment(line) or _is_readable(line))
    return Repaired("".join(kept).rstrip("\n") + "\n\n", kinds + dropped)


_RELATION_TOKEN = re.compile(r"\\.|\|[^|\n]*\||[()]")


def _no_relations(block: str) -> str:
    """Return what begins the sentence, or a relation that is deleted where relations begin it."""
    lines = split_lines(block)
    comments = [line for line in lines if _is_comment(line)]
    first = next((line.strip() for line in lines if line.strip() and not _is_comment(line)), "")
    number = relation_lists.NUMBER.match(first)
    if number or relation_lists.is_words(first):
        return "".join([*comments, f"{number[1] if number else first}\n"])
    # Of a number and of tagged words that are damaged, only a number has digits at its beginning.
    is_number = re.match(r"\W*\d", first) is not None
    if first and first[0] not in "({" and not relation_lists.WEIGHT.match(first):
        return "".join([*comments, "damaged_X\n" if "_" in first and not is_number else "0\n"])
    return "".join([*comments, "(dobj _ _)\n\n"])


RELATIONS = DamageRules(_split_relations, _repair_relations, _no_relations)

# Lists of the best parses


def _split_nbest(text: str) -> list[str]:
    """Return the parses of each sentence."""
    first = next((line for line in map(str.strip, text.split("\n")) if line), "")
    if first and "(" not in first:
        return split_at_lines(_is_head, _is_never)(text)
    if nbest.KEYED_TREE.fullmatch(first):
        blocks: list[str] = []
        name = None
        for line in split_lines(text):
            key = re.match(r"\s*(\d+)-\d+\|", line)
            if blocks and (key is None or key[1] == name):
                blocks[-1] += line
            else:
                blocks.append(line)
            name = key[1] if key else name
        return blocks
    return split_paragraphs(text)


def _is_head(line: str) -> bool:
    """Return whether a line is neither a score nor a tree: a number of parses, maybe a damaged one."""
    return bool(line.strip()) and "(" not in line and nbest.SCORE.fullmatch(line.strip()) is None


def _is_never(line: str) -> bool:
    return False


def _repair_nbest(block: str) -> Repaired:
    """Return the parses of a sentence with balanced brackets."""
    kinds: Counter[str] = Counter()
    lines: list[str] = []
    is_charniak = "(" not in block.lstrip().split("\n")[0]
    for line in split_lines(block):
        before, sign, tree = line.partition("(")
        tree, tab, after = tree.rstrip("\n").partition("\t")
        if not sign:
            lines.append(line)
            continue
        repaired = brackets.repair(f"({tree}")
        kinds += repaired.kinds
        lines.append(f"{before}{repaired.text.strip()}{tab}{after}\n")
    if is_charniak:
        trees = [line for line in lines[1:] if line.startswith("(")]
        head = nbest.HEAD.fullmatch(lines[0].strip())
        kinds[NUMBERS] += head is None or head[1] != str(len(trees))
        lines[0] = f"{len(trees)} {head[2] if head else NO_NAME}\n"
    return Repaired("".join(lines), +kinds)


def _no_parses(block: str) -> str:
    first = block.lstrip().split("\n")[0].strip()
    if "(" not in first:
        head = nbest.HEAD.fullmatch(first)
        return f"0 {head[2] if head else NO_NAME}\n"
    key = re.match(r"(\d+)-\d+\|", first)
    return f"{key[0] if key else ''}(())\n" + ("" if key else "\n")


NBEST = DamageRules(_split_nbest, _repair_nbest, _no_parses)

# Numbered trees, and derivations

_LISP_TOKEN = re.compile(r'\|(?:[^|\\]|\\.)*\||\\.|"[^"\n]*"|[()]', re.DOTALL)
_NUMBER = re.compile(rf"[ \t]*{rasp.NUMBER.pattern}[ \t]*\n?")


def _split_rasp(text: str) -> list[str]:
    if rasp.DERIVATION.match(text):
        begins = re.compile(r'\((?![\s"(])')
        return ["", *split_at_lines(lambda line: begins.match(line) is not None, _is_never)(text)]
    begin = 0
    while head := rasp.BRACKETS.match(text, begin):
        begin = head.end()
    begin = max(begin, text.find("\n", begin) + 1 if begin else 0)
    return [
        text[:begin],
        *split_at_lines(lambda line: _NUMBER.fullmatch(line) is not None, _is_never)(text[begin:]),
    ]


def _repair_rasp(block: str) -> Repaired:
    text, kinds = close_brackets(block, _LISP_TOKEN)
    return Repaired(text, kinds)


def _rasp_without_parse(block: str) -> str:
    first = split_lines(block)[0]
    if _NUMBER.fullmatch(first):
        return first
    return '(|_|) ("_" |_|)\n' if rasp.DERIVATION.match(block) else "0\n"


RASP = DamageRules(_split_rasp, _repair_rasp, _rasp_without_parse, frames=(1, 0))

# Brackets without tags


def _find_unbalanced(blocks: Sequence[str]) -> Iterable[int]:
    return brackets.find_damaged(blocks)


UNLABELLED = DamageRules(
    brackets.split,
    partial(brackets.repair, has_tags=False),
    lambda block: "()\n",
    _find_unbalanced,
    finds_all=True,
)
