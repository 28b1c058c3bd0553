"""A scorer that is made once and scores again and again: for training loops, servers and shards."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable
from dataclasses import replace
from html import escape
from operator import attrgetter
from os import PathLike
from os.path import dirname
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeAlias
from warnings import warn

from crossbank.converters import scheme_of
from crossbank.metrics.checks.check import Diagnostic
from crossbank.metrics.counting.counts import Counts, Policy
from crossbank.metrics.counting.metric import Metric
from crossbank.metrics.counting.scoring import Views, scoring_of
from crossbank.metrics.engine import Evaluation, Keep, evaluate
from crossbank.reports.results.result import Result
from crossbank.treebanks import CrossbankError, Treebank
from crossbank.treebanks.chunks import ChunkedSource, candidate_beside
from crossbank.treebanks.damage.rules import policies
from crossbank.treebanks.errors import CrossbankWarning, OptionError
from crossbank.treebanks.in_memory.sources import Source, chunked_source, named_source, treebank_of_source
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
"""The number of elements of an iterable whose trees stay in memory for ``items``."""


class Scorer:
    """Metrics with their options and a scheme, made once; gold, too, where it stays the same.

        scorer = crossbank.Scorer("parseval", scheme="ptb", gold="dev.mrg")
        scorer.score(trees)["f1"]

    Or batch by batch, as torchmetrics does: ``update(gold, candidate)``, ``compute()``, ``reset()``. Counts
    add up: the score of all batches is that of all sentences, not a mean over batches. Only sums are kept:
    memory does not grow with the number of sentences.

    metric, scheme, unscored, format, candidate_format, encoding, damaged, options
               as in ``crossbank.score``
    gold       read, converted and interned once, for ``score``
    breakdowns the names of the breakdowns of what ``compute`` returns (all)
    sentences  whether ``update`` keeps the counts of each sentence: for intervals, and tables by sentence

    Threads may share a scorer. Nothing of a batch is counted if something is wrong with it.
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
        damaged: str | None = None,
        breakdowns: Collection[str] | None = None,
        sentences: bool = False,
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
        self._damaged = policies(damaged)
        self._breakdowns = breakdowns
        self._keep: Keep = "sentences" if sentences else "sums"
        self._lock = Lock()
        self._warned: set[str] = set()
        self._counted = self._evaluation(self._keep)
        self._scoring = self._evaluation("trees")
        self._gold: Views | None = None
        if gold is not None:
            bank = treebank_of_source(gold, "gold", format, encoding, self._damaged[0])
            self._gold = Views(bank, self.scheme)
            for one in self.scoring.metrics:
                self._gold.view(one.view)

    def __repr__(self) -> str:
        about = [", ".join(metric.name for metric in self.scoring.metrics)]
        about += [f"scheme {self.scheme.name}"] if self.scheme is not None else []
        about += [f"gold of {quantity(len(self._gold.bank), 'sentence')}"] if self._gold is not None else []
        sentences = self._counted.sentences
        about += [f"{quantity(sentences, 'sentence')} counted"] if sentences else []
        return f"<Scorer: {'; '.join(about)}>"

    def _repr_html_(self) -> str:
        """Return what a notebook shows: what it scores, and the scores of what it has counted."""
        results = self._results(self._counted, "candidate").values() if self._counted.sentences else ()
        return f"<p>{escape(repr(self).strip('<>'))}</p>" + "".join(one._repr_html_() for one in results)

    def __getstate__(self) -> dict[str, Any]:
        """Return what is copied and pickled: the scheme by its file, gold as read, counts as results."""
        scheme = self.scheme
        with self._lock:
            counted = self._counted.mapped(lambda counts: Result(self._with_breakdowns(counts)))
        counted.scheme = None
        return {
            **{name: value for name, value in self.__dict__.items() if name not in ("_lock", "_scoring")},
            "scheme": _reference(scheme) if scheme is not None and scheme.files else scheme,
            "_gold": self._gold and self._gold.bank,
            "_counted": counted,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _lock=Lock(), scheme=scheme_of(state["scheme"]))
        self._gold = state["_gold"] and Views(state["_gold"], self.scheme)
        self._counted = state["_counted"].mapped(attrgetter("counts"))
        self._counted.scheme = self.scheme
        self._scoring = self._evaluation("trees")

    def score(
        self, candidate: Source, gold: Source | None = None, *, name: str | None = None
    ) -> Result | dict[str, Result]:
        """Score a candidate against the scorer's gold: a result, or for a list of metrics those by metric.

        gold  another gold than the scorer's
        name  the candidate's name in tables, by default its path

        What ``update`` has counted is unchanged. Raises CrossbankError if there is no gold.
        """
        if gold is not None:
            evaluation = self._evaluated(gold, candidate)
        elif self._gold is not None:
            reading = self._formats[1], self._encoding, self._damaged[1]
            bank = candidate_beside(treebank_of_source(candidate, "candidate", *reading), self._gold.bank)
            evaluation = self._scoring.empty()
            evaluation.add(0, self._gold, Views(bank, self.scheme, parsed=is_iterable(candidate)))
        else:
            raise CrossbankError(
                "gold is missing: pass it to score(gold, candidate), or to Scorer(..., gold=...)"
            )
        results = self._results(evaluation, name or named_source(candidate))
        _warn(next(iter(results.values())).warnings)
        return results if self._several else next(iter(results.values()))

    def update(self, gold: Source, candidate: Source) -> None:
        """Count further sentences, which ``compute`` adds up."""
        first = self._counted.sentences
        sources = self._sources(gold, candidate, first=first)
        batch = self._counted.empty()
        # Gold without a constituent is a mistake, but may be so in a batch.
        evaluate(batch, *sources, are_parses=(is_iterable(gold), is_iterable(candidate)))
        diagnostics = batch.result().diagnostics
        with self._lock:
            self._counted.merge(batch, self._counted.sentences)
            by_kind = _by_kind(diagnostics)
            new = [warning for kind, warning in by_kind.items() if kind not in self._warned]
            self._warned |= by_kind.keys()
        _warn(new)

    def compute(self) -> Result | dict[str, Result]:
        """Return the result over all sentences that ``update`` has counted.

        Raises CrossbankError if there are none.
        """
        if not self._counted.sentences:
            raise CrossbankError("compute: nothing was counted; call update first")
        results = self._results(self._counted, "candidate")
        return results if self._several else next(iter(results.values()))

    def reset(self) -> None:
        """Forget what ``update`` has counted."""
        with self._lock:
            self._counted = self._counted.empty()
            self._warned = set()

    def merge(self, other: Scorer) -> None:
        """Add what another scorer has counted. Raises CrossbankError if it counts in another way."""
        if not isinstance(other, Scorer) or not self._counted.counts_as(other._counted):
            raise CrossbankError(
                f"merge: found {other!r}, expected a Scorer with the same metrics, options and scheme"
            )
        with self._lock:
            self._counted.merge(other._counted, self._counted.sentences)
            self._warned |= other._warned

    def _evaluation(self, keep: Keep) -> Evaluation:
        return Evaluation(self.scoring, self.scheme, keep=keep, breakdowns=self._breakdowns)

    def _sources(
        self, gold: Source, candidate: Source, *, first: int = 0, **sizes: int | None
    ) -> tuple[ChunkedSource, ChunkedSource]:
        named = ((gold, "gold"), (candidate, "candidate"))
        own, other = (
            chunked_source(source, name, format, self._encoding, first=first, damaged=damaged, **sizes)
            for (source, name), format, damaged in zip(named, self._formats, self._damaged, strict=True)
        )
        return own, other

    def _evaluated(self, gold: Source, candidate: Source) -> Evaluation:
        """Return the evaluation of two sources, with their trees unless they are long iterables."""
        are_iterables = is_iterable(gold) and is_iterable(candidate)
        sources = self._sources(gold, candidate, size=None, elements=AT_ONCE if are_iterables else None)
        is_long = any(source.has_several_chunks() for source in sources)
        evaluation = self._evaluation("sentences" if is_long and are_iterables else "trees")
        evaluate(evaluation, *sources, are_parses=(False, is_iterable(candidate)))
        return evaluation

    def _results(self, evaluation: Evaluation, name: str) -> dict[str, Result]:
        """Return the result of each metric, by its name."""
        evaluated = evaluation.result()
        warnings = tuple(_by_kind(evaluated.diagnostics).values())
        return {
            one.counts.signature.metric: Result(
                self._with_breakdowns(one.counts),
                tuple(one.unscored),
                name,
                warnings,
                seen=(one.metric, one.pairs[0]) if one.pairs else None,
            )
            for one in evaluated.metrics
        }

    def _with_breakdowns(self, counts: Counts) -> Counts:
        """Return the counts with the breakdowns that are requested."""
        if self._breakdowns is None:
            return counts
        requested = {name: made for name, made in counts.breakdowns.items() if name in self._breakdowns}
        return replace(counts, breakdowns=requested)


