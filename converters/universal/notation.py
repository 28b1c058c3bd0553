"""Notation of rules: what a test says of a phrase or a word, and the program that a loop runs.

A test is a mapping; all that it says must hold::

    {category: NP, side: left, parent: {category: [S, SINV]}, unless: {function: TMP}}

What is said of the phrase itself is a string or a list of them, with ``*`` and ``?`` as wildcards:

``category``  its category, or its tag where it is one word that no node dominates
``function``  its function, or one part of it
``tag``, ``form``      tag and form (in lower case) of its lexical head
``spelling``  ``capital`` where that form begins with a capital letter
``relation``, ``upos``  what the lexical head has been given so far
``side``      ``left`` or ``right`` of its governor, or of the head among its sisters
``at``        ``first`` or ``last`` of its sisters, punctuation omitted
``size``      ``one`` word or ``several``
``repeated``  ``yes`` where it is one word that comes again, after punctuation at most
``is``        a test that the file names under ``tests``

What is said of others is a test again, by the way that leads to them (``AXES``); where several phrases can
be meant, one of them is enough. ``unless`` is a test, or a list of them, of which none may hold; ``any`` is a
list of which one must hold; ``all`` is a list of which each must hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from fnmatch import translate
from functools import lru_cache
from re import compile as pattern_of
from typing import Any

import numpy as np

from crossbank.treebanks.arrays import BoolArray, Int32Array, offsets_of

FEATURES = ("category", "function", "tag", "form", "relation", "upos", "side", "at", "size", "repeated")
"""What a test can say of a phrase itself; a feature's number is its place here."""

AXES = (
    "self", "parent", "head", "core", "child", "first", "last", "next", "previous", "before", "behind",
    "beside", "under", "over", "governor", "dependent", "word_before", "word_behind", "whole", "earlier",
    "later",
)  # fmt: skip
"""The ways from a phrase to others; an axis' number is its place here.

parent, under         the node above, any node above
head                  the child of the parent that is its head
core                  the own child that is the head
child, first, last    any child, the first, the last
over                  anything that it dominates
next, previous        the sister right after, right before
before, behind        any sister that it comes before, or after
beside                any sister
governor, dependent   the word on which its lexical head depends, any word that depends on that
word_before, word_behind  the word right before, right after the lexical head
earlier, later        the words before, or after, that have the same governor
whole                 the largest phrase that has the same lexical head
"""

FIXED = {
    "side": ("", "left", "right"),
    "at": ("", "first", "last", "only"),
    "size": ("", "one", "several"),
    "repeated": ("", "yes"),
}
"""The values of features that follow from places; a value's number is its place here."""

Labels = tuple[str, ...]


def labels(content: str | Sequence[Any]) -> Labels:
    """Labels as a file has them: a string, or a list that may have lists in it."""
    if isinstance(content, (list, tuple)):
        return tuple(label for part in content for label in labels(part))
    return (str(content),)


