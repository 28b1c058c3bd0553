"""Signatures of many scores, put together: those that differ in one choice alone are one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

DIFFERING = "…"
"""The sign for a value that differs."""


@dataclass(frozen=True)
class SharedSignature:
    """A signature that stands for several.

    text    the signature, with ``DIFFERING`` for what differs
    choice  the name of the choice that differs; empty for a signature that stands for itself
    values  its values, in order
    """

    text: str
    choice: str = ""
    values: tuple[str, ...] = ()


def share_signatures(signatures: Iterable[str]) -> dict[str, SharedSignature]:
    """Return the signature that stands for each, in the order in which they first occur.

    >>> [s.text for s in shared(["a|x:1|y:empty:0|v1", "a|x:1|y:empty:12|v1"]).values()]
    ['a|x:1|y:empty:…|v1', 'a|x:1|y:empty:…|v1']
    """
    alike: dict[tuple[str, str, tuple[str, ...]], dict[str, tuple[str, ...]]] = {}
    by_text: dict[str, SharedSignature] = {text: SharedSignature(text) for text in signatures}
    for text in by_text:
        metric, *choices, version = text.split("|") if text.count("|") else (text, "")
        pairs = [choice.partition(":") for choice in choices]
        names = tuple(name for name, _, _ in pairs)
        alike.setdefault((metric, version, names), {})[text] = tuple(value for *_, value in pairs)
    for (metric, version, names), values in alike.items():
        by_text |= _join_signatures(metric, version, names, values)
    return by_text


def _join_signatures(
    metric: str, version: str, names: Sequence[str], values: dict[str, tuple[str, ...]]
) -> dict[str, SharedSignature]:
    """Return those of one metric's signatures that are joined, over the choice that joins most of them."""
    rests = [
        {text: (*of[:index], *of[index + 1 :]) for text, of in values.items()} for index in range(len(names))
    ]
    index = min(range(len(names)), key=lambda one: len(set(rests[one].values())), default=None)
    by_text: dict[str, SharedSignature] = {}
    if index is None:
        return by_text
    for rest in dict.fromkeys(rests[index].values()):
        own = [text for text in values if rests[index][text] == rest]
        if len(own) == 1:
            continue
        differing = sorted({values[text][index] for text in own}, key=_natural_key)
        begins = {value.rpartition(":")[0] for value in differing}
        prefix = f"{begins.pop()}:" if len(begins) == 1 and "" not in begins else ""
        strings = (*rest[:index], prefix + DIFFERING, *rest[index:])
        text = "|".join([metric, *map(":".join, zip(names, strings, strict=True)), version])
        by_text |= dict.fromkeys(own, SharedSignature(text, names[index], tuple(differing)))
    return by_text


def _natural_key(value: str) -> list[tuple[bool, int, str]]:
    return [(part.isdigit(), int(part) if part.isdigit() else 0, part) for part in re.split(r"(\d+)", value)]
