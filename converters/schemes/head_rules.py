"""Head rules as data: which child of a node is its head, in groups by priority.

Magerman, David (1995): Statistical Decision-Tree Models for Parsing. ACL. Collins, Michael (1999):
Head-Driven Statistical Models for Natural Language Parsing, appendix A. A scheme's YAML has them
under ``heads``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from crossbank.treebanks.typed_yaml import Rule, adds_keys, key, no_key, object_of

Names = Annotated[tuple[str, ...], Rule(minItems=1)]


@dataclass(frozen=True)
class Children:
    """Children in a file: any_of categories or tags, functions, forms of words, or several of these."""

    any_of: Names = ()
    functions: Names = ()
    forms: Names = ()


OfChildren = Annotated[Children, Rule(minProperties=1)]


@dataclass(frozen=True)
class Conditions:
    """Conditions in a file.

    at      the candidate is the first or the last child that is not punctuation
    beside  it has a sister of this kind
    before, behind  it precedes or follows such a sister
    over    it has a child of this kind
    is      it is of this kind itself
    """

    at: Literal["first", "last"] | None = None
    beside: OfChildren | None = None
    before: OfChildren | None = None
    behind: OfChildren | None = None
    over: OfChildren | None = None
    itself: OfChildren | None = key(None, name="is")


OfConditions = Annotated[Conditions, Rule(minProperties=1)]


@dataclass(frozen=True)
class Condition:
    """A condition that a child fulfils or does not fulfil.

    type       ``first``, ``last``: it is the first or last child that is not punctuation; ``beside``: it has
               a certain sister; ``before``, ``behind``: it comes before or after such a sister;
               ``over``: it has such a child; ``is``: it is such a child itself
    labels     categories or tags of the sister or child, as patterns such as ``VB*``; empty: any
    functions  its functions; empty: any
    forms      its forms, in lower case or with a capital; empty: any
    """

    type: Literal["first", "last", "beside", "before", "behind", "over", "is"]
    labels: tuple[str, ...] = key(name="any_of")
    functions: tuple[str, ...] = ()
    forms: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " ".join([self.type, *_named(self.labels + self.forms, self.functions)])


def conditions(content: Mapping[Any, Any]) -> tuple[Condition, ...]:
    """Return conditions from a scheme's YAML."""
    return tuple(
        Condition(of) if type == "at" else object_of(Condition, {**of, "type": type})
        for type, of in content.items()
    )


@dataclass(frozen=True)
class HeadGroup:
    """Candidates for the head, and the end of the node from which they are searched.

    labels     their categories or tags, as patterns such as ``VB*``; empty: any
    in_order   whether all children are searched for the first label, then for the second, and so on;
               otherwise the first child with any of the labels is the head
    functions  their functions; empty: any
    where      conditions that must all hold
    unless     conditions of which none must hold
    """

    from_right: bool = key(
        False, name="from", form=Literal["left", "right"], read=lambda end: end == "right", required=True
    )
    labels: tuple[str, ...] = key(name="first_of|any_of", minItems=1)
    in_order: bool = key(False, name="first_of", read=lambda _: True)
    functions: tuple[str, ...] = key(minItems=1)
    where: tuple[Condition, ...] = key(read=conditions, form=OfConditions)
    unless: tuple[Condition, ...] = key(read=conditions, form=OfConditions)

    @staticmethod
    def check_keys(group: Mapping[str, Any]) -> Iterator[tuple[list[str], str]]:
        """Yield each pair of keys that exclude each other, with a message."""
        if "any_of" in group and "first_of" in group:
            yield [], "found any_of and first_of, expected one of them"

    def __str__(self) -> str:
        parts = [
            *(_named(self.labels, self.functions) or ["any"]),
            "from",
            "right" if self.from_right else "left",
        ]
        if self.where:
            parts += ["where", " and ".join(map(str, self.where))]
        if self.unless:
            parts += ["unless", " or ".join(map(str, self.unless))]
        return " ".join(parts)


Group = Annotated[
    HeadGroup,
    Rule("a direction (from) and candidates: any_of or first_of, functions, or both", minProperties=2),
]


@dataclass(frozen=True)
class HeadRules:
    """Head rules of a scheme: groups of candidates in order of priority.

    first    groups of a category that are tried before all others
    before   groups that are tried in every category before its own
    rules    the groups of each category
    default  the end from which the head is taken where no group has a candidate
    conjunctions  tags and categories after which a head gives way to the conjunct before
    coordinated   the categories in which it gives way; empty: all
    """

    first: Mapping[str, tuple[HeadGroup, ...]] = no_key({})
    before: tuple[Group, ...] = ()
    rules: Mapping[str, tuple[Group, ...]] = field(default_factory=dict)
    default: Literal["left", "right"] = "left"
    conjunctions: frozenset[str] = key(frozenset(), name="coordination.conjunctions", required=True)
    coordinated: frozenset[str] = key(frozenset(), name="coordination.in")

    @property
    def functions(self) -> frozenset[str]:
        """Functions of heads in every category."""
        return frozenset(function for group in self.before for function in group.functions)

    def gives_way(self, category: str) -> bool:
        """Return whether a head right after a conjunction is replaced by the conjunct before it."""
        return bool(self.conjunctions) and (not self.coordinated or category in self.coordinated)

    def groups(self, category: str) -> tuple[HeadGroup, ...]:
        """Return the groups for a category, in order of priority."""
        return self.first.get(category, ()) + self.before + self.rules.get(category, ())


@adds_keys(HeadRules)
@dataclass(frozen=True)
class HeadRuleSets:
    """Further sets of head rules.

    sets  further sets of head rules by name, which replace those of the same category: mark_heads:rules=NAME
    """

    sets: Mapping[str, HeadRules] = field(default_factory=dict)


def _named(labels: tuple[str, ...], functions: tuple[str, ...]) -> list[str]:
    """Return the labels and functions in words, ``NN NE as SB``; at most three of each are named."""
    shortened = [[*names[:3], "..."] if len(names) > 3 else [*names] for names in (labels, functions)]
    return [*shortened[0], "as", *shortened[1]] if labels and functions else shortened[0] + shortened[1]
