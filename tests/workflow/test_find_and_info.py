"""Several files searched and counted, and matches in context."""

import json
from pathlib import Path

import pytest

from crossbank.treebanks.errors import MissingFileError
from crossbank.workflow.commands.cli import main
from tests.errors import raises, run_failing

ROOT = Path(__file__).resolve().parents[2]
TREES = str(ROOT / "examples" / "*.mrg")
TIGER = str(ROOT / "examples" / "tiger.export")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "1.mrg").write_text(
        "(S (NP (D the) (N cat)) (VP (V saw) (NP (N mice))))\n(S (NP (N Anna)) (VP (V slept)))\n",
        encoding="utf-8",
    )
    (tmp_path / "2.mrg").write_text("(S (VP (V go)))\n", encoding="utf-8")
    (tmp_path / "10.dbr").write_text(
        "(S (VP (PP 0=Darüber) (V 2=nachgedacht)) (V 1=wird))\n", encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


def printed(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    assert main(words) == code
    return capsys.readouterr().out


def test_find_prefixes_the_names_of_several_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, "find", "NP", "*.mrg").splitlines()
    assert lines == ["1.mrg\t1\t1\tNP\tthe cat", "1.mrg\t1\t9\tNP\tmice", "1.mrg\t2\t1\tNP\tAnna"]
    assert printed(capsys, "find", "NP", "1.mrg").splitlines()[0] == "1\t1\tNP\tthe cat"
    assert printed(capsys, "find", "VP", "2.mrg", "10.dbr").splitlines() == [
        "2.mrg\t1\t1\tVP\tgo",
        "10.dbr\t1\t1\tVP\tDarüber nachgedacht",
    ]


@pytest.mark.parametrize(
    ("pattern", "note"),
    [
        ("PP", "'PP' leaves out 3 nodes labelled PP-LOC, PP=1 ('/^PP([-=*:]|$)/' matches them, too)\n"),
        ("NP < PP-LOC", "'NP' leaves out 1 node labelled NP-SBJ ('/^NP([-=*:]|$)/' matches them, too)\n"),
        ("PP-LOC", ""),
        ("/^PP/", ""),
        ("S", ""),
    ],
)
def test_find_says_which_longer_labels_it_leaves_out(
    pattern: str, note: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "hyphens.mrg"
    path.write_text(
        "(S (NP-SBJ (N a) (PP-LOC (P in))) (PP (P at)) (PP=1 (P by)) (PPX (P x)) (SBAR (NP (PP-LOC (P y)))))"
    )
    assert main(["find", pattern, str(path), "--count"]) == 0
    assert capsys.readouterr().err == note


def test_find_counts(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, "find", "NP", "*.mrg", "--count").splitlines()
    assert [line.split() for line in lines] == [
        ["matches", "in", "sentences", "of", "all"],
        ["1.mrg", "3", "2", "2"],
        ["2.mrg", "0", "0", "1"],
        ["all", "3", "2", "3"],
    ]
    assert json.loads(printed(capsys, "find", "NP", "1.mrg", "--count", "--json")) == [
        {"file": "1.mrg", "matches": 3, "sentences": 2, "of": 2}
    ]


def test_matches_in_context_are_marked_without_colours(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert printed(capsys, "find", "NP", "1.mrg", "--context", "1").splitlines() == [
        "1      [NP the cat] saw",
        "1  saw [NP mice]",
        "2      [NP Anna] slept",
    ]
    assert printed(capsys, "find", "VP", "10.dbr", "--context", "all") == (
        "1   [VP Darüber] wird [VP nachgedacht]\n"
    )
    assert printed(capsys, "find", "mice", "*.mrg", "--context", "2") == "1.mrg:1  cat saw [mice]\n"
    (entry,) = json.loads(printed(capsys, "find", "mice", "1.mrg", "--context", "2", "--json"))
    assert (entry["context"], entry["tokens"]) == (["the", "cat", "saw", "mice"], [4])


@pytest.mark.parametrize(
    ("further", "message"),
    [
        (["--context", "some"], "'some' is neither a number of words nor all"),
        (["--context", "2", "--count"], "--count does not work with --context"),
    ],
)
def test_wrong_options_of_find(
    folder: Path, capsys: pytest.CaptureFixture[str], further: list[str], message: str
) -> None:
    assert main(["find", "NP", "1.mrg", *further]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


@pytest.mark.parametrize("command", [["find", "NP"], ["info"]])
def test_a_pattern_without_a_file(folder: Path, command: list[str]) -> None:
    with raises(MissingFileError, file="none*.mrg"):
        run_failing([*command, "1.mrg", "none*.mrg"])


def test_nothing_found_in_several_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["find", "QP", "*.mrg"]) == 0
    assert capsys.readouterr().err == (
        "2 files: no node, tag or word matches 'QP'\n"
        "no label, function or word is 'QP' (did you mean 'VP'?)\n"
    )


@pytest.mark.parametrize(
    ("pattern", "lacking"),
    [("S < QP", ["QP"]), ("NP-QQ", ["QQ"]), ("NP >QQ PP", ["QQ"]), ("S < S < S < S", []), ("/QP/", [])],
)
def test_labels_that_no_file_has_are_named(
    pattern: str, lacking: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    main(["find", pattern, TIGER])
    messages = capsys.readouterr().err.splitlines()[1:]
    assert [line.split("'")[1] for line in messages] == lacking


def test_info_on_many_files_lists_the_odd_ones(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for index in range(30):
        text = "(S (NP (N a) (N b)) (V c))\n" * (20 + index)
        (tmp_path / f"{index}.mrg").write_text(text, encoding="utf-8")
    (tmp_path / "flat.mrg").write_text(
        "(S (N a) (N b) (N c) (V d) (V e) (V f) (V g) (V h))\n", encoding="utf-8"
    )
    text = printed(capsys, "info", f"{tmp_path}/*.mrg")
    messages = text.split("\n\n")[1].splitlines()
    assert messages[0] == "31 files, each in --json; 1 with ratios far from those of the others:"
    assert messages[-1].startswith(f"{tmp_path}/flat.mrg ")
    assert len(messages) < 8
    (tmp_path / "flat.mrg").unlink()
    assert "30 files, each in --json; no outliers among them" in printed(capsys, "info", f"{tmp_path}/*.mrg")


def test_info_sums_and_lists_files(capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads(printed(capsys, "info", TREES, TIGER, "--scheme", "tiger", "--json"))
    files = document.pop("files")
    assert [Path(one["file"]).name for one in files][::4] == ["tiger.alpha.mrg", "tiger.export"]
    for name in ("sentences", "tokens", "nodes", "discontinuous_sentences"):
        assert document[name] == sum(one[name] for one in files)
    assert document["nodes_per_token"] == document["nodes"] / document["tokens"]
    (alone,) = [one for one in files if one["file"] == TIGER]
    assert json.loads(printed(capsys, "info", TIGER, "--scheme", "tiger", "--json")) == {
        name: value for name, value in alone.items() if name != "file"
    }
    lines = printed(capsys, "info", TREES).splitlines()
    assert lines[0].split() == ["sentences", "480"]
    last = str(ROOT / "examples" / "tuebadz.beta.mrg")
    assert lines[-1].startswith(f"{last} ")
    assert lines[-1].removeprefix(last).split()[:2] == ["120", "1209"]


def test_a_file_that_is_named_twice_counts_twice(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert json.loads(printed(capsys, "info", "2.mrg", "2.mrg", "--json"))["sentences"] == 2
