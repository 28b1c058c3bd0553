"""One candidate's score under all conventions, and by how much each convention changes it.

Scores that are compared across papers differ more in their definition of a bracket than parsers differ from
one another. So each convention is changed by itself, starting from our own choices. Then they are changed
together, as other scorers have them: EVALB, EVALB_SPMRL and disco-dop by their modes (``metrics.modes``),
and by Parseval's options:

evalb-lcfrs        Maier, Wolfgang (2010): Direct Parsing of Discontinuous Constituents in German. SPMRL
jp-evalb           Jung, Eunkyul Leah, and Jungyeul Park: its default, in which no root counts
PYEVALB            distinct brackets are matched, all are counted
grammar induction  Kim, Yoon, Chris Dyer and Alexander Rush (2019): Compound Probabilistic Context-Free
                   Grammars for Grammar Induction. ACL; unlabelled, without trivial and repeated brackets,
                   without punctuation, the mean of the sentences' F
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from crossbank.converters.schemes.scheme import Scheme
from crossbank.converters.transformations import transform
from crossbank.metrics.counting.counts import Counts, ratio
from crossbank.metrics.counting.scoring import Scoring, Views, in_view
from crossbank.metrics.engine import Evaluation
from crossbank.metrics.modes.modes_by_name import MODES, evaluate
from crossbank.metrics.modes.protocol import Call
from crossbank.metrics.parseval import Parseval
from crossbank.treebanks import CrossbankError, Treebank


@dataclass(frozen=True)
class Convention:
    """A way to count brackets, given as changes to another way.

    parseval  Parseval's options that it sets
    scoring   choices that hold for all metrics: ``delete``, ``average``, ``unscored``
    transformations  those of both sides before they are compared
    """

    name: str
    parseval: Mapping[str, Any] = field(default_factory=dict)
    scoring: Mapping[str, Any] = field(default_factory=dict)
    transformations: tuple[str, ...] = ()


CONVENTIONS = (
    Convention("labels do not count", {"labels": False}),
    Convention("labels without functions", transformations=("strip_functions",)),
    Convention("labels with the functions of their edges", {"functions": True}),
    Convention("no root counts", {"root": False}),
    Convention("no root counts that only joins trees", {"roots": "trees"}),
    Convention("punctuation deleted", scoring={"delete": "punct"}),
    Convention("no bracket over one word or over all", {"trivial": False}),
    Convention("repeated brackets matched once", {"duplicates": "once"}),
    Convention("repeated brackets counted once", {"duplicates": "no"}),
    Convention("only brackets with gaps", {"discontinuous": "only"}),
    Convention("mean of the sentences' scores", scoring={"average": "macro"}),
    Convention("unscored sentences left out", scoring={"unscored": "skip"}),
    Convention("unscored sentences without brackets", scoring={"unscored": "empty"}),
)
"""Conventions that change one thing each."""

OTHERS = (
    Convention("evalb-lcfrs", scoring={"unscored": "empty"}, transformations=("strip_functions",)),
    Convention("jp-evalb", {"root": False}, {"unscored": "skip"}),
    Convention("PYEVALB", {"duplicates": "once"}, {"unscored": "skip"}),
    Convention(
        "grammar induction",
        {"labels": False, "trivial": False, "duplicates": "no"},
        {"delete": "punct", "average": "macro", "unscored": "skip"},
    ),
)
"""Conventions of other scorers, each given as several changes to our defaults."""


REFERENCE_MODES: Mapping[str, tuple[str, Mapping[str, object]]] = {
    "EVALB": ("evalb", {"max_error": "none"}),
    "EVALB_SPMRL": ("evalb_spmrl", {"max_error": "none"}),
    "disco-dop": ("discodop", {}),
}
"""The modes that score the files, with their options: EVALB's do not stop at too many errors."""


