"""Cheapest edits between two strings of events (Wagner and Fischer 1974)."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.metrics.loops.replacement_costs import Events, Prices, price
from cython.cimports.crossbank.treebanks.arrays import (
    ByteOutput,
    Float64Output,
    Int32Array,
    Int32Output,
    Int64Array,
    Int64Output,
)
from cython.cimports.crossbank.treebanks.loops.interrupts import look

from crossbank.treebanks.memory import require

# From this many events on, comparing one with all of the other side takes long enough to check for signals.
LONG = cython.declare(cython.int, 1000)

REPLACE = cython.declare(cython.uchar, 0)
INSERT = cython.declare(cython.uchar, 1)
DELETE = cython.declare(cython.uchar, 2)


@cython.dataclasses.dataclass(eq=False, repr=False)
class EventRuns:
    """Events of one side, and where each run of them begins and ends."""

    events: Events
    first: Int64Array
    last: Int64Array


@cython.dataclasses.dataclass(eq=False, repr=False)
class Alignment:
    """Columns that are filled in: those of ``metrics.edits.edit_distance.Alignment``."""

    partner: Int64Output
    gold_edits: Float64Output
    candidate_edits: Float64Output


@cython.dataclasses.dataclass(eq=False, repr=False)
class Costs:
    """Costs of replacing symbols, of inserting an event, and of deleting one."""

    prices: Prices
    insertion: cython.double
    deletion: cython.double


@cython.cclass
class AlignmentWorkspace:
    """Two runs of events, and scratch arrays as large as the longest runs so far need.

    g, g_end  gold's events that are compared, from the first to the one past the last
    c, c_end  the candidate's
    replaced  the cost of replacing each event of gold by each of the candidate
    steps     the last step of the cheapest way to each pair of prefixes
    cost      the cost of that way, for one prefix of gold
    """

    g: cython.Py_ssize_t
    g_end: cython.Py_ssize_t
    c: cython.Py_ssize_t
    c_end: cython.Py_ssize_t
    replaced: Float64Output
    steps: ByteOutput
    cost: Float64Output

    def __init__(self) -> None:
        self.g = self.g_end = self.c = self.c_end = 0
        self.grow(1)

    def grow(self, size: int) -> None:
        """Grow to this number of pairs of prefixes."""
        require(17 * size, "", f"a sentence with {size:,} pairs of edits to compare")
        self.replaced, self.cost = np.empty(size, np.float64), np.empty(size, np.float64)
        self.steps = np.empty(size, np.uint8)


def align(
    gold: EventRuns,
    candidate: EventRuns,
    costs: Costs,
    alignment: Alignment,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Align the events of each run from ``first`` to ``last - 1`` with the candidate's of the same run."""
    left, right = gold.events, candidate.events
    workspace = AlignmentWorkspace()
    with cython.nogil:
        for run in range(first, last):
            g, g_end = gold.first[run], gold.last[run]
            c, c_end = candidate.first[run], candidate.last[run]
            # All insertions cost the same, and so do all deletions. So the events that both runs have in
            # common at either end can be aligned at once. In most sentences little is left.
            same = equal_events(left, g, right, c, 1, min(g_end - g, c_end - c))
            for index in range(same):
                alignment.partner[g + index] = c + index
                alignment.gold_edits[g + index] = 0.0
            g, c = g + same, c + same
            same = equal_events(left, g_end - 1, right, c_end - 1, -1, min(g_end - g, c_end - c))
            g_end, c_end = g_end - same, c_end - same
            for index in range(same):
                alignment.partner[g_end + index] = c_end + index
                alignment.gold_edits[g_end + index] = 0.0
            for index in range(c, c_end):
                alignment.candidate_edits[index] = costs.deletion
            if g == g_end or c == c_end:
                continue
            if (g_end - g + 1) * (c_end - c + 1) > workspace.steps.shape[0]:
                with cython.gil:
                    workspace.grow((g_end - g + 1) * (c_end - c + 1))
            workspace.g, workspace.g_end, workspace.c, workspace.c_end = g, g_end, c, c_end
            price_events(left, right, costs.prices, workspace)
            find_steps(costs, workspace)
            follow_steps(workspace, alignment)


