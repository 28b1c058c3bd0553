"""Correction of a text with damaged sentences: every sentence but these is read unchanged.

A text is cut into the blocks of its sentences by the rule of its format. A block is damaged if its format can
tell so from the block, or if the format's own reader refuses it; blocks are read in batches, and a batch that
is refused is halved until the block is known. A damaged block is replaced by its repaired form or by
a sentence without a parse, and the corrected text is read like any other. An undamaged file is never cut.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import NamedTuple

import numpy as np

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

Loads = Callable[[str], Treebank]

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

    text       the text
    damages    the damaged sentences
    first      the lines in which blocks begin in this text
    original   the same in the text as it was
    undamaged  the number of sentences that were not damaged or were repaired
    """

    text: str = ""
    damages: list[Damage] = field(default_factory=list)
    first: list[int] = field(default_factory=list)
    original: list[int] = field(default_factory=list)
    undamaged: int = 0

    def annotate(self, bank: Treebank) -> Treebank:
        """Return the treebank of the text with its damage in the diagnosis, and with the original lines."""
        table = bank.sentences
        counts: dict[str, np.ndarray] = {}
        skipped = np.zeros(len(bank), np.bool_)
        for damage in self.damages:
            sentence = int(np.searchsorted(table.line, damage.line, "right")) - 1
            sentence = min(max(sentence, 0), len(bank) - 1)
            skipped[sentence] |= damage.is_skipped
            events = Counter({SKIPPED: 1}) if damage.is_skipped else damage.kinds
            for event, number in events.items():
                counts.setdefault(event, np.zeros(len(bank), np.int32))[sentence] += number
        block = np.searchsorted(self.first, table.line, "right") - 1
        moved = np.asarray(self.original) - np.asarray(self.first)
        bank = bank.replace(sentences=table.replace(line=(table.line + moved[block]).astype(np.int32)))
        # A format may have no sentence without words: it has a word for it, which is deleted.
        bank = bank.without_tokens(np.repeat(skipped, bank.tokens.lengths()), STEP)
        return bank.with_counts(STEP, counts)


def correct(text: str, rules: DamageRules, loads: Loads, policy: DamagePolicy) -> CorrectedText:
    """Return a text without its damage."""
    blocks = rules.split(text)
    # A reader refuses what is no text wherever it is; in a sentence it is damage.
    begin, end = rules.frames[0], len(blocks) - rules.frames[1]
    blocks[:begin] = [block.replace("\0", "\ufffd") for block in blocks[:begin]]
    blocks[end:] = [block.replace("\0", "\ufffd") for block in blocks[end:]]
    frame = "".join(blocks[:begin]), "".join(blocks[end:])
    sentences = [index for index in range(begin, end) if blocks[index] and not blocks[index].isspace()]

    def refusal(chosen: Sequence[str]) -> Exception | None:
        try:
            loads("".join((frame[0], *chosen, frame[1])))
        except (CrossbankError, UnicodeError) as error:
            return error
        return None

    damaged = {index for index in sentences if "\0" in blocks[index]}
    damaged.update(rules.find_damaged(blocks))
    remaining = [index for index in sentences if index not in damaged]
    damaged.update(_unreadable(blocks, remaining, refusal, has_lines=rules.has_lines))
    corrected = CorrectedText(undamaged=len(sentences) - len(damaged))
    parts = []
    line = original = 1
    for index, block in enumerate(blocks):
        corrected.first.append(line)
        corrected.original.append(original)
        replacement = block
        if index in damaged:
            replacement, damage = _replace(block, line, rules, refusal, policy)
            if replacement:
                corrected.damages.append(damage)
                corrected.undamaged += not damage.is_skipped
        parts.append(replacement)
        line += replacement.count("\n")
        original += block.count("\n")
    corrected.text = "".join(parts)
    return corrected


def _replace(
    block: str,
    line: int,
    rules: DamageRules,
    refusal: Refusal,
    policy: DamagePolicy,
) -> tuple[str, Damage]:
    """Return what replaces a damaged block, and its record; nothing for a Markdown fence."""
    kinds = Counter({REPLACED: block.count("\0")} if "\0" in block else {})
    block = block.replace("\0", "\ufffd")
    skipped = Damage(line, kinds, True)
    if is_fence(block):
        return "", skipped
    if policy is DamagePolicy.REPAIR:
        repaired = rules.repair(block)
        if repaired.text and refusal([repaired.text]) is None:
            return repaired.text, Damage(line, kinds + repaired.kinds, False)
    return rules.without_parse(block), skipped


def is_fence(text: str) -> bool:
    """Return whether each line of a text is a Markdown fence or blank."""
    return all(not line.strip() or line.lstrip().startswith(("```", "~~~")) for line in text.split("\n"))


def _unreadable(
    blocks: Sequence[str], indices: Sequence[int], refusal: Refusal, *, has_lines: bool
) -> Iterator[int]:
    """Yield the indices of the blocks that the reader refuses."""
    if not indices or refusal([blocks[index] for index in indices]) is None:
        return
    batches = [indices[first : first + BATCH] for first in range(0, len(indices), BATCH)]
    while batches:
        batch = batches.pop()
        error = refusal([blocks[index] for index in batch])
        if error is None:
            continue
        if len(batch) == 1:
            yield batch[0]
        elif has_lines and isinstance(error, FormatError) and error.line is not None:
            ends = accumulate(blocks[index].count("\n") for index in batch)
            damaged = next((place for place, end in enumerate(ends) if end >= error.line), len(batch) - 1)
            yield batch[damaged]
            batches += [batch[damaged + 1 :]] * (damaged + 1 < len(batch))
        else:
            middle = len(batch) // 2
            batches += [batch[:middle], batch[middle:]]
