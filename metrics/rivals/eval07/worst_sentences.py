"""The sentences with most errors: of words, of heads and of relations."""

from __future__ import annotations

import numpy as np

from crossbank.metrics.rivals.eval07.tokens import Tokens
from crossbank.treebanks.arrays import Int64Array


def worst_sentences(tokens: Tokens, scored: Int64Array) -> str:
    """The first sentence with most errors of each kind; sentences without words are numbered too."""
    sentence, sentences = tokens.sentence[scored], len(tokens.starts)
    errors = {
        kind: np.bincount(sentence, wrong[scored], sentences).astype(np.int64)
        for kind, wrong in (
            ("word", tokens.wrong),
            ("head", tokens.wrong_head),
            ("dependency", tokens.wrong_relation),
        )
    }
    parts = []
    for kind, counts in errors.items():
        worst = int(counts.argmax())
        parts.append(
            f"  Sentence with the highest number of {kind} errors:\n"
            f"   Sentence {worst + 1} line {tokens.starts[worst]}, {errors['head'][worst]} head errors, "
            f"{errors['dependency'][worst]} dependency errors, {errors['word'][worst]} word errors\n"
        )
    return "\n\n".join(parts)
