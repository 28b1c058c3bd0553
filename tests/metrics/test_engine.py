"""Any chunks, added and merged in any order, give one result; of bad input nothing is counted."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crossbank.converters.scheme_files import load_scheme
from crossbank.metrics.counting.counts import Counts, UnscoredError
from crossbank.metrics.counting.metric import METRICS
from crossbank.metrics.counting.scoring import Views, scoring_of
from crossbank.metrics.engine import MAX_UNSCORED, Evaluated, Evaluation, Keep, evaluate
from crossbank.reports.results.counts_in_files import CountsByChunk, read_counts, write_counts
from crossbank.scorer import Scorer
from crossbank.treebanks import CrossbankError, Treebank
from crossbank.treebanks.chunks import Chunk, ChunkedSource, Facts, LengthMismatchError, aligned_chunks
from crossbank.treebanks.formats import bracket, conllu
from crossbank.treebanks.in_memory.elements import ElementError
from crossbank.treebanks.in_memory.sources import chunked_source
from tests.errors import raises
from tests.metrics.test_signatures import samples


def source(*banks: Treebank) -> ChunkedSource:
    return ChunkedSource(["trees"], (Chunk(0, bank) for bank in banks))


def assert_same(one: Counts, other: Counts) -> None:
    """Sums, numbers of sentences, notes, signature and breakdowns are the same."""
    assert one.full_signature == other.full_signature
    assert one.status_counts() == other.status_counts()
    assert dict(one.notes) == dict(other.notes)
    assert [measure.name for measure in one.measures] == [measure.name for measure in other.measures]
    sums = other.sums()
    assert one.sums().keys() == sums.keys()
    for name, value in one.sums().items():
        assert value == pytest.approx(sums[name], rel=1e-12, abs=1e-12), name
    assert one.breakdowns.keys() == other.breakdowns.keys()
    for name in one.breakdowns:
        expected = other.by_breakdown(name)
        actual = one.by_breakdown(name)
        assert actual.keys() == expected.keys()
        for key, row in actual.items():
            assert row == pytest.approx(expected[key], rel=1e-12, abs=1e-12)


def evaluated_in_chunks(
    gold: Treebank, candidate: Treebank, evaluation: Evaluation, cuts: Sequence[int], random: Random
) -> Evaluated:
    """Return the result of chunks that are shared out among three evaluations, in any order."""
    bounds = [0, *sorted({cut for cut in cuts if 0 < cut < len(gold)}), len(gold)]
    chunks = list(pairwise(bounds))
    random.shuffle(chunks)
    keep, scheme = evaluation.keep, evaluation.scheme
    others = [Evaluation(evaluation.scoring, scheme, keep=keep) for _ in range(3)]
    facts = Facts.of(gold), Facts.of(candidate)
    for first, last in chunks:
        sides = (
            Views(bank[first:last].compact(), scheme, facts=of)
            for bank, of in zip((gold, candidate), facts, strict=True)
        )
        random.choice(others).add(first, *sides)
    random.shuffle(others)
    for other in others:
        evaluation.merge(other)
    return evaluation.result()


@pytest.mark.parametrize("name", METRICS)
@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    index=st.integers(0, len(samples()) - 1),
    cuts=st.lists(st.integers(1, 39), max_size=6),
    keep=st.sampled_from(["sums", "sentences"]),
    random=st.randoms(use_true_random=False),
)
def test_any_chunks_in_any_order_give_one_result(
    name: str, index: int, cuts: list[int], keep: Keep, random: Random
) -> None:
    options = {"labels": "NP"} if name == "selected" else {}
    gold, candidate, scheme = samples()[index]
    whole = Evaluation(scoring_of([name], options), scheme, keep=keep)
    if whole.needs_whole:
        return
    try:
        whole.add(0, Views(gold, scheme), Views(candidate, scheme))
        expected = whole.result()
    except CrossbankError:
        with pytest.raises(CrossbankError):
            evaluated_in_chunks(gold, candidate, Evaluation(whole.scoring, scheme, keep=keep), cuts, random)
        return
    if candidate.has_several_analyses:
        return
    evaluation = evaluated_in_chunks(
        gold, candidate, Evaluation(whole.scoring, scheme, keep=keep), cuts, random
    )
    assert_same(evaluation.counts[0], expected.counts[0])
    assert evaluation.diagnostics == expected.diagnostics
    assert [(one.sentence, one.detail) for one in evaluation.metrics[0].unscored] == [
        (one.sentence, one.detail) for one in expected.metrics[0].unscored
    ]


ARC = "1\ta\ta\tX\t_\t_\t0\t{}\t_\t_\n\n"


@pytest.mark.parametrize("gold", ["xy", "x_", "_x", "__"])
@pytest.mark.parametrize("candidate", ["xy", "x_", "_x", "__"])
def test_relations_are_compared_if_both_sides_have_some_anywhere(gold: str, candidate: str) -> None:
    sides = [conllu.loads("".join(map(ARC.format, names))) for names in (gold, candidate)]
    scoring = scoring_of(["dependencies"], {})
    whole, parts = Evaluation(scoring), Evaluation(scoring)
    whole.add(0, *(Views(bank, None) for bank in sides))
    for sentence in (1, 0):
        chunk = (Views(bank[sentence : sentence + 1], None, facts=Facts.of(bank)) for bank in sides)
        parts.add(sentence, *chunk)
    assert_same(parts.result().counts[0], whole.result().counts[0])


def test_seeded_random_analyses_do_not_depend_on_chunks() -> None:
    trees = "(S (A a) (B b))\n(S (X (A a) (B b)))\n"
    bank = bracket.loads(trees * 30)
    gold = bracket.loads("(S (A a) (B b))\n" * 30)
    analysis = np.tile(np.array([0, 1], np.int32), 30)
    lists = bank.replace(sentences=bank.sentences.replace(analysis=analysis))
    scoring = scoring_of(["parseval"], {"best": "random", "seed": 5})
    whole, parts = (Evaluation(scoring, keep="sentences") for _ in range(2))
    whole.add(0, Views(gold, None), Views(lists, None))
    chunks = aligned_chunks(source(gold), source(lists[:14], lists[14:40], lists[40:]))
    first = 0
    for one, other in chunks:
        parts.add(first, Views(one, None, facts=Facts.of(gold)), Views(other, None, facts=Facts.of(lists)))
        first += len(one)
    actual, expected = parts.result().counts[0], whole.result().counts[0]
    assert actual.columns["candidate"].tolist() == expected.columns["candidate"].tolist()
    assert 30 < actual.sums()["candidate"] < 60


def trees(sentences: int, first: int = 0) -> Treebank:
    return bracket.loads("".join(f"(S (A w{n}))\n" for n in range(first, first + sentences)))


@given(
    st.lists(st.integers(0, 9), min_size=1, max_size=12), st.lists(st.integers(0, 9), min_size=1, max_size=12)
)
def test_chunks_are_aligned(one: list[int], other: list[int]) -> None:
    total = max(sum(one), sum(other))
    bank = trees(total) if total else trees(1)[:0]

    def cut(sizes: list[int]) -> ChunkedSource:
        bounds = [0, *np.minimum(np.cumsum(sizes), total).tolist(), total]
        return source(*(bank[first:last] for first, last in pairwise(bounds)))

    chunks = list(aligned_chunks(cut(one), cut(other)))
    assert chunks
    assert all(len(gold) == len(candidate) for gold, candidate in chunks)
    for side in (0, 1):
        words = [word for both in chunks for sentence in both[side] for word in sentence.words]
        assert words == [f"w{n}" for n in range(total)]


@pytest.mark.parametrize(("gold", "candidate"), [((3, 3, 3), (8,)), ((4,), (2, 9)), ((1, 1), (1,))])
def test_sources_of_different_length_are_refused(gold: tuple[int, ...], candidate: tuple[int, ...]) -> None:
    evaluation = Evaluation(scoring_of(["parseval"], {}))
    with pytest.raises(LengthMismatchError) as raised:
        evaluate(evaluation, source(*map(trees, gold)), source(*map(trees, candidate)))
    sizes = raised.value.gold.sentences, raised.value.candidate.sentences
    assert sizes == (sum(gold), sum(candidate))


def test_empty_lines_at_the_end_of_the_candidate_are_no_sentences() -> None:
    evaluation = Evaluation(scoring_of(["parseval"], {}))
    empty = bracket.loads("(())\n(())\n")
    evaluate(evaluation, source(trees(4)), source(trees(3), trees(1, 3), empty))
    assert evaluation.result().counts[0].status_counts() == {"total": 4, "scored": 4}


def test_a_generator_that_raises_names_its_element() -> None:
    def failing() -> Iterator[str]:
        yield from ["(S (A a))"] * 11
        raise ValueError("no more")

    evaluation = Evaluation(scoring_of(["parseval"], {}))
    gold = chunked_source(["(S (A a))"] * 20, "gold", elements=4)
    with raises(
        ElementError, name="candidate", index=11, actual="an error of the iterable (ValueError: no more)"
    ):
        evaluate(evaluation, gold, chunked_source(failing(), "candidate", elements=4))


@pytest.mark.filterwarnings("ignore::crossbank.treebanks.errors.CrossbankWarning")
@pytest.mark.parametrize("metric", ["parseval", "conll18"])
@pytest.mark.parametrize("fault", ["raises", "shorter", "longer", "no tree", "no sentence"])
def test_nothing_is_counted_of_a_batch_with_a_fault(metric: str, fault: str) -> None:
    """A scorer's batch comes as generators, also for a metric that needs the whole text."""
    element: object = "(S (A a))" if metric == "parseval" else (["a"], [0], ["root"])

    def failing() -> Iterator[object]:
        yield from [element] * (7 if fault != "longer" else 13)
        if fault == "raises":
            raise ValueError("no more")
        if fault == "no tree":
            yield 7

    scorer = Scorer(metric)
    scorer.update([element] * 3, [element] * 3)
    before = scorer.compute()
    gold: Iterator[object] = iter([] if fault == "no sentence" else [element] * 10)
    with pytest.raises(CrossbankError) as raised:
        scorer.update(gold, failing())
    expected = {
        "raises": "candidate[7]: found an error of the iterable",
        "no tree": "candidate[7]: found",
        "shorter": "7",
        "longer": "13",
        "no sentence": "gold: there are no elements",
    }
    assert expected[fault] in str(raised.value)
    assert scorer.compute() == before
    scorer.update([element], [element])
    assert scorer._counted.sentences == 4


