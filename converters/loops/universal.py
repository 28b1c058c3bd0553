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
SELF = cython.declare(cython.int, 9)
PARENT = cython.declare(cython.int, 10)
HEAD = cython.declare(cython.int, 11)
CORE = cython.declare(cython.int, 12)
CHILD = cython.declare(cython.int, 13)
FIRST = cython.declare(cython.int, 14)
LAST = cython.declare(cython.int, 15)
NEXT = cython.declare(cython.int, 16)
PREVIOUS = cython.declare(cython.int, 17)
BEFORE = cython.declare(cython.int, 18)
BEHIND = cython.declare(cython.int, 19)
BESIDE = cython.declare(cython.int, 20)
UNDER = cython.declare(cython.int, 21)
OVER = cython.declare(cython.int, 22)
GOVERNOR = cython.declare(cython.int, 23)
DEPENDENT = cython.declare(cython.int, 24)
WORD_BEFORE = cython.declare(cython.int, 25)
WORD_BEHIND = cython.declare(cython.int, 26)
WHOLE = cython.declare(cython.int, 27)
EARLIER = cython.declare(cython.int, 28)
LATER = cython.declare(cython.int, 29)

# After so many steps loops look at signals.
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
    gives   what each rule gives: a relation, a tag, a place in a list of features
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
class WordGroups:
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
    through      whether nodes of a category are passed over: their children belong to the node above
    top          the code of the category above all roots
    """

    tag: Int32Array
    form: Int32Array
    token_function: Int32Array
    category: Int32Array
    node_function: Int32Array
    punctuation: BoolArray
    through: BoolArray
    top: cython.int


@cython.dataclasses.dataclass(eq=False, repr=False)
class Words:
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
class Place:
    """One sentence as tests see it: its items with their neighbours, its words with theirs.

    steps  those made since it last looked at signals
    """

    tests: Tests
    labels: Labels
    words: Words
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

    def __init__(self, tests: Tests, labels: Labels, words: Words, tokens: int, nodes: int) -> None:
        """Room for sentences of so many tokens and nodes."""
        room = tokens + nodes + 1
        self.tests, self.labels, self.words = tests, labels, words
        self.parent, self.first, self.last, self.next, self.previous = np.empty((5, room), np.int32)
        self.core, self.head, self.width, self.whole, self.target = np.empty((5, room), np.int32)
        self.first_dependent, self.next_dependent = np.empty((2, tokens + 1), np.int32)
        self.base = self.node_base = 0
        self.tokens = self.nodes = 0
        self.steps = 0
        self.related = False


@cython.dataclasses.dataclass(eq=False, repr=False)
class Rules:
    """All rules for a treebank, in the order in which they are tried."""

    tests: Tests
    heads: RuleTable
    relations: RuleTable
    groups: WordGroups
    revisions: RuleTable
    tags: RuleTable
    features: RuleTable
    writing: RuleTable


def annotate(
    forest: Forest,
    rules: Rules,
    labels: Labels,
    words: Words,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Find heads, governors, relations, tags and features of the sentences ``first`` to ``last - 1``."""
    place = Place(rules.tests, labels, words, forest.most_tokens(first, last), forest.most_nodes(first, last))
    with cython.nogil:
        for sentence in range(first, last):
            lay_out(place, forest, sentence)
            if place.tokens > 0:
                find_heads(place, rules.heads)
                relate(place, rules.relations)
                place.related = True
                link_dependents(place)
                join_groups(place, rules.groups)
                revise(place, rules.revisions)
                give(place, rules.tags, False, words.upos)
                mark_features(place, rules.features)
                give(place, rules.writing, True, words.writing)


