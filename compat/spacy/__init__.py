"""Mode ``spacy``: the attachment scores of spaCy's ``Scorer``, with those of each relation.

Honnibal et al.: spaCy, ``Scorer.score_deps`` as the dependency parser calls it. Each sentence is a ``Doc`` of
its own. Relations are compared in lower case, with subtypes. Words whose own relation is ignored (``p`` and
``punct``) are left out on each side by itself, so that gold and the candidate may have different numbers of
words: precision, recall and F1. A word without a relation in gold is in neither. spaCy aligns other words by
their letters; here both sides must have the same ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from crossbank.compat.spacy.same_words import read_same_words, relations_of
from crossbank.metrics.counting.counts import Column, Counts, Measure, Signature, ratio
from crossbank.metrics.modes.modes_by_name import Mode
from crossbank.metrics.modes.protocol import Answer, Call, Output
from crossbank.metrics.pairing.pair import Status
from crossbank.plugins.packages import PlugIn
from crossbank.treebanks.arrays import BoolArray

PLUG_IN = PlugIn(title="attachment scores of spaCy's Scorer")

MODE = Mode(position=80, program="spaCy's Scorer 3.8", format="conllu", others="other words are an error")


def _f1(name: str, correct: str, meaning: str) -> Measure:
    return Measure(
        name,
        lambda sums: ratio(2 * sums[correct], sums["gold"] + sums["candidate"]),
        f"F1 of {meaning}, without those whose relation is ignored",
        title=name.upper(),
    )


MEASURES = (
    _f1("uas", "heads", "words with the right head"),
    _f1("las", "labelled", "words with the right head and relation"),
)


def evaluate(call: Call) -> Answer:
    """Score two files; ``ignore=a+b`` names the relations that are ignored, ``ignore=none`` none.

    Raises OptionError for another option, and CrossbankError where the words differ.
    """
    (ignored,) = call.settings("spacy", {"ignore": (str, "p+punct")})
    ignore = frozenset(() if ignored == "none" else ignored.lower().split("+"))
    gold, candidate = read_same_words(call)
    own, other = ([name.lower() for name in relations_of(bank)] for bank in (gold, candidate))
    counted = np.array([name not in {*ignore, ""} for name in own], np.bool_)
    guessed = np.array(
        [name not in ignore and expected != "" for name, expected in zip(other, own, strict=True)], np.bool_
    )
    heads = (gold.tokens.head == candidate.tokens.head) & counted & guessed
    labelled = heads & np.array([a == b for a, b in zip(own, other, strict=True)], np.bool_)

    def report() -> str:
        wholes = (int(counted.sum()), int(guessed.sum()))
        scores = (
            (name, _prf(int(mask.sum()), *wholes)[2]) for name, mask in (("UAS", heads), ("LAS", labelled))
        )
        text = "".join(f"{name}      {100 * score:.2f}\n" for name, score in scores)
        return text + _by_relation((own, counted), (other, guessed), (own, labelled))

    def counts() -> Counts:
        sentence = gold.tokens.sentence_of_row()
        masks = {"gold": counted, "candidate": guessed, "heads": heads, "labelled": labelled}
        columns: dict[str, Column] = {
            name: np.bincount(sentence[mask], minlength=len(gold)).astype(np.float64)
            for name, mask in masks.items()
        }
        ids = tuple(gold.sentence_id(index) for index in range(len(gold)))
        status = np.full(len(gold), Status.SCORED, np.int8)
        choices = (("ignore", "+".join(sorted(ignore)) or "none"),)
        return Counts(Signature("spacy", "1.0", choices), MEASURES, ids, status, columns)

    return Answer([Output(report)], counts)


def _by_relation(*sides: tuple[Sequence[str], BoolArray]) -> str:
    """Return precision, recall and F1 of each relation; of gold, the candidate and both their relations."""
    gold, candidate, right = (
        Counter(name for name, is_in in zip(names, mask.tolist(), strict=True) if is_in)
        for names, mask in sides
    )
    lines = [f"\n{'':16}{'P':>8}{'R':>8}{'F':>8}\n"]
    for name in sorted(gold | candidate):
        scores = _prf(right[name], gold[name], candidate[name])
        lines.append(f"{name:16}{''.join(f'{100 * score:8.2f}' for score in scores)}\n")
    return "".join(lines)


def _prf(right: int, gold: int, candidate: int) -> tuple[float, float, float]:
    """Return precision, recall and F1."""
    return (
        float(ratio(right, candidate)), float(ratio(right, gold)), float(ratio(2 * right, gold + candidate))
    )  # fmt: skip
