"""Gold and candidate in a terminal, with what differs marked.

A sign marks a node that only one side has: ``-`` in gold (the candidate misses it), ``+`` in the candidate
(it is additional), ``~`` on both sides where only the label differs. ``~`` also marks a tag that differs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TextIO

from crossbank.metrics.pairing.pair import Pair
from crossbank.reports.results.differences import Mark, mark_nodes, mark_tags
from crossbank.reports.texts.colours import Tone, add_colour, has_colours
from crossbank.treebanks import Treebank
from crossbank.treebanks.pictures.terminal_text import tree_text

SIGNS = {Mark.SAME: "", Mark.RELABELLED: "~", Mark.MISSING: "-", Mark.ADDITIONAL: "+"}


COLOURS: Mapping[str, Tone] = {"~": "doubtful", "-": "bad", "+": "good"}
"""The colour of what has a sign, on a terminal."""


def format_tree_pair(pair: Pair, sentence: int, stream: TextIO | None = None) -> str:
    """Return gold and candidate, one under the other, with what differs marked and counted.

    stream  what the text is written to: where that has colours, what is marked has one, too
    """
    gold, candidate = mark_nodes(pair, sentence)
    tags = mark_tags(pair, sentence)
    missing = sum(mark is not Mark.SAME for mark in gold)
    additional = sum(mark is not Mark.SAME for mark in candidate)
    verdict = (
        f"{missing} of gold's nodes not found, {additional} of the candidate's not in gold, "
        f"{'1 tag differs' if sum(tags) == 1 else f'{sum(tags)} tags differ'} (- missing, + additional, "
        "~ other label)"
    )
    drawn = _format_tree(pair.gold, sentence, gold, tags, stream)
    other = _format_tree(pair.candidate, sentence, candidate, tags, stream)
    return "\n".join(["gold", drawn, "candidate", other, verdict])


def _format_tree(
    bank: Treebank, sentence: int, marks: Sequence[Mark], tags: Sequence[bool], stream: TextIO | None
) -> str:
    """Return a tree with signs before the labels that differ, which are coloured after the layout is done."""
    text = tree_text(bank, sentence, [SIGNS[mark] for mark in marks], tags)
    if stream is None or not has_colours(stream):
        return text
    rows = bank.nodes.rows(sentence)
    labels = bank.vocabulary.decode(bank.nodes.label[rows])
    signed = {SIGNS[mark] + label for mark, label in zip(marks, labels, strict=True) if SIGNS[mark]}
    words = bank.vocabulary.decode(bank.tokens.pos[bank.tokens.rows(sentence)])
    signed |= {f"~{tag}" for tag, differs in zip(words, tags, strict=True) if differs}
    *lines, last = text.rstrip("\n").split("\n")

    def paint(match: re.Match[str]) -> str:
        word = match[0]
        return add_colour(word, COLOURS[word[0]], stream) if word in signed else word

    return "\n".join([*(re.sub(r"\S+", paint, line) for line in lines), last, ""])
