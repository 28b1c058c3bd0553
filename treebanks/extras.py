"""Packages that are installed with an extra alone: what needs one says how to get it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from crossbank.treebanks.errors import CrossbankError

EXTRAS = {
    "snakemake": "study",
    "pyarrow": "study",
    "scipy": "study",
    "jinja2": "study",
    "vl_convert": "study",
    "psutil": "study",
    "nltk": "study",
    "delphin": "tsdb",
}
"""The extra that brings each package, by the name under which the package is imported."""


class MissingExtraError(CrossbankError, ImportError):
    """Something was requested whose packages are not installed."""

    def __init__(self, module: str, feature: str) -> None:
        super().__init__(f"{feature}: {module} is not installed: pip install 'crossbank[{EXTRAS[module]}]'")


def require(module: str, feature: str) -> None:
    """Raise MissingExtraError if a package is not installed; ``feature`` is what needs it."""
    if find_spec(module) is None:
        raise MissingExtraError(module, feature)


def missing_extra(error: ModuleNotFoundError, feature: str) -> MissingExtraError:
    """Return what to raise in place of Python's error, which is raised where no extra has its package."""
    module = (error.name or "").partition(".")[0]
    if isinstance(error, CrossbankError) or module not in EXTRAS:
        raise error
    return MissingExtraError(module, feature)


@contextmanager
def needing(feature: str) -> Iterator[None]:
    """Raise MissingExtraError in place of Python's error where a package of an extra is not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise missing_extra(error, feature) from error
