"""Columns of a treebank that hold CCG categories: all parse, or the file is refused."""

from __future__ import annotations

import numpy as np

from crossbank.treebanks.ccg_categories import CategoryError, parse_category
from crossbank.treebanks.errors import FormatError
from crossbank.treebanks.treebank import Treebank


def refuse_bad_categories(bank: Treebank) -> None:
    """Raise FormatError for a category of a token, node or relation that does not parse.

    The message has file, line, sentence and a caret under the first wrong character.
    """
    for table, column in (
        (bank.tokens, bank.tokens.pos),
        (bank.nodes, bank.nodes.label),
        (bank.relations, bank.relations.name),
    ):
        for code in np.unique(column).tolist():
            try:
                parse_category(bank.vocabulary[code])
            except CategoryError as error:
                sentence = table.sentence_of(int(np.flatnonzero(column == code)[0]))
                raise FormatError(
                    bank.vocabulary[int(bank.sentences.source[sentence])],
                    error.found,
                    f"{error.expected}\n{error.shown}",
                    line=int(bank.sentences.line[sentence]),
                    sentence=bank.sentence_id(sentence),
                ) from error
