"""Two files through the official scorer: reading, its errors, its table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from crossbank.metrics.arcs.tree_faults import CYCLE, HEAD_MISSING, TREE, tree_faults
from crossbank.metrics.counting.counts import Column, Counts, Status
from crossbank.metrics.counting.signature import Signature
from crossbank.metrics.rivals.conll18.alignment import aligned
from crossbank.metrics.rivals.conll18.enhanced import ENHANCED, enhanced
from crossbank.metrics.rivals.conll18.report import table
from crossbank.metrics.rivals.conll18.scores import MEASURES, count, f1
from crossbank.metrics.rivals.conll18.words import Words, words_of
from crossbank.metrics.rivals.protocol import Answer, Call, Path
from crossbank.treebanks import ROOT, UNATTACHED, Treebank
from crossbank.treebanks.arrays import Int32Array
from crossbank.treebanks.errors import FormatError
from crossbank.treebanks.files import as_utf8, read_bytes
from crossbank.treebanks.formats import format_of, read
from crossbank.treebanks.option_values import option_value
from crossbank.treebanks.validation import on_cycle

VERSION = "1.1"

OPTIONS = ("counts", "enhanced")

COLUMN_OF_FAULT = {
    HEAD_MISSING: ("a word without a head", "a head for every word"),
    CYCLE: ("a cycle", "a tree"),
}


@dataclass(frozen=True, eq=False)
class Evaluation(Answer):
    """What the official scorer finds in two files.

    columns   the counts of ``metrics.rivals.conll18.scores.count``, by sentence of gold
    sentences gold's identifiers
    more      the rows behind the official ones
    """

    columns: Mapping[str, Column]
    sentences: tuple[str, ...]
    as_counts: bool
    more: tuple[str, ...] = ()

    def report(self) -> str:
        """The official table."""
        sums = {name: int(column.sum()) for name, column in self.columns.items()}
        return table(sums, counts=self.as_counts, more=self.more)

    def counts(self) -> Counts:
        """The same as counts per sentence of gold; scores are F1."""
        status = np.full(len(self.sentences), Status.SCORED, np.int8)
        signature = Signature("conll18", VERSION, ())
        measures = (*MEASURES, *(f1(name.lower()) for name in self.more))
        return Counts(signature, measures, self.sentences, status, self.columns)


def evaluate(call: Call) -> Evaluation:
    """Score two files; ``counts=yes`` is the official ``-c``, ``enhanced=yes`` adds ELAS and EULAS.

    Raises OptionError for another option and for a parameter file; FormatError, with the line, for
    whatever ends the official program: a line that is no CoNLL-U, a sentence that is no tree, other text.
    """
    call.refuse_parameters("conll18")
    call.refuse_options("conll18", OPTIONS)
    as_counts, with_deps = (bool(option_value(o, call.options.get(o, "no"), bool)) for o in OPTIONS)
    banks = call.read_both(partial(_load, brief=not with_deps))
    for bank in banks:
        _refuse_faults(bank)
    own, others = words_of(*banks)
    for bank, words in zip(banks, (own, others), strict=True):
        _refuse_empty_forms(bank, words)
    if not np.array_equal(own.text, others.text):
        raise _other_text(banks[1], own, others)
    counterpart = aligned(own, others)
    columns, sentences = count(own, others, counterpart), tuple(banks[0].sentence_ids)
    if not with_deps:
        return Evaluation(columns, sentences, as_counts)
    columns |= enhanced((banks[0], own), (banks[1], others), counterpart)
    return Evaluation(columns, sentences, as_counts, ENHANCED)


def _load(path: Path, format: str | None, encoding: str | None, *, brief: bool) -> Treebank:
    """A file, read as strictly as the official program does: a sentence ends with one blank line."""
    if (format or format_of(path)) not in ("conllu", "bracket"):
        return read(path, format, encoding=encoding)
    from crossbank.treebanks.formats.ten_columns import treebank

    data = as_utf8(read_bytes(path), path, encoding, checked=False)
    return treebank(data, path, plain=False, strict=True, brief=brief)


def _refuse_faults(bank: Treebank) -> None:
    """Raise FormatError for the first sentence that is no tree, or that has an empty node in a range."""
    faults = tree_faults(bank.tokens.offsets, bank.tokens.head)
    if (faults != TREE).any():
        sentence = int((faults != TREE).argmax())
        heads = bank.tokens.head[bank.tokens.rows(sentence)]
        roots = int((heads == ROOT).sum())
        found, expected = COLUMN_OF_FAULT.get(
            int(faults[sentence]), (f"{roots or 'no'} root{'s' * (roots != 1)}", "one root")
        )
        raise _error(bank, sentence, found, expected, _place(int(faults[sentence]), heads))
    if len(bank.empty) and len(bank.multiword):
        for row, sentence in enumerate(bank.empty.sentence_of_row().tolist()):
            ranges = bank.multiword.rows(sentence)
            anchor = int(bank.empty.anchor[row])
            first, last = bank.multiword.first[ranges], bank.multiword.last[ranges]
            if ((first <= anchor) & (anchor < last)).any():
                raise _error(
                    bank, sentence, "an empty node within a multiword token", "the words of the range alone"
                )


def _place(fault: int, heads: Int32Array) -> int:
    """The first word that is at fault: without a head, on the cycle, or a second root."""
    if fault == HEAD_MISSING:
        return int((heads == UNATTACHED).argmax())
    if fault == CYCLE:
        return int(on_cycle(np.array([0, len(heads)]), heads).argmax())
    return int(np.flatnonzero(heads == ROOT)[1]) if len(heads) else 0


def _refuse_empty_forms(bank: Treebank, words: Words) -> None:
    empty = words.spans.token_start == words.spans.token_end
    if empty.any():
        word = int(words.spans.token_word[empty.argmax()])
        sentence = int(np.searchsorted(bank.tokens.offsets, word, side="right")) - 1
        raise _error(bank, sentence, "a form of spaces", "a form", word - int(bank.tokens.offsets[sentence]))


def _other_text(system: Treebank, own: Words, others: Words) -> FormatError:
    """The first place where the texts part, at the line of the system's word there."""
    both = min(len(own.text), len(others.text))
    parted = np.flatnonzero(own.text[:both] != others.text[:both])
    place = int(parted[0]) if len(parted) else both
    ends = others.spans.end
    word = min(int(np.searchsorted(ends, place, side="right")), len(ends) - 1)
    sentence = int(np.searchsorted(system.tokens.offsets, word, side="right")) - 1
    found, expected = (
        repr("".join(map(chr, side.text[place : place + 20].tolist()))) for side in (others, own)
    )
    number = word - int(system.tokens.offsets[sentence])
    return _error(system, sentence, f"the text {found}", f"{expected} as in gold", number)


def _error(bank: Treebank, sentence: int, found: str, expected: str, word: int = 0) -> FormatError:
    """An error at a word of a sentence, with its line where the file's lines are known."""
    path = bank.vocabulary[int(bank.sentences.source[sentence])]
    line = int(bank.sentences.line[sentence]) or None
    if line is not None:
        comments = bank.vocabulary[int(bank.sentences.comments[sentence])]
        line += word + (comments.count("\n") + 1 if comments else 0)
        line += int((bank.multiword.first[bank.multiword.rows(sentence)] <= word).sum())
        line += int((bank.empty.anchor[bank.empty.rows(sentence)] < word).sum())
    return FormatError(path, found, expected, line=line, sentence=bank.sentence_id(sentence))
