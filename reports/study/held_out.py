"""Sentences that are held out: scored, and not seen by what makes their candidates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crossbank.reports.study.addresses import local
from crossbank.treebanks import ConversionError, Treebank
from crossbank.treebanks.quantities import quantity

SEED = 1


@dataclass(frozen=True)
class HeldOut:
    """Sentences of a treebank that are scored; what makes candidates has not seen them.

    folds        each sentence once, made without its fold; sentence i is in fold i mod folds
    test         a proportion of the sentences, drawn at random
    identifiers  these sentences
    files        the sentences of these files
    seed         of the draw
    """

    folds: int = 0
    test: float = 0.0
    identifiers: Sequence[str] = ()
    files: Sequence[str] = ()
    seed: int = SEED

    @classmethod
    def of(cls, entry: Mapping[str, Any], data: str = "") -> HeldOut | None:
        """Return the held-out sentences of a treebank's entry in a study file; None if it names none.

        ``data`` is what ``{data}`` stands for in paths.
        """
        seed = entry.get("seed", cls.seed)
        if "folds" in entry:
            return cls(folds=entry["folds"], seed=seed)
        test = entry.get("test")
        if isinstance(test, Mapping):
            return cls(files=tuple(local(test["path"].replace("{data}", data))), seed=seed)
        if isinstance(test, list):
            return cls(identifiers=tuple(map(str, test)), seed=seed)
        return None if test is None else cls(test=test, seed=seed)

    def parts(self, bank: Treebank) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
        """Return for each fold the sentences that may be seen and those that are held out.

        Raises ConversionError where there are too few sentences, or one that is named is not there.
        """
        place = np.arange(len(bank))
        if self.folds:
            if len(bank) < self.folds:
                found = f"{bank.where(0)}: found {quantity(len(bank), 'sentence')}"
                raise ConversionError(f"{found}, expected at least {self.folds} for {self.folds} folds")
            fold = place % self.folds
            return [(np.flatnonzero(fold != f), np.flatnonzero(fold == f)) for f in range(self.folds)]
        test = self._test(bank)
        if len(test) in (0, len(bank)):
            said = f"{len(test)} of {quantity(len(bank), 'sentence')} would be held out"
            raise ConversionError(f"{bank.where(0)}: {said}, expected some but not all")
        return [(np.setdiff1d(place, test), test)]

    def _test(self, bank: Treebank) -> NDArray[np.intp]:
        if self.files:
            held_out = [bank.vocabulary.code(file) for file in self.files]
            return np.flatnonzero(np.isin(bank.sentences.source, held_out))
        if not self.identifiers:
            drawn = np.random.default_rng(self.seed).permutation(len(bank))
            return np.sort(drawn[: round(self.test * len(bank))])
        places = {identifier: place for place, identifier in enumerate(bank.sentence_ids)}
        missing = [identifier for identifier in self.identifiers if identifier not in places]
        if missing:
            raise ConversionError(f"{bank.where(0)}: test: there is no sentence {missing[0]}")
        return np.sort(np.array([places[identifier] for identifier in self.identifiers], np.intp))

    def gold(self, bank: Treebank) -> Treebank:
        """Return the sentences that are scored, in their order."""
        return bank if self.folds else bank.select(self.parts(bank)[0][1])
