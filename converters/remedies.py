"""Transformations after which a format can hold a treebank.

Formats declare the structures that they refuse or change, and transformations those that they take away:
see ``treebanks.losses`` and ``converters.transformations``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from crossbank.converters.schemes.scheme import Scheme
from crossbank.converters.transformations import (
    TRANSFORMATIONS,
    Transformation,
    parse,
    resolved_by,
    transform,
)
from crossbank.treebanks import ConversionError, Treebank
from crossbank.treebanks.diagnosis import Diagnosis
from crossbank.treebanks.losses import left_out, unfit


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
    """The transformations by which a treebank loses what a format refuses or changes, and their result.

    Those of the scheme's list for constituents come first, in its order, as papers on the scheme apply them.
    Each is tried, and kept if fewer sentences have such a structure after it.
    """
    chosen: list[Transformation] = []
    left = unfit(bank, format)
    for candidate in _candidates(scheme):
        if not left:
            break
        if not left.keys() & set(resolved_by(candidate.name)):
            continue
        try:
            changed = transform(bank, [candidate], scheme)
        except ConversionError:
            continue  # It needs a scheme, or something in the treebank that is not there.
        still = unfit(changed, format)
        if sum(mask.sum() for mask in still.values()) < sum(mask.sum() for mask in left.values()):
            bank, left = changed, still
            chosen.append(candidate)
    return Remedy(tuple(chosen), bank, tuple(left))


def _candidates(scheme: Scheme | None) -> Iterator[Transformation]:
    """The scheme's transformations to constituents, then all others that can be called without options."""
    listed = [parse(one) for one in (scheme.views.get("constituents", ()) if scheme is not None else ())]
    yield from listed
    names = {transformation.name for transformation in listed}
    yield from (Transformation(name) for name in TRANSFORMATIONS if name not in names)


def lost(bank: Treebank, format: str) -> Diagnosis:
    """The changes and omissions where a treebank is written in a format, counted sentence by sentence.

    Contents that a transformation of its history has said in another way are not lost: constituents where
    dependencies were read off them.
    """
    said = {f"{name} left out" for one in bank.history for name in resolved_by(parse(one).name)}
    return tuple(found for found in left_out(bank, format) if found.event not in said)
