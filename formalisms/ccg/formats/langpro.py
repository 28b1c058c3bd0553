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
from crossbank.treebanks.formats.prolog_terms import (
    Clause,
    Compound,
    Operation,
    Term,
    TermNotation,
    line_at,
    written_term,
)
from crossbank.treebanks.formats.text_files import reading_text, writing
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

DAMAGE = "crossbank.formalisms.ccg.formats.damaged_ccg:LANGPRO"

NOTATION = TermNotation(r"\w+", r":-|[.:;/\\|]")

SIGNS = {"comma": ",", "period": ".", "colon": ":", "semicolon": ";"}
"""Categories of punctuation that some of the parsers spell out."""

LOWER = frozenset(("conj",))
"""Atoms that are lower case in CCGbank, too."""

TWO_CATEGORIES = frozenset(("lx", "conj"))
"""The rules whose node names a second category."""

RULE = re.compile(r"[a-z]\w*")
"""A name that a term can have."""

FORMS = "t(category, word, lemma, tag, chunk, entity) or rule(category, ...)"
"""Terms of a derivation."""


# Reading


def _read(text: str, source: str) -> Treebank:
    builder = TreebankBuilder(source)
    any_derivation, other_facts = False, 0
    for clause in NOTATION.clauses(text, source):
        match clause.term:
            case ("ccg", str() as id, tree):
                builder.sentence(id=id, line=clause.line)
                _add(builder, tree, text, source, clause)
                any_derivation = True
            case ("ccg", *_):
                raise _error(text, source, clause.term, clause, "ccg(number, derivation)")
            case Operation() if ":-" in clause.term.parts:
                other_facts += clause.term.parts[0] != ":-"
            case Operation():
                raise _error(text, source, clause.term, clause, "a full stop after the fact")
            case _:
                other_facts += 1
    if not any_derivation:
        raise FormatError(source, "no ccg(...)", "at least one derivation")
    if other_facts:
        builder.count_event("facts that are no derivation", other_facts)
    bank = builder.build()
    refuse_bad_categories(bank)
    return bank


def _add(builder: TreebankBuilder, tree: Term, text: str, source: str, clause: Clause) -> None:
    """Add the nodes and words of a derivation, each node before those below it."""
    waiting = [(tree, NO_PARENT)]
    while waiting:
        term, parent = waiting.pop()
        match term if isinstance(term, Compound) else ():
            case ("t", category, str(word), str(lemma), str(tag), str(chunk), str(entity)):
                builder.token(
                    form=str(word),
                    lemma=str(lemma),
                    pos=_as_ccgbank(category),
                    xpos=str(tag),
                    misc=f"Chunk={chunk}|Entity={entity}",
                    parent=parent,
                )
            case ("lx" | "conj" as rule, category, _, *daughters) | (rule, category, *daughters) if (
                rule != "t" and daughters
            ):
                node = builder.node(label=_as_ccgbank(category), morph=str(rule), parent=parent)
                waiting += [(daughter, node) for daughter in reversed(daughters)]
            case _:
                raise _error(text, source, term, clause, FORMS)


def _error(text: str, source: str, term: Term, clause: Clause, expected: str) -> FormatError:
    line = line_at(text, getattr(term, "offset", clause.offset))
    return FormatError(source, written_term(term), expected, line=line)


def _as_ccgbank(category: Term) -> str:
    """Return a category as CCGbank writes it."""
    written: list[str] = []
    is_feature = False
    parts = category.parts if isinstance(category, Operation) else [category]
    for part in parts:
        name = str(part) if isinstance(part, str) else written_term(part)
        if part == ":" and len(parts) > 1:
            is_feature = True
        elif is_feature:
            written.append(f"[{name}]")
            is_feature = False
        elif part in ("(", ")", "/", "\\", "|"):
            written.append(name)
        else:
            written.append(SIGNS.get(name, name if name in LOWER else name.upper()))
    return "".join(written)


# Writing


def dumps(bank: Treebank) -> str:
    """Return derivations as terms, one fact each.

    Raises ConversionError if a sentence has no derivation or a node does not name its rule
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


load, loads = reading_text(_read)
dump = writing(dumps)
