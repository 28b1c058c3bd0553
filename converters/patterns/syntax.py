"""Tree patterns in the notation of tgrep and Tregex, read into a syntax tree.

A pattern describes a node and its relations to other nodes::

    NP < (NN . PP)          an NP with a child NN that comes right before a PP
    VP !<< /^VB/            a VP that dominates nothing whose label begins with VB
    S < NP=n < (VP , =n)    names: the VP follows that very NP

Nodes     ``NP``, ``"PRP$"``, ``/^VB[DZ]$/``, ``*`` or ``__`` for any, ``i@"the"`` in any case;
          alternatives ``NP|VP``; ``NP=name`` names a node, ``=name`` is the node of that name;
          ``NP^SBJ``, ``*^/^(SB|SP)$/``: a node and its function, the label of the edge above it;
          ``NP^*`` has some function, ``NP!^SBJ`` has another or none; ``NP-SBJ`` is a node of that label, or
          an NP with the function SBJ
Relations ``A < B`` and so on (``RELATIONS``), all of which start at A; ``!`` negates, ``&`` or
          nothing joins, ``|`` separates alternatives, ``[`` and ``]`` group
Edges     ``S >SB NP``, as in TIGERSearch: an S over an NP whose function is SB, ``S < NP^SB``. No space is
          between ``>`` and the function, and a node follows it; ``S > SB`` is an S under an SB;
          ``S >~ NP``, ``S >~SB NP``: the same of a secondary edge
Groups    ``(NP < NN)`` is a node with the relations inside
Segments  ``S < NP=n < VP=v : =n .. =v`` says more about a node that was named before
Macros    ``@ NOUN /^NN/; NP < @NOUN``; ``;`` separates several patterns; comments begin with ``#``

Source: the TGrep2 manual (D. Rohde 2005) and NLTK's ``nltk.tgrep``, with which results agree. The
relations about heads (``<#``) and chains (``<+(VP)``) come from Tregex (Levy and Andrew 2006). There are
three differences from NLTK. If several nodes fit a name, the name stands for any of them that makes the
whole pattern fit. ``^`` is an addition. NLTK's ``N(0,1)``, a node by its position, is omitted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TypeAlias

from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.tables import LARGEST, whole_number


class PatternError(CrossbankError):
    """A pattern that cannot be parsed: one sentence, then its line with a caret below the character."""

    def __init__(self, text: str, offset: int, actual: str, expected: str) -> None:
        self.offset, self.actual, self.expected = offset, actual, expected
        begin = text.rfind("\n", 0, offset) + 1
        line = text[begin:].split("\n", 1)[0]
        super().__init__(f"pattern: found {actual}, expected {expected}\n{line}\n{' ' * (offset - begin)}^")


RELATIONS: dict[str, str] = {
    "<": "A is the parent of B",
    ">": "A is a child of B",
    "<N": "B is the Nth child of A, from 1",
    ">N": "A is the Nth child of B",
    "<,": "B is the first child of A",
    ">,": "A is the first child of B",
    "<-N": "B is the Nth child of A from the right",
    ">-N": "A is the Nth child of B from the right",
    "<-": "B is the last child of A",
    ">-": "A is the last child of B",
    "<'": "B is the last child of A",
    ">'": "A is the last child of B",
    "<:": "B is the only child of A",
    ">:": "A is the only child of B",
    "<#": "B is the child of A with the head of A",
    ">#": "A is the child of B with the head of B",
    "<<": "A dominates B",
    ">>": "A is dominated by B",
    "<<,": "B is a leftmost descendant of A",
    "<<1": "B is a leftmost descendant of A",
    ">>,": "A is a leftmost descendant of B",
    "<<'": "B is a rightmost descendant of A",
    ">>'": "A is a rightmost descendant of B",
    "<<:": "A dominates B, each node between having one child",
    ">>:": "A is dominated by B, each node between having one child",
    "<<#": "B is a descendant of A with the head of A",
    ">>#": "A is a descendant of B with the head of B",
    "<+(C)": "A dominates B, each node between being a C",
    ">+(C)": "A is dominated by B, each node between being a C",
    ".": "A ends right before B begins",
    ",": "A begins right after B ends",
    "..": "A comes before B",
    ",,": "A comes after B",
    "$": "A and B are sisters",
    "$.": "B is the next sister of A",
    "$,": "B is the sister right before A",
    "$..": "B is a later sister of A",
    "$,,": "B is an earlier sister of A",
    ">~": "a secondary edge leads down from A to B",
    "<~": "a secondary edge leads down from B to A",
    ">~F": "a secondary edge with the label F leads down from A to B",
    "<~F": "a secondary edge with the label F leads down from B to A",
}
"""The relations by operator. ``%`` may be written for ``$``."""

SYNONYMS = {"<,": "<1", ">,": ">1", "<'": "<-1", ">'": ">-1", "<-": "<-1", ">-": ">-1", "<<1": "<<,"}


@dataclass(frozen=True)
class Label:
    """Labels that are accepted: what ``accepts`` says of them is true. Equal labels are one object.

    literal  the label, if there is one only
    written  what the pattern has, if that is not a regular expression
    """

    accepts: Callable[[str], object]
    literal: str | None = None
    written: str = ""


@dataclass(frozen=True)
class Alternative:
    """One kind of node: any node unless something is given."""

    label: Label | None = None
    functions: tuple[Label, ...] = ()
    group: Pattern | None = None
    reference: str = ""
    name: str = ""
    offset: int = 0
    quoted: bool = field(default=False, compare=False)


@dataclass(frozen=True)
class NodeRelation:
    """``operator`` as in ``RELATIONS``, ``number`` where it has an N, ``chain`` where it has a C or an F."""

    operator: str
    number: int
    chain: tuple[Alternative, ...]
    target: tuple[Alternative, ...]


@dataclass(frozen=True)
class Not:
    """Negated condition."""

    condition: Condition


@dataclass(frozen=True)
class All:
    """Conditions that must all hold."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True)
