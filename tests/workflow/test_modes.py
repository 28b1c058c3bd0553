"""All modes alike: a treebank against itself is perfect, and shuffling its sentences changes no score."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import pytest

from crossbank.metrics.modes.modes_by_name import MODES, evaluate
from crossbank.metrics.modes.protocol import Call
from crossbank.treebanks.formats import read, write
from crossbank.workflow.commands.cli import main

EXAMPLES = Path(__file__).parents[2] / "examples"

FORMATS = {
    "evalb": "bracket",
    "evalb_spmrl": "bracket",
    "discodop": "discbracket",
    "greval": "relations",
    "conll18": "conllu",
    "eval07": "conllx",
    "conllx": "conllx",
    "cgel": "cgel",
    "kummerfeld": "bracket",
    "jp_evalb": "bracket",
    "spacy": "conllu",
    "supar": "conllu",
}
"""What each mode reads here."""

CONVERSIONS = {
    "bracket": ["--transform", "attach_punctuation", "--transform", "split_crossing"],
    "relations": ["--transform", "relations_from_trees", "--transform", "map_relations"],
    "cgel": [
        "--transform",
        "virtual_root",
        "--transform",
        "attach_punctuation",
        "--transform",
        "split_crossing",
    ],
}
"""What a format cannot hold is converted first."""

RENAMED = {
    ("tokens", "pos"): {"NN": "NE", "NE": "NN", "NOUN": "PROPN"},
    ("tokens", "relation"): {"SB": "OA", "OA": "SB", "nsubj": "obj", "obj": "nsubj"},
    ("nodes", "label"): {"PP": "NP", "PP-MO": "NP-MO"},
    ("relations", "name"): {"dobj": "obj2"},
}
"""What the system has in place of gold's names."""


@pytest.fixture
def files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[[str], list[Path]]:
    """Return gold and a system in a mode's format, and both once more with the sentences in another order.

    Gold is the embedded corpus in the TIGER scheme, the system is the same with other names.
    """

    def made(mode: str) -> list[Path]:
        kind = FORMATS[mode]
        gold = tmp_path / f"gold.{kind}"
        command = ["convert", str(EXAMPLES / "tiger.export"), str(gold), "--scheme", "tiger", "--to", kind]
        assert main([*command, *CONVERSIONS.get(kind, [])]) == 0
        capsys.readouterr()
        bank = read(gold, kind)
        system = bank
        for (table, column), other in RENAMED.items():
            system = system.with_strings(table, column, lambda name, other=other: other.get(name, name))
        order = list(range(len(bank)))
        Random(18).shuffle(order)
        paths = [
            tmp_path / f"{name}.{kind}" for name in ("gold", "system", "gold_shuffled", "system_shuffled")
        ]
        shuffled = (side.select(np.array(order)) for side in (bank, system))
        for path, written in zip(paths, (bank, system, *shuffled), strict=True):
            write(written, path, kind)
        return paths

    return made


def scores(mode: str, *files: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, float]:
    command = ["score", "--mode", mode, "--format", FORMATS[mode], "--json", *map(str, files)]
    assert main(command) == 0
    return {score["measure"]: score["value"] for score in json.loads(capsys.readouterr().out)["scores"]}


def test_no_mode_is_left_out() -> None:
    assert FORMATS.keys() == MODES.keys()


# jp-evalb counts a bracket that stands twice twice and matches it once: see tests/compat/test_jp_evalb.py.
@pytest.mark.parametrize("mode", [mode for mode in MODES if mode != "jp_evalb"])
def test_a_treebank_against_itself(mode: str, files: Callable[[str], list[Path]]) -> None:
    gold, *_ = files(mode)
    counts = evaluate(mode, Call(gold, gold, format=FORMATS[mode])).counts()
    perfect = {measure.name: float(measure.better == "more") for measure in counts.measures}
    assert counts.values() == perfect
    assert counts.rows.sum() == 120


@pytest.mark.parametrize("mode", MODES)
def test_shuffling_sentences_changes_nothing(
    mode: str, files: Callable[[str], list[Path]], capsys: pytest.CaptureFixture[str]
) -> None:
    gold, system, *shuffled = files(mode)
    computed = scores(mode, gold, system, capsys=capsys)
    assert min(computed.values()) < 1
    assert scores(mode, *shuffled, capsys=capsys) == computed
