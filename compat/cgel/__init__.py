"""Mode ``cgel``: agreement between two annotators of trees of the Cambridge Grammar.

The report is that of ``eval.py`` of github.com/nert-nlp/cgel of 2023, byte for byte. It is published with the
data of Reynolds, Arora and Schneider (2023), Unified Syntactic Annotation of English in the CGEL Framework.
LAW. A tree distance aligns constituents, words and gaps. A wrong category, function, word or antecedent
costs a quarter of an edit each; under ``strict`` any of them costs an edit.

The program's peculiarities are kept. Its precision subtracts the cost of deletions from the constituents of
the candidate, its recall that of insertions from the constituents of gold; F is the mean of both. Of several
cheapest edits it takes those with the fewest insertions, then those whose aligned pairs come first in the
order of numbers. So the breakdown depends on which file is gold.

Three things differ: files need not be in the program's layout, deep trees do not end it, and its progress
bar on stderr is omitted. Where it ends with a traceback (an index with two antecedents, aligned gaps
without an antecedent, numbers of trees that differ), one line says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice

import numpy as np

from crossbank.compat.cgel.loops.tree_edits import EditedTrees, EditPrice, Edits, align_trees
from crossbank.formalisms.cgel.formats.cgel_trees import GAP, ROOT, CgelSentence, Constituent, load_trees
from crossbank.metrics.counting.counts import (
    Column,
    Counts,
    Measure,
    Signature,
    Sums,
    harmonic_mean,
    ratio,
    share,
)
from crossbank.metrics.modes.modes_by_name import Mode
from crossbank.metrics.modes.protocol import Answer, Call, Output, Path
from crossbank.metrics.pairing.pair import Status
from crossbank.plugins.packages import PlugIn
from crossbank.treebanks.arrays import Int32Array, offsets_of
from crossbank.treebanks.errors import CrossbankError, FormatError
from crossbank.treebanks.ranges import in_ranges

PLUG_IN = PlugIn(title="reports of CGEL's eval.py")

MODE = Mode(position=80, program="eval.py of nert-nlp/cgel (2023)", format="cgel")

CONDITIONS = {
    "unlab": EditPrice(False, False, False),
    "flex": EditPrice(True, True, False),
    "nocat": EditPrice(False, True, False),
    "nofxn": EditPrice(True, False, False),
    "strict": EditPrice(True, True, True),
}
"""Prices of the columns: whether categories and functions count, and whether a difference is a whole edit."""

EDIT = 4
"""An edit, in quarters."""

GAPS = ("gold gaps", "candidate gaps")

CHUNK = 500
"""The number of trees of each file that are in memory at once."""

SENTENCES_PER_RANGE = 20
"""Minimal number of sentences for a thread."""


def _measures(condition: str) -> tuple[Measure, ...]:
    def precision(sums: Sums) -> Column:
        deleted = sums[f"{condition} deleted"]
        return ratio(sums["candidate"] - deleted, sums["candidate"], sums["gold"])

    def recall(sums: Sums) -> Column:
        return ratio(sums["gold"] - sums[f"{condition} inserted"], sums["gold"], sums["candidate"])

    f1, mean = harmonic_mean(precision, recall), "harmonic mean of the program's precision and recall"
    return (
        Measure(f"{condition}_precision", precision, "1 - cost of deletions / constituents of the candidate"),
        Measure(f"{condition}_recall", recall, "1 - cost of insertions / constituents of gold"),
        Measure(f"{condition}_f1", f1, mean),
    )


MEASURES = (
    *(measure for condition in CONDITIONS for measure in _measures(condition)),
    Measure("tree_accuracy", share("exact", "rows"), "trees without an edit / trees"),
    Measure(
        "gaps_f1",
        lambda sums: ratio(
            2 * sums["right gaps"], sums["gold gaps"] + sums["candidate gaps"], sums["gold gaps"]
        ),
        "gaps aligned to gaps whose antecedents are aligned / mean of the gaps of both sides",
    ),
)


def evaluate(call: Call) -> Answer:
    """Compare two files tree by tree.

    There are no options and no parameter file; ``.cgel`` is the only format. Raises CrossbankError if a
    file cannot be read, where the numbers of trees differ, and where an antecedent is missing or ambiguous.
    """
    call.settings("cgel", {}, "cgel")
    gold, candidate = call.read_both(lambda path, _, encoding: load_trees(path, encoding))
    comparison = _Comparison((call.gold, call.candidate))
    ids: list[str] = []
    chunks: list[dict[str, Column]] = []
    while True:
        trees = list(islice(gold, CHUNK)), list(islice(candidate, CHUNK))
        if len(trees[0]) != len(trees[1]):
            counts_of_trees = [len(ids) + len(one) for one in trees]
            counts_of_trees[0] += sum(1 for _ in gold)
            counts_of_trees[1] += sum(1 for _ in candidate)
            raise CrossbankError(
                f"{call.candidate}: found {counts_of_trees[1]} trees, "
                f"expected {counts_of_trees[0]} as in {call.gold}"
            )
        if not trees[0]:
            break
        chunks.append(comparison.columns(trees))
        ids += [tree.id or str(number) for number, tree in enumerate(trees[0], len(ids) + 1)]
    columns = {name: np.concatenate([chunk[name] for chunk in chunks]) for name in chunks[0]}
    status = np.full(len(ids), Status.SCORED, np.int8)
    sums = {name: float(column.sum()) for name, column in columns.items()}
    return Answer(
        [Output(lambda: report(len(ids), sums, comparison.breakdown))],
        lambda: Counts(Signature("cgel", "1.0"), MEASURES, tuple(ids), status, columns),
    )


def _antecedents(tree: CgelSentence, path: Path) -> dict[str, int]:
    """Return the constituent of each index. Raises FormatError if two constituents have the same index."""
    antecedents: dict[str, int] = {}
    for index, one in enumerate(tree.constituents):
        if one.index and one.category != GAP and antecedents.setdefault(one.index, index) != index:
            second = f"a second constituent with the index {one.index}"
            raise FormatError(path, second, "one antecedent", line=one.line, sentence=tree.id or None)
    return antecedents


Confused = Counter[tuple[str | None, str | None]]
"""Numbers of aligned pairs of gold's and the candidate's labels."""


@dataclass
class Breakdown:
    """Parts of the flexible costs; ``quarters`` is that of aligned constituents, in quarters of an edit."""

    insertions: int = 0
    deletions: int = 0
    quarters: int = 0
    categories: Confused = field(default_factory=Counter)
    functions: Confused = field(default_factory=Counter)
    lexemes: Confused = field(default_factory=Counter)


class _Comparison:
    """Alignment of two files' trees under each condition, chunk by chunk."""

    def __init__(self, files: tuple[Path, Path]) -> None:
        self.files, self.breakdown = files, Breakdown()
        self.codes: dict[str | None, int] = {None: -1}

    def columns(self, trees: tuple[Sequence[CgelSentence], Sequence[CgelSentence]]) -> dict[str, Column]:
        """Return the counts of a chunk by sentence, with costs in edits."""
        self.trees = trees
        self.antecedents = [
            [_antecedents(tree, path) for tree in side] for side, path in zip(trees, self.files, strict=True)
        ]
        self.counts: dict[str, Column] = {
            name: np.zeros(len(trees[0])) for name in ("wrong gaps", "matched gaps", "right gaps", *GAPS)
        }
        sizes = [np.array([len(tree.constituents) for tree in side]) for side in self.trees]
        offsets = [offsets_of(size) for size in sizes]
        one, other = (
            EditedTrees(first, *self._codes(side)) for first, side in zip(offsets, self.trees, strict=True)
        )
        begins, count = offsets[0].tolist(), len(sizes[0])
        for name, price in CONDITIONS.items():
            cost, insertions, length = (np.zeros(count, np.int32) for _ in range(3))
            ones, of_other = (np.zeros(begins[-1], np.int32) for _ in range(2))
            edits = Edits(cost, insertions, length, ones, of_other)
            in_ranges(partial(align_trees, one, other, price, edits), count, SENTENCES_PER_RANGE)
            deletions = insertions + sizes[0] - sizes[1]
            replaced = cost - EDIT * (insertions + deletions)
            for sentence, (begin, size) in enumerate(zip(begins, length.tolist(), strict=False)):
                aligned = (column[begin : begin + size].tolist() for column in (ones, of_other))
                pairs = list(zip(*aligned, strict=True))
                replaced[sentence] += self._gaps(sentence, pairs, name)
                if name == "flex":
                    self._confused(sentence, pairs)
            if name == "flex":
                parts = self.breakdown
                parts.insertions += int(insertions.sum())
                parts.deletions += int(deletions.sum())
                parts.quarters += int(replaced.sum())
            self.counts[f"{name} inserted"] = insertions + replaced / (2 * EDIT)
            self.counts[f"{name} deleted"] = deletions + replaced / (2 * EDIT)
        gold, candidate = (size.astype(np.float64) for size in sizes)
        exact = (self.counts["flex inserted"] == 0) & (self.counts["flex deleted"] == 0)
        return {"gold": gold, "candidate": candidate, **self.counts, "exact": exact.astype(np.float64)}

    def _codes(self, trees: Sequence[CgelSentence]) -> list[Int32Array]:
        """Return parents, and categories, functions and words in common codes."""
        every = [one for tree in trees for one in tree.constituents]
        strings = ([getattr(one, name) for one in every] for name in ("category", "function", "lexeme"))
        columns = [[self.codes.setdefault(s, len(self.codes)) for s in column] for column in strings]
        return [np.array(column, np.int32) for column in ([one.parent for one in every], *columns)]

    def _gaps(self, sentence: int, pairs: Sequence[tuple[int, int]], name: str) -> int:
        """Return the cost, in quarters, of aligned gaps whose antecedents are not aligned to each other."""
        cost, aligned = 0, dict(pairs)
        for pair in pairs:
            gap, other = self._constituents(sentence, pair)
            if (gap.category, other.category) != (GAP, GAP):
                continue
            own, antecedent_of_other = (
                self._antecedent(side, sentence, which) for side, which in enumerate((gap, other))
            )
            if aligned.get(own) == antecedent_of_other:
                continue
            if name != "strict":
                cost += 1
            elif gap.function == other.function:
                cost += EDIT
            if name == "flex":
                self.counts["wrong gaps"][sentence] += 1
        return cost

    def _confused(self, sentence: int, pairs: Sequence[tuple[int, int]]) -> None:
        """Count the confusions of a sentence, and its gaps."""
        matched = 0
        for pair in pairs:
            first, second = self._constituents(sentence, pair)
            for confused, labels in (
                (self.breakdown.categories, (first.category, second.category)),
                (self.breakdown.functions, (first.function, second.function)),
                (self.breakdown.lexemes, (first.lexeme, second.lexeme)),
            ):
                if labels[0] != labels[1]:
                    confused[labels] += 1
            matched += first.category == second.category == GAP
        self.counts["matched gaps"][sentence] = matched
        self.counts["right gaps"][sentence] = matched - self.counts["wrong gaps"][sentence]
        for name, side in zip(GAPS, self.trees, strict=True):
            self.counts[name][sentence] = sum(one.category == GAP for one in side[sentence].constituents)

    def _constituents(self, sentence: int, pair: tuple[int, int]) -> list[Constituent]:
        return [side[sentence].constituents[one] for side, one in zip(self.trees, pair, strict=True)]

    def _antecedent(self, side: int, sentence: int, gap: Constituent) -> int:
        index = self.antecedents[side][sentence].get(gap.index, ROOT)
        if index == ROOT:
            problem = f"a gap with the index {gap.index} that no constituent has"
            problem = problem if gap.index else "a gap without an index"
            name = self.trees[side][sentence].id or None
            raise FormatError(self.files[side], problem, "its antecedent", line=gap.line, sentence=name)
        return index


