"""Which constituents dependencies still tell."""

from pathlib import Path

import pytest

from crossbank.converters.dependencies.through_dependencies import Survival, through_dependencies
from crossbank.converters.scheme_files import load_scheme
from crossbank.treebanks import ConversionError
from crossbank.treebanks.formats import read_all
from crossbank.treebanks.formats.conllu import loads
from tests.converters.banks import bank_of

TIGER = load_scheme("tiger")


def test_a_phrase_survives_that_is_a_word_with_all_its_dependents() -> None:
    bank = bank_of("(S (NP:SB 0=das/ART:NK 1=Geld/NN:NK) 2=fehlt/VVFIN:HD 3=./$.)")
    found = through_dependencies(bank, TIGER)
    assert found.categories == (Survival("NP", 1, 1, 1), Survival("S", 1, 1, 1))
    assert (found.sentences, found.whole, found.lost_in) == (1, 1, ())


def test_a_phrase_does_not_whose_head_has_dependents_outside_of_it() -> None:
    """The verb of a VP governs the subject too, so nothing is left of the VP."""
    bank = bank_of("(S (NP 0=cats/NNS) (VP 1=see/VBP (NP 2=a/DT 3=bird/NN)))", "(NP 0=a/DT 1=cat/NN)")
    found = through_dependencies(bank, load_scheme("ptb"))
    rows = {row.category: (row.constituents, row.recovered) for row in found.categories}
    assert rows == {"NP": (2, 2), "S": (1, 1), "VP": (1, 0)}
    assert found.overall == Survival("", 4, 3, 3)
    assert (found.whole, found.lost_in) == (1, ("1",))


def test_there_must_be_constituents() -> None:
    with pytest.raises(ConversionError, match="needs trees"):
        through_dependencies(loads("1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n"), TIGER)


@pytest.mark.slow
def test_real_trees(shared_data: Path) -> None:
    bank = read_all([str(shared_data / "tiger-pcc/syntax/*.xml")], "tigerxml")
    found = through_dependencies(bank, TIGER)
    assert found.sentences == 2193
    assert found.whole + len(found.lost_in) == 2193
    assert found.overall.recovered / found.overall.constituents > 0.9
    assert found.overall.same_head <= found.overall.recovered
