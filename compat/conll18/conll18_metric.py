"""Scores of the CoNLL 2018 shared task as a metric, sentence by sentence.

Scores are counted sentence by sentence of gold. Faults that end the mode ``conll18`` are counted here.

Counts are not of items of one sentence (``counting.items``): the candidate may segment the text differently.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from crossbank.compat.conll18.loops.aligned_words import NOT_ALIGNED
from crossbank.compat.conll18.official_reading import NO_HEAD, columns_of
from crossbank.compat.conll18.official_scores import MEASURES, aligned, count
from crossbank.compat.conll18.stretches_of_text import TextWords, words_of
from crossbank.metrics.arcs.tree_shape import CYCLE, HEAD_MISSING, ROOTS, TREE, tree_faults
from crossbank.metrics.counting.counts import Breakdown, Column, Counts, Measure, precision_recall_f1
from crossbank.metrics.counting.features import Bundles, break_down_features
from crossbank.metrics.counting.metric import Item, Metric
from crossbank.metrics.dependencies import Dependencies
from crossbank.metrics.pairing.pair import Pair, Status, file_of
from crossbank.treebanks import ROOT, UNATTACHED, CrossbankError, Treebank
from crossbank.treebanks.arrays import BoolArray, Int64Array

STATUS_OF_FAULT = {HEAD_MISSING: Status.NO_PARSE, ROOTS: Status.SEVERAL_ROOTS, CYCLE: Status.CYCLE}
"""The status of a candidate's sentence that is not a tree, by its fault."""


@dataclass(frozen=True, eq=False)
class TextPair(Pair):
    """Gold and candidate of one text, which the candidate may have cut into other sentences and words.

    ``candidate`` has gold's words and sentences, with the candidate's analysis of the words that are aligned.
    A word that is not aligned is empty. A word has no head if its head is not aligned or is in another of
    gold's sentences.

    columns   counts the columns on the candidate's own words; unused when trees are drawn. The
              argument is whether relations are compared whole
    features  the features of all words of the candidate, aligned or not, by the sentence of gold in which
              the word begins
    """

    columns: Callable[[bool], dict[str, Column]]
    features: Bundles

    def select(self, sentences: Sequence[int]) -> TextPair:
        """Return the pairs of some sentences, in the order given."""
        chosen = super().select(sentences)
        index = np.full(len(self) + 1, -1, np.int32)
        index[np.asarray(sentences)] = np.arange(len(chosen))
        features = self.features._replace(sentence=index[self.features.sentence])

        def counted(subtypes: bool) -> dict[str, Column]:
            columns = self.columns(subtypes)
            return {name: column[np.asarray(sentences)] for name, column in columns.items()}

        return TextPair(chosen.gold, chosen.candidate, chosen.status, cache(counted), features)


