"""The whole report, table behind table."""

from __future__ import annotations

from crossbank.metrics.rivals.eval07.contexts import contexts, focus_words
from crossbank.metrics.rivals.eval07.frames import frames
from crossbank.metrics.rivals.eval07.precision_recall import heads, relations
from crossbank.metrics.rivals.eval07.specific_errors import specific_errors
from crossbank.metrics.rivals.eval07.tags import by_tag
from crossbank.metrics.rivals.eval07.tokens import END, START, Tokens
from crossbank.metrics.rivals.eval07.worst_sentences import worst_sentences
from crossbank.treebanks.arrays import Int64Array


def details(tokens: Tokens, scored: Int64Array, gold: str, system: str) -> str:
    """All behind the summary; ``scored`` are the tokens that count, ``gold`` and ``system`` the files."""
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