def test_a_faulty_chunk_leaves_no_table_of_counts(tmp_path: Path) -> None:
    """Chunks before it were written already."""
    by_chunk = CountsByChunk(tmp_path / "counts.parquet")
    evaluation = Evaluation(scoring_of(["parseval"], {}), outputs=[by_chunk])
    gold, candidate = (source(trees(12_000), trees(last, 12_000)) for last in (8, 7))
    with pytest.raises(LengthMismatchError):
        evaluate(evaluation, gold, candidate)
    by_chunk.remove()
    assert list(tmp_path.iterdir()) == []


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    cuts=st.lists(st.integers(1, 39), max_size=6),
    arcs=st.lists(st.booleans(), min_size=1, max_size=4),
    random=st.randoms(use_true_random=False),
)
def test_tables_of_counts_do_not_depend_on_chunks(
    cuts: list[int], arcs: list[bool], random: Random, tmp_path: Path
) -> None:
    """Chunks are written in their order, and without relations if no sentence has some."""
    names = ["x" if arcs[number % len(arcs)] else "_" for number in range(40)]
    gold = conllu.loads(ARC.format("x") * 40)
    candidate = conllu.loads("".join(map(ARC.format, names)).replace("\ta\ta", "\tb\tb", 2))
    tables: list[bytes] = []
    for bounds in ([], cuts):
        path = tmp_path / f"{len(tables)}.parquet"
        by_chunk, scoring = CountsByChunk(path), scoring_of(["dependencies"], {})
        evaluation = Evaluation(scoring, outputs=[by_chunk])
        chunks = list(pairwise([0, *sorted(set(bounds)), 40]))
        random.shuffle(chunks)
        for first, last in chunks:
            sides = (Views(bank[first:last], None, facts=Facts.of(bank)) for bank in (gold, candidate))
            evaluation.add(first, *sides)
        (metric,) = evaluation.result().metrics
        is_reduced = metric.metric is not scoring.metrics[0]
        write_counts({"parsed": by_chunk.finish(metric.counts, [], is_reduced=is_reduced)}, path)
        tables.append(path.read_bytes())
        counts = read_counts(path)
        assert counts.values() == metric.counts.values()
        assert len(counts) == 40
        assert ("las" in {measure.name for measure in counts.measures}) == any(arcs)
    assert tables[0] == tables[1]
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["0.parquet", "1.parquet"]


