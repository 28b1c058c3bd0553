"""Section on the reliability of the conversions to dependencies behind a study's scores.

After Rehbein and van Genabith (2007), section 3.3: before two schemes are compared by their dependencies, the
conversion of each is measured.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from crossbank.metrics.analyses.conversion_reliability import INDEPENDENT, WITHOUT_FUNCTIONS, Reliability
from crossbank.metrics.counting.counts import format_value, precision_recall_f1
from crossbank.reports.results.measured_conversions import ConversionMeasurements
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.sections.section import Section
from crossbank.reports.tables.table import Cell, Column, ReportTable, make_cells
from crossbank.treebanks.quantities import quantity

MAX_RELATIONS = 50
MAX_UNMATCHED = 50

COMPARED_WITH = {
    WITHOUT_FUNCTIONS: "the same trees without functions",
    INDEPENDENT: "independent dependencies",
}

BY_RULES = "as the head rules say"

CONVENTIONS = {
    "coordination": "the head of a coordination",
    "prepositions": "the head of a prepositional phrase",
}
"""The conventions that schemes can have in common."""

F1 = precision_recall_f1("gold", "other", "same_head", "dependencies")[2]
"""The measure that has an interval."""

COORDINATION = {
    "first": "first conjunct",
    "all": "all conjuncts in the same way",
    "chain": "each conjunct the next one",
    "universal": "first conjunct, the next one its conjunction",
}
"""The head of a coordination, by the option of the conversion."""


def list_differing_conventions(study: StudyResults) -> Iterator[str]:
    """Yield the reasons why the treebanks' scores of dependencies cannot be compared with each other."""
    for convention, title in CONVENTIONS.items():
        by_treebank = {name: getattr(of.conventions, convention) for name, of in list_measurements(study)}
        if len(set(by_treebank.values())) > 1:
            listed = ", ".join(f"{name}: {value or BY_RULES}" for name, value in by_treebank.items())
            yield (
                f"The treebanks differ in {title} ({listed}): "
                "the scores of their dependencies are not to be compared with each other."
            )


def list_measurements(study: StudyResults) -> Iterator[tuple[str, ConversionMeasurements]]:
    """Yield the treebanks that were measured, by name."""
    for treebank in study.treebanks:
        if treebank.reliability is not None:
            yield treebank.name, treebank.reliability


def list_comparisons(study: StudyResults) -> Iterator[tuple[str, Reliability]]:
    """Yield every comparison, with its treebank's name."""
    for name, measurement in list_measurements(study):
        yield from (
            (name, of) for of in (measurement.without_functions, measurement.against_gold) if of is not None
        )


def build_conventions_table(study: StudyResults) -> ReportTable:
    """Return the conventions of each treebank's dependencies."""
    schemes = {treebank.name: treebank.scheme for treebank in study.treebanks}
    rows = []
    for name, measurement in list_measurements(study):
        of = measurement.conventions
        coordination = COORDINATION.get(of.coordination, of.coordination)
        rules = of.prepositions or BY_RULES, of.rules or "the scheme’s"
        functions = "used" if of.functions else "stripped"
        rows.append(make_cells(name, schemes[name], coordination, *rules, functions, of.steps))
    return ReportTable(
        "reliability-conventions",
        "Conventions of the dependencies",
        "The heads of coordinations and of prepositional phrases, the set of head rules, whether functions "
        "are used, and the conversion step by step.",
        Column.texts("Treebank", "Scheme", "Coordination", "Prepositional phrase", "Head rules", "Functions")
        + Column.texts("Conversion"),
        rows,
    )


def build_agreement_table(study: StudyResults) -> ReportTable:
    """Return precision, recall and F1 of every comparison."""
    notes: dict[str, int] = {}
    labelled = any(measurement.labelled for _, measurement in list_comparisons(study))
    rows: list[list[Cell]] = []
    for name, measurement in list_measurements(study):
        if measurement.without_functions is None:
            rows.append(make_cells(name, "– (gold’s trees have no functions)", *[None] * (8 + labelled)))
        compared = filter(None, (measurement.without_functions, measurement.against_gold))
        rows += [_build_agreement_row(name, one, notes)[: 10 + labelled] for one in compared]
    return ReportTable(
        "reliability",
        "Agreement of the conversion",
        f"Per cent of dependencies, unlabelled, with {study.samples:,} resamples of the sentences (seed "
        f"{study.seed}) for each {study.interval}. Precision and recall differ where a word has no head, "
        "such as the roots of trees that are one sentence in gold. Labelled scores compare the names of "
        "relations unchanged; below them is the number of gold’s relations that occur on the other "
        "side. Gold are the trees with functions, or the independent dependencies. Where no rule looks at "
        "functions, trees without them agree in everything. Punctuation is left out, whatever scores leave "
        "out, and so are sentences without a counterpart.",
        Column.texts("Treebank", "Compared with")
        + Column.numbers("compared", "all heads the same", group="Sentences")
        + Column.numbers("of gold", "of the trees", group="Left out")
        + Column.numbers("Words")
        + Column.numbers("Prec.", "Rec.", "F1", group="Unlabelled")
        + Column.numbers(*["F1"] * labelled, group="Labelled"),
        rows,
        list(notes),
    )


