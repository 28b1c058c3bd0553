"""Brackets of GreynirCorpus, whose leaves have the lemma in a bracket of its own.

GreynirCorpus (Miðeind 2021): a parsed corpus of modern Icelandic. A leaf is the tag, the word and further
brackets, of which ``lemma`` is one::

    (NP-SUBJ (fn_et_nf_kk Hann (lemma hann)))

The reader makes one token of such a leaf, with its tag and lemma; its other brackets are in the column
``misc``, ``name=value``. All other brackets are read as in ``treebanks.formats.bracket``, which reads
the lemmas as words, with a warning.
"""

from __future__ import annotations

import numpy as np

from crossbank.treebanks.diagnosis import Diagnosis
from crossbank.treebanks.formats import bracket
from crossbank.treebanks.formats.format import Format
from crossbank.treebanks.formats.text_files import reading_bytes
from crossbank.treebanks.treebank import Treebank

FORMAT = Format(
    position=20,
    written=False,
    trees=True,
)

DAMAGE = "crossbank.treebanks.damage.brackets:RULES"

LEMMA = "lemma"
"""The tag of a lemma in such a leaf."""


def folded(bank: Treebank) -> Treebank:
    """Return the treebank with one token for each node over an untagged word and its lemma."""
    tokens, nodes, count = bank.tokens, bank.nodes, len(bank.nodes)
    code = bank.vocabulary.code(LEMMA)
    if code < 0 or not count:
        return bank
    # Tokens without a node above are counted under one more node.
    above = np.where(tokens.parent >= 0, tokens.parent + nodes.begins(tokens), count)
    untagged = tokens.pos == 0
    words_below = np.bincount(above[untagged], minlength=count + 1)
    lemmas_below = np.bincount(above[tokens.pos == code], minlength=count + 1)
    inner = nodes.parent >= 0
    nodes_below = np.bincount((nodes.parent + nodes.begins(nodes))[inner], minlength=count + 1)
    is_leaf = (words_below == 1) & (lemmas_below > 0) & (nodes_below == 0)
    first = np.append(tokens.begins(nodes) + bank.spans.start, 0)
    is_leaf &= untagged[first]
    is_leaf[count] = False
    word, beside = untagged & is_leaf[above], ~untagged & is_leaf[above]
    lemma_of, misc_of = np.zeros(count + 1, np.int32), np.zeros(count + 1, np.int32)
    rows = np.flatnonzero(beside & (tokens.pos == code))[::-1]
    lemma_of[above[rows]] = tokens.form[rows]
    misc: dict[int, str] = {}
    for row in np.flatnonzero(beside & (tokens.pos != code)).tolist():
        pair = f"{bank.vocabulary[int(tokens.pos[row])]}={bank.vocabulary[int(tokens.form[row])]}"
        node = int(above[row])
        misc[node] = f"{misc[node]}|{pair}" if node in misc else pair
    vocabulary, codes = bank.vocabulary.extended(misc.values())
    misc_of[list(misc)] = codes
    label = np.append(nodes.label, 0)
    columns = {
        name: np.where(word, table[above], getattr(tokens, name)).astype(np.int32)
        for name, table in (("pos", label), ("lemma", lemma_of), ("misc", misc_of))
    }
    bank = bank.replace(vocabulary=vocabulary, tokens=tokens.replace(**columns))
    bank = bank.without_tokens(beside, "greynir")
    parent = bank.tokens.parent.copy()
    leaves = np.flatnonzero(word[~beside])
    parent[leaves] = nodes.parent[parent[leaves] + nodes.begins(bank.tokens)[leaves]]
    return bank.with_structure(token_parent=parent).replace(diagnosis=_without_leaves(bank))


def _without_leaves(bank: Treebank) -> Diagnosis:
    """Return the diagnosis without findings about lemmas and untagged words, if none of them remains."""
    left = {
        bracket.LEMMAS_AS_WORDS: bank.tokens.pos == bank.vocabulary.code(LEMMA),
        bracket.COUNTED["untagged"]: bank.tokens.pos == 0,
    }
    return tuple(one for one in bank.diagnosis if one.event not in left or left[one.event].any())


load, loads = reading_bytes(lambda data, source: folded(bracket.read(data, source)))