class Compiler:
    """Tests as arrays: ``test`` adds one and gives its number; the same test has the same number.

    sets    (feature, labels) of each set of labels
    tests   (whether one check is enough, checks); a check is (kind, number, value, negated), see ``arrays``
    """

    def __init__(self, named: Mapping[str, Mapping[str, Any]]) -> None:
        self.named = named
        self.sets: dict[tuple[str, Labels], int] = {}
        self.tests: dict[tuple[bool, tuple[tuple[int, int, int], ...]], int] = {}

    def test(self, content: Mapping[str, Any]) -> int:
        """Return the number of a test. Raises KeyError for a name under which the file has none."""
        own: list[tuple[int, int, int]] = []
        further: list[tuple[int, int, int]] = []
        for key, value in content.items():
            if key in FEATURES:
                own.append((FEATURES.index(key), self._set(key, labels(value)), 0))
            elif key == "spelling":
                own.append((FEATURES.index("form"), self._set(key, labels(value)), 0))
            elif key == "is":
                further += [self._sub("self", self.test(self.named[name]), 0) for name in labels(value)]
            elif key == "unless":
                listed = value if isinstance(value, list) else [value]
                further += [self._sub("self", self.test(one), 1) for one in listed]
            elif key == "all":
                further += [self._sub("self", self.test(one), 0) for one in value]
            elif key == "any":
                alternatives = tuple(self._sub("self", self.test(one), 0) for one in value)
                further.append(self._sub("self", self._number(True, alternatives), 0))
            else:
                further.append(self._sub(key, self.test(value), 0))
        return self._number(False, tuple(own + further))

    def _sub(self, axis: str, test: int, negated: int) -> tuple[int, int, int]:
        return len(FEATURES) + AXES.index(axis), test, negated

    def _set(self, feature: str, names: Labels) -> int:
        of = "category" if feature == "tag" else feature
        return self.sets.setdefault((of, names), len(self.sets))

    def _number(self, one_is_enough: bool, checks: tuple[tuple[int, int, int], ...]) -> int:
        return self.tests.setdefault((one_is_enough, checks), len(self.tests))

    def arrays(self) -> tuple[Int32Array, BoolArray, Int32Array]:
        """Return where the checks of each test begin, whether one of them is enough, and all checks.

        A check is ``(kind, number, negated)``: below the number of features its kind is a feature and its
        number a set; else the kind is an axis after the features and the number a test.
        """
        begins = offsets_of(np.array([len(checks) for _, checks in self.tests], np.int64)).astype(np.int32)
        enough = np.array([one for one, _ in self.tests], np.bool_)
        checks = np.array([check for _, listed in self.tests for check in listed], np.int32).reshape(-1, 3)
        return begins, enough, checks


def members(accepted: Labels, names: Iterable[str], separator: str = "") -> BoolArray:
    """A mask of the names that are among some labels, or like one of them; shape ``(names,)``.

    With a separator a name counts as each of its parts.
    """
    exact, like = _exact_and_like(accepted)
    if separator:
        parts = [[name, *name.split(separator)] for name in names]
        is_member = [any(part in exact or like(part) for part in all_of) for all_of in parts]
    else:
        is_member = [bool(name in exact or like(name)) for name in names]
    return np.array(is_member, np.bool_)


@lru_cache(maxsize=4096)
def _exact_and_like(accepted: Labels) -> tuple[frozenset[str], Callable[[str], object]]:
    """Return the labels without wildcards, and what tells whether a name is like one of the others."""
    exact = frozenset(label for label in accepted if not any(c in label for c in "*?["))
    like = "|".join(translate(label) for label in accepted if label not in exact)
    return exact, pattern_of(like or "(?!)").match


class FormClasses:
    """Classes of forms: two forms are of one class where no set of the rules distinguishes them.

    sets      labels by the number of their set
    capitals  the number of the set of forms that begin with a capital letter, if the rules have it
    """

    def __init__(self, sets: Mapping[int, Labels], capitals: Iterable[int] = ()) -> None:
        exact: dict[str, set[int]] = {}
        like: list[tuple[str, int]] = []
        for number, accepted in sets.items():
            for label in accepted:
                if any(c in label for c in "*?["):
                    like.append((label, number))
                else:
                    exact.setdefault(label, set()).add(number)
        self._capitals = frozenset(capitals)
        self._exact, self._like = exact, [(pattern_of(translate(label)), number) for label, number in like]
        self._any = pattern_of("|".join(translate(label) for label, _ in like)) if like else None
        self._classes: dict[frozenset[int], int] = {frozenset(): 0}

    def of(self, form: str) -> int:
        """Return the class of a form."""
        capital = form[:1].isupper()
        form = form.lower()
        classes: Set[int] | None = self._exact.get(form)
        if self._any is not None and self._any.match(form):
            classes = (classes or set()) | {number for like, number in self._like if like.match(form)}
        if capital and self._capitals:
            classes = (classes or set()) | self._capitals
        if classes is None:
            return 0
        return self._classes.setdefault(frozenset(classes), len(self._classes))

    def __len__(self) -> int:
        return len(self._classes)

    def members(self, number: int) -> BoolArray:
        """A mask of the classes whose forms are in a set, shape ``(classes,)``."""
        return np.array([number in sets for sets in self._classes], np.bool_)
