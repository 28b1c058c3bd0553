"""Müller (2002) under two conditions that config/mueller.yaml lacks: frequencies, and training on brackets.

    python benchmarks/syllables.py LEXICON TEXT ...

The paper trains on the running words of newspapers that its lexicon has. Here they are those of the text
that is given. There are three training sets: all words that are not held out, once each; those that the text
has, as often as it has them; and the same ones once each. Training on brackets begins with the rules of all
words, equally probable, and re-estimates them on the words and the brackets of their syllables (Pereira and
Schabes 1992). How many trees of the grammar agree with the brackets of a word is asked of all words, and of
those without a syllable that has no vowel or a consonant between two: such syllables let a grammar take
consonants for a nucleus.
"""

import argparse
from collections import Counter
from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

import crossbank
from crossbank.converters.syllable_structure import VOWELS
from crossbank.converters.transformations import transform
from crossbank.parsers.chart_parsing import ChartArrays, best_derivation, inside_probability
from crossbank.parsers.inside_outside import BracketedDerivations, reestimate
from crossbank.parsers.lexicalised import with_equal_frequencies
from crossbank.parsers.pcfg import Pcfg, PcfgOptions
from crossbank.parsers.probabilistic_grammar import Grammar, rules
from crossbank.reports.study.held_out import HeldOut
from crossbank.treebanks import Treebank
from crossbank.treebanks.formats import marytts, read_all

GRAMMARS = ("phoneme", "treebank", "consonant_vowel", "structure", "positional", "advanced")
SAME = 1e-6
OPTIONS = PcfgOptions(smoothing="none", input="words", rare=0, vertical="1", horizontal="all")


def on_trees(training: Treebank, grammar: str) -> Pcfg:
    """Return the grammar with the relative frequencies of its trees."""
    return Pcfg.train(transform(training, [f"syllable_structure:grammar={grammar}"]), None, OPTIONS)


def word_accuracy(model: Pcfg, test: Treebank) -> str:
    """Return words whose syllables are all right, in per cent, with a 95 % interval."""
    parsed = model.parse(test).bank
    names = {f"Syl.{position}": "Syl" for position in ("ini", "med", "fin", "one")}
    gold, actual = (
        transform(bank, ["delete_roots", {"map_labels": {"labels": names}}]) for bank in (test, parsed)
    )
    interval = crossbank.score(gold, actual, "selected", labels="Syl").interval("unit_accuracy")
    return f"{100 * interval.value:.2f} ({100 * interval.low:.2f} – {100 * interval.high:.2f})"


def brackets(lexicon: Treebank, grammar: Grammar) -> BracketedDerivations:
    """Return the spans that a derivation of each word may have: no constituent crosses a syllable."""
    is_syllable = [symbol.type == "phrase" and symbol.label.startswith("Syl") for symbol in grammar.symbols]
    allowed = []
    for word in range(len(lexicon)):
        syllable = lexicon.tokens.parent[lexicon.tokens.rows(word)]
        starts, ends = spans(len(syllable))
        edge = np.append(np.diff(syllable, prepend=-1) != 0, True)
        within, edges = syllable[starts] == syllable[ends - 1], edge[starts] & edge[ends]
        allowed.append(np.column_stack([within | edges, within & edges]))
    return BracketedDerivations(np.array(is_syllable, np.int32), allowed)


@cache
def spans(length: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return where the span of each cell of a chart starts and ends."""
    cells = [(start, end) for end in range(1, length + 1) for start in range(end - 1, -1, -1)]
    starts, ends = np.array(cells, np.intp).reshape(-1, 2).T
    return starts, ends


def untrained(training: Treebank, grammar: str) -> Pcfg:
    """Return the grammar of the trees, whose rules are all equally probable."""
    model = on_trees(training, grammar)
    return replace(model, grammar=with_equal_frequencies(model.grammar))


def on_brackets(training: Treebank, grammar: str) -> Pcfg:
    """Return the grammar re-estimated until convergence on words with the brackets of their syllables."""
    model = untrained(training, grammar)
    sentences, agreeing = model.sentences(training), brackets(training, model.grammar)
    before, actual = 0.0, reestimate(model.grammar, sentences, brackets=agreeing)
    while abs(actual.log2 - before) > SAME * abs(actual.log2):
        before, actual = actual.log2, reestimate(actual.grammar, sentences, brackets=agreeing)
    return replace(model, grammar=actual.grammar)


def trees_that_agree(training: Treebank, grammar: str) -> tuple[int, int]:
    """Return the words that have one tree which agrees with their brackets, and all."""
    model = untrained(training, grammar)
    group, allowed = brackets(training, model.grammar)
    own, one = model.grammar, 0
    best, total = (rules(own, logarithms=logarithms, group=group) for logarithms in (True, False))
    charts = [ChartArrays(len(own.symbols), sums=sums) for sums in (False, True)]
    for words, mask in zip(model.sentences(training), allowed, strict=True):
        first = best_derivation(best, own.start, words, charts[0], mask).log2
        one += inside_probability(total, own.start, words, charts[1], mask)[0] - first < SAME
    return one, len(training)


def is_regular(lexicon: Treebank, word: int) -> bool:
    """Return whether each syllable of a word has one run of vowels."""
    syllables: dict[int, str] = {}
    parents = lexicon.tokens.parent[lexicon.tokens.rows(word)].tolist()
    for phone, parent in zip(lexicon.words(word), parents, strict=True):
        syllables[parent] = syllables.get(parent, "") + ("v" if phone[0] in VOWELS else "c")
    return all(len(kinds.replace("c", " ").split()) == 1 for kinds in syllables.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lexicon")
    parser.add_argument("text", nargs="+")
    arguments = parser.parse_args()
    lexicon = marytts.load(arguments.lexicon)
    text = read_all(arguments.text)
    frequency = Counter(text.vocabulary.decode(text.tokens.form))
    transcribed = lexicon.tokens.lengths() > 0
    (train, test) = HeldOut(test=0.1).parts(lexicon)[0]
    train, test = train[transcribed[train]], test[transcribed[test]]
    times = np.array([frequency[lexicon.sentence_id(index)] for index in train.tolist()])
    sets: dict[str, NDArray[np.intp]] = {
        "all words once": train,
        "as often as in the text": np.repeat(train, times),
        "those of the text once": train[times > 0],
    }
    regular = np.array([index for index in train.tolist() if is_regular(lexicon, index)])
    titles = [
        *(f"{name} ({len(chosen)})" for name, chosen in sets.items()),
        "all words with brackets",
        "one tree",
        "of regular words",
    ]
    print("trained on", *titles, sep=" | ")
    for grammar in GRAMMARS:
        models = [on_trees(lexicon.select(chosen), grammar) for chosen in sets.values()]
        models.append(on_brackets(lexicon.select(train), grammar))
        displayed = [word_accuracy(model, lexicon.select(test)) for model in models]
        for chosen in (train, regular):
            one, words = trees_that_agree(lexicon.select(chosen), grammar)
            displayed.append(f"{one} of {words}")
        print(grammar, *displayed, sep=" | ", flush=True)


if __name__ == "__main__":
    main()
