"""A scorer that is made once and scores again and again: for training loops, servers and shards."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from html import escape
from itertools import zip_longest
from os import PathLike
from os.path import dirname
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeAlias
from warnings import warn

from crossbank.converters import scheme_of
from crossbank.metrics.counting.counts import Counts, Policy
from crossbank.metrics.counting.metric import Metric
from crossbank.metrics.counting.scoring import Views, counts_and_pairs, scoring_of
from crossbank.metrics.pairing.pair import Pair, Problem
from crossbank.metrics.traps import Scored, traps
from crossbank.reports.results.result import Result
from crossbank.treebanks import CrossbankError, Treebank
from crossbank.treebanks.errors import CrossbankWarning, OptionError
from crossbank.treebanks.in_memory.sources import Source, named_source, pieces_of_source, treebank_of_source
from crossbank.treebanks.quantities import quantity

if TYPE_CHECKING:
    from crossbank.converters.schemes.scheme import Scheme

SchemeName: TypeAlias = "Scheme | str | PathLike[str] | None"
"""A scheme, its name, or the path of your own YAML file."""

MetricName: TypeAlias = "str | type[Metric]"
"""A metric's name (``parseval``), ``module:Class``, or the class itself."""

MetricNames: TypeAlias = "list[str] | list[type[Metric]] | list[MetricName] | tuple[MetricName, ...]"
"""Several metrics."""

AT_ONCE = 20_000
"""The number of elements of an iterable that are compared at once: memory holds the counts of all others."""


@dataclass
class _Counted:
    """Counts of the pieces of one candidate, metric by metric, with what was noticed.

    seen  the metrics and the sentences as they saw them, where there is one piece
    """

    counts: list[list[Counts]] = field(default_factory=list)
    problems: list[list[Problem]] = field(default_factory=list)
    warnings: dict[str, CrossbankWarning] = field(default_factory=dict)
    seen: Sequence[tuple[Metric, Pair]] | None = None
    sentences: int = 0

    def add(self, other: _Counted) -> None:
        """Put the pieces of others after the own ones."""
        if not other.counts:
            return
        if not self.counts:
            self.counts, self.problems = [[] for _ in other.counts], [[] for _ in other.problems]
        for pieces, more in zip(self.counts, other.counts, strict=True):
            pieces.extend(more)
        for problems, further in zip(self.problems, other.problems, strict=True):
            problems.extend(further)
        for kind, warning in other.warnings.items():
            self.warnings.setdefault(kind, warning)
        self.sentences += other.sentences
        self.seen = None

    def results(self, candidate: str) -> dict[str, Result]:
        """Return the result of each metric, by its name."""
        found = {}
        for place, pieces in enumerate(self.counts):
            counts = pieces[0] if len(pieces) == 1 else Counts.joined(pieces, with_parts=True)
            seen = self.seen[place] if self.seen is not None else None
            problems, said = tuple(self.problems[place]), tuple(self.warnings.values())
            found[counts.signature.metric] = Result(counts, problems, candidate, said, seen=seen)
        return found


