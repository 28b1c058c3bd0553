"""Tables of configurations associated with errors, from patterns or mined (``mined_configurations``)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeAlias

import numpy as np

from crossbank.metrics.analyses.mined_configurations import (
    MIN_OCCURRENCES,
    MIN_SENTENCES,
    Configuration,
    match_patterns,
    mined,
)
from crossbank.metrics.counting.counts import Counts
from crossbank.metrics.counting.metric import Losses, Metric
from crossbank.metrics.counting.presentation import metric_title
from crossbank.metrics.pairing.pair import Pair, Status
from crossbank.reports.results.study_results import CandidateResults, StudyResults, TreebankResults
from crossbank.reports.tables.markdown import format_markdown
from crossbank.reports.tables.table import (
    Cell,
    Column,
    ReportTable,
    format_probability,
    make_cells,
    sentences_link,
)
from crossbank.treebanks import Treebank

MAX_CONFIGURATIONS = 20
"""The number of mined configurations in a table."""

MAX_LINKED_SENTENCES = 30
"""The number of sentences that a link selects."""


Configurations: TypeAlias = dict[str, tuple[Losses, dict[str, Configuration]]]
"""By metric, the losses of gold's tokens or constituents, and a candidate's configurations by name."""


def build_configuration_tables(study: StudyResults, *, mine: bool = True) -> Iterator[ReportTable]:
    """Yield for each candidate whose gold has constituents what patterns match, and what is mined.

    mine  whether configurations are mined, besides those of the study's patterns
    """
    for treebank in study.treebanks:
        for candidate in treebank.candidates:
            losing = _collect_losses(study, treebank, candidate) if mine or treebank.hot_spots else {}
            if losing and treebank.hot_spots:
                patterns = partial(match_patterns, patterns=treebank.hot_spots, seed=study.seed)
                yield _build_pattern_table(treebank, candidate, _search_configurations(losing, patterns))
            if losing and mine:
                configurations = _search_configurations(losing, partial(mined, seed=study.seed))
                yield _build_mined_table(study, treebank, candidate, configurations)


def format_configurations(
    gold: str,
    candidate: str,
    metrics: Sequence[Metric],
    scored: Sequence[tuple[Counts, Pair]],
    patterns: Sequence[str],
    *,
    mine: bool,
) -> str:
    """Return the tables of one candidate for a terminal.

    If no metric has losses of tokens or constituents, or gold has no constituents, return a
    sentence that says so.
    """
    by_name = {metric.name: metric for metric in metrics}
    counts = dict(zip(by_name, (counts for counts, _ in scored), strict=True))
    pairs = dict(zip(by_name, (pair for _, pair in scored), strict=True))
    treebank = TreebankResults(gold, candidates=[CandidateResults(candidate, counts)], hot_spots=patterns)
    study = StudyResults(
        gold, [treebank], metrics=by_name, pair_of=lambda _, candidate, metric, rows=None: pairs[metric]
    )
    message = f"No configurations: none of {', '.join(by_name)} gives the losses of gold’s constituents or "
    return (
        "\n".join(map(format_markdown, build_configuration_tables(study, mine=mine)))
        or f"{message}their tokens."
    )


def _collect_losses(
    study: StudyResults, treebank: TreebankResults, candidate: CandidateResults
) -> dict[str, tuple[Treebank, Losses]]:
    """Return gold and its losses by metric, without metrics that have no losses or no constituents."""
    losing = {}
    for name in candidate.counts:
        metric = study.metrics.get(name)
        if metric is None or study.pair_of is None or not metric.says_losses():
            continue
        pair = study.pair_of(treebank.name, candidate.name, name)
        if (pair.status == Status.SKIPPED).any():
            pair = pair.select(np.flatnonzero(pair.status != Status.SKIPPED).tolist())
        if pair.gold.has_constituents and (losses := metric.losses(pair)) is not None:
            losing[name] = pair.gold, losses
    return losing


def _search_configurations(
    losing: dict[str, tuple[Treebank, Losses]], search: Callable[[Treebank, Losses], Sequence[Configuration]]
) -> Configurations:
    return {
        name: (losses, {one.name: one for one in search(gold, losses)})
        for name, (gold, losses) in losing.items()
    }


def _build_pattern_table(
    treebank: TreebankResults, candidate: CandidateResults, configurations: Configurations
) -> ReportTable:
    return ReportTable(
        f"{treebank.name}-{candidate.name}-patterns",
        f"{treebank.name}, {candidate.name}: findings of patterns",
        "Tree patterns matched in gold, and the loss in the constituents that they find. A constituent "
        "counts with all its tokens.",
        _build_columns(configurations),
        [_build_row(treebank, candidate, name, configurations) for name in treebank.hot_spots],
        definitions=_build_definitions(configurations),
    )


def _build_mined_table(
    study: StudyResults,
    treebank: TreebankResults,
    candidate: CandidateResults,
    configurations: Configurations,
) -> ReportTable:
    weight: dict[str, float] = {}
    for losses, of_metric in configurations.values():
        for name, one in of_metric.items():
            if one.excess > 0 and one.p <= study.alpha:
                weight[name] = max(weight.get(name, 0.0), one.excess / losses.total)
    names = sorted(weight, key=lambda name: (-weight[name], name))
    tested = max(len(of_metric) for _, of_metric in configurations.values())
    return ReportTable(
        f"{treebank.name}-{candidate.name}-configurations",
        f"{treebank.name}, {candidate.name}: configurations that go with errors",
        "Local configurations of gold’s constituents (label, label above, first daughter, length, function, "
        f"tags beside it, and pairs of these) that occur at least {MIN_OCCURRENCES} times in {MIN_SENTENCES} "
        f"sentences, {tested:,} in all. These lose more than their frequency predicts under at least one "
        f"measure (probability at most {study.alpha:g}); those {MAX_CONFIGURATIONS} first that "
        "account for the largest part of what a measure loses. A constituent stands for the tokens "
        "that hang on it.",
        _build_columns(configurations),
        [_build_row(treebank, candidate, name, configurations) for name in names[:MAX_CONFIGURATIONS]],
        definitions=_build_definitions(configurations),
    )


def _build_columns(configurations: Configurations) -> list[Column]:
    of_metric = [
        Column(heading, metric_title(name))
        for name, (losses, _) in configurations.items()
        for heading in ("Tokens" if losses.of == "tokens" else "Brackets", "Loss", "Excess", "p")
    ]
    return [*Column.texts("Configuration"), *of_metric, *Column.numbers("Sentences")]


def _build_definitions(configurations: Configurations) -> list[tuple[str, str]]:
    every = (
        f"{metric_title(name)} {100 * losses.average:.2f}" for name, (losses, _) in configurations.items()
    )
    averages = ", ".join(every)
    return [
        ("Loss", f"the average loss of the tokens or brackets in the configuration (of all: {averages})"),
        ("Excess", "their loss beyond that of as many average ones, as a proportion of the whole loss"),
        ("p", "probability of such an excess by chance, when the signs of the sentences’ excess are drawn; "
              "corrected for all configurations of the table by Holm’s procedure over the drawn maxima"),
        ("Sentences", "sentences in which they lose more than the average under some measure"),
    ]  # fmt: skip


def _build_row(
    treebank: TreebankResults, candidate: CandidateResults, name: str, configurations: Configurations
) -> list[Cell]:
    row: list[object] = [name]
    losing: dict[int, None] = {}
    for losses, of_metric in configurations.values():
        one = of_metric.get(name)
        if one is None or not one.units:
            row += [None if one is None else 0, None, None, None]
            continue
        losing |= dict.fromkeys(one.sentences)
        excess = one.excess / losses.total if losses.total else 0.0
        turned = Cell(f"{100 * excess:.1f}".replace("-", "−"), value=excess)
        row += [one.units, Cell.per_cent(one.loss, 2), turned, Cell(format_probability(one.p), value=one.p)]
    ids = next(iter(candidate.counts.values())).sentences
    text = " | ".join(ids[sentence] for sentence in list(losing)[:MAX_LINKED_SENTENCES])
    link = sentences_link(treebank.name, candidate.name, text=text) if losing else ""
    return make_cells(*row, Cell.count(len(losing), link))
