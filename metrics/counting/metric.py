"""Base class of metrics: options, a version, counts for each sentence and measures over the counts."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache, lru_cache
from inspect import isabstract
from pathlib import Path
from typing import Any, ClassVar, Literal, Self, get_type_hints

from crossbank.converters.schemes.views import VIEWS
from crossbank.metrics.counting.counts import Breakdown, Column, Counts, Measure, Signature
from crossbank.metrics.pairing.pair import Pair, pair
from crossbank.treebanks import CrossbankError, OptionError, Treebank
from crossbank.treebanks.arrays import BoolArray
from crossbank.treebanks.cached_properties import cached_property
from crossbank.treebanks.errors import RequirementError
from crossbank.treebanks.registry import Registry, option_value, written

REGISTRY = Registry("metric", "module:Class")

METRICS = REGISTRY.bundled
"""Each metric's class by its name on the command line and in studies: a metric is one file."""

_REGISTERED: dict[str, tuple[str, type[Metric]]] = {}
"""Metrics of other packages that were loaded: the reference and the class of each, by its name."""


@dataclass(frozen=True)
class Item:
    """An item that a metric counted in a sentence, for error analysis and pictures.

    type       ``bracket``, ``arc``, ``word`` ...
    label      its label, relation or form
    tokens     the tokens it covers or joins, by position from 0
    side       whether gold has it, the candidate, or both
    matched    whether both have it
    score      its score if items have one (words of leaf-ancestor), else 1 or 0
    gold, candidate  the two analyses, if they are more than the label (lineages, heads)
    """

    type: str
    label: str
    tokens: tuple[int, ...]
    side: Literal["gold", "candidate", "both"]
    matched: bool
    score: float
    gold: str = ""
    candidate: str = ""


@dataclass(frozen=True, eq=False)
class Losses:
    """Losses of gold's tokens or constituents under a metric.

    of       whether losses are of tokens or of nodes
    counted  mask of the tokens or nodes that enter the score, shape ``(gold tokens or nodes,)``
    loss     0 for a matched item, 1 for an unmatched one; of the same shape
    """

    of: Literal["tokens", "nodes"]
    counted: BoolArray
    loss: Column

    @cached_property
    def total(self) -> float:
        """Sum of the losses."""
        return float(self.loss[self.counted].sum())

    @property
    def average(self) -> float:
        """Average loss; 0 if none enters the score."""
        return self.total / max(int(self.counted.sum()), 1)


