"""F-structures: precision and recall of feature specifications, under the best pairing of their nodes.

Crouch, Richard, Ronald Kaplan, Tracy King and Stefan Riezler (2002): A Comparison of Evaluation Metrics for a
Broad-Coverage Stochastic Parser, section 5.1: preds-only f-structures are compared "at the granularity of
these individual features", where ``pred`` with its arguments is one, and so is each attribute. "The matching
algorithm attempts to find the maximum number of features that can be matched between two structures. It
proceeds in a stratified manner, first maximizing the matches between attributes like pred, adjunct and
in_set, and then maximizing the matches of any remaining attributes."
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from crossbank.formalisms.lfg.conversions.preds_only import preds_only
from crossbank.formalisms.lfg.fstructures import PRED, QUALITY, TEXT, Arguments, read_attribute
from crossbank.formalisms.lfg.metrics.loops import fstructure_matching as loops
from crossbank.metrics.counting.counts import (
    Breakdown,
    Breakdowns,
    Column,
    Measure,
    Signature,
    exact_match,
    precision_recall_f1,
)
from crossbank.metrics.counting.items import (
    Compared,
    ItemDescription,
    ItemKeys,
    ItemMetric,
    Items,
    anchors,
    as_marked,
)
from crossbank.metrics.pairing.pair import Pair, Status
from crossbank.metrics.pairing.pair_relations import pair_relations
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array, offsets_of
from crossbank.treebanks.errors import excerpt
from crossbank.treebanks.ranges import in_ranges
from crossbank.treebanks.relations.meaning_graphs import MeaningGraphs
from crossbank.treebanks.tables import NO_TOKEN

FIRST_STRATUM = 1 << 20
"""The weight of a feature of the first stratum: more than all others of a sentence together."""

NULL, NO_SUCH_NODE, NEXT_LIST = -1, -2, -3
"""Arguments that are not nodes: an unfilled argument, one that the f-structure lacks, and the end of the
thematic ones."""

WORTH_A_THREAD = 50
"""A range has at least this many sentences."""


class Specifications(NamedTuple):
    """Distinct feature specifications of one side, by name within a sentence.

    nodes        which nodes belong to which sentence
    offsets      which specifications belong to which sentence
    name         the attribute, an index into the list of both sides' attributes
    head, value  nodes within their sentence; ``-1 - code`` of an atom
    arguments, argument
                 the arguments of each specification: nodes, or one of the negative numbers above
    word, token  of each node the code of its predicate and the token that this comes from
    """

    nodes: Int64Array
    offsets: Int64Array
    name: Int32Array
    head: Int32Array
    value: Int32Array
    arguments: Int64Array
    argument: Int32Array
    word: Int32Array
    token: Int32Array


@dataclass(frozen=True)
class FStructure(ItemMetric):
    r"""Precision and recall of feature specifications.

    features   ``preds_only``: those that lead to a predicate; ``all``: the grammatical features as well
    arguments  whether a predicate matches only if its arguments do; ``auto``: where both sides have them
    first      the attributes that are matched first; the others decide between equally good pairings

    Names of nodes do not count: nodes are paired one to one, so that as many specifications as possible
    match. The search is exact, except in sentences in which it would take too long; a note says how many.

    When to use it
    --------------
    `fstructure` compares f-structures feature by feature, under the best pairing of their nodes.
    Take it for LFG grammars and whatever else writes feature structures. Nodes need no names in common.

    Definition
    ----------
    An f-structure is a set of feature specifications: a node, an attribute, and a value, which is a node or
    an atom. Nodes of both sides are paired one to one, so that as many specifications as possible match:
    first those of the attributes in `first` (predicates, adjuncts, members of sets), then the others. By
    default only specifications count that lead to a predicate; `features=all` counts number, case and tense
    too. [More on LFG](../../formalisms/lfg/lfg.md).

    Formula
    -------
    With *G* and *C* the feature specifications under the best pairing:

    ```math
    P = \frac{\lvert G \cap C \rvert}{\lvert C \rvert}
    \qquad R = \frac{\lvert G \cap C \rvert}{\lvert G \rvert}
    \qquad F_1 = \frac{2 P R}{P + R}
    ```

    Example
    -------
    *Small* modifies the seeing and not the cat. Four predicates and two functions match; the number of *dog*
    does not lead to a predicate and does not count.

    <!-- file: gold.triples -->
    ```text
    subj(see~0, dog~1)
    obj(see~0, cat~2)
    adjunct(cat~2, small~3)
    num(dog~1, sg)
    ```

    <!-- file: parsed.triples -->
    ```text
    subj(see~0, dog~1)
    obj(see~0, cat~2)
    adjunct(see~0, small~3)
    num(dog~1, sg)
    ```

    ```console
    $ crossbank score gold.triples parsed.triples --metric fstructure --by relation
    fstructure|features:preds_only|arguments:no|...|v1.0
      precision     85.71 %  matched feature specifications / feature specifications of the candidate
      recall        85.71 %  matched feature specifications / feature specifications of gold
      f1            85.71 %  harmonic mean of precision and recall
      exact          0.00 %  sentences whose feature specifications are all the same / sentences
      1 sentence: 1 scored

      relation    gold  candidate  precision  recall      f1
      pred           4          4     100.00  100.00  100.00
      adjunct        1          1       0.00    0.00    0.00
      obj            1          1     100.00  100.00  100.00
      subj           1          1     100.00  100.00  100.00
    ```

    Other programs
    --------------
    None that can be had: the program of Crouch et al. (2002) is part of XLE. Section 5.1 defines its measure.
    """

    features: Literal["preds_only", "all"] = "preds_only"
    arguments: Literal["auto", "yes", "no"] = "auto"
    first: tuple[str, ...] = (PRED, "adjunct", "in_set")

    name: ClassVar[str] = "fstructure"
    compares_words: ClassVar[bool] = False
    item: ClassVar[str] = "relation"
    position: ClassVar[float] = 230
    version: ClassVar[str] = "1.0"
    title: ClassVar[str] = "F-structures"
    view: ClassVar[str] = "fstructures"
    papers: ClassVar[tuple[str, ...]] = ("crouch-etal-2002",)
    headline: ClassVar[tuple[str, ...]] = ("f1",)
    word_by_word: ClassVar[bool] = False
    measures: ClassVar[tuple[Measure, ...]] = (
        *precision_recall_f1("gold", "candidate", "matched", "feature specifications"),
        exact_match("feature specifications"),
    )
    breakdown_measures: ClassVar[Mapping[str, tuple[Measure, ...]]] = dict.fromkeys(
        ("relation", "parse_quality"), measures[:3]
    )
    breakdown_titles: ClassVar[Mapping[str, str]] = {
        "relation": "attribute",
        "parse_quality": "parse quality",
    }

    @staticmethod
    def pair(
        gold: Treebank, candidate: Treebank, *, delete: BoolArray | None = None, align: bool = False
    ) -> Pair:
        """Return the sentences paired by number or order.

        Analyses of one text may cut it into different words, whose f-structures can be compared all the same.
        """
        paired = pair_relations(gold, candidate, parse_has_relations=True)
        status = paired.status.copy()
        for sentence in np.flatnonzero(status == Status.WORDS_DIFFER).tolist():
            if (text := _text(paired.gold, sentence)) and text == _text(paired.candidate, sentence):
                status[sentence] = Status.SCORED
        return replace(paired, status=status)

    def breakdowns(self, comparison: Compared, columns: Mapping[str, Column]) -> Breakdowns:
        """Return the counts by attribute, and by the quality of the candidate's parse where it is known."""
        breakdowns, bank = super().breakdowns(comparison, columns), comparison.pair.candidate
        comments = bank.vocabulary.decode(bank.sentences.comments)
        qualities = [read_attribute(one, QUALITY) for one in comments]
        if any(qualities):
            breakdowns["parse_quality"] = partial(_by_quality, qualities, columns)
        return breakdowns

    def signature(self, pair: Pair) -> Signature:
        """Return the options, with the choice that ``auto`` made."""
        return super().signature(pair).with_values(arguments="yes" if self._with_arguments(pair) else "no")

    def _with_arguments(self, pair: Pair) -> bool:
        if self.arguments != "auto":
            return self.arguments == "yes"
        return all(bool(bank.relations.type.any()) for bank in (pair.gold, pair.candidate))

    def compare(self, pair: Pair) -> Compared:
        """Return the specifications of both sides; the candidate's only in sentences that are scored."""
        is_scored = np.repeat(pair.scored, pair.candidate.relations.lengths())
        banks = [pair.gold, pair.candidate.replace(relations=pair.candidate.relations.take(is_scored))]
        if self.features == "preds_only":
            banks = [preds_only(bank) for bank in banks]
        names: dict[str, int] = {}
        with_arguments = self._with_arguments(pair)
        sides = [
            _specifications(pair, bank, names, is_candidate=index == 1, with_arguments=with_arguments)
            for index, bank in enumerate(banks)
        ]
        gold, candidate = sides
        weight = np.array([FIRST_STRATUM if name in self.first else 1 for name in names] or [0], np.int64)
        matched = [np.zeros(len(side.name), np.bool_) for side in sides]
        unproved = np.zeros(len(pair), np.bool_)
        gold_specifications, candidate_specifications = (
            loops.SpecificationColumns(*side[:7]) for side in sides
        )
        matches = loops.MatchColumns(matched[0], matched[1], unproved)
        in_ranges(
            partial(
                loops.match_specifications, gold_specifications, candidate_specifications, weight, matches
            ),
            len(pair),
            WORTH_A_THREAD,
        )
        written, number = list(names), int(unproved.sum())
        return Compared(
            pair,
            _items(pair, gold, written, matched[0]),
            _items(pair, candidate, written, matched[1]),
            {"relation": lambda: ItemKeys(gold.name, candidate.name, written.__getitem__)},
            match=as_marked,
            notes={"sentences whose best pairing is not proved": number} if number else {},
        )


