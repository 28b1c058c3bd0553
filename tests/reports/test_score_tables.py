"""Counts survive their file, with everything that a score, an interval or a table is made of."""

import csv
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pyarrow import parquet

from crossbank.metrics.counting.counts import Counts
from crossbank.metrics.pairing.pair import UnscoredSentence, pair
from crossbank.reports.results.counts_in_files import (
    CandidateCounts,
    read_counts,
    read_scored,
    write_counts,
    write_sentence_table,
)
from crossbank.reports.results.study_results import StudyResults
from crossbank.treebanks.errors import CrossbankError, FormatError, MissingFileError
from tests.errors import raises
from tests.reports.toy import candidate_bank, gold_bank


def write_candidate(counts: Counts, path: Path, problems: Iterable[UnscoredSentence] = ()) -> None:
    """Write the counts of one candidate."""
    write_counts({"raw": CandidateCounts.whole(counts, list(problems))}, path)


def same(one: Counts, other: Counts) -> None:
    assert str(one.full_signature) == str(other.full_signature)
    assert (one.measures, one.policy) == (other.measures, other.policy)
    assert list(one.sentences) == list(other.sentences)
    assert (dict(one.notes), one.status.tolist()) == (dict(other.notes), other.status.tolist())
    assert one.values() == other.values()
    assert {n: c.tolist() for n, c in one.columns.items()} == {
        n: c.tolist() for n, c in other.columns.items()
    }
    assert list(one.breakdowns) == list(other.breakdowns)
    for name in one.breakdowns:
        assert one.by_breakdown(name) == other.by_breakdown(name)


def test_counts_are_read_as_they_were_written(study: StudyResults, tmp_path: Path) -> None:
    (candidate,) = study.treebanks[0].candidates
    for name, counts in candidate.counts.items():
        written = replace(counts.under("skip"), notes={"no head found": 2})
        write_candidate(written, tmp_path / f"deep/{name}.parquet")
        actual = read_counts(tmp_path / f"deep/{name}.parquet")
        same(actual, written)
        same(actual.under("empty"), written.under("empty"))


def test_a_breakdown_keeps_keys_that_no_sentence_has(study: StudyResults, tmp_path: Path) -> None:
    counts = study.treebanks[0].candidates[0].counts["brackets"]
    breakdown = counts.breakdowns["label"]()
    nothing = replace(
        breakdown,
        keys=(*breakdown.keys, "XP"),
        sentence=breakdown.sentence[:0],
        key=breakdown.key[:0],
        columns={name: column[:0] for name, column in breakdown.columns.items()},
    )
    write_candidate(replace(counts, breakdowns={"label": lambda: nothing}), tmp_path / "x.parquet")
    actual = read_counts(tmp_path / "x.parquet").breakdowns["label"]()
    assert actual.keys == tuple(sorted((*breakdown.keys, "XP")))
    assert len(actual.sentence) == len(actual.key) == len(actual.columns["gold"]) == 0


def test_means_of_sentences_come_back_as_means(study: StudyResults, tmp_path: Path) -> None:
    counts = study.treebanks[0].candidates[0].counts["brackets"]
    signed = replace(counts, signature=counts.signature.with_choice("average", "macro"))
    write_candidate(signed.macro(), tmp_path / "x.parquet")
    actual = read_counts(tmp_path / "x.parquet")
    assert actual.values() == signed.macro().values() != counts.values()
    assert [m.meaning for m in actual.measures] == [m.meaning for m in signed.macro().measures]


def test_problems_are_kept_beside_the_counts(study: StudyResults, tmp_path: Path) -> None:
    (candidate,) = study.treebanks[0].candidates
    both = pair(gold_bank(), candidate_bank())
    write_candidate(candidate.counts["brackets"], tmp_path / "x.parquet", both.problems())
    assert read_scored(tmp_path / "x.parquet")[1] == list(candidate.problems)
    assert [(p.sentence, str(p.status), p.detail) for p in candidate.problems] == [
        ("s3", "no parse", "no parse"),
        ("s4", "words differ", "word 1: found 'Nein', expected 'Ja'"),
    ]
    write_candidate(candidate.counts["brackets"], tmp_path / "y.parquet")
    assert [(p.where, p.detail) for p in read_scored(tmp_path / "y.parquet")[1]] == [
        ("", "no parse"), ("", "words differ"),
    ]  # fmt: skip