def is_iterable(source: Source) -> bool:
    """True for a source that is neither a treebank nor a path."""
    return not isinstance(source, (Treebank, str, PathLike))


def _reference(scheme: Scheme) -> str | Path:
    """Return what a process elsewhere finds a scheme by: the name of a bundled one, or where its file is."""
    from crossbank.converters.scheme_files import SCHEMES

    path = scheme.files[0]
    return path.stem if SCHEMES.has_file(path) else path.absolute()


def _by_kind(diagnostics: Iterable[Diagnostic]) -> dict[str, CrossbankWarning]:
    """Return a warning for each kind of diagnostic, the first one of several metrics."""
    warnings: dict[str, CrossbankWarning] = {}
    for diagnostic in diagnostics:
        warnings.setdefault(diagnostic.kind, CrossbankWarning(str(diagnostic)))
    return warnings


def _warn(warnings: Iterable[CrossbankWarning]) -> None:
    for warning in warnings:
        warn(warning, stacklevel=_depth())


def _depth() -> int:
    """Return the depth of the first frame outside of this package: that is where a warning belongs."""
    package = dirname(__file__)
    frame, depth = sys._getframe(1), 1
    while frame.f_back is not None and dirname(frame.f_code.co_filename).startswith(package):
        frame, depth = frame.f_back, depth + 1
    return depth
