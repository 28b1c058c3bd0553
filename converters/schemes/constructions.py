"""Search of a scheme's rules in trees: words in a context, constructions, constituents of a key.

Labels and tags are patterns with wildcards, ``VB*``; they are compared without functions and indices.
Forms are regular expressions that match the whole form in any case.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from typing import Annotated, Literal

from crossbank.converters.schemes.values import Expression
from crossbank.treebanks.typed_yaml import Rule, key


@lru_cache(maxsize=1024)
def label_matcher(patterns: tuple[str, ...]) -> Callable[[str], bool]:
    """Return a function that tells whether a label or tag matches one of some patterns."""

    @cache
    def matches(label: str) -> bool:
        return any(fnmatchcase(label, pattern) for pattern in patterns)

    return matches


@lru_cache(maxsize=1024)
def form_matcher(forms: tuple[str, ...]) -> Callable[[str], bool]:
    """Return a function that tells whether a form matches one of some regular expressions."""
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
    forms: tuple[Expression, ...] = ()
    parents: tuple[str, ...] = key(name="in")
    before: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    beside_parent: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()


Word = Annotated[WordPattern, Rule(minProperties=1)]


@dataclass(frozen=True)
class Erasures:
    """Words that Parseval's first step erases, besides punctuation and empty elements.

    auxiliaries   words that are auxiliaries in their context
    others        further words, by their name: ``not``, ``possessive endings``
    adverbs       tags of the adverbs that an erased auxiliary may leave behind
    verbs         labels of the verb constituents to which these adverbs move
    contractions  endings of words that are contracted auxiliaries or possessive endings: regular expressions
    """

    auxiliaries: tuple[Word, ...] = ()
    others: Mapping[str, tuple[Word, ...]] = key({}, required=True)
    adverbs: tuple[str, ...] = ()
    verbs: tuple[str, ...] = ()
    contractions: tuple[Expression, ...] = ()


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
    subjects: tuple[Expression, ...] = ()
    verbs: tuple[Expression, ...] = ()


@dataclass(frozen=True)
class NounPhrases:
    """Labels of noun phrases and their modifiers.

    phrases       noun phrases
    modifiers     the constituents that follow the core and modify it
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
    """Three constructions that Parseval's third step redraws."""

    extraposition: tuple[Extraposition, ...] = ()
    noun_phrases: NounPhrases | None = None
    prepositions: Sequences | None = None
    particles: Sequences | None = None


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
    """Constituents on which grammars agree.

    keep          labels of constituents that belong to a key everywhere
    position      labels of constituents that belong to a key only below certain labels
    conjunctions  tags of conjunctions: constituents that they join are no projections
    projections   constituents that are omitted although their labels are kept
    categories    the agreed category of each label: ``clause`` for ``SBAR``
    """

    keep: tuple[str, ...] = key(required=True)
    position: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    conjunctions: tuple[str, ...] = ()
    projections: tuple[Projection, ...] = ()
    categories: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class ChunkRules:
    """Parts of noun chunks.

    phrases    labels of noun phrases
    nouns      tags of nouns and pronouns that are chunks where they stand without a phrase
    cases      the case that a function stands for
    conjuncts  functions of conjuncts, which have the case of their coordination
    """

    phrases: tuple[str, ...]
    nouns: tuple[str, ...] = ()
    cases: Mapping[str, str] = field(default_factory=dict)
    conjuncts: tuple[str, ...] = ()


@dataclass(frozen=True)
class PassiveClauses:
    """Words of a passive clause.

    participles  tags of the participle
    auxiliaries  tags of the auxiliary
    forms        its forms
    perfect      forms of auxiliaries beside which it marks the future: *wird gekommen sein*
    always       its forms that mark a passive even beside these
    """

    participles: tuple[str, ...]
    auxiliaries: tuple[str, ...]
    forms: tuple[Expression, ...]
    perfect: tuple[Expression, ...] = ()
    always: tuple[Expression, ...] = ()


@dataclass(frozen=True)
class FrameRules:
    """Parts of subcategorisation frames.

    clauses    labels of clauses
    verbs      tags of verbs: the first that a clause has is that of its main verb
    arguments  a letter for each function of an argument, in the order of a frame; ``S/OC`` is the function
               of a certain category alone
    through    labels of nodes between a clause and its arguments
    reflexive  tags of reflexive pronouns; an argument that is one has the letter ``r``
    infinitive tags that mark an infinitive: the highest node that has the marked verb as its head is a
               clause of its own, and with one of the functions ``infinitives`` it is an argument, ``i``
    finite     tags of finite verbs: a clause with a marked infinitive and without these is one, too
    plain      tags of infinitives that are so where one of ``governors``, tags of full verbs, governs them
    heads      functions of the edges between that node and the marked verb
    predicates functions of predicates, which make a copula clause; with a participle, a passive of condition
    passive    the words of passive clauses
    agents     functions of the agents of passives, which have the letters ``p-s``
    prepositions  the words that agents begin with, if other phrases have these functions, too
    classes    the names of the classes of clauses: ``infinitive``, ``passive``, ``copula`` and ``active``
    generalised  the name of the class of active and passive clauses together
    active_voice  what letters of passive frames are in the active voice, beside the nominative
    types      the frames of each class that there should be
    """

    clauses: tuple[str, ...]
    verbs: tuple[str, ...]
    arguments: Mapping[str, str] = field(default_factory=dict)
    through: tuple[str, ...] = ()
    reflexive: tuple[str, ...] = ()
    infinitive: tuple[str, ...] = ()
    infinitives: tuple[str, ...] = ()
    finite: tuple[str, ...] = ()
    plain: tuple[str, ...] = ()
    governors: tuple[str, ...] = ()
    heads: tuple[str, ...] = ()
    predicates: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    prepositions: tuple[str, ...] = ()
    passive: PassiveClauses | None = None
    classes: Mapping[str, str] = key(
        {},
        form=Mapping[Literal["infinitive", "passive", "copula", "active"], str],
        expected="names for infinitive, passive, copula and active",
        minProperties=4,
    )
    generalised: str = ""
    active_voice: Mapping[str, str] = field(default_factory=dict)
    types: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def frame(self, clause_type: str, letters: Sequence[str], *, generalised: bool = False) -> str:
        """Label of a clause of a class with some letters, or that of the active clause it comes from."""
        name = self.classes.get(clause_type, "")
        if generalised and self.generalised and clause_type in ("active", "passive"):
            name = self.generalised
            if clause_type == "passive":
                order = list(dict.fromkeys((*self.arguments.values(), *letters)))
                active = {NOMINATIVE, *(self.active_voice.get(letter, letter) for letter in letters)}
                letters = sorted(active, key=order.index)
        frame = "".join(letters) or "-"
        return f"{name}.{frame}" if name else frame

    def lists(self, clause_type: str, letters: Sequence[str]) -> bool:
        """Return whether the frame of a class is one of those listed, or none are listed."""
        return not self.types or "".join(letters) in self.types.get(self.classes[clause_type], ())


NOMINATIVE = "n"
"""The letter that the active voice of every passive has."""
