"""Compliance: what answers are, and the two parts of a difference."""

import json
from pathlib import Path

import pytest

import crossbank
from crossbank.language_models.compliance_parts import COMMON, COMPLIANCE, PARSING, build_compliance_families
from crossbank.language_models.compliance_section import ComplianceSection
from crossbank.language_models.label_inventories import valid_labels
from crossbank.language_models.metrics.compliance import folded_text
from crossbank.reports.estimates.table import estimates_of
from crossbank.reports.results.study_results import StudyResults
from crossbank.workflow.steps.here import run_here
from tests.language_models.gold_and_answers import ROWS, TREES, write_gold, write_lines

ANSWERS = {
    "right": TREES[1],
    "no parse": "I cannot parse this.",
    "damaged": TREES[1][:-2],
    "unknown label": TREES[1].replace("(VP", "(VERBPHRASE"),
    "label of the inventory": TREES[1].replace("(VP", "(SINV"),
    "function": TREES[1].replace("(NP (NNP", "(NP-SBJ (NNP"),
    "two roots": f"{TREES[1]} (X (UH oh))",
    "other tokens": TREES[1].replace("(NN cat)", "(NN c) (NN at)"),
    "other words": TREES[1].replace("cat", "dog"),
}

EXPECTED = {
    "right": {"parsed", "valid", "faithful", "compliant"},
    "no parse": set[str](),
    "damaged": {"parsed", "repaired", "faithful"},
    "unknown label": {"parsed", "faithful"},
    "label of the inventory": {"parsed", "valid", "faithful", "compliant"},
    "function": {"parsed", "valid", "faithful", "compliant"},
    "two roots": {"parsed", "repaired", "changed"},
    "other tokens": {"parsed", "valid", "normalised"},
    "other words": {"parsed", "valid", "changed"},
}


@pytest.mark.filterwarnings("ignore::crossbank.CrossbankWarning")
@pytest.mark.parametrize("policy", ["empty", "skip"])
@pytest.mark.parametrize("name", ANSWERS)
def test_what_an_answer_is(tmp_path: Path, name: str, policy: str) -> None:
    gold = write_gold(tmp_path)
    records = [
        {"id": str(number), "answer": text}
        for number, text in enumerate((TREES[0], ANSWERS[name], TREES[2]), 1)
    ]
    path = write_lines(tmp_path, *records)
    result = crossbank.score(gold, path, "compliance", damaged="repair", unscored=policy)
    columns = result.counts.columns
    assert {one for one, column in columns.items() if column[1]} - {"answered"} == EXPECTED[name]
    assert result["answered"] == 1
    assert result["compliant"] == pytest.approx((2 + ("compliant" in EXPECTED[name])) / 3)


@pytest.mark.filterwarnings("ignore::crossbank.CrossbankWarning")
def test_dependencies_with_a_cycle_are_not_valid(tmp_path: Path) -> None:
    gold = tmp_path / "gold.conllu"
    gold.write_text(f"# sent_id = a\n{ROWS}\n# sent_id = b\n{ROWS}\n", "utf-8")
    cyclic = ROWS.replace("\t0\troot", "\t4\troot")
    path = write_lines(tmp_path, {"id": "a", "answer": ROWS}, {"id": "b", "answer": cyclic})
    result = crossbank.score(gold, path, "compliance")
    assert (result["valid"], result["faithful"]) == (0.5, 1)


def test_labels_that_are_said_to_be_valid(tmp_path: Path) -> None:
    gold = write_gold(tmp_path)
    answers = [TREES[0], ANSWERS["unknown label"], TREES[2]]
    path = write_lines(
        tmp_path, *({"id": str(number), "answer": text} for number, text in enumerate(answers, 1))
    )
    assert crossbank.score(gold, path, "compliance")["valid"] == pytest.approx(2 / 3)
    assert crossbank.score(gold, path, "compliance", labels="VERBPHRASE")["valid"] == 1


def test_a_request_that_failed_is_no_answer(tmp_path: Path) -> None:
    gold = write_gold(tmp_path)
    path = write_lines(tmp_path, {"id": "1", "answer": TREES[0]}, {"id": "2", "answer": None})
    with pytest.warns(crossbank.CrossbankWarning):
        result = crossbank.score(gold, path, "compliance")
    assert result["answered"] == pytest.approx(1 / 3)


def test_quotes_dashes_and_brackets_are_folded() -> None:
    one = ["``", "It", "’s", "''", "–", "[", "x", "]", "…"]
    other = ['"', "It's", '"', "--", "-LSB-x-RSB-", "..."]
    assert folded_text(one) == folded_text(other)
    assert folded_text(["cat"]) != folded_text(["dog"])


def test_labels_of_an_inventory_are_valid_if_it_has_golds() -> None:
    assert "SBARQ" in valid_labels({"NP", "VP-2", "S"})
    assert "SBARQ" not in valid_labels({"NP", "NX", "SIMPX"})
    assert "vocative" in valid_labels({"nmod:poss", "root"})


@pytest.fixture
def study(tmp_path: Path) -> StudyResults:
    """Return two candidates of 40 sentences: the second has no parse of ten, and errors in ten others."""
    tree = TREES[1]
    gold = tmp_path / "gold.mrg"
    gold.write_text(f"{tree}\n" * 40, "utf-8")
    wrong = tree.replace("(NP (DT a) (NN cat))", "(NP (DT a)) (NP (NN cat))")
    texts = {
        "one": [tree.replace("VBD", "VBZ")] * 39 + [wrong],
        "two": ["No."] * 10 + [wrong] * 10 + [tree] * 20,
    }
    candidates = []
    for name, answers in texts.items():
        path = tmp_path / f"{name}.jsonl"
        lines = [json.dumps({"id": str(number), "answer": text}) for number, text in enumerate(answers, 1)]
        path.write_text("\n".join(lines), "utf-8")
        candidates.append({"name": name, "path": str(path)})
    treebank = {"name": "t", "scheme": "ptb", "gold": {"path": str(gold)}, "candidates": candidates}
    content = {"study": "s", "treebanks": [treebank], "metrics": ["parseval", "compliance"]}
    return run_here(content, tmp_path / "results", reported=False)


def test_a_difference_has_two_parts(study: StudyResults) -> None:
    (family,) = build_compliance_families(study)
    parsing, compliance = family.contrasts
    assert (parsing.key, parsing.population, parsing.n) == (PARSING, COMMON, 30)
    assert (compliance.key, compliance.population, compliance.n) == (COMPLIANCE, "all", 40)
    counts = [candidate.counts["parseval"] for candidate in study.treebanks[0].candidates]
    whole = counts[0].value("f1") - counts[1].value("f1")
    assert parsing.value + compliance.value == pytest.approx(whole)
    assert parsing.value > 0
    assert compliance.value > 0


def test_the_section_says_which_part_is_which(study: StudyResults) -> None:
    section = ComplianceSection(study)
    sentences = list(section.introduction())
    rows = list(estimates_of(study).of(COMPLIANCE))
    assert [row.key for row in rows] == [PARSING, COMPLIANCE]
    assert len(sentences) == 2
    for sentence, row in zip(sentences, rows, strict=True):
        assert f"{row.key} accounts for" in sentence
        assert f"{100 * row.value:+.2f}" in sentence
    table, scores, parts = section.tables
    assert [cell.value for cell in table.rows[1][2:]] == [40, 40, 30, 0, 30, 30, 0, 0, 30]
    assert scores.rows[0][3].value is not None
    assert len(parts.rows) == 2
