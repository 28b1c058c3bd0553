"""Grammars as ``nltk.PCFG``, and as the text that NLTK reads.

NLTK's text allows letters, digits and ``/ ^ < > - _`` in the names of symbols. Every other character is
written as ``/`` and two hexadecimal digits for each of its bytes in UTF-8 (``$,`` is ``/24/2C``), and so
is ``/`` itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import numpy as np

from crossbank.parsers.probabilistic_grammar import Grammar, GrammarBuilder, GrammarError, Symbol

if TYPE_CHECKING:
    from nltk import PCFG

UNWRITABLE = re.compile(r"[^\w^<>-]|^[^\w]")
ESCAPED = re.compile(r"((?:/[0-9A-F]{2})+)")


def to_nltk(grammar: Grammar) -> PCFG:
    """Return NLTK's grammar with the same symbols, rules and probabilities."""
    from nltk import PCFG, Nonterminal, ProbabilisticProduction

    symbols = [Nonterminal(symbol.name) for symbol in grammar.symbols]
    productions = [
        ProbabilisticProduction(symbols[parent], right, prob=probability)
        for parent, right, probability in _right_sides(grammar, symbols)
    ]
    return PCFG(symbols[grammar.start], productions)


def _right_sides(grammar: Grammar, symbols: list[object]) -> Iterable[tuple[int, list[object], float]]:
    binary, unary, lexicon = grammar.listed()
    for (parent, *children), p in (*binary, *unary):
        yield parent, [symbols[child] for child in children], p
    for (parent, terminal), p in lexicon:
        yield parent, [grammar.terminals[terminal]], p


def from_nltk(grammar: PCFG, where: str = "grammar", named: Callable[[str], str] = str) -> Grammar:
    """Return a grammar from NLTK's, longer rules binarised from the left.

    A symbol whose rules are all terminals is a tag; ``named`` gives the names of symbols. Raises GrammarError
    for an empty right side, and where the probabilities of a symbol do not add up to one; ``where`` names the
    grammar in errors.
    """
    from nltk import Nonterminal

    productions = grammar.productions()
    phrases = {p.lhs() for p in productions if any(isinstance(s, Nonterminal) for s in p.rhs())}
    builder = GrammarBuilder()

    def code(symbol: object) -> int:
        if not isinstance(symbol, Nonterminal):
            # A word among symbols is under a symbol of its own.
            new = builder.code(("word", symbol)) is None
            tag = builder.symbol(("word", symbol), Symbol(f"@'{symbol}'", "", type="tag"))
            if new:
                builder.add_word(tag, str(symbol))
            return tag
        name = named(str(symbol))
        return builder.symbol(("symbol", name), symbol_of(name, is_tag=symbol not in phrases))

    start = code(grammar.start())
    for production in productions:
        right, probability = production.rhs(), production.prob()
        if not right:
            raise GrammarError(f"{where}: found an empty right side of {production.lhs()}, expected symbols")
        if len(right) == 1 and not isinstance(right[0], Nonterminal):
            builder.add_word(code(production.lhs()), str(right[0]), probability)
        else:
            parent = code(production.lhs())
            builder.add_rule(parent, [code(symbol) for symbol in right], probability)
    return builder.build(start, relative=False).check(where)


def symbol_of(name: str, *, is_tag: bool) -> Symbol:
    """Return a symbol from its name, as the project's grammars write it.

    An intermediate symbol begins with ``@``; a function comes after ``/``, ancestors after ``^``.
    """
    if name.startswith("@") and not is_tag:
        return Symbol(name, "", type="intermediate")
    label, _, function = name.partition("^")[0].partition("/")
    if not label or is_tag:
        label, function = name, ""
    return Symbol(name, label, function, "tag" if is_tag else "phrase")


def dumps(grammar: Grammar) -> str:
    """Return the text of a grammar as NLTK reads it, the start symbol's rules first.

    Raises GrammarError for a word with both types of quotation marks, which NLTK cannot represent.
    """
    names = [escaped(symbol.name) for symbol in grammar.symbols]
    lines: list[tuple[bool, int, str]] = []
    for parent, right, probability in _right_sides(grammar, list(range(len(names)))):
        written = " ".join(names[part] if isinstance(part, int) else quoted(str(part)) for part in right)
        # NLTK reads no exponents.
        decimal = np.format_float_positional(probability, trim="0")
        lines.append((parent != grammar.start, parent, f"{names[parent]} -> {written} [{decimal}]"))
    lines.sort(key=lambda line: line[:2])
    return "".join(f"{line}\n" for _, _, line in lines)


def loads(text: str, where: str = "grammar") -> Grammar:
    """Return a grammar from NLTK's text; the first rule's left side is the start symbol.

    Raises GrammarError if the text is not a grammar, or the probabilities do not add up to one.
    """
    from nltk import PCFG

    try:
        read = PCFG.fromstring(text)
    except (ValueError, IndexError, AssertionError) as error:
        problem = " ".join(str(error).split())
        raise GrammarError(
            f"{where}: this is not a grammar ({problem}); rules are such as A -> B C [0.5]"
        ) from error
    return from_nltk(read, where, unescaped)


def escaped(name: str) -> str:
    """Return the name of a symbol in the characters that NLTK allows."""
    return UNWRITABLE.sub(lambda match: "".join(f"/{b:02X}" for b in match[0].encode()), name)


def unescaped(name: str) -> str:
    """Return the name that was escaped."""
    return ESCAPED.sub(lambda m: bytes.fromhex(m[0].replace("/", "")).decode(errors="replace"), name)


def quoted(word: str) -> str:
    """Return a word in quotation marks of a type that it does not have itself."""
    for mark in "'\"":
        if mark not in word:
            return f"{mark}{word}{mark}"
    raise GrammarError(f"terminal {word}: nltk cannot write a word with both types of quotation marks")
