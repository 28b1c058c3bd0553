"""Errors by their data: their class and fields, whatever their messages say."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def raises(error_type: type[BaseException], *names: str, **fields: object) -> Iterator[None]:
    """Assert that a block raises an error of a type with these attributes, such as ``line`` and ``value``.

    names   what the message names: a word of the file, an allowed value
    fields  attributes of the error; ``file`` is the last part of its path, and ``names`` are further names
    """
    further = fields.pop("names", ())
    assert isinstance(further, tuple)
    with pytest.raises(error_type) as caught:
        yield
    error = caught.value
    assert {name: _field(error, name) for name in fields} == fields
    assert [name for name in (*names, *further) if name not in str(error)] == []


def _field(error: BaseException, name: str) -> object:
    return os.path.basename(str(getattr(error, "path", ""))) if name == "file" else getattr(error, name)
