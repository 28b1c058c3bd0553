"""Findings about the types of errors that cost most under each measure."""

from __future__ import annotations

from collections.abc import Iterator

from crossbank.metrics.counting.presentation import metric_title
from crossbank.metrics.statistics.bootstrap import intervals
from crossbank.reports.findings.error_contrasts import PART, costs
from crossbank.reports.findings.family import Family, only
from crossbank.reports.findings.finding import Finding, cut_listing
from crossbank.reports.results.typed_errors import type_title
from crossbank.reports.tables.table import shown


def costliest_errors(family: Family) -> Iterator[Finding]:
    """The types of errors that cause most of the candidates' loss, for each treebank and metric.

    None where no type costs significantly less than another.
    """
    study = family.study
    for found in costs(study, family.errors):
        most, *others = found.of
        differences = {
            o: only(family.answered["cost", found.treebank, found.metric, most, o]) for o in others
        }
        alike = [most, *(other for other in others if not family.apart(differences[other]))]
        apart = len(found.of) - len(alike)
        if not apart:
            continue
        chosen = any(e.candidate.constructed and e.treebank.name == found.treebank for e in family.errors)
        loss = f"the {'parsers' if chosen else 'candidates'}' loss"
        part = intervals(found.of[most], samples=study.samples, seed=study.seed, level=study.level)[PART.name]
        parts = [f"{shown(part.value)} % of {loss}"]
        if study.samples:
            parts.append(f"{study.interval} {shown(part.low)} to {shown(part.high)}")
        under = f"{metric_title(found.metric)} {found.measure.heading}"
        less = "every other type costs" if apart > 1 else "the other type costs"
        if len(alike) == 1:
            said = f"In {found.treebank} errors of the type {type_title(most)} cost most under {under}: "
            said += f"{parts[0]}{f' ({parts[1]})' if study.samples else ''}; {less} significantly less."
        else:
            values = [f"{shown(found.of[one].value(PART.name))} %" for one in alike]
            said = (
                f"In {found.treebank} errors of the types {cut_listing([type_title(t) for t in alike])} cost "
                f"most under {under} ({cut_listing(values)} of {loss}) and do not differ "
                f"significantly from {type_title(most)}; {less} significantly less."
            )
        yield Finding(said, "loss")
