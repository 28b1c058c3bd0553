"""The page of printed figures is that of the tests of today."""

import os

import pytest

from tests.literature.printed import PAGE, computed, replicates


def test_a_row_that_differs_needs_a_reason_and_no_other_has_one() -> None:
    for printed, why in (("1", ""), ("2", "since")):
        with pytest.raises(AssertionError):
            replicates("Nobody (1999)", "Table 0", "nothing", printed, "2", why)


@pytest.mark.slow
@pytest.mark.skipif("CROSSBANK_PRINTED" in os.environ, reason="the page is being made")
def test_the_page_has_the_rows_of_the_tests() -> None:
    assert PAGE.read_text(encoding="utf-8") == computed()
