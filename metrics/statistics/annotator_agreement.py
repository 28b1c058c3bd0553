"""Agreement among annotators or parsers of the same sentences, beyond what chance would bring.

Cohen, Jacob (1960): A Coefficient of Agreement for Nominal Scales. Educational and Psychological
Measurement 20. For two annotators, over the units that both give a category::

    kappa = (p_o - p_e) / (1 - p_e)      p_e = sum over categories c of p_1(c) p_2(c)

``p_o`` is the proportion of units with equal categories, ``p_i(c)`` the proportion of c in annotator i.

Krippendorff, Klaus (2004): Content Analysis, chapter 11. For any number of annotators, with values missing,
over the units u that at least two annotators give a category (``m_u`` of them)::

    alpha = 1 - D_o / D_e
    D_o = 1/n * sum over u of (ordered pairs of different values in u) / (m_u - 1)
    D_e = (ordered pairs of different values among all n) / (n (n - 1))

All categories are nominal: two are equal or different. Both coefficients are None where chance agreement is
complete (a single category was used), since they are 0 / 0 there. Alpha of one category is alpha of the
question whether a unit has this category.

What the units are: tokens for tags, relations and heads, which a scheme reads off trees. A head is a place
relative to its dependent (``-2``, or ``root``), so that chance agreement counts how often heads are there.
For brackets the units are all spans that any annotator has. The category is the label (the labels of a unary
chain from the top, joined by ``+``) or ``none``. No unit is ``none`` for everybody, because nobody lists
such spans. So chance agreement is low, and these coefficients must not be compared with those of tokens.
Labels and functions are also compared alone, over the spans that at least two annotators have: whoever lacks
a span gives it no category.

Kappa of one label is kappa of the question whether a unit has it, in the mean over all pairs of annotators.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from crossbank.converters.schemes.scheme import Scheme
from crossbank.metrics.counting.metric import Metric
from crossbank.metrics.counting.scoring import Scoring, score
from crossbank.metrics.dependencies import names_relations
from crossbank.metrics.pairing.pair import Pair, Status, UnscoredSentence, refuse_other_number, word_status
from crossbank.metrics.pairing.word_forms import canonical
from crossbank.treebanks import ROOT, UNATTACHED, Treebank
from crossbank.treebanks.arrays import BoolArray, Int64Array

MISSING = -1
"""The value of a unit that an annotator gives no category."""

WITHOUT_WORDS = {
    Status.NO_GOLD: "no words of the first annotator",
    Status.NO_PARSE: "no words, where the first annotator has some",
}
"""The messages about a sentence for which one of two annotators has no words."""

NONE = "none"
"""The category of a span that an annotator does not have."""


@dataclass(frozen=True, eq=False)
class Coding:
    """Values of each unit for each annotator.

    values      indices into ``categories`` or ``MISSING``, shape ``(annotators, units)``
    sentence    the sentence of each unit, shape ``(units,)``
    """

    name: str
    categories: tuple[str, ...]
    values: Int64Array
    sentence: Int64Array


@dataclass(frozen=True)
class LabelAgreement:
    """Uses of a label by each annotator, and kappa and alpha of the question whether a unit has it.

    kappa  the mean over the pairs of annotators that have one; None if no pair has
    """

    label: str
    uses: tuple[int, ...]
    kappa: float | None
    alpha: float | None


@dataclass(frozen=True)
class PairAgreement:
    """Two annotators: the units that both give a category, the proportion of equal ones, and kappa."""

    annotators: tuple[int, int]
    units: int
    observed: float | None
    kappa: float | None


@dataclass(frozen=True)
class Confusion:
    """Two labels, and how often one annotator of a pair gives the one and the other the other."""

    labels: tuple[str, str]
    times: int


@dataclass(frozen=True)
class Agreement:
    """Agreement of all annotators in one coding.

    missing        the number of units to which each annotator gives no category
    alpha_without  alpha of the other annotators, for each; empty if there are two
    labels         the most frequent label first
    confusions     of labels that units have, the most frequent first
    """

    name: str
    units: int
    missing: tuple[int, ...]
    alpha: float | None
    alpha_without: tuple[float | None, ...]
    pairs: tuple[PairAgreement, ...]
    labels: tuple[LabelAgreement, ...]
    confusions: tuple[Confusion, ...]


@dataclass(frozen=True)
class PairScore:
    """A metric's score with one annotator as gold and another as candidate.

    value     a proportion; None if no sentence is scored
    scored    the number of sentences that the metric scores
    compared  whether the metric compares candidates by this measure
    """

    gold: int
    candidate: int
    metric: str
    measure: str
    value: float | None
    scored: int
    compared: bool
    signature: str


@dataclass(frozen=True)
class Disagreement:
    """A sentence (file and line), and how many pairs of values differ, of how many, over all codings."""

    sentence: int
    differing: int
    pairs: int


def cohen_kappa(one: Int64Array, other: Int64Array) -> float | None:
    """Return Cohen's kappa of two annotators, each of shape ``(units,)``; None if it is 0 / 0."""
    one, other = _given_by_both(one, other)
    units = len(one)
    size = int(max(one.max(initial=0), other.max(initial=0))) + 1
    chance = int((np.bincount(one, minlength=size) * np.bincount(other, minlength=size)).sum())
    if chance == units**2:
        return None
    expected = chance / units**2
    return float((np.mean(one == other) - expected) / (1 - expected))


