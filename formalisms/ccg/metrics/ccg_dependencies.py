r"""Dependencies of CCG: <head word, category, slot, argument>, labelled and unlabelled.

Clark, Stephen and Julia Hockenmaier (2002): Evaluating a Wide-Coverage CCG Parser, section 4.3: "To obtain
a point for a labelled dependency, the head, dependent, functor category, and slot must all be correct. To
obtain a point for an unlabelled dependency, the head and dependent must have appeared together in some
relation (in any order)". The C&C tools (Clark and Curran 2007, section 9) compare pairs of functor and
argument in their order, each pair once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from crossbank.formalisms.ccg.ccg_categories import count_arguments, parse_category, without_features
from crossbank.formalisms.ccg.metrics.ignored_dependencies import (
    compared_category,
    ignored_file,
    load_ignored,
)
from crossbank.metrics.counting.counts import (
    Column,
    Measure,
    coverage,
    exact_match,
    harmonic_mean,
    precision_recall_f1,
    share,
)
from crossbank.metrics.counting.items import (
    Compared,
    ItemDescription,
    ItemKeys,
    ItemMetric,
    Items,
    anchors,
    by_sentence,
)
from crossbank.metrics.pairing.pair import Pair, file_of
from crossbank.metrics.pairing.pair_relations import pair_relations
from crossbank.treebanks import CrossbankError, Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array, offsets_of
from crossbank.treebanks.tables import NO_TOKEN


class DistinctDependencies(NamedTuple):
    """Distinct dependencies of one side, in order; all of shape ``(dependencies,)``.

    relation  the category and slot, an index into a list of both sides
    pair      a number that is the same for the same two words
    extracted whether the argument is extracted: 1, or in situ: 0
    """

    items: Items
    relation: Int32Array
    pair: Int64Array
    extracted: Int32Array


EXTRACTION = ("in situ", "extracted")
"""The keys of the breakdown by extraction."""

EXTRACTED = ("XB", "XU")
"""What CCGbank's files write after extracted arguments, bounded and unbounded."""


PRECISION = share("unlabelled matched", "unlabelled candidate", "unlabelled gold")
RECALL = share("unlabelled found", "unlabelled gold", "unlabelled candidate")
"""The measures without labels: what is found counts on each side by itself."""


