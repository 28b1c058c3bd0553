"""Tokens and labels as lists of grammatical relations write them: quotes, positions and tags."""

from __future__ import annotations

import re
from collections.abc import Sequence

from crossbank.treebanks.tables import NO_TOKEN, whole_number

EMPTY = "_"
"""A slot that nothing fills."""

BACKSLASH = "\\"

WITH_PLACE_AND_TAG = re.compile(r"((?:\\.|[^\\\n])*):(\d+)_(.*)", re.ASCII)
"""RASP's ``die:4_VVZ``, which is recognised everywhere; the first word is 1."""

WHOLE_FILE = (
    (re.compile(r"((?:\\.|[^\\\n])+):(\d+)()", re.ASCII), 1),
    (re.compile(r"((?:\\.|[^\\\n])+)_(\d+)()", re.ASCII), 0),
    (re.compile(r"((?:\\.|[^\\\n])+)_()([^\sa-z_\\]+)", re.ASCII), 0),
)
"""Further ways to write words, and the number of the first word of a sentence; they count only
where all words of a file are written so."""

PLACELESS = ("ellip", "pro")
"""Words that stand for no word of the sentence, in every way of writing."""

QUOTED = re.compile(r"[\s()\\|;]", re.ASCII)
"""The signs that a slot holds only after a backslash."""


def read_words(written: Sequence[str]) -> tuple[list[str], list[int], list[str]]:
    """Return each token's form or lemma, index in the sentence or ``NO_TOKEN``, and tag."""
    first, parts = 1, _all_matches(WITH_PLACE_AND_TAG, written)
    if not any(index for _, index, _ in parts):
        for pattern, counted_from in WHOLE_FILE:
            matches = _all_matches(pattern, written)
            if any(map(any, matches)) and all(
                any(match) or word == EMPTY or word in PLACELESS
                for match, word in zip(matches, written, strict=True)
            ):
                first, parts = counted_from, matches
                break
    pairs = list(zip(written, parts, strict=True))
    words = [match[0] if any(match) else text if text != EMPTY else "" for text, match in pairs]
    indices = [whole_number(index) - first if index else NO_TOKEN for _, index, _ in parts]
    return list(map(unquoted, words)), indices, [unquoted(tag) for _, _, tag in parts]


def _all_matches(pattern: re.Pattern[str], written: Sequence[str]) -> list[tuple[str, str, str]]:
    """Return each word's groups, empty strings for words that do not match, in one search."""
    lines = re.compile(rf"^(?:{pattern.pattern}|.*)$", pattern.flags | re.MULTILINE)
    return lines.findall("\n".join(written)) if written else []


def read_label(written: str) -> tuple[str, bool]:
    """Return a name or label, and whether it had an index and tag, which labels drop."""
    match = WITH_PLACE_AND_TAG.fullmatch(written)
    if match is not None:
        return unquoted(match[1]), True
    return (unquoted(written) if written != EMPTY else ""), False


def written_word(word: str, index: int, tag: str) -> str:
    """Return a word with its index and tag where one of them is known."""
    if index != NO_TOKEN or tag:
        return f"{quoted(word)}:{index + 1}_{quoted(tag).replace(':', BACKSLASH + ':')}"
    if any(pattern.fullmatch(word) for pattern in (WITH_PLACE_AND_TAG, *(p for p, _ in WHOLE_FILE))):
        return re.sub("[:_]", r"\\\g<0>", quoted(word))
    return written_label(word)


def written_label(label: str) -> str:
    """Return a name or label so that ``read_label`` gives it back."""
    if WITH_PLACE_AND_TAG.fullmatch(label):
        return quoted(label).replace(":", BACKSLASH + ":")
    return BACKSLASH + EMPTY if label == EMPTY else quoted(label) or EMPTY


def quoted(text: str, characters: re.Pattern[str] = QUOTED) -> str:
    """Return a text with a backslash before each of some characters."""
    return characters.sub(r"\\\g<0>", text) if characters.search(text) else text


def unquoted(text: str) -> str:
    """Return a text without its backslashes, except those after one."""
    return re.sub(r"\\(.)", r"\1", text) if BACKSLASH in text else text


def without_bars(slot: str) -> str:
    """Return a slot with backslashes before the signs that Lisp's bars quote."""
    if "|" not in slot:
        return slot
    parts = re.split(r"(\\.)|\|([^|]*)\|", slot)
    return "".join(
        quoted(part) if index % 3 == 2 else part for index, part in enumerate(parts) if part is not None
    )
