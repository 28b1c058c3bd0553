"""Engine that runs the programs of tree patterns: see ``converters.patterns.program``."""

from __future__ import annotations

# Compiled with -O3: see setup.py.
import cython
import numpy as np
from cython.cimports.crossbank.converters.loops.preorder import PreOrder
from cython.cimports.crossbank.treebanks.arrays import (
    BoolMatrix,
    Int32Array,
    Int32Matrix,
    Int32MatrixOutput,
    Int32Output,
    Int64Array,
)
from cython.cimports.crossbank.treebanks.loops.interrupts import look
from numpy.typing import NDArray

from crossbank.converters.patterns.program import OPERATORS, Instruction

LABELLED = cython.declare(cython.int, int(Instruction.LABELLED))
SERVES = cython.declare(cython.int, int(Instruction.SERVES))
RELATE = cython.declare(cython.int, int(Instruction.RELATE))
NAME = cython.declare(cython.int, int(Instruction.NAME))
FORGET = cython.declare(cython.int, int(Instruction.FORGET))
SAME = cython.declare(cython.int, int(Instruction.SAME))
LOAD = cython.declare(cython.int, int(Instruction.LOAD))
GO = cython.declare(cython.int, int(Instruction.GO))
ONCE = cython.declare(cython.int, int(Instruction.ONCE))
STOP = cython.declare(cython.int, int(Instruction.STOP))
ACCEPT = cython.declare(cython.int, int(Instruction.ACCEPT))

PARENT_OF = cython.declare(cython.int, OPERATORS["<"])
CHILD_OF = cython.declare(cython.int, OPERATORS[">"])
HAS_NTH = cython.declare(cython.int, OPERATORS["<N"])
IS_NTH = cython.declare(cython.int, OPERATORS[">N"])
HAS_NTH_LAST = cython.declare(cython.int, OPERATORS["<-N"])
HAS_ONLY = cython.declare(cython.int, OPERATORS["<:"])
IS_ONLY = cython.declare(cython.int, OPERATORS[">:"])
HAS_HEAD = cython.declare(cython.int, OPERATORS["<#"])
IS_HEAD = cython.declare(cython.int, OPERATORS[">#"])
DOMINATES = cython.declare(cython.int, OPERATORS["<<"])
DOMINATED = cython.declare(cython.int, OPERATORS[">>"])
HAS_LEFTMOST = cython.declare(cython.int, OPERATORS["<<,"])
IS_LEFTMOST = cython.declare(cython.int, OPERATORS[">>,"])
HAS_RIGHTMOST = cython.declare(cython.int, OPERATORS["<<'"])
IS_RIGHTMOST = cython.declare(cython.int, OPERATORS[">>'"])
HAS_SINGLE = cython.declare(cython.int, OPERATORS["<<:"])
IS_SINGLE = cython.declare(cython.int, OPERATORS[">>:"])
HAS_DEEP_HEAD = cython.declare(cython.int, OPERATORS["<<#"])
IS_DEEP_HEAD = cython.declare(cython.int, OPERATORS[">>#"])
HAS_BY_CHAIN = cython.declare(cython.int, OPERATORS["<+(C)"])
IS_BY_CHAIN = cython.declare(cython.int, OPERATORS[">+(C)"])
RIGHT_BEFORE = cython.declare(cython.int, OPERATORS["."])
RIGHT_AFTER = cython.declare(cython.int, OPERATORS[","])
BEFORE = cython.declare(cython.int, OPERATORS[".."])
AFTER = cython.declare(cython.int, OPERATORS[",,"])
SISTER = cython.declare(cython.int, OPERATORS["$"])
NEXT_SISTER = cython.declare(cython.int, OPERATORS["$."])
PREVIOUS_SISTER = cython.declare(cython.int, OPERATORS["$,"])
LATER_SISTER = cython.declare(cython.int, OPERATORS["$.."])
EARLIER_SISTER = cython.declare(cython.int, OPERATORS["$,,"])
FIRST_OF_EDGES = cython.declare(cython.int, OPERATORS[">~"])
HAS_EDGE_TO = cython.declare(cython.int, OPERATORS[">~"])
HAS_LABELLED_EDGE_TO = cython.declare(cython.int, OPERATORS[">~F"])
HAS_LABELLED_EDGE_FROM = cython.declare(cython.int, OPERATORS["<~F"])

MAX_PROGRAMS = 63
"""The number of programs that are searched for together at most."""

# After this many steps the engine checks for signals.
LONG = cython.declare(cython.longlong, 4096)


