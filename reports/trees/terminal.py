"""Trees in a terminal: one tree, or gold and candidate with what differs marked.

A node that only one side has bears a sign: ``-`` gold's, which is missing, ``+`` the candidate's, which
is additional, ``~`` on both sides where they differ in the label alone; a tag that differs bears ``~``.
"""

from __future__ import annotations

from crossbank.metrics.pairing.pair import Pair
from crossbank.reports.results.differences import Mark, node_marks, tag_marks
from crossbank.treebanks import Treebank

SIGNS = {Mark.SAME: "", Mark.RELABELLED: "~", Mark.MISSING: "-", Mark.ADDITIONAL: "+"}


def drawn(bank: Treebank, sentence: int) -> str:
    """One sentence's tree as text, discontinuous ones with crossing branches."""
    return _picture(bank, sentence, ["" for _ in range(int(bank.nodes.lengths()[sentence]))], None)


def drawn_pair(pair: Pair, sentence: int) -> str:
    """Gold and candidate, one under the other, with what differs marked and counted."""
    gold, candidate = node_marks(pair, sentence)
    tags = tag_marks(pair, sentence)
    missing = sum(mark is not Mark.SAME for mark in gold)
    additional = sum(mark is not Mark.SAME for mark in candidate)
    verdict = (
        f"{missing} of gold's nodes not found, {additional} of the candidate's not in gold, "
        f"{sum(tags)} tags differ (- missing, + additional, ~ other label)"
    )
    return "\n".join(
        [
            "gold",
            _picture(pair.gold, sentence, [SIGNS[mark] for mark in gold], tags),
            "candidate",
            _picture(pair.candidate, sentence, [SIGNS[mark] for mark in candidate], tags),
            verdict,
        ]
    )


def _picture(bank: Treebank, sentence: int, signs: list[str], tags: list[bool] | None) -> str:
    from nltk.tree.prettyprinter import TreePrettyPrinter

    marked = bank.select([sentence])
    vocabulary, labels = marked.vocabulary.extended(
        sign + label for sign, label in zip(signs, marked.vocabulary.decode(marked.nodes.label), strict=True)
    )
    wrong = tags or [False] * len(marked.tokens)
    vocabulary, pos = vocabulary.extended(
        ("~" if differs else "") + tag
        for differs, tag in zip(wrong, marked.vocabulary.decode(marked.tokens.pos), strict=True)
    )
    marked = marked.replace(
        vocabulary=vocabulary,
        nodes=marked.nodes.replace(label=labels),
        tokens=marked.tokens.replace(pos=pos),
    )
    words = marked.words(0)
    return str(TreePrettyPrinter(marked.tree(0, indices=True), sentence=words).text(unicodelines=True))
