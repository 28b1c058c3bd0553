"""The search of a scheme's rules in trees: words in a context, constructions, constituents of a key.

Labels and tags are patterns with wildcards, ``VB*``; they are compared without functions and indices.
Forms are regular expressions that match the whole form in any case.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from typing import Any


@lru_cache(maxsize=1024)
def label_matcher(patterns: tuple[str, ...]) -> Callable[[str], bool]:
    """A function that tells whether a label or tag matches one of some patterns."""

    @cache
    def matches(label: str) -> bool:
        return any(fnmatchcase(label, pattern) for pattern in patterns)

    return matches


@lru_cache(maxsize=1024)
def form_matcher(forms: tuple[str, ...]) -> Callable[[str], bool]:
    """A function that tells whether a form matches one of some regular expressions."""
    expression = re.compile("|".join(f"(?:{form})" for form in forms), re.IGNORECASE)
    return lru_cache(maxsize=None)(lambda form: expression.fullmatch(form) is not None)


@dataclass(frozen=True)
class WordPattern:
    """A word in a context; all conditions that are given must hold.

    tags     it has one of these tags
    forms    it has one of these forms
    parents  the node it hangs on has one of these labels
    before   a later sister, word or node, has one of these tags or labels
    beside   a sister on either side has one of them
    beside_parent  a sister of the node it hangs on has one of them
    functions      that sister has one of these functions, or none
    """

    tags: tuple[str, ...] = ()
    forms: tuple[str, ...] = ()
    parents: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    beside_parent: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()

    @classmethod
    def of(cls, content: Mapping[str, Any]) -> WordPattern:
        """A pattern from a scheme's YAML, where ``parents`` are called ``in``."""
        return cls(**{PARENTS.get(key, key): tuple(values) for key, values in content.items()})


PARENTS = {"in": "parents"}
"""``in`` cannot be the name of a field in Python."""


@dataclass(frozen=True)
class Erasures:
    """The words that Parseval's first step erases, besides punctuation and empty elements.

    auxiliaries   words that are auxiliaries in their context
    others        further words, by their name: ``not``, ``possessive endings``
    adverbs       tags of the adverbs that an erased auxiliary may leave behind
    verbs         labels of the verb constituents to which these adverbs move
    contractions  endings of words that are contracted auxiliaries or possessive endings: regular expressions
    """

    auxiliaries: tuple[WordPattern, ...] = ()
    others: Mapping[str, tuple[WordPattern, ...]] = field(default_factory=dict)
    adverbs: tuple[str, ...] = ()
    verbs: tuple[str, ...] = ()
    contractions: tuple[str, ...] = ()

    @classmethod
    def of(cls, content: Mapping[str, Any]) -> Erasures:
        """The erasures of a scheme's YAML."""
        others = {what: tuple(map(WordPattern.of, rules)) for what, rules in content["others"].items()}
        return cls(
            tuple(map(WordPattern.of, content.get("auxiliaries", ()))),
            others,
            tuple(content.get("adverbs", ())),
            tuple(content.get("verbs", ())),
            tuple(content.get("contractions", ())),
        )


@dataclass(frozen=True)
class Extraposition:
    """A clause that stands for an expletive; all conditions that are given must hold.

    clauses    labels of the clause
    functions  its functions
    hosts      labels of the clause from which it is extraposed
    through    labels of all nodes between the two
    subjects   forms of the expletive, a child of the host that is one word
    verbs      forms of the verb: a word of one of these nodes, before the clause and not next to it
    """

    clauses: tuple[str, ...]
    hosts: tuple[str, ...]
    through: tuple[str, ...]
    functions: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    verbs: tuple[str, ...] = ()


