"""A key of study files: the licence of a treebank."""

from dataclasses import dataclass

from crossbank.reports.study.model import StudiedTreebank
from crossbank.treebanks.typed_yaml import adds_keys, key


@adds_keys(StudiedTreebank)
@dataclass(frozen=True)
class Licensed:
    """A treebank with a licence.

    licence  under which the treebank may be used
    """

    licence: str = key("", otherwise="unknown")
