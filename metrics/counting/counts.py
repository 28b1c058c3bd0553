"""Counts per sentence, from which every score, interval, test and breakdown is computed.

A metric counts once. All scores are functions of sums of its columns, over all sentences, over
a resample of them, or over one: so scores, confidence intervals and worst sentences need no metric
of their own (the backbone of sacrebleu, Post 2018).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from crossbank.metrics.counting.damage_notes import damage_in_signature
from crossbank.metrics.pairing.pair import Status
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array
from crossbank.treebanks.cached_properties import cached_property
from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.identifiers import JoinedIdentifiers, SelectedIdentifiers
from crossbank.treebanks.named_arguments import argument

Column: TypeAlias = NDArray[np.float64]
"""Counts, one per sentence."""

Sums: TypeAlias = Mapping[str, NDArray[np.float64]]
"""Sums of columns, of any one shape: one number each, or one for each resample or sentence."""

Policy: TypeAlias = Literal["empty", "skip", "fail"]
"""The treatment of a sentence that cannot be scored.

``empty`` counts it as a parse without any match, ``skip`` omits it, ``fail`` raises
``UnscoredError``.
"""

ARROW = " → "
"""The separator between gold's name and the candidate's in the name of a confusion."""


FAILED = (Status.NO_PARSE, Status.WORDS_DIFFER, Status.CYCLE, Status.SEVERAL_ROOTS)
"""The statuses of failures of the candidate, which the policy treats."""

IS_FAILED = np.isin(np.arange(len(Status)), FAILED)
"""Whether each status is one of these."""

IS_SCORED = np.arange(len(Status)) == Status.SCORED
"""Whether each status is that of a sentence that is scored."""


@dataclass(frozen=True)
class Signature:
    """Every choice that a score depends on: name of the metric, its choices in order, its version.

    After sacrebleu (Post 2018, A Call for Clarity in Reporting BLEU Scores).

    >>> str(Signature("parseval", "1.0", (("labels", "yes"), ("unscored", "empty:3"))))
    'parseval|labels:yes|unscored:empty:3|v1.0'
    """

    metric: str
    version: str
    choices: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        choices = "".join(f"|{name}:{value}" for name, value in self.choices)
        return f"{self.metric}{choices}|v{self.version}"

    def with_choice(self, name: str, value: str) -> Signature:
        """Return the same signature with one more choice, or with another value for one it has."""
        remaining = tuple(choice for choice in self.choices if choice[0] != name)
        return replace(self, choices=(*remaining, (name, value)))

    def with_choices(self, choices: Mapping[str, str]) -> Signature:
        """Return the same signature with more choices, or with other values for some that it has."""
        remaining = tuple(choice for choice in self.choices if choice[0] not in choices)
        return Signature(self.metric, self.version, (*remaining, *choices.items()))

    def with_values(self, **values: str | None) -> Signature:
        """Return the signature with other values for choices that it has, in their order; None drops one."""
        choices = ((name, values.get(name, value)) for name, value in self.choices)
        return replace(self, choices=tuple((name, value) for name, value in choices if value is not None))


class UnscoredError(CrossbankError):
    """Sentences that cannot be scored, under ``unscored="fail"``.

    sentence  the identifier of the first
    status    why it cannot be scored
    number    the number of such sentences
    """

    def __init__(self, sentence: str, status: Status, number: int) -> None:
        self.sentence, self.status, self.number = sentence, status, number
        such = "" if number == 1 else f", the first of {number:,} such sentences"
        instead = argument("unscored", "empty or skip")
        super().__init__(f"sentence {sentence}{such} cannot be scored: {status} ({instead} allows it)")


HEADINGS = {"precision": "Prec.", "recall": "Rec.", "f1": "F1", "exact": "Exact", "crossing": "Crossing"}
"""The headings of measures that many metrics have."""


@dataclass(frozen=True)
class Measure:
    """A score as a function of sums of counts.

    name        as it is in tables: ``f1``
    score       maps sums of any shape to scores of the same shape; never NaN
    meaning     one line for captions: dividend and divisor
    proportion  whether it is a proportion, between 0 and 1
    better      whether more or less of it is better
    title       its heading in tables, if that is not its name
    """

    name: str
    score: Callable[[Sums], NDArray[np.float64]]
    meaning: str
    proportion: bool = True
    better: Literal["more", "less"] = "more"
    title: str = ""

    @property
    def heading(self) -> str:
        """Its heading in tables."""
        return self.title or HEADINGS.get(self.name, self.name.replace("_", " "))

    def of(self, sums: Mapping[str, float]) -> float:
        """Return the score of one set of counts, such as those of one key."""
        return float(self.score({name: np.asarray(value) for name, value in sums.items()}))


def format_value(value: float | None, measure: Measure | None = None) -> str:
    """Return a score as printed: proportions in per cent; a dash for None."""
    if value is None:
        return "–"
    return f"{100 * value:.2f}" if measure is None or measure.proportion else f"{value:.2f}"


def ratio(part: Any, whole: Any, other: Any | None = None) -> NDArray[np.float64]:
    """Return ``part / whole``; if ``whole`` is zero, 0, or 1 if ``other`` is zero as well.

    ``other`` is the opposite side's total: precision over a candidate without brackets is 1 where
    gold has none either, and 0 where gold has some.
    """
    if isinstance(whole, float) and whole:
        # Arrays of one number would take longer.
        quotient: NDArray[np.float64] = np.divide(part, whole)
        return quotient
    part, whole = np.asarray(part, np.float64), np.asarray(whole, np.float64)
    is_zero = whole == 0
    if not is_zero.any():
        return np.asarray(part / whole)
    fallback = np.zeros_like(whole) if other is None else (np.asarray(other) == 0).astype(np.float64)
    result: NDArray[np.float64] = np.where(is_zero, fallback, part / np.where(is_zero, 1.0, whole))
    return result


def share(part: str, whole: str, other: str = "") -> Callable[[Sums], NDArray[np.float64]]:
    """Return the ratio of two columns' sums; ``other`` is the opposite side's total, as for ``ratio``."""
    return lambda sums: ratio(sums[part], sums[whole], sums[other] if other else None)


def harmonic_mean(
    precision: Callable[[Sums], NDArray[np.float64]], recall: Callable[[Sums], NDArray[np.float64]]
) -> Callable[[Sums], NDArray[np.float64]]:
    """Return F1 where precision and recall count different matches."""

    def score(sums: Sums) -> NDArray[np.float64]:
        one, other = precision(sums), recall(sums)
        return ratio(2 * one * other, one + other)

    return score


def per_sentence(
    name: str,
    counted: str,
    column: str = "",
    *,
    proportion: bool = True,
    better: Literal["more", "less"] = "more",
) -> Measure:
    """Return the sum of a column, by default that of the measure's name, divided by the sentences."""
    return Measure(name, share(column or name, "rows"), f"{counted} / sentences", proportion, better)


