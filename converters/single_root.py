"""Dependencies with one root for each sentence, as CoNLL-U wants them."""

from __future__ import annotations

import numpy as np

from converters.dependencies import attach_loose
from converters.dependency_trees import require_dependencies
from converters.scheme import Scheme
from treebanks import Treebank
from treebanks.diagnosis import finding

STEP = "single_root"


def single_root(
    bank: Treebank,
    scheme: Scheme | None = None,
    *,
    relation: str = "dep",
    punctuation: str = "punct",
    root_relation: str = "root",
) -> Treebank:
    """Hang all other roots, and words without a head, on the root that dominates most words.

    relation, punctuation  the relation of what is attached: words, and the scheme's punctuation
    root_relation          the relation of the root that is left

    Punctuation is the root only where there is nothing else. Raises ConversionError where there are no
    dependencies, or where some form a circle.
    """
    require_dependencies(bank, STEP)
    tokens = bank.tokens
    vocabulary, codes = bank.vocabulary.extended([root_relation, relation, punctuation])
    head, name = tokens.head.copy(), tokens.relation.copy()
    loose = np.zeros(len(tokens), np.bool_)
    is_punctuation = loose if scheme is None else scheme.is_punctuation(bank)
    attach_loose(tokens.offsets, head, name, is_punctuation, loose, True, *codes)
    changed = head != tokens.head
    name[changed] = np.where(is_punctuation[changed], codes[2], codes[1])
    bank = bank.replace(vocabulary=vocabulary, tokens=tokens.replace(head=head, relation=name))
    return bank.diagnosed(
        finding(STEP, "roots attached to the main root", tokens.sentence_of_row()[changed], len(bank))
    )
