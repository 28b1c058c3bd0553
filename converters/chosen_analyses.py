"""One analysis for each sentence of a treebank that has several: the chosen one."""

from __future__ import annotations

from crossbank.converters.declaration import transformation
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import Treebank


@transformation(position=10, resolves=("several analyses",))
def chosen_analyses(bank: Treebank, scheme: Scheme | None = None) -> Treebank:
    """Keep one analysis of each sentence: the one that is marked as chosen, else the first."""
    return bank.only_chosen()
