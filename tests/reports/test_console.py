"""What ``crossbank score`` prints."""

import json
import subprocess
import sys
from dataclasses import replace

import numpy as np

from reports.console import as_json, as_table
from reports.study_results import StudyResults


def test_scores_are_printed_with_signature_meaning_and_sentences(study: StudyResults) -> None:
    scored = study.treebanks[0].candidates[0].counts
    assert as_table([scored["brackets"], scored["heads"]]) == (
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
    found = json.loads(as_json([counts]))
    assert found["sentences"] == {"total": 4, "scored": 2, "no parse": 1, "words differ": 1}
    assert found["scores"][1] == {
        "metric": "brackets",
        "measure": "recall",
        "value": counts.value("recall"),
        "signature": "brackets|conversions:none|unscored:empty:2|v1.0",
    }


def test_no_sentence_no_score(study: StudyResults) -> None:
    counts = replace(study.treebanks[0].candidates[0].counts["brackets"], status=np.full(4, 1, np.int8))
    assert "no sentence enters a score" in as_table([counts.under("skip")])
    assert json.loads(as_json([counts.under("skip")]))["scores"][0]["value"] is None


def test_printing_scores_loads_nothing_that_it_does_not_need() -> None:
    slow = "{'pyarrow', 'jinja2', 'nltk', 'conllu', 'lxml', 'snakemake'}"
    code = (
        f"import sys, reports.console, reports.score_tables, reports.page; print({slow} & set(sys.modules))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "set()\n"
