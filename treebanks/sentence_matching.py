"""Sentences of a candidate that come in any order, matched with those of gold.

A reader counts the event ``UNORDERED`` for each sentence of a source whose order says nothing, such as the
results of a batch of requests. Such a sentence is that of gold with the same identifier, or whose number its
identifier is; else that with the same text; else, if as many sentences of gold are left as of the candidate,
that in the same position among these. Of several with one identifier the last one counts. A sentence of gold
without a counterpart has no parse.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict, deque
from collections.abc import Sequence

import numpy as np

from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.diagnosis import UNORDERED, Finding
from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.readings import analysis_offsets
from crossbank.treebanks.treebank import Treebank

STEP = "match_sentences"

BY_IDENTIFIER = "sentences matched by identifier"
BY_TEXT = "sentences matched by text"
BY_ORDER = "sentences matched by order"
MISSING = "sentences of gold that the candidate lacks"
REPLACED = "sentences replaced by a later one with the same identifier"
DROPPED = "sentences dropped that gold does not have"
OTHER_WORDS = "sentences with the words of another sentence"

TEXT_COMMENT = re.compile(r"^# *text *= *(.*)$", re.MULTILINE)

_ESCAPED_BRACKET = re.compile(r"-[LR][RSC]B-")
_NO_LETTERS = re.compile(r"[\W_]+")
_TRACE = "-NONE-"


def is_unordered(bank: Treebank) -> bool:
    """Return whether the order of a treebank's sentences says nothing."""
    return any(one.event == UNORDERED for one in bank.diagnosis)


def match_sentences(gold: Treebank, candidate: Treebank) -> Treebank:
    """Return the candidate's sentences in the order of gold, counted by how they were matched.

    Raises CrossbankError if no identifier and no text is known and the numbers of sentences differ.
    """
    matching = _Matching(gold, candidate)
    matching.match_identifiers()
    matching.match_texts()
    matching.match_order()
    return matching.reordered()


