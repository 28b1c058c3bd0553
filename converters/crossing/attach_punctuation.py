"""Loose punctuation, which hangs on the root or on nothing, put into the phrases it stands in."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numba import njit

from crossbank.converters.schemes.scheme import Scheme
from crossbank.converters.virtual_root import roots
from crossbank.treebanks import NO_PARENT, ConversionError, Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array
from crossbank.treebanks.diagnosis import finding

STEP = "attach_punctuation"


def attach_punctuation(
    bank: Treebank, scheme: Scheme | None = None, *, which: Literal["loose", "all"] = "loose"
) -> Treebank:
    """Attach punctuation to the lowest node that dominates the nearest words on both sides.

    which  ``loose``: tokens without a parent and those under a root such as VROOT; ``all``:
           punctuation that hangs in a phrase is taken out of it and attached in the same way

    At the beginning and the end of a sentence it goes to the root, such as VROOT, or to nothing where
    no root is over all words. Several punctuation marks in a row look past each other.
    A continuous phrase stays continuous. A node that dominates nothing but moved punctuation is gone.
    """
    if scheme is None:
        raise ConversionError(f"{STEP}: found no scheme, expected one that says what punctuation is")
    tokens, nodes = bank.tokens, bank.nodes
    moved = scheme.is_punctuation(bank) if which == "all" else loose_punctuation(bank, scheme)
    token_parent = lowest_common(
        tokens.offsets, tokens.parent, nodes.offsets, nodes.parent, moved, roots(bank, scheme)
    )
    changed = tokens.sentence_of_row()[token_parent != tokens.parent]
    result = bank.with_structure(token_parent=token_parent) if len(changed) else bank
    return result.diagnosed(finding(STEP, "punctuation moved", changed, len(bank)))


def loose_punctuation(bank: Treebank, scheme: Scheme) -> BoolArray:
    """Punctuation tokens without a parent, or under a root such as VROOT, shape ``(tokens,)``."""
    tokens, nodes = bank.tokens, bank.nodes
    loose = tokens.parent == NO_PARENT
    hung = ~loose
    above = nodes.parent_rows(tokens)
    loose[hung] = roots(bank, scheme)[above[hung]]
    found: BoolArray = loose & scheme.is_punctuation(bank)
    return found


@njit(cache=True, nogil=True)
def lowest_common(
    token_offsets: Int64Array,
    token_parent: Int32Array,
    node_offsets: Int64Array,
    node_parent: Int32Array,
    moved: BoolArray,
    is_root: BoolArray,
) -> Int32Array:
    """New parents of tokens: the moved ones under the lowest node that dominates both neighbours."""
    parents = token_parent.copy()
    for sentence in range(len(token_offsets) - 1):
        base = node_offsets[sentence]
        nodes = node_offsets[sentence + 1] - base
        depth = np.zeros(nodes, np.int32)
        stays = np.zeros(nodes, np.bool_)
        tops = 0
        for token in range(token_offsets[sentence], token_offsets[sentence + 1]):
            above = token_parent[token]
            if not moved[token]:
                tops += above < 0
                while above >= 0 and not stays[above]:
                    stays[above] = True
                    above = node_parent[base + above]
        root = -1
        for node in range(nodes):
            above = node_parent[base + node]
            depth[node] = depth[above] + 1 if above >= 0 else 1
            if above < 0 and stays[node]:
                root = node if is_root[base + node] else root
                tops += 1
        root = root if tops == 1 else -1
        left = -1
        token = token_offsets[sentence]
        end = token_offsets[sentence + 1]
        while token < end:
            if not moved[token]:
                left = token
                token += 1
                continue
            right = token
            while right < end and moved[right]:
                right += 1
            host = root
            if left >= 0 and right < end:
                one, other = token_parent[left], token_parent[right]
                while one != other:
                    if other < 0 or (one >= 0 and depth[one] >= depth[other]):
                        one = node_parent[base + one]
                    else:
                        other = node_parent[base + other]
                host = one if one >= 0 else root
            while token < right:
                parents[token] = host
                token += 1
    return parents
