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
from crossbank.metrics.counting.items import (
    Compared,
    ItemDescription,
    ItemKeys,
    ItemMetric,
    Items,
    word_by_word,
)
from crossbank.metrics.pairing.pair import Pair
from crossbank.treebanks import CrossbankError, Treebank
from crossbank.treebanks.arrays import Int32Array


@dataclass(frozen=True)
class Frames(ItemMetric):
    r"""Precision and recall of frames, which a scheme's view ``frames`` makes labels of clauses.

    When to use it
    --------------
    `frames` compares what each verb takes: its subcategorisation frame. Take it where arguments matter more
    than brackets. It needs functions on both sides and a scheme with rules for frames (`tiger`, `tuebadz`,
    `ppche`).

    Definition
    ----------
    The scheme's view `frames` gives each clause a label: the kind of clause (VPA active, VPP passive, VPI
    infinitive, VPK copula) and one letter for each argument, such as `VPA.nad` for a nominative, an
    accusative and a dative. A frame is right if the other side has the same frame for the same verb, wherever
    the two clauses begin and end.

    Formula
    -------
    With *G* and *C* the pairs of verb and frame:

    ```math
    P = \frac{\lvert G \cap C \rvert}{\lvert C \rvert}
    \qquad R = \frac{\lvert G \cap C \rvert}{\lvert G \rvert}
    \qquad F_1 = \frac{2 P R}{P + R}
    ```

    Example
    -------
    In the first sentence the candidate takes the dative *ihm* for a modifier. Its frame of *gibt* lacks the
    letter `d`.

    <!-- file: gold.export -->
    ```text
    #FORMAT 3
    #BOS 1
    Sie	PPER	--	SB	500
    gibt	VVFIN	--	HD	500
    ihm	PPER	--	DA	500
    das	ART	--	NK	501
    Buch	NN	--	NK	501
    #501	NP	--	OA	500
    #500	S	--	--	0
    #EOS 1
    #BOS 2
    Er	PPER	--	SB	500
    liest	VVFIN	--	HD	500
    es	PPER	--	OA	500
    #500	S	--	--	0
    #EOS 2
    ```

    <!-- file: parsed.export -->
    ```text
    #FORMAT 3
    #BOS 1
    Sie	PPER	--	SB	500
    gibt	VVFIN	--	HD	500
    ihm	PPER	--	MO	500
    das	ART	--	NK	501
    Buch	NN	--	NK	501
    #501	NP	--	OA	500
    #500	S	--	--	0
    #EOS 1
    #BOS 2
    Er	PPER	--	SB	500
    liest	VVFIN	--	HD	500
    es	PPER	--	OA	500
    #500	S	--	--	0
    #EOS 2
    ```

    ```console
    $ crossbank score gold.export parsed.export --scheme tiger --metric frames --by verb
    frames|conversions:split_functions+label_frames|delete:punct|scheme:tiger|average:micro|unscored:empty:0|v1.1
      precision     50.00 %  matched frames / frames of the candidate
      recall        50.00 %  matched frames / frames of gold
      f1            50.00 %  harmonic mean of precision and recall
      2 sentences: 2 scored

      verb     gold  candidate  precision  recall      f1
      gibt        1          1       0.00    0.00    0.00
      liest       1          1     100.00  100.00  100.00
    ```

    Other programs
    --------------
    None. The frames are those of Beil et al. (2002), Table 1.
    """

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
        """Return each word's frame in gold and candidate, by the verb's lemma (or form) and by the frame."""
        other = frames_of_words(pair.candidate, pair.candidate_codes(pair.candidate.nodes.label))
        gold, candidate = frames_of_words(pair.gold, pair.gold.nodes.label), pair.aligned(other, -1)
        tokens = pair.gold.tokens
        verb = tokens.lemma if tokens.lemma.any() else tokens.form

        def items(frame: Int32Array) -> Items:
            def describe(word: int) -> ItemDescription:
                name = pair.string(int(frame[word])) if frame[word] >= 0 else ""
                return ItemDescription(pair.gold.words(0)[word], (word,), name)

            return Items(tokens.offsets, frame, frame >= 0, describe, np.arange(len(frame)))

        return Compared(
            pair,
            items(gold),
            items(candidate),
            {
                "verb": lambda: ItemKeys(verb, verb, pair.string),
                "frame": lambda: ItemKeys(np.maximum(gold, 0), np.maximum(candidate, 0), pair.string),
            },
            match=word_by_word,
            aligned=True,
            as_one=True,
        )


