"""``errors``, ``explain``, ``find`` and ``view`` in Python, and ``crossbank errors``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lxml import etree

import crossbank
from crossbank.treebanks.errors import RequirementError
from crossbank.workflow.commands.cli import main
from tests.errors import raises

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
GOLD, ALPHA = str(EXAMPLES / "tiger.export"), str(EXAMPLES / "tiger.alpha.mrg")
SAW = "(S (NP (PRP I)) (VP (VBD saw) (NP (DT a) (NN man)) (PP (IN with) (NP (NNS eyes)))))"
MAN = "(S (NP (PRP I)) (VP (VBD saw) (NP (NP (DT a) (NN man)) (PP (IN with) (NP (NNS eyes))))))"


def test_a_phrase_is_attached_too_low_or_too_high() -> None:
    low = crossbank.errors([SAW, SAW, SAW], [MAN, SAW, None], "ptb")
    assert (low["type"], low["errors"], low["high"], low["low"]) == (["pp_attachment"], [1], [0], [1])
    # Two of the three sentences are scored, with one PP in each.
    assert (low["constructions"], low["rate"], low["sentences"]) == ([2], [0.5], [1])
    high = crossbank.errors([MAN], [SAW], "ptb")
    assert (high["type"], high["high"], high["low"]) == (["pp_attachment"], [1], [0])


def test_heads_are_too_high_or_too_low() -> None:
    gold = (["a", "b", "c", "d"], [2, 0, 2, 3], ["nsubj", "root", "obj", "nmod"])
    high = (gold[0], [2, 0, 2, 2], gold[2])
    low = (gold[0], [3, 0, 2, 3], gold[2])
    error_table = crossbank.errors([gold, gold], [high, low], "ud")
    assert sum(error_table["errors"]) == 2
    assert (sum(error_table["high"]), sum(error_table["low"])) == (1, 1)


def test_the_command_prints_what_python_gives(capsys: pytest.CaptureFixture[str]) -> None:
    table = crossbank.errors(GOLD, ALPHA, "tiger")
    assert main(["errors", GOLD, ALPHA, "--scheme", "tiger"]) == 0
    assert capsys.readouterr().out == f"{table.text()}\n\n120 sentences: 119 scored, 1 no parse\n"
    assert main(["errors", GOLD, ALPHA, "--scheme", "tiger", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == table.rows()
    assert main(["errors", GOLD, GOLD, "--scheme", "tiger"]) == 0
    assert capsys.readouterr().out == "no errors\n\n120 sentences: 120 scored\n"


def test_errors_need_a_scheme() -> None:
    with raises(
        RequirementError, name="errors", required="a scheme, whose labels define the types of errors"
    ):
        crossbank.errors([SAW], [MAN], None)


def test_explanations_begin_with_the_choices_made() -> None:
    table = crossbank.explain(GOLD, ALPHA, scheme="tiger")
    result = crossbank.score(GOLD, ALPHA, scheme="tiger")
    assert (table["name"][0], table["f1"][0]) == ("as chosen", result["f1"])
    assert "evalb-lcfrs" in table["name"]
    in_memory = crossbank.explain([SAW, MAN], [MAN, MAN], labels=False)
    assert in_memory["f1"][0] == crossbank.score([SAW, MAN], [MAN, MAN], labels=False)["f1"]


def test_found_nodes_are_rows() -> None:
    table = crossbank.find("NP < PP", [SAW, MAN])
    assert table.rows() == [
        {"sentence": "2", "node": 3, "label": "NP", "words": "a man with eyes", "tokens": [2, 3, 4, 5]}
    ] or table["words"] == ["a man with eyes"]
    assert len(crossbank.find("VP <# VBD", [SAW], scheme="ptb")) == 1


def test_sentences_are_drawn() -> None:
    displayed = crossbank.view([SAW], [MAN])
    assert "1 of the candidate's not in gold" in repr(displayed)
    etree.fromstring(f"<div>{displayed._repr_html_()}</div>")
    differing = crossbank.view([SAW], ["(S (NP (PRP You)))"])
    assert "found 'You', expected 'I'" in repr(differing)
    etree.fromstring(f"<div>{differing._repr_html_()}</div>")
    assert "saw" in repr(crossbank.view([SAW, MAN], sentence=2))
    assert "Schlüssel" in repr(crossbank.view(GOLD, ALPHA, "3", scheme="tiger"))
    with pytest.raises(crossbank.CrossbankError, match="an identifier or a number from 1 to 1"):
        crossbank.view([SAW], sentence=2)
