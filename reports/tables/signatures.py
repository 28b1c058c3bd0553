"""Signatures of many scores, put together: those that differ in one choice alone are one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

ANY = "…"
"""The sign for a value that differs."""


@dataclass(frozen=True)
class Shared:
    """A signature that stands for several.

    text    the signature, with ``ANY`` for what differs
    choice  the name of the choice that differs; empty for a signature that stands for itself
    values  its values, in order
    """

    text: str
    choice: str = ""
    values: tuple[str, ...] = ()


class _Parts(NamedTuple):
    """A signature's metric with its version, and its choices."""

    metric: str
    version: str
    names: tuple[str, ...]
    values: tuple[str, ...]


def shared(signatures: Iterable[str]) -> dict[str, Shared]:
    """Return the signature that stands for each, in the order in which they first occur.

    >>> [s.text for s in shared(["a|x:1|y:empty:0|v1", "a|x:1|y:empty:12|v1"]).values()]
    ['a|x:1|y:empty:…|v1', 'a|x:1|y:empty:…|v1']
    """
    parts = {text: _parts(text) for text in dict.fromkeys(signatures)}
    alike: dict[tuple[str, str, tuple[str, ...]], list[str]] = {}
    for text, of in parts.items():
        alike.setdefault((of.metric, of.version, of.names), []).append(text)
    found: dict[str, Shared] = {}
    for (metric, version, names), texts in alike.items():
        found |= _together(metric, version, names, {text: parts[text].values for text in texts})
    return {text: found[text] for text in parts}


def _together(
    metric: str, version: str, names: Sequence[str], values: dict[str, tuple[str, ...]]
) -> dict[str, Shared]:
    """Return the signatures of one metric, joined over the choice that joins most of them."""
    rests = [
        {text: (*of[:place], *of[place + 1 :]) for text, of in values.items()} for place in range(len(names))
    ]
    place = min(range(len(names)), key=lambda one: len(set(rests[one].values())), default=None)
    if place is None or len(set(rests[place].values())) == len(values):
        return {text: Shared(text) for text in values}
    found = {}
    for rest in dict.fromkeys(rests[place].values()):
        own = [text for text in values if rests[place][text] == rest]
        differing = sorted({values[text][place] for text in own}, key=_natural)
        if len(own) == 1:
            found[own[0]] = Shared(own[0])
            continue
        said = (*rest[:place], _prefix(differing) + ANY, *rest[place:])
        text = "|".join([metric, *map(":".join, zip(names, said, strict=True)), version])
        one = Shared(text, names[place], tuple(differing))
        found |= dict.fromkeys(own, one)
    return found


def _parts(text: str) -> _Parts:
    metric, *choices, version = text.split("|") if text.count("|") else (text, "")
    pairs = [choice.partition(":") for choice in choices]
    return _Parts(metric, version, tuple(name for name, _, _ in pairs), tuple(value for *_, value in pairs))


def _prefix(values: Sequence[str]) -> str:
    """Return the beginning that all values share, up to a colon."""
    begins = {value.rpartition(":")[0] for value in values}
    return f"{begins.pop()}:" if len(begins) == 1 and "" not in begins else ""


def _natural(value: str) -> list[tuple[bool, int, str]]:
    return [(part.isdigit(), int(part) if part.isdigit() else 0, part) for part in re.split(r"(\d+)", value)]
