"""Other libraries' trees and token lists, Python's types and pictures, as treebanks give and take them.

The modules that know a library build treebanks, so neither treebanks nor sentences import them: they are
found by name when they are first used.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

CONVERSIONS = {
    "of_source": "in_memory.sources:treebank_of_source",
    "to_spans": "in_memory.lists:to_spans",
    "to_tree": "in_memory.nltk_trees:to_tree",
    "from_trees": "in_memory.nltk_trees:from_trees",
    "to_token_list": "in_memory.token_lists:to_token_list",
    "from_token_lists": "in_memory.token_lists:from_token_lists",
    "only_chosen": "readings:only_chosen",
    "to_text": "pictures.terminal_text:sentence_text",
    "to_html": "pictures.layout:sentence_html",
}
"""The location of each function: a module of this package and a name in it."""


@cache
def conversion(name: str) -> Any:
    """Return a function of ``CONVERSIONS``."""
    module, _, function = CONVERSIONS[name].partition(":")
    return getattr(import_module(f"crossbank.treebanks.{module}"), function)
