"""Choices of a packed f-structure and the solutions that they stand for.

``choice([B1,B2], or(A1,A2))``: where ``A1`` or ``A2`` holds, exactly one of ``B1`` and ``B2`` does.
``define(CV_001, or(A1,B2))`` names a context, ``select(A2, 1)`` marks the option that somebody chose. A set
of solutions is a number whose bits are the solutions, so that a context is examined once for all of them.

Maxwell, John and Ronald Kaplan (1989): An overview of disjunctive constraint satisfaction. IWPT.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from graphlib import CycleError, TopologicalSorter
from operator import and_, or_
from typing import NamedTuple

from crossbank.treebanks.formats.prolog_terms import Term, written_term

MOST_STATES = 4096
"""The number of combinations of choices that are followed side by side when solutions are counted."""

EVERYWHERE = "1"
"""The context that all solutions have."""

NOWHERE = "0"
OPERATIONS = {"or": or_, "and": and_}


class ChoiceError(Exception):
    """A fact that does not read: its character in the text, what is wrong and what is expected."""

    def __init__(self, offset: int, actual: str, expected: str) -> None:
        super().__init__(actual, expected)
        self.offset, self.actual, self.expected = offset, actual, expected


class Space(NamedTuple):
    """A choice: its options, where it has to be made, and its character in the text."""

    options: tuple[str, ...]
    context: Term
    offset: int


class Choices:
    """Choice spaces of a sentence, each after those that its context names."""

    def __init__(self, choices: Sequence[Term], equivalences: Sequence[Term], begin: int) -> None:
        """Read the facts ``choice``, ``define`` and ``select`` of a sentence that begins at a character.

        Raises ChoiceError for a fact of another form, a variable that has no choice or two, a context that
        is defined by itself, and two options of a choice that are both selected.
        """
        self._spaces: list[Space] = []
        self._definitions: dict[str, tuple[Term, int]] = {}
        self._selected: set[str] = set()
        self._choice_of: dict[str, int] = {}
        selected: list[tuple[str, int]] = []
        for term in [*choices, *equivalences]:
            offset = getattr(term, "offset", begin)
            match term:
                case ("choice", list() as options, context) if options and all(
                    isinstance(option, str) for option in options
                ):
                    self._add(Space(tuple(options), context, offset))
                case ("define", str() as name, context):
                    self._refuse_second(name, offset)
                    self._definitions[name] = context, offset
                case ("select", str() as name, _):
                    selected.append((name, offset))
                case _:
                    expected = "choice([A1,A2], 1), define(A, ...) or select(A1, 1)"
                    raise ChoiceError(offset, written_term(term), expected)
        for name, offset in selected:
            self._select(name, offset)
        self._order()

    def _refuse_second(self, name: str, offset: int) -> None:
        if name in self._choice_of or name in self._definitions:
            raise ChoiceError(offset, f"the choice variable {name} a second time", "each once")

    def _add(self, space: Space) -> None:
        for option in space.options:
            self._refuse_second(option, space.offset)
            self._choice_of[option] = len(self._spaces)
        self._spaces.append(space)

    def _select(self, name: str, offset: int) -> None:
        if name not in self._choice_of:
            raise ChoiceError(offset, f"select({name}, ...)", "an option of a choice")
        for other in self._spaces[self._choice_of[name]].options:
            if other in self._selected and other != name:
                raise ChoiceError(offset, f"{other} and {name} both selected", "one option of a choice")
        self._selected.add(name)

    def _order(self) -> None:
        """Bring each space after those that its context names."""
        needed = {name: self.variables(*entry) for name, entry in self._definitions.items()}
        for space in self._spaces:
            needed |= dict.fromkeys(space.options, self.variables(space.context, space.offset))
        self._needed = needed
        sorted_names = {name: sorted(names) for name, names in needed.items()}
        try:
            order = list(TopologicalSorter(sorted_names).static_order())
        except CycleError as error:
            name = str(error.args[1][0])
            defined = self._definitions.get(name)
            offset = defined[1] if defined else self._spaces[self._choice_of[name]].offset
            raise ChoiceError(offset, f"the context of {name} in itself", "one without it") from None
        self._defined = [name for name in order if name in self._definitions]
        rank = {name: number for number, name in enumerate(order)}
        spaces = sorted(self._spaces, key=lambda space: rank[space.options[0]])
        inner = [needed[space.options[0]] for space in self._spaces]
        in_order = all(
            self._choice_of.get(name, -1) < number
            for number, names in enumerate(inner)
            for name in self._options_under(names)
        )
        self._spaces = self._spaces if in_order else spaces

    def _options_under(self, names: set[str]) -> set[str]:
        """Return the options that some variables come down to."""
        options: set[str] = set()
        open_names = list(names)
        while open_names:
            name = open_names.pop()
            if name not in options:
                options.add(name)
                open_names += self._needed[name] if name in self._definitions else ()
        return options - self._definitions.keys()

    def variables(self, context: Term, offset: int) -> set[str]:
        """Return the variables of a context. Raises ChoiceError for one that has no choice or definition."""
        names: set[str] = set()
        open_terms = [context]
        while open_terms:
            term = open_terms.pop()
            if isinstance(term, tuple) and len(term) > 1 and term[0] in OPERATIONS:
                open_terms += term[1:]
            elif not isinstance(term, str):
                expected = "1, a choice variable, or(...) or and(...)"
                raise ChoiceError(offset, f"the context {written_term(term)}", expected)
            elif term not in (EVERYWHERE, NOWHERE):
                if term not in self._choice_of and term not in self._definitions:
                    raise ChoiceError(
                        offset, f"the choice variable {term}", "one of a choice or a definition"
                    )
                names.add(term)
        return names

    # Solutions

    def solutions(self) -> Iterator[frozenset[str]]:
        """Yield the options of each solution, one solution after the other as they are requested."""
        open_choices: list[tuple[int, frozenset[str]]] = [(0, frozenset())]
        while open_choices:
            number, true = open_choices.pop()
            while number < len(self._spaces) and not self._holds(self._spaces[number].context, true):
                number += 1
            if number == len(self._spaces):
                yield true
                continue
            options = self._spaces[number].options
            open_choices += [(number + 1, true | {option}) for option in reversed(options)]

    def chosen(self) -> frozenset[str] | None:
        """Return the solution whose options are all selected; None if a choice has none."""
        true: frozenset[str] = frozenset()
        for space in self._spaces:
            if self._holds(space.context, true):
                selected = self._selected.intersection(space.options)
                if not selected:
                    return None
                true |= selected
        return true if self._selected else None

    def count(self) -> int | None:
        """Return the number of solutions; None where too many combinations would have to be followed."""
        needed: list[set[str]] = [set()]
        for space in reversed(self._spaces):
            needed.append(needed[-1] | self._options_under(self._needed[space.options[0]]))
        states: dict[frozenset[str], int] = {frozenset(): 1}
        for space, later in zip(self._spaces, reversed(needed[:-1]), strict=True):
            after: dict[frozenset[str], int] = {}
            for true, times in states.items():
                holds = self._holds(space.context, true)
                for option in space.options if holds else ("",):
                    state = (true | {option}) & later
                    after[state] = after.get(state, 0) + times
            states = after
            if len(states) > MOST_STATES:
                return None
        return sum(states.values())

    def _holds(self, context: Term, true: frozenset[str]) -> bool:
        if isinstance(context, str) and context not in self._definitions:
            return context == EVERYWHERE or context in true
        values = {name: int(name in true) for name in self._choice_of}
        return bool(self._with_definitions(values, self.variables(context, 0)).evaluate(context))

    def contexts(self, solutions: Sequence[frozenset[str]]) -> Contexts:
        """Return the contexts of some solutions."""
        values = dict.fromkeys(self._choice_of, 0)
        for number, true in enumerate(solutions):
            for option in true:
                values[option] |= 1 << number
        return self._with_definitions(values, set(self._definitions), len(solutions))

    def _with_definitions(self, values: dict[str, int], names: set[str], count: int = 1) -> Contexts:
        """Return the contexts in which definitions have values, too, if any of some variables is one."""
        contexts = Contexts(values, (1 << count) - 1)
        if not names.isdisjoint(self._definitions):
            for name in self._defined:
                values[name] = contexts.evaluate(self._definitions[name][0])
        return contexts


class Contexts:
    """Solutions in which contexts hold, as the bits of a number."""

    def __init__(self, values: dict[str, int], everywhere: int) -> None:
        self._values = values
        values[EVERYWHERE], values[NOWHERE] = everywhere, 0
        self._known: dict[Term, int] = {}

    def evaluate(self, context: Term) -> int:
        """Return the solutions that have a context whose variables are all known."""
        if isinstance(context, str):
            return self._values[context]
        if context in self._known:
            return self._known[context]
        done: list[int] = []
        todo: list[tuple[Term, bool]] = [(context, False)]
        while todo:
            term, inner_done = todo.pop()
            if isinstance(term, str):
                done.append(self._values[term])
            elif inner_done:
                count = len(term) - 1
                done[-count:] = [reduce(OPERATIONS[term[0]], done[-count:])]
            else:
                todo.append((term, True))
                todo += [(inner, False) for inner in term[1:]]
        self._known[context] = done[0]
        return done[0]
