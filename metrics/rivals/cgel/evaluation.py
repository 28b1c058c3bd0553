"""Findings of the mode ``cgel``: edits, their costs, and confusions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from crossbank.metrics.counting.counts import Column, Counts, Measure, Signature, Sums, ratio, share
from crossbank.metrics.pairing.pair import Status
from crossbank.metrics.rivals.cgel.loops import tree_edits as loops
from crossbank.metrics.rivals.cgel.report import Breakdown, Condition, report
from crossbank.metrics.rivals.protocol import Answer, Call, Path
from crossbank.treebanks.arrays import Int32Array, Int64Array, offsets_of
from crossbank.treebanks.errors import CrossbankError, FormatError, OptionError
from crossbank.treebanks.formats.cgel_trees import GAP, ROOT, Constituent, Tree, load_trees
from crossbank.treebanks.ranges import in_ranges

VERSION = "1.0"


class Price(NamedTuple):
    """Price of two aligned constituents: see ``loops.Price``."""

    categories: bool
    functions: bool
    whole: bool


class Side(NamedTuple):
    """Constituents of one side: see ``loops.Side``."""

    offsets: Int64Array
    parent: Int32Array
    category: Int32Array
    function: Int32Array
    lexeme: Int32Array


class Edits(NamedTuple):
    """Costs, insertions and aligned pairs of each sentence: see ``loops.Edits``."""

    cost: Int32Array
    insertions: Int32Array
    pairs: Int32Array
    one: Int32Array
    other: Int32Array


CONDITIONS = {
    "unlab": Price(False, False, False),
    "flex": Price(True, True, False),
    "nocat": Price(False, True, False),
    "nofxn": Price(True, False, False),
    "strict": Price(True, True, True),
}
"""The prices of each of the program's columns."""

EDIT = 4
"""An edit, in quarters."""

SENTENCES_PER_RANGE = 20
"""The least number of sentences for a thread."""


def _precision(name: str) -> Callable[[Sums], Column]:
    return lambda sums: ratio(sums["candidate"] - sums[f"{name} deleted"], sums["candidate"], sums["gold"])


def _recall(name: str) -> Callable[[Sums], Column]:
    return lambda sums: ratio(sums["gold"] - sums[f"{name} inserted"], sums["gold"], sums["candidate"])


def _f1(name: str) -> Callable[[Sums], Column]:
    precision, recall = _precision(name), _recall(name)
    return lambda sums: ratio(2 * precision(sums) * recall(sums), precision(sums) + recall(sums))


MEASURES = (
    *(
        measure
        for name in CONDITIONS
        for measure in (
            Measure(
                f"{name}_precision", _precision(name), "1 - cost of deletions / constituents of the candidate"
            ),
            Measure(f"{name}_recall", _recall(name), "1 - cost of insertions / constituents of gold"),
            Measure(f"{name}_f1", _f1(name), "harmonic mean of the program's precision and recall"),
        )
    ),
    Measure("tree_accuracy", share("exact", "rows"), "trees without an edit / trees"),
    Measure(
        "gaps_f1",
        lambda sums: ratio(
            2 * sums["right gaps"], sums["gold gaps"] + sums["candidate gaps"], sums["gold gaps"]
        ),
        "gaps aligned to gaps whose antecedents are aligned / mean of the gaps of both sides",
    ),
)


@dataclass(frozen=True, eq=False)
class Evaluation(Answer):
    """The program's findings in two files.

    sentences  their identifiers
    columns    the counts of each sentence; costs in edits
    breakdown  the confusions, by the flexible costs
    """

    sentences: Sequence[str]
    columns: Mapping[str, Column]
    breakdown: Breakdown

    def report(self) -> str:
        """Return the printed report."""
        sums = {name: float(column.sum()) for name, column in self.columns.items()}
        conditions = {
            name: Condition(sums[f"{name} deleted"], sums[f"{name} inserted"]) for name in CONDITIONS
        }
        return report(len(self.sentences), sums, conditions, self.breakdown)

    def counts(self) -> Counts:
        """Return the same per sentence."""
        return Counts(
            Signature("cgel", VERSION, ()),
            MEASURES,
            tuple(self.sentences),
            np.full(len(self.sentences), Status.SCORED, np.int8),
            dict(self.columns),
        )


