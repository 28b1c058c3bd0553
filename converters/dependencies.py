"""Dependencies from constituents.

Lin, Dekang (1995): A Dependency-Based Method for Evaluating Broad-Coverage Parsers. IJCAI; as Rehbein and
van Genabith (2007), 3.3, and Musillo and Sima'an (2002), 2.4, describe it: each node has a lexical
head, and the lexical head of every other child depends on it. The relation is the function of the
governed constituent (Kübler and Telljohann 2002, section 4).
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numba import njit

from converters.child_types import nodes_with_category
from converters.coordination import Conjuncts, chained, conjuncts
from converters.functions import functions_of_nodes
from converters.heads import mark_heads, with_heads, with_rules
from converters.long_distance import resolve
from converters.scheme import Scheme
from converters.secondary_edges import with_further_heads
from converters.virtual_root import roots as root_nodes
from treebanks import Treebank
from treebanks.arrays import BoolArray, Int32Array, Int64Array
from treebanks.diagnosis import Diagnosis, finding

STEP = "dependencies"


def dependencies(
    bank: Treebank,
    scheme: Scheme | None = None,
    *,
    coordination: Literal["first", "all", "universal", "chain"] = "first",
    prepositions: Literal["scheme", "noun", "preposition"] = "scheme",
    rules: str = "",
    roots: Literal["all", "one"] = "all",
    punctuation: Literal["root", "tree"] = "root",
    secondary: bool = False,
    root_relation: str = "root",
    no_relation: str = "dep",
    punctuation_relation: str = "punct",
) -> Treebank:
    """Read dependencies off the constituents (``tokens.head`` and ``tokens.relation``).

    coordination   ``first``: the first conjunct is the head, and all else in the coordination depends on
                   it, as on any head (Lin); ``all``: every conjunct depends on what governs the
                   coordination, with its relation, and a conjunction on the conjunct at its right
                   (Kübler and Telljohann); ``universal``: as ``first``, but a conjunction depends on
                   the conjunct at its right (Universal Dependencies); ``chain``: each conjunct or
                   conjunction depends on the one before it (Foth)
    prepositions   whether the noun or the preposition heads a prepositional phrase, where it is to be
                   otherwise than the scheme has it
    rules          another set of the scheme's head rules
    roots          ``all``: what has no parent, or only a root such as VROOT, has no governor, so a
                   sentence can have several roots; ``one``: all others depend on the root that
                   dominates most words
    punctuation    ``root``: it depends on the root of its sentence; ``tree``: it is a child like others
    secondary      whether secondary edges give words further heads, in the column DEPS of CoNLL-U, which
                   then has the whole graph
    root_relation  the relation of roots
    no_relation    the relation of a constituent without a function
    punctuation_relation  that of punctuation without one

    A function that names another constituent, such as ``OA-MOD``, makes its constituent depend on that
    one, in the same clause or else anywhere; ``OAK``, a conjunct that stands apart, depends on the
    first conjunct or, under ``all``, on what governs that. How many were found where is in the diagnosis.

    Heads are marked first where they are not. Crossing branches give dependencies that are not
    projective; after ``raise_crossing`` they are. The constituents stay; dependencies that are there
    already are replaced, unless there are no constituents at all.
    """
    if not bank.has_constituents and bank.has_dependencies:
        return bank
    if scheme is not None and (rules or prepositions != "scheme"):
        scheme = with_rules(scheme, rules, prepositions)
        bank = mark_heads(bank, scheme)
    bank = with_heads(bank, scheme, STEP)
    tokens, nodes = bank.tokens, bank.nodes
    if scheme is not None:
        bank, node_function = functions_of_nodes(bank, scheme)
        is_punctuation = scheme.is_punctuation(bank)
        transparent = nodes_with_category(bank, scheme, scheme.transparent)
        unlabelled = nodes_with_category(bank, scheme, scheme.unlabelled)
        open_to_clause = incomplete(bank, scheme)
        silent = {*scheme.no_function, *(f for g in scheme.heads.before for f in g.functions)}
        silent -= scheme.coordination.functions
    else:
        node_function = nodes.function
        is_punctuation = np.zeros(len(tokens), np.bool_)
        transparent = unlabelled = open_to_clause = np.zeros(len(nodes), np.bool_)
        silent = set()
    coordinated = Conjuncts(*(np.zeros(len(rows), np.bool_) for rows in (tokens, nodes, tokens)))
    if scheme is not None and coordination != "first":
        coordinated = conjuncts(bank, scheme)
    vocabulary, (root_code, no_code, punct_code) = bank.vocabulary.extended(
        [root_relation, no_relation, punctuation_relation]
    )
    says_something = np.ones(len(vocabulary), np.bool_)
    says_something[[0, *(code for code in map(vocabulary.code, silent) if code >= 0)]] = False

    transparent = transparent | root_nodes(bank, scheme)
    head, relation, further = read_off(
        tokens.offsets, tokens.parent, tokens.function, nodes.offsets, nodes.parent, nodes.head,
        node_function, transparent, open_to_clause, unlabelled, says_something,
        *coordinated,
        coordination == "all",
    )  # fmt: skip
    if coordination == "chain":
        linked = coordinated._replace(node=coordinated.node & ~transparent)
        head = chained(tokens.offsets, tokens.parent, nodes.offsets, nodes.parent, nodes.head, *linked, head)
    found: Diagnosis = ()
    bank = bank.replace(vocabulary=vocabulary)
    if scheme is not None:
        head, found = resolve(bank, scheme, head, relation, further, coordination == "all")
    leads = np.zeros(len(tokens), np.bool_)
    leads[(nodes.head + np.repeat(tokens.offsets[:-1], nodes.lengths()))[nodes.head >= 0]] = True
    loose = is_punctuation & ~leads if punctuation == "root" else np.zeros(len(tokens), np.bool_)
    further, attached = attach_loose(
        tokens.offsets, head, relation, is_punctuation, loose, roots == "one", root_code, no_code, punct_code
    )
    sentence = tokens.sentence_of_row()
    bank = bank.replace(tokens=tokens.replace(head=head, relation=relation))
    event = "roots beside the first" if roots == "all" else "further roots attached to the main root"
    if secondary:
        heads = {f for g in scheme.heads.before for f in g.functions} if scheme is not None else ()
        bank = with_further_heads(bank, node_function, is_punctuation, heads, no_code)
    return bank.diagnosed(
        found,
        finding(STEP, event, sentence[further], len(bank)),
        finding(STEP, "punctuation attached to the root", sentence[attached], len(bank)),
    )


def incomplete(bank: Treebank, scheme: Scheme) -> BoolArray:
    """Which nodes are parts of a clause without a verb that would head one, shape ``(nodes,)``."""
    found = np.zeros(len(bank.nodes), np.bool_)
    head = bank.nodes.head + np.repeat(bank.tokens.offsets[:-1], bank.nodes.lengths())
    for name, verbs in scheme.clause_parts.items():
        of_part = nodes_with_category(bank, scheme, frozenset((name,)))
        found |= of_part & ~scheme.has_tag(bank, verbs)[head]
    return found


@njit(cache=True, nogil=True)
def read_off(
    token_offsets: Int64Array,
    token_parent: Int32Array,
    token_function: Int32Array,
    node_offsets: Int64Array,
    node_parent: Int32Array,
    node_head: Int32Array,
    node_function: Int32Array,
    transparent: BoolArray,
    open_to_clause: BoolArray,
    unlabelled: BoolArray,
    says_something: BoolArray,
    token_conjunct: BoolArray,
    node_conjunct: BoolArray,
    conjunction: BoolArray,
    equal: bool,
) -> tuple[Int32Array, Int32Array, BoolArray]:
    """Head and relation of every token, and which tokens are further conjuncts, shape ``(tokens,)`` each.

    A node governs its children through its lexical head; a transparent node through its parent's, or,
    in a part of a clause that is open to it, through the clause's.
    A constituent that is its parent's head, or a conjunct where conjuncts are ``equal``, has the governor
    and the relation of its parent, unless that relation says nothing and its own does. Nodes come in
    pre-order, so a parent is done before its children.
    """
    head = np.full(len(token_parent), np.int32(-1), np.int32)
    relation = np.zeros(len(token_parent), np.int32)
    inner = np.full(len(node_parent), np.int32(-1), np.int32)  # what governs the children of a node
    clause = np.full(len(node_parent), np.int32(-1), np.int32)  # what governs those of a field in it
    outer = np.full(len(node_parent), np.int32(-1), np.int32)  # what governs the node
    named = np.zeros(len(node_parent), np.int32)  # by which relation
    apart = np.zeros(len(node_parent), np.bool_)  # whether it is or heads a conjunct behind the first
    further = np.zeros(len(token_parent), np.bool_)
    next_conjunct = np.full(len(node_parent), np.int32(-1), np.int32)
    for sentence in range(len(token_offsets) - 1):
        base = node_offsets[sentence]
        begin = token_offsets[sentence]
        for node in range(base, node_offsets[sentence + 1]):
            lexical = node_head[node]
            above = base + node_parent[node]
            if node_parent[node] < 0:
                named[node] = node_function[node]
            elif lexical == inner[above] or (equal and node_conjunct[node]):
                outer[node], named[node] = outer[above], named[above]
                apart[node] = apart[above] or lexical != inner[above]
                if unlabelled[above] and not says_something[named[node]]:
                    named[node] = node_function[node]
            else:
                outer[node], named[node] = inner[above], node_function[node]
            inner[node] = lexical
            if transparent[node]:
                inner[node] = clause[above] if node_parent[node] >= 0 else -1
            clause[node] = inner[node]
            if open_to_clause[node] and node_parent[node] >= 0:
                clause[node] = clause[above]
        for token in range(token_offsets[sentence + 1] - 1, begin - 1, -1):
            word = np.int32(token - begin)
            above = base + token_parent[token]
            if token_parent[token] < 0:
                relation[token] = token_function[token]
                continue
            if word == inner[above] or (equal and token_conjunct[token]):
                head[token], relation[token] = outer[above], named[above]
                further[token] = apart[above] or word != inner[above]
                if unlabelled[above] and not says_something[relation[token]]:
                    relation[token] = token_function[token]
            else:
                head[token], relation[token] = inner[above], token_function[token]
                if conjunction[token] and next_conjunct[above] >= 0:
                    head[token] = next_conjunct[above]
            # Sentences are read from the right: a conjunct is the next one of what stands before it.
            if token_conjunct[token]:
                next_conjunct[above] = word
            while node_head[above] == word and node_parent[above] >= 0:
                node, above = above, base + node_parent[above]
                if node_conjunct[node]:
                    next_conjunct[above] = word
    return head, relation, further


@njit(cache=True, nogil=True)
def attach_loose(
    token_offsets: Int64Array,
    head: Int32Array,
    relation: Int32Array,
    is_punctuation: BoolArray,
    loose: BoolArray,
    one_root: bool,
    root_relation: int,
    no_relation: int,
    punctuation_relation: int,
) -> tuple[BoolArray, BoolArray]:
    """Hang loose punctuation, and on request further roots, on the main root, and name all roots so.

    Changes ``head`` and ``relation``. Returns which tokens are further roots and which punctuation
    got another head, shape ``(tokens,)`` each.
    """
    further = np.zeros(len(head), np.bool_)
    attached = np.zeros(len(head), np.bool_)
    for sentence in range(len(token_offsets) - 1):
        begin, end = token_offsets[sentence], token_offsets[sentence + 1]
        words = np.zeros(end - begin, np.int32)
        root = np.full(end - begin, np.int32(-1), np.int32)
        # The main root dominates most words; punctuation is one only where there is nothing else.
        for token in range(begin, end):
            above = token - begin
            while root[above] < 0 and head[begin + above] >= 0:
                above = head[begin + above]
            found = above if root[above] < 0 else root[above]
            above = token - begin
            while root[above] < 0:
                root[above] = found
                words[found] += 1
                above = head[begin + above] if head[begin + above] >= 0 else above
        main = -1
        for token in range(begin, end):
            if head[token] < 0:
                worse = main >= 0 and is_punctuation[token] and not is_punctuation[main]
                better = main < 0 or (is_punctuation[main] and not is_punctuation[token])
                if better or (not worse and words[token - begin] > words[main - begin]):
                    main = token
        for token in range(begin, end):
            if token == main:
                relation[token] = root_relation
            elif loose[token]:
                attached[token] = head[token] != main - begin
                head[token] = main - begin
            elif head[token] < 0:
                further[token] = True
                if one_root:
                    head[token] = main - begin
                else:
                    relation[token] = root_relation
            if relation[token] == 0:
                relation[token] = punctuation_relation if is_punctuation[token] else no_relation
    return further, attached