@dataclass(frozen=True)
class CcgDependencies(ItemMetric):
    r"""Precision and recall of the dependencies of lexical categories.

    unlabelled  ``either_order``: a dependency counts where its two words are in some relation on the other
                side; ``directed``: pairs of functor and argument, each pair once
    features    whether features of categories count: without them ``S[dcl]\NP`` and ``S[b]\NP`` are one
    ignore      a list of dependencies of the candidate to be omitted: ``candc`` (see
                ``formalisms.ccg.metrics.ignored_dependencies``) or a custom file

    Clark and Hockenmaier's section 5.3 asks for extracted and in-situ arguments apart: the breakdown
    ``extraction``. An argument is extracted if it stands on the other side of its functor than the slot's
    slash says, or if the file marks it (``<XU>``), as CCGbank marks subjects of relative clauses, too.

    A category may be marked (``(S{_}\NP{Y}<1>){_}``); marks are not compared. The C&C tools' script is
    ``unlabelled=directed,ignore=candc`` with ``--unscored skip``.

    When to use it
    --------------
    `ccg_dependencies` compares the fillers of the slots of lexical categories. It is the score by which CCG
    parsers are compared. It sees what a tree of heads does not: arguments of relative clauses, of raising and
    of control.

    Definition
    ----------
    A dependency is a head word, its category, the number of a slot of this category, and the word that fills
    the slot. Dependencies are read off derivations by the scheme `ccg`, or from files (`.parg`,
    `.gold_deps`). Unlabelled, a dependency is right if its two words are in some relation on the other side.
    [More on CCG](../../formalisms/ccg/ccg.md).

    Formula
    -------
    With *G* and *C* the quadruples of head, category, slot and argument:

    ```math
    P = \frac{\lvert G \cap C \rvert}{\lvert C \rvert}
    \qquad R = \frac{\lvert G \cap C \rvert}{\lvert G \rvert}
    \qquad F_1 = \frac{2 P R}{P + R}
    ```

    Example
    -------
    ```console
    $ crossbank score examples/three_styles/ccg.auto examples/three_styles/ccg.parsed.auto --scheme ccg --metric ccg_dependencies
    ccg_dependencies|unlabelled:either_order|features:yes|...|v1.2
      precision                82.86 %  matched dependencies / dependencies of the candidate
      recall                   82.86 %  matched dependencies / dependencies of gold
      f1                       82.86 %  harmonic mean of precision and recall
      unlabelled_precision     94.29 %  dependencies of the candidate whose words gold relates / dependencies of the candidate
      unlabelled_recall        94.29 %  dependencies of gold whose words the candidate relates / dependencies of gold
      unlabelled_f1            94.29 %  harmonic mean of unlabelled precision and recall
      exact                    62.50 %  sentences whose dependencies are all the same / sentences
      coverage                100.00 %  sentences with a parse / sentences
      8 sentences: 8 scored
    ```

    Where the category of a word is wrong, so are all its dependencies. Most of them still join the right
    words, which is what the unlabelled measures see.

    Other programs
    --------------
    The evaluation script of the C&C tools: `--option unlabelled=directed --option ignore=candc --unscored
    skip` ([differences](../../formalisms/ccg/ccg.md#dependencies)).
    """  # noqa: E501 (lines that are printed)

    unlabelled: Literal["either_order", "directed"] = "either_order"
    features: bool = True
    ignore: str = "none"

    name: ClassVar[str] = "ccg_dependencies"
    compares_words: ClassVar[bool] = False
    item: ClassVar[str] = "arc"
    position: ClassVar[float] = 210
    version: ClassVar[str] = "1.2"
    papers: ClassVar[tuple[str, ...]] = ("clark-hockenmaier-2002",)
    title: ClassVar[str] = "CCG dependencies"
    view: ClassVar[str] = "relations"
    word_by_word: ClassVar[bool] = False
    measures: ClassVar[tuple[Measure, ...]] = (
        *precision_recall_f1("gold", "candidate", "matched", "dependencies"),
        Measure(
            "unlabelled_precision",
            PRECISION,
            "dependencies of the candidate whose words gold relates / dependencies of the candidate",
        ),
        Measure(
            "unlabelled_recall",
            RECALL,
            "dependencies of gold whose words the candidate relates / dependencies of gold",
        ),
        Measure(
            "unlabelled_f1",
            harmonic_mean(PRECISION, RECALL),
            "harmonic mean of unlabelled precision and recall",
        ),
        exact_match("dependencies"),
        coverage(),
    )
    breakdown_measures: ClassVar[Mapping[str, tuple[Measure, ...]]] = dict.fromkeys(
        ("relation", "extraction"), measures[:3]
    )

    def __post_init__(self) -> None:
        """Read the list. Raises OptionError or YamlError if there is none, or it is not one."""
        if self.ignore != "none":
            load_ignored(self.ignore)

    def files(self) -> tuple[Path, ...]:
        """Return the list of dependencies that are omitted."""
        return () if self.ignore == "none" else (ignored_file(self.ignore),)

    # Punctuation has no dependencies that could be omitted.
    pair = staticmethod(pair_relations)

    def compare(self, pair: Pair) -> Compared:
        """Return the dependencies of both sides, and those whose words the other side relates."""
        names: dict[tuple[str, str], int] = {}
        banks = (pair.gold, pair.candidate)
        relations = [self._relations(bank, names) for bank in banks]
        longest = 1 + max(
            int(column.max(initial=0))
            for bank in banks
            for column in (bank.relations.head_index, bank.relations.dependent_index)
        )
        counted = (
            np.ones(len(pair.gold.relations), np.bool_),
            np.repeat(pair.scored, banks[1].relations.lengths()) & ~self._ignored(pair.candidate),
        )
        written = [f"{category} {slot}" for category, slot in names]
        slashes = np.array([_slash(*name) for name in names] or [0], np.int32)
        gold, candidate = (
            _distinct(bank, relation, rows, longest, written, slashes, self.unlabelled == "directed")
            for bank, relation, rows in zip(banks, relations, counted, strict=True)
        )
        once = [self._counted_pairs(side) for side in (gold, candidate)]
        return Compared(
            pair,
            gold.items,
            candidate.items,
            {
                "relation": lambda: ItemKeys(gold.relation, candidate.relation, written.__getitem__),
                "extraction": lambda: ItemKeys(gold.extracted, candidate.extracted, EXTRACTION.__getitem__),
            },
            also_summed={
                "unlabelled gold": ("gold", once[0]),
                "unlabelled found": ("gold", once[0] & _among(gold.pair, candidate.pair)),
                "unlabelled candidate": ("candidate", once[1]),
                "unlabelled matched": ("candidate", once[1] & _among(candidate.pair, gold.pair)),
            },
        )

    def columns(self, comparison: Compared) -> dict[str, Column]:
        """Return the sums by sentence, and the number of dependencies that are omitted."""
        columns, pair = super().columns(comparison), comparison.pair
        if self.ignore != "none":
            relations = pair.candidate.relations
            left_out = self._ignored(pair.candidate) & np.repeat(pair.scored, relations.lengths())
            columns["ignored"] = by_sentence(relations.offsets, left_out)
        return columns

    def _counted_pairs(self, side: DistinctDependencies) -> BoolArray:
        """Return a mask of the dependencies that count without labels: directed pairs count once."""
        directed = self.unlabelled == "directed"
        counted = np.zeros(len(side.pair), np.bool_)
        counted[np.unique(side.pair, return_index=True)[1] if directed else slice(None)] = True
        return counted

    def _ignored(self, bank: Treebank) -> BoolArray:
        """Return a mask of the dependencies that are omitted, shape ``(dependencies,)``."""
        if self.ignore == "none":
            return np.zeros(len(bank.relations), np.bool_)
        return load_ignored(self.ignore).mask(bank)

    def _relations(self, bank: Treebank, names: dict[tuple[str, str], int]) -> Int32Array:
        """Return the category and slot of each dependency as an index into ``names``, which grows."""
        table = bank.relations
        for column in (table.head_index, table.dependent_index):
            without = np.flatnonzero(column == NO_TOKEN)
            if len(without):
                sentence = int(table.sentence_of_row()[without[0]])
                where = f"{file_of(bank)}: sentence {bank.sentence_id(sentence)}"
                raise CrossbankError(
                    f"{where}: the words of a dependency have no positions, which ccg_dependencies needs"
                )
        size = len(bank.vocabulary)
        keys, which = np.unique(table.name.astype(np.int64) * size + table.type, return_inverse=True)
        numbers = []
        for key in keys.tolist():
            category = parse_category(bank.vocabulary[key // size])
            bare = compared_category(category) if self.features else str(without_features(category))
            numbers.append(names.setdefault((bare, bank.vocabulary[key % size]), len(names)))
        return np.array(numbers or [0], np.int32)[which.reshape(-1)] if len(table) else np.zeros(0, np.int32)


def _among(numbers: Int64Array, members: Int64Array) -> BoolArray:
    """Return a mask of the numbers that are among others; both are almost sorted."""
    known = np.unique(members)
    if not len(known):
        return np.zeros(len(numbers), np.bool_)
    index = np.minimum(np.searchsorted(known, numbers), len(known) - 1)
    return np.asarray(known[index] == numbers)


def _slash(category: str, slot: str) -> int:
    """Return 1 if a slot is filled from the right, -1 if it is filled from the left, 0 if there is none."""
    functor = parse_category(category)
    while functor.result is not None and str(count_arguments(functor)) != slot:
        functor = functor.result
    return {"/": 1, "\\": -1}.get(functor.slash, 0)


def _distinct(
    bank: Treebank,
    relation: Int32Array,
    rows: BoolArray,
    longest: int,
    names: Sequence[str],
    slashes: Int32Array,
    directed: bool,
) -> DistinctDependencies:
    """Return the distinct dependencies of some rows, in the order of sentences and words."""
    table = bank.relations
    sentence = table.sentence_of_row().astype(np.int64)
    functor, argument = table.head_index.astype(np.int64), table.dependent_index.astype(np.int64)
    key = ((sentence * longest + functor) * longest + argument) * max(len(names), 1) + relation
    key, first = np.unique(key[rows], return_index=True)
    sentence, functor, argument = (column[rows][first] for column in (sentence, functor, argument))
    relation, mark = relation[rows][first], table.initial_gr[rows][first]
    marks = [code for code in map(bank.vocabulary.code, EXTRACTED) if code >= 0]
    extracted = ((argument - functor) * slashes[relation] < 0) | np.isin(mark, marks)
    one, other = functor, argument
    if not directed:
        one, other = np.minimum(functor, argument), np.maximum(functor, argument)

    def describe(row: int) -> ItemDescription:
        return ItemDescription(names[relation[row]], (int(functor[row]), int(argument[row])))

    offsets = offsets_of(np.bincount(sentence, minlength=len(bank)))
    anchor = anchors(bank.tokens, sentence, argument)
    items = Items(offsets, key, np.ones(len(key), np.bool_), describe, anchor)
    pairs = (sentence * longest + one) * longest + other
    return DistinctDependencies(items, relation, pairs, extracted.astype(np.int32))
