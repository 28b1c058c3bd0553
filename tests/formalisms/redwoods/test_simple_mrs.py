"""SimpleMRS is read as PyDelphin reads it, damaged or not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from delphin.codecs import simplemrs
from delphin.exceptions import PyDelphinException
from hypothesis import given, settings
from hypothesis import strategies as st

from crossbank.formalisms.redwoods.formats.simple_mrs import SimpleMrsError, read_simple_mrs
from crossbank.formalisms.redwoods.formats.tsdb_tables import Profile

SLEPT = """\
[ <0:14> "The \\"cat\\" slept" TOP: h0 INDEX: e2 [ e SF: prop TENSE: past ]
  RELS: < [ _the_q<0:3> LBL: h4 ARG0: x3 [ x PERS: 3 NUM: sg ] RSTR: h5 BODY: h6 ]
          [ "_cat_n_1_rel"<4:7> "cat" LBL: h7 ARG0: x3 ]
          [ named<4:7> LBL: h7 ARG0: x8 CARG: "\\"Cat\\"" ]
          [ _sleep_v_1<8:13> LBL: h1 ARG0: e2 ARG1: X3 ] >
  HCONS: < h0 qeq h1 h5 qeq h7 > ICONS: < e2 topic x3 > ]"""


def assert_same(one: Any, other: Any) -> None:
    assert one == other
    assert (one.lnk, one.surface) == (other.lnk, other.surface)
    assert [(ep.lnk, ep.surface) for ep in one.rels] == [(ep.lnk, ep.surface) for ep in other.rels]
    assert list(one.variables.items()) == list(other.variables.items())


def test_everything_that_the_notation_has() -> None:
    mrs = read_simple_mrs(SLEPT)
    assert [ep.predicate for ep in mrs.rels] == ["_the_q", "_cat_n_1", "named", "_sleep_v_1"]
    assert mrs.rels[2].carg == '"Cat"'
    assert mrs.variables["x3"] == {"PERS": "3", "NUM": "sg"}
    assert_same(mrs, simplemrs.decode(SLEPT))


@settings(deadline=None, max_examples=500)
@given(
    begin=st.integers(0, len(SLEPT)),
    length=st.integers(0, 3),
    put=st.sampled_from(["", " ", "\n", "\x0b", '"', "'", "[", "]", "<", ">", ":", "\\", "_", "<1>", "h1 "]),
)
def test_the_same_texts_are_damaged(begin: int, length: int, put: str) -> None:
    text = SLEPT[:begin] + put + SLEPT[begin + length :]
    try:
        expected = simplemrs.decode(text)
    except (PyDelphinException, StopIteration, ValueError):
        with pytest.raises((ValueError, PyDelphinException)):
            read_simple_mrs(text)
        return
    assert_same(read_simple_mrs(text), expected)


@pytest.mark.parametrize(
    ("damaged", "index", "expected"),
    [
        (SLEPT.replace("HCONS: <", "HCONS:"), SLEPT.index("h0 qeq") - 2, "<"),
        (SLEPT.replace("LBL: h4", "h4"), SLEPT.index("LBL: h4"), "a feature"),
        (SLEPT.replace("INDEX", "INDICES"), SLEPT.index("INDEX"), "TOP, INDEX, RELS, HCONS or ICONS"),
        (SLEPT[:-1].rstrip(), len(SLEPT) - 2, "]"),
    ],
)
def test_an_error_has_its_place(damaged: str, index: int, expected: str) -> None:
    with pytest.raises(SimpleMrsError) as refused:
        read_simple_mrs(damaged)
    assert (refused.value.offset, refused.value.expected) == (index, expected)


@pytest.mark.parametrize("folder", ["erg/csli", "jacy-mrs"])
def test_real_profiles(shared_data: Path, folder: str) -> None:
    profile = Profile(shared_data / folder)
    texts = [reading.mrs for item in profile.items() for reading in item.readings if reading.mrs][:300]
    assert texts
    for text in texts:
        assert_same(read_simple_mrs(text), simplemrs.decode(text))
