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

from crossbank.formalisms.ccg.ccg_categories import Category, parse_category, refuse_bad_categories
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.errors import FormatError
from crossbank.treebanks.formats.format import Format
from crossbank.treebanks.formats.text_files import reading_text, writing
from crossbank.treebanks.formats.tokenizer import END, UNKNOWN, Piece, Pieces, line_at, split
from crossbank.treebanks.tables import NO_PARENT
from crossbank.treebanks.treebank import Treebank

FORMAT = Format(
    position=150,
    suffixes=(".pl",),
    trees=True,
    scheme="ccg",
    holds={"constituents", "tags", "further tags", "lemmas", "features of nodes"},
    refuses=("several roots", "nodes without rules", "discontinuous constituents"),
    begins=(r"\s*((%|:-)[^\n]*\n\s*)*ccg\(",),
)

PIECE = re.compile(
    r"(?:\s+|%[^\n]*)|(?P<quoted>'(?:[^'\\]|\\.|'')*')|(?P<name>\w+)|(?P<sign>:-|[(),.:;/\\|\[\]])"
)
SIGNS = {"comma": ",", "period": ".", "colon": ":", "semicolon": ";"}
"""Categories of punctuation that some of the parsers spell out."""

LOWER = frozenset(("conj",))
"""Atoms that are lower case in CCGbank, too."""

TWO_CATEGORIES = frozenset(("lx", "conj"))
"""The rules whose node names a second category."""

RULE = re.compile(r"[a-z]\w*")
"""A name that a term can have."""

LEAF = 6
"""The number of arguments of a leaf."""


# Reading


class _Reader:
    """Reads the terms of a text from left to right, each node before its children."""

    def __init__(self, text: str, source: str) -> None:
        self._text, self._source = text, source
        self._builder = TreebankBuilder(source)
        pieces = list(split(PIECE, text))
        # What is no Prolog at all is told before what is wrong in it.
        if pieces and pieces[-1].kind == UNKNOWN:
            _, rest, offset = pieces[-1]
            text_shown = rest[:20].split("\n")[0]
            raise FormatError(source, repr(text_shown), "a Prolog term", line=line_at(text, offset))
        self._pieces = Pieces(pieces, len(text), "a Prolog term", self._error)

    def read(self) -> Treebank:
        facts = other_facts = 0
        while self._pieces.next.kind != END:
            if self._pieces.next.text == "ccg" and self._pieces.second().text == "(":
                self._fact()
                facts += 1
            else:
                other_facts += self._pieces.next.kind == "name"
                self._pass_over()
        if not facts:
            raise FormatError(self._source, "no ccg(...)", "at least one derivation")
        if other_facts:
            self._builder.found("facts that are no derivation", other_facts)
        bank = self._builder.build()
        refuse_bad_categories(bank)
        return bank

    def _pass_over(self) -> None:
        """Pass over a clause, to after its full stop."""
        while self._pieces.next.kind != END and not self._pieces.is_sign("."):
            self._pieces.take()
        self._pieces.take()

    def _fact(self) -> None:
        """Read ``ccg(number, term).``"""
        line = line_at(self._text, self._pieces.take().place)
        self._pieces.take()
        self._builder.sentence(id=self._take("name"), line=line)
        self._pieces.sign(",")
        parent = NO_PARENT
        parents: list[int] = []
        while True:
            rule = self._take("name")
            self._pieces.sign("(")
            if rule == "t":
                self._leaf(parent)
                while parents and self._pieces.is_sign(")"):
                    self._pieces.take()
                    parent = parents.pop()
                if not parents:
                    break
                self._pieces.sign(",")
                continue
            label = self._category()
            self._pieces.sign(",")
            if rule in TWO_CATEGORIES:
                self._category()
                self._pieces.sign(",")
            parents.append(parent)
            parent = self._builder.node(label=label, morph=rule, parent=parent)
        self._pieces.sign(")")
        self._pieces.sign(".")

    def _leaf(self, parent: int) -> None:
        category = self._category()
        fields = []
        for _ in range(LEAF - 1):
            self._pieces.sign(",")
            fields.append(self._take("name", "quoted"))
        self._pieces.sign(")")
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
        if self._pieces.next.text in SIGNS.values() and self._pieces.second().text == ",":
            pieces.append(self._pieces.take().text)  # depccg: t(,, ',', ...)
        while self._pieces.next.kind != END:
            piece = self._pieces.next
            depth += (piece.text == "(") - (piece.text == ")")
            if depth < 0 or (depth == 0 and piece.text == ","):
                break
            pieces.append(self._pieces.take().text)
        return _as_ccgbank(tuple(pieces))

    def _take(self, *kinds: str) -> str:
        piece = self._pieces.expect("a word" if "quoted" in kinds else "a name or a number", *kinds)
        return _unquoted(piece.text) if piece.kind == "quoted" else piece.text

    def _error(self, piece: Piece, expected: str) -> FormatError:
        if piece.kind == END:
            return FormatError(self._source, "the end of the file", expected)
        return FormatError(self._source, repr(piece.text), expected, line=line_at(self._text, piece.place))


def _unquoted(text: str) -> str:
    return re.sub(r"\\(.)|''", lambda match: match[1] or "'", text[1:-1])


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
    (``formalisms.ccg.conversions`` names them).
    """
    facts = (f"ccg({sentence + 1},\n {_term(bank, sentence)}).\n" for sentence in range(len(bank)))
    head = ":- op(601, xfx, (/)).\n:- op(601, xfx, (\\)).\n:- multifile ccg/2.\n\n"
    return head + "\n".join(facts)


def _term(bank: Treebank, sentence: int) -> str:
    """Return the derivation of a sentence, a line for each word."""
    words = bank.cells("tokens", sentence, "pos", "form", "lemma", "xpos", "misc")
    nodes, inner = bank.cells("nodes", sentence, "label", "morph"), bank.nodes.rows(sentence)
    if not words:
        raise bank.refused(sentence, "there is no derivation to write as a term")
    if not all(RULE.fullmatch(rule) for _, rule in nodes):
        raise bank.refused(sentence, "found a node that does not name its rule, expected fa, ba ...")
    # The category of each node's last child, which some rules name.
    last = {
        parent: label for parent, (label, _) in zip(bank.nodes.parent[inner].tolist(), nodes, strict=True)
    }
    ends = bank.spans.end[inner].tolist()
    for index, parent in enumerate(bank.tokens.parent[bank.tokens.rows(sentence)].tolist()):
        if parent != NO_PARENT and ends[parent] == index + 1:
            last[parent] = words[index][0]
    opening = []
    for node, (label, rule) in enumerate(nodes):
        second = f"{_as_prolog(last[node])}, " if rule in TWO_CATEGORIES else ""
        opening.append(f"{rule}({_as_prolog(label)}, {second}")
    written: list[str] = []
    for (category, word, lemma, tag, misc), (begun, ended) in zip(
        words, bank.edges_of_words(sentence), strict=True
    ):
        known = dict(pair.split("=", 1) for pair in misc.split("|") if "=" in pair)
        fields = (word, lemma or word, tag, known.get("Chunk", "O"), known.get("Entity", "O"))
        leaf = f"t({_as_prolog(category)}, {', '.join(map(_quoted, fields))})"
        written.append("".join(opening[begun]) + leaf + ")" * ended)
    return ",\n ".join(written)


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
