"""Conformance with a flat key: how much of the key a response finds, and how much it contradicts.

Gaizauskas, R., M. Hepple, and C. Huyck (1998): A Scheme for Comparative Evaluation of Diverse Parsing
Systems. LREC, section 5. Recall is the proportion of the key's brackets that the response has. Conformance is
the proportion of them that no bracket of the response crosses. The authors advise against precision, since a
response may have more structure than the key; it is reported nevertheless. Brackets are sets of spans.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np

from crossbank.metrics.counting.counts import Breakdown, Breakdowns, Column, Measure, ratio, share
from crossbank.metrics.counting.items import Compared, ItemMetric, Tally, count_by_key
from crossbank.metrics.pairing.pair import Pair
from crossbank.metrics.parseval import both_sides, compared_brackets, crossing, without_duplicates


@dataclass(frozen=True)
class Conformance(ItemMetric):
    r"""Recall, precision and conformance of a response (the candidate) to a key (gold).

    labels  whether a bracket is found only under the same label (for crossing, spans alone matter);
            both sides then need labels of one kind (``agreed_labels``, ``map_labels``)

    When to use it
    --------------
    `conformance` asks how much of a flat key a response finds, and how much of it the response contradicts.
    Take it where the candidate may have more structure than gold, and should not lose by it: binary branching
    against flat annotation, or several grammars against one key on which all agree.

    Definition
    ----------
    The *key* (gold) has only constituents that grammars agree on; [`flatten`](../transformations.md#flatten)
    makes such a key of a tree. The *response* is the candidate. Recall is the proportion of the key's
    brackets that the response has, conformance the proportion that no bracket of the response crosses. The
    authors advise against precision, because a response may say more than the key; it is given all the same.
    Brackets are sets of spans, without labels by default.

    The key is the view `flat_keys` of gold, the response the view `constituents` of the candidate. Where gold
    is not a key yet, the study or the scheme lists the transformations, such as `flat_keys: [flatten]` under
    `views`; without a list gold is compared as it is in `constituents`.

    Formula
    -------
    With *K* the brackets of the key and *R* those of the response:

    ```math
    \text{recall} = \frac{\lvert K \cap R \rvert}{\lvert K \rvert}
    \qquad \text{conformance} = \frac{\text{brackets of } K \text{ that no bracket of } R \text{ crosses}}{\lvert K \rvert}
    ```

    Example
    -------
    The response has two brackets that the key lacks, and misses *the old garden*. But none of its brackets
    contradicts the key.

    <!-- file: key.mrg -->
    ```text
    (S (NP (DT The) (NN dog))
       (VP (VBZ chases)
           (NP (DT the) (NN cat))
           (PP (IN into)
               (NP (DT the) (JJ old) (NN garden)))))
    ```

    <!-- file: response.mrg -->
    ```text
    (S (NP (DT The) (NN dog))
       (VP (VP (VBZ chases) (NP (DT the) (NN cat)))
           (PP (IN into)
               (DT the)
               (NX (JJ old) (NN garden)))))
    ```

    ```console
    $ crossbank score key.mrg response.mrg --scheme ptb --metric conformance
    conformance|labels:no|conversions:delete_empty_elements+delete_roots+strip_functions+equate_labels|...|v1.0
      recall          83.33 %  brackets of the key that the response has / brackets of the key
      precision       71.43 %  brackets of the key that the response has / brackets of the response
      conformance    100.00 %  brackets of the key that no bracket of the response crosses / brackets of the key
      1 sentence: 1 scored
    ```

    Other programs
    --------------
    None. The figures of Table 1 of the paper are among the tests.
    """  # noqa: E501 (lines that are printed)

    labels: bool = False

    name: ClassVar[str] = "conformance"
    item: ClassVar[str] = "bracket"
    position: ClassVar[float] = 40
    version: ClassVar[str] = "1.0"
    papers: ClassVar[tuple[str, ...]] = ("gaizauskas-etal-1998",)
    title: ClassVar[str] = "Conformance"
    view: ClassVar[str] = "flat_keys"
    compares_labels: ClassVar[bool] = False
    measures: ClassVar[tuple[Measure, ...]] = (
        Measure(
            "recall",
            lambda sums: ratio(sums["matched"], sums["key"], np.zeros_like(sums["key"])),
            "brackets of the key that the response has / brackets of the key",
        ),
        Measure(
            "precision",
            share("matched", "response", "key"),
            "brackets of the key that the response has / brackets of the response",
        ),
        Measure(
            "conformance",
            lambda sums: ratio(sums["conforming"], sums["key"], np.zeros_like(sums["key"])),
            "brackets of the key that no bracket of the response crosses / brackets of the key",
        ),
    )

    def compare(self, pair: Pair) -> Compared:
        """Return the brackets of key and response, and those of the key that are violated or not."""
        sides = both_sides(pair, lambda _, label: label if self.labels else np.zeros_like(label))
        key, response = map(without_duplicates, sides)
        violated = crossing(response, key, pair.scored)
        conforming = (key.label >= 0) & np.repeat(pair.scored, pair.gold.nodes.lengths()) & ~violated
        return compared_brackets(
            pair, key, response, {"violated": ("gold", violated), "conforming": ("gold", conforming)}
        )

    def columns(self, comparison: Compared) -> dict[str, Column]:
        """Return the sums by sentence, those of the two sides under their names."""
        names = {"gold": "key", "candidate": "response"}
        return {names.get(name, name): column for name, column in super().columns(comparison).items()}

    def breakdowns(self, comparison: Compared, columns: Mapping[str, Column]) -> Breakdowns:
        """Return recall and conformance by the labels of the key."""
        return {"label": partial(_by_label, comparison)}


def _by_label(comparison: Compared) -> Breakdown:
    key, label = comparison.gold, comparison.pair.gold.nodes.label
    amounts = {"key": key.counted, "matched": comparison.matched_gold}
    amounts |= {name: amount for name, (_, amount) in comparison.also_counted.items()}
    return count_by_key(
        {name: Tally(key.offsets, label, amount) for name, amount in amounts.items()}, comparison.pair.string
    )
