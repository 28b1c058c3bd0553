"""Rehbein and van Genabith (2007): Treebank Annotation Schemes and Parser Evaluation for German. EMNLP-CoNLL.

Section 3.3: dependencies of the trees in Figures 3 and 4, as WORD POS HEAD triples.
"""

from crossbank.converters.scheme_files import load_scheme
from crossbank.converters.transformations import transform
from crossbank.treebanks import Treebank
from tests.converters.banks import bank_of
from tests.literature.printed import replicates

TIGER = load_scheme("tiger")

GOLD = """(TOP (S (NP 0=Die/ART 1=Regierung/NN) 2=rief/VVFIN (PP 3=zum/APPRART 4=weltweiten/ADJA 5=Kampf/NN
    (PP 6=gegen/APPR 7=Terror/NN)) 8=auf/PTKVZ) 9=./$.)"""
PARSED = """(TOP (S (NP 0=Die/ART 1=Regierung/NN) 2=rief/VVFIN (PP 3=zum/APPRART 4=weltweiten/ADJA 5=Kampf/NN)
    (PP 6=gegen/APPR 7=Terror/NN) 8=auf/PTKVZ) 9=./$.)"""

TABLE_2 = {
    ("Die", "ART", "Regierung"),
    ("Regierung", "NN", "rief"),
    ("rief", "VVFIN", "-"),
    ("zum", "APPRART", "rief"),
    ("weltweiten", "ADJA", "Kampf"),
    ("Kampf", "NN", "zum"),
    ("gegen", "APPR", "zum"),
    ("Terror", "NN", "gegen"),
    ("auf", "PTKVZ", "rief"),
}
TABLE_3 = ("gegen", "APPR", "rief")


def triples(bank: Treebank, sentence: int) -> set[tuple[str, str, str]]:
    """Return WORD POS HEAD of all words but punctuation; the root's head is ``-``."""
    bank = transform(bank, TIGER.views["dependencies"], TIGER)
    rows, words = bank.tokens.rows(sentence), bank.words(sentence)
    tags, heads = bank.vocabulary.decode(bank.tokens.pos[rows]), bank.tokens.head[rows].tolist()
    return {
        (word, tag, words[head] if head >= 0 else "-")
        for word, tag, head in zip(words, tags, heads, strict=True)
        if tag not in TIGER.punctuation.tags
    }


def test_table_2_gold_triples() -> None:
    computed = triples(bank_of(GOLD, PARSED), 0)
    assert computed == TABLE_2
    replicates("Rehbein and van Genabith (2007)", "Table 2", "triples of gold", len(TABLE_2), len(computed))


def test_table_3_the_attachment_error_is_one_wrong_triple() -> None:
    parsed = triples(bank_of(GOLD, PARSED), 1)
    assert parsed - TABLE_2 == {TABLE_3}
    actual = f"{100 * len(parsed & TABLE_2) / len(parsed):.2f}"
    replicates("Rehbein and van Genabith (2007)", "Table 3", "triples that are right", "88.89", actual)


def test_functions_give_the_same_triples() -> None:
    functional = """(S (NP:SB 0=Die/ART:NK 1=Regierung/NN:NK) 2=rief/VVFIN:HD (PP:OP 3=zum/APPRART:AC
        4=weltweiten/ADJA:NK 5=Kampf/NN:NK (PP:MNR 6=gegen/APPR:AC 7=Terror/NN:NK)) 8=auf/PTKVZ:SVP)"""
    assert triples(bank_of(functional), 0) == TABLE_2
