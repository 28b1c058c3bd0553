"""EVALB's parameter files (``COLLINS.prm``): the labels that are ignored, and those that are equal.

A line is a key and a value; a line that begins with ``#`` is a comment. Keys are in capitals and
begin their line; what comes after ``DELETE_LABEL`` and its like is one label, to the line's end.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from os.path import basename
from typing import Any, TypeAlias

from crossbank.metrics.modes.protocol import Path
from crossbank.treebanks.errors import FormatError, OptionError
from crossbank.treebanks.files import read_bytes

Pair: TypeAlias = tuple[str, str]
"""Two strings that are equal, in either order."""

NUMBERS = ("DEBUG", "MAX_ERROR", "CUTOFF_LEN", "LABELED")
LABELS = ("DELETE_LABEL", "DELETE_LABEL_FOR_LENGTH", "QUOTE_LABEL")
PAIRS = ("EQ_LABEL", "EQ_WORD")
KEYS = (*NUMBERS, *LABELS, *PAIRS)

OPTIONS = ("max_error", "cutoff_len")
"""The options that override the file, like EVALB's ``-e`` and ``-c``."""

SPACE = " \t\n\v\f\r"
"""C's white space."""


@dataclass(frozen=True)
class EvalbParameters:
    """Settings of a parameter file; the defaults are EVALB's without a file.

    source                   the file's name and the first digits of its SHA-256, for the signature
    debug                    above 0 EVALB prints the words and brackets of each sentence as well
    max_error                EVALB ends at error number ``max_error + 2``; None: no limit
    cutoff_len               maximal length of sentences in the second summary
    labeled                  whether brackets must have the same label to match
    delete_label             words with these tags and brackets with these labels do not count
    delete_label_for_length  tags of the words that a sentence's length omits
    quote_label              tags of quotation marks that may be deleted in one file only
    eq_label, eq_word        pairs of labels or tags, and of words, that are the same; not transitive
    """

    source: str = "none"
    debug: int = 0
    max_error: int | None = 10
    cutoff_len: int = 40
    labeled: bool = True
    delete_label: tuple[str, ...] = ()
    delete_label_for_length: tuple[str, ...] = ()
    quote_label: tuple[str, ...] = ()
    eq_label: tuple[Pair, ...] = ()
    eq_word: tuple[Pair, ...] = ()

    def deleted_bracket_labels(self) -> set[str]:
        """Return the labels of brackets that are not counted: DELETE_LABEL's and those equated with them."""
        deleted = set(self.delete_label)
        for pair in self.eq_label:
            if not set(pair).isdisjoint(self.delete_label):
                deleted.update(pair)
        return deleted


def load_parameters(path: Path | None, options: Mapping[str, object]) -> EvalbParameters:
    """Return the settings of a parameter file, or EVALB's defaults.

    The options may set ``max_error`` or ``cutoff_len``.

    ``max_error=none`` means no limit. Raises OptionError for other options and for values that are not
    numbers; FormatError with file and line where EVALB warns and continues (an unknown key, a key without
    a value, not two values after an ``EQ_`` key), and where it reads a word as the number 0.
    """
    chosen = EvalbParameters() if path is None else _read(path)
    for name, value in options.items():
        if name not in OPTIONS:
            raise OptionError("option of evalb", name, OPTIONS)
        if not re.fullmatch(r"-?\d+", str(value)) and (name, value) != ("max_error", "none"):
            raise OptionError(f"option {name}", value, "a whole number")
        number: Any = None if value == "none" else int(str(value))
        chosen = replace(chosen, **{name: number})
    return chosen


def _read(path: Path) -> EvalbParameters:
    try:
        data = read_bytes(path)
    except FormatError as error:
        raise empty_parameters(error) from error
    values_by_key: dict[str, list[str]] = {key: [] for key in KEYS}
    for line, text in enumerate(data.decode("utf-8", "surrogateescape").split("\n"), 1):
        setting = text.rstrip(SPACE)
        if setting.startswith("#") or len(setting) < 3:
            continue
        key, *values = re.split(f"[{SPACE}]+", setting, maxsplit=1)
        if key not in values_by_key:
            raise FormatError(path, f"the key {key!r}", "one of " + ", ".join(KEYS), line=line)
        if not values:
            raise FormatError(path, f"{key} without a value", "a value", line=line)
        if key in NUMBERS and not re.match(r"[+-]?\d", values[0]):
            raise FormatError(path, f"{key} {values[0]}", "a whole number", line=line)
        if key in PAIRS and len(_words(values[0])) != 2:
            raise FormatError(path, f"{key} {values[0]}", "two values", line=line)
        values_by_key[key].append(values[0])
    # The text after a number is a comment: ``1 # labelled`` is 1.
    number = {
        key: int(re.findall(r"[+-]?\d+", values_by_key[key][-1])[0]) for key in NUMBERS if values_by_key[key]
    }
    return EvalbParameters(
        source=f"{basename(path)}:{hashlib.sha256(data).hexdigest()[:8]}",
        debug=number.get("DEBUG", EvalbParameters.debug),
        max_error=number.get("MAX_ERROR", EvalbParameters.max_error),
        cutoff_len=number.get("CUTOFF_LEN", EvalbParameters.cutoff_len),
        labeled=number.get("LABELED", 1) != 0,
        delete_label=tuple(values_by_key["DELETE_LABEL"]),
        delete_label_for_length=tuple(values_by_key["DELETE_LABEL_FOR_LENGTH"]),
        quote_label=tuple(values_by_key["QUOTE_LABEL"]),
        eq_label=_pairs(values_by_key["EQ_LABEL"]),
        eq_word=_pairs(values_by_key["EQ_WORD"]),
    )


def empty_parameters(error: FormatError) -> FormatError:
    """Return the error of an empty parameter file for that of an empty file; other errors are unchanged."""
    if error.actual != "an empty file":
        return error
    return FormatError(error.path, "an empty parameter file", "at least one setting")


def _words(value: str) -> list[str]:
    return re.findall(f"[^{SPACE}]+", value)


def _pairs(values: list[str]) -> tuple[Pair, ...]:
    return tuple((one, other) for one, other in map(_words, values))
