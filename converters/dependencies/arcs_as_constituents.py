"""Dependency trees as constituents, so that tree patterns can be found in them.

Each token becomes a node: the relation to its head is the label, its part of speech the function. Its
word and its dependents are the node's children: ``(root^VERB (nsubj^NOUN dogs) bark)``. The lexical head
of each node is its own word.
"""

from __future__ import annotations

import numpy as np

from crossbank.treebanks import NO_PARENT, UNATTACHED, Treebank
from crossbank.treebanks.cycles import on_cycle
from crossbank.treebanks.errors import MissingAnnotationError, RequirementError
from crossbank.treebanks.tables import Nodes


def require_dependencies(bank: Treebank, name: str) -> None:
    """Raise ConversionError where words have no dependencies, or where these have a cycle."""
    if len(bank.tokens) and not bank.has_dependencies:
        raise RequirementError(name, "dependencies before it")
    cyclic = on_cycle(bank.tokens.offsets, bank.tokens.head)
    if cyclic.any():
        sentence = int(bank.tokens.sentence_of_row()[cyclic.argmax()])
        raise bank.refused(sentence, "words depend on each other")


def dependency_trees(bank: Treebank) -> Treebank:
    """Return the treebank with its dependencies as constituents, in place of its own constituents.

    Raises ConversionError where dependencies have a cycle.
    """
    tokens = bank.tokens
    positions = tokens.indices()
    attached = tokens.head != UNATTACHED
    if len(tokens) and not attached.any():
        raise MissingAnnotationError(bank.where(0), "dependencies")
    nodes = Nodes.of(
        tokens.offsets,
        label=tokens.relation,
        function=tokens.pos,
        parent=np.where(tokens.head >= 0, tokens.head, NO_PARENT).astype(np.int32),
        head=positions,
    )
    nothing = np.zeros_like(tokens.pos)
    words = tokens.replace(parent=positions, pos=nothing, function=nothing)
    trees = Treebank.of_tables(bank.vocabulary, bank.sentences, words)
    return trees.with_structure(token_parent=positions, nodes=nodes, node_parent=nodes.parent)
