"""Read dependencies off constituents.

Lin, Dekang (1995): A Dependency-Based Method for Evaluating Broad-Coverage Parsers. IJCAI, as described by
Rehbein and van Genabith (2007), 3.3, and Musillo and Sima'an (2002), 2.4: each node has a lexical head, and
the lexical head of every other child depends on it. The relation is the function of the governed
constituent (Kübler and Telljohann 2002, section 4).

Long-distance functions name the constituent on which their own depends, elsewhere in the clause. Kübler and
Telljohann (2002), sections 3 and 4: ``OA-MOD`` modifies the accusative object, ``OAK`` is a conjunct of it,
``MOD-MOD`` modifies the first V-MOD of the clause or, without one, the first MOD; in a resumptive
construction it modifies the modifier in the initial field.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from crossbank.converters.declaration import transformation
from crossbank.converters.deletions import roots as root_nodes
from crossbank.converters.dependencies.coordination import Coordinated, conjuncts
from crossbank.converters.dependencies.further_heads import (
    heads_of_all_conjuncts,
    with_further_heads,
    with_graph,
)
from crossbank.converters.dependencies.single_root import NAMES, roots_over_most_words
from crossbank.converters.dependencies.without_functions import Bare, attach_bare, bare
from crossbank.converters.heads.child_types import ChildTypes, child_types
from crossbank.converters.heads.marking import marked, with_heads, with_rules
from crossbank.converters.labels import is_uninformative
from crossbank.converters.loops.governors import (
    CLAUSE,
    NOWHERE,
    SENTENCE,
    Conjuncts,
    Governed,
    LongDistanceColumns,
    Phrases,
    attach_long_distance,
    chain_conjuncts,
    read_off,
)
from crossbank.converters.schemes import dependency_rules
from crossbank.converters.schemes.scheme import NO_FUNCTION, Scheme
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array
from crossbank.treebanks.ranges import in_ranges

NAME = "dependencies"


@transformation(
    position=340,
    turns={
        "constituents": ("dependencies", "dependencies"),
        "functions": ("dependencies", "dependencies"),
        "secondary edges": ("further heads", "dependencies:secondary=yes"),
    },
)
def dependencies(
    bank: Treebank,
    scheme: Scheme | None = None,
    *,
    coordination: Literal["first", "all", "universal", "chain"] = "first",
    prepositions: Literal["scheme", "noun", "preposition"] = "scheme",
    rules: str = "",
    punctuation: Literal["root", "tree"] = "root",
    secondary: bool = False,
    heads: Literal["one", "several"] = "one",
) -> Treebank:
    """Read dependencies off the constituents (``tokens.head`` and ``tokens.relation``).

    coordination   ``first``: the first conjunct is the head, and all else in the coordination depends on it
                   (Lin); ``all``: every conjunct depends on what governs the coordination, with its
                   relation, and a conjunction depends on the conjunct to its right (Kübler and
                   Telljohann); ``universal``: as ``first``, but a conjunction depends on the conjunct to
                   its right (Universal Dependencies); ``chain``: each conjunct or conjunction depends on
                   the one before it (Foth)
    prepositions   the head of a prepositional phrase, where it is to differ from the scheme's rules
    rules          the name of another set of the scheme's head rules
    punctuation    ``root``: punctuation depends on the root that dominates most words; ``tree``: it is a
                   child like others
    secondary      whether secondary edges give words further heads, in the column DEPS of CoNLL-U, which
                   then holds the whole graph
    heads          ``several``: what depends on the head of a coordination depends on each conjunct, as
                   in Kübler and Telljohann; the column DEPS then holds the whole graph

    Punctuation without a function, or with one that says nothing (``--``), gets the relation ``punct``. What
    has no parent, or only a root such as VROOT, has no governor. So a sentence can have several roots;
    ``single_root`` joins them.

    A function that names another constituent, such as ``OA-MOD``, makes its constituent depend on that one,
    which is looked for in the clause and then in the sentence. ``OAK``, a conjunct that is separated, depends
    on the first conjunct or, under ``all``, on what governs that. The diagnosis counts how many were
    found, and where.

    Heads are marked first where they are not marked yet. Crossing branches give dependencies that are not
    projective; after ``raise_crossing`` they are. The constituents stay. Dependencies that exist already
    are replaced, unless the treebank has no constituents at all.
    """
    if not bank.has_constituents and bank.has_dependencies:
        return bank
    roots = root_nodes(bank, scheme)
    anew = scheme is not None and (rules != "" or prepositions != "scheme")
    if scheme is None:
        bank, scheme = with_heads(bank, scheme, NAME), Scheme("none", "", ())
    elif anew:
        scheme = with_rules(scheme, rules, prepositions)
    types = child_types(bank, scheme)
    bank = marked(bank, scheme, types) if anew else with_heads(bank, scheme, NAME, types)
    vocabulary, (root, dep, punct) = types.vocabulary.extended(NAMES)
    bank = bank.replace(vocabulary=vocabulary)
    patterns = bare(bank, scheme.bare, types.node_function)
    head, relation, columns_of_events = _governed(bank, scheme, types, patterns, roots, coordination)

    tokens, is_punctuation = bank.tokens, types.punctuation.take(types.token)
    main = np.repeat(roots_over_most_words(tokens.offsets, head, is_punctuation), tokens.lengths())
    beside_main = tokens.indices() != main
    attached = np.zeros(len(tokens), np.bool_)
    if punctuation == "root":
        attached = is_punctuation & beside_main & (head != main)
        attached[bank.nodes.head + tokens.begins(bank.nodes)] = False
        head = np.where(attached, main, head)
    relation = np.where(head < 0, root, relation)
    # A scheme's own sign (the - of Kübler and Telljohann) is a relation, but not of punctuation.
    unnamed = is_uninformative(bank, relation, NO_FUNCTION)
    silent = is_punctuation & is_uninformative(bank, relation, scheme.no_function)
    relation = np.select([silent, unnamed], [punct, dep], relation).astype(np.int32)
    bank = bank.replace(tokens=tokens.replace(head=head, relation=relation))
    shared = {}
    if heads == "several":
        shared = heads_of_all_conjuncts(bank, conjuncts(bank, scheme, types, patterns))
    if secondary:
        of_heads = scheme.heads.functions
        bank = with_further_heads(bank, types.node_function, is_punctuation, of_heads, int(dep), shared)
    elif heads == "several":
        bank = with_graph(bank, shared)
    sentence = tokens.sentence_of_row()
    events = {
        **columns_of_events,
        "words that depend on several conjuncts": sentence[sorted(shared)],
        "roots beside the main root": sentence[(head < 0) & beside_main],
        "punctuation attached to the root": sentence[attached],
    }
    return bank.with_events(NAME, events)


def _governed(
    bank: Treebank, scheme: Scheme, types: ChildTypes, patterns: Bare, roots: BoolArray, coordination: str
) -> tuple[Int32Array, Int32Array, dict[str, Int32Array]]:
    """Head and relation of every token, shape ``(tokens,)`` each, and events with their sentences.

    Punctuation counts like other tokens.
    """
    tokens, nodes = bank.tokens, bank.nodes
    silent = scheme.no_function | (scheme.heads.functions - scheme.coordination.functions)
    transparent = types.nodes_called(scheme.transparent) | roots
    coordinated_items = Coordinated(*(np.zeros(len(rows), np.bool_) for rows in (tokens, nodes, tokens)))
    if coordination != "first":
        coordinated_items = conjuncts(bank, scheme, types, patterns)
    phrases = Phrases(
        nodes.head,
        types.node_function,
        tokens.function,
        transparent,
        incomplete(bank, scheme, types),
        types.nodes_called(scheme.unlabelled),
        bank.vocabulary.matching(lambda name: name != "" and name not in silent),
        coordination == "all",
    )
    coordinated, linked = (
        Conjuncts(*coordinated_items),
        Conjuncts(*coordinated_items._replace(node=coordinated_items.node & ~transparent)),
    )
    head, relation = np.full(len(tokens), -1, np.int32), np.zeros(len(tokens), np.int32)
    further = np.zeros(len(tokens), np.bool_)
    governed = Governed(head, relation, further)

    def govern(first: int, last: int) -> None:
        read_off(bank.forest, phrases, coordinated, governed, first, last)
        if coordination == "chain":
            chain_conjuncts(bank.forest, nodes.head, linked, head, first, last)

    in_ranges(govern, len(bank))
    head, events = resolve_long_distance(
        bank, scheme.long_distance, types, (head, relation, further), coordination == "all"
    )
    head, separated = attach_bare(bank, patterns, head)
    return head, relation, {**events, "words whose governor stands apart": separated}


def incomplete(bank: Treebank, scheme: Scheme, types: ChildTypes) -> BoolArray:
    """Return a mask of the parts of clauses without a verb that would head a clause, shape ``(nodes,)``."""
    lacks_verb = np.zeros(len(bank.nodes), np.bool_)
    head = bank.nodes.head + bank.tokens.begins(bank.nodes)
    for name, verbs in scheme.clause_parts.items():
        lacks_verb |= types.nodes_called((name,)) & ~scheme.has_tag(bank, verbs)[head]
    return lacks_verb


LONG_DISTANCE = {
    CLAUSE: "long-distance dependents attached in the clause",
    SENTENCE: "long-distance dependents attached elsewhere",
    NOWHERE: "long-distance dependents with nothing to depend on",
}


def resolve_long_distance(
    bank: Treebank,
    functions: dependency_rules.LongDistance,
    types: ChildTypes,
    governed: tuple[Int32Array, Int32Array, BoolArray],
    equal_conjuncts: bool,
) -> tuple[Int32Array, dict[str, Int32Array]]:
    """Return the heads after long-distance dependents are attached, and by event the sentences of these.

    governed         head and relation of each token, and whether it is a conjunct after the first, which no
                     function names
    equal_conjuncts  whether conjuncts that are separated depend on what governs the coordination
    """
    head, relation, further = governed
    rows = [(name, of, False, False) for name, of in functions.closest.items()]
    rows += [(name, of, True, False) for name, of in functions.first.items()]
    rows += [(name, of, False, equal_conjuncts) for name, of in functions.conjuncts.items()]
    rows = [row for row in rows if bank.vocabulary.code(row[0]) >= 0]
    if not rows:
        return head, {}
    governors = np.full((len(rows), max(len(of) for _, of, _, _ in rows)), -1, np.int32)
    row_of = np.full(len(bank.vocabulary), -1, np.int32)
    for number, (name, of, _, _) in enumerate(rows):
        row_of[bank.vocabulary.code(name)] = number
        governors[number, : len(of)] = [bank.vocabulary.code(f) for f in of]
    first, beside = (np.array([row[column] for row in rows], np.bool_) for column in (2, 3))
    dislocated, resumed = (
        _heads_in(bank, types.nodes_called(fields))
        for fields in (functions.resumptive, sum(functions.resumptive.values(), ()))
    )
    heads, where = head.copy(), np.zeros(len(head), np.int32)
    of_tokens, of_rows = (bank.tokens.offsets, head, relation, heads), (row_of, governors, first, beside)
    named = LongDistanceColumns(*of_tokens, *of_rows, further, dislocated, resumed)
    in_ranges(lambda begin, end: attach_long_distance(named, where, begin, end), len(bank))
    sentence = bank.tokens.sentence_of_row()
    return heads, {event: sentence[where == code] for code, event in LONG_DISTANCE.items()}


def _heads_in(bank: Treebank, fields: BoolArray) -> BoolArray:
    """Return the words that are or head a child of certain nodes, shape ``(tokens,)``."""
    tokens, nodes = bank.tokens, bank.nodes
    in_field = np.append(fields, False)  # the last entry is for roots
    is_head: BoolArray = in_field[nodes.parent_rows(tokens)]
    is_head[(nodes.head + tokens.begins(nodes))[in_field[nodes.parent_rows(nodes)]]] = True
    return is_head
