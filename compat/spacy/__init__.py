"""Mode ``spacy``: the attachment scores of spaCy's ``Scorer``, with those of each relation.

Honnibal et al.: spaCy, ``Scorer.score_deps`` as the dependency parser calls it. Each sentence is a ``Doc`` of
its own, or the file where sentences do not have the same letters. Relations are compared in lower case, with
subtypes. Words whose own relation is ignored (``p`` and ``punct``) are left out on each side by itself, so
that gold and the candidate may have different numbers of words: precision, recall and F1. Other words are
aligned by their letters (``alignment``).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from crossbank.compat.spacy.arcs import compare
from crossbank.compat.spacy.dependency_files import read_dependencies
from crossbank.metrics.counting.counts import Column, Counts, Measure, Signature, ratio
from crossbank.metrics.modes.modes_by_name import Mode
from crossbank.metrics.modes.protocol import Answer, Call, Output
from crossbank.metrics.pairing.pair import Status
from crossbank.plugins.packages import PlugIn

PLUG_IN = PlugIn(title="attachment scores of spaCy's Scorer")

MODE = Mode(position=80, program="spaCy's Scorer 3.8", format="conllu", others="another text is an error")


def _f1(name: str, correct: str, candidate: str, meaning: str) -> Measure:
    return Measure(
        name,
        lambda sums: ratio(2 * sums[correct], sums["gold"] + sums[candidate]),
        f"F1 of {meaning}, without those whose relation is ignored",
        title=name.upper(),
    )


MEASURES = (
    _f1("uas", "heads", "candidate_heads", "words with the right head"),
    _f1("las", "labelled", "candidate", "words with the right head and relation"),
)


def evaluate(call: Call) -> Answer:
    """Score two files; ``ignore=a+b`` names the relations that are ignored, ``ignore=none`` none.

    Raises OptionError for another option, and CrossbankError where the letters of the words differ.
    """
    (ignored,) = call.settings("spacy", {"ignore": (str, "p+punct")})
    ignore = frozenset(() if ignored == "none" else ignored.lower().split("+"))
    gold, candidate = call.read_both(read_dependencies)
    arcs = compare(gold, candidate, ignore)

    def report() -> str:
        sums = {name: float(len(rows)) for name, rows in arcs.columns().items()}
        text = "".join(f"{measure.title}      {100 * measure.of(sums):.2f}\n" for measure in MEASURES)
        return text + _by_relation(arcs.by_relation())

    def counts() -> Counts:
        sentence = gold.tokens.sentence_of_row()
        columns: dict[str, Column] = {
            name: np.bincount(sentence[words], minlength=len(gold)).astype(np.float64)
            for name, words in arcs.columns().items()
        }
        ids = tuple(gold.sentence_id(index) for index in range(len(gold)))
        status = np.full(len(gold), Status.SCORED, np.int8)
        choices = (("ignore", "+".join(sorted(ignore)) or "none"),)
        return Counts(Signature("spacy", "2.0", choices), MEASURES, ids, status, columns)

    return Answer([Output(report)], counts)


def _by_relation(relations: Mapping[str, tuple[int, int, int]]) -> str:
    """Return precision, recall and F1 of each relation; of right arcs, gold's and the candidate's."""
    lines = [f"\n{'':16}{'P':>8}{'R':>8}{'F':>8}\n"]
    for name, (right, gold, candidate) in sorted(relations.items()):
        scores = (ratio(right, candidate), ratio(right, gold), ratio(2 * right, gold + candidate))
        lines.append(f"{name:16}{''.join(f'{100 * float(score):8.2f}' for score in scores)}\n")
    return "".join(lines)
