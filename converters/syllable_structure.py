"""Syllable structure: the six types of trees from which Müller (2002) reads grammars.

Müller, Karin (2002): Evaluating Syllabification: One Category Shared by Many Grammars. Beyond PARSEVAL,
section 2, Figures 1 to 6. All of them have the category Syl; what is below and above it differs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from crossbank.converters.declaration import transformation
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import Treebank
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.tables import NO_PARENT

SyllableGrammar = Literal["treebank", "phoneme", "consonant_vowel", "structure", "positional", "advanced"]

VOWELS = frozenset("aeiouyIYEUO926@")
"""The vowels of SAMPA for German, without marks of length and nasality; 6 is the vocalised r."""


@transformation(position=300)
def syllable_structure(bank: Treebank, scheme: Scheme | None = None, *, grammar: SyllableGrammar) -> Treebank:
    """Give the syllables of words, as ``marytts`` reads them, the structure of one of the six grammars.

    grammar  ``treebank``: a syllable is a sequence of phonemes; ``phoneme``: each below P;
             ``consonant_vowel``: below C or V; ``structure``: onset, nucleus and coda;
             ``positional``: with the syllable's position in the word (ini, med, fin, one) and the
             consonant's in its cluster; ``advanced``: with the size of the cluster too

    The nucleus reaches from the first vowel to the last. A syllable without a vowel consists of a coda.
    """
    builder = TreebankBuilder("syllables")
    for sentence in range(len(bank)):
        builder.sentence()
        rows = bank.nodes.rows(sentence)
        parents = bank.tokens.parent[bank.tokens.rows(sentence)].tolist()
        if not parents:
            continue
        if NO_PARENT in parents:
            raise bank.refused(sentence, "a phoneme has no syllable above it, as words read by marytts have")
        labels = bank.vocabulary.decode(bank.nodes.label[rows])
        syllables: dict[int, list[str]] = {}
        for phone, parent in zip(bank.words(sentence), parents, strict=True):
            syllables.setdefault(parent, []).append(phone)
        root = builder.node(label=labels[0])
        above = root
        for index, phones in enumerate(syllables.values()):
            position = "ini" if index == 0 else "fin" if index == len(syllables) - 1 else "med"
            position = "one" if len(syllables) == 1 else position
            if grammar in ("positional", "advanced") and index > 0:
                above = builder.node(label="Word.part", parent=above)
            _add_syllable(builder, phones, above, grammar, position)
    made = builder.build()
    vocabulary, codes = made.vocabulary.extended(bank.vocabulary)
    return made.replace(vocabulary=vocabulary, sentences=bank.sentences.recoded(codes), history=bank.history)


def _add_syllable(
    builder: TreebankBuilder, phones: Sequence[str], above: int, grammar: SyllableGrammar, position: str
) -> None:
    vowels = [index for index, phone in enumerate(phones) if phone[0] in VOWELS]
    first, last = (vowels[0], vowels[-1] + 1) if vowels else (0, 0)
    onset, nucleus, coda = phones[:first], phones[first:last], phones[last:]
    if grammar in ("treebank", "phoneme", "consonant_vowel"):
        syllable = builder.node(label="Syl", parent=above)
        for index, phone in enumerate(phones):
            vowel = "V" if first <= index < last else "C"
            tag = {"treebank": phone, "phoneme": "P", "consonant_vowel": vowel}[grammar]
            builder.token(form=phone, pos=tag, parent=syllable)
        return
    marked = "" if grammar == "structure" else f".{position}"
    syllable = rhyme = builder.node(label=f"Syl{marked}", parent=above)
    _add_cluster(builder, onset, syllable, ("On", "Onset"), grammar, marked)
    if marked:
        rhyme = builder.node(label=f"Rhyme{marked}", parent=syllable)
    for phone in nucleus:
        builder.token(form=phone, pos=f"Nucleus{marked}", parent=rhyme)
    _add_cluster(builder, coda, rhyme, ("Cod", "Coda"), grammar, marked)


def _add_cluster(
    builder: TreebankBuilder,
    phones: Sequence[str],
    above: int,
    names: tuple[str, str],
    grammar: SyllableGrammar,
    marked: str,
) -> None:
    """Add a cluster of consonants with a tag and a label, unless it is empty."""
    if not phones:
        return
    tag, label = names
    cluster = builder.node(label=f"{label}{marked}", parent=above)
    size = f".{len(phones)}" if grammar == "advanced" else ""
    for index, phone in enumerate(phones, 1):
        pos = f"{tag}{marked}.{index}{size}" if marked else tag
        builder.token(form=phone, pos=pos, parent=cluster)
