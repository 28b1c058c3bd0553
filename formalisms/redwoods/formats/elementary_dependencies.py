"""Elementary dependencies (EDS) and DMRS as PyDelphin makes them: graphs whose nodes are predications.

The graph of *It rained*, ``{e3: e3:_rain_v_1<3:9>{e TENSE past}[] ...}``, has four types of triples and its
top, each an edge (``treebanks.relations.meaning_graphs``):

``predicate``  the node's name: the governor alone
role           ``ARG1``, ``BV`` ...: governor and dependent are nodes; in DMRS ``type`` is the part after
               the slash (``NEQ``)
``carg``       the node's constant, as the dependent's word
property       ``TENSE``, ``NUM`` ...: its value is the dependent's word
``top``        the top of the graph, as the governor

The token of a node is the one with its span, where one token alone has it.

Sources: Oepen, Stephan and Jan Tore Lønning (2006): Discriminant-Based MRS Banking, for EDS; Copestake, Ann
(2009): Slacker Semantics, for DMRS. PyDelphin converts MRS to both.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from itertools import count
from typing import Any, Literal, NamedTuple, TypeAlias

from crossbank.treebanks.relations.meaning_graphs import CONSTANT, NO_VARIABLE, PREDICATE, TOP
from crossbank.treebanks.relations.relation import Relation, Word
from crossbank.treebanks.tables import NO_TOKEN

Semantics: TypeAlias = Literal["eds", "dmrs"]
"""The types of graphs that are converted from MRS."""


class MrsError(ValueError):
    """An MRS that cannot be read: the actual text, with its offset if known, and the expected text."""

    def __init__(self, mrs: str, error: Exception) -> None:
        offset = getattr(error, "offset", None)
        self.actual, self.expected = "a damaged MRS", getattr(error, "expected", "SimpleMRS")
        if offset is not None:
            text = repr(mrs[offset : offset + 20].split("\n")[0]) if offset < len(mrs) else "the end"
            self.actual = f"{text} at character {offset + 1} of a damaged MRS"
        super().__init__(self.actual, self.expected)


class Graph(NamedTuple):
    """Edges of a graph, PyDelphin's distinct warnings, and the reason if there is no graph."""

    edges: list[Relation]
    warned: list[str]
    failed: str = ""


def graph(mrs: str, semantics: Semantics, token_of_span: Mapping[str, int]) -> Graph:
    """Return the graph of an MRS in the notation of SimpleMRS.

    token_of_span  the tokens by their spans (``<3:9>``)

    Raises MrsError if the MRS cannot be parsed. If it has no such graph, ``failed`` has the reason.
    """
    from crossbank.formalisms.redwoods.formats.simple_mrs import read_simple_mrs

    try:
        read = read_simple_mrs(mrs)
    except Exception as error:  # PyDelphin does not catch KeyError and the like.
        raise MrsError(mrs, error) from error
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            if semantics == "dmrs":
                from delphin import dmrs

                made = dmrs.from_mrs(read)
                edges = _edges(made, {node.id: str(node.id) for node in made.nodes}, token_of_span)
            else:
                from delphin import eds

                made = eds.from_mrs(read, predicate_modifiers=True, unique_ids=False)
                edges = _edges(made, _identifiers(read, made), token_of_span)
        except Exception as error:  # as above; the reason is counted with the sentence
            return Graph([], [], " ".join(str(error).split())[:80] or type(error).__name__)
    # Warnings that differ in handles and variables only are counted together.
    return Graph(edges, sorted({str(warning.message).partition(":")[0] for warning in caught}))


def _identifiers(mrs: Any, made: Any) -> dict[str, str]:
    """Return the LKB's name of each node of an EDS: its variable, or ``_1``, ``_2`` ... where it has none.

    PyDelphin gives the same identifiers; but where several nodes have one variable, it follows the order of a
    set, which changes from run to run. Here that of the nodes decides.
    """
    new = (f"{NO_VARIABLE}{number}" for number in count(1))
    identifiers = {
        predication.id: next(new) if predication.iv is None or predication.is_quantifier() else predication.iv
        for predication in mrs.rels
    }
    arguments = {node.id: set(node.edges.values()) for node in made.nodes}
    sharing: dict[str, list[str]] = {}
    for node, variable in identifiers.items():
        sharing.setdefault(variable, []).append(node)
    for nodes in sharing.values():
        for node in sorted(nodes, key=lambda node: bool(arguments[node].intersection(nodes)))[1:]:
            identifiers[node] = next(new)
    return identifiers


def _edges(made: Any, identifiers: Mapping[Any, str], token_of_span: Mapping[str, int]) -> list[Relation]:
    """Return the edges of an EDS or DMRS of PyDelphin, node by node."""
    nodes = {}
    for node in made.nodes:
        link = str(node.lnk)
        nodes[node.id] = Word(node.predicate, token_of_span.get(link, NO_TOKEN), identifiers[node.id] + link)
    edges = [Relation(TOP, nodes[made.top])] if made.top in nodes else []
    arguments = _arguments(made)
    for node in made.nodes:
        governor = nodes[node.id]
        edges.append(Relation(PREDICATE, governor))
        for role, type, target in arguments.get(node.id, ()):
            if target in nodes:
                edges.append(Relation(role, governor, nodes[target], type))
        if node.carg:
            edges.append(Relation(CONSTANT, governor, Word(node.carg)))
        for name, value in node.properties.items():
            edges.append(Relation(name, governor, Word(value)))
    return edges


def _arguments(made: Any) -> dict[Any, list[tuple[str, str, Any]]]:
    """Return the role, its part after the slash (DMRS), and the target of each node's arguments."""
    arguments: dict[Any, list[tuple[str, str, Any]]] = {}
    if hasattr(made, "links"):
        for link in made.links:
            arguments.setdefault(link.start, []).append((link.role, link.post, link.end))
    else:
        for node in made.nodes:
            arguments[node.id] = [(role, "", target) for role, target in node.edges.items()]
    return arguments
