"""Filter flat keys: keep constituents of some categories only, or down to some depth.

Gaizauskas, R., M. Hepple, and C. Huyck (1998): A Scheme for Comparative Evaluation of Diverse Parsing
Systems. LREC, section 5: "configurable evaluation" by filtering a key.
"""

from __future__ import annotations

import numpy as np

from crossbank.converters.declaration import transformation
from crossbank.converters.deletions import without_nodes
from crossbank.converters.flat_keys.flatten import categories_of_nodes
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import NO_PARENT, OptionError, Treebank
from crossbank.treebanks.arrays import Int64Array


@transformation(position=250)
def filter_key(
    bank: Treebank, scheme: Scheme | None = None, *, categories: tuple[str, ...] = (), depth: int = 0
) -> Treebank:
    """Keep only some constituents of a key: ``filter_key:categories=NP+PP,depth=3``.

    categories  the labels to keep, without functions; empty: all
    depth       the maximal depth in the key, from 1 for roots; 0: any depth

    Raises OptionError for a category that no constituent has.
    """
    label = categories_of_nodes(bank, scheme)
    present = sorted(set(label))
    for category in categories:
        if category not in present:
            raise OptionError("filter_key:categories", category, present or "constituents")
    unwanted = np.array([bool(categories) and name not in categories for name in label], np.bool_)
    if depth:
        unwanted |= depth_of_nodes(bank) > depth
    return without_nodes(bank, unwanted, "filter_key", "constituents dropped")


def depth_of_nodes(bank: Treebank) -> Int64Array:
    """Return the depth of every node: 1 for roots."""
    depth: list[int] = []
    for row in bank.nodes.parent_rows(bank.nodes).tolist():
        depth.append(1 if row == NO_PARENT else depth[row] + 1)
    return np.array(depth, np.int64)
