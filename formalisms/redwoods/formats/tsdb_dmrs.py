"""Profiles of [incr tsdb()] with DMRS in place of elementary dependencies: see ``tsdb``."""

from __future__ import annotations

from os import PathLike

from crossbank.formalisms.redwoods.formats import tsdb
from crossbank.formalisms.redwoods.formats.tsdb_ambiguity import ambiguity as ambiguity
from crossbank.treebanks.damage.rules import DamagePolicy
from crossbank.treebanks.formats.format import Format
from crossbank.treebanks.treebank import Treebank

FORMAT = Format(
    position=180,
    written=False,
    nbest=True,
    folder=True,
    reads_damaged=True,
    scheme="redwoods",
)


def load(
    path: str | PathLike[str], *, encoding: str | None = None, damaged: str = DamagePolicy.STOP
) -> Treebank:
    """Read a profile with derivations and DMRS. Raises the errors of ``tsdb.read``."""
    return tsdb.read(path, "derivation", "dmrs", encoding, damaged)
