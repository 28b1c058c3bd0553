"""Converters: functions from treebank to treebank, and the annotation schemes as data."""

from __future__ import annotations

from os import PathLike, fspath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from crossbank.converters.schemes.scheme import Scheme


def scheme_of(named: Scheme | str | PathLike[str] | None) -> Scheme | None:
    """Return the scheme of a name or a file; a scheme or None is returned as it is.

    Raises OptionError for anything else.
    """
    if isinstance(named, (str, PathLike)):
        # Without a scheme nothing is loaded: reading YAML takes longer than scoring a hundred trees.
        from crossbank.converters.scheme_files import load_scheme

        return load_scheme(fspath(named))
    if named is not None and not hasattr(named, "views"):
        from crossbank.treebanks.errors import OptionError

        raise OptionError("scheme", named, "a scheme, its name, or the path of a file")
    return named
