"""A treebank of the answers of a language model, a sentence each; several samples are its analyses.

The trees of all answers are read at once as brackets, the rows of all as CoNLL-U.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from os import PathLike, fspath
from typing import NamedTuple

import numpy as np

from crossbank.language_models.damaged_records import LINES
from crossbank.language_models.extraction import CONTROL, NO_TEXT, SEVERAL, Extraction, extract_parse
from crossbank.language_models.parse_candidate import ESCAPED
from crossbank.language_models.records import AnswerRecord
from crossbank.treebanks.arrays import Int32Array
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.cycles import on_cycle
from crossbank.treebanks.damage.correction import SKIPPED, STEP
from crossbank.treebanks.damage.rules import DamagePolicy
from crossbank.treebanks.diagnosis import CHOICES, UNORDERED
from crossbank.treebanks.errors import CrossbankError, FormatError
from crossbank.treebanks.formats import conllu
from crossbank.treebanks.in_memory import bracketed_strings
from crossbank.treebanks.named_arguments import argument
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.tables import ROOT, UNATTACHED
from crossbank.treebanks.treebank import Treebank

FAILED = "requests without an answer"
CUT = "answers that end too early"
UNREADABLE = "parses that cannot be read"
ROOTS = "parses with several roots"
CYCLES = "parses with cycles of heads"

REPORTED = frozenset((SEVERAL, CONTROL, NO_TEXT, ESCAPED, UNREADABLE))
"""The notes that a comparison reports; others say how parses are written."""


class SampledAnswer(NamedTuple):
    """One answer, and which analysis of its sentence it is, from 0."""

    record: AnswerRecord
    analysis: int
    extraction: Extraction


def treebank_of_answers(
    records: Sequence[AnswerRecord], path: str | PathLike[str], policy: DamagePolicy
) -> Treebank:
    """Return the treebank of some records.

    Raises FormatError if there are none, and for a damaged parse if the policy is to stop.
    """
    if not records:
        raise FormatError(path, "an empty file", "at least one answer")
    sampled = _by_policy(_by_sentence(records, policy), fspath(path), policy)
    banks = _read(sampled)
    if banks is None:
        sampled = [one._replace(extraction=_readable(one.extraction)) for one in sampled]
        banks = _read(sampled)
        assert banks is not None
    return _with_findings(_joined(sampled, banks, fspath(path)), sampled)


def _by_sentence(records: Sequence[AnswerRecord], policy: DamagePolicy) -> list[SampledAnswer]:
    """Return all answers: those to one sentence, of one record or of several samples, together."""
    groups: dict[object, list[AnswerRecord]] = {}
    for index, record in enumerate(records):
        is_sample = record.id and record.sample
        groups.setdefault(record.id if is_sample else index, []).append(record)
    sampled = []
    repairs = policy is not DamagePolicy.SKIP
    for group in groups.values():
        analysis = 0
        for record in sorted(group, key=lambda record: record.sample):
            for text in record.answers or [""]:
                extraction = extract_parse(text, repairs=repairs)
                if record.is_damaged:
                    extraction = replace(extraction, damage=extraction.damage + Counter({LINES: 1}))
                sampled.append(SampledAnswer(record, analysis, extraction))
                analysis += 1
    return sampled


def _read(sampled: Sequence[SampledAnswer]) -> list[Treebank] | None:
    """Return the trees of all answers, and the rows of all; None if a reader refuses one of them."""
    try:
        return [read(extractions) for read, extractions in _texts(sampled) if extractions]
    except (CrossbankError, UnicodeError):
        return None


Read = Callable[[Sequence[Extraction]], Treebank]


def _texts(sampled: Sequence[SampledAnswer]) -> list[tuple[Read, list[Extraction]]]:
    by_style: dict[str, list[Extraction]] = {"brackets": [], "columns": []}
    for one in sampled:
        if one.extraction.style:
            by_style[one.extraction.style].append(one.extraction)
    return [(_read_brackets, by_style["brackets"]), (_read_columns, by_style["columns"])]


def _read_brackets(extractions: Sequence[Extraction]) -> Treebank:
    return bracketed_strings.treebank_of([one.text for one in extractions], "answers", several_trees=True)


def _read_columns(extractions: Sequence[Extraction]) -> Treebank:
    bank = conllu.loads("".join(one.text for one in extractions))
    if len(bank) != len(extractions):
        raise CrossbankError("answers: found other sentences than there are answers")
    return bank


def _readable(extraction: Extraction) -> Extraction:
    """Return an extraction, without its parse if the reader refuses it."""
    if not extraction.style:
        return extraction
    read = _read_brackets if extraction.style == "brackets" else _read_columns
    try:
        read([extraction])
    except (CrossbankError, UnicodeError):
        return Extraction(notes=extraction.notes + Counter({UNREADABLE: 1}))
    return extraction


def _by_policy(sampled: Sequence[SampledAnswer], path: str, policy: DamagePolicy) -> list[SampledAnswer]:
    """Return the answers without damaged parses, or with repaired ones."""
    damaged = [one for one in sampled if one.extraction.is_damaged]
    if policy is DamagePolicy.STOP and damaged:
        record, _, extraction = damaged[0]
        event, number = next(iter(extraction.damage.items()))
        hint = f"{quantity(len(damaged), 'damaged answer')}; {argument('damaged', 'skip')}"
        raise FormatError(
            path,
            f"a damaged parse ({event}: {number})",
            f"a whole one ({hint} leaves them without a parse, repair repairs them)",
            line=record.line,
            sentence=record.id or None,
        )
    if policy is DamagePolicy.REPAIR:
        return list(sampled)
    return [
        one._replace(extraction=Extraction(damage=Counter({SKIPPED: 1}), notes=one.extraction.notes))
        if one.extraction.is_damaged
        else one
        for one in sampled
    ]


def _joined(sampled: Sequence[SampledAnswer], banks: Sequence[Treebank], path: str) -> Treebank:
    """Return the parses of all answers in their order, with identifiers, lines and texts."""
    builder = TreebankBuilder(path)
    builder.sentence()
    empty = builder.build()
    styles = np.array([one.extraction.style for one in sampled])
    rows = np.full(len(sampled), sum(map(len, banks)), np.intp)
    first = 0
    for style in ("brackets", "columns"):
        number = int(np.count_nonzero(styles == style))
        rows[styles == style] = np.arange(first, first + number)
        first += number
    bank = Treebank.concatenate([*banks, empty]).select(rows)
    comments = [f"# text = {' '.join(one.record.text.split())}" if one.record.text else "" for one in sampled]
    bank = bank.with_columns(
        "sentences",
        id=[_clean(one.record.id) for one in sampled],
        comments=[_clean(comment) for comment in comments],
        source=[path] * len(sampled),
    )
    analysis = np.array([one.analysis for one in sampled], np.int32)
    return bank.replace(
        sentences=bank.sentences.replace(
            line=np.array([one.record.line for one in sampled], np.int32),
            ordinal=np.cumsum(analysis == 0, dtype=np.int32),
            analysis=analysis,
        ),
        diagnosis=(),
    )


def _clean(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "\ufffd")


def _with_findings(bank: Treebank, sampled: Sequence[SampledAnswer]) -> Treebank:
    counts: dict[str, dict[str, np.ndarray]] = {"read": {}, CHOICES: {}, STEP: {}}

    def add(step: str, event: str, index: int, number: int) -> None:
        column = counts[step].setdefault(event, np.zeros(len(sampled), np.int32))
        column[index] += number

    for index, (record, _, extraction) in enumerate(sampled):
        add("read", UNORDERED, index, 1)
        for event, number in extraction.notes.items():
            add(CHOICES if event in REPORTED else "read", event, index, number)
        if record.is_cut:
            add(CHOICES, CUT, index, 1)
        if not record.answers:
            add(CHOICES, FAILED, index, 1)
        for event, number in extraction.damage.items():
            add(STEP, event, index, number)
    counts["read"] |= {ROOTS: _with_several_roots(bank), CYCLES: _with_cycles(bank)}
    for step, events in counts.items():
        bank = bank.with_counts(step, events)
    return bank


def _with_several_roots(bank: Treebank) -> Int32Array:
    """Return 1 for each sentence whose tree or dependencies have several roots."""
    heads = bank.tokens.head
    attached = bank.tokens.counted(heads != UNATTACHED) > 0
    of_heads = attached & (bank.tokens.counted(heads == ROOT) != 1)
    of_trees = ~attached & (bank.nodes.lengths() > 0) & (bank.roots() > 1)
    several: Int32Array = (of_heads | of_trees).astype(np.int32)
    return several


def _with_cycles(bank: Treebank) -> Int32Array:
    """Return 1 for each sentence with a cycle of heads."""
    return (bank.tokens.counted(on_cycle(bank.tokens.offsets, bank.tokens.head)) > 0).astype(np.int32)
