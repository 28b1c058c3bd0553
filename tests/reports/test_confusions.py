"""Confusions of relations, in the report."""

from __future__ import annotations

import numpy as np

from crossbank.metrics.dependencies import Dependencies
from crossbank.metrics.pairing.pair import pair
from crossbank.reports.sections.parts import build_breakdown_tables, build_confusion_table, count_confusions
from crossbank.treebanks import ROOT, Treebank
from crossbank.treebanks.builder import TreebankBuilder
from tests.reports.counted import study_of


def bank(*sentences: tuple[str, ...]) -> Treebank:
    """Sentences of so many words: the relation of each, and the first word is the head of the others."""
    builder = TreebankBuilder("relations")
    for number, relations in enumerate(sentences):
        builder.sentence(id=f"s{number}")
        for index, relation in enumerate(relations):
            builder.token(form=f"w{index}", head=0 if index else ROOT, relation=relation)
    return builder.build()


GOLD = bank(("root", "subj", "obj"), ("root", "obj"), ("root", "subj"))
OTHER = bank(("root", "obj", "obj"), ("root", "mod"), ("root", "obj"))


def test_what_is_confused_comes_by_frequency_with_sentences() -> None:
    counts = Dependencies().counts(pair(GOLD, OTHER))
    actual = [
        (one.gold, one.candidate, one.count, one.heads, one.sentences) for one in count_confusions(counts)
    ]
    assert actual == [("subj", "obj", 2, 2, ("s0", "s2")), ("obj", "mod", 1, 1, ("s1",))]


def test_the_table_and_where_it_stands() -> None:
    counts = Dependencies().counts(pair(GOLD, OTHER))
    study = study_of(
        {"klein": {"parser": {"deps": counts}, "same": {"deps": Dependencies().counts(pair(GOLD, GOLD))}}}
    )
    table = build_confusion_table(study.treebanks[0], "deps")
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["parser", "subj", "obj", "2", "2", "2", "s0, s2"],
        ["parser", "obj", "mod", "1", "1", "1", "s1"],
    ]
    tables = {table.key: table for table in build_breakdown_tables(study)}
    assert table.key in tables
    direction = tables["klein-deps-direction"]
    assert [row[0].text for row in direction.rows] == ["to_root", "left"]
    assert np.isclose(direction.rows[0][2].value or 0, 1.0)
    assert {"UAS", "LAS", "Exact"} <= {column.heading for column in tables["klein-deps-tree"].columns}
