"""Words as written: tokens of several words, spaces, and the text of a sentence.

https://universaldependencies.org/format.html: a token such as *won't* is a range of words; ``SpaceAfter=No``
says that no space follows; the comment ``text`` has the sentence.
"""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path

import numpy as np

from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array, offsets_of
from crossbank.treebanks.tables import MultiwordTokens

WRITING = ("", "joined", "close", "open", "tight")
"""The ways in which words are written: see ``rules.UniversalRules.writing``."""

_NOT_IN_ID = re.compile(r"[\s/]+")
_TEXT = re.compile(r"^#?[ \t]*text[ \t]*=.*\n?", re.MULTILINE)


def with_surface(bank: Treebank, writing: Int32Array) -> Treebank:
    """Add multiword tokens, ``SpaceAfter=No`` and ``text``; ``writing`` has indices into ``WRITING``."""
    tokens = bank.tokens
    if not len(tokens):
        return bank
    first = np.zeros(len(tokens), np.bool_)
    first[tokens.offsets[:-1][tokens.lengths() > 0]] = True
    joined = (writing == WRITING.index("joined")) & ~first
    # No space between a word and the one before.
    before, after = (
        np.array([name in (kind, "tight") for name in WRITING], np.bool_) for kind in ("close", "open")
    )
    close = joined | before[writing]
    close[1:] |= after[writing[:-1]]
    close &= ~first
    before_close = np.append(close[1:], False)
    if len(bank.multiword):
        joined[:] = False
    bank = _with_text(bank, before_close)
    bank, covered = _with_multiword_tokens(bank, joined, before_close)
    tight, misc = before_close & ~covered, bank.tokens.misc.copy()
    vocabulary, misc[tight] = bank.vocabulary.mapped(
        misc[tight], lambda text: f"{text}|SpaceAfter=No" if text else "SpaceAfter=No"
    )
    return bank.replace(vocabulary=vocabulary, tokens=bank.tokens.replace(misc=misc))


def _with_text(bank: Treebank, before_close: BoolArray) -> Treebank:
    offsets, forms = bank.tokens.offsets, bank.tokens.form
    with_words = bank.tokens.lengths() > 0
    sign = np.where(before_close, 0, 1)
    sign[offsets[1:][with_words] - 1] = 2
    strings = [string.replace("\n", " ") for string in bank.vocabulary]
    words = map(strings.__getitem__, forms.tolist())
    signs = map(("", " ", "\n").__getitem__, sign.tolist())
    lines = iter("".join(chain.from_iterable(zip(words, signs, strict=True))).split("\n"))
    texts = [next(lines) if any_word else "" for any_word in with_words.tolist()]
    bank = _identified(bank)
    comments = bank.vocabulary.decode(bank.sentences.comments)
    new_comments = [
        "\n".join(filter(None, (_TEXT.sub("", comment).rstrip("\n"), text and f"# text = {text}")))
        for comment, text in zip(comments, texts, strict=True)
    ]
    return bank.with_columns("sentences", comments=new_comments)


def _identified(bank: Treebank) -> Treebank:
    """Treebank with an identifier for each sentence, by default its file's name and its number there.

    https://universaldependencies.org/format.html: identifiers have no spaces and no slashes, and each is
    there once. One that several sentences have gets the name of the file as well.
    """
    ids, source = bank.sentences.id, bank.sentences.source
    several = np.bincount(ids, minlength=len(bank.vocabulary)) > 1
    several[0] = False
    wrong = np.zeros(len(bank.vocabulary), np.bool_)
    distinct = np.unique(ids)
    wrong[distinct] = [_NOT_IN_ID.search(bank.vocabulary[code]) is not None for code in distinct.tolist()]
    changed = np.flatnonzero(several[ids] | wrong[ids])
    if len(changed):
        identifiers = []
        for row in changed.tolist():
            name = _NOT_IN_ID.sub("_", bank.vocabulary[int(ids[row])])
            file = Path(bank.vocabulary[int(source[row])]).name.partition(".")[0]
            identifiers.append(f"{file}-{name}" if several[ids[row]] and file else name)
        bank = bank.with_columns("sentences", changed, id=identifiers)
    nameless = np.flatnonzero(bank.sentences.id == 0)
    stems = {code: Path(bank.vocabulary[code]).name.partition(".")[0] for code in np.unique(source).tolist()}
    columns = source[nameless].tolist(), bank.sentences.ordinal[nameless].tolist()
    names = (f"{stems[file]}-{number}" for file, number in zip(*columns, strict=True))
    return bank.with_columns("sentences", nameless, id=names)


def _with_multiword_tokens(
    bank: Treebank, joined: BoolArray, before_close: BoolArray
) -> tuple[Treebank, BoolArray]:
    """Treebank with a token for each run of joined words, and a mask of the words in such tokens."""
    covered = joined.copy()
    covered[:-1] |= joined[1:]
    if not joined.any():
        return bank, covered
    tokens = bank.tokens
    begins = np.flatnonzero(covered & ~joined)
    ends = np.flatnonzero(covered & ~np.append(joined[1:], False))
    positions, sentence = tokens.indices(), tokens.sentence_of_row()[begins]
    runs = zip(begins.tolist(), ends.tolist(), strict=True)
    written = ("".join(bank.vocabulary.decode(tokens.form[a : b + 1])) for a, b in runs)
    vocabulary, (no_space, *codes) = bank.vocabulary.extended(["SpaceAfter=No", *written])
    table = MultiwordTokens.of(
        offsets_of(np.bincount(sentence, minlength=len(bank))),
        first=positions[begins],
        last=positions[ends],
        form=np.array(codes, np.int32),
        misc=np.where(before_close[ends], no_space, 0).astype(np.int32),
    )
    return bank.replace(vocabulary=vocabulary, multiword=table), covered
