"""Damaged rows in the export format: the sentence keeps its words, and the repairs are counted."""

from pathlib import Path

import pytest

from crossbank.treebanks.damage import export_rows, marked_sentences
from crossbank.treebanks.formats import read

ROWS = (
    "Ann\tNN\t--\tSB\t500",
    "left\tVV\t--\tHD\t501",
    "home\tADV\t--\tMO\t501",
    "#500\tNP\t--\tSB\t502",
    "#501\tVP\t--\tHD\t502",
    "#502\tS\t--\t--\t0",
)


def sentence(number: int, rows: tuple[str, ...] = ROWS) -> str:
    return "\n".join([f"#BOS {number}", *rows, f"#EOS {number}\n"])


@pytest.mark.parametrize(
    ("index", "row", "repairs"),
    [
        (0, "Ann\tNN\t--\tSB\t599", {export_rows.PARENTS: 1, export_rows.EMPTY: 1}),
        (0, "Ann\tNN\t--\tSB\tx", {export_rows.PARENTS: 1, export_rows.EMPTY: 1}),
        (1, "left\tVV", {export_rows.MISSING: 3}),
        (1, "left\tVV\t501", {export_rows.MISSING: 2}),
        (5, "#502\tS\t--\t--\t501", {export_rows.CYCLES: 1}),
        (5, "#502\tS\t--\t--\t502", {export_rows.CYCLES: 1}),
        (4, "#500\tVP\t--\tHD\t502", {export_rows.REPEATED: 1, export_rows.PARENTS: 2}),
        (0, "Ann\tNN\t--\tSB\t500\tref\t777", {export_rows.SECONDARY: 1}),
        (5, "#502\tS\t--\t--\t0\n#EOS 7", {marked_sentences.END_NUMBER: 1}),
    ],
)
def test_a_damaged_row_is_repaired(tmp_path: Path, index: int, row: str, repairs: dict[str, int]) -> None:
    path = tmp_path / "damaged.export"
    rows = (*ROWS[:index], row, *ROWS[index + 1 :])
    path.write_text(f"#FORMAT 3\n{sentence(1)}{sentence(2, rows)}{sentence(3)}")
    bank = read(path, damaged="repair")
    assert [bank.words(number) for number in range(3)] == [["Ann", "left", "home"]] * 3
    assert {one.event: one.counts.tolist() for one in bank.diagnosis} == {
        kind: [0, number, 0] for kind, number in repairs.items()
    }
    assert bank.nodes.lengths().tolist()[::2] == [3, 3]
