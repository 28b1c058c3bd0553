"""Interrupts that Python wraps in another error."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def unwrapped_interrupts() -> Iterator[None]:
    """Raise an interrupt itself where Python raises RuntimeError from it.

    Python 3.11 does so where it is interrupted in ``__set_name__``, as while a module with dataclasses is
    imported.
    """
    try:
        yield
    except RuntimeError as error:
        if isinstance(error.__cause__, KeyboardInterrupt):
            raise error.__cause__ from None
        raise
