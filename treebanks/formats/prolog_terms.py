"""Prolog terms, and terms that nearly are: compounds, lists, atoms, and expressions with operators.

An atom or a number is a string without its quotes: ``'it''s'`` and ``'it\\'s'`` are *it's*. A compound is a
tuple with its functor first, a list is a list. A notation says which atoms and operators a format has; an
argument with operators, such as ``(s:dcl\\np)/np``, is an ``Operation``, whose parts a format reads as it
likes. Clauses end with a full stop before white space, whatever is open in them, so that damage to one does
not reach the next. Nothing is recursive: terms may be deep.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

from crossbank.treebanks.errors import FormatError

Term: TypeAlias = Any
"""``str``, ``Compound``, ``list`` or ``Operation``."""

ESCAPE = re.compile(r"\\(.)|''", re.DOTALL)
CLOSING = {"(": ")", "[": "]"}


class Quoted(str):
    """Atom in quotes, where a notation has operators: it is none of them."""

    __slots__ = ()


class Compound(tuple[Any, ...]):
    """A functor and its arguments; ``offset`` is the character at which it begins."""

    offset: int


class Operation:
    """Atoms, operators, brackets and terms side by side; brackets without a functor are among the parts.

    So is a comma in place of an argument, as depccg writes it for the category of a comma.
    """

    def __init__(self, parts: list[Term]) -> None:
        self.parts = parts


class Clause(NamedTuple):
    """A term and the character and line (from 1) at which it begins."""

    term: Term
    offset: int
    line: int


class TermNotation:
    """Way to write terms.

    Parameters
    ----------
    atom, quoted, operator, blank
        Patterns of an atom without quotes, one in quotes, an operator, and what is passed over.
    has_full_stops
        Whether clauses end with a full stop; otherwise a text is one clause.

    """

    def __init__(
        self,
        atom: str = r"(?:[^\s()\[\],'%.]|\.(?!\s|%|\Z))+",
        operator: str = "",
        *,
        blank: str = r"\s|%[^\n]*",
        quoted: str = r"'((?:[^'\\]|\\.|'')*)'",
        has_full_stops: bool = True,
    ) -> None:
        self.has_operators, self.has_full_stops = bool(operator), has_full_stops
        end = r"\.(?=\s|%|\Z)" if has_full_stops else "(?!)"
        self.tokens = re.compile(
            rf"(?:{blank})*+(?:{quoted}|({end})|({operator or '(?!)'})|({atom})|([()\[\],])|\Z|(.))",
            re.DOTALL,
        )

    def clauses(self, text: str, source: str = "text", line: int = 1) -> Iterator[Clause]:
        """Yield the clauses of a text that begins in a line of its source.

        Raises FormatError, with the line, where brackets or commas are wrong.
        """
        first_line, counted = line, 0
        clause = _OpenClause(self, text, source, first_line)
        for match in self.tokens.finditer(text):
            token_type = match.lastindex or END_OF_TEXT
            offset = match.start(token_type)
            if (
                token_type == OPERATOR
                and match[token_type] == "."
                and not clause.opened
                and self.has_full_stops
            ):
                token_type = FULL_STOP
            if token_type == QUOTED:
                clause.add_quoted(match[token_type], offset)
            elif token_type in (OPERATOR, ATOM):
                clause.add(match[token_type], offset, is_functor=token_type == ATOM)
            elif token_type == SIGN:
                clause.add_sign(match[token_type], offset)
            elif token_type == UNKNOWN:
                is_quote = match[token_type] == "'"
                actual = "a quote that is not closed" if is_quote else _first_line(text[offset : offset + 20])
                raise clause.error(offset, actual, "a term")
            elif token_type == FULL_STOP or clause.parts or clause.opened:
                term = clause.finished(offset, token_type == FULL_STOP)
                line += text.count("\n", counted, clause.begin)
                counted = clause.begin
                yield Clause(term, counted, line)
                clause = _OpenClause(self, text, source, first_line)


QUOTED, FULL_STOP, OPERATOR, ATOM, SIGN, UNKNOWN = range(1, 7)
END_OF_TEXT = 0


class _OpenClause:
    """What has been read of a clause.

    parts, arguments  the terms of the innermost open argument, and the arguments before it
    opened            each open bracket with its offset, and what has been read around it; nothing for one
                      without a functor, whose terms are among the same parts
    """

    def __init__(self, notation: TermNotation, text: str, source: str, line: int) -> None:
        self._notation, self._text, self._source, self._line = notation, text, source, line
        self.parts: list[Term] = []
        self.arguments: list[Term] = []
        self.opened: list[tuple[str, int, tuple[list[Term], list[Term]] | None]] = []
        self.begin, self._functor = -1, -1

    def error(self, offset: int, actual: str, expected: str) -> FormatError:
        line = self._line - 1 + line_at(self._text, offset)
        return FormatError(self._source, actual, expected, line=line)

    def add_quoted(self, text: str, offset: int) -> None:
        """Add an atom in quotes."""
        if "\\" in text or "''" in text:
            text = ESCAPE.sub(lambda match: match[1] or "'", text)
        self.add(Quoted(text) if self._notation.has_operators else text, offset, is_functor=True)

    def add(self, term: Term, offset: int, *, is_functor: bool = False) -> None:
        """Add a term or an operator; ``is_functor``: a bracket after it has its arguments."""
        if self.parts and not self._notation.has_operators:
            actual = _first_line(term if isinstance(term, str) else "[")
            raise self.error(offset, actual, "a comma or a closing bracket")
        if self.begin < 0:
            self.begin = offset
        self.parts.append(term)
        self._functor = offset if is_functor else -1

    def add_sign(self, sign: str, offset: int) -> None:
        """Add a bracket or a comma."""
        if sign in CLOSING:
            self._open(sign, offset)
        elif sign != ",":
            self._close(sign, offset)
        elif (
            self.opened
            and self.opened[-1][2] is not None
            and (self.parts or not self._notation.has_operators)
        ):
            self._end_argument()
        elif self._notation.has_operators:
            self.add(sign, offset)
        else:
            raise self.error(offset, "','", "a full stop after the fact")

    def _open(self, sign: str, offset: int) -> None:
        around = (self.arguments, self.parts)
        if sign == "(" and self._functor >= 0:
            self.arguments, self.parts = [self.parts.pop()], []
            self.opened.append((sign, self._functor, around))
        elif sign == "[":
            self.add(sign, offset)
            self.parts.pop()
            self.opened.append((sign, offset, around))
            self.arguments, self.parts = [], []
        elif self._notation.has_operators:
            self.add(sign, offset)
            self.opened.append((sign, offset, None))
        else:
            raise self.error(offset, "'('", "a functor before it")
        self._functor = -1

    def _close(self, sign: str, offset: int) -> None:
        if not self.opened:
            raise self.error(offset, "a closing bracket too many", "as many closing brackets as opening ones")
        bracket, begin, around = self.opened.pop()
        if CLOSING[bracket] != sign:
            expected = (
                f"{CLOSING[bracket]!r} for the bracket of line {self._line - 1 + line_at(self._text, begin)}"
            )
            raise self.error(offset, repr(sign), expected)
        if around is None:
            self.add(sign, offset)
            return
        if self._notation.has_operators and not self.parts and len(self.arguments) > (bracket == "("):
            raise self.error(offset, repr(sign), "a term")
        self._end_argument()
        arguments = self.arguments
        self.arguments, self.parts = around
        if bracket == "[":
            self.add(arguments, begin)
        else:
            compound = Compound(arguments)
            compound.offset = begin
            self.add(compound, begin)

    def _end_argument(self) -> None:
        """Add what has been read to the arguments. XLE writes commas too many."""
        if self.parts:
            self.arguments.append(self.parts[0] if len(self.parts) == 1 else Operation(self.parts))
            self.parts = []
        self._functor = -1

    def finished(self, offset: int, has_full_stop: bool) -> Term:
        """Return the term, at the end of the clause."""
        if self.opened:
            bracket, begin, _ = self.opened[-1]
            raise self.error(begin, f"{bracket!r} that is not closed", f"{CLOSING[bracket]!r} before the end")
        if not self.parts:
            raise self.error(offset, "'.'", "a fact before it")
        if self._notation.has_full_stops and not has_full_stop:
            raise self.error(self.begin, "a fact without an end", "a full stop after it")
        return self.parts[0] if len(self.parts) == 1 else Operation(self.parts)


def written_term(term: Term) -> str:
    """Return the beginning of a term for messages, as Prolog writes it."""
    if isinstance(term, str):
        return repr(str(term[:60]))
    if isinstance(term, Compound):
        return f"{term[0]}({', '.join(map(_short, term[1:6]))})"
    return "a list" if isinstance(term, list) else repr(_short(term))


def _short(term: Term) -> str:
    if isinstance(term, Operation):
        return " ".join(part[:30] if isinstance(part, str) else "..." for part in term.parts[:10])
    return term[:30] if isinstance(term, str) else "..."


def line_at(text: str, offset: int) -> int:
    """Return the line, from 1, in which a character of a text is."""
    return text.count("\n", 0, offset) + 1


def _first_line(text: str) -> str:
    return repr(text[:40].split("\n")[0])
