"""Shared task's scores as a metric: the official figures, with statuses where the program ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from crossbank.compat.conll18.conll18_metric import Conll18
from crossbank.metrics.counting.counts import Counts, UnscoredError
from crossbank.metrics.counting.presentation import measures_of_breakdown
from crossbank.metrics.counting.scoring import score, scoring_of
from crossbank.reports.tables.console import format_scores, scores_as_json
from crossbank.treebanks.errors import CrossbankError, OptionError
from crossbank.treebanks.formats.conllu import load, loads
from tests.compat.modes import Mode
from tests.errors import raises

evaluate = Mode("conll18").evaluate

GOLD = (
    "1\tdas\t_\tDET\t_\t_\t2\tdet\t_\t_\n2\tHaus\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
    "1\tes\t_\tPRON\t_\t_\t2\tnsubj\t_\t_\n2\tgeht\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"
)
JOINED = (
    "1\tdas\t_\tDET\t_\t_\t2\tdet\t_\t_\n2\tHaus\t_\tNOUN\t_\t_\t4\tobl\t_\t_\n"
    "3\tes\t_\tPRON\t_\t_\t4\tnsubj\t_\t_\n4\tgeht\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"
)


def counted(gold: str, candidate: str) -> Counts:
    return score(loads(gold), loads(candidate), scoring_of(["conll18"], {}))[0]


def statuses(counts: Counts) -> dict[str, int]:
    return counts.status_counts()


@pytest.mark.parametrize("system", ["HIT-SCIR-18", "Stanford-18", "conll18-baseline"])
def test_the_metric_and_the_mode_say_the_same(shared_data: Path, system: str) -> None:
    files = [shared_data / "conll18" / name / "de_gsd.conllu" for name in ("00-gold-standard", system)]
    counts = score(load(files[0]), load(files[1]), scoring_of(["conll18"], {}))[0]
    assert counts.values() == evaluate(*files).counts().values()
    assert statuses(counts) == {"total": 977, "scored": 977}


def test_a_text_cut_into_other_sentences() -> None:
    counts = counted(GOLD, JOINED)
    assert statuses(counts) == {"total": 2, "scored": 2}
    assert counts.by_sentence("uas").tolist() == [0.5, 1]
    assert counts.value("sentences") == 0
    assert counts.notes == {"sentences that the candidate cuts otherwise": 1}


def test_what_the_candidate_says_of_golds_words() -> None:
    pair = Conll18.pair(loads(GOLD), loads(JOINED))
    assert pair.candidate.words(0) == ["das", "Haus"]
    assert pair.candidate.tokens.head.tolist() == [1, -2, 1, -1]
    items = Conll18().items(pair, 0)
    assert [(item.label, item.side) for item in items] == [("det", "both"), ("root", "gold")]


@pytest.mark.parametrize(
    ("wrong", "status"),
    [
        (GOLD.replace("0\troot", "1\troot", 1), "cycle"),
        (GOLD.replace("2\tdet", "1\tdet", 1), "cycle"),
        (GOLD.replace("2\tdet", "0\troot", 1), "several roots"),
        (GOLD.replace("2\tdet", "_\tdet", 1), "no parse"),
    ],
)
def test_a_sentence_that_is_no_tree_has_a_status(wrong: str, status: str) -> None:
    counts = counted(GOLD, wrong)
    assert statuses(counts) == {"total": 2, "scored": 1, status: 1}
    assert counts.full_signature.choices[-1] == ("unscored", "empty:1")
    assert (counts.value("las"), counts.under("skip").value("las")) == (pytest.approx(2 * 2 / (4 + 2)), 1)
    with raises(UnscoredError, sentence="1", number=1):
        counts.under("fail")
    assert statuses(counted(wrong, GOLD)) == {"total": 2, "scored": 1, "no gold": 1}


def test_the_metric_of_dependencies_scores_such_arcs_and_notes_it() -> None:
    for wrong, note in (("1\troot", "a cycle"), ("0\troot", "several roots")):
        candidate = GOLD.replace("0\troot" if wrong[0] == "1" else "2\tdet", wrong, 1)
        counts = score(loads(GOLD), loads(candidate), scoring_of(["dependencies"], {}))[0]
        assert statuses(counts) == {"total": 2, "scored": 2}
        assert counts.value("uas") == 3 / 4
        assert counts.notes == {f"sentences of the candidate with {note}": 1}
        assert f"  1 sentence of the candidate with {note}" in format_scores([counts])
        assert json.loads(scores_as_json([counts]))["notes"] == counts.notes


def test_other_text_is_a_status_where_the_sentences_are_as_many() -> None:
    counts = counted(GOLD, GOLD.replace("Haus", "Heim"))
    assert statuses(counts) == {"total": 2, "scored": 1, "words differ": 1}
    assert (counts.value("las"), counts.under("skip").value("las")) == (pytest.approx(2 / 3), 1)
    with raises(CrossbankError, "text:", "(1)", "(2)"):
        counted(GOLD, JOINED.replace("Haus", "Heim"))


def test_beside_the_other_metric_of_dependencies() -> None:
    both = score(loads(GOLD), loads(GOLD), scoring_of(["dependencies", "conll18"], {}))
    assert [counts.value("las") for counts in both] == [1, 1]


def test_punctuation_cannot_be_left_out() -> None:
    with raises(
        OptionError, kind="option delete", value="punct", allowed="none: no tokens can be left out of conll18"
    ):
        score(
            loads(GOLD.replace("das", "-")),
            loads(GOLD.replace("das", "-")),
            scoring_of(["conll18"], {"delete": "punct"}),
        )


def features(text: str, *bundles: str) -> str:
    """Return a text whose words have these features, in their order."""
    lines, inputs = text.split("\n"), iter(bundles)
    for index, line in enumerate(lines):
        if line:
            columns = line.split("\t")
            columns[5] = next(inputs)
            lines[index] = "\t".join(columns)
    return "\n".join(lines)


def test_features_are_counted_one_by_one() -> None:
    # In common are Case=Nom of the first word and Number=Sing of the last.
    gold = features(GOLD, "Case=Nom|Number=Sing", "Case=Nom", "_", "Number=Sing|Tense=Pres")
    candidate = features(JOINED, "Case=Nom", "Case=Acc", "Gender=Neut", "Number=Sing")
    counts = counted(gold, candidate)
    columns = counts.by_breakdown("feature")
    assert columns["Case"] == {"gold": 2, "candidate": 2, "matched": 1}
    assert columns["Number"] == {"gold": 2, "candidate": 1, "matched": 1}
    assert columns["Tense"] == {"gold": 1, "candidate": 0, "matched": 0}
    assert columns["Gender"] == {"gold": 0, "candidate": 1, "matched": 0}
    valued = counts.by_breakdown("feature_value")
    assert valued["Case=Nom"] == {"gold": 2, "candidate": 1, "matched": 1}
    assert valued["Case=Acc"] == {"gold": 0, "candidate": 1, "matched": 0}
    precision, recall, f1 = measures_of_breakdown(counts, "feature")
    assert [m.of(columns["Number"]) for m in (precision, recall, f1)] == [1, 0.5, pytest.approx(2 / 3)]
    # UFeats says only that no word has the right features.
    assert counts.value("ufeats") == 0


def test_features_of_sentences_that_are_not_scored_are_golds_alone() -> None:
    gold = features(GOLD, "Case=Nom", "Case=Nom", "Case=Nom", "_")
    cyclic = gold.replace("0\troot", "1\troot", 1)
    assert counted(gold, cyclic).by_breakdown("feature") == {
        "Case": {"gold": 3, "candidate": 1, "matched": 1}
    }
    other = gold.replace("Haus", "Hof")
    assert counted(gold, other).by_breakdown("feature") == {"Case": {"gold": 3, "candidate": 1, "matched": 1}}


def test_features_of_words_that_are_not_aligned_count_against_precision(shared_data: Path) -> None:
    files = [shared_data / "conll18" / name / "de_gsd.conllu" for name in ("00-gold-standard", "HIT-SCIR-18")]
    gold, candidate = load(files[0]), load(files[1])
    parts = score(gold, candidate, scoring_of(["conll18"], {}))[0].by_breakdown("feature")
    for bank, side in ((gold, "gold"), (candidate, "candidate")):
        bundles = bank.vocabulary.decode(bank.tokens.morph)
        assert parts["Case"][side] == sum("Case=" in bundle for bundle in bundles)


def test_relations_are_compared_whole_where_asked() -> None:
    other = GOLD.replace("nsubj", "nsubj:pass")
    cut, whole = (
        score(loads(GOLD), loads(other), scoring_of(["conll18"], {"subtypes": option}))[0]
        for option in ("no", "yes")
    )
    assert (cut.value("las"), whole.value("las")) == (1, 3 / 4)
    assert [
        item.side for item in Conll18(subtypes=True).items(Conll18.pair(loads(GOLD), loads(other)), 1)
    ] == [
        "gold",
        "candidate",
        "both",
    ]
    # Content words are those of the universal relation.
    assert (cut.value("clas"), whole.value("clas")) == (1, pytest.approx(2 / 3))
