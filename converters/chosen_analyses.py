"""One analysis for each sentence of a treebank that has several: the chosen one."""

from __future__ import annotations

from crossbank.converters.declaration import transformation
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import Treebank


@transformation(position=10, resolves=("several analyses",))
def chosen_analyses(bank: Treebank, scheme: Scheme | None = None) -> Treebank:
    """Keep each sentence's chosen analysis, or else its first: see ``treebanks.readings``."""
    return bank.only_chosen()
