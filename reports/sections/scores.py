"""The tables of a study: schemes, comparison, breakdowns, sentences not scored, conversions.

The comparison has the shape of Rehbein and van Genabith (2007), Table 4 (treebank by measure), the
schemes that of their Table 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from crossbank.metrics.counting.counts import Measure
from crossbank.metrics.counting.presentation import compared, metric_title
from crossbank.reports.results.study import StudyResults, TreebankResults
from crossbank.reports.results.summary import Score
from crossbank.reports.tables.table import (
    Cell,
    Column,
    Notes,
    Table,
    meaning,
    score_cell,
    text_columns,
    texts,
)
from crossbank.treebanks.quantities import quantity

PROBLEMS_SHOWN = 50


def schemes(study: StudyResults) -> Table:
    """The differences of schemes: nodes per sentence and per token."""
    rows = []
    for treebank in study.treebanks:
        stages: dict[tuple[float, ...], list[str]] = {}
        for stage, ratios in treebank.ratios.items():
            stages.setdefault(tuple(ratios[key] for key in ("sentences", "tokens", "nodes")), []).append(
                stage
            )
        for alike in stages.values():
            ratios = treebank.ratios[alike[0]]
            rows.append(
                texts(
                    treebank.name,
                    treebank.scheme or "–",
                    ", ".join(alike),
                    ratios["sentences"],
                    ratios["tokens"],
                    ratios["nodes"],
                    ratios["tokens_per_sentence"],
                    ratios["nodes_per_sentence"],
                    ratios["nodes_per_token"],
                    ratios["discontinuous_sentences"],
                    ratios.get("discontinuous_with_punctuation_attached", "–"),
                )
            )
    return Table(
        "schemes",
        "The treebanks and their schemes",
        "Gold as read and in the views that metrics see. Words are tokens, punctuation included where the "
        "trees have it; nodes are phrasal nodes, tags not counted; a sentence is discontinuous if one of "
        "its nodes has a yield with a gap. Punctuation that hangs on the root cuts the constituents around "
        "it in two: the last column counts the sentences that are still discontinuous after "
        "attach_punctuation.",
        [
            *text_columns("Treebank", "Scheme", "Trees"),
            *(Column(heading) for heading in ("Sentences", "Words", "Nodes")),
            *(Column(heading) for heading in ("Words/sent.", "Nodes/sent.", "Nodes/word")),
            Column("Discontinuous"),
            Column("Discontinuous, punctuation attached"),
        ],
        rows,
        empty="This study has no treebank to describe.",
    )


def comparison(study: StudyResults) -> Table:
    """The scores of every candidate by measure, with intervals, and gold's nodes per word beside them."""
    columns = compared_measures(study)
    scores = {(s.treebank, s.candidate, s.metric, s.measure): s for s in study.scores}
    notes = Notes()
    rows = []
    for treebank in study.treebanks:
        of_treebank = []
        for candidate in treebank.candidates:
            row = texts(treebank.name, candidate.name, *ratios_beside(treebank))
            noted: set[str] = set()
            for metric, measure in columns:
                score = scores.get((treebank.name, candidate.name, metric, measure.name))
                first = score is not None and metric not in noted
                noted.add(metric)
                row.append(_cell(score, measure, notes.number(score.signature) if first and score else 0))
            of_treebank.append(row)
        rows += _with_best_marked(of_treebank, [measure for _, measure in columns])
    beside = (
        "More nodes per word in gold raise every measure that counts brackets. "
        if any(ratios_beside(treebank)[-1] != "–" for treebank in study.treebanks)
        else ""
    )
    table = Table(
        "comparison",
        "Scores",
        f"Per cent where measures are proportions, with 95 % intervals ({study.samples:,} resamples, seed "
        f"{study.seed}). {beside}Small numbers refer to signatures.",
        [
            *text_columns("Treebank", "Candidate"),
            *RATIOS,
            *(Column(measure.heading, metric_title(metric)) for metric, measure in columns),
        ],
        rows,
        notes.texts,
        [(f"{metric_title(metric)} {measure.heading}", meaning(measure)) for metric, measure in columns],
        "This study has no candidates: nothing was scored.",
    )
    return with_columns(study, table)


def compared_measures(study: StudyResults) -> list[tuple[str, Measure]]:
    """Metric and measure of every column of the comparison, in the order of the metrics or as chosen."""
    if study.columns:
        known = {
            f"{name}.{measure.name}": (name, measure)
            for name, measures in study.measures().items()
            for measure in measures
        }
        return [known[column] for column in study.columns if column in known]
    chosen = {name: compared(counts) for _, _, name, counts in study.counted()}
    return [(name, measure) for name, measures in chosen.items() for measure in measures]


RATIOS = tuple(Column(heading) for heading in ("Words/sent.", "Nodes/sent.", "Nodes/word"))
"""The ratios of Rehbein and van Genabith's Table 1, which stand beside every score."""


RATIO_NAMES = dict(zip(("words_per_sentence", "nodes_per_sentence", "nodes_per_word"), RATIOS, strict=True))
"""The columns ``RATIOS`` by the names that study files give them."""


def with_columns(study: StudyResults, table: Table) -> Table:
    """A table that compares measures, with those of its ratios that the study asks for and that are known."""
    table = table.without_blank(RATIOS)
    if not study.columns:
        return table
    asked = [RATIO_NAMES[name] for name in study.columns if name in RATIO_NAMES]
    return table.without([column for column in RATIOS if column not in asked])


