"""Matches of a pattern as text: in context, one below the other (key word in context), and counted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from crossbank.converters.patterns.matching import Match, Matches


class Searched(NamedTuple):
    """A file that was searched, and its matches."""

    file: str
    matches: Matches

    @property
    def sentences(self) -> int:
        """Number of sentences with a match."""
        return len(set(self.matches.sentences.tolist()))


class Line(NamedTuple):
    """A match in context: the words before it, the match with its label in brackets, the words after it."""

    place: str
    before: str
    match: str
    after: str


def in_context(searched: Searched, prefix: str, words: int | None) -> Iterable[Line]:
    """Yield a line for each match.

    prefix  comes before the identifier of each sentence
    words   the number of words on both sides; None for the whole sentence
    """
    bank = searched.matches.bank
    for match in searched.matches:
        sentence = bank.words(match.sentence)
        first, last = match.tokens[0], match.tokens[-1] + 1
        begin, end = (0, len(sentence)) if words is None else (max(first - words, 0), last + words)
        yield Line(
            f"{prefix}{bank.sentence_id(match.sentence)}",
            " ".join(sentence[begin:first]),
            marked(sentence, match),
            " ".join(sentence[last:end]),
        )


def marked(sentence: Sequence[str], match: Match) -> str:
    """Return the words from the first to the last of a match; each block of its own words is in brackets.

    A label comes before its words: ``[VP Darüber] wird [VP nachgedacht]``.
    """
    own = set(match.tokens)
    label = f"{match.label} " if match.words != (match.label,) else ""
    written = []
    for place in range(match.tokens[0], match.tokens[-1] + 1):
        word = sentence[place]
        if place in own:
            word = word if place - 1 in own else f"[{label}{word}"
            word = word if place + 1 in own else f"{word}]"
        written.append(word)
    return " ".join(written)


def aligned(lines: Sequence[Line]) -> Iterable[str]:
    """Yield the lines with their matches below each other."""
    places = max((len(line.place) for line in lines), default=0)
    before = max((len(line.before) for line in lines), default=0)
    for line in lines:
        yield f"{line.place:<{places}}  {line.before:>{before}} {line.match} {line.after}".rstrip()


def counted(searched: Sequence[Searched]) -> list[dict[str, str | int]]:
    """Numbers of matches, of sentences with one and of all sentences: of each file, then of all."""
    counts = [(len(one.matches), one.sentences, len(one.matches.bank)) for one in searched]
    names = [*(one.file for one in searched), "all"]
    rows = zip(names, [*counts, tuple(map(sum, zip(*counts, strict=True)))], strict=True)
    return [{"file": name, **dict(zip(("matches", "sentences", "of"), of, strict=True))} for name, of in rows]


def as_table(rows: Sequence[dict[str, str | int]]) -> Iterable[str]:
    """Yield the lines of a table of counts."""
    width = max(len(str(row["file"])) for row in rows)
    yield f"{'':<{width}}  matches  in sentences  of all"
    for row in rows:
        yield f"{row['file']:<{width}}  {row['matches']:>7,}  {row['sentences']:>12,}  {row['of']:>6,}"
