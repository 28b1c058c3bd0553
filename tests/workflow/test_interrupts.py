"""An interrupt that Python wraps in another error ends a command as any interrupt does."""

import pytest

from crossbank.workflow.interrupts import unwrapped_interrupts


class Interrupted:
    """An attribute whose class is interrupted while it is made."""

    def __set_name__(self, owner: type, name: str) -> None:
        raise KeyboardInterrupt


def test_an_interrupt_while_a_class_is_made_is_an_interrupt() -> None:
    with pytest.raises(KeyboardInterrupt), unwrapped_interrupts():
        type("Made", (), {"attribute": Interrupted()})


def test_other_errors_stay_what_they_are() -> None:
    error = RuntimeError("another one")
    with pytest.raises(RuntimeError) as raised, unwrapped_interrupts():
        raise error
    assert raised.value is error
