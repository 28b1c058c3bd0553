"""A signature claims what was done: where an option's value is signed, the counts depend on it."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args, get_origin

import numpy as np

from crossbank.converters.scheme_files import load_scheme
from crossbank.converters.schemes.scheme import Scheme
from crossbank.formalisms.ccg.formats import auto
from crossbank.formalisms.lfg.formats import xle
from crossbank.metrics.counting.counts import Counts
from crossbank.metrics.counting.metric import METRICS, metric_class, types_of_options
from crossbank.metrics.counting.scoring import (
    Scoring,
    Views,
    counted,
    deleted_tokens,
    pair_views,
    rule_of,
    scoring_of,
)
from crossbank.metrics.engine import Evaluation
from crossbank.metrics.pairing.pair import Pair
from crossbank.treebanks import UNATTACHED, Treebank
from crossbank.treebanks.arrays import BoolArray
from crossbank.treebanks.errors import CrossbankError, OptionError
from crossbank.treebanks.formats import bracket, conllu, read
from crossbank.treebanks.readings import as_sentences
from crossbank.treebanks.registry import written
from tests.cases import each
from tests.errors import raises
from tests.every_loop import DERIVATIONS, with_other_rows
from tests.formalisms.lfg.fstructures import GLASSES

ROOT = Path(__file__).resolve().parents[2]

PENN = """\
(TOP (S (NP-SBJ (DT The) (NN cat)) (VP (VBD saw) (NP (NP (NN bird))) (ADVP (RB there))) (. .)) (S (UH no)))
(TOP (S (NP-SBJ (NNP Kim)) (, ,) (VP (VBD slept) (NP-TMP (JJ last) (NN night))) (. .)))
"""
PARSED = """\
(TOP (S (NP-LGS (DT The) (NN cat)) (VP (VB saw) (NP (NN bird)) (AP (NN there)) (. .))) (X (UH no)))
(TOP (S (NP (NNP Kim) (, ,)) (VPX (VBD slept) (NP (JJ last) (NN night) (. .)))))
"""
ARCS = """\
1\tKim\tKim\tPROPN\tNNP\t_\t2\tnsubj:pass\t2:nsubj|3:nsubj\t_
2\twas\tbe\tVERB\tVBD\t_\t0\troot\t0:root\t_
3\tseen\tsee\tVERB\tVBN\t_\t2\tobj\t2:obj\t_
4\t.\t.\tPUNCT\t.\t_\t2\tpunct\t2:punct\t_

"""


class Sides(NamedTuple):
    """Gold and a candidate, with the scheme under which they are scored."""

    gold: Treebank
    candidate: Treebank
    scheme: Scheme | None


@cache
def samples() -> list[Sides]:
    """Return the treebanks of all kinds, each without a scheme and with one where it has one."""
    tiger = read(ROOT / "examples" / "tiger.export").select(np.arange(40))
    alpha = read(ROOT / "examples" / "tiger.alpha.mrg").select(np.arange(40))
    derivations = auto.loads(DERIVATIONS.format(1, 2))
    other = derivations.with_strings("tokens", "pos", lambda category: category.replace("[dcl]", "[pss]"))
    solutions = xle.loads(GLASSES)
    worse = (
        ARCS.replace("nsubj:pass", "nsubj")
        .replace("VERB", "NOUN")
        .replace("3\tseen\tsee\tVERB\tVBN\t_\t2", "3\tseen\tsee\tVERB\tVBN\t_\t1")
    )
    pairs = [
        (bracket.loads(PENN), bracket.loads(PARSED), "ptb"),
        (bracket.loads(PENN), with_other_rows(bracket.loads(PENN)), "ptb"),
        (tiger, alpha, "tiger"),
        (tiger, with_other_rows(tiger), "tiger"),
        (conllu.loads(ARCS), conllu.loads(worse), "ud"),
        (derivations, other, "ccg"),
        (solutions.select([0, 0, 0]), as_sentences(solutions), None),
    ]
    return [Sides(g, c, None) for g, c, _ in pairs] + [
        Sides(g, c, load_scheme(name)) for g, c, name in pairs if name
    ]


@cache
def views(index: int) -> tuple[Views, Views]:
    """Return the sides of a sample, which are brought into each view once."""
    gold, candidate, scheme = samples()[index]
    return Views(gold, scheme), Views(candidate, scheme)


@cache
def scored(index: int, metric: str, option: str = "", value: Any = None) -> tuple[Counts, Pair] | None:
    """Counts of a sample, and the sentences as the metric saw them; None where it cannot score them."""
    scheme = samples()[index].scheme
    options = {"labels": "NP"} if metric == "selected" else {}
    if option:
        options[option] = value
    try:
        scoring = scoring_of([metric], options)
        (chosen,) = scoring.metrics
        pair = pair_views(chosen, *views(index), scoring, scheme)
        return counted(chosen, pair, scoring, scheme)
    except CrossbankError:
        return None


def numbers(counts: Counts) -> str:
    """Return all counts and scores, as text."""
    columns = sorted((name, column.tolist()) for name, column in counts.columns.items())
    return repr((columns, counts.values()))


def values_of(kind: Any) -> list[Any]:
    """Return some values of an option's type."""
    if kind is bool:
        return [True, False]
    if get_origin(kind) is Literal:
        return list(get_args(kind))
    if kind in (float, float | None):
        return [0.25, 0.9]
    return ["VP", "PRED"] if kind == tuple[str, ...] else []