@cython.cfunc
@cython.nogil
def equal_events(
    gold: Events,
    g: cython.Py_ssize_t,
    candidate: Events,
    c: cython.Py_ssize_t,
    step: cython.Py_ssize_t,
    most: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Number of equal events from one event of each side on, in steps of 1 or -1; ``most`` at most."""
    count: cython.Py_ssize_t = 0
    while count < most and gold.frame[g] == candidate.frame[c]:
        shift = candidate.first[c] - gold.first[g]
        for index in range(gold.first[g], gold.first[g + 1]):
            if gold.symbols[index] != candidate.symbols[index + shift]:
                return count
        count += 1
        g += step
        c += step
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def price_events(
    gold: Events, candidate: Events, prices: Prices, workspace: AlignmentWorkspace
) -> cython.int:
    """Fill in the costs of replacing the events of gold's run by those of the candidate's, row by row.

    Two events with the same frame cost as much as their symbols together, at most 1. Other events cost 1.
    """
    g, c = workspace.g, workspace.c
    columns: cython.Py_ssize_t = workspace.c_end - c
    replaced: Float64Output = workspace.replaced
    for row in range(workspace.g_end - g):
        if columns > LONG:
            look(columns)
        for column in range(columns):
            total = 1.0
            if gold.frame[g + row] == candidate.frame[c + column]:
                total = 0.0
                shift = candidate.first[c + column] - gold.first[g + row]
                for index in range(gold.first[g + row], gold.first[g + row + 1]):
                    total += price(prices, gold.symbols[index], candidate.symbols[index + shift])
                    if total >= 1.0:
                        total = 1.0
                        break
            replaced[row * columns + column] = total
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def find_steps(costs: Costs, workspace: AlignmentWorkspace) -> cython.int:
    """Fill in the last step of the cheapest way to each pair of prefixes.

    Of ways that cost the same, the one is taken that inserts last; else the one that deletes last.
    """
    rows, columns = workspace.g_end - workspace.g, workspace.c_end - workspace.c
    insertion: cython.double = costs.insertion
    deletion: cython.double = costs.deletion
    cost: Float64Output = workspace.cost
    for j in range(columns + 1):
        cost[j] = j * deletion
    for i in range(1, rows + 1):
        if columns > LONG:
            look(columns)
        diagonal = cost[0]
        cost[0] = i * insertion
        for j in range(1, columns + 1):
            best, step = cost[j] + insertion, INSERT
            if cost[j - 1] + deletion < best:
                best, step = cost[j - 1] + deletion, DELETE
            if diagonal + workspace.replaced[(i - 1) * columns + j - 1] < best:
                best, step = diagonal + workspace.replaced[(i - 1) * columns + j - 1], REPLACE
            diagonal = cost[j]
            cost[j] = best
            workspace.steps[i * (columns + 1) + j] = step
    return 0


@cython.cfunc
@cython.nogil
def follow_steps(workspace: AlignmentWorkspace, alignment: Alignment) -> cython.void:
    """Note which events of two runs stand for each other, by following the steps backwards."""
    columns, i = workspace.c_end - workspace.c, workspace.g_end - workspace.g
    j: cython.Py_ssize_t = columns
    while i > 0 and j > 0:
        step = workspace.steps[i * (columns + 1) + j]
        if step == INSERT:
            i -= 1
        elif step == DELETE:
            j -= 1
        else:
            i -= 1
            j -= 1
            alignment.partner[workspace.g + i] = workspace.c + j
            alignment.gold_edits[workspace.g + i] = workspace.replaced[i * columns + j]
            alignment.candidate_edits[workspace.c + j] = 0.0


def closing_edits(
    offsets: Int64Array,
    difference: Int32Array,
    insertion: cython.double,
    deletion: cython.double,
    edits: Float64Output,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Fill in the cost of the closing brackets of the sentences ``first`` to ``last - 1``.

    ``difference`` has for each token the number of brackets that are inserted after it, or deleted where
    it is below 0. ``insertion`` and ``deletion`` are the costs of one bracket.
    """
    longest: int = int(np.abs(difference[offsets[first] : offsets[last]]).max(initial=0))
    # The number of runs of inserted brackets, and of deleted ones, by their lengths.
    inserted: Int32Output = np.empty(longest + 1, np.int32)
    deleted: Int32Output = np.empty(longest + 1, np.int32)
    with cython.nogil:
        for sentence in range(first, last):
            edits[sentence] = 0.0
            n = m = 0
            for token in range(offsets[sentence], offsets[sentence + 1]):
                if difference[token] > 0:
                    edits[sentence] += difference[token] * insertion
                    n = max(n, difference[token])
                elif difference[token] < 0:
                    edits[sentence] -= difference[token] * deletion
                    m = max(m, -difference[token])
            if n < 2 or m < 2:
                continue
            for run in range(n + 1):
                inserted[run] = 0
            for run in range(m + 1):
                deleted[run] = 0
            for token in range(offsets[sentence], offsets[sentence + 1]):
                if difference[token] > 0:
                    inserted[difference[token]] += 1
                elif difference[token] < 0:
                    deleted[-difference[token]] += 1
            while True:
                while n > 0 and inserted[n] == 0:
                    n -= 1
                while m > 0 and deleted[m] == 0:
                    m -= 1
                r = min(n, m)
                if r < 2:
                    break
                inserted[n] -= 1
                inserted[n - r] += 1
                deleted[m] -= 1
                deleted[m - r] += 1
                edits[sentence] -= (r - 1) * (insertion + deletion)
