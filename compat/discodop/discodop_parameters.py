"""Parameter files of disco-dop: those of EVALB with further keys, read more strictly."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path as File
from typing import Any, Literal, get_type_hints

from crossbank.compat.evalb.parameters import empty_parameters
from crossbank.metrics.modes.protocol import Path
from crossbank.treebanks.errors import FormatError, OptionError
from crossbank.treebanks.files import lines
from crossbank.treebanks.registry import option_value

NUMBERS = (
    "DEBUG", "MAX_ERROR", "CUTOFF_LEN", "LABELED", "DISC_ONLY", "LA", "TED", "DEP", "DELETE_ROOT_PRETERMS",
)  # fmt: skip
LABELS = ("DELETE_LABEL", "DELETE_LABEL_FOR_LENGTH", "DELETE_WORD")
PAIRS = ("EQ_LABEL", "EQ_WORD")

Functions = Literal["remove", "leave", "add", "replace"]
"""The treatment of function tags in labels: they are removed, left, added, or they replace the label.
Function tags are compared by themselves in any case."""

Version = Literal["0.5.2", "0.6"]
"""The version of disco-dop. The development version, 0.6, looks for functions in the labels of discontinuous
brackets too; 0.5.2, the last release, does not."""


@dataclass(frozen=True)
class DiscodopParameters:
    """Settings of a parameter file and of the options; the defaults are disco-dop's without either.

    cutoff_len               maximal length of sentences in the second summary, if some are longer
    labeled                  whether brackets must have the same label
    delete_label             words with these tags in gold, and phrases with these labels, are deleted
    delete_word              words that are deleted by their form
    delete_label_for_length  gold's tags of the words that a sentence's length omits
    delete_root_preterms     whether words right below gold's root are deleted
    eq_label, eq_word        the representative of each label or word that is equal to others
    la, ted                  whether leaf-ancestor and tree distance are computed
    disconly                 whether only discontinuous brackets count; the file cannot say so
    functions, version       see ``Functions`` and ``Version``
    """

    cutoff_len: int = 40
    labeled: bool = True
    delete_label: frozenset[str] = frozenset()
    delete_word: frozenset[str] = frozenset()
    delete_label_for_length: frozenset[str] = frozenset()
    delete_root_preterms: bool = False
    eq_label: Mapping[str, str] = field(default_factory=dict)
    eq_word: Mapping[str, str] = field(default_factory=dict)
    la: bool = False
    ted: bool = False
    disconly: bool = False
    functions: Functions = "remove"
    version: Version = "0.6"
    source: str = "none"


OPTIONS = ("la", "ted", "disconly", "functions", "version", "cutoff_len")


def load_parameters(path: Path | None, options: Mapping[str, object]) -> DiscodopParameters:
    """Return the settings of a parameter file in UTF-8, or disco-dop's defaults, with a user's options.

    Raises FormatError with file and line for an unknown key (EVALB's QUOTE_LABEL is one), a key without
    a value, a number that is none or is given twice, and an ``EQ_`` key without two values; OptionError for
    options other than ``OPTIONS``, and for values that are not of their kind.
    """
    chosen, kinds = DiscodopParameters() if path is None else _read(path), get_type_hints(DiscodopParameters)
    changed: dict[str, Any] = {}
    for name, value in options.items():
        if name not in OPTIONS:
            raise OptionError("option of discodop", name, OPTIONS)
        changed[name] = option_value(name, value, kinds[name])
    for name in {"la", "ted"} & changed.keys():
        changed[name] = changed[name] or getattr(chosen, name)
    return replace(chosen, **changed)


def _read(path: Path) -> DiscodopParameters:
    values_by_key: dict[str, list[str]] = {key: [] for key in (*NUMBERS, *LABELS, *PAIRS)}
    try:
        settings = list(lines(path))
    except FormatError as error:
        raise empty_parameters(error) from error
    for line, text in settings:
        setting = text.strip()
        if not setting or setting.startswith("#"):
            continue
        key, *values = setting.split(None, 1)
        if key not in values_by_key:
            raise FormatError(path, f"the key {key!r}", "one of " + ", ".join(values_by_key), line=line)
        if not values:
            raise FormatError(path, f"{key} without a value", "a value", line=line)
        if key in NUMBERS and values_by_key[key]:
            raise FormatError(path, f"{key} for the second time", "it once", line=line)
        if key in NUMBERS and not values[0].removeprefix("-").isdecimal():
            raise FormatError(path, f"{key} {values[0]}", "a whole number", line=line)
        if key in PAIRS and len(values[0].split()) != 2:
            raise FormatError(path, f"{key} {values[0]}", "two values", line=line)
        values_by_key[key].append(values[0])
    number = {key: int(values_by_key[key][0]) for key in NUMBERS if values_by_key[key]}
    return DiscodopParameters(
        cutoff_len=number.get("CUTOFF_LEN", DiscodopParameters.cutoff_len),
        labeled=number.get("LABELED", 1) != 0,
        delete_label=frozenset(values_by_key["DELETE_LABEL"]),
        delete_word=frozenset(values_by_key["DELETE_WORD"]),
        delete_label_for_length=frozenset(values_by_key["DELETE_LABEL_FOR_LENGTH"]),
        delete_root_preterms=number.get("DELETE_ROOT_PRETERMS", 0) != 0,
        eq_label=representatives(value.split() for value in values_by_key["EQ_LABEL"]),
        eq_word=representatives(value.split() for value in values_by_key["EQ_WORD"]),
        la=number.get("LA", 0) != 0,
        ted=number.get("TED", 0) != 0,
        source=f"{File(path).name}:{hashlib.sha256(File(path).read_bytes()).hexdigest()[:8]}",
    )


def representatives(pairs: Iterable[list[str]]) -> dict[str, str]:
    """Return the representative of each string in pairs; strings that pairs connect have the same one.

    It is the string that occurs first. disco-dop takes any of them, which matters only for
    DELETE_LABEL and tags.

    >>> representatives([["A", "B"], ["C", "D"], ["B", "C"]])
    {'A': 'A', 'B': 'A', 'C': 'A', 'D': 'A'}
    """
    representative: dict[str, str] = {}
    for one, other in pairs:
        first, lost = representative.setdefault(one, one), representative.setdefault(other, other)
        order = list(representative)
        if order.index(lost) < order.index(first):
            first, lost = lost, first
        for string, stands in representative.items():
            if stands == lost:
                representative[string] = first
    return representative
