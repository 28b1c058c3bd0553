"""Plain text: a sentence a line."""

from pathlib import Path

import pytest

from crossbank.treebanks.errors import SentenceError
from crossbank.treebanks.files import write_chunks
from crossbank.treebanks.formats import read, text
from tests.errors import raises


def test_a_line_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("Der Hund  bellt .\n\nJa\n", encoding="utf-8")
    bank = read(tmp_path / "x.txt")
    assert [bank.words(sentence) for sentence in range(3)] == [["Der", "Hund", "bellt", "."], [], ["Ja"]]
    assert bank.where(2) == f"{tmp_path / 'x.txt'}:3"
    assert text.dumps(bank) == "Der Hund bellt .\n\nJa\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le"])
def test_a_byte_order_mark_of_the_first_word_is_kept(tmp_path: Path, encoding: str) -> None:
    """Readers remove the first mark of a file, so that one that belongs to a word has another before it."""
    path = tmp_path / "words.txt"
    bank = text.loads("\ufeffAnna schläft\n\ufeffEva\n")
    text.dump(bank, path, encoding=encoding)
    assert [text.load(path, encoding=encoding).words(row) for row in range(2)] == [
        ["\ufeffAnna", "schläft"],
        ["\ufeffEva"],
    ]
    write_chunks(path, [text.dumps(bank[:1]), text.dumps(bank[1:])])
    assert text.load(path).words(1) == ["\ufeffEva"]
    assert text.load(path).words(0)[0] == "\ufeffAnna"


def test_a_word_without_letters_is_refused() -> None:
    """It would leave nothing in the line, and the words after it would have other positions."""
    bank = text.loads("Anna schläft\n").with_strings("tokens", "form", lambda form: form.removeprefix("Anna"))
    with raises(
        SentenceError, path="text", line=1, sentence="1", problem="found the word '', which text cannot hold"
    ):
        text.dumps(bank)