def _text(bank: Treebank, sentence: int) -> str:
    return read_attribute(bank.vocabulary[int(bank.sentences.comments[sentence])], TEXT)


def _specifications(
    pair: Pair, bank: Treebank, names: dict[str, int], *, is_candidate: bool, with_arguments: bool
) -> Specifications:
    """Return the specifications of a treebank; ``names`` grows by the attributes that are new."""
    table = bank.relations
    nodes = MeaningGraphs.of(bank)
    first_node = nodes.offsets[:-1]
    sentence_of_node = np.repeat(np.arange(len(bank)), np.diff(nodes.offsets))
    attributes, inverse = np.unique(table.name, return_inverse=True)
    codes = [names.setdefault(bank.vocabulary[code], len(names)) for code in attributes.tolist()]
    pred = names.setdefault(PRED, len(names))
    name = np.array(codes or [0], np.int64)[inverse.reshape(-1)]
    words = pair.candidate_codes(table.dependent_word) if is_candidate else table.dependent_word
    sentence = table.sentence_of_row().astype(np.int64)
    head = nodes.source - first_node[sentence]
    value = np.where(nodes.target >= 0, nodes.target - first_node[sentence], -1 - words.astype(np.int64))
    is_pred = (name == pred) & (nodes.target < 0)
    # Each node with a predicate has one feature that says so, whether a row says it as well or not.
    predicates = np.flatnonzero(nodes.word)
    own = pair.candidate_codes(nodes.word) if is_candidate else nodes.word
    columns = np.array(
        [
            np.concatenate((sentence[~is_pred], sentence_of_node[predicates])),
            np.concatenate((name[~is_pred], np.full(len(predicates), pred))),
            np.concatenate((head[~is_pred], predicates - first_node[sentence_of_node[predicates]])),
            np.concatenate((value[~is_pred], -1 - own[predicates].astype(np.int64))),
        ],
        np.int64,
    )
    distinct = np.unique(columns, axis=1)
    arguments = _arguments(bank, nodes, np.flatnonzero(is_pred)) if with_arguments else {}
    lists = [
        arguments.get(int(first_node[number] + node), ()) if attribute == pred else ()
        for number, attribute, node in zip(*distinct[:3].tolist(), strict=True)
    ]
    return Specifications(
        nodes.offsets,
        offsets_of(np.bincount(distinct[0], minlength=len(bank))),
        distinct[1].astype(np.int32),
        distinct[2].astype(np.int32),
        distinct[3].astype(np.int32),
        offsets_of(np.array([len(numbers) for numbers in lists], np.int64)),
        np.array([number for numbers in lists for number in numbers], np.int32),
        own,
        nodes.token,
    )