def exact_match(items: str) -> Measure:
    """Return the proportion of sentences whose items are all the same: the column ``exact``."""
    return per_sentence("exact", f"sentences whose {items} are all the same")


def coverage(analysis: str = "parse") -> Measure:
    """Return the proportion of sentences that have an analysis: the column ``parsed``."""
    return per_sentence("coverage", f"sentences with a {analysis}", "parsed")


def precision_recall_f1(
    gold: str, candidate: str, matched: str, what: str, prefix: str = ""
) -> tuple[Measure, ...]:
    """Return the three measures over matched, gold and candidate items, by the names of their columns."""
    f1 = "harmonic mean of precision and recall"
    return (
        Measure(
            f"{prefix}precision", share(matched, candidate, gold), f"matched {what} / {what} of the candidate"
        ),
        Measure(f"{prefix}recall", share(matched, gold, candidate), f"matched {what} / {what} of gold"),
        Measure(
            f"{prefix}f1", lambda sums: ratio(2 * sums[matched], sums[gold] + sums[candidate], sums[gold]), f1
        ),
    )


def means_of(measures: Iterable[Measure]) -> tuple[Measure, ...]:
    """Return each measure as the mean of the sentences' own scores, which are in columns of its name."""
    return tuple(
        replace(m, score=share(m.name, "rows"), meaning=f"mean over sentences of: {m.meaning}")
        for m in measures
    )