def test_nothing_is_counted_of_a_chunk_with_an_error() -> None:
    evaluation = Evaluation(scoring_of(["parseval", "dependencies"], {}), load_scheme("ptb"))
    good = trees(2)
    evaluation.add(0, Views(good, evaluation.scheme), Views(good, evaluation.scheme))
    before = evaluation.result().counts
    arcs = conllu.loads(ARC.format("x"))
    with pytest.raises(CrossbankError):
        evaluation.add(2, Views(trees(1), evaluation.scheme), Views(arcs, evaluation.scheme))
    assert [counts.values() for counts in evaluation.result().counts] == [one.values() for one in before]
    assert evaluation.sentences == 2


@pytest.mark.parametrize("keep", ["sums", "sentences"])
def test_chunks_without_a_sentence(keep: Keep) -> None:
    nothing = trees(1)[:0]
    evaluation = Evaluation(scoring_of(["parseval"], {}), keep=keep)
    evaluation.add(0, Views(nothing, None), Views(nothing, None))
    assert len(evaluation.result().counts[0]) == 0
    evaluation.add(0, Views(trees(2), None), Views(trees(2), None))
    evaluation.add(2, Views(nothing, None), Views(nothing, None))
    assert evaluation.result().counts[0].values()["f1"] == 1
    with pytest.raises(CrossbankError, match="no sentence was compared"):
        Evaluation(scoring_of(["parseval"], {})).result()


