"""Diagnosis of head rules: those that fire, nodes with the default, and disagreements."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from crossbank.converters.heads.child_types import child_types
from crossbank.converters.heads.marking import NAME, head_children, mark_heads
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import Treebank


class HeadFinding(NamedTuple):
    """Nodes of a category whose head was found in the same way.

    how        ``function`` or ``category``: by a rule about functions, or about categories alone;
               ``default``: by no rule; ``disagreement``: without functions the head is another child
    what       the rule, or the other child and the head
    sentences  their identifiers
    """

    category: str
    how: Literal["function", "category", "default", "disagreement"]
    what: str
    nodes: int
    sentences: list[str]


ORDER = ("function", "category", "default", "disagreement")


def diagnose_heads(bank: Treebank, scheme: Scheme, rules: str = "") -> list[HeadFinding]:
    """Return the findings by category; nodes with one child are not counted.

    rules  the name of another set of the scheme's head rules
    """
    bank = bank.replace(diagnosis=())
    marked = mark_heads(bank, scheme, rules=rules)
    without = mark_heads(bank, scheme, rules=rules, functions=False)
    findings = [*_decided(marked, scheme, rules), *_disagreements(marked, without, scheme)]
    return sorted(findings, key=lambda f: (f.category, ORDER.index(f.how), -f.nodes))


def _decided(marked: Treebank, scheme: Scheme, rules: str) -> list[HeadFinding]:
    own = scheme.rule_sets[rules] if rules else scheme.heads
    decisions = []
    for finding in marked.diagnosis:
        category, _, rule = finding.event.partition(": head by ")
        if finding.step != NAME or not rule:
            continue
        by_function = {str(group): bool(group.functions) for group in own.groups(category)}
        how: Literal["function", "category", "default"] = "default"
        if rule in by_function:
            how = "function" if by_function[rule] else "category"
        ids = [marked.sentence_id(i) for i in finding.sentences().tolist()]
        decisions.append(HeadFinding(category, how, rule, finding.total, ids))
    return decisions


def _disagreements(marked: Treebank, without: Treebank, scheme: Scheme) -> list[HeadFinding]:
    """Return the nodes that have another head child without functions, by the types of both children."""
    types = child_types(marked, scheme)
    children = [head_children(bank) for bank in (marked, without)]
    other = (children[0] != children[1]) & ~types.nodes_called(scheme.transparent)
    sentence, of_item = marked.nodes.sentence_of_row()[other], np.concatenate((types.token, types.node))
    of_both = [of_item[marked.rows_of_items(sentence, child[other])] for child in children]
    keys = np.stack((types.node_category[other], *of_both), axis=1)

    def named(child_type: int) -> str:
        category, function = (
            types.categories[types.category[child_type]],
            types.functions[types.function[child_type]],
        )
        return f"{category} ({function})" if function else category

    head_pairs, inverse, counts = np.unique(keys, axis=0, return_inverse=True, return_counts=True)
    disagreements = []
    for row, ((category, head, instead), nodes) in enumerate(
        zip(head_pairs.tolist(), counts.tolist(), strict=True)
    ):
        ids = [marked.sentence_id(i) for i in np.unique(sentence[inverse.ravel() == row]).tolist()]
        what = f"without functions {named(instead)} instead of {named(head)}"
        disagreements.append(HeadFinding(types.categories[category], "disagreement", what, nodes, ids))
    return disagreements
