"""Views of the German schemes on the embedded corpora: candidates equal gold but for their errors."""

import csv
from pathlib import Path

import pytest

from crossbank.converters.scheme_files import load_scheme
from crossbank.converters.transformations import transform
from crossbank.treebanks.formats import read
from tests.converters.banks import render

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("candidate", ["alpha", "beta"])
@pytest.mark.parametrize("name", ["tiger", "tuebadz"])
def test_candidates_equal_gold_where_no_error_is_listed(name: str, candidate: str) -> None:
    scheme = load_scheme(name)
    gold, parsed = (
        transform(read(EXAMPLES / file), scheme.views["constituents"], scheme)
        for file in (f"{name}.export", f"{name}.{candidate}.mrg")
    )
    with open(EXAMPLES / "errors.csv", encoding="utf-8", newline="") as file:
        wrong = {
            int(row["sentence"]) - 1
            for row in csv.DictReader(file)
            if (row["scheme"], row["candidate"]) == (name, candidate)
            and row["type"] not in ("pos", "function")
        }
    assert len(gold) == len(parsed)
    assert not gold.spans.discontinuous.any()
    assert {i for i in range(len(gold)) if render(gold, i) != render(parsed, i)} == wrong


@pytest.mark.parametrize("name", ["tiger", "tuebadz"])
def test_heads_are_found_without_functions_too(name: str) -> None:
    scheme = load_scheme(name)
    gold = read(EXAMPLES / f"{name}.export")
    inserted = ["insert_flat_phrases", "mark_heads"]
    with_functions = transform(gold, inserted, scheme)
    without = transform(gold, ["strip_functions", *inserted], scheme)
    assert with_functions.nodes.head.tolist() == without.nodes.head.tolist()


def test_both_schemes_have_the_same_heads_under_one_convention() -> None:
    """Full verbs govern what is not the subject, prepositions their nouns, the first conjunct the others."""
    tiger, tuebadz = (load_scheme(name) for name in ("tiger", "tuebadz"))
    one = transform(read(EXAMPLES / "tiger.export"), ["insert_flat_phrases", "dependencies"], tiger)
    steps = ["dependencies:prepositions=preposition,rules=foth", "attach_to_main_verbs"]
    other = transform(read(EXAMPLES / "tuebadz.export"), steps, tuebadz)
    words = ~tuebadz.is_punctuation(other)
    assert (one.tokens.head == other.tokens.head)[words].mean() > 0.95
