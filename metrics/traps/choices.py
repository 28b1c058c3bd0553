"""Comparisons that are not what they are taken for.

Gold against itself, gold's tags, another average, heads that are counted from zero, several roots.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from crossbank.converters.schemes.views import OF_DEPENDENCIES
from crossbank.metrics.traps.trap import Scored, Trap
from crossbank.treebanks import ROOT, UNATTACHED, Treebank
from crossbank.treebanks.named_arguments import argument, transformed
from crossbank.treebanks.option_values import written
from crossbank.treebanks.quantities import quantity

ENOUGH = 200
"""The fewest tokens at which it is suspicious that all tags are right."""


def identical_to_gold(scored: Scored) -> Iterator[Trap]:
    """The candidate has gold's tokens, tags, constituents, dependencies and relations in every sentence.

    Functions are compared where the candidate has some: gold without its functions is gold all the same. Of
    several analyses of a sentence the chosen one is compared.
    """
    gold, candidate = scored.gold.only_chosen(), scored.candidate.only_chosen()
    if gold is candidate or len(gold) < 2 or len(gold.tokens) != len(candidate.tokens):
        return
    structure = (
        (gold.tokens.parent, candidate.tokens.parent),
        (gold.tokens.head, candidate.tokens.head),
        (gold.nodes.parent, candidate.nodes.parent),
        (gold.relations.head_index, candidate.relations.head_index),
        (gold.relations.dependent_index, candidate.relations.dependent_index),
    )
    texts = [
        (gold.tokens.form, candidate.tokens.form),
        (gold.tokens.pos, candidate.tokens.pos),
        (gold.tokens.relation, candidate.tokens.relation),
        (gold.nodes.label, candidate.nodes.label),
        (gold.relations.name, candidate.relations.name),
        (gold.relations.head_word, candidate.relations.head_word),
        (gold.relations.dependent_word, candidate.relations.dependent_word),
    ]
    functions = (candidate.tokens.function, candidate.nodes.function)
    if any(column.any() for column in functions):
        texts += zip((gold.tokens.function, gold.nodes.function), functions, strict=True)
    codes = candidate.vocabulary.translation(gold.vocabulary)
    if (
        (gold.has_constituents or gold.has_dependencies)
        and all(np.array_equal(one, other) for one, other in structure)
        and all(np.array_equal(one, codes[other]) for one, other in texts)
    ):
        yield Trap(
            "identical",
            "the candidate is identical to gold in every sentence",
            "check that it is a parser's output",
        )


def golden_tags(scored: Scored) -> Iterator[Trap]:
    """The candidate is said to be parsed from raw text, but all its tags are gold's."""
    if not (scored.raw and scored.metric.word_by_word):
        return
    gold, candidate = scored.pair.gold, scored.pair.candidate
    tags = scored.pair.aligned(scored.pair.candidate_codes(candidate.tokens.pos), -1)
    known = (tags >= 0) & (gold.tokens.pos > 0)
    if known.sum() >= ENOUGH and bool((tags[known] == gold.tokens.pos[known]).all()):
        yield Trap(
            "gold_tags",
            f"the candidate is said to be parsed from raw text, but has gold's tag at all "
            f"{quantity(int(known.sum()), 'word')}",
            "say that it was given gold's tags, or parse raw text",
        )


def options_without_effect(scored: Scored) -> Iterator[Trap]:
    """Functions are to be compared and conversions have stripped them: the signature says what was done."""
    signed = dict(scored.counts.signature.choices)
    for name, without in scored.metric.of_functions.items():
        value, done = written(getattr(scored.metric, name)), signed.get(name)
        if done == written(without) != value:
            yield Trap(
                "option",
                f"{name}={value} has no effect on {scored.metric.name}: conversions strip all functions, "
                f"and it is scored with {name}={done}",
                f"leave out {name}={value}, or the conversion strip_functions",
            )


def average_of_sentences(scored: Scored) -> Iterator[Trap]:
    """The score is a mean over sentences where the literature sums brackets or tokens over all of them."""
    if scored.scoring.average == "macro" and scored.metric.micro_averaged:
        yield Trap(
            "average",
            f"{scored.metric.name} is the mean of the sentences' scores, where the literature divides sums "
            "over all sentences",
            "leave out {} to compare with published numbers",
            (argument("average", "macro", of_metric=True),),
        )


def heads_from_zero(scored: Scored) -> Iterator[Trap]:
    """Nearly all heads of the candidate are one less than gold's, or one more."""
    if scored.metric.view not in OF_DEPENDENCIES or not scored.metric.word_by_word:
        return
    gold = scored.pair.gold.tokens.head
    candidate = scored.pair.aligned(scored.pair.candidate.tokens.head, UNATTACHED)
    known = (gold >= 0) & (candidate != UNATTACHED)
    if known.sum() < 10:
        return
    for step, said in ((-1, "one less than"), (1, "one more than")):
        moved = (candidate == gold + step)[known].mean()
        if moved > 0.6 and (candidate == gold)[known].mean() < 0.3:
            yield Trap(
                "heads_from_zero",
                f"{100 * moved:.0f} % of the candidate's heads are {said} gold's",
                "heads are counted from 1, and 0 is the root: add or subtract 1 in the candidate's file",
            )


def several_roots(scored: Scored) -> Iterator[Trap]:
    """Sentences of the candidate have several roots where gold has one."""
    if scored.metric.view not in OF_DEPENDENCIES or not scored.metric.word_by_word:
        return
    gold, candidate = (_roots(bank) for bank in (scored.pair.gold, scored.pair.candidate))
    found = int(((gold == 1) & (candidate > 1) & scored.pair.scored).sum())
    if found > 0.01 * len(gold) and (gold == 1).mean() > 0.95:
        yield Trap(
            "roots",
            f"the candidate has several roots, and gold one, in {found:,} of "
            f"{quantity(len(gold), 'sentence')}",
            "{} keeps the root over most words",
            (transformed("single_root"),),
        )


def labelled_above_unlabelled(scored: Scored) -> Iterator[Trap]:
    """LAS is above UAS, which no labelled attachment can be."""
    names = {measure.name for measure in scored.counts.measures}
    if {"las", "uas"} <= names and scored.counts.rows.any():
        las, uas = scored.counts.value("las"), scored.counts.value("uas")
        if las > uas + 1e-9:
            yield Trap(
                "las_above_uas",
                f"LAS is {100 * las:.2f} and UAS {100 * uas:.2f}, but every labelled attachment is an "
                "attachment",
                "labels and heads were counted over different words: see the signature",
            )


def _roots(bank: Treebank) -> NDArray[np.intp]:
    """Return the number of roots of each sentence, shape ``(sentences,)``."""
    return np.bincount(bank.tokens.sentence_of_row()[bank.tokens.head == ROOT], minlength=len(bank))
