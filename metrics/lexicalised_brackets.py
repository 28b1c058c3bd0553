"""Precision and recall of head-lexicalised brackets: a label, the words under it and the word that heads it.

Musillo, Gabriele, and Khalil Sima'an (2002): Towards Comparing Parsers from Different Linguistic Frameworks:
An Information Theoretic Approach. Beyond PARSEVAL, section 4.1: "stricter recall/precision measures", over
"relations in which the labeled constituent is head-lexicalized".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from crossbank.metrics.counting.brackets import UNCOUNTED, Brackets
from crossbank.metrics.counting.counts import Measure, precision_recall_f1
from crossbank.metrics.pairing.pair import Pair
from crossbank.metrics.parseval import Parseval


@dataclass(frozen=True)
class LexicalisedBrackets(Parseval):
    """Parseval in which brackets are the same where their lexical heads are, too.

    The options are those of ``Parseval``. Heads are those of the scheme's head rules on both sides.
    """

    name: ClassVar[str] = "lexicalised_brackets"
    position: ClassVar[float] = 20
    version: ClassVar[str] = "1.0"
    papers: ClassVar[tuple[str, ...]] = ("black-etal-1991", "musillo-simaan-2002")
    view: ClassVar[str] = "heads"
    title: ClassVar[str] = "Head-lexicalised brackets"
    measures: ClassVar[tuple[Measure, ...]] = (
        *precision_recall_f1("gold", "candidate", "matched", "brackets with their heads"),
        *Parseval.measures[3:],
    )

    def _brackets(self, pair: Pair) -> tuple[Brackets, Brackets]:
        """Return the brackets of both sides; codes of labels stand for a label with a head."""
        sides = super()._brackets(pair)
        heads = pair.gold.nodes.head, pair.candidate.nodes.head
        size = 2 + max(int(head.max(initial=0)) for head in heads)
        both = [
            np.where(side.label < 0, UNCOUNTED, side.label.astype(np.int64) * size + head + 1)
            for side, head in zip(sides, heads, strict=True)
        ]
        kinds = np.unique(np.concatenate([[UNCOUNTED], *both]))
        code = [(np.searchsorted(kinds, side) - 1).astype(np.int32) for side in both]
        return sides[0]._replace(label=code[0]), sides[1]._replace(label=code[1])
