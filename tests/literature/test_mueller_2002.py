"""Müller (2002), Tables 2 and 3: six grammars that get the word Topfladen wrong in the same way."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from crossbank.metrics.counting.scoring import scoring_of
from crossbank.metrics.pairing.pair import pair
from crossbank.metrics.parseval import Parseval
from crossbank.metrics.selected import Selected
from crossbank.treebanks import CrossbankError, OptionError, Treebank
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.formats import marytts
from crossbank.treebanks.formats.bracket import loads
from tests.errors import raises
from tests.literature.printed import replicates

PHONES = ["t", "O", "p", "f", "l", "a:", "d", "@", "n"]

SYLLABLES = ("Wrd(0:9) Syl(0:3) Syl(3:6) Syl(6:9)", "Wrd(0:9) Syl(0:4) Syl(4:6) Syl(6:9)")

ONSETS = (
    f"{SYLLABLES[0]} Onset(0:1) Coda(2:3) Onset(3:5) Onset(6:7) Coda(8:9)",
    f"{SYLLABLES[1]} Onset(0:1) Coda(2:4) Onset(4:5) Onset(6:7) Coda(8:9)",
)

POSITIONS = (
    "Wrd(0:9) Syl.ini(0:3) Onset.ini(0:1) Rhyme.ini(1:3) Coda.ini(2:3) Wrd.part(3:9) Syl.med(3:6)"
    " Onset.med(3:5)"
    " Rhyme.med(5:6) Wrd.part(6:9) Syl.fin(6:9) Onset.fin(6:7) Rhyme.fin(7:9) Coda.fin(8:9)",
    "Wrd(0:9) Syl.ini(0:4) Onset.ini(0:1) Rhyme.ini(1:4) Coda.ini(2:4) Wrd.part(4:9) Syl.med(4:6)"
    " Onset.med(4:5)"
    " Rhyme.med(5:6) Wrd.part(6:9) Syl.fin(6:9) Onset.fin(6:7) Rhyme.fin(7:9) Coda.fin(8:9)",
)

NUCLEI = "Nucleus.ini(1:2) Nucleus.med(5:6) Nucleus.fin(7:8)"

TABLE_2 = {
    "treebank grammar": ("Wrd(0:9)", "Wrd(0:9)", "1/1"),
    "phoneme grammar": (*SYLLABLES, "2/4"),
    "consonant-vowel grammar": (*SYLLABLES, "2/4"),
    "syllable structure grammar": (*ONSETS, "5/9"),
    "positional syllable structure grammar": (*POSITIONS, "8/14"),
    "advanced positional syllable structure grammar": (*POSITIONS, "8/14"),
}

CONSONANTS = " C(0:1) V(1:2) C(2:3) C(3:4) C(4:5) V(5:6) C(6:7) V(7:8) C(8:9)"

TABLE_3 = {
    "treebank grammar": (*SYLLABLES, "2/4"),
    "phoneme grammar": (*(s + re.sub("[CV]", "P", CONSONANTS) for s in SYLLABLES), "11/13"),
    "consonant-vowel grammar": (*(s + CONSONANTS for s in SYLLABLES), "11/13"),
    "syllable structure grammar": (
        f"{ONSETS[0]} On(0:1) Nucleus(1:2) Cod(2:3) On(3:4) On(4:5) Nucleus(5:6) On(6:7)"
        " Nucleus(7:8) Cod(8:9)",
        f"{ONSETS[1]} On(0:1) Nucleus(1:2) Cod(2:3) Cod(3:4) On(4:5) Nucleus(5:6) On(6:7)"
        " Nucleus(7:8) Cod(8:9)",
        "13/18",
    ),
    "positional syllable structure grammar": (
        f"{POSITIONS[0]} {NUCLEI} On.ini.1(0:1) Cod.ini.1(2:3) On.med.1(3:4) On.med.2(4:5)"
        " On.fin.1(6:7) Cod.fin.1(8:9)",
        f"{POSITIONS[1]} {NUCLEI} On.ini.1(0:1) Cod.ini.1(2:3) Cod.ini.2(3:4) On.med.1(4:5)"
        " On.fin.1(6:7) Cod.fin.1(8:9)",
        "15/23",
    ),
    "advanced positional syllable structure grammar": (
        f"{POSITIONS[0]} {NUCLEI} On.ini.1.1(0:1) Cod.ini.1.1(2:3) On.med.1.2(3:4) On.med.2.2(4:5)"
        " On.fin.1.1(6:7)"
        " Cod.fin.1.1(8:9)",
        f"{POSITIONS[1]} {NUCLEI} On.ini.1.1(0:1) Cod.ini.1.2(2:3) Cod.ini.2.2(3:4) On.med.1.1(4:5)"
        " On.fin.1.1(6:7)"
        " Cod.fin.1.1(8:9)",
        "14/23",
    ),
}  # fmt: skip


def tree(printed: str) -> Treebank:
    """Return the tree of the brackets that a table prints, larger ones first and in their order where"
    " they are equal."""
    matches = re.findall(r"([\w.]+)\((\d):(\d)\)", printed)
    spans = [(label, int(start), int(end)) for label, start, end in matches]
    spans.sort(key=lambda span: (span[1], -span[2]))
    builder = TreebankBuilder()
    builder.sentence()
    open_nodes: list[int] = []
    for node, (label, start, _) in enumerate(spans):
        while open_nodes and spans[open_nodes[-1]][2] <= start:
            open_nodes.pop()
        builder.node(label=label, parent=open_nodes[-1] if open_nodes else -1)
        open_nodes.append(node)
    for index, phone in enumerate(PHONES):
        over = [node for node, (_, start, end) in enumerate(spans) if start <= index < end]
        builder.token(form=phone, parent=over[-1])
    return builder.build()


