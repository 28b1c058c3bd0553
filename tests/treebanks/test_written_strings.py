"""Whatever strings a treebank has: what is written can be read, with the same words, or is refused."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crossbank.treebanks import ROOT, CrossbankError, Treebank
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.errors import SentenceError
from crossbank.treebanks.formats import FORMATS, read, write
from tests.errors import raises

STRINGS = st.one_of(
    st.text(min_size=1, max_size=6),
    st.text(
        "ab1 \t\n\r\x0b\x0c\x1c\x85\xa0\u2028\ufeff\0\x1b()[]{}|\\\"'`_#%/<>&:;,~^-=*+$@⟨⟩",
        min_size=1,
        max_size=5,
    ),
    st.sampled_from(
        ["", "p", "#EOS 1", "<c>", "<c> x", "⟨x⟩", "-NONE-", "-LRB-", "a|b|c", "a_1", "sent_id = x", "\ud800"]
    ),
)

COLUMNS = {
    "tokens": ("form", "lemma", "pos", "xpos", "morph", "misc", "function"),
    "nodes": ("label", "function", "misc"),
    "relations": ("name", "type", "initial_gr", "head_word", "head_tag", "dependent_word", "dependent_tag"),
    "sentences": ("id", "comments"),
}


def trees(one: dict[str, dict[str, str]]) -> Treebank:
    builder = TreebankBuilder("x")
    for strings in (one, {}):
        builder.sentence(**{"id": "s", **strings.get("sentences", {})})
        builder.node(**{"label": "S", **strings.get("nodes", {})})
        builder.token(**{"form": "a", "pos": "N", **strings.get("tokens", {})}, parent=0)
        builder.token(form="b", pos="N", parent=0)
    return builder.build()


def dependencies(one: dict[str, dict[str, str]]) -> Treebank:
    builder = TreebankBuilder("x")
    for strings in (one, {}):
        builder.sentence(**{"id": "s", **strings.get("sentences", {})})
        builder.token(**{"form": "a", "pos": "N", **strings.get("tokens", {})}, head=ROOT, relation="root")
        builder.token(form="b", pos="N", head=0, relation="dep")
    return builder.build()


def relations(one: dict[str, dict[str, str]]) -> Treebank:
    """Return the dependencies of CCG, which are relations as well."""
    builder = TreebankBuilder("x")
    for strings in (one, {}):
        builder.sentence(**{"id": "s", **strings.get("sentences", {})})
        builder.token(**{"form": "a", "pos": "N", "xpos": "X", **strings.get("tokens", {})})
        builder.token(form="b", pos="N/N", xpos="X")
        relation = {"name": "N/N", "type": "1", "head_word": "b", "dependent_word": "a"}
        builder.relation(**{**relation, **strings.get("relations", {})}, head_index=1, dependent_index=0)
    return builder.build()


def f_structures(one: dict[str, dict[str, str]]) -> Treebank:
    builder = TreebankBuilder("x")
    for strings in (one, {}):
        builder.sentence(**{"id": "s", **strings.get("sentences", {})})
        builder.token(**{"form": "a", **strings.get("tokens", {})})
        relation = {
            "name": "subj",
            "head_word": "b",
            "head_tag": "1",
            "dependent_word": "a",
            "dependent_tag": "2",
        }
        builder.relation(**{**relation, **strings.get("relations", {})})
    return builder.build()


KINDS: dict[str, Callable[[dict[str, dict[str, str]]], Treebank]] = {
    "relations": relations, "candc": relations, "parg": relations, "triples": f_structures,
    "conllu": dependencies, "conllx": dependencies,
}  # fmt: skip
"""What is written in a format; in the others it is trees."""

SPACES_CHANGE = ("bracket", "discbracket", "nbest", "export")
"""Formats in which several spaces in a word are one, and those at its ends none."""

BLANKS_CHANGE = ("text", "conllx")
"""Formats in which white space separates words."""

EMPTY_CHANGES = ("conllu", "conllx")
"""Formats in which a word without letters becomes an underscore, the sign of an empty column."""

BRACKETS_CHANGE = ("bracket", "nbest")
"""Formats in which brackets in a word become -LRB- and -RRB-, as in the Penn Treebank."""

WRITTEN = [name for name, format in FORMATS.items() if format.written and name not in ("marytts", "langpro")]


def words(bank: Treebank, *, blanks: bool) -> list[str]:
    """Return all words; with ``blanks`` all their letters but white space in one string."""
    forms = [word for sentence in range(len(bank)) for word in bank.words(sentence)]
    return ["".join("".join(forms).split())] if blanks else forms


def ends(bank: Treebank) -> list[tuple[str, ...]]:
    table, string = bank.relations, bank.vocabulary.__getitem__
    columns = (table.name, table.head_word, table.dependent_word)
    return sorted(tuple(string(int(code)) for code in row) for row in zip(*columns, strict=True))


@pytest.mark.parametrize("format", WRITTEN)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(column=st.sampled_from([(t, c) for t, of in COLUMNS.items() for c in of]), string=STRINGS)
def test_what_is_written_can_be_read(
    format: str, column: tuple[str, str], string: str, tmp_path: Path
) -> None:
    table, name = column
    path = tmp_path / "written"
    bank = KINDS.get(format, trees)({table: {name: string}})
    try:
        write(bank, path, format)
    except CrossbankError:
        return
    back = read(path, format)
    assert len(back) == len(bank)
    blanks = format in BLANKS_CHANGE
    if FORMATS[format].relations:
        assert ends(back) == ends(bank)
    if len(back.tokens):
        if format in EMPTY_CHANGES:
            bank = bank.with_strings("tokens", "form", lambda form: form or "_")
        expected = words(bank, blanks=blanks)
        if format in SPACES_CHANGE:
            expected = [re.sub(" +", " ", word).strip(" ") for word in expected]
        if format in BRACKETS_CHANGE:
            expected = [word.replace("(", "-LRB-").replace(")", "-RRB-") for word in expected]
        assert words(back, blanks=blanks) == expected


@pytest.mark.parametrize("format", ["bracket", "discbracket", "nbest", "export"])
@pytest.mark.parametrize("space", ["\n", "\r", "\t"])
def test_a_line_break_or_tab_in_a_word_is_refused(format: str, space: str, tmp_path: Path) -> None:
    """It was written as a space, without a message: another word."""
    bank = trees({"tokens": {"form": f"a{space}b"}})
    with raises(SentenceError, sentence="s"):
        write(bank, tmp_path / "written", format)
