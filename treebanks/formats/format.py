"""What is known of a format without reading its module: each declares itself as ``FORMAT = Format(...)``."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

CONTENTS: Mapping[str, tuple[str, ...]] = {
    "constituents": ("nodes",),
    "functions": ("tokens.function", "nodes.function"),
    "secondary edges": ("secondary",),
    "dependencies": ("tokens.head",),
    "further heads": ("tokens.deps",),
    "relations": ("relations",),
    "tags": ("tokens.pos",),
    "further tags": ("tokens.xpos",),
    "lemmas": ("tokens.lemma",),
    "morphology": ("tokens.morph",),
    "features of nodes": ("nodes.morph",),
    "multiword tokens": ("multiword",),
    "empty nodes": ("empty",),
    "identifiers": ("sentences.id",),
    "comments": ("sentences.comments",),
}
"""The contents of treebanks that only some formats hold, with the tables or columns where they are."""


@dataclass(frozen=True)
class Format:
    """A format of treebank files.

    name       its name, which is that of its module
    position   its number in lists of formats; those without a number come last
    suffixes   the ends of names by which files in it are recognised
    written    whether treebanks can be written in it
    nbest      whether it can hold several analyses of a sentence
    trees      whether it holds constituents and cannot hold dependencies
    relations  whether it holds relations and nothing else of a sentence but its words
    appended   whether sentences are written one after the other, with nothing before, between and after
    folder     whether a treebank is a folder of files, given as itself or as any of them
    folder_of  the ending of the files of a folder that is one treebank, if it has no others
    reads_damaged  whether ``load`` takes ``damaged``: what happens to damaged sentences
    undivided  why a damaged sentence stops reading under every policy; empty if it does not
    reads_strings  whether ``treebank_of(strings, name, first, damaged)`` of its module reads strings in
               memory of which one is neither brackets nor blank
    recognised_by  the file by which a folder in this format is recognised
    scheme     the scheme in which all its files are; empty where trees of any scheme may be in it
    holds      those of ``CONTENTS`` that are written; the others are omitted. None if it is not known
    labelled   whether it writes functions into labels, as the scheme's syntax of labels says
    refuses    structures of ``treebanks.formats.losses`` with which a sentence cannot be written
    changes    structures of ``treebanks.formats.losses`` in place of which something else is written
    begins     patterns of how a file in it begins, for a name that does not tell its format
    rank       formats with a higher rank are recognised after the others: their patterns fit more files
    """

    name: str = ""
    position: float = float("inf")
    suffixes: tuple[str, ...] = ()
    written: bool = True
    nbest: bool = False
    trees: bool = False
    relations: bool = False
    appended: bool = False
    folder: bool = False
    folder_of: str = ""
    reads_damaged: bool = False
    undivided: str = ""
    reads_strings: bool = False
    recognised_by: str = ""
    scheme: str = ""
    holds: Collection[str] | None = None
    labelled: bool = False
    refuses: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    begins: tuple[str, ...] = ()
    rank: int = 0

    @classmethod
    def declared(cls, name: str, values: Mapping[str, Any]) -> Format:
        """Return a format from the values of its declaration, as a manifest has them."""
        holds = values.get("holds")
        return cls(**{**values, "name": name, "holds": None if holds is None else frozenset(holds)})
