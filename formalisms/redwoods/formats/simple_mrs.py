"""Minimal Recursion Semantics in the notation of SimpleMRS, read into PyDelphin's objects.

``[ TOP: h0 INDEX: e2 [ e TENSE: past ] RELS: < [ _rain_v_1<3:9> LBL: h1 ARG0: e2 ] > HCONS: < h0 qeq h1 > ]``

It is read as ``delphin.codecs.simplemrs.decode`` reads it, in less than half of the time, which is most of
the time that it takes to read a profile.

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
"""Pattern of each kind of lexeme; the first that matches counts. The names are those of errors."""

LEXEME = re.compile("|".join(LEXEMES.values()))

KINDS = dict(zip(LEXEMES, range(1, len(LEXEMES) + 1), strict=True))
OPEN, CLOSE, LINK, STRING = KINDS["["], KINDS["]"], KINDS["a lnk value"], KINDS["a string"]
QUOTED, PREDICATE = KINDS["a quoted symbol"], KINDS["a surface predicate"]
LIST, END_OF_LIST = KINDS["<"], KINDS[">"]
FEATURE, SYMBOL, UNEXPECTED = KINDS["a feature"], KINDS["a symbol"], KINDS["unexpected"]
END = 0


class SimpleMrsError(ValueError):
    """A text that is not an MRS.

    offset    the character at which it is damaged
    expected  what is expected there
    """

    def __init__(self, offset: int, expected: str) -> None:
        super().__init__(f"expected {expected} at character {offset + 1}")
        self.offset, self.expected = offset, expected


def read_simple_mrs(text: str) -> Any:
    """Return the MRS of a text. Raises SimpleMrsError if it is damaged, and the errors of PyDelphin."""
    return _MrsReader(text).mrs()


class _Predication(NamedTuple):
    """Elementary predication as written."""

    predicate: str
    label: str
    arguments: dict[str, str]
    link: str | None
    surface: str | None


class _MrsReader:
    """Reader of one MRS; ``at`` is the index of the next lexeme."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lexemes = [lexeme for line in text.splitlines() for lexeme in LEXEME.finditer(line)]
        self._kinds = [lexeme.lastindex or END for lexeme in self._lexemes] + [END]
        self._at = 0
        self._variables: dict[str, dict[str, str]] = {}
        if UNEXPECTED in self._kinds:
            raise self._error(self._kinds.index(UNEXPECTED), "SimpleMRS")

    def mrs(self) -> Any:
        from delphin.lnk import Lnk
        from delphin.mrs import EP, MRS, HCons, ICons
        from delphin.predicate import normalize

        top = index = None
        predications: list[_Predication] = []
        constraints: dict[str, list[tuple[str, str, str]]] = {"HCONS": [], "ICONS": []}
        self._take(OPEN)
        link, surface = self._link(), self._string() if self._kinds[self._at] == STRING else None
        while self._kinds[self._at] == FEATURE:
            at, feature = self._at, self._take(FEATURE).upper()
            if feature in ("LTOP", "TOP"):
                top = self._take(SYMBOL).lower()
            elif feature == "INDEX":
                index = self._variable()
            elif feature == "RELS":
                self._take(LIST)
                while self._kinds[self._at] == OPEN:
                    predications.append(self._predication())
                self._take(END_OF_LIST)
            elif feature in constraints:
                self._take(LIST)
                while self._kinds[self._at] == SYMBOL:
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
        name = self._string() if self._kinds[self._at] == STRING else self._take(PREDICATE, QUOTED, SYMBOL)
        link, surface = self._link(), self._string() if self._kinds[self._at] == STRING else None
        at = self._at
        if self._take(FEATURE) != "LBL":
            raise self._error(at, "'LBL'")
        label = self._take(SYMBOL).lower()
        arguments = {}
        while self._kinds[self._at] == FEATURE:
            role = self._take(FEATURE).upper()
            arguments[role] = self._string() if role == "CARG" else self._variable()
        self._take(CLOSE)
        return _Predication(name, label, arguments, link, surface)

    def _variable(self) -> str:
        """Read a variable, and the properties that may follow it."""
        lexemes, kinds, at = self._lexemes, self._kinds, self._at
        variable = self._take(SYMBOL).lower()
        properties = self._variables.setdefault(variable, {})
        if kinds[at + 1] == OPEN:
            at += 3 if kinds[at + 2] == SYMBOL else 2
            while kinds[at] == FEATURE:
                if kinds[at + 1] != SYMBOL:
                    raise self._error(at + 1, "a symbol")
                properties[lexemes[at][FEATURE].upper()] = lexemes[at + 1][SYMBOL].lower()
                at += 2
            self._at = at
            self._take(CLOSE)
        return variable

    def _relation(self) -> str:
        return self._take(SYMBOL).lower()

    def _link(self) -> str | None:
        return self._take(LINK) if self._kinds[self._at] == LINK else None

    def _string(self) -> str:
        string = self._take(STRING)
        return re.sub(r"\\(.)", r"\1", string, flags=re.S) if "\\" in string else string

    def _take(self, *kinds: int) -> str:
        """Return the text of the next lexeme, which is of one of some kinds, and go on."""
        at = self._at
        kind = self._kinds[at]
        if kind not in kinds:
            raise self._error(at, " or ".join(name for name, number in KINDS.items() if number in kinds))
        self._at = at + 1
        text: str = self._lexemes[at][kind]
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
