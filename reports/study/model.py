"""Model of a study: what is compared, by what, and with which settings.

A field has the name of its key in study files, and its default is the key's: the schema, and so the manual
and ``crossbank help study``, take it from here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, fields
from functools import cached_property
from itertools import chain
from typing import Any, Literal

from crossbank.converters.scheme_files import load_scheme
from crossbank.metrics.statistics.defaults import ALPHA, LEVEL, SAMPLES, SEED, TRIALS, interval_name
from crossbank.reports.study.addresses import Download
from crossbank.reports.study.training import HeldOut, Training
from crossbank.treebanks.shards import SHARD

VERY_LARGE = 500
"""With more candidates the report also leaves out types of errors and scores by label, which take minutes.

Such candidates are read where they lie."""

GOLD = "gold"

INDEPENDENT = "dependencies"
"""The source of dependencies of gold's sentences that somebody else made."""

COLUMNS_BESIDE = ("words_per_sentence", "nodes_per_sentence", "nodes_per_word", "coverage")
"""The names of gold's ratios, and of what a parser has parsed, among the columns of a report."""


@dataclass(frozen=True)
class Published:
    """Scores that a paper prints for what the study does.

    source   the paper, and its table
    differs  what the paper did otherwise
    scores   treebank, candidate (or the empty string), metric, measure and value as printed
    """

    source: str
    differs: str
    scores: Sequence[tuple[str, str, str, str, float]]

    @classmethod
    def of(cls, entry: Mapping[str, Any]) -> Published:
        """Return the scores of an entry of a study file; all keys besides the first three are measures."""
        scores = [
            (row["treebank"], row.get("candidate", ""), row["metric"], measure, float(value))
            for row in entry["scores"]
            for measure, value in row.items()
            if measure not in ("treebank", "candidate", "metric")
        ]
        return cls(entry["source"], entry.get("differs", ""), scores)


@dataclass(frozen=True, eq=False)
class Settings:
    """Settings of a whole study, its results and its report. The schema describes each key.

    title  the report's title; empty for the study's name
    """

    name: str
    _: KW_ONLY
    title: str = ""
    about: str = ""
    published: Sequence[Published] = ()
    unscored: Literal["empty", "skip"] = "empty"
    missing: Literal["leave_out", "zero"] = "leave_out"
    match: Literal["none", "length"] = "none"
    on_error: Literal["report", "stop"] = "report"
    strict: bool = False
    shard_sentences: int = SHARD
    samples: int = SAMPLES
    seed: int = SEED
    trials: int = TRIALS
    alpha: float = ALPHA
    level: float = LEVEL
    columns: Sequence[str] = ()
    worst: int = 10
    pages: Literal["all", "none"] | Sequence[str] = "none"
    breakdowns: Sequence[str] = ()

    @property
    def settings(self) -> dict[str, Any]:
        """Settings by name, for results."""
        return {one.name: getattr(self, one.name) for one in fields(Settings)}

    @property
    def interval(self) -> str:
        """Intervals of the study as tables and sentences call them: ``95 % interval``."""
        return interval_name(self.level)


@dataclass(frozen=True)
class Source:
    """A treebank's gold trees or one candidate: where they are and how they are read.

    paths       the files in the order in which their sentences are counted
    constructed whether its errors were put in by hand, so that chance has no part in its differences
    system      the candidate of the study file, which sizes, seeds and patterns turn into several
    attributes  what the study says about a candidate (training size, parser): axes of the report
    training    how a candidate is made that the study trains itself; it has no paths then
    downloads   those of the files that are downloaded first, by their paths
    """

    name: str
    paths: tuple[str, ...]
    format: str
    encoding: str | None = None
    transformations: tuple[Any, ...] = ()
    attributes: Mapping[str, Any] = field(default_factory=dict)
    constructed: bool = False
    system: str = ""
    training: Training | None = None
    downloads: Mapping[str, Download] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class TreebankSettings:
    """Settings of a treebank that its results have, too.

    hot_spots  tree patterns of which the report says what they lose
    cite       a BibTeX entry of the corpus
    """

    name: str
    _: KW_ONLY
    hot_spots: Sequence[str] = ()
    cite: str = ""

    @property
    def settings(self) -> dict[str, Any]:
        """Settings by name, for results."""
        return {one.name: getattr(self, one.name) for one in fields(TreebankSettings)}


