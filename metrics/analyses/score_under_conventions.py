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

Attachment scores differ by the words that they count, and by what is compared of a relation: see the modes of
CoNLL 2018, spaCy and supar.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from crossbank.converters.schemes.scheme import Scheme
from crossbank.converters.transformations import transform
from crossbank.metrics.counting.counts import Counts, ratio
from crossbank.metrics.counting.metric import Metric
from crossbank.metrics.counting.scoring import Scoring, Views, in_view
from crossbank.metrics.dependencies import Dependencies, unattached
from crossbank.metrics.engine import Evaluation
from crossbank.metrics.modes.modes_by_name import MODES, evaluate
from crossbank.metrics.modes.protocol import Call
from crossbank.metrics.parseval import Parseval
from crossbank.treebanks import CrossbankError, Treebank


@dataclass(frozen=True)
class Convention:
    """A way to count brackets or dependencies, given as changes to another way.

    options   the metric's options that it sets
    scoring   choices that hold for all metrics: ``delete``, ``average``, ``unscored``
    transformations  those of both sides before they are compared
    without   relations whose words have no head, on each side by itself
    """

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)
    scoring: Mapping[str, Any] = field(default_factory=dict)
    transformations: tuple[str, ...] = ()
    without: frozenset[str] = frozenset()


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


class ReferenceMode(NamedTuple):
    """A mode that scores the files, with its options.

    columns  those with gold's items, the candidate's and the matched ones
    parameters  whether it reads a parameter file
    """

    mode: str
    options: Mapping[str, object]
    columns: tuple[str, str, str] = ("gold", "candidate", "matched")
    parameters: bool = True


REFERENCE_MODES: Mapping[str, ReferenceMode] = {
    "EVALB": ReferenceMode("evalb", {"max_error": "none"}),
    "EVALB_SPMRL": ReferenceMode("evalb_spmrl", {"max_error": "none"}),
    "disco-dop": ReferenceMode("discodop", {}),
}
"""The modes that score the files of trees: EVALB's do not stop at too many errors."""

PUNCTUATION = frozenset({"punct", "p"})
"""The relations of punctuation."""

OF_DEPENDENCIES = (
    Convention("relations do not count", {"labels": False}),
    Convention("relations without subtypes", {"subtypes": False}),
    Convention("roots do not count", {"roots": False}),
    Convention("the word's tag counts", {"tags": True}),
    Convention("punctuation left out by gold's tags", scoring={"delete": "punct"}),
    Convention("punctuation left out by characters", scoring={"delete": "unicode"}),
    Convention("punctuation left out on each side by relation", without=PUNCTUATION),
    Convention("mean of the sentences' scores", scoring={"average": "macro"}),
)
"""Conventions of dependencies that change one thing each."""

MODES_OF_DEPENDENCIES: Mapping[str, ReferenceMode] = {
    f"CoNLL 2018 {score.upper()}": ReferenceMode(
        "conll18", {}, (f"{score}_gold", f"{score}_system", f"{score}_correct"), parameters=False
    )
    for score in ("las", "uas")
} | {
    "spaCy LAS": ReferenceMode("spacy", {}, ("gold", "candidate", "labelled"), parameters=False),
    "spaCy UAS": ReferenceMode("spacy", {}, ("gold", "candidate_heads", "heads"), parameters=False),
    "supar LAS": ReferenceMode("supar", {}, ("gold", "candidate", "labelled"), parameters=False),
    "supar UAS": ReferenceMode("supar", {}, ("gold", "candidate", "heads"), parameters=False),
}
"""The modes that score files of dependencies."""


class Conventions(NamedTuple):
    """What the scores of a metric are compared with."""

    changes: Sequence[Convention]
    others: Sequence[Convention]
    modes: Mapping[str, ReferenceMode]


CONVENTIONS_OF: Mapping[type[Metric], Conventions] = {
    Parseval: Conventions(CONVENTIONS, OTHERS, REFERENCE_MODES),
    Dependencies: Conventions(OF_DEPENDENCIES, (), MODES_OF_DEPENDENCIES),
}


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

    The metric of ``scoring`` is Parseval or Dependencies, with the options to start from. The change with the
    largest effect comes first. A convention that equals the choices is omitted.

    files  where the treebanks were read: other programs' modes score them, too
    """
    metric = scoring.metrics[0]
    if type(metric) not in CONVENTIONS_OF or len(scoring.metrics) > 1:
        names = " and ".join(one.name for one in scoring.metrics)
        known = " or ".join(one.name for one in CONVENTIONS_OF)
        raise CrossbankError(f"explain works with {known} alone, not with {names}")
    conventions = CONVENTIONS_OF[type(metric)]
    trees = [in_view(bank, metric.view, scheme) for bank in (gold, candidate)]
    start = _explained("as chosen", _counts(trees, scoring, scheme), None)

    def under(convention: Convention, metric: Metric, scoring: Scoring) -> Explained:
        changed = replace(metric, **convention.options)
        scoring = replace(scoring, metrics=(changed,), **convention.scoring)
        converted = [transform(bank, convention.transformations, scheme) for bank in trees]
        if convention.without:
            converted = [_without_relations(bank, convention.without) for bank in converted]
        return _explained(convention.name, _counts(converted, scoring, scheme), start.f1)

    changed = [
        under(convention, metric, scoring)
        for convention in conventions.changes
        if convention.transformations
        or convention.without
        or replace(metric, **convention.options) != metric
        or replace(scoring, **convention.scoring) != scoring
    ]
    changed.sort(key=lambda row: -abs(row.difference or 0))
    default = type(metric)()
    further = [under(convention, default, Scoring((default,))) for convention in conventions.others]
    if files is None:
        return Explanation(start, changed, further)
    installed = {name: mode for name, mode in conventions.modes.items() if mode.mode in MODES}
    by_modes = [_by_mode(name, mode, files, start.f1) for name, mode in installed.items()]
    programs = dict.fromkeys(MODES[mode.mode].program for mode in installed.values())
    return Explanation(start, changed, by_modes + further, list(programs))


def _without_relations(bank: Treebank, relations: Collection[str]) -> Treebank:
    """Return a treebank in which words with some relations, in any case, have no head."""
    names = bank.vocabulary.decode(bank.tokens.relation)
    mask = np.array([name.lower() in relations for name in names], np.bool_)
    return unattached(bank, mask, "", names="relation")


def _counts(trees: Sequence[Treebank], scoring: Scoring, scheme: Scheme | None) -> Counts:
    """Return the counts of gold and candidate, which are in the metric's view."""
    evaluation = Evaluation(scoring, scheme, breakdowns=())
    evaluation.add(0, *(Views(bank, scheme, view=scoring.metrics[0].view) for bank in trees))
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


def _by_mode(program: str, by: ReferenceMode, files: Call, start: float | None) -> Explained:
    parameters = "without parameters" if files.parameters is None else f"with {files.parameters}"
    name = f"{program} {parameters}" if by.parameters else program
    try:
        sums = evaluate(by.mode, replace(files, options=by.options)).counts().sums()
    except CrossbankError as error:
        return Explained(name, None, None, None, None, reason=str(error))
    gold, candidate, matched = (float(sums[column]) for column in by.columns)
    precision, recall = (float(ratio(matched, whole)) for whole in (candidate, gold))
    f1 = float(ratio(2 * matched, gold + candidate))
    return Explained(name, precision, recall, f1, None if start is None else f1 - start)
