"""Tree patterns as flat programs, which the matching engine runs.

A program is a list of instructions. Its registers hold positions of a tree. It runs from the first
instruction to the last. Where a test fails, it goes back to the latest choice and tries the next way,
as Prolog does. Register 0 is the position that is matched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import partial

import numpy as np
from numpy.typing import NDArray

from crossbank.converters.patterns.syntax import (
    RELATIONS,
    All,
    Alternative,
    Any,
    Condition,
    Label,
    NodeRelation,
    Not,
    Pattern,
    PatternError,
    parse,
)
from crossbank.treebanks.arrays import BoolArray, Int32Array
from crossbank.treebanks.vocabulary import Vocabulary


class Instruction(IntEnum):
    """Effect of an instruction; ``a`` to ``d`` are its operands.

    LABELLED  fail unless the label of register a is in set b
    SERVES    fail unless the function of register a is in set b
    RELATE    put the positions in a relation to register a into register b, one after the other;
              c: the relation, d: its number or the set of its chain
    NAME      give name b to the position in register a
    FORGET    take name b away
    SAME      fail unless register a has name b
    LOAD      put the position with name b into register a; fail if there is none
    EITHER    go on; if that fails, go on at b
    GO        go on at b
    NOT       go on up to STOP; if STOP is reached, fail, else go on at b
    ONCE      go on up to STOP; if STOP is reached, go on after it and try no other way up to there
    STOP      the end of the NOT or ONCE at b
    ACCEPT     the pattern fits
    """

    LABELLED = 0
    SERVES = 1
    RELATE = 2
    NAME = 3
    FORGET = 4
    SAME = 5
    LOAD = 6
    EITHER = 7
    GO = 8
    NOT = 9
    ONCE = 10
    STOP = 11
    ACCEPT = 12


OPERATORS = {operator: code for code, operator in enumerate(RELATIONS)}
"""The number of each relation in programs."""

WITH_LABELS = tuple(code for operator, code in OPERATORS.items() if operator.endswith(("(C)", "F")))
"""The relations that have a set of labels for their number: those of a chain's nodes, or an edge's."""

TO_CHILDREN = tuple(OPERATORS[operator] for operator in ("<", "<N", "<-N", "<:", "<#"))
TO_PARENTS = tuple(OPERATORS[operator] for operator in (">", ">N", ">-N", ">:", ">#"))

LEADING = (Instruction.EITHER, Instruction.GO, Instruction.NOT, Instruction.ONCE, Instruction.STOP)
"""The instructions whose operand b is an instruction."""

PLAIN = [Instruction.ONCE, Instruction.RELATE, Instruction.LABELLED, Instruction.STOP, Instruction.STOP]
"""The instructions after NOT that exclude a relation to any position with certain labels."""


@dataclass(eq=False)
class PatternProgram:
    """A pattern as a program.

    code       the instructions, ``(instruction, a, b, c, d)``, shape ``(instructions, 5)``
    labels     the labels of each set
    registers  the number of registers
    names      the names of nodes, by number
    begins     the first instruction: several programs that are ``together`` have several
    """

    code: Int32Array
    labels: tuple[tuple[Label, ...], ...]
    registers: int
    names: tuple[str, ...]
    begins: tuple[int, ...] = (0,)

    @staticmethod
    def together(programs: Sequence[PatternProgram]) -> PatternProgram:
        """Return one program with some programs one after the other.

        ``names`` are those of the program with the most names.
        """
        codes, labels, begins = list[Int32Array](), list[tuple[Label, ...]](), list[int]()
        for program in programs:
            begin, code = sum(len(code) for code in codes), program.code.copy()
            operation, relation = code[:, 0], code[:, 3]
            code[np.isin(operation, LEADING), 2] += begin
            code[np.isin(operation, (Instruction.LABELLED, Instruction.SERVES)), 2] += len(labels)
            with_labels = (operation == Instruction.RELATE) & np.isin(relation, WITH_LABELS)
            code[with_labels, 4] += len(labels)
            codes.append(code)
            labels += program.labels
            begins.append(begin)
        registers = max(program.registers for program in programs)
        names = max((program.names for program in programs), key=len)
        return PatternProgram(np.concatenate(codes), tuple(labels), registers, names, tuple(begins))

    def asks(self, begin: int) -> Iterator[tuple[str, int]]:
        """Yield the labels that the program that begins there requires at its position and around it.

        Pairs of a relation (``<``, ``>``, ``!<`` and, for the position itself, an empty string) and of the
        set that has the label. Few positions pass, and only there the engine runs the program.
        """
        at = begin
        while True:
            (operation, a, b, c, _), following = self.code[at].tolist(), self.code[at + 1 : at + 6].tolist()
            if operation == Instruction.LABELLED and a == 0:
                yield "", b
            elif operation == Instruction.RELATE and a == 0 and following[0][:2] == [Instruction.LABELLED, b]:
                if c in TO_CHILDREN or c in TO_PARENTS:
                    yield "<" if c in TO_CHILDREN else ">", following[0][2]
            elif operation == Instruction.NOT:
                (_, of, _, relation, _), (_, _, accepted, _, _) = following[1:3]
                if [one[0] for one in following] == PLAIN and (of, relation) == (0, OPERATORS["<"]):
                    yield "!<", accepted
                at = b - 1
            elif operation in (Instruction.EITHER, Instruction.ACCEPT):
                return
            at += 1

    def needs_functions(self) -> bool:
        """Return whether the pattern matches nothing in trees without functions, whatever their labels."""
        reached, following = set[int](), [*self.begins]
        while following:
            at = following.pop()
            operation, _, b, _, _ = self.code[at].tolist()
            if operation == Instruction.ACCEPT:
                return False
            if at in reached or (
                operation == Instruction.SERVES and not any(label.accepts("") for label in self.labels[b])
            ):
                continue
            reached.add(at)
            # What a NOT excludes may be absent.
            following += [b] * (operation in (Instruction.EITHER, Instruction.GO, Instruction.NOT))
            following += [at + 1] * (operation not in (Instruction.GO, Instruction.NOT))
        return True

    def heads(self) -> list[str]:
        """Return the operators of the pattern that ask for lexical heads: ``<#``."""
        related = self.code[self.code[:, 0] == Instruction.RELATE, 3]
        return [operator for operator in RELATIONS if "#" in operator and OPERATORS[operator] in related]

    def sets(self, vocabulary: Vocabulary, known: dict[Label, BoolArray]) -> NDArray[np.bool_]:
        """Return the strings of a vocabulary that are in each set, as masks, shape ``(sets, strings)``.

        Each label is tried once on each string; ``known`` keeps the answers for further programs.
        """
        sets = np.zeros((max(len(self.labels), 1), len(vocabulary)), np.bool_)
        for row, labels in zip(sets, self.labels, strict=False):
            for label in labels:
                if label.literal is not None:
                    code = vocabulary.code(label.literal)
                    row[max(code, 0)] |= code >= 0
                else:
                    if label not in known:
                        known[label] = vocabulary.matching(label.accepts)
                    row |= known[label]
        return sets

    def literals(self) -> list[str]:
        """Return the labels that the pattern names unchanged, without those of functions and chains."""
        tested = self.code[self.code[:, 0] == Instruction.LABELLED, 2].tolist()
        return sorted({label.literal for row in tested for label in self.labels[row] if label.literal})

    def absent(self, vocabulary: Vocabulary) -> list[str]:
        """Return the labels, words and functions of the pattern that no string of a vocabulary is."""
        every = {label for labels in self.labels for label in labels if label.written}
        lacking = {one.written for one in every if not vocabulary.matching(one.accepts).any()}
        there = {one.written for one in every} - lacking
        # NP-SBJ may be an NP with the function SBJ.
        return sorted(one for one in lacking if one.partition("-")[0] not in there)


