"""What a format loses is counted by column and table, with the sentences."""

from pathlib import Path

import pytest
from hypothesis import given

from crossbank.treebanks import OptionError, Treebank
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.extras import MissingExtraError
from crossbank.treebanks.formats import FORMATS, read_all
from crossbank.treebanks.formats.conllu import loads
from crossbank.treebanks.formats.round_trip import RoundTrip, round_trip
from tests.converters.banks import bank_of
from tests.errors import raises
from tests.strategies import treebanks

CONTINUOUS = "(S (NP:SB 0=das/ART:NK 1=Geld/NN:NK) 2=fehlt/VVFIN:HD)"
CROSSING = "(S (VP:OC 0=Bücher/NN:OA 2=gelesen/VVPP:HD) 1=hat/VAFIN:HD)"
LOOSE = "(S (NP:SB 0=Geld/NN:NK) 1=fehlt/VVFIN:HD) 2=./$."


def differences(trip: RoundTrip) -> dict[str, tuple[int, ...]]:
    """Return lost, changed, added, and the number of sentences."""
    return {
        difference.what: (*difference.counts.values(), len(difference.sentences))
        for difference in trip.differences
    }


def test_dependencies_formats_lose_the_nodes() -> None:
    trip = round_trip(bank_of(CONTINUOUS, CROSSING), "conllu")
    assert (trip.sentences, trip.same, trip.refused) == (2, 0, [])
    assert differences(trip)["nodes"] == (4, 0, 0, 2)
    assert differences(trip)["tokens.function"] == (6, 0, 0, 2)
    assert "tokens.parent" not in differences(trip)


def test_sentences_that_a_format_cannot_hold_are_named() -> None:
    trip = round_trip(bank_of(CONTINUOUS, CROSSING, CONTINUOUS), "bracket")
    assert [(left.sentence, left.reason.partition(",")[0]) for left in trip.refused] == [
        ("2", "found a discontinuous constituent")
    ]
    assert trip.sentences - trip.same - len(trip.refused) == 2
    assert all(difference.sentences == {0, 2} for difference in trip.differences)


def test_a_package_that_is_missing_is_no_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    """A writer that took trees of nltk was said to hold no sentence where nltk was not installed."""

    def write(bank: Treebank, path: str, format: str) -> None:
        raise MissingExtraError("nltk", "a tree")

    monkeypatch.setattr("crossbank.treebanks.formats.round_trip.write", write)
    with raises(MissingExtraError, "nltk"):
        round_trip(bank_of(CONTINUOUS), "bracket")


def test_a_root_over_loose_words_is_an_added_node() -> None:
    computed = differences(round_trip(bank_of(LOOSE), "discbracket"))
    assert computed["nodes"] == (0, 0, 1, 1)
    assert computed["tokens.parent"] == (0, 0, 1, 1)
    assert computed["nodes.label"] == (0, 1, 0, 1)  # NP-SB


def test_rows_of_further_tables() -> None:
    text = (
        "1-2\tzum\t_\t_\t_\t_\t_\t_\t_\t_\n1\tzu\t_\tADP\t_\t_\t2\tcase\t_\t_\n"
        "2\tdem\t_\tDET\t_\t_\t0\troot\t_\t_\n2.1\tx\t_\t_\t_\t_\t_\t_\t1:dep\t_\n\n"
    )
    assert round_trip(loads(text), "conllu").same == 1
    computed = differences(round_trip(loads(text), "tigerxml"))
    assert computed["multiword"] == computed["empty"] == (1, 0, 0, 1)
    assert computed["tokens.head"] == (2, 0, 0, 1)


def test_a_format_that_is_only_read_is_refused() -> None:
    with raises(OptionError, kind="format to write", value="exportxml"):
        round_trip(bank_of(CONTINUOUS), "exportxml")


@given(treebanks(dependencies=True))
def test_parquet_loses_nothing(bank: Treebank) -> None:
    trip = round_trip(bank, "parquet")
    assert (trip.same, trip.differences, trip.refused) == (len(bank), [], [])


@given(treebanks())
def test_every_sentence_is_the_same_different_or_refused(bank: Treebank) -> None:
    for format in ("bracket", "discbracket", "conllu"):
        trip = round_trip(bank, format)
        differing = set().union(*(difference.sentences for difference in trip.differences))
        assert trip.same + len(differing) + len(trip.refused) == len(bank)
        assert all(max(difference.counts.values()) > 0 for difference in trip.differences)


def test_a_treebank_without_sentences() -> None:
    trip = round_trip(TreebankBuilder().build(), "conllu")
    assert (trip.sentences, trip.same, trip.differences, trip.refused) == (0, 0, [], [])


@pytest.mark.slow
def test_real_trees(shared_data: Path) -> None:
    bank = read_all([str(shared_data / "tuebadz-masked/test.negra")], "export")
    assert round_trip(bank, "export").same == round_trip(bank, "parquet").same == len(bank) == 500
    others = {
        "bracket",
        "rasp",
        "marytts",
        "auto",
        "parg",
        "candc",
        "langpro",
        "cgel",
        "nbest",
        "text",
        "triples",
    }
    for format in {name for name, format in FORMATS.items() if format.written} - others:
        assert round_trip(bank, format).refused == []
    brackets = round_trip(bank, "bracket")
    assert [left.sentence for left in brackets.refused] == [
        bank.sentence_id(sentence) for sentence in bank.discontinuous_sentences.tolist()
    ]
