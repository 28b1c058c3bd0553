"""Damage of one sentence in formats of every kind: it has no parse or is repaired, and all others stay."""

from __future__ import annotations

from pathlib import Path

import pytest

from crossbank.treebanks.damage.correction import SKIPPED, STEP
from crossbank.treebanks.damage.reading import rules_of
from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.formats import FORMATS, REGISTRY, read
from crossbank.treebanks.treebank import Treebank

LEAF = "(<L NP NNP NNP {} NP>)"

SENTENCES = {
    "unlabelled": ("((Ann) (saw (Ed)))\n", "((Bo) (saw (Ed)))\n", "((Cy) (saw (Ed)))\n"),
    "greynir": tuple(f"(S (no {word} (lemma {word})) (p .))\n" for word in ("hús", "dagur", "vera")),
    "rasp": ("1\n(S (NP Ann) |,|)\n", "2\n(S (NP Bo) |,|)\n", "3\n(S (NP Cy) |,|)\n"),
    "marytts": ("Aal '?a:l\n", "Bauten 'baU-t@n\n", "Haus 'haUs\n"),
    "tigerxml": tuple(
        f'<s id="s{i}"><graph root="s{i}_500"><terminals><t id="s{i}_1" word="{word}" pos="NE"/></terminals>'
        f'<nonterminals><nt id="s{i}_500" cat="S"><edge label="SB" idref="s{i}_1"/></nt></nonterminals>'
        "</graph></s>\n"
        for i, word in enumerate(("Ann", "Bo", "Cy"), 1)
    ),
    "exportxml": tuple(
        f'<sentence xml:id="s{i}"><node xml:id="s{i}_500" cat="S" func="--">'
        f'<word xml:id="s{i}_1" form="{word}" pos="NE" func="HD" parent="s{i}_500"/></node></sentence>\n'
        for i, word in enumerate(("Ann", "Bo", "Cy"), 1)
    ),
    "alpino": tuple(
        f'<alpino_ds><node cat="top" rel="top"><node word="{word}" begin="0" rel="hd" pt="n"/></node>'
        f'<sentence sentid="{i}">{word}</sentence></alpino_ds>\n'
        for i, word in enumerate(("Ann", "Bo", "Cy"), 1)
    ),
    "relations": ("1\n(ncsubj sing Ann _)\n\n", "2\n(ncsubj sing Bo _)\n\n", "3\n(ncsubj sing Cy _)\n\n"),
    "nbest": tuple(
        f"2 {i}\n-1.5\n(S (N {word}))\n-2.5\n(X (N {word}))\n\n"
        for i, word in enumerate(("Ann", "Bo", "Cy"), 1)
    ),
    "auto": tuple(
        f"ID=a.{i} PARSER=GOLD NUMPARSE=1\n(<T NP 0 2> {LEAF.format(word)} {LEAF.format('Ed')} ) \n"
        for i, word in enumerate(("Ann", "Bo", "Cy"), 1)
    ),
    "parg": tuple(
        f'<s id="a.{i}"> 1\n0\t1\tS[dcl]\\NP\t1\t{word}\tsings\n<\\s>\n'
        for i, word in enumerate(("Ann", "Bo", "Cy"), 1)
    ),
    "candc": tuple(
        f"sings_2 S[dcl]\\NP 1 {word}_1\noften_3 S\\S 1 sings_2\n\n" for word in ("Ann", "Bo", "Cy")
    ),
    "langpro": tuple(
        f"ccg({i},\n ba(s:dcl, t(np, '{word}', '{word}', 'NNP', 'O', 'O'),"
        " t(s:dcl\\np, 'sings', 'sing', 'VBZ', 'O', 'O'))).\n"
        for i, word in enumerate(("Ann", "Bo", "Cy"), 1)
    ),
    "cgel": tuple(
        f'# sent_id = {i}\n(Clause\n    :Subj (NP\n        :Head (N :t "{word}"))\n'
        '    :Head (VP :Head (V :t "sings")))\n\n'
        for i, word in enumerate(("Ann", "Bo", "Cy"), 1)
    ),
    "triples": tuple(
        f"sentence(\nid({i})\nsentence_form({word} sings)\nstructure(\nsubj(sing~1, {word}~2)\n))\n"
        for i, word in enumerate(("Ann", "Bo", "Cy"), 1)
    ),
    "xle": tuple(
        f"fstructure('{word}', [], [], [], "
        f"[cf(1, eq(attr(var(0), 'PRED'), semform('{word}', 1, [], [])))], []).\n"
        for word in ("Ann", "Bo", "Cy")
    ),
    "text": ("Ann sings\n", "Bo sings\n", "Cy sings\n"),
}
"""Three sentences in each format."""

FRAMES = {
    "tigerxml": ("<corpus><body>\n", "</body></corpus>\n"),
    "exportxml": ("<exml-doc><body>\n", "</body></exml-doc>\n"),
    "alpino": ("<treebank>\n", "</treebank>\n"),
}