def compile_pattern(text: str, macros: Mapping[str, Pattern] | None = None) -> PatternProgram:
    """Compile a pattern. Raises PatternError if the pattern is wrong or uses an unknown name."""
    patterns = parse(text, macros)
    compiler = _Compiler(text)
    compiler.node(tuple(Alternative(group=pattern) for pattern in patterns), 0)
    compiler.emit(Instruction.ACCEPT)
    return PatternProgram(
        np.array(compiler.code, np.int32), tuple(compiler.labels), compiler.registers, tuple(compiler.names)
    )


class _Compiler:
    """Emits instructions; ``known`` are the names that may be referred to at this point."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.code: list[tuple[int, int, int, int, int]] = []
        self.labels: list[tuple[Label, ...]] = []
        self.registers = 1
        self.names: list[str] = []
        self.known: set[str] = set()

    # Instructions

    def emit(self, instruction: Instruction, a: int = 0, b: int = 0, c: int = 0, d: int = 0) -> int:
        self.code.append((instruction, a, b, c, d))
        return len(self.code) - 1

    def leads_here(self, instruction: int) -> None:
        operation, a, _, c, d = self.code[instruction]
        self.code[instruction] = (operation, a, len(self.code), c, d)

    def register(self) -> int:
        self.registers += 1
        return self.registers - 1

    def set_of(self, labels: tuple[Label, ...]) -> int:
        if labels not in self.labels:
            self.labels.append(labels)
        return self.labels.index(labels)

    def name(self, name: str) -> int:
        if name not in self.names:
            self.names.append(name)
        return self.names.index(name)

    def reference(self, name: str, offset: int) -> int:
        if name not in self.known:
            known = ", ".join(sorted(self.known)) or "there is none"
            raise PatternError(self.text, offset, f"the name {name!r}", f"one given before: {known}")
        return self.name(name)

    # The parts of a pattern

    def pattern(self, pattern: Pattern, register: int) -> None:
        self.node(pattern.node, register)
        if pattern.condition:
            self.condition(pattern.condition, register)
        for segment in pattern.segments:
            node = self.register()
            self.emit(Instruction.LOAD, node, self.reference(segment.reference, segment.offset))
            if segment.condition:
                self.condition(segment.condition, node)

    def node(self, alternatives: Sequence[Alternative], register: int) -> None:
        """Test the label first, before all other things that alternatives ask for: most nodes fail there."""
        labels = _labels(alternatives)
        if labels:
            self.emit(Instruction.LABELLED, register, self.set_of(labels))
        name = alternatives[0].name
        if labels and all(replace(a, label=None, offset=0) == Alternative(name=name) for a in alternatives):
            self.named(alternatives[0], register)
        else:
            self.either([partial(self.alternative, a, register) for a in alternatives])

    def alternative(self, alternative: Alternative, register: int) -> None:
        if alternative.label:
            self.emit(Instruction.LABELLED, register, self.set_of((alternative.label,)))
        for function in alternative.functions:
            self.emit(Instruction.SERVES, register, self.set_of((function,)))
        if alternative.reference:
            name = self.reference(alternative.reference, alternative.offset)
            self.emit(Instruction.SAME, register, name)
        if alternative.group:
            self.pattern(alternative.group, register)
        self.named(alternative, register)

    def named(self, alternative: Alternative, register: int) -> None:
        if alternative.name:
            self.emit(Instruction.NAME, register, self.name(alternative.name))
            self.known.add(alternative.name)

    def condition(self, condition: Condition, register: int) -> None:
        match condition:
            case All(parts):
                for part in parts:
                    self.condition(part, register)
            case Any(parts):
                ways = [partial(self.condition, part, register) for part in parts]
                self.once_unless_naming(partial(self.either, ways))
            case Not(part):
                self.negation(part, register)
            case NodeRelation():
                self.once_unless_naming(partial(self.relation, condition, register))

    def relation(self, relation: NodeRelation, register: int) -> None:
        node = self.register()
        labels = tuple(a.label for a in relation.chain if a.label)
        number = self.set_of(labels) if relation.chain else relation.number
        self.emit(Instruction.RELATE, register, node, OPERATORS[relation.operator], number)
        self.node(relation.target, node)

    def either(self, ways: Sequence[Callable[[], None]]) -> None:
        """Try one way after the other; names that an earlier way has given are taken away in a later one."""
        before, named, ends = self.known, set[str](), []
        for way in ways[:-1]:
            choice = self.emit(Instruction.EITHER)
            named |= self.one_way(way, before, named)
            ends.append(self.emit(Instruction.GO))
            self.leads_here(choice)
        named |= self.one_way(ways[-1], before, named)
        self.known = before | named
        for end in ends:
            self.leads_here(end)

    def one_way(self, way: Callable[[], None], before: set[str], forgotten: set[str]) -> set[str]:
        for name in sorted(forgotten):
            self.emit(Instruction.FORGET, 0, self.name(name))
        self.known = set(before)
        way()
        return self.known - before

    def negation(self, condition: Condition, register: int) -> None:
        """Compile a negation; names that are defined inside are valid only inside."""
        before = set(self.known)
        start = self.emit(Instruction.NOT)
        self.condition(condition, register)
        self.emit(Instruction.STOP, 0, start)
        self.leads_here(start)
        for name in sorted(self.known - before):
            self.emit(Instruction.FORGET, 0, self.name(name))
        self.known = before

    def once_unless_naming(self, part: Callable[[], None]) -> None:
        """Try other ways to fulfil a condition only where they give names to other nodes."""
        start = self.emit(Instruction.ONCE)
        part()
        if any(instruction == Instruction.NAME for instruction, *_ in self.code[start:]):
            self.code[start] = (Instruction.GO, 0, start + 1, 0, 0)
        else:
            self.emit(Instruction.STOP, 0, start)


def _labels(alternatives: Sequence[Alternative]) -> tuple[Label, ...]:
    """Return the labels that a node can have; none where it can have any label."""
    literals: list[Label] = []
    for alternative in alternatives:
        labels = [alternative.label] if alternative.label else []
        if alternative.group:
            labels = list(_labels(alternative.group.node))
        if not labels:
            return ()
        literals += labels
    return tuple(dict.fromkeys(literals))
