"""An annotation scheme: everything that depends on a language or a treebank."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from crossbank.converters.schemes.label_syntax import LabelSyntax
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import BoolArray
from crossbank.treebanks.yaml_objects import Part, said

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
    from crossbank.converters.schemes.head_rules import HeadGroup, HeadRules

CONSTRUCTIONS = "crossbank.converters.schemes.constructions"
DEPENDENCY_RULES = "crossbank.converters.schemes.dependency_rules"
HEAD_RULES = "crossbank.converters.schemes.head_rules"

PLAIN_LABELS = LabelSyntax("", "", "")
"""Labels that are categories and nothing else."""

NO_LABEL = frozenset(("",))

NO_FUNCTION = frozenset(("--",))
"""The function that the export format and TIGER-XML write where there is none, whatever the scheme."""


@dataclass(frozen=True)
class TokenClass:
    """A class of tokens, by tag or by form (regular expressions that match the whole form)."""

    tags: frozenset[str] = frozenset()
    forms: tuple[str, ...] = ()

    def mask(self, bank: Treebank, labels: LabelSyntax) -> BoolArray:
        """A mask of the tokens that belong to it, shape ``(tokens,)``; in CoNLL-U by UPOS or by XPOS."""

        def accept(tag: str) -> bool:
            return tag in self.tags or labels.category(tag) in self.tags

        tagged = bank.vocabulary.valued(bank.tokens.pos, accept, np.bool_)
        if bank.tokens.xpos.any():
            tagged = tagged | bank.vocabulary.valued(bank.tokens.xpos, accept, np.bool_)
        if not self.forms:
            return tagged
        pattern = re.compile("|".join(f"(?:{form})" for form in self.forms))
        return tagged | bank.vocabulary.valued(bank.tokens.form, pattern.fullmatch, np.bool_)


@dataclass(frozen=True)
class ErrorLabels:
    """Meaning of labels in error types.

    attachment    the type of error by the category of the constituent that is attached elsewhere
    coordination  categories of coordinations
    conjunctions  tags of the conjunctions in them
    """

    attachment: Mapping[str, str] = field(default_factory=dict)
    coordination: frozenset[str] = frozenset()
    conjunctions: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Traces:
    """Empty elements that stand for a constituent with the same index, by their form without the index.

    moved      the constituent belongs where the element stands: ``*T*``, ``*ICH*``
    coindexed  the constituent belongs where it is, and is understood where the element stands: ``*``
    """

    moved: tuple[str, ...] = ()
    coindexed: tuple[str, ...] = ()


def _by_tag(content: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    return {tag: universal for universal, tags in content.items() for tag in tags}


@dataclass(frozen=True, eq=False, repr=False)
class Scheme:
    """An annotation scheme.

    files            the YAML files it was read from: its own, then the one that it extends
    punctuation, empty, metadata  classes of tokens
    sentence_ids     the metadata that are identifiers of sentences
    root_labels      labels of nodes that only say that a tree begins; the empty string is one of them
    virtual_root     the label that ``virtual_root`` gives
    labels           the syntax of labels
    lemma_separator  ``-`` where leaves are ``word-lemma``
    no_function      functions without information, such as ``--``
    traces           empty elements that stand for another constituent
    heads            head rules
    rule_sets        further head rules by name
    prepositions     head groups by convention (``noun``, ``preposition``) and category
    coordination     conjuncts and conjunctions
    long_distance    functions that name another constituent
    bare             patterns for dependencies where functions are not written
    verb_complex     dependents that move from finite verbs to main verbs
    word_groups      adjacent words that one of them heads although no node joins them
    flat_phrases     phrases to insert before dependencies are read off
    transparent      categories whose children depend on the node's governor, such as fields
    clause_parts     categories whose fields belong to the clause around them, unless their lexical head
                     has one of some tags
    unlabelled       categories whose own function says nothing: the relation is that of their head
    equivalences     labels by the label they count as
    erasures, redrawing  words and constructions of Parseval's first and third step
    flat_key         constituents on which grammars agree
    chunks           noun phrases and nouns that are chunks
    frames           clauses and arguments of subcategorisation frames
    relation_rules   the rules that read grammatical relations off trees: a name, or a YAML file
    error_types      the meaning of labels in error types
    universal_tags   the tag of Universal Dependencies for each of the scheme's tags
    universal_features  the features of Universal Dependencies for each part of the scheme's morphology
    universal        the name or the file of its rules for Universal Dependencies; empty where there are none
    inventory        the meaning of each label, for ``tags``, ``categories`` and ``functions``
    delete           the tokens that metrics leave out: ``punct`` or ``none``
    views            the transformations that lead to each view
    """

    name: str
    title: str
    sources: tuple[str, ...]
    language: str = ""
    punctuation: TokenClass = TokenClass()
    empty: TokenClass = TokenClass()
    metadata: TokenClass = TokenClass()
    sentence_ids: TokenClass = TokenClass()
    root_labels: frozenset[str] = said(NO_LABEL, key="roots.labels", read=NO_LABEL.union)
    virtual_root: str = said("VROOT", key="roots.virtual")
    labels: LabelSyntax = said(PLAIN_LABELS, read=lambda of: replace(PLAIN_LABELS, **of))
    lemma_separator: str = ""
    no_function: frozenset[str] = said(NO_FUNCTION, read=NO_FUNCTION.union)
    traces: Traces = Traces()
    heads: Part[HeadRules] = Part(HEAD_RULES, {})
    rule_sets: Part[Mapping[str, HeadRules]] = Part(HEAD_RULES, {})
    prepositions: Part[Mapping[str, Mapping[str, tuple[HeadGroup, ...]]]] = Part(HEAD_RULES, {})
    coordination: Part[Coordination] = Part(DEPENDENCY_RULES, {})
    long_distance: Part[LongDistance] = Part(DEPENDENCY_RULES, {})
    bare: Part[BareRules] = Part(DEPENDENCY_RULES, {})
    verb_complex: Part[VerbComplex] = Part(DEPENDENCY_RULES, {})
    word_groups: Part[WordGroups] = Part(DEPENDENCY_RULES, {})
    flat_phrases: Part[tuple[FlatPhrase, ...]] = Part(DEPENDENCY_RULES, ())
    transparent: frozenset[str] = frozenset()
    clause_parts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unlabelled: frozenset[str] = frozenset()
    equivalences: Mapping[str, str] = field(default_factory=dict)
    erasures: Part[Erasures | None] = Part(CONSTRUCTIONS, key="erase")
    redrawing: Part[Redrawing | None] = Part(CONSTRUCTIONS, key="redraw")
    flat_key: Part[FlatKey | None] = Part(CONSTRUCTIONS)
    chunks: Part[ChunkRules | None] = Part(CONSTRUCTIONS)
    frames: Part[FrameRules | None] = Part(CONSTRUCTIONS)
    relation_rules: str = ""
    error_types: ErrorLabels = ErrorLabels()
    universal_tags: Mapping[str, str] = field(default_factory=dict, metadata={"read": _by_tag})
    universal_features: Mapping[str, str] = field(default_factory=dict)
    universal: str = said("", key="universal_dependencies")
    inventory: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    delete: Literal["punct", "none"] = "none"
    views: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    files: tuple[Path, ...] = ()

    def __repr__(self) -> str:
        return f"<Scheme {self.name}>"

    def is_punctuation(self, bank: Treebank) -> BoolArray:
        """A mask of the tokens that are punctuation, shape ``(tokens,)``."""
        return self.punctuation.mask(bank, self.labels)

    def is_empty(self, bank: Treebank) -> BoolArray:
        """A mask of the tokens that are empty elements (traces, silent subjects), shape ``(tokens,)``."""
        return self.empty.mask(bank, self.labels)

    def has_tag(self, bank: Treebank, tags: tuple[str, ...]) -> BoolArray:
        """A mask of the tokens that have a tag that matches one of some patterns, shape ``(tokens,)``."""
        category = self.labels.category
        return bank.vocabulary.valued(
            bank.tokens.pos, lambda tag: any(fnmatchcase(category(tag), like) for like in tags), np.bool_
        )

    def known_proportion(self, labels: Mapping[str, int]) -> float | None:
        """Proportion of a treebank's nodes whose category the inventory lists; None without a list.

        labels  the nodes' labels and how often they occur
        """
        inventory = self.inventory.get("categories", {})
        if not inventory or not labels:
            return None
        category = self.labels.category
        known = sum(n for label, n in labels.items() if label in inventory or category(label) in inventory)
        return known / sum(labels.values())

    def is_metadata(self, bank: Treebank) -> BoolArray:
        """A mask of the tokens that are not words (identifiers, editors' codes), shape ``(tokens,)``."""
        return self.metadata.mask(bank, self.labels)
