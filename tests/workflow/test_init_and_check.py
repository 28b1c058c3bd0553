"""A study file from the files that it compares, and a study looked at before it runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from crossbank.reports.study.reading import load_study
from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.formats import read, write
from crossbank.treebanks.yaml_nodes import YamlError
from crossbank.workflow.commands.cli import main
from crossbank.workflow.new_study import recognise
from crossbank.workflow.steps.here import run_here
from tests.conftest import needs_other_results
from tests.errors import raises

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
    completed = run_here({**study.content, "bootstrap": {"samples": 0}}, tmp_path / "results", reported=False)
    values = {c.name: c.counts["parseval"].value("f1") for c in completed.treebanks[0].candidates}
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
    study_model = load_study(study)
    assert study_model.name == "2024"
    assert [candidate.name for candidate in study_model.treebanks[0].candidates] == ["1", "no", "zwei_W_rter"]


def test_a_format_may_tell_the_scheme(capsys: pytest.CaptureFixture[str]) -> None:
    text = drafted(capsys, str(EXAMPLES / "three_styles" / "ccg.auto"))
    assert "\n    scheme: ccg  # the scheme of all auto files\n" in text


def test_no_file_is_overwritten(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "study.yaml"
    assert main(["init", GOLD, "--output", str(path)]) == 0
    assert f"crossbank check {path}" in capsys.readouterr().out
    before = path.read_bytes()
    assert main(["init", GOLD, "--output", str(path)]) == 2
    assert f"{path}: this file exists; name a new one" in capsys.readouterr().err
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "format", ["bracket", "discbracket", "export", "tigerxml", "conllu", "auto", "cgel", "parquet"]
)
def test_formats_are_recognised_without_the_ending_of_the_name(format: str, tmp_path: Path) -> None:
    if format in ("auto", "cgel"):
        content = {"auto": "ID=1 PARSER=GOLD NUMPARSE=1\n(<L N NN NN a N>)\n", "cgel": "# sent_id = 1\n(X\n"}
        (tmp_path / "file").write_text(content[format], encoding="utf-8")
        assert recognise(str(tmp_path / "file"), None, None)[1:] == (format, None)
        return
    bank = read(EXAMPLES / "tuebadz.export").select([0, 1, 2])
    path = tmp_path / ("file.parquet" if format == "parquet" else "file")
    write(bank, path, format)
    assert recognise(str(path), None, None)[1:] == (format, None)


def test_the_encoding_is_recognised(tmp_path: Path) -> None:
    text = (EXAMPLES / "tiger.export").read_text(encoding="utf-8")
    path = tmp_path / "old.export"
    path.write_bytes(text.encode("latin-1", errors="replace"))
    assert recognise(str(path), None, None)[1:] == ("export", "latin-1")
    long = tmp_path / "long.mrg"
    long.write_text("(S (N " + "ä" * 60_000 + "))", encoding="utf-8")
    assert recognise(str(long), None, None)[1:] == ("bracket", None)


@pytest.mark.parametrize("content", [b"\x00\x01", b"nothing of the kind"])
@pytest.mark.parametrize("name", ["file", "file.txt"])
def test_what_is_no_treebank(tmp_path: Path, content: bytes, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(CrossbankError, match=r"expected a treebank; .*\(format=\)"):
        recognise(str(path), None, None)
    with pytest.raises(CrossbankError, match="no such file or directory"):
        recognise(str(tmp_path / "none"), None, None)


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
    ("content", "message"),
    [
        ("(S (N a))\n", "has 1 sentence, "),
        ("(S (N a))\n" * 120, "other words in 120 sentences; the first is 1"),
        ("(S (N a\n", "expected"),
    ],
)
def test_what_does_not_fit_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, content: str, message: str
) -> None:
    candidate = tmp_path / "candidate.mrg"
    candidate.write_text(content, encoding="utf-8")
    assert main(["check", str(study(tmp_path, candidate))]) == 1
    printed = capsys.readouterr().out
    assert message in printed
    assert "1 thing does not fit." in printed


def test_what_helps_is_named_by_the_key_of_the_study(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    candidate = tmp_path / "old.mrg"
    candidate.write_bytes("(TOP (NP (NN Größe)))\n".encode("latin-1"))
    assert main(["check", str(study(tmp_path, candidate))]) == 1
    assert "(try encoding: latin-1)" in capsys.readouterr().out
    candidate.write_text("words", encoding="utf-8")
    assert main(["check", str(study(tmp_path, candidate.rename(tmp_path / "words")))]) == 2
    assert "name one (the key format)" in capsys.readouterr().err


def test_another_scheme_that_fits_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["check", str(study(tmp_path, EXAMPLES / "tiger.beta.mrg", scheme="susanne"))]) == 1
    assert "lists 100 % of gold's categories" in capsys.readouterr().out


def reads_shared_data(path: Path) -> bool:
    return "shared" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(path.stem, marks=pytest.mark.slow if reads_shared_data(path) else ())
        for path in sorted((ROOT / "config").glob("*.yaml"))
    ],
)
def test_the_studies_of_the_project_fit(
    capsys: pytest.CaptureFixture[str],
    name: str,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    monkeypatch.chdir(ROOT)
    path = ROOT / "config" / f"{name}.yaml"
    if reads_shared_data(path):
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
    assert "tests.trials: with 18 no p-value is as small as 0.05: no difference can be found with" in printed
    assert "5 sentences: no difference can be significant with fewer than 6" in printed


def test_a_breakdown_by_what_no_gold_has_is_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path, gold = tmp_path / "study.yaml", tmp_path / "gold.conllu"
    sentence = "1\tAnna\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
    gold.write_text("".join(f"# genre = {genre}\n{sentence}" for genre in ("news", "mail") * 3), "utf-8")
    for name, message in (("genre", False), ("gnre", True)):
        report = f"metrics: []\nreport: {{breakdowns: [{name}]}}\n"
        path.write_text(f"study: s\ntreebanks: [{{name: t, gold: {{path: {gold}}}}}]\n{report}", "utf-8")
        assert main(["check", str(path)]) == message
        assert ("breakdowns: found 'gnre', did you mean 'genre'?" in capsys.readouterr().out) == message


def test_too_little_to_train_on_is_told_before_the_run(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path, trees = tmp_path / "study.yaml", tmp_path / "trees.mrg"
    trees.write_text("(S (N a))\n" * 20, encoding="utf-8")
    treebank = (
        "  - name: {name}\n    gold: {{path: {trees}}}\n    test: {test}\n"
        "    candidates: [{{name: c, parser: {{pcfg: {{}}}}, training: {{sizes: {sizes}}}}}]\n"
    )

    def checked(*treebanks: str) -> tuple[int, str]:
        path.write_text(f"study: s\ntreebanks:\n{''.join(treebanks)}metrics: [parseval]\n", encoding="utf-8")
        return main(["check", str(path)]), capsys.readouterr().out

    code, printed = checked(treebank.format(name="t", trees=trees, test=0.2, sizes="[5, 16, 17]"))
    assert code == 1
    assert "trained by the study (pcfg, 16 sentences)" in printed
    assert "training: found 16 sentences, expected at least 17" in printed
    assert "4 sentences: no difference can be significant with fewer than 6" in printed
    code, printed = checked(
        treebank.format(name="t", trees=trees, test=0.5, sizes="[5, 10]"),
        treebank.format(name="u", trees=trees, test=0.5, sizes="[5, 8]"),
    )
    assert code == 0
    assert (
        "training size: t and u have 1 point in common; from two on the report says whether their distance "
        "changes" in printed
    )


def test_trials_of_zero_are_refused(tmp_path: Path) -> None:
    path = study(tmp_path, EXAMPLES / "tiger.beta.mrg")
    path.write_text(f"{path.read_text(encoding='utf-8')}tests: {{trials: 0}}\n", encoding="utf-8")
    with raises(YamlError, "0", "a whole number from 1", line=8, key="tests.trials"):
        load_study(path)


def files(folder: Path, *names: str) -> None:
    """Copies of examples: a treebank's file by its name and, after a colon, the name of the copy."""
    for name in names:
        example, _, copy = name.partition(":")
        path = folder / copy
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes((EXAMPLES / example).read_bytes())


