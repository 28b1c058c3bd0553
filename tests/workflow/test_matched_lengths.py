"""``match: length``: everything in a study is about the sentences that are matched."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from crossbank.parsers.bits.compared_models import select_measured_models
from crossbank.parsers.bits.information import InformationSection, build_entropy_table, build_unparsed_table
from crossbank.parsers.cross_entropy import SentenceBits
from crossbank.reports.results.matched_lengths import match_lengths
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.results.typed_errors import errors_of
from crossbank.reports.sections.configurations import build_configuration_tables
from crossbank.reports.sections.reliability import ConversionReliabilitySection
from crossbank.treebanks import Treebank
from crossbank.treebanks.formats import read, write
from crossbank.workflow.steps.here import run_here

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
PARTS = {"tiger": slice(0, 70), "tuebadz": slice(50, 120)}


def sides(treebank: str) -> dict[str, Treebank]:
    """Gold and a candidate that has no parse for two sentences; the treebanks have different sentences."""
    gold, parsed = (read(EXAMPLES / f"{treebank}.{name}") for name in ("export", "alpha.mrg"))
    nothing = read(EXAMPLES / "tiger.alpha.mrg")[64:65]
    assert not len(nothing.tokens)
    gold, parsed = gold[PARTS[treebank]], parsed[PARTS[treebank]]
    return {"export": gold, "mrg": Treebank.concatenate([nothing, parsed[1:30], nothing, parsed[31:]])}


def studied(folder: Path, banks: dict[str, dict[str, Treebank]], match: str) -> StudyResults:
    treebanks: list[dict[str, Any]] = []
    folder.mkdir(exist_ok=True)
    for name, files in banks.items():
        for ending, bank in files.items():
            write(bank, folder / f"{name}.{ending}")
        gold, parsed = (str(folder / f"{name}.{ending}") for ending in ("export", "mrg"))
        candidates = [{"name": "parsed", "path": parsed}]
        treebanks.append(
            {
                "name": name,
                "scheme": name,
                "gold": {"path": gold},
                "candidates": candidates,
                "hot_spots": ["NP|NX"],
            }
        )
    content = {
        "study": "matched",
        "treebanks": treebanks,
        "metrics": ["parseval", "leaf_ancestor"],
        "match": match,
        "bootstrap": {"samples": 0},
        "tests": {"trials": 10},
    }
    return run_here(content, folder / "results", reported=False)


def test_one_population_in_all_of_a_study(tmp_path: Path) -> None:
    banks = {name: sides(name) for name in PARTS}
    results = studied(tmp_path / "all", banks, "length")
    masks = match_lengths({name: of["export"].tokens.lengths() for name, of in banks.items()}, results.seed)
    few = {
        name: {ending: bank.select(np.flatnonzero(masks[name])) for ending, bank in of.items()}
        for name, of in banks.items()
    }
    assert 10 < masks["tiger"].sum() == masks["tuebadz"].sum() < 65
    alone = studied(tmp_path / "few", few, "none")
    for one, other in zip(results.treebanks, alone.treebanks, strict=True):
        assert one.ratios == other.ratios
        assert [(c.step, c.event, c.count, c.sentences) for c in one.conversions] == [
            (c.step, c.event, c.count, c.sentences) for c in other.conversions
        ]
        (matched,), (candidate,) = one.candidates, other.candidates
        assert len(matched.problems) == len(candidate.problems)
        for metric, counts in candidate.counts.items():
            assert matched.counts[metric].values() == counts.values()
    for errors, others in zip(errors_of(results), errors_of(alone), strict=True):
        assert errors.rates == others.rates
        assert {type_: of.sum() for type_, of in errors.per_sentence.items()} == {
            type_: of.sum() for type_, of in others.per_sentence.items()
        }
    tables, others = (build_configuration_tables(study, mine=False) for study in (results, alone))
    assert [[[cell.text for cell in row] for row in table.rows] for table in tables] == [
        [[cell.text for cell in row] for row in table.rows] for table in others
    ]
    assert results.population
    assert not alone.population


def test_bits_are_of_the_matched_sentences_and_the_reliability_of_all(tmp_path: Path) -> None:
    """Each section has one population, which it names."""
    banks = {name: sides(name) for name in PARTS}
    lengths = {name: of["export"].tokens.lengths().astype(np.int32) for name, of in banks.items()}
    for number, (name, words) in enumerate(lengths.items()):
        bits = 7.0 * words + number
        bits[::9] = np.inf
        path = tmp_path / "bits" / "results" / "parsed" / name / "parsed.json"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps({"measured": {"entropy": SentenceBits(bits, words, 5 * words).content()}}))
    results = studied(tmp_path / "bits", banks, "length")
    masks = match_lengths(lengths, results.seed)
    table = build_entropy_table(results)
    headings = [column.heading for column in table.columns]
    without = dict.fromkeys(masks, 0)
    for model, row in zip(select_measured_models(results), table.rows, strict=True):
        mask, parsed = masks[model.treebank.name], model.bits.parsed
        cells = {heading: cell.value for heading, cell in zip(headings, row, strict=True)}
        assert not parsed[~mask].any()
        assert cells["Sentences"] == parsed.sum()
        assert cells["Words"] == lengths[model.treebank.name][parsed].sum()
        without[model.treebank.name] = mask.sum() - parsed.sum()
        assert cells["here"] + cells["by others alone"] == without[model.treebank.name]
    assert len(build_unparsed_table(results).rows) == sum(without.values()) > 0
    assert results.population.strip() in list(InformationSection(results).introduction())
    assert any(
        text.startswith("Of all sentences") for text in ConversionReliabilitySection(results).introduction()
    )
