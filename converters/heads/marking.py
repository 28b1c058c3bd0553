"""Mark heads: the head child of each node, and the word that is its lexical head.

Magerman, David (1995): Statistical Decision-Tree Models for Parsing. ACL. A scheme's rules choose one head
child for each node: by function where the scheme marks heads so, else by category. The lexical head of
the head child is the node's lexical head.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Literal

import numpy as np

from crossbank.converters.declaration import transformation
from crossbank.converters.heads.child_types import ChildTypes, Truths, child_types, with_conditions
from crossbank.converters.loops.head_children import HeadTable, find_heads
from crossbank.converters.schemes.head_rules import HeadGroup, HeadRules
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import UNATTACHED, OptionError, Treebank
from crossbank.treebanks.arrays import Int32Array
from crossbank.treebanks.diagnosis import Diagnosis, Finding
from crossbank.treebanks.errors import RequirementError
from crossbank.treebanks.ranges import in_ranges

NAME = "mark_heads"

RANKS = 1024
"""A child's priority is the number of its group times this, plus its rank within the group."""


@transformation(position=310)
def mark_heads(
    bank: Treebank,
    scheme: Scheme | None = None,
    *,
    functions: bool = True,
    rules: str = "",
    prepositions: Literal["scheme", "noun", "preposition"] = "scheme",
) -> Treebank:
    """Mark each node's lexical head (``nodes.head``) by the scheme's head rules.

    functions     whether rules may look at functions; without them heads are found by category alone
    rules         the name of another set of the scheme's head rules
    prepositions  the head of adpositional phrases, where it is to differ from the scheme's rules

    The child with the highest priority is the head. A rule's groups come in order, and within a group the
    first child from the left or from the right counts. Where no group has a candidate, the default is
    the first child, from the left or from the right, that is not punctuation. Where the scheme says so,
    a head right after a conjunction gives way to the conjunct before it. The diagnosis counts for each
    category which group decided; nodes with one child are not counted.
    """
    if scheme is None:
        raise RequirementError("mark_heads", "a scheme with head rules")
    scheme = with_rules(scheme, rules, prepositions)
    return marked(bank, scheme, child_types(bank, scheme, functions=functions))


def marked(bank: Treebank, scheme: Scheme, types: ChildTypes) -> Treebank:
    """Return the treebank with the heads that the scheme's rules mark; ``types`` are its children's."""
    groups = [group for name in types.categories for group in scheme.heads.groups(name)]
    types, truths = with_conditions(bank, types, (c for group in groups for c in group.where + group.unless))
    table = head_table(types, scheme.heads, truths)
    nodes = bank.nodes
    head, group = np.full(len(nodes), UNATTACHED, np.int32), np.full(len(nodes), -1, np.int32)
    in_ranges(lambda first, last: find_heads(bank.forest, table, head, group, first, last), len(bank))
    bank = bank.replace(nodes=nodes.replace(head=head))
    return bank.diagnosed(_which_group(bank, types, scheme, group))


def with_rules(scheme: Scheme, rules: str, prepositions: Literal["scheme", "noun", "preposition"]) -> Scheme:
    """Return the scheme with another of its sets of head rules, and another head of adpositional phrases.

    Raises OptionError if the scheme has none of that name.
    """
    if rules:
        if rules not in scheme.rule_sets:
            raise OptionError(f"head rules of {scheme.name}", rules, tuple(scheme.rule_sets) or "none")
        scheme = replace(scheme, heads=scheme.rule_sets[rules])
    if prepositions == "scheme":
        return scheme
    if prepositions not in scheme.prepositions:
        of = f"heads of adpositional phrases in {scheme.name}"
        raise OptionError(of, prepositions, tuple(scheme.prepositions))
    first = {**scheme.heads.first, **scheme.prepositions[prepositions]}
    return replace(scheme, heads=replace(scheme.heads, first=first))


