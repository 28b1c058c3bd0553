"""Rules for Universal Dependencies that fire, and the words that fall to ``dep``, by configuration."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossbank.converters.schemes.scheme import Scheme
from crossbank.converters.universal.conversion import Annotation, annotated, rules_of
from crossbank.converters.universal.rules import UniversalRule
from crossbank.treebanks import Treebank


class RuleFinding(NamedTuple):
    """Words or nodes on which a rule decided, or words for which none did.

    kind       ``head``, ``relation``, ``revision``: a rule of that list; ``default``: nodes whose head no
               rule chose; ``dep``: words without a relation
    what       the rule, or the configuration: the phrase, the node above, and the tag of the governor
    words      how many
    sentences  their identifiers
    """

    kind: Literal["head", "relation", "revision", "default", "dep"]
    what: str
    words: int
    sentences: list[str]


def diagnose_universal(bank: Treebank, scheme: Scheme) -> list[RuleFinding]:
    """All findings, each list of rules in its order; raises ConversionError if the scheme has no rules."""
    rules = rules_of(scheme)
    annotation = annotated(bank, scheme, rules)
    tokens, nodes = annotation.bank.tokens.sentence_of_row(), annotation.bank.nodes.sentence_of_row()
    heads = [rule for group in rules.heads.values() for rule in group]
    return [
        *_counted(annotation, "head", heads, annotation.head_rule, nodes),
        *_counted(annotation, "default", ["no rule"], np.where(annotation.head_rule == -1, 0, -1), nodes),
        *_counted(annotation, "relation", rules.relations, annotation.rule, tokens),
        *_counted(annotation, "revision", rules.revisions, annotation.revision, tokens),
        *_without_relation(annotation),
    ]


def _counted(
    annotation: Annotation,
    kind: Literal["head", "relation", "revision", "default", "dep"],
    whats: Sequence[UniversalRule | str],
    number: NDArray[np.int32],
    sentence: NDArray[np.int32],
) -> list[RuleFinding]:
    """Return what has the numbers from 0 that occur, in their order, with the sentences."""
    counts = np.bincount(number[number >= 0], minlength=len(whats))
    findings = []
    for index in np.flatnonzero(counts).tolist():
        ids = [annotation.bank.sentence_id(i) for i in np.unique(sentence[number == index]).tolist()]
        findings.append(RuleFinding(kind, str(whats[index]), int(counts[index]), ids))
    return findings


def _without_relation(annotation: Annotation) -> list[RuleFinding]:
    """Return the words for which no rule has a relation, by configuration, the most frequent first."""
    bank = annotation.bank
    tokens, nodes = bank.tokens, bank.nodes
    words = np.flatnonzero((annotation.relation == 0) & (annotation.head >= 0) & ~annotation.punctuation)
    names: dict[str, int] = {}
    number = np.full(len(tokens), -1, np.int32)
    for word in words.tolist():
        sentence = int(np.searchsorted(tokens.offsets, word, side="right")) - 1
        first, base = int(tokens.offsets[sentence]), int(nodes.offsets[sentence])
        label, above = annotation.categories[annotation.kind[word]], int(tokens.parent[word])
        while above >= 0 and int(annotation.chosen[base + above]) == word - first:
            label, above = bank.vocabulary[int(nodes.label[base + above])], int(nodes.parent[base + above])
        under = bank.vocabulary[int(nodes.label[base + above])] if above >= 0 else "the root"
        governor = annotation.categories[annotation.kind[first + int(annotation.head[word])]]
        number[word] = names.setdefault(f"{label} under {under}, governor {governor}", len(names))
    listed = _counted(annotation, "dep", list(names), number, tokens.sentence_of_row())
    return sorted(listed, key=lambda row: -row.words)
