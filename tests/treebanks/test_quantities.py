"""Numbers with their nouns."""

import pytest

from crossbank.treebanks.errors import shortened
from crossbank.treebanks.quantities import describe_amount, plural_of, quantity


@pytest.mark.parametrize(
    ("number", "noun", "message"),
    [
        (0, "sentence", "0 sentences"),
        (1, "sentence", "1 sentence"),
        (2193, "sentence", "2,193 sentences"),
        (2, "entry", "2 entries"),
        (2, "key", "2 keys"),
        (2, "branch", "2 branches"),
        (2, "other analysis", "2 other analyses"),
        (1, "other analysis", "1 other analysis"),
    ],
)
def test_a_noun_agrees_with_its_number(number: int, noun: str, message: str) -> None:
    assert quantity(number, noun) == message


def test_a_phrase_has_a_plural_of_its_own() -> None:
    assert quantity(2, "word of gold", "words of gold") == "2 words of gold"
    assert plural_of("word of gold") != "words of gold"


@pytest.mark.parametrize(
    ("number", "note", "message"),
    [
        (1, "sentences of the candidate with a cycle", "1 sentence of the candidate with a cycle"),
        (2, "sentences of the candidate with a cycle", "2 sentences of the candidate with a cycle"),
        (1, "dependencies on empty nodes", "1 dependency on empty nodes"),
    ],
)
def test_a_note_is_put_in_the_singular_for_one(number: int, note: str, message: str) -> None:
    assert describe_amount(number, note) == message


def test_a_long_message_is_not_cut_within_a_name() -> None:
    names = [f"relation_{number}" for number in range(100)]
    message = f"own.yaml:7: found 'x', expected one of {', '.join(names)}"
    for longest in range(100, 400):
        first, last = shortened(message, longest).split(" ... ")
        assert message.startswith(f"{first} ")
        assert message.endswith(f" {last}")
        assert longest - 30 < len(first) + len(last) + 5 <= longest
    assert shortened(f"a:1: found {'x' * 1000!r}, expected y").startswith("a:1: found 'xxx")
