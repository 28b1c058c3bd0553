"""Optional dependencies: an error names the extra that installs a missing one."""

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
"""The extra that installs each package, by import name."""


class MissingExtraError(CrossbankError, ImportError):
    """A feature needs a package that is not installed."""

    def __init__(self, module: str, feature: str) -> None:
        super().__init__(f"{feature}: {module} is not installed: pip install 'crossbank[{EXTRAS[module]}]'")


def require(module: str, feature: str) -> None:
    """Raise MissingExtraError if a package is not installed; ``feature`` is what needs it."""
    if find_spec(module) is None:
        raise MissingExtraError(module, feature)


def missing_extra(error: ModuleNotFoundError, feature: str) -> MissingExtraError:
    """Return the error to raise in place of Python's; raise Python's if no extra has the package."""
    module = (error.name or "").partition(".")[0]
    if isinstance(error, CrossbankError) or module not in EXTRAS:
        raise error
    return MissingExtraError(module, feature)


@contextmanager
def needing(feature: str) -> Iterator[None]:
    """Raise MissingExtraError in place of Python's error if a package of an extra is not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise missing_extra(error, feature) from error
