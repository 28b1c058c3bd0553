"""Correction of a text with damaged sentences: every sentence but these is read unchanged.

A text is cut into the blocks of its sentences by the rule of its format. A block is damaged if its format can
tell so from the block, or if the format's own reader refuses it; blocks are read in batches, and a batch that
is refused is cut until the block is known. A damaged block is replaced by its repaired form or by
a sentence without a parse, and the corrected text is read like any other. An undamaged file is never cut.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from crossbank.treebanks.arrays import BoolArray
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.damage.rules import DamagePolicy, DamageRules
from crossbank.treebanks.errors import CrossbankError, FormatError
from crossbank.treebanks.treebank import Treebank

STEP = "damage"
"""The step of the diagnosis under which damage is counted."""

SKIPPED = "damaged sentences without a parse"
"""The event for sentences that have no parse because they are damaged."""

REPLACED = "characters that are not text replaced"

BATCH = 64
"""The number of sentences that are read at once to find the damaged ones."""

Read = Callable[[bytes], object]
"""A function that reads a text, and raises an error where it cannot."""

Refusal = Callable[[Sequence[str]], Exception | None]
"""A function that returns the error with which a reader refuses some blocks; None if it reads them."""


class Damage(NamedTuple):
    """A damaged sentence of a corrected text.

    line        the line in the corrected text in which it begins
    kinds       what was repaired, or what would have been, with how often
    is_skipped  whether it has no parse
    """

    line: int
    kinds: Counter[str]
    is_skipped: bool


@dataclass
class CorrectedText:
    """A text in which damaged sentences were replaced.

    text       the text, in UTF-8
    rest       the end of the text as it was, which belongs to the text after it
    damages    the damaged sentences
    first      the lines in which blocks begin in this text
    original   the same in the text as it was
    lines      the number of line ends of the text as it was, without ``rest``
    undamaged  the number of sentences that were not damaged, were repaired, or have the format's mark
    """

    text: bytes = b""
    rest: bytes = b""
    damages: list[Damage] = field(default_factory=list)
    first: list[int] = field(default_factory=list)
    original: list[int] = field(default_factory=list)
    lines: int = 0
    undamaged: int = 0

    def skip(self, line: int) -> None:
        """Note that the sentence at a line of the text, which was read or repaired, has no parse."""
        self.damages = [damage for damage in self.damages if damage.line != line]
        self.damages.append(Damage(line, Counter(), True))
        self.undamaged -= 1

    def annotate(self, bank: Treebank) -> Treebank:
        """Return the treebank of the text with its damage in the diagnosis, and with the original lines."""
        table = bank.sentences
        lines = np.array([damage.line for damage in self.damages], np.int64)
        sentences = np.minimum(np.searchsorted(table.line, lines), len(bank) - 1)
        is_skipped = np.array([damage.is_skipped for damage in self.damages], np.bool_)
        skipped = np.bincount(sentences[is_skipped], minlength=len(bank)).astype(np.int32)
        counts = {SKIPPED: skipped} if skipped.any() else {}
        for damage, sentence in zip(self.damages, sentences.tolist(), strict=True):
            for event, number in damage.kinds.items() if not damage.is_skipped else ():
                counts.setdefault(event, np.zeros(len(bank), np.int32))[sentence] += number
        block = np.searchsorted(self.first, table.line, "right") - 1
        moved = np.asarray(self.original) - np.asarray(self.first)
        bank = bank.replace(sentences=table.replace(line=(table.line + moved[block]).astype(np.int32)))
        return _without_contents(bank, skipped > 0).with_counts(STEP, counts)


def _without_contents(bank: Treebank, skipped: BoolArray) -> Treebank:
    """Return the treebank in which some sentences are empty.

    A format may have no sentence without words: it has a word for it, which is deleted here.
    """
    filled = skipped & (bank.tokens.lengths() + bank.nodes.lengths() + bank.relations.lengths() > 0)
    if not filled.any():
        return bank
    builder = TreebankBuilder()
    builder.sentence()
    rows = np.where(filled, len(bank), np.arange(len(bank)))
    emptied = Treebank.concatenate([bank, builder.build().replace(history=bank.history)]).select(rows)
    return emptied.replace(sentences=bank.sentences)


def correct(
    text: str, rules: DamageRules, read: Read, policy: DamagePolicy, *, is_last: bool = True
) -> CorrectedText:
    """Return a text without its damage; ``is_last``: nothing follows it in its file."""
    blocks = rules.split(text)
    rest = blocks.pop() if blocks and not is_last else ""
    # A reader refuses what is no text wherever it is; in a sentence it is damage.
    begin, end = rules.frames[0], len(blocks) - rules.frames[1]
    blocks[:begin] = [block.replace("\0", "\ufffd") for block in blocks[:begin]]
    blocks[end:] = [block.replace("\0", "\ufffd") for block in blocks[end:]]
    frame = "".join(blocks[:begin]), "".join(blocks[end:])
    sentences = [index for index in range(begin, end) if blocks[index] and not blocks[index].isspace()]

    def refusal(chosen: Sequence[str]) -> Exception | None:
        try:
            read(_encoded("".join((frame[0], *chosen, frame[1]))))
        except (CrossbankError, UnicodeError) as error:
            return error
        return None

    damaged = {index for index in sentences if "\0" in blocks[index]}
    damaged.update(rules.find_damaged(blocks))
    if not rules.finds_all:
        remaining = [index for index in sentences if index not in damaged]
        damaged.update(_unreadable(blocks, remaining, refusal, frame[0].count("\n")))
    # A mark that only this format has shows that a damaged sentence is one.
    marked = damaged if rules.has_marks else set()
    corrected = CorrectedText(rest=_encoded(rest), undamaged=len(sentences) - len(damaged - marked))
    replacements = _replacements(blocks, damaged, rules, refusal, policy)
    parts = []
    line = original = 1
    for index, block in enumerate(blocks):
        corrected.first.append(line)
        corrected.original.append(original)
        lines = block.count("\n")
        original += lines
        if index in replacements:
            block, kinds, is_skipped = replacements[index]
            lines = block.count("\n")
            if block:
                corrected.damages.append(Damage(line, kinds, is_skipped))
                corrected.undamaged += not is_skipped
        parts.append(block)
        line += lines
    corrected.lines = original - 1
    corrected.text = _encoded("".join(parts))
    return corrected


class Replacement(NamedTuple):
    """What replaces a damaged block: nothing for a Markdown fence. See ``Damage``."""

    text: str
    kinds: Counter[str]
    is_skipped: bool


def _replacements(
    blocks: Sequence[str],
    damaged: Iterable[int],
    rules: DamageRules,
    refusal: Refusal,
    policy: DamagePolicy,
) -> dict[int, Replacement]:
    """Return what replaces each damaged block."""
    replacements: dict[int, Replacement] = {}
    repaired: dict[int, Replacement] = {}
    for index in damaged:
        block = blocks[index]
        kinds = Counter({REPLACED: block.count("\0")} if "\0" in block else {})
        block = block.replace("\0", "\ufffd")
        if is_fence(block):
            replacements[index] = Replacement("", kinds, True)
            continue
        replacements[index] = Replacement(rules.without_parse(block), kinds, True)
        if policy is DamagePolicy.REPAIR:
            text, repairs = rules.repair(block)
            if text:
                repaired[index] = Replacement(text, kinds + repairs, False)
    texts = [replacement.text for replacement in repaired.values()]
    if rules.finds_all:
        unrepaired = set(rules.find_damaged(texts))
    else:
        unrepaired = {number for number, text in enumerate(texts) if refusal([text]) is not None}
    for number, (index, replacement) in enumerate(repaired.items()):
        if number not in unrepaired:
            replacements[index] = replacement
    return replacements


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def is_fence(text: str) -> bool:
    """Return whether each line of a text is a Markdown fence or blank."""
    return all(not line.strip() or line.lstrip().startswith(("```", "~~~")) for line in text.split("\n"))


def _unreadable(
    blocks: Sequence[str], indices: Sequence[int], refusal: Refusal, lines_before: int
) -> Iterator[int]:
    """Yield the indices of the blocks that the reader refuses, of which there are some.

    A batch that is refused is cut at the block with the line of the error, which is read alone; without
    a line it is halved.
    """
    batches = [indices[first : first + BATCH] for first in range(0, len(indices), BATCH)]
    while batches:
        batch = batches.pop()
        error = refusal([blocks[index] for index in batch])
        if error is None:
            continue
        if len(batch) == 1:
            yield batch[0]
            continue
        cut = len(batch) // 2, len(batch) // 2
        if isinstance(error, FormatError) and error.line is not None:
            ends = accumulate(blocks[index].count("\n") for index in batch)
            line = error.line - lines_before
            damaged = next((index for index, end in enumerate(ends) if end >= line), len(batch) - 1)
            cut = damaged, damaged + 1
        batches += filter(None, (batch[: cut[0]], batch[cut[0] : cut[1]], batch[cut[1] :]))
