"""Unlabelled brackets: the papers' examples as printed, labels at both ends, and errors."""

from pathlib import Path

import pytest

import crossbank
from crossbank.treebanks import FormatError
from crossbank.treebanks.formats import format_to_read, read, unlabelled
from tests.validity import validate

GOLD = "((The prospect) (of\n (cutting back spending)))\n"
PARSE = "(The (prospect (of\n ((cutting back)\n  spending))))\n"


def spans(text: str) -> list[tuple[int, int]]:
    bank = unlabelled.loads(text)
    validate(bank)
    return sorted(zip(bank.spans.start.tolist(), bank.spans.end.tolist(), strict=True))


def test_the_example_of_1991_has_recall_three_of_four_and_precision_three_of_five() -> None:
    """Black et al. (1991), 'Computation of Evaluation Statistics'."""
    assert spans(GOLD) == [(0, 2), (0, 6), (2, 6), (3, 6)]
    scores = crossbank.score(unlabelled.loads(GOLD), unlabelled.loads(PARSE), "parseval")
    assert (scores["recall"], scores["precision"]) == (0.75, 0.6)


def test_every_bracket_is_a_constituent() -> None:
    bank = unlabelled.loads("(((I)) ((see) ((Ed))))")
    assert bank.words(0) == ["I", "see", "Ed"]
    assert len(bank.nodes) == 7
    assert bank.labels(0) == [""] * 7


def test_labels_at_both_ends() -> None:
    bank = unlabelled.loads("(S (NP Sue NP) (VP (V sees V) (NP Tom NP) VP) S)\n()")
    assert bank.labels(0) == ["S", "NP", "VP", "V", "NP"]
    assert bank.words(0) == ["Sue", "sees", "Tom"]
    assert bank.words(1) == []
    assert unlabelled.loads("(that (is) that)").words(0) == ["that", "is", "that"]


@pytest.mark.parametrize("text", [GOLD, "(((I)) ((see) ((Ed))))\n"])
def test_it_is_recognised_under_any_name(text: str, tmp_path: Path) -> None:
    (tmp_path / "parses.out").write_text(text)
    assert format_to_read(tmp_path / "parses.out") == "unlabelled"


@pytest.mark.parametrize(
    "text", ["((S (NP (NN dog))))", "((NN dog) (VBZ barks))", "(S (NP the air) (VP moves))"]
)
def test_labelled_trees_are_not(text: str, tmp_path: Path) -> None:
    (tmp_path / "parses.out").write_text(text)
    assert format_to_read(tmp_path / "parses.out") == "bracket"


@pytest.mark.parametrize(
    ("text", "line"), [("(a\n(b)\n", 1), ("(a)\n)", 2), ("(a)\n\nb (c)", 3), ("", None), (" \n", None)]
)
def test_errors_name_the_line(text: str, line: int | None) -> None:
    with pytest.raises(FormatError) as raised:
        unlabelled.loads(text)
    assert raised.value.line == line


def test_deep_trees_and_empty_brackets(tmp_path: Path) -> None:
    depth = 20_000
    (tmp_path / "deep.unlabelled").write_text("(a " * depth + ")" * depth + "\n(b () c)\n")
    bank = read(tmp_path / "deep.unlabelled")
    assert len(bank.words(0)) == depth
    assert {event.event: int(event.counts.sum()) for event in bank.diagnosis} == {
        "nodes without a word dropped": 1
    }
