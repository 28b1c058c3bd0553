"""Several analyses of each sentence, such as samples of a language model, as candidates of a consensus."""

from __future__ import annotations

import numpy as np

from crossbank.treebanks import Treebank
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.readings import analysis_offsets


def split_analyses(bank: Treebank) -> list[Treebank]:
    """Return a treebank of the first analysis of each sentence, one of the second ones, and so on.

    A sentence with fewer analyses has no words in the later ones. A treebank with one analysis each is
    returned alone.
    """
    if not bank.has_several_analyses:
        return [bank]
    offsets = analysis_offsets(bank)
    first, lengths = offsets[:-1], np.diff(offsets)
    builder = TreebankBuilder()
    builder.sentence()
    with_empty = Treebank.concatenate([bank, builder.build().replace(history=bank.history)])
    candidates = []
    for number in range(int(lengths.max())):
        one = with_empty.select(np.where(lengths > number, first + number, len(bank)))
        sentences = bank.sentences.select(first)
        candidates.append(one.replace(sentences=sentences, diagnosis=()))
    return candidates