@pytest.mark.parametrize("table", ["Table 2", "Table 3"])
@pytest.mark.parametrize("grammar", TABLE_2)
def test_labelled_precision(table: str, grammar: str) -> None:
    top, bottom, precision = (TABLE_2 if table == "Table 2" else TABLE_3)[grammar]
    counts = Parseval().counts(pair(tree(bottom), tree(top)))
    actual = f"{int(counts.columns['matched'][0])}/{int(counts.columns['candidate'][0])}"
    replicates("Müller (2002)", table, f"labelled precision, {grammar}", precision, actual)


@pytest.mark.parametrize("grammar", TABLE_3)
def test_word_accuracy_0_and_syllable_accuracy_33(grammar: str) -> None:
    top, bottom, _ = TABLE_3[grammar]
    counts = Selected(labels=("Syl*",)).counts(pair(tree(bottom), tree(top)))
    for name, measure, printed in (
        ("word", "unit_accuracy", "0"),
        ("syllable", "constituent_accuracy", "33"),
    ):
        actual = f"{100 * counts.value(measure):.0f}"
        replicates("Müller (2002)", "section 3.2", f"{name} accuracy, {grammar}", printed, actual)


def test_ranges_and_labels() -> None:
    gold = loads("(S (NP (A a) (B b)) (NP (C c)) (PP (D d)))\n(S (A a))")
    candidate = loads("(S (NP (A a) (B b)) (NQ (C c)) (NP (D d)))\n(S (A a))")
    counts = Selected(labels=("N*",)).counts(pair(gold, candidate))
    assert (counts.value("precision"), counts.value("recall")) == (1 / 3, 1 / 2)
    assert (counts.value("range_precision"), counts.value("range_recall")) == (2 / 3, 1)
    assert counts.columns["units"].tolist() == [1, 0]


def test_labels_that_nobody_has() -> None:
    both = pair(loads("(S (NP (A a)))"), loads("(S (VP (A a)))"))
    (metric,) = scoring_of(["selected"], {"labels": "NP+NPP"}).metrics
    with raises(OptionError, kind="option labels of selected", value="NPP"):
        metric.counts(both)
    with raises(CrossbankError, "selected", "labels"):
        Selected().counts(both)


VOWELS = set("aeiouyIYEUO926@")


def by_rule(bank: Treebank) -> Treebank:
    """Return a second syllabification: a syllable begins with the last consonant before each vowel."""
    lines = []
    for word in range(len(bank)):
        signs = bank.words(word)
        vowels = [i for i, sign in enumerate(signs) if sign[0] in VOWELS]
        nuclei = [i for i in vowels if i == 0 or i - 1 not in vowels or signs[i] not in "IUY6"]
        begins = {max(i - 1, 0) if i - 1 not in vowels else i for i in nuclei[1:]}
        line = "".join("-" * (i in begins and i > 0) + sign for i, sign in enumerate(signs))
        lines.append(f"{bank.sentence_id(word)} {line}".rstrip())
    return marytts.loads("\n".join(lines))


@pytest.mark.slow
def test_our_own_figures_of_a_second_syllabification_of_the_lexicon(shared_data: Path) -> None:
    """Nobody has printed these: they are our own output, kept so that a change is seen."""
    gold = marytts.load(shared_data / "marytts-lexicon-de" / "de.txt")
    assert (len(gold), int((gold.tokens.lengths() == 0).sum())) == (36305, 10073)
    counts = Selected(labels=("Syl",)).counts(pair(gold, by_rule(gold)))
    assert counts.columns["units"].sum() == 26232
    assert round(counts.value("unit_accuracy"), 4) == 0.7121
    assert round(counts.value("constituent_accuracy"), 4) == 0.8019
    assert Selected(labels=("Syl",)).counts(pair(gold, gold)).value("unit_accuracy") == 1


def test_lexicon_lines() -> None:
    text = "# comment\nAachen '?a:-x@n\nFreilassung\nHerzinfarkt 'hE6ts-?In-,fa6kt\n"
    bank = marytts.loads(text)
    assert bank.words(0) == ["?", "a:", "x", "@", "n"]
    assert [bank.vocabulary[code] for code in bank.nodes.label[:3]] == ["Word", "Syl", "Syl"]
    assert bank.vocabulary.decode(bank.nodes.function[bank.nodes.rows(2)]) == ["", "'", "", ","]
    assert marytts.dumps(bank) == text.removeprefix("# comment\n")
