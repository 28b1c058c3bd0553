"""Dependencies of CCG: the words that fill the argument slots of each word's category.

The heads of the positions of categories are unified where a derivation combines them, so that arguments are
found however far they are moved: <head word, category, slot, argument>. A coordinated argument has several
heads, each of which makes a dependency. Clark, Stephen, Julia Hockenmaier and Mark Steedman (2002):
Building Deep Dependency Structures Using a Wide-Coverage CCG Parser. ACL.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np

from crossbank.converters.declaration import transformation
from crossbank.converters.schemes.scheme import Scheme
from crossbank.formalisms.ccg.conversions.derivations import derivations
from crossbank.formalisms.ccg.conversions.head_sharing import head_sharing_file, load_head_sharing
from crossbank.formalisms.ccg.conversions.loops.unification import (
    DependencyColumns,
    DerivationColumns,
    fill_dependencies,
)
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import Int32Array, Int64Array, offsets_of
from crossbank.treebanks.ranges import in_ranges
from crossbank.treebanks.tables import FurtherHeads, Relations


def head_sharing_files(
    scheme: Scheme | None = None, *, sharing: str = "english", **_: object
) -> tuple[Path, ...]:
    """Return the file of categories that share heads. Raises OptionError if there is none."""
    return (head_sharing_file(sharing),)


@transformation(position=420, files=head_sharing_files)
def ccg_dependencies(
    bank: Treebank,
    scheme: Scheme | None = None,
    *,
    sharing: str = "english",
    slots: Literal["all", "filled"] = "all",
) -> Treebank:
    """Return the dependencies of derivations as relations: ``name`` is the category, ``type`` the slot.

    sharing  the file of categories that share heads
    slots    how slots are numbered: ``all`` arguments count, as in CCGbank, so that an adverb,
             ``(S\\NP)\\(S\\NP)``, modifies the filler of its slot 2; or those alone that are dependencies
             (``filled``), as the C&C tools do

    Nodes whose children no rule combines are counted, and their heads are not unified.
    """
    derived = derivations(bank, load_head_sharing(sharing))
    tokens, nodes = bank.tokens, bank.nodes
    size = np.array([sign.variables for sign in derived.signs], np.int32)
    of_signs = [derived.slots.get(index, ()) for index in range(len(size))]
    counted = [index for of_sign in of_signs for index in range(1, len(of_sign) + 1)]
    numbers = counted if slots == "filled" else [slot.number for of_sign in of_signs for slot in of_sign]
    slot_begin, variable = _end_to_end([[slot.variable for slot in of_sign] for of_sign in of_signs])
    combined = derived.combinations
    seen = DerivationColumns(
        *(tokens.offsets, nodes.offsets, derived.child, derived.token_sign, derived.node_rule),
        *(size, slot_begin, np.array(numbers, np.int32), variable),
        *_end_to_end([combination.unified for combination in combined]),
        *_end_to_end([combination.sources for combination in combined]),
        np.array([combination.left_size for combination in combined], np.int32),
    )
    variables = np.concatenate((size[derived.token_sign], size[derived.node_sign]))
    sentence = np.concatenate((tokens.sentence_of_row(), nodes.sentence_of_row()))
    largest = (
        int((tokens.lengths() + nodes.lengths()).max(initial=0)),
        int(np.bincount(sentence, variables, len(bank)).max(initial=0)),
    )
    counts = np.zeros(len(bank), np.int64)
    nothing = np.zeros(0, np.int32)
    none = DependencyColumns(offsets_of(counts), nothing, nothing, nothing)
    in_ranges(lambda first, last: fill_dependencies(seen, none, counts, largest, first, last), len(bank))
    offsets = offsets_of(counts)
    functor, slot, argument = (np.zeros(int(offsets[-1]), np.int32) for _ in range(3))
    written = DependencyColumns(offsets, functor, slot, argument)
    in_ranges(lambda first, last: fill_dependencies(seen, written, counts, largest, first, last), len(bank))
    begin = np.repeat(tokens.offsets[:-1], counts)
    vocabulary, codes = bank.vocabulary.extended(map(str, range(int(slot.max(initial=0)) + 1)))
    relations = Relations.of(
        offsets,
        name=tokens.pos[begin + functor],
        type=codes[slot],
        head_index=functor,
        head_word=tokens.form[begin + functor],
        dependent_index=argument,
        dependent_word=tokens.form[begin + argument],
    )
    further = FurtherHeads.empty(len(bank))
    converted = bank.replace(vocabulary=vocabulary, relations=relations, further_heads=further)
    return converted.with_events("ccg_dependencies", derived.uncombined())


def _end_to_end(lists: Sequence[Sequence[int | Sequence[int]]]) -> tuple[Int64Array, Int32Array]:
    """Return the offsets of lists, and all their entries; pairs are flattened."""
    begin = offsets_of(np.array([len(one) for one in lists], np.int64))
    return begin, np.array([entry for one in lists for entry in one], np.int32).ravel()
