"""A study looked at before it runs: all files are read, gold and candidates are paired, time is estimated."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np

from crossbank.converters import scheme_of
from crossbank.converters.scheme_files import NEARLY_ALL, fitting_schemes
from crossbank.converters.schemes.views import VIEWS
from crossbank.converters.transformations import transform
from crossbank.metrics.counting.scoring import Views, in_view, pair_views, scoring_of
from crossbank.metrics.pairing.pair import Status
from crossbank.metrics.statistics.estimates import fewest_sentences, fewest_trials
from crossbank.reports.results.sentence_facts import collect_facts
from crossbank.reports.results.summary import WITHOUT_FILE, WITHOUT_GOLD
from crossbank.reports.sections.section import section_classes
from crossbank.reports.study.model import GOLD, Source, StudiedTreebank, Study
from crossbank.treebanks import Treebank
from crossbank.treebanks.errors import CrossbankError, meant
from crossbank.treebanks.formats import one_of_each, read_each
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.ranges import threads
from crossbank.treebanks.registry import UntrustedCodeError
from crossbank.workflow.plan import Plan
from crossbank.workflow.settings import ConvertSettings
from crossbank.workflow.snakemake_names import refuse_names

START = 1.0
"""Processor seconds before the first job and after the last: Snakemake's own.

