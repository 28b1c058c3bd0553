"""Relations: each way of comparing them, pairing by number, and what holds whatever they are."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crossbank.metrics.counting.counts import Counts
from crossbank.metrics.counting.metric import metric
from crossbank.metrics.pairing.pair import Status
from crossbank.metrics.pairing.pair_relations import pair_relations
from crossbank.metrics.relations import Relations
from crossbank.metrics.statistics.bootstrap import intervals
from crossbank.treebanks import CrossbankError, Treebank
from crossbank.treebanks.chunks import LengthMismatchError
from crossbank.treebanks.errors import OptionError
from crossbank.treebanks.formats import read
from crossbank.treebanks.formats.relations import loads
from crossbank.treebanks.relations.relation import Relation, Word, from_relations
from tests.errors import raises


def counts(gold: str | Treebank, candidate: str | Treebank, **options: object) -> Counts:
    chosen = metric("relations", options)
    gold, candidate = (loads(bank) if isinstance(bank, str) else bank for bank in (gold, candidate))
    return chosen.counts(chosen.pair(gold, candidate))


# Ways of comparing


def test_exact_scoring_compares_every_slot() -> None:
    gold = (
        "(ncsubj drop government _)\n(xcomp to decide drop)\n(conj or acquire decide)\n(aux become shall)\n"
    )
    candidate = "(conj or decide acquire)\n(ncsubj drop government obj)\n(xcomp _ decide drop)\n"
    candidate += "(aux _ become shall)\n"
    scored = counts(gold, candidate)
    assert scored.sums()["matched"] == 2  # conj, whose heads are a set, and aux, whose type is empty
    assert (scored.value("precision"), scored.value("recall")) == (0.5, 0.5)
    assert scored.value("relation_blind_f1") == 1


def test_equal_relations_are_matched_as_often_as_both_have_them() -> None:
    scored = counts("(det a b)\n" * 3, "(det a b)\n" * 2 + "(det c d)\n")
    assert scored.sums()["matched"] == 2


def test_words_without_relations_are_a_parse_in_which_none_holds() -> None:
    gold = "Go_VV0 on_RP\n(prt Go on)\n\nYes_UH\n"
    pair = pair_relations(loads(gold), loads("Go_VV0 on_RP\n\nYes_UH\n"))
    assert pair.status.tolist() == [Status.SCORED, Status.SCORED]
    failed = pair_relations(loads(gold), loads("Go_VV0 on_RP\n*** Warning: no parses\n\nYes_UH\n"))
    assert failed.status.tolist() == [Status.NO_PARSE, Status.SCORED]


def test_numbers_of_which_gold_has_none_are_the_parsers_own() -> None:
    gold = loads("1\n(det a b)\n2\n(det c d)\n")
    pair = pair_relations(gold, loads("7\n(det a b)\n8\n(det c d)\n"))
    assert pair.status.tolist() == [Status.SCORED, Status.SCORED]
    assert Relations().counts(pair).value("f1") == 1
    with raises(LengthMismatchError, gold=("text", 2), candidate=("text", 1)):
        pair_relations(gold, loads("7\n(det a b)\n"))
    with raises(CrossbankError, "sentence 3"):
        pair_relations(gold, loads("2\n(det a b)\n3\n(det c d)\n"))


@pytest.mark.parametrize(
    ("gold", "candidate", "earned"),
    [
        ("ncsubj a b _", "subj a b _", 4 / 5),
        ("subj a b _", "ncsubj a b _", 4 / 5),
        ("ncsubj a b _", "csubj a b _", 0),
        ("ncsubj a b _", "subj a b obj", 0),
        ("ncsubj a b _", "subj_dobj a b", 4 / 5),
        ("ncsubj a b _", "dependent x a b", 1 / 5),
        ("dobj a b", "obj a b _", 5 / 6),
        ("ncmod x a b", "mod x a b", 3 / 4),
        ("ncmod x a b", "mod y a b", 0),
        ("ncmod x a b", "ncmod _ a b", 0),
        ("ncsubj a b _", "subj a c _", 0),
    ],
)
def test_parts_by_subsumption(gold: str, candidate: str, earned: float) -> None:
    scored = counts(f"({gold})", f"({candidate})")
    assert scored.value("f1") == 0
    assert scored.value("subsumption_precision") == pytest.approx(earned)
    assert scored.value("subsumption_recall") == pytest.approx(earned)


def test_the_closest_name_earns_the_part() -> None:
    scored = counts("(ncsubj a b _)\n(subj a b _)\n", "(arg a b)\n(subj a b _)\n")
    assert scored.sums()["matched"] == 1
    assert scored.sums()["subsumed"] == pytest.approx(1 + 3 / 5)


def test_relations_without_a_dependent_are_no_pairs() -> None:
    scored = counts("(passive a)\n(det a b)\n", "(passive a)\n(aux a b)\n")
    assert (scored.sums()["pairs gold"], scored.sums()["pairs matched"]) == (1, 1)


def test_weights() -> None:
    """Carroll and Briscoe (2001): the weights of what is right / all weights, / relations of gold."""
    candidate = "{\n0.75 (det a b)\n0.25 (det a c)\n0.5 (dobj d e)\n}\n"
    scored = counts("(det a b)\n(dobj d e)\n(dobj d f)\n", candidate)
    assert scored.value("weighted_precision") == pytest.approx(1.25 / 1.5)
    assert scored.value("weighted_recall") == pytest.approx(1.25 / 3)
    assert scored.value("precision") == pytest.approx(2 / 3)
    above = counts("(det a b)\n(dobj d e)\n(dobj d f)\n", candidate, threshold="0.5")
    assert above.value("precision") == 1
    twice = counts("(det a b)\n", "{0.25 (det a b) 0.75 (det a b)}")
    assert twice.sums()["weight matched"] == 0.75


def test_macro_scores_are_means_over_golds_relations() -> None:
    gold = "(ncsubj a b _)\n(ncsubj c d _)\n(dobj a e)\n"
    scored = counts(gold, "(subj a b _)\n(ncsubj c d _)\n(dobj a e)\n")
    assert scored.value("f1") == pytest.approx(2 / 3)
    assert scored.value("macro_precision") == 1
    assert scored.value("macro_recall") == pytest.approx(3 / 4)
    assert scored.value("macro_f1") == pytest.approx((2 / 3 + 1) / 2)
    actual = intervals(scored, samples=10)["macro_f1"]
    assert actual.low == actual.high == pytest.approx(5 / 6)


def test_places_or_forms() -> None:
    gold, candidate = "(det man:2_NN1 the:1_AT)", "(det man:3_NN1 the:1_AT)"
    assert counts(gold, candidate).value("f1") == 0
    assert counts(gold, candidate, words="form").value("f1") == 1
    assert counts(gold, "(det man the)").value("f1") == 1
    assert counts(gold, "(det men:2_NN1 the:1_DT)").value("f1") == 1
    with pytest.raises(CrossbankError, match="words have no positions; write them as"):
        counts(gold, "(det man the)", words="position")


def test_the_signature_says_what_auto_came_to() -> None:
    scored = counts("(detmod _ a b)", "(detmod _ a b)")
    assert str(scored.full_signature) == (
        "relations|words:form|hierarchy:carroll_minnen_briscoe|threshold:0.0|conversions:none"
        "|unscored:empty:0|v1.1"
    )
    with raises(OptionError, kind="hierarchy", value="sparkle"):
        counts("(det a b)", "(det a b)", hierarchy="sparkle")


def test_items() -> None:
    chosen = Relations()
    pair = chosen.pair(
        loads("(det man:2_N the:1_D)\n(ncsubj came:3_V man:2_N _)\n(passive came:3_V)\n"),
        loads("(subj came:3_V man:2_N _)\n(aux came:3_V did:4_V)\n(det man:2_N the:1_D)\n"),
    )
    actual = chosen.items(pair, 0)
    assert [(item.label, item.tokens, item.side, item.score) for item in actual] == [
        ("det", (0, 1), "both", 1.0),
        ("ncsubj", (1, 2), "gold", 4 / 5),
        ("passive", (2,), "gold", 0.0),
        ("subj", (1, 2), "candidate", 4 / 5),
        ("aux", (2, 3), "candidate", 0.0),
    ]
    assert actual[1].candidate == actual[3].candidate == "(subj came:3_V man:2_N _)"
    assert actual[3].gold == "(ncsubj came:3_V man:2_N _)"


# Pairing


def test_sentences_are_paired_by_number() -> None:
    gold = "1\n(det a b)\n2\n(det c d)\n3\n4\n(det e f)\n"
    pair = pair_relations(loads(gold), loads("4\n(det e f)\n1\n(det a b)\n2\n"))
    assert pair.status.tolist() == [Status.SCORED, Status.NO_PARSE, Status.NO_PARSE, Status.SCORED]
    scored = Relations().counts(pair)
    assert scored.value("recall") == pytest.approx(2 / 3)
    assert scored.under("skip").value("recall") == 1
    assert [problem.sentence for problem in pair.problems()] == ["2", "3"]


def test_sentences_are_paired_by_order_where_a_side_has_no_numbers() -> None:
    scored = counts("1\n(det a b)\n2\n(det c d)\n", "(det a b)\n\n(det c d)\n")
    assert scored.value("f1") == 1


def test_words_that_differ_are_seen_where_both_sides_have_them() -> None:
    pair = pair_relations(loads("A_D man_N\n(det man A)\n"), loads("A_D boy_N\n(det boy A)\n"))
    assert pair.status.tolist() == [Status.WORDS_DIFFER]
    assert next(pair.problems()).detail == "word 2: found 'boy', expected 'man'"


def test_sentences_without_relations_are_scored() -> None:
    pair = pair_relations(loads("Yes_U\n\nNo_U\n"), loads("Yes_U\n\nNo_U\n(det No No)\n"))
    assert pair.status.tolist() == [Status.SCORED, Status.SCORED]


@pytest.mark.parametrize(
    ("gold", "candidate", "message"),
    [
        (
            "1\n(det a b)\n",
            "1\n(det a b)\n2\n(det a b)\n",
            r"c\.grs:3: sentence 2 is not in .*g\.grs",
        ),
        ("1\n(det a b)\n", "1\n(det a b)\n1\n(det a b)\n", r"c\.grs:3: sentence 1 comes a second time"),
        ("(det a b)\n\n(det a b)\n", "(det a b)\n", r"c\.grs has 1 sentence, .*g\.grs has 2"),
        ("1\n2\n", "1\n(det a b)\n", r"g\.grs: relations needs grammatical relations"),
    ],
)
def test_lists_that_cannot_be_scored(gold: str, candidate: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "g.grs").write_text(gold)
    (tmp_path / "c.grs").write_text(candidate)
    with pytest.raises(CrossbankError, match=message):
        counts(read(tmp_path / "g.grs"), read(tmp_path / "c.grs"))


# Whatever the relations are

NAMES = ["ncsubj", "subj", "csubj", "arg", "dobj", "obj", "subj_dobj", "ncmod", "mod", "dependent", "own"]
FEW = [Word("a", 0), Word("b", 1), Word("c", 2)]


@st.composite
def relations(draw: st.DrawFn) -> Relation:
    name = draw(st.sampled_from(NAMES))
    return Relation(
        name,
        draw(st.sampled_from(FEW)),
        draw(st.sampled_from(FEW)),
        draw(st.sampled_from(["", "x"])) if name in ("ncmod", "mod", "dependent", "arg", "own") else "",
        draw(st.sampled_from(["", "obj"])) if name.endswith("subj") else "",
        weight=draw(st.sampled_from(["", "0.5", "0.25"])),
    )


SENTENCE = st.lists(relations(), max_size=8)
SENTENCES = st.lists(st.tuples(SENTENCE, SENTENCE), min_size=1, max_size=4).filter(
    lambda sentences: any(gold for gold, _ in sentences)
)


def of(sentences: list[list[Relation]]) -> Treebank:
    return from_relations(sentences)


@settings(deadline=None)
@given(SENTENCES)
def test_relations_against_themselves_score_one(
    sentences: list[tuple[list[Relation], list[Relation]]],
) -> None:
    gold = of([gold for gold, _ in sentences])
    assert set(counts(gold, gold).values().values()) == {1.0}


@settings(deadline=None)
@given(SENTENCES, st.randoms(use_true_random=False))
def test_order_makes_no_difference(
    sentences: list[tuple[list[Relation], list[Relation]]], random: object
) -> None:
    scored = counts(of([g for g, _ in sentences]), of([c for _, c in sentences]))
    shuffled = [tuple(random.sample(side, len(side)) for side in both) for both in sentences]  # type: ignore[attr-defined]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    again = counts(of([g for g, _ in shuffled]), of([c for _, c in shuffled]))
    assert again.values() == pytest.approx(scored.values())
    for breakdown in ("relation", "confusion"):
        # Parts of matches are fractions, whose sum depends on the order by an ulp.
        first, second = (result.by_breakdown(breakdown) for result in (scored, again))
        assert second.keys() == first.keys()
        for key, sums in first.items():
            assert second[key] == pytest.approx(sums)


@settings(deadline=None)
@given(SENTENCES)
def test_what_is_counted_is_bounded_and_adds_up(
    sentences: list[tuple[list[Relation], list[Relation]]],
) -> None:
    scored = counts(of([g for g, _ in sentences]), of([c for _, c in sentences]))
    sums = scored.sums()
    assert sums["matched"] <= sums["subsumed"] <= min(sums["gold"], sums["candidate"])
    assert sums["matched"] <= sums["pairs matched"] <= sums["pairs gold"]
    assert scored.value("f1") <= scored.value("relation_blind_f1")
    assert all(0 <= value <= 1 for value in scored.values().values())
    expected = sum(
        (Counter(r._replace(weight="") for r in g) & Counter(r._replace(weight="") for r in c)).total()
        for g, c in sentences
    )
    assert sums["matched"] == expected
    pairs = sum(
        (Counter((r.head, r.dependent) for r in g) & Counter((r.head, r.dependent) for r in c)).total()
        for g, c in sentences
    )
    assert sums["pairs matched"] == pairs
    for part in ("relation", "confusion"):
        rows = scored.by_breakdown(part).values()
        for column in ("gold", "candidate", "matched"):
            assert sum(row[column] for row in rows) == sums[column]
    for name, row in scored.by_breakdown("relation").items():
        assert (row["gold"], row["matched"]) == (sums[f"gold {name}"], sums[f"matched {name}"])


def test_the_lists_of_rasp_score_one_against_themselves(shared_data: Path) -> None:
    for file in sorted((shared_data / "rasp3" / "corpus" / "grs").glob("*.grs")):
        bank = read(file)
        scored = counts(bank, bank)
        assert scored.value("f1") == scored.value("macro_f1") == 1
        assert np.array_equal(scored.columns["gold"], bank.relations.lengths())
