r"""Patterns of categories: ``(S[dcl|b]\NP{D})/NP$`` binds the variable ``D`` to an argument slot.

An atom without features has any, features with ``|`` between them are alternatives, ``X`` is any category,
the same one with the same features wherever it occurs, and ``$`` at the end is any further arguments
(Steedman 2000, section 3.2). Slots are numbered from the innermost argument, as in CCGbank.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from crossbank.formalisms.ccg.ccg_categories import (
    UNRESTRICTIVE,
    Category,
    CategoryError,
    count_arguments,
    parse_category,
)

ANY = "X"
"""The atom that is any category."""


@dataclass(frozen=True)
class CategoryPattern:
    """A category with variables at its arguments.

    category  its structure
    is_open   whether further arguments may follow
    """

    category: Category
    is_open: bool = False

    @classmethod
    def parse(cls, text: str) -> CategoryPattern:
        """Return the pattern of a text. Raises CategoryError for a wrong one."""
        pattern = cls(parse_category(text.removesuffix("$")), text.endswith("$"))
        for part in pattern._arguments_inside():
            if part.variable:
                index = text.find(part.variable)
                raise CategoryError(text, index, "variables at the arguments of the category alone")
        return pattern

    def _arguments_inside(self) -> Iterator[Category]:
        """Yield the parts that are no argument of the category itself."""
        part = self.category
        waiting: list[Category] = []
        while part.result is not None and part.argument is not None:
            if part.argument.result is not None and part.argument.argument is not None:
                waiting += [part.argument.result, part.argument.argument]
            part = part.result
        yield part
        while waiting:
            part = waiting.pop()
            yield part
            if part.result is not None and part.argument is not None:
                waiting += [part.result, part.argument]

    @property
    def variables(self) -> tuple[str, ...]:
        """Names of the variables, from the outermost argument."""
        names, part = [], self.category
        while part.result is not None and part.argument is not None:
            if part.argument.variable:
                names.append(part.argument.variable.strip("{}"))
            part = part.result
        return tuple(names)

    def match(self, category: Category) -> dict[str, int] | None:
        """Return the slot of each variable in a category, or None if it does not fit."""
        while True:
            slots: dict[str, int] = {}
            if _matches(self.category, category, slots, {}, on_spine=True):
                return slots
            if not self.is_open or category.result is None:
                return None
            category = category.result


def _matches(
    pattern: Category,
    category: Category,
    slots: dict[str, int],
    any_of: dict[str, Category],
    *,
    on_spine: bool,
) -> bool:
    """True if a category fits a pattern; notes the slots of variables of its own arguments."""
    if pattern.name == ANY:
        plain = _without_silent_features(category)
        return any_of.setdefault(ANY, plain) == plain
    if pattern.result is None or pattern.argument is None:
        return category.is_atom and pattern.name == category.name and _has_feature(pattern, category)
    if category.result is None or category.argument is None or pattern.slash != category.slash:
        return False
    if not _matches(pattern.result, category.result, slots, any_of, on_spine=on_spine):
        return False
    if not _matches(pattern.argument, category.argument, slots, any_of, on_spine=False):
        return False
    if on_spine and pattern.argument.variable:
        slots[pattern.argument.variable.strip("{}")] = count_arguments(category)
    return True


def _has_feature(pattern: Category, category: Category) -> bool:
    allowed = {feature for features in pattern.features for feature in features.split("|")}
    return not allowed or bool(allowed & (set(category.features) - set(UNRESTRICTIVE)))


def _without_silent_features(category: Category) -> Category:
    """Return the category without the features that do not restrict what it combines with."""
    if category.result is None or category.argument is None:
        return Category(category.name, features=tuple(set(category.features) - set(UNRESTRICTIVE)))
    result, argument = map(_without_silent_features, (category.result, category.argument))
    return Category("", result, category.slash, argument)
