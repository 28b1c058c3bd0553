"""Counts of damaged sentences, and their text in signatures."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from crossbank.treebanks.damage.correction import SKIPPED, STEP
from crossbank.treebanks.treebank import Treebank

REPAIRED = "sentences repaired"
"""Key of the number of sentences with a repair; damaged sentences without a parse have ``SKIPPED``."""

_SHORT = {SKIPPED: "skipped", REPAIRED: "repaired"}


def note_damage(*banks: Treebank) -> dict[str, int]:
    """Return the numbers of damaged sentences of gold and candidate without a parse, and of repaired ones."""
    notes: dict[str, int] = {}
    for bank in banks:
        diagnostics = [one for one in bank.diagnosis if one.step == STEP]
        if not diagnostics:
            continue
        skipped = sum(
            (one.counts > 0 for one in diagnostics if one.event == SKIPPED), np.zeros(len(bank), int)
        )
        repaired = sum(
            (one.counts > 0 for one in diagnostics if one.event != SKIPPED), np.zeros(len(bank), int)
        )
        for note, column in ((SKIPPED, skipped), (REPAIRED, np.where(skipped, 0, repaired))):
            if number := int(np.count_nonzero(column)):
                notes[note] = notes.get(note, 0) + number
    return notes


def damage_in_signature(notes: Mapping[str, int]) -> str:
    """Return the value of the choice ``damaged``: ``skipped:3,repaired:2``; empty without damage."""
    return ",".join(f"{short}:{notes[note]}" for note, short in _SHORT.items() if note in notes)