@dataclass(frozen=True)
class Explained:
    """Scores under one convention, from 0 to 1; None if it gives none, with the reason.

    difference  its F1 minus the F1 of the choices at the start
    """

    name: str
    precision: float | None
    recall: float | None
    f1: float | None
    difference: float | None
    signature: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Explanation:
    """Scores under the choices made, with one choice changed, and under the conventions of others.

    programs  those whose modes are among the others, with their versions
    """

    start: Explained
    changed: Sequence[Explained]
    others: Sequence[Explained]
    programs: Sequence[str] = ()


def explain(
    gold: Treebank,
    candidate: Treebank,
    scoring: Scoring,
    scheme: Scheme | None = None,
    *,
    files: Call | None = None,
) -> Explanation:
    """Score two treebanks, as they were read, under all conventions.

    The first metric of ``scoring`` is Parseval, with the options to start from. The change with the largest
    effect comes first. A convention that equals the choices is omitted.

    files  where the treebanks were read: other programs' modes score them, too
    """
    metric = scoring.metrics[0]
    if not isinstance(metric, Parseval) or len(scoring.metrics) > 1:
        names = " and ".join(one.name for one in scoring.metrics)
        raise CrossbankError(f"explain works with parseval alone, not with {names}")
    trees = [in_view(bank, metric.view, scheme) for bank in (gold, candidate)]
    start = _explained("as chosen", _counts(trees, scoring, scheme), None)

    def under(convention: Convention, metric: Parseval, scoring: Scoring) -> Explained:
        changed = replace(metric, **convention.parseval)
        scoring = replace(scoring, metrics=(changed,), **convention.scoring)
        converted = [transform(bank, convention.transformations, scheme) for bank in trees]
        return _explained(convention.name, _counts(converted, scoring, scheme), start.f1)

    changed = [
        under(convention, metric, scoring)
        for convention in CONVENTIONS
        if convention.transformations
        or replace(metric, **convention.parseval) != metric
        or replace(scoring, **convention.scoring) != scoring
    ]
    changed.sort(key=lambda row: -abs(row.difference or 0))
    further = [under(convention, Parseval(), Scoring((Parseval(),))) for convention in OTHERS]
    if files is None:
        return Explanation(start, changed, further)
    installed = {name: mode for name, (mode, _) in REFERENCE_MODES.items() if mode in MODES}
    by_modes = [_by_mode(name, files, start.f1) for name in installed]
    return Explanation(
        start, changed, by_modes + further, [MODES[mode].program for mode in installed.values()]
    )


def _counts(trees: Sequence[Treebank], scoring: Scoring, scheme: Scheme | None) -> Counts:
    """Return the counts of gold and candidate, which are in the metric's view."""
    evaluation = Evaluation(scoring, scheme, breakdowns=())
    evaluation.add(0, *(Views(bank, scheme, view=Parseval.view) for bank in trees))
    return evaluation.result().counts[0]


def _explained(name: str, counts: Counts, start: float | None) -> Explained:
    signature = str(counts.full_signature)
    if not counts.rows.any():
        return Explained(name, None, None, None, None, signature, "no sentence enters a score")
    sums = counts.sums()
    if "gold" in sums and sums["gold"] + sums["candidate"] == 0:
        return Explained(name, None, None, None, None, signature, "no such bracket on either side")
    precision, recall, f1 = (counts.value(measure) for measure in ("precision", "recall", "f1"))
    return Explained(name, precision, recall, f1, None if start is None else f1 - start, signature)


def _by_mode(program: str, files: Call, start: float | None) -> Explained:
    name = f"{program} {'without parameters' if files.parameters is None else f'with {files.parameters}'}"
    mode, options = REFERENCE_MODES[program]
    try:
        sums = evaluate(mode, replace(files, options=options)).counts().sums()
    except CrossbankError as error:
        return Explained(name, None, None, None, None, reason=str(error))
    gold, candidate, matched = (float(sums[column]) for column in ("gold", "candidate", "matched"))
    precision, recall = (float(ratio(matched, whole)) for whole in (candidate, gold))
    f1 = float(ratio(2 * matched, gold + candidate))
    return Explained(name, precision, recall, f1, None if start is None else f1 - start)
