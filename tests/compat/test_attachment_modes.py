"""Modes ``spacy`` and ``supar``: the numbers that the programs print for the same files."""

from __future__ import annotations

from pathlib import Path

import pytest

import crossbank
from crossbank.compat.supar import is_punctuation
from crossbank.metrics.modes.modes_by_name import evaluate
from crossbank.metrics.modes.protocol import Call
from crossbank.treebanks import CrossbankError

GOLD = (
    "Cats:2:nsubj sing:0:root loudly:2:advmod .:2:punct",
    "Ann:2:nsubj:pass seen:0:root %:2:obl …:2:punct",
    "!:0:root",
)
CANDIDATE = (
    "Cats:2:nsubj sing:0:root loudly:2:punct .:1:advmod",
    "Ann:2:nsubj seen:0:root %:2:obl …:3:punct",
    "!:0:root",
)

PRINTED = {
    ("spacy", ""): """\
UAS      85.71
LAS      71.43

                       P       R       F
advmod              0.00    0.00    0.00
nsubj              50.00  100.00   66.67
nsubj:pass          0.00    0.00    0.00
obl               100.00  100.00  100.00
root              100.00  100.00  100.00
""",
    ("supar", ""): "UCM: 100.00% LCM: 33.33% UAS: 100.00% LAS: 60.00%\n",
    ("supar", "punct"): "UCM: 33.33% LCM: 33.33% UAS: 77.78% LAS: 55.56%\n",
}
"""What spaCy 3.8 and supar 1.1.4 have for the files; the table of relations is laid out anew."""


def written(folder: Path, name: str, sentences: tuple[str, ...]) -> Path:
    """Write sentences as CoNLL-U; a word is ``form:head:relation``."""
    lines = []
    for sentence in sentences:
        for number, word in enumerate(sentence.split(), 1):
            form, head, relation = word.split(":", 2)
            lines.append(f"{number}\t{form}\t_\t_\t_\t_\t{head}\t{relation}\t_\t_\n")
        lines.append("\n")
    path = folder / name
    path.write_text("".join(lines), encoding="utf-8")
    return path


def call(folder: Path, options: dict[str, str], candidate: tuple[str, ...] = CANDIDATE) -> Call:
    files = (written(folder, "gold.conllu", GOLD), written(folder, "parsed.conllu", candidate))
    return Call(*files, options=options, format="conllu")


@pytest.mark.parametrize(("mode", "option"), PRINTED)
def test_the_numbers_are_those_of_the_program(mode: str, option: str, tmp_path: Path) -> None:
    options = {option: "yes"} if option else {}
    assert evaluate(mode, call(tmp_path, options)).printed()[0] == PRINTED[mode, option]


def test_the_relations_that_spacy_ignores_are_an_option(tmp_path: Path) -> None:
    counts = evaluate("spacy", call(tmp_path, {"ignore": "none"})).counts()
    assert counts.values() == {"uas": 7 / 9, "las": 5 / 9}


@pytest.mark.parametrize("mode", ["spacy", "supar"])
def test_other_words_are_an_error(mode: str, tmp_path: Path) -> None:
    for candidate in (CANDIDATE[:2], (*CANDIDATE[:2], "?:0:root")):
        with pytest.raises(CrossbankError, match=r"parsed.conllu"):
            evaluate(mode, call(tmp_path, {}, candidate))
    with pytest.raises(CrossbankError):
        evaluate(mode, call(tmp_path, {"subtypes": "no"}))


def test_the_result_has_the_scores(tmp_path: Path) -> None:
    files = call(tmp_path, {})
    result = crossbank.score(files.gold, files.candidate, mode="supar")
    assert (result["uas"], result["las"]) == (1, 3 / 5)
    assert (result["ucm"], result["lcm"]) == (1, 1 / 3)


def test_punctuation_is_by_the_category_of_each_character() -> None:
    assert [is_punctuation(word) for word in ("...", "%", "“", "$", "a.", "+")] == [
        True,
        True,
        True,
        False,
        False,
        False,
    ]
