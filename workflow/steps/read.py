"""Step: sources of a batch as they are read, each from its files."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from crossbank.treebanks import Treebank
from crossbank.treebanks.files import checksum
from crossbank.treebanks.formats import one_of_each, read_each
from crossbank.treebanks.formats.in_place import name_original
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.readings import analysis_offsets
from crossbank.treebanks.shards import SHARD, cut
from crossbank.workflow.settings import ReadSettings
from crossbank.workflow.steps.batch import Batch
from crossbank.workflow.steps.step import run

CHECKSUMS = "checksums"
"""The key under which a source as read has the checksums of its files."""


def read(
    sources: Mapping[str, tuple[Sequence[Path], ReadSettings]],
    output: Path,
    size: int = SHARD,
    *,
    forgiven: bool = False,
) -> None:
    """Write sources as they are read, or the sentences of them that are held out.

    ``size`` is the number of sentences that are worked on at once; it changes no byte of the file. A file
    that can be read in place is only named.
    """
    about: dict[str, dict[str, Any]] = {}

    def make(name: str, is_whole: bool) -> Iterator[Treebank] | Mapping[str, Any]:
        paths, settings = sources[name]
        about[name] = {CHECKSUMS: [checksum(path) for path in paths]}
        if settings.in_place and len(paths) == 1:
            named = name_original(paths[0], settings.format, settings.encoding, output)
            if named is not None:
                _print_sizes(name, 1, *_sizes(named[1]))
                return named[0]
        return _shards(name, paths, settings, size, is_whole=is_whole)

    Batch([*sources], forgiven=forgiven).write(output, make, about)


def _shards(
    name: str, paths: Sequence[Path], settings: ReadSettings, size: int, *, is_whole: bool
) -> Iterator[Treebank]:
    """Yield the sentences of some files in shards, and print their numbers at the end."""
    files = len(one_of_each(paths, settings.format))
    numbers = [0, 0]

    def counted(banks: Iterable[Treebank]) -> Iterator[Treebank]:
        for bank in banks:
            for index, number in enumerate(_sizes(bank)):
                numbers[index] += number
            yield named_by_file(bank) if files > 1 else bank

    banks = counted(read_each(paths, settings.format, encoding=settings.encoding, damaged=settings.damaged))
    if settings.held_out is not None:
        # Which sentences are held out is drawn from all of them.
        banks = iter([settings.held_out.gold(Treebank.concatenate(list(banks)))])
    yield from [Treebank.concatenate(list(banks))] if is_whole else cut(banks, size)
    _print_sizes(name, files, *numbers)


def _sizes(bank: Treebank) -> tuple[int, int]:
    return len(analysis_offsets(bank)) - 1, len(bank.tokens)


def _print_sizes(name: str, *numbers: int) -> None:
    sizes = ", ".join(map(quantity, numbers, ("file", "sentence", "token")))
    print(f"{name}: {sizes}", file=sys.stderr)


def named_by_file(bank: Treebank) -> Treebank:
    """Return a treebank whose sentences without identifiers are named by file and number: ``fold3.mrg:12``.

    Without the file, the sentences of several files would have the same names.
    """
    if (bank.sentences.id != 0).all():
        return bank
    files = bank.vocabulary.decode(bank.sentences.source)
    own = bank.vocabulary.decode(bank.sentences.id)
    names = (f"{os.path.basename(file)}:{bank.sentence_id(index)}" for index, file in enumerate(files))
    ids = [written or name for written, name in zip(own, names, strict=True)]
    return bank.with_columns("sentences", id=ids)


def job(arguments: argparse.Namespace) -> None:
    """Read the sources of a batch: settings have each source's name, and the number of its files."""
    inputs = map(Path, arguments.inputs)
    sources = {
        name: (list(islice(inputs, files)), ReadSettings.of(settings))
        for name, files, settings in json.loads(arguments.settings[0])
    }
    size, forgiven = int(arguments.shard_sentences[0]), arguments.on_error == ["report"]
    read(sources, Path(arguments.output[0]), size, forgiven=forgiven)


if __name__ == "__main__":
    run(job, "inputs", "output", "settings", "on_error", "shard_sentences")
