"""Groups of words with one head that no node joins: fixed expressions and hyphenated words.

Universal Dependencies attach the later words of a fixed expression (``according to``, ``rather than``) to the
first with the relation ``fixed`` (Nivre et al. 2020, Universal Dependencies v2, section 3.4; the guidelines
list the expressions of each language). Treebanks of constituents have them as separate children, and leave
words that are written with hyphens flat in their noun phrase.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from crossbank.converters.declaration import transformation
from crossbank.converters.dependencies.arcs_as_constituents import require_dependencies
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import Treebank
from crossbank.treebanks.errors import RequirementError

NAME = "attach_word_groups"


class Group(NamedTuple):
    """Adjacent tokens, by row: the first, the one past the last, and the head."""

    first: int
    end: int
    head: int


@transformation(position=380)
def attach_word_groups(bank: Treebank, scheme: Scheme | None = None) -> Treebank:
    """Attach the words of fixed expressions, and hyphenated words, to one word of the group.

    The scheme's ``word_groups`` lists expressions, whose first word is the head, and the tags of words that
    hyphens join under one node. Dependents of the group's words depend on its head, and that depends
    on the governor of the whole group. Relations are unchanged.

    Raises ConversionError if the scheme has no rules for word groups, where there are no dependencies,
    or where they have a cycle.
    """
    if scheme is None or not scheme.word_groups.fixed:
        raise RequirementError(NAME, "a scheme with word_groups")
    require_dependencies(bank, NAME)
    tokens = bank.tokens
    begins = tokens.offsets[tokens.sentence_of_row()]
    governor = np.where(tokens.head >= 0, tokens.head + begins, tokens.head).tolist()
    grouped = []
    for group in (*_expressions(bank, scheme.word_groups.fixed), *_hyphenated(bank, scheme)):
        sentence = tokens.sentence_of(group.first)
        _head_group(governor, group, range(*tokens.offsets[sentence : sentence + 2].tolist()))
        grouped.append(sentence)
    rows = np.array(governor, np.int64)
    head = np.where(rows >= 0, rows - begins, rows).astype(np.int32)
    events = {"groups of words with one head": grouped}
    return bank.replace(tokens=tokens.replace(head=head)).with_events(NAME, events)


def _expressions(bank: Treebank, fixed: tuple[tuple[str, ...], ...]) -> Iterator[Group]:
    """Yield the fixed expressions, in lower case or not; their first word is the head."""
    words, form = bank.vocabulary.mapped(bank.tokens.form, str.lower)
    sentence = bank.tokens.sentence_of_row()
    for expression in fixed:
        codes = [words.code(word) for word in expression]
        last = len(form) - len(codes) + 1
        if last <= 0 or -1 in codes:
            continue
        matches = sentence[:last] == sentence[len(codes) - 1 :]
        for offset, code in enumerate(codes):
            matches &= form[offset : last + offset] == code
        for first in np.flatnonzero(matches).tolist():
            yield Group(first, first + len(codes), first)


def _hyphenated(bank: Treebank, scheme: Scheme) -> Iterator[Group]:
    """Yield pairs of words with a hyphen between them, all three under one node."""
    tokens, rules = bank.tokens, scheme.word_groups.hyphens
    sign = np.isin(tokens.form, [bank.vocabulary.code(sign) for sign in rules.signs])
    above = np.where(tokens.parent >= 0, bank.nodes.parent_rows(tokens), -1)
    between = np.flatnonzero(sign[1:-1] & (above[1:-1] >= 0)) + 1
    between = between[(above[between - 1] == above[between]) & (above[between + 1] == above[between])]
    first, last = scheme.has_tag(bank, rules.first), scheme.has_tag(bank, rules.last)
    for row in between.tolist():
        if first[row - 1] and first[row + 1]:
            yield Group(row - 1, row + 2, row - 1)
        elif last[row + 1]:
            yield Group(row - 1, row + 2, row + 1)


def _head_group(governor: list[int], group: Group, sentence: range) -> None:
    """Change the governors (rows of tokens) of one sentence so that one word heads a group."""
    members = range(group.first, group.end)
    # The group's governor is that of its topmost word on the way up from its head: with the governor of a
    # lower one, words could come to depend on each other.
    outside, above = governor[group.head], governor[group.head]
    while above >= 0:
        if above in members:
            outside = governor[above]
        above = governor[above]
    for row in sentence:
        if row in members or governor[row] in members:
            governor[row] = group.head
    governor[group.head] = outside
