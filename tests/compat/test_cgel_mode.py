"""Mode cgel: the reports that the authors' program printed, and small trees that show what it counts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from crossbank.treebanks import CrossbankError
from crossbank.treebanks.errors import OptionError
from tests.compat.modes import Mode
from tests.errors import raises

mode = Mode("cgel")

# Our own sentence, twice: the second annotator has another category, another antecedent, a word written
# otherwise, and one phrase more.
GOLD = """\
(Clause
    :Prenucleus (x / NP :Head (N_pro :t "what"))
    :Head (Clause
        :Subj (y / NP :Head (N_pro :t "we"))
        :Head (VP
            :Head (V :t "saw")
            :Obj (x / GAP))))
"""
OTHER = """\
(Clause
    :Prenucleus (x / NP :Head (D :t "what"))
    :Head (Clause
        :Subj (y / NP :Head (Nom :Head (N_pro :t "We")))
        :Head (VP
            :Head (V :t "saw")
            :Obj (y / GAP))))
"""


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    for name, text in (("gold", GOLD), ("other", OTHER)):
        (tmp_path / f"{name}.cgel").write_text(text)
    return tmp_path / "gold.cgel", tmp_path / "other.cgel"


def test_all_comparisons_as_they_were_printed(shared_data: Path) -> None:
    folder = shared_data / "cgel" / "iaa"
    printed = re.split(r"(?m)^# (?=\w+ ~)", (folder / "iaa.out").read_text())[1:]
    assert len(printed) == 8
    for comparison in printed:
        _, command, report = comparison.split("\n", 2)
        gold, other = (folder / Path(name).name for name in command.split()[2:])
        assert mode.run(gold, other) == (report.rstrip("\n") + "\n", "", 0)


def test_what_costs_what(files: tuple[Path, Path]) -> None:
    counts = mode.evaluate(*files).counts()
    sums = {name: float(value) for name, value in counts.sums().items()}
    assert (sums["gold"], sums["candidate"]) == (9, 10)
    # A nominal is inserted. The category of what, the spelling of we and the antecedent of the gap differ: a
    # quarter of an edit each, half of it on either side.
    assert (sums["flex inserted"], sums["flex deleted"]) == (1.375, 0.375)
    assert (sums["nocat inserted"], sums["unlab inserted"]) == (1.25, 1.25)
    assert (sums["strict inserted"], sums["strict deleted"]) == (2.5, 1.5)
    # Its precision takes the deletions.
    assert counts.values()["flex_precision"] == pytest.approx((10 - 0.375) / 10)
    assert counts.values()["flex_recall"] == pytest.approx((9 - 1.375) / 9)
    assert counts.values()["gaps_f1"] == 0
    assert "{'N_pro->D': 1}" in mode.run(*files)[0]
    assert "{'we->We': 1}" in mode.run(*files)[0]


def test_a_gap_may_be_aligned_to_a_word(files: tuple[Path, Path]) -> None:
    gold, other = files
    other.write_text(OTHER.replace("(y / GAP)", '(N :t "it")'))
    report = mode.run(gold, other)[0]
    assert "'GAP->N': 1" in report
    assert "{'we->We': 1, '->it': 1}" in report or "'->it': 1" in report


@pytest.mark.parametrize(
    ("old", "new", "names"),
    [
        ("(y / NP", "(x / NP", ("other.cgel:4:", "index x")),
        ("(y / GAP)", "(GAP)", ("other.cgel:7:", "gap")),
        ("(y / GAP)", "(z / GAP)", ("other.cgel:", "gap", "index z")),
        ("(Clause\n    :P", '(NP :Head (N :t "a"))\n\n(Clause\n    :P', ("other.cgel:", "2 trees", "1")),
    ],
)  # fmt: skip
def test_where_the_program_ends(files: tuple[Path, Path], old: str, new: str, names: tuple[str, ...]) -> None:
    gold, other = files
    other.write_text(OTHER.replace(old, new))
    with raises(CrossbankError, *names):
        mode.run(gold, other)


def test_what_it_does_not_take(files: tuple[Path, Path]) -> None:
    with raises(OptionError, kind="option of cgel", value="labels", allowed="none (cgel has no options)"):
        mode.run(*files, options={"labels": "no"})
    with raises(OptionError, "cgel", kind="format", value="bracket"):
        mode.run(*files, format="bracket")


def test_deep_trees(tmp_path: Path) -> None:
    depth = 400
    text = "(NP " + ":Head (NP " * depth + ':Head (N :t "a")' + ")" * (depth + 1) + "\n"
    gold, other = tmp_path / "gold.cgel", tmp_path / "other.cgel"
    gold.write_text(text)
    other.write_text(text.replace("(NP", "(Nom", 3).replace("(N ", "(D "))
    assert mode.evaluate(gold, other).counts().sums()["flex inserted"] == (3 + 1) * 0.25 / 2


def test_lists_of_pairs_that_no_table_needs_are_dropped(tmp_path: Path) -> None:
    """Trees that branch to the left give many tables. With the files exchanged the costs are exchanged."""
    text, other = '(N :t "w0")', '(N :t "w0")'
    for word in range(1, 40):
        text = f'({"NP" if word % 3 else "VP"} :Head {text} :Mod (N :t "w{word}"))'
        other = (
            f'({"NP" if word % 4 else "PP"} :{"Comp" if word % 5 else "Head"} {other} :Mod (N :t "w{word}"))'
        )
    for name, tree in (("gold", text), ("other", other)):
        (tmp_path / f"{name}.cgel").write_text(f"{tree}\n")
    files = (tmp_path / "gold.cgel", tmp_path / "other.cgel")
    one, turned = mode.evaluate(*files).counts().sums(), mode.evaluate(*files[::-1]).counts().sums()
    assert one["flex inserted"] == turned["flex deleted"]
    assert one["flex deleted"] == turned["flex inserted"]
    assert one["flex inserted"] > 0


def test_trees_are_compared_chunk_by_chunk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gold, other = tmp_path / "gold.cgel", tmp_path / "other.cgel"
    gold.write_text("\n".join([GOLD, OTHER, GOLD, GOLD, OTHER]))
    other.write_text("\n".join([OTHER, OTHER, GOLD, OTHER, GOLD]))
    report = mode.run(gold, other)
    counts = mode.evaluate(gold, other).counts()
    for size in (1, 2, 5):
        monkeypatch.setattr("crossbank.compat.cgel.CHUNK", size)
        assert mode.run(gold, other) == report
        again = mode.evaluate(gold, other).counts()
        assert again.sentences == counts.sentences
        assert again.values() == counts.values()
    other.write_text("\n".join([OTHER] * 7))
    with raises(CrossbankError, "other.cgel:", "7 trees", "5"):
        mode.evaluate(gold, other)
