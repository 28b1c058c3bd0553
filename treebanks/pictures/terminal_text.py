"""Sentences as text for terminals: the tree with its branches, or the tokens with their heads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from crossbank.treebanks.extras import needing
from crossbank.treebanks.tables import ROOT, UNATTACHED, Tables

if TYPE_CHECKING:
    from crossbank.treebanks.treebank import Treebank


def sentence_text(bank: Treebank, sentence: int) -> str:
    """Return the tree of a sentence that has one; else a line for each token."""
    return (tree_text if bank.nodes.lengths()[sentence] else heads_text)(bank, sentence)


def tree_text(
    bank: Treebank,
    sentence: int,
    signs: Sequence[str] | None = None,
    tags_differ: Sequence[bool] | None = None,
) -> str:
    """Return a sentence's tree, discontinuous ones with crossing branches.

    ``signs`` come before the labels, one for each node; ``~`` comes before the tags that differ.
    """
    with needing("a tree drawn as text"):
        from nltk.tree.prettyprinter import TreePrettyPrinter

    marked = bank.select([sentence])
    of_tags = ["~" if differs else "" for differs in tags_differ or ()]
    for table, column, before in (("nodes", "label", signs), ("tokens", "pos", of_tags)):
        if before:
            rows = getattr(marked, table)
            strings = marked.vocabulary.decode(getattr(rows, column))
            vocabulary, codes = marked.vocabulary.extended(
                sign + string for sign, string in zip(before, strings, strict=True)
            )
            marked = marked.replace(vocabulary=vocabulary, **{table: rows.replace(**{column: codes})})
    printer = TreePrettyPrinter(marked.tree(0, indices=True), sentence=marked.words(0))
    return str(printer.text(unicodelines=True))


def heads_text(bank: Tables, sentence: int) -> str:
    """Return a line for each token of a sentence: its number, form, tag, head's number and relation."""
    cells = bank.cells("tokens", sentence, "form", "pos", "relation")
    heads = bank.tokens.head[bank.tokens.rows(sentence)].tolist()
    written = {ROOT: "0", UNATTACHED: "_"}
    table = [
        (str(position), word, tag, written.get(head, str(head + 1)), relation)
        for position, ((word, tag, relation), head) in enumerate(zip(cells, heads, strict=True), 1)
    ]
    widths = [max((len(row[column]) for row in table), default=0) for column in range(4)]
    return "\n".join(
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1]]).rstrip()
        for row in table
    )
