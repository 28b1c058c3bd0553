"""Protocol of all modes: a call of another program, and its answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from os import PathLike
from typing import Any, TypeAlias, TypeVar

from crossbank.converters.schemes.views import VIEWS
from crossbank.metrics.counting.counts import Counts
from crossbank.treebanks import Treebank
from crossbank.treebanks.errors import OptionError
from crossbank.treebanks.named_arguments import argument
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


@dataclass(frozen=True)
class Call:
    """Arguments of a call.

    parameters        the parameter file, for programs that have one
    options           the program's switches, as a user writes them
    format            the format of both files; None: the one that a file's name or its first lines tell
    candidate_format  the format of the candidate, where it is another
    encoding          None: UTF-8, or the bytes as they are where the program compares bytes
    """

    gold: Path
    candidate: Path
    parameters: Path | None = None
    options: Mapping[str, object] = field(default_factory=dict)
    format: str | None = None
    candidate_format: str | None = None
    encoding: str | None = None

    def formats(self) -> tuple[str, str]:
        """Return the formats of gold and candidate."""
        from crossbank.treebanks.formats import format_or_lines

        given = self.candidate_format or self.format
        return self.format or format_or_lines(self.gold), given or format_or_lines(self.candidate)

    def read_both(self, load: Callable[[Path, str, str | None], Side]) -> tuple[Side, Side]:
        """Gold and candidate, read side by side by ``load(path, format, encoding)``."""
        from concurrent.futures import ThreadPoolExecutor

        format, other = self.formats()
        with ThreadPoolExecutor(1) as thread:
            candidate = thread.submit(load, self.candidate, other, self.encoding)
            return load(self.gold, format, self.encoding), candidate.result()

    def settings(
        self, mode: str, options: Mapping[str, tuple[Any, object]], format: str | None = None
    ) -> list[Any]:
        """Values of a program's ``options``, each of a kind and with a default, in their order.

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
        for asked in (self.format, self.candidate_format):
            if format is not None and asked not in (None, format):
                raise OptionError("format", asked, (format,))
        return [
            option_value(name, self.options.get(name, default), kind)
            for name, (kind, default) in options.items()
        ]


@dataclass(frozen=True, eq=False)
class Answer:
    """A program's answer to a call.

    report      makes the report that the program prints on stdout
    counts      makes the same numbers as counts per sentence
    complaints  its messages on stderr
    notes       our own, one a line: the problems that the program passes over in silence
    exit_code   its exit status
    """

    report: Callable[[], str]
    counts: Callable[[], Counts]
    complaints: str = ""
    notes: str = ""
    exit_code: int = 0

    def printed(self) -> tuple[str, str, int]:
        """Return the report, the complaints and the exit status."""
        return self.report(), self.complaints, self.exit_code
