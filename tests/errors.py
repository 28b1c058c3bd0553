"""Errors by their data: their class and fields, whatever their messages say."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import click
import pytest

from crossbank.treebanks.errors import CrossbankError
from crossbank.workflow.commands.cli import main


@contextmanager
def raises(
    error_type: type[BaseException], *names: str, **fields: object
) -> Iterator[pytest.ExceptionInfo[BaseException]]:
    """Assert that a block raises an error of a type with these attributes, such as ``line`` and ``value``.

    names   what the message names: a word of the file, an allowed value
    fields  attributes of the error; ``file`` is the last part of its path, and ``names`` are further names
    """
    further = fields.pop("names", ())
    assert isinstance(further, tuple)
    with pytest.raises(error_type) as caught:
        yield caught
    error = caught.value
    assert {name: _field(error, name) for name in fields} == fields
    assert [name for name in (*names, *further) if name not in str(error)] == []


def run_failing(words: Sequence[str]) -> None:
    """Run a command that ends with exit code 2; raises the error whose message it has printed."""
    errors: list[CrossbankError] = []
    invoke = click.Command.invoke

    def recorded(command: click.Command, context: click.Context) -> object:
        try:
            return invoke(command, context)
        except CrossbankError as error:
            errors.append(error)
            raise

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(click.Command, "invoke", recorded)
        assert main(words) == 2
    raise errors[0]


def _field(error: BaseException, name: str) -> object:
    return os.path.basename(str(getattr(error, "path", ""))) if name == "file" else getattr(error, name)
