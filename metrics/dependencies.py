"""Dependencies: heads and relations of words, and triples of word, tag and head.

Attachment scores as in Buchholz and Marsi (2006): CoNLL-X Shared Task on Multilingual Dependency Parsing.
Precision and recall of triples after Lin (1998), as Rehbein and van Genabith (2007), section 3.3, use them. A
word without a head (of a partial parse, or omitted by a conversion) has no triple. Where only the candidate
lacks heads, recall falls and precision does not. The partial parses of Kübler and Telljohann (2002), section
5, are scored in this way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, Self, cast

import numpy as np

from crossbank.metrics.arcs.arc_breakdowns import (
    OF_ARCS,
    OF_KEYS,
    OF_UNLABELLED_ARCS,
    TITLES,
    TREES,
    break_down_arcs,
    break_down_trees,
)
from crossbank.metrics.arcs.tree_shape import CYCLE, ROOTS, tree_faults
from crossbank.metrics.counting.counts import (
    Breakdowns,
    Column,
    Counts,
    Measure,
    exact_match,
    per_sentence,
    precision_recall_f1,
    share,
)
from crossbank.metrics.counting.items import (
    Compared,
    ItemDescription,
    ItemMetric,
    Items,
    SideName,
    word_by_word,
)
from crossbank.metrics.counting.metric import Metric
from crossbank.metrics.pairing.pair import Pair
from crossbank.metrics.pairing.pair import pair as by_words
from crossbank.treebanks import ROOT, UNATTACHED, Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array

OF_RELATIONS = ("las", "label_accuracy")
"""The measures that compare relations independently of the options for triples."""


def unattached(bank: Treebank, tokens: BoolArray, step: str, *, names: str) -> Treebank:
    """Return the treebank without heads of the tokens in a mask; their column ``names`` is empty, too."""
    head = np.where(tokens, UNATTACHED, bank.tokens.head).astype(np.int32)
    column = np.where(tokens, 0, getattr(bank.tokens, names)).astype(np.int32)
    return bank.replace(tokens=bank.tokens.replace(**{"head": head, names: column}))


@dataclass(frozen=True)
class Dependencies(ItemMetric):
    r"""Attachment scores, and precision and recall of triples.

    labels    whether a triple's relation must match; if not, triples are unlabelled
    tags      whether the word's tag is part of its triple: WORD POS HEAD
    subtypes  whether relations are compared whole; if not, they are cut at the first ``:``
    roots     whether being a root counts as a dependency. If not, a word without a governor has no triple, as
              in Kübler and Telljohann (2002), where the parts of a partial parse are several roots

    Tokens that ``delete`` omits have no triple. They remain as heads of other words and in distances, as
    punctuation does for ``eval.pl`` and ``eval07.pl``.

    Attachment scores and label accuracy do not depend on ``tags``. They are proportions of the words that
    have a head in gold. Without ``labels`` there is no LAS and no label accuracy, since they say nothing
    about a parser that gives no relations. Where one side has no relations, they are not compared, whatever
    ``labels`` says; the signature and a note tell so.

    When to use it
    --------------
    `dependencies` gives attachment scores, and precision and recall of triples of word, head and relation.
    Take it for dependency parsers on given words, and for constituency parsers with a scheme that reads
    dependencies off trees: dependencies are less sensitive to the number of nodes than brackets are. For raw
    text take [`conll18`](conll18.md).

    Definition
    ----------
    UAS is the proportion of words with gold's head, LAS with gold's head and relation. A triple is a word,
    its head and its relation (with `tags=yes` the word's tag as well); a word without a head has none. So
    precision and recall differ where a parser leaves words unattached. Where one side has no relations, they
    are not compared, and a note says so.

    Formula
    -------
    ```math
    \text{UAS} = \frac{\text{words with the right head}}{\text{words with a head in gold}}
    \qquad \text{LAS} = \frac{\text{words with the right head and relation}}{\text{words with a head in gold}}
    ```

    With *G* and *C* the triples:

    ```math
    P = \frac{\lvert G \cap C \rvert}{\lvert C \rvert}
    \qquad R = \frac{\lvert G \cap C \rvert}{\lvert G \rvert}
    \qquad F_1 = \frac{2 P R}{P + R}
    ```

    Example
    -------
    *bell* hangs on the verb, with another relation, and *the* is called a `nmod`. So one head of nine is
    wrong, and two pairs of head and relation.

    <!-- file: gold.conllu -->
    ```text
    1	The	the	DET	DT	_	2	det	_	_
    2	dog	dog	NOUN	NN	_	3	nsubj	_	_
    3	chases	chase	VERB	VBZ	_	0	root	_	_
    4	the	the	DET	DT	_	5	det	_	_
    5	cat	cat	NOUN	NN	_	3	obj	_	_
    6	with	with	ADP	IN	_	8	case	_	_
    7	a	a	DET	DT	_	8	det	_	_
    8	bell	bell	NOUN	NN	_	5	nmod	_	SpaceAfter=No
    9	.	.	PUNCT	.	_	3	punct	_	_
    ```

    <!-- file: parsed.conllu -->
    ```text
    1	The	the	DET	DT	_	2	det	_	_
    2	dog	dog	NOUN	NN	_	3	nsubj	_	_
    3	chases	chase	VERB	VBZ	_	0	root	_	_
    4	the	the	DET	DT	_	5	nmod	_	_
    5	cat	cat	NOUN	NN	_	3	obj	_	_
    6	with	with	ADP	IN	_	8	case	_	_
    7	a	a	DET	DT	_	8	det	_	_
    8	bell	bell	NOUN	NN	_	3	obl	_	SpaceAfter=No
    9	.	.	PUNCT	.	_	3	punct	_	_
    ```

    ```console
    $ crossbank score gold.conllu parsed.conllu --metric dependencies --by relation
    dependencies|labels:yes|tags:no|...|v1.2
      uas                  88.89 %  words with the right head / words with a head in gold
      las                  77.78 %  words with the right head and relation / words with a head in gold
      label_accuracy       77.78 %  words with the right relation / words with a head in gold
      precision            77.78 %  matched triples / triples of the candidate
      recall               77.78 %  matched triples / triples of gold
      f1                   77.78 %  harmonic mean of precision and recall
      exact                 0.00 %  sentences whose triples are all the same / sentences
      unlabelled_exact      0.00 %  sentences whose heads are all the same / sentences
      1 sentence: 1 scored

      relation    gold  candidate  precision  recall      f1  kind_precision  kind_recall
      det            3          2     100.00   66.67   80.00          100.00        66.67
      case           1          1     100.00  100.00  100.00          100.00       100.00
      nmod           1          1       0.00    0.00    0.00            0.00         0.00
      nsubj          1          1     100.00  100.00  100.00          100.00       100.00
      obj            1          1     100.00  100.00  100.00          100.00       100.00
      punct          1          1     100.00  100.00  100.00          100.00       100.00
      root           1          1     100.00  100.00  100.00          100.00       100.00
      obl            0          1       0.00    0.00    0.00            0.00         0.00
    ```

    Other programs
    --------------
    - `eval07.pl` of CoNLL 2007: `--mode eval07`; `eval.pl` of CoNLL-X: `--mode conllx`. One counts
      punctuation and the other does not.
    - `conll18_ud_eval.py`: [`conll18`](conll18.md) and `--mode conll18`.
    - MaltEval counts punctuation by default: `--option delete=none`.
    """

    labels: bool = True
    tags: bool = False
    subtypes: bool = True
    roots: bool = True

    name: ClassVar[str] = "dependencies"
    item: ClassVar[str] = "arc"
    position: ClassVar[float] = 160
    version: ClassVar[str] = "1.2"
    papers: ClassVar[tuple[str, ...]] = ("buchholz-marsi-2006", "lin-1998")
    view: ClassVar[str] = "dependencies"
    title: ClassVar[str] = "Dependencies"
    micro_averaged: ClassVar[bool] = True
    headline: ClassVar[tuple[str, ...]] = ("las", "f1")
    compared: ClassVar[tuple[str, ...]] = ("precision", "recall", "uas", "las")
    breakdown_titles: ClassVar[Mapping[str, str]] = TITLES
    measures: ClassVar[tuple[Measure, ...]] = (
        Measure(
            "uas",
            share("heads", "gold", "candidate"),
            "words with the right head / words with a head in gold",
            title="UAS",
        ),
        Measure(
            "las",
            share("labelled", "gold", "candidate"),
            "words with the right head and relation / words with a head in gold",
            title="LAS",
        ),
        Measure(
            "label_accuracy",
            share("relations", "gold", "candidate"),
            "words with the right relation / words with a head in gold",
        ),
        *precision_recall_f1("gold", "candidate", "matched", "triples"),
        exact_match("triples"),
        per_sentence("unlabelled_exact", "sentences whose heads are all the same"),
    )
    breakdown_measures: ClassVar[Mapping[str, tuple[Measure, ...]]] = {
        **dict.fromkeys(("relation", "direction", "distance", "projectivity"), OF_KEYS),
        "confusion": tuple(measure for measure in measures if measure.name == "uas"),
        TREES: tuple(m for m in measures if m.name in ("uas", *OF_RELATIONS, "exact", "unlabelled_exact")),
    }

    # Tokens that are omitted remain, without a head.
    pair = staticmethod(partial(by_words, leave_out=partial(unattached, names="relation")))

    def counts(self, pair: Pair) -> Counts:
        """Count words with a head in either treebank, and with the right head, relation, both and triple."""
        applied, notes = (self, {}) if pair.is_chunk else self.without(self.optional(pair))
        if applied is not self:
            counts = applied.counts(pair)
            return replace(counts, notes={**counts.notes, **notes})
        counts = super().counts(pair)
        return counts if self.labels else replace(counts, measures=_unlabelled(self.measures))

    def optional(self, pair: Pair) -> dict[str, int | None]:
        """Return the words with a head of each side that has no relations."""
        if not self.labels:
            return {}
        return {
            side: None if names_relations(bank) else int((bank.tokens.head != UNATTACHED).sum())
            for side, bank in ((GOLD, pair.gold), (CANDIDATE, pair.candidate))
        }

    def without(self, lacking: Mapping[str, int | None]) -> tuple[Metric, dict[str, int]]:
        """Return the metric without labels if one side has no relations, and a note with its words."""
        for side in (GOLD, CANDIDATE):
            if words := lacking.get(side):
                note = f"words of {side}, which has no relations: relations are not compared"
                return replace(self, labels=False), {note: words}
        return self, {}

    def applied(self, pair: Pair) -> Self:
        """Return the metric without labels where one side has no relations."""
        return cast("Self", self.without(self.optional(pair))[0])

    def compare(self, pair: Pair) -> Compared:
        """Return the triple of each of gold's words on both sides, the same heads and the same relations."""
        if not self.subtypes:
            bare = [
                bank.with_strings("tokens", "relation", lambda relation: relation.partition(":")[0])
                for bank in (pair.gold, pair.candidate)
            ]
            pair = replace(pair, gold=bare[0], candidate=bare[1])
        gold, candidate = pair.gold.tokens, pair.candidate.tokens
        head = pair.aligned(candidate.head, UNATTACHED)
        relation = pair.aligned(pair.candidate_codes(candidate.relation), 0)
        tag = pair.aligned(pair.candidate_codes(candidate.pos), 0) if self.tags else gold.pos
        gold_items = self._triples(pair, pair.gold, gold.head, gold.relation, gold.pos)
        candidate_items = self._triples(pair, pair.candidate, head, relation, tag)
        heads = gold_items.counted & (head == gold.head)
        relations = gold_items.counted & candidate_items.counted & (relation == gold.relation)
        also_counted: dict[str, tuple[SideName, BoolArray]] = {
            "heads": ("gold", heads),
            "relations": ("gold", relations),
            "labelled": ("gold", heads & relations),
        }
        return Compared(
            pair,
            gold_items,
            candidate_items,
            also_counted=also_counted,
            match=word_by_word,
            aligned=True,
            notes=_notes(pair),
        )

    def _triples(
        self, pair: Pair, bank: Treebank, head: Int32Array, relation: Int32Array, tag: Int32Array
    ) -> Items:
        """Return the triples of one side, in columns over gold's words."""
        key = head.astype(np.int64)
        for column in (relation,) * self.labels + (tag,) * self.tags:
            key = key * pair.codes + column
        counted = head != UNATTACHED
        if not self.roots:
            counted &= head != ROOT
        return Items(
            pair.gold.tokens.offsets, key, counted, partial(_describe_arc, bank), np.arange(len(key))
        )

    def columns(self, comparison: Compared) -> dict[str, Column]:
        """Return the sums by sentence, and whether all triples or all heads are the same."""
        columns = super().columns(comparison)
        same = (columns["heads"] == columns["gold"]) & (columns["heads"] == columns["candidate"])
        return {**columns, "unlabelled_exact": (comparison.pair.scored & same).astype(np.float64)}

    def breakdowns(self, comparison: Compared, columns: Mapping[str, Column]) -> Breakdowns:
        """Return the breakdowns of arcs, and that by the projectivity of gold's tree."""
        names = OF_ARCS if self.labels else OF_UNLABELLED_ARCS
        of_arcs = {name: partial(break_down_arcs, name, comparison) for name in names}
        return {**of_arcs, TREES: partial(break_down_trees, comparison.pair, columns)}


GOLD, CANDIDATE = "gold", "the candidate"
"""Names of gold and candidate in notes."""

NO_RELATIONS = frozenset(("", "dep", "root", "punct"))
"""The names that conversions give to unknown relations, to roots and to punctuation."""


def names_relations(bank: Treebank) -> bool:
    """Return whether a word has a relation other than those that conversions use for unknown relations."""
    return not set(bank.vocabulary.decode(np.unique(bank.tokens.relation))) <= NO_RELATIONS


def _unlabelled(measures: Sequence[Measure]) -> tuple[Measure, ...]:
    """Return the measures that do not compare relations, with triples named as unlabelled."""
    return tuple(
        replace(measure, title=f"unlabelled {measure.heading}")
        if measure.name in ("precision", "recall", "f1", "exact")
        else measure
        for measure in measures
        if measure.name not in OF_RELATIONS
    )


def _notes(pair: Pair) -> dict[str, int]:
    """Return the numbers of the candidate's sentences that are not trees, whose arcs are still compared."""
    tokens = pair.candidate.tokens
    faults = tree_faults(tokens.offsets, tokens.head)[pair.scored]
    counts = {"a cycle": int((faults == CYCLE).sum()), "several roots": int((faults == ROOTS).sum())}
    return {f"sentences of the candidate with {what}": count for what, count in counts.items() if count}


def _describe_arc(bank: Treebank, word: int) -> ItemDescription:
    """Return the triple of a word: its relation, the word and its head, and both as ``nsubj saw-2``.

    A root's head is ``-``, as in Lin (1998). A word without a head has no text.
    """
    head = int(bank.tokens.head[word])
    relation = bank.vocabulary[int(bank.tokens.relation[word])]
    if head == UNATTACHED:
        return ItemDescription(relation, (word,))
    form = "-" if head == ROOT else f"{bank.vocabulary[int(bank.tokens.form[head])]}-{head + 1}"
    return ItemDescription(relation, (word,) if head == ROOT else (word, head), f"{relation} {form}".strip())
