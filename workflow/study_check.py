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
from crossbank.treebanks.damage.rules import OF_CANDIDATES, OF_GOLD, DamagePolicy
from crossbank.treebanks.errors import CrossbankError, meant
from crossbank.treebanks.formats import one_of_each, read_each
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.ranges import threads
from crossbank.workflow.plan import Plan
from crossbank.workflow.settings import ConvertSettings
from crossbank.workflow.snakemake_names import refuse_names

START = 1.0
"""Processor seconds before the first job and after the last: Snakemake's own.

This and what follows was measured on the studies in ``config/`` (AMD EPYC, two cores), and is multiplied by
how many times slower this machine is.
"""

LOOP = 0.0025
"""Processor seconds of ``_fill_table`` on the machine where these were measured."""

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

MAX_DIFFERING = 0.1
"""Proportion of sentences with other words up to which gold and candidate still match."""


@dataclass
class _Workload:
    """Amount of work in a study, and the groupings of the sentences of each gold.

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
        slowness = measure_slowness()
        parallel = self.reading * READ + (self.jobs * JOB + self.scored * SCORED) * slowness
        return START * slowness + parallel / cores

    def format_estimate(self, cores: int) -> str:
        """Return the estimate as a sentence."""
        seconds = self.seconds(cores)
        amount = f"{seconds:.0f} seconds" if seconds < 90 else f"{seconds / 60:.0f} minutes"
        training = f" without training {quantity(self.trained, 'candidate')}" if self.trained else ""
        return f"About {amount} on {cores} cores{training}, if nothing is done yet."


def measure_slowness() -> float:
    """Return how many times slower this machine is than the one where the constants were measured."""
    seconds = []
    for _ in range(5):
        start = time.process_time()
        _fill_table()
        seconds.append(time.process_time() - start)
    return min(seconds) / LOOP


def _fill_table() -> None:
    table = {}
    for number in range(20_000):
        table[str(number)] = number


def check_study(study: Study) -> Iterator[tuple[str, bool]]:
    """Yield the lines of the check, each with True unless it is an error."""
    refuse_names(study)
    plan = Plan(study, Path())
    workload = _Workload(jobs=plan.number_of_jobs())
    fewest = fewest_trials(study.alpha)
    candidates = sum(len(treebank.candidates) for treebank in study.treebanks)
    metrics = ", ".join(metric.name for metric in study.metrics) or "no metric"
    sizes = f"{quantity(len(study.treebanks), 'treebank')}, {quantity(candidates, 'candidate')}"
    yield f"{study.name}: {sizes}; {metrics}", True
    if candidates > 1 and study.metrics and study.trials < fewest:
        problem = f"with {study.trials} no p-value is as small as {study.alpha:g}"
        yield f"tests.trials: {problem}: no difference can be found with fewer than {fewest}", False
    yield from ((line, True) for line in _without_common_points(study))
    for treebank in study.treebanks:
        yield from _check_treebank(plan, treebank, workload)
        for name in treebank.missing:
            yield f"  {name}: {WITHOUT_FILE}", True
    known = set[str]().union(*workload.groupings)
    for name in (
        sorted({*study.breakdowns} - known) if len(workload.groupings) == len(study.treebanks) else ()
    ):
        yield f"\nreport.breakdowns: found {name!r}, {meant(name, sorted(known))}", False
    try:
        section_classes()
    except CrossbankError as error:
        yield f"\n{error}", False
    for name, without in study.without_gold.items():
        yield f"\n{name}\n  {', '.join(without)}: {WITHOUT_GOLD}", True
    yield f"\n{workload.format_estimate(threads())}", True


def _check_treebank(plan: Plan, treebank: StudiedTreebank, workload: _Workload) -> Iterator[tuple[str, bool]]:
    heading = f"\n{treebank.name} ({treebank.scheme or 'no scheme'})\n  gold: "
    if absent := _describe_downloads(treebank.gold):
        yield f"{heading}{absent}", True
        return
    gold, line = _read(treebank.gold, workload, OF_GOLD)
    yield f"{heading}{line}", gold is not None
    if gold is None:
        return
    if (problem := _find_better_scheme(treebank, gold)) is not None:
        # Without a scheme, labels may be meant as they are.
        yield f"  {problem}", treebank.scheme is None
    missing = list(_list_missing(plan, treebank, gold))
    yield from ((message, False) for message in missing)
    if missing:
        return
    try:
        scored = gold if treebank.held_out is None else treebank.held_out.gold(gold)
    except CrossbankError as error:
        yield f"  {error}", False
        return
    scores = len(treebank.candidates) * len(plan.study.metrics_of(treebank.name))
    workload.scored += len(scored) * (scores + MEASURED * plan.is_measured(treebank))
    workload.groupings.append(set(collect_facts(scored).groupings) if plan.study.breakdowns else set())
    least = fewest_sentences(plan.study.alpha)
    if len(scored) < least and len(treebank.candidates) > 1 and plan.study.metrics:
        sentences = quantity(len(scored), "sentence")
        yield f"  {sentences}: no difference can be significant with fewer than {least}", True
    seen = cache(lambda view: _make_view(scored, plan.converting(treebank.name, GOLD, view)))
    for candidate in treebank.candidates:
        if candidate.making is not None:
            workload.trained += 1
            yield _check_making(treebank, candidate, gold)
            continue
        if absent := _describe_downloads(candidate):
            yield f"  {candidate.name}: {absent}", True
            continue
        parsed, line = _read(candidate, workload, OF_CANDIDATES)
        if parsed is None:
            yield f"  {candidate.name}: {line}", False
        else:
            problem, fits = _check_pair(plan, treebank, candidate.name, seen, parsed)
            yield f"  {candidate.name}: {line}{problem and f'; {problem}'}", fits


def _check_making(treebank: StudiedTreebank, candidate: Source, gold: Treebank) -> tuple[str, bool]:
    """Return the line of a candidate that a plug-in makes, and whether gold has enough sentences for it."""
    assert candidate.making is not None
    assert treebank.held_out is not None
    try:
        return f"  {candidate.name}: {candidate.making.describe(treebank.held_out.parts(gold))}", True
    except CrossbankError as error:
        return f"  {candidate.name}: {error}", False


def _without_common_points(study: Study) -> Iterator[str]:
    """Yield a line for two treebanks whose candidates share too few values of an axis to compare them."""
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
                shared = quantity(common, "point") if common else "no point"
                problem = f"{axis.replace('_', ' ')}: {one} and {other} have {shared} in common"
                yield f"{problem}; from two on the report says whether their distance changes"


def _describe_downloads(source: Source) -> str:
    """Return a line about the files that are not downloaded yet; empty if there are none."""
    absent = [download.address for path, download in source.downloads.items() if not Path(path).exists()]
    return f"{quantity(len(absent), 'file')} to download, the first from {absent[0]}" if absent else ""


def _read(source: Source, workload: _Workload, policy: DamagePolicy) -> tuple[Treebank | None, str]:
    """Return a source and its size as text, or None and the reason why it cannot be read."""
    start = time.process_time()
    try:
        encoding, damaged = source.encoding, source.damaged or policy
        banks = list(read_each(source.paths, source.format, encoding=encoding, damaged=damaged))
    except CrossbankError as error:
        return None, str(error).partition("\n")[0]
    workload.reading += time.process_time() - start
    bank = Treebank.concatenate(banks)
    number = len(one_of_each(source.paths, source.format))
    files = f"{quantity(number, 'file')}, " if number > 1 else ""
    chosen = bank.only_chosen()
    sizes = f"{quantity(len(chosen), 'sentence')}, {quantity(len(chosen.tokens), 'token')}"
    sizes += f", {quantity(len(bank), 'analysis')}" if len(bank) > len(chosen) else ""
    return bank, f"{files}{source.format}, {sizes}"


def _find_better_scheme(treebank: StudiedTreebank, gold: Treebank) -> str | None:
    """Return a message if another scheme lists the labels and the study's does not."""
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


