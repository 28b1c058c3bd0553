"""Plain text: a sentence a line."""

from pathlib import Path

from crossbank.treebanks.formats import read, text


def test_a_line_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("Der Hund  bellt .\n\nJa\n", encoding="utf-8")
    bank = read(tmp_path / "x.txt")
    assert [bank.words(sentence) for sentence in range(3)] == [["Der", "Hund", "bellt", "."], [], ["Ja"]]
    assert bank.where(2) == f"{tmp_path / 'x.txt'}:3"
    assert text.dumps(bank) == "Der Hund bellt .\n\nJa\n"
