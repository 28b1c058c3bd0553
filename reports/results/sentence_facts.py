"""Facts about gold's sentences besides their trees: length, text, and attributes from comments.

A comment ``# key = value`` describes its sentence. ``# newdoc id = value`` and ``# newpar id = value`` hold
until the next comment of their kind, a document's ``# meta::key = value`` until the next document.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
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

MAX_VALUES = 30
"""Attributes with more values, such as the article of each sentence, make no table."""

STEP, CLASSES = 10, 6
"""Classes of length: 1 to 10 words, 11 to 20, and so on; the last has no end."""

NO_WORDS = "no words"
"""The class of sentences without a word."""

NO_VALUE = "(none)"
"""The group of the sentences that lack an attribute."""


@dataclass(frozen=True, eq=False)
class Grouping:
    """An attribute that puts sentences into groups.

    groups  the attribute's values, in the order in which they first occur
    group   the group of each sentence, an index into ``groups``, shape ``(sentences,)``
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


def collect_facts(bank: Treebank, text: Callable[[int], str] | None = None) -> SentenceFacts:
    """Return the facts of a treebank, which need not stay in memory if ``text`` gives sentences' words."""
    return collect_facts_of_shards([bank], text or (lambda sentence: " ".join(bank.words(sentence))))


def collect_facts_of_shards(shards: Iterable[Treebank], text: Callable[[int], str]) -> SentenceFacts:
    """Return the facts of a treebank that is read shard by shard."""
    lengths = [np.zeros(0, np.int32)]
    files, comments = _GroupBuilder(), _CommentGroups(MAX_VALUES)
    words = sha256()
    for bank in shards:
        lengths.append(bank.tokens.lengths().astype(np.int32))
        for path in bank.vocabulary.decode(bank.sentences.source):
            files.add(path)
        comments.add(bank)
        forms = [f"{canonical(form)}\n" for form in bank.vocabulary]
        words.update("".join(map(forms.__getitem__, bank.tokens.form.tolist())).encode())
    every = np.concatenate(lengths)
    words.update(every.tobytes())
    paths = files.grouping()
    names = tuple(name or NO_VALUE for name in shorten_paths(paths.groups))
    groupings = {"source file": Grouping(names, paths.group), **comments.groupings(len(every))}
    most = min(max(len(every) / 2, 2), MAX_VALUES)  # groups of two sentences or more on average
    groupings = {name: of for name, of in groupings.items() if 1 < len(of.groups) <= most}
    return SentenceFacts(every, text, groupings, words.hexdigest() if every.any() else "")


def shorten_paths(paths: Sequence[str]) -> Sequence[str]:
    """Return the names of files, with their folders where two have the same name."""
    short = [basename(path) for path in paths]
    return short if len(set(short)) == len(short) else paths


def group_by_length(lengths: Int32Array) -> Grouping:
    """Return sentences grouped by their number of words; groups without a sentence are omitted."""
    group = np.where(lengths > 0, np.minimum((lengths - 1) // STEP, CLASSES) + 1, 0)
    names = [f"{STEP * number + 1} – {STEP * (number + 1)}" for number in range(CLASSES)]
    names = [NO_WORDS, *names, f"{STEP * CLASSES + 1} and more"]
    used, group = np.unique(group, return_inverse=True)
    return Grouping(tuple(names[index] for index in used.tolist()), group.astype(np.int32), ordered=True)


def group_by_comments(bank: Treebank) -> dict[str, Grouping]:
    """Return sentences grouped by each attribute in their comments."""
    comments = _CommentGroups(most=len(bank))
    comments.add(bank)
    return comments.groupings(len(bank))


class _GroupBuilder:
    """Groups of sentences by one value each."""

    def __init__(self) -> None:
        self.keys: dict[str, int] = {}
        self.group = array("i")

    def add(self, value: str) -> None:
        """Put the next sentence into the group of a value."""
        self.group.append(self.keys.setdefault(value, len(self.keys)))

    def fill(self, sentences: int) -> None:
        """Put the sentences up to a number into the group of those without a value."""
        while len(self.group) < sentences:
            self.add(NO_VALUE)

    def grouping(self) -> Grouping:
        """Return the groups of all sentences."""
        return Grouping(tuple(self.keys), np.array(self.group, np.int32))


class _CommentGroups:
    """Attributes of sentences in their comments.

    An attribute with more values than ``most`` is forgotten, so that the texts of a million sentences do not
    stay in memory.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.sentences = 0
        self.lasting: dict[str, str] = {}
        self.builders: dict[str, _GroupBuilder | None] = {}

    def add(self, bank: Treebank) -> None:
        """Take the comments of the next sentences."""
        if not bank.sentences.comments.any() and not self.lasting:
            self.sentences += len(bank)
            return
        for comments in bank.vocabulary.decode(bank.sentences.comments):
            own = self._own(comments)
            for key, value in {**self.lasting, **own}.items():
                self._take(NAMES.get(key, key.removeprefix("meta::")), value)
            self.sentences += 1

    def _own(self, comments: str) -> dict[str, str]:
        own: dict[str, str] = {}
        for line in comments.split("\n"):
            if not (match := COMMENT.match(line)):
                continue
            key, value = match.groups()
            if key == "newdoc":
                self.lasting = {}
            if key in LASTING or key.startswith("meta::"):
                self.lasting[key] = value
            else:
                own[key] = value
        return own

    def _take(self, name: str, value: str) -> None:
        grouping = self.builders.setdefault(name, _GroupBuilder())
        if grouping is None:
            return
        grouping.fill(self.sentences)
        if len(grouping.group) == self.sentences:
            grouping.add(value or NO_VALUE)
        if len(grouping.keys) > self.most:
            self.builders[name] = None

    def groupings(self, sentences: int) -> dict[str, Grouping]:
        """Return the groups by each attribute that can make a table."""
        made = {}
        for name, grouping in self.builders.items():
            if grouping is not None:
                grouping.fill(sentences)
                made[name] = grouping.grouping()
        return made
