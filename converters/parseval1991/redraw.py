"""Parseval's third step: redraw three constructions in one way.

Black, Ezra, et al. (1991), section 3 of the appendix: an extraposed clause is attached to the topmost
node of its host clause; the core of a noun phrase and all its modifiers hang on one node; if several
prepositions begin a constituent, or several particles end it, each of them is attached by itself. The
scheme says what these constructions look like in a treebank.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from crossbank.converters.declaration import transformation
from crossbank.converters.parseval1991.local_tree import LocalTree, rewritten
from crossbank.converters.schemes.constructions import (
    Extraposition,
    NounPhrases,
    Redrawing,
    Sequences,
    form_matcher,
    label_matcher,
)
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import NO_PARENT, Treebank
from crossbank.treebanks.errors import RequirementError

NAME = "redraw"


@transformation(position=200)
def redraw(bank: Treebank, scheme: Scheme | None = None) -> Treebank:
    """Redraw extraposition, modified noun phrases, and sequences of prepositions and particles."""
    if scheme is None or scheme.redrawing is None:
        raise RequirementError(NAME, "a scheme with constructions to redraw")
    rules: Redrawing = scheme.redrawing

    def change(_: int, tree: LocalTree) -> Counter[str]:
        happened: Counter[str] = Counter()
        for rule in rules.extraposition:
            for clause, host in extraposed(tree, rule):
                tree.move(clause, host)
                happened["extraposed clauses attached to their host"] += 1
        if rules.noun_phrases is not None:
            happened.update(_noun_phrases(tree, rules.noun_phrases))
        if rules.prepositions is not None:
            happened.update(_prepositions(tree, rules.prepositions))
        if rules.particles is not None:
            happened.update(_particles(tree, rules.particles))
        return happened

    return rewritten(bank, scheme, range(len(bank)), change, NAME)


def extraposed(tree: LocalTree, rule: Extraposition) -> list[tuple[int, int]]:
    """Return the extraposed clauses of a sentence that are not attached to their host, each with its host."""
    is_clause, is_host = label_matcher(rule.clauses), label_matcher(rule.hosts)
    is_between = label_matcher(rule.through)
    pairs = []
    for clause in tree.nodes:
        has_function = not rule.functions or tree.functions[clause] in rule.functions
        if not has_function or not is_clause(tree.labels[clause]):
            continue
        between = []
        host = tree.parents[clause]
        while host != NO_PARENT and is_between(tree.labels[host]):
            between.append(host)
            host = tree.parents[host]
        if host == NO_PARENT or not between or not is_host(tree.labels[host]):
            continue
        if rule.subjects and not _has_expletive(tree, host, rule.subjects):
            continue
        if rule.verbs and not _follows_verb(tree, clause, [host, *between], rule.verbs):
            continue
        pairs.append((clause, host))
    return pairs


def _has_expletive(tree: LocalTree, host: int, forms: tuple[str, ...]) -> bool:
    """Return whether a child of the host is one word, an expletive."""
    is_expletive = form_matcher(forms)
    for item in tree.children[host]:
        while len(tree.children[item]) == 1:
            item = tree.children[item][0]
        if tree.is_word(item) and is_expletive(tree.forms[item]):
            return True
    return False


def _follows_verb(tree: LocalTree, clause: int, above: list[int], forms: tuple[str, ...]) -> bool:
    """Return whether a listed verb under one of the nodes precedes the clause, but not directly."""
    is_verb = form_matcher(forms)
    start = tree.starts[clause]
    return any(
        item < start - 1 and tree.is_word(item) and is_verb(tree.forms[item])
        for node in above
        for item in tree.children[node]
    )


def _noun_phrases(tree: LocalTree, rule: NounPhrases) -> Counter[str]:
    is_phrase, is_modifier = label_matcher(rule.phrases), label_matcher(rule.modifiers)
    is_intermediate = label_matcher(rule.intermediate)
    happened: Counter[str] = Counter()

    def modifiers(node: int) -> int:
        """Return the index of the first child of a noun phrase from which on all children are modifiers."""
        items = tree.children[node]
        begin = len(items)
        while begin > 0 and not tree.is_word(items[begin - 1]) and is_modifier(tree.labels[items[begin - 1]]):
            begin -= 1
        return begin

    for node in reversed(tree.nodes):  # inner phrases first
        if not is_phrase(tree.labels[node]):
            continue
        for item in list(tree.children[node]):
            if not tree.is_word(item) and is_intermediate(tree.labels[item]):
                tree.dissolve(item)
                happened["intermediate projections of noun phrases dissolved"] += 1
        items, begin = tree.children[node], modifiers(node)
        if begin == len(items):
            continue
        first = items[0]
        if begin == 1 and not tree.is_word(first) and is_phrase(tree.labels[first]):
            inner = modifiers(first)
            if 0 < inner < len(tree.children[first]):
                tree.dissolve(first)
                happened["modifiers attached to the topmost noun phrase"] += 1
        elif begin > 1:
            tree.insert(tree.labels[node], node, items[:begin])
            happened["brackets drawn around the core of noun phrases"] += 1
    return happened


def _prepositions(tree: LocalTree, rule: Sequences) -> Counter[str]:
    is_phrase, is_preposition = label_matcher(rule.phrases), label_matcher(rule.tags)
    happened: Counter[str] = Counter()

    def begins_with_preposition(node: int) -> bool:
        first = tree.children[node][0]
        return tree.is_word(first) and is_preposition(tree.labels[first])

    for node in reversed(tree.nodes):
        if not is_phrase(tree.labels[node]) or not begins_with_preposition(node):
            continue
        rest = next(
            (i for i in tree.children[node] if not (tree.is_word(i) and is_preposition(tree.labels[i]))), 0
        )
        if not tree.is_word(rest) and is_phrase(tree.labels[rest]) and begins_with_preposition(rest):
            tree.dissolve(rest)
            happened["prepositions attached one by one"] += 1
    return happened


def _particles(tree: LocalTree, rule: Sequences) -> Counter[str]:
    is_phrase, is_particle = label_matcher(rule.phrases), label_matcher(rule.tags)
    happened: Counter[str] = Counter()
    for end in range(len(tree.forms), 1, -1):
        begin = end
        while begin > 0 and is_particle(tree.labels[begin - 1]):
            begin -= 1
        if end - begin < 2 or (end < len(tree.forms) and is_particle(tree.labels[end])):
            continue
        node = _lowest_common(tree, range(begin, end), is_phrase)
        if node == NO_PARENT:
            continue
        loose = [word for word in range(begin, end) if tree.parents[word] != node]
        for word in loose:
            tree.move(word, node)
        if loose:
            happened["particles attached one by one"] += 1
    return happened


def _lowest_common(tree: LocalTree, words: range, is_phrase: Callable[[str], bool]) -> int:
    """Return the lowest node over some words that has one of the labels of a phrase, or ``NO_PARENT``."""
    counted: Counter[int] = Counter()
    for word in words:
        node = tree.parents[word]
        while node != NO_PARENT:
            counted[node] += 1
            node = tree.parents[node]
    common = [n for n, count in counted.items() if count == len(words) and is_phrase(tree.labels[n])]
    return max(common, default=NO_PARENT)
