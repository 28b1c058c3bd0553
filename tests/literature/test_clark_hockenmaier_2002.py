r"""Clark and Hockenmaier (2002): Evaluating a Wide-Coverage CCG Parser, section 4 and Table 1.

Figure 2 from end to end: both derivations are read as CCGbank writes them, all else is read off them.
They are rebuilt from the tables of their dependencies and the numbers of their nodes: the type-raised subject
``S/(S\NP)`` is a unary projection, and in the wrong tree ``bought`` is a reduced relative.
"""

from __future__ import annotations

import numpy as np
import pytest

from crossbank.converters.scheme_files import load_scheme
from crossbank.converters.transformations import transform
from crossbank.formalisms.ccg.formats import auto, parg
from crossbank.formalisms.ccg.metrics.ccg_dependencies import CcgDependencies
from crossbank.metrics.counting.counts import Counts
from crossbank.metrics.counting.scoring import in_view, score, scoring_of
from crossbank.metrics.local_dependencies import LocalDependencies
from crossbank.metrics.pairing.pair import pair
from tests.literature.printed import replicates
from tests.metrics.trees import labelled

PAPER = "Clark and Hockenmaier (2002)"


def leaf(word: str, category: str) -> str:
    return f"(<L {category} XX XX {word} {category}>)"


def node(category: str, *children: str) -> str:
    return f"(<T {category} 0 {len(children)}> {' '.join(children)} )"


THE_SHARES = node("NP", leaf("the", "NP/N"), leaf("shares", "N"))
THAT = leaf("that", r"(NP\NP)/(S[dcl]/NP)")
IBM = node(r"S/(S\NP)", leaf("IBM", "NP"))
GOLD = node(
    "NP",
    THE_SHARES,
    node(
        r"NP\NP",
        THAT,
        node(
            "S[dcl]/NP",
            IBM,
            node(
                r"(S[dcl]\NP)/NP",
                leaf("has", r"(S[dcl]\NP)/(S[pt]\NP)"),
                leaf("bought", r"(S[pt]\NP)/NP"),
            ),
        ),
    ),
)
WRONG = node(
    "NP",
    node("NP", THE_SHARES, node(r"NP\NP", THAT, node("S[dcl]/NP", IBM, leaf("has", r"(S[dcl]\NP)/NP")))),
    node(r"NP\NP", leaf("bought", r"S[pss]\NP")),
)

LOCAL = {
    "the": r"<NP, N, NP/N> shares-2",
    "shares": "<TOP>",
    "that": r"<NP, NP, NP\NP> shares-2",
    "has": r"<NP\NP, (NP\NP)/(S[dcl]/NP), S[dcl]/NP> that-3",
    "IBM": r"<S[dcl]/NP, (S[dcl]\NP)/NP, S/(S\NP)> has-5",
}
"""The table of local dependencies, as far as both trees have them."""

IN_GOLD = r"<(S[dcl]\NP)/NP, (S[dcl]\NP)/(S[pt]\NP), (S[pt]\NP)/NP> has-5"
IN_WRONG = r"<NP, NP, NP\NP> shares-2"
"""What they say of ``bought``."""

TABLE_1 = {
    "gold": {
        ("the", "NP/N", "1", "shares"),
        ("that", r"(NP\NP)/(S[dcl]/NP)", "1", "shares"),
        ("that", r"(NP\NP)/(S[dcl]/NP)", "2", "has"),
        ("has", r"(S[dcl]\NP)/(S[pt]\NP)", "1", "IBM"),
        ("has", r"(S[dcl]\NP)/(S[pt]\NP)", "2", "bought"),
        ("bought", r"(S[pt]\NP)/NP", "1", "IBM"),
        ("bought", r"(S[pt]\NP)/NP", "2", "shares"),
    },
    "wrong": {
        ("the", "NP/N", "1", "shares"),
        ("that", r"(NP\NP)/(S[dcl]/NP)", "1", "shares"),
        ("that", r"(NP\NP)/(S[dcl]/NP)", "2", "has"),
        ("has", r"(S[dcl]\NP)/NP", "1", "IBM"),
        ("has", r"(S[dcl]\NP)/NP", "2", "shares"),
        ("bought", r"S[pss]\NP", "1", "shares"),
    },
}
r"""Table 1. It prints ``that`` with the category ``(NP\NP)/(S[dcl]\NP)``; the derivation and the table of
local dependencies have ``(NP\NP)/(S[dcl]/NP)``."""

CCG = LocalDependencies(tags=True, direction=False)
"""Categories name the direction, and lexical categories are labels like others."""


def replicated(where: str, what: str, printed: str, matched: float, of: float) -> None:
    """Keep a row of the trees of Figure 2."""
    replicates(PAPER, where, f"Figure 2, {what}", printed, f"{int(matched)}/{int(of)}")


def counts(metric: str, **options: object) -> Counts:
    (result,) = score(auto.loads(GOLD), auto.loads(WRONG), scoring_of([metric], options), load_scheme("ccg"))
    return result


@pytest.mark.parametrize("labels", ["yes", "no"])
def test_parseval_of_the_derivations(labels: str) -> None:
    sums = counts("parseval", labels=labels).sums()
    kind = "labelled" if labels == "yes" else "bracketed"
    replicated("section 4.1", f"{kind} precision", "3/7", sums["matched"], sums["candidate"])
    replicated("section 4.1", f"{kind} recall", "3/6", sums["matched"], sums["gold"])


