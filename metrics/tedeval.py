"""TedEval: parses of different annotation schemes, compared with the common part of the schemes' golds.

Tsarfaty, Reut, Joakim Nivre and Evelina Andersson (2011): Evaluating Dependency Parsing: Robust and
Heuristics-Free Cross-Annotation Evaluation. EMNLP. The same (2012): Cross-Framework Evaluation for
Statistical Parsing. EACL.

The generalised gold of a sentence is the most specific tree that is no more specific than any of its
golds: the brackets that all of them have. A parse is compared with its own gold and with the generalised
one. Each edit deletes or inserts one bracket. The edits from the parse to the generalised gold are
counted, without those that the parse's own gold needs too: they are due to the scheme. So two kinds of
brackets count: those of the parse that are not in its own gold (which includes the generalised gold), and
those of the generalised gold that are not in the parse. Their number is divided by the sizes of the two
trees::

    score = 1 - (|parse - gold| + |generalised - parse|) / (|parse| + |generalised|)

With one gold, this is Parseval's F1.

Here a bracket is the yield of a constituent, with its label if labels count, and differences are those of
multisets. The authors label the trees of all schemes with one inventory, grammatical functions, and collapse
unary chains. Here labels are omitted by default, and chains are not collapsed. The authors do not count
roots: ``root=no``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import ClassVar

import numpy as np

from crossbank.metrics.counting.counts import (
    Breakdown,
    Breakdowns,
    Column,
    Counts,
    Measure,
    Signature,
    per_sentence,
    ratio,
    share,
)
from crossbank.metrics.counting.items import Compared, ItemMetric, as_marked
from crossbank.metrics.pairing.pair import Pair, file_of, same_strings, status_by_words
from crossbank.metrics.parseval import UNCOUNTED, both_sides, compared_brackets, matching
from crossbank.treebanks import NO_PARENT, CrossbankError, OptionError, Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array
from crossbank.treebanks.formats import read
from crossbank.treebanks.quantities import quantity

OTHER_WORDS = "sentences with other words in another gold"
"""Key of the number of times that another gold was not used because of its words."""


@dataclass(frozen=True)
class TedEval(ItemMetric):
    r"""Parses, compared with their own gold and with the brackets that all schemes' golds share.

    others  files with the golds of the other schemes, joined by ``+``, in the format that their names
            tell; the same sentences, with the same words, as gold
    labels  whether a bracket's label must be the same too
    root    whether nodes without a parent count

    Words that gold does not have, such as deleted punctuation, are omitted from the other golds. A gold that
    lacks a word is not used in that sentence; the notes say how often. No scheme is applied to the other
    golds: files are read unchanged, and ``over`` takes treebanks of any kind.

    When to use it
    --------------
    `tedeval` compares parses of several annotation schemes by what all schemes agree on. Take it where one
    text is annotated in several schemes, and the question is which parser is better, not which scheme is
    flatter. It wants the gold of the other schemes as files, with the same sentences and words.

    Definition
    ----------
    The generalised gold of a sentence has the brackets that all of its golds have. Edits insert or delete one
    bracket. The edits from the parse to the generalised gold count, without those that the parse's own gold
    needs too, since these are due to its scheme. Labels are omitted by default.

    Formula
    -------
    With *C* the brackets of the parse, *G* those of its own gold and *U* those of the generalised gold:

    ```math
    \text{score} = 1 - \frac{\lvert C - G \rvert + \lvert U - C \rvert}{\lvert C \rvert + \lvert U \rvert}
    ```

    With one gold this is Parseval's F1.

    Example
    -------
    The parse lacks the verb phrase of its own scheme. The other scheme has no verb phrases, so this is no
    error here. Parseval without labels gives 85.71 for the same files.

    <!-- file: gold.mrg -->
    ```text
    (S (NP (NE Anna)) (VP (VV liest) (NP (ART das) (NN Buch))))
    ```

    <!-- file: other.mrg -->
    ```text
    (S (VF (NP (NE Anna))) (LK (VV liest)) (MF (NP (ART das) (NN Buch))))
    ```

    <!-- file: parsed.mrg -->
    ```text
    (S (NP (NE Anna)) (VV liest) (NP (ART das) (NN Buch)))
    ```

    ```console
    $ crossbank score gold.mrg parsed.mrg --metric tedeval --option others=other.mrg
    tedeval|others:other.mrg#ff197794|labels:no|...|v1.0
      score          100.00 %  1 - edits that no scheme accounts for / brackets of the candidate and the generalised gold
      edits            0.00    edits that no scheme accounts for / sentences
      generalised     75.00 %  brackets of gold that all golds have / brackets of gold
      1 sentence: 1 scored
    ```

    Other programs
    --------------
    The authors' program labels all trees with grammatical functions, collapses unary chains and omits
    roots. Here labels are omitted, chains are kept and roots count (`root=no`), so numbers differ.
    """  # noqa: E501 (lines that are printed)

    others: tuple[str, ...] = ()
    labels: bool = False
    root: bool = True

    name: ClassVar[str] = "tedeval"
    item: ClassVar[str] = "bracket"
    position: ClassVar[float] = 150
    version: ClassVar[str] = "1.0"
    papers: ClassVar[tuple[str, ...]] = ("tsarfaty-etal-2011", "tsarfaty-etal-2012")
    view: ClassVar[str] = "constituents"
    title: ClassVar[str] = "TedEval"
    compared: ClassVar[tuple[str, ...]] = ("score",)
    measures: ClassVar[tuple[Measure, ...]] = (
        Measure(
            "score",
            lambda sums: 1 - ratio(sums["edits"], sums["candidate"] + sums["generalised"]),
            "1 - edits that no scheme accounts for / brackets of the candidate and the generalised gold",
        ),
        per_sentence("edits", "edits that no scheme accounts for", proportion=False, better="less"),
        Measure(
            "generalised",
            share("generalised", "gold"),
            "brackets of gold that all golds have / brackets of gold",
        ),
    )

    def __post_init__(self) -> None:
        """Raise OptionError where another gold is no file."""
        for path in self.others:
            if not Path(path).is_file():
                raise OptionError("option others", path, "a treebank file")

    def files(self) -> tuple[Path, ...]:
        """Return the golds of the other schemes."""
        return tuple(map(Path, self.others))

    @cached_property
    def golds(self) -> tuple[Treebank, ...]:
        """Golds of the other schemes."""
        return tuple(read(path) for path in self.others)

    def signature(self, pair: Pair) -> Signature:
        """Return the signature, which names the other golds with a digest of their contents."""
        files = [Path(path) for path in self.others]
        written = [f"{file.name}#{sha256(file.read_bytes()).hexdigest()[:8]}" for file in files]
        return super().signature(pair).with_values(others="+".join(written) or "none")

    def counts(self, pair: Pair) -> Counts:
        """Return the brackets of gold, generalised gold and candidate, and the edits that count."""
        return self.over(pair, self.golds)

    def over(self, pair: Pair, golds: Sequence[Treebank]) -> Counts:
        """Return the counts with other golds that are given as treebanks, with the same sentences as gold.

        Raises CrossbankError where their numbers of sentences differ, or no sentence has the same words.
        """
        self.require(pair)
        comparison = self._compare(pair, golds)
        columns = self.columns(comparison)
        counts = self.counted(pair, columns, self.breakdowns(comparison, columns), comparison.notes)
        if not pair.is_chunk:
            _require_words(counts, golds)
        if golds is self.golds:
            return counts
        names = "+".join(Path(file_of(bank)).name for bank in golds)
        return replace(counts, signature=counts.signature.with_choice("others", names or "none"))

    def require_counts(self, counts: Counts) -> None:
        """Raise CrossbankError if no sentence has the words of the other golds."""
        _require_words(counts, self.golds)

    def compare(self, pair: Pair) -> Compared:
        """Return the brackets of the generalised gold and of the candidate, and those that match."""
        return self._compare(pair, self.golds)

    def columns(self, comparison: Compared) -> dict[str, Column]:
        """Return the brackets of the three trees, and the edits, by sentence."""
        return _edits(super().columns(comparison))

    def breakdowns(self, comparison: Compared, columns: Mapping[str, Column]) -> Breakdowns:
        """Return the breakdown by label."""

        def by_label() -> Breakdown:
            table = comparison.breakdown("label")
            return replace(table, columns=_edits(table.columns))

        return {"label": by_label}

    def _compare(self, pair: Pair, golds: Sequence[Treebank]) -> Compared:
        gold, candidate = both_sides(pair, self._label)
        generalised, aside = self._generalised(pair, golds)
        common = gold.with_labels(np.where(generalised, gold.label, UNCOUNTED).astype(np.int32))
        is_matched = matching(candidate, common, pair.scored)
        known = matching(gold, candidate, pair.scored)
        comparison = compared_brackets(
            pair, common, candidate, {"own gold": ("gold", gold.label >= 0), "kept": ("gold", is_matched)}
        )
        return replace(
            comparison,
            gold=comparison.gold._replace(key=is_matched),
            candidate=comparison.candidate._replace(key=known),
            match=as_marked,
            known_matches=None,
            known_sums={},
            notes={OTHER_WORDS: aside} if aside else {},
        )

    def _generalised(self, pair: Pair, golds: Sequence[Treebank]) -> tuple[BoolArray, int]:
        """Return a mask of the nodes that all golds have, and how often a gold was omitted for its words."""
        gold = pair.gold
        common: BoolArray = self._label(gold, gold.nodes.label) >= 0
        aside = 0
        for bank in golds:
            both = _side_by_side(beside(gold, bank, pair.first), gold)
            right, left = both_sides(both, self._label)
            is_matched = matching(right, left, both.scored)
            common &= is_matched | np.repeat(~both.scored, gold.nodes.lengths())
            aside += int((~both.scored).sum())
        return common, aside

    def _label(self, bank: Treebank, label: Int32Array) -> Int32Array:
        """Return each node's label as compared, or UNCOUNTED."""
        compared = label if self.labels else np.zeros_like(label)
        if self.root:
            return compared
        return np.where(bank.nodes.parent == NO_PARENT, UNCOUNTED, compared).astype(np.int32)


