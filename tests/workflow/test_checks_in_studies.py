"""A study lists the same diagnostics of a pair as ``score``, with the same numbers."""

from collections.abc import Callable
from pathlib import Path

import pytest

from crossbank.reports.results.counts_in_files import read_scored
from crossbank.reports.results.result import Result
from crossbank.reports.study.reading import study_of
from crossbank.scorer import Scorer
from crossbank.treebanks.formats import bracket, read_all
from crossbank.workflow.commands.cli import main
from crossbank.workflow.plan import Plan
from crossbank.workflow.steps.read import read
from crossbank.workflow.steps.score import score
from crossbank.workflow.steps.view import convert
from tests.workflow.test_study_run import ROOT

EXAMPLE = ROOT / "examples/tuebadz.alpha.mrg"
REAL = ROOT.parent / "shared/data/wsj-sample"


def missing(lines: list[str]) -> list[str]:
    """Return trees of which every second is missing."""
    return ["(())" if number % 2 else line for number, line in enumerate(lines)]


def shifted(lines: list[str]) -> list[str]:
    """Return trees that are moved by one sentence."""
    return [*lines[1:], lines[0]]


def changed(lines: list[str]) -> list[str]:
    """Return trees of which some have another word, as one with other quotation marks."""
    return [line.replace(")", "x)", 1) if number % 5 == 0 else line for number, line in enumerate(lines)]


def lower(lines: list[str]) -> list[str]:
    """Return trees with labels in lower case."""
    return [line.replace("(NP ", "(np ").replace("(NX ", "(nx ").replace("(VP ", "(vp ") for line in lines]


def other(lines: list[str]) -> list[str]:
    """Return trees of which all have another word."""
    return [line.replace(")", "x)", 1) for line in lines]


def same(lines: list[str]) -> list[str]:
    """Return the trees themselves."""
    return lines


@pytest.mark.filterwarnings("ignore::crossbank.treebanks.errors.CrossbankWarning")
@pytest.mark.parametrize("metric", ["parseval", "leaf_ancestor", "dependencies"])
@pytest.mark.parametrize("change", [missing, shifted, changed, lower, other, same])
@pytest.mark.parametrize("corpus", ["example", "real"])
def test_a_study_has_the_diagnostics_of_score(
    corpus: str,
    change: Callable[[list[str]], list[str]],
    metric: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    if corpus == "real" and not REAL.is_dir():
        pytest.skip(f"{REAL} is not here")
    gold = read_all([str(EXAMPLE if corpus == "example" else REAL / "trees/*.mrg")])
    # A scheme that is not gold's, and unknown punctuation, are diagnostics of gold as it was read.
    scheme = "ptb"
    lines = bracket.dumps(gold[:60]).splitlines()
    Path("gold.mrg").write_text("\n".join(lines) + "\n", encoding="utf-8")
    Path("parsed.mrg").write_text("\n".join(change(lines)) + "\n", encoding="utf-8")
    result = Scorer(metric, scheme).score("parsed.mrg", "gold.mrg")
    assert isinstance(result, Result)
    expected = list(map(str, result.warnings))
    assert expected or change is lower  # dependencies have no labels of phrases
    content = {
        "study": "pair",
        "treebanks": [
            {
                "name": "t",
                "scheme": scheme,
                "gold": {"path": "gold.mrg"},
                "candidates": [{"name": "parsed", "path": "parsed.mrg"}],
            }
        ],
        "metrics": [metric],
    }
    plan = Plan(study_of(content, "pair.yaml"), Path("results"))
    paths = {}
    for name, batch in (("gold", "gold"), ("parsed", "candidates-1-of-1")):
        paths[name] = plan.source("t", batch)
        read({name: ([Path(f"{name}.mrg")], plan.reading("t", name))}, paths[name])
        for view in plan.views_of("t", batch):
            settings = {name: plan.converting("t", name, view)}
            convert([paths[name]], plan.converted("t", batch, view), settings)
    trees, parses = (plan.view("t", batch, metric) for batch in ("gold", "candidates-1-of-1"))
    for size in (1000, 7):
        output = Path(f"counts.{size}.parquet")
        scoring = {"parsed": plan.scoring("t", "parsed", metric)}
        score(trees, parses, output, scoring, size, as_read=paths)
        assert read_scored(output).warnings == expected
        assert not [*Path().glob(".counts*")]
    capsys.readouterr()
    main(["score", "gold.mrg", "parsed.mrg", "--scheme", scheme, "--metric", metric])
    assert capsys.readouterr().err.count("warning:") == len(expected)