@dataclass(frozen=True)
class GeneralisedFrames(Frames):
    r"""Precision and recall of frames that passive clauses share with active ones (section 3.2, Figure 4).

    When to use it
    --------------
    `generalised_frames` compares frames in which the active and the passive of a verb are one. Take it beside
    [`frames`](frames.md), to see whether a parser that confuses active and passive still finds the arguments.

    Definition
    ----------
    As for `frames`, but a passive clause has the frame of the active clause that says the same: the subject
    of a passive counts as the object of the active. Both are `IP` with one letter for each argument. An agent
    that is not said is counted too, so that *das Buch wird gelesen* and *sie liest das Buch* are both
    `IP.na`.

    Formula
    -------
    With *G* and *C* the pairs of verb and generalised frame:

    ```math
    P = \frac{\lvert G \cap C \rvert}{\lvert C \rvert}
    \qquad R = \frac{\lvert G \cap C \rvert}{\lvert G \rvert}
    \qquad F_1 = \frac{2 P R}{P + R}
    ```

    Example
    -------
    A passive clause and an active one. In gold both have the frame `IP.na`. The candidate takes the object of
    the second for a modifier.

    <!-- file: gold.export -->
    ```text
    #FORMAT 3
    #BOS 1
    Das	ART	--	NK	501
    Buch	NN	--	NK	501
    wird	VAFIN	--	HD	500
    gelesen	VVPP	--	HD	502
    #501	NP	--	SB	500
    #502	VP	--	OC	500
    #500	S	--	--	0
    #EOS 1
    #BOS 2
    Sie	PPER	--	SB	500
    liest	VVFIN	--	HD	500
    das	ART	--	NK	501
    Buch	NN	--	NK	501
    #501	NP	--	OA	500
    #500	S	--	--	0
    #EOS 2
    ```

    <!-- file: parsed.export -->
    ```text
    #FORMAT 3
    #BOS 1
    Das	ART	--	NK	501
    Buch	NN	--	NK	501
    wird	VAFIN	--	HD	500
    gelesen	VVPP	--	HD	502
    #501	NP	--	SB	500
    #502	VP	--	OC	500
    #500	S	--	--	0
    #EOS 1
    #BOS 2
    Sie	PPER	--	SB	500
    liest	VVFIN	--	HD	500
    das	ART	--	NK	501
    Buch	NN	--	NK	501
    #501	NP	--	MO	500
    #500	S	--	--	0
    #EOS 2
    ```

    ```console
    $ crossbank score gold.export parsed.export --scheme tiger --metric generalised_frames --by frame
    generalised_frames|conversions:split_functions+label_frames:generalised=yes|delete:punct|scheme:tiger|average:micro|unscored:empty:0|v1.0
      precision     50.00 %  matched frames / frames of the candidate
      recall        50.00 %  matched frames / frames of gold
      f1            50.00 %  harmonic mean of precision and recall
      2 sentences: 2 scored

      frame    gold  candidate  precision  recall      f1
      IP.na       2          1     100.00   50.00   66.67
      IP.n        0          1       0.00    0.00    0.00
    ```

    Other programs
    --------------
    None. The generalisation is that of Beil et al. (2002), section 3.2 and Figure 4.
    """

    name: ClassVar[str] = "generalised_frames"
    position: ClassVar[float] = 80
    version: ClassVar[str] = "1.0"
    title: ClassVar[str] = "Generalised frames"
    view: ClassVar[str] = "generalised_frames"


def _without_arguments(bank: Treebank) -> bool:
    """Return whether there are clauses and all have the frame without arguments, of any class."""
    labels = bank.vocabulary.decode(np.unique(bank.nodes.label))
    return bool(labels) and all(label.rpartition(".")[2] == NO_ARGUMENTS for label in labels)


def frames_of_words(bank: Treebank, label: Int32Array) -> Int32Array:
    """Return the label of the highest clause that each token heads, or -1, shape ``(tokens,)``."""
    frame = np.full(len(bank.tokens), -1, np.int32)
    headed = np.flatnonzero(bank.nodes.head >= 0)[::-1]
    begin = bank.tokens.offsets[bank.nodes.sentence_of_row()[headed]]
    frame[begin + bank.nodes.head[headed]] = label[headed]
    return frame
