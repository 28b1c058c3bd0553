"""Step: a candidate that the study trains itself: every held-out sentence parsed, the folds joined."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from crossbank.converters import scheme_of
from crossbank.converters.transformations import transform
from crossbank.parsers.command import command_of, unparsed
from crossbank.parsers.cross_entropy import ENTROPY, SentenceBits
from crossbank.parsers.models import train
from crossbank.parsers.parsed import Parsed
from crossbank.parsers.study.training import COMMAND, ParseSettings
from crossbank.treebanks import CrossbankError, Treebank
from crossbank.treebanks.diagnosis import finding
from crossbank.treebanks.formats import read_each
from crossbank.treebanks.formats.parquet import dump_sources
from crossbank.treebanks.quantities import quantity
from crossbank.workflow.steps.step import run

STEP = "parse"


def parse(name: str, paths: Sequence[Path], output: Path, sizes: Path, settings: ParseSettings) -> None:
    """Write the parses of all sentences that are held out, and to ``sizes`` how many were trained on.

    Where the bits of the held-out sentences are requested, they are beside the number of sentences.

    A fold whose parser cannot be trained, or fails, has no parses: its sentences say why.
    """
    reading = settings.reading
    bank = Treebank.concatenate(list(read_each(paths, reading.format, encoding=reading.encoding)))
    bank = transform(bank, settings.transformations, scheme_of(settings.scheme))
    bank = bank.replace(history=(), diagnosis=())
    parts = settings.held_out.parts(bank)
    trained_on: list[int] = []
    parsed = []
    made = settings.training
    bits = SentenceBits.unparsed_sentences(len(bank), made.parser_options.input if made.entropy else "words")
    for number, (training_candidates, test) in enumerate(parts, 1):
        try:
            chosen = settings.training.draw(training_candidates, test)
            trained_on.append(len(chosen))
            part = _parsed(bank.select(chosen), bank.select(test), settings, bits, test)
        except CrossbankError as error:
            part = unparsed(bank.select(test), " ".join(str(error).split()))
        parsed.append(part)
        numbers = f"{part.unparsed} without a parse, {part.in_fragments} in fragments"
        reasons = dict.fromkeys(filter(None, part.reasons))
        lines_of_reasons = (
            f"{quantity(part.reasons.count(reason), 'sentence')}: {reason}" for reason in reasons
        )
        for line in filter(
            None, (f"{quantity(len(test), 'sentence')}, {numbers}", part.note, *lines_of_reasons)
        ):
            print(f"fold {number}: {line}", file=sys.stderr)
    size: dict[str, Any] = {"training_size": round(sum(trained_on) / len(trained_on))} if trained_on else {}
    tests = [test for _, test in parts]
    size["fragments"] = sum(part.in_fragments for part in parsed)
    if settings.training.entropy:
        size["measured"] = {ENTROPY: bits.select(np.sort(np.concatenate(tests))).content()}
    sizes.write_text(json.dumps(size), encoding="utf-8")
    dump_sources([(name, [_joined(parsed, tests)])], output)


def _parsed(
    training: Treebank,
    sentences: Treebank,
    settings: ParseSettings,
    bits: SentenceBits,
    indices: np.ndarray[tuple[int], np.dtype[np.intp]],
) -> Parsed:
    """Return the parses of sentences.

    bits  if requested, the sentences' bits are written to its ``indices``
    """
    made = settings.training
    training = transform(training, made.transformations, scheme_of(settings.scheme))
    if made.parser == COMMAND:
        with tempfile.TemporaryDirectory() as folder:
            return command_of(made.options).run(training, sentences, settings.scheme, Path(folder))
    model = train(training, settings.scheme, made.options, made.parser)
    print(f"{made.parser}: {quantity(len(training), 'sentence')}: {model.parser.describe()}", file=sys.stderr)
    if made.entropy:
        bits.put(indices, SentenceBits.measured(model.parser.inside(sentences), bits.input))
    return model.parser.parse(sentences)


def _joined(parsed: Sequence[Parsed], tests: Sequence[np.ndarray[tuple[int], np.dtype[np.intp]]]) -> Treebank:
    """Return the folds' sentences in the order of the treebank; why sentences have no parse is diagnosed."""
    order = np.argsort(np.concatenate(tests), kind="stable")
    bank = Treebank.concatenate([part.bank for part in parsed]).select(order)
    reasons = [reason for part in parsed for reason in part.reasons]
    in_order = [reasons[index] for index in order.tolist()]
    findings = [
        finding(STEP, f"no parse: {reason}", np.flatnonzero([r == reason for r in in_order]), len(bank))
        for reason in dict.fromkeys(filter(None, in_order))
    ]
    segments = [count for part in parsed for count in part.fragments or [0] * len(part.reasons)]
    in_segments = np.flatnonzero(np.array(segments)[order])
    if len(in_segments):
        event = "fragments: no tree of the grammar spans the sentence"
        findings.append(finding(STEP, event, in_segments, len(bank)))
    return bank.diagnosed(*findings)


def job(arguments: argparse.Namespace) -> None:
    """Make one candidate, and the file that says how many sentences it was trained on."""
    output, sizes = map(Path, arguments.outputs)
    ((name, values),) = json.loads(arguments.settings[0])
    parse(name, [Path(path) for path in arguments.inputs], output, sizes, ParseSettings.of(values))


if __name__ == "__main__":
    run(job, "inputs", "outputs", "settings")