class _Matching:
    """State of the matching of two treebanks.

    partners  for each sentence of gold the index of the candidate's; -1 if there is none
    rest      the candidate's sentences without a partner
    events    for each event the sentences of gold in which it occurred
    """

    def __init__(self, gold: Treebank, candidate: Treebank) -> None:
        self.gold, self.candidate = gold, candidate
        self.gold_rows = analysis_offsets(gold)[:-1]
        self.offsets = analysis_offsets(candidate)
        self.partners = [-1] * len(self.gold_rows)
        self.rest = list(range(len(self.offsets) - 1))
        self.events: defaultdict[str, list[int]] = defaultdict(list)

    def match_identifiers(self) -> None:
        """Match the sentences with the same identifier, or with the number of gold's sentence."""
        indices = {str(index): index for index in range(len(self.gold_rows), 0, -1)}
        indices = {number: index - 1 for number, index in indices.items()}
        indices |= {self.gold.sentence_id(row): index for index, row in enumerate(self.gold_rows.tolist())}
        names = self.candidate.vocabulary.decode(self.candidate.sentences.id[self.offsets[:-1]])
        rest = []
        for sentence in self.rest:
            index = indices.get(names[sentence].strip()) if names[sentence] else None
            if index is None:
                rest.append(sentence)
                continue
            if self.partners[index] >= 0:
                self.events[REPLACED].append(index)
            else:
                self.events[BY_IDENTIFIER].append(index)
            self.partners[index] = sentence
        self.rest = rest

    def match_texts(self) -> None:
        """Match the sentences with the same letters; note those with the letters of another one."""
        gold_texts = [text_key(self.gold, row) for row in self.gold_rows.tolist()]
        known = set(gold_texts)
        for index, sentence in enumerate(self.partners):
            if sentence >= 0:
                words = _letters(_words(self.candidate, int(self.offsets[sentence])))
                if words and words != gold_texts[index] and words in known:
                    self.events[OTHER_WORDS].append(index)
        indices: defaultdict[str, deque[int]] = defaultdict(deque)
        for index, text in enumerate(gold_texts):
            if text and self.partners[index] < 0:
                indices[text].append(index)
        rest = []
        for sentence in self.rest:
            free = indices.get(text_key(self.candidate, int(self.offsets[sentence])))
            if free:
                index = free.popleft()
                self.partners[index] = sentence
                self.events[BY_TEXT].append(index)
            else:
                rest.append(sentence)
        self.rest = rest

    def match_order(self) -> None:
        """Match the others by order if there are as many on both sides; else drop them."""
        missing = [index for index, sentence in enumerate(self.partners) if sentence < 0]
        if len(missing) == len(self.rest):
            for index, sentence in zip(missing, self.rest, strict=True):
                self.partners[index] = sentence
            self.events[BY_ORDER] += missing
            return
        if len(self.rest) == len(self.offsets) - 1:
            sizes = [quantity(len(rows), "sentence") for rows in (self.rest, self.gold_rows)]
            names = [_file(self.candidate) or "the candidate", _file(self.gold) or "gold"]
            raise CrossbankError(
                f"{names[0]}: found no identifier and no text of a sentence of {names[1]} in {sizes[0]}, "
                f"expected these, or as many sentences as gold has ({sizes[1]})"
            )
        self.events[MISSING] += missing
        self.events[DROPPED] += [0] * len(self.rest)

    def reordered(self) -> Treebank:
        """Return the candidate in gold's order."""
        builder = TreebankBuilder(_file(self.candidate))
        builder.sentence()
        empty = builder.build().replace(history=self.candidate.history)
        bank = Treebank.concatenate([self.candidate, empty])
        rows: list[int] = []
        sizes = []
        for sentence in self.partners:
            first, last = self.offsets[sentence : sentence + 2] if sentence >= 0 else (-1, 0)
            rows += range(int(first), int(last)) if sentence >= 0 else [len(bank) - 1]
            sizes.append(int(last - first))
        bank = bank.select(rows)
        bank = bank.replace(diagnosis=tuple(one for one in bank.diagnosis if one.event != UNORDERED))
        names = [self.gold.sentence_id(row) for row in self.gold_rows.tolist()]
        bank = bank.with_columns("sentences", id=np.repeat(np.array(names, object), sizes).tolist())
        ordinal = np.repeat(np.arange(1, len(sizes) + 1, dtype=np.int32), sizes)
        bank = bank.replace(sentences=bank.sentences.replace(ordinal=ordinal))
        first_rows = np.append(0, np.cumsum(sizes)[:-1]).astype(np.intp)
        events = {
            event: first_rows[np.array(indices, np.intp)] for event, indices in self.events.items() if indices
        }
        return bank.with_events(STEP, events)


def text_key(bank: Treebank, row: int) -> str:
    """Return the letters of a sentence's text: of its comment ``text``, else of its words."""
    comments = bank.vocabulary[int(bank.sentences.comments[row])]
    comment = TEXT_COMMENT.search(comments) if comments else None
    return _letters(comment[1] if comment else _words(bank, row))


def _words(bank: Treebank, row: int) -> str:
    """Return the words of a sentence without its traces."""
    rows = bank.tokens.rows(row)
    tags = bank.vocabulary.decode(bank.tokens.pos[rows])
    words = bank.vocabulary.decode(bank.tokens.form[rows])
    return " ".join(word for word, tag in zip(words, tags, strict=True) if tag != _TRACE)


def _letters(text: str) -> str:
    text = unicodedata.normalize("NFKC", _ESCAPED_BRACKET.sub(" ", text))
    return _NO_LETTERS.sub("", text) or "".join(text.split())


def _file(bank: Treebank) -> str:
    return bank.vocabulary[int(bank.sentences.source[0])] if len(bank) else ""


def matched_findings(bank: Treebank) -> Sequence[Finding]:
    """Return what was counted when the sentences were matched."""
    return [one for one in bank.diagnosis if one.step == STEP]