def test_the_same_counts_give_the_same_bytes(study: StudyResults, tmp_path: Path) -> None:
    counts = study.treebanks[0].candidates[0].counts["brackets"]
    for name in ("a", "b"):
        write_candidate(counts, tmp_path / f"{name}.parquet")
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()


def test_candidates_of_a_batch_are_read_one_by_one(study: StudyResults, tmp_path: Path) -> None:
    """Candidates share a file although one has a count that others have not, and one failed."""
    counts = study.treebanks[0].candidates[0].counts["brackets"]
    fewer = {name: column for name, column in counts.columns.items() if name != "matched"}
    titled = tuple(measure for measure in counts.measures if measure.name == "none")
    lacking = replace(counts, columns=fewer, breakdowns={}, measures=titled)
    failed = CrossbankError("broken.mrg:1: no tree")
    whole = CandidateCounts.whole
    batch = {"a": whole(lacking), "b": failed, "c": whole(counts, [], ["odd"])}
    write_counts(batch, tmp_path / "x.parquet")
    same(read_counts(tmp_path / "x.parquet", "c"), counts)
    assert read_scored(tmp_path / "x.parquet", "c").warnings == ["odd"]
    assert set(read_counts(tmp_path / "x.parquet", "a").columns) == set(fewer)
    for name in ("b", "d"):
        with pytest.raises(CrossbankError, match=r"no tree" if name == "b" else "a, b, c"):
            read_counts(tmp_path / "x.parquet", name)
    rows = parquet.read_table(tmp_path / "x.parquet", columns=["candidate", "failure"]).to_pylist()
    assert [row["candidate"] for row in rows] == ["a"] * 4 + ["b"] + ["c"] * 4
    assert [row["failure"] for row in rows if row["failure"]] == ["broken.mrg:1: no tree"]


def test_other_files_are_refused(tmp_path: Path, study: StudyResults) -> None:
    (tmp_path / "text.parquet").write_text("no table")
    with raises(FormatError, actual="a file that is not Parquet", expected="a score table"):
        read_counts(tmp_path / "text.parquet")
    with raises(MissingFileError, file="missing.parquet"):
        read_counts(tmp_path / "missing.parquet")
    counts = study.treebanks[0].candidates[0].counts["brackets"]
    old = replace(counts, signature=replace(counts.signature, version="0.9"))
    write_candidate(old, tmp_path / "old.parquet")
    with raises(FormatError, actual="counts of brackets v0.9", expected="v1.0"):
        read_counts(tmp_path / "old.parquet")


def test_sentences_in_csv_have_status_counts_and_values(study: StudyResults, tmp_path: Path) -> None:
    counts = study.treebanks[0].candidates[0].counts["brackets"]
    write_sentence_table([counts.under("skip")], tmp_path / "x.csv")
    with (tmp_path / "x.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert list(rows[0]) == [
        "sentence", "status", "gold", "candidate", "matched", "precision", "recall", "f1",
    ]  # fmt: skip
    assert rows[0] == {
        "sentence": "s1", "status": "scored", "gold": "3", "candidate": "4", "matched": "2",
        "precision": "0.5", "recall": repr(2 / 3), "f1": repr(4 / 7),
    }  # fmt: skip
    assert (rows[2]["status"], rows[2]["gold"], rows[2]["f1"]) == ("no parse", "1", "")


def test_several_metrics_share_a_table(study: StudyResults, tmp_path: Path) -> None:
    scored = list(study.treebanks[0].candidates[0].counts.values())
    write_sentence_table(scored, tmp_path / "x.parquet")
    table = parquet.read_table(tmp_path / "x.parquet")
    assert table.num_rows == 4
    assert {"sentence", "brackets.f1", "heads.uas", "lineages.status"} <= set(table.column_names)
    assert table["lineages.mean_score"].to_pylist() == table["lineages.mean"].to_pylist()
    with pytest.raises(CrossbankError, match=r"found 'x.txt', expected a name in \.csv or \.parquet"):
        write_sentence_table(scored, tmp_path / "x.txt")
    shorter = replace(
        scored[0],
        sentences=scored[0].sentences[:3],
        status=scored[0].status[:3],
        columns={name: np.asarray(column[:3]) for name, column in scored[0].columns.items()},
    )
    with pytest.raises(CrossbankError, match="expected the same"):
        write_sentence_table([shorter, scored[1]], tmp_path / "x.csv")
