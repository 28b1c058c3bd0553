"""Read grammatical relations off trees by the rules of a scheme.

Briscoe, Ted, John Carroll, Jonathan Graham and Ann Copestake (2002): Relational Evaluation Schemes,
section 5. The rules say which nodes fill which slots (``converters.schemes.relation_rules``). A node fills
a slot with its lexical head. A coordination fills it with the heads of its conjuncts, in one relation each;
a trace fills it with the head of its antecedent.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from crossbank.converters.declaration import transformation
from crossbank.converters.dependencies.arcs_as_constituents import dependency_trees
from crossbank.converters.heads.marking import mark_heads
from crossbank.converters.labels import split_functions
from crossbank.converters.loops.slot_fillers import Detours, fillers
from crossbank.converters.patterns.matching import match
from crossbank.converters.patterns.positions import PreOrderPositions, positions_of
from crossbank.converters.patterns.program import PatternProgram
from crossbank.converters.schemes.relation_rules import (
    Nodes,
    RelationRule,
    RelationRules,
    SelectedNodes,
    load_rules,
)
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import ConversionError, Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array, offsets_of
from crossbank.treebanks.diagnosis import Diagnosis, finding
from crossbank.treebanks.errors import MissingAnnotationError, RequirementError
from crossbank.treebanks.tables import NO_PARENT, NO_TOKEN, FurtherHeads, Relations

NAME = "relations_from_trees"

NO_ITEM = -1
"""No position or token."""

TRACE = re.compile(r"-(\d+)$")
"""The index at the end of a trace."""

SUBJECTS = "subj"
"""The relation that subsumes all subjects."""


def _files(scheme: Scheme | None = None, *, rules: str = "") -> tuple[Path, ...]:
    """Return the files of the rules and of their hierarchy; none for a scheme without rules.

    A treebank of relations alone needs no rules. Raises the errors of ``load_rules``.
    """
    named = rules_of(scheme, rules)
    return load_rules(named).files if named else ()


@transformation(
    position=470,
    turns=dict.fromkeys(
        ("constituents", "functions", "lemmas", "morphology"), ("relations", "relations_from_trees")
    ),
    files=_files,
)
def relations_from_trees(bank: Treebank, scheme: Scheme | None = None, *, rules: str = "") -> Treebank:
    """Give a treebank the grammatical relations of its trees, and delete its empty elements.

    rules  the rules, by name or as a YAML file; by default the scheme's

    A treebank of relations alone is unchanged. The diagnosis counts how often each rule fired, relations
    that were omitted because a word is silent (a trace without antecedent), and finite verbs for which no
    rule found a subject.
    """
    if bank.has_relations and not (bank.has_constituents or bank.has_dependencies):
        return bank
    named = rules_of(scheme, rules)
    if not named:
        problem = (
            "no scheme" if scheme is None else f"the scheme {scheme.name}, which names no relation_rules"
        )
        raise RequirementError(NAME, f"rules: found {problem}; name some with rules=NAME_OR_FILE")
    bank, diagnosis = _extract(bank, load_rules(named), scheme)
    if scheme is not None and (empty := scheme.is_empty(bank)).any():
        bank = bank.without_tokens(empty, NAME)
    return bank.diagnosed(*diagnosis)


def rules_of(scheme: Scheme | None, rules: str = "") -> str:
    """Return the rules that are named, or those of a scheme; the empty string where there are none."""
    return rules or (scheme.relation_rules if scheme is not None else "")


def _extract(bank: Treebank, rules: RelationRules, scheme: Scheme | None) -> tuple[Treebank, list[Diagnosis]]:
    trees = _trees(bank, rules, scheme)
    reading = _RuleApplication(bank, trees, rules, scheme)
    read = [reading.apply(rule, number) for number, rule in enumerate(rules.rules)]
    names = sorted({rule.relation for rule in rules.rules})
    relation = np.array([names.index(rule.relation) for rule in rules.rules], np.int32)
    rows = _distinct(_Rows.joined(read), relation)
    argument = np.array([rule.relation in rules.arguments for rule in rules.rules], np.bool_)
    second = _second_arguments(rows, argument)
    lost = reading.sentence_of(rows.head[second])
    event = "second relations of an argument to its head dropped"
    reading.lost.append(finding(NAME, event, lost, len(bank)))
    rows = rows.taken(np.flatnonzero(~second))
    sentence = reading.sentence_of(rows.head)
    diagnosis = [
        finding(NAME, f"{rule.relation}: {rule.name}", sentence[rows.rule == number], len(bank))
        for number, rule in enumerate(rules.rules)
    ]
    diagnosis += reading.lost
    if rules.finite_verbs is not None:
        diagnosis.append(reading.verbs_without_subject(rules, rows))
    return _with_rows(bank, rules, rows, sentence), diagnosis


def _trees(bank: Treebank, rules: RelationRules, scheme: Scheme | None) -> Treebank:
    """Return the trees in the form that the rules expect: functions apart from labels, heads marked."""
    if rules.trees == "dependencies":
        return dependency_trees(bank)
    trees = _marked_trees(bank, rules, scheme)
    if rules.needs_functions and _lacks_functions(trees):
        needing = f"{len(rules.with_functions)} of the {len(rules.rules)} relation rules of {rules.name}"
        raise ConversionError(
            f"{bank.where(0)}: the trees have no functions, which {needing} need: compare trees with "
            f"functions (NP-SB), or use another metric"
        )
    return trees


def _lacks_functions(trees: Treebank) -> bool:
    """Return whether trees with phrases below the root have no function; hyphens (``--``) are none."""
    used = np.union1d(trees.nodes.function, trees.tokens.function).tolist()
    below = (trees.nodes.parent != NO_PARENT).any()
    return bool(below) and not any(trees.vocabulary[code].strip("-") for code in used)


def _marked_trees(bank: Treebank, rules: RelationRules, scheme: Scheme | None) -> Treebank:
    """Return the trees with functions apart from labels, and with heads by the rules' own head rules."""
    if not bank.has_constituents and len(bank.tokens):
        raise MissingAnnotationError(bank.where(0), "trees")
    if scheme is None:
        raise RequirementError(NAME, "a scheme with head rules")
    heads = replace(scheme.heads, rules={**scheme.heads.rules, **rules.heads})
    return mark_heads(split_functions(bank, scheme), replace(scheme, heads=heads))


