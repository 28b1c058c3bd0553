"""F-structures reduced to their predicates.

Crouch, Kaplan, King and Riezler (2002): A Comparison of Evaluation Metrics for a Broad-Coverage Stochastic
Parser, section 5.1: "a preds-only f-structure removes all paths through the f-structure that do not end in a
PRED attribute."
"""

from __future__ import annotations

import numpy as np

from crossbank.converters.declaration import transformation
from crossbank.converters.schemes.scheme import Scheme
from crossbank.formalisms.lfg.fstructures import PRED
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import BoolArray
from crossbank.treebanks.relations.meaning_graphs import MeaningGraphs


@transformation(position=440)
def preds_only(bank: Treebank, scheme: Scheme | None = None) -> Treebank:
    """Delete the feature specifications that do not lead to a predicate; the others are unchanged."""
    is_predicate = leads_to_predicate(bank)
    deleted = bank.relations.sentence_of_row()[~is_predicate]
    reduced = bank.replace(relations=bank.relations.take(is_predicate))
    return reduced.with_events("preds_only", {"features without a predicate deleted": deleted})


def leads_to_predicate(bank: Treebank) -> BoolArray:
    """Return a mask of the relations that are predicates or have a value from which one can be reached."""
    graphs = MeaningGraphs.of(bank)
    is_edge = graphs.target >= 0
    source, target = graphs.source[is_edge], graphs.target[is_edge]
    reached = graphs.word > 0
    # Each round goes one edge back; f-structures may have cycles, and they are not deep.
    while True:
        more = source[reached[target] & ~reached[source]]
        if len(more) == 0:
            break
        reached[more] = True
    name = bank.relations.name
    is_pred = np.array([string == PRED for string in bank.vocabulary.decode(name)], np.bool_)
    leads = is_pred & ~is_edge
    leads[is_edge] = reached[target]
    return leads
