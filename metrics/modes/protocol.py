"""Protocol of all modes: a call of another program, and its answer."""

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

Side = TypeVar("Side")


def read_trees(path: Path, format: str, encoding: str | None) -> Treebank:
    """Read a file for a program of trees.

    Raises ConversionError for dependencies and text: their words in brackets would be the same on both sides.
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
    """Arguments of a call.

    parameters        the parameter file, for programs that have one
    options           the program's switches, as a user writes them
    format            the format of both files; None: the one that a file's name or its first lines tell
    candidate_format  the format of the candidate, where it is another
    encoding          None: UTF-8, or the bytes as they are where the program compares bytes
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

    def read_both(self, load: Callable[[Path, str, str | None], Side]) -> tuple[Side, Side]:
        """Return gold and candidate, read side by side by ``load(path, format, encoding)``."""
        files = zip((self.gold, self.candidate), self.formats(), strict=True)
        gold, candidate = side_by_side([partial(load, *file, self.encoding) for file in files])
        return gold, candidate

    def settings(
        self, mode: str, options: Mapping[str, tuple[Any, object]], format: str | None = None
    ) -> list[Any]:
        """Return the values of a program's ``options``, each of a kind and with a default, in their order.

        Raises OptionError for a parameter file, which the program has no use for, for other options and
        values, and for files in another ``format`` where it has one only.
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
    """A part of what a program prints.

    report      makes its lines on stdout
    complaints  its messages on stderr
    exit_code   the exit status, if it is known by now
    """

    report: Callable[[], str]
    complaints: str = ""
    exit_code: int = 0


@dataclass(frozen=True, eq=False)
class Answer:
    """A program's answer to a call.

    outputs  what it prints, in order; without ``Call.by_sentence`` files may be scored while it is taken, and
             it can be taken once
    counts   makes the same numbers as counts per sentence
    notes    our own messages, one a line: the problems that the program passes over in silence
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