class Any:
    """Conditions of which at least one must hold."""

    parts: tuple[Condition, ...]


Condition: TypeAlias = "NodeRelation | Not | All | Any"


@dataclass(frozen=True)
class Segment:
    """More about a node that was named before."""

    reference: str
    condition: Condition | None
    offset: int


@dataclass(frozen=True)
class Pattern:
    """A node, its relations, and more about nodes named in it."""

    node: tuple[Alternative, ...]
    condition: Condition | None = None
    segments: tuple[Segment, ...] = ()


def parse(text: str, macros: Mapping[str, Pattern] | None = None) -> tuple[Pattern, ...]:
    """Return the patterns of a text; ``;`` separates them. ``macros`` are further macros.

    Raises PatternError with the index where the text stops being a pattern.
    """
    return _PatternReader(text, dict(macros or {})).patterns()


MOST_GROUPS = 50
"""The greatest depth of groups inside each other."""

SPACE = re.compile(r"(?:\s+|#[^\n]*)*")
OPERATOR = re.compile(
    r"<\+\(|>\+\(|[<>]~|<<[,':#1]?|>>[,':#]?|<-\d*|>-\d*|<\d+|>\d+|<[,':#]?|>[,':#]?|[$%](?:\.\.|,,|[.,])?|\.\.?|,,?"
)
LITERAL = re.compile(r"[^\]\[ \t\r\n;:.,&|<>()$!@%'^=]+")
NAME = re.compile(r"[A-Za-z0-9_]+")
MACRO_NAME = re.compile(r"[^\];:.,&|<>()\[$!@%'^= \t\r\n]+")
QUOTED = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
REGEX = re.compile(r"/((?:[^/\\\n]|\\.)*)/")