def evaluate(call: Call) -> Evaluation:
    """Compare two files tree by tree.

    There are no options and no parameter file; ``.cgel`` is the only format. Raises CrossbankError where a
    file cannot be read, where the numbers of trees differ, and where an antecedent is missing or ambiguous.
    """
    call.refuse_parameters("cgel")
    if call.options:
        raise OptionError("option of cgel", next(iter(call.options)), "none (cgel has no options)")
    for asked in (call.format, call.candidate_format):
        if asked not in (None, "cgel"):
            raise OptionError("format", asked, ("cgel",))
    gold, candidate = call.read_both(lambda path, _, encoding: list(load_trees(path, encoding)))
    if len(gold) != len(candidate):
        raise CrossbankError(
            f"{call.candidate}: found {len(candidate)} trees, expected {len(gold)} as in {call.gold}"
        )
    files = (call.gold, call.candidate)
    antecedents = [
        [_antecedents(tree, path) for tree in side]
        for side, path in zip((gold, candidate), files, strict=True)
    ]
    sides = _sides(gold, candidate)
    compared = _Comparison(gold, candidate, antecedents, files)
    for name, price in CONDITIONS.items():
        compared.add(name, price, *sides)
    return Evaluation(
        [tree.id or str(place) for place, tree in enumerate(gold, 1)], compared.columns(), compared.breakdown
    )


def _sides(gold: Sequence[Tree], candidate: Sequence[Tree]) -> tuple[Side, Side]:
    """Both sides as the loop sees them."""
    codes: dict[str | None, int] = {None: -1}

    def code(said: str | None) -> int:
        return codes.setdefault(said, len(codes))

    def side(trees: Sequence[Tree]) -> Side:
        every = [one for tree in trees for one in tree.constituents]
        columns = (
            [one.parent for one in every],
            [code(one.category) for one in every],
            [code(one.function) for one in every],
            [code(one.lexeme) for one in every],
        )
        offsets = offsets_of(np.array([len(tree.constituents) for tree in trees]))
        return Side(offsets, *(np.array(column, np.int32) for column in columns))

    return side(gold), side(candidate)


def _antecedents(tree: Tree, path: Path) -> dict[str, int]:
    """Return the constituent of each index. Raises FormatError where two have the same."""
    found: dict[str, int] = {}
    for place, one in enumerate(tree.constituents):
        if one.index and one.category != GAP:
            if one.index in found:
                raise FormatError(
                    path,
                    f"a second constituent with the index {one.index}",
                    "one antecedent",
                    line=one.line,
                    sentence=tree.id or None,
                )
            found[one.index] = place
    return found


