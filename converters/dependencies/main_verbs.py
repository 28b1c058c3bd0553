"""Complements and modifiers of a verb complex, moved from its finite verb to its main verb.

In TüBa-D/Z they depend on the finite verb, "although" the object "constitutes an argument of the embedded
main verb" (Kübler and Telljohann 2002, section 4); in TIGER, and in Foth (2006), on the main verb. The
subject stays on the finite verb in all of them.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numba import njit

from crossbank.converters.dependencies.trees import require_dependencies
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import ConversionError, Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array
from crossbank.treebanks.diagnosis import finding

STEP = "attach_to_main_verbs"


def attach_to_main_verbs(bank: Treebank, scheme: Scheme | None = None) -> Treebank:
    """Hang complements and modifiers of finite verbs on the main verbs of their verb complexes.

    The scheme's ``verb_complex`` tells by relations what links one verb to the next and what moves;
    clauses that modify stay. Of several verbs that a finite verb governs, or that are conjuncts of such
    a one, it is the first behind the word.

    Raises ConversionError where the scheme tells nothing of verb complexes, or there are no dependencies,
    or some form a circle.
    """
    if scheme is None or not scheme.verb_complex.links:
        raise ConversionError(f"{STEP}: found no verb_complex, expected a scheme that has one")
    require_dependencies(bank, STEP)
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
    linked = linked_to(tokens.offsets, tokens.head, links, joined & ~moved, verbs)
    head = moved_heads(tokens.offsets, tokens.head, linked, moved)
    changed = tokens.sentence_of_row()[head != tokens.head]
    return bank.replace(tokens=tokens.replace(head=head)).diagnosed(
        finding(STEP, "dependents moved to the main verb", changed, len(bank))
    )


@njit(cache=True, nogil=True)
def linked_to(
    token_offsets: Int64Array, head: Int32Array, links: BoolArray, joined: BoolArray, verbs: BoolArray
) -> Int32Array:
    """The verb that each verb of a complex is linked to, -1 for other tokens, shape ``(tokens,)``.

    A conjunct is linked to what the first conjunct is linked to: by way of ``joined`` tokens, other
    conjuncts and conjunctions, it depends on that one.
    """
    linked = np.full(len(head), np.int32(-1), np.int32)
    for sentence in range(len(token_offsets) - 1):
        begin = token_offsets[sentence]
        for token in range(begin, token_offsets[sentence + 1]):
            first = token
            while joined[first] and not links[first] and head[first] >= 0:
                first = begin + head[first]
            if links[first] and verbs[token]:
                linked[token] = head[first]
    return linked


@njit(cache=True, nogil=True)
def moved_heads(
    token_offsets: Int64Array, head: Int32Array, linked: Int32Array, moved: BoolArray
) -> Int32Array:
    """The heads once ``moved`` tokens depend on the last verb linked to their head, shape ``(tokens,)``.

    Down the complex the first linked verb is followed. What moves goes below its head, and no verb of a
    complex depends on what moves, so there are no cycles.
    """
    heads = head.copy()
    size = 0
    for sentence in range(len(token_offsets) - 1):
        size = max(size, token_offsets[sentence + 1] - token_offsets[sentence])
    before = np.empty(size, np.int32)  # the last verb so far that is linked to each word
    first = np.empty(size, np.int32)
    for sentence in range(len(token_offsets) - 1):
        begin, end = token_offsets[sentence], token_offsets[sentence + 1]
        before[: end - begin], first[: end - begin] = -1, -1
        for token in range(end - 1, begin - 1, -1):
            if linked[token] >= 0:
                first[linked[token]] = token - begin
            elif moved[token] and head[token] >= 0 and first[head[token]] >= 0:
                heads[token] = first[head[token]]
        for token in range(begin, end):
            if linked[token] >= 0:
                before[linked[token]] = token - begin
            elif moved[token] and heads[token] == head[token] and head[token] >= 0:
                verb = before[head[token]]
                heads[token] = verb if verb >= 0 else head[token]
        for token in range(begin, end):
            if moved[token] and heads[token] != head[token]:
                while first[heads[token]] >= 0:
                    heads[token] = first[heads[token]]
    return heads
