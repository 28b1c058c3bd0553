"""Gold against gold: what a metric makes of the same sentences in two annotation schemes.

Each gold is in the view in which the metric compares it, so that conventions are neutralised as far as the
metric does so: Parseval of 1991 erases and redraws, conformance derives flat keys, relations follow rules.
Schemes without common labels are compared without labels. What gold loses is the floor of the metric: a
difference of scores between the schemes that is smaller need not be a parser's.

Tsarfaty, Reut, Joakim Nivre and Evelina Andersson (2012): Cross-Framework Evaluation for Statistical Parsing.
EACL, which removes such differences by comparing with generalised gold. Gaizauskas et al. (1998), section 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np

from crossbank.converters.schemes.views import OF_DEPENDENCIES
from crossbank.metrics.checks.labels import HALF, OF_CONSTITUENTS, compares_labels
from crossbank.metrics.counting.metric import Metric
from crossbank.treebanks import UNATTACHED, Treebank


def comparable_metric(metric: Metric, gold: Iterable[Treebank], other: Iterable[Treebank]) -> Metric:
    """Return a metric for two golds: without labels where each lacks more than half of the other's.

    gold, other  both in the metric's view, in chunks; they are read only if the metric compares labels
    """
    if not compares_labels(metric) and metric.view not in OF_CONSTITUENTS:
        return metric
    of_gold, of_other = (_count_labels(metric, banks) for banks in (gold, other))
    if not of_gold or not of_other:
        return metric
    shared = of_gold.keys() & of_other.keys()
    lacking = (1 - sum(labels[label] for label in shared) / labels.total() for labels in (of_gold, of_other))
    return metric.without_labels() if min(lacking) > HALF else metric


def _count_labels(metric: Metric, banks: Iterable[Treebank]) -> Counter[str]:
    """Return the labels of nodes, or the relations of words, with their numbers."""
    counts: Counter[str] = Counter()
    for bank in banks:
        if metric.view in OF_DEPENDENCIES:
            codes = bank.tokens.relation[bank.tokens.head != UNATTACHED]
        else:
            codes = bank.nodes.label
        numbers = np.bincount(codes, minlength=1)
        for code in np.flatnonzero(numbers).tolist():
            counts[bank.vocabulary[code]] += int(numbers[code])
    return counts
