"""The tables of differences between candidates, and of their ranks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from crossbank.metrics.counting.counts import Measure
from crossbank.metrics.counting.presentation import metric_title
from crossbank.reports.results import comparisons
from crossbank.reports.results.comparisons import Comparison
from crossbank.reports.results.study import StudyResults
from crossbank.reports.sections.scores import RATIOS, compared_measures, ratios_beside, with_columns
from crossbank.reports.sections.section import Section
from crossbank.reports.tables.table import (
    Cell,
    Column,
    Table,
    meaning,
    probability,
    shown,
    text_columns,
    texts,
)

SIGN = "*"
"""The mark of a significant difference."""


def compared_candidates(study: StudyResults) -> Section:
    """The section on differences between candidates."""
    several = [differences_between(study)] if study.comparisons_between else []
    said = []
    if not study.every_pair:
        said.append(
            "Not every two candidates are compared, since there are too many: the best candidate of each "
            "treebank is compared with every other, by the main measure of each metric. Probabilities are "
            "corrected for all pairs of the treebank."
        )
    if len(study.treebanks) > 1 and not several:
        said.append("Scores in different treebanks are not tested against each other.")
    ranked = [ranks(study)] if study.every_pair else []
    return Section(
        "different",
        "Differences",
        said,
        tables=[differences(study), *ranked, *several, every_test(study)],
        paper=("differences", "ranks", "differences-between"),
    )


def differences(study: StudyResults) -> Table:
    """Pairs of candidates of one treebank by measure: the difference, and its probability by chance."""
    return Table(
        "differences",
        "Differences between candidates",
        "The first candidate's score minus the second's on the same sentences, in points (hundredths of a "
        "proportion) or in units of the measure; under each the probability of a difference as large as this "
        f"if the two did not differ: approximate randomisation with {study.trials:,} trials (Noreen 1989), "
        "corrected after Holm (1979) for the pairs of the treebank under the measure. "
        f"{SIGN} marks those no larger than {study.alpha:g}.",
        _pair_columns(study, "Treebank", "Candidates"),
        _pair_rows(study, study.comparisons, lambda c: (c.treebank, f"{c.candidate} − {c.other}")),
        definitions=_definitions(study),
        empty="No treebank has two candidates with scores: there is no difference to test.",
    )


def differences_between(study: StudyResults) -> Table:
    """A candidate in two treebanks by measure; paired if the treebanks annotate the same sentences."""
    found = {(c.treebank, c.other_treebank): c.paired for c in study.comparisons_between}
    if all(found.values()):
        pairing = "The treebanks annotate the same sentences, which are resampled in pairs."
    elif any(found.values()):
        pairs = ", ".join(f"{one} and {other}" for (one, other), paired in found.items() if paired)
        pairing = f"The sentences of {pairs} are the same and resampled in pairs, the others each by itself."
    else:
        pairing = "The sentences differ: each treebank's sentences are resampled separately."
    return Table(
        "differences-between",
        "Differences between treebanks",
        "A candidate's score in the first treebank minus its score in the second, in points (hundredths of "
        "a proportion) or in units of the measure; under each the bootstrap's probability of a difference as "
        f"large as this by chance ({study.samples:,} resamples), corrected after Holm; {SIGN} marks those no "
        f"larger than {study.alpha:g}. {pairing} The schemes differ too: compare the ratios of nodes to "
        "words before the scores.",
        _pair_columns(study, "Treebanks", "Candidate"),
        _pair_rows(
            study,
            study.comparisons_between,
            lambda c: (
                f"{c.treebank} − {c.other_treebank}",
                c.candidate if c.candidate == c.other else f"{c.candidate} − {c.other}",
            ),
        ),
        empty="No two treebanks have candidates of the same name: none are compared across treebanks.",
    )


def every_test(study: StudyResults) -> Table:
    """Every comparison under every measure, one in each row, with its interval and probabilities."""
    return Table(
        "tests",
        "All tests of differences",
        "Two-sided probabilities: of the bootstrap (the resamples' differences, centred on zero; "
        f"{study.samples:,} resamples, seed {study.seed}), of approximate randomisation where the sentences "
        f"are the same ({study.trials:,} trials; exact if there are no more ways of swapping), and of the "
        "latter, else the former, after Holm.",
        [
            *text_columns("Treebank", "Candidate", "Other treebank", "Other", "Metric", "Measure"),
            *(Column(h) for h in ("Difference", "95 % interval", "Bootstrap", "Randomisation", "Holm")),
            Column("Comparisons"),
        ],
        [_test(c) for c in (*study.comparisons, *study.comparisons_between)],
        empty="There are no two candidates to compare.",
    )


def ranks(study: StudyResults) -> Table:
    """The rank of each candidate by measure; candidates may share a rank."""
    ranked = comparisons.ranks(study.scored, study.comparisons, study.alpha)
    columns = compared_measures(study)
    rows = []
    for treebank in study.treebanks:
        for candidate in treebank.candidates if len(treebank.candidates) > 1 else ():
            row = texts(treebank.name, candidate.name, *ratios_beside(treebank))
            for metric, measure in columns:
                rank = ranked.get((treebank.name, metric, measure.name), {}).get(candidate.name)
                if rank is None:
                    row.append(Cell("–"))
                    continue
                score = candidate.counts[metric].value(measure.name)
                row.append(Cell(f"{rank.rank} {rank.letters}", shown(score, measure), value=rank.rank))
            rows.append(row)
    table = Table(
        "ranks",
        "Ranks of the candidates",
        "Candidates stand in the order of their scores (in small print). A new rank begins where every one "
        f"above differs significantly (Holm, {study.alpha:g}) from every one below; the others share a "
        "rank, which is one more than the number of candidates above them (Bojar et al. 2013). Candidates of "
        "one rank may differ: two are not told apart exactly where they share a letter (Piepho 2004).",
        [
            *text_columns("Treebank", "Candidate"),
            *RATIOS,
            *(Column(measure.heading, metric_title(metric)) for metric, measure in columns),
        ],
        rows,
        empty="No treebank has two candidates: there is nothing to rank.",
    )
    return with_columns(study, table)


def _pair_columns(study: StudyResults, *names: str) -> list[Column]:
    measures = compared_measures(study)
    return [
        *(Column(name, numeric=False) for name in names),
        *(Column(measure.heading, metric_title(metric)) for metric, measure in measures),
    ]


def _pair_rows(
    study: StudyResults, found: Iterable[Comparison], name: Callable[[Comparison], tuple[str, str]]
) -> list[list[Cell]]:
    by_pair: dict[tuple[str, str], dict[tuple[str, str], Comparison]] = {}
    for comparison in found:
        by_pair.setdefault(name(comparison), {})[comparison.metric, comparison.measure.name] = comparison
    columns = compared_measures(study)
    return [
        [
            *texts(*names),
            *(_difference(measures.get((metric, m.name)), study.alpha) for metric, m in columns),
        ]
        for names, measures in by_pair.items()
    ]


def _difference(found: Comparison | None, alpha: float) -> Cell:
    if found is None:
        return Cell("–")
    difference = found.difference
    sign = SIGN if found.significant(alpha) else ""
    return Cell(
        signed(difference.value, found.measure) + sign,
        f"p {probability(found.corrected)}"
        if found.corrected < 0.001
        else f"p = {probability(found.corrected)}",
        value=difference.value,
        low=difference.low,
        high=difference.high,
    )


def signed(value: float, measure: Measure) -> str:
    """A difference with its sign, in points if the measure is a proportion; zero has no sign."""
    text = shown(abs(value), measure)
    return text if float(text) == 0 else ("+" if value > 0 else "−") + text


def _test(found: Comparison) -> list[Cell]:
    difference, measure = found.difference, found.measure
    known = difference.low is not None and difference.high is not None
    interval = (
        f"{signed(difference.low or 0, measure)} to {signed(difference.high or 0, measure)}" if known else "–"
    )
    chances = (difference.bootstrap, difference.randomisation, found.corrected)
    return [
        *texts(found.treebank, found.candidate, found.other_treebank, found.other),
        *texts(metric_title(found.metric), measure.name),
        Cell(
            signed(difference.value, measure),
            value=difference.value,
            low=difference.low,
            high=difference.high,
        ),
        Cell(interval),
        *(Cell("–") if p is None else Cell(probability(p), value=p) for p in chances),
        *texts(found.family),
    ]


def _definitions(study: StudyResults) -> Sequence[tuple[str, str]]:
    return [(f"{metric_title(metric)} {m.heading}", meaning(m)) for metric, m in compared_measures(study)]