@dataclass(frozen=True, eq=False)
class _Rows:
    """Relations that rules have found; tokens are counted through the whole treebank, -1 is none.

    rule, head, dependent, type  one entry per relation
    further                      where its further heads begin in ``heads``, with one entry more
    heads                        the further heads of all relations, one after the other
    """

    rule: Int32Array
    head: Int32Array
    dependent: Int32Array
    type: Int32Array
    further: Int64Array
    heads: Int32Array

    def __len__(self) -> int:
        return len(self.rule)

    @staticmethod
    def joined(parts: list[_Rows]) -> _Rows:
        def column(name: str) -> Int32Array:
            columns: list[Int32Array] = [getattr(part, name) for part in parts]
            return np.concatenate(columns)

        further = offsets_of(np.concatenate([np.diff(part.further) for part in parts]))
        words = column("head"), column("dependent"), column("type")
        return _Rows(column("rule"), *words, further, column("heads"))

    def taken(self, rows: NDArray[np.intp]) -> _Rows:
        lengths = np.diff(self.further)[rows]
        further = offsets_of(lengths)
        heads = np.repeat(self.further[:-1][rows] - further[:-1], lengths) + np.arange(further[-1])
        columns = self.rule[rows], self.head[rows], self.dependent[rows], self.type[rows]
        return _Rows(*columns, further, self.heads[heads])


