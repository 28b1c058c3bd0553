"""Head rules as data: which child of a node is its head, in groups by priority.

Magerman, David (1995): Statistical Decision-Tree Models for Parsing. ACL. Collins, Michael (1999):
Head-Driven Statistical Models for Natural Language Parsing, appendix A. A scheme's YAML has them
under ``heads``; ``schemes/schema.json`` describes their form.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True)
class Condition:
    """A condition that a child fulfils or does not fulfil.

    kind       ``first``, ``last``: it is the first or last child that is not punctuation; ``beside``: it has
               a certain sister; ``before``, ``behind``: it stands somewhere before or behind such a sister;
               ``over``: it has such a child; ``is``: it is such a child itself
    labels     categories or tags of the sister or child, as patterns such as ``VB*``; empty: any
    functions  its functions; empty: any
    forms      its forms, in lower case or with a capital; empty: any
    """

    kind: Literal["first", "last", "beside", "before", "behind", "over", "is"]
    labels: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    forms: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " ".join([self.kind, *_named(self.labels + self.forms, self.functions)])


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

    from_right: bool = False
    labels: tuple[str, ...] = ()
    in_order: bool = False
    functions: tuple[str, ...] = ()
    where: tuple[Condition, ...] = ()
    unless: tuple[Condition, ...] = ()

    def __str__(self) -> str:
        said = [
            *(_named(self.labels, self.functions) or ["any"]),
            "from",
            "right" if self.from_right else "left",
        ]
        if self.where:
            said += ["where", " and ".join(map(str, self.where))]
        if self.unless:
            said += ["unless", " or ".join(map(str, self.unless))]
        return " ".join(said)


@dataclass(frozen=True)
class HeadRules:
    """The head rules of a scheme: groups of candidates in order of priority.

    first    groups of a category that are tried before all others
    before   groups that are tried in every category before its own
    rules    the groups of each category
    default  the end from which the head is taken where no group has a candidate
    conjunctions  tags and categories behind which a head gives way to the conjunct before
    coordinated   the categories in which it gives way; empty: all
    """

    first: Mapping[str, tuple[HeadGroup, ...]] = field(default_factory=dict)
    before: tuple[HeadGroup, ...] = ()
    rules: Mapping[str, tuple[HeadGroup, ...]] = field(default_factory=dict)
    default: Literal["left", "right"] = "left"
    conjunctions: frozenset[str] = frozenset()
    coordinated: frozenset[str] = frozenset()

    @property
    def functions(self) -> frozenset[str]:
        """The functions of heads in every category."""
        return frozenset(function for group in self.before for function in group.functions)

    def gives_way(self, category: str) -> bool:
        """True if a head of the category gives way when it stands right behind a conjunction."""
        return bool(self.conjunctions) and (not self.coordinated or category in self.coordinated)

    def groups(self, category: str) -> tuple[HeadGroup, ...]:
        """The groups for a category, in order of priority."""
        return self.first.get(category, ()) + self.before + self.rules.get(category, ())


def head_rules(content: Mapping[str, Any]) -> HeadRules:
    """Head rules from a scheme's YAML."""
    coordination = content.get("coordination", {})
    return HeadRules(
        before=tuple(map(head_group, content.get("before", ()))),
        rules=head_groups(content.get("rules", {})),
        default=content.get("default", "left"),
        conjunctions=frozenset(coordination.get("conjunctions", ())),
        coordinated=frozenset(coordination.get("in", ())),
    )


def head_groups(content: Mapping[str, Any]) -> dict[str, tuple[HeadGroup, ...]]:
    """The groups of each category."""
    return {name: tuple(map(head_group, groups)) for name, groups in content.items()}


def head_group(content: Mapping[str, Any]) -> HeadGroup:
    """A group of candidates from a scheme's YAML."""
    return HeadGroup(
        from_right=content.get("from", "left") == "right",
        labels=tuple(content.get("first_of", content.get("any_of", ()))),
        in_order="first_of" in content,
        functions=tuple(content.get("functions", ())),
        where=conditions(content.get("where", {})),
        unless=conditions(content.get("unless", {})),
    )


def conditions(content: Mapping[Any, Any]) -> tuple[Condition, ...]:
    """Conditions from a scheme's YAML."""
    return tuple(
        Condition(of)
        if kind == "at"
        else Condition(kind, *(tuple(of.get(name, ())) for name in ("any_of", "functions", "forms")))
        for kind, of in content.items()
    )


def _named(labels: tuple[str, ...], functions: tuple[str, ...]) -> list[str]:
    """Labels and functions in words, ``NN NE as SB``; at most three of each are named."""
    shown = [[*names[:3], "..."] if len(names) > 3 else [*names] for names in (labels, functions)]
    return [*shown[0], "as", *shown[1]] if labels and functions else shown[0] + shown[1]