def test_four_of_six_lexical_categories_are_correct() -> None:
    sums = counts("categories").sums()
    replicated("section 4.1", "accuracy of lexical categories", "4/6", sums["matched"], sums["gold"])


def test_five_of_six_local_dependencies_are_correct() -> None:
    computed = counts("local_dependencies", tags="yes", direction="no")
    values, sums = computed.values(), computed.sums()
    assert (values["recall"], values["precision"], values["unlabelled_recall"]) == (5 / 6, 5 / 6, 5 / 6)
    replicated("section 4.2", "correct local dependencies", "5/6", sums["matched"], sums["gold"])


def test_the_table_of_local_dependencies() -> None:
    scheme = load_scheme("ccg")
    gold, wrong = (in_view(auto.loads(tree), "heads", scheme) for tree in (GOLD, WRONG))
    items = CCG.items(pair(gold, wrong), 0)
    words = gold.words(0)
    for side, message, bought in (("candidate", "gold", IN_GOLD), ("gold", "candidate", IN_WRONG)):
        table = {words[item.tokens[0]]: getattr(item, message) for item in items if item.side != side}
        assert table == {**LOCAL, "bought": bought}


def test_deep_dependencies() -> None:
    computed = counts("ccg_dependencies")
    values, sums = computed.values(), computed.sums()
    assert (values["precision"], values["recall"]) == (3 / 6, 3 / 7)
    assert (values["unlabelled_precision"], values["unlabelled_recall"]) == (5 / 6, 5 / 7)
    for kind, matched, of, printed in (
        ("labelled precision", "matched", "candidate", "3/6"),
        ("labelled recall", "matched", "gold", "3/7"),
        ("unlabelled precision", "unlabelled matched", "unlabelled candidate", "5/6"),
        ("unlabelled recall", "unlabelled found", "unlabelled gold", "5/7"),
    ):
        replicated("section 4.3", f"deep dependencies, {kind}", printed, sums[matched], sums[of])


def test_extracted_arguments_are_told_from_those_in_situ() -> None:
    """Section 5.3: ``shares`` stands before the verb whose object it is, in gold and in the wrong tree."""
    breakdown = counts("ccg_dependencies").breakdowns["extraction"]()
    sums = breakdown.sums(np.ones(1, np.bool_))
    numbers = {key: [int(sums[side][row]) for side in SIDES] for row, key in enumerate(breakdown.keys)}
    assert numbers == {"in situ": [6, 5, 3], "extracted": [1, 1, 0]}


def test_arguments_that_ccgbank_marks_are_extracted() -> None:
    """A subject stands on the side that the slash says, also in a relative clause."""
    marked = parg.loads('<s id="1"> 2\n0 2 S[dcl]\\NP 1 shares rose <XU>\n<\\s>\n')
    compared = CcgDependencies.pair(marked, marked)
    breakdown = CcgDependencies().counts(compared).breakdowns["extraction"]()
    assert breakdown.keys == ("extracted",)


SIDES = "gold", "candidate", "matched"


@pytest.mark.parametrize(("name", "tree"), [("gold", GOLD), ("wrong", WRONG)])
def test_table_1(name: str, tree: str) -> None:
    bank = transform(auto.loads(tree), ["ccg_dependencies"])
    assert bank.diagnosis == ()
    table = bank.relations
    columns = (table.head_word, table.name, table.type, table.dependent_word)
    rows = list(zip(*(bank.vocabulary.decode(column) for column in columns), strict=True))
    assert (set(rows), len(rows)) == (TABLE_1[name], len(TABLE_1[name]))
    replicates(PAPER, "Table 1", f"{name} tree, dependencies", len(TABLE_1[name]), len(rows))
    categories = {category for word, category, *_ in rows if word == "that"}
    why = "the derivation and the table of local dependencies have ours"
    item = f"{name} tree, category of *that*"
    replicates(PAPER, "Table 1", item, r"`(NP\NP)/(S[dcl]\NP)`", f"`{categories.pop()}`", why)


def test_punctuation_and_the_levels_it_adds_are_disregarded() -> None:
    full_stop = leaf(".", ".")
    pairs = [auto.loads(node("NP", tree, full_stop)) for tree in (GOLD, WRONG)]
    names = ["parseval", "categories", "ccg_dependencies"]
    values = [actual.values() for actual in score(*pairs, scoring_of(names, {}), load_scheme("ccg"))]
    assert (values[0]["precision"], values[0]["recall"]) == (3 / 7, 3 / 6)
    assert values[1]["accuracy"] == 4 / 6
    assert values[2]["precision"] == 3 / 6


def test_the_dependency_between_vinken_and_will() -> None:
    bank = labelled("[S [NP Vinken/NNP ] [VP will/MD [VP join/VB ] ] ]")
    bank = bank.replace(nodes=bank.nodes.replace(head=np.array([1, 0, 1, 2], np.int32)))
    (vinken, *_) = LocalDependencies().items(pair(bank, bank), 0)
    assert (vinken.label, vinken.tokens) == ("<S, VP, NP, left>", (0, 1))
