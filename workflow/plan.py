"""Files that a study makes, the files they are made from, and the settings."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from crossbank.converters.dependencies.shared_conventions import split_at_conversion
from crossbank.converters.schemes.views import OF_DEPENDENCIES, VIEWS
from crossbank.metrics.counting.metric import metric_class
from crossbank.reports.results.convention_counts import FILE as CONVENTIONS
from crossbank.reports.results.gold_floors import FILE as FLOOR
from crossbank.reports.results.study_results import MAX_SMALL_STUDY
from crossbank.reports.study.addresses import Download
from crossbank.reports.study.model import GOLD, INDEPENDENT, VERY_LARGE, Source, StudiedTreebank, Study
from crossbank.reports.study.reading import resolved
from crossbank.treebanks.damage.rules import OF_CANDIDATES, OF_GOLD
from crossbank.treebanks.files import checksum
from crossbank.workflow.code_digest import code_digest
from crossbank.workflow.settings import (
    STEPS,
    ConventionSettings,
    ConvertSettings,
    FloorSettings,
    JobSettings,
    ReadSettings,
    ReliabilitySettings,
    ScoreSettings,
    Settings,
)
from crossbank.workflow.sizes import FEW, SMALL, batches_of, megabytes

Chosen = TypeVar("Chosen", bound=Settings)

NAME = "[A-Za-z0-9_-]+"

ALONE = (GOLD, INDEPENDENT)
"""Sources that have a batch of their own, and are always written: every candidate is compared with them."""

MAX_GOLDS = 8
"""In a study of more treebanks golds are not compared with each other."""

CHECKED = 1_000_000
"""Files with no more bytes are compared by their content."""


class Plan:
    """Files of a study under the folder ``results``, and the settings of its steps.

    present  whether the study's files must be there before anything runs, or other rules may make them
    """

    def __init__(self, study: Study, results: Path, *, present: bool = True) -> None:
        self.study, self.results, self.present = study, results, present
        self._known: dict[tuple[type[Settings], str], Any] = {}

    # Batches

    def batches(self, treebank: str) -> Mapping[str, tuple[str, ...]]:
        """Return the sources of each batch of a treebank: gold, independent dependencies, and candidates."""
        return self._batches[treebank]

    def candidate_batches(self, treebank: str) -> list[str]:
        """Return the names of the batches of a treebank's candidates."""
        return [name for name in self.batches(treebank) if name not in ALONE]

    def sources(self, treebank: str, batch: str) -> list[Source]:
        """Return the sources of a batch."""
        studied = self.study.treebank(treebank)
        return [studied.source(name) for name in self.batches(treebank)[batch]]

    @cached_property
    def _batches(self) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
        return {
            treebank.name: {
                **{source.name: (source.name,) for source in treebank.sources if source.name in ALONE},
                **batches_of({one.name: self._known_size(treebank, one) for one in treebank.candidates}),
            }
            for treebank in self.study.treebanks
        }

    def _known_size(self, treebank: StudiedTreebank, source: Source) -> float:
        """Return the megabytes of a source that are known before anything runs, and so do not change."""
        if not self.present or source.downloads:
            return 0.0
        return self.megabytes(treebank.name, source.name)

    # Files

    def as_read(self) -> list[Path]:
        """Return the files of all sources as they are read or parsed."""
        return [
            path
            for treebank in self.study.treebanks
            for batch in self.batches(treebank.name)
            for path in self.as_read_in(treebank.name, batch)
        ]

    def as_read_in(self, treebank: str, batch: str) -> list[Path]:
        """Return the files of a batch as it is read, and as plug-ins make its sources."""
        sources = self.sources(treebank, batch)
        made = [self.parsed(treebank, source.name) for source in sources if source.making is not None]
        return made if len(made) == len(sources) else [self.source(treebank, batch), *made]

    def views(self) -> list[Path]:
        """Return the files of all sources in all views that they are converted to."""
        return [
            self.converted(treebank.name, batch, view)
            for treebank in self.study.treebanks
            for batch in self.batches(treebank.name)
            for view in self.views_of(treebank.name, batch)
        ]

    def views_of(self, treebank: str, batch: str) -> tuple[str, ...]:
        """Return the views of a batch: those in which metrics compare its sources."""
        if batch == INDEPENDENT:
            return ()
        metrics = self.study.metrics_of(treebank)
        wanted = [metric.view for metric in metrics]
        views = set(wanted) if batch == GOLD else {VIEWS[view].of_candidates for view in wanted}
        if batch == GOLD:
            as_candidate = (name for of, name in self.floor_metrics if of == treebank)
            views |= {VIEWS[self.study.metric(name).view].of_candidates for name in as_candidate}
        return tuple(view for view in VIEWS if view in views)

    def view(self, treebank: str, batch: str, metric: str) -> Path:
        """Return a batch in the view in which a metric compares it."""
        view = self.study.metric(metric).view
        return self.converted(treebank, batch, view if batch == GOLD else VIEWS[view].of_candidates)

    def before_view(self, treebank: str, batch: str) -> list[Path]:
        """Return gold and a batch as ``score`` would read them, and as checks of sources see them."""
        return [path for name in (GOLD, batch) for path in self.as_read_in(treebank, name)]

    def transformed(self, treebank: str, batch: str) -> list[str]:
        """Return the sources that the study transforms in its own way, which nobody scores as read."""
        return [
            source.name
            for name in (GOLD, batch)
            for source in self.sources(treebank, name)
            if source.transformations
        ]

    def scores(self) -> list[Path]:
        """Return the counts of all candidates under all metrics."""
        return [
            self.score(treebank.name, batch, metric.name)
            for treebank in self.study.treebanks
            for batch in self.candidate_batches(treebank.name)
            for metric in self.study.metrics_of(treebank.name)
        ]

    def reliability(self) -> list[Path]:
        """Return the reliabilities of conversions to dependencies, where a metric wants dependencies."""
        return [
            self.results / "reliability" / f"{treebank.name}.json"
            for treebank in self.study.treebanks
            if self.is_measured(treebank)
        ]

    @cached_property
    def floor_metrics(self) -> Sequence[tuple[str, str]]:
        """The treebanks, each with the name of a metric, whose gold may be compared with another one's.

        They have a scheme, and another treebank has another scheme and the same metric. Whether the words are
        the same is known when they are read.
        """
        treebanks = self.study.treebanks
        schemes: dict[str, set[str]] = {}
        for treebank in treebanks if len(treebanks) <= MAX_GOLDS else ():
            for metric in self.study.metrics_of(treebank.name) if treebank.scheme else ():
                schemes.setdefault(metric.name, set()).add(treebank.scheme or "")
        return [
            (treebank.name, metric.name)
            for treebank in treebanks
            for metric in (self.study.metrics_of(treebank.name) if treebank.scheme else ())
            if len(schemes.get(metric.name, ())) > 1
        ]

    def floor(self) -> list[Path]:
        """Return the file of what gold itself scores, if golds can be compared."""
        return [self.results / FLOOR] if self.floor_metrics else []

    def floor_sources(self) -> list[Path]:
        """Return the golds, as they are read, that are compared with each other."""
        return [self.source(name, GOLD) for name in dict.fromkeys(name for name, _ in self.floor_metrics)]

    def floor_views(self, *, candidates: bool = False) -> list[Path]:
        """Return each gold in the view of each metric: that of gold, or that of candidates."""
        views = [(name, self.study.metric(metric).view) for name, metric in self.floor_metrics]
        return [
            self.converted(name, GOLD, VIEWS[view].of_candidates if candidates else view)
            for name, view in views
        ]

    @cached_property
    def convention_metrics(self) -> Sequence[tuple[str, str]]:
        """The treebanks, each with a metric, whose candidates are scored under several conventions.

        They are those whose golds may be compared and whose trees become dependencies by options that the
        conventions set. A study of many candidates has none.
        """
        chosen = [
            (name, metric)
            for name, metric in self.floor_metrics
            if self.study.metric(metric).metric == "dependencies"
            and split_at_conversion(self.converting(name, GOLD, self.study.metric(metric).view).steps())
        ]
        candidates = sum(len(self.study.treebank(name).candidates) for name, _ in chosen)
        several = {
            metric for name, metric in chosen for other, of in chosen if of == metric and other != name
        }
        return [one for one in chosen if one[1] in several] if candidates <= MAX_SMALL_STUDY else []

    def conventions(self) -> list[Path]:
        """Return the file of scores under several conventions, if there are any."""
        return [self.results / CONVENTIONS] if self.convention_metrics else []

    def convention_sources(self) -> list[Path]:
        """Return the sources, as they are read, that are converted under several conventions."""
        return [
            path
            for name in dict.fromkeys(name for name, _ in self.convention_metrics)
            for batch in self.batches(name)
            if batch != INDEPENDENT
            for path in self.as_read_in(name, batch)
        ]

    def number_of_jobs(self) -> int:
        """Return the number of jobs that make all files, with those of the study's file and of the report."""
        across = self.floor(), self.conventions()
        made = self.as_read(), self.views(), self.scores(), self.reliability(), *across
        return sum(map(len, made)) + 2

    def is_measured(self, treebank: StudiedTreebank) -> bool:
        """Return whether a metric needs dependencies and the conversion to them can be measured."""
        return "dependencies" in self.views_of(treebank.name, GOLD) and bool(treebank.conversion())

    def measured(self, treebank: str) -> list[Path]:
        """Return the trees of a treebank, and independent dependencies of their sentences if any."""
        return [self.source(treebank, name) for name in self.batches(treebank) if name in ALONE]

    def inputs(self, treebank: str, batch: str) -> list[str]:
        """Return the study's files of the sources of a batch that are read."""
        return [path for source in self.sources(treebank, batch) for path in source.paths]

    def as_of(self, sources: Iterable[Source]) -> list[str]:
        """Return the state of the study's files from some sources: a checksum, or size and date if large.

        A file that is replaced by an older one is not newer than what was made of it. So rules have these
        among their parameters. There are none where other rules may make the files: they may not be there
        when a rule's parameters are written down. Of hundreds of candidates all have size and date: to read
        them takes longer than all else where nothing is to be done.
        """
        if not self.present:
            return []
        own = (Path(path) for one in sources for path in one.paths if path not in self.study.downloads)
        most = 0 if self._in_place else CHECKED
        return [_seen(path, most) for path in own if path.is_file()]

    @cached_property
    def downloads(self) -> Mapping[str, Download]:
        """Files to download, by the folder that each comes into."""
        return {download.path.parent.name: download for download in self.study.downloads.values()}

    def parsed(self, treebank: str, candidate: str) -> Path:
        """Return the parses of a candidate that a plug-in makes."""
        return self.results / "parsed" / treebank / f"{candidate}.parquet"

    def made_by(self, name: str) -> str:
        """Return a pattern of the candidates that a plug-in makes: the constraint of its rule's wildcard."""
        makings = (
            candidate.making and (candidate.making.name, candidate.name)
            for treebank in self.study.treebanks
            for candidate in treebank.candidates
        )
        candidates = {making[1] for making in makings if making and making[0] == name}
        return "|".join(sorted(candidates)) or "(?!)"

    def source(self, treebank: str, batch: str) -> Path:
        """Return the sources of a batch as they are read."""
        return Path(f"{self.results}/treebanks/{treebank}/{batch}.parquet")

    def converted(self, treebank: str, batch: str, view: str) -> Path:
        """Return the sources of a batch in a view."""
        return Path(f"{self.results}/converted/{treebank}/{batch}.{view}.parquet")

    def score(self, treebank: str, batch: str, metric: str) -> Path:
        """Return the counts of a batch under a metric."""
        return Path(f"{self.results}/scores/{treebank}/{batch}.{metric}.parquet")

    # Sizes

    def megabytes(self, treebank: str, *sources: str) -> float:
        """Return the size of the study's files from some sources.

        Files that a plug-in makes count as large as gold.
        """
        studied = self.study.treebank(treebank)
        chosen = (studied.source(name) for name in sources)
        files = (source.paths if source.making is None else studied.gold.paths for source in chosen)
        return sum(map(megabytes, files))

    def megabytes_of_each(self, treebank: str, batch: str, *compared: str) -> list[float]:
        """Return the size of each source of a batch, with others that it is compared with."""
        return [self.megabytes(treebank, name, *compared) for name in self.batches(treebank)[batch]]

    def megabytes_measured(self, treebank: str) -> list[float]:
        """Return the size of the files of a treebank's trees and of the independent dependencies."""
        return [self.megabytes(treebank, *(name for name in self.batches(treebank) if name in ALONE))]

    def megabytes_of_golds(self) -> list[float]:
        """Return the size of the golds that are compared with each other."""
        names = dict.fromkeys(name for name, _ in self.floor_metrics)
        return [sum(self.megabytes(name, GOLD) for name in names)]

    def megabytes_of_all(self) -> list[float]:
        """Return the size of all files of the study."""
        return [megabytes(self.study.inputs)]

    def group(self, treebank: str, batch: str) -> str:
        """Return the group of a batch's jobs, which a cluster gets as one, as all jobs of a small study."""
        return "study" if self.is_small else f"{treebank}-{batch}"

    @cached_property
    def is_small(self) -> bool:
        """True for a study that is one job of a cluster."""
        sources = [source for treebank in self.study.treebanks for source in treebank.sources]
        few = len(sources) <= FEW and not any(source.making for source in sources)
        if not few or not all(map(os.path.isfile, self.study.inputs)):
            return False
        return sum(self.megabytes_of_all()) <= SMALL

    # Settings

    def on_error(self, batch: str) -> str:
        """Return what happens where a source of a batch cannot be made: no study goes on without gold."""
        return "stop" if batch in ALONE else self.study.on_error

    def reading(self, treebank: str, source: str) -> ReadSettings:
        """Return the settings for reading a source."""
        studied = self.study.treebank(treebank)
        chosen = studied.source(source)
        held_out = studied.held_out if source == GOLD else None
        in_place = self._in_place and source not in ALONE
        damaged = chosen.damaged or (OF_GOLD if source in ALONE else OF_CANDIDATES).value
        reading = chosen.format, chosen.encoding, held_out, in_place, damaged
        return self._shared(ReadSettings(*reading))

    def _shared(self, settings: Chosen) -> Chosen:
        """Return the first settings that are equal: a digest is computed once for thousands of candidates."""
        known: Chosen = self._known.setdefault((type(settings), settings.argument), settings)
        return known

    def making(self, treebank: str, candidate: str) -> Settings:
        """Return the settings for making a candidate that has no files."""
        studied = self.study.treebank(treebank)
        gold, making = studied.gold, studied.source(candidate).making
        assert making is not None  # else the candidate is read
        assert studied.held_out is not None  # or the study would have been refused
        reading = ReadSettings(gold.format, gold.encoding)
        settings: Settings = making.settings(studied.scheme, gold.transformations, reading, studied.held_out)
        return settings

    def converting(self, treebank: str, source: str, view: str) -> ConvertSettings:
        """Return the settings for the conversion of a source to a view."""
        studied = self.study.treebank(treebank)
        transformations = studied.source(source).transformations
        taken = view if view in studied.views else VIEWS[view].instead
        own = {taken: studied.views[taken]} if taken in studied.views else {}
        context_free = studied.context_free if source == GOLD and view in OF_DEPENDENCIES else ()
        return self._shared(ConvertSettings(studied.scheme, transformations, view, own, context_free))

    def scoring(self, treebank: str, candidate: str, metric: str) -> ScoreSettings:
        """Return the settings of a metric."""
        study, studied = self.study, self.study.treebank(treebank)
        name, options = study.metric(metric).metric, study.options(treebank, metric)
        raw = _is_raw(studied.source(candidate))
        return self._shared(ScoreSettings(name, options, studied.scheme, study.unscored, study.strict, raw))

    def measuring(self, treebank: str) -> ReliabilitySettings:
        """Return the conversion to dependencies, and the steps for trees and independent dependencies."""
        studied = self.study.treebank(treebank)
        assert studied.scheme is not None  # else there is no conversion to measure
        independent = None if studied.dependencies is None else studied.dependencies.transformations
        steps = studied.gold.transformations, studied.conversion(), independent
        study = self.study
        return ReliabilitySettings(studied.scheme, *steps, study.samples, study.seed, study.level)

    def flooring(self, treebank: str, metric: str) -> FloorSettings:
        """Return the settings of a metric for gold against gold."""
        study, studied = self.study, self.study.treebank(treebank)
        name, options = study.metric(metric).metric, study.options(treebank, metric)
        return self._shared(FloorSettings(name, options, studied.scheme, study.unscored))

    def converting_by_convention(self, treebank: str, metric: str) -> ConventionSettings:
        """Return the settings of a metric under several conventions, and of the conversion of each source."""
        own, studied = self.flooring(treebank, metric), self.study.treebank(treebank)
        names = [GOLD, *(candidate.name for candidate in studied.candidates)]
        view = self.study.metric(metric).view
        sources = {name: asdict(self.converting(treebank, name, view)) for name in names}
        return self._shared(
            ConventionSettings(own.metric, own.options, own.scheme, own.unscored, sources=sources)
        )

    # Jobs

    def counting_conventions(self) -> JobSettings:
        """Return the settings of all metrics under several conventions, by treebank and metric."""
        settings = {key: self.converting_by_convention(*key) for key in self.convention_metrics}
        entries = [[name, metric, asdict(one)] for (name, metric), one in settings.items()]
        return JobSettings(entries, settings.values())

    def measuring_floor(self) -> JobSettings:
        """Return the settings of all metrics for gold against gold, by treebank and metric."""
        settings = {(name, metric): self.flooring(name, metric) for name, metric in self.floor_metrics}
        entries = [[name, metric, asdict(one)] for (name, metric), one in settings.items()]
        return JobSettings(entries, settings.values())

    def reading_all(self, treebank: str, batch: str) -> JobSettings:
        """Return the settings for reading the sources of a batch, with the number of files of each."""
        read = [source for source in self.sources(treebank, batch) if source.making is None]
        settings = [self.reading(treebank, source.name) for source in read]
        entries = [[one.name, len(one.paths), asdict(own)] for one, own in zip(read, settings, strict=True)]
        return JobSettings(entries, settings)

    def making_all(self, treebank: str, candidate: str) -> JobSettings:
        """Return the settings for making one candidate that has no files."""
        return JobSettings.of({candidate: self.making(treebank, candidate)})

    def converting_all(self, treebank: str, batch: str, view: str) -> JobSettings:
        """Return the settings for the conversion of the sources of a batch to a view."""
        names = self.batches(treebank)[batch]
        return JobSettings.of({name: self.converting(treebank, name, view) for name in names})

    def view_settings(self, wildcards: Any, output: Sequence[str]) -> str:
        """Return the settings for the view that the name of a rule's output has, as an argument."""
        view = Path(output[0]).name.split(".")[1]
        return self.converting_all(wildcards.treebank, wildcards.batch, view).argument

    def view_digest(self, view: str) -> Callable[[Any], str]:
        """Return the function of a job's wildcards that gives the digest of its settings for a view.

        Snakemake compares parameters that depend on wildcards alone with those of the last run.
        """
        return lambda wildcards: self.converting_all(wildcards.treebank, wildcards.batch, view).digest

    def scoring_all(self, treebank: str, batch: str, metric: str) -> JobSettings:
        """Return the settings of a metric for the candidates of a batch."""
        names = self.batches(treebank)[batch]
        return JobSettings.of({name: self.scoring(treebank, name, metric) for name in names})

    def settings_of(self, treebank: str) -> Iterator[Settings]:
        """Yield the settings of every step that works on a treebank."""
        studied = self.study.treebank(treebank)
        for source in studied.sources:
            if source.making is not None:
                yield self.making(treebank, source.name)
            else:
                yield self.reading(treebank, source.name)
            views = self.views_of(treebank, source.name)
            yield from (self.converting(treebank, source.name, view) for view in views)
        for candidate in studied.candidates:
            for metric in self.study.metrics_of(treebank):
                yield self.scoring(treebank, candidate.name, metric.name)
        if self.is_measured(studied):
            yield self.measuring(treebank)
        yield from (self.flooring(name, metric) for name, metric in self.floor_metrics if name == treebank)
        by_convention = (key for key in self.convention_metrics if key[0] == treebank)
        yield from (self.converting_by_convention(*key) for key in by_convention)

    def reporting(self) -> str:
        """Return a digest of the report's inputs besides files that are made: the study and the code."""
        from crossbank.reports.sections.section import section_modules

        named = [
            *section_modules(),
            *(metric_class(metric.metric).__module__ for metric in self.study.metrics),
        ]
        parts = [resolved(self.study.content), code_digest(f"{STEPS}.report", *named)]
        for treebank in self.study.treebanks:
            for batch in self.candidate_batches(treebank.name):
                names = (metric.name for metric in self.study.metrics_of(treebank.name))
                parts += [self.scoring_all(treebank.name, batch, name).digest for name in names]
        return sha256("".join(parts).encode()).hexdigest()[:16]

    @cached_property
    def _in_place(self) -> bool:
        """Return whether there are so many candidates that they are read where they lie."""
        return sum(len(treebank.candidates) for treebank in self.study.treebanks) > VERY_LARGE


def _seen(path: Path, most: int) -> str:
    """Return a checksum of a file with ``most`` bytes or fewer, else its size and date as Snakemake does."""
    status = path.stat()
    return checksum(path) if status.st_size <= most else f"{status.st_size} {status.st_mtime_ns}"


def _is_raw(candidate: Source) -> bool:
    """Return whether a candidate has ``input: raw``, so that it must not have gold's tags."""
    return bool(candidate.attributes.get("input") == "raw")
