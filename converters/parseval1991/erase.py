"""Parseval's first step: erase words on whose treatment grammars do not agree.

Black, Ezra, et al. (1991): A Procedure for Quantitatively Comparing the Syntactic Coverage of English
Grammars, section 1 of the appendix: auxiliaries, "not", the "to" of infinitives, null categories,
possessive endings and punctuation outside words. The scheme lists these words, and the contexts in which
a word is an auxiliary (in "is a cup" it is not).
"""

from __future__ import annotations

import re
from collections import Counter

import numpy as np

from crossbank.converters.declaration import transformation
from crossbank.converters.labels import functions_of_nodes, functions_of_tokens
from crossbank.converters.parseval1991.local_tree import LocalTree, rewritten
from crossbank.converters.schemes.constructions import WordPattern, form_matcher, label_matcher
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import NO_PARENT, Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array
from crossbank.treebanks.errors import RequirementError

NAME = "erase"


@transformation(position=180)
def erase(bank: Treebank, scheme: Scheme | None = None) -> Treebank:
    """Erase the words that the scheme lists, punctuation and empty elements.

    A one-word adverb that an erased auxiliary leaves behind is hung on the top node of the verb
    constituent that follows: (will probably have) (seen Milton) becomes (probably seen Milton).
    An auxiliary or a possessive ending that is written together with another word is cut off: *You've* in
    "You've been here often" becomes *You*. A contracted main verb is a word of its own in "You 've a good
    reason", as the paper's rule for the input format says, and stays.

    The diagnosis counts everything that is erased or moved. Erasing again changes nothing.
    """
    if scheme is None or scheme.erasures is None:
        raise RequirementError(NAME, "a scheme with lists of words to erase")
    rules = scheme.erasures
    bank = _contractions_cut(bank, rules.contractions)
    erased = {
        "punctuation": scheme.is_punctuation(bank),
        "empty elements": scheme.is_empty(bank),
        "auxiliaries": _matching(bank, scheme, rules.auxiliaries),
        **{what: _matching(bank, scheme, patterns) for what, patterns in rules.others.items()},
    }
    gone = np.logical_or.reduce(list(erased.values()))
    bank = _adverbs_moved(bank, scheme, gone, erased["auxiliaries"])
    sentence = bank.tokens.sentence_of_row()
    events = {f"{what} erased": sentence[mask] for what, mask in erased.items()}
    return bank.without_tokens(gone, NAME).with_events(NAME, events)


def _contractions_cut(bank: Treebank, endings: tuple[str, ...]) -> Treebank:
    """Return the treebank whose words end before their contracted endings."""
    if not endings:
        return bank
    ending = re.compile(rf"(.+?)(?:{'|'.join(endings)})+", re.IGNORECASE)

    def stem(form: str) -> str:
        match = ending.fullmatch(form)
        return form if match is None else match[1]

    tokens = bank.tokens
    vocabulary, form = bank.vocabulary.mapped(tokens.form, stem)
    cut = form != tokens.form
    bank = bank.replace(vocabulary=vocabulary, tokens=tokens.replace(form=form))
    return bank.with_events(NAME, {"contracted endings cut off": tokens.sentence_of_row()[cut]})


def _matching(bank: Treebank, scheme: Scheme, patterns: tuple[WordPattern, ...]) -> BoolArray:
    """Return a mask of the words that match one of some patterns, shape ``(tokens,)``."""
    matching = np.zeros(len(bank.tokens), np.bool_)
    for pattern in patterns:
        matching |= _matches(bank, scheme, pattern)
    return matching


def _matches(bank: Treebank, scheme: Scheme, pattern: WordPattern) -> BoolArray:
    tokens, nodes = bank.tokens, bank.nodes
    matches = np.ones(len(tokens), np.bool_)
    if pattern.tags:
        matches &= _labelled(bank, scheme, tokens.pos, pattern.tags)
    if pattern.forms:
        matches &= bank.vocabulary.matching(form_matcher(pattern.forms))[tokens.form]
    if not (pattern.parents or pattern.before or pattern.beside or pattern.beside_parent):
        return matches
    matches &= tokens.parent != NO_PARENT
    word = np.flatnonzero(matches)
    above = nodes.parent_rows(tokens)[word]
    holds = np.ones(len(word), np.bool_)
    if pattern.parents:
        holds &= _labelled(bank, scheme, nodes.label, pattern.parents)[above]
    if pattern.before:
        sisters = _ErasedChildren(bank, scheme, pattern.before, pattern.functions)
        holds &= word - tokens.offsets[tokens.sentence_of_row()[word]] < sisters.last[above]
    if pattern.beside:
        sisters = _ErasedChildren(bank, scheme, pattern.beside, pattern.functions)
        holds &= sisters.count[above] > sisters.words[word]
    if pattern.beside_parent:
        sisters = _ErasedChildren(bank, scheme, pattern.beside_parent, pattern.functions)
        higher = nodes.parent[above] != NO_PARENT
        above_parent = nodes.parent[above] + nodes.offsets[nodes.sentence_of_row()[above]]
        holds &= higher & (sisters.count[np.where(higher, above_parent, 0)] > sisters.nodes[above])
    matches[word] = holds
    return matches