This and what follows was measured on the studies in ``config/`` (AMD EPYC, two cores).
"""

JOB = 0.35
"""Processor seconds of starting and recording a job."""

READ = 3.0
"""Processor time of the steps of a source, as a multiple of that of reading it."""

SCORED = 0.0004
"""Processor seconds of a sentence of a candidate under a metric: its score, and all resamples and swaps."""

MEASURED = 3
"""A sentence whose conversion to dependencies is measured takes the time of so many that are scored."""

SOME = 0.5
"""A scheme that lists this proportion of the categories is not called wrong."""

FEW = 0.1
"""Other words in this proportion of the sentences are told and do not keep the study from making sense."""


@dataclass
class _Load:
    """What the time of a study depends on, and what groups the sentences of each gold.

    reading  processor seconds in which all files were read
    jobs     number of jobs
    scored   number of sentences that are scored, added up over candidates and metrics
    trained  number of candidates that the study trains
    """

    reading: float = 0.0
    jobs: int = 1
    scored: int = 0
    trained: int = 0
    groupings: list[set[str]] = field(default_factory=list)

    def seconds(self, cores: int) -> float:
        """Return the estimated seconds of the study on a machine with nothing else to do."""
        return START + (self.reading * READ + self.jobs * JOB + self.scored * SCORED) / cores

    def said(self, cores: int) -> str:
        """Return the estimate as a sentence."""
        seconds = self.seconds(cores)
        amount = f"{seconds:.0f} seconds" if seconds < 90 else f"{seconds / 60:.0f} minutes"
        training = f" without training {quantity(self.trained, 'candidate')}" if self.trained else ""
        return f"About {amount} on {cores} cores{training}, if nothing is done yet."


def checked(study: Study) -> Iterator[tuple[str, bool]]:
    """Lines about a study, each with whether what it tells fits."""
    refuse_names(study)
    plan = Plan(study, Path())
    load = _Load(jobs=plan.number_of_jobs())
    fewest = fewest_trials(study.alpha)
    candidates = sum(len(treebank.candidates) for treebank in study.treebanks)
    metrics = ", ".join(metric.name for metric in study.metrics) or "no metric"
    sizes = f"{quantity(len(study.treebanks), 'treebank')}, {quantity(candidates, 'candidate')}"
    yield f"{study.name}: {sizes}; {metrics}", True
    if candidates > 1 and study.metrics and study.trials < fewest:
        said = f"with {study.trials} no probability is as small as {study.alpha:g}"
        yield f"tests.trials: {said}: no difference can be found with fewer than {fewest}", False
    yield from ((line, True) for line in _without_common_points(study))
    for treebank in study.treebanks:
        yield from _checked_treebank(plan, treebank, load)
        for name in treebank.missing:
            yield f"  {name}: {WITHOUT_FILE}", True
    known = set[str]().union(*load.groupings)
    for name in sorted({*study.breakdowns} - known) if len(load.groupings) == len(study.treebanks) else ():
        yield f"\nreport.breakdowns: found {name!r}, {meant(name, sorted(known))}", False
    try:
        section_classes()
    except UntrustedCodeError as error:
        yield f"\n{error}", True
    except CrossbankError as error:
        yield f"\n{error}", False
    for name, without in study.without_gold.items():
        yield f"\n{name}\n  {', '.join(without)}: {WITHOUT_GOLD}", True
    yield f"\n{load.said(threads())}", True


def _checked_treebank(plan: Plan, treebank: StudiedTreebank, load: _Load) -> Iterator[tuple[str, bool]]:
    heading = f"\n{treebank.name} ({treebank.scheme or 'no scheme'})\n  gold: "
    if absent := _absent(treebank.gold):
        yield f"{heading}{absent}", True
        return
    gold, line = _read(treebank.gold, load)
    yield f"{heading}{line}", gold is not None
    if gold is None:
        return
    if (said := _scheme_fault(treebank, gold)) is not None:
        # Without a scheme labels may be meant to stand as they are.
        yield f"  {said}", treebank.scheme is None
    missing = list(_looked_up(plan, treebank, gold))
    yield from ((message, False) for message in missing)
    if missing:
        return
    try:
        scored = gold if treebank.held_out is None else treebank.held_out.gold(gold)
    except CrossbankError as error:
        yield f"  {error}", False
        return
    scores = len(treebank.candidates) * len(plan.study.metrics_of(treebank.name))
    load.scored += len(scored) * (scores + MEASURED * plan.is_measured(treebank))
    load.groupings.append(set(collect_facts(scored).groupings) if plan.study.breakdowns else set())
    least = fewest_sentences(plan.study.alpha)
    if len(scored) < least and len(treebank.candidates) > 1 and plan.study.metrics:
        sentences = quantity(len(scored), "sentence")
        yield f"  {sentences}: no difference can be significant with fewer than {least}", True
    seen = cache(lambda view: _seen(scored, plan.converting(treebank.name, GOLD, view)))
    for candidate in treebank.candidates:
        if candidate.making is not None:
            load.trained += 1
            yield _made(treebank, candidate, gold)
            continue
        if absent := _absent(candidate):
            yield f"  {candidate.name}: {absent}", True
            continue
        parsed, line = _read(candidate, load)
        if parsed is None:
            yield f"  {candidate.name}: {line}", False
        else:
            said, fits = _paired(plan, treebank, candidate.name, seen, parsed)
            yield f"  {candidate.name}: {line}{said and f'; {said}'}", fits


def _made(treebank: StudiedTreebank, candidate: Source, gold: Treebank) -> tuple[str, bool]:
    """A candidate that a plug-in makes, if gold has enough sentences for it."""
    assert candidate.making is not None
    assert treebank.held_out is not None
    try:
        return f"  {candidate.name}: {candidate.making.describe(treebank.held_out.parts(gold))}", True
    except CrossbankError as error:
        return f"  {candidate.name}: {error}", False


def _without_common_points(study: Study) -> Iterator[str]:
    """Two treebanks with candidates along an axis and too few points of it in common to compare them."""
    points: dict[str, dict[str, set[float]]] = {}
    for treebank in study.treebanks:
        for candidate in treebank.candidates:
            for axis, value in candidate.attributes.items():
                if isinstance(value, int | float) and not isinstance(value, bool):
                    points.setdefault(axis, {}).setdefault(treebank.name, set()).add(value)
    for axis, of_axis in points.items():
        lines = [(name, values) for name, values in of_axis.items() if len(values) > 1]
        for (one, first), (other, second) in combinations(lines, 2):
            if (common := len(first & second)) < 2:
                points_said = quantity(common, "point") if common else "no point"
                said = f"{axis.replace('_', ' ')}: {one} and {other} have {points_said} in common"
                yield f"{said}; from two on the report says whether their distance changes"


def _absent(source: Source) -> str:
    """A line about the files of a source that the study has yet to download; empty for none."""
    absent = [found.address for path, found in source.downloads.items() if not Path(path).exists()]
    return f"{quantity(len(absent), 'file')} to download, the first from {absent[0]}" if absent else ""


def _read(source: Source, load: _Load) -> tuple[Treebank | None, str]:
    """A source, and a line about it: its size, or why it cannot be read."""
    start = time.process_time()
    try:
        banks = list(read_each(source.paths, source.format, encoding=source.encoding))
    except CrossbankError as error:
        return None, str(error).partition("\n")[0]
    load.reading += time.process_time() - start
    bank = Treebank.concatenate(banks)
    number = len(one_of_each(source.paths, source.format))
    files = f"{quantity(number, 'file')}, " if number > 1 else ""
    chosen = bank.only_chosen()
    sizes = f"{quantity(len(chosen), 'sentence')}, {quantity(len(chosen.tokens), 'token')}"
    sizes += f", {quantity(len(bank), 'analysis')}" if len(bank) > len(chosen) else ""
    return bank, f"{files}{source.format}, {sizes}"


def _scheme_fault(treebank: StudiedTreebank, gold: Treebank) -> str | None:
    """A sentence where another scheme knows the labels and the study's does not."""
    scheme = scheme_of(treebank.scheme)
    if not gold.has_constituents:
        return None
    labels = gold.vocabulary.counted(gold.nodes.label)
    own = None if scheme is None else scheme.known_proportion(labels)
    best, proportion = fitting_schemes(labels)
    if proportion <= NEARLY_ALL or (scheme is not None and (own is None or own > SOME)):
        return None
    named = f"{treebank.scheme} lists {100 * (own or 0):.0f} %" if scheme else "none is named"
    return f"scheme: {named}; {best} lists {100 * proportion:.0f} % of gold's categories"


