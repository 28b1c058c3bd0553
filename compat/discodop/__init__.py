"""Mode ``discodop``: the output of ``discodop eval``, with or without a parameter file.

Van Cranenburgh, Andreas, Remko Scha and Rens Bod (2016): Data-Oriented Parsing with Discontinuous
Constituents and Function Tags. Journal of Language Modelling 4(1); disco-dop 0.6, or 0.5.2, the last release
(``version``). The numbers are those of the program, including unexpected ones:

- only sentences of the candidate are counted: gold that was not parsed lowers no score;
- without a parameter file nothing is deleted, and the root counts;
- words are deleted by gold's tags, or by their form, and phrases give their children to the node above;
- EQ_LABEL chains, and changes the labels of phrases before they are deleted, but no tag that is compared;
- a root is never deleted: it is only not counted;
- the numbers of brackets are those of distinct ones, the scores those of all;
- one sentence without a word left makes leaf-ancestor and tree distance ``nan``.

Where the program ends with a traceback (other words, a sentence without a tree) there is an error of one
line. Sentences whose identifiers have nothing in common are paired by position, which stderr reports.
In the breakdowns, entries that the program leaves to the order of a hash table are in the order of their
first occurrence or of its name, and the children in a rule are in the order of their first words; where
words or phrases are deleted the program keeps the order from before. Not taken over: the table of sentences
(``DEBUG``), and dependencies, which need head rules.

Identifiers pair sentences in any order, so both files are read whole: 5,000 sentences of 31 nodes take 130
MB, 50,000 take 820 MB.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from functools import partial
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from crossbank.compat.discodop.compared_items import (
    ComparedItems,
    common,
    function_tags,
    items_of,
    lineage_distances,
)
from crossbank.compat.discodop.discodop_parameters import DiscodopParameters, load_parameters
from crossbank.compat.discodop.discodop_report import ReportedTrees, Totals, breakdowns, summary
from crossbank.compat.discodop.evaluated_trees import (
    aligned,
    below_root,
    deleted_tokens,
    load_trees,
    transformed,
)
from crossbank.metrics.counting.counts import Counts, Measure, Signature, precision_recall_f1, ratio, share
from crossbank.metrics.modes.modes_by_name import Mode
from crossbank.metrics.modes.protocol import Answer, Call, Output, Path
from crossbank.metrics.pairing.pair import Pair
from crossbank.plugins.packages import PlugIn
from crossbank.treebanks import CrossbankError, Treebank
from crossbank.treebanks.arrays import BoolArray
from crossbank.treebanks.files import read_bytes
from crossbank.treebanks.quantities import quantity

PLUG_IN = PlugIn(title="reports of disco-dop's evaluation")

MODE = Mode(
    position=30,
    program="discodop eval 0.6",
    format="discbracket",
    measures="crossbank.compat.discodop:ALL_MEASURES",
    others="version=0.5.2 prints as that release",
)

Columns: TypeAlias = Mapping[str, Sequence[Any] | NDArray[Any]]

BY_LINE = {"bracket", "discbracket"}
"""The formats whose sentences disco-dop numbers by their lines."""

NAN = Decimal("nan")

MEASURES = (
    *precision_recall_f1("gold", "candidate", "matched", "brackets"),
    Measure("exact", share("exact", "sentences"), "sentences whose brackets are all the same / sentences"),
    Measure("tagging", share("tags", "words"), "words with the right tag / words"),
)
LEAF_ANCESTOR = Measure(
    "leaf_ancestor",
    share("leaf_ancestor", "rows"),
    "mean over sentences of the mean similarity of their words' lineages",
)
TREE_DISTANCE = Measure(
    "tree_similarity",
    lambda sums: 1 - ratio(sums["distance"], sums["size"]),
    "1 - tree distance / nodes and words of both trees",
)
ALL_MEASURES = (*MEASURES, LEAF_ANCESTOR, TREE_DISTANCE)


def evaluate(call: Call) -> Answer:
    """Evaluate two files under a parameter file, or under disco-dop's own defaults.

    The options are ``la``, ``ted``, ``disconly``, ``functions``, ``version`` and ``cutoff_len``
    (``Parameters``). Raises CrossbankError if a file cannot be read, the parameters are wrong, or a
    sentence of the candidate has no tree, is not in gold or has other words.
    """
    chosen = load_parameters(call.parameters, call.options)
    load = partial(load_trees, functions=chosen.functions, version=chosen.version)
    gold, candidate = call.read_both(load)
    files, formats = (call.gold, call.candidate), call.formats()
    by_line = set(formats) <= BY_LINE
    indices, notes = paired(gold, candidate, by_line=by_line)
    for path, format in zip(files, formats, strict=True):
        blank = blank_lines(path) if format in BY_LINE else 0
        if blank:
            notes += f"{path}: {blank} blank lines are passed over, at which discodop ends\n"
    missing = len(gold) - len(candidate)
    if missing > 0:
        notes += f"left out: {quantity(missing, 'sentence')} of gold without a parse\n"
    columns, tables = compared(gold.select(indices), candidate, chosen)

    def report() -> str:
        """Return disco-dop's breakdowns, which it prints if labels count, and its summary."""
        printed = "".join(f"{line}\n" for line in tables()) if chosen.labeled else ""
        short = np.asarray(columns["longest"]) <= chosen.cutoff_len
        return printed + summary(_total(columns, short | True), _total(columns, short), chosen)

    counts = partial(_counts, tuple(candidate.sentence_ids), columns, chosen)
    return Answer([Output(report)], counts, notes)


