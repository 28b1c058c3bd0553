"""Verb frames: precision and recall of the labels of clauses, for all verbs and for each.

Beil, Franz, et al. (2002): Evaluation of the Gramotron Parser for German. Beyond PARSEVAL, section 6.2:
subcategorisation frames are evaluated by their label only; precision = correct / guesses, recall = correct /
baseline. A frame belongs to a verb. So it is compared with the other side's frame of the same word, wherever
the two clauses begin and end.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from crossbank.converters.constructions.label_frames import NO_ARGUMENTS
from crossbank.metrics.counting.counts import Measure, precision_recall_f1
from crossbank.metrics.counting.items import Compared, ItemMetric, Items, Kinds, Said, word_by_word
from crossbank.metrics.pairing.pair import Pair
from crossbank.treebanks import CrossbankError, Treebank
from crossbank.treebanks.arrays import Int32Array


@dataclass(frozen=True)
class Frames(ItemMetric):
    """Precision and recall of frames, which a scheme's view ``frames`` makes labels of clauses."""

    name: ClassVar[str] = "frames"
    item: ClassVar[str] = "frame"
    position: ClassVar[float] = 70
    version: ClassVar[str] = "1.1"
    papers: ClassVar[tuple[str, ...]] = ("beil-etal-2002",)
    title: ClassVar[str] = "Frames"
    view: ClassVar[str] = "frames"
    headline: ClassVar[tuple[str, ...]] = ("f1",)
    measures: ClassVar[tuple[Measure, ...]] = precision_recall_f1("gold", "candidate", "matched", "frames")

    def needs(self, pair: Pair) -> dict[str, CrossbankError | None]:
        """Return the metric's view, and an argument in a clause of the candidate: it has functions."""
        needs = super().needs(pair)
        if not _without_arguments(pair.candidate):
            needs["arguments"] = None
        elif not _without_arguments(pair.gold):
            where = pair.candidate.where(0).partition(":")[0] or "candidate"
            needs["arguments"] = CrossbankError(
                f"{where}: no clause has an argument; frames need the functions of arguments"
            )
        return needs

    def compare(self, pair: Pair) -> Compared:
        """Frame of every word of gold on each side, by the verb's lemma (or form) and by the frame."""
        other = frames_of_words(pair.candidate, pair.candidate_codes(pair.candidate.nodes.label))
        gold, candidate = frames_of_words(pair.gold, pair.gold.nodes.label), pair.aligned(other, -1)
        tokens = pair.gold.tokens
        verb = tokens.lemma if tokens.lemma.any() else tokens.form

        def items(frame: Int32Array) -> Items:
            def describe(word: int) -> Said:
                name = pair.string(int(frame[word])) if frame[word] >= 0 else ""
                return Said(pair.gold.words(0)[word], (word,), name)

            return Items(tokens.offsets, frame, frame >= 0, describe, np.arange(len(frame)))

        return Compared(
            pair,
            items(gold),
            items(candidate),
            {
                "verb": lambda: Kinds(verb, verb, pair.string),
                "frame": lambda: Kinds(np.maximum(gold, 0), np.maximum(candidate, 0), pair.string),
            },
            match=word_by_word,
            aligned=True,
            as_one=True,
        )


@dataclass(frozen=True)
class GeneralisedFrames(Frames):
    """Precision and recall of frames that passive clauses share with active ones (section 3.2, Figure 4)."""

    name: ClassVar[str] = "generalised_frames"
    position: ClassVar[float] = 80
    version: ClassVar[str] = "1.0"
    title: ClassVar[str] = "Generalised frames"
    view: ClassVar[str] = "generalised_frames"


def _without_arguments(bank: Treebank) -> bool:
    """True if there are clauses, and all have the frame without arguments, whatever their class."""
    labels = bank.vocabulary.decode(np.unique(bank.nodes.label))
    return bool(labels) and all(label.rpartition(".")[2] == NO_ARGUMENTS for label in labels)


def frames_of_words(bank: Treebank, label: Int32Array) -> Int32Array:
    """Return the label of the highest clause that each token heads, or -1, shape ``(tokens,)``."""
    frame = np.full(len(bank.tokens), -1, np.int32)
    headed = np.flatnonzero(bank.nodes.head >= 0)[::-1]
    begin = bank.tokens.offsets[bank.nodes.sentence_of_row()[headed]]
    frame[begin + bank.nodes.head[headed]] = label[headed]
    return frame
