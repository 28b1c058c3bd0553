"""Checks of how files are written: normal forms of Unicode, escaped brackets, line ends."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Self

import numpy as np

from crossbank.metrics.checks.check import MAX_KEYS, Check, ComparedChunk, Comparison, Diagnostic
from crossbank.metrics.pairing.pair import have_same_words, is_canonical
from crossbank.metrics.pairing.word_forms import ESCAPES, canonical, has_escape
from crossbank.treebanks import Treebank
from crossbank.treebanks.files import STANDARD

HEAD = 1 << 16
"""The number of bytes of a file in which a line end is looked for."""

BRACKETS = frozenset(ESCAPES.values())
"""The characters that are escaped."""


@dataclass(frozen=True, eq=False)
class OtherNormalForms(Check):
    """Forms are in NFC on one side and in NFD on the other, or escaped on one side only.

    Kept are the distinct forms of each side that are not ASCII or have brackets: at least the first
    ``MAX_KEYS`` in alphabetical order, on which it reports.
    """

    is_of_sources: ClassVar[bool] = True

    gold: frozenset[str]
    candidate: frozenset[str]
    differ: bool

    @classmethod
    def may_report(cls, chunk: ComparedChunk) -> bool:
        """Whether forms differ."""
        return not have_same_words(chunk.gold, chunk.candidate)

    @classmethod
    def observe(cls, chunk: ComparedChunk) -> Self:
        """Take the forms of both sides that are not ASCII, escapes and brackets."""
        gold, candidate = chunk.gold, chunk.candidate
        differ = not (is_canonical(gold.vocabulary) and is_canonical(candidate.vocabulary))
        return cls(_special_forms(gold), _special_forms(candidate), differ)

    def followed_by(self, other: Self, distance: int) -> Self:
        """Return the forms of two runs."""
        return type(self)(
            _joined(self.gold, other.gold),
            _joined(self.candidate, other.candidate),
            self.differ or other.differ,
        )

    def report(self, comparison: Comparison) -> Iterator[Diagnostic]:
        """Report decomposed forms beside composed ones, and escapes beside brackets."""
        if not self.differ:
            return
        forms = (_first(self.gold), _first(self.candidate))
        names = (("gold", "the candidate"), ("the candidate", "gold"))
        plain = [{form for form in side if not form.isascii()} for side in forms]
        composed = [sum(unicodedata.is_normalized("NFC", form) for form in side) for side in plain]
        for own, (side, other) in enumerate(names):
            decomposed = len(plain[own]) - composed[own]
            if decomposed > 0.5 * len(plain[own]) and composed[1 - own] > 0.5 * len(plain[1 - own]):
                yield Diagnostic(
                    "normalisation",
                    f"{decomposed:,} forms of {side} are decomposed (NFD), those of {other} composed (NFC)",
                    "they are compared as if both were NFC; write files in NFC for other programs",
                )
        sources = (comparison.gold.file, comparison.candidate.file)
        gold, candidate = (Path(file.removesuffix(".gz")) for file in sources)
        if gold.suffix != candidate.suffix or (not gold.suffix and (str(gold) == STANDARD or gold.exists())):
            return  # formats that need escapes are beside those that do not, or names tell no format
        escaped = [{form for form in side if any(escape in form for escape in ESCAPES)} for side in forms]
        brackets = [{form for form in side if form in BRACKETS} for side in forms]
        for own, (side, _) in enumerate(names):
            raw = {canonical(form) for form in escaped[own]}
            if escaped[own] and not brackets[own] and brackets[1 - own] & raw:
                yield Diagnostic(
                    "escapes",
                    f"only {side} writes brackets as {sorted(escaped[own])[0]}",
                    "they are compared as the same words here; other programs take them for different ones",
                )


def is_special(form: str) -> bool:
    """Whether a form is not ASCII, contains an escape or is a bracket."""
    return not form.isascii() or form in BRACKETS or has_escape(form)


def _joined(one: frozenset[str], other: frozenset[str]) -> frozenset[str]:
    if other <= one:
        return one
    forms = one | other
    # Sorting as often as there are chunks would take longer than all else.
    return _first(forms) if len(forms) > 4 * MAX_KEYS else forms


def _first(forms: frozenset[str]) -> frozenset[str]:
    """Return the first forms in alphabetical order: the same whatever the chunks are."""
    return forms if len(forms) <= MAX_KEYS else frozenset(sorted(forms)[:MAX_KEYS])


def _special_forms(bank: Treebank) -> frozenset[str]:
    """Return the forms that are not ASCII, contain an escape or are a bracket."""
    vocabulary = bank.vocabulary
    special = np.flatnonzero(vocabulary.matching(is_special, keep=True))
    if not len(special):
        return frozenset()
    special = np.intersect1d(special, vocabulary.occurring(bank.tokens.form), assume_unique=True)
    return frozenset(vocabulary.decode(special))


@dataclass(frozen=True, eq=False)
class OtherLineEnds(Check):
    """One file has Windows line ends and the other has not. Kept is nothing: the facts name the files."""

    is_of_sources: ClassVar[bool] = True

    @classmethod
    def may_report(cls, chunk: ComparedChunk) -> bool:
        """Whether both were read from the lines of files."""
        return all(len(bank) and bank.sentences.line[0] for bank in (chunk.gold, chunk.candidate))

    @classmethod
    def observe(cls, chunk: ComparedChunk) -> Self:
        """Observe nothing."""
        return cls()

    def report(self, comparison: Comparison) -> Iterator[Diagnostic]:
        """Report line ends of Windows in one of two files."""
        ends = []
        for name in (comparison.gold.file, comparison.candidate.file):
            path = Path(name)
            if not name or path.suffix == ".gz" or not path.is_file():
                return
            with path.open("rb") as stream:
                ends.append(b"\r\n" in stream.read(HEAD))
        if ends[0] != ends[1]:
            yield Diagnostic(
                "line_ends",
                f"only the file of {'gold' if ends[0] else 'the candidate'} has Windows line ends (CRLF)",
                "they are read as line ends here; other programs may take them as part of the last word",
            )
