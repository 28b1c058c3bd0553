"""Trees of Müller (2002), Figures 1 to 6, for the word Topfladen."""

import pytest

from crossbank.converters.transformations import transform
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.errors import SentenceError
from crossbank.treebanks.formats import bracket, marytts
from tests.errors import raises

FIGURES = {
    "treebank": "(Word (Syl (t t) (O O) (p p) (f f)) (Syl (l l) (a: a:)) (Syl (d d) (@ @) (n n)))",
    "phoneme": "(Word (Syl (P t) (P O) (P p) (P f)) (Syl (P l) (P a:)) (Syl (P d) (P @) (P n)))",
    "consonant_vowel": "(Word (Syl (C t) (V O) (C p) (C f)) (Syl (C l) (V a:)) (Syl (C d) (V @) (C n)))",
    "structure": (
        "(Word (Syl (Onset (On t)) (Nucleus O) (Coda (Cod p) (Cod f))) (Syl (Onset (On l)) (Nucleus a:))"
        " (Syl (Onset (On d)) (Nucleus @) (Coda (Cod n))))"
    ),
    "positional": (
        "(Word (Syl.ini (Onset.ini (On.ini.1 t)) (Rhyme.ini (Nucleus.ini O) (Coda.ini (Cod.ini.1 p)"
        " (Cod.ini.2 f)))) (Word.part (Syl.med (Onset.med (On.med.1 l)) (Rhyme.med (Nucleus.med a:)))"
        " (Word.part (Syl.fin (Onset.fin (On.fin.1 d)) (Rhyme.fin (Nucleus.fin @)"
        " (Coda.fin (Cod.fin.1 n)))))))"
    ),
    "advanced": (
        "(Word (Syl.ini (Onset.ini (On.ini.1.1 t)) (Rhyme.ini (Nucleus.ini O) (Coda.ini (Cod.ini.1.2 p)"
        " (Cod.ini.2.2 f)))) (Word.part (Syl.med (Onset.med (On.med.1.1 l)) (Rhyme.med (Nucleus.med a:)))"
        " (Word.part (Syl.fin (Onset.fin (On.fin.1.1 d)) (Rhyme.fin (Nucleus.fin @)"
        " (Coda.fin (Cod.fin.1.1 n)))))))"
    ),
}


@pytest.mark.parametrize("grammar", FIGURES)
def test_topfladen(grammar: str) -> None:
    bank = marytts.loads("Topfladen 'tOpf-la:-d@n\nX\n")
    made = transform(bank, [f"syllable_structure:grammar={grammar}"])
    assert bracket.dumps(made) == FIGURES[grammar] + "\n(())\n"
    assert made.sentence_id(0) == "Topfladen"


def test_a_word_of_one_syllable() -> None:
    made = transform(marytts.loads("ja ja:\n"), ["syllable_structure:grammar=positional"])
    assert bracket.dumps(made) == ("(Word (Syl.one (Onset.one (On.one.1 j)) (Rhyme.one (Nucleus.one a:))))\n")


def test_words_without_syllables_are_refused() -> None:
    builder = TreebankBuilder()
    for phonemes in ("", "ab"):
        builder.sentence()
        builder.tokens(form=list(phonemes))
    with raises(
        SentenceError,
        sentence="2",
        problem="a phoneme has no syllable above it, as words read by marytts have",
    ):
        transform(builder.build(), ["syllable_structure:grammar=phoneme"])