def krippendorff_alpha(values: Int64Array) -> float | None:
    """Return Krippendorff's alpha of nominal values, shape ``(annotators, units)``; None if it is 0 / 0."""
    values, weight = _pairable(values)
    uses = np.bincount(values[values != MISSING])
    total = int(uses.sum())
    expected = total**2 - int((uses**2).sum())
    if expected == 0:
        return None
    observed = sum(float(weight[differ].sum()) for *_, differ in _differing(values))
    return 1 - observed * (total - 1) / expected


def alpha_by_category(values: Int64Array, categories: int) -> list[float | None]:
    """Return alpha of each category against all others; None where nobody or everybody uses it everywhere."""
    values, weight = _pairable(values)
    uses = np.bincount(values[values != MISSING], minlength=categories)
    total = int(uses.sum())
    observed = np.zeros(categories)
    for one, other, differ in _differing(values):
        for annotator in (one, other):
            observed += np.bincount(values[annotator, differ], weight[differ], categories)
    expected = 2 * uses * (total - uses)
    return [
        1 - float(seen) * (total - 1) / int(chance) if chance else None
        for seen, chance in zip(observed, expected, strict=True)
    ]


def kappa_by_category(values: Int64Array, categories: int) -> list[float | None]:
    """Return the kappa of each category against all others, the mean over pairs; None if no pair has one."""
    kappas_of_categories: list[list[float]] = [[] for _ in range(categories)]
    for one, other in combinations(range(len(values)), 2):
        first, second = _given_by_both(values[one], values[other])
        units = len(first)
        uses, second_uses = (
            np.bincount(first, minlength=categories),
            np.bincount(second, minlength=categories),
        )
        shared = np.bincount(first[first == second], minlength=categories)
        # The units with equal answers, and those expected by chance: both yes, or both no.
        equal = units - uses - second_uses + 2 * shared
        chance = uses * second_uses + (units - uses) * (units - second_uses)
        for category in np.flatnonzero(chance != units**2).tolist():
            expected = int(chance[category]) / units
            kappas_of_categories[category].append((int(equal[category]) - expected) / (units - expected))
    return [sum(kappas) / len(kappas) if kappas else None for kappas in kappas_of_categories]


def agreement(coding: Coding) -> Agreement:
    """Return the kappa of all pairs, alpha of all annotators, of all but one, and both of each label."""
    values = coding.values
    annotators = len(values)
    names = coding.categories
    alphas, kappas = alpha_by_category(values, len(names)), kappa_by_category(values, len(names))
    uses = np.array([np.bincount(row[row != MISSING], minlength=len(names)) for row in values])
    order = np.argsort(-uses.sum(axis=0), kind="stable").tolist()
    left_out = range(annotators) if annotators > 2 else ()
    return Agreement(
        coding.name,
        values.shape[1],
        tuple((values == MISSING).sum(axis=1).tolist()),
        krippendorff_alpha(values),
        tuple(krippendorff_alpha(np.delete(values, annotator, 0)) for annotator in left_out),
        tuple(_pair_agreement(values, one, other) for one, other in combinations(range(annotators), 2)),
        tuple(
            LabelAgreement(names[label], tuple(uses[:, label].tolist()), kappas[label], alphas[label])
            for label in order
        ),
        tuple(confusions(coding)),
    )


