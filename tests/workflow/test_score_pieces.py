"""``crossbank score`` says the same of large files, which it compares piece by piece, as of small ones."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossbank.metrics.counting.counts import Counts
from crossbank.treebanks import CrossbankError, Treebank, files, formats
from crossbank.treebanks.formats import bracket
from crossbank.workflow import score_pieces
from crossbank.workflow.commands import score
from crossbank.workflow.commands.cli import main
from tests.workflow.test_study_run import ROOT

EXAMPLES = ROOT / "examples"

Said = tuple[int, str, str]


@pytest.fixture
def compared(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[Said, list[Counts] | None]]:
    """What a command says of the whole files, after it has said the same in pieces; and their counts."""
    counted = score_pieces.counts_in_pieces
    results: list[list[Counts] | None] = []

    def spied(*given: object) -> list[Counts] | None:
        results.append(None)
        results[-1] = counted(*given)  # type: ignore[arg-type]
        return results[-1]

    monkeypatch.setattr(score_pieces, "counts_in_pieces", spied)

    def compare(*arguments: str, size: int = 4000) -> tuple[Said, list[Counts] | None]:
        said = []
        for piece in (size, 1 << 24):
            for module in (files, formats, score):
                monkeypatch.setattr(module, "PIECE", piece)
            monkeypatch.setattr(score, "AT_ONCE_AS_READ", 2)
            code = main(["score", *arguments])
            captured = capsys.readouterr()
            said.append((code, captured.out, captured.err))
        assert said[0] == said[1]
        assert len(results) == 1
        return said[1], results[0]

    return compare


def side(folder: Path, name: str, trees: list[str]) -> str:
    path = folder / name
    path.write_text("".join(f"{tree}\n" for tree in trees), encoding="utf-8")
    return str(path)


ALPHA = (EXAMPLES / "tuebadz.alpha.mrg").read_text(encoding="utf-8").splitlines()
BETA = (EXAMPLES / "tuebadz.beta.mrg").read_text(encoding="utf-8").splitlines()


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
def test_the_same_is_said_of_pieces(
    tmp_path: Path, compared: Callable[..., tuple[Said, list[Counts] | None]], options: list[str]
) -> None:
    trees = [one if place % 3 else two for place, (one, two) in enumerate(zip(ALPHA, BETA, strict=True))]
    arguments = side(tmp_path, "gold.mrg", trees), side(tmp_path, "parsed.mrg", [*ALPHA[:-1], "(())"])
    (code, said, complained), counts = compared(*arguments, "--scheme", "tuebadz", *options)
    if "fail" in options:
        assert code == 1
        assert "(1 such sentence" in complained
    else:
        assert counts is not None
        assert said


def test_counts_of_each_sentence_are_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ["score", side(tmp_path, "gold.mrg", BETA), side(tmp_path, "parsed.mrg", ALPHA)]
    found = []
    for piece in (1 << 24, 4000):
        for module in (files, formats, score):
            monkeypatch.setattr(module, "PIECE", piece)
        monkeypatch.setattr(score, "AT_ONCE_AS_READ", 2)
        main([*arguments, "--per-sentence", str(tmp_path / "counts.csv")])
        found.append((tmp_path / "counts.csv").read_text(encoding="utf-8"))
    assert found[0] == found[1]
    assert found[0].count("\n") == len(ALPHA) + 1


@pytest.mark.parametrize(
    ("changed", "warned"),
    [
        (lambda trees: [*trees[1:], "(())"], "the candidate's sentences from number"),
        (lambda trees: trees[:-1], "119 sentences"),
        (lambda trees: [*trees, "(())"], "scored"),
        (lambda trees: [*trees[:-1], trees[-1][:-1]], "without a closing one"),
        (lambda trees: [tree.replace("NX", "nx") for tree in trees], "differ from gold's by case only"),
        (lambda trees: [*trees[:5], "(S (X other))", *trees[6:]], "words differ"),
        (lambda _: BETA, "identical to gold"),
    ],
)
def test_faults_are_told_as_of_the_whole(
    tmp_path: Path,
    compared: Callable[..., tuple[Said, list[Counts] | None]],
    changed: Callable[[list[str]], list[str]],
    warned: str,
) -> None:
    arguments = side(tmp_path, "gold.mrg", BETA), side(tmp_path, "parsed.mrg", changed(ALPHA))
    (_, said, complained), _ = compared(*arguments)
    assert warned in said + complained


@given(
    st.lists(st.integers(1, 9), min_size=1, max_size=12), st.lists(st.integers(1, 9), min_size=1, max_size=12)
)
def test_pieces_are_read_in_step(one: list[int], other: list[int]) -> None:
    trees = [f"(S (A w{place}))" for place in range(sum(one) + sum(other))]

    def pieces(sizes: list[int], total: int) -> list[Treebank]:
        ends = [0]
        for size in sizes:
            ends.append(min(ends[-1] + size, total))
        ends.append(total)
        return [bracket.loads("\n".join(trees[first:last])) for first, last in pairwise(ends) if last > first]

    total = max(sum(one), sum(other))
    found = list(score_pieces.in_step(iter(pieces(one, total)), iter(pieces(other, total))))
    assert all(len(gold) == len(candidate) for gold, candidate in found)
    for side in (0, 1):
        words = [word for both in found for sentence in both[side] for word in sentence.words]
        assert words == [f"w{place}" for place in range(total)]


def test_pieces_of_different_numbers_are_refused() -> None:
    one, two = bracket.loads("(S (A a))"), bracket.loads("(S (A a))\n(S (A b))")
    with pytest.raises(CrossbankError, match="one side has more sentences"):
        list(score_pieces.in_step(iter([one, one, one]), iter([two])))
