"""Reliability of a conversion to dependencies.

Rehbein, Ines, and Josef van Genabith (2007): Treebank Annotation Schemes and Parser Evaluation for German,
3.3: dependencies of trees with functions are gold, and those of the same trees without them are scored
against them. Or the conversion is scored against dependencies that somebody else made of the same sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import numpy as np

from crossbank.converters.labels import functions_of_nodes
from crossbank.converters.schemes.scheme import Scheme
from crossbank.converters.transformations import Transformation, Written, parse, transform
from crossbank.metrics.analyses.reliability_breakdowns import Groups, Share, breakdown
from crossbank.metrics.arcs.arc_breakdowns import break_down_arcs
from crossbank.metrics.counting.counts import ratio
from crossbank.metrics.dependencies import Dependencies
from crossbank.metrics.pairing.pair import Pair, Status, file_of, pair
from crossbank.metrics.pairing.sentence_alignment import (
    SentenceAlignment,
    Unmatched,
    align_sentences,
    joined_sentences,
)
from crossbank.metrics.pairing.word_forms import is_punctuation
from crossbank.metrics.statistics.bootstrap import intervals
from crossbank.metrics.statistics.defaults import LEVEL
from crossbank.treebanks import ConversionError, Treebank
from crossbank.treebanks.errors import MissingAnnotationError
from crossbank.treebanks.named_arguments import argument

WITHOUT_FUNCTIONS: Final = "without functions"
INDEPENDENT: Final = "independent gold"
"""The standards with which a conversion is compared."""


class Resamples(NamedTuple):
    """Number of resamples for an interval (zero: no interval), their seed, and its level.

    by  further breakdowns with intervals, by name: each is a function that returns gold's groups of sentences
    """

    samples: int = 0
    seed: int = 1
    by: Mapping[str, Callable[[Treebank], Groups]] = MappingProxyType({})
    level: float = LEVEL


NO_INTERVAL: Final = Resamples()

Transformations = Iterable[Written]


@dataclass(frozen=True)
class RelationAgreement:
    """Counts of the dependencies that gold and a conversion share: all, or those with one relation in gold.

    gold           gold's dependencies with the relation
    other          the converted trees' dependencies with the relation
    same_head      gold's dependencies with the same head on the other side, whatever their relation there
    same_relation  those among them with the same relation
    """

    relation: str
    gold: int
    other: int
    same_head: int
    same_relation: int

    @property
    def attached(self) -> float:
        """Proportion of gold's dependencies that have the same head on the other side."""
        return float(ratio(self.same_head, self.gold))

    def scores(self, *, labels: bool) -> tuple[float, float, float]:
        """Return precision, recall and F1. For one relation they are meaningful with ``labels`` only."""
        same = self.same_relation if labels else self.same_head
        pairs = ((same, self.other), (same, self.gold), (2 * same, self.gold + self.other))
        precision, recall, f1 = (float(ratio(part, whole)) for part, whole in pairs)
        return precision, recall, f1


@dataclass(frozen=True)
class Reliability:
    """One comparison of a conversion.

    against    ``without functions`` or ``independent gold``
    signature  every choice, among them the conversions of gold and of the other side
    labelled   whether relations can be compared: without functions there are none
    compared   number of sentences that were compared
    exact      number of sentences in which every word has the same head
    joined     number of sentences that are several sentences on the other side
    overall    all words that count: all but punctuation by the scheme's tags and, against an independent
               gold, words that consist of signs
    relations  by relation of gold, the most frequent first
    left_out   sentences without a counterpart
    interval   the limits of the 95 % interval of the unlabelled F1, from resampled sentences; None if not
               requested
    breakdowns  the requested shares of relations, constructions or groups of sentences, by name
    """

    against: str
    signature: str
    labelled: bool
    compared: int
    exact: int
    joined: int
    overall: RelationAgreement
    relations: Sequence[RelationAgreement]
    left_out: Sequence[Unmatched]
    interval: tuple[float, float] | None = None
    breakdowns: Mapping[str, Sequence[Share]] = field(default_factory=dict)

    def in_gold(self) -> list[RelationAgreement]:
        """Return the relations that gold has."""
        return [row for row in self.relations if row.gold]

    def shared_names(self) -> int:
        """Return the number of gold's relations that have the same name on the other side."""
        return sum(row.other > 0 for row in self.in_gold())

    def left_out_by_side(self) -> tuple[int, int]:
        """Return the numbers of sentences of gold and of the trees that have no counterpart."""
        of_gold = sum(left.side == "gold" for left in self.left_out)
        return of_gold, len(self.left_out) - of_gold


def conversion_of(scheme: Scheme, transformations: Transformations | None = None) -> list[Transformation]:
    """Return the transformations of a conversion: those given, or the scheme's view ``dependencies``.

    Raises ConversionError if there are none.
    """
    steps = [
        parse(one)
        for one in (scheme.views.get("dependencies", ()) if transformations is None else transformations)
    ]
    if not steps:
        raise ConversionError(
            f"scheme {scheme.name} has no conversion to dependencies (name one with "
            f"{argument('transform', in_python='transformations=', in_study='views.dependencies')})"
        )
    return steps