@cython.cfunc
@cython.nogil
def lay_out(place: Place, forest: Forest, sentence: cython.Py_ssize_t) -> cython.void:
    """Link the items of a sentence: sisters are ordered by their first words, roots are sisters."""
    base: cython.Py_ssize_t = forest.token_offsets[sentence]
    node_base: cython.Py_ssize_t = forest.node_offsets[sentence]
    tokens: cython.int = cython.cast(cython.int, forest.tokens(sentence))
    nodes: cython.int = cython.cast(cython.int, forest.nodes(sentence))
    place.base, place.node_base, place.tokens, place.nodes = base, node_base, tokens, nodes
    place.related = False
    for item in range(tokens + nodes + 1):
        place.first[item] = place.last[item] = place.next[item] = place.previous[item] = -1
        place.core[item] = place.parent[item] = -1
        place.head[item] = item if item < tokens else -1
        place.width[item] = 1 if item < tokens else 0
        place.whole[item] = item
    for token in range(tokens):
        item = token
        above = item_above(place, forest, forest.token_parent[base + token])
        while True:
            place.parent[item] = above
            place.previous[item] = place.last[above]
            if place.last[above] >= 0:
                place.next[place.last[above]] = item
            else:
                place.first[above] = item
            place.last[above] = item
            # A node becomes a child of its own parent with its first word.
            if place.first[above] != item or above == tokens + nodes:
                break
            item = above
            above = item_above(place, forest, forest.node_parent[node_base + item - tokens])
    for item in range(tokens):
        place.width[place.parent[item]] += 1
    for item in range(tokens + nodes - 1, tokens - 1, -1):
        if place.parent[item] >= 0:
            place.width[place.parent[item]] += place.width[item]


@cython.cfunc
@cython.nogil
def item_above(place: Place, forest: Forest, node: cython.int) -> cython.int:
    """Item of a node (-1: that above all roots), or of the first above it that is not passed over."""
    base: cython.Py_ssize_t = place.node_base
    while node >= 0 and place.labels.through[place.labels.category[base + node]]:
        node = forest.node_parent[base + node]
    return place.tokens + (node if node >= 0 else place.nodes)


@cython.cfunc
@cython.nogil
def category_of(place: Place, item: cython.int) -> cython.int:
    """Return the category or tag of an item."""
    found: cython.int = place.labels.top
    if item < place.tokens:
        found = place.labels.tag[place.base + item]
    elif item < place.tokens + place.nodes:
        found = place.labels.category[place.node_base + item - place.tokens]
    return found


@cython.cfunc
@cython.nogil
def is_punctuation(place: Place, item: cython.int) -> cython.bint:
    """True if an item is a mark of punctuation without a node of its own."""
    return item < place.tokens and place.labels.punctuation[place.base + item]


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def look_on(place: Place) -> cython.int:
    """Count an item, and look at signals after many steps."""
    place.steps += 1
    if place.steps >= LONG:
        look(place.steps)
        place.steps = 0
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def find_heads(place: Place, heads: RuleTable) -> cython.int:
    """Choose the head child of each node, from the bottom up."""
    rule: cython.Py_ssize_t
    tokens: cython.int = place.tokens
    top: cython.int = tokens + place.nodes
    node: cython.int = top
    while place.first[node] >= 0:
        node = place.first[node]
    while True:
        # The next item in post-order, so that everything to the left has its head.
        if node == top:
            break
        if place.next[node] >= 0:
            node = place.next[node]
            while place.first[node] >= 0:
                node = place.first[node]
        else:
            node = place.parent[node]
        if node < tokens:
            continue
        chosen = by = -1
        if place.first[node] == place.last[node]:
            chosen, by = place.first[node], -2
        else:
            kind = category_of(place, node)
            for rule in range(heads.begin[kind], heads.begin[kind + 1]):
                number = heads.rule[rule]
                child = place.last[node] if heads.way[number] else place.first[node]
                while child >= 0:
                    # Most children are not of a category that the rule asks for: fewer calls.
                    accepted = heads.accepts[number * heads.width + category_of(place, child)]
                    if accepted and fits(place, heads.test[number], child):
                        break
                    child = place.previous[child] if heads.way[number] else place.next[child]
                    look_on(place)
                if child >= 0:
                    chosen, by = child, number
                    break
        if chosen < 0:
            chosen = place.first[node]
            while chosen >= 0 and is_punctuation(place, chosen):
                chosen = place.next[chosen]
            if chosen < 0:
                chosen = place.first[node]
        place.core[node] = chosen
        place.head[node] = place.head[chosen] if chosen >= 0 else -1
        if node < tokens + place.nodes:
            place.words.chosen[place.node_base + node - tokens] = place.head[node]
            place.words.head_rule[place.node_base + node - tokens] = by
    for word in range(tokens):
        child = word
        while place.parent[child] < tokens + place.nodes and place.core[place.parent[child]] == child:
            child = place.parent[child]
        place.whole[word] = child
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def relate(place: Place, relations: RuleTable) -> cython.int:
    """Give each word its governor and relation.

    A rule can send a phrase to a sister. Where sisters would depend on each other in a circle, the phrase
    depends on the head of the parent after all.
    """
    tokens: cython.int = place.tokens
    for node in range(tokens + place.nodes, tokens - 1, -1):
        core = place.core[node]
        child = place.first[node]
        while child >= 0:
            place.target[child] = -1
            if child != core:
                word = place.head[child]
                # Only rules that can hold of this category under this one are tried.
                kind = category_of(place, child) * relations.width + category_of(place, node)
                number = first_rule(place, relations, kind, child)
                place.words.rule[place.base + word] = number
                place.words.relation[place.base + word] = relations.gives[number] if number >= 0 else 0
                to = core
                if number >= 0 and relations.way[number] >= 0:
                    to = governor_of(place, relations, number, child)
                    if to < 0 or to == child or place.parent[to] != node:
                        to = core
                place.target[child] = to
                look_on(place)
            child = place.next[child]
        child = place.first[node]
        while child >= 0:
            if child != core:
                to = place.target[child]
                steps = 0
                while to != core and to >= 0 and to != child and steps <= tokens:
                    to = place.target[to]
                    steps += 1
                place.steps += steps
                look_on(place)
                if to != core:
                    place.target[child] = core
                place.words.head[place.base + place.head[child]] = place.head[place.target[child]]
            child = place.next[child]
    word = place.head[tokens + place.nodes]
    place.words.head[place.base + word] = -1
    place.words.rule[place.base + word] = -1
    return 0


