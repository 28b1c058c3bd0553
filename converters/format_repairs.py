"""Repair a treebank so that a format can hold it, and list what a format loses.

Formats declare the structures that they refuse or change, and transformations those that they remove:
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
from crossbank.treebanks.formats.losses import contents, find_dropped, unfit


@dataclass(frozen=True, eq=False)
class Repair:
    """A treebank that was transformed to fit a format.

    transformations  the transformations that were applied, in order
    bank             the treebank after them
    remaining        the structures that no transformation could remove
    """

    transformations: tuple[Transformation, ...]
    bank: Treebank
    remaining: tuple[str, ...]


def repair_for_format(bank: Treebank, format: str, scheme: Scheme | None = None) -> Repair:
    """Remove the structures that a format refuses or changes, by as few transformations as possible.

    The transformations of the scheme's view of constituents come first, in the view's order, as papers on the
    scheme apply them: each that changes a tree is applied. Each of the others is applied if fewer sentences
    have such a structure after it.
    """
    chosen: list[Transformation] = []
    refused = unfit(bank, format)
    for candidate, listed in _candidates(scheme):
        if not refused:
            break
        if not refused.keys() & set(resolved_by(candidate.name)):
            continue
        try:
            changed = transform(bank, [candidate], scheme)
        except ConversionError:
            continue  # It needs a scheme, or annotation that this treebank lacks.
        remaining = unfit(changed, format)
        fewer = sum(mask.sum() for mask in remaining.values()) < sum(mask.sum() for mask in refused.values())
        tables = ((bank.nodes, changed.nodes), (bank.tokens, changed.tokens))
        moved = not all(np.array_equal(one.parent, other.parent) for one, other in tables)
        if fewer or (listed and moved):
            bank, refused = changed, remaining
            chosen.append(candidate)
    return Repair(tuple(chosen), bank, tuple(refused))


def _candidates(scheme: Scheme | None) -> Iterator[tuple[Transformation, bool]]:
    """Yield the scheme's transformations to constituents, then all others that can be called without options.

    Each with whether the scheme lists it.
    """
    listed = [parse(one) for one in (scheme.views.get("constituents", ()) if scheme is not None else ())]
    yield from ((transformation, True) for transformation in listed)
    names = {transformation.name for transformation in listed}
    yield from ((Transformation(name), False) for name in TRANSFORMATIONS if name not in names)


def in_labels(bank: Treebank, format: str, scheme: Scheme | None) -> Treebank:
    """Join functions to labels as the scheme does, if the format writes functions in labels.

    Every command that writes trees of a scheme calls this, so that the scheme's views can read them. Without
    a scheme the format joins them by a hyphen, as in the Penn Treebank.
    """
    if scheme is None or not format_named(format).labelled or "functions" not in contents(bank):
        return bank
    return transform(bank, ["join_functions"], scheme)


def find_losses(bank: Treebank, format: str) -> Diagnosis:
    """Count what a format changes or omits when a treebank is written in it, sentence by sentence.

    Annotation that a transformation in the treebank's history has expressed in another way is not lost, such
    as constituents from which dependencies were derived.
    """
    reported, held = set(), contents(bank)
    # The history may have steps that are not transformations of this package, such as a consensus.
    for done in (parse(step) for step in bank.history if step.partition(":")[0] in TRANSFORMATIONS):
        for content, (becomes, written) in turned_by(done.name).items():
            if becomes in held and parse(written).options.items() <= done.options.items():
                reported.add(f"{content} dropped")
    return tuple(event for event in find_dropped(bank, format) if event.event not in reported)


def find_replacements(losses: Diagnosis, held: Collection[str], format: str) -> dict[str, tuple[str, str]]:
    """Find transformations of lost annotation into annotation that the format holds.

    Returns, by the name of the lost annotation, what it becomes and the transformation.

    held  the annotation that the treebank has
    """
    holds = format_named(format).holds or frozenset()
    if not losses or set(held).issuperset(holds):
        return {}  # Nothing can be gained, and loading the modules of all transformations takes time.
    names = {loss.event.removesuffix(" dropped") for loss in losses}
    replacements: dict[str, tuple[str, str]] = {}
    for transformation in TRANSFORMATIONS:
        for content, (becomes, written) in turned_by(transformation).items():
            if content in names and becomes in holds:
                replacements.setdefault(content, (becomes, written))
    return replacements
