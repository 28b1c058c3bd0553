"""Answers of language models: JSON Lines, results of batches of requests, text files.

Each line is an object with an identifier and an answer, in which the parse is between prose, in a fence, in a
table or alone::

    {"id": "s1", "text": "Ann left", "answer": "Here it is:\\n\\n(S (NP (NNP Ann)) (VP (VBD left)))"}
    {"custom_id": "s2", "response": {"body": {"choices": [{"message": {"content": "I cannot parse this."}}]}}}

- Known are the results of batches of two providers, chats of local servers, arrays and objects of JSON, a
  folder of text files, and text files whose blocks are between lines such as ``=== s1 ===`` or blank lines.
- A parse is a tree in brackets, or rows: CoNLL-U, other or fewer columns, between tabs, spaces, commas
  or bars, arrays of JSON. Of several parses in an answer the last complete one of about the same length
  counts. How parses are written is counted.
- An answer without a parse is a sentence without words.
- A parse is damaged if brackets are missing or surplus, or columns and heads are: see ``damaged``.
- Sentences are matched with those of gold by identifier, by text, then by order.
- ``_sample-2`` at the end of an identifier, and several ``choices``, are further analyses of a sentence.

Source: the documentation of the providers' batch interfaces, November 2026.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from os import PathLike, fspath

import numpy as np

from crossbank.language_models.records import AnswerRecord, read_records
from crossbank.language_models.text_blocks import read_answers, records_of_blocks, records_of_folder
from crossbank.language_models.treebank_of_answers import treebank_of_answers
from crossbank.treebanks.damage.rules import DamagePolicy
from crossbank.treebanks.diagnosis import UNORDERED
from crossbank.treebanks.errors import FormatError
from crossbank.treebanks.formats.format import Format
from crossbank.treebanks.formats.text_files import TEXT
from crossbank.treebanks.treebank import Treebank

FORMAT = Format(
    written=False,
    nbest=True,
    reads_damaged=True,
    reads_strings=True,
    folder_of=".txt",
    begins=(
        r"\s*\{\s*(\"|\n|$)",
        r"\s*\[\s*[{\"]",
        r"(?ms)(?=.*?^[ \t]*(```|~~~))",
        r"(?s)(?=\s*(={3,}|-{3,})[^\n]*\n.*?\()",
        r"(?ms)\s*[A-Z][a-z'’]+[^\n]*[:.]\s*\n.*?^\s*\(\s*\S+\s*\(",
    ),
    rank=5,
)


def load(
    path: str | PathLike[str], *, encoding: str | None = None, damaged: str = DamagePolicy.STOP
) -> Treebank:
    """Read a file or a folder of answers."""
    policy = DamagePolicy(damaged)
    if os.path.isdir(path):
        return treebank_of_answers(list(records_of_folder(fspath(path), encoding, policy)), path, policy)
    return _treebank(read_answers(path, encoding, policy), path, policy)


def loads(text: str) -> Treebank:
    """Read a text."""
    return _treebank(text, TEXT, DamagePolicy.STOP)


def treebank_of(strings: Sequence[str | None], name: str, first: int, damaged: str) -> Treebank:
    """Read answers in memory, in the order of their sentences; None is a request without an answer."""
    records = [
        AnswerRecord("", answers=[] if text is None else [text], line=first + index)
        for index, text in enumerate(strings, 1)
    ]
    bank = treebank_of_answers(records, name, DamagePolicy(damaged))
    in_order = tuple(one for one in bank.diagnosis if one.event != UNORDERED)
    return bank.replace(
        diagnosis=in_order, sentences=bank.sentences.replace(line=np.zeros_like(bank.sentences.line))
    )


def _treebank(text: str, path: str | PathLike[str], policy: DamagePolicy) -> Treebank:
    if not text.strip():
        raise FormatError(path, "an empty file", "at least one answer")
    records = list(read_records(text, path, policy) if _is_json(text) else records_of_blocks(text))
    return treebank_of_answers(records, path, policy)


def _is_json(text: str) -> bool:
    """Return whether a text is JSON, or most of its lines are objects: the first record may be damaged."""
    if text.lstrip().startswith(("{", "[")):
        return True
    lines = [line for line in text.split("\n") if line.strip()]
    return sum(line.startswith("{") and line.rstrip().endswith("}") for line in lines) > len(lines) / 2