@cython.cfunc
@cython.nogil
def first_rule(place: Place, rules: RuleTable, kind: cython.int, item: cython.int) -> cython.int:
    """Return the first rule of a category that holds of an item, or -1."""
    rule: cython.Py_ssize_t
    found: cython.int = -1
    for rule in range(rules.begin[kind], rules.begin[kind + 1]):
        if fits(place, rules.test[rules.rule[rule]], item):
            found = rules.rule[rule]
            break
    return found


@cython.cfunc
@cython.nogil
def link_dependents(place: Place) -> cython.void:
    """Link the dependents of each word, in their order."""
    place.steps += place.tokens
    for word in range(place.tokens):
        place.first_dependent[word] = -1
    for word in range(place.tokens - 1, -1, -1):
        place.next_dependent[word] = -1
        above = place.words.head[place.base + word]
        if above >= 0:
            place.next_dependent[word] = place.first_dependent[above]
            place.first_dependent[above] = word


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def revise(place: Place, rules: RuleTable) -> cython.int:
    """Look at all words rule by rule: a rule sees what the rules before it have given.

    A rule that leads to another governor is not followed where a word would depend on itself.
    """
    for number in range(rules.test.shape[0]):
        place.steps += place.tokens
        look_on(place)
        for word in range(place.tokens):
            # Most words do not have the relation that a rule asks for.
            if not rules.accepts[number * rules.width + place.words.relation[place.base + word]]:
                continue
            if not fits(place, rules.test[number], word):
                continue
            if rules.way[number] >= 0:
                to = governor_of(place, rules, number, word)
                if to < 0:
                    continue
                to = above = place.head[to]
                while above >= 0 and above != word:
                    above = place.words.head[place.base + above]
                    place.steps += 1
                if above == word or place.words.head[place.base + word] < 0:
                    continue
                place.words.head[place.base + word] = to
                link_dependents(place)
            if rules.gives[number] > 0:
                place.words.relation[place.base + word] = rules.gives[number]
            place.words.revision[place.base + word] = number
    return 0


@cython.cfunc
@cython.nogil
def governor_of(place: Place, rules: RuleTable, number: cython.int, item: cython.int) -> cython.int:
    """Return the item to which a rule sends another, in one step or two; -1 where there is none."""
    to: cython.int = reached(place, rules.way[number], rules.to[number], item)
    if to >= 0 and rules.way_on[number] >= 0:
        to = reached(place, rules.way_on[number], rules.to_on[number], to)
    return to


