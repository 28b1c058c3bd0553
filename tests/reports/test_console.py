"""What ``crossbank score`` prints."""

import json
import subprocess
import sys
from dataclasses import replace

import numpy as np

from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.tables.console import format_scores, scores_as_json
from crossbank.treebanks.errors import OptionError
from tests.errors import raises


def test_scores_are_printed_with_signature_meaning_and_sentences(study: StudyResults) -> None:
    scored = study.treebanks[0].candidates[0].counts
    assert format_scores([scored["brackets"], scored["heads"]]) == (
        "brackets|conversions:none|unscored:empty:2|v1.0\n"
        "  precision     50.00 %  matched brackets / brackets of the candidate\n"
        "  recall        37.50 %  matched brackets / brackets of gold\n"
        "  f1            42.86 %  harmonic mean of precision and recall\n"
        "  4 sentences: 2 scored, 1 no parse, 1 words differ\n"
        "\n"
        "heads|conversions:none|unscored:empty:2|v1.0\n"
        "  uas           57.14 %  right heads / words\n"
        "  errors         1.50    wrong heads\n"
        "  4 sentences: 2 scored, 1 no parse, 1 words differ"
    )


def test_json_has_shares_at_full_precision(study: StudyResults) -> None:
    counts = study.treebanks[0].candidates[0].counts["brackets"]
    document = json.loads(scores_as_json([counts]))
    assert document["sentences"] == {"total": 4, "scored": 2, "no parse": 1, "words differ": 1}
    assert document["scores"][1] == {
        "metric": "brackets",
        "measure": "recall",
        "value": counts.value("recall"),
        "signature": "brackets|conversions:none|unscored:empty:2|v1.0",
    }


def test_no_sentence_no_score(study: StudyResults) -> None:
    counts = replace(study.treebanks[0].candidates[0].counts["brackets"], status=np.full(4, 1, np.int8))
    assert "no sentence enters a score" in format_scores([counts.under("skip")])
    assert json.loads(scores_as_json([counts.under("skip")]))["scores"][0]["value"] is None


def test_printing_scores_loads_nothing_that_it_does_not_need() -> None:
    slow = "{'pyarrow', 'jinja2', 'nltk', 'conllu', 'lxml', 'snakemake'}"
    names = ("tables.console", "results.counts_in_files", "pages.page")
    modules = ", ".join(f"crossbank.reports.{name}" for name in names)
    code = f"import sys, {modules}; print({slow} & set(sys.modules))"
    completed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert completed.stdout == "set()\n"


def test_a_table_by_label_where_it_is_asked_for(study: StudyResults) -> None:
    counts = study.treebanks[0].candidates[0].counts
    scored = [counts["brackets"], counts["heads"]]
    plain, table = format_scores(scored), format_scores(scored, ["label"])
    added = [line for line in table.splitlines() if line not in plain.splitlines()]
    assert added.pop().strip().startswith("not by label: ")  # heads have no labels
    assert added[0].split() == ["label", "gold", "candidate", "precision", "recall", "f1"]
    parts = counts["brackets"].by_breakdown("label")
    assert {line.split()[0] for line in added[1:]} == set(parts)
    assert [line.split()[1] for line in added[1:]] == sorted(
        (line.split()[1] for line in added[1:]), reverse=True
    )
    assert json.loads(scores_as_json(scored, ["label"]))["by_label"].keys() == parts.keys()


def test_parts_that_no_metric_has_are_refused(study: StudyResults) -> None:
    counts = study.treebanks[0].candidates[0].counts["brackets"]
    with raises(OptionError, kind="--by", value="moon", allowed="label (brackets counts nothing by moon)"):
        format_scores([counts], ["moon"])
    with raises(OptionError, kind="--by", value="label", allowed="none (brackets counts nothing by label)"):
        scores_as_json([counts.macro()], ["label"])
