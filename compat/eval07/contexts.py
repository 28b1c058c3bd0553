"""Words with most errors, and the words and tags before and after errors."""

from __future__ import annotations

from itertools import zip_longest
from typing import NamedTuple, TypeAlias

import numpy as np

from crossbank.compat.eval07.names import NamedColumn, commonest, joined, padded, widest
from crossbank.compat.eval07.tokens import END, START, ParallelTokens
from crossbank.treebanks.arrays import Int64Array

FOCUS_WORDS = 5
"""Number of listed words; further words with as many errors as the last one are listed too."""

CONTEXTS = 3
"""The same for contexts."""


class Errors(NamedTuple):
    """Numbers of errors in head or relation, in the head, and in the relation."""

    either: int
    head: int
    relation: int

    def __str__(self) -> str:
        both = self.relation + self.head - self.either
        return f" | {self.either:4d} | {self.head:4d} | {self.relation:4d} | {both:4d}"


Table: TypeAlias = dict[str, Errors]
"""Errors by word or context."""

NOTHING = " |      |      |      |     "
"""The blank that replaces ``Errors`` beside a longer table."""


def focus_words(tokens: ParallelTokens, scored: Int64Array) -> str:
    """Return the words, with their tags, that have most errors."""
    wrong = scored[tokens.wrong[scored]]
    words = joined(
        NamedColumn(tokens.word[wrong], tokens.strings), NamedColumn(tokens.pos[wrong], tokens.strings), " / "
    )
    table = _commonest(_tally(tokens, wrong, words), FOCUS_WORDS)
    width = widest(("word", *table))
    rule = f"  {'-' * width}-+------+------+------+------\n"
    return (
        f"\n\n  {len(table)} focus words where most of the errors occur:\n\n"
        f"  {' ' * width} | any  | head | dep  | both\n{rule}"
        + "".join(f"  {padded(name, width)}{errors}\n" for name, errors in table.items())
        + f"{rule}\n\n"
    )


def contexts(tokens: ParallelTokens, scored: Int64Array) -> str:
    """Return the contexts of one and of two tokens, before and after, that have most errors."""
    wrong = scored[tokens.wrong[scored]]
    words: dict[str, Table] = {}
    tags: dict[str, Table] = {}
    for side, step, edge in (("preceeding", -1, START), ("following", 1, END)):
        titles = f"one-token {side}", f"two-token {side}"
        near, near_tag = _words_and_tags(tokens, wrong, step, edge)
        far, far_tag = _words_and_tags(tokens, wrong, 2 * step, edge)
        # The beginning and the end of a sentence are not words.
        inside = np.array([name != edge for name in near.names], np.bool_)[near.codes]
        two = _tables(tokens, wrong[inside], near.of(inside), far.of(inside), step, " + ")
        words |= zip(titles, two, strict=True)
        tags |= zip(titles, _tables(tokens, wrong, near_tag, far_tag, step, "+"), strict=True)
    widths = (
        max((len(name) for table in tags.values() for name in table), default=0),
        widest(name for table in words.values() for name in table),
    )
    return "".join(
        f"  {title} contexts where most of the errors occur:\n\n"
        f"{_beside_each_other(tags[title], words[title], *widths)}"
        for title in words
    )


def _words_and_tags(
    tokens: ParallelTokens, wrong: Int64Array, distance: int, edge: str
) -> tuple[NamedColumn, NamedColumn]:
    """Return the words with their tags, and the tags, at a distance; outside the sentence ``edge`` alone."""
    word, tag = (
        NamedColumn(tokens.neighbour(column, wrong, distance), tokens.strings)
        for column in (tokens.word, tokens.pos)
    )
    words = joined(word, tag, " / ")
    return NamedColumn(words.codes, [edge if n.startswith(f"{edge} / ") else n for n in words.names]), tag


def _tables(
    tokens: ParallelTokens, wrong: Int64Array, near: NamedColumn, far: NamedColumn, step: int, between: str
) -> tuple[Table, Table]:
    """Return the contexts of one and of two positions with most errors.

    A context of one position is omitted if a context of two positions has all but one of its errors.
    eval07.pl finds the short context in the long one by a split at the plus sign, which fails
    for words, where a space precedes the sign.
    """
    one = _tally(tokens, wrong, near)
    two = _tally(tokens, wrong, joined(far, near, between) if step < 0 else joined(near, far, between))
    for name, errors in two.items():
        general = name.split("+")[1 if step < 0 else 0]
        if general in one and one[general].either - errors.either <= 1:
            del one[general]
    return _commonest(one, CONTEXTS), _commonest(two, CONTEXTS)


def _tally(tokens: ParallelTokens, wrong: Int64Array, neighbours: NamedColumn) -> Table:
    """Return the errors by the code of a neighbour; codes with the same name are one."""
    codes, size = neighbours.codes, len(neighbours.names)
    columns = [
        np.bincount(codes[column[wrong]], minlength=size)
        for column in (tokens.wrong, tokens.wrong_head, tokens.wrong_relation)
    ]
    table: Table = {}
    met = np.flatnonzero(columns[0]).tolist()
    for code, counts in zip(met, np.stack(columns, axis=1)[met].tolist(), strict=True):
        name = neighbours.names[code]
        known = table.get(name)
        table[name] = Errors(*counts) if known is None else Errors(*map(sum, zip(known, counts, strict=True)))
    return table


def _commonest(table: Table, most: int) -> Table:
    names = commonest({name: errors.either for name, errors in table.items()}, most)
    return {name: table[name] for name in names}


def _beside_each_other(tags: Table, words: Table, tags_width: int, words_width: int) -> str:
    """Return a table of tags, laid out by bytes, beside a table of words, laid out by characters."""
    heads = " | any  | head | dep  | both"
    dashes = "-+------+------+------+-----"
    rule = f"  {'-' * tags_width}{dashes}--++--{'-' * words_width}{dashes}\n"
    made = f"  {'CPOS':<{tags_width}}{heads}  ||  {'word':<{words_width}}{heads}\n{rule}"
    for (tag, errors), (word, word_errors) in zip_longest(
        tags.items(), words.items(), fillvalue=(" ", NOTHING)
    ):
        made += f"  {tag:<{tags_width}}{errors}  ||  {padded(word, words_width)}{word_errors}\n"
    return f"{made}{rule}\n\n"
