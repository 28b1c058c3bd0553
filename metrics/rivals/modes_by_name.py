"""Modes: other programs' reports, exit codes and numbers, by the name of the mode."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from crossbank.metrics.counting.counts import Measure
    from crossbank.metrics.rivals.protocol import Answer, Call


class Mode(NamedTuple):
    """A mode.

    module   has a function ``evaluate`` from ``Call`` to ``Answer``
    program  the program, with the version, whose output the mode equals
    format   the format in which it is given treebanks that are in memory
    measures the place of all measures that its counts may have, ``module:name``
    others   what other versions of the program do
    """

    module: str
    program: str
    format: str
    measures: str
    others: str = ""

    @property
    def said(self) -> str:
        """Program, and what other versions do, as one phrase."""
        return f"{self.program} ({self.others})" if self.others else self.program


MODES: Mapping[str, Mode] = {
    "evalb": Mode(
        "evalb",
        "EVALB of 2006 and later",
        "bracket",
        "evalb:MEASURES",
        "the summary of 1997 has no F-measure",
    ),
    "evalb_spmrl": Mode("evalb.spmrl", "EVALB_SPMRL of 2013", "bracket", "evalb:MEASURES"),
    "discodop": Mode(
        "discodop",
        "discodop eval 0.6",
        "discbracket",
        "discodop:ALL_MEASURES",
        "version=0.5.2 prints as that release",
    ),
    "greval": Mode("greval", "gramreleval of RASP 3 (2011)", "relations", "greval:MEASURES"),
    "conll18": Mode(
        "conll18",
        "conll18_ud_eval.py 1.2",
        "conllu",
        "conll18.official_scores:ALL_MEASURES",
        "empty nodes in multiword tokens are left out as since 2.0; they end version=1.2",
    ),
    "eval07": Mode("eval07", "eval07.pl 1.4", "conllx", "eval07:MEASURES"),
    "conllx": Mode(
        "eval07.conllx",
        "eval.pl 1.9",
        "conllx",
        "eval07:MEASURES",
        "the first release stops at another word or tag",
    ),
    "cgel": Mode("cgel", "eval.py of nert-nlp/cgel (2023)", "cgel", "cgel:MEASURES"),
}
"""All modes, by the names under which users ask for them."""


def evaluate(mode: str, call: Call) -> Answer:
    """Score two files as another program does.

    Raises OptionError for an unknown mode or option, and CrossbankError where a file cannot be read or where
    its content ends the program with a traceback.
    """
    if mode not in MODES:
        from crossbank.treebanks.errors import OptionError

        raise OptionError("mode", mode, tuple(MODES))
    answer: Answer = import_module(f"crossbank.metrics.rivals.{MODES[mode].module}").evaluate(call)
    return answer


def measures_of_mode(mode: str) -> tuple[Measure, ...]:
    """All measures that a mode's counts may have."""
    module, _, name = MODES[mode].measures.partition(":")
    measures: tuple[Measure, ...] = getattr(import_module(f"crossbank.metrics.rivals.{module}"), name)
    return measures
