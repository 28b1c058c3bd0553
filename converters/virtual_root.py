"""Put one node over everything in a sentence."""

from __future__ import annotations

import numpy as np

from crossbank.converters.declaration import transformation
from crossbank.converters.deletions import roots
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import NO_PARENT, Treebank

NAME = "virtual_root"


@transformation(position=20, resolves=("several roots", "words outside nodes"))
def virtual_root(bank: Treebank, scheme: Scheme | None = None, *, label: str | None = None) -> Treebank:
    """Put one node over all roots of each sentence (Rehbein and van Genabith 2007, section 4).

    label  the node's label; by default the scheme's, and ``VROOT`` without a scheme

    The scheme lists root labels: ``TOP``, ``VROOT``, the empty label of ``( (S ...))``. A sentence with
    exactly one root of such a label keeps that root: it gets the new label, and everything else is hung on
    it. So trees that mark their roots in different ways become comparable. Sentences without tokens stay
    as they are.
    """
    label = label if label is not None else scheme.virtual_root if scheme is not None else "VROOT"
    tokens, nodes, count = bank.tokens, bank.nodes, len(bank)
    marked = roots(bank, scheme)
    is_virtual = nodes.counted(marked) == 1
    added = np.flatnonzero(~is_virtual & (tokens.lengths() > 0))
    vocabulary, (code,) = bank.vocabulary.extended([label])
    more, old, new = nodes.extended(added, label=np.full(len(added), code, np.int32))

    sentence = more.sentence_of_row()
    is_root = np.zeros(len(more), np.bool_)
    is_root[old] = marked & is_virtual[nodes.sentence_of_row()]
    is_root[new] = True
    root_of = np.full(count, NO_PARENT, np.int32)
    root_of[sentence[is_root]] = np.flatnonzero(is_root) - more.offsets[sentence[is_root]]

    relabelled = is_root & (more.label != code)
    loose = (more.parent == NO_PARENT) & ~is_root
    more = more.replace(
        label=np.where(is_root, code, more.label).astype(np.int32),
        parent=np.where(loose, root_of[sentence], more.parent).astype(np.int32),
    )
    token_root = root_of[tokens.sentence_of_row()]
    token_parent = np.where(tokens.parent == NO_PARENT, token_root, tokens.parent).astype(np.int32)
    return (
        bank.replace(vocabulary=vocabulary)
        .with_structure(token_parent=token_parent, nodes=more)
        .with_events(NAME, {"virtual roots added": added, "roots relabelled": sentence[relabelled]})
    )