@dataclass
class _Comparison:
    """Counts, condition by condition.

    antecedents  of each side and sentence, by index
    """

    gold: Sequence[Tree]
    candidate: Sequence[Tree]
    antecedents: Sequence[Sequence[Mapping[str, int]]]
    files: tuple[Path, Path]
    found: dict[str, Column] = field(default_factory=dict)
    breakdown: Breakdown = field(default_factory=Breakdown)

    def add(self, name: str, price: Price, gold: Side, candidate: Side) -> None:
        """Align the trees under a condition and count the costs."""
        count = len(self.gold)
        edits = _edits(gold, candidate, price, count)
        begins = gold.offsets.tolist()
        inserted, deleted = np.zeros(count), np.zeros(count)
        for sentence in range(count):
            begin, size = begins[sentence], begins[sentence + 1] - begins[sentence]
            size_other = len(self.candidate[sentence].constituents)
            insertions, cost = int(edits.insertions[sentence]), int(edits.cost[sentence])
            deletions = insertions + size - size_other
            replaced = cost - EDIT * (insertions + deletions)
            last = begin + int(edits.pairs[sentence])
            pairs = list(zip(edits.one[begin:last].tolist(), edits.other[begin:last].tolist(), strict=True))
            replaced += self._gaps(sentence, pairs, name)
            inserted[sentence] = insertions + replaced / (2 * EDIT)
            deleted[sentence] = deletions + replaced / (2 * EDIT)
            if name == "flex":
                self._count(sentence, pairs, insertions, deletions, replaced)
        self.found[f"{name} inserted"], self.found[f"{name} deleted"] = inserted, deleted

    def columns(self) -> dict[str, Column]:
        """Return the counts, one number a sentence."""
        sizes = {
            name: np.array([len(tree.constituents) for tree in side], np.float64)
            for name, side in (("gold", self.gold), ("candidate", self.candidate))
        }
        exact = (self.found["flex inserted"] == 0) & (self.found["flex deleted"] == 0)
        return {**sizes, **self.found, "exact": exact.astype(np.float64)}

    def _gaps(self, sentence: int, pairs: Sequence[tuple[int, int]], name: str) -> int:
        """Return the cost, in quarters, of aligned gaps whose antecedents are not aligned to each other."""
        cost = 0
        aligned = dict(pairs)
        for one, other in pairs:
            gap, other_gap = self._constituents(sentence, one, other)
            if (gap.category, other_gap.category) != (GAP, GAP):
                continue
            own, others = (
                self._antecedent(side, sentence, which) for side, which in enumerate((gap, other_gap))
            )
            if aligned.get(own) == others:
                continue
            if name != "strict":
                cost += 1
            elif gap.function == other_gap.function:
                cost += EDIT
            if name == "flex":
                self.breakdown.wrong_antecedents += 1
                self._gap_column("wrong gaps")[sentence] += 1
        return cost

    def _count(
        self, sentence: int, pairs: Sequence[tuple[int, int]], insertions: int, deletions: int, replaced: int
    ) -> None:
        """Count the confusions of a sentence, and its gaps."""
        breakdown = self.breakdown
        breakdown.insertions += insertions
        breakdown.deletions += deletions
        breakdown.quarters += replaced
        matched = 0
        for one, other in pairs:
            first, second = self._constituents(sentence, one, other)
            for confused, pair in (
                (breakdown.categories, (first.category, second.category)),
                (breakdown.functions, (first.function, second.function)),
                (breakdown.lexemes, (first.lexeme, second.lexeme)),
            ):
                if pair[0] != pair[1]:
                    confused[pair] += 1
            matched += first.category == second.category == GAP
        self._gap_column("matched gaps")[sentence] = matched
        self._gap_column("right gaps")[sentence] = matched - self._gap_column("wrong gaps")[sentence]
        for name, side in (("gold gaps", self.gold), ("candidate gaps", self.candidate)):
            gaps = sum(one.category == GAP for one in side[sentence].constituents)
            self._gap_column(name)[sentence] = gaps

    def _gap_column(self, name: str) -> Column:
        return self.found.setdefault(name, np.zeros(len(self.gold)))

    def _constituents(self, sentence: int, one: int, other: int) -> tuple[Constituent, Constituent]:
        return self.gold[sentence].constituents[one], self.candidate[sentence].constituents[other]

    def _antecedent(self, side: int, sentence: int, gap: Constituent) -> int:
        place = self.antecedents[side][sentence].get(gap.index, ROOT)
        if place == ROOT:
            tree = (self.gold, self.candidate)[side][sentence]
            found = (
                f"a gap with the index {gap.index} that no constituent has"
                if gap.index
                else "a gap without an index"
            )
            raise FormatError(
                self.files[side], found, "its antecedent", line=gap.line, sentence=tree.id or None
            )
        return place


def _edits(gold: Side, candidate: Side, price: Price, sentences: int) -> Edits:
    """Return the edits under one condition."""
    counts = [np.zeros(sentences, np.int32) for _ in range(3)]
    pairs = [np.zeros(len(gold.parent), np.int32) for _ in range(2)]
    edits = Edits(*counts, *pairs)
    sides, chosen, found = (
        (loops.Side(*gold), loops.Side(*candidate)),
        loops.Price(*price),
        loops.Edits(*edits),
    )
    in_ranges(
        lambda first, last: loops.align_trees(*sides, chosen, found, first, last),
        sentences,
        SENTENCES_PER_RANGE,
    )
    return edits
