"""Kinds of error: the place of the wrong head, relative to the right one, and the relations."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from crossbank.metrics.rivals.eval07.names import groups
from crossbank.metrics.rivals.eval07.tokens import Tokens
from crossbank.treebanks.arrays import Int32Array, Int64Array

SEPARATOR = "0x01"
"""The four characters that the scorer puts between the parts of a key; they decide the order of ties."""

RIGHT = "-"
"""The sign for a right head and for a right relation."""

SIDES = "0eba"
"""The sides of a head: at the root, at the word itself, before it, behind (after) it."""

WHERE = {"0": "0", "e": "the focus word", "b": "before the focus word", "a": "after the focus word"}
"""The same in the scorer's words."""

NUMBERS = {"1": "one word", "2": "two words", "3": "three words", "4": "four words"}


class Kind(NamedTuple):
    """A kind of error.

    moved        how far the wrong head is from the right one, 0 where it is the root; or ``RIGHT``
    gold, system where the heads stand, of ``SIDES``
    relations    gold's and the system's with an arrow between, or ``RIGHT``
    """

    moved: str
    gold: str
    system: str
    relations: str

    @property
    def key(self) -> str:
        """The scorer's key of the error."""
        return SEPARATOR.join((self.moved, self.gold + self.system, self.relations))

    def description(self) -> str:
        """Return the error in the scorer's words."""
        if self.relations == RIGHT:
            return f"{self._heads()}, correct dependency"
        gold, _, system = self.relations.rpartition("->")
        return f'{self._heads()}, dependency "{system}" instead of "{gold}"'

    def _heads(self) -> str:
        side = {"b": "before ", "a": "after "}
        if self.moved == RIGHT:
            return f"correct head ({WHERE[self.system]})"
        if self.system == "0":
            return f"head = 0 instead of {side.get(self.gold, '')}the focus word"
        if self.gold == "0":
            # The scorer asks for the place of gold's head here too, and there is none.
            return "head is the focus word instead of 0"
        distance = self.moved.removeprefix("-")
        distance = NUMBERS.get(distance, f"{distance} words")
        way = "before" if self.moved.startswith("-") else "after"
        # It says twice where the system's head stands.
        where = WHERE[self.system]
        instead = "" if self.gold == self.system else f" instead of{where}"
        return f"head {distance} {way} the correct head ({where}{instead})"


def kinds_of(tokens: Tokens, wrong: Int64Array) -> tuple[Int64Array, list[Kind]]:
    """Return the kinds of error of some tokens, in codes, and the kinds by code."""
    gold_side, side = (_sides(tokens, column[wrong], wrong) for column in (tokens.gold_head, tokens.head))
    numbers = (tokens.numbers[column[wrong]] for column in (tokens.head, tokens.gold_head))
    distances = np.subtract(*numbers)
    distances[side == 0] = 0.0
    known, moved = np.unique(distances, return_inverse=True)
    moved = np.where(tokens.wrong_head[wrong], moved + 1, 0)
    relations = [
        np.where(tokens.wrong_relation[wrong], column[wrong] + 1, 0)
        for column in (tokens.gold_relation, tokens.relation)
    ]
    codes, examples = groups(moved, gold_side, side, *relations)
    kinds = [
        Kind(
            f"{known[distance - 1]:.15g}" if distance else RIGHT,
            SIDES[own],
            SIDES[other],
            f"{tokens.strings[one - 1]}->{tokens.strings[two - 1]}" if one else RIGHT,
        )
        for distance, own, other, one, two in zip(
            *(column[examples].tolist() for column in (moved, gold_side, side, *relations)), strict=True
        )
    ]
    return codes, kinds


def _sides(tokens: Tokens, heads: Int32Array, rows: Int64Array) -> Int64Array:
    """Return the sides of the heads of some tokens, as places in ``SIDES``."""
    number, head = tokens.number[rows], tokens.numbers[heads]
    # 0 and the word itself are compared as they are written: 01 is before the second word.
    plain = np.array([s.isdecimal() and (s == "0" or not s.startswith("0")) for s in tokens.strings])[heads]
    sides: Int64Array = np.select(
        [plain & (head == 0), plain & (head == number), head <= number], [0, 1, 2], 3
    )
    return sides
