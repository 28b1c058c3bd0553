"""Leaves of GreynirCorpus: a word with its lemma in brackets of its own."""

from __future__ import annotations

from crossbank.treebanks.formats import bracket, greynir

TREES = (
    "(S0 (IP (NP-SUBJ (fn_et_nf Hann (lemma hann))) (VP (so_et_p3 fer (lemma fara) (seg x) (n 1)))) (p .))\n"
    "(S0 (no_hk hús (lemma hús)))\n"
)


def test_a_leaf_is_one_token() -> None:
    bank = greynir.loads(TREES)
    assert [bank.words(i) for i in range(2)] == [["Hann", "fer", "."], ["hús"]]
    assert bank.vocabulary.decode(bank.tokens.pos) == ["fn_et_nf", "so_et_p3", "p", "no_hk"]
    assert bank.vocabulary.decode(bank.tokens.lemma) == ["hann", "fara", "", "hús"]
    assert bank.vocabulary.decode(bank.tokens.misc) == ["", "seg=x|n=1", "", ""]
    assert bracket.dumps(bank) == (
        "(S0 (IP (NP-SUBJ (fn_et_nf Hann)) (VP (so_et_p3 fer))) (p .))\n(S0 (no_hk hús))\n"
    )
    assert not bank.diagnosis


def test_the_reader_of_brackets_names_the_format() -> None:
    bank = bracket.loads(TREES)
    assert bank.words(1) == ["hús", "hús"]
    assert [finding.event for finding in bank.diagnosis] == [
        "words without a tag",
        "lemmas read as words (the format greynir reads them as lemmas)",
    ]


def test_other_words_beside_brackets_stay() -> None:
    text = "(NP the (NN dog))\n(NP a (X (lemma b)))\n(NP (lemma b) a)\n"
    assert greynir.loads(text).equals(bracket.loads(text), ignore=["source"])
