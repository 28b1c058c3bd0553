"""Candidates that a study trains itself: which parser, and on how much."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from crossbank.converters.schemes.values import Step
from crossbank.parsers.models import PARSERS, options_of_parser
from crossbank.reports.study.held_out import SEED, HeldOut
from crossbank.reports.study.making import Making, Parts
from crossbank.treebanks import ConversionError
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.typed_yaml import Rule, key, no_key, object_of
from crossbank.workflow.settings import ReadSettings, TransformingSettings, transformation_modules

if TYPE_CHECKING:
    from crossbank.reports.study.model import StudiedTreebank

STEP = "crossbank.parsers.study.parse"

ALL = ("all",)
"""The sizes of training sets where a study names none."""

Size = Annotated[Annotated[int, Rule(minimum=1)] | Literal["all"], Rule("a number of sentences, or all")]

COMMAND = "command"
"""The parser that is a command of somebody else's program."""


@dataclass(frozen=True)
class Training(Making):
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

    name: ClassVar[str] = "parser"
    makes: ClassVar[str] = "a parser to train"

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
        """Options of a parser of Crossbank."""
        return options_of_parser(self.parser, self.options)

    def draw(self, train: NDArray[np.intp], test: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the sentences to train on, in their order: of those to train on, or with ``seen`` of all.

        Raises ConversionError if there are fewer than the size.
        """
        if self.seen:
            train = np.sort(np.concatenate([train, test]))
        if self.size is None:
            return train
        if self.size > len(train):
            available = quantity(len(train), "sentence")
            raise ConversionError(f"training: found {available}, expected at least {self.size}")
        return np.sort(np.random.default_rng(self.seed).permutation(train)[: self.size])

    @classmethod
    def of(cls, candidate: Mapping[str, Any]) -> Training:
        """Return the training of a candidate."""
        ((name, options),) = candidate["parser"].items()
        training: Training = object_of(
            cls, candidate.get("training", {}), parser=name, options=dict(options or {})
        )
        return training

    @classmethod
    def expand(cls, candidate: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield one candidate for each size and number of iterations that an entry lists.

        Their names get the size and the number after them, and their attributes say both, so that they become
        points of a learning curve.
        """
        training = candidate.get("training", {})
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

    @classmethod
    def check(cls, treebanks: Sequence[StudiedTreebank]) -> Iterator[tuple[tuple[str | int, ...], str]]:
        """Yield an error where the bits of smoothed models would be compared with those of others.

        A model without smoothing has no probability for many sentences, and fewer bits for the rest.
        """
        first: tuple[str, bool] | None = None
        for index, treebank in enumerate(treebanks):
            for number, candidate in enumerate(treebank.candidates):
                training = candidate.making
                if not isinstance(training, cls) or not training.entropy:
                    continue
                smoothed = bool(training.parser_options.smoothed)
                first = first or (candidate.name, smoothed)
                if smoothed != first[1]:
                    names = (candidate.name, first[0]) if smoothed else (first[0], candidate.name)
                    problem = "found entropies of {} with smoothing and of {} without, ".format(*names)
                    keys = ("treebanks", index, "candidates", number)
                    yield keys, f"{problem}expected smoothing on every side or on none"

    @classmethod
    def commands(cls, options: Mapping[str, Any]) -> Iterator[str]:
        """Yield the commands of another program."""
        command = options.get(COMMAND)
        if isinstance(command, Mapping):
            yield from (str(command[name]) for name in ("version", "train", "parse") if command.get(name))

    def settings(
        self, scheme: str | None, transformations: Sequence[Any], reading: Any, held_out: HeldOut
    ) -> ParseSettings:
        """Return the settings of the step that trains and parses."""
        return ParseSettings(scheme, transformations, reading, self, held_out)

    def describe(self, parts: Parts) -> str:
        """Return the parser, and on how many sentences it is trained at least."""
        sizes = quantity(min(len(self.draw(*part)) for part in parts), "sentence")
        return f"trained by the study ({self.parser}, {sizes})"


@dataclass(frozen=True)
class ParseSettings(TransformingSettings):
    """Settings for training a candidate, and for what it parses.

    reading  how gold is read
    """

    reading: ReadSettings
    training: Training
    held_out: HeldOut

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> ParseSettings:
        """Return the settings from their argument."""
        reading, training = ReadSettings.of(values["reading"]), Training(**values["training"])
        held_out = HeldOut(**values["held_out"])
        return cls(values["scheme"], values["transformations"], reading, training, held_out)

    def modules(self) -> Iterable[str]:
        """Return the step, all transformations, the reader of the format and the parser."""
        name, steps = self.training.parser, transformation_modules(self.steps())
        parser = () if name == COMMAND else (PARSERS[name].partition(":")[0],)
        return (STEP, *steps, *self.reading.modules(), *parser)

    def steps(self) -> list[Any]:
        """Return the study's own transformations of gold, and those of the training set."""
        return [*self.transformations, *self.training.transformations]