def _arguments(bank: Treebank, nodes: MeaningGraphs, rows: Int64Array) -> dict[int, tuple[int, ...]]:
    """Return the arguments of each node's predicate, from the rows that say them."""
    table = bank.relations
    sentence = table.sentence_of_row()
    written = bank.vocabulary.decode(table.type[rows])
    names = bank.vocabulary.decode(nodes.tag)
    known: dict[int, dict[str, int]] = {}
    by_node: dict[int, tuple[int, ...]] = {}
    for row, text in zip(rows.tolist(), written, strict=True):
        if not text:
            continue
        number = int(sentence[row])
        if number not in known:
            own = names[nodes.offsets[number] : nodes.offsets[number + 1]]
            known[number] = {name: number_of_node for number_of_node, name in enumerate(own)}
        if not Arguments.fit(text):
            raise bank.refused(number, f"{excerpt(text)} is no semantic form with identifier and arguments")
        node_of = known[number]
        arguments = Arguments.read(text)
        thematic, other = (
            tuple(NULL if name == "NULL" else node_of.get(name, NO_SUCH_NODE) for name in part)
            for part in (arguments.thematic, arguments.other)
        )
        by_node.setdefault(int(nodes.source[row]), (*thematic, NEXT_LIST, *other))
    return by_node


