"""Insert phrases that a scheme leaves flat, before dependencies are read off.

In TIGER the words of a noun phrase inside a prepositional phrase hang on the PP. In the dependencies of
Rehbein and van Genabith (2007), Table 2, attributes depend on the noun and the noun on the
preposition. So there is a noun phrase, and this transformation gives it a node.
"""

from __future__ import annotations

import numpy as np

from crossbank.converters.declaration import transformation
from crossbank.converters.deletions import children_of_nodes
from crossbank.converters.heads.child_types import ChildTypes, Truths, child_types, with_conditions
from crossbank.converters.schemes.dependency_rules import FlatPhrase
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import Treebank
from crossbank.treebanks.errors import RequirementError

NAME = "insert_flat_phrases"


@transformation(position=330)
def insert_flat_phrases(bank: Treebank, scheme: Scheme | None = None) -> Treebank:
    """Put a node over those children of a phrase that form a phrase of their own, as the scheme lists them.

    Children belong to it by their function, or by their category where they have no function. A single child
    gets no node, nor do all children together. The node gets a function where its children have some.
    """
    if scheme is None:
        raise RequirementError(NAME, "a scheme that lists flat phrases")
    for phrase in scheme.flat_phrases:
        bank = _inserted(bank, *with_conditions(bank, child_types(bank, scheme), phrase.unless), phrase)
    return bank


def _inserted(bank: Treebank, types: ChildTypes, truths: Truths, phrase: FlatPhrase) -> Treebank:
    tokens, nodes = bank.tokens, bank.nodes
    by_label = types.with_category(phrase.labels.__contains__)
    belongs = np.where(
        types.function == 0,
        np.logical_and.reduce([by_label, *(~truths[condition] for condition in phrase.unless)]),
        types.with_function(phrase.functions.__contains__),
    )
    above_token = nodes.parent_rows(tokens)
    above_node = nodes.parent_rows(nodes)
    members = children_of_nodes(bank, belongs[types.token], belongs[types.node])
    flat = types.nodes_called(phrase.hosts) & (members > 1) & (members < children_of_nodes(bank))
    host = np.flatnonzero(flat)
    if len(host) == 0:
        return bank

    with_function = belongs & (types.function > 0)
    named = children_of_nodes(bank, with_function[types.token], with_function[types.node])
    vocabulary, (label, function) = bank.vocabulary.extended([phrase.label, phrase.function])
    sentence = nodes.sentence_of_row()[host]
    more, old, new = nodes.extended(
        sentence,
        label=np.full(len(host), label, np.int32),
        function=np.where(named[host] > 0, function, 0).astype(np.int32),
        parent=(host - nodes.offsets[sentence]).astype(np.int32),
    )
    phrase_of = np.full(len(nodes), -1, np.int32)
    phrase_of[host] = new - more.offsets[sentence]
    token_parent, node_parent = tokens.parent.copy(), more.parent.copy()
    in_token = np.flatnonzero((tokens.parent >= 0) & belongs[types.token] & (phrase_of[above_token] >= 0))
    token_parent[in_token] = phrase_of[above_token[in_token]]
    in_node = np.flatnonzero((nodes.parent >= 0) & belongs[types.node] & (phrase_of[above_node] >= 0))
    node_parent[old[in_node]] = phrase_of[above_node[in_node]]
    return (
        bank.replace(vocabulary=vocabulary)
        .with_structure(token_parent=token_parent, nodes=more.replace(parent=node_parent))
        .with_events(NAME, {f"{phrase.label} inserted": sentence})
    )
