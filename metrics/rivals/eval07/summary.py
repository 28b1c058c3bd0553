"""The summary of three lines, and with the option ``-b`` a line for each sentence above it."""

from __future__ import annotations

import numpy as np

from crossbank.metrics.rivals.eval07.tokens import Tokens
from crossbank.treebanks.arrays import Int64Array

SENTENCES_HEAD = (
    "     Sent.          Attachment      Correct        Scoring          \n"
    "    ID Tokens  -   Unlab. Lab.   HEAD HEAD+DEPREL   tokens   - - - -\n"
    f"  {'=' * 76}\n"
)


def summary(tokens: Tokens, scored: Int64Array) -> str:
    """Labelled and unlabelled attachment score and label accuracy; at least one token must be scored."""
    total = len(scored)
    rows = (
        ("Labeled   attachment score:", tokens.wrong),
        ("Unlabeled attachment score:", tokens.wrong_head),
        ("Label accuracy score:      ", tokens.wrong_relation),
    )
    lines = []
    for name, column in rows:
        wrong = int(column[scored].sum())
        lines.append(f"  {name} {total - wrong} / {total} * 100 = {right_percentage(wrong, total):.2f} %\n")
    return "".join(lines)


def by_sentence(tokens: Tokens, scored: Int64Array) -> str:
    """A line for each sentence with words, as in EVALB; percentages are NaN where no token counts."""
    sentences = len(tokens.lengths)
    counts = (
        tokens.lengths,
        np.bincount(tokens.sentence[scored], minlength=sentences),
        np.bincount(tokens.sentence[scored], tokens.wrong_head[scored], sentences).astype(np.int64),
        np.bincount(tokens.sentence[scored], tokens.wrong[scored], sentences).astype(np.int64),
    )
    lines = []
    for number, (words, total, wrong_heads, wrong) in enumerate(np.stack(counts, axis=1).tolist(), 1):
        if words:
            percentages = " ".join(
                f"{right_percentage(errors, total):6.2f}" if total else f"{'NaN':>6}"
                for errors in (wrong_heads, wrong)
            )
            right_heads, right = total - wrong_heads, total - wrong
            lines.append(
                f"  {number:4d} {words:4d}    0  {percentages}  {right_heads:4d}    {right:4d}"
                f"        {total:4d}    0 0 0 0\n"
            )
    return SENTENCES_HEAD + "".join(lines)


def right_percentage(wrong: int, total: int) -> float:
    """The percentage that is right. The last digit depends on the order of steps, which is the scorer's."""
    return 100 - wrong * 100.0 / total
