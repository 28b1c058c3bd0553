"""Verb frames: precision and recall of the labels of clauses, for all verbs and for each.

Beil, Franz, et al. (2002): Evaluation of the Gramotron Parser for German. Beyond PARSEVAL, section 6.2:
subcategorisation frames are evaluated by their label only; precision = correct / guesses, recall = correct /
baseline. A frame belongs to a verb. So it is compared with the other side's frame of the same word, wherever
the two clauses begin and end.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np

from crossbank.converters.label_frames import NO_ARGUMENTS
from crossbank.metrics.counting.counts import Counts, Measure, Parts, precision_recall_f1
from crossbank.metrics.counting.metric import Item, Metric
from crossbank.metrics.counting.tally import Tally, by_kind, by_sentence
from crossbank.metrics.pairing.pair import Pair
from crossbank.treebanks import CrossbankError, Treebank
from crossbank.treebanks.arrays import Int32Array


@dataclass(frozen=True)
class Frames(Metric):
    """Precision and recall of frames, which a scheme's view ``frames`` makes labels of clauses."""

    name: ClassVar[str] = "frames"
    version: ClassVar[str] = "1.1"
    papers: ClassVar[tuple[str, ...]] = ("beil-etal-2002",)
    title: ClassVar[str] = "Frames"
    view: ClassVar[str] = "frames"
    headline: ClassVar[tuple[str, ...]] = ("f1",)
    measures: ClassVar[tuple[Measure, ...]] = precision_recall_f1("gold", "candidate", "matched", "frames")

    def counts(self, pair: Pair) -> Counts:
        """Frames of gold and of the candidate, and those that are the same for the same verb.

        Raises CrossbankError where no clause of the candidate has an argument: its trees have no functions.
        """
        self.require_view(pair)
        if _without_arguments(pair.candidate) and not _without_arguments(pair.gold):
            where = pair.candidate.where(0).partition(":")[0] or "candidate"
            raise CrossbankError(
                f"{where}: no clause has an argument; frames need the functions of arguments"
            )
        gold, candidate = self._frames(pair)
        offsets = pair.gold.tokens.offsets
        columns = {
            "gold": by_sentence(offsets, gold >= 0),
            "candidate": by_sentence(offsets, candidate >= 0),
            "matched": by_sentence(offsets, (gold >= 0) & (gold == candidate)),
        }
        return Counts(
            self.signature(pair),
            self.measures,
            pair.sentence_ids(),
            pair.status,
            columns,
            {"verb": partial(self._by, "verb", pair), "frame": partial(self._by, "frame", pair)},
        )

    def items(self, pair: Pair, sentence: int) -> list[Item]:
        """The verbs of a sentence, with the frame that each side gives them."""
        one = pair.select([sentence])
        gold, candidate = self._frames(one)
        words = one.gold.words(0)
        return [
            Item(
                kind="frame",
                label=words[place],
                tokens=(place,),
                side="both" if ours >= 0 and theirs >= 0 else "gold" if ours >= 0 else "candidate",
                matched=ours == theirs,
                score=float(ours == theirs),
                gold=one.string(ours) if ours >= 0 else "",
                candidate=one.string(theirs) if theirs >= 0 else "",
            )
            for place, (ours, theirs) in enumerate(zip(gold.tolist(), candidate.tolist(), strict=True))
            if ours >= 0 or theirs >= 0
        ]

    def _frames(self, pair: Pair) -> tuple[Int32Array, Int32Array]:
        """The frame of every word of gold on each side, or -1."""
        candidate = frames_of_words(pair.candidate, pair.candidate_codes(pair.candidate.nodes.label))
        return frames_of_words(pair.gold, pair.gold.nodes.label), pair.aligned(candidate, -1)

    def _by(self, kind: str, pair: Pair) -> Parts:
        """The counts by the verb's lemma (its form where gold has no lemmas), or by the frame."""
        gold, candidate = self._frames(pair)
        tokens = pair.gold.tokens
        verb = tokens.lemma if tokens.lemma.any() else tokens.form
        kinds = (verb, verb) if kind == "verb" else (np.maximum(gold, 0), np.maximum(candidate, 0))
        return by_kind(
            {
                "gold": Tally(tokens.offsets, kinds[0], gold >= 0),
                "candidate": Tally(tokens.offsets, kinds[1], candidate >= 0),
                "matched": Tally(tokens.offsets, kinds[0], (gold >= 0) & (gold == candidate)),
            },
            pair.string,
        )


@dataclass(frozen=True)
class GeneralisedFrames(Frames):
    """Precision and recall of frames that passive clauses share with active ones (section 3.2, Figure 4)."""

    name: ClassVar[str] = "generalised_frames"
    version: ClassVar[str] = "1.0"
    title: ClassVar[str] = "Generalised frames"
    view: ClassVar[str] = "generalised_frames"


def _without_arguments(bank: Treebank) -> bool:
    """True if there are clauses, and all have the frame without arguments, whatever their class."""
    labels = bank.vocabulary.decode(np.unique(bank.nodes.label))
    return bool(labels) and all(label.rpartition(".")[2] == NO_ARGUMENTS for label in labels)


def frames_of_words(bank: Treebank, label: Int32Array) -> Int32Array:
    """The label of the highest clause that each token heads, or -1, shape ``(tokens,)``."""
    frame = np.full(len(bank.tokens), -1, np.int32)
    headed = np.flatnonzero(bank.nodes.head >= 0)[::-1]
    begin = bank.tokens.offsets[bank.nodes.sentence_of_row()[headed]]
    frame[begin + bank.nodes.head[headed]] = label[headed]
    return frame
