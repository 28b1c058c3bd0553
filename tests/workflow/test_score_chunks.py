"""``crossbank score`` prints the same whatever the size of the chunks in which it reads files."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from crossbank.treebanks.in_memory import sources
from crossbank.workflow.commands.cli import main
from tests.workflow.test_study_run import ROOT

EXAMPLES = ROOT / "examples"

Printed = tuple[int, str, str]


@pytest.fixture
def printed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Printed]:
    """Return the code and output of a command, which are the same for chunks of three sizes."""

    def run(*arguments: str) -> Printed:
        results = []
        for size in (1 << 24, 20_000, 4_000):
            monkeypatch.setitem(sources.chunked_files.__kwdefaults__, "size", size)
            code = main(["score", *arguments])
            captured = capsys.readouterr()
            results.append((code, captured.out, captured.err))
        assert results[1:] == results[:1] * 2
        return results[0]

    return run


def side(folder: Path, name: str, trees: list[str]) -> str:
    path = folder / name
    path.write_text("".join(f"{tree}\n" for tree in trees), encoding="utf-8")
    return str(path)


def without_functions(name: str) -> list[str]:
    text = (EXAMPLES / name).read_text(encoding="utf-8")
    return re.sub(r"(\([^\s():]+):[^\s()]+", r"\1", text).splitlines()


ALPHA, BETA = without_functions("tuebadz.alpha.mrg"), without_functions("tuebadz.beta.mrg")


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--json"],
        ["--by", "label,length"],
        ["--metric", "parseval", "--metric", "leaf_ancestor", "--metric", "rule_distance"],
        ["--metric", "dependencies", "--by", "gold_relation,length"],
        ["--metric", "dependencies", "--json"],
        ["--unscored", "skip"],
        ["--unscored", "fail"],
        ["--fail-under", "parseval.f1=0.99"],
        ["--option", "delete=unicode"],
    ],
)
def test_the_same_is_printed(tmp_path: Path, printed: Callable[..., Printed], options: list[str]) -> None:
    trees = [one if index % 3 else two for index, (one, two) in enumerate(zip(ALPHA, BETA, strict=True))]
    arguments = side(tmp_path, "gold.mrg", trees), side(tmp_path, "parsed.mrg", [*ALPHA[:-1], "(())"])
    code, output, errors = printed(*arguments, "--scheme", "tuebadz", *options)
    if "fail" in options:
        assert code == 1
        assert f"sentence {len(ALPHA)} cannot be scored" in errors
    else:
        assert output


def test_counts_of_each_sentence_are_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ["score", side(tmp_path, "gold.mrg", BETA), side(tmp_path, "parsed.mrg", ALPHA)]
    written = []
    for size in (1 << 24, 4_000):
        monkeypatch.setitem(sources.chunked_files.__kwdefaults__, "size", size)
        main([*arguments, "--per-sentence", str(tmp_path / "counts.csv")])
        written.append((tmp_path / "counts.csv").read_text(encoding="utf-8"))
    assert written[0] == written[1]
    assert written[0].count("\n") == len(ALPHA) + 1


@pytest.mark.parametrize(
    ("changed", "warned"),
    [
        (lambda trees: [*trees[1:], "(())"], "the candidate's sentences from number"),
        (lambda trees: trees[:-1], "119 sentences"),
        (lambda trees: [*trees, "(())"], "scored"),
        (lambda trees: [*trees[:-1], trees[-1][:-1]], "damaged sentences"),
        (lambda trees: [tree.replace("NX", "nx") for tree in trees], "differ from gold's by case only"),
        (lambda trees: [*trees[:5], "(S (X other))", *trees[6:]], "words differ"),
        (lambda _: BETA, "identical to gold"),
    ],
)
def test_diagnostics_are_those_of_the_whole(
    tmp_path: Path, printed: Callable[..., Printed], changed: Callable[[list[str]], list[str]], warned: str
) -> None:
    _, output, errors = printed(
        side(tmp_path, "gold.mrg", BETA), side(tmp_path, "parsed.mrg", changed(ALPHA))
    )
    assert warned in output + errors


def test_several_files_are_aligned_pair_by_pair(
    tmp_path: Path, printed: Callable[..., Printed], capsys: pytest.CaptureFixture[str]
) -> None:
    for name, trees in (("gold", BETA), ("parsed", ALPHA)):
        for number, part in enumerate((trees[:50], trees[50:])):
            side(tmp_path, f"{name}{number}.mrg", part)
    patterns = str(tmp_path / "gold*.mrg"), str(tmp_path / "parsed*.mrg")
    _, output, _ = printed(*patterns, "--by", "file")
    assert "120 sentences" in output
    side(tmp_path, "parsed0.mrg", ALPHA[:49])
    side(tmp_path, "parsed1.mrg", ALPHA[49:])
    assert main(["score", *patterns]) == 2
    assert "parsed0.mrg has 49 sentences" in capsys.readouterr().err
