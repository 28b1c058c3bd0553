r"""Metrics ``categories`` and ``ccg_dependencies`` beyond the worked example: options, parts, what is
not scored."""

from __future__ import annotations

from collections import Counter
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossbank.converters.scheme_files import load_scheme
from crossbank.formalisms.ccg.formats import auto, candc
from crossbank.formalisms.ccg.metrics.ccg_dependencies import CcgDependencies
from crossbank.formalisms.ccg.metrics.ignored_dependencies import load_ignored
from crossbank.metrics.counting.counts import Counts
from crossbank.metrics.counting.scoring import score, scoring_of
from crossbank.reports.sections.parts import count_confusions
from crossbank.treebanks import CrossbankError, Treebank
from crossbank.treebanks.errors import OptionError
from crossbank.treebanks.formats import bracket, read, relations
from crossbank.treebanks.yaml_nodes import YamlError
from tests.errors import raises

GOLD = r"""a_1 N/N 1 b_2
b_2 S[dcl]\NP 1 c_3

a_1 N/N 1 b_2

"""


def count_dependencies(candidate: str, *, gold: str = GOLD, **options: object) -> Counts:
    (counts,) = score(candc.loads(gold), candc.loads(candidate), scoring_of(["ccg_dependencies"], options))
    return counts


def test_a_sentence_without_dependencies_has_no_parse() -> None:
    half = GOLD.rsplit("a_1", 1)[0] + "\n"
    values = count_dependencies(half).values()
    assert (values["precision"], values["recall"], values["coverage"]) == (1, 2 / 3, 1 / 2)
    (skipped,) = score(candc.loads(GOLD), candc.loads(half), scoring_of(["ccg_dependencies"], {}, "skip"))
    assert skipped.values()["recall"] == 1


def test_a_mediating_category_is_not_compared() -> None:
    other = GOLD.replace(" c_3", r" c_3 0 (S[dcl]\NP)/NP")
    assert count_dependencies(other).values()["f1"] == 1
    assert load_ignored("candc").mask(candc.loads("a_1 N/N 1 b_2 7 N/N\n\n")).tolist() == [True]


@pytest.mark.parametrize("names", ["", "1 2 3", "x1 x2 x3"])
def test_derivations_are_paired_by_order_where_they_have_no_common_names(names: str) -> None:
    """As categories and brackets are; where the words differ the sentence is not scored."""
    tree = "(<T S[dcl] 1 2> (<L NP N N {} NP>) (<L S[dcl]\\NP V V sleeps S[dcl]\\NP>) )\n"
    words, inputs = ("Anna", "Bert", "Carla"), names.split() or [""] * 3
    gold = auto.loads("".join(f"ID=g.{word}\n{tree.format(word)}" for word in words))
    headers = [f"ID={name}, Prob=-0.1\n" if name else "" for name in inputs]
    trees = [tree.format(word) for word in words]
    same = auto.loads("".join(map("".join, zip(headers, trees, strict=True))))
    moved = auto.loads("".join(map("".join, zip(headers, [*trees[1:], trees[0]], strict=True))))
    scoring = scoring_of(["categories", "parseval", "ccg_dependencies"], {})
    for counts in score(gold, same, scoring, load_scheme("ccg")):
        assert counts.status.tolist() == [0, 0, 0]
        assert counts.sums()["rows"] == 3
    for counts in score(gold, moved, scoring, load_scheme("ccg")):
        assert counts.status_counts()["words differ"] == 3


def test_marks_are_not_compared_and_features_on_demand() -> None:
    marked = GOLD.replace(r"S[dcl]\NP", r"(S[dcl]{_}\NP{Y}<1>){_}")
    assert count_dependencies(marked).values()["f1"] == 1
    other = GOLD.replace("S[dcl]", "S[b]")
    assert count_dependencies(other).values()["f1"] == 2 / 3
    assert count_dependencies(other, features="no").values()["f1"] == 1


def test_unlabelled_in_either_order_or_directed() -> None:
    turned = GOLD.replace(r"b_2 S[dcl]\NP 1 c_3", "c_3 N/N 1 b_2\nc_3 N/N 2 b_2")
    assert count_dependencies(turned).values()["unlabelled_precision"] == 1
    directed = count_dependencies(turned, unlabelled="directed").values()
    assert (directed["unlabelled_precision"], directed["unlabelled_recall"]) == (2 / 3, 2 / 3)


