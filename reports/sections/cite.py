"""Citation of a study: sentences for a method section, and BibTeX."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from crossbank.metrics.counting.presentation import metric_title
from crossbank.reports.results.study import StudyResults
from crossbank.reports.sections.scores import signatures
from crossbank.reports.sections.section import Section
from crossbank.reports.tables.table import Column, Table, text_columns, texts
from crossbank.reports.texts.citation import bibliography, method

MOST_VALUES = 6
"""Of more values of a choice, the first and the last are listed."""


class Citation(Section):
    """Every signature, the method in sentences, and the papers that it follows."""

    key, heading = "cite", "How this was scored"
    single = True
    open = ("signatures",)
    template = "cite.html.j2"

    def wanted(self) -> bool:
        """True where something was scored."""
        return bool(self.method)

    def parts(self) -> Iterable[Table]:
        """Return the table of signatures, in the order of the numbers at scores."""
        yield signature_table(self.study)

    @cached_property
    def method(self) -> str:
        """Sentences of a method section."""
        return method(self.study)

    @cached_property
    def bibliography(self) -> str:
        """BibTeX of the corpora, measures, intervals and tests."""
        return bibliography(self.study)


def signature_table(study: StudyResults) -> Table:
    """Each signature with the scores that it stands for; a column for each choice that differs."""
    found = signatures(study)
    scores: dict[str, dict[tuple[str, str, str], None]] = {}
    for score in study.scores:
        key = score.metric, score.treebank, score.candidate
        scores.setdefault(found[score.signature].text, {})[key] = None
    by_text = {one.text: one for one in found.values()}
    choices = dict.fromkeys(one.choice for one in by_text.values() if one.choice)
    rows = []
    for number, (text, one) in enumerate(by_text.items(), 1):
        metrics, treebanks, _ = (list(dict.fromkeys(names)) for names in zip(*scores[text], strict=True))
        differing = [_listed(one.values) if one.choice == choice else "–" for choice in choices]
        rows.append(
            texts(
                number,
                ", ".join(map(metric_title, metrics)),
                _listed(treebanks),
                len({(treebank, candidate) for _, treebank, candidate in scores[text]}),
                *differing,
                text,
            )
        )
    return Table(
        "signatures",
        "Signatures",
        "Every choice that a score depends on. Scores whose signatures differ in one value share a row: the "
        "value has a column, and summary.csv the signature of each score.",
        [
            Column("No."),
            *text_columns("Metric", "Treebanks"),
            Column("Candidates"),
            *text_columns(*choices, "Signature"),
        ],
        rows,
    )


def _listed(values: Sequence[str]) -> str:
    if len(values) <= MOST_VALUES:
        return ", ".join(values)
    return f"{values[0]}, {values[1]} … {values[-1]} ({len(values):,})"
