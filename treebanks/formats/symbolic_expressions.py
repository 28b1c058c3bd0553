r"""Symbolic expressions, as Lisp has them: lists in brackets, whose items are lists and atoms.

``(S (NP "it") |a b|)`` is the list ``["S", ["NP", '"it"'], "|a b|"]``. Atoms are strings as they are
written, with their quotes. A notation has a pattern for its atoms; everything else is the same in all of
them. Nothing is recursive, so that lists may be deep, and positions are looked up for errors only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import TypeAlias, Union

from crossbank.treebanks.errors import FormatError
from crossbank.treebanks.quantities import quantity

Item: TypeAlias = Union[str, "Expression"]

BALANCED = "as many closing brackets as opening ones"
QUOTED = re.compile(r"\\(.)|\|", re.DOTALL)


class Expression(list[Item]):
    """Items of a list; ``first`` and ``last`` are the indices of its brackets among the text's tokens."""

    __slots__ = ("first", "last")

    def __init__(self, first: int) -> None:
        super().__init__()
        self.first = self.last = first

    def tokens(self) -> Iterator[int]:
        """Yield the index of the token with which each item begins, and of the closing bracket."""
        token = self.first + 1
        for item in self:
            yield token
            token = token + 1 if isinstance(item, str) else item.last + 1
        yield self.last


class ExpressionError(ValueError):
    """A text that does not read: what is wrong, at which character (from 0), and what is expected there."""

    def __init__(self, actual: str, offset: int, expected: str) -> None:
        super().__init__(actual, expected)
        self.actual, self.offset, self.expected = actual, offset, expected

    def in_file(self, path: str, text: str, *, line: int = 1, sentence: str | None = None) -> FormatError:
        """Return the error of the file that has the text from a line on."""
        line += text.count("\n", 0, self.offset)
        return FormatError(path, self.actual, self.expected, line=line, sentence=sentence)


class ExpressionNotation:
    """Way to write expressions.

    Parameters
    ----------
    atom
        Pattern of an atom, quotes included, which begins with neither bracket.
    atoms
        Description of such atoms for errors.
    brackets
        Opening and closing bracket.

    """

    def __init__(self, atom: str, atoms: str, brackets: str = "()") -> None:
        self._opening, self._closing = brackets[0], brackets[1]
        self._atoms = atoms
        self._known = re.compile(f"[{re.escape(brackets)}]|{atom}")
        self._token = re.compile(rf"{self._known.pattern}|(?s:\S.*)")

    @contextmanager
    def reading(self, text: str) -> Iterator[Expression]:
        """Give the items of a text: lists, and atoms outside of them.

        Raises ExpressionError for text that is not an atom, and for brackets without a counterpart at the end
        of the block, because an error of the items is mostly nearer to the damage.
        """
        tokens = self._token.findall(text)
        if tokens and not self._known.fullmatch(tokens[-1]):
            raise ExpressionError(_first_line(tokens[-1]), self._offset(text, len(tokens) - 1), self._atoms)
        outermost = current = Expression(-1)
        around: list[Expression] = []
        surplus = None
        for index, token in enumerate(tokens):
            if token == self._opening:
                inner = Expression(index)
                current.append(inner)
                around.append(current)
                current = inner
            elif token != self._closing:
                current.append(token)
            elif around:
                current.last = index
                current = around.pop()
            elif surplus is None:
                surplus = index
        for one in [*around, current]:
            one.last = len(tokens)
        yield outermost
        if surplus is not None:
            raise ExpressionError("a closing bracket too many", self._offset(text, surplus), BALANCED)
        if around:
            innermost = _first_line(text[self._offset(text, current.first) :])
            actual = (
                f"{quantity(len(around), 'opening bracket')} without a closing one, the last one {innermost}"
            )
            raise ExpressionError(actual, self._offset(text, [*around, current][1].first), BALANCED)

    def lines(self, text: str, first: int = 1) -> list[int]:
        """Return the line in which each token of a text begins, counted from the first one."""
        lines, begin = [], 0
        for match in self._token.finditer(text):
            first += text.count("\n", begin, match.start())
            begin = match.start()
            lines.append(first)
        return lines

    def error(
        self, text: str, expression: Expression, index: int, expected: str, actual: str = ""
    ) -> ExpressionError:
        """Return the error of an item, or of the end of an expression that has no more items."""
        offset = self._offset(text, list(expression.tokens())[index])
        token = self._token.match(text, offset)
        return ExpressionError(actual or (_first_line(token[0]) if token else "the end"), offset, expected)

    def _offset(self, text: str, index: int) -> int:
        """Return the character at which a token begins."""
        token = next(islice(self._token.finditer(text), index, None), None)
        return len(text) if token is None else token.start()


def _first_line(text: str) -> str:
    return repr(text[:40].split("\n")[0])


def without_quotes(atom: str) -> str:
    r"""Return an atom without the quotes of Lisp: ``|a b|`` and ``a\ b`` are the same."""
    return QUOTED.sub(lambda sign: sign[1] or "", atom) if "|" in atom or "\\" in atom else atom