def _looked_up(plan: Plan, treebank: StudiedTreebank, gold: Treebank) -> Iterator[str]:
    """Yield everything that the steps name and that is missing, and the views that cannot be made of gold."""
    try:
        for settings in plan.settings_of(treebank.name):
            for path in settings.files():
                path.read_bytes()
            tuple(settings.modules())
        if plan.is_measured(treebank):
            measuring = plan.measuring(treebank.name)
            trees = transform(gold, measuring.transformations, scheme_of(treebank.scheme))
            if trees.has_constituents:
                transform(trees, ["strip_functions", *measuring.conversion], scheme_of(treebank.scheme))
    except (CrossbankError, OSError) as error:
        yield f"  {error}"
        return
    for view in plan.views_of(treebank.name, GOLD):
        converting = plan.converting(treebank.name, GOLD, view)
        try:
            _seen(gold, converting)
        except CrossbankError as error:
            yield f"  {view} not made: {error}"


def _paired(
    plan: Plan,
    treebank: StudiedTreebank,
    candidate: str,
    gold_seen: Callable[[str], Treebank],
    parsed: Treebank,
) -> tuple[str, bool]:
    """Return the oddities of gold and a candidate as a metric pairs them, and whether they fit nevertheless.

    gold_seen  gives gold in a view
    """
    scheme = scheme_of(treebank.scheme)
    for found in {metric.view: metric for metric in plan.study.metrics_of(treebank.name)}.values():
        scoring = scoring_of([found.metric], plan.study.options(treebank.name, found.name))
        try:
            view = VIEWS[found.view].of_candidates
            seen = _seen(parsed, plan.converting(treebank.name, candidate, view))
            gold = Views(gold_seen(found.view), scheme, view=found.view)
            both = pair_views(scoring.metrics[0], gold, Views(seen, scheme, view=view), scoring, scheme)
        except CrossbankError as error:
            return str(error), False
        numbers = np.bincount(both.status, minlength=len(Status))
        differ, unparsed = int(numbers[Status.WORDS_DIFFER]), int(numbers[Status.NO_PARSE])
        if differ:
            first = both.sentence_ids()[int(np.flatnonzero(both.status == Status.WORDS_DIFFER)[0])]
            also = f", {unparsed:,} have no parse" if unparsed else ""
            said = f"other words in {quantity(differ, 'sentence')}{also}; the first is {first}"
            return said, differ <= FEW * len(both)
    return "", True


def _seen(bank: Treebank, settings: ConvertSettings) -> Treebank:
    scheme = scheme_of(settings.scheme)
    return in_view(transform(bank, settings.transformations, scheme), settings.view, scheme, settings.views)
