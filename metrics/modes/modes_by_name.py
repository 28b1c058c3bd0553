"""Modes: other programs' reports, exit codes and numbers, by the name of the mode."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from crossbank.treebanks.errors import OptionError
from crossbank.treebanks.registry import Registry

if TYPE_CHECKING:
    from crossbank.metrics.counting.counts import Measure
    from crossbank.metrics.modes.protocol import Answer, Call


class Mode(NamedTuple):
    """A mode: a module that declares itself as ``MODE = Mode(...)`` and has a function ``evaluate``.

    ``evaluate`` returns an ``Answer`` to a ``Call``.

    program   the program, with the version, whose output the mode equals
    format    the format in which it is given treebanks that are in memory
    measures  where all measures are that its counts may have, ``module:name``; by default its ``MEASURES``
    others    what other versions of the program do
    position  its number in lists of modes; those without a number come last
    """

    program: str
    format: str
    measures: str = ""
    others: str = ""
    position: float = float("inf")

    @property
    def label(self) -> str:
        """Program, and what other versions do, as one phrase."""
        return f"{self.program} ({self.others})" if self.others else self.program


REGISTRY = Registry("mode", "module")

MODES: Mapping[str, Mode] = {name: Mode(**values) for name, values in REGISTRY.declared().items()}
"""Crossbank's own modes, by the names under which users ask for them."""


def mode_named(name: str) -> Mode:
    """Return a mode, which may be that of another package. Raises OptionError for an unknown name."""
    if isinstance(name, str) and name in MODES:
        return MODES[name]
    if values := REGISTRY.values_of_other(name):
        return Mode(**values)
    REGISTRY.reference(name)  # which refuses what is no name, and names of packages that are absent
    raise OptionError("mode", name, REGISTRY.names())


def evaluate(mode: str, call: Call) -> Answer:
    """Score two files as another program does.

    Raises OptionError for an unknown mode or option, and CrossbankError if a file cannot be read or where
    its content ends the program with a traceback.
    """
    answer: Answer = REGISTRY.load(mode).evaluate(call)
    return answer


def measures_of_mode(name: str) -> tuple[Measure, ...]:
    """Return all measures that a mode's counts may have."""
    module, _, attribute = mode_named(name).measures.partition(":")
    module = module or REGISTRY.module(name)
    measures: tuple[Measure, ...] = getattr(import_module(module), attribute or "MEASURES")
    return measures
