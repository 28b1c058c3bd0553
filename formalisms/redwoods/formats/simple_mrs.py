"""Minimal Recursion Semantics in the notation of SimpleMRS, read into PyDelphin's objects.

``[ TOP: h0 INDEX: e2 [ e TENSE: past ] RELS: < [ _rain_v_1<3:9> LBL: h1 ARG0: e2 ] > HCONS: < h0 qeq h1 > ]``

The result is that of ``delphin.codecs.simplemrs.decode``, in less than half of the time, which dominates the
reading of a profile.

Sources: Copestake, Ann, et al. (2005): Minimal Recursion Semantics. Research on Language and Computation 3;
PyDelphin 1.11, delphin/codecs/simplemrs.py, for the notation.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import accumulate
from typing import Any, NamedTuple

LEXEMES: Mapping[str, str] = {
    "[": r"(\[)",
    "]": r"(\])",
    "a lnk value": r"(<(?:-?\d+[:#]-?\d+|@\d+|\d+(?: +\d+)*)>)",
    "a string": r'"([^"\\]*(?:\\.[^"\\]*)*)"',
    "a quoted symbol": r"'([^ \n:<>\[\]]+)",
    "a surface predicate": r"(_[^\s_]+_[nvajrscpqxud](?:_(?:[^\s_<]|<(?![-0-9:#@ ]*>\s))+)?(?:_rel)?)",
    "<": r"(<)",
    ">": r"(>)",
    "a feature": r"([^\s:<>\[\]]+):",
    "a symbol": r"((?:[^ \n\]<]+|<(?![-0-9:#@ ]*>\s))+)",
    "unexpected": r"(\S)",
}
"""Pattern of each type of lexeme, by its name in errors; the first that matches counts."""

LEXEME = re.compile("|".join(LEXEMES.values()))

LEXEME_TYPES = dict(zip(LEXEMES, range(1, len(LEXEMES) + 1), strict=True))
OPEN, CLOSE, LINK, STRING = (
    LEXEME_TYPES["["],
    LEXEME_TYPES["]"],
    LEXEME_TYPES["a lnk value"],
    LEXEME_TYPES["a string"],
)
QUOTED, PREDICATE = LEXEME_TYPES["a quoted symbol"], LEXEME_TYPES["a surface predicate"]
LIST, END_OF_LIST = LEXEME_TYPES["<"], LEXEME_TYPES[">"]
FEATURE, SYMBOL, UNEXPECTED = LEXEME_TYPES["a feature"], LEXEME_TYPES["a symbol"], LEXEME_TYPES["unexpected"]
END = 0


class SimpleMrsError(ValueError):
    """A text that is not an MRS.

    offset    the index of the character at which it is damaged
    expected  what is expected there
    """

    def __init__(self, offset: int, expected: str) -> None:
        super().__init__(f"expected {expected} at character {offset + 1}")
        self.offset, self.expected = offset, expected


def read_simple_mrs(text: str) -> Any:
    """Parse an MRS. Raises SimpleMrsError if it is damaged, and the errors of PyDelphin."""
    return _MrsReader(text).mrs()


class _Predication(NamedTuple):
    """Elementary predication as written."""

    predicate: str
    label: str
    arguments: dict[str, str]
    link: str | None
    surface: str | None


class _MrsReader:
    """Reader of one MRS."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lexemes = [lexeme for line in text.splitlines() for lexeme in LEXEME.finditer(line)]
        self._types = [lexeme.lastindex or END for lexeme in self._lexemes] + [END]
        self._at = 0
        self._variables: dict[str, dict[str, str]] = {}
        if UNEXPECTED in self._types:
            raise self._error(self._types.index(UNEXPECTED), "SimpleMRS")

    def mrs(self) -> Any:
        from delphin.lnk import Lnk
        from delphin.mrs import EP, MRS, HCons, ICons
        from delphin.predicate import normalize

        top = index = None
        predications: list[_Predication] = []
        constraints: dict[str, list[tuple[str, str, str]]] = {"HCONS": [], "ICONS": []}
        self._take(OPEN)
        link, surface = self._link(), self._string() if self._types[self._at] == STRING else None
        while self._types[self._at] == FEATURE:
            at, feature = self._at, self._take(FEATURE).upper()
            if feature in ("LTOP", "TOP"):
                top = self._take(SYMBOL).lower()
            elif feature == "INDEX":
                index = self._variable()
            elif feature == "RELS":
                self._take(LIST)
                while self._types[self._at] == OPEN:
                    predications.append(self._predication())
                self._take(END_OF_LIST)
            elif feature in constraints:
                self._take(LIST)
                while self._types[self._at] == SYMBOL:
                    constraints[feature].append((self._variable(), self._relation(), self._variable()))
                self._take(END_OF_LIST)
            else:
                raise self._error(at, "TOP, INDEX, RELS, HCONS or ICONS")
        self._take(CLOSE)
        return MRS(
            top,
            index,
            [
                EP(
                    normalize(one.predicate),
                    one.label,
                    args=one.arguments,
                    lnk=one.link and Lnk(one.link),
                    surface=one.surface,
                )
                for one in predications
            ],
            [HCons(*one) for one in constraints["HCONS"]],
            icons=[ICons(*one) for one in constraints["ICONS"]],
            variables=self._variables,
            lnk=link and Lnk(link),
            surface=surface,
        )

    def _predication(self) -> _Predication:
        self._at += 1
        name = self._string() if self._types[self._at] == STRING else self._take(PREDICATE, QUOTED, SYMBOL)
        link, surface = self._link(), self._string() if self._types[self._at] == STRING else None
        at = self._at
        if self._take(FEATURE) != "LBL":
            raise self._error(at, "'LBL'")
        label = self._take(SYMBOL).lower()
        arguments = {}
        while self._types[self._at] == FEATURE:
            role = self._take(FEATURE).upper()
            arguments[role] = self._string() if role == "CARG" else self._variable()
        self._take(CLOSE)
        return _Predication(name, label, arguments, link, surface)

    def _variable(self) -> str:
        """Read a variable, and the properties that may follow it."""
        lexemes, types, at = self._lexemes, self._types, self._at
        variable = self._take(SYMBOL).lower()
        properties = self._variables.setdefault(variable, {})
        if types[at + 1] == OPEN:
            at += 3 if types[at + 2] == SYMBOL else 2
            while types[at] == FEATURE:
                if types[at + 1] != SYMBOL:
                    raise self._error(at + 1, "a symbol")
                properties[lexemes[at][FEATURE].upper()] = lexemes[at + 1][SYMBOL].lower()
                at += 2
            self._at = at
            self._take(CLOSE)
        return variable

    def _relation(self) -> str:
        return self._take(SYMBOL).lower()

    def _link(self) -> str | None:
        return self._take(LINK) if self._types[self._at] == LINK else None

    def _string(self) -> str:
        string = self._take(STRING)
        return re.sub(r"\\(.)", r"\1", string, flags=re.S) if "\\" in string else string

    def _take(self, *types: int) -> str:
        """Return the text of the next lexeme and move on. Raises SimpleMrsError if it is of another type."""
        at = self._at
        lexeme_type = self._types[at]
        if lexeme_type not in types:
            raise self._error(
                at, " or ".join(name for name, number in LEXEME_TYPES.items() if number in types)
            )
        self._at = at + 1
        text: str = self._lexemes[at][lexeme_type]
        return text

    def _error(self, index: int, expected: str) -> SimpleMrsError:
        """Return the error of a lexeme."""
        begins = accumulate((len(line) for line in self._text.splitlines(keepends=True)), initial=0)
        indices = [
            begin + lexeme.start()
            for begin, line in zip(begins, self._text.splitlines(), strict=False)
            for lexeme in LEXEME.finditer(line)
        ]
        return SimpleMrsError(indices[index] if index < len(indices) else len(self._text), expected)
