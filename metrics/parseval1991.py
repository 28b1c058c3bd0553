"""Parseval as first defined: crossing constituents, recall and precision without labels.

Black, Ezra, et al. (1991): A Procedure for Quantitatively Comparing the Syntactic Coverage of English
Grammars. Speech and Natural Language Workshop, section 4 of the appendix. The three steps before the
comparison are conversions (``erase``, ``delete_empty_brackets``, ``redraw``); a scheme lists them as its
view ``parseval1991``. A set of sentences is summarised by the mean of their recalls and precisions and by
the distribution of their numbers of crossing constituents.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np

from crossbank.metrics.counting.counts import (
    Breakdown,
    Breakdowns,
    Column,
    Measure,
    per_sentence,
    ratio,
    share,
)
from crossbank.metrics.counting.items import Compared, ItemMetric
from crossbank.metrics.pairing.pair import Pair
from crossbank.metrics.parseval import (
    UNCOUNTED,
    Brackets,
    brackets,
    compared_brackets,
    without_duplicates,
)
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import BoolArray


@dataclass(frozen=True)
class Parseval1991(ItemMetric):
    r"""Means of the sentences' recall and precision, and their crossing constituents.

    duplicates  whether several brackets over the same words count. If not, they are one bracket: brackets are
                a set, as in the paper

    Brackets over one word are not counted.

    When to use it
    --------------
    `parseval1991` is the procedure of the workshop of 1991, before labels were compared. Take it to repeat
    figures of the early nineties, or to compare grammars whose labels have nothing in common. It needs a
    scheme that lists what is erased and redrawn.

    Definition
    ----------
    Three steps change both sides. *Erase*: auxiliaries, *not*, the *to* of infinitives, empty elements,
    possessive endings and punctuation. *Delete*: brackets over one word, over nothing, or over the same words
    as another. *Redraw*: extraposed constituents, modified noun phrases, and runs of prepositions or
    particles. What is left is compared without labels; brackets are a set.

    The scores of a set of sentences are the means of the sentences' scores, and not quotients of sums.

    Formula
    -------
    Over *n* sentences, with *G* and *C* the sets of spans of sentence *i*:

    ```math
    \text{recall} = \frac{1}{n} \sum_{i=1}^{n} \frac{\lvert G_i \cap C_i \rvert}{\lvert G_i \rvert}
    \qquad \text{precision} = \frac{1}{n} \sum_{i=1}^{n} \frac{\lvert G_i \cap C_i \rvert}{\lvert C_i \rvert}
    ```

    Example
    -------
    *will* is erased, and with it the inner verb phrase. The subject is a single word, so its bracket goes.
    Gold then has five brackets and the candidate four, of which three are the same: the sentence, the verb
    phrase, and *the garden*. The candidate's *the cats around* crosses gold's *around the garden*.

    <!-- file: gold.mrg -->
    ```text
    (S (NP (NNS Dogs))
       (VP (MD will)
           (VP (VB chase)
               (NP (DT the) (NNS cats))
               (PP (IN around) (NP (DT the) (NN garden))))))
    ```

    <!-- file: parsed.mrg -->
    ```text
    (S (NP (NNS Dogs))
       (VP (MD will)
           (VB chase)
           (NP (DT the) (NNS cats) (IN around))
           (NP (DT the) (NN garden))))
    ```

    ```console
    $ crossbank score gold.mrg parsed.mrg --scheme ptb --metric parseval1991
    parseval1991|duplicates:no|conversions:delete_roots+erase+delete_empty_brackets+redraw+delete_empty_brackets|...|v1.0
      recall                    60.00 %  mean over sentences of: constituents of gold that the candidate has / constituents of gold
      precision                 75.00 %  mean over sentences of: constituents of the candidate that gold has / those of the candidate
      crossing_per_sentence      1.00    constituents of the candidate that cross one of gold / sentences
      no_crossing                0.00 %  sentences without a crossing constituent / sentences
      1 sentence: 1 scored
    ```

    Other programs
    --------------
    None: the programs of the time are not published.
    """  # noqa: E501 (lines that are printed)

    duplicates: bool = False

    name: ClassVar[str] = "parseval1991"
    item: ClassVar[str] = "bracket"
    position: ClassVar[float] = 30
    version: ClassVar[str] = "1.0"
    papers: ClassVar[tuple[str, ...]] = ("black-etal-1991",)
    title: ClassVar[str] = "Parseval 1991"
    view: ClassVar[str] = "parseval1991"
    compares_labels: ClassVar[bool] = False
    measures: ClassVar[tuple[Measure, ...]] = (
        Measure(
            "recall",
            share("recall", "rows"),
            "mean over sentences of: constituents of gold that the candidate has / constituents of gold",
        ),
        Measure(
            "precision",
            share("precision", "rows"),
            "mean over sentences of: constituents of the candidate that gold has / those of the candidate",
        ),
        per_sentence(
            "crossing_per_sentence",
            "constituents of the candidate that cross one of gold",
            "crossing",
            proportion=False,
            better="less",
        ),
        per_sentence("no_crossing", "sentences without a crossing constituent"),
    )

    def compare(self, pair: Pair) -> Compared:
        """Return the constituents of both sides, and those of the candidate that cross."""
        gold, candidate = self._brackets(pair.gold), self._brackets(pair.candidate)
        return compared_brackets(pair, gold, candidate, with_crossing=True)

    def columns(self, comparison: Compared) -> dict[str, Column]:
        """Return the sums by sentence, and each sentence's own scores."""
        columns = super().columns(comparison)
        columns["recall"] = ratio(columns["matched"], columns["gold"], columns["candidate"])
        columns["precision"] = ratio(columns["matched"], columns["candidate"], columns["gold"])
        columns["no_crossing"] = (comparison.pair.scored & (columns["crossing"] == 0)).astype(np.float64)
        return columns

    def breakdowns(self, comparison: Compared, columns: Mapping[str, Column]) -> Breakdowns:
        """Return the scored sentences by their number of crossing constituents."""
        return {"crossing": partial(_distribution, columns, comparison.pair.scored)}

    def _brackets(self, bank: Treebank) -> Brackets:
        label = np.where(bank.spans.size > 1, 0, UNCOUNTED).astype(np.int32)
        side = brackets(bank, label)
        return side if self.duplicates else without_duplicates(side)


def _distribution(columns: Mapping[str, Column], scored: BoolArray) -> Breakdown:
    """Return the counts of the scored sentences by their number of crossing constituents."""
    sentence = np.flatnonzero(scored)
    crossings = columns["crossing"][sentence].astype(np.intp)
    numbers, key = np.unique(crossings, return_inverse=True)
    return Breakdown(
        tuple(map(str, numbers.tolist())),
        sentence.astype(np.int32),
        key.astype(np.int32),
        {"sentences": np.ones(len(sentence)), **{name: c[sentence] for name, c in columns.items()}},
    )
