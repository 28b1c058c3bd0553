"""A test that lacks a program is skipped, and fails where the programs are required."""

import sys

import pytest

from tests.programs import require_libraries, require_program


def test_the_first_program_that_is_installed_is_returned() -> None:
    assert require_program("no-such-program", sys.executable) == sys.executable


@pytest.mark.parametrize(("required", "outcome"), [("", pytest.skip.Exception), ("1", pytest.fail.Exception)])
def test_a_missing_program(
    required: str, outcome: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CROSSBANK_REQUIRE_PROGRAMS", required)
    with pytest.raises(outcome, match="no-such-program or no-other-program is not installed"):
        require_program("no-such-program", "no-other-program")


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROSSBANK_REQUIRE_PROGRAMS", "1")
    with pytest.raises(pytest.fail.Exception, match="no_such_library"):
        require_libraries("no_such_library")
