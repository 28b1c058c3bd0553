"""Which constituents dependencies still tell."""

from pathlib import Path

import pytest

from crossbank.converters.dependencies.through_dependencies import Survival, through_dependencies
from crossbank.converters.scheme_files import load_scheme
from crossbank.treebanks.errors import RequirementError
from crossbank.treebanks.formats import read_all
from crossbank.treebanks.formats.conllu import loads
from tests.converters.banks import bank_of
from tests.errors import raises

TIGER = load_scheme("tiger")


def test_a_phrase_survives_that_is_a_word_with_all_its_dependents() -> None:
    bank = bank_of("(S (NP:SB 0=das/ART:NK 1=Geld/NN:NK) 2=fehlt/VVFIN:HD 3=./$.)")
    comparison = through_dependencies(bank, TIGER)
    assert comparison.categories == (Survival("NP", 1, 1, 1), Survival("S", 1, 1, 1))
    assert (comparison.sentences, comparison.whole, comparison.lost_in) == (1, 1, ())


def test_a_phrase_does_not_whose_head_has_dependents_outside_of_it() -> None:
    """The verb of a VP governs the subject too, so nothing is left of the VP."""
    bank = bank_of("(S (NP 0=cats/NNS) (VP 1=see/VBP (NP 2=a/DT 3=bird/NN)))", "(NP 0=a/DT 1=cat/NN)")
    comparison = through_dependencies(bank, load_scheme("ptb"))
    rows = {row.category: (row.constituents, row.recovered) for row in comparison.categories}
    assert rows == {"NP": (2, 2), "S": (1, 1), "VP": (1, 0)}
    assert comparison.overall == Survival("", 4, 3, 3)
    assert (comparison.whole, comparison.lost_in) == (1, ("1",))


def test_there_must_be_constituents() -> None:
    with raises(RequirementError, name="through_dependencies", required="trees"):
        through_dependencies(loads("1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n"), TIGER)


@pytest.mark.slow
def test_real_trees(shared_data: Path) -> None:
    bank = read_all([str(shared_data / "tiger-pcc/syntax/*.xml")], "tigerxml")
    comparison = through_dependencies(bank, TIGER)
    assert comparison.sentences == 2193
    assert comparison.whole + len(comparison.lost_in) == 2193
    assert comparison.overall.recovered / comparison.overall.constituents > 0.9
    assert comparison.overall.same_head <= comparison.overall.recovered
