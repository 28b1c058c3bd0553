"""Dependencies: attachment scores and triples, against the definition."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossbank.converters.scheme_files import load_scheme
from crossbank.converters.transformations import transform
from crossbank.metrics.arcs.arc_breakdowns import OF_ARCS, OF_UNLABELLED_ARCS
from crossbank.metrics.counting.counts import Counts
from crossbank.metrics.counting.presentation import compared, headline, measures_of_breakdown
from crossbank.metrics.counting.scoring import score as score_as_read
from crossbank.metrics.counting.scoring import scoring_of
from crossbank.metrics.dependencies import Dependencies
from crossbank.metrics.pairing.pair import Status, pair
from crossbank.treebanks import ROOT, UNATTACHED, CrossbankError, Treebank
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.formats import read
from tests.errors import raises
from tests.metrics.trees import reversed_order

Arc = tuple[int, str, str]
"""Head (``ROOT``, ``UNATTACHED`` or a place from 0), relation and tag of a word."""

EXAMPLES = Path(__file__).parents[2] / "examples"


def bank(*sentences: list[Arc]) -> Treebank:
    builder = TreebankBuilder("arcs")
    for sentence in sentences:
        builder.sentence()
        for index, (head, relation, tag) in enumerate(sentence):
            builder.token(form=f"w{index}", head=head, relation=relation, pos=tag)
    return builder.build()


def score(gold: Treebank, candidate: Treebank, **options: bool) -> Counts:
    return Dependencies(**options).counts(pair(gold, candidate))


GOLD: list[Arc] = [(1, "nsubj:pass", "N"), (ROOT, "root", "V"), (3, "det", "D"), (1, "obj", "N")]
WRONG: list[Arc] = [(1, "nsubj", "N"), (ROOT, "root", "N"), (1, "det", "D"), (1, "obj", "N")]


def test_attachment_scores_are_shares_of_words() -> None:
    values = score(bank(GOLD), bank(WRONG)).values()
    assert (values["uas"], values["las"], values["label_accuracy"]) == (3 / 4, 2 / 4, 3 / 4)
    assert (values["precision"], values["recall"], values["f1"]) == (2 / 4, 2 / 4, 2 / 4)


def test_the_main_measure_has_a_column_in_tables_of_comparison() -> None:
    for labels, names in (
        (True, ["precision", "recall", "uas", "las"]),
        (False, ["precision", "recall", "uas", "f1"]),
    ):
        counts = score(bank(GOLD), bank(WRONG), labels=labels)
        assert [measure.name for measure in compared(counts)] == names
        assert headline(counts).name == names[-1]


def test_words_lose_whose_triple_the_candidate_lacks() -> None:
    both = pair(bank(GOLD), bank(WRONG))
    for metric, lost in ((Dependencies(), [1, 0, 1, 0]), (Dependencies(labels=False), [0, 0, 1, 0])):
        losses = metric.losses(both)
        assert losses.loss.tolist() == lost
        assert 1 - losses.average == metric.counts(both).value("recall")


def test_triples_by_option() -> None:
    assert score(bank(GOLD), bank(WRONG), labels=False).value("f1") == 3 / 4
    assert score(bank(GOLD), bank(WRONG), labels=False, tags=True).value("f1") == 2 / 4
    assert score(bank(GOLD), bank(WRONG), tags=True).value("f1") == 1 / 4
    whole = score(bank(GOLD), bank(WRONG), subtypes=False)
    assert (whole.value("las"), whole.value("f1")) == (3 / 4, 3 / 4)
    assert whole.by_breakdown("relation")["nsubj"]["labelled"] == 1


def test_an_unattached_word_is_no_triple() -> None:
    partial: list[Arc] = [*GOLD[:3], (UNATTACHED, "", "N")]
    values = score(bank(GOLD), bank(partial)).values()
    assert (values["precision"], values["recall"], values["las"]) == (1, 3 / 4, 3 / 4)
    values = score(bank(partial), bank(GOLD)).values()
    assert (values["precision"], values["recall"], values["las"]) == (3 / 4, 1, 1)
    assert score(bank(partial), bank(partial)).value("exact") == 1


def test_words_of_sentences_that_are_not_scored_count() -> None:
    counts = score(bank(GOLD, GOLD[:2], GOLD), bank(GOLD, [], [*GOLD, (1, "x", "N")]))
    assert counts.columns["gold"].tolist() == [4, 2, 4]
    assert counts.columns["candidate"].tolist() == [4, 0, 0]
    assert (counts.value("las"), counts.value("precision"), counts.value("exact")) == (0.4, 1, 1 / 3)
    assert counts.under("skip").value("las") == 1
    assert [item.side for item in Dependencies().items(pair(bank(GOLD[:2]), bank([])), 0)] == ["gold"] * 2


def test_relations_by_side() -> None:
    renamed: list[Arc] = [*GOLD[:3], (0, "iobj", "N")]
    parts = score(bank(GOLD), bank(renamed)).by_breakdown("relation")
    columns = ("gold", "candidate", "heads", "relations", "labelled", "matched", "alike", "right")
    empty = dict.fromkeys(columns, 0)
    assert parts["obj"] == {**empty, "gold": 1}
    assert parts["iobj"] == {**empty, "candidate": 1}
    assert parts["det"] == dict.fromkeys(empty, 1)


def test_items_are_arcs() -> None:
    items = Dependencies().items(pair(bank(GOLD), bank(WRONG)), 0)
    assert [(item.label, item.tokens, item.side, item.gold, item.candidate) for item in items] == [
        ("nsubj:pass", (0, 1), "gold", "nsubj:pass w1-2", "nsubj w1-2"),
        ("nsubj", (0, 1), "candidate", "nsubj:pass w1-2", "nsubj w1-2"),
        ("root", (1,), "both", "root -", "root -"),
        ("det", (2, 3), "gold", "det w3-4", "det w1-2"),
        ("det", (2, 1), "candidate", "det w3-4", "det w1-2"),
        ("obj", (3, 1), "both", "obj w1-2", "obj w1-2"),
    ]


@st.composite
def arc_pairs(draw: st.DrawFn) -> tuple[list[list[Arc]], list[list[Arc]]]:
    sides: tuple[list[list[Arc]], ...] = ([GOLD], [GOLD])
    for _ in range(draw(st.integers(1, 4))):
        length = draw(st.integers(1, 6))
        arcs = st.tuples(
            st.integers(UNATTACHED, length - 1), st.sampled_from(["a", "a:x", "b", ""]), st.sampled_from("NV")
        )
        for side in sides:
            side.append(draw(st.lists(arcs, min_size=length, max_size=length)))
        if draw(st.integers(0, 9)) == 0:
            sides[1][-1] = []
    return sides[0], sides[1]


@given(arc_pairs(), st.booleans(), st.booleans(), st.booleans())
def test_it_is_what_the_definition_says(
    sides: tuple[list[list[Arc]], list[list[Arc]]], labels: bool, tags: bool, subtypes: bool
) -> None:
    counts = score(bank(*sides[0]), bank(*sides[1]), labels=labels, tags=tags, subtypes=subtypes)

    def triples(sentence: list[Arc]) -> set[tuple[object, ...]]:
        return {
            (index, head, labels and (relation if subtypes else relation.split(":")[0]), tags and tag)
            for index, (head, relation, tag) in enumerate(sentence)
            if head != UNATTACHED
        }

    for sentence, (gold, candidate) in enumerate(zip(*sides, strict=True)):
        both = triples(gold) & triples(candidate)
        assert counts.columns["gold"][sentence] == len(triples(gold))
        assert counts.columns["candidate"][sentence] == len(triples(candidate))
        assert counts.columns["matched"][sentence] == len(both)
    right = [
        (g[0] == c[0], g[1] == c[1] if subtypes else g[1].split(":")[0] == c[1].split(":")[0])
        for gold, candidate in zip(*sides, strict=True)
        for g, c in zip(gold, candidate, strict=False)
        if g[0] != UNATTACHED and c[0] != UNATTACHED
    ]
    sums = counts.sums()
    assert sums["heads"] == sum(head for head, _ in right)
    assert sums["relations"] == sum(relation for _, relation in right)
    assert sums["labelled"] == sum(head and relation for head, relation in right)
    for part in (*(OF_ARCS if labels else OF_UNLABELLED_ARCS), "tree"):
        rows = counts.by_breakdown(part).values()
        for name in ("gold", "candidate", "heads", "relations", "labelled", "matched"):
            assert sum(row[name] for row in rows) == sums[name]
        if part != "tree":
            assert sum(row["right"] for row in rows) == sums["matched"]


@given(arc_pairs())
def test_identity_order_and_exchange(sides: tuple[list[list[Arc]], list[list[Arc]]]) -> None:
    gold, candidate = bank(*sides[0]), bank(*sides[1])
    same = score(gold, gold)
    assert set(same.values().values()) == {1}
    for part in same.breakdowns:
        for row in same.by_breakdown(part).values():
            assert {measure.of(row) for measure in measures_of_breakdown(same, part)} <= {1}
    values = score(gold, candidate).values()
    assert all(0 <= value <= 1 for value in values.values())
    turned = score(reversed_order(gold), reversed_order(candidate))
    assert turned.values() == values
    assert all(
        turned.by_breakdown(part) == score(gold, candidate).by_breakdown(part) for part in turned.breakdowns
    )
    if all(sides[1]):
        exchanged = score(candidate, gold).values()
        assert (exchanged["precision"], exchanged["recall"]) == (values["recall"], values["precision"])


def test_a_chain_of_ten_thousand_words() -> None:
    chain: list[Arc] = [(index - 1, "r", "N") for index in range(10_000)]
    counts = score(bank(chain), bank([*chain[:-1], (0, "r", "N")]))
    assert counts.value("las") == pytest.approx(9_999 / 10_000)


def test_complete_match_with_and_without_relations() -> None:
    renamed: list[Arc] = [*GOLD[:3], (1, "iobj", "N")]
    values = score(bank(GOLD, GOLD, GOLD), bank(GOLD, renamed, WRONG)).values()
    assert (values["exact"], values["unlabelled_exact"]) == (1 / 3, 2 / 3)


def test_confusions_of_relations() -> None:
    partial: list[Arc] = [(1, "obj", "N"), GOLD[1], GOLD[2], (UNATTACHED, "", "N")]
    confusion = score(bank(GOLD, GOLD), bank(partial, [])).by_breakdown("confusion")
    counts = {name: (row["gold"], row["candidate"], row["heads"]) for name, row in confusion.items()}
    assert counts == {
        "nsubj:pass → obj": (1, 1, 1),
        "root → root": (1, 1, 1),
        "det → det": (1, 1, 1),
        "obj → nothing": (2, 0, 0),
        "nsubj:pass → nothing": (1, 0, 0),
        "root → nothing": (1, 0, 0),
        "det → nothing": (1, 0, 0),
    }


def test_tokens_that_are_left_out_stay_as_heads() -> None:
    """As for eval07.pl: what hangs on a full stop in the candidate alone has the wrong head."""
    gold: list[Arc] = [(1, "subj", "N"), (ROOT, "root", "V"), (1, "punct", ".")]
    candidate: list[Arc] = [(2, "subj", "N"), (ROOT, "root", "V"), (1, "punct", ".")]
    left_out = np.array([False, False, True])
    counts = Dependencies().counts(Dependencies.pair(bank(gold), bank(candidate), delete=left_out))
    assert (counts.sums()["gold"], counts.value("las")) == (2, 1 / 2)
    none = Dependencies.pair(bank(gold), bank(candidate), delete=np.ones(3, np.bool_))
    assert Status(int(none.status[0])) is Status.SKIPPED


def test_gold_without_dependencies_is_refused() -> None:
    with raises(CrossbankError, "arcs:", "token 1", "head", "sentence 1"):
        score(bank([(UNATTACHED, "", "N")]), bank(GOLD[:1]))


def test_without_labels_nothing_is_said_about_relations() -> None:
    gold = bank(GOLD)
    actual = score(gold, gold, labels=False).values()
    assert "las" not in actual
    assert actual["uas"] == actual["f1"] == 1


def test_without_labels_words_stand_under_the_relations_of_gold() -> None:
    silent = [(head, "dep", tag) for head, _, tag in WRONG]
    counts = score(bank(GOLD), bank(silent), labels=False)
    assert "relation" not in counts.breakdowns
    assert "confusion" not in counts.breakdowns
    rows = counts.by_breakdown("gold_relation")
    assert {name: (row["candidate"], row["heads"]) for name, row in rows.items()} == {
        "nsubj:pass": (1, 1), "root": (1, 1), "det": (1, 0), "obj": (1, 1),
    }  # fmt: skip


def test_relations_that_are_not_there_are_not_scored() -> None:
    gold = read(EXAMPLES / "tiger.export")
    parsed = transform(read(EXAMPLES / "tiger.alpha.mrg"), ["strip_functions"], load_scheme("tiger"))
    (counts,) = score_as_read(gold, parsed, scoring_of(["dependencies"], {}), load_scheme("tiger"))
    assert "las" not in counts.values()
    assert counts.signature.choices[0] == ("labels", "no")
    assert [measure.heading for measure in counts.measures[1:4]] == [
        "unlabelled Prec.",
        "unlabelled Rec.",
        "unlabelled F1",
    ]
    assert any("relations are not compared" in note for note in counts.notes)
    (unlabelled,) = score_as_read(
        gold, parsed, scoring_of(["dependencies"], {"labels": "no"}), load_scheme("tiger")
    )
    assert unlabelled.values() == counts.values()
