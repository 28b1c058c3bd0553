"""Tables of differences between candidates, and of their ranks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from crossbank.metrics.counting.counts import Measure, shown
from crossbank.metrics.counting.presentation import measure_title, metric_title
from crossbank.metrics.statistics.significance import Difference
from crossbank.reports.findings.family import Family, family
from crossbank.reports.findings.finding import Finding, figures, p_value
from crossbank.reports.results.candidate_pairs import Comparison
from crossbank.reports.results.candidate_pairs import ranks as ranks_of
from crossbank.reports.results.study_results import MOST_TESTS, StudyResults
from crossbank.reports.sections.scores import (
    RATIOS,
    compared_measures,
    in_order,
    meanings,
    ratios_beside,
    with_columns,
)
from crossbank.reports.sections.section import Section
from crossbank.reports.tables.table import Cell, Column, Table, cells, probability, signed

SIGN = "*"
"""The mark of a significant difference."""


def differences(study: StudyResults) -> Table:
    """Pairs of candidates of one treebank by measure: the difference, and its probability by chance."""
    columns = _tested_measures(study)
    method = f"{study.trials:,} half-samples (McCarthy 1969)"
    if study.every_pair:
        method = f"approximate randomisation with {study.trials:,} trials (Noreen 1989)"
    return Table(
        "differences",
        "Differences between candidates",
        "The first candidate's score minus the second's on the same sentences, in points (hundredths of a "
        "proportion) or in units of the measure; under each the probability of a difference as large as this "
        f"if the two did not differ: {method}, {family(study).said()}. {SIGN} marks those no larger than "
        f"{study.alpha:g}.",
        Column.texts("Treebank", "Candidates") + Column.measures(columns),
        _pair_rows(
            study, columns, family(study).comparisons, lambda c: (c.treebank, f"{c.candidate} − {c.other}")
        ),
        definitions=meanings(columns),
    )


def differences_between(study: StudyResults) -> Table:
    """A candidate in two treebanks by measure; paired if the treebanks annotate the same sentences."""
    found = {(c.treebank, c.other_treebank): c.paired for c in family(study).between}
    columns = compared_measures(study)
    if all(found.values()):
        pairing = "The treebanks annotate the same sentences, which are drawn in pairs."
    elif any(found.values()):
        pairs = ", ".join(f"{one} and {other}" for (one, other), paired in found.items() if paired)
        pairing = f"The sentences of {pairs} are the same and drawn in pairs, the others each by itself."
    else:
        pairing = "The sentences differ: each treebank's sentences are drawn separately."
    return Table(
        "differences-between",
        "Differences between treebanks",
        "A candidate's score in the first treebank minus its score in the second, in points (hundredths of "
        "a proportion) or in units of the measure; under each the probability of a difference as large as "
        f"this by chance ({study.trials:,} half-samples, McCarthy 1969), {family(study).said()}; {SIGN} "
        f"marks those no larger than {study.alpha:g}. {pairing} The schemes differ too: compare the ratios "
        "of nodes to words before the scores.",
        Column.texts("Treebanks", "Candidate") + Column.measures(columns),
        _pair_rows(
            study,
            columns,
            family(study).between,
            lambda c: (
                f"{c.treebank} − {c.other_treebank}",
                c.candidate if c.candidate == c.other else f"{c.candidate} − {c.other}",
            ),
        ),
    )


def every_test(study: StudyResults) -> Table:
    """Every comparison under every measure, one in each row, with its interval and probabilities."""
    return Table(
        "tests",
        "All tests of differences",
        "Two-sided probabilities: p is that of the test by itself, and the next one is "
        f"{family(study).said()}. Parses of the same sentences in one scheme are swapped ({study.trials:,} "
        "trials; Noreen 1989), others are drawn as half-samples (McCarthy 1969). Where the sentences without "
        "a score differ between the two, the main measure is tested a second time, over the sentences that "
        f"both parsed. The intervals are not corrected ({study.samples:,} resamples, seed {study.seed}).",
        Column.texts("Treebank", "Candidate", "Other treebank", "Other", "Metric", "Measure", "Sentences")
        + Column.numbers("Difference", study.interval, "p", "Corrected p"),
        [row for c in (*family(study).comparisons, *family(study).between) for row in _tests(c)],
    )


def ranks(study: StudyResults) -> Table:
    """Return the rank of each candidate by measure, where all pairs are compared; two may share one."""
    treebanks = study.treebanks if study.every_pair else ()
    ranked = ranks_of(study.tested, family(study).comparisons, study.alpha) if treebanks else {}
    columns = _tested_measures(study)
    rows = []
    for treebank in treebanks:
        for candidate in in_order(study, treebank) if len(treebank.candidates) > 1 else ():
            row = cells(treebank.name, candidate.name, *ratios_beside(treebank))
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
        "Candidates are in the order of their scores (in small print). A new rank begins where every one "
        f"above differs significantly (at {study.alpha:g}) from every one below; the others share a rank, "
        "which is one more than the number of candidates above them (Bojar et al. 2013). Candidates of one "
        "rank may differ: two share a letter exactly where they do not differ significantly (Piepho 2004).",
        [*Column.texts("Treebank", "Candidate"), *RATIOS, *Column.measures(columns)],
        rows,
    )
    return with_columns(study, table)


def _tested_measures(study: StudyResults) -> list[tuple[str, Measure]]:
    """Metric and measure of every column of tests: where there are too many, main measures alone."""
    main = study.headlines
    return [
        (metric, measure)
        for metric, measure in compared_measures(study)
        if study.every_measure or measure.name == main[metric].name
    ]


def _pair_rows(
    study: StudyResults,
    columns: Sequence[tuple[str, Measure]],
    found: Iterable[Comparison],
    name: Callable[[Comparison], tuple[str, str]],
) -> list[list[Cell]]:
    by_pair: dict[tuple[str, str], dict[tuple[str, str], Comparison]] = {}
    for comparison in found:
        by_pair.setdefault(name(comparison), {})[comparison.metric, comparison.measure.name] = comparison
    return [
        cells(*names, *(_difference(measures.get((metric, m.name)), study.alpha) for metric, m in columns))
        for names, measures in by_pair.items()
    ]


def _difference(found: Comparison | None, alpha: float) -> Cell:
    if found is None:
        return Cell("–")
    of = found.difference
    text = signed(of.value, found.measure) + SIGN * found.significant(alpha)
    return Cell(text, p_value(of.corrected), 0, of.value, of.low, of.high)


def interval_said(of: Difference, measure: Measure) -> str:
    """Return the interval of a difference in words; a dash where there is none."""
    known = of.low is not None and of.high is not None
    return f"{signed(of.low or 0, measure)} to {signed(of.high or 0, measure)}" if known else "–"


def _tests(found: Comparison) -> Iterator[list[Cell]]:
    """Yield the test over all sentences, and that over those which both parsed."""
    measure = found.measure
    for sentences, difference in (("all", found.difference), ("parsed by both", found.parsed)):
        if difference is None:
            continue
        value, low, high = difference.value, difference.low, difference.high
        yield cells(
            *(found.treebank, found.candidate, found.other_treebank, found.other),
            *(metric_title(found.metric), measure.name, sentences),
            Cell(signed(value, measure), value=value, low=low, high=high),
            interval_said(difference, measure),
            *(Cell(probability(p), value=p) for p in (difference.p, difference.corrected)),
        )


def scores_between(family: Family) -> Iterator[Finding]:
    """Differences of a candidate's score between treebanks of the same sentences, measure by measure."""
    study = family.study
    for found in family.between:
        main = found.measure.name == study.headlines[found.metric].name
        if not found.paired or found.candidate != found.other or not main:
            continue
        if not family.decides(int(study.scored[found.treebank][found.candidate][found.metric].rows.sum())):
            continue
        verdict = {True: "differ significantly", False: "do not differ significantly"}
        said = (
            f"Under {measure_title(found.metric, found.measure)} the scores of {found.candidate} in "
            f"{found.treebank} and {found.other_treebank} {verdict[found.significant(study.alpha)]} "
            f"({figures(found.difference, found.measure)})."
        )
        if found.parsed is not None:
            numbers = figures(found.parsed, found.measure)
            if not found.turns(study.alpha):
                said += f" The same holds for the sentences that were parsed in both ({numbers})."
            else:
                turned = verdict[family.apart(found.parsed)]
                if found.verdict(study.alpha) and family.apart(found.parsed):
                    turned += " the other way round"
                said += " For the sentences that were parsed in both the conclusion turns: the scores "
                said += f"{turned} ({numbers})."
        yield Finding(said, "differences-between")


class Differences(Section):
    """Differences between candidates, between treebanks, and all tests."""

    key, heading = "different", "Differences"
    made_by = (differences, ranks, differences_between, every_test)
    found_by = (scores_between,)
    paper = ("differences", "ranks", "differences-between")

    def said(self) -> Iterable[str]:
        """Return the candidates and measures that are compared, where these are not all."""
        if not self.study.every_pair:
            yield (
                "Not every two candidates are compared, since there are too many: the best candidate of each "
                "treebank is compared with every other, by the main measure of each metric. Since any of "
                "them could have been the best, all pairs of candidates count as tests."
            )
        elif not self.study.every_measure:
            yield (
                "Every two candidates are compared under the main measure of each metric alone: under all "
                f"measures there would be more than {MOST_TESTS:,} tests."
            )
        if len(self.study.treebanks) > 1 and not family(self.study).between:
            yield "Scores in different treebanks are not tested against each other."
