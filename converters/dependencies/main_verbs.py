"""Move the complements and modifiers of a verb complex from its finite verb to its main verb.

In TüBa-D/Z they depend on the finite verb, "although" the object "constitutes an argument of the embedded
main verb" (Kübler and Telljohann 2002, section 4). In TIGER and in Foth (2006) they depend on the main verb.
The subject stays on the finite verb in all of them.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from crossbank.converters.dependencies.arcs_as_constituents import require_dependencies
from crossbank.converters.loops.governors import VerbComplexes, link_verbs, move_to_main_verbs
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import ConversionError, Treebank
from crossbank.treebanks.arrays import BoolArray
from crossbank.treebanks.ranges import in_ranges

NAME = "attach_to_main_verbs"


def attach_to_main_verbs(bank: Treebank, scheme: Scheme | None = None) -> Treebank:
    """Hang complements and modifiers of finite verbs on the main verbs of their verb complexes.

    The scheme's ``verb_complex`` lists the relations that link one verb to the next, and those that move.
    Modifiers that are clauses stay. A finite verb may govern several verbs, and they may have conjuncts: the
    main verb is then the first one past the word that moves.

    Raises ConversionError where the scheme says nothing about verb complexes, where there are no
    dependencies, or where they have a cycle.
    """
    if scheme is None or not scheme.verb_complex.links:
        raise ConversionError(f"{NAME} needs a scheme with verb_complex")
    require_dependencies(bank, NAME)
    tokens, rules = bank.tokens, scheme.verb_complex

    def with_relation(names: Iterable[str]) -> BoolArray:
        return np.isin(tokens.relation, [bank.vocabulary.code(name) for name in names])

    clauses = scheme.has_tag(bank, rules.clauses)
    moved = with_relation(rules.complements) | (with_relation(rules.modifiers) & ~clauses)
    links, verbs = np.zeros(len(tokens), np.bool_), np.zeros(len(tokens), np.bool_)
    for relation, tags in rules.links.items():
        links |= with_relation([relation]) & scheme.has_tag(bank, tags)
        verbs |= scheme.has_tag(bank, tags)
    moved &= ~links
    conjunctions = scheme.has_tag(bank, tuple(scheme.coordination.conjunctions))
    joined = (with_relation(scheme.coordination.functions) & verbs) | conjunctions
    joined &= ~moved
    linked, head = np.full(len(tokens), -1, np.int32), tokens.head.copy()
    complexes = VerbComplexes(tokens.offsets, tokens.head, links, joined, verbs, moved, linked, head)

    def move(first: int, last: int) -> None:
        link_verbs(complexes, first, last)
        move_to_main_verbs(complexes, first, last)

    in_ranges(move, len(bank))
    events = {"dependents moved to the main verb": tokens.sentence_of_row()[head != tokens.head]}
    return bank.replace(tokens=tokens.replace(head=head)).with_events(NAME, events)
