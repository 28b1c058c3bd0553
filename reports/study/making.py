"""What plug-ins make for a study: candidates that have no files.

A plug-in declares a class below ``Making`` with the attributes ``name`` and ``makes``. It adds a key of that
name to those of candidates by ``adds_keys``, and has a rule of the workflow in a folder ``study_rules``. The
rule makes ``parsed/{treebank}/{candidate}.parquet`` with ``candidate=PLAN.made_by(name)`` as its constraint,
since another plug-in may make other candidates of the same study.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from crossbank.reports.study.held_out import HeldOut
from crossbank.treebanks.registry import Registry

if TYPE_CHECKING:
    from crossbank.reports.study.model import StudiedTreebank

REGISTRY = Registry("making", "module:Class")

Parts: TypeAlias = Sequence[tuple[NDArray[np.intp], NDArray[np.intp]]]
"""For each fold, the indices of the sentences to learn from and of those that are held out."""


class Making(ABC):
    """How one candidate of a study is made.

    name   the key of a candidate in study files that asks for it
    makes  what the key names, with its article
    """

    name: ClassVar[str]
    makes: ClassVar[str]

    @classmethod
    @abstractmethod
    def of(cls, candidate: Mapping[str, Any]) -> Making:
        """Return an instance for a candidate, from its entry in a study file after ``expand``."""

    @classmethod
    def expand(cls, candidate: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield the candidates that an entry abbreviates, each as an entry of its own."""
        yield dict(candidate)

    @classmethod
    def check(cls, treebanks: Sequence[StudiedTreebank]) -> Iterator[tuple[tuple[str | int, ...], str]]:
        """Yield each contradiction in a study: the keys of its location, and a message."""
        yield from ()

    @classmethod
    def commands(cls, options: Mapping[str, Any]) -> Iterator[str]:
        """Yield the shell commands that are run to make candidates with these options."""
        yield from ()

    @abstractmethod
    def settings(
        self, scheme: str | None, transformations: Sequence[Any], reading: Any, held_out: HeldOut
    ) -> Any:
        """Return the settings of the step that makes the candidate.

        scheme, transformations, reading  the settings with which gold is read and converted
        """

    @abstractmethod
    def describe(self, parts: Parts) -> str:
        """Return how the candidate is made. Raises CrossbankError if the sentences do not suffice."""


@cache
def making_names() -> tuple[str, ...]:
    """Return the keys of candidates that ask for a plug-in to make them."""
    return tuple(REGISTRY.names())


@cache
def making_class(name: str) -> type[Making]:
    """Return the class that makes candidates with this key."""
    made_by: type[Making] = REGISTRY.load(name)
    return made_by


def expanded(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return the content of a study file with each entry replaced by the candidates that it abbreviates."""
    treebanks = [
        {**treebank, "candidates": [one for c in treebank["candidates"] for one in _expanded(c)]}
        if treebank.get("candidates")
        else treebank
        for treebank in content["treebanks"]
    ]
    return {**content, "treebanks": treebanks}


def _expanded(candidate: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    made_by = class_of(candidate)
    return [dict(candidate)] if made_by is None else made_by.expand(candidate)


def class_of(candidate: Mapping[str, Any]) -> type[Making] | None:
    """Return the class that makes a candidate; None for one that has files."""
    return next((making_class(name) for name in making_names() if name in candidate), None)
