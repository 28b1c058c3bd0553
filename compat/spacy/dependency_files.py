"""Files of dependencies, as programs read them that compare words with relations."""

from __future__ import annotations

from crossbank.metrics.modes.protocol import Path
from crossbank.treebanks import Treebank
from crossbank.treebanks.errors import CrossbankError


def read_dependencies(path: Path, format: str, encoding: str | None) -> Treebank:
    """Read a file. Raises CrossbankError if it has no dependencies."""
    from crossbank.treebanks.formats import read

    bank = read(path, format, encoding=encoding)
    if not bank.has_dependencies:
        raise CrossbankError(f"{bank.where(0)}: there are no dependencies")
    return bank


def relations_of(bank: Treebank) -> list[str]:
    """Return the relation of each word."""
    return bank.vocabulary.decode(bank.tokens.relation)
