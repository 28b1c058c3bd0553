"""Two files through disco-dop's evaluation: reading, pairing by identifier, counting."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import partial

import numpy as np
from numpy.typing import NDArray

from crossbank.metrics.counting.counts import Counts, Measure, precision_recall_f1, ratio
from crossbank.metrics.counting.signature import Signature
from crossbank.metrics.pairing.pair import Pair
from crossbank.metrics.rivals.discodop.parameters import Parameters, load_parameters
from crossbank.metrics.rivals.discodop.report import Totals, summary
from crossbank.metrics.rivals.discodop.sentences import (
    function_tags,
    is_discontinuous,
    leaf_ancestor,
    sentence_of,
)
from crossbank.metrics.rivals.discodop.trees import (
    aligned,
    below_root,
    deleted_tokens,
    load_trees,
    transformed,
)
from crossbank.metrics.rivals.protocol import Answer, Call
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import BoolArray
from crossbank.treebanks.errors import CrossbankError

VERSION = "1.0"

NAN = Decimal("nan")

MEASURES = (
    *precision_recall_f1("gold", "candidate", "matched", "brackets"),
    Measure(
        "exact",
        lambda sums: ratio(sums["exact"], sums["sentences"]),
        "sentences whose brackets are all the same / sentences",
    ),
    Measure("tagging", lambda sums: ratio(sums["tags"], sums["words"]), "words with the right tag / words"),
)
LEAF_ANCESTOR = Measure(
    "leaf_ancestor",
    lambda sums: ratio(sums["leaf_ancestor"], sums["rows"]),
    "mean over sentences of the mean similarity of their words' lineages",
)
TREE_DISTANCE = Measure(
    "tree_similarity",
    lambda sums: 1 - ratio(sums["distance"], sums["size"]),
    "1 - tree distance / nodes and words of both trees",
)


@dataclass(frozen=True, eq=False)
class Evaluation(Answer):
    """What disco-dop finds in two files.

    sentences   the candidate's sentences
    found       what is counted in each
    parameters  what it was told
    passed_over what it does not count, in silence
    """

    sentences: tuple[str, ...]
    found: list[Totals]
    parameters: Parameters
    passed_over: str

    def total(self) -> Totals:
        """The sums over all sentences."""
        return sum(self.found, Totals())

    def report(self) -> str:
        """disco-dop's summary."""
        short = (totals for totals in self.found if totals.longest <= self.parameters.cutoff_len)
        return summary(self.total(), sum(short, Totals()), self.parameters)

    def notes(self) -> str:
        """How many sentences of gold are not counted."""
        return self.passed_over

    def counts(self) -> Counts:
        """The same as counts per sentence."""
        names = ("gold", "candidate", "matched", "exact", "sentences", "words", "tags")
        columns = {name: np.array([getattr(t, name) for t in self.found], np.float64) for name in names}
        measures = MEASURES
        if self.parameters.la:
            measures = (*measures, LEAF_ANCESTOR)
            columns["leaf_ancestor"] = np.array([float(t.leaf_ancestor) for t in self.found])
        if self.parameters.ted:
            measures = (*measures, TREE_DISTANCE)
            columns["distance"] = np.array([float(t.distance) for t in self.found])
            columns["size"] = np.array([float(t.size) for t in self.found])
        status = np.zeros(len(self.found), np.int8)
        return Counts(self.signature, measures, self.sentences, status, columns)

    @property
    def signature(self) -> Signature:
        """The parameter file by name and content, and the options that bear on brackets."""
        choices = {
            "parameters": self.parameters.source,
            "disconly": "yes" if self.parameters.disconly else "no",
            "functions": self.parameters.functions,
        }
        return Signature("discodop", VERSION, tuple(choices.items()))


def evaluate(call: Call) -> Evaluation:
    """Evaluate two files under a parameter file, or under disco-dop's own defaults.

    The options are ``la``, ``ted``, ``disconly``, ``functions`` and ``cutoff_len`` (``Parameters``). Raises
    CrossbankError where a file cannot be read, the parameters are wrong, a sentence of the candidate has
    no tree, is not in gold or has other words.
    """
    chosen = Parameters() if call.parameters is None else load_parameters(call.parameters)
    chosen = chosen.with_options(call.options)
    gold_bank, bank = call.read_both(partial(load_trees, functions=chosen.functions))
    found = compared(gold_bank, bank, chosen)
    missing = len(gold_bank) - len(bank)
    notes = f"{missing} sentences of gold without a parse are not counted\n" if missing else ""
    return Evaluation(tuple(bank.sentence_ids), found, chosen, notes)


