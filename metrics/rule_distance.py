"""Rule distance: edits between two parses that are represented by the rules of their derivation.

Roark, Brian (2002): Evaluating Parser Accuracy using Edit Distance. Beyond PARSEVAL, sections 2 and 4. Rules
are in pre-order: top-down, and leftmost first. Every label but the root's is on the right-hand side of
a rule. So only the root's rule keeps its left-hand side, and no error counts twice. A word stands for its own
tag, so that wrong tags cost nothing. Children of discontinuous nodes are ordered by their first word.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from crossbank.metrics.edits.edit_distance import EventDistance, TagCosted
from crossbank.metrics.edits.symbols import SymbolGroups, Symbols
from crossbank.metrics.loops.local_trees import write_rules
from crossbank.metrics.loops.replacement_costs import SymbolTrees
from crossbank.metrics.pairing.pair import Pair
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import Int32Array, offsets_of
from crossbank.treebanks.ranges import in_ranges


@dataclass(frozen=True)
class RuleDistance(TagCosted, EventDistance):
    r"""Edits between the rules of gold and candidate.

    tag_cost  edits for a wrong tag, from 0 to 1: tags then are in the rules, as in the paper's
              Table 1; at 0, words do

    Replacing a rule by another with the same number of children costs as much as replacing its labels, at
    most one edit. The same holds for two rules of roots.

    When to use it
    --------------
    `rule_distance` counts the edits between two parses that are written as lists of rules. Take it to see how
    well a parser reproduces the rules of a grammar. A wrong rule is not counted again in the nodes above it.

    Definition
    ----------
    A parse is the list of its local trees, top-down and leftmost first. Each is written by its right-hand
    side alone, since its left-hand side is in the rule above; the root's rule keeps both. A word stands for
    its own tag, so that wrong tags cost nothing (`tag_cost` changes this). Inserting, deleting or replacing a
    rule is one edit. Replacing a rule by another with as many children costs as much as replacing their
    labels.

    Formula
    -------
    ```math
    \text{error rate} = 100 \cdot \frac{\text{edits}}{\text{events of gold}}
    \qquad \text{accuracy} = 1 - \frac{\text{edits}}{\text{events of gold}}
    ```

    Example
    -------
    The parser attaches *with a bell* to the verb; gold attaches it to *the cat*. The rule of the verb phrase
    has three children and not two, which is one edit, and gold's rule `NP → NP PP` is missing, which is
    another: 2 edits for 7 rules.

    <!-- file: gold.mrg -->
    ```text
    (S (NP (DT The) (NN dog))
       (VP (VBZ chases)
           (NP (NP (DT the) (NN cat))
               (PP (IN with) (NP (DT a) (NN bell)))))
       (. .))
    ```

    <!-- file: parsed.mrg -->
    ```text
    (S (NP (DT The) (NN dog))
       (VP (VBZ chases)
           (NP (DT the) (NN cat))
           (PP (IN with) (NP (DT a) (NN bell))))
       (. .))
    ```

    ```console
    $ crossbank score gold.mrg parsed.mrg --scheme ptb --metric rule_distance
    rule_distance|cost:exact|function_cost:none|...|v1.0
      accuracy       71.43 %  1 - edits / events of gold, and 0 where there are more edits than events
      error_rate     28.57    edits per 100 events of gold
      1 sentence: 1 scored
    ```

    Other programs
    --------------
    None. Table 1 of Roark (2002) is among the tests.
    """

    name: ClassVar[str] = "rule_distance"
    position: ClassVar[float] = 100
    version: ClassVar[str] = "1.0"
    title: ClassVar[str] = "Rule distance"

    def events(self, pair: Pair, names: Symbols) -> tuple[SymbolGroups, SymbolGroups]:
        """Return the rules of gold and of the candidate."""
        gold_leaf, candidate_leaf = names.gold_word, names.candidate_word
        if self.tag_cost > 0:
            gold_leaf, candidate_leaf = names.gold_tag, names.candidate_tag
        return rules(pair.gold, names.gold_label, gold_leaf), rules(
            pair.candidate, names.candidate_label, candidate_leaf
        )

    def strings(self, bank: Treebank, events: SymbolGroups, names: Symbols) -> list[str]:
        """Return rules as written: ``S → NP VP``, ``→ DT NN``."""
        strings = []
        for rule in range(len(events.frame)):
            symbols = events.symbols[events.first[rule] : events.first[rule + 1]].tolist()
            left = [names.written(symbols.pop(0))] if events.frame[rule] & ROOT else []
            strings.append(" ".join([*left, "→", *(names.written(symbol) for symbol in symbols)]))
        return strings


ROOT = np.uint64(1)
"""The bit that marks a root's rule, whose left-hand side is its first symbol."""


def rules(bank: Treebank, label: Int32Array, word: Int32Array) -> SymbolGroups:
    """Return the rules of a treebank, from symbols of its nodes and of its words or their tags."""
    nodes, tokens = bank.nodes, bank.tokens
    left = np.where(nodes.parent < 0, np.arange(len(nodes)), nodes.begins(nodes) + nodes.parent)
    below = nodes.parent_rows(tokens)[tokens.parent >= 0]
    first = offsets_of(np.bincount(np.concatenate((left, below)), minlength=len(nodes)))
    symbols = np.empty(first[-1], np.int32)
    free = first[:-1].copy()
    trees = SymbolTrees(bank.forest, bank.spans.start, label, word)
    in_ranges(lambda begin, end: write_rules(trees, free, symbols, begin, end), len(bank))
    length = np.diff(first).astype(np.uint64)
    return SymbolGroups(length << ROOT | (nodes.parent < 0), first, symbols)