@dataclass(frozen=True)
class NounPhrases:
    """The labels of noun phrases and their modifiers.

    phrases       noun phrases
    modifiers     what follows the core and modifies it
    intermediate  projections between noun and noun phrase
    """

    phrases: tuple[str, ...]
    modifiers: tuple[str, ...]
    intermediate: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sequences:
    """Prepositions that begin, or particles that end, a constituent.

    phrases  labels of the constituent
    tags     tags of the words
    """

    phrases: tuple[str, ...]
    tags: tuple[str, ...]


@dataclass(frozen=True)
class Redrawing:
    """The three constructions that Parseval's third step redraws."""

    extraposition: tuple[Extraposition, ...] = ()
    noun_phrases: NounPhrases | None = None
    prepositions: Sequences | None = None
    particles: Sequences | None = None

    @classmethod
    def of(cls, content: Mapping[str, Any]) -> Redrawing:
        """The constructions of a scheme's YAML."""

        def part(kind: Any, key: str) -> Any:
            return kind(**_tuples(content[key])) if key in content else None

        return cls(
            tuple(Extraposition(**_tuples(rule)) for rule in content.get("extraposition", ())),
            part(NounPhrases, "noun_phrases"),
            part(Sequences, "prepositions"),
            part(Sequences, "particles"),
        )


@dataclass(frozen=True)
class Projection:
    """A constituent that another one projects: only the outer one belongs to a key.

    inner, outer  their labels; the inner one is a child of the outer one, and the only one of its kind
    head          whether it must also be the head
    """

    inner: tuple[str, ...]
    outer: tuple[str, ...]
    head: bool = False


@dataclass(frozen=True)
class FlatKey:
    """The constituents on which grammars agree.

    keep          labels of constituents that belong to a key everywhere
    position      labels of constituents that belong to a key only below certain labels
    conjunctions  tags of conjunctions: what they join is not a projection
    projections   constituents that are left out although their labels are kept
    categories    the agreed category of each label: ``clause`` for ``SBAR``
    """

    keep: tuple[str, ...] = ()
    position: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    conjunctions: tuple[str, ...] = ()
    projections: tuple[Projection, ...] = ()
    categories: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, content: Mapping[str, Any]) -> FlatKey:
        """The rules for keys of a scheme's YAML."""
        return cls(
            tuple(content["keep"]),
            {label: tuple(parents) for label, parents in content.get("position", {}).items()},
            tuple(content.get("conjunctions", ())),
            tuple(
                Projection(tuple(rule["inner"]), tuple(rule["outer"]), rule.get("head", False))
                for rule in content.get("projections", ())
            ),
            content.get("categories", {}),
        )


@dataclass(frozen=True)
class FrameRules:
    """The parts of subcategorisation frames.

    clauses    labels of clauses
    verbs      tags of verbs
    arguments  a letter for each function of an argument, in the order of a frame
    through    labels of nodes between a clause and its arguments
    reflexive  tags of reflexive pronouns; an argument that is one has the letter ``r``
    infinitive tags that mark an infinitive: the highest node that has the marked verb as its head is a
               clause of its own, and with one of the functions ``infinitives`` it is an argument, ``i``
    heads      functions of the edges between that node and the marked verb
    """

    clauses: tuple[str, ...]
    verbs: tuple[str, ...]
    arguments: Mapping[str, str] = field(default_factory=dict)
    through: tuple[str, ...] = ()
    reflexive: tuple[str, ...] = ()
    infinitive: tuple[str, ...] = ()
    infinitives: tuple[str, ...] = ()
    heads: tuple[str, ...] = ()

    @classmethod
    def of(cls, content: Mapping[str, Any]) -> FrameRules:
        """The frames of a scheme's YAML."""
        return cls(
            tuple(content["clauses"]),
            tuple(content["verbs"]),
            content.get("arguments", {}),
            tuple(content.get("through", ())),
            *(tuple(content.get(key, ())) for key in ("reflexive", "infinitive", "infinitives", "heads")),
        )


def _tuples(content: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    return {key: tuple(values) for key, values in content.items()}
