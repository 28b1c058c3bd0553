"""The reliability of the conversion to dependencies, and the differences that are larger than its error."""

from __future__ import annotations

from collections.abc import Iterator

from crossbank.converters.schemes.views import OF_DEPENDENCIES
from crossbank.reports.findings.family import Family
from crossbank.reports.findings.finding import Finding
from crossbank.reports.results.study import TreebankResults
from crossbank.reports.tables.table import shown


def trust_in_conversion(family: Family) -> Iterator[Finding]:
    """The agreement of each treebank's conversion, compared with the candidates' differences."""
    for treebank in family.study.treebanks:
        if treebank.reliability is None:
            continue
        for measured, compared in (
            (treebank.reliability.without_functions, "with and without functions"),
            (treebank.reliability.against_gold, "as the independent dependencies"),
        ):
            if measured is None or not measured.compared:
                continue
            agreed = measured.overall.attached
            said = (
                f"The conversion of {treebank.name} gives the same head {compared} for {shown(agreed)} % of "
                "the tokens"
            )
            if measured.interval is not None:
                low, high = measured.interval
                said += f" ({family.study.interval} {shown(low)} to {shown(high)})"
            said += _beside(family, treebank, 1 - agreed)
            yield Finding(f"{said}.", "reliability")


def _beside(family: Family, treebank: TreebankResults, error: float) -> str:
    """The candidates' differences in dependencies, compared with the error of the conversion."""
    study = family.study
    metrics = {name for name, metric in study.metrics.items() if metric.view in OF_DEPENDENCIES}
    sizes = [
        abs(found.difference.value)
        for found in family.comparisons
        if found.treebank == treebank.name
        and found.metric in metrics
        and found.measure.name in ("f1", "uas")
        and found.significant(study.alpha)
    ]
    if not sizes:
        return ""
    smaller = sum(size <= error for size in sizes)
    if smaller == 0:
        return "; all significant differences between candidates are larger than the conversion's error"
    return (
        f"; {smaller:,} of {len(sizes):,} significant differences between candidates are no larger than "
        "the conversion's error"
    )
