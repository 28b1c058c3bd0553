"""Mode ``kummerfeld``: the types of errors of a parser, by the edits that turn its trees into gold's.

The report is that of ``classify_english.py`` of github.com/jkkummerfeld/berkeley-parser-analyser (its file
``error_counts`` without the header): the number of errors of each type, the wrong brackets that their repair
removes, and the type. The program is that of Kummerfeld, Hall, Curran and Klein (2012), Parser Showdown at
the Wall Street Corral: An Empirical Investigation of Error Types in Parser Output. EMNLP.

Traces, functions and punctuation are deleted first, as by EVALB's standard parameters. Sentences without a
tree, with different numbers of words, or not repaired by a hundred edits are skipped; a message counts them.

Three things differ: trees may go over several lines; the numbers of sentences must agree; and where the
program ends with a traceback (a candidate's top that gold does not have, nodes without a label) both trees
get a node above their top.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from os import fspath

import numpy as np

from crossbank.compat.kummerfeld.edited_tree import TOP, EditedTree, normalised
from crossbank.compat.kummerfeld.error_types import error_type
from crossbank.compat.kummerfeld.repair_search import Repair, find_repairs
from crossbank.metrics.counting.counts import Breakdown, Column, Counts, Measure, Signature, ratio, share
from crossbank.metrics.modes.modes_by_name import Mode
from crossbank.metrics.modes.protocol import Answer, Call, Output
from crossbank.metrics.pairing.pair import Status
from crossbank.plugins.packages import PlugIn
from crossbank.treebanks import Treebank
from crossbank.treebanks.chunks import aligned_chunks
from crossbank.treebanks.errors import ConversionError
from crossbank.treebanks.formats import chunked_files
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.tables import NO_PARENT

PLUG_IN = PlugIn(title="error types of berkeley-parser-analyser")

MODE = Mode(position=90, program="classify_english.py of berkeley-parser-analyser (2023)", format="bracket")

MEASURES = (
    Measure(
        "errors_per_sentence",
        lambda sums: ratio(sums["errors"], sums["rows"]),
        "edits that turn the candidate's trees into gold's / sentences",
        proportion=False,
        better="less",
    ),
    Measure(
        "brackets_per_error",
        lambda sums: ratio(sums["brackets"], sums["errors"]),
        "wrong brackets / edits that repair them",
        proportion=False,
        better="less",
    ),
    Measure("exact", share("exact", "rows"), "sentences without an error / sentences"),
)

SKIPPED = ("without a tree", "with other numbers of words", "without a repair in a hundred edits")


def evaluate(call: Call) -> Answer:
    """Classify the errors of a file.

    There are no options and no parameter file. Raises CrossbankError where a file cannot be read, where the
    numbers of sentences differ, and for discontinuous constituents.
    """
    call.settings("kummerfeld", {})
    formats = call.formats()
    gold, candidate = (
        chunked_files([fspath(path)], format, call.encoding)
        for path, format in zip((call.gold, call.candidate), formats, strict=True)
    )
    ids: list[str] = []
    errors: list[list[tuple[str, int]] | None] = []
    skipped: Counter[str] = Counter()
    for banks in aligned_chunks(gold, candidate):
        ids += banks[0].sentence_ids
        pairs = zip(_trees(banks[0]), _trees(banks[1]), strict=True)
        errors += [_errors(*pair, skipped) for pair in pairs]
    notes = "".join(
        f"skipped: {quantity(skipped[reason], 'sentence')} {reason}\n"
        for reason in SKIPPED
        if skipped[reason]
    )
    return Answer([Output(lambda: report(filter(None, errors)))], lambda: _counts(ids, errors), notes)


def report(errors: Iterable[Iterable[tuple[str, int]]]) -> str:
    """Return the lines of the report: the most frequent type first, of equal ones that of more brackets."""
    numbers: Counter[str] = Counter()
    brackets: Counter[str] = Counter()
    for name, change in (error for sentence in errors for error in sentence):
        numbers[name] += 1
        brackets[name] += change
    rows = sorted(((number, brackets[name], name) for name, number in numbers.items()), reverse=True)
    return "".join(f"{number} {change} {name}\n" for number, change, name in rows)


def _errors(
    gold: EditedTree | None, candidate: EditedTree | None, skipped: Counter[str]
) -> list[tuple[str, int]] | None:
    """Return the type of each error of a sentence, with the wrong brackets that its repair removes.

    Returns None for a skipped sentence, and counts it.
    """
    repairs: list[Repair] | None = None
    if gold is None or candidate is None:
        skipped[SKIPPED[0]] += 1
    elif gold.end[gold.top] != candidate.end[candidate.top]:
        skipped[SKIPPED[1]] += 1
    else:
        repairs = find_repairs(gold, candidate)
        skipped[SKIPPED[2]] += repairs is None
    return None if repairs is None else [(error_type(repair), repair.change) for repair in repairs]


def _trees(bank: Treebank) -> Iterator[EditedTree | None]:
    """Yield the normalised tree of each sentence. Raises ConversionError for discontinuous constituents."""
    if bank.spans.discontinuous.any():
        sentence = bank.nodes.sentence_of(int(bank.spans.discontinuous.argmax()))
        expected = "continuous ones (the transformation raise_crossing makes them continuous)"
        raise ConversionError(
            f"{bank.where(sentence)}: found a discontinuous constituent, expected {expected}"
        )
    for sentence in range(len(bank)):
        node_rows, token_rows = bank.nodes.rows(sentence), bank.tokens.rows(sentence)
        nodes, words = node_rows.stop - node_rows.start, bank.words(sentence)
        parents = [*bank.nodes.parent[node_rows].tolist(), *bank.tokens.parent[token_rows].tolist()]
        start = [*bank.spans.start[node_rows].tolist(), *range(len(words))]
        tags = bank.vocabulary.decode(bank.tokens.pos[token_rows])
        labels = [*bank.labels(sentence), *tags]
        children: list[list[int]] = [[] for _ in labels]
        roots: list[int] = []
        for item in sorted(range(len(labels)), key=start.__getitem__):
            (roots if parents[item] == NO_PARENT else children[parents[item]]).append(item)
        if len(roots) != 1 or roots[0] >= nodes:
            for root in roots:
                parents[root] = len(labels)
            labels.append(TOP)
            parents.append(NO_PARENT)
            children.append(roots)
        yield (
            normalised(dict(enumerate(words, nodes)), EditedTree(labels, parents, children))
            if words
            else None
        )


def _counts(ids: list[str], errors: list[list[tuple[str, int]] | None]) -> Counts:
    """Return the same numbers per sentence."""
    rows = [(index, *error) for index, sentence in enumerate(errors) for error in sentence or ()]
    index = np.array([row for row, _, _ in rows], np.int32)
    brackets = np.array([change for _, _, change in rows], np.float64)
    columns: dict[str, Column] = {
        "errors": np.bincount(index, np.ones(len(rows)), len(ids)).astype(np.float64),
        "brackets": np.bincount(index, brackets, len(ids)).astype(np.float64),
        "exact": np.array([sentence == [] for sentence in errors], np.float64),
    }

    def by_type() -> Breakdown:
        types = sorted({name for _, name, _ in rows})
        key = np.array([types.index(name) for _, name, _ in rows], np.int32)
        columns_of_errors = {"errors": np.ones(len(rows)), "brackets": brackets, "exact": np.zeros(len(rows))}
        return Breakdown(tuple(types), index, key, columns_of_errors)

    status = np.full(len(ids), Status.SCORED, np.int8)
    return Counts(Signature("kummerfeld", "1.0"), MEASURES, tuple(ids), status, columns, {"type": by_type})
