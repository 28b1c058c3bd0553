"""Move the complements and modifiers of a verb complex from its finite verb to its main verb.

In TüBa-D/Z they depend on the finite verb, "although" the object "constitutes an argument of the embedded
main verb" (Kübler and Telljohann 2002, section 4). In TIGER and in Foth (2006) they depend on the main verb.
The subject stays on the finite verb in all of them.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from crossbank.converters.declaration import transformation
from crossbank.converters.dependencies.arcs_as_constituents import require_dependencies
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array
from crossbank.treebanks.errors import RequirementError

NAME = "attach_to_main_verbs"


@transformation(position=370)
def attach_to_main_verbs(bank: Treebank, scheme: Scheme | None = None) -> Treebank:
    """Attach complements and modifiers of finite verbs to the main verbs of their verb complexes.

    The scheme's ``verb_complex`` lists the relations that link one verb to the next, and those that move.
    Modifiers that are clauses are not moved. A finite verb may govern several verbs, and they may have
    conjuncts: the
    main verb is then the first one past the word that moves.

    Raises ConversionError if the scheme has no rules for verb complexes, where there are no
    dependencies, or where they have a cycle.
    """
    if scheme is None or not scheme.verb_complex.links:
        raise RequirementError(NAME, "a scheme with verb_complex")
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
    begins, head = tokens.begins(tokens), tokens.head.copy()
    above = np.where(head >= 0, head + begins, -1).astype(np.int32)
    # A conjunct has the link of the first conjunct, on which it depends through conjunctions.
    first_conjunct = _followed(np.where(joined & ~links, above, np.int32(-1)))
    linked = np.where(links[first_conjunct] & verbs, above[first_conjunct], np.int32(-1))
    moving, main = _main_verbs(linked, above, np.flatnonzero(moved & (linked < 0) & (above >= 0)))
    head[moving] = main - begins[moving]
    events = {"dependents moved to the main verb": tokens.sentence_of_row()[head != tokens.head]}
    return bank.replace(tokens=tokens.replace(head=head)).with_events(NAME, events)


def _main_verbs(linked: Int32Array, above: Int32Array, moving: Int64Array) -> tuple[Int64Array, Int32Array]:
    """Return the words whose head is in a verb complex, and the main verb of each.

    It is the first verb after the word that is linked to its head, or else the last one before it; from there
    the first linked verb is followed. A word moves to a verb below its head, and no verb of a complex depends
    on it, so there are no cycles.

    linked  the verb to which each verb of a complex is linked, else -1
    above   the head of each word, by row
    moving  the words that may move
    """
    verb = np.flatnonzero(linked >= 0)
    verb = verb[np.argsort(linked[verb], kind="stable")]
    to = np.append(linked[verb], -1).astype(np.int64)  # the last entry serves words before the first verb
    insertion = np.searchsorted(
        to[:-1] * len(linked) + verb, above[moving].astype(np.int64) * len(linked) + moving
    )
    after, before = (to[insertion - back] == above[moving] for back in (0, 1))
    first = np.full(len(linked), -1, np.int32)
    first[to[:-1][::-1]] = verb[::-1]
    return moving[after | before], _followed(first)[
        verb[np.where(after, insertion, insertion - 1)[after | before]]
    ]


def _followed(links: Int32Array) -> Int32Array:
    """Return the end of the chain of links from each word; -1 is no link."""
    rows = np.arange(len(links), dtype=np.int32)
    rest = np.flatnonzero(links >= 0)
    while len(rest):
        rows[rest] = links[rows[rest]]
        rest = rest[links[rows[rest]] >= 0]
    return rows