def with_heads(bank: Treebank, scheme: Scheme | None, name: str, types: ChildTypes | None = None) -> Treebank:
    """Return the treebank with heads; they are marked unless every node has one already."""
    if bool((bank.nodes.head >= 0).all()):
        return bank
    if scheme is None:
        raise RequirementError(name, "heads: a scheme with head rules, or mark_heads before it")
    return marked(bank, scheme, types or child_types(bank, scheme))


def head_table(types: ChildTypes, heads: HeadRules, truths: Truths) -> HeadTable:
    """Return the head rules as arrays, for the categories and types of a treebank."""
    rules: dict[tuple[tuple[HeadGroup, ...], bool], int] = {}
    keys = [(heads.groups(name), heads.gives_way(name)) for name in types.categories]
    rule = np.array([rules.setdefault(key, len(rules)) for key in keys], np.int32)
    depth = max((len(groups) for groups, _ in rules), default=0) + 2
    priority = np.empty((len(rules), len(types.category)), np.int32)
    from_right = np.full((len(rules), depth), heads.default == "right", np.bool_)

    like, serving_as = cache(types.like), cache(types.serving_as)
    for (groups, _), number in rules.items():
        row = priority[number]
        row[:] = len(groups) * RANKS + types.punctuation * RANKS
        for group_index in reversed(range(len(groups))):
            group = groups[group_index]
            from_right[number, group_index] = group.from_right
            allowed = [serving_as(group.functions)] if group.functions else []
            allowed += [truths[condition] for condition in group.where]
            allowed += [~truths[condition] for condition in group.unless]
            for rank, pattern in reversed(list(enumerate(group.labels or ("*",)))):
                matches = np.logical_and.reduce([like(pattern), *allowed])
                row[matches] = group_index * RANKS + (rank if group.in_order else 0)
    conjunction = types.with_category(heads.conjunctions.__contains__)
    gives_way = np.array([shift for _, shift in rules], np.bool_)
    of_rows = types.token, types.node, types.node_category
    return HeadTable(*of_rows, rule, priority, from_right, gives_way, conjunction, types.punctuation, RANKS)


def head_children(bank: Treebank) -> Int32Array:
    """Return each node's head child, an item as in ``treebanks.forest``, found from the lexical heads.

    The result is -1 if a node's lexical head is not marked, or is not the lexical head of a child.
    """
    tokens, nodes = bank.tokens, bank.nodes
    child = np.full(len(nodes), -1, np.int32)
    positions, words = tokens.lengths()[nodes.sentence_of_row()] + nodes.indices(), tokens.indices()
    for table, head, position in ((nodes, nodes.head, positions), (tokens, words, words)):
        above = nodes.parent_rows(table)
        rows = np.flatnonzero((table.parent >= 0) & (head != UNATTACHED))
        rows = rows[nodes.head[above[rows]] == head[rows]]
        child[above[rows]] = position[rows]
    return child


def _which_group(bank: Treebank, types: ChildTypes, scheme: Scheme, group: Int32Array) -> Diagnosis:
    """Return each group's decision for each category; transparent nodes do not count as having a head."""
    depth = int(group.max(initial=-1)) + 1
    decided = (group >= 0) & ~types.nodes_called(scheme.transparent)
    key = types.node_category[decided] * depth + group[decided]
    sentence = bank.nodes.sentence_of_row()[decided]
    fired = np.flatnonzero(np.bincount(key))
    number_of_cell = np.zeros(int(fired.max(initial=-1)) + 1, np.int64)
    number_of_cell[fired] = np.arange(len(fired))
    cells = np.bincount(number_of_cell[key] * len(bank) + sentence, minlength=len(fired) * len(bank))
    counts = cells.reshape(len(fired), len(bank)).astype(np.int32)
    findings = []
    for row, (category, number) in zip(counts, (divmod(k, depth) for k in fired.tolist()), strict=True):
        name = types.categories[category]
        groups = scheme.heads.groups(name)
        how = str(groups[number]) if number < len(groups) else "default"
        findings.append(Finding(NAME, f"{name}: head by {how}", row))
    return tuple(findings)
