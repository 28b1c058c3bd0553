"""Loops that run rules over trees and words: heads, relations and governors, tags and features.

A sentence has one node more than its tree: the node above all roots, whose item is the last. Words and
phrases are items as in ``treebanks.forest``.
"""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import (
    BoolArray,
    Int32Array,
    Int32Matrix,
    Int32Output,
    Int64Output,
)
from cython.cimports.crossbank.treebanks.forest import Forest
from cython.cimports.crossbank.treebanks.loops.interrupts import look

CATEGORY = cython.declare(cython.int, 0)
FUNCTION = cython.declare(cython.int, 1)
TAG = cython.declare(cython.int, 2)
FORM = cython.declare(cython.int, 3)
RELATION = cython.declare(cython.int, 4)
UPOS = cython.declare(cython.int, 5)
SIDE = cython.declare(cython.int, 6)
AT = cython.declare(cython.int, 7)
SIZE = cython.declare(cython.int, 8)
REPEATED = cython.declare(cython.int, 9)
SELF = cython.declare(cython.int, 10)
PARENT = cython.declare(cython.int, 11)
HEAD = cython.declare(cython.int, 12)
CORE = cython.declare(cython.int, 13)
CHILD = cython.declare(cython.int, 14)
FIRST = cython.declare(cython.int, 15)
LAST = cython.declare(cython.int, 16)
NEXT = cython.declare(cython.int, 17)
PREVIOUS = cython.declare(cython.int, 18)
BEFORE = cython.declare(cython.int, 19)
BEHIND = cython.declare(cython.int, 20)
BESIDE = cython.declare(cython.int, 21)
UNDER = cython.declare(cython.int, 22)
OVER = cython.declare(cython.int, 23)
GOVERNOR = cython.declare(cython.int, 24)
DEPENDENT = cython.declare(cython.int, 25)
WORD_BEFORE = cython.declare(cython.int, 26)
WORD_BEHIND = cython.declare(cython.int, 27)
WHOLE = cython.declare(cython.int, 28)
EARLIER = cython.declare(cython.int, 29)
LATER = cython.declare(cython.int, 30)

# After this many steps loops check for signals.
LONG = cython.declare(cython.longlong, 4096)


@cython.dataclasses.dataclass(eq=False, repr=False)
class Tests:
    """Tests as ``universal.notation.Compiler`` gives them, for the labels of one treebank.

    begin    where the checks of each test begin, with one entry more
    enough   whether one check of a test is enough
    checks   (kind, number, negated)
    set_begin, sets  where the members of each set begin, and whether each code is one
    """

    begin: Int32Array
    enough: BoolArray
    checks: Int32Matrix
    set_begin: Int32Array
    sets: BoolArray


@cython.dataclasses.dataclass(eq=False, repr=False)
class RuleTable:
    """Ordered rules.

    begin   where the rules of each row begin among ``rule``, with one entry more: for heads a row is a
            category, for relations a category under another, for tags and features a tag with a relation,
            for writing a tag with a form
    rule    numbers of rules, in order
    test    the test of each rule
    gives   what each rule gives: a relation, a tag, an index into a list of features
    way     the axis to the governor, -1 for the usual one; for heads whether to search from the right
    to      the test of the governor, -1 for any
    way_on, to_on  the same of a second step from there
    accepts  rule by rule, whether it can hold of an item of each category (heads), of a word with each
             relation (revisions), with each second key (others)
    width   how many second keys (categories, relations, forms) there are
    """

    begin: Int32Array
    rule: Int32Array
    test: Int32Array
    gives: Int32Array
    way: Int32Array
    to: Int32Array
    way_on: Int32Array
    to_on: Int32Array
    accepts: BoolArray
    width: cython.int