def without_functions(
    bank: Treebank,
    scheme: Scheme,
    transformations: Transformations | None = None,
    resamples: Resamples = NO_INTERVAL,
) -> Reliability:
    """Return the reliability of a conversion without functions, scored against that of the trees as they are.

    transformations  the conversion, by default the scheme's view; ``strip_functions`` is omitted
    resamples  how the sentences are resampled for the interval

    Raises ConversionError if the trees have no functions.
    """
    steps = [one for one in conversion_of(scheme, transformations) if one.name != "strip_functions"]
    _refuse_without_trees(bank)
    if not has_functions(bank, scheme):
        raise ConversionError(
            f"{file_of(bank)}: the trees have no functions; name dependencies to compare with, or trees "
            "with functions"
        )
    stripped = [Transformation("strip_functions"), *steps]
    gold, other = _convert(bank, steps, scheme), _convert(bank, stripped, scheme)
    compared_pair = pair(gold, other, delete=scheme.is_punctuation(gold))
    return _score_conversion(WITHOUT_FUNCTIONS, compared_pair, scheme, resamples)


def against_gold(
    bank: Treebank,
    gold: Treebank,
    scheme: Scheme,
    transformations: Transformations | None = None,
    gold_transformations: Transformations = (),
    resamples: Resamples = NO_INTERVAL,
) -> Reliability:
    """Return the reliability of a conversion that is scored against dependencies of the same sentences.

    ``metrics.pairing.sentence_alignment`` finds the same sentences.

    gold_transformations  the conversion of gold, under the same scheme
    resamples  how the sentences are resampled for intervals, and of which breakdowns

    Words that only one of the two splits are joined. Raises ConversionError if gold has no dependencies, or
    no sentence in common with the trees.
    """
    chosen = conversion_of(scheme, transformations)
    _refuse_without_trees(bank)
    gold = transform(gold, gold_transformations, scheme)
    if not gold.has_dependencies:
        raise MissingAnnotationError(file_of(gold), "dependencies", "to compare with")
    converted = _convert(bank, chosen, scheme)
    aligned = align_sentences(gold, converted)
    if not aligned.runs:
        raise ConversionError(
            f"{file_of(gold)}: no sentence has the words of one in {file_of(bank)}; both need the same text"
        )
    sides = [
        joined_sentences(side, [runs[index] for runs in aligned.runs])
        for index, side in enumerate((gold, converted))
    ]
    # The trees' tags decide, since gold's are of another set. Signs with a tag of their own (hyphens,
    # brackets) are punctuation in one tag set and words in another.
    signs = sides[1].vocabulary.matching(is_punctuation)[sides[1].tokens.form]
    aligned_pair = pair(sides[1], sides[0], delete=signs | scheme.is_punctuation(sides[1]), align=True)
    compared_pair = Pair(aligned_pair.candidate, aligned_pair.gold, aligned_pair.status)
    return _score_conversion(INDEPENDENT, compared_pair, scheme, resamples, aligned)


def has_functions(bank: Treebank, scheme: Scheme) -> bool:
    """Return whether a node or token has a function."""
    bank, of_nodes = functions_of_nodes(bank, scheme)
    used = np.unique(np.concatenate([of_nodes, bank.tokens.function]))
    return not set(bank.vocabulary.decode(used.astype(np.int32))) <= {"", *scheme.no_function}


def _refuse_without_trees(bank: Treebank) -> None:
    if not bank.has_constituents:
        raise MissingAnnotationError(file_of(bank), "trees", "to convert")


def _convert(bank: Treebank, transformations: Sequence[Transformation], scheme: Scheme) -> Treebank:
    converted = transform(bank, transformations, scheme)
    if not converted.has_dependencies:
        raise ConversionError(
            f"{file_of(bank)}: there are no dependencies after {' '.join(map(str, transformations))}, "
            "expected some"
        )
    return converted


def _score_conversion(
    against: str,
    compared_pair: Pair,
    scheme: Scheme,
    resamples: Resamples,
    aligned: SentenceAlignment | None = None,
) -> Reliability:
    labelled = against == INDEPENDENT
    counts = Dependencies(labels=False).counts(compared_pair).under("skip")
    # Without functions the candidate has no relations, but heads can still be counted by gold's relations.
    of_relations = partial(break_down_arcs, "relation", Dependencies().compare(compared_pair))
    by_relation = replace(counts, breakdowns={"relation": of_relations}).by_breakdown("relation")
    signature = counts.signature.with_choice("labels", "no and yes" if labelled else "no")
    signature = signature.with_choice("delete", "punct and signs" if labelled else "punct")
    signature = signature.with_choice("scheme", scheme.name)
    differing = [
        Unmatched(problem.sentence, "gold", problem.where, problem.detail)
        for problem in compared_pair.problems()
        if problem.status is Status.WORDS_DIFFER
    ]
    sums, interval = counts.sums(), None
    if resamples.samples and counts.rows.sum() >= 2:
        limits = intervals(counts, samples=resamples.samples, seed=resamples.seed, level=resamples.level)[
            "f1"
        ]
        interval = limits.low, limits.high
    return Reliability(
        against,
        str(signature),
        labelled,
        int(sums["rows"]),
        int(sums["exact"]),
        aligned.joined if aligned else 0,
        _count_agreement("", sums),
        sorted(
            (_count_agreement(name, of_name) for name, of_name in by_relation.items()),
            key=lambda row: (-row.gold, row.relation),
        ),
        [*(aligned.unmatched if aligned else ()), *differing],
        interval,
        {
            name: breakdown(name, counts, of_relations(), groups_of(compared_pair.gold), resamples[:2])
            for name, groups_of in resamples.by.items()
        },
    )


def _count_agreement(relation: str, sums: Mapping[str, Any]) -> RelationAgreement:
    return RelationAgreement(
        relation, *(int(sums[name]) for name in ("gold", "candidate", "heads", "labelled"))
    )