@cython.cclass
class Machine:
    """A program, and the state in which it is.

    code      its instructions, ``(instruction, a, b, c, d)``, shape ``(instructions, 5)``
    sets      which strings are in each of its sets, shape ``(sets, strings)``
    register  the position in each register
    named     the position with each name, or -1
    choices   a stack of instructions that can go on in another way: where to go on is known from the
              instruction and the registers; NOT and ONCE lie on it as marks
    height    how many they are
    at        the instruction that comes next
    steps     instructions since it last checked for signals, and positions that they passed
    """

    code: Int32Matrix
    sets: BoolMatrix
    register: Int32Output
    named: Int32Output
    choices: Int32Output
    height: cython.Py_ssize_t
    at: cython.Py_ssize_t
    steps: cython.longlong

    def __init__(self, code: Int32Matrix, sets: BoolMatrix, registers: int, names: int) -> None:
        self.code, self.sets = code, sets
        self.register, self.named = np.zeros(registers, np.int32), np.zeros(names, np.int32)
        self.choices = np.zeros(len(code) + 1, np.int32)
        self.height = self.at = self.steps = 0


@cython.dataclasses.dataclass(eq=False, repr=False)
class Begins:
    """Beginnings of programs that are searched for together, at most ``MAX_PROGRAMS`` of them.

    first      the first instruction of each
    own        the programs, as bits, that a position with each string as its label can match
    above      those that a position can match whose parent has it
    some       those that ask for a child, and for which a child can have it
    every      those that a position can match of which a child has it
    root       those that a position without a parent can match
    childless  those that ask for no child
    """

    first: Int32Array
    own: Int64Array
    above: Int64Array
    some: Int64Array
    every: Int64Array
    root: cython.longlong
    childless: cython.longlong

    @cython.cfunc
    @cython.nogil
    def at(self, trees: PreOrder, index: cython.int) -> cython.longlong:
        """Return the programs that a position can match by its label, its parent's and its children's."""
        programs: cython.longlong = self.own[trees.label[index]]
        if programs:
            above: cython.int = trees.parent[index]
            programs &= self.above[trees.label[above]] if above >= 0 else self.root
        if programs:
            candidates: cython.longlong = self.childless
            child: cython.int = index + 1
            while child <= trees.last[index]:
                candidates |= self.some[trees.label[child]]
                programs &= self.every[trees.label[child]]
                child = trees.last[child] + 1
            programs &= candidates
        return programs


