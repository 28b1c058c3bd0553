"""An annotation scheme: everything that depends on a language or a treebank."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from crossbank.converters.schemes.unreachable_rules import unreachable
from crossbank.converters.schemes.values import Expression, Feature, PrepositionHead, SchemeStep, ViewName
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import BoolArray
from crossbank.treebanks.cached_properties import cached_property
from crossbank.treebanks.typed_yaml import Part, adds_keys, key, no_key

if TYPE_CHECKING:
    from crossbank.converters.schemes.constructions import (
        ChunkRules,
        Erasures,
        FlatKey,
        FrameRules,
        Redrawing,
    )
    from crossbank.converters.schemes.dependency_rules import (
        BareRules,
        Coordination,
        FlatPhrase,
        LongDistance,
        VerbComplex,
        WordGroups,
    )
    from crossbank.converters.schemes.head_rules import Group, HeadRules

CONSTRUCTIONS = "crossbank.converters.schemes.constructions"
DEPENDENCY_RULES = "crossbank.converters.schemes.dependency_rules"
HEAD_RULES = "crossbank.converters.schemes.head_rules"

MAX_PARSED_LABELS = 10_000
"""The number of labels whose parts are kept."""


@dataclass(frozen=True)
class LabelParts:
    """Parts of a label: ``NP-LOC-PRD-2`` is an NP with the function ``LOC-PRD`` and the index 2.

    gap  the index of a constituent that another one repeats where a verb is omitted: 2 in ``NP-SBJ=2``
    """

    category: str
    function: str = ""
    index: str = ""
    gap: str = ""


@dataclass(frozen=True)
class LabelSyntax:
    """Way in which a scheme writes functions and the like in labels.

    Each field but the last holds the characters that begin such a part. A label that begins with one
    of them (``-NONE-``) is never cut, and neither are the names of brackets (``-LRB-``, ``$-LRB-``).

    function     ``NP-SBJ``; a part that is a number is an index: ``NP-1``
    index        ``NP=2``
    alternative  ``ADVP|PRT``: the annotators could not decide; the rest is omitted
    subclass     ``NX=PER``: it belongs to the category, but the rules for NX apply to it
    tags         whether the tags of tokens have functions too: ``NN:HD``
    """

    function: str = key("-", otherwise="none")
    index: str = key("=", otherwise="none")
    alternative: str = key("|", otherwise="none")
    subclass: str = ""
    tags: bool = False

    @cached_property
    def _cuts(self) -> str:
        return self.function + self.index + self.alternative

    @cached_property
    def _category(self) -> re.Pattern[str]:
        return re.compile(f"(?:-[LR][RSC]B-|[^{re.escape(self._cuts)}])*" if self._cuts else ".*", re.DOTALL)

    @cached_property
    def _part(self) -> re.Pattern[str]:
        cuts = re.escape(self._cuts)
        return re.compile(f"([{cuts}])([^{cuts}]*)")

    @cached_property
    def _parsed(self) -> dict[str, LabelParts]:
        return {}

    def parts(self, label: str) -> LabelParts:
        """Return the parts of a label. Functions are joined by ``-``, whatever joins them in the label."""
        parts = self._parsed.get(label)
        if parts is None:
            # Each chunk of a file has the same labels.
            if len(self._parsed) >= MAX_PARSED_LABELS:
                self._parsed.clear()
            parts = self._parsed[label] = self._parse(label)
        return parts

    def _parse(self, label: str) -> LabelParts:
        category = self._category.match(label)
        at = category.end() if category is not None else 0
        if at in (0, len(label)):
            return LabelParts(label)
        functions, index, gap = [], "", ""
        for mark, text in self._part.findall(label[at:]):
            if mark in self.index:
                gap = text
            elif mark in self.function and text.isdigit():
                index = text
            elif mark in self.function and text:
                functions.append(text)
        return LabelParts(label[:at], "-".join(functions), index, gap)

    def category(self, label: str) -> str:
        """Return the label without functions, indices and alternatives."""
        parts = self._parsed.get(label)
        return (self.parts(label) if parts is None else parts).category

    def joined(self, label: str, function: str) -> str | None:
        """Label with a function, which ``parts`` finds again; None if that cannot be written."""
        written, before = label + self.function[:1] + function, self.parts(label)
        again = not before.function and self.parts(written) == replace(before, function=function)
        return written if self.function and again else None

    def main_category(self, label: str) -> str:
        """Return the category without its subclass, under which rules are looked up."""
        category = self.category(label)
        at = next((i for i, character in enumerate(category) if character in self.subclass), 0)
        return category[:at] if at else category


PLAIN_LABELS = LabelSyntax("", "", "")
"""Labels that are categories and nothing else."""

NO_LABEL = frozenset(("",))

NO_FUNCTION = frozenset(("--",))
"""The function that the export format and TIGER-XML write where there is none, whatever the scheme."""


@dataclass(frozen=True)
class HasTag:
    """Function that says whether a tag is one of some tags, or has one of them as its category."""

    tags: frozenset[str]
    labels: LabelSyntax

    def __call__(self, tag: str) -> bool:
        """Return whether the tag is one of them."""
        return tag in self.tags or self.labels.category(tag) in self.tags


@dataclass(frozen=True)
class TokenClass:
    """A class of tokens, by tag or by form (regular expressions that match the whole form)."""

    tags: frozenset[str] = frozenset()
    forms: tuple[Expression, ...] = ()

    def mask(self, bank: Treebank, labels: LabelSyntax) -> BoolArray:
        """Return a mask of the class's tokens, shape ``(tokens,)``; in CoNLL-U by UPOS or by XPOS."""
        tags = HasTag(self.tags, labels)
        tagged = bank.vocabulary.valued(bank.tokens.pos, tags, np.bool_, keep=True)
        if not bank.tokens.lacks("xpos"):
            tagged = tagged | bank.vocabulary.valued(bank.tokens.xpos, tags, np.bool_, keep=True)
        if not self.forms:
            return tagged
        pattern = re.compile("|".join(f"(?:{form})" for form in self.forms))
        return tagged | bank.vocabulary.valued(bank.tokens.form, pattern.fullmatch, np.bool_)


