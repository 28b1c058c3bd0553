r"""CCG derivations as Prolog terms, as LangPro reads them: ``ccg(1, ba(s:dcl, t(np, 'Anna', ...), t(...))).``

A node is ``rule(category, children)``, where ``lx`` (a unary rule that changes the category) and ``conj``
name a second category, that of the child or of the conjunct. A leaf is ``t(category, word, lemma, tag,
chunk, entity)``. Categories are written with Prolog's operators: ``(s:dcl\np)/np`` is ``(S[dcl]\NP)/NP``.
Comments (``%``), directives (``:- ...``) and facts other than ``ccg`` are passed over; facts that are not
``ccg`` are counted.

tokens  ``pos`` is the category, ``xpos`` the tag, ``misc`` ``Chunk=I-NP|Entity=O``
nodes   ``label`` is the category, ``morph`` the rule

Source: Abzianidze, Lasha (2017): LangPro: Natural Language Theorem Prover; github.com/kovvalsky/LangPro.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.categories import Category, parse_category
from crossbank.treebanks.errors import FormatError
from crossbank.treebanks.formats.category_columns import refuse_bad_categories
from crossbank.treebanks.formats.text_files import reading_text, writing
from crossbank.treebanks.tables import NO_PARENT
from crossbank.treebanks.treebank import Treebank

PIECE = re.compile(
    r"(?P<blank>\s+|%[^\n]*)|(?P<quoted>'(?:[^'\\]|\\.|'')*')|(?P<name>\w+)|(?P<sign>:-|[(),.:;/\\|\[\]])"
)
SIGNS = {"comma": ",", "period": ".", "colon": ":", "semicolon": ";"}
"""Categories of punctuation that some of the parsers spell out."""

LOWER = frozenset(("conj",))
"""Atoms that are lower case in CCGbank, too."""

TWO_CATEGORIES = frozenset(("lx", "conj"))
"""The rules whose node names a second category."""

LEAF = 6
"""The number of arguments of a leaf."""


class Piece(NamedTuple):
    """A piece of Prolog: its text, its kind (``quoted``, ``name`` or ``sign``), and where it begins."""

    text: str
    kind: str
    place: int


# Reading


class _Reader:
    """Reads the terms of a text from left to right, each node before its children."""

    def __init__(self, text: str, source: str) -> None:
        self._text, self._source = text, source
        self._pieces = self._split()
        self._next = 0
        self._builder = TreebankBuilder(source)

    def _split(self) -> list[Piece]:
        pieces: list[Piece] = []
        place = 0
        while place < len(self._text):
            found = PIECE.match(self._text, place)
            if found is None:
                shown = self._text[place : place + 20].split("\n")[0]
                raise FormatError(self._source, repr(shown), "a Prolog term", line=self._line(place))
            if found.lastgroup is not None and found.lastgroup != "blank":
                pieces.append(Piece(found[0], found.lastgroup, place))
            place = found.end()
        return pieces

    def read(self) -> Treebank:
        facts = 0
        others = 0
        while self._next < len(self._pieces):
            if self._pieces[self._next].text == "ccg" and self._looks_like_call():
                self._fact()
                facts += 1
            else:
                others += self._pieces[self._next].kind == "name"
                self._pass_over()
        if not facts:
            raise FormatError(self._source, "no ccg(...)", "at least one derivation")
        if others:
            self._builder.found("facts that are no derivation", others)
        bank = self._builder.build()
        refuse_bad_categories(bank)
        return bank

    def _looks_like_call(self) -> bool:
        return self._next + 1 < len(self._pieces) and self._pieces[self._next + 1].text == "("

    def _pass_over(self) -> None:
        """Pass over a clause, to after its full stop."""
        while self._next < len(self._pieces) and self._pieces[self._next].text != ".":
            self._next += 1
        self._next += 1

    def _fact(self) -> None:
        """Read ``ccg(number, term).``"""
        line = self._line(self._pieces[self._next].place)
        self._next += 2
        self._builder.sentence(id=self._take("name"), line=line)
        self._expect(",")
        parent, open_nodes, nodes = NO_PARENT, 0, 0
        parents: list[int] = []
        while True:
            rule = self._take("name")
            self._expect("(")
            if rule == "t":
                self._leaf(parent)
                while parents and self._pieces_left() and self._pieces[self._next].text == ")":
                    self._next += 1
                    parent = parents.pop()
                    open_nodes -= 1
                if open_nodes == 0:
                    break
                self._expect(",")
                continue
            label = self._category()
            self._expect(",")
            if rule in TWO_CATEGORIES:
                self._category()
                self._expect(",")
            self._builder.node(label=label, morph=rule, parent=parent)
            parents.append(parent)
            parent = nodes
            nodes += 1
            open_nodes += 1
        self._expect(")")
        self._expect(".")

    def _leaf(self, parent: int) -> None:
        category = self._category()
        fields = []
        for _ in range(LEAF - 1):
            self._expect(",")
            fields.append(self._take("name", "quoted"))
        self._expect(")")
        word, lemma, tag, chunk, entity = fields
        self._builder.token(
            form=word,
            lemma=lemma,
            pos=category,
            xpos=tag,
            misc=f"Chunk={chunk}|Entity={entity}",
            parent=parent,
        )

    def _category(self) -> str:
        """Read a category, to the comma after it, and return it as CCGbank writes it."""
        depth = 0
        pieces: list[str] = []
        texts = [piece.text for piece in self._pieces[self._next : self._next + 2]]
        if texts[0:1] and texts[0] in SIGNS.values() and texts[1:] == [","]:  # depccg: t(,, ',', ...)
            pieces.append(texts[0])
            self._next += 1
        while self._pieces_left():
            piece = self._pieces[self._next]
            depth += (piece.text == "(") - (piece.text == ")")
            if depth < 0 or (depth == 0 and piece.text == ","):
                break
            pieces.append(piece.text)
            self._next += 1
        return _as_ccgbank(tuple(pieces))

    def _take(self, *kinds: str) -> str:
        if not self._pieces_left() or self._pieces[self._next].kind not in kinds:
            raise self._error("a word" if "quoted" in kinds else "a name or a number")
        piece = self._pieces[self._next]
        self._next += 1
        return _unquoted(piece.text) if piece.kind == "quoted" else piece.text

    def _expect(self, sign: str) -> None:
        if not self._pieces_left() or self._pieces[self._next].text != sign:
            raise self._error(repr(sign))
        self._next += 1

    def _pieces_left(self) -> bool:
        return self._next < len(self._pieces)

    def _error(self, expected: str) -> FormatError:
        if not self._pieces_left():
            return FormatError(self._source, "the end of the file", expected)
        piece = self._pieces[self._next]
        return FormatError(self._source, repr(piece.text), expected, line=self._line(piece.place))

    def _line(self, place: int) -> int:
        return self._text.count("\n", 0, place) + 1


def _unquoted(text: str) -> str:
    return re.sub(r"\\(.)|''", lambda found: found[1] or "'", text[1:-1])


@lru_cache(1 << 16)
def _as_ccgbank(pieces: tuple[str, ...]) -> str:
    written: list[str] = []
    feature = False
    for piece in pieces:
        if piece == ":" and len(pieces) > 1:
            feature = True
        elif feature:
            written.append(f"[{piece}]")
            feature = False
        elif piece in "()/\\|":
            written.append(piece)
        else:
            name = _unquoted(piece) if piece.startswith("'") else piece
            written.append(SIGNS.get(name, name if name in LOWER else name.upper()))
    return "".join(written)


# Writing


def dumps(bank: Treebank) -> str:
    """Derivations as terms, one fact each.

    Raises ConversionError where a sentence has no derivation or a node does not name its rule
    (``converters.ccg`` names them).
    """
    strings = list(bank.vocabulary)
    facts = []
    for sentence in range(len(bank)):
        rows, inner = bank.tokens.rows(sentence), bank.nodes.rows(sentence)
        if rows.start == rows.stop:
            raise bank.refused(sentence, "there is no derivation to write as a term")
        tokens, nodes = bank.tokens, bank.nodes
        labels = [strings[code] for code in nodes.label[inner].tolist()]
        rules = [strings[code] for code in nodes.morph[inner].tolist()]
        parents = nodes.parent[inner].tolist()
        if not all(rules):
            raise bank.refused(sentence, "found a node that does not name its rule, expected fa, ba ...")
        last: dict[int, str] = {}  # the category of each node's last child
        for node, parent in enumerate(parents):
            last[parent] = labels[node]
        leaves = zip(
            *(getattr(tokens, column)[rows].tolist() for column in ("pos", "form", "lemma", "xpos", "misc")),
            strict=True,
        )
        token_parents = tokens.parent[rows].tolist()
        starts, ends = bank.spans.start[inner].tolist(), bank.spans.end[inner].tolist()
        for place, parent in enumerate(token_parents):
            if parent != NO_PARENT and ends[parent] == place + 1:
                last[parent] = strings[tokens.pos[rows.start + place]]
        closing = [0] * (len(token_parents) + 1)
        for end in ends:
            closing[end] += 1
        written: list[str] = []
        node = 0
        for place, codes in enumerate(leaves):
            term = ""
            while node < len(starts) and starts[node] == place:
                second = f"{_as_prolog(last[node])}, " if rules[node] in TWO_CATEGORIES else ""
                term += f"{rules[node]}({_as_prolog(labels[node])}, {second}"
                node += 1
            category, word, lemma, tag, misc = (strings[code] for code in codes)
            known = dict(pair.split("=", 1) for pair in misc.split("|") if "=" in pair)
            fields = (word, lemma or word, tag, known.get("Chunk", "O"), known.get("Entity", "O"))
            term += f"t({_as_prolog(category)}, {', '.join(map(_quoted, fields))})" + ")" * closing[place + 1]
            written.append(term)
        facts.append(f"ccg({sentence + 1},\n " + ",\n ".join(written) + ").\n")
    head = ":- op(601, xfx, (/)).\n:- op(601, xfx, (\\)).\n:- multifile ccg/2.\n\n"
    return head + "\n".join(facts)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


@lru_cache(1 << 16)
def _as_prolog(category: str) -> str:
    return _prolog_term(parse_category(category), outermost=True)


def _prolog_term(category: Category, *, outermost: bool = False) -> str:
    if category.is_atom:
        name = category.name.lower()
        name = name if name.isalpha() else _quoted(category.name)
        return name + "".join(f":{feature}" for feature in category.features)
    result, argument = category.parts()
    written = f"{_prolog_term(result)}{category.slash}{_prolog_term(argument)}"
    return written if outermost else f"({written})"


load, loads = reading_text(lambda text, source: _Reader(text, source).read())
dump = writing(dumps)
