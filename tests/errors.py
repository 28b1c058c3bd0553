"""Errors by their data: their class and fields, whatever their messages say."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def raises(error_type: type[BaseException], **fields: object) -> Iterator[None]:
    """Assert that a block raises an error of a type with these attributes, such as ``line``, ``value``."""
    with pytest.raises(error_type) as caught:
        yield
    assert {name: getattr(caught.value, name) for name in fields} == fields
