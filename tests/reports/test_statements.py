"""Statements over random studies: every kind says what its row says, and rows without a claim have none."""

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from crossbank.metrics.pairing.pair import Status
from crossbank.reports.estimates.statements import TEMPLATES, Statement, select_statements, statements_of
from crossbank.reports.estimates.table import estimate_study, estimates_of, row_as_values
from crossbank.reports.results.sentence_facts import SentenceFacts
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.results.typed_errors import CandidateErrors
from crossbank.workflow.verification.page_statements import SENTENCES, PageStatement
from crossbank.workflow.verification.verify import faults_of
from tests.reports.counted import both, study_of


def random_study(seed: int, *, same_sentences: bool) -> StudyResults:
    """A study of two treebanks with two systems of two sizes and seeds, and sentences without a parse."""
    random = np.random.default_rng(seed)
    runs = [(system, size, run) for system in ("x", "y") for size in (10, 90) for run in (1, 2)]
    quality = {name: random.uniform(0.4, 0.9) for name in ("x", "y", "t", "u")}
    attributes = {f"{s}_{n}_{r}": {"training_size": n, "seed": r} for s, n, r in runs}
    scored = {
        treebank: {
            f"{s}_{n}_{r}": both(
                float(np.clip((quality[s] + quality[treebank]) / 2 + n / 900 * random.uniform(-1, 1), 0, 1)),
                int(random.integers(999)),
                size=30,
            )
            for s, n, r in runs
        }
        for treebank in ("t", "u")
    }
    for name in ("x_10_1", "y_90_1"):
        for counts in scored["t"][name].values():
            counts.status[: int(random.integers(0, 4))] = Status.NO_PARSE
    study = study_of(scored, attributes, {f"{s}_{n}_{r}": s for s, n, r in runs})
    facts = [
        SentenceFacts(np.ones(30, np.int32), str, digest=d) for d in ("a", "a" if same_sentences else "b")
    ]
    banks = [replace(t, sentences=of) for t, of in zip(study.treebanks, facts, strict=True)]
    return replace(study, treebanks=banks, trials=199, seed=seed % 100)


def random_errors(study: StudyResults, seed: int) -> list[CandidateErrors]:
    """Return the errors of two types in all sentences."""
    random = np.random.default_rng(seed)
    return [
        CandidateErrors(
            treebank,
            candidate,
            {"span": random.poisson(random.uniform(0, 2), 30) * 1.0, "pos": random.poisson(1, 30) * 1.0},
        )
        for treebank in study.treebanks
        for candidate in treebank.candidates
    ]


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), same_sentences=st.booleans())
def test_a_statement_says_what_its_row_says(seed: int, same_sentences: bool) -> None:
    study = random_study(seed, same_sentences=same_sentences)
    rows = estimate_study(study, random_errors(study, seed), [])
    statements = list(select_statements(study, rows))
    for statement in statements:
        on_page = PageStatement(
            {name.replace("-", "_"): value for name, value in statement.attributes.items()}, statement.text
        )
        assert on_page.parts() is not None
        assert list(faults_of(on_page, row_as_values(rows[statement.row.number]))) == []
        assert statement.row.low is not None
    if not same_sentences:
        assert not [statement for statement in statements if statement.type == "treebanks"]
    groups = [(s.row.treebank, s.row.metric, s.row.population) for s in statements if s.type == "better"]
    assert len(groups) == len(set(groups))  # one leader of each treebank, metric and population


def test_every_kind_occurs_and_has_a_sentence_that_can_be_read_back() -> None:
    by_type: set[str] = set()
    for seed in range(12):
        study = random_study(seed, same_sentences=True)
        by_type |= {
            s.type for s in select_statements(study, estimate_study(study, random_errors(study, seed), []))
        }
    assert by_type == set(TEMPLATES) == set(SENTENCES)
    assert len(TEMPLATES) <= 8


def test_templates_have_no_conditions() -> None:
    """The text depends on the fields of one row alone: the same row gives the same text in any study."""
    study = random_study(1, same_sentences=True)
    for statement in statements_of(study):
        alone = Statement(statement.type, estimates_of(study)[statement.row.number])
        if statement.row.candidate == alone.row.candidate and statement.row.treebank == alone.row.treebank:
            assert alone.text == statement.text
