"""``import crossbank``: what users of Python call, and that it costs nothing before it is called."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from lxml import etree

import crossbank
from crossbank.metrics.counting.scoring import score as counts_of
from crossbank.metrics.counting.scoring import scoring_of
from crossbank.metrics.parseval import Parseval
from crossbank.reports.results.result_table import MissingLibraryError
from crossbank.treebanks import CrossbankError, OptionError
from crossbank.workflow.commands.cli import main
from tests.errors import raises

ROOT = Path(__file__).resolve().parents[1]
GOLD, ALPHA, BETA = (str(ROOT / "examples" / f"tiger.{name}") for name in ("export", "alpha.mrg", "beta.mrg"))


def test_importing_the_package_loads_nothing_else() -> None:
    program = "import sys, crossbank; print([m for m in sys.modules if m.startswith('crossbank.')])"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert loaded.stdout == "[]\n"


def test_every_public_name_is_there_and_explained() -> None:
    assert set(crossbank.__all__) <= set(dir(crossbank))
    for name in crossbank.__all__:
        assert getattr(crossbank, name).__doc__
    with pytest.raises(AttributeError, match="no attribute 'skore'"):
        crossbank.skore  # type: ignore[attr-defined]  # noqa: B018
    assert (Path(crossbank.__file__).parent / "py.typed").is_file()


def test_paths_and_treebanks_give_what_the_command_gives() -> None:
    by_path = crossbank.score(GOLD, ALPHA, "parseval", scheme="tiger", labels=False)
    scheme = crossbank.load_scheme("tiger")
    gold, candidate = crossbank.read(GOLD), crossbank.read(ALPHA)
    by_bank = crossbank.score(gold, candidate, Parseval, scheme=scheme, labels=False)
    (counts,) = counts_of(gold, candidate, scoring_of(["parseval"], {"labels": "no"}), scheme)
    assert dict(by_path) == dict(by_bank) == counts.values()
    assert by_path.signature == by_bank.signature == str(counts.full_signature)


def test_several_metrics_give_a_result_each() -> None:
    actual = crossbank.score(GOLD, ALPHA, ["parseval", "leaf_ancestor"], scheme="tiger")
    assert list(actual) == ["parseval", "leaf_ancestor"]
    assert 0 < actual["leaf_ancestor"]["mean"] < 1


@pytest.fixture(scope="module")
def result() -> crossbank.Result:
    return crossbank.score(GOLD, ALPHA, scheme="tiger")


def test_a_result_knows_its_sentences(result: crossbank.Result) -> None:
    table = result.sentences
    assert len(table) == 120
    arrow = table.to_arrow()
    assert arrow.column_names == table.columns
    assert sum(table["matched"]) / sum(table["gold"]) == pytest.approx(result["recall"])
    assert [problem.detail for problem in result.problems] == ["no parse"]
    skipped = crossbank.score(GOLD, ALPHA, scheme="tiger", unscored="skip").sentences
    assert skipped["f1"].count(None) == skipped.to_arrow()["f1"].null_count == 1
    with raises(OptionError, kind="column", value="F1"):
        table["F1"]


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_other_tables_are_made_where_their_library_is(
    result: crossbank.Result, library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingLibraryError, match=f"{library} is not installed: pip install {library}"):
        getattr(result.sentences, f"to_{library}")()


def test_a_result_has_intervals_and_breakdowns(result: crossbank.Result) -> None:
    actual = result.interval("f1")
    assert actual.low < actual.value == result["f1"] < actual.high
    assert result.interval("f1") == actual
    labels = result.breakdown("label")
    assert labels["label"][:2] == ["NP", "S"]
    assert labels["f1"][0] == pytest.approx(2 * 149 / (182 + 182))
    tags = crossbank.score(GOLD, ALPHA, "leaf_ancestor", scheme="tiger").breakdown("pos")
    assert tags["words"] == sorted(tags["words"], reverse=True)
    with raises(OptionError, kind="breakdown of parseval", value="pos"):
        result.breakdown("pos")
    with raises(KeyError, "f1", kind="measure of parseval", value="F1"):
        result["F1"]


def test_nothing_scored_is_no_number() -> None:
    bank = crossbank.read(ALPHA)[64:65]
    assert str(crossbank.score(bank, bank, unscored="skip")["f1"]) == "nan"


def test_candidates_are_compared_pair_by_pair() -> None:
    comparison = crossbank.compare(
        GOLD, {"alpha": ALPHA, "beta": BETA}, ["parseval", "leaf_ancestor"], scheme="tiger", trials=200
    )
    table = comparison.between("beta", "alpha")
    index = table["measure"].index("f1")
    alpha, beta = (comparison.results[name]["parseval"]["f1"] for name in ("alpha", "beta"))
    assert table["difference"][index] == pytest.approx(beta - alpha)
    assert table["low"][index] <= table["difference"][index] <= table["high"][index]
    assert table["different"][index]
    assert set(comparison.table["metric"]) == {"parseval", "leaf_ancestor"}
    with raises(OptionError, kind="candidate", value="gamma"):
        comparison.between("alpha", "gamma")


def test_functions_are_written_as_the_scheme_reads_them(tmp_path: Path) -> None:
    gold, path = str(ROOT / "examples" / "tuebadz.export"), tmp_path / "gold.mrg"
    steps = ["virtual_root", "raise_crossing", "attach_punctuation"]
    crossbank.write(crossbank.transform(crossbank.read(gold), steps, "tuebadz"), path, scheme="tuebadz")
    assert "NX:ON" in path.read_text(encoding="utf-8")
    assert crossbank.score(gold, path, scheme="tuebadz")["f1"] == 1


def test_transformations_are_written_as_on_the_command_line() -> None:
    bank = crossbank.read(GOLD)
    raised = crossbank.transform(bank, ["virtual_root", {"raise_crossing": {}}], "tiger")
    assert raised.history == ("virtual_root", "raise_crossing")
    assert crossbank.transform(bank, "delete_punctuation", "tiger").history == ("delete_punctuation",)
    with raises(OptionError, kind="transformation", value="raise"):
        crossbank.transform(bank, "raise")
    with raises(OptionError, kind="transformation", value=5):
        crossbank.transform(bank, 5)  # type: ignore[arg-type]


def test_transformations_take_what_score_takes() -> None:
    assert crossbank.transform(GOLD, "delete_punctuation", "tiger").history == ("delete_punctuation",)
    assert len(crossbank.transform(["(S (A b))", None], "delete_roots")) == 2
    with raises(OptionError, kind="option universal_dependencies:representation", value="rich"):
        crossbank.to_ud(["(S (NP (NNP Ann)) (VP (VBD left)))"], "ptb", representation="rich")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda found: found.interval(level=95), "level: found 95, expected a proportion between 0 and 1"),
        (lambda found: found.interval(samples=-1), "samples: found -1, expected a whole number from 0"),
        (lambda _: crossbank.compare(GOLD, [ALPHA]), "candidates: found .*, expected a dictionary"),  # type: ignore[arg-type]
        (
            lambda _: crossbank.compare(GOLD, {}),
            "candidates: found {}, expected a dictionary: each candidate",
        ),
        (lambda _: crossbank.explain(GOLD, ALPHA, parameters={}), "parameters: found 'dict', expected"),  # type: ignore[arg-type]
        (
            lambda _: crossbank.explain(["(S (A b))"] * 2, ["(S (A b))"] * 2, parameters="x"),
            "parameters: fou",
        ),
    ],
)
def test_mistakes_about_answers(
    call: Callable[[crossbank.Result], object], message: str, result: crossbank.Result
) -> None:
    with pytest.raises(OptionError, match=message):
        call(result)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ({"metric": "parsival"}, "metric: found 'parsival', did you mean"),
        ({"scheme": "tigger"}, "scheme: found 'tigger', did you mean"),
        ({"labelled": True}, "option: found 'labelled', expected one of"),
        ({"format": "mrg"}, "format: found 'mrg', expected one of bracket"),
        ({"gold": "none.mrg"}, "none.mrg: no such file"),
        ({"unscored": "skipp"}, "unscored: found 'skipp', did you mean 'skip'?"),
        ({"metric": 5}, "metric: found 5, expected the name of a metric, or its class"),
        ({"metric": []}, r"metric: found \[\], expected at least one"),
        ({"scheme": 5}, "scheme: found 5, expected a scheme, its name, or the path of a file"),
    ],
)
def test_mistakes_are_answered_in_one_sentence(call: dict[str, object], message: str) -> None:
    arguments: dict[str, object] = {"gold": GOLD, "candidate": ALPHA, **call}
    with pytest.raises(CrossbankError, match=message):
        crossbank.score(**arguments)  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("file", "arguments", "options", "in_python", "as_typed"),
    [
        (
            "x.export",
            {"damaged": "stop"},
            ["--damaged", "stop"],
            '(try encoding="latin-1")',
            "(try --encoding latin-1)",
        ),
        ("words", {}, [], "name one (format=)", "name one (--format)"),
        (ALPHA, {"metric": "edm"}, ["--metric", "edm"], "with scheme=)", "with --scheme)"),
        (
            ALPHA,
            {"unscored": "fail"},
            ["--unscored", "fail"],
            '(unscored="empty" or "skip"',
            "(--unscored empty or skip",
        ),
    ],
)
def test_errors_name_arguments_in_python_and_options_on_the_command_line(
    file: str,
    arguments: dict[str, str],
    options: list[str],
    in_python: str,
    as_typed: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "x.export").write_bytes(b"#BOS 1\n\xfc\tNN\t--\t--\t0\n#EOS 1\n")
    (tmp_path / "words").write_text("Berry got elected.\n", encoding="utf-8")
    candidate = file if file == ALPHA else str(tmp_path / file)
    assert main(["score", GOLD, candidate, *options]) > 0
    assert as_typed in capsys.readouterr().err
    with pytest.raises(CrossbankError, match=re.escape(in_python)):
        crossbank.score(GOLD, candidate, **arguments)  # type: ignore[call-overload]


def test_results_show_themselves(result: crossbank.Result) -> None:
    assert "87.27 %" in repr(result)
    differences = crossbank.compare(GOLD, {"a": ALPHA, "b": BETA}, scheme="tiger", trials=20)
    alone = crossbank.compare(GOLD, {"a": ALPHA}, scheme="tiger")  # nothing to compare it with
    assert "87.27 %" in repr(alone)
    for displayed in (result, result.sentences, differences, alone):
        etree.fromstring(f"<div>{displayed._repr_html_()}</div>")
    assert "120 rows in all" in repr(result.sentences)
    assert result.signature in result._repr_html_()


def test_the_readme_block_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT)
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.S)
    assert len(blocks) == 1
    exec(compile(blocks[0], "README.md", "exec"), {})
    printed = capsys.readouterr().out
    assert "parseval|labels:yes" in printed