def report(trees: int, sums: Mapping[str, float], breakdown: Breakdown) -> str:
    """Return the lines of the report, each with its line end."""
    gold, candidate = int(sums["gold"]), int(sums["candidate"])
    gold_gaps, candidate_gaps = int(sums["gold gaps"]), int(sums["candidate gaps"])
    rows = ["microF   ", "microP   ", "microR   ", "avgcost  ", "avgPcost ", "avgRcost "]
    for name in CONDITIONS:
        deleted, inserted = sums[f"{name} deleted"], sums[f"{name} inserted"]
        # The program exchanges the two costs.
        precision, recall = (candidate - deleted) / candidate, (gold - inserted) / gold
        shares = (_harmonic(precision, recall), precision, recall)
        costs = (deleted / trees + inserted / trees, deleted / trees, inserted / trees)
        for row, part in enumerate(shares):
            rows[row] += f"{part:.1%}   "
        for row, cost in enumerate(costs, 3):
            rows[row] += f"{cost:>5.2f}   "
    right = int(sums["right gaps"])
    precision, recall = _part(right, candidate_gaps), _part(right, gold_gaps)
    rows[0] += f"{sums['exact'] / trees:.1%}   {_harmonic(precision, recall):.1%}"
    rows[1] += f"        {precision:.1%}"
    rows[2] += f"        {recall:.1%}"
    rows[3] += f"        {int(sums['matched gaps']):>5} aligned gaps"
    wrong = int(sums["wrong gaps"])
    rows[4] += f"        {wrong:>5} aligned gaps w/ unaligned antecedents"
    heading = "".join(f"{name:8}" for name in CONDITIONS)
    lines = [
        "",
        f"count={trees}, gold_constits={gold} ({gold_gaps} gaps), "
        f"pred_constits={candidate} ({candidate_gaps} gaps)",
        f"         {heading}TreeAcc Gaps",
        *rows,
        "",
        "Flex metric total cost breakdown:",
        f"   {breakdown.insertions:>6.2f} insertion @ 1",
        f"   {breakdown.deletions:>6.2f} deletion @ 1",
        f"   {breakdown.quarters / 4:>6.2f} substitution",
    ]
    for what, confused in (
        ("category", breakdown.categories),
        ("function", breakdown.functions),
        ("lexical token string", breakdown.lexemes),
    ):
        # The most frequent first, then in order of occurrence. A missing word is an empty string.
        listed = {f"{one or ''}->{other or ''}": times for (one, other), times in confused.most_common()}
        lines.append(f"        {confused.total() / 4:>6.2f} {what} @ .25: {listed}")
    lines.append(f"        {wrong / 4:>6.2f} gap antecedent @ .25")
    return "".join(f"{line}\n" for line in lines)


def _part(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _harmonic(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
