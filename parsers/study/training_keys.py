"""Keys of study files for parsers that a study trains: added to those of treebanks and candidates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from crossbank.parsers.command import command_of
from crossbank.parsers.models import PARSERS, options_of_parser, parser_class
from crossbank.parsers.study.training import COMMAND, Training
from crossbank.reports.study.model import Candidate
from crossbank.treebanks.errors import CrossbankError, OptionError
from crossbank.treebanks.typed_yaml import Rule, adds_keys, key
from crossbank.treebanks.yaml_schemas import message_of

Parser = Mapping[str, Any]
"""The name of a parser, or ``command``, with its options."""


def check_parser(parser: Parser) -> None:
    """Raise CrossbankError for an unknown parser, and for options that it does not have."""
    ((name, options),) = parser.items()
    if name not in (*PARSERS, COMMAND):
        raise OptionError("parser", name, (*PARSERS, COMMAND))
    if not isinstance(options, Mapping | None):
        raise CrossbankError(f"found {options!r}, expected the options of {name} as a mapping")
    if name == COMMAND:
        command_of(options or {})
    else:
        options_of_parser(name, options or {})


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
        if parser is None:
            return
        ((name, options),) = parser.items()
        for number in training.get("iterations", ()):
            try:
                check_parser({name: {**(options or {}), "iterations": number}})
            except CrossbankError as error:
                yield ["training", "iterations"], message_of(error)
        if training.get("entropy") and (name == COMMAND or not parser_class(name).probabilities):
            known = [name for name in PARSERS if parser_class(name).probabilities]
            yield ["training", "entropy"], message_of(OptionError("parser with probabilities", name, known))


@adds_keys(Training)
@dataclass(frozen=True)
class Iterations:
    """Numbers of rounds.

    iterations  numbers of rounds of re-estimation; each is a candidate with the attribute iteration
    """

    iterations: tuple[int, ...] = key(
        form=tuple[Annotated[int, Rule("a whole number from 0", minimum=0)], ...], minItems=1
    )