@cython.cfunc
@cython.nogil
def join_groups(place: Place, groups: WordGroups) -> cython.void:
    """Let the words of fixed expressions, and the parts of words written as several, depend on the first."""
    word: cython.int = 0
    while word < place.tokens:
        number = groups.word[place.base + word]
        chosen = -1
        length = 0
        if number > 0:
            for expression in range(groups.first[number], groups.first[number + 1]):
                length = groups.begin[expression + 1] - groups.begin[expression]
                if word + length > place.tokens:
                    continue
                part = 1
                while part < length:
                    if groups.word[place.base + word + part] != groups.of[groups.begin[expression] + part]:
                        break
                    part += 1
                if part == length:
                    chosen = expression
                    break
        if chosen >= 0:
            join(place, word, length, groups.gives[chosen], groups.fixed)
        else:
            length = 1
            while word + length < place.tokens and groups.goes_on[place.base + word + length - 1]:
                length += 1
            if length > 1:
                join(place, word, length, 0, groups.goes_with)
        word += length
    link_dependents(place)


@cython.cfunc
@cython.nogil
def join(
    place: Place, word: cython.int, length: cython.int, whole: cython.int, relation: cython.int
) -> cython.void:
    """Let words depend on the first of them, which takes the relation ``whole``; 0: that of their head.

    The first word takes the governor of the part whose governor is outside, and all dependents. Words of
    which several have governors that differ outside are left as they are.
    """
    outside: cython.int = -2
    depends: cython.int = 0
    for part in range(word, word + length):
        above = place.words.head[place.base + part]
        if above < word or above >= word + length:
            if outside == -2:
                outside, depends = above, place.words.relation[place.base + part]
            elif outside != above:
                outside = -3
    if outside >= -1:
        place.words.head[place.base + word] = outside
        place.words.relation[place.base + word] = whole if whole > 0 and outside >= 0 else depends
        for part in range(word + 1, word + length):
            place.words.head[place.base + part] = word
            place.words.relation[place.base + part] = relation
        for part in range(place.tokens):
            above = place.words.head[place.base + part]
            if above > word and above < word + length:
                place.words.head[place.base + part] = word


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def mark_features(place: Place, features: RuleTable) -> cython.int:
    """Find the feature rules that hold of each word, one bit for each rule of its row."""
    rule: cython.Py_ssize_t
    one: cython.longlong = 1
    for word in range(place.tokens):
        look_on(place)
        kind = place.labels.tag[place.base + word] * features.width + place.words.relation[place.base + word]
        bits = 0
        begin: cython.Py_ssize_t = features.begin[kind]
        for rule in range(begin, features.begin[kind + 1]):
            if fits(place, features.test[features.rule[rule]], word):
                bits |= one << (rule - begin)
        place.words.features[place.base + word] = bits
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def give(place: Place, rules: RuleTable, by_form: cython.bint, given: Int32Output) -> cython.int:
    """Give each word what the first rule for its tag and its relation, or its form, gives."""
    for word in range(place.tokens):
        look_on(place)
        row = place.base + word
        key = place.labels.form[row] if by_form else place.words.relation[row]
        number = first_rule(place, rules, place.labels.tag[row] * rules.width + key, word)
        if number >= 0:
            given[place.base + word] = rules.gives[number]
    return 0


@cython.cfunc
@cython.nogil
def reached(place: Place, axis: cython.int, test: cython.int, item: cython.int) -> cython.int:
    """Return the first item that an axis leads to and of which a test holds, or -1."""
    other: cython.int = step(place, axis, item, -1)
    while other >= 0 and test >= 0 and not fits(place, test, other):
        other = step(place, axis, item, other)
        place.steps += 1
    return other


@cython.cfunc
@cython.nogil
def fits(place: Place, test: cython.int, item: cython.int) -> cython.bint:
    """True if a test holds of an item."""
    enough: cython.bint = place.tests.enough[test]
    for check in range(place.tests.begin[test], place.tests.begin[test + 1]):
        kind, number = place.tests.checks[check, 0], place.tests.checks[check, 1]
        if kind < SELF:
            holds: cython.bint = place.tests.sets[place.tests.set_begin[number] + value(place, kind, item)]
        elif kind == SELF:
            holds = fits(place, number, item)
        else:
            holds = reached(place, kind, number, item) >= 0
        if holds == place.tests.checks[check, 2]:
            if not enough:
                return False
        elif enough:
            return True
    return not enough


