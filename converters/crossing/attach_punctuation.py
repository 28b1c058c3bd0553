"""Attach loose punctuation, which hangs on the root or on nothing, to the phrases around it."""

from __future__ import annotations

from typing import Literal

from crossbank.converters.declaration import transformation
from crossbank.converters.deletions import roots
from crossbank.converters.loops.crossing import attach_between
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import NO_PARENT, Treebank
from crossbank.treebanks.arrays import BoolArray
from crossbank.treebanks.errors import RequirementError
from crossbank.treebanks.ranges import in_ranges

NAME = "attach_punctuation"


@transformation(position=260, resolves=("discontinuous constituents", "words outside nodes"))
def attach_punctuation(
    bank: Treebank, scheme: Scheme | None = None, *, which: Literal["loose", "all"] = "loose"
) -> Treebank:
    """Attach punctuation to the lowest node that dominates the nearest words on both sides.

    which  ``loose``: punctuation without a parent and below a root such as VROOT; ``all``: punctuation
           inside phrases, too

    At the beginning and the end of a sentence, punctuation goes to the root that dominates all words, or to
    nothing if there is no such root. Several punctuation marks in a row ignore each other. A
    continuous phrase stays continuous. A node that dominates nothing but moved punctuation is deleted.
    """
    if scheme is None:
        raise RequirementError(NAME, "a scheme that says what punctuation is")
    tokens = bank.tokens
    moved = scheme.is_punctuation(bank) if which == "all" else loose_punctuation(bank, scheme)
    token_parent, is_root = tokens.parent.copy(), roots(bank, scheme)
    in_ranges(
        lambda first, last: attach_between(bank.forest, moved, is_root, token_parent, first, last), len(bank)
    )
    changed = tokens.sentence_of_row()[token_parent != tokens.parent]
    result = bank.with_structure(token_parent=token_parent) if len(changed) else bank
    return result.with_events(NAME, {"punctuation moved": changed})


def with_punctuation_attached(bank: Treebank, scheme: Scheme | None) -> Treebank | None:
    """Return the treebank after ``attach_punctuation``; None if no scheme says what punctuation is."""
    if scheme is None or not (scheme.punctuation.tags or scheme.punctuation.forms):
        return None
    return attach_punctuation(bank, scheme)


def loose_punctuation(bank: Treebank, scheme: Scheme) -> BoolArray:
    """Return punctuation tokens without a parent, or under a root such as VROOT, shape ``(tokens,)``."""
    tokens, nodes = bank.tokens, bank.nodes
    loose = tokens.parent == NO_PARENT
    hung = ~loose
    above = nodes.parent_rows(tokens)
    loose[hung] = roots(bank, scheme)[above[hung]]
    loose_marks: BoolArray = loose & scheme.is_punctuation(bank)
    return loose_marks
