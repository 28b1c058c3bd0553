"""Pronunciation lexica of MaryTTS: words in SAMPA with syllable boundaries, read as trees of syllables.

::

    Aachen '?a:-x@n

becomes ``(Word (Syl ? a:) (Syl x @ n))``: a sentence is a word, its identifier the spelling, a token one
sign of SAMPA with the mark of length or nasality after it. Diphthongs and affricates are two tokens,
since another syllabification may part them. Stress is the function of a syllable, ``'`` or ``,``; marks
inside of a syllable are counted. Lines that begin with ``#`` are comments; a word without a transcription
is a sentence without tokens.

Source: github.com/marytts/marytts-lexicon-de; Wells, John (1997): SAMPA computer readable phonetic alphabet.
"""

from __future__ import annotations

import re

from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.errors import ConversionError, FormatError
from crossbank.treebanks.formats.format import Format
from crossbank.treebanks.formats.text_files import reading_text, writing
from crossbank.treebanks.treebank import Treebank

FORMAT = Format(
    position=110,
    holds={"constituents", "functions", "identifiers"},
)

DAMAGE = "crossbank.treebanks.formats.damaged_lists:MARYTTS"

WORD, SYLLABLE = "Word", "Syl"
SYLLABLES = re.compile(r"[^\s-]+(?:-[^\s-]+)*")
STRESS = re.compile(r"[',]")
SIGN = re.compile(r".[:~]?")


def dumps(bank: Treebank) -> str:
    """Return a lexicon of syllables, one word a line. Raises ConversionError for signs that are in none."""
    return "".join(f"{_line(bank, sentence)}\n" for sentence in range(len(bank)))


def _read(text: str, path: str) -> Treebank:
    """Read a lexicon. Raises FormatError if a transcription is not one of syllables joined by hyphens."""
    builder = TreebankBuilder(path)
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip() or line.startswith("#"):
            continue
        spelling, *transcribed = line.split(maxsplit=1)
        transcription = "".join(transcribed).strip()
        builder.sentence(id=spelling, line=number)
        if not transcription:
            builder.count_event("words without a transcription")
            continue
        if not SYLLABLES.fullmatch(transcription):
            expected = "syllables joined by hyphens, as in '?a:-x@n"
            raise FormatError(path, repr(transcription), expected, line=number, sentence=spelling)
        word = builder.node(label=WORD)
        for syllable in transcription.split("-"):
            stress = STRESS.search(syllable)
            if stress and stress.start():
                builder.count_event("stress marks inside a syllable")
            node = builder.node(label=SYLLABLE, function=stress[0] if stress else "", parent=word)
            for sign in SIGN.findall(STRESS.sub("", syllable)):
                builder.token(form=sign, parent=node)
    bank = builder.build()
    if not len(bank):
        raise FormatError(path, "no word", "lines of a word and its transcription")
    return bank


def _line(bank: Treebank, sentence: int) -> str:
    tokens, nodes = bank.tokens.rows(sentence), bank.nodes.rows(sentence)
    above = bank.nodes.parent[nodes].tolist()
    cells = bank.cells("nodes", sentence, "label", "function")
    syllables: list[str] = []
    last = -1
    for sign, parent in zip(bank.words(sentence), bank.tokens.parent[tokens].tolist(), strict=True):
        node = parent
        while node >= 0 and cells[node][0] != SYLLABLE:
            node = above[node]
        if node < 0:
            where = f"{bank.where(sentence)}: {bank.sentence_id(sentence)}"
            raise ConversionError(f"{where}: {sign!r} is in no syllable (a node {SYLLABLE})")
        if node != last:
            syllables.append(cells[node][1])
            last = node
        syllables[-1] += sign
    return f"{bank.sentence_id(sentence)} {'-'.join(syllables)}".rstrip()


load, loads = reading_text(_read)
dump = writing(dumps)