def _items(pair: Pair, side: Specifications, names: list[str], matched: BoolArray) -> Items:
    """Return the specifications of one treebank as items; their keys say whether they match.

    An item, and its loss, belongs to the value's token, or else to the head's.
    """
    sentence = np.repeat(np.arange(len(pair)), np.diff(side.offsets))
    # The last one is that of arguments that are not nodes.
    known = np.append(side.token, NO_TOKEN)
    token = [known[np.where(node >= 0, side.nodes[sentence] + node, -1)] for node in (side.head, side.value)]
    anchor = anchors(pair.gold.tokens, sentence, np.where(token[1] != NO_TOKEN, token[1], token[0]))

    def describe(row: int) -> ItemDescription:
        """Return a specification as text without names of nodes: ``subj(see, dog)``."""
        head, value = int(side.head[row]), int(side.value[row])
        words = [
            pair.string(int(side.word[node])) or "_" if node >= 0 else pair.string(-1 - node)
            for node in (head, value)
        ]
        name = names[int(side.name[row])]
        tokens = tuple(int(column[row]) for column in token if column[row] != NO_TOKEN)
        return ItemDescription(name, tokens, f"{name}({words[0]}, {words[1]})")

    return Items(side.offsets, matched, np.ones(len(side.name), np.bool_), describe, anchor)


def _by_quality(qualities: list[str], columns: Mapping[str, Column]) -> Breakdown:
    keys: dict[str, int] = {}
    key = [keys.setdefault(quality or "no parse", len(keys)) for quality in qualities]
    amounts = {name: columns[name] for name in ("gold", "candidate", "matched")}
    sentence = np.arange(len(qualities), dtype=np.int32)
    return Breakdown(tuple(keys), sentence, np.array(key, np.int32), amounts)
