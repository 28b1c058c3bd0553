"""Files are read in chunks on all cores; what is read does not depend on the chunks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crossbank.treebanks import FormatError, Treebank, ranges
from crossbank.treebanks.formats import bracket, conllu, read
from crossbank.treebanks.ranges import THREADS, begun, map_side_by_side, side_by_side
from crossbank.treebanks.scanners import scanned_chunks
from crossbank.treebanks.tables import TABLES, Table
from tests.errors import raises


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Return the chunks of a few bytes, and a number of threads."""
    monkeypatch.setattr(scanned_chunks, "SMALLEST", 16)
    return lambda threads: monkeypatch.setenv(THREADS, str(threads))


def contents(bank: Treebank) -> tuple[object, ...]:
    """Return all codes and positions of a treebank, bit for bit."""
    tables: list[Table] = [getattr(bank, name) for name in TABLES]
    columns = [getattr(table, name) for table in tables for name in ("offsets", *table.columns())]
    findings = [(finding.step, finding.event, finding.counts.tobytes()) for finding in bank.diagnosis]
    return list(bank.vocabulary), [(values.dtype, values.tobytes()) for values in columns], findings


def outcome(reading: Callable[[], Treebank]) -> tuple[object, ...] | str:
    try:
        return contents(reading())
    except FormatError as error:
        return str(error)


TREES = st.lists(
    st.sampled_from(
        [
            "(S (A a) (NP (B b)))",
            "(S (A a b)\n(X c))",
            "(())",
            "\n",
            " ",
            "( (S c (A d) (N )))",
            "(A",
            "a)",
            "é",
            "(TOP ())",
            "\nnull\n",
            '\nNo parse for: "a ) b (c) ( d"\n',
        ]
    ),
    max_size=40,
)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TREES, st.sampled_from(["\n", "", " "]), st.booleans())
def test_trees_do_not_depend_on_the_chunks(
    small_chunks: Callable[[int], None], trees: list[str], space: str, by_line: bool
) -> None:
    text = space.join(trees)
    actual = []
    for threads in (1, 2, 5):
        small_chunks(threads)
        actual.append(outcome(lambda: bracket.read(text.encode(), "text", by_line=by_line)))
    assert actual[0] == actual[1] == actual[2]


SENTENCES = [
    "1\ta\t_\tN\t_\t_\t0\troot\t_\t_\n\n",
    "# sent_id = x\n1-2\tab\t_\t_\t_\t_\t_\t_\t_\tC=x\n1\ta\t\tN\t_\t_\t2\tdet\t_\t_\n"
    "2\tb\t_\tV\t_\t_\t0\troot\t_\t_\n2.1\tc\t_\tV\t_\t_\t_\t_\t_\t_\n\n",
    "# only a comment\n\n",
    "\n",
    " \n",
]
WRONG = ["1\ta\n\n", "1\té\t_\tN\t_\t_\t7\troot\t_\t_\n\n", "# a comment"]


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.sampled_from(SENTENCES), max_size=20)
    | st.lists(st.sampled_from(SENTENCES + WRONG), max_size=20)
)
def test_columns_do_not_depend_on_the_chunks(
    small_chunks: Callable[[int], None], sentences: list[str]
) -> None:
    text = "".join(sentences)
    actual = []
    for threads in (1, 2, 5):
        small_chunks(threads)
        actual.append(outcome(lambda: conllu.loads(text)))
    assert actual[0] == actual[1] == actual[2]


@pytest.mark.parametrize(
    "file",
    [
        "gum/dep/GUM_academic_economics.conllu",
        "tuebadz-masked/test.ptb",
        "farpahc/parsers/e1/output/far_split0machineparsed.psd",
    ],
)
def test_real_files_do_not_depend_on_the_chunks(
    shared_data: Path, small_chunks: Callable[[int], None], file: str
) -> None:
    actual = []
    for threads in (1, 2, 5):
        small_chunks(threads)
        actual.append(contents(read(shared_data / file)))
    assert actual[0] == actual[1] == actual[2]


def test_calls_side_by_side_give_their_results_in_order(small_chunks: Callable[[int], None]) -> None:
    small_chunks(5)
    assert side_by_side([lambda number=number: number**2 for number in range(50)]) == [
        number**2 for number in range(50)
    ]


def test_the_first_error_is_raised(small_chunks: Callable[[int], None]) -> None:
    small_chunks(5)

    def refuse(number: int) -> int:
        if number > 2:
            raise FormatError("file", f"error {number}", "none")
        return number

    with raises(FormatError, actual="error 3"):
        side_by_side([lambda number=number: refuse(number) for number in range(20)])


def test_a_call_that_is_begun_gives_its_result_or_raises_its_error() -> None:
    def refuse() -> int:
        raise FormatError("file", "an error", "none")

    result, error = begun(lambda: 3), begun(refuse)
    assert (result(), result()) == (3, 3)
    with raises(FormatError, actual="an error"):
        error()


@pytest.mark.parametrize("cores", [1, 3])
def test_results_are_in_the_order_of_the_items(cores: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(THREADS, str(cores))
    taken: list[int] = []

    def items() -> Iterator[int]:
        for number in range(10):
            taken.append(number)
            yield number

    squares = map_side_by_side(lambda number: number**2, items())
    assert next(squares) == 0
    assert len(taken) == cores
    assert list(squares) == [number**2 for number in range(1, 10)]


def test_calls_side_by_side_share_the_cores(small_chunks: Callable[[int], None]) -> None:
    small_chunks(5)
    cores = ranges.threads
    assert (cores(), side_by_side([cores] * 2), side_by_side([cores])) == (5, [2, 2], [5])
    assert side_by_side([cores] * 9) == [1] * 9
    assert cores() == 5


def test_blank_lines_between_two_chunks_are_counted(small_chunks: Callable[[int], None]) -> None:
    sentence = SENTENCES[0]
    actual = []
    for threads in (1, 2, 5):
        small_chunks(threads)
        actual.append(outcome(lambda: conllu.loads(f"{sentence} \n\n{sentence}")))
    assert actual[0] == actual[1] == actual[2]
