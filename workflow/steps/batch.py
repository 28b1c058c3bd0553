"""Make the sources of a batch one after the other, and write them to one file.

A source that cannot be made does not stop the others where a study reports such candidates: its row in the
file says why, and whatever is made of it fails with the same message.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias

from crossbank.treebanks import CrossbankError, Treebank
from crossbank.treebanks.errors import OutputError
from crossbank.treebanks.formats.parquet import dump_sources
from crossbank.treebanks.shards import UnlikeShardsError
from crossbank.treebanks.stored_sources import source_in

Content: TypeAlias = Iterable[Treebank] | Mapping[str, Any] | CrossbankError
"""Shards of a treebank, the name of the user's file that is read in place, or the error."""


class Batch:
    """Sources by name, in the order in which they are written.

    forgiven  whether a source that cannot be made is written as a failure; if not, its error is raised
    """

    def __init__(self, names: Sequence[str], *, forgiven: bool) -> None:
        self.names, self.forgiven = names, forgiven
        self.failures: dict[str, CrossbankError] = {}

    def forgive(self, name: str, error: CrossbankError) -> CrossbankError:
        """Return the error of a source, to be written; raise it if it stops the study."""
        if not self.forgiven or isinstance(error, OutputError):
            raise error
        if name not in self.failures:
            print(f"{name}: {error}", file=sys.stderr)
        self.failures[name] = error
        return error

    def write(
        self,
        output: Path,
        make: Callable[[str, bool], Iterator[Treebank] | Mapping[str, Any]],
        about: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> None:
        """Write the sources, each in shards as ``make`` yields them.

        ``make`` is called with a source's name, and with whether the source has to be one shard. That is so
        if its shards have different analyses: the file is then written once more.
        """
        whole: set[str] = set()
        at_work = ""

        def contents() -> Iterator[tuple[str, Content]]:
            nonlocal at_work
            for at_work in self.names:
                if at_work in self.failures:
                    yield at_work, self.failures[at_work]
                    continue
                try:
                    content: Content = _started(make(at_work, at_work in whole))
                except UnlikeShardsError:
                    raise
                except CrossbankError as error:
                    content = self.forgive(at_work, error)
                yield at_work, content

        while True:
            try:
                dump_sources(contents(), output, about)
                return
            except UnlikeShardsError:
                whole.add(at_work)
            except CrossbankError as error:
                self.forgive(at_work, error)


def _started(content: Iterator[Treebank] | Mapping[str, Any]) -> Iterable[Treebank] | Mapping[str, Any]:
    """Return shards of which the first two are made, so that one shard fails before it is written."""
    if isinstance(content, Mapping):
        return content
    shards = iter(content)
    first = [*_next(shards)]
    return chain(first, second, shards) if (second := [*_next(shards)]) else first


def _next(shards: Iterator[Treebank]) -> Iterator[Treebank]:
    for shard in shards:
        yield shard
        return


def refuse_failed(path: Path, name: str) -> None:
    """Raise the error of a source that could not be made."""
    if (message := source_in(path, name).failure) is not None:
        raise CrossbankError(message)