def confusions(coding: Coding) -> list[Confusion]:
    """Return the pairs of different labels that two annotators give a unit, the most frequent pair first."""
    size = len(coding.categories)
    keys = [
        np.minimum(coding.values[one, differ], coding.values[other, differ]) * size
        + np.maximum(coding.values[one, differ], coding.values[other, differ])
        for one, other, differ in _differing(coding.values)
    ]
    distinct, times = np.unique(np.concatenate(keys), return_counts=True)
    order = np.argsort(-times, kind="stable").tolist()
    pairs = [divmod(key, size) for key in distinct.tolist()]
    names = coding.categories
    return [Confusion((names[pairs[index][0]], names[pairs[index][1]]), int(times[index])) for index in order]


def disagreements(codings: Sequence[Coding], sentences: int) -> list[Disagreement]:
    """Return the sentences in which values differ, the one with the most differing pairs first."""
    differing, pairs = np.zeros(sentences), np.zeros(sentences)
    for coding in codings:
        present = (coding.values != MISSING).sum(axis=0)
        pairs += np.bincount(coding.sentence, present * (present - 1) // 2, sentences)
        for *_, differ in _differing(coding.values):
            differing += np.bincount(coding.sentence[differ], minlength=sentences)
    order = np.argsort(-differing, kind="stable").tolist()
    return [
        Disagreement(index, int(differing[index]), int(pairs[index])) for index in order if differing[index]
    ]


def same_words(banks: Sequence[Treebank]) -> tuple[BoolArray, list[tuple[int, UnscoredSentence]]]:
    """Return a mask of the sentences that have the same words everywhere, and the problems of the others.

    The first annotator's words are expected; the number is that of the annotator who differs. Raises
    CrossbankError if the numbers of sentences differ.
    """
    first, has_same_words = banks[0], np.ones(len(banks[0]), np.bool_)
    problems = []
    for annotator, other in enumerate(banks[1:], 1):
        refuse_other_number(first, other)
        both = Pair(first, other, word_status(first, other))
        has_same_words &= both.scored
        problems += [
            (annotator, replace(problem, detail=WITHOUT_WORDS.get(problem.status, problem.detail)))
            for problem in both.problems()
        ]
    return has_same_words, problems


def pair_scores(banks: Sequence[Treebank], scoring: Scoring, scheme: Scheme | None) -> list[PairScore]:
    """Return all proportions that the metrics give for all ordered pairs of annotators."""
    scores = []
    for gold, candidate in ((i, j) for i in range(len(banks)) for j in range(len(banks)) if i != j):
        counted = score(banks[gold], banks[candidate], scoring, scheme)
        for metric, counts in zip(scoring.metrics, counted, strict=True):
            values = counts.values() if counts.rows.any() else {}
            measures = [measure.name for measure in counts.measures if measure.proportion]
            compared = _compared(metric, measures)
            scored, signature = int(counts.rows.sum()), str(counts.full_signature)
            for name in measures:
                of = gold, candidate, metric.name, name, values.get(name)
                scores.append(PairScore(*of, scored, name in compared, signature))
    return scores


def codings(banks: Sequence[Treebank], dependencies: Sequence[Treebank] | None = None) -> list[Coding]:
    """Return tags, functions, relations, heads, brackets and labels, those that at least two annotators have.

    Strings are compared as metrics compare them: ``$-LRB-`` is ``$(``.

    dependencies  the same sentences with heads, where these are read off trees; by default ``banks``

    The banks have the same sentences with the same words.
    """
    arcs = banks if dependencies is None else dependencies
    heads = [_heads(bank) for bank in arcs]
    # Who names no relations (root, punct and dep come from conversions) gives none a category.
    relations = [
        _strings(bank, bank.tokens.relation if names_relations(bank) else np.zeros_like(bank.tokens.relation))
        for bank in arcs
    ]
    with_relations = [
        [f"{head} {relation}" if head and relation else "" for head, relation in zip(*both, strict=True)]
        for both in zip(heads, relations, strict=True)
    ]
    all_codings = [
        _of_tokens("tags", banks, [_strings(bank, bank.tokens.pos) for bank in banks]),
        _of_tokens("functions of words", banks, [_strings(bank, bank.tokens.function) for bank in banks]),
        _of_tokens("relations", arcs, relations),
        _of_tokens("heads", arcs, heads),
        _of_tokens("heads with relations", arcs, with_relations),
        brackets(banks),
        _of_spans("labels of shared spans", banks, Treebank.labels, ""),
        _of_spans(
            "functions of shared spans",
            banks,
            lambda bank, sentence: bank.vocabulary.decode(bank.nodes.function[bank.nodes.rows(sentence)]),
            "",
        ),
    ]
    return [coding for coding in all_codings if (coding.values != MISSING).any(axis=1).sum() > 1]


def brackets(banks: Sequence[Treebank]) -> Coding:
    """Return the coding of spans that any annotator has.

    Values of an annotator without a tree for the sentence are missing.
    """
    return _of_spans("brackets", banks, Treebank.labels, NONE)


def _of_spans(
    name: str, banks: Sequence[Treebank], labels_of: Callable[[Treebank, int], Sequence[str]], absent: str
) -> Coding:
    """Return a coding of spans from a string for each node; an empty string is missing.

    absent  the value of spans without a node
    """
    known: dict[str, int] = {absent: 0} if absent else {}
    rows: list[list[int]] = []
    sentence: list[int] = []
    for sentence_index in range(len(banks[0])):
        trees = [_chains(bank, sentence_index, labels_of(bank, sentence_index)) for bank in banks]
        for span in dict.fromkeys(span for tree in trees for span in tree):
            categories = [tree.get(span, absent) if tree else "" for tree in trees]
            rows.append([known.setdefault(one, len(known)) if one else MISSING for one in categories])
            sentence.append(sentence_index)
    values = np.array(rows, np.int64).reshape(-1, len(banks)).T
    return Coding(name, tuple(known), values, np.array(sentence, np.int64))


def _chains(bank: Treebank, sentence: int, labels: Sequence[str]) -> dict[int, str]:
    """Return the labels of the nodes over each span, a set of bits; parents come before their children."""
    chains: dict[int, str] = {}
    for span, one in zip(bank.yields(sentence), labels, strict=True):
        chains[span] = "+".join(filter(None, (chains.get(span, ""), one)))
    return chains


def _of_tokens(name: str, banks: Sequence[Treebank], labels: Sequence[Sequence[str]]) -> Coding:
    """Return a coding of tokens from one string for each; an empty one is missing."""
    known: dict[str, int] = {}
    values = [[known.setdefault(one, len(known)) if one else MISSING for one in row] for row in labels]
    sentence = banks[0].tokens.sentence_of_row().astype(np.int64)
    return Coding(name, tuple(known), np.array(values, np.int64).reshape(len(banks), -1), sentence)


def _strings(bank: Treebank, column: NDArray[np.int32]) -> list[str]:
    vocabulary, codes = bank.vocabulary.mapped(column, canonical)
    return vocabulary.decode(codes)


def _heads(bank: Treebank) -> list[str]:
    """Return the head of each token by its distance; empty if it has none."""
    tokens = bank.tokens
    positions = np.arange(len(tokens)) - tokens.offsets[tokens.sentence_of_row()]
    special = {ROOT: "root", UNATTACHED: ""}
    return [
        special[head] if head in special else f"{head - position:+d}"
        for head, position in zip(tokens.head.tolist(), positions.tolist(), strict=True)
    ]


def _compared(metric: Metric, measures: Sequence[str]) -> set[str]:
    """Return the measures that are displayed: those for comparisons, else all proportions.

    Precision is the recall of the other direction: F1 stands for both.
    """
    one_sided = {"precision", "recall"} if "f1" in measures else set()
    chosen = {"f1", *metric.compared} & set(measures) - one_sided
    return chosen or set(measures)


def _given_by_both(one: Int64Array, other: Int64Array) -> tuple[Int64Array, Int64Array]:
    """Return the categories of the units to which two annotators give one each."""
    both = (one != MISSING) & (other != MISSING)
    return one[both], other[both]


def _pairable(values: Int64Array) -> tuple[Int64Array, NDArray[np.float64]]:
    """Return the units that at least two annotators give a category.

    And for each the weight of a pair of annotators who differ: two ordered pairs, over ``m_u - 1``.
    """
    codings_of_units = (values != MISSING).sum(axis=0)
    return values[:, codings_of_units > 1], 2 / (codings_of_units[codings_of_units > 1] - 1)


def _differing(values: Int64Array) -> list[tuple[int, int, BoolArray]]:
    """Return a mask of the units to which each pair of annotators gives different categories."""
    return [
        (one, other, (values[one] != values[other]) & (values[one] != MISSING) & (values[other] != MISSING))
        for one, other in combinations(range(len(values)), 2)
    ]


def _pair_agreement(values: Int64Array, one: int, other: int) -> PairAgreement:
    first, second = _given_by_both(values[one], values[other])
    observed = float((first == second).mean()) if len(first) else None
    return PairAgreement((one, other), len(first), observed, cohen_kappa(first, second))
