r"""Accuracy of the words' categories: lexical categories of CCG, word tags of other treebanks.

Clark, Stephen and Julia Hockenmaier (2002): Evaluating a Wide-Coverage CCG Parser, section 4.1: "Parseval
does not take the correctness of lexical categories into account, which is important for CCG since
categories encode subcategorisation information."

Words are no items that the candidate may have too many of (``counting.items``): both sides have the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Literal

import numpy as np

from crossbank.metrics.counting.counts import Breakdown, Counts, Measure, coverage, exact_match, share
from crossbank.metrics.counting.items import Tally, by_sentence, confusions, count_by_key
from crossbank.metrics.counting.metric import Item, Metric
from crossbank.metrics.pairing.pair import Pair
from crossbank.treebanks.arrays import BoolArray, Int32Array


@dataclass(frozen=True)
class Categories(Metric):
    r"""Proportion of words that have gold's category.

    features  whether features count: without them ``S[dcl]\NP`` and ``S[b]\NP`` are one category

    When to use it
    --------------
    `categories` gives the proportion of words with the right category: CCG's lexical categories, or tags.
    Take it for supertaggers, beside [`ccg_dependencies`](ccg_dependencies.md): in CCG the categories of words
    say what a word takes, and Parseval does not see them. Of other treebanks it compares the tags.

    Definition
    ----------
    The category of a word is its tag; CCGbank's files have the lexical category there. A sentence without a
    parse has no right word.

    Formula
    -------
    ```math
    \text{accuracy} = \frac{\text{words with the category of gold}}{\text{words}}
    ```

    Example
    -------
    The corpora in `examples/three_styles/` have one text as CCGbank would annotate it. Four of 43 categories
    are wrong; two of them are those of prepositions that attach elsewhere.

    ```console
    $ crossbank score examples/three_styles/ccg.auto examples/three_styles/ccg.parsed.auto --scheme ccg --metric categories --by confusion
    categories|features:yes|conversions:none|...|v1.0
      accuracy     90.70 %  words with gold's category / words
      exact        62.50 %  sentences whose categories are all the same / sentences
      coverage    100.00 %  sentences with a parse / sentences
      8 sentences: 8 scored

      confusion                                    gold  candidate  accuracy
      N → N                                          17         17    100.00
      NP[nb]/N → NP[nb]/N                             9          9    100.00
      (S[dcl]\NP)/NP → (S[dcl]\NP)/NP                 5          5    100.00
      S[dcl]\NP → S[dcl]\NP                           3          3    100.00
      ((S\NP)\(S\NP))/NP → (NP\NP)/NP                 1          1      0.00
      (NP\NP)/(S[dcl]/NP) → (NP\NP)/(S[dcl]/NP)       1          1    100.00
      (NP\NP)/NP → ((S\NP)\(S\NP))/NP                 1          1      0.00
      (NP\NP)/NP → (NP\NP)/NP                         1          1    100.00
    ...
    ```

    Other programs
    --------------
    None. With tags it is EVALB's tagging accuracy, except that EVALB omits sentences that it cannot
    score.
    """  # noqa: E501 (lines that are printed)

    features: bool = True

    name: ClassVar[str] = "categories"
    position: ClassVar[float] = 200
    version: ClassVar[str] = "1.0"
    papers: ClassVar[tuple[str, ...]] = ("clark-hockenmaier-2002",)
    title: ClassVar[str] = "Categories"
    view: ClassVar[str] = "tags"
    measures: ClassVar[tuple[Measure, ...]] = (
        Measure("accuracy", share("matched", "gold"), "words with gold's category / words"),
        exact_match("categories"),
        coverage(),
    )

    def counts(self, pair: Pair) -> Counts:
        """Return the words of gold, and those that have the same category in the candidate."""
        self.require(pair)
        gold, candidate, matched = self._compared(pair)
        offsets = pair.gold.tokens.offsets
        columns = {
            "gold": by_sentence(offsets, np.ones(len(gold), np.bool_)),
            "matched": by_sentence(offsets, matched),
            "parsed": pair.scored.astype(np.float64),
        }
        columns["exact"] = (pair.scored & (columns["matched"] == columns["gold"])).astype(np.float64)
        tallies = {"gold": Tally(offsets, gold, np.ones(len(gold), np.bool_))}
        tallies["matched"] = Tally(offsets, gold, matched)
        breakdowns = {
            "category": partial(count_by_key, tallies, pair.string),
            "confusion": partial(_by_confusion, pair, gold, candidate),
        }
        return self.counted(pair, columns, breakdowns)

    def items(self, pair: Pair, sentence: int) -> list[Item]:
        """Return the words of a sentence with both categories."""
        one = pair.select([sentence])
        items = []
        columns = (column.tolist() for column in self._compared(one))
        for word, (gold_code, candidate_code, same) in enumerate(zip(*columns, strict=True)):
            names = (one.string(gold_code), one.string(candidate_code) if candidate_code >= 0 else "")
            side: Literal["both", "gold"] = "both" if same else "gold"
            items.append(Item("word", names[0], (word,), side, same, float(same), *names))
        return items

    def _compared(self, pair: Pair) -> tuple[Int32Array, Int32Array, BoolArray]:
        """Return both categories of each word of gold, in common codes, and a mask of the equal ones."""
        gold = pair.gold.tokens.pos
        candidate = pair.aligned(pair.candidate_codes(pair.candidate.tokens.pos), -1)
        if self.features:
            return gold, candidate, gold == candidate
        bare: dict[str, int] = {}
        same = np.full(pair.codes + 1, -1, np.int32)
        for code in np.unique(np.concatenate((gold, candidate[candidate >= 0]))).tolist():
            same[code] = bare.setdefault(_without_features(pair.string(code)), code)
        return gold, candidate, (same[gold] == same[candidate]) & (candidate >= 0)


def _without_features(category: str) -> str:
    from crossbank.formalisms.ccg.ccg_categories import CategoryError, parse_category, without_features

    try:
        return str(without_features(parse_category(category)))
    except CategoryError:
        return category  # a word tag


def _by_confusion(pair: Pair, gold: Int32Array, candidate: Int32Array) -> Breakdown:
    offsets = pair.gold.tokens.offsets
    parsed = candidate >= 0
    both = gold, np.maximum(candidate, 0)
    keys = confusions(both, both, pair.string)
    every = Tally(offsets, keys.gold, parsed)
    matched = Tally(offsets, keys.gold, parsed & (gold == candidate))
    return count_by_key({"gold": every, "candidate": every, "matched": matched}, keys.name)
