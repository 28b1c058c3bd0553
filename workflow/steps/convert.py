"""Step: sources as they were read, and in each view that metrics want."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from shutil import copyfile

import numpy as np

from crossbank.converters import scheme_of
from crossbank.converters.transformations import transform
from crossbank.metrics.counting.scoring import CONTEXT_FREE, in_view
from crossbank.treebanks import ConversionError, Treebank
from crossbank.treebanks.diagnosis import Diagnosis, finding
from crossbank.treebanks.formats import one_of_each, read_each
from crossbank.treebanks.formats.in_place import write_place
from crossbank.treebanks.formats.parquet import dump, dump_shards, load, load_shards, shard_sizes
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.readings import analysis_offsets
from crossbank.treebanks.shards import SHARD, UnlikeShardsError, cut
from crossbank.workflow.settings import ConvertSettings, ReadSettings
from crossbank.workflow.steps.product import Product
from crossbank.workflow.steps.step import run


def read(paths: Sequence[Path], output: Path, settings: ReadSettings, size: int = SHARD) -> None:
    """Write the sentences of the files as one treebank in Parquet: all, or those that are held out.

    ``size`` is the number of sentences that are worked on at once; it changes no byte of the file. A file
    that can be read in place is only named.
    """
    sizes = [0, 0]

    def counted(banks: Iterable[Treebank]) -> Iterator[Treebank]:
        sizes[:] = 0, 0
        for bank in banks:
            sizes[0] += len(analysis_offsets(bank)) - 1
            sizes[1] += len(bank.tokens)
            yield bank

    placed = None
    if settings.in_place and len(paths) == 1:
        placed = write_place(paths[0], settings.format, settings.encoding, output)
    several = len(one_of_each(paths, settings.format)) > 1

    def read_again() -> Iterator[Treebank]:
        banks = read_each(paths, settings.format, encoding=settings.encoding)
        return counted(map(named_by_file, banks) if several else banks)

    banks = read_again()
    if placed is not None:
        list(counted([placed]))
    else:
        if settings.held_out is not None:
            # Which sentences are held out is drawn from all of them.
            banks = iter([settings.held_out.gold(Treebank.concatenate(list(banks)))])
        try:
            dump_shards(cut(banks, size), output)
        except UnlikeShardsError:
            banks = read_again()
            dump(Treebank.concatenate(list(banks)), output)
    numbers = len(one_of_each(paths, settings.format)), *sizes
    print(", ".join(map(quantity, numbers, ("file", "sentence", "token"))), file=sys.stderr)


def named_by_file(bank: Treebank) -> Treebank:
    """Return a treebank whose sentences without identifiers are named by file and number: ``fold3.mrg:12``.

    Without the file, the sentences of several files would have the same names.
    """
    if (bank.sentences.id != 0).all():
        return bank
    files = bank.vocabulary.decode(bank.sentences.source)
    own = bank.vocabulary.decode(bank.sentences.id)
    names = (f"{os.path.basename(file)}:{bank.sentence_id(place)}" for place, file in enumerate(files))
    ids = [written or name for written, name in zip(own, names, strict=True)]
    return bank.with_columns("sentences", id=ids)


def convert(source: Path, output: Path, settings: ConvertSettings, size: int = SHARD) -> None:
    """Apply the study's own transformations, then the view's; print what they did on stderr.

    In shards of ``size`` sentences, which changes no byte of the file. Where that cannot be done, since a
    shard lacks what the whole treebank has, all shards are converted at once. A view that no metric wants,
    and that cannot be had, is the source as it was read.
    """
    try:
        found = _convert(source, output, settings, size)
    except ConversionError as error:
        if settings.wanted:
            raise
        _name_again(source, output)
        print(f"{settings.view}: not shown: {error}", file=sys.stderr)
        return
    for (step, event), (total, sentences) in found.items():
        where = quantity(sentences, "sentence")
        print(f"{settings.view}: {step}: {event}: {total} in {where}", file=sys.stderr)


def _convert(
    source: Path, output: Path, settings: ConvertSettings, size: int
) -> dict[tuple[str, str], list[int]]:
    """Write the view; what was done, by step and event: how often, and in how many sentences."""
    found: dict[tuple[str, str], list[int]] = {}

    def diagnosed(bank: Treebank) -> Treebank:
        for one in bank.diagnosis:
            numbers = found.setdefault((one.step, one.event), [0, 0])
            numbers[0] += one.total
            numbers[1] += len(one.sentences())
        return bank

    if len(shard_sizes(source, size)) == 1:
        bank = load(source)
        seen = diagnosed(_seen(bank, settings))
        if seen is bank:
            _name_again(source, output)
        else:
            dump(seen, output)
        return found
    try:
        dump_shards((diagnosed(_seen(shard, settings)) for shard in load_shards(source, size)), output)
    except (ConversionError, UnlikeShardsError):
        found.clear()
        dump(diagnosed(_seen(load(source), settings)), output)
    return found


def _name_again(source: Path, output: Path) -> None:
    """Give a file another name, since a view in which nothing changes needs no place; or copy it."""
    output.unlink(missing_ok=True)  # it may be this very file already, of an earlier run
    try:
        os.link(source, output)
    except OSError:
        copyfile(source, output)


def _seen(bank: Treebank, settings: ConvertSettings) -> Treebank:
    scheme = scheme_of(settings.scheme)
    bank = transform(bank, settings.transformations, scheme)
    seen = in_view(transform(bank, settings.context_free, scheme), settings.view, scheme, settings.views)
    if settings.context_free:
        seen = seen.diagnosed(_lost_heads(in_view(bank, settings.view, scheme, settings.views), seen))
    return seen


def _lost_heads(intact: Treebank, context_free: Treebank) -> Diagnosis:
    """Return the heads that context-free gold has otherwise than intact gold, sentence by sentence."""
    changed = np.flatnonzero(intact.tokens.head != context_free.tokens.head)
    return finding(CONTEXT_FREE, "head changed", intact.tokens.sentence_of_row()[changed], len(intact))


def job(given: argparse.Namespace) -> None:
    """Make the files of one source or several, of which ``each`` says how many files are read.

    Of a source's outputs the first is the source as read, the others are its views. Settings and digests
    are those of one source where all have the same.
    """
    inputs, outputs = map(Path, given.inputs), map(Path, given.outputs)
    settings, digests = cycle(map(json.loads, given.settings)), cycle(given.digests)
    number, size = len(given.outputs) // len(given.each), int(given.shard_sentences[0])
    forgiven = given.on_error == ["report"]
    for files in map(int, given.each):
        paths = list(islice(inputs, files))
        as_read, *views = islice(outputs, number)
        reading, *converting = islice(settings, number)
        digest, *further = islice(digests, number)
        product = Product(as_read, paths, digest, forgiven, names=list(map(str, paths)))
        product.make(partial(read, paths, settings=ReadSettings.of(reading), size=size))
        for view, values, digest in zip(views, converting, further, strict=True):
            write = partial(convert, as_read, settings=ConvertSettings(**values), size=size)
            Product(view, [as_read], digest, forgiven).make_or_tell(write)


if __name__ == "__main__":
    run(job, "inputs", "each", "outputs", "settings", "digests", "on_error", "shard_sentences")
