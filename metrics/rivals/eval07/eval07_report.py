"""Whole report, table after table, with the sentences that have most errors."""

from __future__ import annotations

import numpy as np

from crossbank.metrics.rivals.eval07.contexts import contexts, focus_words
from crossbank.metrics.rivals.eval07.eval07_tables import by_tag, heads, relations
from crossbank.metrics.rivals.eval07.frame_confusions import frames
from crossbank.metrics.rivals.eval07.specific_errors import specific_errors
from crossbank.metrics.rivals.eval07.tokens import END, START, Tokens
from crossbank.treebanks.arrays import Int64Array


def details(tokens: Tokens, scored: Int64Array, gold: str, system: str) -> str:
    """All after the summary; ``scored`` are the tokens that count, ``gold`` and ``system`` the files."""
    return (
        f"\n  {'=' * 80}\n\n"
        f"  Evaluation of the results in {system}\n  vs. gold standard {gold}:\n\n"
        f"  Legend: '{START}' - the beginning of a sentence, '{END}' - the end of a sentence\n\n"
        f"  Number of non-scoring tokens: {len(tokens.word) - len(scored)}\n\n"
        + by_tag(tokens, scored)
        + relations(tokens, scored)
        + heads(tokens, scored)
        + frames(tokens, scored)
        + focus_words(tokens, scored)
        + contexts(tokens, scored)
        + worst_sentences(tokens, scored)
        + specific_errors(tokens, scored)
    )


def worst_sentences(tokens: Tokens, scored: Int64Array) -> str:
    """Return the first sentence with most errors of each kind; sentences without words are numbered too."""
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
