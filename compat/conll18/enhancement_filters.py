"""Omission of types of enhancements that a treebank does not have: ``--enhancements`` of the shared tasks.

Bouma, Seddah and Zeman (2020, 2021): Overviews of the IWPT shared tasks; their script is ``udeval.py`` among
the tools of Universal Dependencies. Each digit omits one type of enhancement in gold and system. The module
follows the script, also where this differs from its comments: digit 3 compares a word with a text and changes
nothing, and digit 5 compares the index of a word from 0 with a head from 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from crossbank.treebanks.errors import OptionError

ENHANCEMENTS = {
    "0": "all enhancements count",
    "1": "no gapping",
    "2": "no shared parents in coordination",
    "3": "no shared dependents in coordination",
    "4": "no subjects of controlled verbs",
    "5": "no external arguments of relative clauses",
    "6": "no case in relations",
}
"""Description of each digit."""

WITH_CASE = frozenset({"obl", "nmod", "conj", "advcl"})
"""Relations to which a case or a conjunction may be added."""

UNIVERSAL_SUBTYPES = frozenset({"pass", "relcl", "xsubj"})
"""Subtypes that are not cases."""

ROOT = -1
"""The head of a root."""

NO_WORD = -2
"""The head of a root's basic dependency if it replaces an edge; in the script it equals no other head."""


class EnhancedEdge(NamedTuple):
    """An enhanced dependency.

    head   the word from 0 in its sentence, ``ROOT`` or ``NO_WORD``
    steps  the relations of its path: ``("conj:and", "obj")``
    """

    head: int
    steps: tuple[str, ...]


def check_enhancements(digits: str) -> str:
    """Return the distinct digits in ascending order. Raises OptionError for other text."""
    if not digits or not set(digits) <= set(ENHANCEMENTS):
        named = ", ".join(f"{digit} ({meaning})" for digit, meaning in ENHANCEMENTS.items())
        raise OptionError("enhancements", digits, f"one or more of {named}")
    return "".join(sorted(set(digits)))


def filter_sentence(
    edges: Sequence[Sequence[EnhancedEdge]], heads: Sequence[int], relations: Sequence[str], digits: str
) -> list[list[EnhancedEdge]]:
    """Return the edges of each word of a sentence that count.

    heads      the basic heads, from 0; ``ROOT`` for a root
    relations  the basic relations without subtypes
    digits     types of enhancements to omit: see ``ENHANCEMENTS``
    """
    filtered = []
    for word, of_word in enumerate(edges):
        kept = list(of_word)
        basic = EnhancedEdge(heads[word] if heads[word] >= 0 else NO_WORD, (relations[word],))
        if "1" in digits:
            kept = _without_paths(kept, basic)
        if "2" in digits:
            conjuncts = [edge for edge in kept if len(edge.steps) == 1 and edge.steps[0].startswith("conj")]
            kept = conjuncts[-1:] or kept
        if "4" in digits:
            kept = [edge for edge in kept if not _is_controlled_subject(edge, relations)]
        if "5" in digits:
            kept = [
                basic if edge.steps[0] == "ref" else edge
                for edge in kept
                if edge.steps[0] == "ref" or not _is_external_argument(edge, word, heads, relations)
            ]
        if "6" in digits:
            kept = [EnhancedEdge(edge.head, tuple(map(_without_case, edge.steps))) for edge in kept]
        filtered.append(kept)
    return filtered


def _without_paths(edges: Sequence[EnhancedEdge], basic: EnhancedEdge) -> list[EnhancedEdge]:
    """Return the basic dependency for each path, and each other edge once."""
    kept: list[EnhancedEdge] = []
    for edge in edges:
        if len(edge.steps) > 1:
            kept.append(basic)
        elif edge not in kept:
            kept.append(edge)
    return kept


def _is_controlled_subject(edge: EnhancedEdge, relations: Sequence[str]) -> bool:
    controlled = edge.head >= 0 and relations[edge.head] == "xcomp"
    return controlled and any(step.startswith("nsubj") for step in edge.steps)


def _is_external_argument(
    edge: EnhancedEdge, word: int, heads: Sequence[int], relations: Sequence[str]
) -> bool:
    return edge.head >= 0 and relations[edge.head].startswith("acl") and heads[edge.head] + 1 == word


def _without_case(step: str) -> str:
    relation, *subtypes = step.split(":")
    has_case = relation in WITH_CASE and len(subtypes) == 1 and subtypes[0] not in UNIVERSAL_SUBTYPES
    return relation if has_case else step
