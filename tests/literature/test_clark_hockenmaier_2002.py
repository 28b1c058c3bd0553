r"""Clark and Hockenmaier (2002): Evaluating a Wide-Coverage CCG Parser, sections 4.1 and 4.2.

The derivations of Figure 2 are rebuilt from the tables of their dependencies and the numbers of their nodes:
the type-raised subject ``S/(S\NP)`` is a unary projection, and in the wrong tree ``bought`` is a reduced
relative.
"""

from __future__ import annotations

import numpy as np
import pytest

from crossbank.metrics.local_dependencies import LocalDependencies
from crossbank.metrics.pairing.pair import pair
from crossbank.metrics.parseval import Parseval
from crossbank.treebanks import Treebank
from tests.metrics.trees import labelled

GOLD = (
    r"[NP [NP the/NP/N shares/N ] [NP\NP that/(NP\NP)/(S[dcl]/NP) [S[dcl]/NP [S/(S\NP) IBM/NP ]"
    r" [(S[dcl]\NP)/NP has/(S[dcl]\NP)/(S[pt]\NP) bought/(S[pt]\NP)/NP ] ] ] ]",
    ("shares", "shares", "that", "has", "IBM", "has"),
)
WRONG = (
    r"[NP [NP [NP the/NP/N shares/N ] [NP\NP that/(NP\NP)/(S[dcl]/NP) [S[dcl]/NP [S/(S\NP) IBM/NP ]"
    r" has/(S[dcl]\NP)/NP ] ] ] [NP\NP bought/S[pss]\NP ] ]",
    ("shares", "shares", "shares", "that", "has", "IBM", "bought"),
)

IN_COMMON = {
    "the": r"<NP, N, NP/N> shares-2",
    "shares": "<TOP>",
    "that": r"<NP, NP, NP\NP> shares-2",
    "has": r"<NP\NP, (NP\NP)/(S[dcl]/NP), S[dcl]/NP> that-3",
    "IBM": r"<S[dcl]/NP, (S[dcl]\NP)/NP, S/(S\NP)> has-5",
}

CCG = LocalDependencies(tags=True, direction=False)
"""Categories name the direction, and lexical categories are labels like others."""


def derivation(tree: str, heads: tuple[str, ...]) -> Treebank:
    """A tree with the lexical head of each node, in pre-order."""
    bank = labelled(tree)
    words = bank.words(0)
    return bank.replace(nodes=bank.nodes.replace(head=np.array([words.index(h) for h in heads], np.int32)))


def test_the_dependencies_of_both_trees() -> None:
    items = CCG.items(pair(derivation(*GOLD), derivation(*WRONG)), 0)
    assert {item.gold.partition(">")[0] for item in items if item.side == "both"} == {
        said.partition(">")[0] for said in IN_COMMON.values()
    }
    words = derivation(*GOLD).words(0)
    assert {words[item.tokens[0]]: item.gold for item in items if item.side != "candidate"} == {
        **IN_COMMON,
        "bought": r"<(S[dcl]\NP)/NP, (S[dcl]\NP)/(S[pt]\NP), (S[pt]\NP)/NP> has-5",
    }
    assert {words[item.tokens[0]]: item.candidate for item in items if item.side != "gold"} == {
        **IN_COMMON,
        "bought": r"<NP, NP, NP\NP> shares-2",
    }


def test_five_of_six_dependencies_are_correct() -> None:
    values = CCG.counts(pair(derivation(*GOLD), derivation(*WRONG))).values()
    assert (values["recall"], values["precision"]) == (5 / 6, 5 / 6)
    assert values["unlabelled_recall"] == 5 / 6


@pytest.mark.parametrize("labels", [True, False])
def test_parseval_of_the_derivations(labels: bool) -> None:
    values = Parseval(labels=labels).counts(pair(derivation(*GOLD), derivation(*WRONG))).values()
    assert (values["precision"], values["recall"]) == (3 / 7, 3 / 6)


def test_the_dependency_between_vinken_and_will() -> None:
    bank = labelled("[S [NP Vinken/NNP ] [VP will/MD [VP join/VB ] ] ]")
    bank = bank.replace(nodes=bank.nodes.replace(head=np.array([1, 0, 1, 2], np.int32)))
    (vinken, *_) = LocalDependencies().items(pair(bank, bank), 0)
    assert (vinken.label, vinken.tokens) == ("<S, VP, NP, left>", (0, 1))