ErrorType = Literal["pp_attachment", "clause_attachment", "np_attachment", "modifier_attachment"]


@dataclass(frozen=True)
class ErrorLabels:
    """Meaning of labels in error types.

    attachment    the type of error by the category of the constituent that is attached elsewhere
    coordination  categories of coordinations
    conjunctions  tags of the conjunctions in them
    """

    attachment: Mapping[str, ErrorType] = field(default_factory=dict)
    coordination: frozenset[str] = frozenset()
    conjunctions: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Traces:
    """Empty elements that stand for a constituent with the same index, by their form without the index.

    moved      the constituent belongs at the position of the element: ``*T*``, ``*ICH*``
    coindexed  the constituent belongs where it is, and is understood at the position of the element: ``*``
    """

    moved: tuple[str, ...] = ()
    coindexed: tuple[str, ...] = ()


def _by_tag(content: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    return {tag: universal for universal, tags in content.items() for tag in tags}


def label_syntax(content: Mapping[str, Any]) -> LabelSyntax:
    """Return the syntax of labels in a scheme's content."""
    return replace(PLAIN_LABELS, **content.get("labels", {}))


@dataclass(frozen=True, eq=False, repr=False)
class Scheme:
    """An annotation scheme: everything that depends on a language or a treebank.

    files            the YAML files it was read from: its own, then the one that it extends
    name             the scheme's name in scores and reports
    title            the scheme's full name
    language         language codes, for readers
    sources          the sources of the scheme and of each of its rules
    tokens           the tokens that are punctuation, empty elements or metadata, and the metadata that
                     identify sentences: by tag, or by regular expressions that match the whole form
    punctuation, empty, metadata  classes of tokens
    sentence_ids     the metadata that are identifiers of sentences
    lemma_separator  ``-`` where leaves are ``word-lemma``
    roots            labels of nodes that only mark the beginning of a tree, and the label of a virtual root
    root_labels      labels of nodes that only mark the beginning of a tree; the empty string is one of them
    virtual_root     the label of a virtual root
    labels           the characters that introduce a function, an index, an alternative or a subclass in a
                     label; tags: whether word tags also have functions
    no_function      functions without information, such as ``--``
    traces           empty elements that refer to a constituent with the same index, written without the
                     index: moved, whose constituent belongs in their place; coindexed, whose constituent
                     stays where it is
    heads            the head among the children: groups that are tried before those of the category, groups
                     by category, the end from which the head is taken otherwise; behind one of the
                     conjunctions the head gives way to the conjunct before
    rule_sets        further head rules by name
    dependencies     rules about dependencies besides head rules
    prepositions     the heads of adpositional phrases with the options noun and preposition: groups by
                     category, tried first
    coordination     functions of conjuncts; tags of conjunctions; categories of coordinations, for trees
                     without functions; alike: by category, the parts that are treated like conjuncts if the
                     node has no head (alike_bare: for trees without functions); kinds: tags and categories
                     that can be conjuncts of each other; phrases: categories of a conjunction with its
                     conjunct
    long_distance    functions by the functions of the constituents on which they depend: the closest in the
                     clause, the first in the clause, or, for conjuncts that are apart, the coordination;
                     resumptive: if the first counts and the dependent is in the first field, it depends on
                     the constituent in the second
    bare             tree patterns for trees without functions: governors, which name =dependent and =governor
                     (the first pattern that fits counts); conjuncts, which name =conjunct
    verb_complex     relations between the verbs of a complex, with the tags of the dependent verbs (links);
                     relations of complements and of modifiers that move to the main verb; tags of the heads
                     of clauses, which stay
    word_groups      words with one of them as head although no node joins them: fixed expressions in lower
                     case, whose first word is the head; words with a hyphen between them, of which the first
                     is the head where both have a tag of first, else the last where it has one of last
    flat_phrases     phrases to insert before dependencies are read off
    transparent      categories whose children depend on the node's governor, such as fields
    clause_parts     categories whose fields belong to the clause around them, unless their lexical head has
                     one of some tags
    unlabelled       categories whose own function carries no information: the relation is that of their head
    equivalences     labels by the label they count as
    erasures         words that Parseval erased in 1991: auxiliaries and others in their contexts, the tags of
                     adverbs that remain, the labels of verb constituents to which they go; endings of words
                     that are contracted auxiliaries or possessive endings (regular expressions)
    redrawing        constructions that Parseval redrew in 1991: extraposition, modified noun phrases,
                     sequences of prepositions and of particles
    flat_key         the rules of flat keys: labels that are kept everywhere or in some positions,
                     conjunctions, projections that are omitted, agreed categories
    chunks           the parts of noun chunks: labels of noun phrases, tags of nouns that may occur without
                     one, the case of each function, functions of conjuncts
    frames           the parts of verbs' frames: labels of clauses, tags of verbs, a letter for each function
                     of an argument, labels of nodes between; tags of reflexive pronouns and of marks of
                     infinitives, functions of infinitives that are arguments, functions of heads
    relation_rules   the rules that read grammatical relations off trees: the name of a set that comes with
                     Crossbank, or a YAML file
    error_types      the meaning of labels in error types: attachment, the type of error by the category of
                     the constituent that is attached elsewhere; coordination, categories of coordinations;
                     conjunctions, tags of the conjunctions in them
    universal_tags   the scheme's tags by the tag of Universal Dependencies
    universal_features  features of Universal Dependencies by the parts of the scheme's morphology:
                     3.Sg.Pres.Ind has four
    universal        the name or the file of the rules that read Universal Dependencies off the trees
    inventory        the meanings of tags, categories and functions
    delete           the tokens that metrics omit
    views            transformations by the view to which they lead
    conversions      transformations of dependencies by the scheme to which they lead
    """

    name: str = key(
        ...,
        expected="a name without '|', ':' and line ends, as in signatures",
        minLength=1,
        pattern=r"^[^|:\n]+$(?!\n)",
    )
    title: str = key(...)
    sources: tuple[str, ...] = key(..., minItems=1)
    language: str = ""
    punctuation: TokenClass = key(TokenClass(), name="tokens.punctuation")
    empty: TokenClass = key(TokenClass(), name="tokens.empty")
    metadata: TokenClass = key(TokenClass(), name="tokens.metadata")
    sentence_ids: TokenClass = key(TokenClass(), name="tokens.sentence_ids")
    root_labels: frozenset[str] = key(
        NO_LABEL, name="roots.labels", form=tuple[str, ...], read=NO_LABEL.union
    )
    virtual_root: str = key("VROOT", name="roots.virtual", minLength=1)
    labels: LabelSyntax = key(PLAIN_LABELS, read=lambda of: replace(PLAIN_LABELS, **of))
    lemma_separator: str = key("", name="tokens.lemma_separator")
    no_function: frozenset[str] = key(NO_FUNCTION, form=tuple[str, ...], read=NO_FUNCTION.union)
    traces: Traces = Traces()
    heads: Part[HeadRules] = Part(HEAD_RULES, {})
    rule_sets: Part[Mapping[str, HeadRules]] = Part(HEAD_RULES, {}, name=None)
    prepositions: Part[Mapping[PrepositionHead, Mapping[str, tuple[Group, ...]]]] = Part(
        HEAD_RULES, {}, name="dependencies.prepositions"
    )
    coordination: Part[Coordination] = Part(DEPENDENCY_RULES, {}, name="dependencies.coordination")
    long_distance: Part[LongDistance] = Part(DEPENDENCY_RULES, {}, name="dependencies.long_distance")
    bare: Part[BareRules] = Part(DEPENDENCY_RULES, {}, name="dependencies.bare")
    verb_complex: Part[VerbComplex] = Part(DEPENDENCY_RULES, {}, name="dependencies.verb_complex")
    word_groups: Part[WordGroups] = Part(DEPENDENCY_RULES, {}, name="dependencies.word_groups")
    flat_phrases: Part[tuple[FlatPhrase, ...]] = Part(DEPENDENCY_RULES, (), name="dependencies.flat_phrases")
    transparent: frozenset[str] = key(frozenset(), name="dependencies.transparent")
    clause_parts: Mapping[str, tuple[str, ...]] = key({}, name="dependencies.clause_parts")
    unlabelled: frozenset[str] = key(frozenset(), name="dependencies.unlabelled")
    equivalences: Mapping[str, str] = field(default_factory=dict)
    erasures: Part[Erasures | None] = Part(CONSTRUCTIONS, name="erase")
    redrawing: Part[Redrawing | None] = Part(CONSTRUCTIONS, name="redraw")
    flat_key: Part[FlatKey | None] = Part(CONSTRUCTIONS)
    chunks: Part[ChunkRules | None] = Part(CONSTRUCTIONS)
    frames: Part[FrameRules | None] = Part(CONSTRUCTIONS)
    relation_rules: str = key("", minLength=1, check="crossbank.converters.schemes.relation_rules:load_rules")
    error_types: ErrorLabels = ErrorLabels()
    universal_tags: Mapping[str, str] = key({}, form=Mapping[str, tuple[str, ...]], read=_by_tag)
    universal_features: Mapping[str, Feature] = field(default_factory=dict)
    universal: str = key(
        "", name="universal_dependencies", check="crossbank.converters.universal.rules:load_rules"
    )
    inventory: Mapping[Literal["tags", "categories", "functions"], Mapping[str, str]] = field(
        default_factory=dict
    )
    delete: Literal["punct", "none"] = "none"
    views: Mapping[str, tuple[Any, ...]] = key({}, form=Mapping[ViewName, tuple[SchemeStep, ...]])
    conversions: Mapping[str, tuple[Any, ...]] = key({}, form=Mapping[str, tuple[SchemeStep, ...]])
    files: tuple[Path, ...] = no_key(())

    @staticmethod
    def check_keys(content: Mapping[str, Any]) -> Iterator[tuple[Sequence[str | int], str]]:
        """Yield rules that can never fire."""
        yield from unreachable(content, label_syntax(content))

    def __repr__(self) -> str:
        return f"<Scheme {self.name}>"

    def is_punctuation(self, bank: Treebank) -> BoolArray:
        """Return a mask of the tokens that are punctuation, shape ``(tokens,)``."""
        return self.punctuation.mask(bank, self.labels)

    def is_empty(self, bank: Treebank) -> BoolArray:
        """Return a mask of the empty elements (traces, silent subjects), shape ``(tokens,)``."""
        return self.empty.mask(bank, self.labels)

    def has_tag(self, bank: Treebank, tags: tuple[str, ...]) -> BoolArray:
        """Return a mask of the tokens whose tag matches one of some patterns, shape ``(tokens,)``."""
        category = self.labels.category
        return bank.vocabulary.valued(
            bank.tokens.pos, lambda tag: any(fnmatchcase(category(tag), like) for like in tags), np.bool_
        )

    def known_proportion(self, labels: Mapping[str, int]) -> float | None:
        """Return the proportion of nodes whose category the inventory lists; None without a list.

        labels  the nodes' labels and how often they occur
        """
        inventory = self.inventory.get("categories", {})
        if not inventory or not labels:
            return None
        category = self.labels.category
        known = sum(n for label, n in labels.items() if label in inventory or category(label) in inventory)
        return known / sum(labels.values())

    def is_metadata(self, bank: Treebank) -> BoolArray:
        """Return a mask of the tokens that are no words (identifiers, editor codes), shape ``(tokens,)``."""
        return self.metadata.mask(bank, self.labels)


@adds_keys(Scheme)
@dataclass(frozen=True)
class Extension:
    """The scheme that a file extends.

    extends  the scheme that supplies missing keys, by its name or as a file beside this one; mappings are
             merged
    """

    extends: str = ""