class _PatternReader:
    """Recursive descent, at most ``MOST_GROUPS`` deep."""

    def __init__(self, text: str, macros: dict[str, Pattern]) -> None:
        self.text = text
        self.at = 0
        self.depth = 0
        self.macros = macros
        self.skip()

    # Reading the text

    def skip(self) -> None:
        space = SPACE.match(self.text, self.at)
        self.at = space.end() if space else self.at

    def sees(self, string: str) -> bool:
        return self.text.startswith(string, self.at)

    def takes(self, string: str) -> bool:
        """Return whether ``string`` is next; then it is passed, with the space after it."""
        if not self.sees(string):
            return False
        self.at += len(string)
        self.skip()
        return True

    def match(self, expression: re.Pattern[str]) -> re.Match[str] | None:
        match = expression.match(self.text, self.at)
        if match:
            self.at = match.end()
        return match

    def error(self, expected: str, offset: int | None = None) -> PatternError:
        offset = self.at if offset is None else offset
        rest = self.text[offset:].split(None, 1)
        return PatternError(self.text, offset, repr(rest[0]) if rest else "the end", expected)

    # The parts of a pattern

    def patterns(self) -> tuple[Pattern, ...]:
        patterns: list[Pattern] = []
        while self.at < len(self.text) or not patterns:
            if re.match(r"@\s", self.text[self.at :]):
                self.takes("@")
                name = self.match(MACRO_NAME)
                if name is None:
                    raise self.error("a macro's name")
                self.skip()
                self.macros[name[0]] = self.with_segments()
            else:
                patterns.append(self.with_segments())
            if self.at < len(self.text) and not self.takes(";"):
                raise self.error("a relation such as < or $.., or the end")
            while self.takes(";"):
                pass
        return tuple(patterns)

    def with_segments(self) -> Pattern:
        node, condition = self.node(), self.condition()
        segments = []
        while self.takes(":"):
            offset = self.at
            if not self.takes("="):
                raise self.error("= and the name of a node")
            segments.append(Segment(self.name(), self.condition(), offset))
        return Pattern(node, condition, tuple(segments))

    def node(self) -> tuple[Alternative, ...]:
        self.takes("'")  # tgrep2's mark for the node to print
        alternatives = self.alternatives()
        while self.sees("|"):
            offset = self.at
            self.takes("|")
            if self.at_relation():
                self.at = offset  # an alternative of relations
                break
            alternatives += self.alternatives()
        last = alternatives[-1].name
        if last:
            alternatives = [a if a.name else replace(a, name=last) for a in alternatives]
        return tuple(alternatives)

    def alternatives(self) -> list[Alternative]:
        """Return one kind of node; for ``NP-SBJ`` also an NP with the function SBJ."""
        alternative = self.alternative()
        label = alternative.label.literal if alternative.label and not alternative.quoted else None
        category, dash, function = (label or "").partition("-")
        if label is None or not category or not dash or not function:
            return [alternative]
        functions = (*alternative.functions, _literal(function, False, True))
        return [
            alternative,
            replace(alternative, label=_literal(category, False, False), functions=functions),
        ]

    def alternative(self) -> Alternative:
        offset = self.at
        label = group = None
        quoted = False
        functions: list[Label] = []
        reference = ""
        if self.takes("("):
            group = self.group()
            self.closes(")", offset)
        elif self.takes("="):
            reference = self.name()
        elif self.sees("@"):
            self.at += 1
            macro = self.match(MACRO_NAME)
            if macro is None or macro[0] not in self.macros:
                known = ", ".join(self.macros) or "one that is defined before"
                raise self.error(f"a macro: {known}", offset)
            group = self.macros[macro[0]]
        else:
            quoted = self.sees('"')
            label = self.label()
        while self.sees("^") or self.sees("!^"):
            functions.append(self.function())
        name = ""
        if self.sees("="):
            self.at += 1
            name = self.name()
        self.skip()
        return Alternative(label, tuple(functions), group, reference, name, offset, quoted)

    def function(self) -> Label:
        negated = self.sees("!")
        self.at += 1 + negated
        label = self.label(of_function=True) or _regex(".", False)
        return _other_than(label) if negated else label

    def group(self) -> Pattern:
        self.deeper()
        pattern = self.with_segments()
        self.depth -= 1
        return pattern

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > MOST_GROUPS:
            raise self.error(f"at most {MOST_GROUPS} groups inside each other")

    def closes(self, bracket: str, opened: int) -> None:
        """Pass a closing bracket, but not the space after it, since a name may follow a group."""
        if not self.sees(bracket):
            raise self.error(f"{bracket!r} for the bracket at character {opened + 1}, or a relation")
        self.at += 1

    def name(self) -> str:
        match = self.match(NAME)
        if match is None:
            raise self.error("a name of letters and digits")
        self.skip()
        return match[0]

    def label(self, of_function: bool = False) -> Label | None:
        """Return a literal, a quoted string or a regular expression; None for any label."""
        offset = self.at
        ignore_case = self.sees("i@")
        if ignore_case:
            self.at += 2
        if self.sees("*"):
            self.at += 1
            return None
        if quoted := self.match(QUOTED):
            written = quoted[1].replace('\\"', '"').replace("\\\\", "\\")
            return _literal(written, ignore_case, of_function)
        if regex := self.match(REGEX):
            try:
                return _regex(regex[1], ignore_case)
            except re.error as error:
                at = regex.start(1) + (error.pos or 0)
                raise PatternError(self.text, at, regex[0], f"a regular expression ({error.msg})") from error
        if literal := self.match(LITERAL):
            if literal[0][0] in '"/':
                self.at = literal.start()
                raise self.error(f"a closing {literal[0][0]}", len(self.text))
            if literal[0] == "__":
                return None
            return _literal(literal[0], ignore_case, of_function)
        raise self.error("a node: a label, /regex/, * or a group in parentheses", offset)

    def condition(self) -> Condition | None:
        """Return relations, if there are any: ``&`` binds closer than ``|``."""
        if not self.at_relation():
            return None
        ways = [self.conjunction()]
        while self.takes("|"):
            ways.append(self.conjunction())
        return ways[0] if len(ways) == 1 else Any(tuple(ways))

    def at_relation(self) -> bool:
        return self.sees("!") or self.sees("[") or OPERATOR.match(self.text, self.at) is not None

    def conjunction(self) -> Condition:
        parts = [self.relation()]
        while self.takes("&") or self.at_relation():
            parts.append(self.relation())
        return parts[0] if len(parts) == 1 else All(tuple(parts))

    def relation(self) -> Condition:
        negated = self.takes("!")
        offset = self.at
        condition: Condition
        if self.takes("["):
            self.deeper()
            inner = self.condition()
            self.depth -= 1
            if inner is None:
                raise self.error("a relation such as < or $..")
            self.closes("]", offset)
            self.skip()
            condition = inner
        else:
            condition = self.one_relation()
        return Not(condition) if negated else condition

    def one_relation(self) -> NodeRelation:
        offset = self.at
        match = self.match(OPERATOR)
        if match is None:
            raise self.error("a relation such as < or $..")
        operator = match[0].replace("%", "$")
        chain: tuple[Alternative, ...] = ()
        if operator in ("<+(", ">+("):
            self.skip()
            chain = tuple(part for part in self.node() if not part.functions)
            if not chain or any(part.group or part.reference or part.name for part in chain):
                raise self.error("labels without names or groups", offset + 3)
            self.closes(")", offset + 2)
            operator += "C)"
        if match[0] in (">", ">~", "<~") and (function := self.function_of_edge()):
            if match[0] == ">":
                below = [replace(one, functions=(*one.functions, function)) for one in self.node()]
                return NodeRelation("<", 0, (), tuple(below))
            operator, chain = f"{operator}F", (Alternative(function),)
        self.skip()
        operator = SYNONYMS.get(operator, operator)
        number = 0
        if numbered := re.fullmatch(r"([<>]-?)(\d+)", operator):
            operator, number = numbered[1] + "N", whole_number(numbered[2])
            if not 0 < number < LARGEST:
                raise self.error("a number from 1 with nine digits at most", offset)
        if operator not in RELATIONS or re.match(r"[-.,'#]", self.text[match.end() : match.end() + 1]):
            raise self.error(f"one of the relations {' '.join(RELATIONS)}", offset)
        return NodeRelation(operator, number, chain, self.node())

    def function_of_edge(self) -> Label | None:
        """Return TIGERSearch's ``SB`` in ``>SB NP``, with a node after it. None for other text."""
        offset = self.at
        edge = LITERAL.match(self.text, offset)
        space = SPACE.match(self.text, edge.end()) if edge else None
        if edge is None or space is None or space.end() == edge.end():
            return None
        self.at = space.end()
        if self.at == len(self.text) or self.at_relation() or self.text[self.at] in ")]&|:;":
            self.at = offset
            return None
        return _literal(edge[0], False, True)


@cache
def _other_than(label: Label) -> Label:
    return Label(lambda string: not label.accepts(string))


@cache
def _regex(expression: str, ignore_case: bool) -> Label:
    compiled = re.compile(expression, re.IGNORECASE if ignore_case else 0)
    return Label(compiled.search)


@cache
def _literal(string: str, ignore_case: bool, of_function: bool) -> Label:
    """Return a label that is a string; a function of several parts, ``LOC-PRD``, matches each of them too."""

    def accepts(other: str) -> bool:
        if ignore_case:
            return other.lower() == string.lower()
        return other == string or (of_function and string in other.split("-"))

    return Label(accepts, None if ignore_case or of_function else string, string)