def ratios_beside(treebank: TreebankResults) -> tuple[float | str, ...]:
    """Gold's ratios, in the trees whose brackets are counted, for the columns ``RATIOS``."""
    ratios = treebank.ratios.get("constituents", treebank.ratios.get("as read"))
    if ratios is None:
        return ("–",) * len(RATIOS)
    if not ratios["nodes"]:
        return ratios["tokens_per_sentence"], "–", "–"
    return ratios["tokens_per_sentence"], ratios["nodes_per_sentence"], ratios["nodes_per_token"]


def _cell(score: Score | None, measure: Measure, note: int = 0) -> Cell:
    if score is None:
        return Cell("–")
    cell = score_cell(score.value, measure, score.low, score.high, note)
    return replace(cell, about=f"{meaning(measure)}; {quantity(score.n, 'sentence')}")


def _with_best_marked(rows: list[list[Cell]], measures: Sequence[Measure]) -> list[list[Cell]]:
    """The rows of a treebank's candidates with the best score of each measure marked, if there are several.

    The measures are those of the last columns.
    """
    for place, measure in enumerate(measures, -len(measures)):
        values = [value for row in rows if (value := row[place].value) is not None]
        if len(rows) > 1 and len(set(values)) > 1:
            best = min(values) if measure.better == "less" else max(values)
            for row in rows:
                row[place] = replace(row[place], best=row[place].value == best)
    return rows


def all_scores(study: StudyResults) -> Table:
    """Every measure of every metric, as in ``summary.csv``."""
    measures = {(name, m.name): m for name, of_metric in study.measures().items() for m in of_metric}
    ratios = {treebank.name: texts(*ratios_beside(treebank)) for treebank in study.treebanks}
    notes = Notes()
    rows = []
    for score in study.scores:
        cell = _cell(score, measures[score.metric, score.measure], notes.number(score.signature))
        rows.append(
            [
                *texts(score.treebank, score.candidate, metric_title(score.metric), score.measure),
                replace(cell, below=""),
                Cell(cell.below or "–"),
                *texts(score.n),
                *ratios[score.treebank],
            ]
        )
    return Table(
        "all-scores",
        "All measures",
        "Proportions in per cent; n is the number of sentences that enter the score. The same "
        "rows at full precision are in summary.csv.",
        [
            *text_columns("Treebank", "Candidate", "Metric", "Measure"),
            *(Column(heading) for heading in ("Score", "95 % interval", "n")),
            *RATIOS,
        ],
        rows,
        notes.texts,
        [(f"{metric_title(metric)} {m.heading}", meaning(m)) for (metric, _), m in measures.items()],
        "Nothing was scored.",
    )


def unscored(study: StudyResults) -> Table:
    """The numbers of sentences scored and not scored, the reasons, and the metrics' notes."""
    alike: dict[tuple[str, str, str, tuple[tuple[str, int], ...], str], list[str]] = {}
    for treebank, candidate, name, counts in study.counted():
        statuses = tuple(counts.status_counts().items())
        notes = "; ".join(f"{number:,} {note}" for note, number in counts.notes.items())
        row = (treebank.name, candidate.name, counts.policy, statuses, notes)
        alike.setdefault(row, []).append(metric_title(name))
    noted = any(notes for *_, notes in alike)
    reasons = list(dict.fromkeys(reason for *_, statuses, _ in alike for reason, _ in statuses))
    return Table(
        "unscored",
        "Sentences scored and not scored",
        "Under the rule “empty” a sentence that cannot be scored counts as a parse without "
        "brackets; under “skip” it is left out.",
        [
            *text_columns("Treebank", "Candidate", "Metrics", "Rule"),
            *(Column(reason.capitalize()) for reason in reasons),
            *(Column("Notes", numeric=False) for _ in range(noted)),
        ],
        [
            [
                *texts(treebank, candidate, ", ".join(metrics), policy),
                *texts(*(dict(statuses).get(reason, 0) for reason in reasons)),
                *texts(*(notes for _ in range(noted))),
            ]
            for (treebank, candidate, policy, statuses, notes), metrics in alike.items()
        ],
        empty="This study has no candidates: there was no sentence to score.",
    )


def problems(study: StudyResults) -> Table:
    """The sentences without a score, as many as a page should list."""
    found = [
        (treebank.name, candidate.name, problem)
        for treebank in study.treebanks
        for candidate in treebank.candidates
        for problem in candidate.problems
    ]
    more = f" The first {PROBLEMS_SHOWN} of {len(found):,}." if len(found) > PROBLEMS_SHOWN else ""
    return Table(
        "problems",
        "Sentences without a score",
        f"Each with the finding and the expectation; all of them are in problems.csv.{more}",
        text_columns("Treebank", "Candidate", "Sentence", "Where", "Status", "Detail"),
        [
            texts(treebank, candidate, p.sentence, p.where, p.status, p.detail)
            for treebank, candidate, p in found[:PROBLEMS_SHOWN]
        ],
        empty="Every sentence was scored.",
    )


def conversions(study: StudyResults) -> Table:
    """The events of conversions: step, event, the number of times, and the number of sentences."""
    return Table(
        "conversions",
        "Conversions",
        "Everything that was dropped, moved, set by default or left undecided between the files and the "
        "views that metrics see, with the first sentences in which it happened.",
        [
            *text_columns("Treebank", "Trees", "View", "Step", "Event"),
            Column("Count"),
            Column("Sentences"),
            Column("For instance", numeric=False),
        ],
        [
            texts(c.treebank, c.name, c.view, c.step, c.event, c.count, c.sentences, ", ".join(c.examples))
            for treebank in study.treebanks
            for c in treebank.conversions
        ],
        empty="No conversion changed anything.",
    )
