"""Interface of all modes: the arguments with which a reference evaluator is called, and its output."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from os import PathLike, fspath
from typing import Any, NamedTuple, TypeAlias, TypeVar

from crossbank.converters.schemes.views import VIEWS
from crossbank.metrics.counting.counts import Counts
from crossbank.treebanks import Treebank
from crossbank.treebanks.errors import OptionError
from crossbank.treebanks.named_arguments import argument
from crossbank.treebanks.ranges import side_by_side
from crossbank.treebanks.registry import option_value

Path: TypeAlias = str | PathLike[str]

Loaded = TypeVar("Loaded")


def read_trees(path: Path, format: str, encoding: str | None) -> Treebank:
    """Read a file for a reference evaluator of trees.

    Raises ConversionError for files with dependencies or text only: as brackets they would all be equal.
    """
    from crossbank.treebanks.formats import read

    bank = read(path, format, encoding=encoding)
    if bank.lacks("constituents") and format not in ("bracket", "discbracket"):
        VIEWS["constituents"].refuse_without_trees(bank)
    return bank


def chunks_of_trees(path: Path, format: str, encoding: str | None) -> Iterator[Treebank]:
    """Yield the treebanks that ``read_trees`` would return as one, chunk by chunk."""
    from crossbank.treebanks.formats import chunked_files

    source = chunked_files([fspath(path)], format, encoding)
    has_trees = source.facts().has_constituents
    for _, bank in source:
        if not has_trees and bank.lacks("constituents"):
            VIEWS["constituents"].refuse_without_trees(bank)
        yield bank


@dataclass(frozen=True)
class Call:
    """Arguments of a call of a reference evaluator.

    parameters        the parameter file, for evaluators that have one
    options           the evaluator's switches, as a user writes them
    format            the format of both files; None: recognised by the file's name or its first lines
    candidate_format  the format of the candidate, if it differs from that of gold
    encoding          None: UTF-8, or no decoding for evaluators that compare bytes
    by_sentence       whether counts of each sentence are kept, besides the report
    """

    gold: Path
    candidate: Path
    parameters: Path | None = None
    options: Mapping[str, object] = field(default_factory=dict)
    format: str | None = None
    candidate_format: str | None = None
    encoding: str | None = None
    by_sentence: bool = True

    def formats(self) -> tuple[str, str]:
        """Return the formats of gold and candidate."""
        from crossbank.treebanks.formats import format_or_lines

        candidate_format = self.candidate_format or self.format
        return self.format or format_or_lines(self.gold), candidate_format or format_or_lines(self.candidate)

    def read_both(self, load: Callable[[Path, str, str | None], Loaded]) -> tuple[Loaded, Loaded]:
        """Return gold and candidate, read side by side by ``load(path, format, encoding)``."""
        files = zip((self.gold, self.candidate), self.formats(), strict=True)
        gold, candidate = side_by_side([partial(load, *file, self.encoding) for file in files])
        return gold, candidate

    def settings(
        self, mode: str, options: Mapping[str, tuple[Any, object]], format: str | None = None
    ) -> list[Any]:
        """Return the values of an evaluator's ``options`` in order; each has a type and a default.

        Raises OptionError for a parameter file, for unknown options, for values of another type, and for
        files in another format than ``format``.
        """
        if self.parameters is not None:
            name = str(argument("parameters", in_python="parameters"))
            raise OptionError(name, str(self.parameters), f"none ({mode} has no parameter file)")
        for name in self.options:
            if name not in options:
                expected = tuple(options) or f"none ({mode} has no options)"
                raise OptionError(f"option of {mode}", name, expected)
        for requested in (self.format, self.candidate_format):
            if format is not None and requested not in (None, format):
                raise OptionError("format", requested, (format,))
        return [
            option_value(name, self.options.get(name, default), option_type)
            for name, (option_type, default) in options.items()
        ]


class Output(NamedTuple):
    """A part of what a reference evaluator prints.

    report      returns the lines on stdout
    complaints  the messages on stderr
    exit_code   the exit status, if it is known by now
    """

    report: Callable[[], str]
    complaints: str = ""
    exit_code: int = 0


@dataclass(frozen=True, eq=False)
class Answer:
    """Output of a reference evaluator for a call.

    outputs  what it prints, in order; without ``Call.by_sentence`` this may be a generator that scores the
             files, and can be read once
    counts   returns the same numbers as counts per sentence
    notes    diagnostics of Crossbank, one a line, for problems that the evaluator does not report
    """

    outputs: Iterable[Output]
    counts: Callable[[], Counts]
    notes: str = ""

    @property
    def complaints(self) -> str:
        """All messages on stderr."""
        return "".join(output.complaints for output in self.outputs)

    @property
    def exit_code(self) -> int:
        """The exit status."""
        return max(output.exit_code for output in self.outputs)

    def printed(self) -> tuple[str, str, int]:
        """Return the report, the complaints and the exit status."""
        reports, complaints, exit_codes = zip(
            *((output.report(), *output[1:]) for output in self.outputs), strict=True
        )
        return "".join(reports), "".join(complaints), max(exit_codes)
