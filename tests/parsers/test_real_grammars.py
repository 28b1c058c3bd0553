"""Grammars of a real treebank score what is to be expected of them at their size."""

from pathlib import Path

import numpy as np
import pytest

from crossbank.converters.scheme_files import load_scheme
from crossbank.metrics.counting.scoring import score, scoring_of
from crossbank.parsers.models import train
from crossbank.treebanks import Treebank
from crossbank.treebanks.formats import read_all


@pytest.fixture(scope="module")
def pcc(shared_data: Path) -> Treebank:
    return read_all(sorted(map(str, (shared_data / "tiger-pcc" / "syntax").glob("*.xml"))))


def f1(bank: Treebank, **options: str) -> float:
    """Return F1 of Parseval on every tenth sentence, trained on the others, tags given."""
    test = np.arange(len(bank)) % 10 == 0
    inputs = {"input": "tags", "smoothing": "none", **options}
    model = train(bank.select(np.flatnonzero(~test)), "tiger", inputs)
    gold = bank.select(np.flatnonzero(test))
    (counts,) = score(gold, model.parser.parse(gold).bank, scoring_of(["parseval"], {}), load_scheme("tiger"))
    return counts.value("f1")


@pytest.mark.slow
def test_markovisation_helps_up_to_its_optimum(pcc: Treebank) -> None:
    """The treebank's own rules are too rare; symbols that know grandparents are, too (2,000 sentences)."""
    own_rules, best = f1(pcc, horizontal="all"), f1(pcc, horizontal="1")
    assert 0.66 < best < 0.76
    assert own_rules < best - 0.04
    assert f1(pcc, vertical="3", horizontal="1") < best - 0.1
