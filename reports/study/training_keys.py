"""Keys of study files for parsers that a study trains: added to those of treebanks and candidates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from crossbank.parsers.command import command_of
from crossbank.parsers.models import PARSERS, options_of_parser, parser_class
from crossbank.reports.study.model import Candidate, StudiedTreebank
from crossbank.reports.study.training import COMMAND, SEED, Training
from crossbank.treebanks.errors import CrossbankError, OptionError
from crossbank.treebanks.typed_yaml import Rule, adds_keys, key
from crossbank.treebanks.yaml_checks import told

Parser = Mapping[str, Any]
"""The name of a parser, or ``command``, with its options."""


def check_parser(parser: Parser) -> None:
    """Raise CrossbankError for an unknown parser, and for options that it does not have."""
    ((name, options),) = parser.items()
    if name == COMMAND:
        command_of(options or {})
    elif name not in PARSERS:
        raise OptionError("parser", name, (*PARSERS, COMMAND))
    else:
        options_of_parser(name, options or {})


def is_smoothed(training: Training) -> bool:
    """Return whether a trained model is smoothed."""
    return bool(training.parser_options.smoothed)


@dataclass(frozen=True)
class FilesOfGold:
    """Some of gold's files.

    path  some of gold's files
    """

    path: str


@adds_keys(StudiedTreebank)
@dataclass(frozen=True)
class HeldOutSentences:
    """The sentences that parsers are tested on.

    folds  the number of parts; each is parsed by a parser trained on the other parts
    test   in place of folds: a proportion of the sentences, identifiers, or some of gold's files; only
           these are parsed and scored, the others are trained on
    seed   the seed with which test is drawn
    """

    folds: int | None = key(None, expected="a whole number from 2", minimum=2)
    test: float | tuple[str | int, ...] | FilesOfGold | None = key(
        None,
        form=Annotated[float, Rule(exclusiveMinimum=0, exclusiveMaximum=1)]
        | Annotated[tuple[str | int, ...], Rule(minItems=1)]
        | FilesOfGold,
        expected="a proportion between 0 and 1, a list of identifiers, or the path of files",
    )
    seed: int = key(SEED, expected="a whole number from 0", minimum=0)

    @staticmethod
    def check_keys(treebank: Mapping[str, Any]) -> Iterator[tuple[list[str], str]]:
        """Yield what does not fit together."""
        candidates = treebank.get("candidates", ())
        trained = any("parser" in one for one in candidates if isinstance(one, Mapping))
        if "folds" in treebank and not trained:
            yield (
                ["folds"],
                "found folds, and no candidate with a parser, which is trained on all folds but one",
            )
        if "seed" in treebank and ("folds" in treebank or not isinstance(treebank.get("test"), float | int)):
            yield ["seed"], "found a seed, and no proportion under test to draw with it"


@adds_keys(Candidate)
@dataclass(frozen=True)
class TrainedCandidate:
    """A candidate that the study makes.

    parser    in place of path: a parser that the study trains on gold, with its options
    training  how the parser is trained
    """

    parser: Parser | None = key(
        None,
        expected="one parser with its options, or command",
        minProperties=1,
        maxProperties=1,
        check=check_parser,
    )
    training: Training | None = key(None, otherwise="the defaults of its keys")

    @staticmethod
    def check_keys(candidate: Mapping[str, Any]) -> Iterator[tuple[list[str], str]]:
        """Yield what does not fit together."""
        parser, training = candidate.get("parser"), candidate.get("training", {})
        if ("path" in candidate) == (parser is not None):
            found = "a path and a parser" if parser else "neither a path nor a parser"
            yield [], f"found {found}, expected one of them"
        if parser is None:
            return
        ((name, options),) = parser.items()
        for number in training.get("iterations", ()):
            try:
                check_parser({name: {**(options or {}), "iterations": number}})
            except CrossbankError as error:
                yield ["training", "iterations"], told(error)
        if training.get("entropy") and (name == COMMAND or not parser_class(name).probabilities):
            known = [name for name in PARSERS if parser_class(name).probabilities]
            yield ["training", "entropy"], told(OptionError("parser with probabilities", name, known))


@adds_keys(Training)
@dataclass(frozen=True)
class Iterations:
    """Numbers of rounds.

    iterations  numbers of rounds of re-estimation; each is a candidate with the attribute iteration
    """

    iterations: tuple[int, ...] = key(
        form=tuple[Annotated[int, Rule("a whole number from 0", minimum=0)], ...], minItems=1
    )