class _RuleApplication:
    """Applies rules to trees."""

    def __init__(self, bank: Treebank, trees: Treebank, rules: RelationRules, scheme: Scheme | None) -> None:
        self.bank, self.trees, self.rules = bank, trees, rules
        self.positions = positions_of(trees)
        self.lost: list[Diagnosis] = []
        total = len(self.positions)
        instead = np.full(total, NO_ITEM, np.int32)
        for selection in rules.instead:
            of, take = self.select(selection)
            instead[of] = take
        pairs = [np.zeros((2, 0), np.int32), *(np.stack(self.select(one)) for one in rules.coordination)]
        whole, conjunct = np.concatenate(pairs, axis=1)
        order = np.lexsort((conjunct, whole))
        first_conjunct = np.searchsorted(whole[order], np.arange(total + 1)).astype(np.int64)
        silent = scheme.is_empty(trees) if scheme is not None else np.zeros(len(bank.tokens), np.bool_)
        antecedent = np.full(len(bank.tokens), NO_ITEM, np.int32)
        if scheme is not None and silent.any():
            antecedent = _antecedents(bank, self.positions, silent, scheme)
        first_is_whole = rules.trees == "dependencies"
        self.detours = Detours(instead, first_conjunct, conjunct[order], first_is_whole, silent, antecedent)

    def matches(self, program: PatternProgram) -> Int32Array:
        sets = program.sets(self.trees.vocabulary, self.positions.known)
        return match(program, self.positions, sets, first_only=False)[:, 1:]

    def select(self, selection: SelectedNodes) -> list[Int32Array]:
        """Return the position of each of a selection's nodes, one row for each match."""
        named = self.matches(selection.program)
        return [_first_named(named, nodes) for nodes in selection.nodes]

    def fill(self, slots: Int32Array, *, distribute: bool) -> tuple[Int64Array, Int32Array]:
        """Return the tokens that fill a slot for each of some items, as offsets and tokens."""
        return fillers(self.positions.loops, self.detours, slots, distribute)

    def sentence_of(self, tokens: Int32Array) -> NDArray[np.intp]:
        return np.searchsorted(self.positions.token_offsets, tokens, side="right") - 1

    def apply(self, rule: RelationRule, number: int) -> _Rows:
        """Return the relations that a rule finds: each head with each dependent, match by match."""
        named = self.matches(rule.program)
        whole = rule.heads or self.rules.trees == "constituents"
        head_offsets, heads = self.fill(_first_named(named, rule.head), distribute=whole)
        if rule.heads:
            filled = np.flatnonzero(np.diff(head_offsets))
            first = head_offsets[:-1][filled]
            rest = np.ones(len(heads), np.bool_)
            rest[first] = False
            types = self.type_of(rule, named[filled])
            numbers, nobody = (np.full(len(filled), value, np.int32) for value in (number, NO_ITEM))
            further = offsets_of(np.diff(head_offsets)[filled] - 1)
            return _Rows(numbers, heads[first], nobody, types, further, heads[rest])
        if rule.dependent:
            offsets, dependents = self.fill(_first_named(named, rule.dependent), distribute=True)
        else:
            offsets = np.arange(len(named) + 1, dtype=np.int64)
            dependents = np.full(len(named), NO_ITEM, np.int32)
        width, height = np.diff(offsets), np.diff(head_offsets)
        self.count_lost("relations with a silent word dropped", named, rule, (width == 0) | (height == 0))
        pairs = width * height
        match_of = np.repeat(np.arange(len(named)), pairs)
        within = np.arange(len(match_of)) - np.repeat(np.cumsum(pairs) - pairs, pairs)
        head = heads[head_offsets[match_of] + within // width[match_of]]
        dependent = dependents[offsets[match_of] + within % width[match_of]]
        types = self.type_of(rule, named)[match_of]
        itself = head == dependent
        self.count_lost("relations of a word to itself dropped", named[match_of], rule, itself)
        remaining = np.flatnonzero(~itself)
        none = np.zeros(len(remaining) + 1, np.int64)
        rules = np.full(len(remaining), number, np.int32)
        return _Rows(
            rules, head[remaining], dependent[remaining], types[remaining], none, np.zeros(0, np.int32)
        )

    def count_lost(self, event: str, named: Int32Array, rule: RelationRule, lost: BoolArray) -> None:
        event = f"{event} ({rule.relation}: {rule.name})"
        tokens = self.positions.begin[_first_named(named[lost], rule.head)]
        self.lost.append(finding(NAME, event, self.sentence_of(tokens), len(self.bank)))

    def type_of(self, rule: RelationRule, named: Int32Array) -> Int32Array:
        """Return the first token that fills the type slot, match by match."""
        offsets, tokens = self.fill(_first_named(named, rule.type), distribute=False)
        types = np.full(len(named), NO_ITEM, np.int32)
        filled = np.flatnonzero(np.diff(offsets))
        types[filled] = tokens[offsets[:-1][filled]]
        return types

    def verbs_without_subject(self, rules: RelationRules, rows: _Rows) -> Diagnosis:
        assert rules.finite_verbs is not None
        (verb_slots,) = self.select(rules.finite_verbs)
        _, verbs = self.fill(np.unique(verb_slots), distribute=False)
        subject = np.array([rules.hierarchy.subsumes(SUBJECTS, rule.relation) for rule in rules.rules])
        governed = np.zeros(len(self.bank.tokens), np.bool_)
        governed[rows.head[subject[rows.rule]]] = True
        without = np.unique(verbs[~governed[verbs]])
        return finding(NAME, "finite verbs without a subject", self.sentence_of(without), len(self.bank))


def _first_named(named: Int32Array, nodes: Nodes) -> Int32Array:
    """Return the first of some nodes that exists, match by match."""
    first = np.full(len(named), NO_ITEM, np.int32)
    for node in reversed(nodes):
        first = np.where(named[:, node] != NO_ITEM, named[:, node], first)
    return first


def _antecedents(bank: Treebank, layout: PreOrderPositions, silent: BoolArray, scheme: Scheme) -> Int32Array:
    """Return the position of each trace's antecedent, with the same index: ``*T*-1`` and ``WHNP-1``."""
    tokens, nodes = bank.tokens, bank.nodes
    rows = bank.rows_of_items(np.repeat(np.arange(len(bank)), np.diff(layout.offsets)), layout.item)
    index_of = np.zeros(len(tokens) + len(nodes), np.int32)
    index_of[rows] = np.arange(len(layout))
    vocabulary, index = bank.vocabulary.mapped(nodes.label, lambda label: scheme.labels.parts(label).index)
    indexed = np.flatnonzero(index)
    bearers: dict[tuple[int, str], int] = {}
    sentences, written = nodes.sentence_of_row()[indexed].tolist(), vocabulary.decode(index[indexed])
    indexed_items = index_of[len(tokens) + indexed].tolist()
    for sentence, mark, landing in zip(sentences, written, indexed_items, strict=True):
        bearers.setdefault((sentence, mark), landing)
    antecedent = np.full(len(tokens), NO_ITEM, np.int32)
    sentence_of_token = tokens.sentence_of_row()
    for token in np.flatnonzero(silent).tolist():
        if trace := TRACE.search(bank.vocabulary[int(tokens.form[token])]):
            antecedent[token] = bearers.get((int(sentence_of_token[token]), trace[1]), NO_ITEM)
    return antecedent


def _distinct(rows: _Rows, relation: Int32Array) -> _Rows:
    """Return the relations in the order of their words, without duplicates: the first rule counts.

    Duplicates have the same name and the same words. ``relation`` is the number of each rule's name.
    """
    name = relation[rows.rule]
    order = np.lexsort((rows.rule, name, rows.dependent, rows.head))
    keys = np.stack((rows.head, rows.dependent, name), axis=1)[order]
    new = np.ones(len(order), np.bool_)
    new[1:] = (keys[1:] != keys[:-1]).any(axis=1)
    return rows.taken(order[new])


def _second_arguments(rows: _Rows, argument: BoolArray) -> BoolArray:
    """Return a mask of the arguments that the same word is already of the same head, by an earlier rule.

    ``argument`` says of each rule whether it finds arguments. Relations are in the order of their words.
    """
    second = np.zeros(len(rows), np.bool_)
    rows_of_arguments = np.flatnonzero(argument[rows.rule] & (rows.dependent != NO_ITEM))
    order = rows_of_arguments[
        np.lexsort(
            (rows.rule[rows_of_arguments], rows.dependent[rows_of_arguments], rows.head[rows_of_arguments])
        )
    ]
    second[order[1:]] = (rows.head[order[1:]] == rows.head[order[:-1]]) & (
        rows.dependent[order[1:]] == rows.dependent[order[:-1]]
    )
    return second


def _with_rows(bank: Treebank, rules: RelationRules, rows: _Rows, sentence: NDArray[np.intp]) -> Treebank:
    tokens = bank.tokens
    vocabulary, names = bank.vocabulary.extended(rule.relation for rule in rules.rules)
    vocabulary, initial = vocabulary.extended(rule.initial_gr for rule in rules.rules)
    word = np.where(tokens.lemma != 0, tokens.lemma, tokens.form)
    first = tokens.offsets[sentence]

    def slot(filled: Int32Array, begin: Int64Array) -> list[Int32Array]:
        """Return the indices, words and tags of the tokens that fill a slot."""
        positions = np.where(filled >= 0, filled - begin, NO_TOKEN).astype(np.int32)
        return [positions, *(np.append(column, 0)[filled].astype(np.int32) for column in (word, tokens.pos))]

    head, dependent = slot(rows.head, first), slot(rows.dependent, first)
    # Types have no index: as lemmas they would not match where the other treebank has no lemmas (im, in).
    vocabulary, types = vocabulary.mapped(np.append(tokens.form, np.int32(0))[rows.type], str.lower)
    offsets = np.searchsorted(sentence, np.arange(len(bank) + 1)).astype(np.int64)
    relations = Relations.of(
        offsets,
        name=names[rows.rule],
        type=types,
        initial_gr=initial[rows.rule],
        head_index=head[0], head_word=head[1], head_tag=head[2],
        dependent_index=dependent[0], dependent_word=dependent[1], dependent_tag=dependent[2],
    )  # fmt: skip
    more = np.repeat(np.arange(len(rows)), np.diff(rows.further))
    further = slot(rows.heads, first[more])
    further_heads = FurtherHeads.of(
        np.searchsorted(sentence[more], np.arange(len(bank) + 1)).astype(np.int64),
        relation=(more - offsets[sentence[more]]).astype(np.int32),
        index=further[0], word=further[1], tag=further[2],
    )  # fmt: skip
    return bank.replace(vocabulary=vocabulary, relations=relations, further_heads=further_heads)