class Scorer:
    """Metrics with their options and a scheme, made once; gold, too, where it stays the same.

        scorer = crossbank.Scorer("parseval", scheme="ptb", gold="dev.mrg")
        scorer.score(trees)["f1"]

    Or piece by piece, as torchmetrics does: ``update(gold, candidate)``, ``compute()``, ``reset()``. Counts
    add up: the score of all pieces is that of all sentences, not a mean over pieces.

    metric, scheme, unscored, format, candidate_format, encoding, options
              as in ``crossbank.score``
    gold      read, converted and interned once, for ``score``
    parts     the kinds of parts that ``breakdown`` of what ``compute`` gives can ask for (all)

    Threads may share a scorer. Nothing of a piece is counted if something is wrong with it.
    Raises the errors of ``crossbank.score``.
    """

    def __init__(
        self,
        metric: MetricName | MetricNames = "parseval",
        scheme: SchemeName = None,
        gold: Source | None = None,
        *,
        unscored: Policy = "empty",
        format: str | None = None,
        candidate_format: str | None = None,
        encoding: str | None = None,
        parts: Collection[str] | None = None,
        **options: object,
    ) -> None:
        self._several = isinstance(metric, Iterable) and not isinstance(metric, str)
        names: Any = list(metric) if self._several else [metric]  # type: ignore[arg-type]
        if not names:
            raise OptionError("metric", metric, "at least one")
        self.scoring = scoring_of(names, options, unscored)
        self.scheme = scheme_of(scheme)
        self._formats = format, candidate_format or format
        self._encoding = encoding
        self._parts = parts
        self._lock = Lock()
        self._counted = _Counted()
        self._gold: Views | None = None
        if gold is not None:
            self._gold = Views(treebank_of_source(gold, "gold", format, encoding), self.scheme)
            for one in self.scoring.metrics:
                self._gold.view(one.view)

    def __repr__(self) -> str:
        said = [", ".join(metric.name for metric in self.scoring.metrics)]
        said += [f"scheme {self.scheme.name}"] if self.scheme is not None else []
        said += [f"gold of {quantity(len(self._gold.bank), 'sentence')}"] if self._gold is not None else []
        said += [f"{quantity(self._counted.sentences, 'sentence')} counted"] if self._counted.counts else []
        return f"<Scorer: {'; '.join(said)}>"

    def _repr_html_(self) -> str:
        """Return what a notebook shows: what it scores, and the scores of what it has counted."""
        found = self._so_far().results("candidate").values()
        return f"<p>{escape(repr(self).strip('<>'))}</p>" + "".join(one._repr_html_() for one in found)

    def __getstate__(self) -> dict[str, Any]:
        """Return what is copied and pickled: the scheme by its file, gold as read, counts as results."""
        scheme, found = self.scheme, self._so_far()
        return {
            **{name: value for name, value in self.__dict__.items() if name != "_lock"},
            "scheme": _reference(scheme) if scheme is not None and scheme.files else scheme,
            "_gold": self._gold and self._gold.bank,
            "_counted": (list(found.results("").values()), found.warnings, found.sentences),
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        results, warnings, sentences = state["_counted"]
        counts, problems = [[one.counts] for one in results], [list(one.problems) for one in results]
        self.__dict__.update(state, _lock=Lock(), scheme=scheme_of(state["scheme"]))
        self._gold = state["_gold"] and Views(state["_gold"], self.scheme)
        self._counted = _Counted(counts, problems, warnings, None, sentences)

    def score(
        self, candidate: Source, gold: Source | None = None, *, name: str | None = None
    ) -> Result | dict[str, Result]:
        """Score a candidate against the scorer's gold: a result, or for a list of metrics those by metric.

        gold  another gold than the scorer's
        name  the candidate's name in tables, by default its path

        What ``update`` has counted stays as it is. Raises CrossbankError where there is no gold.
        """
        if gold is not None:
            found = self._all_pieces(gold, candidate)
        elif self._gold is not None:
            bank = treebank_of_source(candidate, "candidate", self._formats[1], self._encoding)
            found = self._count(self._gold, self._views(bank, candidate), keep=True)
        else:
            raise CrossbankError("gold: there is none; score takes it, or Scorer(..., gold=...)")
        return self._given(found, name or named_source(candidate))

    def update(self, gold: Source, candidate: Source) -> None:
        """Count further sentences, which ``compute`` adds up."""
        found = self._all_pieces(gold, candidate, keep=False)
        with self._lock:
            self._counted.add(found)

    def compute(self) -> Result | dict[str, Result]:
        """Return the result over all sentences that ``update`` has counted.

        Raises CrossbankError if there are none.
        """
        found = self._so_far()
        if not found.counts:
            raise CrossbankError("compute: found nothing that was counted, expected update before it")
        return self._given(found, "candidate")

    def reset(self) -> None:
        """Forget what ``update`` has counted."""
        with self._lock:
            self._counted = _Counted()

    def merge(self, other: Scorer) -> None:
        """Add what another scorer has counted. Raises CrossbankError if it counts in another way."""
        if (
            not isinstance(other, Scorer)
            or self.scoring != other.scoring
            or not _same_scheme(self.scheme, other.scheme)
        ):
            raise CrossbankError(
                f"merge: found {other!r}, expected a Scorer with the same metrics, options and scheme"
            )
        found = other._so_far()
        with self._lock:
            self._counted.add(found)

    def _so_far(self) -> _Counted:
        """Return what has been counted up to now; what is counted later is not added to it."""
        with self._lock:
            found = _Counted()
            found.add(self._counted)
        return found

    def _given(self, found: _Counted, name: str) -> Result | dict[str, Result]:
        results = found.results(name)
        return results if self._several else next(iter(results.values()))

    def _all_pieces(self, gold: Source, candidate: Source, *, keep: bool = True) -> _Counted:
        """Return the counts of two sources, of which two iterables are compared piece by piece."""
        size = AT_ONCE if is_iterable(gold) and is_iterable(candidate) else None
        first = 0 if keep else self._counted.sentences
        pieces = [
            pieces_of_source(source, name, size, format, self._encoding, first=first)
            for source, name, format in zip(
                (gold, candidate), ("gold", "candidate"), self._formats, strict=True
            )
        ]
        found: _Counted | None = None
        for one, other in _side_by_side(*pieces):
            # Gold without a constituent is a mistake, but may be so in a batch.
            sides = Views(one, self.scheme) if keep else self._views(one, gold), self._views(other, candidate)
            piece = self._count(*sides, keep=keep and found is None)
            if found is None:
                found = piece
            else:
                if found.seen is not None:
                    found = self._detached(found)
                found.add(self._detached(piece))
            del one, other, sides, piece
        assert found is not None
        return found

    def _views(self, bank: Treebank, source: Source) -> Views:
        """Return the views of a source: what is in memory are parses, also where they have found nothing."""
        return Views(bank, self.scheme, parsed=is_iterable(source))

    def _count(self, gold: Views, candidate: Views, *, keep: bool) -> _Counted:
        """Return the counts of one piece; what is noticed is also told as a warning of Python."""
        scored = counts_and_pairs(gold, candidate, self.scoring, self.scheme)
        comparisons = (
            Scored(metric, counts, pair, gold.bank, candidate.bank, self.scoring, self.scheme)
            for metric, (counts, pair) in zip(self.scoring.metrics, scored, strict=True)
        )
        noticed: dict[str, CrossbankWarning] = {}
        for trap in traps(comparisons):
            noticed.setdefault(trap.kind, CrossbankWarning(str(trap)))
        for kind, warning in noticed.items():
            if keep or kind not in self._counted.warnings:
                warn(warning, stacklevel=_depth())
        found = _Counted(
            [[counts] for counts, _ in scored],
            [list(pair.problems()) for _, pair in scored],
            noticed,
            [(metric, pair) for metric, (_, pair) in zip(self.scoring.metrics, scored, strict=True)],
            len(candidate.bank),
        )
        return found if keep else self._detached(found)

    def _detached(self, found: _Counted) -> _Counted:
        counts = [[self._wanted(one).detached() for one in pieces] for pieces in found.counts]
        return _Counted(counts, found.problems, found.warnings, None, found.sentences)

    def _wanted(self, counts: Counts) -> Counts:
        """Return the counts with the kinds of parts that are wanted."""
        if self._parts is None:
            return counts
        return replace(
            counts, parts={kind: counts.parts[kind] for kind in counts.parts if kind in self._parts}
        )


def is_iterable(source: Source) -> bool:
    """True for a source that is no treebank and no path."""
    return not isinstance(source, (Treebank, str, PathLike))


def _reference(scheme: Scheme) -> str | Path:
    """Return what a process elsewhere finds a scheme by: the name of one of ours, or where its file is."""
    from crossbank.converters.scheme_files import SCHEMES

    path = scheme.files[0]
    return path.stem if path.parent == SCHEMES else path.absolute()


def _same_scheme(one: Scheme | None, other: Scheme | None) -> bool:
    """True for one scheme, also if it was read by two paths."""
    if one is None or other is None or one is other:
        return one is other
    # Compiled patterns are equal only to themselves.
    names = (field.name for field in fields(one) if field.name not in ("bare", "files"))
    return all(getattr(one, name) == getattr(other, name) for name in names)


def _side_by_side(
    golds: Iterator[Treebank], candidates: Iterator[Treebank]
) -> Iterator[tuple[Treebank, Treebank]]:
    """Yield the pieces of both sides. Raises CrossbankError where one side ends before the other."""
    before = 0
    for gold, candidate in zip_longest(golds, candidates):
        # An element may be a document of several sentences: then all that is left is compared at once.
        for _ in range(2 if gold is not None and candidate is not None else 0):
            if len(gold) < len(candidate):
                gold = Treebank.concatenate([gold, *golds])
            elif len(candidate) < len(gold):
                candidate = Treebank.concatenate([candidate, *candidates])
        if gold is None or candidate is None or (before and len(gold) != len(candidate)):
            numbers = {
                name: before + (0 if bank is None else len(bank))
                for name, bank in (("gold", gold), ("candidate", candidate))
            }
            shorter, longer = sorted(numbers, key=numbers.__getitem__)
            said = f"{shorter} has {quantity(numbers[shorter], 'sentence')}, {longer} has more"
            raise CrossbankError(said)
        yield gold, candidate
        before += len(gold)


def _depth() -> int:
    """Return the depth of the first frame outside of this package: that is where a warning belongs."""
    package = dirname(__file__)
    frame, depth = sys._getframe(1), 1
    while frame.f_back is not None and dirname(frame.f_code.co_filename).startswith(package):
        frame, depth = frame.f_back, depth + 1
    return depth
