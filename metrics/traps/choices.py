"""Comparisons that are not what they are taken for: gold against itself, gold's tags, another average."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from crossbank.metrics.traps.trap import Scored, Trap
from crossbank.treebanks.nbest import only_chosen
from crossbank.treebanks.option_values import written
from crossbank.treebanks.quantities import quantity

ENOUGH = 200
"""The fewest tokens at which it is suspicious that all tags are right."""


def identical_to_gold(scored: Scored) -> Iterator[Trap]:
    """The candidate has gold's tokens, tags, constituents, dependencies and relations in every sentence.

    Functions are compared where the candidate has some: gold without its functions is gold all the same. Of
    several analyses of a sentence the chosen one is compared.
    """
    gold, candidate = only_chosen(scored.gold), only_chosen(scored.candidate)
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
            "leave out --option average=macro to compare with published numbers",
        )