@dataclass(frozen=True)
class StudiedTreebank(TreebankSettings):
    """Gold and candidates in one scheme; ``views`` replaces the scheme's own lists of transformations.

    dependencies  independent dependencies of gold's sentences, against which the conversion is measured
    held_out      which sentences of gold are parsed by parsers that the study trains; None for no such
    context_free  what makes gold like the output of a context-free parser before dependencies are read off
    metrics       the names of the study's metrics by which its candidates are scored; None for all of them
    missing       the candidates of other treebanks that have no file for this one
    """

    scheme: str | None
    gold: Source
    candidates: tuple[Source, ...] = ()
    views: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    delete: str | None = None
    dependencies: Source | None = None
    held_out: HeldOut | None = None
    context_free: tuple[Any, ...] = ()
    metrics: tuple[str, ...] | None = None
    missing: tuple[str, ...] = ()

    @property
    def sources(self) -> tuple[Source, ...]:
        """Everything that is read."""
        further = () if self.dependencies is None else (self.dependencies,)
        return (self.gold, *self.candidates, *further)

    def conversion(self) -> tuple[Any, ...]:
        """Return the steps that make dependencies of trees; none without a scheme, or where it has none."""
        if self.scheme is None:
            return ()
        return tuple(self.views.get("dependencies", load_scheme(self.scheme).views.get("dependencies", ())))

    def source(self, name: str) -> Source:
        """Gold, a candidate or the independent dependencies, by name."""
        return self._sources[name]

    @cached_property
    def _sources(self) -> dict[str, Source]:
        return {source.name: source for source in self.sources}


@dataclass(frozen=True)
class StudiedMetric:
    """A metric with its options, under the name that the study's files and tables give it."""

    name: str
    metric: str
    options: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def view(self) -> str:
        """View of the treebanks that the metric wants."""
        from crossbank.metrics.counting.metric import metric

        return metric(self.metric).view


@dataclass(frozen=True)
class Study(Settings):
    """A whole study; ``file`` is where it was read from, ``content`` what it says there.

    without_gold  the candidates that a pattern finds for treebanks without gold, by treebank
    """

    file: str
    content: Mapping[str, Any]
    treebanks: tuple[StudiedTreebank, ...]
    metrics: tuple[StudiedMetric, ...] = ()
    without_gold: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def treebank(self, name: str) -> StudiedTreebank:
        """A treebank by its name."""
        return self._treebanks[name]

    def metric(self, name: str) -> StudiedMetric:
        """A metric by the name that the study gives it."""
        return next(metric for metric in self.metrics if metric.name == name)

    def metrics_of(self, treebank: str) -> tuple[StudiedMetric, ...]:
        """Return the metrics by which the candidates of a treebank are scored."""
        chosen = self.treebank(treebank).metrics
        return tuple(metric for metric in self.metrics if chosen is None or metric.name in chosen)

    def options(self, treebank: str, metric: str) -> dict[str, Any]:
        """Options with which a metric counts a treebank: its own, and the treebank's ``delete``."""
        delete = self.treebank(treebank).delete
        return {**({"delete": delete} if delete else {}), **self.metric(metric).options}

    @property
    def inputs(self) -> list[str]:
        """Every file that is read, in the study's order."""
        return [path for t in self.treebanks for source in t.sources for path in source.paths]

    def origin(self, path: str) -> str:
        """A file that is read as reports name it: its path, or the address that it is downloaded from."""
        found = self.downloads.get(path)
        if found is None:
            return path
        return found.address if found.checksum else f"{found.address} (the study gives no checksum)"

    @cached_property
    def downloads(self) -> dict[str, Download]:
        """Files that are downloaded first, by their paths, with the checksum that any source gives."""
        found: dict[str, Download] = {}
        for source in chain.from_iterable(treebank.sources for treebank in self.treebanks):
            for path, download in source.downloads.items():
                if download.checksum or path not in found:
                    found[path] = download
        return found

    @cached_property
    def _treebanks(self) -> dict[str, StudiedTreebank]:
        return {treebank.name: treebank for treebank in self.treebanks}
