"""Reliability of a conversion by relation, by construction and by group of sentences, with intervals.

Constructions are recognised by gold's relations: ``universal_constructions.yaml`` has the relations of each.
Intervals are percentiles of resampled sentences, as those of whole treebanks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossbank.metrics.counting.counts import Breakdown, Counts
from crossbank.metrics.statistics.bootstrap import drawn_sums
from crossbank.metrics.statistics.defaults import LEVEL
from crossbank.treebanks.arrays import BoolArray, Int32Array
from crossbank.treebanks.errors import OptionError
from crossbank.treebanks.named_arguments import argument
from crossbank.treebanks.yaml_files import load_yaml

CONSTRUCTIONS = Path(__file__).with_name("universal_constructions.yaml")
RELATION, CONSTRUCTION = "relation", "construction"
COLUMNS = ("gold", "candidate", "heads", "labelled")

Groups = Mapping[str, tuple[Sequence[str], Int32Array]]
"""Groups of sentences by name: the values, and the position of each sentence's value among them."""


class Share(NamedTuple):
    """Dependencies of one relation, construction or group of sentences.

    name   of the relation, construction or group
    gold   gold's dependencies
    attached, labelled  the F1 of heads, and of heads with relations, each with the limits of its interval;
           for relations and constructions ``attached`` is the proportion of gold's words with the same head
    """

    name: str
    gold: int
    attached: tuple[float, float, float]
    labelled: tuple[float, float, float]


def breakdown(
    breakdown: str, counts: Counts, relations: Breakdown, groups: Groups, resamples: tuple[int, int]
) -> list[Share]:
    """Return the share of each key of a breakdown, the most frequent first.

    breakdown  ``relation``, ``construction``, or the name of one of ``groups``
    counts     the counts of all sentences
    relations  the counts by relation
    groups     groups of the same sentences
    resamples  the number of resamples, and their seed

    Raises OptionError for an unknown breakdown.
    """
    if breakdown == RELATION:
        tables = {name: _sum_relations(relations, counts, [name]) for name in relations.keys}
    elif breakdown == CONSTRUCTION:
        tables = {
            name: _sum_relations(relations, counts, patterns) for name, patterns in constructions().items()
        }
    elif breakdown in groups:
        names, group = groups[breakdown]
        table = np.stack([counts.columns[name] for name in COLUMNS], axis=1) * counts.rows[:, None]
        tables = {name: table * (group == index)[:, None] for index, name in enumerate(names)}
    else:
        known = (RELATION, CONSTRUCTION, *groups)
        raise OptionError(str(argument("by", in_python="breakdown")), breakdown, known)
    tables = {name: table for name, table in tables.items() if table[:, 0].any()}
    shares = _compute_shares(
        tables, counts.rows, resamples, is_group=breakdown not in (RELATION, CONSTRUCTION)
    )
    return sorted(shares, key=lambda share: (-share.gold, share.name))


@cache
def constructions() -> dict[str, list[str]]:
    """Return the constructions with the relations of their words, as patterns."""
    patterns: dict[str, list[str]] = load_yaml(CONSTRUCTIONS)["constructions"]
    return patterns


def _sum_relations(breakdown: Breakdown, counts: Counts, patterns: Sequence[str]) -> NDArray[np.float64]:
    """Return the counts of the relations that match a pattern, shape ``(sentences, 4)``: see ``COLUMNS``."""
    chosen = np.array([any(fnmatchcase(key, like) for like in patterns) for key in breakdown.keys], np.bool_)
    rows = np.flatnonzero(chosen[breakdown.key] & counts.rows[breakdown.sentence])
    columns = (breakdown.columns[name][rows] for name in COLUMNS)
    return np.stack(
        [np.bincount(breakdown.sentence[rows], column, len(counts)) for column in columns], axis=1
    )


def _compute_shares(
    tables_by_key: Mapping[str, NDArray[np.float64]],
    rows: BoolArray,
    resamples: tuple[int, int],
    is_group: bool,
) -> list[Share]:
    """Return the share of each table of counts, with intervals from the same resamples for all."""
    tables = np.concatenate([table[rows] for table in tables_by_key.values()], axis=1)
    drawn = drawn_sums(tables, *resamples)
    shares = []
    for index, (name, table) in enumerate(tables_by_key.items()):
        sums, resampled = table.sum(axis=0)[None], drawn[:, index * 4 : index * 4 + 4]
        attached = _with_interval(_score_heads(sums, is_group), _score_heads(resampled, is_group))
        shares.append(Share(name, int(sums[0, 0]), attached, _with_interval(_f1(sums, 3), _f1(resampled, 3))))
    return shares


def _score_heads(sums: NDArray[np.float64], is_group: bool) -> NDArray[np.float64]:
    # Precision by relation has no meaning, since the candidate's relation may differ: recall is returned.
    return _f1(sums, 2) if is_group else _ratio(sums[:, 2], sums[:, 0])


def _f1(sums: NDArray[np.float64], column: int) -> NDArray[np.float64]:
    return _ratio(2 * sums[:, column], sums[:, 0] + sums[:, 1])


def _ratio(part: NDArray[np.float64], whole: NDArray[np.float64]) -> NDArray[np.float64]:
    # A resample without such a word has no ratio: NaN is ignored by the quantiles.
    ratio: NDArray[np.float64] = np.divide(part, whole, out=np.full(len(part), np.nan), where=whole > 0)
    return ratio


def _with_interval(value: NDArray[np.float64], resampled: NDArray[np.float64]) -> tuple[float, float, float]:
    tail = (1 - LEVEL) / 2
    low, high = np.nanquantile(resampled, [tail, 1 - tail]) if len(resampled) else (value[0], value[0])
    return float(value[0]), float(low), float(high)