def _list_missing(plan: Plan, treebank: StudiedTreebank, gold: Treebank) -> Iterator[str]:
    """Yield the missing files and modules of the steps, and the views that cannot be made of gold."""
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
            _make_view(gold, converting)
        except CrossbankError as error:
            yield f"  {view} not made: {error}"


def _check_pair(
    plan: Plan,
    treebank: StudiedTreebank,
    candidate: str,
    gold_seen: Callable[[str], Treebank],
    parsed: Treebank,
) -> tuple[str, bool]:
    """Return what differs between gold and a candidate as a metric pairs them, and whether it is tolerable.

    gold_seen  gives gold in a view
    """
    scheme = scheme_of(treebank.scheme)
    for studied in {metric.view: metric for metric in plan.study.metrics_of(treebank.name)}.values():
        scoring = scoring_of([studied.metric], plan.study.options(treebank.name, studied.name))
        if scoring.metrics[0].judges_words:
            continue
        try:
            view = VIEWS[studied.view].of_candidates
            seen = _make_view(parsed, plan.converting(treebank.name, candidate, view))
            gold = Views(gold_seen(studied.view), scheme, view=studied.view)
            both = pair_views(scoring.metrics[0], gold, Views(seen, scheme, view=view), scoring, scheme)
        except CrossbankError as error:
            return str(error), False
        numbers = np.bincount(both.status, minlength=len(Status))
        differ, unparsed = int(numbers[Status.WORDS_DIFFER]), int(numbers[Status.NO_PARSE])
        if differ:
            first = both.sentence_ids()[int(np.flatnonzero(both.status == Status.WORDS_DIFFER)[0])]
            also = f", {unparsed:,} have no parse" if unparsed else ""
            problem = f"other words in {quantity(differ, 'sentence')}{also}; the first is {first}"
            return problem, differ <= MAX_DIFFERING * len(both)
    return "", True


def _make_view(bank: Treebank, settings: ConvertSettings) -> Treebank:
    scheme = scheme_of(settings.scheme)
    return in_view(transform(bank, settings.transformations, scheme), settings.view, scheme, settings.views)
