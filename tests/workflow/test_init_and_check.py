"""A study file from the files that it compares, and a study looked at before it runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from crossbank.reports.study.reading import load_study
from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.formats import read, write
from crossbank.treebanks.recognition import recognised
from crossbank.workflow.cli import main
from crossbank.workflow.compare import run_here
from tests.conftest import needs_other_results

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
GOLD, ALPHA, BETA = (str(EXAMPLES / f"tiger.{name}") for name in ("export", "alpha.mrg", "beta.mrg"))


def drafted(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["init", *arguments]) == 0
    return capsys.readouterr().out


def test_a_draft_is_a_study_that_runs(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "study.yaml"
    path.write_text(drafted(capsys, GOLD, ALPHA, BETA, "--name", "mine"), encoding="utf-8")
    study = load_study(path)
    (treebank,) = study.treebanks
    assert (study.name, treebank.scheme, treebank.gold.format) == ("mine", "tiger", "export")
    assert [(c.name, c.format) for c in treebank.candidates] == [
        ("tiger_alpha", "bracket"),
        ("tiger_beta", "bracket"),
    ]
    assert [metric.name for metric in study.metrics] == ["parseval", "leaf_ancestor", "dependencies"]
    found = run_here({**study.content, "bootstrap": {"samples": 0}}, tmp_path / "results", reported=False)
    values = {c.name: c.counts["parseval"].value("f1") for c in found.treebanks[0].candidates}
    assert values["tiger_alpha"] < values["tiger_beta"] < 1


@pytest.mark.parametrize("scheme", ["tiger", "tuebadz"])
def test_the_scheme_is_recognised_by_its_labels(capsys: pytest.CaptureFixture[str], scheme: str) -> None:
    text = drafted(capsys, str(EXAMPLES / f"{scheme}.export"))
    assert f"\n    scheme: {scheme}  # " in text


@pytest.mark.parametrize(
    ("folder", "scheme"),
    [
        ("tuebadz-masked/test.negra", "tuebadz"),
        ("farpahc/psd/*.psd", "ppche"),
        ("cgel/ewt.cgel", "cgel"),
        ("conll18/00-gold-standard/en_pud.conllu", "ud"),
    ],
)
def test_the_schemes_of_real_treebanks(
    capsys: pytest.CaptureFixture[str], shared_data: Path, folder: str, scheme: str
) -> None:
    text = drafted(capsys, str(sorted(shared_data.glob(folder))[0]))
    assert re.search(rf"^    (# )?scheme: ({scheme}|NAME)  # .*", text, re.M)
    if scheme in ("ud", "ppche"):
        assert f"\n    scheme: {scheme}  # " in text


def test_every_key_has_a_comment(capsys: pytest.CaptureFixture[str]) -> None:
    text = drafted(capsys, GOLD, ALPHA)
    bare = [line for line in text.splitlines() if line and "#" not in line]
    allowed = (
        r"(title: |treebanks:$|  - name: |    candidates:$|      - \{name: |  - parseval$|  - leaf_ancestor$)"
    )
    assert [line for line in bare if not re.match(allowed, line)] == []


def test_candidates_of_one_file_name_are_called_after_their_folders(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    text = (EXAMPLES / "tiger.alpha.mrg").read_text(encoding="utf-8")
    paths = [tmp_path / name / "out.mrg" for name in ("first", "second")]
    for path in paths:
        path.parent.mkdir()
        path.write_text(text, encoding="utf-8")
    printed = drafted(capsys, GOLD, *map(str, paths), GOLD)
    assert re.findall(r"- \{name: (\w+)", printed) == ["first", "second"]


def test_names_that_yaml_would_take_for_something_else_stand_in_quotes(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    text = (EXAMPLES / "tiger.alpha.mrg").read_text(encoding="utf-8")
    paths = [tmp_path / name for name in ("1.mrg", "no.mrg", "zwei Wörter.mrg")]
    for path in paths:
        path.write_text(text, encoding="utf-8")
    study = tmp_path / "study.yaml"
    study.write_text(drafted(capsys, GOLD, *map(str, paths), "--name", "2024"), encoding="utf-8")
    found = load_study(study)
    assert found.name == "2024"
    assert [candidate.name for candidate in found.treebanks[0].candidates] == ["1", "no", "zwei_W_rter"]


def test_a_format_may_tell_the_scheme(capsys: pytest.CaptureFixture[str]) -> None:
    text = drafted(capsys, str(EXAMPLES / "three_styles" / "ccg.auto"))
    assert "\n    scheme: ccg  # the scheme of all auto files\n" in text


def test_no_file_is_overwritten(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "study.yaml"
    assert main(["init", GOLD, "--output", str(path)]) == 0
    assert f"crossbank check {path}" in capsys.readouterr().out
    before = path.read_bytes()
    assert main(["init", GOLD, "--output", str(path)]) == 2
    assert f"{path}: found a file, expected to write a new one" in capsys.readouterr().err
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "format", ["bracket", "discbracket", "export", "tigerxml", "conllu", "auto", "cgel", "parquet"]
)
def test_formats_are_recognised_without_the_ending_of_the_name(format: str, tmp_path: Path) -> None:
    if format in ("auto", "cgel"):
        content = {"auto": "ID=1 PARSER=GOLD NUMPARSE=1\n(<L N NN NN a N>)\n", "cgel": "# sent_id = 1\n(X\n"}
        (tmp_path / "file").write_text(content[format], encoding="utf-8")
        assert recognised(tmp_path / "file") == (format, None)
        return
    bank = read(EXAMPLES / "tuebadz.export").select([0, 1, 2])
    path = tmp_path / ("file.parquet" if format == "parquet" else "file")
    write(bank, path, format)
    assert recognised(path) == (format, None)


def test_the_encoding_is_recognised(tmp_path: Path) -> None:
    text = (EXAMPLES / "tiger.export").read_text(encoding="utf-8")
    path = tmp_path / "old.export"
    path.write_bytes(text.encode("latin-1", errors="replace"))
    assert recognised(path) == ("export", "latin-1")
    long = tmp_path / "long.mrg"
    long.write_text("(S (N " + "ä" * 60_000 + "))", encoding="utf-8")
    assert recognised(long) == ("bracket", None)


@pytest.mark.parametrize("content", [b"", b"\x00\x01", b"nothing of the kind"])
def test_what_is_no_treebank(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(CrossbankError, match="expected the beginning of a treebank"):
        recognised(path)
    with pytest.raises(CrossbankError, match="no such file or directory"):
        recognised(tmp_path / "none")


def study(tmp_path: Path, candidate: Path, scheme: str = "tiger") -> Path:
    path = tmp_path / "study.yaml"
    path.write_text(
        f"study: s\ntreebanks:\n  - name: t\n    scheme: {scheme}\n    gold: {{path: {GOLD}}}\n"
        f"    candidates: [{{name: c, path: {candidate}}}]\nmetrics: [parseval]\n",
        encoding="utf-8",
    )
    return path


def test_a_study_that_fits(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["check", str(study(tmp_path, EXAMPLES / "tiger.beta.mrg"))]) == 0
    printed = capsys.readouterr().out
    assert "s: 1 treebank, 1 candidate; parseval" in printed
    assert "gold: export, 120 sentences, 1,218 tokens" in printed
    assert re.search(r"About \d+ seconds on \d+ cores, if nothing is done yet\.", printed)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("(S (N a))\n", "has 1 sentence, "),
        ("(S (N a))\n" * 120, "other words in 120 sentences; the first is 1"),
        ("(S (N a\n", "expected"),
    ],
)
def test_what_does_not_fit_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, content: str, said: str
) -> None:
    candidate = tmp_path / "candidate.mrg"
    candidate.write_text(content, encoding="utf-8")
    assert main(["check", str(study(tmp_path, candidate))]) == 1
    printed = capsys.readouterr().out
    assert said in printed
    assert "1 thing does not fit." in printed


def test_another_scheme_that_fits_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["check", str(study(tmp_path, EXAMPLES / "tiger.beta.mrg", scheme="susanne"))]) == 1
    assert "lists 100 % of gold's categories" in capsys.readouterr().out


@pytest.mark.parametrize("name", sorted(path.stem for path in (ROOT / "config").glob("*.yaml")))
def test_the_studies_of_the_project_fit(
    capsys: pytest.CaptureFixture[str],
    name: str,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    monkeypatch.chdir(ROOT)
    path = ROOT / "config" / f"{name}.yaml"
    if "shared" in path.read_text(encoding="utf-8"):
        request.getfixturevalue("shared_data")
    needs_other_results(path)
    code = main(["check", str(path)])
    assert code == 0, capsys.readouterr().out


def test_a_study_in_which_no_difference_can_be_found_is_told(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "study.yaml"
    few = tmp_path / "few.mrg"
    few.write_text("(S (N a))\n" * 5, encoding="utf-8")
    path.write_text(
        f"study: s\ntreebanks:\n  - name: t\n    gold: {{path: {few}}}\n"
        f"    candidates: [{{name: c, path: {few}}}, {{name: d, path: {few}}}]\n"
        "metrics: [parseval]\ntests: {trials: 18}\n",
        encoding="utf-8",
    )
    assert main(["check", str(path)]) == 1
    printed = capsys.readouterr().out
    assert (
        "tests.trials: with 18 no probability is as small as 0.05: no difference can be found with" in printed
    )
    assert "5 sentences: no difference can be significant with fewer than 6" in printed


def test_trials_of_zero_are_refused(tmp_path: Path) -> None:
    path = study(tmp_path, EXAMPLES / "tiger.beta.mrg")
    path.write_text(f"{path.read_text(encoding='utf-8')}tests: {{trials: 0}}\n", encoding="utf-8")
    with pytest.raises(CrossbankError, match=r"tests\.trials: found 0, expected a whole number from 1"):
        load_study(path)
