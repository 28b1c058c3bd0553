"""Discriminants: the elementary properties that tell the analyses of a sentence apart.

Carter, David (1997): The TreeBanker: a Tool for Supervised Training of Parsed Corpora. AAAI. Oepen, Stephan,
et al. (2002): LinGO Redwoods, section 3. Beyond PARSEVAL. A property is the use of a rule, or of a lexical
entry, over a part of the text; semantic relations are none here. Annotators say of a few whether they hold,
and the analyses that disagree are out.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

from crossbank.treebanks.readings import analysis_offsets, chosen_analyses
from crossbank.treebanks.treebank import Treebank


class Discriminant(NamedTuple):
    """A property that some but not all analyses of a sentence have.

    kind        ``rule`` or ``entry``
    label       the rule's or the entry's name
    first, end  the characters that it is over, blanks not counted
    """

    kind: str
    label: str
    first: int
    end: int


class Disambiguation(NamedTuple):
    """A sentence with several analyses.

    sentence   its identifier
    analyses   their number
    properties all discriminants
    decisions  those that leave no other analysis than the chosen one, the most telling first: each is the one
               that most of the analyses which are left disagree with
    alike      analyses that no discriminant tells from the chosen one
    """

    sentence: str
    analyses: int
    properties: frozenset[Discriminant]
    decisions: tuple[Discriminant, ...]
    alike: int


def disambiguations(bank: Treebank) -> Iterator[Disambiguation]:
    """Yield the sentences that have several analyses. Raises FormatError where two of them are chosen."""
    offsets = analysis_offsets(bank).tolist()
    for first, end, chosen in zip(offsets[:-1], offsets[1:], chosen_analyses(bank).tolist(), strict=True):
        if end - first > 1:
            analyses = [_properties(bank, row) for row in range(first, end)]
            right = analyses.pop(chosen - first)
            differ = [right ^ other for other in analyses]
            yield Disambiguation(
                bank.sentence_id(first),
                end - first,
                frozenset().union(*differ),
                tuple(_decisions([other for other in differ if other])),
                sum(not other for other in differ),
            )


def _properties(bank: Treebank, row: int) -> frozenset[Discriminant]:
    nodes, tokens = bank.nodes.rows(row), bank.tokens.rows(row)
    decode = bank.vocabulary.decode
    ends = [0, *accumulate(len(word.replace(" ", "")) for word in bank.words(row))]
    starts, lasts = (column[nodes].tolist() for column in (bank.spans.start, bank.spans.end))
    rules = zip(decode(bank.nodes.label[nodes]), starts, lasts, strict=True)
    entries = enumerate(decode(bank.tokens.pos[tokens]))
    return frozenset(
        [Discriminant("rule", label, ends[start], ends[last]) for label, start, last in rules]
        + [Discriminant("entry", label, ends[index], ends[index + 1]) for index, label in entries]
    )


def _decisions(differ: list[frozenset[Discriminant]]) -> Iterator[Discriminant]:
    """Yield one discriminant after another, until every other analysis disagrees with one."""
    while differ:
        candidates = sorted(frozenset().union(*differ))
        best = max(candidates, key=lambda one: sum(one in other for other in differ))
        yield best
        differ = [other for other in differ if best not in other]