def test_the_list_of_the_candc_tools() -> None:
    """A rule, a category with its rule, a word, a word with its argument; of the candidate alone."""
    gold = "a_1 N/N 1 b_2\n\n"
    more = [
        r"a_1 (NP{Y}\NP{Y}<1>){_} 1 b_2 7",
        r"a_1 ((S[X]{Y}\NP{Z}){Y}\(S[X]{Y}<1>\NP{Z}){Y}){_} 2 b_2 93",
        r"to_1 ((S[to]{_}\NP{Z}<1>){_}/(S[b]{Y}<2>\NP{Z*}){Y}){_} 1 b_2 0",
        r"been_1 ((S[pt]{_}\NP{Y}<1>){_}/(S[ng]{Z}<2>\NP{Y*}){Z}){_} 1 b_2 0",
        r"be_1 ((S[b]{_}\NP{Y}<1>){_}/NP{Z}<2>){_} 1 there_2 0",
        "and_1 conj 1 b_2",
    ]
    retained = [
        r"been_1 ((S[pt]{_}\NP{Y}<1>){_}/(S[ng]{Z}<2>\NP{Y*}){Z}){_} 2 b_2 0",
        r"be_1 ((S[b]{_}\NP{Y}<1>){_}/NP{Z}<2>){_} 1 this_2 0",
        r"seen_1 ((S[pt]{_}\NP{Y}<1>){_}/(S[ng]{Z}<2>\NP{Y*}){Z}){_} 1 b_2 0",
    ]
    for line in more:
        sums = count_dependencies(f"a_1 N/N 1 b_2\n{line}\n\n", gold=gold, ignore="candc").sums()
        assert (sums["candidate"], sums["unlabelled candidate"], sums["ignored"]) == (1, 1, 1), line
        assert count_dependencies(f"{line}\n\n", gold=f"{line}\n\n", ignore="candc").sums()["gold"] == 1
    for line in retained:
        sums = count_dependencies(f"a_1 N/N 1 b_2\n{line}\n\n", gold=gold, ignore="candc").sums()
        assert (sums["candidate"], sums["ignored"]) == (2, 0), line


def test_a_feature_that_is_a_variable_is_not_compared() -> None:
    marked = r"a_1 ((S[X]{Y}\NP{Z}){Y}/(S[X]{Y}<1>\NP{Z}){Y}){_} 2 b_2 0" + "\n\n"
    assert count_dependencies(marked, gold="a_1 (S\\NP)/(S\\NP) 2 b_2\n\n").values()["f1"] == 1


