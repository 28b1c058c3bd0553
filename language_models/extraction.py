"""The parse in an answer of a language model: a tree or rows, taken out of prose, fences and tables.

Of several parses the last one counts that is complete and has at least half as many words as the longest;
if none is complete, the last of those. What is missing in it is repaired.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from crossbank.language_models.bracket_candidates import escape_words, list_bracket_candidates, preterminal
from crossbank.language_models.column_candidates import list_column_candidates
from crossbank.language_models.json_candidates import (
    embedded_values,
    json_value,
    list_json_candidates,
)
from crossbank.language_models.outline_candidates import list_outline_candidates
from crossbank.language_models.parse_candidate import (
    ESCAPED,
    FENCED,
    JSON,
    PROSE,
    ParseCandidate,
    count_words,
)
from crossbank.language_models.segments import Segment, list_segments
from crossbank.language_models.typed_dependencies import list_typed_dependencies
from crossbank.plugins.packages import public_function
from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.quantities import describe_amount

SEVERAL = "answers with several parses, of which the last complete one counts"
EARLIER = "parses before the one that counts"
CONTROL = "control characters dropped"
NO_TEXT = "characters that are not text replaced"
NO_PARSE = "answers without a parse"
NO_HEADS = "heads left empty"
NOT_REPAIRED = "parses not repaired"

# Tabs, line ends and signs that join letters stay.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
_LINE_ENDS = re.compile(r"\r\n?|[\u2028\u2029\x0b\x0c\x85]")
_HTML = re.compile(r"</?(?:pre|code|table|thead|tbody|tr|td|th)(?:\s[^<>]*)?>")
_HTML_CELL = re.compile(r"</t[dh]>\s*<t[dh](?:\s[^<>]*)?>")
_HTML_LINE = re.compile(r"</tr>|<br\s*/?>")
_SURROGATES = re.compile(r"[\ud800-\udfff]")
_LETTER = re.compile(r"[^\W\d_]")
_SPACES = re.compile(r"[\u00a0\u2000-\u200a\u202f\u205f\u3000]")


@dataclass(frozen=True)
class Extraction:
    """The parse in an answer, with its diagnostics.

    style        brackets, columns, or empty if there is no parse
    text         one tree on a line, or the ten columns of CoNLL-U
    words        the number of words
    damage       what was repaired, with how often
    notes        how the parse is written, and what else the answer has, with how often
    begin, end   the characters of the answer between which the parse is
    """

    style: Literal["brackets", "columns", ""] = ""
    text: str = ""
    words: int = 0
    damage: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)
    begin: int = 0
    end: int = 0

    @property
    def tree(self) -> str | None:
        """The tree in brackets, on one line; None if the answer has none."""
        return self.text if self.style == "brackets" else None

    @property
    def rows(self) -> list[tuple[str, ...]] | None:
        """The rows of ten columns; None if the answer has none."""
        if self.style != "columns":
            return None
        lines = (line for line in self.text.split("\n") if line and not line.startswith("#"))
        return [tuple(line.split("\t")) for line in lines]

    @property
    def is_damaged(self) -> bool:
        """Whether the parse was repaired."""
        return bool(self.damage)

    @property
    def diagnostics(self) -> list[str]:
        """What was noted and repaired, each in a phrase."""
        return [
            describe_amount(number, event) for event, number in (*self.notes.items(), *self.damage.items())
        ]


@public_function
def extract(answer: str) -> Extraction:
    """Return the parse in an answer of a language model, and what was noted on the way.

    Raises CrossbankError for values that are not strings.

    >>> extract("Here it is: (S (NP (NNP Ann)) (VP (VBD left))").tree
    '(S (NP (NNP Ann)) (VP (VBD left)))'
    """
    return extract_parse(answer)


def extract_parse(answer: str, *, repairs: bool = True) -> Extraction:
    """Return the parse in an answer; ``repairs``: no if a damaged parse is not needed."""
    if not isinstance(answer, str):
        raise CrossbankError(f"answer: found an object of type {type(answer).__name__}, expected a string")
    text, notes = _cleaned(answer)
    text, escaped = escape_words(text)
    candidates = list(_list_candidates(text))
    if not candidates and (single := preterminal(text)) is not None:
        candidates = [single]
    if not candidates:
        notes[NO_PARSE] += 1
        return Extraction(notes=notes)
    chosen, earlier = _choose(candidates)
    notes.update(chosen.notes)
    if escaped and chosen.style == "brackets":
        notes[ESCAPED] += escaped
    if earlier:
        notes[SEVERAL] += 1
        notes[EARLIER] += earlier
    if not (repairs or chosen.is_complete):
        return Extraction(damage=Counter({NOT_REPAIRED: 1}), notes=notes)
    repaired, damage = chosen.whole_text()
    if not repaired:
        notes[NO_PARSE] += 1
        return Extraction(notes=notes)
    words = count_words(repaired, chosen.style) if damage else chosen.words
    if not chosen.has_heads:
        damage = damage + Counter({NO_HEADS: words})
    return Extraction(chosen.style, repaired, words, damage, notes, chosen.begin, chosen.end)


def _cleaned(answer: str) -> tuple[str, Counter[str]]:
    """Return an answer with plain line ends and spaces, without control characters."""
    notes: Counter[str] = Counter()
    text = _LINE_ENDS.sub("\n", answer)
    text, surrogates = _SURROGATES.subn("\ufffd", text)
    text, controls = _CONTROL.subn("", text)
    if _HTML.search(text):
        text = _without_html(text)
    if surrogates:
        notes[NO_TEXT] += surrogates
    if controls:
        notes[CONTROL] += controls
    return _SPACES.sub(" ", text), notes


def _without_html(text: str) -> str:
    """Return the text of HTML: a line for each row of tables, and tabs between their cells."""
    for pattern, replacement in ((_HTML_CELL, "\t"), (_HTML_LINE, "\n"), (_HTML, "")):
        text = pattern.sub(replacement, text)
    return html.unescape(text)


def _list_candidates(text: str) -> Iterator[ParseCandidate]:
    """Yield all parses of an answer, in their order."""
    value = json_value(text)
    if value is not None:
        yield from _of_json(value, 0, len(text))
        return
    for segment in list_segments(text):
        candidates = list(_of_segment(segment))
        first, last = _outermost_letters(segment.text) if candidates else (0, 0)
        for candidate in candidates:
            if segment.is_fenced:
                candidate.notes = candidate.notes + Counter({FENCED: 1})
            elif first < candidate.begin or last > candidate.end:
                candidate.notes = candidate.notes + Counter({PROSE: 1})
            candidate.begin += segment.begin
            candidate.end += segment.begin
            yield candidate


def _of_segment(segment: Segment) -> Iterator[ParseCandidate]:
    """Yield the parses of a part of an answer: those in JSON, and those in the text around it."""
    text = segment.text
    value = json_value(text)
    values = [(value, 0, len(text))] if value is not None else embedded_values(text)
    candidates: list[ParseCandidate] = []
    around: list[str] = []
    end = 0
    for one in values:
        of_json = list(_of_json(*one))
        if of_json:
            candidates += of_json
            # Spaces in place of a value: characters stay where they are.
            around += text[end : one[1]], " " * (one[2] - one[1])
            end = one[2]
    rest = "".join((*around, text[end:]))
    candidates += _of_text(rest, is_fenced=segment.is_fenced)
    yield from sorted(candidates, key=lambda candidate: candidate.begin)


def _outermost_letters(text: str) -> tuple[int, int]:
    """Return where the first letter of a text is and where the last one ends; its end and 0 without any."""
    first, last = _LETTER.search(text), _LETTER.search(text[::-1])
    return (first.start(), len(text) - last.start()) if first and last else (len(text), 0)


def _of_text(text: str, *, is_fenced: bool) -> Iterator[ParseCandidate]:
    by_style = [
        *list_bracket_candidates(text, is_fenced=is_fenced),
        *list_column_candidates(text),
        *list_typed_dependencies(text),
    ]
    yield from sorted(by_style, key=lambda candidate: candidate.begin) or list_outline_candidates(text)


def _of_json(value: object, begin: int, end: int) -> Iterator[ParseCandidate]:
    for one in list_json_candidates(value, begin, end):
        if isinstance(one, ParseCandidate):
            yield one
            continue
        for segment in list_segments(one):
            for candidate in _of_text(segment.text, is_fenced=True):
                candidate.begin, candidate.end = begin, end
                candidate.notes = candidate.notes + Counter({JSON: 1})
                yield candidate


def _choose(candidates: list[ParseCandidate]) -> tuple[ParseCandidate, int]:
    """Return the candidate that counts, and the number of others that are as long as half the longest."""
    longest = max(candidate.words for candidate in candidates)
    long = [candidate for candidate in candidates if 2 * candidate.words >= longest]
    complete = [candidate for candidate in long if candidate.is_complete]
    with_heads = [candidate for candidate in long if candidate.has_heads]
    chosen = (complete or with_heads or long)[-1]
    return chosen, len(long) - 1
