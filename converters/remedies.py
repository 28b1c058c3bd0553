"""Transformations after which a format can hold a treebank.

Formats declare the structures that they refuse or change, and transformations those that they take away:
see ``treebanks.formats.losses`` and ``converters.transformations``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np

from crossbank.converters.schemes.scheme import Scheme
from crossbank.converters.transformations import (
    TRANSFORMATIONS,
    Transformation,
    parse,
    resolved_by,
    transform,
    turned_by,
)
from crossbank.treebanks import ConversionError, Treebank
from crossbank.treebanks.diagnosis import Diagnosis
from crossbank.treebanks.formats import format_named
from crossbank.treebanks.formats.losses import contents, left_out, unfit


@dataclass(frozen=True, eq=False)
class Remedy:
    """A treebank made fit for a format.

    transformations  those it went through, in order
    bank             the treebank after them
    remaining        the structures that no transformation could take away
    """

    transformations: tuple[Transformation, ...]
    bank: Treebank
    remaining: tuple[str, ...]


def remedy(bank: Treebank, format: str, scheme: Scheme | None = None) -> Remedy:
    """Transformations by which a treebank loses what a format refuses or changes, and their result.

    Those of the scheme's list for constituents come first, in its order, as papers on the scheme apply them
    and as its view does: each that changes a tree is kept. Of the others each is tried, and kept if fewer
    sentences have such a structure after it.
    """
    chosen: list[Transformation] = []
    left = unfit(bank, format)
    for candidate, listed in _candidates(scheme):
        if not left:
            break
        if not left.keys() & set(resolved_by(candidate.name)):
            continue
        try:
            changed = transform(bank, [candidate], scheme)
        except ConversionError:
            continue  # It needs a scheme, or something in the treebank that is not there.
        still = unfit(changed, format)
        fewer = sum(mask.sum() for mask in still.values()) < sum(mask.sum() for mask in left.values())
        tables = ((bank.nodes, changed.nodes), (bank.tokens, changed.tokens))
        moved = not all(np.array_equal(one.parent, other.parent) for one, other in tables)
        if fewer or (listed and moved):
            bank, left = changed, still
            chosen.append(candidate)
    return Remedy(tuple(chosen), bank, tuple(left))


def _candidates(scheme: Scheme | None) -> Iterator[tuple[Transformation, bool]]:
    """Yield the scheme's transformations to constituents, then all others that can be called without options.

    Each with whether the scheme lists it.
    """
    listed = [parse(one) for one in (scheme.views.get("constituents", ()) if scheme is not None else ())]
    yield from ((transformation, True) for transformation in listed)
    names = {transformation.name for transformation in listed}
    yield from ((Transformation(name), False) for name in TRANSFORMATIONS if name not in names)


def in_labels(bank: Treebank, format: str, scheme: Scheme | None) -> Treebank:
    """Return the treebank with functions in labels, where a format writes them there and the scheme says how.

    Whoever writes trees of a scheme calls it, so that the scheme's views read what was written. Without a
    scheme the format's own way is left: a hyphen, as in the Penn Treebank.
    """
    if scheme is None or not format_named(format).labelled or "functions" not in contents(bank):
        return bank
    return transform(bank, ["join_functions"], scheme)


def lost(bank: Treebank, format: str) -> Diagnosis:
    """Return the changes and omissions where a treebank is written in a format, counted sentence by sentence.

    Contents that a transformation of its history has said in another way are not lost: constituents where
    dependencies were read off them.
    """
    reported, held = set(), contents(bank)
    # A file may have steps that are no transformations here: a consensus, another package's.
    for done in (parse(step) for step in bank.history if step.partition(":")[0] in TRANSFORMATIONS):
        for content, (becomes, written) in turned_by(done.name).items():
            if becomes in held and parse(written).options.items() <= done.options.items():
                reported.add(f"{content} left out")
    return tuple(event for event in left_out(bank, format) if event.event not in reported)


def turning(losses: Diagnosis, held: Collection[str], format: str) -> dict[str, tuple[str, str]]:
    """Contents that are lost and that a transformation can turn into others, which the format holds.

    By the name of each what it becomes, and the transformation.

    held  those that the treebank has
    """
    holds = format_named(format).holds or frozenset()
    if not losses or set(held).issuperset(holds):
        return {}  # Nothing could be added, and the modules of all transformations take time to load.
    names = {turned.event.removesuffix(" left out") for turned in losses}
    turned: dict[str, tuple[str, str]] = {}
    for transformation in TRANSFORMATIONS:
        for content, (becomes, written) in turned_by(transformation).items():
            if content in names and becomes in holds:
                turned.setdefault(content, (becomes, written))
    return turned