@dataclass(frozen=True)
class Metric(ABC):
    """A metric with its options, which are the fields of its class.

    A subclass is a frozen dataclass; a field of type ``bool`` takes ``yes`` and ``no``, a
    ``Literal`` one of its values, ``tuple[str, ...]`` names joined by ``+``, ``int``, ``float`` and
    ``str`` what their names say; ``none`` is None if the type allows it. The class also says how reports
    present it:

    name           as the command line, studies and signatures write it
    version        changes with every change that can change a number
    position       its number in lists of metrics; those without a number come last
    view           the name of one of ``converters.schemes.views.VIEWS``
    measures       the scores, as functions of sums of the counts
    title          its heading in reports; by default its name
    headline       the measure by which sentences and candidates are ranked: the first of these that was
                   counted; by default the first measure
    compared       the measures in tables of comparison; by default the first three
    breakdown_measures  the measures of some breakdowns; by default the metric's measures that can be
                   computed from the breakdown's columns
    papers         the papers that define it: keys of ``reports/sections/papers.bib``, or entries of BibTeX
    breakdown_titles  the headings of breakdowns; by default their names
    compares_labels  whether a label that only gold or the candidate has lowers the score
    word_by_word   whether sentences and words are compared by their index; otherwise no tokens can be omitted
    compares_words  whether different words can be aligned for the metric; not if it refers to words by
                   strings or aligns them itself
    judges_words   whether the metric scores the words themselves, which are then compared as they were read
    of_functions   the options that compare functions, with their values if gold and candidate have none
    all_analyses   whether all analyses of a sentence are compared, not the chosen one alone
    micro_averaged  whether published scores divide sums over all sentences
    """

    name: ClassVar[str]
    version: ClassVar[str]
    position: ClassVar[float] = float("inf")
    view: ClassVar[str]
    measures: ClassVar[tuple[Measure, ...]]
    title: ClassVar[str] = ""
    headline: ClassVar[tuple[str, ...]] = ()
    compared: ClassVar[tuple[str, ...]] = ()
    breakdown_measures: ClassVar[Mapping[str, tuple[Measure, ...]]] = {}
    papers: ClassVar[tuple[str, ...]] = ()
    all_analyses: ClassVar[bool] = False
    breakdown_titles: ClassVar[Mapping[str, str]] = {}
    micro_averaged: ClassVar[bool] = False
    compares_labels: ClassVar[bool] = True
    word_by_word: ClassVar[bool] = True
    compares_words: ClassVar[bool] = True
    judges_words: ClassVar[bool] = False
    of_functions: ClassVar[Mapping[str, object]] = {}

    @staticmethod
    def pair(
        gold: Treebank, candidate: Treebank, *, delete: BoolArray | None = None, align: bool = False
    ) -> Pair:
        """Return gold and candidate, in the metric's view, paired by ``metrics.pairing.pair``."""
        return pair(gold, candidate, delete=delete, align=align)

    @abstractmethod
    def counts(self, pair: Pair) -> Counts:
        """Count, sentence by sentence; in sentences that are not scored, gold alone."""

    def counted(
        self,
        pair: Pair,
        columns: Mapping[str, Column],
        breakdowns: Mapping[str, Callable[[], Breakdown]] | None = None,
        notes: Mapping[str, int] | None = None,
    ) -> Counts:
        """Return the counts of a pair, from columns over its sentences."""
        rows = pair.sentence_ids(), pair.status, columns
        return Counts(self.signature(pair), self.measures, *rows, breakdowns or {}, notes=notes or {})

    def needs(self, pair: Pair) -> dict[str, CrossbankError | None]:
        """Return each requirement of a comparison: None if the pair meets it, else the error.

        If gold has nothing to compare, an empty candidate would score 1. Trees whose nodes were all removed
        by transformations are compared: a chunk may consist of one-word sentences.
        """
        view = VIEWS[self.view]
        were_trees = view.gold_has == "constituents" and pair.gold.history
        if were_trees or getattr(pair.gold, f"has_{view.gold_has}"):
            return {"view": None}
        if not pair.gold.lacks(view.gold_has):
            return {}
        where = pair.gold.where(0).partition(":")[0] or "gold"
        return {"view": RequirementError(self.name, view.expected, where)}

    def require(self, pair: Pair) -> None:
        """Raise the error of a requirement that a pair does not meet, unless it is a chunk."""
        if not pair.is_chunk:
            for error in self.needs(pair).values():
                if error is not None:
                    raise error

    def optional(self, pair: Pair) -> dict[str, int | None]:
        """Return each optional annotation: None if the pair has it, else the number of words without.

        If no sentence has it, another metric is used: see ``without``.
        """
        return {}

    def without(self, lacking: Mapping[str, int | None]) -> tuple[Metric, dict[str, int]]:
        """Return the metric for a comparison that lacks optional annotation, and notes about it."""
        return self, {}

    def without_labels(self) -> Self:
        """Return the metric with options under which labels are not compared; itself if it has none."""
        has_option = any(field.name == "labels" for field in fields(self))
        return replace(self, labels=False) if has_option else self  # type: ignore[call-arg]

    def require_counts(self, counts: Counts) -> None:
        """Raise CrossbankError if the counts of the whole comparison are meaningless."""
        return

    @abstractmethod
    def items(self, pair: Pair, sentence: int) -> list[Item]:
        """Return the items that were counted in one sentence."""

    @classmethod
    def says_losses(cls) -> bool:
        """Return whether the metric has losses of tokens or constituents."""
        return cls.losses is not Metric.losses

    @property
    def leaves_out_tokens(self) -> bool:
        """Return whether tokens can be omitted from the comparison."""
        return self.word_by_word

    def losses(self, pair: Pair) -> Losses | None:
        """Return the losses of gold's tokens or constituents; None if the metric has none."""
        return None

    def files(self) -> tuple[Path, ...]:
        """Return the files that the options name: scores depend on their contents."""
        return ()

    @classmethod
    def with_options(cls, options: Mapping[str, object]) -> Metric:
        """Return the metric with options as a user writes them.

        Raises OptionError for an unknown option or a value that is not of its type.
        """
        types = types_of_options(cls)
        for name in options:
            if name not in types:
                raise OptionError(f"option of {cls.name}", name, list(types) or "none")
        return cls(**{name: option_value(name, value, types[name]) for name, value in options.items()})

    def signature(self, pair: Pair) -> Signature:
        """Return the options as applied, and the transformations of gold and candidate."""
        return _signature(self, pair.gold.history, pair.candidate.history)


