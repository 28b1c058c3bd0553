"""Grammars in BitPar's format: a file of rules and a file of words.

Schmid, Helmut (2004): Efficient Parsing of Highly Ambiguous Context-Free Grammars with Bit Vectors. COLING. A
line of rules is a weight, a left side and a right side: ``12 NP ART NN``. A line of words is a word, a tab,
and tags each with a weight: ``Haus<TAB>NN 3 VVFIN 1``. BitPar interprets all weights as frequencies and
divides them by the sum of their left side or tag. So frequencies are written where a grammar has them, else
probabilities. Weights are read as frequencies where one of them is above 1 or all are whole numbers; else
they must add up to one. Where heads are requested, a prime marks them, as in LoPar and in Carroll and Rooth
(1998): ``12 NP ART NN'``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from crossbank.parsers.nltk_grammars import symbol_of
from crossbank.parsers.probabilistic_grammar import Grammar, GrammarBuilder, GrammarError
from crossbank.treebanks.files import SAVE_AS_UTF_8, read_text, write_text
from crossbank.treebanks.quantities import quantity

LEXICON = ".lexicon"
"""The suffix that turns the rule file's name into the lexicon's."""

HEAD = "'"
"""The mark after a head on a right side."""

SPACE = re.compile(r"\s")


def dump(grammar: Grammar, path: Path) -> None:
    """Write a grammar to ``path`` and its lexicon to ``path.lexicon``; the start symbol's rules come first.

    Frequencies have 15 digits.

    Raises GrammarError for a symbol or word with white space, which BitPar cannot represent.
    """
    names = [symbol.name for symbol in grammar.symbols]
    for name in (*names, *grammar.terminals):
        if not name or SPACE.search(name):
            raise GrammarError(f"{path}: {name!r} has white space, which bitpar cannot read")
    frequency = grammar.frequency

    def format_weight(probability: float, symbol: int) -> str:
        return repr(probability) if frequency is None else f"{probability * float(frequency[symbol]):.15g}"

    binary, unary, lexicon = grammar.listed()
    rules = sorted(
        (rule[0] != grammar.start, rule, format_weight(weight, rule[0])) for rule, weight in (*binary, *unary)
    )
    write_text(path, "".join(f"{weight} {' '.join(names[c] for c in rule)}\n" for _, rule, weight in rules))
    tags: dict[int, list[str]] = {}
    for (symbol, terminal), weight in lexicon:
        tags.setdefault(terminal, []).append(f"{names[symbol]} {format_weight(weight, symbol)}")
    lines = (
        f"{grammar.terminals[terminal]}\t{' '.join(tags_of_terminal)}\n"
        for terminal, tags_of_terminal in sorted(tags.items())
    )
    write_text(f"{path}{LEXICON}", "".join(lines))


def load(path: Path, *, heads: bool = False) -> Grammar:
    """Return a grammar from a rule file and its lexicon; the first rule's left side is the start symbol.

    heads  whether heads are marked on right sides

    Raises GrammarError, with file and line, for a line that is not in BitPar's format.
    """
    rules = list(_read_rules(path))
    words = list(_read_words(Path(f"{path}{LEXICON}")))
    if not rules:
        raise GrammarError(f"{path}: there are no rules; lines are such as: 12 NP ART NN")
    left_sides = {right[0] for _, right in rules}
    builder = GrammarBuilder()

    def code(name: str) -> int:
        return builder.symbol(name, symbol_of(name, is_tag=name not in left_sides))

    start = code(rules[0][1][0])
    for weight, (left, *right) in rules:
        head, names = (
            _split_head(right, f"{path}: rule {left} -> {' '.join(right)}") if heads else (None, right)
        )
        builder.add_rule(code(left), [code(name) for name in names], weight, head)
    for word, tag, weight in words:
        builder.add_word(code(tag), word, weight)
    weights = [*(weight for weight, _ in rules), *(weight for _, _, weight in words)]
    are_frequencies = max(weights) > 1 or all(weight == int(weight) for weight in weights)
    return builder.build(start, relative=are_frequencies).check(str(path))


def _split_head(names: Sequence[str], where: str) -> tuple[int, list[str]]:
    """Return the index of the symbol with a prime, and the symbols without it; a single symbol needs none."""
    marked = [index for index, name in enumerate(names) if name.endswith(HEAD) and name != HEAD]
    if len(marked) > 1 or (not marked and len(names) > 1):
        raise GrammarError(
            f"{where}: found {quantity(len(marked), 'head')}, expected one, with {HEAD} after it"
        )
    head = marked[0] if marked else 0
    return head, [name.removesuffix(HEAD) if index == head else name for index, name in enumerate(names)]


def _read_rules(path: Path) -> Iterator[tuple[float, list[str]]]:
    for number, line in enumerate(read_text(path, advice=SAVE_AS_UTF_8).split("\n"), 1):
        parts = line.split()
        if not parts:
            continue
        if len(parts) < 3:
            raise GrammarError(
                f"{path}:{number}: found {line!r}, expected a weight, a symbol and its children"
            )
        yield _parse_weight(parts[0], f"{path}:{number}"), parts[1:]


def _read_words(path: Path) -> Iterator[tuple[str, str, float]]:
    for number, line in enumerate(read_text(path, advice=SAVE_AS_UTF_8).split("\n"), 1):
        word, _, tags = line.partition("\t")
        parts = tags.split()
        if line and (not parts or len(parts) % 2):
            raise GrammarError(f"{path}:{number}: found {line!r}, expected a word, a tab, tags with weights")
        for tag, weight in zip(parts[::2], parts[1::2], strict=True):
            yield word, tag, _parse_weight(weight, f"{path}:{number}")


def _parse_weight(written: str, where: str) -> float:
    try:
        weight = float(written)
    except ValueError:
        weight = -1.0
    if not 0 <= weight < float("inf"):
        raise GrammarError(f"{where}: found {written!r}, expected a weight of zero or more")
    return weight