@cython.dataclasses.dataclass(eq=False, repr=False)
class WordGroupColumns:
    """Fixed expressions, and words that are written as several.

    word    the number of each token's form among the words of expressions, 0 for others
    begin   where the words of each expression begin among ``of``, with one entry more
    of      numbers of words; expressions are ordered by first word, and longer ones come first
    first   the first expression with each first word, with one entry more
    gives   the relation of the whole, 0 for that of the part that it replaces
    fixed   the relation of the further words
    goes_on  whether a token is a part, but the last, of a word that is written as several
    goes_with  the relation of its further parts
    """

    word: Int32Array
    begin: Int32Array
    of: Int32Array
    first: Int32Array
    gives: Int32Array
    fixed: cython.int
    goes_on: BoolArray
    goes_with: cython.int


@cython.dataclasses.dataclass(eq=False, repr=False)
class Labels:
    """Codes that rules look at, of their own, of all tokens and all nodes.

    tag, form, token_function, category, node_function  codes, as ``Tests.sets`` counts them
    punctuation  whether a token is punctuation
    repeated     whether the next word that is no punctuation has the same form
    through      whether nodes of a category are passed over: their children belong to the node above
    top          the code of the category above all roots
    """

    tag: Int32Array
    form: Int32Array
    token_function: Int32Array
    category: Int32Array
    node_function: Int32Array
    punctuation: BoolArray
    repeated: BoolArray
    through: BoolArray
    top: cython.int


@cython.dataclasses.dataclass(eq=False, repr=False)
class GovernedWords:
    """Governor of each word (-1 for the root), its relation and tag, and the rules that said so.

    chosen    the token that heads each node
    head_rule the rule by which; -1 for the default, -2 where there is one child
    """

    head: Int32Output
    relation: Int32Output
    upos: Int32Output
    rule: Int32Output
    revision: Int32Output
    features: Int64Output
    writing: Int32Output
    chosen: Int32Output
    head_rule: Int32Output


@cython.cclass
class TreeContext:
    """One sentence as tests see it: its items with their neighbours, its words with theirs.

    steps  those made since it last checked for signals
    """

    tests: Tests
    labels: Labels
    words: GovernedWords
    base: cython.Py_ssize_t
    node_base: cython.Py_ssize_t
    tokens: cython.int
    nodes: cython.int
    related: cython.bint
    steps: cython.longlong
    parent: Int32Output
    first: Int32Output
    last: Int32Output
    next: Int32Output
    previous: Int32Output
    core: Int32Output
    head: Int32Output
    width: Int32Output
    whole: Int32Output
    first_dependent: Int32Output
    next_dependent: Int32Output
    target: Int32Output

    def __init__(self, tests: Tests, labels: Labels, words: GovernedWords, tokens: int, nodes: int) -> None:
        """Allocate for sentences of up to this many tokens and nodes."""
        capacity = tokens + nodes + 1
        self.tests, self.labels, self.words = tests, labels, words
        self.parent, self.first, self.last, self.next, self.previous = np.empty((5, capacity), np.int32)
        self.core, self.head, self.width, self.whole, self.target = np.empty((5, capacity), np.int32)
        self.first_dependent, self.next_dependent = np.empty((2, tokens + 1), np.int32)
        self.base = self.node_base = 0
        self.tokens = self.nodes = 0
        self.steps = 0
        self.related = False


@cython.dataclasses.dataclass(eq=False, repr=False)
class RuleColumns:
    """All rules for a treebank, in the order in which they are tried."""

    tests: Tests
    heads: RuleTable
    relations: RuleTable
    groups: WordGroupColumns
    revisions: RuleTable
    tags: RuleTable
    features: RuleTable
    writing: RuleTable


