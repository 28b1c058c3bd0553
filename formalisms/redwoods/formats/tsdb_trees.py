"""Profiles of [incr tsdb()] with labelled phrase trees in place of derivations: see ``tsdb``.

The labels are those of the grammar's templates, as the field ``tree`` of each result has them.
"""

from __future__ import annotations

from os import PathLike

from crossbank.formalisms.redwoods.formats import tsdb
from crossbank.formalisms.redwoods.formats.tsdb_ambiguity import ambiguity as ambiguity
from crossbank.treebanks.damage.rules import DamagePolicy
from crossbank.treebanks.formats.format import Format
from crossbank.treebanks.treebank import Treebank

FORMAT = Format(
    position=170,
    written=False,
    nbest=True,
    folder=True,
    reads_damaged=True,
    scheme="redwoods",
)


def load(
    path: str | PathLike[str], *, encoding: str | None = None, damaged: str = DamagePolicy.STOP
) -> Treebank:
    """Read a profile. Raises the errors of ``tsdb.read``: FormatError if no result has a phrase tree."""
    return tsdb.read(path, "tree", "eds", encoding, damaged)
