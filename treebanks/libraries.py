"""Other libraries' trees and token lists, and parses of Python's types, as a treebank takes and gives them.

The modules that know a library build treebanks and are imported when they are used, so the treebank
does not import them: they are put into its table of conversions here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from crossbank.treebanks.treebank import CONVERSIONS, Treebank

if TYPE_CHECKING:
    from conllu import TokenList
    from nltk import Tree

    from crossbank.treebanks.in_memory.sources import Source


def _to_tree(bank: Treebank, sentence: int, *, indices: bool) -> Tree:
    from crossbank.treebanks.in_memory.nltk_trees import to_tree

    return to_tree(bank, sentence, indices=indices)


def _from_trees(trees: Sequence[Tree], words: Sequence[Sequence[str]] | None) -> Treebank:
    from crossbank.treebanks.in_memory.nltk_trees import from_trees

    return from_trees(trees, words)


def _to_token_list(bank: Treebank, sentence: int) -> TokenList:
    from crossbank.treebanks.in_memory.token_lists import to_token_list

    return to_token_list(bank, sentence)


def _from_token_lists(token_lists: Sequence[TokenList]) -> Treebank:
    from crossbank.treebanks.in_memory.token_lists import from_token_lists

    return from_token_lists(token_lists)


def _to_spans(bank: Treebank) -> list[tuple[list[str], list[tuple[int, int, str]]]]:
    from crossbank.treebanks.in_memory.labelled_spans import to_spans

    return to_spans(bank)


def _of_source(source: Source) -> Treebank:
    from crossbank.treebanks.in_memory.sources import treebank_of_source

    return treebank_of_source(source, "trees")


CONVERSIONS.update(
    of_source=_of_source,
    to_spans=_to_spans,
    to_tree=_to_tree,
    from_trees=_from_trees,
    to_token_list=_to_token_list,
    from_token_lists=_from_token_lists,
)
