"""Dependencies as a relation of two words with their numbers: ``nsubj(left-2, Ann-1)``.

Source: de Marneffe and Manning 2008, Stanford typed dependencies manual, section 4.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from crossbank.language_models.column_candidates import candidate_of_rows
from crossbank.language_models.parse_candidate import ParseCandidate

COLUMNS = (0, 1, 6, 7)
"""The columns of CoNLL-U that a dependency has."""

MIN_DEPENDENCIES = 2

_DEPENDENCY = re.compile(
    r"\b([a-zA-Z][\w:]*+)\(\s*+[^\s(),]{1,60}?-([0-9]{1,7})'?\s*,\s*(\S{1,60}?)-([0-9]{1,7})'?\s*\)"
)


def list_typed_dependencies(text: str) -> Iterator[ParseCandidate]:
    """Yield the parses of a part of an answer, each with one dependency of a word."""
    rows: dict[int, Sequence[str]] = {}
    begin = end = 0
    for match in _DEPENDENCY.finditer(text):
        relation, head, word, number = match.groups()
        if int(number) in rows:
            yield from _candidate(rows, begin, end)
            rows = {}
        begin, end = begin if rows else match.start(), match.end()
        rows[int(number)] = (number, word, head, relation)
    yield from _candidate(rows, begin, end)


def _candidate(rows: dict[int, Sequence[str]], begin: int, end: int) -> Iterator[ParseCandidate]:
    if len(rows) >= MIN_DEPENDENCIES:
        in_order = [list(rows[number]) for number in sorted(rows)]
        candidate = candidate_of_rows(in_order, COLUMNS, begin, end)
        if candidate is not None:
            yield candidate
