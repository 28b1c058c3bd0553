"""Mode ``greval``: the report of RASP's evaluation program for grammatical relations.

Carroll, John and Ted Briscoe: gramreleval, from the third release of RASP (2011), with its new scheme. Each
relation of gold is paired with an unused relation of the candidate whose slots agree; of several, with the
one whose lowest common subsumer is the lowest. Both are counted under every relation that subsumes them, and
as agreeing from the common subsumer upwards. The program's peculiarities are kept: all ``passive`` relations
are omitted, and an ``ncsubj`` of a passive verb gets the initial relation ``obj``; an unfilled type agrees
with any; ``ellip`` agrees with any word; a word with ``_`` in it agrees with its parts; weights count for
what is unmatched only; averages over relations are divided by the number of those that gold has, precision
too.

Not taken over: its first comparison by the old scheme and the dependencies without names, which it
computes and does not print, and its warnings about words that the text does not have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from operator import add, mul, truediv
from typing import Any, TypeAlias

import numpy as np

from crossbank.metrics.counting.counts import Counts, Signature, precision_recall_f1
from crossbank.metrics.modes.modes_by_name import Mode
from crossbank.metrics.modes.protocol import Answer, Call, Output, Path
from crossbank.metrics.pairing.pair import Status
from crossbank.plugins.packages import PlugIn
from crossbank.treebanks.errors import CrossbankError, FormatError
from crossbank.treebanks.files import read_text
from crossbank.treebanks.formats.relation_lists import load_list
from crossbank.treebanks.formats.relation_words import unquoted
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.relations.hierarchy import load_hierarchy

PLUG_IN = PlugIn(title="reports of RASP's gramreleval")

MODE = Mode(position=40, program="gramreleval of RASP 3 (2011)", format="relations")

MEASURES = precision_recall_f1("gold", "candidate", "matched", "relations, under all that subsume them")

Number: TypeAlias = int | Fraction | np.float32
"""Lisp's: whole numbers and ratios stay exact until they meet a single float."""

RASP = load_hierarchy("rasp")

ORDER = sorted(RASP.slots, key=lambda relation: RASP.depth(relation) > 1)
ABOVE = {relation: [name for name in ORDER if name in above] for relation, above in RASP.above.items()}
"""The relations that subsume each relation, in the order in which the program adds up floats."""

OPEN_TYPES = frozenset(("mod", "ncmod", "xmod", "cmod", "pmod", "arg", "xcomp", "ccomp", "ta"))
"""Relations whose type agrees with any type if the candidate's or gold's is unfilled."""


@dataclass(frozen=True)
class Written:
    """A relation: its weight, name and slots, all as they are in the list."""

    weight: Number
    name: str
    slots: tuple[str, ...]

    def __str__(self) -> str:
        return f"({' '.join((self.name, *self.slots))})"


@dataclass
class RelationTotals:
    """Relations of gold, of the candidate and in agreement, each counted under all that subsume it."""

    gold: dict[str, Number] = field(default_factory=dict)
    candidate: dict[str, Number] = field(default_factory=dict)
    agree: dict[str, Number] = field(default_factory=dict)

    def of(self, relation: str) -> tuple[Number, Number, Number]:
        """Return the numbers of gold's, the candidate's and agreeing relations under one name."""
        return self.gold.get(relation, 0), self.candidate.get(relation, 0), self.agree.get(relation, 0)

    def sums(self) -> tuple[Number, Number, Number]:
        """Return the same over all names, so that a relation counts once for each that subsumes it."""
        gold, candidate, agree = (
            _sum(reversed(counted.values())) for counted in (self.gold, self.candidate, self.agree)
        )
        return gold, candidate, agree


