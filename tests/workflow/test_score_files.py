"""Several pairs of files scored together, and scores by length, file and attributes of sentences."""

import csv
import json
from pathlib import Path

import jsonschema
import pytest

from crossbank.metrics.counting.metric import METRICS
from crossbank.workflow.commands.cli import main
from crossbank.workflow.file_pairs import file_pairs

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "docs" / "scores.schema.json").read_text(encoding="utf-8"))
GOLD = [
    "(S (NP (D the) (N cat)) (VP (V saw) (NP (N mice))))",
    "(S (NP (N Anna)) (VP (V slept)))",
    "(S (X (V go)))",
]
PARSED = ["(S (NP (D the) (N cat)) (V saw) (NP (N mice)))", GOLD[1], "(S (Y (V go)))"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return three sentences in two pairs of files, and the same in one pair."""
    for side, trees in (("gold", GOLD), ("out", PARSED)):
        (tmp_path / side).mkdir()
        (tmp_path / side / "a.mrg").write_text(f"{trees[0]}\n", encoding="utf-8")
        (tmp_path / side / "b.mrg").write_text("\n".join(trees[1:]) + "\n", encoding="utf-8")
        (tmp_path / f"{side}.mrg").write_text("\n".join(trees) + "\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def answered(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["score", *words])
    printed = capsys.readouterr()
    return code, printed.out, printed.err


def values(printed: str) -> dict[tuple[str, str], float]:
    return {(score["metric"], score["measure"]): score["value"] for score in json.loads(printed)["scores"]}


@pytest.mark.parametrize("metrics", ["parseval,leaf_ancestor", "tree_distance"])
def test_the_total_is_that_of_one_file_with_all_sentences(
    folder: Path, capsys: pytest.CaptureFixture[str], metrics: str
) -> None:
    whole = answered(capsys, "gold.mrg", "out.mrg", "--metric", metrics, "--json")[1]
    code, several, messages = answered(capsys, "gold/*.mrg", "out/*.mrg", "--metric", metrics, "--json")
    assert (code, messages) == (0, "")
    assert values(several) == values(whole)
    jsonschema.validate(json.loads(several), SCHEMA)


def test_each_file_has_its_row(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, printed, _ = answered(capsys, "gold/*.mrg", "out/*.mrg", "--json")
    by_file = json.loads(printed)["by_file"]
    assert by_file.keys() == {"a.mrg", "b.mrg"}
    for name, actual in by_file.items():
        alone = values(answered(capsys, f"gold/{name}", f"out/{name}", "--json")[1])
        assert actual["f1"] == alone["parseval", "f1"]
    assert by_file["a.mrg"]["rows"] == 1
    _, text, _ = answered(capsys, "gold/*.mrg", "out/*.mrg")
    assert text.splitlines()[-1] == (
        "2 pairs of files: scores are of sums over the sentences of all, no means over files"
    )
    total = values(printed)["parseval", "f1"]
    assert total != sum(actual["f1"] for actual in by_file.values()) / 2


def test_counts_per_sentence_name_their_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert answered(capsys, "gold/*.mrg", "out/*.mrg", "--per-sentence", "counts.csv")[0] == 0
    rows = csv.reader(Path("counts.csv").read_text(encoding="utf-8").splitlines())
    assert [row[0] for row in rows] == ["file", "gold/a.mrg", "gold/b.mrg", "gold/b.mrg"]


def test_another_candidate_in_several_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["gold/*.mrg", "out/*.mrg", "--against", "gold/*.mrg", "--json"]
    whole = json.loads(answered(capsys, "gold.mrg", "out.mrg", "--against", "gold.mrg", "--json")[1])
    document = json.loads(answered(capsys, *call)[1])
    assert document["against"]["differences"] == whole["against"]["differences"]
    _, printed, messages = answered(capsys, *call[:3], "gold.mrg", "--json")
    assert json.loads(printed)["against"]["differences"] == whole["against"]["differences"]
    assert messages == (
        "2 files of gold/*.mrg and one, gold.mrg: sentences are paired by order over all files\n"
    )


@pytest.mark.parametrize("call", [("gold/*.mrg", "out.mrg"), ("gold.mrg", "out/*.mrg")])
def test_one_file_goes_with_all_of_the_other_side(
    call: tuple[str, str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = answered(capsys, "gold.mrg", "out.mrg", "--json")[1]
    code, printed, messages = answered(capsys, *call, "--json", "--per-sentence", "counts.csv")
    assert code == 0
    assert values(printed) == values(whole)
    assert set(json.loads(printed)["by_file"]) == {"a.mrg", "b.mrg"}
    assert messages.endswith("sentences are paired by order over all files\n")
    files = [row[0] for row in csv.reader(Path("counts.csv").read_text(encoding="utf-8").splitlines())]
    several = call[0] if "*" in call[0] else call[1]
    assert files == ["file", *(several.replace("*", name) for name in "abb")]
    assert answered(capsys, *call)[1].splitlines()[-1].startswith("2 files: scores are of sums")
    code, _, messages = answered(capsys, *call, "--mode", "evalb")
    assert code == 2
    assert messages.endswith("--mode evalb compares files one by one, not one with several\n")


def test_modes_add_up_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = answered(capsys, "gold.mrg", "out.mrg", "--mode", "evalb", "--json")[1]
    code, several, messages = answered(capsys, "gold/*.mrg", "out/*.mrg", "--mode", "evalb", "--json")
    assert (code, messages.count("\n")) == (0, 1)
    assert values(several) == values(whole)
    assert set(json.loads(several)["by_file"]) == {"a.mrg", "b.mrg"}


@pytest.mark.parametrize(
    ("names", "pairs"),
    [
        (("gold/*.mrg", "out/*.mrg"), [("gold/a.mrg", "out/a.mrg"), ("gold/b.mrg", "out/b.mrg")]),
        (("gold/*", "out/*.mrg"), [("gold/a.mrg", "out/a.mrg"), ("gold/b.mrg", "out/b.mrg")]),
        (("gold.mrg", "ou*.mrg"), [("gold.mrg", "out.mrg")]),
        (("gold*.mrg", "out*.mrg"), [("gold.mrg", "out.mrg")]),
    ],
)
def test_pairs(folder: Path, names: tuple[str, str], pairs: list[tuple[str, str]]) -> None:
    assert list(file_pairs(*names).pairs) == pairs


def test_names_that_the_shell_has_replaced(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "gold/a.mrg", "gold/b.mrg", "out/a.mrg", "out/b.mrg"]) == 2
    messages = capsys.readouterr().err
    assert "a name with * in it must be in quotes" in messages
    assert messages.count("\n") == 1
    assert answered(capsys, "gold.mrg", "out/")[2] == (
        "out/: this is a folder; name a file, or 'out/*' for all files in it\n"
    )


def test_pairs_by_order_are_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, other in (("a", "9"), ("b", "10")):
        (folder / "out" / f"{name}.mrg").rename(folder / "out" / f"{other}.mrg")
    code, _, messages = answered(capsys, "gold/*.mrg", "out/*.mrg")
    assert code == 0
    assert messages == (
        "2 pairs by order, since no names are alike: gold/a.mrg with out/9.mrg, gold/b.mrg with out/10.mrg\n"
    )


def test_files_that_do_not_fit(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "out" / "c.mrg").write_text("(S (N c))\n", encoding="utf-8")
    code, _, messages = answered(capsys, "gold/*.mrg", "out/*.mrg")
    assert code == 2
    assert "2 pairs of the same name, but no partner for out/c.mrg" in messages
    assert answered(capsys, "gold/*.mrg", "none/*.mrg")[2] == ("none/*.mrg: no file matches\n")
    (folder / "out" / "c.mrg").unlink()
    (folder / "out" / "b.mrg").write_text("(S (N c))\n", encoding="utf-8")
    message = "out/b.mrg has 1 sentence, gold/b.mrg has 2 (--words align aligns them by their text)\n"
    assert answered(capsys, "gold/*.mrg", "out/*.mrg")[2] == message
    code, _, messages = answered(capsys, "gold/*.mrg", "gold/*.mrg", "--explain")
    assert (code, messages) == (2, "--explain takes one pair of files, not 2\n")


@pytest.mark.parametrize(
    "metric",
    [
        name
        for name in METRICS
        if name
        in {
            "parseval",
            "leaf_ancestor",
            "tree_distance",
            "tedeval",
            "rule_distance",
            "dependencies",
            "conll18",
        }
    ],
)
def test_every_metric_is_broken_down_by_length(capsys: pytest.CaptureFixture[str], metric: str) -> None:
    gold, parsed = (str(ROOT / "examples" / f"tiger.{name}") for name in ("export", "beta.mrg"))
    call = [gold, parsed, "--scheme", "tiger", "--metric", metric, "--by", "length", "--json"]
    if metric == "conll18":
        call += ["--option", "delete=none"]
    code, printed, _ = answered(capsys, *call)
    assert code == 0
    by_length = json.loads(printed)["by_length"]
    assert list(by_length) == ["1 – 10", "11 – 20", "21 – 30"]
    assert sum(row["rows"] for row in by_length.values()) == 120


def test_attributes_of_sentences(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row = "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n"
    (folder / "gold.conllu").write_text(
        f"# newdoc id = one\n# genre = news\n{row}\n# genre = talk\n{row}\n# newdoc id = two\n{row}\n",
        encoding="utf-8",
    )
    call = ["gold.conllu", "gold.conllu", "--metric", "dependencies", "--json", "--by"]
    genres, documents = {"news": 1, "talk": 1, "(none)": 1}, {"one": 2, "two": 1}
    for kind, expected in (("genre", genres), ("document", documents)):
        document = json.loads(answered(capsys, *call, kind)[1])[f"by_{kind}"]
        assert {name: row["rows"] for name, row in document.items()} == expected
    mode = ["gold.conllu", "gold.conllu", "--mode", "conll18", "--json", "--by", "genre"]
    assert json.loads(answered(capsys, *mode)[1])["by_genre"]["news"]["las"] == 1


@pytest.mark.parametrize(
    ("further", "message"),
    [
        (["--by", "moon"], "--by: found 'moon', expected one of label, "),
        (["--by", "moon"], "(parseval counts nothing by moon)"),
        (
            ["--by", "label", "--mode", "evalb"],
            "expected one of length, file (evalb counts nothing by label)",
        ),
        (["--by", "label", "--option", "average=macro"], "a mean over sentences, which has no parts but"),
    ],
)
def test_what_cannot_be_broken_down(
    folder: Path, capsys: pytest.CaptureFixture[str], further: list[str], message: str
) -> None:
    code, _, messages = answered(capsys, "gold.mrg", "out.mrg", *further)
    assert code == 2
    assert message in messages
    assert sum(not line.startswith("warning: ") for line in messages.splitlines()) == 1


def test_one_of_two_metrics_that_is_not_broken_down_says_so(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, printed, _ = answered(
        capsys, "gold.mrg", "out.mrg", "--metric", "parseval,tree_distance", "--by", "label"
    )
    assert "  not by label: tree_distance counts nothing by label" in printed


def test_macro_averages_are_broken_down_by_length(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["gold.mrg", "out.mrg", "--option", "average=macro", "--by", "length", "--json"]
    document = json.loads(answered(capsys, *call)[1])
    assert document["by_length"]["1 – 10"]["f1"] == values(json.dumps(document))["parseval", "f1"]


def test_a_mode_that_counts_other_sentences(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for side in ("gold", "out"):
        path = folder / f"{side}.mrg"
        path.write_text("(S (N a)) (S (N c))\n(S (N b))\n", encoding="utf-8")
    code, _, messages = answered(capsys, "gold.mrg", "out.mrg", "--mode", "evalb", "--by", "length")
    assert code == 2
    assert messages == "--by: found 3 sentences in gold.mrg, expected the 2 that evalb counts\n"


def test_errors_takes_patterns_as_score_does(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["--scheme", "ptb", "--json"]
    assert main(["errors", "gold.mrg", "out.mrg", *call]) == 0
    whole = json.loads(capsys.readouterr().out)
    assert sum(row["errors"] for row in whole) > 0
    assert main(["errors", "gold/*.mrg", "out/*.mrg", *call]) == 0
    assert json.loads(capsys.readouterr().out) == whole
    assert main(["errors", "gold/*.mrg", "none/*.mrg", *call]) == 2
    assert capsys.readouterr().err == "none/*.mrg: no file matches\n"