class _ErasedChildren:
    """Words and nodes with certain tags, labels and functions, as children of their parents.

    words, nodes  masks of these words and nodes
    count         the number of such children of every node
    last          where the last such child of every node begins, or -1
    """

    def __init__(
        self, bank: Treebank, scheme: Scheme, patterns: tuple[str, ...], functions: tuple[str, ...]
    ) -> None:
        bank, node_function = functions_of_nodes(bank, scheme)
        bank, token_function = functions_of_tokens(bank, scheme)
        tokens, nodes = bank.tokens, bank.nodes
        self.words = _labelled(bank, scheme, tokens.pos, patterns) & (tokens.parent != NO_PARENT)
        self.nodes = _labelled(bank, scheme, nodes.label, patterns) & (nodes.parent != NO_PARENT)
        if functions:
            accepted = bank.vocabulary.matching(lambda f: f in ("", *functions) or f in scheme.no_function)
            self.words &= accepted[token_function]
            self.nodes &= accepted[node_function]
        self.count = np.zeros(len(nodes), np.int64)
        self.last = np.full(len(nodes), -1, np.int64)
        start = tokens.indices()
        for table, chosen, begins in ((tokens, self.words, start), (nodes, self.nodes, bank.spans.start)):
            above = nodes.parent_rows(table)[chosen]
            self.count += np.bincount(above, minlength=len(nodes))
            np.maximum.at(self.last, above, begins[chosen])


def _labelled(bank: Treebank, scheme: Scheme, codes: Int32Array, patterns: tuple[str, ...]) -> BoolArray:
    """Return a mask of the tags or labels that match a pattern, without functions and subclasses."""
    matches, category = label_matcher(patterns), scheme.labels.main_category
    return bank.vocabulary.valued(codes, lambda label: matches(category(label)), np.bool_)


def _adverbs_moved(bank: Treebank, scheme: Scheme, gone: BoolArray, auxiliaries: BoolArray) -> Treebank:
    """Hang the adverbs that erased auxiliaries leave behind on the verb constituent that follows."""
    assert scheme.erasures is not None
    is_adverb, is_verb = label_matcher(scheme.erasures.adverbs), label_matcher(scheme.erasures.verbs)
    adverbs = _labelled(bank, scheme, bank.tokens.pos, scheme.erasures.adverbs) & ~gone
    sentence = bank.tokens.sentence_of_row()
    concerned = np.intersect1d(sentence[auxiliaries], sentence[adverbs])

    def move(number: int, tree: LocalTree) -> Counter[str]:
        rows = bank.tokens.rows(number)
        living = _living_words(tree, gone[rows].tolist())
        lost = {tree.parents[i] for i in np.flatnonzero(auxiliaries[rows]).tolist()} - {NO_PARENT}
        happened: Counter[str] = Counter()

        def alive(node: int) -> list[int]:
            return [item for item in tree.children[node] if living[item]]

        def adverb(item: int) -> bool:
            return len(living[item]) == 1 and is_adverb(tree.labels[living[item][0]])

        def verb_constituent(item: int) -> bool:
            return not tree.is_word(item) and is_verb(tree.labels[item])

        for node in sorted(lost, reverse=True):
            children = alive(node)
            verb = next((i for i, item in enumerate(children) if verb_constituent(item)), None)
            if verb is None:  # the auxiliaries' own node has the verb constituent as its sister
                above = tree.parents[node]
                if not children or not all(map(adverb, children)) or above == NO_PARENT:
                    continue
                sisters = alive(above)
                following = sisters[sisters.index(node) + 1 :][:1]
                if not following or not verb_constituent(following[0]):
                    continue
                target, moved = following[0], children
                living[node].clear()
            else:
                begin = verb
                while begin > 0 and adverb(children[begin - 1]):
                    begin -= 1
                target, moved = children[verb], children[begin:verb]
            # Unary brackets are deleted later.
            while len(below := alive(target)) == 1 and not tree.is_word(below[0]):
                target = below[0]
            for item in moved:
                tree.move(item, target)
            happened["adverbs moved to the following verb"] += len(moved)
        return +happened

    return rewritten(bank, scheme, concerned.tolist(), move, NAME)


def _living_words(tree: LocalTree, erased: list[bool]) -> list[list[int]]:
    """Return the words of every item that are not erased, at most two of them."""
    living: list[list[int]] = [[] for _ in tree.labels]
    for word in range(tree.words):
        item = word
        while not erased[word] and item != NO_PARENT and len(living[item]) < 2:
            living[item].append(word)
            item = tree.parents[item]
    return living
