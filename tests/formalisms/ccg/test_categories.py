r"""Categories: read, printed back the same, refused with a caret."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossbank.formalisms.ccg.ccg_categories import (
    Category,
    CategoryError,
    agree,
    parse_category,
    without_features,
)

WRITTEN = [
    "N",
    ",",
    "NP[nb]/N",
    r"(S[dcl]\NP)/NP",
    r"((S[X=true]\NP)\(S[X=true]\NP))/NP",
    r"((S[dcl]{_}\NP{Y}<1>){_}/NP{Z}<2>){_}",
    r"((NP{Y}\NP{Y}<1>){_}/(S[dcl]{Z}<2>/NP{Y*}){Z}){_}",
    r"(S[dcl]\NP_10)/NP_11:B",
    "N_73/N_73",
    r"(S[dcl]\NP)[conj]",
    r"S[dcl]\NP[conj]",
    "S[dcl][conj]",
    "NP[case=ga,mod=nm]",
    "conj",
]


@pytest.mark.parametrize("text", WRITTEN)
def test_categories_are_printed_as_they_were_read(text: str) -> None:
    assert str(parse_category(text)) == text


def test_the_structure_of_a_category() -> None:
    verb = parse_category(r"((S[dcl]{_}\NP{Y}<1>){_}/NP{Z}<2>){_}")
    result, argument = verb.parts()
    assert (verb.slash, argument.name, argument.variable, argument.slot) == ("/", "NP", "{Z}", 2)
    assert result.parts()[0].features == ("dcl",)
    assert str(verb.bare()) == r"(S[dcl]\NP)/NP"
    assert str(without_features(verb)) == r"(S\NP)/NP"


@pytest.mark.parametrize(
    ("text", "index", "expected"),
    [
        (r"(S[dcl]\NP/NP", 10, "brackets around the functor before a second slash"),
        (r"(S[dcl]\NP)/", 12, "an atom or an opening bracket"),
        (r"(S[dcl]\NP", 10, "the bracket closed that opens at 1"),
        (r"S[dcl\NP", 1, "a slash, a bracket or the end"),
        (r"S\NP)", 4, "no closing bracket without an opening one"),
        ("(NP)", 3, "a slash, since brackets enclose functors"),
        ("", 0, "an atom or an opening bracket"),
        ("(" * 200, 100, "at most 100 brackets inside one another"),
    ],
)
def test_a_category_that_does_not_parse_is_shown_with_a_caret(text: str, index: int, expected: str) -> None:
    with pytest.raises(CategoryError) as error:
        parse_category(text)
    message, displayed, caret = str(error.value).split("\n")
    assert message.endswith(f"expected {expected}")
    assert (displayed, caret) == (f"  {text}", "  " + " " * index + "^")


atoms = st.builds(
    Category,
    st.sampled_from(["S", "NP", "N", "PP", "conj", "."]),
    features=st.sampled_from([(), ("dcl",), ("nb",), ("dcl", "conj")]),
    variable=st.sampled_from(["", "{_}", "{Y*}", "_7:B"]),
    slot=st.integers(0, 3),
)
categories = st.recursive(
    atoms,
    lambda inner: st.builds(Category, st.just(""), inner, st.sampled_from("/\\|"), inner),
    max_leaves=12,
)


@given(categories)
def test_any_category_is_read_as_it_is_printed(category: Category) -> None:
    assert parse_category(str(category)) == category


@given(categories)
def test_a_category_agrees_with_itself_without_features(category: Category) -> None:
    assert agree(category, category)
    assert agree(category, without_features(category))


def test_features_that_differ_do_not_agree() -> None:
    s = parse_category
    assert not agree(s("S[dcl]"), s("S[b]"))
    assert agree(s("S[X]"), s("S[b]"))
    assert agree(s("NP[nb]"), s("NP"))
    assert not agree(s("NP"), s("N"))
    assert not agree(s(r"S\NP"), s("S/NP"))


def test_all_categories_of_the_derivations(shared_data: Path) -> None:
    for name in ("geo-dev.auto", "geo-dev.depccg_default.auto"):
        text = (shared_data / "ccg-geometry" / name).read_text()
        for written in set(re.findall(r"\(<[TL] (\S+)", text)):
            assert str(parse_category(written)) == written
