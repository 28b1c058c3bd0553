"""The modes eval07 and conllx: summary, tables and what is fatal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from metrics.eval07 import evaluate, run
from metrics.eval07.conllx import run as run_conllx
from treebanks.errors import CrossbankError
from workflow.cli import main

WORDS = (("Der", "ART", 2, "NK"), ("Hund", "NN", 3, "SB"), ("bellt", "V", 0, "ROOT"), ("”", "$", 3, "--"))
WRONG = (("Der", "ART", 2, "NK"), ("Hund", "NN", 0, "SB"), ("bellt", "V", 2, "OA"), ("”", "$", 2, "--"))


def lines(words: tuple[tuple[str, str, int, str], ...]) -> str:
    return "".join(
        f"{n}\t{word}\t_\t{tag}\t{tag}\t_\t{head}\t{relation}\n"
        for n, (word, tag, head, relation) in enumerate(words, 1)
    )


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    gold, system = tmp_path / "gold.conll", tmp_path / "system.conll"
    gold.write_text((lines(WORDS) + "\n") * 5, encoding="utf-8")
    system.write_text((lines(WRONG) + "\n") * 5, encoding="utf-8")
    return gold, system


SUMMARY = """\
  Labeled   attachment score: 5 / 20 * 100 = 25.00 %
  Unlabeled attachment score: 5 / 20 * 100 = 25.00 %
  Label accuracy score:       15 / 20 * 100 = 75.00 %
"""

WITHOUT_PUNCTUATION = """\
  Labeled   attachment score: 5 / 15 * 100 = 33.33 %
  Unlabeled attachment score: 5 / 15 * 100 = 33.33 %
  Label accuracy score:       10 / 15 * 100 = 66.67 %
"""


def test_the_summary(files: tuple[Path, Path]) -> None:
    assert run(*files)[0].startswith(SUMMARY)
    assert run(*files, options={"quiet": "yes"}) == (SUMMARY, "", 0)


def test_the_two_programs_have_opposite_defaults(files: tuple[Path, Path]) -> None:
    quiet = {"quiet": "yes"}
    assert run(*files, options={**quiet, "punctuation": "exclude"})[0] == WITHOUT_PUNCTUATION
    assert run_conllx(*files, options=quiet)[0] == WITHOUT_PUNCTUATION
    assert run_conllx(*files, options={**quiet, "punctuation": "include"})[0] == SUMMARY


def test_the_tables(files: tuple[Path, Path]) -> None:
    report = run(*files)[0]
    for expected in (
        "  V          |     5 |     0 |   0% |     0 |   0% |     0 |   0%\n",
        "  total      |    20 |    15 |  75% |     5 |  25% |     5 |  25%\n",
        "  SB              |    5 |       5 |      5 |     100.00 |        100.00\n",
        "  SB              |    5 |       0 |      5 |       0.00 |          0.00\n",
        "  OA              |    0 |       0 |      5 |        NaN |          0.00\n",
        "  to_root         |    5 |       0 |      5 |       0.00 |          0.00\n",
        "  self            |    0 |       0 |      0 |        NaN |           NaN\n",
        "  1               |   15 |       5 |     10 |      33.33 |         50.00\n",
        "    5  ** ROOT / ** SB \n",
        "    5  SB *ROOT* -- / *ROOT* \n",
        "    5  NK *SB* / NK *SB* OA -- \n",
    ):
        assert expected in report
    assert "\n  Number of non-scoring tokens: 0\n" in report


def test_derivational_links_can_be_left_out(tmp_path: Path) -> None:
    path = tmp_path / "a.conll"
    path.write_text(lines(WORDS).replace("NK", "DERIV"), encoding="utf-8")
    report = run(path, path, options={"quiet": "yes", "deriv": "exclude"})[0]
    assert "3 / 3 * 100 = 100.00 %" in report


def test_an_other_word_is_a_warning_once(files: tuple[Path, Path]) -> None:
    files[1].write_text(files[1].read_text(encoding="utf-8").replace("Hund", "Hünd"), encoding="utf-8")
    report, warning, code = run(*files)
    assert report.startswith(SUMMARY)
    assert "system.conll:2: found the word and tag 'Hünd NN', expected 'Hund NN'" in warning
    assert (warning.count("\n"), code) == (1, 0)


@pytest.mark.parametrize(
    ("system", "message"),
    [
        (lines(WRONG)[:-1] + "\n\n" + lines(WRONG), "system.conll:6: found words, expected a blank line"),
        (lines(WRONG[:3]), "system.conll:4: found no words, expected words as in"),
        (lines(WRONG).replace("\tNK", ""), "system.conll:1: found 7 columns, expected at least 8"),
    ],
)
def test_what_is_fatal(tmp_path: Path, system: str, message: str) -> None:
    files = tmp_path / "gold.conll", tmp_path / "system.conll"
    files[0].write_text(lines(WORDS) + "\n\n", encoding="utf-8")
    files[1].write_text(system, encoding="utf-8")
    with pytest.raises(CrossbankError, match=message):
        run(*files)


def test_nothing_to_score_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "a.conll"
    path.write_text("1\t.\t_\tX\tX\t_\t0\tROOT\n\n", encoding="utf-8")
    with pytest.raises(CrossbankError, match="found no token that counts"):
        run_conllx(path, path)


def test_json_of_both_modes(files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    for mode, las in (("eval07", 5 / 20), ("conllx", 5 / 15)):
        assert main(["score", "--mode", mode, "--json", *map(str, files)]) == 0
        scores = {s["measure"]: s["value"] for s in json.loads(capsys.readouterr().out)["scores"]}
        assert (scores["las"], scores["uas"]) == (las, las)


def test_shuffled_sentences_and_a_treebank_against_itself(files: tuple[Path, Path]) -> None:
    assert set(evaluate(files[0], files[0]).counts().values().values()) == {1.0}
    before = run(*files, options={"quiet": "yes"})[0]
    other = lines(WORDS[:3]) + "\n"
    for path in files:
        path.write_text(other + path.read_text(encoding="utf-8"), encoding="utf-8")
    first = run(*files, options={"quiet": "yes"})[0]
    for path in files:
        text = path.read_text(encoding="utf-8")
        path.write_text(text.removeprefix(other) + other, encoding="utf-8")
    assert run(*files, options={"quiet": "yes"})[0] == first != before
