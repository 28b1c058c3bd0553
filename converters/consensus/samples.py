"""Several analyses of each sentence, such as samples of a language model, as candidates of a consensus."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from crossbank.treebanks import Treebank
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.readings import analysis_offsets
from crossbank.treebanks.sentence_matching import is_unordered, match_sentences


def match_candidates(banks: Sequence[Treebank]) -> list[Treebank]:
    """Return candidates with the same sentences in the same order, where these come in any order.

    The order is that of the first candidate whose order counts, else of the first one with most sentences.
    Sentences of another one are those with the same identifier, else with the same text, else in the same
    order; see ``treebanks.sentence_matching``.
    """
    if not any(map(is_unordered, banks)):
        return list(banks)
    ordered = [bank for bank in banks if not is_unordered(bank)]
    model = (ordered or sorted(banks, key=lambda bank: -int(bank.sentences.ordinal.max(initial=0))))[0]
    return [
        match_sentences(model, bank) if is_unordered(bank) and bank is not model else bank for bank in banks
    ]


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
