"""Step: sources of a batch in one view: constituents, heads, dependencies, or another that a metric wants."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from shutil import copyfile
from typing import Any

import numpy as np

from crossbank.converters import scheme_of
from crossbank.converters.transformations import transform
from crossbank.metrics.counting.scoring import CONTEXT_FREE, in_view, is_in_view
from crossbank.treebanks import ConversionError, Treebank
from crossbank.treebanks.chunks import FACTS, Facts
from crossbank.treebanks.diagnosis import Diagnosis, finding
from crossbank.treebanks.formats.in_place import IN_PLACE, read_original, rename_original
from crossbank.treebanks.formats.parquet import load, load_shards, shard_sizes
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.shards import SHARD, UnlikeShardsError
from crossbank.treebanks.stored_sources import StoredSource, source_in, stored_sources
from crossbank.workflow.settings import ConvertSettings
from crossbank.workflow.steps.batch import Batch, refuse_failed
from crossbank.workflow.steps.step import run


def convert(
    inputs: Sequence[Path],
    output: Path,
    settings: Mapping[str, ConvertSettings],
    size: int = SHARD,
    *,
    forgiven: bool = False,
) -> None:
    """Apply the study's own transformations to sources, then the view's; print what they did on stderr.

    In shards of ``size`` sentences, which changes no byte of the file.
    """
    stored = {name: path for path in inputs for name in stored_sources(path)}
    is_changed = len(inputs) > 1
    if not is_changed and all(_is_seen(source_in(inputs[0], name), own) for name, own in settings.items()):
        output.parent.mkdir(parents=True, exist_ok=True)
        _link(inputs[0], output)
        return

    def make(name: str, is_whole: bool) -> Iterator[Treebank] | Mapping[str, Any]:
        nonlocal is_changed
        refuse_failed(stored[name], name)
        if (named := source_in(stored[name], name).about.get(IN_PLACE)) is not None:
            is_changed = True  # in the output the user's file has another relative path
            if _is_in_view(named, settings[name]):
                return rename_original(named, stored[name], output)
            bank = read_original(named, stored[name])
            seen = _view(bank, settings[name])
            return rename_original(named, stored[name], output) if seen is bank else iter([seen])
        return _shards(name, is_whole=is_whole)

    def _shards(name: str, *, is_whole: bool) -> Iterator[Treebank]:
        nonlocal is_changed
        events: dict[tuple[str, str], list[int]] = {}
        is_whole = is_whole or len(shard_sizes(stored[name], size, name)) == 1
        for shard in [load(stored[name], source=name)] if is_whole else load_shards(stored[name], size, name):
            try:
                seen = _view(shard, settings[name])
            except ConversionError as error:
                if is_whole:
                    raise
                # A shard may lack what the whole treebank has.
                raise UnlikeShardsError(str(error)) from error
            is_changed = is_changed or seen is not shard
            _count(seen, events)
            yield seen
        for (step, event), (total, sentences) in events.items():
            print(f"{name}: {step}: {event}: {total} in {quantity(sentences, 'sentence')}", file=sys.stderr)

    Batch([*settings], forgiven=forgiven).write(output, make)
    if not is_changed:
        _link(inputs[0], output)


def _is_seen(source: StoredSource, settings: ConvertSettings) -> bool:
    """Return whether a stored source is in a view already, and nothing has to be printed of it."""
    return (
        IN_PLACE not in source.about
        and not source.about.get("findings")
        and _is_in_view(source.about, settings)
    )


def _is_in_view(about: Mapping[str, Any], settings: ConvertSettings) -> bool:
    """Return whether a source is in a view already, by what is stored about it; failures have no facts."""
    is_converted = settings.transformations or settings.context_free
    return FACTS in about and not is_converted and is_in_view(Facts(**about[FACTS]), settings.view)


def _count(bank: Treebank, events: dict[tuple[str, str], list[int]]) -> None:
    """Add what was done to a treebank, by step and event: how often, and in how many sentences."""
    for one in bank.diagnosis:
        numbers = events.setdefault((one.step, one.event), [0, 0])
        numbers[0] += one.total
        numbers[1] += len(one.sentences())


def _link(source: Path, output: Path) -> None:
    """Make the output another name of the source, or a copy: a view without changes needs no file."""
    output.unlink(missing_ok=True)
    try:
        os.link(source, output)
    except OSError:
        copyfile(source, output)


def _view(bank: Treebank, settings: ConvertSettings) -> Treebank:
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


def job(arguments: argparse.Namespace) -> None:
    """Convert the sources of a batch to one view."""
    settings = {name: ConvertSettings(**values) for name, values in json.loads(arguments.settings[0])}
    size, forgiven = int(arguments.shard_sentences[0]), arguments.on_error == ["report"]
    convert(list(map(Path, arguments.inputs)), Path(arguments.output[0]), settings, size, forgiven=forgiven)


if __name__ == "__main__":
    run(job, "inputs", "output", "settings", "on_error", "shard_sentences")
