"""Rewrite dependencies of one scheme as those of another, by rules that are data.

Gerdes, Kim, Bruno Guillaume, Sylvain Kahane, and Guy Perrier (2018): SUD or Surface-Syntactic Universal
Dependencies: An annotation scheme near-isomorphic to UD. Second Workshop on Universal Dependencies.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

import numpy as np

from crossbank.converters.declaration import transformation
from crossbank.converters.rewriting import steps as step_of
from crossbank.converters.rewriting.punctuation import attach_crossing_punctuation
from crossbank.converters.rewriting.rules import RewritingRules, RewritingStepRules, load_rewriting_rules
from crossbank.converters.rewriting.word_table import WordTable
from crossbank.converters.rewriting.word_tests import split_relation
from crossbank.converters.scheme_files import load_scheme
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import ConversionError, Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array
from crossbank.treebanks.cycles import on_cycle
from crossbank.treebanks.errors import RequirementError
from crossbank.treebanks.tables import ROOT, EmptyNodes

NAME = "rewrite_dependencies"

Changes: TypeAlias = list[tuple[str, BoolArray]]
"""Features that words get or lose, each with the words."""


def _files(scheme: Scheme | None = None, *, rules: str = "ud_to_sud") -> tuple[Path, ...]:
    """Return the files of the rules. Raises OptionError for an unknown name."""
    return load_rewriting_rules(rules).files


@transformation(position=370, files=_files)
def rewrite_dependencies(
    bank: Treebank, scheme: Scheme | None = None, *, rules: str = "ud_to_sud"
) -> Treebank:
    """Rewrite dependencies of one scheme as those of another.

    rules  the rules: ``ud_to_sud``, ``sud_to_ud``, one for a language (``ud_to_sud_fr``), or a YAML file

    Words, tags, lemmas and words written as one stay. Enhanced dependencies and empty nodes are omitted,
    since they are those of the other scheme. Sentences with a cycle or with words without a head stay as they
    are. All of that is counted, and words whose relation the scheme does not have: they keep it. Raises
    ConversionError if there are no dependencies, or where most relations are those of the other scheme.
    """
    if len(bank.tokens) and not bank.has_dependencies:
        raise RequirementError(NAME, "dependencies before it")
    conversion = load_rewriting_rules(rules)
    tokens = bank.tokens
    words = WordTable(bank)
    unknown = _unknown(words, conversion)
    changes: dict[str, Changes] = {"morph": [], "misc": []}
    stays = np.repeat(_without_tree(bank), tokens.lengths())
    words.head[stays] = -1
    for step in conversion.steps:
        run(step, words, changes)
    head = np.where(words.head < 0, -1, words.head - words.first_row).astype(np.int32)
    vocabulary, codes = bank.vocabulary.extended(words.relation.strings)
    relation = codes[words.relation.of_word] if len(tokens) else tokens.relation
    sentence = tokens.sentence_of_row()
    events = {
        "sentences without a tree, which stay as they are": np.unique(sentence[stays]),
        "enhanced dependencies dropped": np.unique(sentence[tokens.deps > 0]),
        "empty nodes dropped": bank.empty.sentence_of_row(),
        f"relations that {conversion.source or 'the scheme'} does not have": sentence[unknown],
    }
    changed = tokens.replace(
        head=np.where(stays, tokens.head, head).astype(np.int32),
        relation=np.where(stays, tokens.relation, relation).astype(np.int32),
        deps=np.zeros(len(tokens), np.int32),
    )
    bank = bank.replace(vocabulary=vocabulary, tokens=changed, empty=EmptyNodes.empty(len(bank)))
    for column, of_column in changes.items():
        bank = _with_features(bank, tokens.relation, column, of_column, stays)
    return bank.with_events(NAME, events)


def _unknown(words: WordTable, conversion: RewritingRules) -> BoolArray:
    """Return which words have a relation that the scheme does not list.

    Raises ConversionError if more words have a relation of the target alone than of the scheme alone.
    """
    if not (conversion.source and conversion.target):
        return np.zeros(len(words), np.bool_)
    strings, of_word = words.relation
    bases = [split_relation(name)[0] for name in strings]
    inventories = [
        load_scheme(scheme).inventory["functions"] for scheme in (conversion.source, conversion.target)
    ]
    known, others = (
        np.array([base in inventory for base in bases], np.bool_)[of_word] for inventory in inventories
    )
    of_source, of_target = int((known & ~others).sum()), int((others & ~known).sum())
    if of_target > of_source:
        raise ConversionError(
            f"{words.bank.where(0)}: {of_target:,} relations are of {conversion.target}, "
            f"{of_source:,} of {conversion.source}; the treebank seems to be {conversion.target} already"
        )
    unknown: BoolArray = ~known
    return unknown


def run(step: RewritingStepRules, words: WordTable, changes: Mapping[str, Changes]) -> None:
    """Change the words as a step says; features that words get or lose are added to those of their column."""
    tests, rules = step.tests, step.rules
    for name, test in step.flags.items():
        words.flags[name] = test.everywhere(words).copy()
    if tests["idioms"]:
        step_of.flatten_idioms(words, *tests["idioms"])
    if step.lower is not None:
        words.flags[step.lower.flag] = step_of.attach_lower(words, *step.lower[:3])
    for test in tests["group"]:
        step_of.group(words, test)
    if tests["turn"]:
        step_of.turn(words, tests["turn"], tests["stay"])
    if rules["promote"]:
        step_of.promote(words, [rule for rule, _ in rules["promote"]])
    if tests["rise"]:
        step_of.rise(words, tests["rise"], tests["stay"])
    if tests["attach"]:
        step_of.attach_higher(words, tests["attach"])
    if tests["punctuation"]:
        marks = words.rows[step_of.rows_of_any(words, tests["punctuation"], words.rows)]
        attach_crossing_punctuation(words, marks)
    if rules["relabel"]:
        step_of.relabel(words, rules["relabel"])
    if step.recall:
        step_of.recall(words, step.recall)
    for test in tests["chain"]:
        step_of.chain(words, test)
    for key, column in (("features", "morph"), ("misc", "misc")):
        for rule, _ in rules[key]:
            changes[column].append((rule.gives, rule.test.everywhere(words).copy()))


def _without_tree(bank: Treebank) -> BoolArray:
    """Return which sentences have a cycle or a word without a head."""
    tokens = bank.tokens
    cyclic = on_cycle(tokens.offsets, tokens.head)
    return tokens.counted((tokens.head < ROOT) | cyclic) > 0


def _with_features(
    bank: Treebank, relation: Int32Array, column: str, changes: Changes, stays: BoolArray
) -> Treebank:
    """Return a treebank whose words have further features in a column; ``-Name`` takes one from them.

    ``{upos}`` stands for the word's tag, ``{relation}`` for its relation before the conversion.
    """
    if not any(mask.any() for _, mask in changes):
        return bank
    tokens, strings = bank.tokens, bank.vocabulary
    changed = [mask & ~stays for _, mask in changes]
    before = getattr(tokens, column)
    key = before.astype(np.int64) * (int(tokens.pos.max(initial=0)) + 1) + tokens.pos
    key = key * (int(relation.max(initial=0)) + 1) + relation
    for mask in changed:
        key = key * 2 + mask
    rows = np.flatnonzero(np.logical_or.reduce(changed))
    _, first, of_row = np.unique(key[rows], return_index=True, return_inverse=True)
    written = []
    for row in rows[first].tolist():
        parts = filter(None, strings[int(before[row])].split("|"))
        features = dict(part.partition("=")[::2] for part in parts)
        for (change, _), mask in zip(changes, changed, strict=True):
            if mask[row]:
                name, _, value = change.partition("=")
                features.pop(name.removeprefix("-"), None)
                if value:
                    value = value.replace("{upos}", strings[int(tokens.pos[row])])
                    features[name] = value.replace("{relation}", strings[int(relation[row])])
        ordered = sorted(features.items(), key=lambda feature: feature[0].lower())
        written.append("|".join("=".join(filter(None, feature)) for feature in ordered))
    vocabulary, codes = strings.extended(written)
    after = before.copy()
    after[rows] = codes[of_row.reshape(-1)]
    return bank.replace(vocabulary=vocabulary, tokens=tokens.replace(**{column: after}))
