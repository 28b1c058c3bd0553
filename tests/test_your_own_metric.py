"""Metrics, transformations and formats of other packages: the manual's example, scored and in the report."""

import json
import sys
from pathlib import Path

import pytest

import crossbank
from crossbank.metrics.counting import metric as metrics
from crossbank.treebanks import CrossbankError, OptionError
from crossbank.treebanks.formats import read, write
from crossbank.workflow.commands.cli import main
from crossbank.workflow.steps.here import run_here, study_content
from tests.docs.blocks import all_blocks
from tests.errors import raises

ROOT = Path(__file__).resolve().parents[1]
PLUGIN = ROOT / "examples" / "plugin" / "crossbank_example"
MANUAL = {
    block.notes["file"]: block.text
    for page in ("your_own_metric", "add_a_format")
    for block in all_blocks(ROOT / "docs" / f"{page}.md")
    if "file" in block.notes
}
"""The files that the manual shows."""

GOLD = "(S (NP (DT the) (NN dog)) (VP (VBZ barks)))\n(S (NP (NN rain)))\n"
PARSED = "(S (NP (DT the) (NN dog)) (VP (NNS barks)))\n(S (NP (NN rain)))\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with the manual's modules and two small treebanks, in which the commands are called."""
    for name in ("mymetric.py", "mytools.py", "mytagged.py"):
        (tmp_path / name).write_text(MANUAL[name], encoding="utf-8")
    (tmp_path / "gold.mrg").write_text(GOLD, encoding="utf-8")
    (tmp_path / "parsed.mrg").write_text(PARSED, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(metrics, "_REGISTERED", {})
    for name in ("mymetric", "mytools", "mytagged"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return tmp_path


def test_the_example_is_short() -> None:
    assert len([line for line in MANUAL["mymetric.py"].splitlines() if line.strip()]) <= 80


@pytest.mark.parametrize(
    ("displayed", "file"),
    [
        ("mymetric.py", "tag_accuracy.py"),
        ("mytools.py", "upper_labels.py"),
        ("mysection.py", "sizes.py"),
        ("indented.py", "indented.py"),
    ],
)
def test_the_example_of_a_package_has_the_files_of_the_manual(displayed: str, file: str) -> None:
    assert MANUAL[displayed] == (PLUGIN / file).read_text(encoding="utf-8")


def test_the_command_scores_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["score", "gold.mrg", "parsed.mrg", "--metric", "mymetric:TagAccuracy"]
    assert main([*call, "--option", "coarse=no", "--by", "tag", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    (score,) = document["scores"]
    assert (score["metric"], score["measure"], score["value"]) == ("tag_accuracy", "accuracy", 0.75)
    assert score["signature"].startswith("tag_accuracy|coarse:no|conversions:none|delete:none|")
    assert document["by_tag"]["VBZ"]["accuracy"] == 0
    assert main([*call, "--option", "coarse=perhaps"]) == 2
    assert "option coarse: found 'perhaps', expected one of yes, no" in capsys.readouterr().err


def test_a_study_reports_a_metric_and_a_format_of_ones_own(folder: Path) -> None:
    for name, text in (
        ("gold", "the/DT dog/NN barks/VBZ\nrain/NN\n"),
        ("parsed", "the/DT dog/NN barks/NNS\nrain/NN\n"),
    ):
        (folder / f"{name}.tagged").write_text(text, encoding="utf-8")
    content = study_content(
        "gold.tagged", ["parsed.tagged"], ["mymetric:TagAccuracy"], {}, format="mytagged:read_tagged"
    )
    content["bootstrap"] = {"samples": 0}
    content["treebanks"][0]["transformations"] = ["mytools:upper_labels:prefix=x"]
    run_here(content, folder / "results")
    page = (folder / "results" / "report" / "index.html").read_text(encoding="utf-8")
    assert "Tag accuracy" in page
    assert "tag_accuracy|coarse:no|conversions:mytools:upper_labels:prefix=x|" in page
    summary = (folder / "results" / "summary.csv").read_text(encoding="utf-8")
    assert "tag_accuracy,accuracy,0.75" in summary


def test_python_takes_the_class_or_its_name(folder: Path) -> None:
    by_name = crossbank.score("gold.mrg", "parsed.mrg", "mymetric:TagAccuracy")
    actual = sys.modules["mymetric"].TagAccuracy
    assert dict(by_name) == dict(crossbank.score("gold.mrg", "parsed.mrg", actual)) == {"accuracy": 0.75}
    assert by_name.breakdown("tag")["tag"] == ["NN", "DT", "VBZ"]


def test_transformations_and_formats_are_found(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["convert", "gold.mrg", "new.mrg", "--transform", "mytools:upper_labels:prefix=x"]
    assert main(call) == 0
    assert "(xNP" in Path("new.mrg").read_text(encoding="utf-8")
    assert main([*call[:-1], "mytools:upper_labels:suffix=x"]) == 2
    assert "option of mytools:upper_labels: found 'suffix', expected prefix" in capsys.readouterr().err
    Path("tagged.txt").write_text("the/DT dog/NN\nyes/no/UH\n", encoding="utf-8")
    bank = read("tagged.txt", "mytagged:read_tagged")
    assert [sentence.words for sentence in bank] == [["the", "dog"], ["yes/no"]]
    with raises(OptionError, kind="format to write", value="mytagged:read_tagged"):
        write(bank, "tagged.txt", "mytagged:read_tagged")


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("nowhere:Metric", "expected module:Class that can be imported (ModuleNotFoundError: No module"),
        ("mymetric:Tags", "expected module:Class that can be imported (AttributeError: module 'mymetric'"),
        ("mymetric:np", "expected a class of Metric with the methods counts and items"),
        ("mymetric:Metric", "expected a class of Metric with the methods counts and items"),
        ("broken:Metric", "expected module:Class that can be imported (SyntaxError"),
        ("taken:Other", "name of taken:Other: found 'parseval', expected another one"),
        ("taken:Bare", "view of taken:Bare: found 'trees', expected one of constituents"),
        ("tags", "expected one of parseval, "),
    ],
)
def test_mistakes_are_answered_in_one_line(
    folder: Path, reference: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "broken.py").write_text("class Metric(:\n", encoding="utf-8")
    (folder / "taken.py").write_text(
        "from mymetric import TagAccuracy\n\n\nclass Other(TagAccuracy):\n    name = 'parseval'\n\n\n"
        "class Bare(TagAccuracy):\n    name, view = 'bare', 'trees'\n",
        encoding="utf-8",
    )
    assert main(["score", "gold.mrg", "parsed.mrg", "--metric", reference]) == 2
    messages = capsys.readouterr().err
    assert message in messages
    assert messages.count("\n") == 1


def install(folder: Path, **packages: str) -> None:
    """Let Python find packages in a folder, with the entry points that they have."""
    information = folder / "own-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: own\nVersion: 1.0\n")
    points = "".join(f"{name} = {value}\n" for name, value in packages.items())
    (information / "entry_points.txt").write_text(f"[crossbank.plugins]\n{points}")
    sys.path.insert(0, str(folder))


def test_installed_modules_are_found_by_name(folder: Path) -> None:
    install(folder, metric="mymetric", tools="mytools", lost="nowhere")
    assert crossbank.score("gold.mrg", "parsed.mrg", "tag_accuracy", coarse=True)["accuracy"] == 0.75
    bank = crossbank.transform(read("gold.mrg"), "upper_labels:prefix=x")
    assert bank.history == ("upper_labels:prefix=x",)
    with raises(OptionError, "tag_accuracy", kind="metric", value="tag_acuracy"):
        crossbank.score("gold.mrg", "parsed.mrg", "tag_acuracy")


def test_what_is_no_treebank_and_what_has_no_type_is_named(folder: Path) -> None:
    code = "def nothing(path, *, encoding=None): ...\n\n\ndef untyped(bank, scheme, *, n=1): ...\n"
    Path("wrongs.py").write_text(code, encoding="utf-8")
    with pytest.raises(CrossbankError, match=r"gold\.mrg: found an object of type NoneType, expected a Tree"):
        read("gold.mrg", "wrongs:nothing")
    with raises(
        OptionError, kind="option n of wrongs:untyped", value="no type", allowed="one in the function: n: int"
    ):
        crossbank.transform("gold.mrg", "wrongs:untyped:n=2")


def test_a_package_that_cannot_be_imported_does_not_stop_the_lists(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("lost.py").write_text(
        "from crossbank.converters.declaration import transformation\n"
        "from crossbank.treebanks.formats.format import Format\n\nimport nowhere\n\n"
        "FORMAT = Format(suffixes=('.lost',))\n\n\n"
        "class Lost:\n    name, version = 'lost', '1'\n\n\n"
        "@transformation()\ndef lost(bank, scheme): ...\n"
    )
    install(folder, lost="lost")
    for kind in ("metrics", "formats", "transformations"):
        assert main(["list", kind, "--json"]) == 0
        listed = json.loads(capsys.readouterr().out)
        assert "(ModuleNotFoundError: No module named 'nowhere')" in listed["lost"]
    for call in (["list", "breakdowns"], ["help", "study"]):
        assert main(call) == 0


def test_our_names_are_found_without_looking_at_entry_points(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.metadata.entry_points", None)
    assert metrics.metric_class("parseval").name == "parseval"


def test_a_name_of_ours_in_a_package_is_left_out_with_one_warning(folder: Path) -> None:
    Path("redeclared.py").write_text("class Mine:\n    name, version = 'parseval', '1'\n", encoding="utf-8")
    install(folder, redeclared="redeclared")
    with pytest.warns(UserWarning, match=r"redeclared: the metric parseval is Crossbank's own") as warned:
        names = [*metrics.REGISTRY.names(), *metrics.REGISTRY.names()]
    assert (len(warned), names.count("parseval")) == (1, 2)
    assert metrics.metric_class("parseval").version != "1"
