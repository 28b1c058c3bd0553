"""Protocol of all modes: a call of another program, and its answer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import TypeAlias, TypeVar

from crossbank.metrics.counting.counts import Counts
from crossbank.treebanks.errors import OptionError
from crossbank.treebanks.named_arguments import argument

Path: TypeAlias = str | PathLike[str]

Side = TypeVar("Side")


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

    def refuse_parameters(self, mode: str) -> None:
        """Raise OptionError where there is a parameter file, for a program that has none."""
        if self.parameters is not None:
            raise OptionError(
                str(argument("parameters", in_python="parameters")),
                str(self.parameters),
                f"none ({mode} has no parameter file)",
            )

    def refuse_options(self, mode: str, allowed: Sequence[str]) -> None:
        """Raise OptionError for an option that is not one of ``allowed``."""
        for name in self.options:
            if name not in allowed:
                raise OptionError(f"option of {mode}", name, tuple(allowed))


class Answer(ABC):
    """A program's answer to a call."""

    @abstractmethod
    def report(self) -> str:
        """Return the report that the program prints on stdout."""

    def complaints(self) -> str:
        """Return the messages that the program prints on stderr."""
        return ""

    def exit_code(self) -> int:
        """Return the program's exit status."""
        return 0

    def notes(self) -> str:
        """Remarks of our own, one a line: the problems that the program passes over in silence."""
        return ""

    @abstractmethod
    def counts(self) -> Counts:
        """Return the same numbers as counts per sentence."""

    def printed(self) -> tuple[str, str, int]:
        """Return the report, the complaints and the exit status."""
        return self.report(), self.complaints(), self.exit_code()