@lru_cache(maxsize=64)
def _signature(metric: Metric, *histories: tuple[str, ...]) -> Signature:
    """Return the signature, which many chunks share."""
    values = {field.name: getattr(metric, field.name) for field in fields(metric)}
    if all("strip_functions" in {step.partition(":")[0] for step in steps} for steps in histories):
        values |= metric.of_functions
    choices = [(name, written(value)) for name, value in values.items()]
    conversions = {"+".join(steps) or "none" for steps in histories}
    choices.append(("conversions", "/".join(sorted(conversions))))
    return Signature(metric.name, metric.version, tuple(choices))


@cache
def names_of_measures(cls: type[Metric]) -> frozenset[str]:
    """Return the names of a metric's measures."""
    return frozenset(measure.name for measure in cls.measures)


@cache
def types_of_options(cls: type) -> dict[str, Any]:
    """Return the types of a metric's options, or of the fields of another dataclass, by their names."""
    types = get_type_hints(cls)
    return {field.name: types[field.name] for field in fields(cls)}


def metric(name: str, options: Mapping[str, object] | None = None) -> Metric:
    """Return a metric by name, with options as a user writes them. Raises OptionError for unknown names."""
    return metric_class(name).with_options(options or {})


def metric_class(name: str) -> type[Metric]:
    """Return a metric's class by its name, an entry point's name, or ``module:Class``.

    Raises OptionError for an unknown name, and for a class that is not a complete metric.
    """
    loaded = REGISTRY.load(name)
    if name not in METRICS:
        register(loaded, REGISTRY.reference(name))
    known: type[Metric] = loaded
    return known


def register(loaded: type[Metric], reference: str) -> None:
    """Record a metric of another package under its own name, so that reports can present it.

    Raises OptionError if it is not a complete metric, or if another metric has its name.
    """
    if not (isinstance(loaded, type) and issubclass(loaded, Metric)) or isabstract(loaded):
        raise OptionError("metric", reference, "a class of Metric with the methods counts and items")
    missing = [name for name in ("name", "version", "view", "measures") if not hasattr(loaded, name)]
    if missing:
        raise OptionError("metric", reference, f"a class with {', '.join(missing)}")
    if not re.fullmatch("[A-Za-z0-9_-]+", loaded.name):
        raise OptionError(f"name of {reference}", loaded.name, "letters, digits, _ and -")
    if loaded.view not in VIEWS:
        raise OptionError(f"view of {reference}", loaded.view, list(VIEWS))
    taken = METRICS.get(loaded.name) or _REGISTERED.get(loaded.name, (reference,))[0]
    if taken != reference:
        raise OptionError(f"name of {reference}", loaded.name, f"another one: it is that of {taken}")
    _REGISTERED[loaded.name] = (reference, loaded)


def known_metric(name: str) -> type[Metric] | None:
    """Return the class of a built-in or loaded metric by its name; None for other names."""
    if name in METRICS:
        return metric_class(name)
    return _REGISTERED[name][1] if name in _REGISTERED else None


def reference_of(name: str) -> str:
    """Return the name by which ``metric_class`` finds a metric in another process."""
    return _REGISTERED[name][0] if name in _REGISTERED else name
