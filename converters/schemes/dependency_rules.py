"""Rules of a scheme about dependencies besides its head rules: conjuncts, verb complexes, and so on.

A scheme's YAML has it under ``dependencies``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated

from crossbank.converters.patterns.program import PatternProgram, compile_pattern
from crossbank.converters.patterns.syntax import PatternError
from crossbank.converters.schemes.head_rules import Condition, OfConditions, conditions
from crossbank.treebanks.errors import OptionError
from crossbank.treebanks.typed_yaml import Rule, key

DEPENDENT, GOVERNOR, CONJUNCT = "dependent", "governor", "conjunct"


@dataclass(frozen=True, eq=False)
class BareRules:
    """Patterns for nodes without functions.

    governors  patterns that name a ``dependent`` and its ``governor``; the first that fits a dependent counts
    conjuncts  patterns that name a ``conjunct``
    """

    governors: tuple[PatternProgram, ...] = key(
        form=tuple[Annotated[str, Rule(check=lambda text: _programs([text], DEPENDENT, GOVERNOR))], ...],
        read=lambda texts: _programs(texts, DEPENDENT, GOVERNOR),
    )
    conjuncts: tuple[PatternProgram, ...] = key(
        form=tuple[Annotated[str, Rule(check=lambda text: _programs([text], CONJUNCT))], ...],
        read=lambda texts: _programs(texts, CONJUNCT),
    )


def _programs(texts: Iterable[str], *names: str) -> tuple[PatternProgram, ...]:
    """Return the compiled patterns. Raises OptionError for wrong ones and missing node names."""
    programs = []
    for text in texts:
        try:
            programs.append(compile_pattern(text))
        except PatternError as error:
            raise OptionError("pattern", text, str(error).splitlines()[0]) from error
        if missing := [name for name in names if name not in programs[-1].names]:
            raise OptionError("pattern", text, f"a node named ={missing[0]}")
    return tuple(programs)


@dataclass(frozen=True)
class FlatPhrase:
    """A phrase that the scheme annotates flat, to be inserted over some children of its host.

    hosts      the categories of its hosts
    label, function  those of the node that is inserted
    functions  the functions of the children that belong to it
    labels     the categories or tags of those that belong to it where children have no functions
    unless     conditions that exclude such children
    """

    label: str
    hosts: tuple[str, ...] = key(name="in", required=True)
    function: str = ""
    functions: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    unless: tuple[Condition, ...] = key(read=conditions, form=OfConditions)


@dataclass(frozen=True)
class Coordination:
    """Tags, categories and functions of conjuncts and conjunctions.

    functions     functions of conjuncts
    conjunctions  tags of the words between them
    categories    categories that are coordinations, for trees without functions
    alike         tags and categories of parts that are treated like conjuncts where a node of some
                  category has no head: names, split cardinals, foreign words
    alike_bare    the same for trees without functions
    kinds         tags and categories that are conjuncts of each other, such as singular and plural nouns
    phrases       categories of a conjunction with its conjunct
    """

    functions: frozenset[str] = frozenset()
    conjunctions: frozenset[str] = frozenset()
    categories: frozenset[str] = frozenset()
    alike: Mapping[str, frozenset[str]] = field(default_factory=dict)
    alike_bare: Mapping[str, frozenset[str]] = field(default_factory=dict)
    kinds: Mapping[str, frozenset[str]] = field(default_factory=dict)
    phrases: frozenset[str] = frozenset()

    def kind(self, category: str) -> str:
        """Return the name of the class of possible conjuncts to which a category or tag belongs."""
        return next((f"kind {name}" for name, of in self.kinds.items() if category in of), category)


@dataclass(frozen=True)
class LongDistance:
    """Functions of constituents that depend on another constituent of the clause.

    closest    by function: the functions of the constituent, of which the closest one counts
    first      the same, but the first one counts; functions are tried in order
    conjuncts  the functions of conjuncts that are separated, by the function of the coordination
    resumptive  fields of resumed constituents, by the field of a dependent whose function is in ``first``
    """

    closest: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    first: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    conjuncts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    resumptive: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class VerbComplex:
    """Dependents that move from a finite verb to the main verb, by relation.

    links        by relation: the tags of verbs that depend with it on another verb of the complex
    complements  relations that move
    modifiers    relations that move unless the dependent is a clause
    clauses      tags of the heads of clauses
    """

    links: Mapping[str, tuple[str, ...]] = key({}, required=True)
    complements: tuple[str, ...] = key(required=True)
    modifiers: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True)
class Hyphens:
    """Words joined by hyphens.

    signs  the forms of hyphens
    first  tags with which the first of two words is the head, if both have one of them
    last   tags with which the last word is the head otherwise
    """

    signs: tuple[str, ...] = key(required=True)
    first: tuple[str, ...] = ()
    last: tuple[str, ...] = ()


@dataclass(frozen=True)
class WordGroups:
    """Adjacent words with a head among them although no node dominates just them.

    fixed    fixed expressions in lower case, whose first word is the head
    hyphens  words joined by hyphens
    """

    fixed: tuple[tuple[str, ...], ...] = key(
        form=tuple[str, ...], read=lambda texts: tuple(tuple(one.split()) for one in texts), required=True
    )
    hyphens: Hyphens = Hyphens()
