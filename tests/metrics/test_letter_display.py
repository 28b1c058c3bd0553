"""Letters say of every pair of candidates whether the two differ, and nothing else."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from crossbank.metrics.statistics.letter_display import letter_display, spelled


@given(st.integers(0, 9), st.data())
def test_candidates_share_a_letter_exactly_where_they_do_not_differ(number: int, data: st.DataObject) -> None:
    pairs = list(combinations(range(number), 2))
    different = {pair for pair in pairs if data.draw(st.booleans())}
    letters = letter_display(number, different)
    assert all(letters)
    for one, other in pairs:
        assert bool(set(letters[one]) & set(letters[other])) == ((one, other) not in different)


def test_twenty_candidates_of_which_the_ends_differ() -> None:
    # Ranks would call all of them one group.
    different = {(one, other) for one, other in combinations(range(20), 2) if other - one > 3}
    letters = letter_display(20, different)
    assert spelled(letters[0]) == "a"
    assert not set(letters[0]) & set(letters[19])


def test_letters_of_more_groups_than_an_alphabet_has_are_told_apart_and_printed_in_ascii() -> None:
    letters = [spelled(groups) for groups in letter_display(150, set(combinations(range(150), 2)))]
    assert len(set(letters)) == 150
    assert "".join(letters).isascii()
    assert (letters[0], letters[25], letters[26], letters[52], letters[149]) == ("a", "z", "A", "a'", "T''")