def test_evaluations_that_count_otherwise_are_not_merged() -> None:
    evaluation = Evaluation(scoring_of(["parseval"], {}))
    for other in (
        Evaluation(scoring_of(["parseval"], {"labels": False})),
        Evaluation(scoring_of(["leaf_ancestor"], {})),
        Evaluation(scoring_of(["parseval"], {}), load_scheme("ptb")),
        Evaluation(scoring_of(["parseval"], {}), keep="sentences"),
    ):
        with pytest.raises(CrossbankError, match="merge: the evaluations have different metrics"):
            evaluation.merge(other)


def test_a_metric_that_decides_by_the_text_gets_one_chunk() -> None:
    """The candidate joins the sentences of two chunks."""
    sentences = [ARC.format("x").replace("\ta\ta", f"\tw{n}\tw{n}") for n in range(6)]
    joined = (
        "".join(sentences[:2]) + sentences[2].rstrip("\n") + "\n2" + sentences[3][1:] + "".join(sentences[4:])
    )
    joined = joined.replace("2\tw3\tw3\tX\t_\t_\t0", "2\tw3\tw3\tX\t_\t_\t1")
    evaluation = Evaluation(scoring_of(["conll18"], {}))
    assert evaluation.needs_whole
    gold = [conllu.loads("".join(sentences[first : first + 3])) for first in (0, 3)]
    evaluate(evaluation, source(*gold), source(conllu.loads(joined)))
    assert evaluation.result().counts[0].value("words") == 1


def test_a_sentence_of_two_hundred_thousand_words() -> None:
    words = " ".join(f"(A w{n})" for n in range(200_000))
    gold = bracket.loads(f"(S (A a))\n(S {words})\n(S (A b))\n")
    candidate = bracket.loads(f"(S (A a))\n(S {words.replace('w7)', 'v7)')})\n(S (A b))\n")
    evaluation = Evaluation(scoring_of(["parseval"], {}))
    evaluation.add(0, Views(gold, None), Views(candidate, None))
    evaluated = evaluation.result()
    assert evaluated.counts[0].status_counts() == {"total": 3, "scored": 2, "words differ": 1}
    assert "first in sentence 2 (word 8: found 'v7', expected 'w7')" in str(evaluated.diagnostics[0])


def test_the_first_unscored_sentence_is_named_under_fail() -> None:
    evaluation = Evaluation(scoring_of(["parseval"], {}, "fail"))
    lines = ["(S (A a))"] * 3 + ["(())", "(S (A b))", "(())"]
    gold, candidate = bracket.loads("(S (A a))\n" * 6), bracket.loads("\n".join(lines) + "\n")
    for first in (4, 2, 0):
        rows = slice(first, first + 2)
        evaluation.add(first, *(Views(bank[rows], None, facts=Facts.of(bank)) for bank in (gold, candidate)))
    with raises(UnscoredError, "no parse", sentence="4", number=3):
        evaluation.result()


def test_sums_do_not_grow_with_the_number_of_sentences() -> None:
    evaluation = Evaluation(scoring_of(["parseval"], {}))
    gold, candidate = trees(100), bracket.loads("(())\n" * 100)
    for first in range(0, 5_000, 100):
        evaluation.add(first, *(Views(bank, None, facts=Facts.of(gold)) for bank in (gold, candidate)))
    (metric,) = evaluation.result().metrics
    assert len(metric.counts) == 5_000
    assert len(metric.counts.status) == 1
    assert len(metric.unscored) == MAX_UNSCORED
    assert len(evaluation._runs) == 1


@pytest.mark.parametrize("metric", ["parseval", "leaf_ancestor", "dependencies"])
def test_trees_of_a_chunk_are_freed_after_use(metric: str) -> None:
    """Python frees what refers to itself rarely, and a chunk takes tens of megabytes."""
    evaluation = Evaluation(scoring_of([metric], {}), load_scheme("ptb"))
    facts = Facts(has_constituents=True, has_tags=True)
    evaluation.add(0, *(Views(trees(3), evaluation.scheme, facts=facts) for _ in range(2)))
    gc.collect()
    before = number_of_treebanks()
    gc.disable()
    try:
        banks = [bracket.loads("(S (NP (NN a)) (VP (VB b) (. .)))\n" * 3) for _ in range(2)]
        evaluation.add(3, *(Views(bank, evaluation.scheme, facts=facts) for bank in banks))
        del banks
        assert number_of_treebanks() == before
    finally:
        gc.enable()


def number_of_treebanks() -> int:
    return sum(isinstance(one, Treebank) for one in gc.get_objects())