def _edits(sums: Mapping[str, Column]) -> dict[str, Column]:
    """Return the brackets of the three trees, and those that are missing or wrong, from sums of items."""
    return {
        "gold": sums["own gold"],
        "generalised": sums["gold"],
        "candidate": sums["candidate"],
        "edits": sums["gold"] - sums["kept"] + sums["candidate"] - sums["matched"],
    }


def _require_words(counts: Counts, golds: Sequence[Treebank]) -> None:
    if golds and len(counts) and counts.notes.get(OTHER_WORDS) == len(counts) * len(golds):
        raise CrossbankError(f"{file_of(golds[0])}: no sentence has the words of gold")


def beside(gold: Treebank, other: Treebank, first: int = 0) -> Treebank:
    """Return the sentences of another treebank that correspond to gold's.

    They correspond by order or, where gold is a part of a file, by their position in the file.

    first  index in gold's source of the first sentence

    Raises CrossbankError if the other treebank has too few sentences.
    """
    if len(other) == len(gold) and not first:
        return other
    indices = gold.sentences.ordinal - 1
    if len(np.unique(gold.sentences.source)) > 1 or (len(indices) and indices[0] < first):
        # Positions in several files do not form one sequence.
        indices = np.arange(first, first + len(gold), dtype=np.int32)
    if len(indices) and (indices.min() < 0 or indices.max() >= len(other)):
        raise CrossbankError(
            f"{file_of(other)} has {quantity(len(other), 'sentence')}, {file_of(gold)} has "
            f"{max(len(gold), int(indices.max()) + 1):,}"
        )
    return other.select(indices)