CASES = [
    (metric, option.name, value)
    for metric in METRICS
    for option in fields(metric_class(metric))
    for value in values_of(types_of_options(metric_class(metric))[option.name])
]

UNSEEN = {
    ("dependency_distance", "free_deletion"),
    ("dependency_graphs", "subtypes"),
    ("local_dependencies", "complements"),
    ("local_dependencies", "direction"),
    ("ccg_dependencies", "unlabelled"),
    ("compliance", "labels"),
    ("fstructure", "arguments"),
    ("fstructure", "first"),
    ("relations", "threshold"),
}
"""Options on which no score of the samples depends; their metrics have tests of their own."""


@each(case=CASES)
def test_scores_of_different_signatures_differ_somewhere(case: tuple[str, str, Any]) -> None:
    metric, option, value = case
    claimed = differing = False
    for index in range(len(samples())):
        usual, chosen = scored(index, metric), scored(index, metric, option, value)
        if usual is not None and chosen is not None:
            same = numbers(usual[0]) == numbers(chosen[0])
            if usual[0].signature == chosen[0].signature:
                assert same
            else:
                claimed = True
                differing |= not same
    assert differing or not claimed or (metric, option) in UNSEEN


@each(metric=[name for name in METRICS if metric_class(name).of_functions])
def test_functions_that_are_stripped_are_not_compared(metric: str) -> None:
    for option, usual in metric_class(metric).of_functions.items():
        value = "yes" if usual is False else 0.25
        for index, sides in enumerate(samples()):
            chosen = scored(index, metric, option, value)
            if (
                sides.scheme is not None
                and chosen is not None
                and "strip_functions" in chosen[1].gold.history
            ):
                assert dict(chosen[0].signature.choices)[option] == written(usual)
                evaluation = Evaluation(scoring_of([metric], {option: value}), sides.scheme)
                evaluation.add(0, *views(index))
                actual = evaluation.result().diagnostics
                assert any(f"has no effect on {metric}" in str(one) for one in actual)


@each(metric=METRICS, delete=get_args(types_of_options(Scoring)["delete"]))
def test_tokens_are_deleted_as_the_signature_says(metric: str, delete: Any) -> None:
    """Under ``delete:punct`` and ``delete:unicode`` no such token is left, or none that has a head."""
    for index, sides in enumerate(samples()):
        scores = scored(index, metric, "delete", delete)
        if scores is not None:
            counts, pair = scores
            signed = dict(counts.signature.choices)["delete"]
            assert signed == rule_of(delete, sides.scheme) or not metric_class(metric).word_by_word
            left = deleted_tokens(pair.gold, signed, sides.scheme)  # type: ignore[arg-type]
            assert left is None or not (left & ~_is_out(pair.gold)).any()


def _is_out(bank: Treebank) -> BoolArray:
    """Return the tokens that remain without a head in a treebank of dependencies, where deleted ones stay."""
    heads = bank.tokens.head
    out: BoolArray = (heads == UNATTACHED) & bool((heads != UNATTACHED).any())
    return out


@each(metric=[name for name in METRICS if not metric_class(name).word_by_word])
def test_a_metric_of_no_tokens_refuses_to_delete_some(metric: str) -> None:
    with raises(OptionError, metric, kind="option delete"):
        scoring_of([metric], {"delete": "punct"})
    assert scoring_of([metric, "parseval"], {"delete": "punct"}).delete == "punct"
