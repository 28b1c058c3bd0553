"""Structures and contents of treebanks that a format has no place for.

Formats declare what they hold, refuse and change (``treebanks.formats.Format``). Here are the names that they
use, and how each thing is found in a treebank.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crossbank.treebanks.arrays import BoolArray
from crossbank.treebanks.diagnosis import Diagnosis, Finding
from crossbank.treebanks.formats import CONTENTS, FORMATS, Format, format_named
from crossbank.treebanks.tables import ABSENT, NO_PARENT
from crossbank.treebanks.treebank import Treebank

NOTHING = ("", "--")
"""The strings that say that there is no value: ``--`` is the export format's."""


@dataclass(frozen=True)
class Structure:
    """A structure of sentences for which some formats have no place.

    found, expected  the words of messages about it
    changed          what a format makes of it that has no place for it and writes the sentence all the same
    sentences        a mask of the sentences that have it, shape ``(sentences,)``
    """

    found: str
    expected: str
    sentences: Callable[[Treebank], BoolArray]
    changed: str = ""


def _discontinuous(bank: Treebank) -> BoolArray:
    return _mask(bank, bank.discontinuous_sentences)


def _several_roots(bank: Treebank) -> BoolArray:
    several: BoolArray = _roots(bank) > 1
    return several


def _roots(bank: Treebank) -> NDArray[np.int64]:
    found = np.zeros(len(bank), np.int64)
    for table in (bank.nodes, bank.tokens):
        found += np.bincount(table.sentence_of_row()[table.parent == NO_PARENT], minlength=len(bank))
    return found


def _outside_nodes(bank: Treebank) -> BoolArray:
    return _mask(bank, bank.tokens.sentence_of_row()[bank.tokens.parent == NO_PARENT])


def _without_letters(bank: Treebank) -> BoolArray:
    return _mask(bank, bank.tokens.sentence_of_row()[bank.tokens.form == 0])


def _without_rules(bank: Treebank) -> BoolArray:
    return _mask(bank, bank.nodes.sentence_of_row()[bank.nodes.morph == 0])


def _several_analyses(bank: Treebank) -> BoolArray:
    return _mask(bank, np.flatnonzero(bank.sentences.analysis))


def _mask(bank: Treebank, sentences: NDArray[np.integer]) -> BoolArray:
    mask = np.zeros(len(bank), np.bool_)
    mask[sentences] = True
    return mask


STRUCTURES: Mapping[str, Structure] = {
    "several analyses": Structure(
        "several analyses of a sentence", "one analysis for each sentence", _several_analyses
    ),
    "words without letters": Structure(
        "a word without letters", "every word to have a form", _without_letters
    ),
    "several roots": Structure(
        "several roots", "one root", _several_roots, "several roots put under one node"
    ),
    "words outside nodes": Structure(
        "a word outside all nodes", "every word to be in a node", _outside_nodes
    ),
    "nodes without rules": Structure(
        "a node that does not name its rule", "the rule at each node", _without_rules
    ),
    "discontinuous constituents": Structure("a discontinuous constituent", "continuous ones", _discontinuous),
}
"""Every structure that some format refuses or changes, by the name that formats and transformations use."""


def unfit(bank: Treebank, format: str) -> dict[str, BoolArray]:
    """Structures in a treebank that a format refuses or changes, each with a mask of its sentences."""
    chosen = format_named(format)
    names = (*(() if chosen.nbest else ("several analyses",)), *chosen.refuses, *chosen.changes)
    masks = {name: STRUCTURES[name].sentences(bank) for name in names}
    return {name: mask for name, mask in masks.items() if mask.any()}


def left_out(bank: Treebank, format: str) -> Diagnosis:
    """Return the changes and omissions where a treebank is written in a format, counted sentence by sentence.

    Nothing for formats of other packages, which do not say what they hold.
    """
    chosen = format_named(format)
    masks = unfit(bank, format)
    changed = [
        Finding(format, STRUCTURES[name].changed, masks[name].astype(np.int32))
        for name in chosen.changes
        if name in masks
    ]
    return (
        *changed,
        *(Finding(format, f"{name} left out", counts) for name, counts in _omitted(bank, chosen)),
    )


def contents(bank: Treebank) -> set[str]:
    """Return the names of the contents that a treebank has."""
    return {name for name, _ in _counted(bank, CONTENTS)}


def _omitted(bank: Treebank, format: Format) -> Iterator[tuple[str, NDArray[np.int32]]]:
    """Yield the contents that a format does not hold, with their number in each sentence."""
    if format.holds is not None:
        yield from _counted(bank, [name for name in CONTENTS if name not in (format.holds or ())])


def _counted(bank: Treebank, names: Iterable[str]) -> Iterator[tuple[str, NDArray[np.int32]]]:
    """Yield those of some contents that a treebank has, with their number in each sentence."""
    absent = [bank.vocabulary.code(string) for string in NOTHING]
    for name in names:
        counts = np.zeros(len(bank), np.int32)
        for place in CONTENTS[name]:
            table, _, column = place.partition(".")
            rows = getattr(bank, table)
            if not column:
                counts += rows.lengths().astype(np.int32)
                continue
            values = getattr(rows, column)
            said = ~np.isin(values, absent) if column in rows.STRINGS else values != ABSENT[column]
            counts += np.bincount(rows.sentence_of_row()[said], minlength=len(bank)).astype(np.int32)
        if counts.any():
            yield name, counts


@dataclass(frozen=True)
class Kinds:
    """Names of the contents that a treebank has, and of its structures that some formats refuse."""

    contents: frozenset[str]
    structures: frozenset[str]

    def __or__(self, other: Kinds) -> Kinds:
        """Return the kinds of two treebanks together."""
        return Kinds(self.contents | other.contents, self.structures | other.structures)


def kinds_in(bank: Treebank) -> Kinds:
    """Return the contents and structures of a treebank, as far as formats differ in them."""
    found = (name for name, structure in STRUCTURES.items() if structure.sentences(bank).any())
    return Kinds(frozenset(contents(bank)), frozenset(found))


def formats_without_loss(kinds: Kinds) -> list[str]:
    """Our formats in which everything that a treebank holds can be written, in their order."""
    return [
        name
        for name, format in FORMATS.items()
        if format.holds is not None
        and kinds.contents <= format.holds
        and not kinds.structures & {*format.refuses, *format.changes}
        and (format.nbest or "several analyses" not in kinds.structures)
    ]


def formats_that_hold(structures: Collection[str]) -> list[str]:
    """Our formats of trees that hold some structures."""
    return [
        name
        for name, format in FORMATS.items()
        if "constituents" in (format.holds or ())
        and not {*format.refuses, *format.changes} & set(structures)
        and (format.nbest or "several analyses" not in structures)
    ]
