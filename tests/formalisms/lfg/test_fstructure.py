"""F-structures compared feature by feature."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crossbank.formalisms.lfg.formats import triples, xle
from crossbank.formalisms.lfg.metrics.fstructure import FStructure
from crossbank.formalisms.lfg.metrics.loops import fstructure_matching
from crossbank.metrics.counting.counts import Counts
from crossbank.metrics.counting.scoring import score, scoring_of
from crossbank.treebanks import Treebank
from crossbank.treebanks.errors import RequirementError, SentenceError
from crossbank.treebanks.formats import bracket, read_all, relations
from crossbank.treebanks.memory import MEMORY, MemoryLimitError
from tests.errors import raises
from tests.formalisms.lfg.fstructures import GLASSES

SEES = "subj(see~0, dog~1)\nobj(see~0, cat~2)\nadjunct(cat~2, small~3)\nnum(dog~1, sg)\n"


def counts(gold: Treebank, candidate: Treebank, **options: object) -> Counts:
    metric = FStructure.with_options(options)
    return metric.counts(metric.pair(gold, candidate))


def matched(gold: str, candidate: str, **options: object) -> tuple[float, ...]:
    sums = counts(triples.loads(gold), triples.loads(candidate), **options).sums()
    return tuple(float(sums[name]) for name in ("gold", "candidate", "matched"))


def test_names_of_nodes_do_not_count() -> None:
    renamed = "obj(see~x, cat~a)\nsubj(see~x, dog~b)\nadjunct(cat~a, small~0)\nnum(dog~b, sg)\n"
    # Four predicates and three functions lead to a predicate, the number does not.
    assert matched(SEES, renamed) == (7, 7, 7)
    assert matched(SEES, renamed, features="all") == (8, 8, 8)
    assert matched(SEES, renamed.replace("sg", "pl"), features="all") == (8, 8, 7)


def test_two_nodes_of_one_word_are_two() -> None:
    gold = "subj(see~0, dog~1)\nobj(see~0, dog~2)\nadjunct(dog~2, small~3)\n"
    same_node = "subj(see~0, dog~1)\nobj(see~0, dog~1)\nadjunct(dog~1, small~3)\n"
    # Either the subject or the object is the candidate's one dog; as the object it has the adjunct.
    assert matched(gold, same_node) == (7, 6, 5)


def test_a_word_that_is_missing_is_missing_with_its_functions() -> None:
    assert matched(SEES, "subj(see~0, dog~1)\n") == (7, 3, 3)


def test_strata_prefer_predicates_and_adjuncts() -> None:
    """Two functions of other kinds are worth less than one adjunct."""
    gold = "adjunct(a~0, _~1)\nin_set(_~1, b~2)\nx(a~0, _~3)\ny(_~3, c~4)\nz(_~3, c~4)\n"
    candidate = "adjunct(a~0, _~1)\nin_set(_~1, b~2)\nx(a~0, _~1)\ny(_~1, c~4)\nz(_~1, c~4)\n"
    # The candidate's one nameless node is gold's set, or the other one; the set comes first.
    assert matched(gold, candidate) == (8, 8, 5)
    assert matched(gold, candidate, first="pred") == (8, 8, 6)


def test_arguments_belong_to_the_predicate() -> None:
    gold = SEES + "pred(see~0, sf(see, 1, [dog~1, cat~2], []))\n"
    swapped = SEES + "pred(see~0, sf(see, 7, [cat~2, dog~1], []))\n"
    assert matched(gold, gold.replace("see, 1", "see, 7")) == (7, 7, 7)
    assert matched(gold, swapped) == (7, 7, 6)
    assert matched(gold, swapped, arguments="no") == (7, 7, 7)
    # Arguments are not compared where one side has none.
    assert matched(gold, SEES) == (7, 7, 7)
    other = gold.replace("[dog~1, cat~2], []", "[dog~1], [cat~2]")
    assert matched(gold, other) == (7, 7, 6)


NODES = st.integers(0, 3)
EDGES = st.lists(st.tuples(st.sampled_from("pq"), NODES, NODES), max_size=6)
WORDS = st.lists(st.sampled_from(["", "a", "b"]), min_size=4, max_size=4)


def best(gold: tuple[set, set], candidate: tuple[set, set]) -> int:
    """Return the most matches under any one-to-one pairing of four nodes with four nodes."""
    actual = 0
    for pairs in permutations(range(4)):
        edges = {(name, pairs[head], pairs[value]) for name, head, value in gold[1]}
        words = {(pairs[node], word) for node, word in gold[0]}
        actual = max(actual, len(edges & candidate[1]) + len(words & candidate[0]))
    return actual


@given(WORDS, EDGES, WORDS, EDGES)
@settings(max_examples=60, deadline=None)
def test_as_many_matches_as_any_pairing_has(
    words: list[str], edges: list[tuple], others: list[str], other_edges: list[tuple]
) -> None:
    sides = []
    for own, drawn in ((words, edges), (others, other_edges)):
        nodes = [f"{word or '_'}~{number}" for number, word in enumerate(own)]
        lines = [f"{name}({nodes[head]}, {nodes[value]})" for name, head, value in drawn]
        used = {node for _, head, value in drawn for node in (head, value)}
        lines.append(f"r({nodes[0]}, atom)")
        predicates = {(node, own[node]) for node in used | {0} if own[node]}
        sides.append(("\n".join(lines), (predicates, set(drawn))))
    gold, candidate = sides
    every = {"features": "all", "first": "none"}
    # The feature of the first nodes is the same where they are paired.
    actual = matched(gold[0], candidate[0], **every)[2]
    without = best(gold[1], candidate[1])
    assert without <= actual <= without + 1


def test_a_search_that_stops_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    gold = "".join(f"p(_~{n}, a~{n + 1})\nq(_~{n}, _~{(n * 7) % 20})\n" for n in range(0, 20, 2))
    candidate = gold.replace("q(_~0,", "q(_~2,").replace("q(_~4,", "q(_~8,")
    monkeypatch.setattr(fstructure_matching, "COMPARISONS", 30)
    messages = counts(triples.loads(gold), triples.loads(candidate), features="all")
    assert messages.notes == {"sentences whose best pairing is not proved": 1}


def test_packed_solutions_and_their_quality() -> None:
    packed = xle.loads(GLASSES.replace("'3 solutions", "'*3 solutions"))
    gold = packed.only_chosen()
    for best_of, f1 in (("chosen", 1.0), ("oracle", 1.0)):
        (scored,) = score(gold, packed, scoring_of(["fstructure"], {"best": best_of}, "empty"))
        assert scored.value("f1") == f1
    (scored,) = score(gold, packed, scoring_of(["fstructure"], {"best": "random"}, "empty"))
    assert 0.8 < scored.value("f1") < 1
    assert list(scored.by_breakdown("parse_quality")) == ["fragment"]


def test_a_sentence_without_an_analysis_lowers_recall() -> None:
    gold = triples.loads(f"{SEES}\n{SEES}")
    candidate = triples.loads(f"{SEES}\nsentence(\nstructure(\n))\n")
    scored = counts(gold, candidate)
    assert scored.status.tolist() == [0, 1]
    assert (scored.value("precision"), scored.value("recall")) == (1.0, 0.5)


def test_one_text_may_be_cut_into_other_words() -> None:
    def sentence(text: str, words: str) -> Treebank:
        return triples.loads(f"sentence(\ntext({text})\nsentence_form({words})\nstructure(\n{SEES}))\n")

    gold = sentence("The doghouse", "the doghouse")
    assert counts(gold, sentence("The doghouse", "the dog+ +house")).value("f1") == 1
    assert counts(gold, sentence("The cathouse", "the cathouse")).value("f1") == 0


def test_items() -> None:
    metric = FStructure()
    gold = triples.loads(SEES)
    candidate = triples.loads(SEES.replace("obj(", "obl("))
    items = metric.items(metric.pair(gold, candidate), 0)
    wrong = [(item.side, item.gold, item.candidate) for item in items if not item.matched]
    assert wrong == [("gold", "obj(see, cat)", ""), ("candidate", "", "obl(see, cat)")]


def test_trees_have_no_f_structures() -> None:
    bank = bracket.loads("(S (NP (N a)))\n")
    with raises(RequirementError, name="fstructure", required="f-structures (formats xle, triples)"):
        counts(bank, bank)


@pytest.mark.parametrize("metric", ["fstructure", "edm"])
def test_lists_of_relations_without_names_of_nodes_are_refused(metric: str) -> None:
    """A sound list in front of one that is not decided how far before its array the loop wrote."""
    bank = relations.loads("(dobj saw:2_VVD her:3_PP)\n\n" * 50 + "(dobj saw her)\n")
    with raises(SentenceError, "saw, her", line=101, sentence="51"):
        score(bank, bank, scoring_of([metric], {"features": "all"} if metric == "fstructure" else {}))


def test_a_type_that_is_no_semantic_form_is_refused() -> None:
    bank = triples.loads("pred(see~0, sf(see, 5, [dog~1], []))\npred(dog~1, dog)\n")
    (form,) = set(bank.vocabulary.decode(bank.relations.type)) - {""}
    wrong = bank.with_strings("relations", "type", lambda type_: type_.replace(";", ""))
    with raises(SentenceError, form.replace(";", ""), line=1, sentence="1"):
        counts(wrong, wrong, arguments="yes")


@pytest.mark.slow
def test_real_analyses(shared_data: Path) -> None:
    """Any analysis equals itself; the best of a list is the one that gold is."""
    for language in ("nb", "ka"):
        bank = read_all([str(shared_data / f"xle-fstructures/mrs/{language}/*.pl")], "xle")
        gold = bank.only_chosen()
        (oracle,) = score(gold, bank, scoring_of(["fstructure"], {"best": "oracle"}, "empty"))
        assert oracle.value("f1") == 1
        # Georgian sets of up to a dozen members without attributes of their own are hard to tell apart.
        assert sum(oracle.notes.values()) <= {"nb": 0, "ka": 10}[language]
        (random,) = score(gold, bank, scoring_of(["fstructure"], {"best": "random"}, "empty"))
        assert 0.8 < random.value("f1") < 0.95
        every = FStructure(features="all")
        again = triples.loads(triples.dumps(gold))
        full = every.counts(every.pair(gold, again))
        assert np.array_equal(full.columns["gold"], full.columns["matched"])


ARGUMENTS = (
    *("[], []", "[NULL], []", "[], [NULL]", "[_~9], []", "[dog~1], []"),
    *("[], [_~9]", "[], [dog~1]", "[NULL, dog~1], []", "[see~0], []"),
)


@pytest.mark.parametrize("lists", list(permutations(ARGUMENTS, 2)))
def test_arguments_are_the_same_only_where_all_of_them_are(lists: tuple[str, str]) -> None:
    """Nothing, a node that the f-structure lacks, nodes, and the two lists are five different things."""
    gold, candidate = (f"subj(see~0, dog~1)\npred(see~0, sf(see, 5, {one}))\n" for one in lists)
    assert matched(gold, gold, arguments="yes") == (3, 3, 3)
    assert matched(gold, candidate, arguments="yes") == (3, 3, 2)


def test_the_memory_of_a_pairing_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scratch grows by the product of one side's specifications and the other's nodes."""
    text = "".join(f"x(a~0, b~{number})\n" for number in range(1, 200))
    bank = triples.loads(text)
    monkeypatch.setenv(MEMORY, "100K")
    with raises(
        MemoryLimitError, what="two f-structures of 200 and 200 nodes to pair", size=801600, limit=102400
    ):
        counts(bank, bank)
    assert matched(SEES, SEES) == (7, 7, 7)