def evaluate(call: Call) -> Answer:
    """Score two lists.

    Options: ``details=yes`` adds the second report, with the relations of each sentence; ``text`` is
    the file of all numbered sentences. There is no parameter file, and lists of relations
    are the only format. Raises CrossbankError if a file does not read, numbers do not agree, or a
    relation is not the program's.
    """
    kinds = {"details": (bool, "no"), "text": (str, "")}
    detailed, text = call.settings("greval", kinds, "relations")
    gold, candidate, encoding = call.gold, call.candidate, call.encoding
    sides = [list(_sentences(path, encoding)) for path in (gold, candidate)]
    lines = (line.partition(" ") for line in read_text(text, encoding).splitlines()) if text else ()
    texts = {int(number): sentence for number, _, sentence in lines if number.isdecimal()}
    if not any(relations for _, relations in sides[0]):
        raise CrossbankError(f"{gold}: there are no relations to average over")
    total, sentences, listed = RelationTotals(), [], []
    for (expected, _), (candidate_number, _) in zip(*sides, strict=False):
        if expected != candidate_number:
            raise CrossbankError(
                f"{candidate}: found sentence {candidate_number}, expected {expected} as in {gold}"
            )
    if len(sides[0]) != len(sides[1]):
        number_found = quantity(len(sides[1]), "sentence")
        raise CrossbankError(f"{candidate} has {number_found}, {gold} has {len(sides[0]):,}")
    for (number, golds), (_, candidates) in zip(*sides, strict=True):
        own = RelationTotals()
        parts = _compare(_without_passives(golds), _without_passives(candidates), (total, own))
        sentences.append((number, own))
        if detailed:
            listed.append(_matches(number, texts.get(number, ""), *parts))

    def report() -> str:
        performance = f"\nNEW SCHEME PERFORMANCE:\n{_relations(total, len(sentences))}"
        if not detailed:
            return performance
        by_sentence = _by_sentence(sentences, total)
        return f"{''.join(listed)}\nNEW SCHEME SENTENCE PERFORMANCE:\n{by_sentence}{performance}"

    def counts() -> Counts:
        """Return the same per sentence: a relation counts once for each relation that subsumes it."""
        table = np.array([[float(n) for n in own.sums()] for _, own in sentences]).reshape(-1, 3)
        columns = dict(zip(("gold", "candidate", "matched"), table.T, strict=True))
        names, status = tuple(str(n) for n, _ in sentences), np.full(len(sentences), Status.SCORED, np.int8)
        return Counts(Signature("greval", "1.0"), MEASURES, names, status, columns)

    return Answer([Output(report)], counts)


# Reading


def _sentences(path: Path, encoding: str | None) -> Iterator[tuple[int, list[Written]]]:
    """Yield the numbered sentences of a list; relations with a slot ``NIL`` are omitted."""
    read = load_list(path, encoding)
    for block in read.blocks:
        if not block.number:
            raise FormatError(path, "a sentence without a number", "numbered sentences", line=block.line)
        relations = []
        for relation in range(block.first, block.last):
            name, *slots = read.written(relation)
            if "NIL" in (name, *slots):
                continue
            line = int(read.lines[relation])
            if name not in RASP:
                raise FormatError(
                    path, f"the relation {name!r}", f"one of {', '.join(RASP.slots)}", line=line
                )
            if len(slots) != len(RASP.slots[name][0]):
                way = f"({name} {' '.join(RASP.slots[name][0])})"
                raise FormatError(path, f"({' '.join((name, *slots))})", way, line=line)
            weight = min(np.float32(read.weights.get(relation, 1)), np.float32(1))
            relations.append(Written(weight, name, tuple(map(unquoted, slots))))
        yield int(block.number), relations


# Comparing


def _without_passives(relations: Sequence[Written]) -> list[Written]:
    """Return the relations in reverse, without ``passive``; subjects of passives are logical objects."""
    passive = {relation.slots[0] for relation in relations if relation.name == "passive"}
    remaining = []
    for relation in reversed(relations):
        if relation.name == "passive":
            continue
        if relation.name == "ncsubj" and relation.slots[0] in passive and relation.slots[2] == "_":
            relation = Written(relation.weight, relation.name, (*relation.slots[:2], "obj"))
        remaining.append(relation)
    return remaining


def _compare(
    golds: Sequence[Written], candidates: Sequence[Written], totals: Sequence[RelationTotals]
) -> tuple[list[tuple[Written, Written]], list[Written], list[Written]]:
    """Pair the relations of a sentence and count them; in both, in gold only, in the candidate only."""
    both: list[tuple[Written, Written]] = []
    golds_only, unused = [], list(candidates)
    for gold in golds:
        index, shared = _best(gold, unused)
        if shared is None:
            golds_only.append(gold)
            for total in totals:
                _count(total.gold, gold.name, gold.weight)
            continue
        candidate = unused.pop(index)
        both.append((gold, candidate))
        for total in totals:
            _count(total.gold, gold.name, 1)
            _count(total.candidate, candidate.name, 1)
            _count(total.agree, shared, 1)
    for candidate in unused:
        for total in totals:
            _count(total.candidate, candidate.name, candidate.weight)
    return both, golds_only, unused


def _count(totals: dict[str, Number], relation: str, weight: Number) -> None:
    """Add to a relation and to all that subsume it."""
    for above in ABOVE[relation]:
        totals[above] = _exactly(add, totals.get(above, 0), weight)


def _best(gold: Written, candidates: Sequence[Written]) -> tuple[int, str | None]:
    """Return the candidate with the lowest common subsumer (the last of equal ones), and the subsumer."""
    best, best_shared = -1, None
    for index, candidate in enumerate(candidates):
        shared = RASP.common(gold.name, candidate.name) if _slots_agree(gold, candidate) else None
        if shared is not None and (best_shared is None or RASP.subsumes(best_shared, shared)):
            best, best_shared = index, shared
    return best, best_shared


def _slots_agree(gold: Written, candidate: Written) -> bool:
    """Return whether the slots that both relations have agree."""
    slots = RASP.slots[candidate.name][0]
    for slot, expected in zip(RASP.slots[gold.name][0], gold.slots, strict=True):
        if slot not in slots:
            continue
        actual = candidate.slots[slots.index(slot)]
        unfilled = "_" in (actual, expected)
        if not (_agree(actual, expected) or (slot == "type" and unfilled and candidate.name in OPEN_TYPES)):
            return False
    return True


