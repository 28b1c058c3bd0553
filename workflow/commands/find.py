"""``crossbank find``: nodes that a tree pattern matches, counted or in context (key word in context)."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from json import dumps
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from crossbank.converters import scheme_of
from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.formats import read_named
from crossbank.treebanks.quantities import listed, quantity
from crossbank.workflow.commands.command import command
from crossbank.workflow.commands.parameters import (
    files_argument,
    json_option,
    reading_options,
    scheme_option,
)

if TYPE_CHECKING:
    from crossbank.converters.patterns.matching import Match, Matches
    from crossbank.converters.patterns.program import PatternProgram

WHOLE = "all"
"""The context that is a whole sentence."""

EXAMPLES = (
    "crossbank find 'NP < PP' corpus.xml --context 5",
    "crossbank find 'NP >MNR PP' 'gold/*.mrg' parsed.mrg --count",
    "crossbank find 'S <# VVFIN' corpus.xml --scheme tiger --json",
)


class Context(click.ParamType[int | str]):
    """A number of words, or all."""

    name = "context"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | str:
        """Return the number, or the word for all."""
        if value == WHOLE:
            return WHOLE
        if not value.isdecimal():
            self.fail(f"{value!r} is neither a number of words nor {WHOLE}.", param, ctx)
        return int(value)


@command(
    "find", EXAMPLES, group="look", help="find nodes with a tree pattern, in tgrep's notation", position=70
)
@click.argument("pattern", help="such as 'NP < (NN . PP)', 'S >SB NP', 'PP-MNR': docs/patterns.md")
@files_argument()
@reading_options("the files")
@scheme_option("the annotation scheme, whose head rules <# and ># use")
@click.option(
    "--context",
    metavar="N",
    type=Context(),
    help=f"show each match in its sentence, in brackets, with N words on both sides or {WHOLE} of them",
)
@click.option("--count", is_flag=True, help="count matches, and sentences with one, in each file")
@json_option("print a JSON list, one entry for each match")
def run(
    pattern: str,
    files: Sequence[str],
    format: str | None,
    encoding: str | None,
    scheme: str | None,
    context: int | str | None,
    count: bool,
    json: bool,
) -> None:
    """Print a line for each node that matches, or for each file the number of them."""
    from crossbank.converters.patterns.matching import find
    from crossbank.converters.patterns.program import compile_pattern

    if count and context is not None:
        raise CrossbankError("--count does not work with --context")
    program = compile_pattern(pattern)
    rules = scheme_of(scheme)
    searched = []
    for file, bank in read_named(files, format, encoding=encoding):
        if rules is not None and bank.has_constituents:
            from crossbank.converters.heads.marking import mark_heads

            bank = mark_heads(bank, rules)
        searched.append(Searched(file, find(program, bank)))
    if not any(len(one.matches) for one in searched):
        where = searched[0].file if len(searched) == 1 else f"{quantity(len(searched), 'file')}"
        print(f"{where}: no node, tag or word matches {pattern!r}", file=sys.stderr)
        for line in _absent(program, searched):
            print(line, file=sys.stderr)
    for line in _extended(program, searched):
        print(line, file=sys.stderr)
    if json:
        values = _counted(searched)[: len(searched)] if count else _matches(searched, context is not None)
        print(dumps(values, ensure_ascii=False))
    elif count:
        rows = _counted(searched)
        print("\n".join(_table(rows if len(searched) > 1 else rows[:1])))
    elif context is not None:
        _print_in_context(searched, None if context == WHOLE else int(context))
    else:
        _print(searched)


def _absent(program: PatternProgram, searched: Sequence[Searched]) -> Iterator[str]:
    """Yield a line for each label of the pattern that is in none of the files, with one that is like it."""
    from difflib import get_close_matches

    banks = [one.matches.bank for one in searched]
    lacking = set.intersection(*(set(program.absent(bank.vocabulary)) for bank in banks))
    for label in sorted(lacking):
        used = {
            bank.vocabulary[int(code)]
            for bank in banks
            for column in (bank.nodes.label, bank.nodes.function, bank.tokens.pos, bank.tokens.function)
            for code in set(column.tolist())
        }
        near = get_close_matches(label, sorted(used - {""}), n=1, cutoff=0.5)
        meant = f" (did you mean {near[0]!r}?)" if near else ""
        yield f"no label, function or word is {label!r}{meant}"


def _extended(program: PatternProgram, searched: Sequence[Searched]) -> Iterator[str]:
    """Yield a line for each label of the pattern that the files also have with more behind it: ``PP-LOC``."""
    used = Counter[str]()
    for one in searched:
        for column in (one.matches.bank.nodes.label, one.matches.bank.tokens.pos):
            used.update(one.matches.bank.vocabulary.counted(column))
    literals = program.literals()
    # PP-LOC is also a PP with the function LOC.
    whole = [one for one in literals if not any(other.startswith(f"{one}-") for other in literals)]
    for label in whole:
        longer = {name: n for name, n in used.items() if re.match(rf"{re.escape(label)}[-=*:].", name)}
        if longer:
            nodes = quantity(sum(longer.values()), "node")
            names = listed(sorted(longer, key=lambda name: -longer[name]))
            pattern = f"/^{re.escape(label)}([-=*:]|$)/"
            yield f"{label!r} leaves out {nodes} labelled {names} ({pattern!r} matches them, too)"


def _print_in_context(searched: Sequence[Searched], words: int | None) -> None:
    several = len(searched) > 1
    lines = (_in_context(one, f"{one.file}:" if several else "", words) for one in searched)
    for line in _aligned(list(chain.from_iterable(lines))):
        print(line)


def _print(searched: Sequence[Searched]) -> None:
    for one in searched:
        prefix = (one.file,) if len(searched) > 1 else ()
        bank = one.matches.bank
        for m in one.matches:
            print(*prefix, bank.sentence_id(m.sentence), m.preorder, m.label, " ".join(m.words), sep="\t")


def _matches(searched: Sequence[Searched], in_context: bool) -> list[dict[str, object]]:
    return [
        {
            "file": one.file,
            "sentence": one.matches.bank.sentence_id(m.sentence),
            "node": m.preorder,
            "label": m.label,
            "words": m.words,
            "tokens": [index + 1 for index in m.tokens],
            **({"context": one.matches.bank.words(m.sentence)} if in_context else {}),
        }
        for one in searched
        for m in one.matches
    ]


class Searched(NamedTuple):
    """A file that was searched, and its matches."""

    file: str
    matches: Matches

    @property
    def sentences(self) -> int:
        """Number of sentences with a match."""
        return len(set(self.matches.sentences.tolist()))


class Line(NamedTuple):
    """A match in context: its sentence, the words before it, the match in brackets, the words after it."""

    sentence: str
    before: str
    match: str
    after: str


def _in_context(searched: Searched, prefix: str, words: int | None) -> Iterable[Line]:
    """Yield a line for each match.

    prefix  comes before the identifier of each sentence
    words   the number of words on both sides; None for the whole sentence
    """
    bank = searched.matches.bank
    for match in searched.matches:
        sentence = bank.words(match.sentence)
        first, last = match.tokens[0], match.tokens[-1] + 1
        begin, end = (0, len(sentence)) if words is None else (max(first - words, 0), last + words)
        yield Line(
            f"{prefix}{bank.sentence_id(match.sentence)}",
            " ".join(sentence[begin:first]),
            marked(sentence, match),
            " ".join(sentence[last:end]),
        )


def marked(sentence: Sequence[str], match: Match) -> str:
    """Return the words from the first to the last of a match; each block of its own words is in brackets.

    A label comes before its words: ``[VP Darüber] wird [VP nachgedacht]``.
    """
    own = set(match.tokens)
    label = f"{match.label} " if match.words != (match.label,) else ""
    written = []
    for index in range(match.tokens[0], match.tokens[-1] + 1):
        word = sentence[index]
        if index in own:
            word = word if index - 1 in own else f"[{label}{word}"
            word = word if index + 1 in own else f"{word}]"
        written.append(word)
    return " ".join(written)


def _aligned(lines: Sequence[Line]) -> Iterable[str]:
    """Yield the lines with their matches below each other."""
    width = max((len(line.sentence) for line in lines), default=0)
    before = max((len(line.before) for line in lines), default=0)
    for line in lines:
        yield f"{line.sentence:<{width}}  {line.before:>{before}} {line.match} {line.after}".rstrip()


def _counted(searched: Sequence[Searched]) -> list[dict[str, str | int]]:
    """Return numbers of matches, of sentences with one and of all sentences: of each file, then of all."""
    counts = [(len(one.matches), one.sentences, len(one.matches.bank)) for one in searched]
    names = [*(one.file for one in searched), "all"]
    rows = zip(names, [*counts, tuple(map(sum, zip(*counts, strict=True)))], strict=True)
    return [{"file": name, **dict(zip(("matches", "sentences", "of"), of, strict=True))} for name, of in rows]


def _table(rows: Sequence[dict[str, str | int]]) -> Iterable[str]:
    """Yield the lines of a table of counts."""
    width = max(len(str(row["file"])) for row in rows)
    yield f"{'':<{width}}  matches  in sentences  of all"
    for row in rows:
        yield f"{row['file']:<{width}}  {row['matches']:>7,}  {row['sentences']:>12,}  {row['of']:>6,}"
