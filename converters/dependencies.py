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

from converters.functions import functions_of_nodes
from converters.heads import with_heads
from converters.scheme import Scheme
from converters.virtual_root import roots as root_nodes
from treebanks import Treebank
from treebanks.arrays import BoolArray, Int32Array, Int64Array
from treebanks.diagnosis import finding

STEP = "dependencies"


def dependencies(
    bank: Treebank,
    scheme: Scheme | None = None,
    *,
    roots: Literal["all", "one"] = "all",
    punctuation: Literal["root", "tree"] = "root",
    root_relation: str = "root",
    no_relation: str = "dep",
) -> Treebank:
    """Read dependencies off the constituents (``tokens.head`` and ``tokens.relation``).

    roots          ``all``: what has no parent, or only a root such as VROOT, has no governor, so a
                   sentence can have several roots; ``one``: all others depend on the root that
                   dominates most words
    punctuation    ``root``: it depends on the root of its sentence; ``tree``: it is a child like others
    root_relation  the relation of roots
    no_relation    the relation of a constituent without a function

    Heads are marked first where they are not. Crossing branches give dependencies that are not
    projective; after ``raise_crossing`` they are. The constituents stay; dependencies that are there
    already are replaced, unless there are no constituents at all.
    """
    if not bank.has_constituents and bank.has_dependencies:
        return bank
    bank = with_heads(bank, scheme, STEP)
    tokens, nodes = bank.tokens, bank.nodes
    if scheme is not None:
        bank, node_function = functions_of_nodes(bank, scheme)
        is_punctuation = scheme.is_punctuation(bank)
        transparent = _has_category(bank, scheme, scheme.transparent)
        unlabelled = _has_category(bank, scheme, scheme.unlabelled)
        silent = {*scheme.no_function, *(f for g in scheme.heads.before for f in g.functions)}
    else:
        node_function = nodes.function
        is_punctuation = np.zeros(len(tokens), np.bool_)
        transparent = unlabelled = np.zeros(len(nodes), np.bool_)
        silent = set()
    vocabulary, (root_code, no_code) = bank.vocabulary.extended([root_relation, no_relation])
    says_something = np.ones(len(vocabulary), np.bool_)
    says_something[[0, *(code for code in map(vocabulary.code, silent) if code >= 0)]] = False

    head, relation, further, attached = read_off(
        tokens.offsets, tokens.parent, tokens.function, nodes.offsets, nodes.parent, nodes.head,
        node_function, transparent | root_nodes(bank, scheme), unlabelled, says_something,
        is_punctuation if punctuation == "root" else np.zeros(len(tokens), np.bool_),
        roots == "one", root_code, no_code,
    )  # fmt: skip
    sentence = tokens.sentence_of_row()
    bank = bank.replace(vocabulary=vocabulary, tokens=tokens.replace(head=head, relation=relation))
    event = "roots beside the first" if roots == "all" else "further roots attached to the main root"
    return bank.diagnosed(
        finding(STEP, event, sentence[further], len(bank)),
        finding(STEP, "punctuation attached to the root", sentence[attached], len(bank)),
    )


def _has_category(bank: Treebank, scheme: Scheme, categories: frozenset[str]) -> BoolArray:
    if not categories:
        return np.zeros(len(bank.nodes), np.bool_)
    _, codes = bank.vocabulary.mapped(
        bank.nodes.label, lambda label: "yes" if scheme.labels.main_category(label) in categories else ""
    )
    found: BoolArray = codes > 0
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
    unlabelled: BoolArray,
    says_something: BoolArray,
    is_punctuation: BoolArray,
    one_root: bool,
    root_relation: int,
    no_relation: int,
) -> tuple[Int32Array, Int32Array, BoolArray, BoolArray]:
    """Head and relation of every token; which tokens are further roots, which punctuation was attached.

    A node's governor is its lexical head; that of a transparent node, its parent's governor. Nodes
    come in pre-order, so the highest constituent with a lexical head gives it its relation, unless
    that node's function says nothing.
    """
    head = np.full(len(token_parent), np.int32(-1), np.int32)
    relation = np.zeros(len(token_parent), np.int32)
    governor = np.full(len(node_parent), np.int32(-1), np.int32)
    further = np.zeros(len(token_parent), np.bool_)
    attached = np.zeros(len(token_parent), np.bool_)
    for sentence in range(len(token_offsets) - 1):
        base = node_offsets[sentence]
        begin, end = token_offsets[sentence], token_offsets[sentence + 1]
        words = np.zeros(end - begin, np.int32)
        root = np.full(end - begin, np.int32(-1), np.int32)
        leads = np.zeros(end - begin, np.bool_)
        for node in range(base, node_offsets[sentence + 1]):
            above = node_parent[node]
            outer = governor[base + above] if above >= 0 else -1
            lexical = node_head[node]
            leads[lexical] = True
            governor[node] = outer if transparent[node] else lexical
            if lexical != outer:
                head[begin + lexical] = outer
                relation[begin + lexical] = node_function[node]
            elif unlabelled[base + above] and not says_something[relation[begin + lexical]]:
                relation[begin + lexical] = node_function[node]
        for token in range(begin, end):
            above = token_parent[token]
            outer = governor[base + above] if above >= 0 else -1
            if token - begin != outer:
                head[token] = outer
                relation[token] = token_function[token]
            elif unlabelled[base + above] and not says_something[relation[token]]:
                relation[token] = token_function[token]
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
            elif is_punctuation[token] and not leads[token - begin]:
                attached[token] = head[token] != main - begin
                head[token] = main - begin
            elif head[token] < 0:
                further[token] = True
                if one_root:
                    head[token] = main - begin
                else:
                    relation[token] = root_relation
            if relation[token] == 0:
                relation[token] = no_relation
    return head, relation, further, attached