def _total(columns: Columns, chosen: BoolArray) -> Totals:
    rows = np.flatnonzero(chosen)
    sums: dict[str, Any] = {
        name: int(column[rows].sum())
        if isinstance(column, np.ndarray)
        else sum((column[row] for row in rows.tolist()), Decimal(0))
        for name, column in columns.items()
    }
    sums["longest"] = int(np.asarray(columns["longest"])[rows].max(initial=0))
    return sums


def _counts(sentences: tuple[str, ...], columns: Columns, parameters: DiscodopParameters) -> Counts:
    """Return the counts per sentence; the signature has the options that affect brackets."""
    names = ["gold", "candidate", "matched", "exact", "sentences", "words", "tags"]
    names += ["leaf_ancestor"] * parameters.la + ["distance", "size"] * parameters.ted
    measures = (*MEASURES, *[LEAF_ANCESTOR] * parameters.la, *[TREE_DISTANCE] * parameters.ted)
    choices = (
        ("parameters", parameters.source),
        ("disconly", "yes" if parameters.disconly else "no"),
        ("functions", parameters.functions),
        ("program", parameters.version),
    )
    signature = Signature("discodop", "1.1", choices)
    arrays = {name: np.array([float(n) for n in columns[name]]) for name in names}
    return Counts(signature, measures, sentences, np.zeros(len(sentences), np.int8), arrays)


def blank_lines(path: Path) -> int:
    """Return the number of blank lines of a file."""
    return sum(not line.strip() for line in read_bytes(path).removesuffix(b"\n").split(b"\n"))


def paired(gold: Treebank, candidate: Treebank, *, by_line: bool) -> tuple[NDArray[np.intp], str]:
    """Return the sentence of gold for each of the candidate, and a note where identifiers differ.

    Sentences with the same identifier belong together; ``by_line``: those of the same line, as in files of
    brackets. Where no identifier of the candidate is one of gold's and both have as many sentences, they are
    paired by their positions. Raises CrossbankError for a sentence that gold does not have.
    """
    names, candidate_names = gold.sentence_ids, candidate.sentence_ids
    number = {name: index for index, name in enumerate(names)}
    note = ""
    if not by_line and len(gold) == len(candidate) and not any(name in number for name in candidate_names):
        by_line = True
        note = (
            f"identifiers differ, such as {names[0]} in gold and {candidate_names[0]} in the candidate: "
            "sentences are paired by their places\n"
        )
    if by_line:
        number = {name: index for index, name in enumerate(candidate_names[: len(gold)])}
    for index, name in enumerate(candidate_names):
        if name not in number:
            where = f"{candidate.where(index)}: sentence {name}"
            raise CrossbankError(f"{where}: gold has no such sentence: it has {len(gold):,}")
    return np.array([number[name] for name in candidate_names], np.intp), note


