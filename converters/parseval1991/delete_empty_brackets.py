"""Parseval's second step: erase brackets around one constituent, one word or nothing.

Black, Ezra, et al. (1991), section 2 of the appendix.
"""

from __future__ import annotations

from crossbank.converters.declaration import transformation
from crossbank.converters.deletions import children_of_nodes, roots, without_nodes
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import NO_PARENT, Treebank


@transformation(position=190)
def delete_empty_brackets(bank: Treebank, scheme: Scheme | None = None) -> Treebank:
    """Delete nodes over a single word, and all but the highest of the nodes over the same words.

    A root that only says that a tree begins is deleted in favour of the node below it.
    """
    nodes = bank.nodes
    deleted = bank.spans.size == 1
    single = (children_of_nodes(bank) == 1) & ~deleted
    begins = single & roots(bank, scheme)
    above = nodes.parent_rows(nodes)
    inner = nodes.parent != NO_PARENT
    deleted[inner] |= (single & ~begins)[above[inner]]
    return without_nodes(bank, deleted | begins, "delete_empty_brackets", "empty brackets deleted")
