"""A study that measures its conversion to dependencies, run for real in this process."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from crossbank.reports.results.measured_conversions import read_measurements
from crossbank.reports.study.reading import study_of
from crossbank.treebanks.errors import CrossbankError, FormatError
from crossbank.treebanks.formats import write
from crossbank.workflow.plan import Plan
from crossbank.workflow.steps.here import run_here
from tests.converters.banks import bank_of
from tests.errors import raises

TREES = (
    "(S (NP:SB 0=das/ART:NK 1=Geld/NN:NK) 2=fehlt/VVFIN:HD)",
    "(S (NP:SB 0=Anna/NE:NK) 1=kommt/VVFIN:HD 2=./$.)",
    "(NP 0=kein/PIAT:NK 1=Baum/NN:NK)",
)
GOLD = """\
1\tdas\t_\t_\t_\t_\t2\tNK\t_\t_
2\tGeld\t_\t_\t_\t_\t3\tSB\t_\t_
3\tfehlt\t_\t_\t_\t_\t0\troot\t_\t_

1\tAnna\t_\t_\t_\t_\t0\troot\t_\t_
2\tkommt\t_\t_\t_\t_\t1\tx\t_\t_
3\t.\t_\t_\t_\t_\t2\tpunct\t_\t_

"""


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """Three treebanks: with functions and independent dependencies, without functions, dependencies alone."""
    folder = tmp_path_factory.mktemp("reliability")
    write(bank_of(*TREES), folder / "trees.export")
    (folder / "gold.conllu").write_text(GOLD, encoding="utf-8")
    (folder / "bare.mrg").write_text("(S (NN Geld) (VVFIN fehlt))\n", encoding="utf-8")
    content = {
        "study": "small",
        "data": str(folder),
        "treebanks": [
            {
                "name": "with",
                "scheme": "tiger",
                "gold": {"path": "{data}/trees.export"},
                "dependencies": {"path": "{data}/gold.conllu"},
            },
            {
                "name": "without",
                "scheme": "tuebadz",
                "gold": {"path": "{data}/bare.mrg"},
            },
            {"name": "read", "scheme": "ud", "gold": {"path": "{data}/gold.conllu"}},
        ],
        "metrics": ["dependencies"],
        "bootstrap": {"samples": 20},
    }
    run_here(content, folder / "results")
    return folder / "results", content


def rows(folder: Path, table: str) -> list[dict[str, str]]:
    with (folder / f"report/tables/{table}.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_agreement_is_in_the_report(study: tuple[Path, dict[str, Any]]) -> None:
    actual = {(row["Treebank"], row["Compared with"]): row for row in rows(study[0], "reliability")}
    assert list(actual) == [
        ("with", "the same trees without functions"),
        ("with", "independent dependencies"),
        ("without", "– (gold’s trees have no functions)"),
    ]
    without, independent, missing = actual.values()
    assert float(without["Unlabelled F1"]) == 1
    assert (without["Sentences compared"], without["Words"]) == ("3", "7")
    assert (independent["Left out of gold"], independent["Left out of the trees"]) == ("0", "1")
    assert float(independent["Unlabelled F1"]) == 3 / 5
    assert float(independent["Unlabelled F1 low"]) <= 3 / 5 <= float(independent["Unlabelled F1 high"])
    assert missing["Unlabelled F1"] == ""
    by_relation = rows(study[0], "reliability-with-independent")
    assert [(row["Relation"], row["Words"], row["Same head"]) for row in by_relation] == [
        ("root", "2", "1"),
        ("NK", "1", "1"),
        ("SB", "1", "1"),
        ("x", "1", "0"),
    ]


def test_conventions_are_in_the_report(study: tuple[Path, dict[str, Any]]) -> None:
    actual = [list(row.values())[:6] for row in rows(study[0], "reliability-conventions")]
    assert actual == [
        ["with", "tiger", "first conjunct", "preposition", "the scheme’s", "used"],
        ["without", "tuebadz", "all conjuncts in the same way", "noun", "the scheme’s", "used"],
    ]
    page = (study[0] / "report/index.html").read_text(encoding="utf-8")
    assert "Reliability of the conversion" in page
    assert "differ in the head of a prepositional phrase (with: preposition, without: noun)" in page
    tables = (study[0] / "report/tables.tex").read_text(encoding="utf-8")
    assert "Agreement of the conversion" in tables


def test_what_is_lost_and_left_out_is_listed(study: tuple[Path, dict[str, Any]]) -> None:
    actual = {(row["Treebank"], row["Category"]): row for row in rows(study[0], "reliability-constituents")}
    assert actual["with", "all"]["Constituents"] == actual["with", "all"]["Found again"] == "4"
    assert [row["Sentence"] for row in rows(study[0], "reliability-left-out")] == ["3"]
    formats = {
        (row["Treebank"], row["Format"], row["What"]): row for row in rows(study[0], "reliability-formats")
    }
    assert formats["with", "conllu", "nodes"]["Lost"] == "5"
    assert formats["with", "export", "nothing"]["Sentences"] == "0"
    assert formats["with", "discbracket", "tokens.function"]["For instance"] == "1, 2, 3"


def test_only_where_a_metric_wants_dependencies(study: tuple[Path, dict[str, Any]]) -> None:
    folder, content = study
    plan = Plan(study_of(content, "x"), folder)
    assert [path.name for path in plan.reliability()] == ["with.json", "without.json"]
    others = [{k: v for k, v in t.items() if k != "dependencies"} for t in content["treebanks"]]
    assert Plan(study_of({**content, "treebanks": others, "metrics": []}, "x"), folder).reliability() == []


def test_files_of_another_kind_are_refused(study: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    assert read_measurements(study[0] / "reliability/with.json").against_gold is not None
    for content in ("no JSON", "[]", json.dumps({"conventions": {}})):
        (tmp_path / "x.json").write_text(content, encoding="utf-8")
        with raises(
            FormatError, actual="a file of another type", expected="the output of the step reliability"
        ):
            read_measurements(tmp_path / "x.json")


def test_dependencies_of_another_text_are_refused(study: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    other = tmp_path / "other.conllu"
    other.write_text("1\tandere\t_\t_\t_\t_\t0\troot\t_\t_\n\n", encoding="utf-8")
    content = {**study[1], "treebanks": [{**study[1]["treebanks"][0], "dependencies": {"path": str(other)}}]}
    with pytest.raises(CrossbankError, match=r"other\.conllu: no sentence has the words of one"):
        run_here(content, tmp_path / "results")
