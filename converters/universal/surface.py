"""Words as they are written: tokens of several words, spaces, and the text of a sentence.

https://universaldependencies.org/format.html: a token such as *won't* is a range of words; ``SpaceAfter=No``
says that no space follows; the comment ``text`` has the sentence.
"""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import numpy as np

from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array, offsets_of
from crossbank.treebanks.tables import MultiwordTokens

WRITING = ("", "joined", "close", "open", "tight")
"""The ways in which words are written: see ``rules.UniversalRules.writing``."""

_NOT_IN_ID = re.compile(r"[\s/]+")
_TEXT = re.compile(r"^#?[ \t]*text[ \t]*=.*$\n?", re.MULTILINE)


def with_surface(bank: Treebank, writing: Int32Array) -> Treebank:
    """Add multiword tokens, ``SpaceAfter=No`` and ``text``; ``writing`` has places in ``WRITING``."""
    tokens = bank.tokens
    if not len(tokens):
        return bank
    first = np.zeros(len(tokens), np.bool_)
    first[tokens.offsets[:-1][tokens.lengths() > 0]] = True
    joined = (writing == WRITING.index("joined")) & ~first
    # No space between a word and the one before.
    close = joined | np.isin(writing, (WRITING.index("close"), WRITING.index("tight")))
    close[1:] |= np.isin(writing[:-1], (WRITING.index("open"), WRITING.index("tight")))
    close &= ~first
    before_close = np.append(close[1:], False)
    if len(bank.multiword):
        joined[:] = False
    bank = _with_text(bank, before_close)
    bank, covered = _with_multiword_tokens(bank, joined, before_close)
    return _without_spaces(bank, before_close & ~covered)


def _with_text(bank: Treebank, before_close: BoolArray) -> Treebank:
    forms = bank.vocabulary.decode(bank.tokens.form)
    pieces = [""] * (2 * len(forms))
    pieces[::2] = forms
    pieces[1::2] = np.where(before_close, "", " ").tolist()
    offsets = (2 * bank.tokens.offsets).tolist()
    texts = ["".join(pieces[begin : max(end - 1, begin)]) for begin, end in pairwise(offsets)]
    bank = _identified(bank)
    comments = bank.vocabulary.decode(bank.sentences.comments)
    said = [
        f"{_TEXT.sub('', comment)}\n# text = {text}".lstrip("\n") if text else comment
        for comment, text in zip(comments, texts, strict=True)
    ]
    vocabulary, codes = bank.vocabulary.extended(said)
    return bank.replace(vocabulary=vocabulary, sentences=bank.sentences.replace(comments=codes))


def _identified(bank: Treebank) -> Treebank:
    """The treebank with an identifier for each sentence, by default its file's name and its number there.

    https://universaldependencies.org/format.html: identifiers have no spaces and no slashes, and each is
    there once. One that several sentences have gets the name of the file as well.
    """
    ids, source = bank.sentences.id, bank.sentences.source
    several = np.bincount(ids, minlength=len(bank.vocabulary)) > 1
    several[0] = False
    wrong = bank.vocabulary.matching(lambda text: _NOT_IN_ID.search(text) is not None)
    changed = np.flatnonzero(several[ids] | wrong[ids])
    if len(changed):
        said = []
        for row in changed.tolist():
            name = _NOT_IN_ID.sub("_", bank.vocabulary[int(ids[row])])
            file = Path(bank.vocabulary[int(source[row])]).name.partition(".")[0]
            said.append(f"{file}-{name}" if several[ids[row]] and file else name)
        vocabulary, codes = bank.vocabulary.extended(said)
        ids = ids.copy()
        ids[changed] = codes
        bank = bank.replace(vocabulary=vocabulary, sentences=bank.sentences.replace(id=ids))
    nameless = np.flatnonzero(ids == 0)
    stems = {code: Path(bank.vocabulary[code]).name.partition(".")[0] for code in np.unique(source).tolist()}
    numbers = bank.sentences.ordinal[nameless].tolist()
    named = [
        f"{stems[file]}-{number}" for file, number in zip(source[nameless].tolist(), numbers, strict=True)
    ]
    vocabulary, codes = bank.vocabulary.extended(named)
    ids = ids.copy()
    ids[nameless] = codes
    return bank.replace(vocabulary=vocabulary, sentences=bank.sentences.replace(id=ids))


def _with_multiword_tokens(
    bank: Treebank, joined: BoolArray, before_close: BoolArray
) -> tuple[Treebank, BoolArray]:
    """The treebank with a token for each run of joined words, and a mask of the words in such tokens."""
    covered = joined.copy()
    covered[:-1] |= joined[1:]
    if not joined.any():
        return bank, covered
    tokens = bank.tokens
    begins = np.flatnonzero(covered & ~joined)
    ends = np.flatnonzero(covered & ~np.append(joined[1:], False))
    places, sentence = tokens.places(), tokens.sentence_of_row()[begins]
    forms = bank.vocabulary.decode(tokens.form)
    written = ["".join(forms[a : b + 1]) for a, b in zip(begins.tolist(), ends.tolist(), strict=True)]
    vocabulary, (no_space, *codes) = bank.vocabulary.extended(["SpaceAfter=No", *written])
    table = MultiwordTokens.of(
        offsets_of(np.bincount(sentence, minlength=len(bank))),
        first=places[begins],
        last=places[ends],
        form=np.array(codes, np.int32),
        misc=np.where(before_close[ends], no_space, 0).astype(np.int32),
    )
    return bank.replace(vocabulary=vocabulary, multiword=table), covered


def _without_spaces(bank: Treebank, tight: BoolArray) -> Treebank:
    """The treebank with ``SpaceAfter=No`` in MISC of some words."""
    misc = bank.tokens.misc
    if not tight.any():
        return bank
    if not misc.any():
        vocabulary, (code,) = bank.vocabulary.extended(["SpaceAfter=No"])
        misc = np.where(tight, code, 0).astype(np.int32)
    else:
        said = bank.vocabulary.decode(misc[tight])
        vocabulary, codes = bank.vocabulary.extended(
            [f"{text}|SpaceAfter=No" if text else "SpaceAfter=No" for text in said]
        )
        misc = misc.copy()
        misc[tight] = codes
    return bank.replace(vocabulary=vocabulary, tokens=bank.tokens.replace(misc=misc))
