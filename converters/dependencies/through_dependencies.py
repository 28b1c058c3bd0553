"""Constituents that survive the conversion to dependencies and back.

A constituent survives where its words are one word with everything that depends on it, directly or not:
then ``dependency_trees`` makes a node over the same words. Dependencies cannot tell where phrases are
flat, or where a head has dependents on both sides of its phrase (a verb and its VP).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from crossbank.converters.deletions import roots
from crossbank.converters.dependencies.arcs_as_constituents import dependency_trees
from crossbank.converters.schemes.scheme import Scheme
from crossbank.converters.transformations import Written, transform
from crossbank.treebanks import Treebank
from crossbank.treebanks.errors import RequirementError


@dataclass(frozen=True)
class Survival:
    """Numbers of one category's constituents with more than one word, and of those that survive.

    recovered  those over a word and its dependents
    same_head  those of them whose lexical head is that word
    """

    category: str
    constituents: int
    recovered: int
    same_head: int


@dataclass(frozen=True)
class ThroughDependencies:
    """Survival by category, the most frequent first, and the sentences whose constituents all survive."""

    sentences: int
    whole: int
    categories: tuple[Survival, ...]
    lost_in: tuple[str, ...]

    @property
    def overall(self) -> Survival:
        """All categories together."""
        names = "constituents", "recovered", "same_head"
        return Survival("", *(sum(getattr(row, name) for row in self.categories) for name in names))


def through_dependencies(
    bank: Treebank, scheme: Scheme, transformations: Iterable[Written] | None = None
) -> ThroughDependencies:
    """Count the constituents that survive the conversion to dependencies and back.

    transformations  those that make dependencies, by default the scheme's view ``dependencies``; phrases
                     that they insert are constituents like others

    Punctuation is deleted first, since nothing depends on it, and roots do not count as constituents. Raises
    ConversionError if the transformations make no dependencies, or dependencies with a cycle.
    """
    if not bank.has_constituents:
        raise RequirementError("through_dependencies", "trees")
    chosen = list(scheme.views.get("dependencies", ()) if transformations is None else transformations)
    bank = bank.without_tokens(scheme.is_punctuation(bank))
    converted = transform(bank, chosen, scheme)
    back = dependency_trees(converted)
    is_root = roots(converted, scheme)
    counts: dict[str, list[int]] = {}
    lost_in = []
    for sentence in range(len(converted)):
        rows = converted.nodes.rows(sentence)
        heads = back.nodes.head[back.nodes.rows(sentence)].tolist()
        head_over = dict(zip(back.yields(sentence), heads, strict=True))
        columns = (column[rows].tolist() for column in (converted.nodes.head, is_root))
        whole = True
        for label, words, head, root in zip(
            converted.labels(sentence), converted.yields(sentence), *columns, strict=True
        ):
            if root or words.bit_count() < 2:
                continue
            predicted = head_over.get(words)
            of_category = counts.setdefault(scheme.labels.main_category(label), [0, 0, 0])
            of_category[0] += 1
            of_category[1] += predicted is not None
            of_category[2] += predicted == head
            whole = whole and predicted is not None
        if not whole:
            lost_in.append(converted.sentence_id(sentence))
    rows_of = (Survival(category, *of_category) for category, of_category in counts.items())
    categories = tuple(sorted(rows_of, key=lambda row: (-row.constituents, row.category)))
    return ThroughDependencies(len(converted), len(converted) - len(lost_in), categories, tuple(lost_in))
