"""Ambiguity of the items of an [incr tsdb()] profile, by the trees that remain after annotation.

Source: Oepen, Stephan, et al. (2002): LinGO Redwoods, Table 1. Beyond PARSEVAL.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import NamedTuple

from crossbank.formalisms.redwoods.formats.tsdb_tables import Profile, folder_of
from crossbank.treebanks.readings import Ambiguity

ALL, NOT_ANNOTATED = "all", "not annotated"

SUBSETS = (ALL, "no active tree", "one active tree", "more active trees", NOT_ANNOTATED)
"""The columns of the table: all items with an analysis, and those by the trees that are active."""


class _Item(NamedTuple):
    subset: str
    length: int
    entries: int
    readings: int


def ambiguity(path: str | PathLike[str], encoding: str | None = None) -> Mapping[str, Ambiguity]:
    """Return a row of Table 1, by ``SUBSETS``.

    An item has an analysis if ``readings`` of its parse is positive, even if ``result`` does not have it.
    Its words are between blanks; its entries are the field ``words``, which is -1 if they were not
    counted. Raises the errors of ``Profile.items``.
    """
    profile = Profile(folder_of(path), encoding)
    items = {item.id: item for item in profile.items()}
    all_items = []
    for record in profile.records("parse"):
        item = items[str(profile.number("parse", record, "i-id"))]
        readings = profile.number("parse", record, "readings")
        if readings <= 0:
            continue
        entries = profile.number("parse", record, "words") if "words" in record.fields else -1
        subset = NOT_ANNOTATED if item.active is None else SUBSETS[1 + min(item.active, 2)]
        all_items.append(_Item(subset, len(item.text.split()), entries, readings))
    return {
        subset: _means([item for item in all_items if subset in (ALL, item.subset)]) for subset in SUBSETS
    }


def _means(items: Sequence[_Item]) -> Ambiguity:
    counted = [item for item in items if item.entries >= 0]
    return Ambiguity(
        len(items),
        _ratio(sum(item.length for item in items), len(items)),
        _ratio(sum(item.entries for item in counted), sum(item.length for item in counted)),
        _ratio(sum(item.readings for item in items), len(items)),
    )


def _ratio(count: int, among: int) -> float | None:
    return count / among if among else None