def parsed(folder: Path) -> None:
    files(folder, "tiger.export:gold/tiger.export", "tuebadz.export:gold/tuebadz.export")
    for system in ("alpha", "beta"):
        for size in (1000, 20000):
            for treebank in ("tiger", "tuebadz"):
                files(folder, f"{treebank}.{system}.mrg:out/{system}-{size}/{treebank}.mrg")


@pytest.mark.parametrize("expanded", [True, False])
def test_several_treebanks_are_found_by_patterns(
    expanded: bool, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    parsed(tmp_path)
    patterns = ["gold/*", "out/*/*"]
    if expanded:
        patterns = [path for one in patterns for path in sorted(map(str, Path().glob(one)))]
    text = drafted(capsys, *patterns, "--name", "all")
    assert '\n  path: "out/{system}-{training_size}/{treebank}.mrg"  # 8 files' in text
    (tmp_path / "study.yaml").write_text(text, encoding="utf-8")
    study = load_study(tmp_path / "study.yaml")
    assert [(one.name, one.scheme) for one in study.treebanks] == [("tiger", "tiger"), ("tuebadz", "tuebadz")]
    for treebank in study.treebanks:
        assert [one.name for one in treebank.candidates] == [
            "alpha-1000", "alpha-20000", "beta-1000", "beta-20000",
        ]  # fmt: skip
        assert treebank.candidates[0].attributes == {"system": "alpha", "training_size": 1000}


def test_treebanks_of_one_scheme_and_gold_among_the_systems(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("00-gold", "one", "two"):
        files(tmp_path, f"ud.conllu:task/{folder}/de.conllu", f"ud.conllu:task/{folder}/en.conllu")
    text = drafted(capsys, "task/00-gold/*.conllu", "task/*/*.conllu")
    assert '\n  path: "task/00-gold/{treebank}.conllu"  # 2 files' in text
    assert '\n  path: "task/{system}/{treebank}.conllu"  # 4 files' in text
    assert "\n  except: [00-gold]  # found, but not given\n" in text
    (tmp_path / "study.yaml").write_text(text, encoding="utf-8")
    study = load_study(tmp_path / "study.yaml")
    assert [[one.name for one in treebank.candidates] for treebank in study.treebanks] == [["one", "two"]] * 2


@pytest.mark.parametrize(
    ("names", "pattern"),
    [
        (
            [f"lstm-{size}-{seed}" for size in (1000, 5000) for seed in range(5)],
            "lstm-{training_size}-{seed}",
        ),
        (
            [f"{system}-{size}-{seed}" for system in "ab" for size in (1000, 5000) for seed in (1, 2, 3)],
            "{system}-{training_size}-{seed}",
        ),
        ([f"parser{number}" for number in range(10)], "{system}"),
        (
            [f"{s}-{size}-{seed}" for s in "ab" for size in (10, 80) for seed in (1, 2, 3)],
            "{system}-{training_size}-{seed}",
        ),
        (
            [f"lstm{size}_seed{seed}" for size in (1000, 20000) for seed in range(5)],
            "lstm{training_size}_seed{seed}",
        ),
        (
            [
                f"{system}-lr{rate}.epoch{epoch}"
                for system in "ab"
                for rate in ("0.1", "0.05")
                for epoch in "123"
            ],
            "{system}-lr{lr}.epoch{epoch}",
        ),
        (
            [f"{s}-{n}-{seed}" for s in ("a", "self_attentive") for n in (10, 80) for seed in (1, 2, 3)],
            "{system}-{training_size}-{seed}",
        ),
        ([f"{system}-{word}" for system in ("a", "big_b") for word in "uvwxyz"], "{system}"),
    ],
)
def test_many_candidates_are_found_by_a_pattern(
    names: list[str], pattern: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    files(tmp_path, *(f"tiger.alpha.mrg:{name}.mrg" for name in names))
    text = drafted(capsys, GOLD, *(f"{tmp_path}/{name}.mrg" for name in names))
    match = re.search(r'^candidates:\n  path: "(.*)"  #', text, re.M)
    assert match
    assert match[1] == f"{tmp_path}/{pattern}.mrg"
    (tmp_path / "study.yaml").write_text(text, encoding="utf-8")
    assert len(load_study(tmp_path / "study.yaml").treebanks[0].candidates) == len(names)


def test_a_file_called_gold_gives_its_name_to_the_treebank(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    files(tmp_path, "tiger.export:gold.export", "tiger.alpha.mrg:alpha/gold.mrg")
    text = drafted(capsys, f"{tmp_path}/gold.export", f"{tmp_path}/alpha/gold.mrg")
    assert "\nstudy: gold  #" in text
    assert "\n  - name: gold\n" in text
    assert "{name: alpha, " in text


@pytest.mark.parametrize(
    ("names", "patterns"),
    [
        (
            ["gold/{}.export", "out/{}.lstm.500.1.mrg", "out/{}.lstm.20000.1.mrg", "out/{}.gru.500.1.mrg"],
            ("gold/{treebank}.export", "out/{treebank}.{system}.{training_size}.1.mrg"),
        ),
        (
            ["{}/gold.export", "{}/lstm.mrg", "{}/gru.mrg"],
            ("{treebank}/gold.export", "{treebank}/{system}.mrg"),
        ),
    ],
)
def test_golds_among_files_as_a_shell_writes_them(
    names: list[str],
    patterns: tuple[str, str],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    paths = [name.format(treebank) for name in names for treebank in ("dev", "test")]
    files(tmp_path, *(f"{'tiger.export' if 'gold' in path else 'tiger.alpha.mrg'}:{path}" for path in paths))
    text = drafted(capsys, *paths)
    assert tuple(re.findall(r'^  path: "(.*)"  #', text, re.M)) == patterns


def test_treebanks_and_candidates_of_a_real_parser(
    capsys: pytest.CaptureFixture[str], shared_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten folds, ``far_split0testing.psd`` and ``far_split0machineparsed.psd`` of two models."""
    monkeypatch.chdir(shared_data / "farpahc" / "parsers")
    gold, parsed = "e1/corpus/*testing.psd", "*/output/*.psd"
    text = drafted(capsys, gold, parsed)
    assert '\n    gold: {path: "e1/corpus/far_split*testing.psd", format: bracket}\n' in text
    for model in ("e1", "ei0"):
        path = f"{model}/output/far_split*machineparsed.psd"
        assert f'\n      - {{name: {model}, path: "{path}", format: bracket}}\n' in text
    one = [
        pattern.replace("*testing", "*0testing").replace("/*.psd", "/*0*.psd") for pattern in (gold, parsed)
    ]
    assert re.findall(r"- \{name: (\w+)", drafted(capsys, *one)) == ["e1", "ei0"]


FOLD = "(S (NP (N a)) (VP (V w{})))\n(S (NP (N b)))\n"


@pytest.mark.parametrize("quoted", [True, False])
@pytest.mark.parametrize(
    ("golds", "parses", "name", "candidates"),
    [
        ("fold{}.gold", ["fold{}.parsed"], "corpus", ["parsed"]),
        ("far_split{}testing.mrg", ["far_split{}machineparsed.mrg"], "far", ["far_machineparsed"]),
        ("gold/{}.mrg", ["e1/{}.mrg", "e2/{}.mrg"], "gold", ["e1", "e2"]),
        ("fold-{}.gold.mrg", ["fold-{}.one.mrg", "fold-{}.two.mrg"], "corpus", ["one", "two"]),
    ],
)
def test_folds_are_joined_to_one_treebank(
    golds: str,
    parses: list[str],
    name: str,
    candidates: list[str],
    quoted: bool,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = tmp_path / "corpus"
    for pattern in (golds, *parses):
        for number in range(1, 12):
            path = folder / pattern.format(number)
            path.parent.mkdir(parents=True, exist_ok=True)
            text = FOLD.format(number)
            path.write_text(text if pattern == golds or number % 2 else text.replace("NP", "NX", 1))
    monkeypatch.chdir(folder)
    patterns = [pattern.format("*") for pattern in (golds, *parses)]
    files = [str(path) for pattern in patterns for path in sorted(Path().glob(pattern))]
    Path("study.yaml").write_text(drafted(capsys, *(patterns if quoted else files)))
    study = load_study("study.yaml")
    (treebank,) = study.treebanks
    assert treebank.name == name
    assert [str(path) for path in treebank.gold.paths] == [golds.format(number) for number in range(1, 12)]
    assert [one.name for one in treebank.candidates] == candidates
    completed = run_here({**study.content, "bootstrap": {"samples": 0}}, Path("results"), reported=False)
    counts = completed.treebanks[0].candidates[0].counts["parseval"]
    assert (len(counts), counts.status_counts()["scored"]) == (22, 22)
    assert list(counts.sentences[:3]) == [
        f"{Path(golds.format(n)).name}:{p}" for n, p in ((1, 1), (1, 2), (2, 1))
    ]


def test_folds_that_a_candidate_lacks_are_not_joined(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("fold1.gold", "fold2.gold", "fold1.parsed"):
        Path(name).write_text(FOLD)
    assert '\n  path: "{treebank}.gold"' in drafted(capsys, "*.gold", "*.parsed")


def test_candidates_of_other_sentences_are_compared_by_their_text(
    capsys: pytest.CaptureFixture[str], shared_data: Path
) -> None:
    task = shared_data / "conll18"
    text = drafted(capsys, f"{task}/00-gold-standard/*.conllu", f"{task}/*/*.conllu")
    assert "\n  - conll18  # as the shared task: " in text
    assert "\n  - dependencies\n" in drafted(capsys, str(EXAMPLES / "ud.conllu"), str(EXAMPLES / "ud.conllu"))


def test_a_study_is_not_drafted_of_pipes(capsys: pytest.CaptureFixture[str]) -> None:
    for command in (["init", "-", ALPHA], ["study", "-"]):
        assert main(command) == 2
        assert capsys.readouterr().err.startswith("-: this is a pipe; a study needs")


def test_a_candidate_of_no_treebank(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    parsed(tmp_path)
    files(tmp_path, "tiger.alpha.mrg:out/alpha-1/negra.mrg")
    assert main(["init", f"{tmp_path}/gold/*", f"{tmp_path}/out/*/*"]) == 2
    assert "negra.mrg: its name has none of the treebanks tiger, tuebadz" in capsys.readouterr().err


def test_check_pairs_candidates_with_the_part_of_gold_that_is_scored(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = study(tmp_path, Path(ALPHA))
    path.write_text(path.read_text(encoding="utf-8").replace("scheme: tiger", "scheme: tiger\n    test: 0.5"))
    assert "test: 0.5" in path.read_text(encoding="utf-8")
    assert main(["check", str(path)]) == 1
    assert "tiger.alpha.mrg has 120 sentences" in capsys.readouterr().out


def test_check_takes_keys_in_place_of_those_in_the_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    study = tmp_path / "study.yaml"
    study.write_text(
        "study: s\ndata: nowhere\n"
        "treebanks: [{name: t, scheme: tiger, gold: {path: '{data}/tiger.export'}}]\n",
        encoding="utf-8",
    )
    assert main(["check", str(study)]) != 0
    assert "no such file: nowhere/tiger.export" in capsys.readouterr().err
    assert main(["check", str(study), "--config", f"data={EXAMPLES}"]) == 0
    assert "120 sentences" in capsys.readouterr().out
    assert main(["check", str(study), "--config", "data"]) != 0
    assert "--config: found 'data', expected KEY=VALUE" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["{c}", "<b>", "a{1,2}b"])
def test_a_name_of_which_snakemake_replaces_a_part_is_refused(
    name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    candidate = tmp_path / f"{name}.mrg"
    candidate.write_bytes(Path(ALPHA).read_bytes())
    assert main(["check", str(study(tmp_path, Path(f'"{candidate}"')))]) == 2
    assert f"{name}.mrg: {name.strip('ab')} in the name of a file" in capsys.readouterr().err
