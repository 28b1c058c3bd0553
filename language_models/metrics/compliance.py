r"""Compliance of answers with the task: whether there is a parse, whether it is one, and of which words.

Whether an answer is valid and whether it is right are two questions: Bai et al. (2023) and Ezquerro et al.
(2025) report both.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np

from crossbank.language_models.label_inventories import main_type, valid_labels
from crossbank.language_models.treebank_of_answers import CYCLES, FAILED, ROOTS
from crossbank.metrics.counting.counts import Breakdown, Counts, Measure, per_sentence
from crossbank.metrics.counting.metric import Item, Metric
from crossbank.metrics.pairing.pair import Pair, Status, UnscoredSentence, pair
from crossbank.metrics.pairing.word_forms import canonical
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import BoolArray
from crossbank.treebanks.damage.correction import SKIPPED, STEP
from crossbank.treebanks.diagnosis import CHOICES
from crossbank.treebanks.sentence_matching import MISSING

FOLDED = str.maketrans(
    {
        **dict.fromkeys('"“”„‟«»″‘’‚‛′`´', "'"),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        **dict.fromkeys("[{", "("),
        **dict.fromkeys("]}", ")"),
    }
)
"""Characters that are written in several ways."""


class CountedPair(Pair):
    """Gold and candidate, of which every sentence with words in gold is counted."""

    def problems(self) -> Iterator[UnscoredSentence]:
        """Yield the sentences without words in gold."""
        for problem in super().problems():
            if problem.status is Status.NO_GOLD:
                yield problem


CANDIDATE = "candidate"
"""The column of breakdowns with how often something occurs."""


@dataclass(frozen=True)
class Compliance(Metric):
    r"""Proportions of sentences whose answers are parses, valid and of the sentence's words.

    labels  labels that are valid besides those of gold and its inventory, joined by +

    When to use it
    --------------
    Take `compliance` beside another metric for parses that a language model wrote. A report then says which
    part of a difference is compliance, and which is parsing.

    Definition
    ----------
    A parse is *valid* if nothing had to be repaired, it is one tree without cycles of heads, and its labels
    are gold's or of the same inventory (`language_models/inventories/`), subtypes and functions aside. It is
    *faithful* if it has gold's words, *normalised* if it has their characters in other tokens, or with other
    quotes, dashes and Unicode forms; else its words are *changed*. A *compliant* parse is valid and faithful.

    Formula
    -------
    ```math
    \text{valid} = \frac{\text{sentences with a valid parse}}{\text{sentences}}
    ```

    Example
    -------
    Of two answers one has a bracket too few.

    <!-- file: gold.mrg -->
    ```text
    (S (NP (NNP Ann)) (VP (VBD left)))
    (S (NP (PRP They)) (VP (VBD stayed)))
    ```

    <!-- file: answers.jsonl -->
    ```json
    {"id": "1", "answer": "Here it is: (S (NP (NNP Ann)) (VP (VBD left)))"}
    {"id": "2", "answer": "(S (NP (PRP They)) (VP (VBD stayed))"}
    ```

    ```console
    $ crossbank score gold.mrg answers.jsonl --metric compliance --damaged repair --by repair
    ...
      answered      100.00 %  sentences with an answer / sentences
      parsed        100.00 %  sentences with a parse / sentences
      repaired       50.00 %  sentences whose parse was repaired / sentences
      valid          50.00 %  sentences with a parse that is one tree of gold's labels / sentences
      faithful      100.00 %  sentences whose parse has gold's words / sentences
      normalised      0.00 %  sentences whose parse has gold's characters otherwise / sentences
      changed         0.00 %  sentences whose parse has other words / sentences
      compliant      50.00 %  sentences whose parse is valid and faithful / sentences
      2 sentences: 2 scored
      1 sentence repaired

      repair                  candidate
      closing brackets added          1
    ```

    Other programs
    --------------
    None.
    """

    labels: tuple[str, ...] = ()

    name: ClassVar[str] = "compliance"
    version: ClassVar[str] = "1.0"
    view: ClassVar[str] = "tags"
    word_by_word: ClassVar[bool] = False
    judges_words: ClassVar[bool] = True
    title: ClassVar[str] = "Compliance"
    headline: ClassVar[tuple[str, ...]] = ("compliant",)
    compared: ClassVar[tuple[str, ...]] = ("parsed", "valid", "faithful", "compliant")
    papers: ClassVar[tuple[str, ...]] = (
        """
        @misc{bai-2023,
          author = {Bai, Xuefeng and Wu, Jialong and Chen, Yulong and Wang, Zhongqing and Zhang, Yue},
          title  = {Constituency Parsing using LLMs},
          year   = {2023},
        }
        """,
    )
    measures: ClassVar[tuple[Measure, ...]] = (
        per_sentence("answered", "sentences with an answer"),
        per_sentence("parsed", "sentences with a parse"),
        per_sentence("repaired", "sentences whose parse was repaired", better="less"),
        per_sentence("valid", "sentences with a parse that is one tree of gold's labels"),
        per_sentence("faithful", "sentences whose parse has gold's words"),
        per_sentence("normalised", "sentences whose parse has gold's characters otherwise", better="less"),
        per_sentence("changed", "sentences whose parse has other words", better="less"),
        per_sentence("compliant", "sentences whose parse is valid and faithful"),
    )
    breakdown_titles: ClassVar[dict[str, str]] = {"repair": "Repairs", "writing": "How parses are written"}

    @staticmethod
    def pair(gold: Treebank, candidate: Treebank, **options: Any) -> Pair:
        """Gold and candidate with all words: none is deleted or joined."""
        paired = pair(gold, candidate)
        return CountedPair(paired.gold, paired.candidate, paired.status)

    def counts(self, pair: Pair) -> Counts:
        """Count the sentences with each property."""
        self.require(pair)
        columns = {name: column.astype(np.float64) for name, column in self._properties(pair).items()}
        status = np.where(pair.status == Status.NO_GOLD, Status.NO_GOLD, Status.SCORED).astype(np.int8)
        breakdowns = {
            "repair": partial(_by_event, pair.candidate, lambda step: step == STEP),
            "writing": partial(_by_event, pair.candidate, lambda step: step in ("read", CHOICES)),
        }
        return Counts(self.signature(pair), self.measures, pair.sentence_ids(), status, columns, breakdowns)

    def items(self, pair: Pair, sentence: int) -> list[Item]:
        """Return an item for each property that the sentence has."""
        one = pair.select([sentence])
        words = tuple(range(len(one.gold.tokens)))
        return [
            Item("sentence", name, words, "both", bool(column[0]), float(column[0]))
            for name, column in self._properties(one).items()
        ]

    def _properties(self, pair: Pair) -> dict[str, BoolArray]:
        """Return a mask of the sentences for each property."""
        candidate = pair.candidate
        parsed = candidate.tokens.lengths() > 0
        damaged = _marked(candidate, lambda step, event: step == STEP)
        skipped = _marked(candidate, lambda step, event: event == SKIPPED)
        without = _marked(candidate, lambda step, event: event in (FAILED, MISSING))
        shape = _marked(candidate, lambda step, event: event in (ROOTS, CYCLES))
        valid = parsed & ~damaged & ~shape & ~self._has_other_labels(pair)
        faithful = pair.scored & parsed
        differing = pair.status == Status.WORDS_DIFFER
        normalised = np.zeros(len(pair), np.bool_)
        for sentence in np.flatnonzero(differing).tolist():
            texts = (folded_text(bank.words(sentence)) for bank in (pair.gold, candidate))
            normalised[sentence] = len(set(texts)) == 1
        return {
            "answered": ~without,
            "parsed": parsed,
            "repaired": damaged & ~skipped & parsed,
            "valid": valid,
            "faithful": faithful,
            "normalised": normalised,
            "changed": differing & ~normalised,
            "compliant": valid & faithful,
        }

    def _has_other_labels(self, pair: Pair) -> BoolArray:
        """Return a mask of the sentences with a label or relation that is not valid."""
        result = np.zeros(len(pair), np.bool_)
        columns: Sequence[tuple[str, str]] = (("nodes", "label"), ("tokens", "relation"))
        for table, column in columns:
            gold, candidate = getattr(pair.gold, table), getattr(pair.candidate, table)
            of_gold = {pair.gold.vocabulary[code] for code in np.unique(getattr(gold, column)).tolist()} - {
                ""
            }
            if not of_gold:
                continue  # the two are of different kinds
            valid = valid_labels(of_gold) | {*self.labels, ""}
            strings = getattr(candidate, column)
            unknown = [
                code
                for code in np.unique(strings).tolist()
                if main_type(pair.candidate.vocabulary[code]) not in valid
            ]
            result[candidate.sentence_of_row()[np.isin(strings, unknown)]] = True
        return result


def folded_text(words: Collection[str]) -> str:
    """Return the characters of some words, those that are written in several ways as one.

    >>> folded_text(["``", "It", "’s"]) == folded_text(['"It\\'s'])
    True
    """
    text = "".join(map(canonical, words))
    text = unicodedata.normalize("NFKC", text).translate(FOLDED)
    return "".join(text.replace("''", "'").replace("--", "-").split())


def _marked(bank: Treebank, accept: Callable[[str, str], bool]) -> BoolArray:
    """Return a mask of the sentences in which an event was counted."""
    mask = np.zeros(len(bank), np.bool_)
    for one in bank.diagnosis:
        if accept(one.step, one.event):
            mask |= one.counts > 0
    return mask


def _by_event(bank: Treebank, accept: Callable[[str], bool]) -> Breakdown:
    """Return how often each event of a step was counted in each sentence."""
    events = [one for one in bank.diagnosis if accept(one.step)]
    rows = [np.flatnonzero(one.counts) for one in events]
    times = [one.counts[row].astype(np.float64) for one, row in zip(events, rows, strict=True)]
    keys = np.repeat(np.arange(len(events), dtype=np.int32), [len(row) for row in rows])
    return Breakdown(
        tuple(one.event for one in events),
        np.concatenate([*rows, np.zeros(0, np.intp)]).astype(np.int32),
        keys,
        {CANDIDATE: np.concatenate([*times, np.zeros(0)])},
    )