def compared(
    gold: Treebank, candidate: Treebank, parameters: DiscodopParameters
) -> tuple[Columns, Callable[[], Iterable[str]]]:
    """Return the counts of each sentence, and the breakdowns; both sides have the same number of sentences.

    Raises CrossbankError where words differ after deletion.
    """
    left_out = gold.vocabulary.matching(parameters.delete_label_for_length.__contains__)[gold.tokens.pos]
    count = len(gold)
    length = gold.tokens.counted(~left_out)
    deleted = deleted_tokens(gold, parameters)
    deleted_too = _deleted_too(gold, deleted, candidate, parameters)
    gold = transformed(gold, deleted, parameters)
    candidate = transformed(candidate, deleted_too, parameters)
    for number in range(0 if _same_words(gold, candidate) else len(gold)):
        if gold.words(number) != candidate.words(number):
            raise _other_words(gold, candidate, number)
    own, of_candidate, vocabulary = items_of(gold, candidate, parameters)
    rows = np.flatnonzero(own.counts), np.flatnonzero(of_candidate.counts)
    sentences = own.sentence[rows[0]], of_candidate.sentence[rows[1]]
    keys = common(own.bracket[rows[0]], of_candidate.bracket[rows[1]])
    sentence = np.zeros(len(keys.gold), np.int64)
    sentence[keys.of_gold], sentence[keys.of_candidate] = sentences

    def summed(amount: NDArray[Any], where: NDArray[Any] = sentence) -> NDArray[Any]:
        return np.bincount(where, amount, count).astype(np.int64)

    gaps = own.has_gaps[rows[0]], of_candidate.has_gaps[rows[1]]
    functions, found_functions, _ = tags = function_tags(own, of_candidate, vocabulary)
    function_keys = common(functions.key, found_functions.key)
    of_function = np.zeros(len(function_keys.gold), np.int64)
    of_function[function_keys.of_gold] = functions.sentence
    of_function[function_keys.of_candidate] = found_functions.sentence
    words = gold.tokens.lengths().astype(np.int64)
    counted = summed(keys.gold + keys.candidate) > 0 if parameters.disconly else np.ones(count, np.bool_)
    columns: dict[str, Sequence[Any] | NDArray[Any]] = {
        "sentences": counted.astype(np.int64),
        "longest": length,
        "exact": (counted & (summed(keys.gold != keys.candidate) == 0)).astype(np.int64),
        "gold": summed(keys.gold),
        "candidate": summed(keys.candidate),
        "matched": summed(keys.matched()),
        "distinct_gold": summed(keys.gold > 0),
        "distinct_candidate": summed(keys.candidate > 0),
        "discontinuous_gold": summed(gaps[0], sentences[0]),
        "discontinuous_candidate": summed(gaps[1], sentences[1]),
        "lineages": np.ones(count, np.int64),
        "functions": summed(function_keys.gold, of_function),
        "candidate_functions": summed(function_keys.candidate, of_function),
        "matched_functions": summed(function_keys.matched(), of_function),
        "words": words,
        "tags": summed(own.tag == of_candidate.tag, own.sentence[own.nodes :]),
    }
    none = [NAN] * count
    columns["leaf_ancestor"] = _leaf_ancestor(gold, own, of_candidate) if parameters.la else none
    columns["distance"] = columns["size"] = none
    if parameters.ted:
        columns["distance"], columns["size"] = (
            [Decimal(n) if has_words else NAN for n, has_words in zip(column, words.tolist(), strict=True)]
            for column in tree_distances(gold, candidate, parameters)
        )
    sides = ReportedTrees(gold, own, vocabulary), ReportedTrees(candidate, of_candidate, vocabulary)
    return columns, lambda: breakdowns(*sides, tags)


