"""Keys of study files for sentences that are held out: added to those of treebanks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from crossbank.reports.study.held_out import SEED
from crossbank.reports.study.model import StudiedTreebank
from crossbank.treebanks.typed_yaml import Rule, adds_keys, key


@dataclass(frozen=True)
class FilesOfGold:
    """Some of gold's files.

    path  some of gold's files
    """

    path: str


@adds_keys(StudiedTreebank)
@dataclass(frozen=True)
class HeldOutSentences:
    """The sentences that parsers are tested on.

    folds  the number of parts; each is parsed by a parser trained on the other parts
    test   in place of folds: a proportion of the sentences, identifiers, or some of gold's files; only
           these are parsed and scored, the others are trained on
    seed   the seed with which test is drawn
    """

    folds: int | None = key(None, minimum=2)
    test: float | tuple[str | int, ...] | FilesOfGold | None = key(
        None,
        form=Annotated[float, Rule(exclusiveMinimum=0, exclusiveMaximum=1)]
        | Annotated[tuple[str | int, ...], Rule(minItems=1)]
        | FilesOfGold,
        expected="a proportion between 0 and 1, a list of identifiers, or the path of files",
    )
    seed: int = key(SEED, minimum=0)

    @staticmethod
    def check_keys(treebank: Mapping[str, Any]) -> Iterator[tuple[list[str], str]]:
        """Yield what does not fit together."""
        candidates = treebank.get("candidates", ())
        trained = any("path" not in one for one in candidates if isinstance(one, Mapping))
        if "folds" in treebank and not trained:
            yield (
                ["folds"],
                "found folds, and no candidate with a parser, which is trained on all folds but one",
            )
        if "seed" in treebank and ("folds" in treebank or not isinstance(treebank.get("test"), float | int)):
            yield ["seed"], "found a seed, and no proportion under test to draw with it"
