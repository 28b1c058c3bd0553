"""Files that a study makes, the files they are made from, and the settings."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import chain, product
from pathlib import Path

from crossbank.converters import scheme_of
from crossbank.converters.schemes.views import OF_DEPENDENCIES, VIEWS
from crossbank.metrics.counting.metric import metric_class
from crossbank.reports.study.addresses import Download
from crossbank.reports.study.model import GOLD, INDEPENDENT, VERY_LARGE, Source, StudiedTreebank, Study
from crossbank.reports.study.reading import resolved
from crossbank.treebanks.files import checksum
from crossbank.workflow.code_digest import code_digest
from crossbank.workflow.settings import (
    STEPS,
    ConvertSettings,
    JobSettings,
    ParseSettings,
    ReadSettings,
    ReliabilitySettings,
    ScoreSettings,
    Settings,
)
from crossbank.workflow.sizes import FEW, SMALL, megabytes

NAME = "[A-Za-z0-9_-]+"

KEPT = (GOLD, INDEPENDENT)
"""Sources that are always written: every candidate of a treebank is compared with them."""

CHECKED = 1_000_000
"""Files with no more bytes are compared by their content."""

JOBS = 64
"""With more candidates than this a job takes several of a treebank: a start takes longer than the work."""


@dataclass(frozen=True)
class Rule:
    """A rule that makes the same of several treebanks: sources in some views, or counts by some metrics.

    treebanks  the treebanks' names as a regular expression
    makes      the views, or the metrics' names
    sources    the sources' names as a regular expression, where sources are converted
    """

    name: str
    treebanks: str
    makes: tuple[str, ...]
    sources: str = ""


@dataclass(frozen=True)
class Batch:
    """Candidates of a treebank that are converted by one job, and scored by another.

    name        how the jobs' logs are called
    candidates  the candidates' names
    """

    treebank: str
    name: str
    candidates: tuple[str, ...]


@dataclass(frozen=True)
class Plan:
    """Files of a study under the folder ``results``, and the settings of its steps.

    present  whether the study's files must be there before anything runs, or other rules may make them
    """

    study: Study
    results: Path
    present: bool = True

    # Files

    def as_read(self) -> list[Path]:
        """Every treebank and candidate as it was read."""
        return [self.source(t.name, s.name) for t in self.study.treebanks for s in t.sources]

    def views(self) -> list[Path]:
        """Every source in every view that it is converted to."""
        return [
            self.converted(treebank.name, source.name, view)
            for treebank in self.study.treebanks
            for source in treebank.sources
            for view in self.views_of(treebank.name, source.name)
        ]

    def views_of(self, treebank: str, source: str) -> tuple[str, ...]:
        """Return the views of a source: those that metrics want, and of gold those that are shown besides."""
        if source == INDEPENDENT:
            return ()
        return self._shown[treebank] if source == GOLD else self._wanted[treebank]

    @cached_property
    def batches(self) -> list[Batch]:
        """Each treebank's candidates in batches; none where every candidate has jobs of its own."""
        every = sum(len(treebank.candidates) for treebank in self.study.treebanks)
        most = -(-every // JOBS)
        return [batch for t in self.study.treebanks for batch in _batches(t, most)] if most > 1 else []

    def conversions(self) -> list[Rule]:
        """Return the rules for candidates, for gold with its views, and for independent dependencies.

        There is none for candidates in batches.
        """
        candidates = rf"(?!({GOLD}|{INDEPENDENT})\.){NAME}"
        rules = [] if self.batches else _alike("convert_candidates", self._wanted, candidates)
        gold = _alike("convert_gold", self._shown, GOLD)
        return [*rules, *gold, Rule("convert_dependencies", NAME, (), INDEPENDENT)]

    def scorings(self) -> list[Rule]:
        """Return the rules for treebanks that are scored by the same metrics; none with batches."""
        by_treebank = {
            t.name: tuple(metric.name for metric in self.study.metrics_of(t.name))
            for t in self.study.treebanks
        }
        return [] if self.batches else [rule for rule in _alike("score", by_treebank) if rule.makes]

    def view(self, treebank: str, source: str, metric: str) -> Path:
        """Gold or a candidate in the view that a metric wants."""
        return self.converted(treebank, source, self.study.metric(metric).view)

    def as_read_before(self, treebank: str, source: str, metric: str) -> Path:
        """Gold or a candidate before its conversion to the view of a metric, as ``score`` would read it.

        A source that the study transforms in its own way is in the view: nobody scores it as it was read.
        """
        if self.study.treebank(treebank).source(source).transformations:
            return self.view(treebank, source, metric)
        return self.source(treebank, source)

    def scores(self) -> list[Path]:
        """Every candidate's counts under every metric."""
        return [
            self.score(treebank.name, candidate.name, metric.name)
            for treebank in self.study.treebanks
            for candidate in treebank.candidates
            for metric in self.study.metrics_of(treebank.name)
        ]

    def reliability(self) -> list[Path]:
        """Return the reliabilities of conversions to dependencies, where a metric wants dependencies."""
        return [
            self.results / "reliability" / f"{treebank.name}.json"
            for treebank in self.study.treebanks
            if self.is_measured(treebank)
        ]

    def is_measured(self, treebank: StudiedTreebank) -> bool:
        """True if a metric wants dependencies, and the treebank's conversion to them can be measured."""
        return "dependencies" in self._wanted[treebank.name] and bool(treebank.conversion())

    def measured(self, treebank: str) -> list[Path]:
        """Trees of a treebank, and the independent dependencies of their sentences if there are some."""
        studied = self.study.treebank(treebank)
        measured = (studied.gold, studied.dependencies)
        return [self.source(treebank, source.name) for source in measured if source is not None]

    def inputs(self, treebank: str, source: str) -> Sequence[str | Path]:
        """Return the files of a source: those of the study, or the one that a parser makes."""
        found = self.study.treebank(treebank).source(source)
        return found.paths if found.training is None else (self.parsed(treebank, source),)

    def as_of(self, treebank: str, *sources: str) -> list[str]:
        """Content of each file of the study for some sources: a checksum; of a large file size and date.

        A file that is replaced by an older one is not newer than what was made of it. So rules have these
        among their parameters. There are none where other rules may make the files: they may not be there
        when a rule's parameters are written down. Of hundreds of candidates all have size and date: to read
        them takes longer than all else where nothing is to be done.
        """
        if not self.present:
            return []
        studied = self.study.treebank(treebank)
        found = (studied.source(name) for name in sources)
        files = (studied.gold.paths if source.training else source.paths for source in found)
        own = (Path(path) for paths in files for path in paths if path not in self.study.downloads)
        most = 0 if self._in_place else CHECKED
        return [_seen(path, most) for path in own if path.is_file()]

    @cached_property
    def downloads(self) -> Mapping[str, Download]:
        """Files to download, by the folder that each comes into."""
        return {found.place.parent.name: found for found in self.study.downloads.values()}

    def parsed(self, treebank: str, candidate: str) -> Path:
        """Return the parses of a candidate that the study trains."""
        return self.results / "parsed" / treebank / f"{candidate}.parquet"

    def source(self, treebank: str, source: str) -> Path:
        """A source as it was read."""
        return Path(f"{self.results}/treebanks/{treebank}/{source}.parquet")

    def converted(self, treebank: str, source: str, view: str) -> Path:
        """A source in a view."""
        return Path(f"{self.results}/converted/{treebank}/{source}.{view}.parquet")

    def score(self, treebank: str, candidate: str, metric: str) -> Path:
        """A candidate's counts under a metric."""
        return Path(f"{self.results}/scores/{treebank}/{candidate}.{metric}.parquet")

    def converted_batch(self, batch: Batch) -> list[Path]:
        """Every candidate of a batch as read and in its views, candidate by candidate."""
        of, files = batch.treebank, list[Path]()
        for name in batch.candidates:
            files += [self.source(of, name), *(self.converted(of, name, view) for view in self._wanted[of])]
        return files

    def paired_batch(self, batch: Batch) -> list[tuple[Path, ...]]:
        """Gold and candidate in the view, both before, and counts of every metric of a batch's candidates."""
        of = batch.treebank
        every = product(batch.candidates, (metric.name for metric in self.study.metrics_of(of)))
        return [
            (
                *(self.view(of, source, metric) for source in (GOLD, candidate)),
                *(self.as_read_before(of, source, metric) for source in (GOLD, candidate)),
                self.score(of, candidate, metric),
            )
            for candidate, metric in every
        ]

    # Sizes

    def megabytes(self, treebank: str, *sources: str) -> float:
        """Size of the study's files for some sources; for one that a parser makes, the size of gold."""
        studied = self.study.treebank(treebank)
        found = (studied.source(name) for name in sources)
        files = (source.paths if source.training is None else studied.gold.paths for source in found)
        return sum(map(megabytes, files))

    def megabytes_of_largest(self, batch: Batch, *others: str) -> float:
        """Return the size of the files of a batch's largest candidate, with those of other sources."""
        return max(self.megabytes(batch.treebank, name, *others) for name in batch.candidates)

    def megabytes_measured(self, treebank: str) -> float:
        """Return the size of the files of a treebank's trees and of the independent dependencies."""
        independent = () if self.study.treebank(treebank).dependencies is None else (INDEPENDENT,)
        return self.megabytes(treebank, GOLD, *independent)

    def megabytes_of_all(self) -> float:
        """Return the size of all files of the study."""
        return megabytes(self.study.inputs)

    @cached_property
    def group(self) -> str | None:
        """Group of all jobs of a small study, which a cluster gets as one; None for other studies."""
        sources = [source for treebank in self.study.treebanks for source in treebank.sources]
        few = len(sources) <= FEW and not any(source.training for source in sources)
        if not few or not all(map(os.path.isfile, self.study.inputs)):
            return None
        return "study" if self.megabytes_of_all() <= SMALL else None

    # Settings

    def reading(self, treebank: str, source: str) -> ReadSettings:
        """Return the settings for reading a source."""
        studied = self.study.treebank(treebank)
        found = studied.source(source)
        if found.training is not None:
            return ReadSettings("parquet")
        held_out = studied.held_out if source == GOLD else None
        return ReadSettings(found.format, found.encoding, held_out, self._in_place and source not in KEPT)

    def parsing(self, treebank: str, candidate: str) -> ParseSettings:
        """Return the settings for training a candidate, and for what it parses."""
        studied = self.study.treebank(treebank)
        gold, training = studied.gold, studied.source(candidate).training
        assert training is not None  # else the candidate is read
        assert studied.held_out is not None  # or the study would have been refused
        reading, steps = ReadSettings(gold.format, gold.encoding), gold.transformations
        return ParseSettings(studied.scheme, steps, reading, training, studied.held_out)

    def converting(self, treebank: str, source: str, view: str) -> ConvertSettings:
        """Return the settings for the conversion of a source to a view."""
        studied = self.study.treebank(treebank)
        transformations = studied.source(source).transformations
        taken = view if view in studied.views else VIEWS[view].instead
        own = {taken: studied.views[taken]} if taken is not None and taken in studied.views else {}
        context_free = studied.context_free if source == GOLD and view in OF_DEPENDENCIES else ()
        wanted = view in self._wanted[treebank]
        return ConvertSettings(studied.scheme, transformations, view, own, context_free, wanted)

    def scoring(self, treebank: str, candidate: str, metric: str) -> ScoreSettings:
        """Return the settings of a metric."""
        study, studied = self.study, self.study.treebank(treebank)
        name, options = study.metric(metric).metric, study.options(treebank, metric)
        raw = _is_raw(studied.source(candidate))
        return ScoreSettings(name, options, studied.scheme, study.unscored, study.strict, raw)

    def measuring(self, treebank: str) -> ReliabilitySettings:
        """Conversion to dependencies, and what trees and independent dependencies go through first."""
        studied = self.study.treebank(treebank)
        assert studied.scheme is not None  # else there is no conversion to measure
        independent = None if studied.dependencies is None else studied.dependencies.transformations
        steps = studied.gold.transformations, studied.conversion(), independent
        study = self.study
        return ReliabilitySettings(studied.scheme, *steps, study.samples, study.seed, study.level)

    # Jobs

    def converting_all(self, treebank: str, *sources: str) -> JobSettings:
        """Return the settings for reading sources and converting them to their views, or of one like all."""
        of_each = []
        for source in sources:
            views = self.views_of(treebank, source)
            converting = (self.converting(treebank, source, view) for view in views)
            of_each.append(JobSettings((self.reading(treebank, source), *converting)))
        return _joined(of_each)

    def scoring_all(self, treebank: str, *candidates: str) -> JobSettings:
        """Return the settings of candidates' metrics, or of one like all."""
        return _joined([self._scoring[treebank, candidate] for candidate in candidates])

    def settings_of(self, treebank: str) -> Iterator[Settings]:
        """Yield the settings of every step that works on a treebank."""
        studied = self.study.treebank(treebank)
        for source in studied.sources:
            if source.training is not None:
                yield self.parsing(treebank, source.name)
            yield from self.converting_all(treebank, source.name).outputs
        for candidate in studied.candidates:
            yield from self.scoring_all(treebank, candidate.name).outputs
        if self.is_measured(studied):
            yield self.measuring(treebank)

    def reporting(self) -> str:
        """A digest of what the report depends on besides files that are made: the study and the code."""
        from crossbank.reports.sections.contents import modules

        named = [*modules(), *(metric_class(metric.metric).__module__ for metric in self.study.metrics)]
        parts = [resolved(self.study.content), code_digest(f"{STEPS}.report", *named)]
        parts += [digest for metrics in self._scoring.values() for digest in metrics.digests]
        return sha256("".join(parts).encode()).hexdigest()[:16]

    @cached_property
    def _in_place(self) -> bool:
        """True where there are so many candidates that they are read where they lie."""
        return sum(len(treebank.candidates) for treebank in self.study.treebanks) > VERY_LARGE

    @cached_property
    def _scoring(self) -> Mapping[tuple[str, str], JobSettings]:
        """Settings of the metrics, by treebank and candidate; those that are the same are one."""
        found: dict[tuple[str, str], JobSettings] = {}
        for treebank in self.study.treebanks:
            names = [metric.name for metric in self.study.metrics_of(treebank.name)]
            known: dict[bool, JobSettings] = {}
            for candidate in treebank.candidates:
                raw = _is_raw(candidate)
                if raw not in known:
                    settings = (self.scoring(treebank.name, candidate.name, name) for name in names)
                    known[raw] = JobSettings(tuple(settings))
                found[treebank.name, candidate.name] = known[raw]
        return found

    @cached_property
    def _wanted(self) -> Mapping[str, tuple[str, ...]]:
        wanted = {}
        for treebank in self.study.treebanks:
            views = {metric.view for metric in self.study.metrics_of(treebank.name)}
            wanted[treebank.name] = tuple(view for view in VIEWS if view in views)
        return wanted

    @cached_property
    def _shown(self) -> Mapping[str, tuple[str, ...]]:
        shown = {}
        for treebank in self.study.treebanks:
            scheme = scheme_of(treebank.scheme)
            lists = {**(scheme.views if scheme is not None else {}), **treebank.views}
            extra = {name for name, view in VIEWS.items() if view.shown and lists.get(name)}
            wanted = {*self._wanted[treebank.name], *extra}
            shown[treebank.name] = tuple(view for view in VIEWS if view in wanted)
        return shown


def _seen(path: Path, most: int) -> str:
    """A checksum of a file with ``most`` bytes or fewer; else size and date, as Snakemake compares files."""
    status = path.stat()
    return checksum(path) if status.st_size <= most else f"{status.st_size} {status.st_mtime_ns}"


def _is_raw(candidate: Source) -> bool:
    """True for a candidate with ``input: raw``, which must not have gold's tags."""
    return bool(candidate.attributes.get("input") == "raw")


def _joined(of_each: Sequence[JobSettings]) -> JobSettings:
    """Return the settings of one candidate where all have the same, else those of all."""
    if all(settings == of_each[0] for settings in of_each):
        return of_each[0]
    return JobSettings(tuple(chain.from_iterable(settings.outputs for settings in of_each)))


def _batches(treebank: StudiedTreebank, most: int) -> Iterator[Batch]:
    """Yield the candidates of a treebank in as few batches as have no more than ``most``."""
    names = [candidate.name for candidate in treebank.candidates]
    number = -(-len(names) // most)
    for place in range(number):
        chosen = names[place * len(names) // number : (place + 1) * len(names) // number]
        yield Batch(treebank.name, f"candidates-{place + 1}", tuple(chosen))


def _alike(name: str, by_treebank: Mapping[str, tuple[str, ...]], sources: str = "") -> Iterator[Rule]:
    """Yield a rule for each list of what is made of treebanks."""
    for place, made in enumerate(dict.fromkeys(by_treebank.values()), 1):
        treebanks = "|".join(treebank for treebank, own in by_treebank.items() if own == made)
        yield Rule(name if place == 1 else f"{name}_{place}", treebanks, made, sources)