def run(
    machine: Machine,
    trees: PreOrder,
    begins: Begins,
    first_only: cython.bint,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> NDArray[np.int32]:
    """Return the matches of programs in the sentences ``first`` to ``last - 1``, with their named positions.

    With ``first_only`` each position is returned once, with the first positions for the names; without, once
    for each choice of them. Shape ``(matches, 2 + names)``: the program's number, the position, and those of
    the names.
    """
    names: cython.Py_ssize_t = machine.named.shape[0]
    rows: Int32MatrixOutput = np.empty((1024, 2 + names), np.int32)
    count: cython.Py_ssize_t = 0
    with cython.nogil:
        for sentence in range(first, last):
            for index in range(trees.offsets[sentence], trees.offsets[sentence + 1]):
                programs = begins.at(trees, cython.cast(cython.int, index))
                number = 0
                while programs:
                    if programs & 1:
                        machine.register[0] = cython.cast(cython.int, index)
                        for name in range(names):
                            machine.named[name] = -1
                        machine.height, machine.at = 0, begins.first[number]
                        again = False
                        while go_on(machine, trees, sentence, again):
                            if count == rows.shape[0]:
                                with cython.gil:
                                    rows = np.concatenate((rows, np.empty_like(rows)))
                            rows[count, 0] = number
                            rows[count, 1] = cython.cast(cython.int, index)
                            for name in range(names):
                                rows[count, 2 + name] = machine.named[name]
                            count += 1
                            again = True
                            if first_only:
                                break
                    programs >>= 1
                    number += 1
    return np.asarray(rows)[:count].copy()


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def go_on(machine: Machine, trees: PreOrder, sentence: cython.Py_ssize_t, again: cython.bint) -> cython.int:
    """Run a program until it fits or can go on no more; with ``again`` in the way after the last.

    Returns whether it fits.
    """
    if again and not take_choice(machine):
        return False
    while True:
        if machine.steps >= LONG:
            look(machine.steps)
            machine.steps = 0
        machine.steps += 1
        kind = machine.code[machine.at, 0]
        a, b = machine.code[machine.at, 1], machine.code[machine.at, 2]
        fits: cython.bint = True
        if kind == RELATE:
            index = related(
                trees, sentence, machine.code[machine.at, 3], machine.code[machine.at, 4], machine.sets,
                machine.register[a], machine.register[b] if again else -1,
            )  # fmt: skip
            fits = index >= 0
            if machine.code[machine.at, 3] == BEFORE or machine.code[machine.at, 3] == AFTER:
                machine.steps += trees.offsets[sentence + 1] - trees.offsets[sentence]
            machine.register[b] = index
            if fits:
                push(machine)
            machine.at += 1
        elif again:
            fits = kind != ONCE  # the others are EITHER and NOT
            machine.at = b
        elif kind == LABELLED:
            fits = machine.sets[b, trees.label[machine.register[a]]]
            machine.at += 1
        elif kind == SERVES:
            fits = machine.sets[b, trees.function[machine.register[a]]]
            machine.at += 1
        elif kind == NAME:
            machine.named[b] = machine.register[a]
            machine.at += 1
        elif kind == FORGET:
            machine.named[b] = -1
            machine.at += 1
        elif kind == SAME:
            fits = machine.named[b] == machine.register[a]
            machine.at += 1
        elif kind == LOAD:
            fits = machine.named[b] >= 0
            machine.register[a] = machine.named[b]
            machine.at += 1
        elif kind == GO:
            machine.at = b
        elif kind == STOP:
            while machine.choices[machine.height - 1] != b:
                machine.height -= 1
            machine.height -= 1
            fits = machine.code[b, 0] == ONCE
            machine.at += 1
        elif kind == ACCEPT:
            return True
        else:  # EITHER, NOT, ONCE
            push(machine)
            machine.at += 1
        again = not fits
        if again and not take_choice(machine):
            return False


@cython.cfunc
@cython.nogil
def push(machine: Machine) -> cython.void:
    """Remember that the instruction can go on in another way."""
    machine.choices[machine.height] = cython.cast(cython.int, machine.at)
    machine.height += 1


@cython.cfunc
@cython.nogil
def take_choice(machine: Machine) -> cython.bint:
    """Go back to the latest choice. Returns whether there is one."""
    if machine.height == 0:
        return False
    machine.height -= 1
    machine.at = machine.choices[machine.height]
    return True


@cython.cfunc
@cython.nogil
def related(
    trees: PreOrder,
    sentence: cython.Py_ssize_t,
    operator: cython.int,
    number: cython.int,
    sets: BoolMatrix,
    index: cython.int,
    latest: cython.int,
) -> cython.int:
    """Return the next position in a relation to ``index`` after the ``latest`` one, or -1.

    ``latest`` is -1 before the first. A word has no relations: they start at nodes and tags,
    as in NLTK, whose words are strings.
    """
    begin: cython.int = cython.cast(cython.int, trees.offsets[sentence])
    stop: cython.int = cython.cast(cython.int, trees.offsets[sentence + 1])
    first: cython.bint = latest < 0
    here: cython.int = index if first else latest
    if trees.last_child[index] < 0:
        return -1

    if operator == PARENT_OF:
        other = index + 1 if first else trees.last[latest] + 1
        return other if other <= trees.last[index] else -1
    if operator == DOMINATES:
        return here + 1 if here < trees.last[index] else -1
    if operator == HAS_BY_CHAIN:
        other = here + 1 if first or sets[number, trees.label[here]] else trees.last[here] + 1
        return other if other <= trees.last[index] else -1
    if operator == HAS_LEFTMOST:
        return here + 1 if trees.last[here] > here else -1
    if operator == HAS_RIGHTMOST:
        return trees.last_child[here]
    if operator == HAS_SINGLE:
        return here + 1 if trees.last[here] > here and trees.last_child[here] == here + 1 else -1
    if operator == HAS_DEEP_HEAD:
        return trees.head_child(here)

    if operator == DOMINATED:
        return trees.parent[here]
    if operator == IS_BY_CHAIN:
        return trees.parent[here] if first or sets[number, trees.label[here]] else -1
    if operator == IS_LEFTMOST:
        return trees.parent[here] if trees.parent[here] == here - 1 else -1
    if operator == IS_RIGHTMOST:
        above = trees.parent[here]
        return above if above >= 0 and trees.last[above] == trees.last[here] else -1
    if operator == IS_SINGLE:
        return trees.parent[here] if is_only_child(trees, here) else -1
    if operator == IS_DEEP_HEAD:
        return trees.parent[here] if is_head_child(trees, here) else -1

    if operator >= FIRST_OF_EDGES:
        downward: cython.bint = operator in (HAS_EDGE_TO, HAS_LABELLED_EDGE_TO)
        labelled: cython.bint = operator in (HAS_LABELLED_EDGE_TO, HAS_LABELLED_EDGE_FROM)
        nearest: cython.int = -1
        for edge in range(trees.edge_offsets[sentence], trees.edge_offsets[sentence + 1]):
            start = trees.edge_parent[edge] if downward else trees.edge_child[edge]
            other = trees.edge_child[edge] if downward else trees.edge_parent[edge]
            if start == index and other > latest and (nearest < 0 or other < nearest):
                nearest = nearest if labelled and not sets[number, trees.edge_label[edge]] else other
        return nearest

    if operator == RIGHT_BEFORE:
        if not first:
            above = trees.parent[here]
            return above if above >= 0 and trees.begin[above] == trees.begin[here] else -1
        other = trees.end[index]
        return trees.word[other] if other < trees.token_offsets[sentence + 1] else -1
    if operator == RIGHT_AFTER:
        if not first:
            above = trees.parent[here]
            return above if above >= 0 and trees.end[above] == trees.end[here] else -1
        other = trees.begin[index] - 1
        return trees.word[other] if other >= trees.token_offsets[sentence] else -1
    if operator == BEFORE:
        # In pre-order the search begins after all descendants of the position, unless branches cross.
        other = here + 1
        if first:
            other = begin if trees.crossing[sentence] else trees.last[index] + 1
        while other < stop and trees.begin[other] < trees.end[index]:
            other += 1
        return other if other < stop else -1
    if operator == AFTER:
        other = begin if first else here + 1
        if not trees.crossing[sentence]:
            stop = index
        while other < stop and trees.end[other] > trees.begin[index]:
            other += 1
        return other if other < stop else -1
    return sister(trees, sentence, operator, number, index, latest)


@cython.cfunc
@cython.nogil
def sister(
    trees: PreOrder,
    sentence: cython.Py_ssize_t,
    operator: cython.int,
    number: cython.int,
    index: cython.int,
    latest: cython.int,
) -> cython.int:
    """Return the next position in a relation to sisters, or with one target at most: as in ``related``."""
    first: cython.bint = latest < 0
    here: cython.int = index if first else latest
    above: cython.int = trees.parent[index]
    last_inside: cython.int = cython.cast(cython.int, trees.offsets[sentence + 1] - 1)
    if above >= 0:
        last_inside = trees.last[above]
    if operator == SISTER:
        other = trees.last[here] + 1
        if first:
            other = above + 1 if above >= 0 else cython.cast(cython.int, trees.offsets[sentence])
        if other == index:
            other = trees.last[index] + 1
        return other if other <= last_inside else -1
    if operator == LATER_SISTER:
        return trees.last[here] + 1 if trees.last[here] < last_inside else -1
    if operator == EARLIER_SISTER:
        return trees.previous[here]

    if not first:
        return -1
    if operator == CHILD_OF:
        return above
    if operator == NEXT_SISTER:
        return trees.last[index] + 1 if trees.last[index] < last_inside else -1
    if operator == PREVIOUS_SISTER:
        return trees.previous[index]
    if operator == HAS_ONLY:
        return index + 1 if trees.last_child[index] == index + 1 else -1
    if operator == IS_ONLY:
        return above if is_only_child(trees, index) else -1
    if operator == HAS_HEAD:
        return trees.head_child(index)
    if operator == IS_HEAD:
        return above if is_head_child(trees, index) else -1
    if operator == HAS_NTH:
        other = index + 1
        while number > 1 and other <= trees.last[index]:
            other = trees.last[other] + 1
            number -= 1
        return other if other <= trees.last[index] else -1
    if operator == HAS_NTH_LAST:
        other = trees.last_child[index]
        while number > 1 and other >= 0:
            other = trees.previous[other]
            number -= 1
        return other
    if above < 0:
        return -1
    other = index
    if operator == IS_NTH:
        while number > 1 and other >= 0:
            other = trees.previous[other]
            number -= 1
        return above if other >= 0 and trees.previous[other] < 0 else -1
    while number > 1 and trees.last[other] < last_inside:  # IS_NTH_LAST
        other = trees.last[other] + 1
        number -= 1
    return above if number == 1 and trees.last[other] == last_inside else -1


@cython.cfunc
@cython.nogil
def is_only_child(trees: PreOrder, index: cython.int) -> cython.bint:
    """Return whether a place has no sisters."""
    above: cython.int = trees.parent[index]
    return above >= 0 and above == index - 1 and trees.last[above] == trees.last[index]


@cython.cfunc
@cython.nogil
def is_head_child(trees: PreOrder, index: cython.int) -> cython.bint:
    """Return whether a place has the lexical head of its parent."""
    above: cython.int = trees.parent[index]
    return above >= 0 and trees.head[above] >= 0 and trees.head[above] == trees.head[index]