def _agree(actual: str, expected: str) -> bool:
    if actual == expected:
        return True
    if "_" in (actual, expected):
        return False
    if "ellip" in (actual, expected):
        return True
    return expected in actual if "_" in actual else "_" in expected and actual in expected


# Reporting


def _matches(
    number: int,
    text: str,
    both: Sequence[tuple[Written, Written]],
    golds: Sequence[Written],
    candidates: Sequence[Written],
) -> str:
    lines = [
        *("", "------------", f"NEW SCHEME MATCHES:{number}", text, ""),
        *("In both:", *(f"   {gold} : {candidate}" for gold, candidate in both), ""),
        *("Standard only:", *(f"   {gold}" for gold in golds), ""),
        *("Test only:", *(f"   {candidate}" for candidate in candidates), ""),
    ]
    return "".join(f"{line}\n" for line in lines)


def _by_sentence(by_sentence: Sequence[tuple[int, RelationTotals]], total: RelationTotals) -> str:
    lines = [
        "\n------------\nSummary\n",
        "\nSentence     Precision          Recall          F-score          tst GRs\n",
    ]
    for number, own in sorted(by_sentence, key=lambda row: row[0]):
        gold, candidate, agree = own.sums()
        p, r = _percent(agree, candidate), _percent(agree, gold)
        lines.append(
            f"{number:>4}           {_decimals(p, 7)}         {_decimals(r, 7)}          "
            f"{_decimals(_f(p, r), 7)}        {_decimals(candidate, 9)}\n"
        )
    return "".join(lines) + _averages(total, len(by_sentence))


def _relations(total: RelationTotals, sentences: int) -> str:
    lines = [
        "\n------------\nSummary\n",
        "\nRelation                Precision    Recall    F-score   tst GRs    std GRs   agree GRs\n",
    ]
    for relation in RASP.slots:
        if relation == "passive":
            continue
        gold, candidate, agree = total.of(relation)
        p, r = _percent(agree, candidate), _percent(agree, gold)
        name = f"{' ' * (RASP.depth(relation) + 1)}{relation}"
        figures = " ".join(_decimals(value, 10) for value in (p, r, _f(p, r), candidate, gold, agree))
        lines.append(f":{name:<20} {figures}\n")
    return "".join(lines) + _averages(total, sentences)


def _averages(total: RelationTotals, sentences: int) -> str:
    gold, candidate, agree = total.sums()
    precisions, recalls = [], []
    for relation in RASP.slots:
        of_gold, of_candidate, agreeing = total.of(relation)
        if of_candidate > 0:
            precisions.append(_exactly(truediv, agreeing, of_candidate))
        if of_gold > 0:
            recalls.append(_exactly(truediv, agreeing, of_gold))
    p, r = (_exactly(truediv, _sum(values), len(recalls)) for values in (precisions, recalls))
    per_sentence = [_decimals(_exactly(truediv, number, sentences), 7) for number in (candidate, gold)]
    return (
        f"\nMicro-averaged\n{_scores(_percent(agree, candidate), _percent(agree, gold))}"
        f"   tst GRs{per_sentence[0]} std GRs{per_sentence[1]}\n"
        f"\nMacro-averaged\n{_scores(_exactly(mul, 100, p), _exactly(mul, 100, r))}\n"
    )


def _scores(p: Number, r: Number) -> str:
    return f"Precision      {_decimals(p, 7)}   Recall{_decimals(r, 7)}   F-score{_decimals(_f(p, r), 7)}"


# Lisp's numbers


def _exactly(operation: Callable[[Any, Any], Any], one: Number, other: Number) -> Number:
    """Return the result in whole numbers and ratios, or in single floats if an operand is one."""
    if isinstance(one, np.float32) or isinstance(other, np.float32):
        kind: Any = np.float32
    else:
        kind = int if operation is add and isinstance(one, int) and isinstance(other, int) else Fraction
    result: Number = operation(kind(one), kind(other))
    return result


def _sum(values: Iterable[Number]) -> Number:
    total: Number = 0
    for value in values:
        total = _exactly(add, total, value)
    return total


def _percent(part: Number, whole: Number) -> Number:
    return _exactly(mul, 100, _exactly(truediv, part, whole)) if whole > 0 else 0


def _f(p: Number, r: Number) -> Number:
    both = _exactly(add, p, r)
    return _exactly(truediv, _exactly(mul, _exactly(mul, 2, p), r), both) if both > 0 else 0


def _decimals(value: Number, width: int) -> str:
    """Return a number with two decimals, as Lisp's ``~w,2F``: the single float, a half rounded up."""
    return f"{Decimal(float(np.float32(value))).quantize(Decimal('0.01'), ROUND_HALF_UP):>{width}}"
