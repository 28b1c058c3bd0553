"""Split leaves that hold a word and its lemma, such as IcePaHC's ``(N-N bóndi-bóndi)``."""

from __future__ import annotations

import numpy as np

from crossbank.converters.declaration import transformation
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import Treebank
from crossbank.treebanks.errors import RequirementError


@transformation(position=80)
def split_lemmas(bank: Treebank, scheme: Scheme | None = None, *, separator: str = "") -> Treebank:
    """Move the lemma from the leaf to its column: ``bóndi-bóndi`` is the word *bóndi* with the lemma *bóndi*.

    separator  the string between word and lemma; by default the scheme's separator

    Word and lemma may contain the separator themselves, both equally often (``a-b-a-b``). So the leaf is
    split at the middle separator, or at the last one if their number is even. Empty elements, metadata
    (``(ID 1210.JARTEIN.REL-SAG,.1)``) and leaves without the separator are unchanged.

    Treebanks of one scheme differ: IcePaHC's leaves have lemmas, FarPaHC's do not. If fewer than half of
    the words contain the separator, it belongs to words, and none is split.
    """
    mark = separator or (scheme.lemma_separator if scheme is not None else "")
    if not mark:
        raise RequirementError("split_lemmas", "a separator, in the scheme or as the option separator")
    tokens = bank.tokens
    words = np.ones(len(tokens), np.bool_)
    if scheme is not None:
        words = ~(scheme.is_empty(bank) | scheme.is_metadata(bank))
    vocabulary, form = bank.vocabulary.mapped(tokens.form, lambda leaf: _cut(leaf, mark)[0])
    vocabulary, lemma = vocabulary.mapped(tokens.form, lambda leaf: _cut(leaf, mark)[1])
    cut = words & (form != tokens.form)
    if 2 * np.count_nonzero(cut) < np.count_nonzero(words):
        return bank
    changed = tokens.replace(form=np.where(cut, form, tokens.form), lemma=np.where(cut, lemma, tokens.lemma))
    events = {"lemmas split off": tokens.sentence_of_row()[cut]}
    return bank.replace(vocabulary=vocabulary, tokens=changed).with_events("split_lemmas", events)


def _cut(leaf: str, mark: str) -> tuple[str, str]:
    parts = leaf.split(mark)
    middle = len(parts) // 2 if len(parts) % 2 == 0 else len(parts) - 1
    word, lemma = mark.join(parts[:middle]), mark.join(parts[middle:])
    return (word, lemma) if word and lemma else (leaf, "")
