"""Complements and modifiers of a verb complex, moved from its finite verb to its main verb.

In TüBa-D/Z they depend on the finite verb, "although" the object "constitutes an argument of the embedded
main verb" (Kübler and Telljohann 2002, section 4); in TIGER, and in Foth (2006), on the main verb. The
subject stays on the finite verb in all of them.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numba import njit

from converters.scheme import Scheme
from treebanks import ConversionError, Treebank
from treebanks.arrays import BoolArray, Int32Array, Int64Array
from treebanks.diagnosis import finding

STEP = "attach_to_main_verbs"


def attach_to_main_verbs(bank: Treebank, scheme: Scheme | None = None) -> Treebank:
    """Hang complements and modifiers of finite verbs on the main verbs of their verb complexes.

    The scheme's ``verb_complex`` tells by relations what links one verb to the next and what moves;
    clauses that modify stay. Of several verbs that a finite verb governs it is the first behind the word.

    Raises ConversionError where the scheme tells nothing of verb complexes, or there are no dependencies.
    """
    if scheme is None or not scheme.verb_complex.links:
        raise ConversionError(f"{STEP}: found no verb_complex, expected a scheme that has one")
    if not bank.has_dependencies:
        raise ConversionError(f"{STEP}: found no dependencies, expected them before")
    tokens, rules = bank.tokens, scheme.verb_complex

    def with_relation(names: Iterable[str]) -> BoolArray:
        return np.isin(tokens.relation, [bank.vocabulary.code(name) for name in names])

    clauses = scheme.has_tag(bank, rules.clauses)
    moved = with_relation(rules.complements) | (with_relation(rules.modifiers) & ~clauses)
    links = np.zeros(len(tokens), np.bool_)
    for relation, tags in rules.links.items():
        links |= with_relation([relation]) & scheme.has_tag(bank, tags)
    head = moved_heads(tokens.offsets, tokens.head, links, moved & ~links)
    changed = tokens.sentence_of_row()[head != tokens.head]
    return bank.replace(tokens=tokens.replace(head=head)).diagnosed(
        finding(STEP, "dependents moved to the main verb", changed, len(bank))
    )


@njit(cache=True, nogil=True)
def moved_heads(
    token_offsets: Int64Array, head: Int32Array, links: BoolArray, moved: BoolArray
) -> Int32Array:
    """The heads once ``moved`` tokens depend on the last verb linked to their head, shape ``(tokens,)``.

    Down the complex the first linked verb is followed. A verb that links depends on what it is linked
    to, so what moves goes below its head, and there are no cycles.
    """
    heads = head.copy()
    size = 0
    for sentence in range(len(token_offsets) - 1):
        size = max(size, token_offsets[sentence + 1] - token_offsets[sentence])
    before = np.empty(size, np.int32)  # the last linked verb of each word so far
    first = np.empty(size, np.int32)
    for sentence in range(len(token_offsets) - 1):
        begin, end = token_offsets[sentence], token_offsets[sentence + 1]
        before[: end - begin], first[: end - begin] = -1, -1
        for token in range(end - 1, begin - 1, -1):
            if links[token] and head[token] >= 0:
                first[head[token]] = token - begin
            elif moved[token] and head[token] >= 0 and first[head[token]] >= 0:
                heads[token] = first[head[token]]
        for token in range(begin, end):
            if links[token] and head[token] >= 0:
                before[head[token]] = token - begin
            elif moved[token] and heads[token] == head[token] and head[token] >= 0:
                linked = before[head[token]]
                heads[token] = linked if linked >= 0 else head[token]
        for token in range(begin, end):
            if moved[token] and heads[token] != head[token]:
                while first[heads[token]] >= 0:
                    heads[token] = first[heads[token]]
    return heads