def _build_agreement_row(name: str, reliability: Reliability, notes: dict[str, int]) -> list[Cell]:
    precision, recall, f1 = reliability.overall.scores(labels=False)
    labelled = reliability.overall.scores(labels=True)[2] if reliability.labelled else None
    # Where all heads are the same, every resample has the same score: that says nothing about other
    # sentences.
    low, high = (
        (None, None)
        if reliability.interval is None or reliability.exact == reliability.compared
        else reliability.interval
    )
    names = f"{reliability.shared_names()} of {quantity(len(reliability.in_gold()), 'name')}"
    return make_cells(
        *(name, COMPARED_WITH[reliability.against], reliability.compared, reliability.exact),
        *(*reliability.left_out_by_side(), reliability.overall.gold),
        *(Cell.per_cent(precision, 2), Cell.per_cent(recall, 2)),
        Cell.score(f1, F1, low, high, notes.setdefault(reliability.signature, len(notes) + 1)),
        Cell(format_value(labelled), names if reliability.labelled else "", value=labelled),
    )


def build_relation_tables(study: StudyResults) -> Iterator[ReportTable]:
    """Yield the most frequent relations of gold for each comparison."""
    for name, reliability in list_comparisons(study):
        rows = reliability.in_gold()
        more = f" The {MAX_RELATIONS} most frequent of {len(rows)}." if len(rows) > MAX_RELATIONS else ""
        key = "functions" if reliability.against == WITHOUT_FUNCTIONS else "independent"
        yield ReportTable(
            f"reliability-{name}-{key}",
            f"{name}: the conversion and {COMPARED_WITH[reliability.against]}, by relation",
            "Tokens by their relation in gold, the most frequent first, and the number with the same head on "
            f"the other side.{more}",
            Column.texts("Relation")
            + Column.numbers("Words", "Same head", "Per cent")
            + Column.numbers(*["F1"] * reliability.labelled, group="Labelled"),
            [
                make_cells(
                    *(row.relation or "(none)", row.gold, row.same_head, Cell.per_cent(row.attached, 2)),
                    # A dash for a relation that the other side does not have.
                    *[Cell.per_cent(row.scores(labels=True)[2], 2) if row.other else None]
                    * reliability.labelled,
                )
                for row in rows[:MAX_RELATIONS]
            ],
        )


def build_survival_table(study: StudyResults) -> ReportTable:
    """Return constituents that are found again after a round trip through dependencies."""
    rows = []
    for name, measurement in list_measurements(study):
        if measurement.through_dependencies is None:
            continue
        through = measurement.through_dependencies
        for category, row in [("all", through.overall), *((r.category, r) for r in through.categories)]:
            proportion = row.recovered / row.constituents if row.constituents else None
            rows.append(
                make_cells(name, category, row.constituents, row.recovered, Cell.per_cent(proportion, 2))
            )
    return ReportTable(
        "reliability-constituents",
        "Constituents after a round trip through dependencies",
        "Constituents of more than one word, without punctuation, and the number of those that are a "
        "word with all its dependents: dependencies keep these, the others are lost.",
        Column.texts("Treebank", "Category") + Column.numbers("Constituents", "Found again", "Per cent"),
        rows,
    )


def build_formats_table(study: StudyResults) -> ReportTable:
    """Return the table of losses when gold is written in a format and read again."""
    return ReportTable(
        "reliability-formats",
        "Round trips through formats",
        "Gold as read is written in a format and read again: the numbers of values of a column, or rows of a "
        "table, that are lost, changed and added, the number of sentences, and the first of them. Sentences "
        "that a format cannot hold are lost as a whole.",
        Column.texts("Treebank", "Format", "What")
        + Column.numbers("Lost", "Changed", "Added", "Sentences")
        + Column.texts("For instance"),
        [
            make_cells(
                *(name, loss.format, loss.what or "nothing", loss.lost, loss.changed, loss.added),
                *(loss.sentences, ", ".join(loss.examples)),
            )
            for name, measurement in list_measurements(study)
            for loss in measurement.formats
        ],
    )


def build_unmatched_table(study: StudyResults) -> ReportTable:
    """Return sentences of gold or of the trees that have no counterpart, as many as a page should list."""
    omitted = [(name, left) for name, compared in list_comparisons(study) for left in compared.left_out]
    more = f" The first {MAX_UNMATCHED} of {len(omitted):,}." if len(omitted) > MAX_UNMATCHED else ""
    return ReportTable(
        "reliability-left-out",
        "Sentences left out of the comparison",
        f"Sentences of one side without the same words on the other; all are in reliability/*.json.{more}",
        Column.texts("Treebank", "Side", "Sentence", "Where", "Reason"),
        [
            make_cells(name, left.side, left.sentence, left.where, left.reason)
            for name, left in omitted[:MAX_UNMATCHED]
        ],
    )


class ConversionReliabilitySection(Section):
    """Conventions, agreement and round trips of the conversion, where these were measured."""

    key, heading = "trust", "Reliability of the conversion"
    position = 120
    builders = (
        build_conventions_table,
        build_agreement_table,
        build_relation_tables,
        build_survival_table,
        build_formats_table,
        build_unmatched_table,
    )
    printed_tables = ("reliability-conventions", "reliability")

    def introduction(self) -> Iterable[str]:
        """Return the comparisons that are made, and which treebanks are not to be compared."""
        yield (
            "Scores of dependencies are as good as the conversion that makes dependencies of trees. It is "
            "compared with itself on trees without their functions, so that heads must be found by "
            "categories alone (Rehbein and van Genabith 2007, section 3.3), and with dependencies that "
            "another source has for the same sentences, where the study names some."
        )
        if self.study.population:
            yield "Of all sentences of each treebank, and not only of those that are matched by length."
        yield from list_differing_conventions(self.study)