@dataclass(frozen=True)
class Conll18(Metric):
    r"""F1 of tokens, sentences, words, tags, lemmas and dependencies of a text, as in ``--mode conll18``.

    subtypes  whether relations are compared whole; if not, as officially, they are cut at the first ``:``

    Faults that end the official program are the status of a sentence here. A candidate's sentence has a
    cycle, or several roots, or no parse if a word has no head. A sentence of gold that is not a tree counts as
    no gold. If both sides have the same number of sentences, a sentence with other text has other words.

    When to use it
    --------------
    `conll18` gives the measures of the shared task of CoNLL 2018, for parsers of raw text. Take it where the
    candidate cuts the text into sentences and words itself. Scores are F1 over aligned words, so that wrong
    tokens cost precision and recall of everything after them. Punctuation counts.

    Definition
    ----------
    Both files have the same characters, spaces aside. Tokens and sentences are the same if they begin and end
    at the same character. Words are aligned by their characters; within multiword tokens, by the longest
    common subsequence of their forms. An aligned word is right under a measure if its tag (UPOS, XPOS),
    universal features, lemma, head (UAS), or head and relation without subtype (LAS) is. CLAS is LAS of
    content words; MLAS wants their tags, features and function words as well, BLEX their lemmas.

    Formula
    -------
    With *g* and *c* the numbers of words of gold and candidate, and *r* the aligned words that are right:

    ```math
    P = \frac{r}{c}
    \qquad R = \frac{r}{g}
    \qquad F_1 = \frac{2 r}{g + c}
    ```

    Example
    -------
    Gold cuts *can't* in two, the candidate does not. Three of its four words are aligned, and three of gold's
    five: F1 of words is 6/9.

    <!-- file: gold.conllu -->
    ```text
    1	Cats	cat	NOUN	_	Number=Plur	4	nsubj	_	_
    2	ca	can	AUX	_	_	4	aux	_	SpaceAfter=No
    3	n't	not	PART	_	_	4	advmod	_	_
    4	sing	sing	VERB	_	_	0	root	_	SpaceAfter=No
    5	.	.	PUNCT	_	_	4	punct	_	_
    ```

    <!-- file: parsed.conllu -->
    ```text
    1	Cats	cat	NOUN	_	Number=Plur	3	nsubj	_	_
    2	can't	can	AUX	_	_	3	aux	_	_
    3	sing	sing	VERB	_	_	0	root	_	SpaceAfter=No
    4	.	.	PUNCT	_	_	3	punct	_	_
    ```

    ```console
    $ crossbank score gold.conllu parsed.conllu --metric conll18
    conll18|subtypes:no|conversions:none|delete:none|...|v1.0
      tokens        66.67 %  F1 of tokens that begin and end at the same characters
      sentences    100.00 %  F1 of sentences that begin and end at the same characters
      words         66.67 %  F1 of words that are aligned: by their characters, within multiword tokens by form
      upos          66.67 %  F1 of aligned words with the same UPOS
      xpos          66.67 %  F1 of aligned words with the same XPOS
      ufeats        66.67 %  F1 of aligned words with the same universal features
      alltags       66.67 %  F1 of aligned words with the same UPOS, XPOS and features
      lemmas        66.67 %  F1 of aligned words with the same lemma
      uas           66.67 %  F1 of aligned words with the right head
      las           66.67 %  F1 of aligned words with the right head and relation
      clas          80.00 %  F1 of aligned content words with the right head and relation
      mlas          40.00 %  F1 of the same with UPOS, features and function words
      blex          80.00 %  F1 of aligned content words with the right head, relation and lemma
      1 sentence: 1 scored
      1 word that the candidate cuts otherwise
    ```

    Other programs
    --------------
    `conll18_ud_eval.py` 1.2: `--mode conll18` prints its table (`counts=yes` its counts). A cycle or a second
    root ends that program; here the sentence is counted by its reason.
    """  # noqa: E501 (lines that are printed)

    subtypes: bool = False

    name: ClassVar[str] = "conll18"
    compares_words: ClassVar[bool] = False
    position: ClassVar[float] = 190
    version: ClassVar[str] = "1.0"
    papers: ClassVar[tuple[str, ...]] = ("zeman-etal-2018",)
    view: ClassVar[str] = "dependencies"
    word_by_word: ClassVar[bool] = False
    title: ClassVar[str] = "CoNLL 2018"
    headline: ClassVar[tuple[str, ...]] = ("las",)
    compared: ClassVar[tuple[str, ...]] = ("sentences", "words", "uas", "las", "clas", "mlas", "blex")
    measures: ClassVar[tuple[Measure, ...]] = MEASURES
    breakdown_measures: ClassVar[Mapping[str, tuple[Measure, ...]]] = dict.fromkeys(
        ("feature", "feature_value"), precision_recall_f1("gold", "candidate", "matched", "features")
    )

    @staticmethod
    def pair(
        gold: Treebank, candidate: Treebank, *, delete: BoolArray | None = None, align: bool = False
    ) -> TextPair:
        """Return gold and candidate by their text. Nothing can be omitted, and words are always aligned.

        Raises CrossbankError if the texts differ and the numbers of sentences differ too.
        """
        own, candidate_words = words_of(columns_of(gold), columns_of(candidate))
        if own.text == candidate_words.text:
            return _pair_of_one_text(gold, candidate, own, candidate_words)
        if len(gold) != len(candidate):
            raise CrossbankError(
                f"{file_of(candidate)}: neither the text nor the number of sentences ({len(candidate):,}) is "
                f"that of {file_of(gold)} ({len(gold):,})"
            )
        return _pair_of_sentences(gold, candidate, own, candidate_words)

    def counts(self, pair: Pair) -> Counts:
        """Return the columns that were counted when gold and candidate were paired."""
        self.require(pair)
        if not isinstance(pair, TextPair):
            pair = self.pair(pair.gold, pair.candidate)
        columns = pair.columns(self.subtypes)
        cut = {
            f"{unit} that the candidate cuts otherwise": int(
                (columns[f"{unit}_system"] - columns[f"{unit}_correct"]).sum()
            )
            for unit in ("sentences", "words")
        }
        features = cache(partial(_parts_of, pair))
        return self.counted(
            pair,
            columns,
            {
                "feature": lambda: features()["feature"],
                "feature_value": lambda: features()["feature_value"],
            },
            notes={what: number for what, number in cut.items() if number},
        )

    def items(self, pair: Pair, sentence: int) -> list[Item]:
        """Return the dependencies over gold's words."""
        return Dependencies(subtypes=self.subtypes).items(pair, sentence)


