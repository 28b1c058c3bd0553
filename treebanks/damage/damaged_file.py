"""Reading of a file with damaged sentences: a chunk that its reader refuses is corrected and read again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from os import PathLike
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from crossbank.treebanks.damage.correction import CorrectedText, Damage, correct
from crossbank.treebanks.damage.rules import DamagePolicy, DamageRules
from crossbank.treebanks.diagnosis import Finding
from crossbank.treebanks.errors import CrossbankError, FormatError
from crossbank.treebanks.files import clean, decode_leniently
from crossbank.treebanks.treebank import Treebank

if TYPE_CHECKING:
    from crossbank.treebanks.formats.streaming import TextChunks

Result = TypeVar("Result")

LAST_BYTES = 1 << 16
"""The number of bytes at the end of a text among which its last sentence begins, as a rule."""


class DamagedFile:
    """What happens to the damaged sentences of a file.

    rules   what the format says about damage
    policy  whether damaged sentences are repaired
    """

    def __init__(self, path: str | PathLike[str], rules: DamageRules, policy: DamagePolicy) -> None:
        self.path, self.rules, self.policy = path, rules, policy
        self._first_error: CrossbankError | None = None
        self._waiting: list[Treebank] = []
        self._has_sentence = self._has_undamaged = False

    def read(
        self,
        text: bytes,
        chunks: TextChunks,
        read: Callable[[bytes], Result],
        *,
        before: tuple[int, int] = (0, 0),
        is_doubtful: Callable[[Result], bool] | None = None,
    ) -> tuple[Result, CorrectedText | None]:
        """Return what ``read`` makes of a chunk, and the chunk as it was corrected, if it was.

        before       the numbers of sentences and lines before the chunk
        is_doubtful  whether a text that can be read may be damaged all the same

        The end of a damaged chunk, in which a sentence may be cut, is put before the next one.
        """
        corrected: CorrectedText | None = None
        try:
            clean(text, self.path)
            result = read(text)
        except CrossbankError as error:
            if isinstance(error, FormatError):
                error = error.moved(*before)
            self._first_error = self._first_error or error
            corrected = self._corrected(text, chunks, read)
        else:
            if is_doubtful is not None and is_doubtful(result):
                # If no sentence of the file looks undamaged, its trees are laid out in this way.
                corrected = self._corrected(text, chunks, read)
                corrected = corrected if corrected.undamaged or self._has_undamaged else None
            if corrected is None:
                self._has_undamaged = self._has_undamaged or is_doubtful is None or not is_doubtful(result)
                return result, None
        self._has_undamaged = self._has_undamaged or corrected.undamaged > 0
        chunks.push_back(corrected.rest)
        try:
            return read(corrected.text), corrected
        except CrossbankError:
            # What is damaged is no sentence, such as the head of the file.
            if self._first_error is None:
                raise
            raise self._first_error from None

    def skip_damaged(
        self,
        text: bytes,
        chunks: TextChunks,
        read: Callable[[bytes], tuple[Result, list[int], int] | None],
        cut: Callable[[bytes], int],
    ) -> tuple[bytes, Result, CorrectedText | None] | None:
        """Return a chunk and what it holds, without the damaged sentences, in one pass; with their lines.

        read  returns also the lines of damaged sentences and the number of all; None if it is doubtful where
              sentences begin and end
        cut   returns the offset after the last whole sentence of a text

        Returns None if the chunk must be corrected first. Its last sentence, which may go on, is put before
        the next chunk.
        """
        if self.policy is not DamagePolicy.SKIP:
            return None
        begin = 0 if chunks.is_last else _begin_of_last(text, cut)
        part = text[:begin] if begin else text
        try:
            clean(part, self.path)
            skipped = read(part)
        except CrossbankError:
            return None
        if skipped is None or (skipped[1] and not begin and not chunks.is_last):
            return None
        if begin:
            chunks.push_back(text[begin:])
        result, lines, sentences = skipped
        self._has_undamaged = True
        if not lines:
            return part, result, None
        corrected = CorrectedText(
            part, first=[1], original=[1], lines=part.count(b"\n"), undamaged=sentences - len(lines)
        )
        corrected.damages = [Damage(line, Counter(), True) for line in lines]
        return part, result, corrected

    def _corrected(self, text: bytes, chunks: TextChunks, read: Callable[[bytes], object]) -> CorrectedText:
        return correct(decode_leniently(text), self.rules, read, self.policy, is_last=chunks.is_last)

    def skip(
        self,
        text: bytes,
        bank: Treebank,
        corrected: CorrectedText | None,
        lines: Sequence[int],
        error: FormatError,
    ) -> tuple[Treebank, CorrectedText]:
        """Return a chunk in which the sentences at some lines have no parse either; ``error``: the first."""
        self._first_error = self._first_error or error
        if corrected is None:
            lines_of_text = text.count(b"\n")
            corrected = CorrectedText(text, first=[1], original=[1], lines=lines_of_text, undamaged=len(bank))
        for line in lines:
            corrected.skip(line)
        is_read = ~np.isin(bank.sentences.line, lines)
        diagnosis = (Finding(one.step, one.event, one.counts * is_read) for one in bank.diagnosis)
        return bank.replace(diagnosis=tuple(one for one in diagnosis if one.total)), corrected

    def release(self, bank: Treebank, corrected: CorrectedText | None) -> Iterator[Treebank]:
        """Yield the treebank of a chunk, as soon as a sentence of the file is not damaged."""
        self._has_sentence = self._has_sentence or (
            bool(len(bank)) if corrected is None else corrected.undamaged > 0
        )
        self._waiting.append(bank)
        while self._has_sentence and self._waiting:
            yield self._waiting.pop(0)

    def require_sentence(self) -> None:
        """Raise the first error if no sentence of the file can be read."""
        if self._first_error is not None and not self._has_sentence:
            raise self._first_error


def _begin_of_last(text: bytes, cut: Callable[[bytes], int]) -> int:
    """Return the offset at which the last sentence of a text begins; 0 if that is not known."""
    before = max(len(text) - LAST_BYTES, 0)
    begin = cut(text[before:].rstrip())
    return before + begin if begin else cut(text.rstrip())
