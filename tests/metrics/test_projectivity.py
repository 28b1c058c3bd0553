"""Dependencies that are not projective, against the definition."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossbank.metrics.arcs.tree_shape import nonprojective
from crossbank.treebanks import ROOT, UNATTACHED
from crossbank.treebanks.arrays import offsets_of


def mark_nonprojective(*sentences: list[int]) -> list[list[bool]]:
    offsets = offsets_of(np.array([len(heads) for heads in sentences]))
    marked = nonprojective(offsets, np.concatenate([np.array(heads, np.int32) for heads in sentences]))
    return [marked[begin:end].tolist() for begin, end in pairwise(offsets)]


def chain(heads: list[int], word: int) -> list[int]:
    """Return a word and all above it; the last one is ROOT, UNATTACHED or a word that comes again."""
    above = [word]
    while above[-1] >= 0 and above[-1] not in above[:-1]:
        above.append(heads[above[-1]])
    return above


def by_definition(heads: list[int]) -> list[bool]:
    chains = [chain(heads, word) for word in range(len(heads))]
    result = []
    for word, head in enumerate(heads):
        between = range(min(word, head) + 1, max(word, head)) if head >= 0 else range(0)
        rooted = [chains[other] for other in between if chains[other][-1] == ROOT]
        result.append(chains[word][-1] == ROOT and any(head not in above for above in rooted))
    return result


@pytest.mark.parametrize(
    ("heads", "expected"),
    [
        # A hearing is scheduled on the issue today: "on" hangs on "hearing", "today" on "scheduled".
        ([1, 2, ROOT, 2, 1, 6, 4, 3], [4, 7]),
        ([1, ROOT, 1], []),
        ([2, ROOT, 1], [0]),
        ([2, UNATTACHED, ROOT], []),
        ([ROOT, ROOT, 0], [2]),
        ([1, 0, ROOT, 0], []),
    ],
)
def test_examples(heads: list[int], expected: list[int]) -> None:
    assert np.flatnonzero(mark_nonprojective(heads)[0]).tolist() == expected


@given(
    st.lists(
        st.integers(1, 9).flatmap(lambda n: st.lists(st.integers(UNATTACHED, n - 1), min_size=n, max_size=n)),
        min_size=1,
        max_size=4,
    )
)
def test_it_is_what_the_definition_says(sentences: list[list[int]]) -> None:
    assert mark_nonprojective(*sentences) == [by_definition(heads) for heads in sentences]


def test_a_sentence_of_a_hundred_thousand_words() -> None:
    words = 100_000
    assert not any(mark_nonprojective([ROOT, *[0] * (words - 1)])[0])
    assert not any(mark_nonprojective([ROOT, *range(words - 1)])[0])