def _parts_of(pair: TextPair) -> dict[str, Breakdown]:
    """Return the features by name, and by name and value; in sentences that are not scored, gold's alone."""
    sentence = pair.gold.tokens.sentence_of_row()
    scored = np.append(pair.scored, False)
    gold, candidate = pair.gold, pair.candidate
    return break_down_features(
        Bundles(sentence, gold.tokens.morph, gold.vocabulary),
        Bundles(np.where(scored[sentence], sentence, -1), candidate.tokens.morph, candidate.vocabulary),
        pair.features._replace(sentence=np.where(scored[pair.features.sentence], pair.features.sentence, -1)),
        len(pair),
    )


def _pair_of_one_text(
    gold: Treebank, candidate: Treebank, own: TextWords, candidate_words: TextWords
) -> TextPair:
    sentence = np.searchsorted(own.spans.sentence_start, candidate_words.spans.start, side="right") - 1
    status = np.full(len(gold), Status.SCORED, np.int8)
    faults = np.repeat(
        tree_faults(candidate.tokens.offsets, candidate.tokens.head), np.diff(candidate_words.offsets)
    )
    for fault, name in STATUS_OF_FAULT.items():
        status[sentence[faults == fault]] = name
    status[tree_faults(gold.tokens.offsets, gold.tokens.head) != TREE] = Status.NO_GOLD
    counterpart = aligned(own, candidate_words)
    features = Bundles(sentence.astype(np.int32), candidate.tokens.morph, candidate.vocabulary)
    over_gold = _over_gold(gold, candidate, own, candidate_words, counterpart)

    def counted(subtypes: bool) -> dict[str, Column]:
        return _of_scored(count(own, candidate_words, counterpart, subtypes=subtypes), status)

    return TextPair(gold, over_gold, status, cache(counted), features)


def _pair_of_sentences(
    gold: Treebank, candidate: Treebank, own: TextWords, candidate_words: TextWords
) -> TextPair:
    """Pair texts with the same number of sentences: sentences with different text are not scored."""
    texts = (
        map(side.text.__getitem__, map(slice, side.spans.sentence_start, side.spans.sentence_end))
        for side in (own, candidate_words)
    )
    same = np.array([one == other for one, other in zip(*texts, strict=True)], np.bool_)
    status = np.full(len(gold), Status.WORDS_DIFFER, np.int8)
    status[np.diff(candidate_words.offsets) == 0] = Status.NO_PARSE
    part = Conll18.pair(gold.select(same), candidate.select(same))
    status[same] = part.status
    both = Treebank.concatenate([part.candidate, candidate.select(~same)])
    order = np.argsort(np.concatenate((np.flatnonzero(same), np.flatnonzero(~same))))
    features = part.features._replace(sentence=np.flatnonzero(same)[part.features.sentence].astype(np.int32))

    def counted(subtypes: bool) -> dict[str, Column]:
        # Gold is scored against itself, for its totals in the sentences that are not scored.
        columns = _of_scored(count(own, own, aligned(own, own)), status)
        for name, column in part.columns(subtypes).items():
            columns[name][same] = column
        return columns

    return TextPair(gold, both.select(order), status, cache(counted), features)


def _of_scored(columns: Mapping[str, Column], status: NDArray[np.int8]) -> dict[str, Column]:
    """Return the columns, with gold's totals alone in the sentences that are not scored."""
    scored = status == Status.SCORED
    return {
        name: column if name.endswith("_gold") else np.where(scored, column, 0.0)
        for name, column in columns.items()
    }


def _over_gold(
    gold: Treebank, candidate: Treebank, own: TextWords, candidate_words: TextWords, counterpart: Int64Array
) -> Treebank:
    """Return the candidate with gold's words and sentences; ``counterpart`` is its words' alignment."""
    aligned_to = np.full(len(own.head), -1, np.int64)
    aligned_words = np.flatnonzero(counterpart >= 0)
    aligned_to[counterpart[aligned_words]] = aligned_words
    # The last entry is for words without a counterpart (-1). The candidate may have no words at all.
    sentence = gold.tokens.sentence_of_row()
    head = np.append(candidate_words.head, NOT_ALIGNED)[aligned_to]
    image = np.where(head >= 0, np.append(counterpart, -1)[np.maximum(head, -1)], head)
    here = (image >= 0) & (sentence[np.maximum(image, 0)] == sentence)
    local = np.where(here, image - own.offsets[sentence], np.where(image == NO_HEAD, ROOT, UNATTACHED))
    strings = {
        name: np.append(getattr(candidate.tokens, name), 0)[aligned_to].astype(np.int32)
        for name in candidate.tokens.STRINGS
    }
    begins = np.searchsorted(candidate_words.spans.sentence_start, own.spans.sentence_start, side="right") - 1
    return Treebank.of_tables(
        candidate.vocabulary,
        candidate.sentences.select(begins),
        type(candidate.tokens).of(gold.tokens.offsets, head=local.astype(np.int32), **strings),
        history=candidate.history,
    )
