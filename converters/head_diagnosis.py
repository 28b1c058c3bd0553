"""Which head rules fire, which nodes fall to the default, and where functions and categories disagree."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from converters.heads import STEP, mark_heads
from converters.scheme import Scheme
from treebanks import Treebank


class HeadFinding(NamedTuple):
    """How often something happened to nodes of a category, and the ids of the sentences."""

    category: str
    what: str
    nodes: int
    sentences: list[str]


DISAGREE = "other head without functions"


def diagnose_heads(bank: Treebank, scheme: Scheme, rules: str = "") -> list[HeadFinding]:
    """The findings by category; nodes with one child have no choice and are not counted.

    rules  the name of another set of the scheme's head rules
    """
    bank = bank.replace(diagnosis=())
    marked = mark_heads(bank, scheme, rules=rules)
    found = []
    for finding in marked.diagnosis:
        category, _, how = finding.event.partition(": head by ")
        if finding.step == STEP and how:
            ids = [bank.sentence_id(i) for i in finding.sentences().tolist()]
            found.append(HeadFinding(category, how, finding.total, ids))
    without = mark_heads(bank, scheme, rules=rules, functions=False)
    other = np.flatnonzero(marked.nodes.head != without.nodes.head)
    sentence = bank.nodes.sentence_of_row()[other]
    main = scheme.labels.main_category
    labels = np.array([main(label) for label in bank.vocabulary.decode(bank.nodes.label[other])], object)
    for category in sorted(set(labels.tolist())):
        places = sentence[labels == category]
        ids = [bank.sentence_id(i) for i in np.unique(places).tolist()]
        found.append(HeadFinding(category, DISAGREE, len(places), ids))
    return sorted(found, key=lambda f: (f.category, f.what == DISAGREE, -f.nodes))
