"""Facts about gold's sentences besides their trees: length, text, and attributes from comments.

A comment ``# key = value`` describes its sentence. ``# newdoc id = value`` and ``# newpar id = value`` hold
until the next comment of their kind, a document's ``# meta::key = value`` until the next document.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from os.path import basename

import numpy as np

from crossbank.metrics.pairing.word_forms import canonical
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import Int32Array

COMMENT = re.compile(r"#?\s*([^\s=]+)(?:\s+id)?\s*=\s*(.*?)\s*$")

LASTING = ("newdoc", "newpar")
"""Comments that hold for all sentences until the next comment of their kind."""

NAMES = {"newdoc": "document", "newpar": "paragraph"}

MOST_VALUES = 30
"""Attributes with more values, such as the article of each sentence, make no table."""

STEP, CLASSES = 10, 6
"""Classes of length: 1 to 10 words, 11 to 20, and so on; the last has no end."""

NO_WORDS = "no words"
"""The class of sentences without a word."""

NOTHING = "(none)"
"""The group of the sentences that lack an attribute."""


@dataclass(frozen=True, eq=False)
class Grouping:
    """An attribute that puts sentences into groups.

    groups  the attribute's values, in the order in which they first occur
    group   the group of each sentence, a place in ``groups``, shape ``(sentences,)``
    ordered whether the groups have an order of their own, as classes of length have
    """

    groups: tuple[str, ...]
    group: Int32Array
    ordered: bool = False


@dataclass(frozen=True, eq=False)
class SentenceFacts:
    """Gold's sentences as read.

    lengths    words of each sentence, punctuation included, shape ``(sentences,)``
    text       a sentence's words as one text
    groupings  by the name of the attribute that groups the sentences
    digest     a checksum of all words: treebanks with the same digest annotate the same sentences
    """

    lengths: Int32Array
    text: Callable[[int], str]
    groupings: Mapping[str, Grouping] = field(default_factory=dict)
    digest: str = ""


def facts_of(bank: Treebank, text: Callable[[int], str] | None = None) -> SentenceFacts:
    """The facts of a treebank; ``text`` gives a sentence's words if the treebank is not to stay in memory."""
    groupings = {"source file": _files(bank), **groupings_by_comments(bank)}
    return SentenceFacts(
        bank.tokens.lengths().astype(np.int32),
        text or (lambda sentence: " ".join(bank.words(sentence))),
        {name: grouping for name, grouping in groupings.items() if _divides(grouping)},
        _digest(bank),
    )


def _digest(bank: Treebank) -> str:
    """A checksum of every sentence's words in their order; none for a treebank without words."""
    if not len(bank.tokens):
        return ""
    forms = [canonical(form) for form in bank.vocabulary]
    words = "\n".join(map(forms.__getitem__, bank.tokens.form.tolist()))
    return sha256(words.encode() + bank.tokens.offsets.tobytes()).hexdigest()


def _divides(grouping: Grouping) -> bool:
    """True if there are several groups, but few, with two sentences or more on average."""
    return 1 < len(grouping.groups) <= min(max(len(grouping.group) / 2, 2), MOST_VALUES)


def _files(bank: Treebank) -> Grouping:
    """Sentences grouped by their file; by its name alone if no two files have the same name."""
    paths = bank.vocabulary.decode(bank.sentences.source)
    distinct = dict.fromkeys(paths)
    short = {path: basename(path) for path in distinct}
    if len(set(short.values())) < len(distinct):
        short = {path: path for path in distinct}
    return _grouped([short[path] or NOTHING for path in paths])


def by_length(lengths: Int32Array) -> Grouping:
    """Sentences grouped by their number of words; groups without a sentence are left out."""
    group = np.where(lengths > 0, np.minimum((lengths - 1) // STEP, CLASSES) + 1, 0)
    names = [f"{STEP * number + 1} – {STEP * (number + 1)}" for number in range(CLASSES)]
    names = [NO_WORDS, *names, f"{STEP * CLASSES + 1} and more"]
    used, group = np.unique(group, return_inverse=True)
    return Grouping(tuple(names[place] for place in used.tolist()), group.astype(np.int32), ordered=True)


def groupings_by_comments(bank: Treebank) -> dict[str, Grouping]:
    """Sentences grouped by each attribute in their comments."""
    if not bank.sentences.comments.any():
        return {}
    values: dict[str, list[str]] = {}
    lasting: dict[str, str] = {}
    for sentence, comments in enumerate(bank.vocabulary.decode(bank.sentences.comments)):
        own: dict[str, str] = {}
        for line in comments.split("\n"):
            if not (found := COMMENT.match(line)):
                continue
            key, value = found.groups()
            if key == "newdoc":
                lasting = {}
            if key in LASTING or key.startswith("meta::"):
                lasting[key] = value
            else:
                own[key] = value
        for key, value in {**lasting, **own}.items():
            name = NAMES.get(key, key.removeprefix("meta::"))
            said = values.setdefault(name, [])
            said += [NOTHING] * (sentence - len(said))
            if len(said) == sentence:
                said.append(value or NOTHING)
    return {name: _grouped(said + [NOTHING] * (len(bank) - len(said))) for name, said in values.items()}


def _grouped(values: list[str]) -> Grouping:
    places: dict[str, int] = {}
    group = np.array([places.setdefault(value, len(places)) for value in values], np.int32)
    return Grouping(tuple(places), group)
