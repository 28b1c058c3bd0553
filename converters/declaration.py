"""The declaration of a transformation: ``@transformation`` above its function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


def _no_files(*arguments: Any, **options: Any) -> tuple[Path, ...]:
    return ()


class Declared(NamedTuple):
    """What a transformation declares.

    resolves  the structures of ``treebanks.formats.losses.STRUCTURES`` that it takes away
    turns     the contents of ``treebanks.formats.format.CONTENTS`` that it says in another way: by the name
              of each what it becomes, and the transformation as written for that
    files     a function ``(scheme, **options)`` that returns the data files that it reads
    """

    resolves: tuple[str, ...] = ()
    turns: Mapping[str, tuple[str, str]] = {}
    files: Callable[..., tuple[Path, ...]] = _no_files


DECLARED = "crossbank_transformation"
"""The attribute of a function that holds what it declares."""


def transformation(
    *,
    position: float = float("inf"),
    resolves: tuple[str, ...] = (),
    turns: Mapping[str, tuple[str, str]] | None = None,
    files: Callable[..., tuple[Path, ...]] = _no_files,
) -> Callable[[Function], Function]:
    """Return a decorator that declares a function as a transformation, under its name.

    position  its number in lists of transformations; those without a number come last

    The other arguments are the fields of ``Declared``.
    """

    def decorated(function: Function) -> Function:
        setattr(function, DECLARED, Declared(resolves, turns or {}, files))
        return function

    return decorated


def declared_by(function: Callable[..., Any]) -> Declared:
    """Return what a transformation declares; nothing for a function without the decorator."""
    declared: Declared = getattr(function, DECLARED, Declared())
    return declared