def _side_by_side(other: Treebank, gold: Treebank) -> Pair:
    """Return the pair of another gold, without the words that gold lacks, and gold."""
    other_codes, gold_codes = same_strings(other.vocabulary, gold.vocabulary)
    own = gold_codes[gold.tokens.form]
    beyond = _words_beyond(other.tokens.offsets, other_codes[other.tokens.form], gold.tokens.offsets, own)
    other = other.without_tokens(beyond, "tedeval")
    status = status_by_words(other.tokens.offsets, other_codes[other.tokens.form], gold.tokens.offsets, own)
    return Pair(other, gold, status)


def _words_beyond(
    other_offsets: Int64Array, other: Int32Array, offsets: Int64Array, own: Int32Array
) -> BoolArray:
    """Return a mask of the words of another gold that gold does not have; of equal words the first is kept.

    A sentence that lacks a word of gold has no marked word.
    """
    beyond = np.zeros(len(other), np.bool_)
    for sentence in np.flatnonzero(np.diff(other_offsets) > np.diff(offsets)).tolist():
        words = own[offsets[sentence] : offsets[sentence + 1]].tolist()
        theirs = other[other_offsets[sentence] : other_offsets[sentence + 1]].tolist()
        marks, word = [], 0
        for form in theirs:
            is_own = word < len(words) and form == words[word]
            marks.append(not is_own)
            word += is_own
        if word == len(words):
            beyond[other_offsets[sentence] : other_offsets[sentence + 1]] = marks
    return beyond