def _leaf_ancestor(gold: Treebank, own: ComparedItems, of_candidate: ComparedItems) -> list[Decimal]:
    """Return the mean similarity of the words' lineages in each sentence; not a number without words."""
    distance, symbols = lineage_distances(own, of_candidate)
    width = int(symbols.max(initial=0)) + 1
    kinds, kind = np.unique(distance.astype(np.int64) * width + symbols, return_inverse=True)
    known = [1 - Decimal(key // width) / max(key % width, 1) for key in kinds.tolist()]
    scores = [known[code] for code in kind.tolist()]
    offsets = gold.tokens.offsets.tolist()
    return [
        sum(scores[first:last], Decimal(0)) / (last - first) if last > first else NAN
        for first, last in pairwise(offsets)
    ]


def _deleted_too(
    gold: Treebank, deleted: BoolArray, candidate: Treebank, parameters: DiscodopParameters
) -> BoolArray:
    """Return a mask of the deleted words of the candidate: the words aligned with deleted words of gold."""
    if _same_words(gold, candidate):
        return deleted
    result = np.zeros(len(candidate.tokens), np.bool_)
    by_place = below_root(gold) & parameters.delete_root_preterms
    for number in range(len(candidate)):
        words, rows = candidate.words(number), gold.tokens.rows(number)
        indices = aligned(gold.words(number), words)
        if indices is None:
            raise _other_words(gold, candidate, number)
        flags = deleted[rows] & ~by_place[rows]
        flags |= gold.vocabulary.matching(parameters.delete_label.__contains__)[gold.tokens.pos[rows]]
        mine = result[candidate.tokens.rows(number)]
        mine[:] = flags[indices]
        # disco-dop compares positions here, not words.
        mine |= by_place[rows][: len(mine)]
    return result


def _same_words(gold: Treebank, candidate: Treebank) -> bool:
    if not np.array_equal(gold.tokens.offsets, candidate.tokens.offsets):
        return False
    codes = candidate.vocabulary.translation(gold.vocabulary)[candidate.tokens.form]
    return np.array_equal(codes, gold.tokens.form)


def _other_words(gold: Treebank, candidate: Treebank, number: int) -> CrossbankError:
    where = f"{candidate.where(number)}: sentence {candidate.sentence_id(number)}"
    expected, actual = gold.words(number), candidate.words(number)
    for index, (one, other) in enumerate(zip(expected, actual, strict=False), 1):
        if one != other:
            return CrossbankError(f"{where}: word {index}: found {other!r}, expected {one!r} as in gold")
    return CrossbankError(f"{where}: {quantity(len(actual), 'word')}, where gold has {len(expected)}")


def tree_distances(
    gold: Treebank, candidate: Treebank, parameters: DiscodopParameters
) -> tuple[list[int], list[int]]:
    """Return the tree distance of every sentence, and the sizes of both trees without uncounted roots."""
    from crossbank.metrics.tree_distance import TreeDistance

    own, of_candidate = (
        bank.with_strings("tokens", "pos", lambda tag: parameters.eq_label.get(tag, tag))
        for bank in (gold, candidate)
    )
    pair = Pair(own, of_candidate, np.zeros(len(gold), np.int8))
    columns = TreeDistance(leaves="tags").counts(pair).columns
    size = columns["gold"] + columns["candidate"]
    has_root = np.flatnonzero(gold.nodes.lengths() > 0)
    root = gold.nodes.label[gold.nodes.offsets[has_root]]
    size[has_root] -= 2 * gold.vocabulary.matching(parameters.delete_label.__contains__)[root]
    return columns["distance"].astype(int).tolist(), size.astype(int).tolist()
