"""Elementary dependency match: triples of meaning graphs, by the characters that their nodes stand for.

Dridan, Rebecca and Stephan Oepen (2011): Parser Evaluation Using Elementary Dependency Matching. IWPT: names
of predications, arguments and properties are triples whose ends are spans of characters; a weight for each
type of triple gives EDM with and without properties. ``delphin edm`` of PyDelphin counts constants and tops
too, and gives the same scores under the same weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossbank.metrics.counting.counts import (
    Breakdown,
    Breakdowns,
    Column,
    Measure,
    coverage,
    exact_match,
    precision_recall_f1,
)
from crossbank.metrics.counting.items import (
    Compared,
    ItemKeys,
    ItemMetric,
    Items,
    SideName,
    Tally,
    by_sentence,
    confusions_of_partners,
    count_by_key,
    relation_items,
)
from crossbank.metrics.pairing.pair import Pair, Status, file_of
from crossbank.metrics.pairing.pair_relations import pair_relations
from crossbank.treebanks import CrossbankError, OptionError, Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array
from crossbank.treebanks.relations.meaning_graphs import (
    CONSTANT,
    LABEL_EQUALITY,
    NO_NODE,
    NO_SPAN,
    PREDICATE,
    TOP,
    MeaningGraphs,
    link_of,
)

TRIPLE_TYPES = ("names", "arguments", "properties", "constants", "tops")
"""The types of triples."""

SIDES: tuple[SideName, SideName] = ("gold", "candidate")

NAMES, ARGUMENTS, PROPERTIES, CONSTANTS, TOPS = range(len(TRIPLE_TYPES))


class Triples(NamedTuple):
    """Triples of one side; all but ``bank`` of shape ``(relations,)``.

    type     an index into ``TRIPLE_TYPES``
    role     the code of the relation's name: a role, a property, or what else the triple is
    value    the code of the predicate of a name, of the value of a property; 0 for others
    span     a number that is the same for the same sentence and characters of the governor
    key      a number that is the same for triples that match
    counted  whether the triple counts; the candidate's only in sentences that are scored
    """

    bank: Treebank
    type: Int32Array
    role: Int32Array
    value: Int32Array
    span: Int64Array
    key: Int64Array
    counted: BoolArray


def _type_measure(type: str) -> Measure:
    measure = precision_recall_f1(f"gold {type}", f"candidate {type}", f"matched {type}", type)[2]
    return Measure(f"{type}_f1", measure.score, f"harmonic mean of precision and recall of {type} alone")


@dataclass(frozen=True)
class Edm(ItemMetric):
    r"""Precision and recall of the triples of elementary dependencies (EDS) or DMRS.

    names        the weight of the predications' names
    arguments    the weight of arguments: two predications and a role
    properties   the weight of properties, such as tense and number
    constants    the weight of constants, such as the names of persons
    tops         the weight of the graphs' tops
    quantifiers  whether an argument that is a quantifier counts, as of *nearly* in *nearly every dog*

    ``delphin edm`` does not count arguments that are quantifiers where it reads a profile: PyDelphin gives
    quantifiers other identifiers when it has made the graph, and does not find them any more.

    Triples of a sentence are a multiset. A sentence without a graph on both sides is not counted.

    When to use it
    --------------
    `edm` compares graphs of meaning: the elementary dependencies of HPSG grammars. Take it for parsers that
    give semantics: grammars of DELPH-IN, and graph parsers trained on their treebanks.

    Definition
    ----------
    A graph is a multiset of triples: the name of a predication, an argument between two predications, a
    property such as tense, a constant such as a person's name, and the top. The ends of a triple are spans of
    characters, so that identifiers do not matter. Each type has a weight. [More on profiles](../../formalisms/redwoods/redwoods.md).

    Formula
    -------
    With *G* and *C* the triples, each counted with the weight of its type:

    ```math
    P = \frac{\lvert G \cap C \rvert}{\lvert C \rvert}
    \qquad R = \frac{\lvert G \cap C \rvert}{\lvert G \rvert}
    \qquad F_1 = \frac{2 P R}{P + R}
    ```

    Example
    -------
    A treebank is a folder, a profile of [incr tsdb()]. The parser takes *cat* for a name: one predication is
    wrong, and there is a constant too many.

    <!-- file: gold/relations -->
    ```text
    item:
      i-id :integer :key
      i-input :string
      i-wf :integer

    parse:
      parse-id :integer :key
      i-id :integer :key
      readings :integer

    result:
      parse-id :integer :key
      result-id :integer
      derivation :string
      mrs :string
    ```

    <!-- file: gold/item -->
    ```text
    1@the cat sleeps@1
    ```

    <!-- file: gold/parse -->
    ```text
    1@1@1
    ```

    <!-- file: gold/result -->
    ```text
    1@0@(root_strict (1 sb-hd_mc_c 0 0 3 (2 sp-hd_n_c 0 0 2 (3 the_1 0 0 1 ("the")) (4 n_sg_ilr 0 1 2 (5 cat_n1 0 1 2 ("cat")))) (6 v_3s_olr 0 2 3 (7 sleep_v1 0 2 3 ("sleeps")))))@[ TOP: h0 INDEX: e2 [ e TENSE: pres ] RELS: < [ _the_q<0:3> LBL: h4 ARG0: x3 [ x NUM: sg PERS: 3 ] RSTR: h5 BODY: h6 ] [ _cat_n_1<4:7> LBL: h7 ARG0: x3 ] [ _sleep_v_1<8:14> LBL: h1 ARG0: e2 ARG1: x3 ] > HCONS: < h0 qeq h1 h5 qeq h7 > ]
    ```

    <!-- file: parsed/relations -->
    ```text
    item:
      i-id :integer :key
      i-input :string
      i-wf :integer

    parse:
      parse-id :integer :key
      i-id :integer :key
      readings :integer

    result:
      parse-id :integer :key
      result-id :integer
      derivation :string
      mrs :string
    ```

    <!-- file: parsed/item -->
    ```text
    1@the cat sleeps@1
    ```

    <!-- file: parsed/parse -->
    ```text
    1@1@1
    ```

    <!-- file: parsed/result -->
    ```text
    1@0@(root_strict (1 sb-hd_mc_c 0 0 3 (2 sp-hd_n_c 0 0 2 (3 the_1 0 0 1 ("the")) (4 n_sg_ilr 0 1 2 (5 cat_n1 0 1 2 ("cat")))) (6 v_3s_olr 0 2 3 (7 sleep_v1 0 2 3 ("sleeps")))))@[ TOP: h0 INDEX: e2 [ e TENSE: pres ] RELS: < [ _the_q<0:3> LBL: h4 ARG0: x3 [ x NUM: sg PERS: 3 ] RSTR: h5 BODY: h6 ] [ named<4:7> LBL: h7 ARG0: x3 CARG: "Cat" ] [ _sleep_v_1<8:14> LBL: h1 ARG0: e2 ARG1: x3 ] > HCONS: < h0 qeq h1 h5 qeq h7 > ]
    ```

    ```console
    $ crossbank score gold parsed --metric edm --by type
    edm|names:1.0|arguments:1.0|...|v1.0
      precision         80.00 %  matched triples / triples of the candidate
      recall            88.89 %  matched triples / triples of gold
      f1                84.21 %  harmonic mean of precision and recall
      names_f1          66.67 %  harmonic mean of precision and recall of names alone
      arguments_f1     100.00 %  harmonic mean of precision and recall of arguments alone
      properties_f1    100.00 %  harmonic mean of precision and recall of properties alone
      constants_f1       0.00 %  harmonic mean of precision and recall of constants alone
      tops_f1          100.00 %  harmonic mean of precision and recall of tops alone
      exact              0.00 %  sentences whose triples are all the same / sentences
      coverage         100.00 %  sentences with a graph / sentences
      1 sentence: 1 scored

      type          gold  candidate  precision  recall      f1
      names            3          3      66.67   66.67   66.67
      properties       3          3     100.00  100.00  100.00
      arguments        2          2     100.00  100.00  100.00
      tops             1          1     100.00  100.00  100.00
      constants        0          1       0.00    0.00    0.00
    ```

    Other programs
    --------------
    `delphin edm` of PyDelphin: the same weights give the same scores, which the tests compare on real
    profiles.
    """  # noqa: E501 (lines that are printed)

    names: float = 1.0
    arguments: float = 1.0
    properties: float = 1.0
    constants: float = 1.0
    tops: float = 1.0
    quantifiers: bool = False

    name: ClassVar[str] = "edm"
    compares_words: ClassVar[bool] = False
    item: ClassVar[str] = "triple"
    position: ClassVar[float] = 220
    version: ClassVar[str] = "1.0"
    papers: ClassVar[tuple[str, ...]] = ("dridan-oepen-2011",)
    title: ClassVar[str] = "Elementary dependency match"
    view: ClassVar[str] = "relations"
    word_by_word: ClassVar[bool] = False
    headline: ClassVar[tuple[str, ...]] = ("f1",)
    measures: ClassVar[tuple[Measure, ...]] = (
        *precision_recall_f1("gold", "candidate", "matched", "triples"),
        *map(_type_measure, TRIPLE_TYPES),
        exact_match("triples"),
        coverage("graph"),
    )
    breakdown_measures: ClassVar[Mapping[str, tuple[Measure, ...]]] = dict.fromkeys(
        ("type", "role", "confusion"), measures[:3]
    )
    breakdown_titles: ClassVar[Mapping[str, str]] = {"type": "type of triple", "role": "role or property"}

    def __post_init__(self) -> None:
        """Raise OptionError for a weight below zero, and where all are zero."""
        weights = {type: getattr(self, type) for type in TRIPLE_TYPES}
        for name, weight in weights.items():
            if not 0 <= weight < float("inf"):
                raise OptionError(f"option {name} of edm", weight, "a weight, 0 or more")
        if not any(weights.values()):
            raise OptionError("options of edm", "no weight above 0", "one at least")

    @staticmethod
    def pair(
        gold: Treebank, candidate: Treebank, *, delete: BoolArray | None = None, align: bool = False
    ) -> Pair:
        """Pair sentences by number or order. Spans are compared instead of tokens, which may differ."""
        paired = pair_relations(gold, candidate, compare_words=False, parse_has_relations=True)
        without = (paired.gold.relations.lengths() == 0) & (paired.candidate.relations.lengths() == 0)
        status = np.where(without, np.int8(Status.NO_GOLD), paired.status)
        return Pair(paired.gold, paired.candidate, status.astype(np.int8))

    def compare(self, pair: Pair) -> Compared:
        """Return the triples of both sides, weighted."""
        gold, candidate = _triples(pair, self.quantifiers)
        if len(pair.gold.relations) and not (gold.type == NAMES).any():
            what = "the relations have no predicates; edm needs elementary dependencies or DMRS"
            raise CrossbankError(f"{file_of(pair.gold)}: {what}")
        weights = np.array([getattr(self, type) for type in TRIPLE_TYPES], np.float64)
        return Compared(
            pair,
            _items(gold, weights),
            _items(candidate, weights),
            {
                "type": lambda: ItemKeys(gold.type, candidate.type, TRIPLE_TYPES.__getitem__),
                "role": lambda: ItemKeys(gold.role, candidate.role, pair.string),
            },
            also_summed={
                f"{name} {of}": (name, side.counted & (side.type == type))
                for name, side in zip(SIDES, (gold, candidate), strict=True)
                for type, of in enumerate(TRIPLE_TYPES)
            },
        )

    def columns(self, comparison: Compared) -> dict[str, Column]:
        """Return the counts by sentence: weighted sums, or without weights those of each category.

        One column counts the sentences in which everything is the same.
        """
        columns, gold = super().columns(comparison), comparison.gold
        types = comparison.keys["type"]().gold
        for type, name in enumerate(TRIPLE_TYPES):
            columns[f"matched {name}"] = by_sentence(gold.offsets, comparison.matched_gold & (types == type))
        totals = [sum(columns[f"{name} {type}"] for type in TRIPLE_TYPES) for name in (*SIDES, "matched")]
        same = (totals[2] == totals[0]) & (totals[2] == totals[1])
        return {**columns, "exact": (comparison.pair.scored & same).astype(np.float64)}

    def breakdowns(self, comparison: Compared, columns: Mapping[str, Column]) -> Breakdowns:
        """Return the counts by category and by role, and the confusions of names."""
        return {
            **super().breakdowns(comparison, columns),
            "confusion": partial(self._by_confusion, comparison),
        }

    def _by_confusion(self, comparison: Compared) -> Breakdown:
        """Return names over the same characters that do not match, gold's and the candidate's in order."""
        sides = _triples(comparison.pair, self.quantifiers)
        masks = comparison.matched_gold, comparison.matched_candidate
        left = [
            side.counted & (side.type == NAMES) & ~matched for side, matched in zip(sides, masks, strict=True)
        ]
        keys = [_numbered(side.span, rows) for side, rows in zip(sides, left, strict=True)]
        met = np.intersect1d(keys[0][left[0]], keys[1][left[1]], return_indices=True)[1:]
        rows = [
            np.flatnonzero(of_side)[rows_in_side] for of_side, rows_in_side in zip(left, met, strict=True)
        ]
        partner = np.full(len(sides[0].value), -1)
        partner[rows[0]] = rows[1]
        names = confusions_of_partners(sides[0].value, sides[1].value, partner, comparison.pair.string)
        gold, candidate = (
            Tally(side.bank.relations.offsets, key, of_side)
            for side, key, of_side in zip(sides, names[:2], left, strict=True)
        )
        matched = gold._replace(amount=np.zeros(len(gold.key), np.bool_))
        return count_by_key({"gold": gold, "candidate": candidate, "matched": matched}, names.name)


def _items(side: Triples, weights: NDArray[np.float64]) -> Items:
    """Return the triples of one side as items.

    Graphs whose nodes are known by their characters alone have no words that could lose.
    """
    return relation_items(side.bank, side.key, side.counted, partial(_triple, side.bank), weights[side.type])


def _triples(pair: Pair, quantifiers: bool) -> tuple[Triples, Triples]:
    """Return the triples of gold and candidate, in the codes of both."""
    columns = []
    for bank, codes in ((pair.gold, np.asarray), (pair.candidate, pair.candidate_codes)):
        table, graphs = bank.relations, MeaningGraphs.of(bank)
        spans = np.append(graphs.spans, [NO_SPAN], axis=0).T
        type = _types(bank, graphs, quantifiers)
        words = [codes(table.head_word), codes(table.dependent_word)]
        value = np.select([type == NAMES, (type == PROPERTIES) | (type == CONSTANTS)], words, 0)
        role = codes(table.name)
        ends = spans[:, graphs.source], np.where(type == ARGUMENTS, spans[:, graphs.target], 0)
        columns.append((table.sentence_of_row(), *ends[0], type, role, value, *ends[1]))
    span = _same_numbers(columns[0][:3], columns[1][:3])
    key = _same_numbers(*columns)
    of_gold, of_candidate = (column[3] >= 0 for column in columns)
    of_candidate &= np.repeat(pair.scored, pair.candidate.relations.lengths())
    gold, candidate = (
        Triples(bank, np.maximum(type, 0), role, value, start, own, counted)
        for bank, (_, _, _, type, role, value, *_), start, own, counted in zip(
            (pair.gold, pair.candidate), columns, span, key, (of_gold, of_candidate), strict=True
        )
    )
    return gold, candidate


def _types(bank: Treebank, graphs: MeaningGraphs, quantifiers: bool) -> Int32Array:
    """Return the type of each relation as an index into ``TRIPLE_TYPES``; -1 for DMRS's non-argument links.

    Without ``quantifiers`` also for arguments and tops that have no variable of their own.
    """
    table, code = bank.relations, bank.vocabulary.code
    is_argument = graphs.target != NO_NODE
    type = np.where(is_argument, ARGUMENTS, PROPERTIES)
    for name, of_name in ((PREDICATE, NAMES), (CONSTANT, CONSTANTS), (TOP, TOPS)):
        type[~is_argument & (table.name == code(name))] = of_name
    type[is_argument & (table.name == code(LABEL_EQUALITY))] = -1
    if not quantifiers:
        without_variable = np.append(graphs.without_variable, False)
        type[is_argument & without_variable[graphs.target]] = -1
        type[(type == TOPS) & without_variable[graphs.source]] = -1
    return type.astype(np.int32)


def _same_numbers(
    gold: tuple[NDArray[np.integer], ...], candidate: tuple[NDArray[np.integer], ...]
) -> tuple[Int64Array, Int64Array]:
    """Return a number for each row of both sides; rows that are the same in all columns have the same."""
    number = np.zeros(len(gold[0]) + len(candidate[0]), np.int64)
    for left, right in zip(gold, candidate, strict=True):
        column = np.concatenate((left, right)).astype(np.int64)
        _, number = np.unique(number * (column.max(initial=0) + 2) + column + 1, return_inverse=True)
        number = number.reshape(-1).astype(np.int64)
    return number[: len(gold[0])], number[len(gold[0]) :]


def _numbered(key: Int64Array, counted: BoolArray) -> Int64Array:
    """Return a number for each row, by its key and its index among the counted rows with that key."""
    rows = np.flatnonzero(counted)
    order = rows[np.argsort(key[rows], kind="stable")]
    ordered = key[order]
    begins = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])) if len(order) else order
    within = np.arange(len(order)) - np.repeat(begins, np.diff(np.append(begins, len(order))))
    numbered = np.full(len(key), -1, np.int64)
    numbered[order] = ordered * (1 << 24) + within
    return numbered


def _triple(bank: Treebank, row: int) -> str:
    """Return a triple as written for people: ``e3:_rain_v_1<3:9> ARG1 x5:...``."""
    table, string = bank.relations, bank.vocabulary.__getitem__

    def node(tag: int, word: int) -> str:
        return string(word) + link_of(string(tag))

    governor = node(int(table.head_tag[row]), int(table.head_word[row]))
    dependent = node(int(table.dependent_tag[row]), int(table.dependent_word[row]))
    return " ".join(filter(None, (governor, string(int(table.name[row])), dependent)))
