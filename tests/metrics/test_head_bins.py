"""Bins of direction and distance, against their definition word by word."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from crossbank.metrics.arcs.arc_breakdowns import DIRECTIONS, DISTANCES, directions, distances
from crossbank.treebanks import ROOT


@given(st.lists(st.integers(ROOT, 20), min_size=1, max_size=20))
def test_bins(heads: list[int]) -> None:
    head, index = np.array(heads), np.arange(len(heads))
    for own, other, direction, distance in zip(
        range(len(heads)), heads, directions(head, index), distances(head, index), strict=True
    ):
        if other == ROOT:
            assert (DIRECTIONS[direction], DISTANCES[distance]) == ("to_root", "to_root")
            continue
        assert DIRECTIONS[direction] == ("left" if other < own else "right" if other > own else "self")
        low, _, high = DISTANCES[distance].partition("-")
        assert (
            int(low)
            <= max(abs(other - own), 1)
            <= (int(high) if high.isdigit() else 20 if high else int(low))
        )