def annotate(
    forest: Forest,
    rules: RuleColumns,
    labels: Labels,
    words: GovernedWords,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Find heads, governors, relations, tags and features of the sentences ``first`` to ``last - 1``."""
    tree = TreeContext(
        rules.tests, labels, words, forest.most_tokens(first, last), forest.most_nodes(first, last)
    )
    with cython.nogil:
        for sentence in range(first, last):
            lay_out(tree, forest, sentence)
            if tree.tokens > 0:
                find_heads(tree, rules.heads)
                relate(tree, rules.relations)
                tree.related = True
                link_dependents(tree)
                join_groups(tree, rules.groups)
                revise(tree, rules.revisions)
                give(tree, rules.tags, False, words.upos)
                mark_features(tree, rules.features)
                give(tree, rules.writing, True, words.writing)


@cython.cfunc
@cython.nogil
def lay_out(tree: TreeContext, forest: Forest, sentence: cython.Py_ssize_t) -> cython.void:
    """Link the items of a sentence: sisters are ordered by their first words, roots are sisters."""
    base: cython.Py_ssize_t = forest.token_offsets[sentence]
    node_base: cython.Py_ssize_t = forest.node_offsets[sentence]
    tokens: cython.int = cython.cast(cython.int, forest.tokens(sentence))
    nodes: cython.int = cython.cast(cython.int, forest.nodes(sentence))
    tree.base, tree.node_base, tree.tokens, tree.nodes = base, node_base, tokens, nodes
    tree.related = False
    for item in range(tokens + nodes + 1):
        tree.first[item] = tree.last[item] = tree.next[item] = tree.previous[item] = -1
        tree.core[item] = tree.parent[item] = -1
        tree.head[item] = item if item < tokens else -1
        tree.width[item] = 1 if item < tokens else 0
        tree.whole[item] = item
    for token in range(tokens):
        item = token
        above = item_above(tree, forest, forest.token_parent[base + token])
        while True:
            tree.parent[item] = above
            tree.previous[item] = tree.last[above]
            if tree.last[above] >= 0:
                tree.next[tree.last[above]] = item
            else:
                tree.first[above] = item
            tree.last[above] = item
            # A node becomes a child of its own parent with its first word.
            if tree.first[above] != item or above == tokens + nodes:
                break
            item = above
            above = item_above(tree, forest, forest.node_parent[node_base + item - tokens])
    for item in range(tokens):
        tree.width[tree.parent[item]] += 1
    for item in range(tokens + nodes - 1, tokens - 1, -1):
        if tree.parent[item] >= 0:
            tree.width[tree.parent[item]] += tree.width[item]


@cython.cfunc
@cython.nogil
def item_above(tree: TreeContext, forest: Forest, node: cython.int) -> cython.int:
    """Return the item of a node or of its first ancestor that is not passed over; -1 is above all roots."""
    base: cython.Py_ssize_t = tree.node_base
    while node >= 0 and tree.labels.through[tree.labels.category[base + node]]:
        node = forest.node_parent[base + node]
    return tree.tokens + (node if node >= 0 else tree.nodes)


@cython.cfunc
@cython.nogil
def category_of(tree: TreeContext, item: cython.int) -> cython.int:
    """Return the category or tag of an item."""
    category: cython.int = tree.labels.top
    if item < tree.tokens:
        category = tree.labels.tag[tree.base + item]
    elif item < tree.tokens + tree.nodes:
        category = tree.labels.category[tree.node_base + item - tree.tokens]
    return category


@cython.cfunc
@cython.nogil
def is_punctuation(tree: TreeContext, item: cython.int) -> cython.bint:
    """Return whether an item is a mark of punctuation without a node of its own."""
    return item < tree.tokens and tree.labels.punctuation[tree.base + item]


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def look_on(tree: TreeContext) -> cython.int:
    """Count an item, and check for signals after many steps."""
    tree.steps += 1
    if tree.steps >= LONG:
        look(tree.steps)
        tree.steps = 0
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def find_heads(tree: TreeContext, heads: RuleTable) -> cython.int:
    """Choose the head child of each node, from the bottom up."""
    rule: cython.Py_ssize_t
    tokens: cython.int = tree.tokens
    top: cython.int = tokens + tree.nodes
    node: cython.int = top
    while tree.first[node] >= 0:
        node = tree.first[node]
    while True:
        # The next item in post-order, so that everything to the left has its head.
        if node == top:
            break
        if tree.next[node] >= 0:
            node = tree.next[node]
            while tree.first[node] >= 0:
                node = tree.first[node]
        else:
            node = tree.parent[node]
        if node < tokens:
            continue
        chosen = by = -1
        if tree.first[node] == tree.last[node]:
            chosen, by = tree.first[node], -2
        else:
            kind = category_of(tree, node)
            for rule in range(heads.begin[kind], heads.begin[kind + 1]):
                number = heads.rule[rule]
                child = tree.last[node] if heads.way[number] else tree.first[node]
                while child >= 0:
                    # Most children are not of a category that the rule asks for: fewer calls.
                    accepted = heads.accepts[number * heads.width + category_of(tree, child)]
                    if accepted and fits(tree, heads.test[number], child):
                        break
                    child = tree.previous[child] if heads.way[number] else tree.next[child]
                    look_on(tree)
                if child >= 0:
                    chosen, by = child, number
                    break
        if chosen < 0:
            chosen = tree.first[node]
            while chosen >= 0 and is_punctuation(tree, chosen):
                chosen = tree.next[chosen]
            if chosen < 0:
                chosen = tree.first[node]
        tree.core[node] = chosen
        tree.head[node] = tree.head[chosen] if chosen >= 0 else -1
        if node < tokens + tree.nodes:
            tree.words.chosen[tree.node_base + node - tokens] = tree.head[node]
            tree.words.head_rule[tree.node_base + node - tokens] = by
    for word in range(tokens):
        child = word
        while tree.parent[child] < tokens + tree.nodes and tree.core[tree.parent[child]] == child:
            child = tree.parent[child]
        tree.whole[word] = child
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def relate(tree: TreeContext, relations: RuleTable) -> cython.int:
    """Give each word its governor and relation.

    A rule can send a phrase to a sister. Where sisters would depend on each other in a circle, the phrase
    depends on the head of the parent after all.
    """
    tokens: cython.int = tree.tokens
    for node in range(tokens + tree.nodes, tokens - 1, -1):
        core = tree.core[node]
        child = tree.first[node]
        while child >= 0:
            tree.target[child] = -1
            if child != core:
                word = tree.head[child]
                # Only rules that can hold of this category under this one are tried.
                kind = category_of(tree, child) * relations.width + category_of(tree, node)
                number = first_rule(tree, relations, kind, child)
                tree.words.rule[tree.base + word] = number
                tree.words.relation[tree.base + word] = relations.gives[number] if number >= 0 else 0
                to = core
                if number >= 0 and relations.way[number] >= 0:
                    to = governor_of(tree, relations, number, child)
                    if to < 0 or to == child or tree.parent[to] != node:
                        to = core
                tree.target[child] = to
                look_on(tree)
            child = tree.next[child]
        child = tree.first[node]
        while child >= 0:
            if child != core:
                to = tree.target[child]
                steps = 0
                while to != core and to >= 0 and to != child and steps <= tokens:
                    to = tree.target[to]
                    steps += 1
                tree.steps += steps
                look_on(tree)
                if to != core:
                    tree.target[child] = core
                tree.words.head[tree.base + tree.head[child]] = tree.head[tree.target[child]]
            child = tree.next[child]
    word = tree.head[tokens + tree.nodes]
    tree.words.head[tree.base + word] = -1
    tree.words.rule[tree.base + word] = -1
    return 0


@cython.cfunc
@cython.nogil
def first_rule(tree: TreeContext, rules: RuleTable, kind: cython.int, item: cython.int) -> cython.int:
    """Return the first rule of a category that holds of an item, or -1."""
    rule: cython.Py_ssize_t
    first: cython.int = -1
    for rule in range(rules.begin[kind], rules.begin[kind + 1]):
        if fits(tree, rules.test[rules.rule[rule]], item):
            first = rules.rule[rule]
            break
    return first


@cython.cfunc
@cython.nogil
def link_dependents(tree: TreeContext) -> cython.void:
    """Link the dependents of each word, in their order."""
    tree.steps += tree.tokens
    for word in range(tree.tokens):
        tree.first_dependent[word] = -1
    for word in range(tree.tokens - 1, -1, -1):
        tree.next_dependent[word] = -1
        above = tree.words.head[tree.base + word]
        if above >= 0:
            tree.next_dependent[word] = tree.first_dependent[above]
            tree.first_dependent[above] = word


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def revise(tree: TreeContext, rules: RuleTable) -> cython.int:
    """Look at all words rule by rule: a rule sees what the rules before it have given.

    A rule that leads to another governor is not followed where a word would depend on itself.
    """
    for number in range(rules.test.shape[0]):
        tree.steps += tree.tokens
        look_on(tree)
        for word in range(tree.tokens):
            # Most words do not have the relation that a rule asks for.
            if not rules.accepts[number * rules.width + tree.words.relation[tree.base + word]]:
                continue
            if not fits(tree, rules.test[number], word):
                continue
            if rules.way[number] >= 0:
                to = governor_of(tree, rules, number, word)
                if to < 0:
                    continue
                to = above = tree.head[to]
                while above >= 0 and above != word:
                    above = tree.words.head[tree.base + above]
                    tree.steps += 1
                if above == word or tree.words.head[tree.base + word] < 0:
                    continue
                tree.words.head[tree.base + word] = to
                link_dependents(tree)
            if rules.gives[number] > 0:
                tree.words.relation[tree.base + word] = rules.gives[number]
            tree.words.revision[tree.base + word] = number
    return 0


@cython.cfunc
@cython.nogil
def governor_of(tree: TreeContext, rules: RuleTable, number: cython.int, item: cython.int) -> cython.int:
    """Return the item to which a rule sends another, in one step or two; -1 if there is none."""
    to: cython.int = reached(tree, rules.way[number], rules.to[number], item)
    if to >= 0 and rules.way_on[number] >= 0:
        to = reached(tree, rules.way_on[number], rules.to_on[number], to)
    return to


@cython.cfunc
@cython.nogil
def join_groups(tree: TreeContext, groups: WordGroupColumns) -> cython.void:
    """Let the words of fixed expressions, and the parts of words written as several, depend on the first."""
    word: cython.int = 0
    while word < tree.tokens:
        number = groups.word[tree.base + word]
        chosen = -1
        length = 0
        if number > 0:
            for expression in range(groups.first[number], groups.first[number + 1]):
                length = groups.begin[expression + 1] - groups.begin[expression]
                if word + length > tree.tokens:
                    continue
                part = 1
                while part < length:
                    if groups.word[tree.base + word + part] != groups.of[groups.begin[expression] + part]:
                        break
                    part += 1
                if part == length:
                    chosen = expression
                    break
        if chosen >= 0:
            join(tree, word, length, groups.gives[chosen], groups.fixed)
        else:
            length = 1
            while word + length < tree.tokens and groups.goes_on[tree.base + word + length - 1]:
                length += 1
            if length > 1:
                join(tree, word, length, 0, groups.goes_with)
        word += length
    link_dependents(tree)


@cython.cfunc
@cython.nogil
def join(
    tree: TreeContext, word: cython.int, length: cython.int, whole: cython.int, relation: cython.int
) -> cython.void:
    """Let words depend on the first of them, which takes the relation ``whole``; 0: that of their head.

    The first word takes the governor of the part whose governor is outside, and all dependents. Words of
    which several have governors that differ outside are left as they are.
    """
    outside: cython.int = -2
    depends: cython.int = 0
    for part in range(word, word + length):
        above = tree.words.head[tree.base + part]
        if above < word or above >= word + length:
            if outside == -2:
                outside, depends = above, tree.words.relation[tree.base + part]
            elif outside != above:
                outside = -3
    if outside >= -1:
        tree.words.head[tree.base + word] = outside
        tree.words.relation[tree.base + word] = whole if whole > 0 and outside >= 0 else depends
        for part in range(word + 1, word + length):
            tree.words.head[tree.base + part] = word
            tree.words.relation[tree.base + part] = relation
        for part in range(tree.tokens):
            above = tree.words.head[tree.base + part]
            if above > word and above < word + length:
                tree.words.head[tree.base + part] = word


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def mark_features(tree: TreeContext, features: RuleTable) -> cython.int:
    """Find the feature rules that hold of each word, one bit for each rule of its row."""
    rule: cython.Py_ssize_t
    one: cython.longlong = 1
    for word in range(tree.tokens):
        look_on(tree)
        kind = tree.labels.tag[tree.base + word] * features.width + tree.words.relation[tree.base + word]
        bits = 0
        begin: cython.Py_ssize_t = features.begin[kind]
        for rule in range(begin, features.begin[kind + 1]):
            if fits(tree, features.test[features.rule[rule]], word):
                bits |= one << (rule - begin)
        tree.words.features[tree.base + word] = bits
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def give(tree: TreeContext, rules: RuleTable, by_form: cython.bint, codes: Int32Output) -> cython.int:
    """Give each word what the first rule for its tag and its relation, or its form, gives."""
    for word in range(tree.tokens):
        look_on(tree)
        row = tree.base + word
        key = tree.labels.form[row] if by_form else tree.words.relation[row]
        number = first_rule(tree, rules, tree.labels.tag[row] * rules.width + key, word)
        if number >= 0:
            codes[tree.base + word] = rules.gives[number]
    return 0


@cython.cfunc
@cython.nogil
def reached(tree: TreeContext, axis: cython.int, test: cython.int, item: cython.int) -> cython.int:
    """Return the first item that an axis leads to and of which a test holds, or -1."""
    other: cython.int
    if axis <= CORE or FIRST <= axis <= PREVIOUS or axis == GOVERNOR or WORD_BEFORE <= axis <= WHOLE:
        other = single(tree, axis, item, tree.head[item], tree.parent[item])
        return other if other < 0 or test < 0 or fits(tree, test, other) else -1
    other = step(tree, axis, item, -1)
    while other >= 0 and test >= 0 and not fits(tree, test, other):
        other = step(tree, axis, item, other)
        tree.steps += 1
    return other


@cython.cfunc
@cython.nogil
def fits(tree: TreeContext, test: cython.int, item: cython.int) -> cython.bint:
    """Return whether a test holds of an item."""
    enough: cython.bint = tree.tests.enough[test]
    for check in range(tree.tests.begin[test], tree.tests.begin[test + 1]):
        kind, number = tree.tests.checks[check, 0], tree.tests.checks[check, 1]
        if kind < SELF:
            holds: cython.bint = tree.tests.sets[tree.tests.set_begin[number] + value(tree, kind, item)]
        elif kind == SELF:
            holds = fits(tree, number, item)
        else:
            holds = reached(tree, kind, number, item) >= 0
        if holds == tree.tests.checks[check, 2]:
            if not enough:
                return False
        elif enough:
            return True
    return not enough


@cython.cfunc
@cython.nogil
def value(tree: TreeContext, feature: cython.int, item: cython.int) -> cython.int:
    """Return the code of a feature of an item; 0 if it has none."""
    word: cython.int = tree.head[item]
    code: cython.int = 0
    if feature == CATEGORY:
        code = category_of(tree, item)
    elif word < 0:
        code = 0
    elif feature == FUNCTION:
        if item < tree.tokens:
            code = tree.labels.token_function[tree.base + item]
        elif item < tree.tokens + tree.nodes:
            code = tree.labels.node_function[tree.node_base + item - tree.tokens]
    elif feature == TAG:
        code = tree.labels.tag[tree.base + word]
    elif feature == FORM:
        code = tree.labels.form[tree.base + word]
    elif feature == RELATION:
        code = tree.words.relation[tree.base + word]
    elif feature == UPOS:
        code = tree.words.upos[tree.base + word]
    elif feature == SIZE:
        code = 1 if tree.width[item] == 1 else 2
    elif feature == REPEATED:
        code = 1 if tree.width[item] == 1 and tree.labels.repeated[tree.base + word] else 0
    elif feature == SIDE:
        code = side_of(tree, item, word)
    else:
        code = end_of(tree, item)
    return code


@cython.cfunc
@cython.nogil
def side_of(tree: TreeContext, item: cython.int, word: cython.int) -> cython.int:
    """Return the side of its governor, or of the head among its sisters, where an item is.

    1 is left, 2 right.
    """
    if tree.related:
        other = tree.words.head[tree.base + word]
    else:
        other = tree.parent[item]
        other = tree.core[other] if other >= 0 else -1
        other = tree.head[other] if other >= 0 else -1
    if other < 0 or other == word:
        return 0
    return 1 if word < other else 2


@cython.cfunc
@cython.nogil
def end_of(tree: TreeContext, item: cython.int) -> cython.int:
    """Return 1 for the first, 2 for the last, 3 for the only sister that is not punctuation, else 0."""
    first: cython.bint = True
    last: cython.bint = True
    other: cython.int = tree.previous[item]
    while other >= 0 and first:
        first = is_punctuation(tree, other)
        other = tree.previous[other]
    other = tree.next[item]
    while other >= 0 and last:
        last = is_punctuation(tree, other)
        other = tree.next[other]
    if first and last:
        return 3
    return 1 if first else (2 if last else 0)


@cython.cfunc
@cython.nogil
def step(tree: TreeContext, axis: cython.int, item: cython.int, latest: cython.int) -> cython.int:
    """Return the next item after ``latest`` on an axis, or -1.

    latest  -1 before the first item
    """
    word: cython.int = tree.head[item]
    above: cython.int = tree.parent[item]
    first: cython.bint = latest < 0
    here: cython.int = item if first else latest
    reached_item: cython.int = -1
    if axis == BEHIND:
        reached_item = tree.previous[here]
    elif axis == BEFORE:
        reached_item = tree.next[here]
    elif axis == UNDER:
        reached_item = tree.parent[here]
    elif axis == CHILD:
        reached_item = tree.first[item] if first else tree.next[latest]
    elif axis == BESIDE:
        if above >= 0:
            reached_item = tree.first[above] if first else tree.next[latest]
            reached_item = tree.next[reached_item] if reached_item == item else reached_item
    elif axis == OVER:
        if tree.first[here] >= 0:
            reached_item = tree.first[here]
        else:
            while here != item and tree.next[here] < 0:
                here = tree.parent[here]
            reached_item = -1 if here == item else tree.next[here]
    elif axis == DEPENDENT:
        if word >= 0:
            reached_item = tree.first_dependent[word] if first else tree.next_dependent[latest]
    elif axis == LATER:
        if word >= 0:
            reached_item = tree.next_dependent[word if first else latest]
    elif axis == EARLIER:
        above = tree.words.head[tree.base + word] if word >= 0 else -1
        if above >= 0:
            reached_item = tree.first_dependent[above] if first else tree.next_dependent[latest]
            reached_item = reached_item if reached_item < word else -1
    return reached_item


@cython.cfunc
@cython.nogil
def single(
    tree: TreeContext, axis: cython.int, item: cython.int, word: cython.int, above: cython.int
) -> cython.int:
    """Return the one item to which an axis leads, or -1."""
    target: cython.int = -1
    if axis == PARENT:
        target = above
    elif axis == HEAD:
        target = tree.core[above] if above >= 0 else -1
        target = target if target != item else -1
    elif axis == CORE:
        target = tree.core[item]
    elif axis == FIRST:
        target = tree.first[item]
    elif axis == LAST:
        target = tree.last[item]
    elif axis == NEXT:
        target = tree.next[item]
    elif axis == PREVIOUS:
        target = tree.previous[item]
    elif word < 0:
        target = -1
    elif axis == GOVERNOR:
        target = tree.words.head[tree.base + word]
    elif axis == WORD_BEFORE:
        target = word - 1
    elif axis == WORD_BEHIND:
        target = word + 1 if word + 1 < tree.tokens else -1
    else:  # WHOLE
        target = tree.whole[word]
    return target
