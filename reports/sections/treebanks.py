"""Treebanks of a study and their schemes: the shape of Rehbein and van Genabith (2007), Table 1."""

from __future__ import annotations

from collections.abc import Iterable

from crossbank.reports.results.study import StudyResults
from crossbank.reports.sections.section import Section
from crossbank.reports.tables.table import Column, Table, text_columns, texts


class Treebanks(Section):
    """Sizes of gold, as read and as metrics see it."""

    key, heading = "treebanks", "Treebanks"
    paper = ("schemes",)

    def parts(self) -> Iterable[Table]:
        """Return the table of schemes."""
        yield schemes(self.study)


def schemes(study: StudyResults) -> Table:
    """Return the differences of schemes: nodes per sentence and per token."""
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
            Column("all", "Discontinuous"),
            Column("punctuation attached", "Discontinuous"),
        ],
        rows,
    )
