"""Müller (2002) under two conditions that config/mueller.yaml lacks: frequencies, and training on brackets.

    python benchmarks/syllables.py LEXICON TEXT ...

The paper trains on the running words of newspapers that its lexicon has. Here they are those of the text
that is given. There are three training sets: all words that are not held out, once each; those that the text
has, as often as it has them; and the same ones once each. Brackets are tokens between the syllables, and the
question is how many trees of the grammar a word has that agree with them. Where it is one tree, training on
brackets has the counts of training on trees. That is asked of all words, and of those without a syllable that
has no vowel or a consonant between two: such syllables let a grammar take consonants for a nucleus.
"""

import argparse
from collections import Counter

import numpy as np
from numpy.typing import NDArray

import crossbank
from crossbank.converters.syllable_structure import VOWELS
from crossbank.converters.transformations import transform
from crossbank.parsers.chart_parsing import best_derivations, inside_probabilities
from crossbank.parsers.lexicalised import with_equal_frequencies
from crossbank.parsers.pcfg import Options, Pcfg
from crossbank.reports.study.training import HeldOut
from crossbank.treebanks import Treebank
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.formats import marytts, read_all

GRAMMARS = ("phoneme", "treebank", "consonant_vowel", "structure", "positional", "advanced")
SAME = 1e-6
OPTIONS = Options(smoothing="none", input="words", rare=0, vertical="1", horizontal="all")


def word_accuracy(training: Treebank, test: Treebank, grammar: str) -> str:
    """Words whose syllables are all right, in per cent, with a 95 % interval."""
    model = Pcfg.train(transform(training, [f"syllable_structure:grammar={grammar}"]), None, OPTIONS)
    parsed = model.parse(test).bank
    names = {f"Syl.{position}": "Syl" for position in ("ini", "med", "fin", "one")}
    gold, found = (
        transform(bank, ["delete_roots", {"map_labels": {"labels": names}}]) for bank in (test, parsed)
    )
    interval = crossbank.score(gold, found, "selected", labels="Syl").interval("unit_accuracy")
    return f"{100 * interval.value:.2f} ({100 * interval.low:.2f} – {100 * interval.high:.2f})"


def with_brackets(bank: Treebank) -> Treebank:
    """Trees with a token between syllables, on the node that is above the second one."""
    builder = TreebankBuilder("brackets")
    labels = bank.vocabulary.decode(bank.nodes.label)
    for sentence in range(len(bank)):
        builder.sentence()
        rows, tokens = bank.nodes.rows(sentence), bank.tokens.rows(sentence)
        parents = bank.nodes.parent[rows].tolist()
        own = labels[rows]
        for label, parent in zip(own, parents, strict=True):
            builder.node(label=label, parent=parent)
        before = -1
        tags = bank.vocabulary.decode(bank.tokens.pos[tokens])
        for phone, tag, parent in zip(
            bank.words(sentence), tags, bank.tokens.parent[tokens].tolist(), strict=True
        ):
            syllable = parent
            while not own[syllable].startswith("Syl"):
                syllable = parents[syllable]
            if before not in (-1, syllable):
                builder.token(form="-", pos="-", parent=parents[syllable])
            before = syllable
            builder.token(form=phone, pos=tag, parent=parent)
    return builder.build()


def trees_that_agree(training: Treebank, grammar: str) -> tuple[int, int]:
    """The words that have one tree which agrees with their brackets, and all."""
    trees = with_brackets(transform(training, [f"syllable_structure:grammar={grammar}"]))
    model = Pcfg.train(trees, None, OPTIONS)
    equal = with_equal_frequencies(model.grammar)
    sentences = model.sentences(trees)
    best = np.array([found.log2 for found in best_derivations(equal, sentences)])
    total, _ = inside_probabilities(equal, sentences)
    return int((total - best < SAME).sum()), len(sentences)


def is_regular(lexicon: Treebank, word: int) -> bool:
    """True if each syllable of a word has one run of vowels."""
    syllables: dict[int, str] = {}
    parents = lexicon.tokens.parent[lexicon.tokens.rows(word)].tolist()
    for phone, parent in zip(lexicon.words(word), parents, strict=True):
        syllables[parent] = syllables.get(parent, "") + ("v" if phone[0] in VOWELS else "c")
    return all(len(kinds.replace("c", " ").split()) == 1 for kinds in syllables.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lexicon")
    parser.add_argument("text", nargs="+")
    given = parser.parse_args()
    lexicon = marytts.load(given.lexicon)
    text = read_all(given.text)
    frequency = Counter(text.vocabulary.decode(text.tokens.form))
    transcribed = lexicon.tokens.lengths() > 0
    (train, test) = HeldOut(test=0.1).parts(lexicon)[0]
    train, test = train[transcribed[train]], test[transcribed[test]]
    times = np.array([frequency[lexicon.sentence_id(place)] for place in train.tolist()])
    sets: dict[str, NDArray[np.intp]] = {
        "all words once": train,
        "as often as in the text": np.repeat(train, times),
        "those of the text once": train[times > 0],
    }
    regular = np.array([place for place in train.tolist() if is_regular(lexicon, place)])
    titles = [*(f"{name} ({len(chosen)})" for name, chosen in sets.items()), "one tree", "of regular words"]
    print("trained on", *titles, sep=" | ")
    for grammar in GRAMMARS:
        shown = [word_accuracy(lexicon.select(c), lexicon.select(test), grammar) for c in sets.values()]
        for chosen in (train, regular):
            one, words = trees_that_agree(lexicon.select(chosen), grammar)
            shown.append(f"{one} of {words}")
        print(grammar, *shown, sep=" | ", flush=True)


if __name__ == "__main__":
    main()
