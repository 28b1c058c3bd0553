"""What formats declare that they hold, refuse and change is what they do."""

import pytest

from crossbank.treebanks import Treebank
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.formats import FORMATS, bracket, conllu, conllx, export, marytts, nbest, text
from crossbank.treebanks.formats.format import CONTENTS
from crossbank.treebanks.formats.losses import (
    STRUCTURES,
    contents_of,
    find_dropped,
    formats_that_hold,
    formats_without_loss,
    unfit,
)
from crossbank.treebanks.formats.round_trip import round_trip
from tests.converters.banks import bank_of

TREE = "(S (NP:SB 0=das/ART:NK 1=Geld/NN:NK) 2=fehlt/VVFIN:HD)"
EXPORT = """\
#FORMAT 4
#BOS 1 1 2 3 %% a comment
Anna\tAnna\tNE\tNom\tSB\t500\tOC\t501
singt\tsingen\tVVFIN\t3\tHD\t500
#500\t--\tS\tpres\tOC\t501
#501\t--\tS\tpast\t--\t0
#EOS 1
"""
CONLLU = """\
# sent_id = a
# text = zum
1-2\tzum\t_\t_\t_\t_\t_\t_\t_\t_
1\tzu\tzu\tADP\tAPPR\tCase=Dat\t2\tcase\t2:case\t_
2\tdem\tder\tDET\tART\t_\t0\troot\t_\t_
2.1\tx\t_\t_\t_\t_\t_\t_\t1:dep\t_

"""
WITH = {
    "several roots": bank_of("(S 0=a/A) (S 1=b/B)"),
    "discontinuous constituents": bank_of("(S (VP 0=a/A 2=c/C) 1=b/B)"),
    "words outside nodes": bank_of("(S 0=a/A) 1=./$."),
    "words with spaces": bracket.loads("(S (A New York) (B b) (C c))"),
}
PARTICULAR = {"auto", "langpro", "marytts"}
"""Formats of trees that want more than these trees have: rules, categories of CCG, syllables."""


def without_letters() -> Treebank:
    builder = TreebankBuilder("built")
    builder.sentence(line=1)
    node = builder.node(label="S")
    builder.token(form="", pos="A", parent=node)
    return builder.build()


@pytest.mark.parametrize("structure", [*WITH, "words without letters"])
@pytest.mark.parametrize("name", [name for name, format in FORMATS.items() if format.written])
def test_a_format_refuses_what_it_declares(name: str, structure: str) -> None:
    bank = WITH.get(structure) or without_letters()
    format = FORMATS[name]
    if structure in format.refuses:
        assert structure in unfit(bank, name)
        assert round_trip(bank, name).refused
    elif "constituents" in (format.holds or ()) and not {*format.refuses} & set(unfit(bank, name)):
        if name in PARTICULAR or structure == "words without letters":
            return
        trip = round_trip(bank, name)
        assert not trip.refused
        added = [difference.counts["added"] for difference in trip.differences if difference.what == "nodes"]
        assert added == ([1] if set(format.changes) & set(unfit(bank, name)) else [])


OF_COLUMNS = ["conllx", "conllu", "text", "parquet"]
OF_TREES = ["bracket", "discbracket", "nbest", "export", "tigerxml", "cgel", "rasp", "parquet"]


@pytest.mark.parametrize(
    ("bank", "name"),
    [(export.loads(EXPORT), name) for name in OF_TREES]
    + [(conllu.loads(CONLLU), name) for name in OF_COLUMNS],
)
def test_what_a_format_does_not_hold_is_lost_and_nothing_else(bank: Treebank, name: str) -> None:
    lost = {finding.what for finding in round_trip(bank, name).differences if finding.counts["lost"]}
    messages = {finding.event.removesuffix(" dropped") for finding in find_dropped(bank, name)}
    # Functions are parts of labels in brackets, and a root's function ``--`` comes back as none.
    for content in CONTENTS.keys() - {"functions"}:
        assert (content in messages) == bool(set(CONTENTS[content]) & lost), content


def test_counts_are_by_sentence() -> None:
    bank = export.loads(
        EXPORT + EXPORT.replace("#FORMAT 4\n", "").replace("1 1 2 3", "2 1 2 3").replace("EOS 1", "EOS 2")
    )
    actual = {one.event: one.counts.tolist() for one in find_dropped(bank, "bracket")}
    assert actual["secondary edges dropped"] == [1, 1]
    assert actual["lemmas dropped"] == [2, 2]
    assert actual["morphology dropped"] == [2, 2]
    assert actual["features of nodes dropped"] == [2, 2]
    assert actual["identifiers dropped"] == [1, 1]


