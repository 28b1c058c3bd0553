"""Tree patterns that decide about dependencies where trees have no functions.

Functions name what is apart from what it modifies (``OA-MOD``), and conjuncts that no conjunction joins
(``KONJ``). Without them the form of the tree says most of it: a relative clause in the final field modifies
the noun phrase that is closest to the field. Such heuristics turn trees without functions into dependencies
in Rehbein and van Genabith (2007), section 3.3.
"""

from __future__ import annotations

import numpy as np

from crossbank.converters.patterns.matching import named_rows
from crossbank.converters.schemes.dependency_rules import CONJUNCT, DEPENDENT, GOVERNOR, BareRules
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array
from crossbank.treebanks.diagnosis import Diagnosis, finding


def is_written(bank: Treebank, functions: Int32Array) -> BoolArray:
    """A mask of the functions that are written: the export format writes ``--`` where there is none."""
    written: BoolArray = (functions > 0) & (functions != bank.vocabulary.code("--"))
    return written


def bare_conjuncts(bank: Treebank, rules: BareRules, written: BoolArray) -> tuple[BoolArray, BoolArray]:
    """Masks of the tokens and nodes without functions that the patterns call conjuncts.

    ``written``: whether some child of a node has its function written, shape ``(nodes + 1,)``.
    """
    found = np.zeros(len(bank.tokens) + len(bank.nodes), np.bool_)
    if not rules.conjuncts or written[:-1].all():
        return found[: len(bank.tokens)], found[len(bank.tokens) :]
    parent = np.concatenate((bank.nodes.parent_rows(bank.tokens), bank.nodes.parent_rows(bank.nodes)))
    for rows in named_rows(rules.conjuncts, bank, (CONJUNCT,)):
        found[rows[:, 0]] = True
    found &= ~written[parent] & (parent >= 0)
    return found[: len(bank.tokens)], found[len(bank.tokens) :]


def _depends(place: int, rows: list[int], heads: Int32Array, begin: int) -> bool:
    """True if the word at a place of a sentence is one of some rows, or depends on one."""
    while place >= 0 and begin + place not in rows:
        place = int(heads[begin + place])
    return place >= 0


def attach_bare(
    bank: Treebank, rules: BareRules, head: Int32Array, node_function: Int32Array
) -> tuple[Int32Array, Diagnosis]:
    """The heads after the patterns have found governors; heads of nodes must be marked.

    A pattern that would close a cycle is passed over.
    """
    tokens, nodes = bank.tokens, bank.nodes
    function = is_written(bank, np.concatenate((tokens.function, node_function)))
    if not rules.governors or function.all():
        return head, ()
    begins = np.concatenate((tokens.offsets[tokens.sentence_of_row()], tokens.begins(nodes)))
    place = np.concatenate((tokens.places(), nodes.head))
    start = np.concatenate((tokens.places(), bank.spans.start))
    end = np.concatenate((tokens.places() + 1, bank.spans.end))
    heads, moved = head.copy(), np.zeros(len(tokens), np.bool_)
    attached = np.zeros(len(function), np.bool_)
    for found in named_rows(rules.governors, bank, (DEPENDENT, GOVERNOR)):
        dependents, governors = found.T
        inside = (start[dependents] <= place[governors]) & (place[governors] < end[dependents])
        for dependent, governor in found[~function[dependents] & ~inside].tolist():
            if attached[dependent]:
                continue
            begin, own = int(begins[dependent]), range(int(start[dependent]), int(end[dependent]))
            above = head[begin + own.start : begin + own.stop].tolist()
            outside = [begin + word for word, of in zip(own, above, strict=True) if of not in own]
            if _depends(int(place[governor]), outside, heads, begin):
                continue  # another pattern has hung the governor below the dependent
            attached[dependent] = True
            heads[outside] = place[governor]
            moved[outside] = True
    event = "words whose governor stands apart"
    return heads, finding("dependencies", event, tokens.sentence_of_row()[moved], len(bank))
