"""Candidates that a study trains itself: which parser, on how much, and which sentences are held out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from crossbank.converters.schemes.values import Step
from crossbank.parsers.models import options_of_parser
from crossbank.reports.study.addresses import local
from crossbank.treebanks import ConversionError, Treebank
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.typed_yaml import Rule, key, no_key, object_of

SEED = 1

ALL = ("all",)
"""The sizes of training sets where a study names none."""

Size = Annotated[Annotated[int, Rule(minimum=1)] | Literal["all"], Rule("a number of sentences, or all")]

COMMAND = "command"
"""The parser that is a command of somebody else's program."""


@dataclass(frozen=True)
class HeldOut:
    """Sentences of a treebank that are parsed, by parsers that have not seen them.

    folds        each sentence once, by a parser trained on the other folds; sentence i is in fold i mod folds
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
        """For each fold the sentences to train on and those to parse.

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
        """Return the sentences that are parsed, in their order."""
        return bank if self.folds else bank.select(self.parts(bank)[0][1])


@dataclass(frozen=True)
class Training:
    """Training of one candidate.

    parser   the name of a parser, or ``command``
    options  the parser's options, or the command's
    size     numbers of sentences to train on; each is a candidate with the attribute training_size
    seed     the seed with which training sentences are drawn; a larger draw contains a smaller one
    transformations
             transformations of the training set alone, before a parser learns from it
    entropy  whether the bits that the trained model needs for the held-out sentences are measured, and
             precision and recall per bit
    seen     whether the sentences that are parsed are also trained on
    """

    parser: str = no_key()
    options: Mapping[str, Any] = no_key({})
    size: int | None = key(
        None,
        name="sizes",
        form=tuple[Size, ...],
        minItems=1,
        read=lambda sizes: None if sizes[0] == "all" else sizes[0],
        otherwise="all",
    )
    seed: int = key(SEED, expected="a whole number from 0", minimum=0)
    transformations: tuple[Any, ...] = key(form=tuple[Step, ...])
    entropy: bool = key(False, expected="yes or no")
    seen: bool = key(False, expected="yes or no")

    @property
    def parser_options(self) -> Any:
        """Options of a parser of ours."""
        return options_of_parser(self.parser, self.options)

    def draw(self, train: NDArray[np.intp], test: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the sentences to train on, in their order: of those to train on, or with ``seen`` of all.

        Raises ConversionError where there are fewer than the size.
        """
        if self.seen:
            train = np.sort(np.concatenate([train, test]))
        if self.size is None:
            return train
        if self.size > len(train):
            found = quantity(len(train), "sentence")
            raise ConversionError(f"training: found {found}, expected at least {self.size}")
        return np.sort(np.random.default_rng(self.seed).permutation(train)[: self.size])


def training_of(candidate: Mapping[str, Any]) -> Training | None:
    """Return the training of a candidate, as its entry says after ``expanded``; None for one that is read."""
    if "parser" not in candidate:
        return None
    ((name, options),) = candidate["parser"].items()
    training: Training = object_of(
        Training, candidate.get("training", {}), parser=name, options=dict(options or {})
    )
    return training


def expanded(content: Mapping[str, Any]) -> dict[str, Any]:
    """A study with one candidate for each size and number of iterations that it lists.

    Their names get the size and the number after them, and their attributes say both, so that they become
    points of a learning curve.
    """
    treebanks = [
        {**treebank, "candidates": [one for c in treebank["candidates"] for one in _expanded(c)]}
        if treebank.get("candidates")
        else treebank
        for treebank in content["treebanks"]
    ]
    return {**content, "treebanks": treebanks}


def _expanded(candidate: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    training = candidate.get("training", {})
    if "parser" not in candidate:
        yield dict(candidate)
        return
    sizes, iterations = training.get("sizes", ALL), training.get("iterations", [None])
    ((parser, options),) = candidate["parser"].items()
    for size in sizes:
        for iteration in iterations:
            name = candidate["name"]
            attributes = {"parser": parser, **candidate.get("attributes", {}), "training_size": size}
            own, one_each = dict(options or {}), {**training, "sizes": [size]}
            if len(sizes) > 1:
                name += f"_{size}"
            if iteration is not None:
                own["iterations"] = attributes["iteration"] = iteration
                one_each["iterations"] = [iteration]
            if len(iterations) > 1:
                name += f"_{iteration}"
            made_so = {"parser": {parser: own}, "training": one_each, "attributes": attributes}
            system = attributes.get("system", candidate["name"])
            made_so["system"] = candidate.get("system", system)
            yield {**candidate, "name": name, **made_so}
