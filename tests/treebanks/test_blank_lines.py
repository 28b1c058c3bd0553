"""Blank lines between trees of one line, where no two are neighbours: gold's number of sentences decides."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crossbank import Scorer, score
from crossbank.treebanks import Treebank
from crossbank.treebanks.chunks import ChunkedSource, LengthMismatchError, aligned_chunks, aligned_treebanks
from crossbank.treebanks.diagnosis import BLANK_LINES, FAILED_PARSES
from crossbank.treebanks.files import utf8_of
from crossbank.treebanks.formats import bracket, chunked_files
from crossbank.treebanks.formats.parquet import dump
from crossbank.treebanks.in_memory.sources import chunked_source
from crossbank.workflow.commands.cli import main
from crossbank.workflow.steps.here import run_here, study_content

pytestmark = pytest.mark.filterwarnings("ignore:the candidate is identical")


def tree(number: int) -> str:
    return f"(S (A w{number}) (NP (B b)))"


def write(folder: Path, name: str, numbers: list[int | None]) -> Path:
    """Write a tree of each number on a line of its own, and a blank line for None."""
    path = folder / name
    lines = ["" if number is None else tree(number) for number in numbers]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def findings(bank: Treebank) -> dict[str, list[int]]:
    return {one.event: one.counts.tolist() for one in bank.diagnosis}


gaps = st.lists(st.integers(1, 3), max_size=12)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(
    first=st.integers(0, 2), between=gaps, end=st.integers(0, 2), size=st.integers(1, 90), again=st.booleans()
)
def test_chunks_are_those_of_the_file_read_by_lines_or_by_trees(
    tmp_path: Path, first: int, between: list[int], end: int, size: int, again: bool
) -> None:
    """Blank lines before and between trees count, those at the end do not; whatever the size of chunks."""
    numbers: list[int | None] = [None] * first + [0]
    for number, blank in enumerate(between, 1):
        numbers += [None] * blank + [number]
    path = write(tmp_path, "candidate", [*numbers, *[None] * end])
    by_line = bracket.read(utf8_of(path).rstrip(), path, by_line=True)
    trees = bracket.load(path)
    before = [first, *between]
    assert findings(trees) == ({BLANK_LINES: before} if any(before) else {})
    for gold, expected in (([number or 0 for number in numbers], by_line), (range(len(before)), trees)):
        strings = [tree(number) for number in gold]
        source = write(tmp_path, "gold", list(gold)) if again else strings
        sources = chunked_source(source, "gold", elements=3, size=size), chunked_files([str(path)], size=size)
        pairs = list(aligned_chunks(*sources))
        assert all(len(one) == len(other) for one, other in pairs)
        candidate = Treebank.concatenate([other for _, other in pairs])
        assert candidate.equals(expected, ignore={"diagnosis"})
        whole = aligned_treebanks(chunked_source(strings, "gold"), chunked_files([str(path)], size=size))
        assert whole[1].equals(expected, ignore={"diagnosis"})
        if any(before):
            failed = {FAILED_PARSES: [int(number is None) for number in numbers]}
            assert findings(candidate) == (failed if expected is by_line else findings(trees))


def test_another_number_of_gold_is_refused(tmp_path: Path) -> None:
    candidate = write(tmp_path, "candidate", [0, None, 2, None, 4])
    for number in (2, 4, 6):
        with pytest.raises(LengthMismatchError) as raised:
            score([tree(index) for index in range(number)], candidate)
        assert (raised.value.gold.sentences, raised.value.candidate.sentences) == (number, 3)


@pytest.mark.parametrize("golds", [1, 2])
def test_each_file_of_a_candidate_is_decided(tmp_path: Path, golds: int) -> None:
    """Beside one file of gold all of them together, beside as many files each by itself."""
    candidates = [
        str(write(tmp_path, "c1", [0, None, 2])),
        str(write(tmp_path, "c2", [3, None, 4] if golds == 2 else [3, None, 5])),
    ]
    gold = [[0, 1, 2], [3, 4]] if golds == 2 else [[0, 1, 2, 3, 4, 5]]
    paths = [str(write(tmp_path, f"g{index}", list(numbers))) for index, numbers in enumerate(gold)]
    candidate = chunked_files(candidates, size=8)
    pairs = list(aligned_chunks(chunked_files(paths, size=8), candidate))
    lengths = [length for _, other in pairs for length in other.tokens.lengths().tolist()]
    assert lengths == [2, 0, 2, 2, 2] if golds == 2 else [2, 0, 2, 2, 0, 2]
    assert candidate.lengths == ([3, 2] if golds == 2 else [3, 3])


def test_gold_that_can_be_read_once_is_read_ahead_by_one_thread_at_a_time(tmp_path: Path) -> None:
    numbers = [number for pair in range(400) for number in (pair, None)][:-1]
    candidate = write(tmp_path, "candidate", numbers)
    gold = (tree(number or 0) for number in numbers)
    pairs = list(
        aligned_chunks(chunked_source(gold, "gold", elements=7), chunked_files([str(candidate)], size=50))
    )
    assert sum(len(one) for one, _ in pairs) == sum(len(other) for _, other in pairs) == 799


def in_parquet(path: Path) -> ChunkedSource:
    bank = bracket.load(path)
    dump(bank, path.with_suffix(".parquet"))
    return chunked_files([str(path.with_suffix(".parquet"))])


def test_parquet_keeps_what_is_undecided(tmp_path: Path) -> None:
    candidate = in_parquet(write(tmp_path, "candidate", [0, None, 2]))
    ((_, aligned),) = aligned_chunks(chunked_source([tree(number) for number in range(3)], "gold"), candidate)
    assert aligned.tokens.lengths().tolist() == [2, 0, 2]
    assert aligned.sentences.line.tolist() == aligned.sentences.ordinal.tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    ("number", "counts"), [(3, {"total": 3, "scored": 2, "no parse": 1}), (2, {"total": 2, "scored": 2})]
)
def test_commands_api_and_studies_agree(
    number: int, counts: dict[str, int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = write(tmp_path, "gold.mrg", [0, 1, 2] if number == 3 else [0, 2])
    candidate = write(tmp_path, "candidate.mrg", [0, None, 2])
    metrics = ["parseval", "leaf_ancestor"]
    for result in score(gold, candidate, metrics).values():
        assert result.counts.status_counts() == counts
        assert [problem.where for problem in result.problems] == [f"{candidate}:2"] * (number - 2)
    scorer = Scorer(metrics)
    scorer.update(gold, candidate)
    assert all(result.counts.status_counts() == counts for result in scorer.compute().values())
    assert main(["score", str(gold), str(candidate), "--metric", ",".join(metrics)]) == 0
    printed = f"{number} sentences: 2 scored" + ", 1 no parse" * (number - 2)
    assert capsys.readouterr().out.count(printed) == 2
    run_here(study_content(str(gold), [str(candidate)], metrics, {}), tmp_path / "results")
    problems = (tmp_path / "results" / "problems.csv").read_text(encoding="utf-8")
    assert problems.count("no parse") == 2 * (number - 2)
    pages = [page.read_text(encoding="utf-8") for page in (tmp_path / "results").rglob("*.html")]
    assert any("w2" in page for page in pages)
