"""Find the structures and contents of treebanks that a format cannot hold.

Formats declare what they hold, refuse and change (``treebanks.formats.format``). Here are the names that they
use, with a test for each.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crossbank.treebanks.arrays import BoolArray
from crossbank.treebanks.code_columns import occurring
from crossbank.treebanks.diagnosis import Diagnosis, Finding
from crossbank.treebanks.formats import FORMATS, REGISTRY, format_named
from crossbank.treebanks.formats.format import CONTENTS, Format
from crossbank.treebanks.tables import ABSENT, NO_PARENT
from crossbank.treebanks.treebank import Treebank

EDGES = "secondary edges"

NO_VALUE = ("", "--")
"""The strings that mean no value; ``--`` is the export format's."""


LABELS = ("tokens.pos", "tokens.function", "nodes.label", "nodes.function")
"""The columns from which formats of trees write labels."""

WHITE_SPACE = re.compile(r"[ \t\n\v\f\r]")


@dataclass(frozen=True)
class Structure:
    """A structure of sentences that some formats cannot hold.

    actual, expected  the texts of messages about it
    changed          the event in a format that changes it instead of refusing the sentence
    sentences        a mask of the sentences that have it, shape ``(sentences,)``
    """

    actual: str
    expected: str
    sentences: Callable[[Treebank], BoolArray]
    changed: str = ""


STRUCTURES: Mapping[str, Structure] = {
    "several analyses": Structure(
        "several analyses of a sentence",
        "one analysis for each sentence",
        lambda bank: bank.sentences.analysis != 0,
    ),
    "words without letters": Structure(
        "a word without letters",
        "every word to have a form",
        lambda bank: bank.tokens.counted(bank.tokens.form == 0) > 0,
        "words without letters written as _",
    ),
    "words with spaces": Structure(
        "a word with a space",
        "words without spaces",
        lambda bank: _have_strings(bank, lambda form: len(form.split()) > 1, "tokens.form"),
        "words with spaces written as several",
    ),
    "labels with spaces": Structure(
        "a label with a space",
        "labels, functions and tags without spaces",
        lambda bank: _have_strings(bank, WHITE_SPACE.search, *LABELS),
        "spaces in labels written as _",
    ),
    "identifiers with spaces": Structure(
        "an identifier with a space",
        "identifiers without spaces",
        lambda bank: _have_strings(bank, lambda name: name != "".join(name.split()), "sentences.id"),
        "spaces in identifiers written as _",
    ),
    "sentences without words": Structure(
        "a sentence without words",
        "every sentence to have words",
        lambda bank: bank.tokens.lengths() == 0,
        "sentences without words dropped",
    ),
    "several roots": Structure(
        "several roots",
        "one root",
        lambda bank: bank.roots() > 1,
        "several roots put under one node",
    ),
    "words outside nodes": Structure(
        "a word outside all nodes",
        "every word to be in a node",
        lambda bank: bank.tokens.counted(bank.tokens.parent == NO_PARENT) > 0,
    ),
    "nodes without rules": Structure(
        "a node that does not name its rule",
        "the rule at each node",
        lambda bank: bank.nodes.counted(bank.nodes.morph == 0) > 0,
    ),
    "discontinuous constituents": Structure(
        "a discontinuous constituent",
        "continuous ones",
        lambda bank: bank.nodes.counted(bank.spans.discontinuous) > 0,
    ),
}
"""Every structure that some format refuses or changes, by the name that formats and transformations use."""


def _have_strings(bank: Treebank, accept: Callable[[str], object], *columns: str) -> BoolArray:
    """Return a mask of the sentences with a string in some columns for which ``accept`` is true."""
    mask = np.zeros(len(bank), np.bool_)
    for table, _, column in (name.partition(".") for name in columns):
        rows = getattr(bank, table)
        codes = getattr(rows, column)
        used = occurring(len(bank.vocabulary), codes)
        accepted = [code for code in used.tolist() if accept(bank.vocabulary[code])]
        if accepted:
            mask |= rows.counted(np.isin(codes, accepted)) > 0
    return mask


def unfit(bank: Treebank, format: str) -> dict[str, BoolArray]:
    """Return the structures that a format refuses or changes, each with a mask of its sentences."""
    chosen = format_named(format)
    names = (*(() if chosen.nbest else ("several analyses",)), *chosen.refuses, *chosen.changes)
    masks = {name: STRUCTURES[name].sentences(bank) for name in names}
    return {name: mask for name, mask in masks.items() if mask.any()}


def find_dropped(bank: Treebank, format: str) -> Diagnosis:
    """Return what a format changes and drops of a treebank; nothing for other packages' formats."""
    chosen = format_named(format)
    masks = unfit(bank, format)
    changed = [(STRUCTURES[name].changed, masks[name]) for name in chosen.changes if name in masks]
    lost = [] if chosen.holds is None else [name for name in CONTENTS if name not in chosen.holds]
    counts_of = dict(amounts(bank, lost))
    if EDGES in counts_of and (of_format := getattr(REGISTRY.load(format), "count_dropped_edges", None)):
        counts_of[EDGES] = of_format(bank)  # some follow from what is written
    omitted = [(f"{name} dropped", counts) for name, counts in counts_of.items() if counts.any()]
    return tuple(Finding(format, event, counts.astype(np.int32)) for event, counts in changed + omitted)


def contents(bank: Treebank) -> set[str]:
    """Return the names of the contents that a treebank has."""
    return {name for name, _ in amounts(bank, CONTENTS)}


def amounts(bank: Treebank, names: Iterable[str]) -> Iterator[tuple[str, NDArray[np.integer]]]:
    """Yield those of some contents that a treebank has, with their number in each sentence."""
    absent = [bank.vocabulary.code(string) for string in NO_VALUE]
    for name in names:
        counts = np.zeros(len(bank), np.int64)
        for name_of_column in CONTENTS[name]:
            table, _, column = name_of_column.partition(".")
            rows = getattr(bank, table)
            if not column:
                counts += rows.lengths()
                continue
            values = getattr(rows, column)
            is_string = column in rows.STRINGS
            counts += rows.counted(~np.isin(values, absent) if is_string else values != ABSENT[column])
        if counts.any():
            yield name, counts


def contents_of(bank: Treebank) -> set[str]:
    """Return the names of a treebank's contents, and of its structures that some formats refuse."""
    return contents(bank).union(name for name, one in STRUCTURES.items() if one.sentences(bank).any())


def formats_without_loss(contents: set[str]) -> list[str]:
    """Return the built-in formats that can hold everything of a treebank (``contents_of``), in order."""
    return [
        name
        for name, format in FORMATS.items()
        if format.holds is not None
        and (contents & CONTENTS.keys()).issubset(format.holds)
        and _holds(format, contents)
    ]


def formats_that_hold(structures: Collection[str]) -> list[str]:
    """Return the built-in formats of trees that hold some structures."""
    return [
        name
        for name, format in FORMATS.items()
        if "constituents" in (format.holds or ()) and _holds(format, structures)
    ]


def _holds(format: Format, structures: Collection[str]) -> bool:
    return {*format.refuses, *format.changes}.isdisjoint(structures) and (
        format.nbest or "several analyses" not in structures
    )
