"""Antecedents of traces: what was moved depends on the clause that it was moved out of.

Bies, Ann, et al. (1995): Bracketing Guidelines for Treebank II Style, chapter 4. In ``Whom did you want
to invite *T*-1`` the question word is the object of ``invite``; rules see the phrases beside it, and make it
one of ``want``. In ``I promised her *-1 to go`` the trace says who goes, which enhanced dependencies tell.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from crossbank.converters.resolve_traces import with_antecedents
from crossbank.converters.schemes.scheme import Scheme
from crossbank.converters.universal.rules import UniversalRules
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import Int32Array
from crossbank.treebanks.tables import node_end

MARK = "antecedent "
"""The beginning of the labels of secondary edges to what traces hang on."""

BESIDE = ("advmod", "obl")
"""The relations that do not depend on what the trace is."""

ADPOSITIONS = ("ADP", "PART")
"""The tags of adpositions that a moved phrase has left: ``to`` without a complement is no ``ADP`` yet."""

NOMINALS = ("NOUN", "PROPN", "PRON", "NUM", "SYM")


class Link(NamedTuple):
    """A trace; words are counted in the sentence.

    rows         the words of the sentence
    word, host   the words that head its antecedent and the node above the trace
    trace        its form
    names        the parts of its function, or its category where it has no function
    """

    rows: slice
    word: int
    host: int
    trace: str
    names: tuple[str, ...]


def with_links(bank: Treebank, scheme: Scheme, rules: UniversalRules) -> Treebank:
    """Return the treebank with antecedents of traces as secondary edges, where the rules follow traces."""
    if not (rules.gaps or rules.controlled) or not scheme.is_empty(bank).any():
        return bank
    return with_antecedents(bank, scheme, MARK)


def links_of(bank: Treebank, scheme: Scheme, chosen: Int32Array) -> tuple[Treebank, list[Link]]:
    """Return the treebank without the secondary edges of ``with_links``, and what they said.

    chosen  the word that heads each node, counted in its sentence
    """
    edges, separator = bank.secondary, scheme.labels.function or None
    is_link = bank.vocabulary.matching(lambda label: label.startswith(MARK))[edges.label]
    base = bank.nodes.begins(edges)[is_link]
    heads = (
        np.where(end < 0, chosen[np.where(end < 0, base + node_end(end), 0)], end).tolist()
        for end in (edges.child[is_link], edges.parent[is_link])
    )
    labels = (bank.vocabulary[code].removeprefix(MARK).split(" ") for code in edges.label[is_link].tolist())
    links = []
    for sentence, word, filler, label in zip(
        edges.sentence_of_row()[is_link].tolist(), *heads, labels, strict=True
    ):
        trace, category, function = label
        what = tuple(function.split(separator)) if function else (category,)
        links.append(Link(bank.tokens.rows(sentence), word, filler, trace, what))
    return (bank.replace(secondary=edges.take(~is_link)) if links else bank), links


def given_by_traces(gaps: Mapping[str, Mapping[str, str]]) -> set[str]:
    """Return the relations that ``attach_moved`` gives."""
    relations_of_gaps = {relation for relations in gaps.values() for relation in relations.values()}
    return relations_of_gaps | {"obl", "nmod", "case", "nsubj:pass"} if gaps else relations_of_gaps


def attach_moved(
    links: list[Link],
    gaps: Mapping[str, Mapping[str, str]],
    head: Int32Array,
    relation: Int32Array,
    names: list[str],
    tags: list[str],
) -> list[int]:
    """Let what was moved out of a clause below depend on that clause.

    gaps            relations by function or category, for each trace
    head, relation  of each word; changed in place. Relations are indices into ``names``
    tags            the universal tag of each word

    Returns the rows of the adpositions that are left without their phrase: they depend on it.
    """
    left = []
    for rows, word, filler, trace, what in links:
        heads, relations = head[rows], relation[rows]
        governor, own = int(heads[word]), names[relations[word]]
        if trace not in gaps or governor < 0:
            continue
        new_relation = next((gaps[trace][name] for name in what if name in gaps[trace]), own)
        above = filler
        if tags[rows.start + filler] in ADPOSITIONS and heads[filler] >= 0:
            above, new_relation = int(heads[filler]), "obl"
        path = _governors(heads, above)
        if governor not in path or word in path or above == word:
            continue
        # A subject stays one, and a small clause (they call it easy) has the object of the verb above.
        if own.startswith("nsubj") or (new_relation == own and own not in (*BESIDE, "obj")):
            continue
        if names[relations[above]] == ("xcomp" if new_relation == "nsubj" else "conj"):
            continue
        if above != filler:
            heads[filler], relations[filler] = word, names.index("case")
            left.append(rows.start + filler)
        below = {names[code] for code in relations[heads == above].tolist()}
        if new_relation == "nsubj" and "aux:pass" in below:
            new_relation = "nsubj:pass"
        if new_relation == "obl" and tags[rows.start + above] in NOMINALS and "cop" not in below:
            new_relation = "nmod"
        heads[word], relations[word] = above, names.index(new_relation)
    return left


def _governors(heads: Int32Array, word: int) -> set[int]:
    """Return the words above a word."""
    governors = set()
    while (word := int(heads[word])) >= 0:
        governors.add(word)
    return governors


def controllers(links: list[Link], controlled: Sequence[str], tokens: int) -> Int32Array:
    """Return the subject that traces give each verb, counted in its sentence; -1 if they give none.

    controlled  the functions of such traces
    """
    controller = np.full(tokens, -1, np.int32)
    for rows, word, filler, _, what in links:
        if word != filler and not set(what).isdisjoint(controlled):
            controller[rows.start + filler] = word
    return controller