def test_a_list_of_ones_own(tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text(
        "name: own\nsources: [me]\ndependencies:\n  all:\n    - {category: N/N, slot: 1, rules: [0]}\n"
    )
    assert count_dependencies(GOLD, ignore=str(own)).sums()["candidate"] == 1
    own.write_text(
        "name: own\nsources: [me]\ndependencies:\n  all:\n    - {category: N//N, slot: 1, rules: [0]}\n"
    )
    with raises(YamlError, "N//N", file="own.yaml", line=5, key="dependencies.all[0].category"):
        count_dependencies(GOLD, ignore=str(own))
    with raises(OptionError, "none", "candc", "FILE.yaml", kind="option ignore", value="mine"):
        count_dependencies(GOLD, ignore="mine")


def test_dependencies_by_category_and_slot() -> None:
    parts = count_dependencies(GOLD.replace("b_2 S", "c_3 S").replace("1 c_3", "1 b_2")).by_breakdown(
        "relation"
    )
    assert parts["N/N 1"] == {"gold": 2, "candidate": 2, "matched": 2}
    assert parts[r"S[dcl]\NP 1"] == {"gold": 1, "candidate": 1, "matched": 0}


def test_dependencies_need_places() -> None:
    gold = relations.loads("(ncsubj sees Anna _)\n")
    with raises(CrossbankError, "sentence 1", "ccg_dependencies"):
        score(gold, gold, scoring_of(["ccg_dependencies"], {}))


rows = st.lists(
    st.tuples(st.integers(0, 4), st.sampled_from(["N/N", r"S\NP"]), st.integers(1, 2), st.integers(0, 4)),
    min_size=1,
    max_size=8,
)


def bank(sentences: list[list[tuple[int, str, int, int]]]) -> Treebank:
    return candc.loads(
        "".join(
            "".join(
                f"w_{functor + 1} {category} {slot} w_{argument + 1}\n"
                for functor, category, slot, argument in rows
            )
            + "\n"
            for rows in sentences
        )
    )


@given(st.lists(st.tuples(rows, rows), min_size=1, max_size=4))
def test_dependencies_are_compared_as_sets(pairs: list[tuple[list, list]]) -> None:  # type: ignore[type-arg]
    gold, candidate = ([list(side) for side in sides] for sides in zip(*pairs, strict=True))
    counts = CcgDependencies(unlabelled="directed").counts(CcgDependencies.pair(bank(gold), bank(candidate)))
    sums = counts.sums()
    total: Counter[str] = Counter()
    for computed, reference in zip(gold, candidate, strict=True):
        total["gold"] += len(set(computed))
        total["candidate"] += len(set(reference))
        total["matched"] += len(set(computed) & set(reference))
        pairs_of = [{(row[0], row[3]) for row in side} for side in (computed, reference)]
        total["unlabelled matched"] += len(pairs_of[0] & pairs_of[1])
        total["unlabelled gold"] += len(pairs_of[0])
    assert {name: sums[name] for name in total} == dict(total)


def test_categories_of_words_by_category_and_confusion() -> None:
    gold = bracket.loads("(S (NP (DT a) (NN b)) (VB c))\n(S (NN d) (NN e))\n(S (NN f))\n")
    parsed = bracket.loads("(S (NP (DT a) (NN b)) (NN c))\n(S (VB d) (NN e))\n(())\n")
    (counts,) = score(gold, parsed, scoring_of(["categories"], {}))
    values = counts.values()
    assert (values["accuracy"], values["exact"], values["coverage"]) == (3 / 6, 0, 2 / 3)
    assert counts.by_breakdown("category")["NN"] == {"gold": 4, "matched": 2}
    assert {(c.gold, c.candidate, c.count) for c in count_confusions(counts)} == {
        ("VB", "NN", 1),
        ("NN", "VB", 1),
    }


def test_depccg_against_gold(shared_data: Path) -> None:
    folder = shared_data / "ccg-geometry"
    sides = [read(folder / name) for name in ("geo-dev.auto", "geo-dev.depccg_default.auto")]
    names = ["parseval", "categories", "ccg_dependencies"]
    scores = [counts.values() for counts in score(*sides, scoring_of(names, {}), load_scheme("ccg"))]
    assert round(100 * scores[0]["f1"], 2) == 67.84
    assert round(100 * scores[1]["accuracy"], 2) == 75.03
    assert round(100 * scores[2]["f1"], 2) == 65.16
    assert round(100 * scores[2]["unlabelled_f1"], 2) == 89.75


@pytest.mark.slow
def test_three_parsers_and_their_consensus(shared_data: Path) -> None:
    from crossbank.converters.consensus.majority import consensus
    from crossbank.converters.transformations import transform

    scheme = load_scheme("ccg")
    parsers = [
        read(shared_data / "langpro-ccg" / f"ccg_sen_d_SICK_trial_{name}.pl")
        for name in ("ccg", "eccg", "depccg.trihf.sep")
    ]
    scoring = scoring_of(["categories", "ccg_dependencies"], {"features": "no"})
    categories, dependencies = score(parsers[0], parsers[1], scoring, scheme)
    assert round(100 * categories.values()["accuracy"], 2) == 85.38
    assert round(100 * dependencies.values()["f1"], 2) == 77.56
    agreed = consensus([transform(bank, ["ccg_dependencies"]) for bank in parsers])
    agreed = candc.loads(candc.dumps(agreed))
    actual = [score(agreed, bank, scoring, scheme)[1].values()["f1"] for bank in parsers]
    assert [round(100 * value, 2) for value in actual] == [80.06, 96.3, 95.22]


def test_no_two_dependencies_are_taken_for_one() -> None:
    """All that there can be between three words: twice in one sentence, and divided between two."""
    every = list(product(range(3), ["N/N", r"S\NP", "(S/N)/N"], (1, 2), range(3)))
    inputs = bank([every + every, every[::2], every[1::2]])
    for unlabelled in ("directed", "either_order"):
        counts = CcgDependencies(unlabelled=unlabelled).counts(CcgDependencies.pair(inputs, inputs))
        for column in ("gold", "candidate", "matched"):
            assert counts.columns[column].tolist() == [54, 27, 27]
    items = CcgDependencies().items(CcgDependencies.pair(inputs, inputs), 0)
    assert len({(item.label, item.tokens) for item in items}) == 54
    assert [item.tokens for item in items] == sorted(item.tokens for item in items)
    first = ["N/N 1", "N/N 2", r"S\NP 1", r"S\NP 2", "(S/N)/N 1", "(S/N)/N 2"]
    assert [item.label for item in items] == first * 9
