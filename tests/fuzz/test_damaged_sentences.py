"""Some hundred files with one damaged sentence: ``python -m tests.fuzz.damaged_sentences`` tries more."""

from pathlib import Path

from tests.fuzz.damaged_sentences import run, texts

MUTANTS = 330


def test_damage_of_one_sentence_leaves_the_others(tmp_path: Path) -> None:
    tried, faults = run(MUTANTS, 7, tmp_path)
    assert tried.total() == MUTANTS
    assert set(tried) == set(texts())
    assert not faults