def compared(gold: Treebank, candidate: Treebank, parameters: Parameters) -> list[Totals]:
    """What is counted in each sentence of the candidate."""
    gold = gold.select(paired(gold, candidate))
    left_out = gold.vocabulary.matching(parameters.delete_label_for_length.__contains__)[gold.tokens.pos]
    length = np.bincount(gold.tokens.sentence_of_row()[~left_out], minlength=len(gold)).tolist()
    deleted = deleted_tokens(gold, parameters)
    deleted_too = _deleted_too(gold, deleted, candidate, parameters)
    gold = transformed(gold, deleted, parameters)
    candidate = transformed(candidate, deleted_too, parameters)
    distance, size = tree_distances(gold, candidate, parameters) if parameters.ted else ([], [])
    found = []
    for number in range(len(gold)):
        one, other = sentence_of(gold, number, parameters), sentence_of(candidate, number, parameters)
        _compare_words(gold, candidate, number)
        functions, found_functions = function_tags(one, other), function_tags(other, one)
        counted = not parameters.disconly or one.brackets or other.brackets
        empty = not one.tags
        totals = Totals(
            sentences=int(bool(counted)),
            longest=length[number],
            exact=int(bool(counted) and one.brackets == other.brackets),
            gold=one.brackets.total(),
            candidate=other.brackets.total(),
            matched=(one.brackets & other.brackets).total(),
            distinct_gold=len(one.brackets),
            distinct_candidate=len(other.brackets),
            discontinuous_gold=sum(is_discontinuous(words) for _, words in one.brackets.elements()),
            discontinuous_candidate=sum(is_discontinuous(words) for _, words in other.brackets.elements()),
            lineages=1,
            leaf_ancestor=NAN if empty or not parameters.la else leaf_ancestor(one, other),
            distance=NAN if empty or not parameters.ted else Decimal(distance[number]),
            size=NAN if empty or not parameters.ted else Decimal(size[number]),
            functions=functions.total(),
            candidate_functions=found_functions.total(),
            matched_functions=(functions & found_functions).total(),
            words=len(one.tags),
            tags=sum(mine == theirs for mine, theirs in zip(one.tags, other.tags, strict=True)),
        )
        found.append(totals)
    return found


def paired(gold: Treebank, candidate: Treebank) -> NDArray[np.intp]:
    """For each sentence of the candidate gold's of the same identifier (its place, where files have none)."""
    number = {name: place for place, name in enumerate(gold.sentence_ids)}
    found = []
    for place, name in enumerate(candidate.sentence_ids):
        if name not in number:
            where = f"{candidate.where(place)}: sentence {name}"
            raise CrossbankError(f"{where}: found no such sentence in gold, expected one of its {len(gold)}")
        found.append(number[name])
    return np.array(found, np.intp)


def _deleted_too(
    gold: Treebank, deleted: BoolArray, candidate: Treebank, parameters: Parameters
) -> BoolArray:
    """The words of the candidate that are deleted: those that stand for deleted ones of gold."""
    if np.array_equal(gold.tokens.lengths(), candidate.tokens.lengths()):
        codes = candidate.vocabulary.translation(gold.vocabulary)[candidate.tokens.form]
        if np.array_equal(codes, gold.tokens.form):
            return deleted
    result = np.zeros(len(candidate.tokens), np.bool_)
    by_place = below_root(gold) & parameters.delete_root_preterms
    for number in range(len(candidate)):
        words, rows = candidate.words(number), gold.tokens.rows(number)
        places = aligned(gold.words(number), words)
        if places is None:
            raise _other_words(gold, candidate, number)
        flags = deleted[rows] & ~by_place[rows]
        flags |= gold.vocabulary.matching(parameters.delete_label.__contains__)[gold.tokens.pos[rows]]
        mine = result[candidate.tokens.rows(number)]
        mine[:] = flags[places]
        # disco-dop looks here at places, not at the words that stand there.
        mine |= by_place[rows][: len(mine)]
    return result


def _compare_words(gold: Treebank, candidate: Treebank, number: int) -> None:
    """Raise CrossbankError where a sentence's words differ after deletion."""
    if gold.words(number) != candidate.words(number):
        raise _other_words(gold, candidate, number)


def _other_words(gold: Treebank, candidate: Treebank, number: int) -> CrossbankError:
    where = f"{candidate.where(number)}: sentence {candidate.sentence_id(number)}"
    expected, found = gold.words(number), candidate.words(number)
    for place, (one, other) in enumerate(zip(expected, found, strict=False), 1):
        if one != other:
            return CrossbankError(f"{where}: word {place}: found {other!r}, expected {one!r} as in gold")
    return CrossbankError(f"{where}: found {len(found)} words, expected {len(expected)} as in gold")


def tree_distances(
    gold: Treebank, candidate: Treebank, parameters: Parameters
) -> tuple[list[int], list[int]]:
    """The tree distance of every sentence, and the nodes and words of both trees without uncounted roots."""
    from crossbank.metrics.tree_distance import TreeDistance

    def stands_for(tag: str) -> str:
        return parameters.eq_label.get(tag, tag)

    pair = Pair(
        gold.with_strings("tokens", "pos", stands_for),
        candidate.with_strings("tokens", "pos", stands_for),
        np.zeros(len(gold), np.int8),
    )
    columns = TreeDistance(leaves="tags").counts(pair).columns
    size = columns["gold"] + columns["candidate"]
    has_root = np.flatnonzero(gold.nodes.lengths() > 0)
    root = gold.nodes.label[gold.nodes.offsets[has_root]]
    size[has_root] -= 2 * gold.vocabulary.matching(parameters.delete_label.__contains__)[root]
    return columns["distance"].astype(int).tolist(), size.astype(int).tolist()
