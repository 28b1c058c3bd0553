"""Precision and recall of head-lexicalised brackets: a label, the words under it and the word that heads it.

Musillo, Gabriele, and Khalil Sima'an (2002): Towards Comparing Parsers from Different Linguistic Frameworks:
An Information Theoretic Approach. Beyond PARSEVAL, section 4.1: "stricter recall/precision measures", over
"relations in which the labeled constituent is head-lexicalized".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from crossbank.metrics.counting.counts import Measure, precision_recall_f1
from crossbank.metrics.pairing.pair import Pair
from crossbank.metrics.parseval import UNCOUNTED, Brackets, Parseval
from crossbank.treebanks import OptionError


@dataclass(frozen=True)
class LexicalisedBrackets(Parseval):
    r"""Parseval in which brackets are the same where their lexical heads are, too.

    The options are those of ``Parseval``, without ``cost``. Heads are those of the scheme's head rules on both sides.

    When to use it
    --------------
    `lexicalised_brackets` is Parseval in which a bracket also has a head word. Take it where a bracket with
    the wrong head should not count as found: in coordination, in noun phrases with several nouns, or where
    two grammars differ in what governs what. It needs a scheme with head rules.

    Definition
    ----------
    A bracket is a label, the set of tokens under it, and the word that heads it by the scheme's rules, which
    are applied to both sides.

    Formula
    -------
    With *G* and *C* the brackets with their heads:

    ```math
    P = \frac{\lvert G \cap C \rvert}{\lvert C \rvert}
    \qquad R = \frac{\lvert G \cap C \rvert}{\lvert G \rvert}
    \qquad F_1 = \frac{2 P R}{P + R}
    ```

    Example
    -------
    The parser attaches *with a bell* to the verb; gold attaches it to *the cat*. The missing noun phrase is
    the only difference: all other brackets have the same heads.

    <!-- file: gold.mrg -->
    ```text
    (S (NP (DT The) (NN dog))
       (VP (VBZ chases)
           (NP (NP (DT the) (NN cat))
               (PP (IN with) (NP (DT a) (NN bell)))))
       (. .))
    ```

    <!-- file: parsed.mrg -->
    ```text
    (S (NP (DT The) (NN dog))
       (VP (VBZ chases)
           (NP (DT the) (NN cat))
           (PP (IN with) (NP (DT a) (NN bell))))
       (. .))
    ```

    ```console
    $ crossbank score gold.mrg parsed.mrg --scheme ptb --metric lexicalised_brackets
    lexicalised_brackets|labels:yes|root:yes|...|v1.0
      precision                100.00 %  matched brackets with their heads / brackets with their heads of the candidate
      recall                    85.71 %  matched brackets with their heads / brackets with their heads of gold
      f1                        92.31 %  harmonic mean of precision and recall
      exact                      0.00 %  sentences whose brackets are all the same / sentences
      crossing                   0.00 %  brackets of the candidate that cross one of gold / brackets of the candidate
      no_crossing              100.00 %  parsed sentences without a crossing bracket / sentences
      two_or_less_crossing     100.00 %  parsed sentences with two crossing brackets or less / sentences
      crossing_per_sentence      0.00    brackets of the candidate that cross one of gold / sentences
      1 sentence: 1 scored
    ```

    Other programs
    --------------
    None that we know of. Musillo and Sima'an (2002), section 4.1, define the measure.
    """  # noqa: E501 (lines that are printed)

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

    def __post_init__(self) -> None:
        """Raise OptionError if labels are to be matched in part."""
        super().__post_init__()
        if self.cost != "exact":
            raise OptionError("option cost", self.cost, "exact: labels are compared with their heads")

    def _brackets(self, pair: Pair) -> tuple[Brackets, Brackets]:
        """Return the brackets of gold and candidate, with one code for each pair of label and head."""
        sides = super()._brackets(pair)
        heads = pair.gold.nodes.head, pair.candidate.nodes.head
        size = 2 + max(int(head.max(initial=0)) for head in heads)
        label_head_pairs = [
            np.where(side.label < 0, UNCOUNTED, side.label.astype(np.int64) * size + head + 1)
            for side, head in zip(sides, heads, strict=True)
        ]
        distinct = np.unique(np.concatenate([[UNCOUNTED], *label_head_pairs]))
        code = [(np.searchsorted(distinct, side) - 1).astype(np.int32) for side in label_head_pairs]
        return sides[0].with_labels(code[0]), sides[1].with_labels(code[1])
