"""Token lists of the ``conllu`` package: equal to its own parse, and back."""

from pathlib import Path

import conllu as package
import pytest
from conllu import Token, TokenList

from crossbank.treebanks import FormatError, Treebank
from crossbank.treebanks.formats import conllu
from tests.errors import raises
from tests.treebanks.test_conllu import WHOLE


def test_equal_to_the_parse_of_the_package() -> None:
    bank = conllu.loads(WHOLE)
    for computed, reference in zip(map(bank.token_list, range(2)), package.parse(WHOLE), strict=True):
        assert computed == reference
        assert computed.metadata == reference.metadata
    assert bank.token_list(0)[0]["id"] == (0, ".", 1)
    assert bank.token_list(0)[1]["id"] == (1, "-", 2)


def test_back_and_forth() -> None:
    lists = package.parse(WHOLE.replace("#a comment without space\n", ""))
    bank = Treebank.from_token_lists(lists)
    again = [bank.token_list(i) for i in range(len(bank))]
    assert again == lists
    assert [tokens.metadata for tokens in again] == [tokens.metadata for tokens in lists]
    assert conllu.dumps(bank) == WHOLE.replace("#a comment without space\n", "")


def test_forms_with_two_spaces_and_values_with_an_equals_sign_stay_whole() -> None:
    text = "1\ta  b\t_\t_\t_\t_\t0\troot\t_\tGloss=x=y|Flag|None=_\n\n"
    tokens = conllu.loads(text).token_list(0)
    assert tokens[0]["form"] == "a  b"
    assert tokens[0]["misc"] == {"Gloss": "x=y", "Flag": "", "None": None}
    assert conllu.dumps(Treebank.from_token_lists([tokens])) == text


def test_tokens_with_few_fields() -> None:
    lists = [TokenList([Token(id=1, form="a", head=0, feats={}, deps=[]), Token(id=2, form="b", head=1)])]
    bank = Treebank.from_token_lists(lists)
    assert bank.words(0) == ["a", "b"]
    assert bank.tokens.head.tolist() == [-1, 0]
    assert bank.diagnosis == ()


def test_token_lists_that_are_no_sentence_are_refused() -> None:
    with raises(FormatError, line=1, sentence="1", actual="the number '_'", expected="word 1"):
        Treebank.from_token_lists([TokenList([Token(form="a")])])


def test_a_sentence_without_words() -> None:
    bank = conllu.loads("# sent_id = none\n\n" + WHOLE)
    assert len(bank.token_list(0)) == 0
    assert bank.token_list(0).metadata == {"sent_id": "none"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "conll18/00-gold-standard/de_gsd.conllu",
        "conll18/HIT-SCIR-18/en_pud.conllu",
        "farpahc/ud/fo_farpahc-ud-dev.conllu",
        "gum/dep/GUM_interview_mckenzie.conllu",
    ],
)
def test_real_files(shared_data: Path, name: str) -> None:
    reference = package.parse((shared_data / name).read_text(encoding="utf-8"))
    bank = conllu.load(shared_data / name)
    assert len(bank) == len(reference)
    computed = [bank.token_list(i) for i in range(len(bank))]
    assert computed == reference
    assert [tokens.metadata for tokens in computed] == [tokens.metadata for tokens in reference]
    back = Treebank.from_token_lists(reference)
    assert [back.token_list(i) for i in range(0, len(back), 10)] == reference[::10]
