r"""Categories of Combinatory Categorial Grammar as structures: ``(S[dcl]\NP)/NP``.

A category is an atom with features, or a functor: a result, a slash and an argument. Atoms and bracketed
functors can bear marks, which come after them in this order and are kept as written:

``{Y}``, ``{Y*}``   the variable for the head, as the C&C tools mark their categories; ``*`` for an
extracted one
``_77``, ``_77:B``  the index of CCGbank's predicate-argument categories; ``B`` and ``U`` for bounded and
unbounded
``<1>``             the number of an argument slot

A coordinated category bears ``[conj]`` after everything else: ``NP[conj]``, ``S[dcl]\NP[conj]``; the latter
is read as a feature of its last atom, from which it cannot be distinguished. ``str`` restores the text.

Sources: Hockenmaier, Julia and Mark Steedman (2005): CCGbank: User's Manual; Clark, Stephen and James R.
Curran (2007): Wide-Coverage Efficient Statistical Parsing with CCG and Log-Linear Models, section 3.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.treebank import Treebank

ATOM = re.compile(r"[^\s/\\|()\[\]{}<>_]+")
MARKS = re.compile(r"((?:\[[^\[\]\s]+\])*)(\{[^{}\s]+\}|_[0-9]+(?::[A-Z]+)?)?(<[0-9]+>)?")
SLASHES = "/\\|"


class CategoryError(CrossbankError):
    """A category that does not parse; the message has a caret under the first wrong character."""

    def __init__(self, text: str, index: int, expected: str) -> None:
        wrong = f"{text[index]!r} at character {index + 1}" if index < len(text) else "its end"
        self.actual = f"the category {text!r} with {wrong}"
        self.expected = expected
        self.marked_text = f"  {text}\n  {' ' * index}^"
        super().__init__(f"found {self.actual}, expected {expected}\n{self.marked_text}")


@dataclass(frozen=True, slots=True)
class Category:
    r"""An atom (``name``) or a functor (``result``, ``slash`` and ``argument``).

    features  the text in square brackets: ``dcl``
    variable  the variable or index of the head as written: ``{Y}``, ``_77:B``
    slot      the number of the argument slot, 0 if there is none
    """

    name: str = ""
    result: Category | None = None
    slash: str = ""
    argument: Category | None = None
    features: tuple[str, ...] = ()
    variable: str = ""
    slot: int = 0

    @property
    def is_atom(self) -> bool:
        """Return whether the category takes no argument."""
        return self.result is None

    def parts(self) -> tuple[Category, Category]:
        """Return the result and argument of a functor. Raises ValueError for an atom."""
        if self.result is None or self.argument is None:
            raise ValueError(f"{self} is not a functor")
        return self.result, self.argument

    def __str__(self) -> str:
        """Return the category as written."""
        written: list[str] = []
        waiting: list[Category | str] = [self]
        outermost = True
        while waiting:
            part = waiting.pop()
            if isinstance(part, str):
                written.append(part)
                continue
            slot = f"<{part.slot}>" if part.slot else ""
            marks = "".join(f"[{feature}]" for feature in part.features) + part.variable + slot
            if part.result is None or part.argument is None:
                written.append(part.name + marks)
            elif outermost and not marks:
                waiting += [part.argument, part.slash, part.result]
            else:
                waiting += [")" + marks, part.argument, part.slash, part.result, "("]
            outermost = False
        return "".join(written)

    def bare(self) -> Category:
        """Return the category without variables and slots."""
        if self.result is None or self.argument is None:
            return Category(self.name, features=self.features)
        return Category("", self.result.bare(), self.slash, self.argument.bare(), self.features)


MAX_BRACKET_DEPTH = 100
"""The maximal depth of nested brackets; categories of treebanks have fewer than ten levels."""


@lru_cache(1 << 16)
def parse_category(text: str) -> Category:
    r"""Return the structure of a category. Raises CategoryError if it does not parse.

    >>> parse_category(r"(S[dcl]\NP)/NP").slash
    '/'
    """
    text = text.replace("-LRB-", "(").replace("-RRB-", ")")  # as files of brackets write them
    # For each open bracket: the result and the slash before it, and its index.
    opened: list[tuple[Category | None, str, int]] = []
    result: Category | None = None
    slash = ""
    index = 0
    while True:
        if index < len(text) and text[index] == "(":
            if len(opened) == MAX_BRACKET_DEPTH:
                raise CategoryError(text, index, f"at most {MAX_BRACKET_DEPTH} brackets inside one another")
            opened.append((result, slash, index))
            result, slash = None, ""
            index += 1
            continue
        atom = ATOM.match(text, index)
        if atom is None:
            raise CategoryError(text, index, "an atom or an opening bracket")
        part, index = _marked(text, atom.end(), Category(atom[0]))
        while True:
            if slash and result is not None:
                part = Category("", result, slash, part)
            if index == len(text) or text[index] != ")":
                break
            if not opened:
                raise CategoryError(text, index, "no closing bracket without an opening one")
            if part.is_atom or not slash:
                raise CategoryError(text, index, "a slash, since brackets enclose functors")
            result, slash, _ = opened.pop()
            part, index = _marked(text, index + 1, part)
        if index == len(text):
            if opened:
                raise CategoryError(text, index, f"the bracket closed that opens at {opened[-1][2] + 1}")
            return part
        if text[index] not in SLASHES:
            raise CategoryError(text, index, "a slash, a bracket or the end")
        if slash:
            raise CategoryError(text, index, "brackets around the functor before a second slash")
        result, slash = part, text[index]
        index += 1


def _marked(text: str, index: int, part: Category) -> tuple[Category, int]:
    """Return a category with the marks that follow it, and the index after them."""
    match = MARKS.match(text, index)
    if match is None or match.end() == index:
        return part, index
    features = tuple(match[1][1:-1].split("][")) if match[1] else ()
    slot = int(match[3][1:-1]) if match[3] else 0
    marked = Category(part.name, part.result, part.slash, part.argument, features, match[2] or "", slot)
    return marked, match.end()


def without_features(category: Category) -> Category:
    """Return the category without features, variables and slots; ``S[dcl]`` and ``S[b]`` have the same."""
    if category.result is None or category.argument is None:
        return Category(category.name)
    result, argument = without_features(category.result), without_features(category.argument)
    return Category("", result, category.slash, argument)


def count_arguments(category: Category) -> int:
    """Return the number of arguments that a category takes one after the other, and so its last slot."""
    count = 0
    while category.result is not None:
        count += 1
        category = category.result
    return count


def agree(one: Category, other: Category) -> bool:
    r"""Return whether two categories are the same except for features that agree: ``S\NP`` and ``S[dcl]\NP``.

    Features of atoms agree where they are equal, one atom has none, or one is a variable, which begins
    with ``X``. The feature ``nb`` of noun phrases restricts nothing.
    """
    if one.result is None or other.result is None or one.argument is None or other.argument is None:
        return one.is_atom and other.is_atom and one.name == other.name and _features_agree(one, other)
    return (
        one.slash == other.slash and agree(one.result, other.result) and agree(one.argument, other.argument)
    )


def _features_agree(one: Category, other: Category) -> bool:
    left, right = ({f for f in part.features if f not in UNRESTRICTIVE} for part in (one, other))
    return not left or not right or left == right or any(f.startswith("X") for f in left | right)


UNRESTRICTIVE = ("nb", "conj")
"""Features that do not restrict which categories combine."""


def refuse_bad_categories(bank: Treebank) -> None:
    """Raise FormatError, with a caret under the first wrong character, for a category that does not parse."""
    for table, column in (
        (bank.tokens, bank.tokens.pos),
        (bank.nodes, bank.nodes.label),
        (bank.relations, bank.relations.name),
    ):
        for code in np.unique(column).tolist():
            try:
                parse_category(bank.vocabulary[code])
            except CategoryError as error:
                sentence = table.sentence_of(int(np.flatnonzero(column == code)[0]))
                raise bank.misread(
                    sentence, error.actual, f"{error.expected}\n{error.marked_text}"
                ) from error
