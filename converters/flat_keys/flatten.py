"""Flat keys: only the constituents on which grammars agree.

Gaizauskas, R., M. Hepple, and C. Huyck (1998): A Scheme for Comparative Evaluation of Diverse Parsing
Systems. LREC, section 4: a key has no intermediate projections, null elements, constituents of one word or
unary structure. It has only the outermost verb phrase, and only the outermost noun phrase where one noun
phrase heads another. Adjective phrases are kept only in predicative position. Disputed constituents
(extraposition) are omitted. All words stay. The scheme defines this for its labels.
"""

from __future__ import annotations

from collections import Counter
from typing import Literal

import numpy as np

from crossbank.converters.declaration import transformation
from crossbank.converters.deletions import children_of_nodes, delete_empty_elements, roots, without_nodes
from crossbank.converters.heads.child_types import child_types
from crossbank.converters.heads.marking import mark_heads
from crossbank.converters.parseval1991.delete_empty_brackets import delete_empty_brackets
from crossbank.converters.parseval1991.local_tree import LocalTree, rewritten
from crossbank.converters.parseval1991.redraw import extraposed
from crossbank.converters.schemes.constructions import FlatKey, label_matcher
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import NO_PARENT, Treebank
from crossbank.treebanks.arrays import BoolArray
from crossbank.treebanks.diagnosis import merged_findings
from crossbank.treebanks.errors import RequirementError

NAME = "flatten"


@transformation(position=210)
def flatten(
    bank: Treebank, scheme: Scheme | None = None, *, labels: Literal["own", "agreed"] = "own"
) -> Treebank:
    """Derive the flat key of each tree by the scheme's rules.

    labels  ``own``: constituents keep their labels; ``agreed``: they get the categories to which the
            scheme maps them, the same for all schemes (``clause``, ``NP``, ``VP``, ``PP`` ...)

    The diagnosis counts the constituents that are omitted, by reason. If one constituent is omitted,
    another one may become a projection, so the rules are applied repeatedly until convergence. Flattening a
    flat key
    changes nothing.
    """
    if scheme is None or scheme.flat_key is None:
        raise RequirementError(NAME, "a scheme with rules for flat keys")
    rules = scheme.flat_key
    before = bank.diagnosis
    bank = delete_empty_elements(bank, scheme)
    nodes = -1
    while nodes != len(bank.nodes):
        nodes = len(bank.nodes)
        bank = _without_disputed(bank, scheme)
        unwanted = _unwanted(bank, categories_of_nodes(bank, scheme), rules) | roots(bank, scheme)
        bank = without_nodes(bank, unwanted, NAME, "other constituents dropped")
        bank = _without_projections(bank, scheme, rules)
        bank = delete_empty_brackets(bank, scheme)
    bank = bank.replace(diagnosis=before + merged_findings(bank.diagnosis[len(before) :]))
    return agreed_labels(bank, scheme) if labels == "agreed" else bank


@transformation(position=220)
def agreed_labels(bank: Treebank, scheme: Scheme | None = None) -> Treebank:
    """Replace labels by the categories that flat keys of all schemes share; other labels are unchanged.

    This makes a parser's labels comparable with those of a key (``flatten:labels=agreed``).
    """
    if scheme is None or scheme.flat_key is None:
        raise RequirementError("agreed_labels", "a scheme with agreed categories")
    categories = [(label_matcher((label,)), name) for label, name in scheme.flat_key.categories.items()]
    category = scheme.labels.main_category

    def agreed(label: str) -> str:
        own = category(label)
        return next((name for matches, name in categories if matches(own)), label)

    return bank.with_strings("nodes", "label", agreed)


def categories_of_nodes(bank: Treebank, scheme: Scheme | None) -> list[str]:
    """Return the label of every node, without functions, indices and subclasses."""
    if scheme is None:
        return bank.vocabulary.decode(bank.nodes.label)
    category = scheme.labels.main_category
    names: list[str] = bank.vocabulary.valued(bank.nodes.label, category, np.object_).tolist()
    return names


def _unwanted(bank: Treebank, label: list[str], rules: FlatKey) -> BoolArray:
    """Return a mask of the nodes whose label does not belong to a key or is not in its position."""
    keep = label_matcher(rules.keep)
    position = [(label_matcher((name,)), label_matcher(parents)) for name, parents in rules.position.items()]
    unwanted = np.ones(len(label), np.bool_)
    for node, (name, row) in enumerate(zip(label, bank.nodes.parent_rows(bank.nodes).tolist(), strict=True)):
        unwanted[node] = not keep(name) and not any(
            is_one(name) and row != NO_PARENT and may_hold(label[row]) for is_one, may_hold in position
        )
    return unwanted


def _without_disputed(bank: Treebank, scheme: Scheme) -> Treebank:
    """Delete the constituents that include an extraposed clause in some schemes and not in others."""
    rules = scheme.redrawing.extraposition if scheme.redrawing is not None else ()
    if not rules:
        return bank

    def change(_: int, tree: LocalTree) -> Counter[str]:
        disputed: set[int] = set()
        for rule in rules:
            for clause, host in extraposed(tree, rule):
                node = tree.parents[clause]
                while node != host:
                    disputed.add(node)
                    node = tree.parents[node]
        for node in sorted(disputed, reverse=True):
            tree.dissolve(node)
        return +Counter({"disputed constituents dropped (extraposition)": len(disputed)})

    return rewritten(bank, scheme, range(len(bank)), change, NAME)


def _without_projections(bank: Treebank, scheme: Scheme, rules: FlatKey) -> Treebank:
    """Delete the nodes that are projected to their parent."""
    nodes = bank.nodes
    if len(nodes) == 0:
        return bank
    types = child_types(bank, scheme)
    above = nodes.parent_rows(nodes)
    inner_nodes = nodes.parent != NO_PARENT
    is_head = np.zeros(len(nodes), np.bool_)
    if any(rule.head for rule in rules.projections):
        head = mark_heads(bank, scheme).nodes.head
        is_head[inner_nodes] = head[inner_nodes] == head[above[inner_nodes]]
    conjunction = types.with_category(label_matcher(rules.conjunctions))[types.token]
    alone = children_of_nodes(bank, conjunction, False) == 0
    projected = np.zeros(len(nodes), np.bool_)
    for rule in rules.projections:
        of_inner, of_outer = (
            types.with_category(label_matcher(labels))[types.node] for labels in (rule.inner, rule.outer)
        )
        holds = of_outer & alone & (children_of_nodes(bank, False, of_inner) == 1)
        chosen = np.flatnonzero(of_inner & inner_nodes & holds[above])
        projected[chosen[is_head[chosen]] if rule.head else chosen] = True
    return without_nodes(bank, projected, NAME, "projections dropped")
