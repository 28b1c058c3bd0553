"""Lists in brackets and Prolog's terms: depth, positions, and damage that stays in its sentence."""

from __future__ import annotations

import time

import pytest

from crossbank.treebanks import FormatError
from crossbank.treebanks.formats.prolog_terms import Compound, Operation, TermNotation
from crossbank.treebanks.formats.symbolic_expressions import (
    ExpressionError,
    ExpressionNotation,
    without_quotes,
)
from tests.errors import raises

LISTS = ExpressionNotation(r'"[^"]*"|(?:\|[^|]*\||[^\s()"|])+', "an atom")


def test_items_of_lists() -> None:
    with LISTS.reading('(S (NP "it (or so)") |a b|) end') as items:
        assert items == [["S", ["NP", '"it (or so)"'], "|a b|"], "end"]
        assert without_quotes("|a b|") == "a b"


@pytest.mark.parametrize(
    ("text", "offset", "actual"),
    [
        ("(a (b)", 0, "1 opening bracket without a closing one, the last one '(a (b)'"),
        ("(a (b", 0, "2 opening brackets without a closing one, the last one '(b'"),
        ("(a) (b)) (c)", 7, "a closing bracket too many"),
        ('(a "b)', 3, "'\"b)'"),
    ],
)
def test_damaged_lists(text: str, offset: int, actual: str) -> None:
    with pytest.raises(ExpressionError) as raised, LISTS.reading(text):
        pass
    assert (raised.value.offset, raised.value.actual) == (offset, actual)


def test_an_error_of_an_item_names_its_character_and_comes_before_one_of_brackets() -> None:
    text = "(a (b c) (d (e) f g)"
    with pytest.raises(ExpressionError) as raised, LISTS.reading(text) as items:
        raise LISTS.error(text, items[0][2], 2, "no f")  # type: ignore[arg-type]
    assert (raised.value.actual, raised.value.offset) == ("'f'", text.index("f"))


def test_terms() -> None:
    (clause,) = TermNotation().clauses("% a comment\nf('it''s', [a, b(c)], 'n').")
    assert clause.term == ("f", "it's", ["a", ("b", "c")], "n")
    assert (clause.offset, clause.line) == (12, 2)
    assert isinstance(clause.term, Compound)


def test_terms_with_operators() -> None:
    (clause,) = TermNotation(r"\w+", r"[:/]").clauses("f((a:b)/c, 'a').")
    assert isinstance(clause.term[1], Operation)
    assert clause.term[1].parts == ["(", "a", ":", "b", ")", "/", "c"]


def test_damage_to_a_clause_is_reported_in_it() -> None:
    clauses = TermNotation().clauses("f(a).\ng(b.\nh(c).\n")
    assert next(clauses).term == ("f", "a")
    with raises(FormatError, line=2, actual="'(' that is not closed"):
        next(clauses)


@pytest.mark.parametrize("kind", ["lists", "terms", "operators"])
def test_deep_and_wide_input_is_read_in_linear_time(kind: str) -> None:
    def seconds(size: int) -> float:
        deep = "f(" * size + "a" + ")" * size
        wide = "g(" + "a, " * size + "a)"
        began = time.process_time()
        if kind == "lists":
            with LISTS.reading(deep + wide):
                pass
        else:
            notation = TermNotation() if kind == "terms" else TermNotation(r"\w+", "[:/]")
            assert len(list(notation.clauses(f"{deep}. {wide}."))) == 2
        return time.process_time() - began

    assert min(seconds(80_000) for _ in range(3)) < 40 * min(seconds(10_000) for _ in range(3)) + 0.1