class _RecordedSums(dict[str, NDArray[np.float64]]):
    """Sums of columns, and the names of those that were read."""

    def __init__(self, sums: Sums) -> None:
        super().__init__(sums)
        self.names: set[str] = set()

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        self.names.add(name)
        return super().__getitem__(name)


@dataclass(frozen=True, eq=False)
class Breakdown:
    """The same counts by a key of the items (label, relation, ...): one row per sentence and key.

    The columns of all keys of a sentence add up to the sentence's counts.

    sentence  the row's sentence, shape ``(rows,)``
    key       the row's key, an index of ``keys``
    ordered   whether ``keys`` have an order of their own, as ranges have; else the most frequent come first
    whole     whether the keys are of whole sentences, which the column ``rows`` counts
    ranks     if they are ordered, the index of each key among all that there could be
    """

    keys: tuple[str, ...]
    sentence: Int32Array
    key: Int32Array
    columns: Mapping[str, Column]
    ordered: bool = False
    whole: bool = False
    ranks: tuple[int, ...] = ()

    def sums(self, rows: BoolArray) -> dict[str, Column]:
        """Return for every key the sum of each column over the sentences of a mask, shape ``(keys,)``."""
        weights = rows[self.sentence].astype(np.float64)
        return {
            name: np.bincount(self.key, weights * column, len(self.keys)).astype(np.float64)
            for name, column in self.columns.items()
        }

    def summed(self, row: Int32Array, rows: int) -> Breakdown:
        """Return sums over the sentences of each row; ``row`` is that of each sentence."""
        keys = max(len(self.keys), 1)
        cell = row[self.sentence].astype(np.int64) * keys + self.key
        used = np.flatnonzero(np.bincount(cell, minlength=rows * keys))
        columns = {
            name: np.bincount(cell, column, rows * keys).astype(np.float64)[used]
            for name, column in self.columns.items()
        }
        sentence, key = (used // keys).astype(np.int32), (used % keys).astype(np.int32)
        return replace(self, sentence=sentence, key=key, columns=columns)


Breakdowns: TypeAlias = dict[str, Callable[[], Breakdown]]
"""Functions that make breakdowns, by name."""


@dataclass(frozen=True, eq=False)
class Counts:
    """Counts of a metric: one row per sentence or, as sums, one row per status (``summed``).

    sentences  identifiers; a row of sums has that of its first sentence
    status     ``Status`` codes, shape ``(sentences,)``, int8
    columns    counts; a sentence that is not scored has gold's counts and no match
    breakdowns the same counts by label, relation or another key: made when they are requested
    signature  the choices made so far; ``score`` adds the treatment of unscored sentences
    numbers    the number of sentences of each row of sums; None where each row is one sentence
    """

    signature: Signature
    measures: tuple[Measure, ...]
    sentences: Sequence[str]
    status: NDArray[np.int8]
    columns: Mapping[str, Column]
    breakdowns: Mapping[str, Callable[[], Breakdown]] = field(default_factory=dict)
    policy: Policy = "empty"
    notes: Mapping[str, int] = field(default_factory=dict)
    numbers: Int64Array | None = None

    def __len__(self) -> int:
        """Return the number of sentences."""
        return len(self.status) if self.numbers is None else int(self.numbers.sum())

    def __post_init__(self) -> None:
        rows = len(self.status)
        for name, column in self.columns.items():
            if len(column) != rows:
                raise ValueError(f"{name} has {len(column)} rows for {rows} sentences")

    def chosen(self, signature: Signature, policy: Policy) -> Counts:
        """Return the same counts under a signature and a rule for unscored sentences."""
        made = object.__new__(Counts)
        made.__dict__.update({name: self.__dict__[name] for name in self.__dataclass_fields__})
        made.__dict__.update(signature=signature, policy=policy)
        return made

    def number(self, rows: BoolArray) -> int:
        """Return the number of sentences in the rows of a mask."""
        return _number_of_sentences(rows, self.numbers)

    def require_sentences(self, what: str) -> None:
        """Raise CrossbankError if the counts are sums, without counts by sentence."""
        if self.numbers is not None:
            raise CrossbankError(
                f"{what} of {self.signature.metric}: there are sums alone, expected counts by sentence "
                "(crossbank.Scorer(..., sentences=True) keeps them)"
            )

    def under(self, policy: Policy) -> Counts:
        """Return the same counts with another rule for unscored sentences.

        Raises UnscoredError if the rule is ``fail`` and the candidate has an unscored sentence. Sentences
        that gold does not analyse, or that a rule of the metric omits, are allowed.
        """
        if policy == "fail":
            failed = self._failed
            if failed.any():
                first = int(np.argmax(failed))
                status = Status(int(self.status[first]))
                raise UnscoredError(self.sentences[first], status, self.number(failed))
        return self if policy == self.policy else replace(self, policy=policy)

    @property
    def _failed(self) -> BoolArray:
        failed: BoolArray = IS_FAILED[self.status]
        return failed

    @cached_property
    def rows(self) -> BoolArray:
        """A mask of the sentences that enter a score under the policy."""
        rows: BoolArray = (IS_SCORED | IS_FAILED if self.policy == "empty" else IS_SCORED)[self.status]
        return rows

    def among(self, rows: BoolArray) -> Counts:
        """Return the counts of some sentences, given as a mask, without their breakdowns."""
        self.require_sentences("counts of some sentences")
        indices = np.flatnonzero(rows)
        return replace(
            self,
            sentences=SelectedIdentifiers(self.sentences, indices.tolist()),
            status=self.status[indices],
            columns={name: column[indices] for name, column in self.columns.items()},
            breakdowns={},
        )

    def sums(self, rows: BoolArray | None = None) -> dict[str, NDArray[np.float64]]:
        """Return the sum of each column over some sentences (all that enter); ``rows`` counts them."""
        return dict(self._sums if rows is None else SumsOfColumns(self, rows & self.rows))

    @cached_property
    def _sums(self) -> Sums:
        return SumsOfColumns(self, self.rows)

    def measure(self, name: str) -> Measure:
        """Return a measure by its name. Raises KeyError if the metric has none of that name."""
        for measure in self.measures:
            if measure.name == name:
                return measure
        raise KeyError(name)

    def reading(self, measure: str) -> Counts:
        """Return the counts for one measure, with only the columns that it uses, without breakdowns."""
        chosen = self.measure(measure)
        read = _RecordedSums(self.sums())
        chosen.score(read)
        columns = {name: column for name, column in self.columns.items() if name in read.names}
        return replace(self, measures=(chosen,), columns=columns, breakdowns={})

    def value(self, measure: str, rows: BoolArray | None = None) -> float:
        """Return a score over all sentences that enter, or over those of a mask."""
        if rows is not None:
            return float(self.measure(measure).score(self.sums(rows)))
        # Tests of a thousand candidates need each value a thousand times.
        if measure not in self._known:
            self._known[measure] = float(self.measure(measure).score(self._sums))
        return self._known[measure]

    @cached_property
    def _known(self) -> dict[str, float]:
        return {}

    def values(self) -> dict[str, float]:
        """Return all scores over all sentences that enter."""
        sums = self.sums()
        return {measure.name: float(measure.score(sums)) for measure in self.measures}

    def by_sentence(self, measure: str) -> Column:
        """Return the score of each sentence by itself, shape ``(sentences,)``."""
        self.require_sentences("scores by sentence")
        return self.measure(measure).score({"rows": np.ones(len(self)), **self.columns})

    def by_breakdown(self, name: str) -> dict[str, dict[str, float]]:
        """Return the counts of each key over all sentences that enter."""
        table = self.breakdowns[name]()
        sums = table.sums(self.rows)
        return {
            key: {name: float(column[index]) for name, column in sums.items()}
            for index, key in enumerate(table.keys)
        }

    def _choices(self) -> dict[str, str]:
        """Return the choices that counts must share to be joined, by name."""
        of_all = {"metric": self.signature.metric, "version": self.signature.version}
        return {**of_all, **dict(self.signature.choices), "unscored": self.policy}

    @staticmethod
    def joined(counts: Sequence[Counts], *, with_breakdowns: bool = False) -> Counts:
        """Return the counts of several treebanks, one after the other, without breakdowns unless requested.

        If some of them are sums, the result is sums. Raises CrossbankError where their choices differ.
        """
        are_sums = any(one.numbers is not None for one in counts)
        if are_sums:
            counts = [one.summed() for one in counts]
        first = counts[0]
        for other in counts:
            right, left = other._choices(), first._choices()
            if right != left:
                differing = [name for name in {**left, **right} if left.get(name) != right.get(name)]
                other_choices, first_choices = (
                    ", ".join(f"{name}:{one.get(name, 'none')}" for name in differing)
                    for one in (right, left)
                )
                raise CrossbankError(
                    f"results: found {other_choices} beside {first_choices}, expected the same for all"
                )
        notes: dict[str, int] = {}
        for one in counts:
            for note, number in one.notes.items():
                notes[note] = notes.get(note, 0) + number
        names = first.breakdowns if with_breakdowns else ()
        breakdowns: Breakdowns = {}
        for name in names:
            if all(name in one.breakdowns for one in counts):
                of_each = [one.breakdowns[name] for one in counts]
                single = [
                    made for one in counts for made in _list_parts(one.breakdowns[name], len(one.status))
                ]
                breakdowns[name] = discarded if discarded in of_each else partial(_joined_breakdowns, single)
        numbers = [one.numbers for one in counts if one.numbers is not None]
        joined = replace(
            first,
            sentences=JoinedIdentifiers([one.sentences for one in counts]),
            status=np.concatenate([one.status for one in counts]),
            columns={name: np.concatenate([one.columns[name] for one in counts]) for name in first.columns},
            breakdowns=breakdowns,
            notes=notes,
            numbers=np.concatenate(numbers) if numbers else None,
        )
        return joined.summed() if numbers else joined

    def detached(self, breakdowns: Collection[str] | None = None) -> Counts:
        """Return the counts without the treebanks that they were made from, with some breakdowns (all).

        No other breakdown is available afterwards.
        """
        made = {
            name: partial(_return_breakdown, make())
            if breakdowns is None or name in breakdowns
            else discarded
            for name, make in self.breakdowns.items()
        }
        return replace(self, breakdowns=made, status=np.array(self.status))

    def summed(self, breakdowns: Collection[str] | None = None) -> Counts:
        """Return sums: one row for each status, in the order of their first sentences.

        Scores, breakdowns (some, or all) and numbers of sentences are the same, under any policy. Another
        breakdown cannot be asked for.
        """
        statuses, first, row = np.unique(self.status, return_index=True, return_inverse=True)
        order = np.argsort(first)
        row_of: Int32Array = np.argsort(order)[row.reshape(-1)].astype(np.int32)
        size = len(statuses)

        def is_requested(name: str) -> bool:
            # Sums of sums have the breakdowns that the sums have.
            return self.breakdowns[name] is not discarded and (breakdowns is None or name in breakdowns)

        def sums(column: Column) -> Column:
            return np.bincount(row_of, column, size).astype(np.float64)

        numbers = np.bincount(row_of, self.numbers, size).astype(np.int64)
        return replace(
            self,
            sentences=[self.sentences[index] for index in first[order].tolist()],
            status=statuses[order].astype(np.int8),
            columns={name: sums(column) for name, column in self.columns.items()},
            breakdowns={
                name: partial(_return_breakdown, make().summed(row_of, size))
                if is_requested(name)
                else discarded
                for name, make in self.breakdowns.items()
            },
            numbers=numbers,
        )

    def macro(self) -> Counts:
        """Return counts whose scores are means of the sentences' own scores instead of scores of sums."""
        return replace(
            self,
            columns={measure.name: self.by_sentence(measure.name) for measure in self.measures},
            measures=means_of(self.measures),
            breakdowns={},
        )

    def status_counts(self) -> dict[str, int]:
        """Return the number of sentences, and that of each status that occurs."""
        counts = np.bincount(self.status, self.numbers, minlength=len(Status))
        named = {str(status): int(counts[status]) for status in Status}
        return {"total": len(self), "scored": named.pop("scored"), **{n: c for n, c in named.items() if c}}

    @property
    def full_signature(self) -> Signature:
        """Signature with the rule for unscored sentences, their number, and the numbers of damaged ones."""
        unscored = self.number(self._failed)
        signature = self.signature.with_choice("unscored", f"{self.policy}:{unscored}")
        damage = damage_in_signature(self.notes)
        return signature.with_choice("damaged", damage) if damage else signature


class SumsOfColumns(Mapping[str, NDArray[np.float64]]):
    """Sums of the columns of counts over some rows, each made when it is requested."""

    def __init__(self, counts: Counts, rows: BoolArray) -> None:
        # Counts keep their sums: a reference back to them would be a cycle, which only a collection frees.
        self._columns, self._numbers, self._rows = counts.columns, counts.numbers, rows
        self._are_all = np.count_nonzero(rows) == len(rows)
        # Columns that are one array, such as gold's words under every score, are summed once.
        self._known: dict[int, NDArray[np.float64]] = {}

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        if name == "rows":
            return np.asarray(float(_number_of_sentences(self._rows, self._numbers)))
        column = self._columns[name]
        known = self._known.get(id(column))
        if known is None:
            chosen = column if self._are_all else column[self._rows]
            known = self._known[id(column)] = np.add.reduce(chosen)
        return known

    def __iter__(self) -> Iterator[str]:
        return chain(("rows",), self._columns)

    def __len__(self) -> int:
        return 1 + len(self._columns)


def _number_of_sentences(rows: BoolArray, numbers: Int64Array | None) -> int:
    return int(np.count_nonzero(rows)) if numbers is None else int(numbers[rows].sum())


def _return_breakdown(breakdown: Breakdown) -> Breakdown:
    return breakdown


def discarded() -> Breakdown:
    """Raise ValueError for a breakdown that was not requested."""
    raise ValueError("a breakdown that was not requested")


def _list_parts(
    make: Callable[[], Breakdown], sentences: int
) -> Sequence[tuple[Callable[[], Breakdown], int]]:
    """Return the breakdowns that a joined breakdown consists of, so that joins are not nested."""
    if isinstance(make, partial) and make.func is _joined_breakdowns:
        single: Sequence[tuple[Callable[[], Breakdown], int]] = make.args[0]
        return single
    return [(make, sentences)]


def _joined_breakdowns(single: Sequence[tuple[Callable[[], Breakdown], int]]) -> Breakdown:
    """Return the breakdowns of several treebanks, each with its number of sentences, one after the other.

    Keys of gold come first, as in the vocabulary of one treebank.
    """
    tables = [make() for make, _ in single]
    ranks: dict[str, int] = {}
    of_gold: dict[str, None] = {}
    for table in tables:
        ranks |= zip(table.keys, table.ranks or range(len(table.keys)), strict=True)
        counted = table.columns.get("gold")
        if counted is not None:
            rows = np.bincount(table.key, counted, len(table.keys))
            of_gold |= dict.fromkeys(table.keys[index] for index in np.flatnonzero(rows).tolist())
    keys = tuple(dict.fromkeys([*of_gold, *ranks]))
    if tables[0].ordered:
        keys = tuple(sorted(ranks, key=lambda key: (ranks[key], key)))
    index = {key: number for number, key in enumerate(keys)}
    first = np.cumsum([0, *(number for _, number in single)])
    return replace(
        tables[0],
        keys=keys,
        sentence=np.concatenate(
            [table.sentence + np.int32(start) for table, start in zip(tables, first.tolist(), strict=False)]
        ),
        key=np.concatenate(
            [np.array([index[key] for key in table.keys], np.int32)[table.key] for table in tables]
        ),
        columns={
            name: np.concatenate([table.columns[name] for table in tables]) for name in tables[0].columns
        },
        ranks=tuple(ranks[key] for key in keys) if tables[0].ranks else (),
    )
