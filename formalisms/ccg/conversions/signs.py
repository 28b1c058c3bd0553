r"""Signs: categories in which each position has a variable for its head.

The variables of a sign are numbered from 0 in the order of its positions, from the outside in and the
result before the argument; variable 0 is the head of the constituent. Two positions with one variable have
the same head: in
``(S\NP)/(S\NP)`` as an auxiliary both subjects have one, and so have in an adverb the two verb phrases.

Clark, Stephen, Julia Hockenmaier and Mark Steedman (2002): Building Deep Dependency Structures Using a
Wide-Coverage CCG Parser. ACL, section 3.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from crossbank.formalisms.ccg.ccg_categories import Category, count_arguments
from crossbank.formalisms.ccg.conversions.head_sharing import HeadSharing

OWN = "{_}"
"""The variable of patterns for the head of the word itself."""


class Position(NamedTuple):
    """A category, or a part of one, with the variable for its head."""

    variable: int
    name: str = ""
    features: tuple[str, ...] = ()
    result: Position | None = None
    slash: str = ""
    argument: Position | None = None

    def parts(self) -> tuple[Position, Position]:
        """Return the result and argument of a functor. Raises ValueError for an atom."""
        if self.result is None or self.argument is None:
            raise ValueError(f"{self.name} is no functor")
        return self.result, self.argument

    def category(self) -> Category:
        """Return the category without its variables."""
        if self.result is None or self.argument is None:
            return Category(self.name, features=self.features)
        return Category("", self.result.category(), self.slash, self.argument.category(), self.features)

    def variables(self) -> list[int]:
        """Return the variable of each position, from the outside in, the result before the argument."""
        if self.result is None or self.argument is None:
            return [self.variable]
        return [self.variable, *self.result.variables(), *self.argument.variables()]

    def renamed(self, names: Mapping[int, int]) -> Position:
        """Return the same position with other numbers for its variables."""
        if self.result is None or self.argument is None:
            return self._replace(variable=names[self.variable])
        result, argument = self.result.renamed(names), self.argument.renamed(names)
        return self._replace(variable=names[self.variable], result=result, argument=argument)


class Sign(NamedTuple):
    """A constituent's category, with variables for the heads of its positions.

    position   the category, its variables numbered from 0
    variables  how many there are
    conjunct   whether it is a conjunct after its conjunction, which waits for the conjuncts before
    """

    position: Position
    variables: int
    conjunct: bool = False


class Slot(NamedTuple):
    """An argument of a word: its number and the variable for the argument's head."""

    number: int
    variable: int


def sign_of(position: Position, *, conjunct: bool = False) -> tuple[Sign, list[int]]:
    """Return the sign with this position; and for each of its variables the one it was before."""
    old = list(dict.fromkeys(position.variables()))
    names = {variable: number for number, variable in enumerate(old)}
    return Sign(position.renamed(names), len(old), conjunct), old


class Marking:
    """Gives the positions of one category their variables.

    A pattern names the variables of some positions; those with the same name get the same one.
    """

    def __init__(self, sharing: HeadSharing, known: Mapping[str, int] | None = None, fresh: int = 1) -> None:
        """``known`` are the variables of a pattern that are given; new ones are numbered from ``fresh``."""
        self._sharing = sharing
        self._known = dict(known or {})
        self.fresh = fresh
        self.slots: list[Slot] = []

    def _new(self) -> int:
        self.fresh += 1
        return self.fresh - 1

    def _named(self, pattern: Category | None) -> int | None:
        """Return the variable that a pattern gives a position."""
        if pattern is None or not pattern.variable:
            return None
        if pattern.variable not in self._known:
            self._known[pattern.variable] = self._new()
        return self._known[pattern.variable]

    def word(self, category: Category, head: int, pattern: Category | None = None) -> Position:
        """Return a word's category, whose head is the variable ``head``, with its slots.

        The head of a functor is that of its result, of the result's result, and so on, down to a modifier:
        there the head of the modified constituent remains.
        """
        if category.result is None or category.argument is None:
            named = self._named(pattern)
            return Position(head if named is None else named, category.name, category.features)
        modifies = is_modifier(category)
        if pattern is None:
            pattern = self._sharing.pattern(category, exact=True)
            modifies = modifies and pattern is None
            if pattern is None and not modifies:
                pattern = self._sharing.pattern(category, exact=False)
            if pattern is not None:
                self._known = {OWN: head}
        number = count_arguments(category)
        below, beside = (pattern.result, pattern.argument) if pattern is not None else (None, None)
        if modifies:
            result = self.argument(category.result, below)
            argument = with_features_of(result, category.argument)
        else:
            result = self.word(category.result, head, below)
            argument = self.argument(category.argument, beside)
        self.slots.append(Slot(number, argument.variable))
        return Position(head, "", category.features, result, category.slash, argument)

    def argument(self, category: Category, pattern: Category | None = None) -> Position:
        """Return the category of an argument: its head is that of its result."""
        named = self._named(pattern)
        if category.result is None or category.argument is None:
            return Position(self._new() if named is None else named, category.name, category.features)
        below, beside = (pattern.result, pattern.argument) if pattern is not None else (None, None)
        result = self.argument(category.result, below)
        if is_modifier(category):
            argument = with_features_of(result, category.argument)
        else:
            argument = self.argument(category.argument, beside)
        if named is None:
            named = self._new() if is_modifier(category) else result.variable
        return Position(named, "", category.features, result, category.slash, argument)


def with_features_of(position: Position, category: Category) -> Position:
    """Return the position with the features of a category of the same structure."""
    if category.result is None or category.argument is None:
        return Position(position.variable, category.name, category.features)
    result, argument = map(with_features_of, position.parts(), (category.result, category.argument))
    return Position(position.variable, "", category.features, result, category.slash, argument)


def is_modifier(category: Category) -> bool:
    r"""Return whether argument and result are the same, as in ``N/N``; features must be the same too."""
    return category.result is not None and category.result == category.argument


def lexical_sign(category: Category, sharing: HeadSharing) -> tuple[Sign, tuple[Slot, ...]]:
    """Return the sign of a word with a category, whose head is the word itself, and its argument slots."""
    marking = Marking(sharing)
    sign, old = sign_of(marking.word(category.bare(), 0))
    number = {variable: index for index, variable in enumerate(old)}
    return sign, tuple(Slot(slot.number, number[slot.variable]) for slot in sorted(marking.slots))
