"""Treebanks of a study and their schemes, in a table like Rehbein and van Genabith (2007), Table 1."""

from __future__ import annotations

from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.sections.section import Section
from crossbank.reports.tables.table import Column, ReportTable, make_cells


def build_schemes_table(study: StudyResults) -> ReportTable:
    """Return the differences of schemes: nodes per sentence and per token."""
    rows = []
    for treebank in study.treebanks:
        stages: dict[tuple[int, int, int], list[str]] = {}
        for stage, of in treebank.ratios.items():
            sizes = of["sentences"], of["tokens"], of["nodes"]
            stages.setdefault(sizes, []).append(stage)
        for sizes, alike in stages.items():
            of = treebank.ratios[alike[0]]
            names = treebank.name, treebank.scheme or None, ", ".join(alike)
            ratios = of["tokens_per_sentence"], of["nodes_per_sentence"], of["nodes_per_token"]
            attached = of.get("discontinuous_with_punctuation_attached")
            rows.append(make_cells(*names, *sizes, *ratios, of["discontinuous_sentences"], attached))
    return ReportTable(
        "schemes",
        "The treebanks and their schemes",
        f"{study.population}"
        "Gold as read and in the views that metrics see. Words are tokens, punctuation included where the "
        "trees have it; nodes are phrasal nodes, tags not counted; a sentence is discontinuous if one of its "
        "nodes has a yield with a gap. Punctuation that hangs on the root cuts the constituents around it in "
        "two: the last column counts the sentences that are still discontinuous after attach_punctuation.",
        Column.texts("Treebank", "Scheme", "Trees")
        + Column.numbers("Sentences", "Words", "Nodes", "Words/sent.", "Nodes/sent.", "Nodes/word")
        + Column.numbers("all", "punctuation attached", group="Discontinuous"),
        rows,
    )


class TreebanksSection(Section):
    """Sizes of gold, as read and in the views of metrics."""

    key, heading = "treebanks", "Treebanks"
    position = 70
    builders = (build_schemes_table,)
    printed_tables = ("schemes",)