@cython.cfunc
@cython.nogil
def value(place: Place, feature: cython.int, item: cython.int) -> cython.int:
    """Return the code of a feature of an item; 0 where it has none."""
    word: cython.int = place.head[item]
    found: cython.int = 0
    if feature == CATEGORY:
        found = category_of(place, item)
    elif word < 0:
        found = 0
    elif feature == FUNCTION:
        if item < place.tokens:
            found = place.labels.token_function[place.base + item]
        elif item < place.tokens + place.nodes:
            found = place.labels.node_function[place.node_base + item - place.tokens]
    elif feature == TAG:
        found = place.labels.tag[place.base + word]
    elif feature == FORM:
        found = place.labels.form[place.base + word]
    elif feature == RELATION:
        found = place.words.relation[place.base + word]
    elif feature == UPOS:
        found = place.words.upos[place.base + word]
    elif feature == SIZE:
        found = 1 if place.width[item] == 1 else 2
    elif feature == SIDE:
        found = side_of(place, item, word)
    else:
        found = end_of(place, item)
    return found


@cython.cfunc
@cython.nogil
def side_of(place: Place, item: cython.int, word: cython.int) -> cython.int:
    """Side of its governor, or of the head among its sisters, where an item is: 1 left, 2 right."""
    if place.related:
        other = place.words.head[place.base + word]
    else:
        other = place.parent[item]
        other = place.core[other] if other >= 0 else -1
        other = place.head[other] if other >= 0 else -1
    if other < 0 or other == word:
        return 0
    return 1 if word < other else 2


@cython.cfunc
@cython.nogil
def end_of(place: Place, item: cython.int) -> cython.int:
    """Return 1 for the first, 2 for the last, 3 for the only sister that is no punctuation, else 0."""
    first: cython.bint = True
    last: cython.bint = True
    other: cython.int = place.previous[item]
    while other >= 0 and first:
        first = is_punctuation(place, other)
        other = place.previous[other]
    other = place.next[item]
    while other >= 0 and last:
        last = is_punctuation(place, other)
        other = place.next[other]
    if first and last:
        return 3
    return 1 if first else (2 if last else 0)


@cython.cfunc
@cython.nogil
def step(place: Place, axis: cython.int, item: cython.int, latest: cython.int) -> cython.int:
    """Next item after ``latest`` to which an axis leads, or -1; ``latest`` is -1 before the first."""
    word: cython.int = place.head[item]
    above: cython.int = place.parent[item]
    first: cython.bint = latest < 0
    here: cython.int = item if first else latest
    found: cython.int = -1
    if axis == BEHIND:
        found = place.previous[here]
    elif axis == BEFORE:
        found = place.next[here]
    elif axis == UNDER:
        found = place.parent[here]
    elif axis == CHILD:
        found = place.first[item] if first else place.next[latest]
    elif axis == BESIDE:
        if above >= 0:
            found = place.first[above] if first else place.next[latest]
            found = place.next[found] if found == item else found
    elif axis == OVER:
        if place.first[here] >= 0:
            found = place.first[here]
        else:
            while here != item and place.next[here] < 0:
                here = place.parent[here]
            found = -1 if here == item else place.next[here]
    elif axis == DEPENDENT:
        if word >= 0:
            found = place.first_dependent[word] if first else place.next_dependent[latest]
    elif axis == LATER:
        if word >= 0:
            found = place.next_dependent[word if first else latest]
    elif axis == EARLIER:
        above = place.words.head[place.base + word] if word >= 0 else -1
        if above >= 0:
            found = place.first_dependent[above] if first else place.next_dependent[latest]
            found = found if found < word else -1
    elif first:
        found = single(place, axis, item, word, above)
    return found


@cython.cfunc
@cython.nogil
def single(
    place: Place, axis: cython.int, item: cython.int, word: cython.int, above: cython.int
) -> cython.int:
    """Return the one item to which an axis leads, or -1."""
    found: cython.int = -1
    if axis == PARENT:
        found = above
    elif axis == HEAD:
        found = place.core[above] if above >= 0 else -1
        found = found if found != item else -1
    elif axis == CORE:
        found = place.core[item]
    elif axis == FIRST:
        found = place.first[item]
    elif axis == LAST:
        found = place.last[item]
    elif axis == NEXT:
        found = place.next[item]
    elif axis == PREVIOUS:
        found = place.previous[item]
    elif word < 0:
        found = -1
    elif axis == GOVERNOR:
        found = place.words.head[place.base + word]
    elif axis == WORD_BEFORE:
        found = word - 1
    elif axis == WORD_BEHIND:
        found = word + 1 if word + 1 < place.tokens else -1
    else:  # WHOLE
        found = place.whole[word]
    return found