BREAKS = {
    "unlabelled": (")\n", "\n"),
    "greynir": (")\n", "\n"),
    "rasp": (")\n", "\n"),
    "marytts": ("U-t", "U--t"),
    "tigerxml": ("</graph>", ""),
    "exportxml": ("</node>", ""),
    "alpino": ("</node>", ""),
    "relations": ("Bo _)", "Bo _"),
    "nbest": ("))\n-2", ")\n-2"),
    "auto": ("0 2", "0 3"),
    "parg": ("<\\s>\n", ""),
    "candc": ("1 Bo_1", "1 Bo"),
    "langpro": ("))).", "))."),
    "cgel": (")))", "))"),
    "triples": ("Bo~2)", "Bo~2"),
    "xle": (", []).", ", [)."),
    "text": ("Bo", "B\0o"),
}
"""What is damaged in a sentence of each format."""

OTHERS = {"bracket", "discbracket", "export", "conllx", "conllu"}
"""Formats of which test_damage damages more than one sentence in many ways."""


def test_every_format_says_what_happens_to_damaged_sentences() -> None:
    of_modules = {name for name in FORMATS if rules_of(REGISTRY.load(name)) is not None}
    themselves = {name for name, format in FORMATS.items() if format.reads_damaged}
    undivided = {name for name, format in FORMATS.items() if format.undivided}
    assert of_modules == {*SENTENCES, *OTHERS}
    assert of_modules | themselves | undivided == {*FORMATS}
    assert undivided == {"parquet"}


def contents(bank: Treebank, sentence: int) -> tuple[object, ...]:
    """Return what is read of a sentence: words, constituents and relations."""
    one = bank.select([sentence])
    return (
        one.sentence_ids,
        one.words(0),
        one.tokens.parent.tolist(),
        one.vocabulary.decode(one.nodes.label),
        one.vocabulary.decode(one.relations.dependent_word),
    )


@pytest.mark.parametrize("format", SENTENCES)
@pytest.mark.parametrize("damaged_sentence", [0, 1, 2])
def test_one_damaged_sentence(format: str, damaged_sentence: int, tmp_path: Path) -> None:
    sentences = list(SENTENCES[format])
    if damaged_sentence != 1:
        sentences.insert(damaged_sentence, sentences.pop(1))
    begin, end = FRAMES.get(format, ("", ""))
    path = tmp_path / f"a{(FORMATS[format].suffixes or ('.x',))[0]}"
    path.write_text("".join([begin, *sentences, end]))
    whole = read(path, format)
    rows = [int(row) for row in whole.sentences.ordinal - 1]
    old, new = BREAKS[format]
    assert old in sentences[damaged_sentence]
    sentences[damaged_sentence] = sentences[damaged_sentence].replace(old, new, 1)
    path.write_text("".join([begin, *sentences, end]))
    with pytest.raises(CrossbankError):
        read(path, format)
    for policy in ("skip", "repair"):
        bank = read(path, format, damaged=policy)
        ordinals = (bank.sentences.ordinal - 1).tolist()
        assert sorted(set(ordinals)) == [0, 1, 2]
        for sentence in {0, 1, 2} - {damaged_sentence}:
            left = [contents(whole, row) for row, ordinal in enumerate(rows) if ordinal == sentence]
            right = [contents(bank, row) for row, ordinal in enumerate(ordinals) if ordinal == sentence]
            assert left == right
        row = ordinals.index(damaged_sentence)
        events = {one.event for one in bank.diagnosis if one.step == STEP and one.counts[row]}
        if policy == "skip":
            assert events == {SKIPPED}
            assert not bank.tokens.lengths()[row]
            assert not bank.relations.lengths()[row]
        else:
            assert events
            assert SKIPPED not in events
            assert bank.tokens.lengths()[row] or bank.relations.lengths()[row]


@pytest.mark.parametrize("format", ["tigerxml", "exportxml", "alpino", "xle", "auto", "parg", "langpro"])
def test_a_file_whose_only_sentence_is_damaged(format: str, tmp_path: Path) -> None:
    """A mark that no other format has shows that the file is one of these, so it is not lost as a whole."""
    begin, end = FRAMES.get(format, ("", ""))
    old, new = BREAKS[format]
    path = tmp_path / f"a{FORMATS[format].suffixes[0]}"
    path.write_text(begin + SENTENCES[format][1].replace(old, new, 1) + end)
    bank = read(path, format, damaged="skip")
    assert len(bank) == 1
    assert not bank.tokens.lengths()[0]


def test_the_encoding_that_xml_declares_is_that_of_a_damaged_file(tmp_path: Path) -> None:
    begin, end = FRAMES["tigerxml"]
    sentences = [one.replace("Cy", "Zoë") for one in SENTENCES["tigerxml"]]
    sentences[1] = sentences[1].replace("</graph>", "")
    text = f"<?xml version='1.0' encoding='ISO-8859-1'?>\n{begin}{''.join(sentences)}{end}"
    path = tmp_path / "a.xml"
    path.write_bytes(text.encode("latin-1"))
    assert read(path, damaged="skip").words(2) == ["Zoë"]


def test_a_property_that_is_not_closed_begins_no_sentence(tmp_path: Path) -> None:
    def sentence_of(number: int, end: str = ")") -> str:
        return f"sentence(\nid({number}{end}\nsentence_form(Ann sings)\nstructure(\nsubj(sing~1, Ann~2)\n))\n"

    path = tmp_path / "a.triples"
    path.write_text(sentence_of(1, "(") + sentence_of(2) + sentence_of(3), encoding="utf-8")
    bank = read(path, "triples", damaged="repair")
    assert bank.relations.lengths().tolist() == [1, 1, 1]
    assert list(bank.sentence_ids[1:]) == ["2", "3"]
