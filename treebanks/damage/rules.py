"""What a format says about damage: where its sentences begin and end, and how a damaged one is repaired."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from crossbank.treebanks.errors import OptionError


class DamagePolicy(StrEnum):
    """What happens to a file with damaged sentences."""

    STOP = "stop"
    SKIP = "skip"
    REPAIR = "repair"


OF_GOLD, OF_CANDIDATES = DamagePolicy.STOP, DamagePolicy.SKIP
"""The policies where no other is named, in every command, in studies and in Python.

Damage in gold would change what all candidates are compared with, so it stops. A candidate that cannot be
read is as a rule a parser's or a model's failure in some sentences, which have no parse then.
"""


def policies(name: str | None) -> tuple[DamagePolicy, DamagePolicy]:
    """Return the policies of gold and of candidates: the named one, else their own."""
    return (OF_GOLD, OF_CANDIDATES) if name is None else (policy_of(name), policy_of(name))


def policy_of(name: str) -> DamagePolicy:
    """Return a policy by its name. Raises OptionError for an unknown one."""
    try:
        return DamagePolicy(name)
    except ValueError:
        raise OptionError("damaged", name, [policy.value for policy in DamagePolicy]) from None


class Repaired(NamedTuple):
    """Text of a repaired sentence.

    text   what replaces the damaged sentence; empty if it is not a sentence, such as a Markdown fence
    kinds  what was done, with how often
    """

    text: str
    kinds: Counter[str]


def _none(blocks: Sequence[str]) -> Iterable[int]:
    return ()


def _undeclared(data: bytes) -> str | None:
    return None


@dataclass(frozen=True)
class DamageRules:
    """How damage stays local in a format.

    split          cuts a text into blocks, which joined are the text: a sentence each, or a frame
    repair         returns a block repaired as far as possible
    without_parse  returns a sentence that replaces a block and has no parse
    find_damaged   returns the indices of blocks that are damaged, as far as the reader cannot know it from
                   the block alone
    finds_all      whether ``find_damaged`` returns all blocks that the reader refuses
    frames         the numbers of blocks at the beginning and at the end that are not sentences
    has_marks      whether a block begins with a mark that only the format has: then a file may have no
                   sentence that is not damaged
    declared_encoding  returns the encoding that the first bytes of a file name; None if they name none
    """

    split: Callable[[str], list[str]]
    repair: Callable[[str], Repaired]
    without_parse: Callable[[str], str]
    find_damaged: Callable[[Sequence[str]], Iterable[int]] = _none
    frames: tuple[int, int] = (0, 0)
    finds_all: bool = False
    has_marks: bool = False
    declared_encoding: Callable[[bytes], str | None] = _undeclared
