"""Sentences that are held out: scored, and not seen by what makes their candidates; their keys in studies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from crossbank.reports.study.addresses import local
from crossbank.treebanks import ConversionError, Treebank
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.typed_yaml import Rule, key

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

        Raises ConversionError if there are too few sentences, or one that is named is not there.
        """
        every = np.arange(len(bank))
        size = quantity(len(bank), "sentence")
        if self.folds:
            if len(bank) < self.folds:
                expected = f"expected at least {self.folds} for {self.folds} folds"
                raise ConversionError(f"{bank.where(0)}: found {size}, {expected}")
            fold = every % self.folds
            return [(np.flatnonzero(fold != f), np.flatnonzero(fold == f)) for f in range(self.folds)]
        test = self._test(bank)
        if len(test) in (0, len(bank)):
            message = f"{len(test)} of {size} would be held out, expected some but not all"
            raise ConversionError(f"{bank.where(0)}: {message}")
        return [(np.setdiff1d(every, test), test)]

    def _test(self, bank: Treebank) -> NDArray[np.intp]:
        if self.files:
            held_out = [bank.vocabulary.code(file) for file in self.files]
            return np.flatnonzero(np.isin(bank.sentences.source, held_out))
        if not self.identifiers:
            drawn = np.random.default_rng(self.seed).permutation(len(bank))
            return np.sort(drawn[: round(self.test * len(bank))])
        indices = {identifier: index for index, identifier in enumerate(bank.sentence_ids)}
        missing = [identifier for identifier in self.identifiers if identifier not in indices]
        if missing:
            raise ConversionError(f"{bank.where(0)}: test: there is no sentence {missing[0]}")
        return np.sort(np.array([indices[identifier] for identifier in self.identifiers], np.intp))

    def gold(self, bank: Treebank) -> Treebank:
        """Return the sentences that are scored, in their order."""
        return bank if self.folds else bank.select(self.parts(bank)[0][1])


@dataclass(frozen=True)
class FilesOfGold:
    """Some of gold's files.

    path  some of gold's files
    """

    path: str


@dataclass(frozen=True)
class HeldOutSentences:
    """The sentences that parsers are tested on.

    folds  the number of parts; each is parsed by a parser trained on the other parts
    test   in place of folds: a proportion of the sentences, identifiers, or some of gold's files; only
           these are parsed and scored, the others are trained on
    seed   the seed with which test is drawn
    """

    folds: int | None = key(None, minimum=2)
    test: float | tuple[str | int, ...] | FilesOfGold | None = key(
        None,
        form=Annotated[float, Rule(exclusiveMinimum=0, exclusiveMaximum=1)]
        | Annotated[tuple[str | int, ...], Rule(minItems=1)]
        | FilesOfGold,
        expected="a proportion between 0 and 1, a list of identifiers, or the path of files",
    )
    seed: int = key(SEED, minimum=0)

    @staticmethod
    def check_keys(treebank: Mapping[str, Any]) -> Iterator[tuple[list[str], str]]:
        """Yield what does not fit together."""
        candidates = treebank.get("candidates", ())
        trained = any("path" not in one for one in candidates if isinstance(one, Mapping))
        if "folds" in treebank and not trained:
            yield (
                ["folds"],
                "found folds, and no candidate with a parser, which is trained on all folds but one",
            )
        if "seed" in treebank and ("folds" in treebank or not isinstance(treebank.get("test"), float | int)):
            yield ["seed"], "found a seed, and no proportion under test to draw with it"