def test_formats_that_hold_everything() -> None:
    assert formats_without_loss(contents_of(export.loads(EXPORT))) == ["export", "tigerxml", "parquet"]
    assert formats_without_loss(contents_of(conllu.loads(CONLLU))) == ["conllu", "parquet"]
    assert formats_that_hold(["discontinuous constituents"]) == [
        "discbracket",
        "export",
        "tigerxml",
        "marytts",
        "parquet",
    ]
    assert formats_that_hold(["several analyses"]) == ["auto", "nbest", "parquet"]


def test_words_with_spaces_are_counted_where_they_are_written_as_several() -> None:
    bank = bracket.loads("(S (A New York) (B b) (C c))\n(S (A a\u00a0b) (B b))\n(S (A a))\n")
    (finding,) = [finding for finding in find_dropped(bank, "text") if "spaces" in finding.event]
    assert (finding.event, finding.counts.tolist()) == ("words with spaces written as several", [1, 1, 0])
    assert [len(text.loads(text.dumps(bank)).words(row)) for row in range(3)] == [4, 3, 1]


def test_sentences_without_words_are_counted_where_no_place_is_kept_for_them() -> None:
    bank = Treebank([None, "(S (A a))", None])
    (finding,) = [finding for finding in find_dropped(bank, "conllx") if "sentences" in finding.event]
    assert (finding.event, finding.counts.tolist()) == ("sentences without words dropped", [1, 0, 1])
    assert len(conllx.loads(conllx.dumps(bank))) == 1


@pytest.mark.parametrize("column", ["label", "function"])
@pytest.mark.parametrize("name", ["bracket", "discbracket", "nbest", "cgel"])
def test_spaces_in_labels_are_counted_where_they_are_written_as_underscores(name: str, column: str) -> None:
    bank = bank_of("(S 0=a/A)", "(S:F 0=a/A 1=b/B)")
    bank = bank.with_strings("nodes", column, lambda label: label and f"{label} Z")
    (event,) = [event for event in find_dropped(bank, name) if "spaces" in event.event]
    assert event.event == "spaces in labels written as _"
    assert event.counts.tolist() == ([1, 1] if column == "label" else [0, 1])
    assert name not in formats_without_loss(contents_of(bank))
    if name == "bracket":
        assert ("S_Z" if column == "label" else "F_Z") in bracket.dumps(bank)


@pytest.mark.parametrize("name", ["export", "nbest"])
def test_spaces_in_identifiers_are_counted_where_they_are_written_as_underscores(name: str) -> None:
    bank = bank_of("(S 0=a/A)", "(S 0=a/A)").with_strings("sentences", "id", lambda _: "s 1")
    (event,) = [event for event in find_dropped(bank, name) if "spaces" in event.event]
    assert (event.event, event.counts.tolist()) == ("spaces in identifiers written as _", [1, 1])


def test_an_identifier_of_spaces_is_written_as_one_underscore() -> None:
    bank = bank_of("(S 0=a/A)").with_strings("sentences", "id", lambda _: " \t")
    assert nbest.loads(nbest.dumps(bank)).sentence_ids == ["_"]


@pytest.mark.parametrize("name", ["conllu", "conllx"])
def test_words_without_letters_are_counted_where_they_are_written_as_underscores(name: str) -> None:
    bank = without_letters()
    assert {event.event: event.total for event in find_dropped(bank, name)}[
        "words without letters written as _"
    ] == 1
    assert name not in formats_without_loss(contents_of(bank))


def test_the_stress_of_syllables_is_no_loss() -> None:
    assert find_dropped(marytts.loads("AG ?a:-'ge:\n"), "marytts") == ()


def test_every_structure_is_declared_somewhere_and_every_name_is_known() -> None:
    named = {name for format in FORMATS.values() for name in (*format.refuses, *format.changes)}
    assert named | {"several analyses"} == set(STRUCTURES)
    for format in FORMATS.values():
        assert (format.holds or set()) <= set(CONTENTS)
        assert (format.holds is not None) == format.written
        assert all(STRUCTURES[name].changed for name in format.changes)
