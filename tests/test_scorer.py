"""``crossbank.Scorer``, results that are added, pickled and compared, modes and warnings in Python."""

from __future__ import annotations

import copy
import gc
import pickle
import subprocess
import sys
import warnings
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import crossbank
from crossbank import scorer as scorer_module
from crossbank.converters.patterns.syntax import PatternError
from crossbank.converters.scheme_files import SCHEMES
from crossbank.metrics.modes.modes_by_name import MODES, measures_of_mode
from crossbank.reports.results.result import UnknownMeasureError
from crossbank.treebanks.chunks import LengthMismatchError
from crossbank.treebanks.errors import FormatError, MissingAnnotationError, OptionError
from crossbank.treebanks.extras import MissingExtraError
from crossbank.treebanks.formats import bracket, conllx
from crossbank.treebanks.in_memory.elements import ElementError
from tests.errors import raises

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "examples"
GOLD, ALPHA, BETA = (str(EXAMPLES / f"tiger.{name}") for name in ("export", "alpha.mrg", "beta.mrg"))
TREES = [f"(S (NP (DT the) (NN w{i})) (VP (VBZ barks) (NP (NN it))) (. .))" for i in range(50)]
PARSED = [tree.replace("(VP (VBZ barks) (NP (NN it)))", "(VBZ barks) (NN it)", 1) for tree in TREES]
PARSED = [parsed if i % 3 else tree for i, (tree, parsed) in enumerate(zip(TREES, PARSED, strict=True))]


@pytest.fixture(scope="module")
def by_path() -> crossbank.Result:
    return crossbank.score(GOLD, ALPHA, scheme="tiger")


def test_a_prepared_scorer_gives_what_score_gives(by_path: crossbank.Result) -> None:
    scorer = crossbank.Scorer("parseval", scheme="tiger", gold=GOLD)
    for _ in range(2):
        assert scorer.score(ALPHA) == by_path
    assert scorer.score(crossbank.read(ALPHA)) == by_path
    assert scorer.score(BETA) != by_path
    assert crossbank.Scorer("parseval", scheme="tiger").score(ALPHA, GOLD) == by_path
    several = crossbank.Scorer(["parseval", "leaf_ancestor"], "tiger", GOLD).score(ALPHA)
    assert isinstance(several, dict)
    assert several["parseval"] == by_path


@pytest.mark.parametrize("size", [1, 7, 50])
def test_chunks_give_what_all_sentences_give(size: int) -> None:
    whole = crossbank.score(TREES, PARSED, scheme="ptb")
    scorer = crossbank.Scorer(scheme="ptb", sentences=True)
    others = crossbank.Scorer(scheme="ptb", sentences=True)
    sums = crossbank.Scorer(scheme="ptb")
    for first in range(0, 50, size):
        sums.update(TREES[first : first + size], PARSED[first : first + size])
        target = scorer if first < 25 else others
        target.update(TREES[first : first + size], PARSED[first : first + size])
    if size < 50:
        scorer.merge(others)
    result = scorer.compute()
    assert isinstance(result, crossbank.Result)
    assert dict(result) == dict(whole)
    assert result.signature == whole.signature
    assert result.breakdown("label") == whole.breakdown("label")
    assert result.interval() == whole.interval()
    if size != 7:
        assert result.sentences["f1"] == whole.sentences["f1"]
    summed = sums.compute()
    assert isinstance(summed, crossbank.Result)
    assert summed == whole
    assert summed.breakdown("label") == whole.breakdown("label")
    assert len(summed.counts.status) == 1
    for requested in (summed.interval, lambda: summed.sentences):
        with pytest.raises(crossbank.CrossbankError, match="sums alone"):
            requested()
    scorer.reset()
    with pytest.raises(crossbank.CrossbankError, match="compute: nothing was counted"):
        scorer.compute()


def test_generators_are_compared_chunk_by_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = crossbank.score(TREES, PARSED)
    monkeypatch.setattr(scorer_module, "AT_ONCE", 8)
    result = crossbank.score(iter(TREES), (tree for tree in PARSED))
    assert result == whole
    assert result.breakdown("label") == whole.breakdown("label")
    with pytest.raises(crossbank.CrossbankError, match="items of parseval: found counts alone"):
        len(result.items)
    for gold, candidate in ((TREES[:40], PARSED), (TREES, PARSED[:40]), (TREES, PARSED[:44])):
        with pytest.raises(LengthMismatchError) as raised:
            crossbank.score(gold, candidate)
        sizes = raised.value.gold.sentences, raised.value.candidate.sentences
        assert sizes == (len(gold), len(candidate))


def test_an_iterator_that_ends_early_and_other_words() -> None:
    with raises(LengthMismatchError, gold=("gold", 50), candidate=("candidate", 49)):
        crossbank.score(TREES, PARSED[:49])
    with pytest.warns(crossbank.CrossbankWarning, match="1 of 50 sentences"):
        result = crossbank.score(TREES, [*PARSED[:49], TREES[0]])
    assert [(problem.sentence, problem.detail) for problem in result.problems] == [
        ("50", "word 2: found 'w0', expected 'w49'")
    ]


def test_nothing_is_counted_of_a_chunk_with_an_error() -> None:
    def failing() -> Iterator[str]:
        yield PARSED[0]
        raise ValueError("no more")

    scorer = crossbank.Scorer()
    scorer.update(TREES[:2], PARSED[:2])
    for gold, candidate in ((TREES[:2], failing()), (TREES[:2], PARSED[:1]), ([5], PARSED[:1])):
        with pytest.raises(crossbank.CrossbankError):
            scorer.update(gold, candidate)
    assert len(scorer.compute().counts) == 2  # type: ignore[union-attr]


def test_scorers_that_count_otherwise_are_not_merged() -> None:
    with pytest.raises(
        crossbank.CrossbankError, match="merge: found <Scorer: parseval>, expected a Scorer with"
    ):
        crossbank.Scorer().merge(crossbank.Scorer(labels=False))
    with pytest.raises(crossbank.CrossbankError, match="gold is missing: pass it to"):
        crossbank.Scorer().score(TREES)


@pytest.mark.parametrize("copied", [lambda one: pickle.loads(pickle.dumps(one)), copy.deepcopy])
def test_scorers_are_copied_and_pickled_with_what_they_have_counted(
    copied: Callable[[crossbank.Scorer], crossbank.Scorer],
) -> None:
    """Wrappers for torchmetrics are deep-copied, and processes send scorers back."""
    scorer = crossbank.Scorer(["parseval", "leaf_ancestor"], scheme="tiger", gold=GOLD)
    scorer.update(GOLD, ALPHA)
    other = copied(scorer)
    assert repr(other) == repr(scorer)
    assert other.compute() == scorer.compute()
    assert other.score(ALPHA) == scorer.score(ALPHA)
    scorer.merge(other)
    assert [len(actual.counts) for actual in scorer.compute().values()] == [240, 240]  # type: ignore[union-attr]
    assert [len(actual.counts) for actual in other.compute().values()] == [120, 120]  # type: ignore[union-attr]


def test_a_scorer_is_unpickled_in_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its scheme is found there: one of ours by its name, a file of yours by where it is."""
    own = tmp_path / "own.yaml"
    own.write_text("name: own\nextends: ptb\ntitle: Own\nsources: [me]\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    scorer, computed = crossbank.Scorer(scheme="own.yaml"), crossbank.Scorer(scheme="tuebadz")
    scorer.update(TREES, PARSED)
    pickled = pickle.dumps(scorer)
    assert str(SCHEMES.path("tiger").parent).encode() not in pickle.dumps(computed)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    scorer.merge(pickle.loads(pickled))
    assert len(scorer.compute().counts) == 100  # type: ignore[union-attr]
    own.write_text("name: own\nextends: tiger\ntitle: Own\nsources: [me]\n", encoding="utf-8")
    for other in (computed, pickle.loads(pickled)):
        with pytest.raises(
            crossbank.CrossbankError, match="expected a Scorer with the same metrics, options"
        ):
            scorer.merge(other)


def test_parts_that_nobody_wants_are_not_there() -> None:
    scorer = crossbank.Scorer(["parseval", "dependencies"], scheme="ptb", breakdowns=["label"])
    scorer.update(TREES, PARSED)
    actual = pickle.loads(pickle.dumps(scorer)).compute()
    assert [result.breakdowns for result in actual.values()] == [["label"], []]
    assert pickle.loads(pickle.dumps(actual["parseval"])).breakdown("label").rows()
    with raises(OptionError, kind="breakdown of dependencies", value="relation", allowed="none"):
        actual["dependencies"].breakdown("relation")


@pytest.mark.filterwarnings("ignore::crossbank.CrossbankWarning")
def test_scores_of_no_sentence_have_no_interval() -> None:
    result = crossbank.score(TREES[:2], [None, None], unscored="skip")
    interval = result.interval("f1")
    assert np.isnan([result["f1"], interval.value, interval.low, interval.high]).all()


def test_a_scorer_that_has_counted_nothing_is_merged() -> None:
    """A process may have got no batch."""
    scorer, other = crossbank.Scorer(), crossbank.Scorer()
    scorer.update(TREES, PARSED)
    expected = scorer.compute()
    scorer.merge(pickle.loads(pickle.dumps(other)))
    assert scorer.compute() == expected
    other.merge(scorer)
    assert other.compute() == expected


def test_threads_share_a_scorer() -> None:
    scorer = crossbank.Scorer(["parseval", "leaf_ancestor"], scheme="ptb", gold=TREES)
    expected = scorer.score(PARSED)
    with ThreadPoolExecutor(8) as threads:
        actual = list(threads.map(lambda _: scorer.score(PARSED), range(40)))
        assert all(one == expected for one in actual)
        list(threads.map(lambda _: scorer.update(TREES, PARSED), range(40)))
    computed = scorer.compute()
    assert isinstance(computed, dict)
    assert isinstance(expected, dict)
    for name, result in computed.items():
        assert len(result.counts) == 40 * 50
        assert dict(result) == pytest.approx(dict(expected[name]))


@pytest.mark.slow
def test_ten_thousand_calls_leave_nothing_behind() -> None:
    """In a process of its own, whose memory nothing else changes."""
    program = """
import crossbank, gc, pickle, psutil, sys
gold, parsed = pickle.load(sys.stdin.buffer)
scorer = crossbank.Scorer(gold=gold)

def memory_after(calls):
    for _ in range(calls):
        scorer.score(parsed)
    gc.collect()
    return psutil.Process().memory_info().rss

before = memory_after(500)
print(memory_after(10_000) - before)
"""
    trees = pickle.dumps((TREES[:2], PARSED[:2]))
    ran = subprocess.run([sys.executable, "-c", program], input=trees, capture_output=True, check=True)
    assert int(ran.stdout) < 4_000_000


def test_results_are_pickled_and_compared(by_path: crossbank.Result) -> None:
    back = pickle.loads(pickle.dumps(by_path))
    assert back == by_path
    assert (back.signature, back.signature.choices["scheme"]) == (by_path.signature, "tiger")
    assert back.breakdown("label") == by_path.breakdown("label")
    assert back.interval("f1") == by_path.interval("f1")
    assert back.sentences == by_path.sentences
    assert back == dict(by_path)
    with pytest.raises(crossbank.CrossbankError, match="items of parseval"):
        back.items.rows()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        macro = crossbank.score(GOLD, ALPHA, scheme="tiger", average="macro")
    assert pickle.loads(pickle.dumps(macro)) == macro != by_path


@pytest.mark.parametrize(
    "error",
    [
        ElementError("gold", 3, "a number", "a tree"),
        FormatError("a.conllu", "'x'", "a number", line=3, sentence="s1"),
        OptionError("metric", "x", ["parseval"]),
        PatternError("NP <<", 5, "the end", "a label"),
        UnknownMeasureError("measure", "x", ["f1"]),
        MissingExtraError("delphin", "tsdb"),
        crossbank.CrossbankError("x" * 400, longer=200),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_come_back_from_other_processes(error: crossbank.CrossbankError) -> None:
    """``multiprocessing.Pool`` waits for ever for an error that cannot be unpickled."""
    back = pickle.loads(pickle.dumps(error))
    assert type(back) is type(error)
    assert (str(back), back.args, vars(back)) == (str(error), error.args, vars(error))
    if isinstance(error, ImportError):
        assert back.msg == error.msg


def test_results_of_processes_are_added() -> None:
    program = (
        "import crossbank, pickle, sys; trees = pickle.load(sys.stdin.buffer);"
        "pickle.dump(crossbank.score(*trees, scheme='ptb'), sys.stdout.buffer)"
    )
    parts = []
    for part in (slice(0, 20), slice(20, 50)):
        trees = pickle.dumps((TREES[part], PARSED[part]))
        ran = subprocess.run([sys.executable, "-c", program], input=trees, capture_output=True, check=True)
        parts.append(pickle.loads(ran.stdout))
    whole = crossbank.score(TREES, PARSED, scheme="ptb")
    assert dict(sum(parts)) == dict(whole)  # type: ignore[call-overload]
    assert (parts[0] + parts[1]).breakdown("label") == whole.breakdown("label")
    many = sum([parts[0]] * 2000)
    assert len(many.breakdown("label")) == len(whole.breakdown("label"))  # type: ignore[union-attr]
    with pytest.raises(
        crossbank.CrossbankError, match="found labels:no beside labels:yes, expected the same"
    ):
        parts[0] + crossbank.score(TREES, PARSED, scheme="ptb", labels=False)
    with pytest.raises(crossbank.CrossbankError, match="results: found leaf_ancestor beside parseval"):
        parts[0] + crossbank.score(TREES, PARSED, "leaf_ancestor")


def test_items_are_what_was_counted(by_path: crossbank.Result) -> None:
    items = by_path.items
    assert items.columns[:3] == ["metric", "candidate", "sentence"]
    both = sum(side == "both" for side in items["side"])
    assert both == by_path.counts.sums()["matched"] == sum(by_path.sentences["matched"])
    assert dict(by_path.items()) == dict(by_path)
    assert next(iter(items))["type"] == "bracket"
    table = by_path.sentences
    assert table.columns[:3] == ["metric", "candidate", "sentence"]
    assert set(table["candidate"]) == {ALPHA}
    assert table.__dataframe__().num_rows() == 120
    assert items.to_arrow().num_rows == len(items)


@pytest.mark.parametrize("mode", MODES)
def test_a_modes_measures_can_be_found_again(mode: str) -> None:
    names = [measure.name for measure in measures_of_mode(mode)]
    assert names
    assert len(names) == len(set(names))


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    paths = [tmp_path / "gold.mrg", tmp_path / "parsed.mrg"]
    for path, trees in zip(paths, (TREES, [*PARSED[:48], "", PARSED[49]]), strict=True):
        path.write_text("".join(f"{tree}\n" for tree in trees), encoding="utf-8")
    return paths


PARAMETERS = {"LABELED": 1, "DELETE_LABEL": ["TOP", "."], "EQ_LABEL": [("ADVP", "PRT"), ("NP", "S")]}


def test_evalb_in_memory_is_evalb_on_files(files: list[Path], tmp_path: Path) -> None:
    lines = ["LABELED 1", "DELETE_LABEL TOP", "DELETE_LABEL .", "EQ_LABEL ADVP PRT", "EQ_LABEL NP S"]
    (tmp_path / "parameters").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    command = [sys.executable, "-m", "crossbank", "score", *files, "--mode", "evalb"]
    ran = subprocess.run(
        [*command, "--parameters", tmp_path / "parameters"], capture_output=True, text=True, check=True
    )
    candidate = [*PARSED[:48], None, PARSED[49]]
    with warnings.catch_warnings(record=True):
        warnings.simplefilter("always")
        on_files = crossbank.score(*files, mode="evalb", parameters=tmp_path / "parameters")
        in_memory = crossbank.score(TREES, candidate, mode="evalb", parameters=PARAMETERS)
        trees = crossbank.score(
            crossbank.Treebank(TREES).to_nltk(),
            crossbank.Treebank(candidate),
            mode="evalb",
            parameters=PARAMETERS,
        )
    assert on_files.report == in_memory.report == ran.stdout
    assert dict(trees) == dict(in_memory)
    back = pickle.loads(pickle.dumps(in_memory))
    assert (back, back.report) == (in_memory, in_memory.report)
    assert in_memory.signature == on_files.signature


def test_several_roots_in_memory_are_to_disco_dop_what_they_are_in_a_file() -> None:
    bank = crossbank.read(GOLD)
    in_memory = crossbank.score(bank, bank, mode="discodop")
    assert in_memory.report == crossbank.score(GOLD, GOLD, mode="discodop").report


def test_dependencies_by_conll18_and_eval_pl(tmp_path: Path) -> None:
    bank = crossbank.read(EXAMPLES / "ud.conllu") if (EXAMPLES / "ud.conllu").is_file() else None
    triples: list[Any] = [(["a", "b", "c"], [2, 0, 2], ["det", "root", "obj"])] * 3
    candidate: list[Any] = [triples[0], (["a", "b", "c"], [2, 0, 1], ["det", "root", "obj"]), triples[0]]
    for mode, name, score in (("conll18", "uas", 8 / 9), ("eval07", "uas", 8 / 9), ("conllx", "las", 8 / 9)):
        result = crossbank.score(triples, candidate, mode=mode)
        assert result[name] == pytest.approx(score)
        assert pickle.loads(pickle.dumps(result)) == result
        assert result.report
    assert bank is None or crossbank.score(bank, bank, mode="conll18")["uas"] == 1


@pytest.mark.parametrize("mode", ["evalb", "evalb_spmrl", "discodop"])
def test_programs_of_trees_are_given_no_dependencies(mode: str, tmp_path: Path) -> None:
    """Their words in brackets would be the same on both sides, whatever their heads are."""
    gold, candidate = ([(["a", "b"], heads, ["x", "y"])] for heads in ([2, 0], [0, 1]))
    paths = [str(tmp_path / name) for name in ("gold.conllu", "candidate.conllu")]
    for side, path in zip((gold, candidate), paths, strict=True):
        crossbank.write(crossbank.read(side), path)
    for sides in ((gold, candidate), (crossbank.read(gold), candidate), paths):
        with raises(MissingAnnotationError, annotation="trees"):
            crossbank.score(*sides, mode=mode)
    assert crossbank.score(["(S (A a))"], [(["a"], [])], mode=mode)["recall"] == 0


@pytest.mark.parametrize("mode", ["eval07", "conllx"])
def test_programs_of_dependencies_are_given_no_trees(mode: str, tmp_path: Path) -> None:
    """Their empty columns would be the same on both sides."""
    gold, candidate = (crossbank.read(TREES), crossbank.read(PARSED))
    paths = [str(tmp_path / name) for name in ("gold.mrg", "candidate.mrg")]
    for side, path in zip((gold, candidate), paths, strict=True):
        crossbank.write(side, path)
    for sides in ((TREES, PARSED), (gold, candidate), paths):
        with pytest.raises(crossbank.CrossbankError, match="there are no dependencies"):
            crossbank.score(*sides, mode=mode)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"trials": 10.5}, "trials: found 10.5, expected a whole number from 1"),
        ({"trials": 0}, "trials: found 0, expected a whole number from 1"),
        ({"seed": -1}, "seed: found -1, expected a whole number from 0"),
        ({"alpha": 5}, "alpha: found 5, expected a proportion between 0 and 1"),
    ],
)
def test_mistakes_about_tests(arguments: dict[str, Any], message: str, by_path: crossbank.Result) -> None:
    with pytest.raises(OptionError, match=message):
        crossbank.compare(TREES, {"a": PARSED, "b": [*PARSED[:49], None]}, **arguments)
    if arguments.keys() <= {"seed"}:
        with pytest.raises(OptionError, match=message):
            by_path.interval(**arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"mode": "evalc"}, "mode: found 'evalc'"),
        ({"mode": "evalb", "scheme": "ptb"}, "mode evalb: found scheme=, which works without a mode only"),
        ({"parameters": {}}, "parameters: they need a mode (mode=)"),
        (
            {"mode": "evalb", "parameters": {"LABELLED": 1}},
            "parameters:1: found the key 'LABELLED', expected",
        ),
    ],
)
def test_mistakes_about_modes(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(crossbank.CrossbankError) as raised:
        crossbank.score(TREES, PARSED, **arguments)
    assert str(raised.value).startswith(message)


def test_a_forgotten_scheme_is_warned_of_once_with_a_hint(tmp_path: Path) -> None:
    program = f"""
import crossbank
for _ in range(3):
    result = crossbank.score({GOLD!r}, {ALPHA!r})
print(round(result["f1"], 3), *result.warnings, sep="\\n")
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    command = [sys.executable, "-m", "crossbank", "score", GOLD, ALPHA]
    message = subprocess.run(command, capture_output=True, text=True, check=True).stderr.splitlines()
    expected = [line.removeprefix("warning: ") for line in message if line.startswith("warning: ")]
    messages = ran.stdout.splitlines()[1:]
    assert [line.partition(" (")[0] for line in messages] == [line.partition(" (")[0] for line in expected]
    assert ["--scheme negra or tiger" in line for line in expected] == [True, False, False]
    # Each speaks of its own options.
    assert ['use scheme="negra" or "tiger"' in line for line in messages] == [True, False, False]
    assert messages[2].endswith('(delete it there: crossbank.transform(bank, ["delete_roots"]))')
    assert ran.stderr.count("CrossbankWarning") == len(expected)
    assert "<string>:4" in ran.stderr


def test_a_scorer_says_what_it_counts() -> None:
    scorer = crossbank.Scorer(["parseval", "leaf_ancestor"], "ptb", TREES)
    before = f"<Scorer: parseval, leaf_ancestor; scheme ptb; gold of {len(TREES)} sentences"
    assert repr(scorer) == f"{before}>"
    scorer.update(TREES[:1], TREES[:1])
    assert repr(scorer) == f"{before}; 1 sentence counted>"


def test_a_training_loop_warns_once() -> None:
    scorer = crossbank.Scorer()
    with warnings.catch_warnings(record=True) as noticed:
        warnings.simplefilter("always")
        for _ in range(3):
            scorer.update(TREES, TREES)
    assert [warning.category for warning in noticed] == [crossbank.CrossbankWarning]
    assert len(scorer.compute().warnings) == 1  # type: ignore[union-attr]


def test_columns_of_numpy_are_heads_too() -> None:
    triple = (["a", "b"], np.array([2, 0]), ["x", "root"])
    other = (["a", "b"], np.array([0, 1]), ["x", "root"])
    assert crossbank.score([triple, triple], [triple, other], "dependencies")["uas"] == 0.5


def test_words_may_be_a_column_of_numpy() -> None:
    spans = (np.array(["Anna", "sleeps"]), np.array([(0, 2, "S")], dtype=object))
    assert crossbank.score([spans], ["(S (A Anna) (B sleeps))"])["f1"] == 1


def test_the_version_is_the_distributions() -> None:
    from importlib.metadata import version

    assert crossbank.__version__ == version("crossbank")
    assert crossbank.Treebank(GOLD).equals(crossbank.read(GOLD))
    assert crossbank.loads(bracket.dumps(crossbank.Treebank(TREES)), "bracket").tokens
    assert conllx.loads


@pytest.mark.filterwarnings("ignore::crossbank.CrossbankWarning")
@pytest.mark.parametrize("metric", ["parseval", "leaf_ancestor", "dependencies", "tree_distance"])
@pytest.mark.parametrize("words", [["dogs", "bark"], [("dogs", "NNS"), ("bark", "VBP")]])
def test_a_batch_may_be_of_parses_that_found_nothing(metric: str, words: list[Any]) -> None:
    """Batches of one add up to all sentences, and none of them is refused, whatever the others are."""
    gold = ["(TOP (S (NP (NNS dogs)) (VP (VBP bark))))", "(TOP (INTJ (UH Yes)))"]
    for parsed in ([(words, []), (["Yes"], [])], [(words, [(0, 2, "S")]), (["Yes"], [])], [None, "(UH Yes)"]):
        scorer = crossbank.Scorer(metric, scheme="ptb")
        for one, other in zip(gold, parsed, strict=True):
            scorer.update([one], [other])
        assert scorer.compute() == crossbank.score(gold, parsed, metric, scheme="ptb")
    with pytest.warns(crossbank.CrossbankWarning, match="the candidate has words.*, and neither phrases nor"):
        assert crossbank.score(gold[:1], [(words, [])], scheme="ptb")["recall"] == 0
    with raises(MissingAnnotationError, annotation="trees", where="gold"):
        crossbank.score([(words, [])], [(words, [])])


def test_a_batch_may_be_of_trees_without_phrases() -> None:
    """A sentence of one word, or a parser that finds no phrase, loses its only node with the root."""
    scorer = crossbank.Scorer(["parseval", "leaf_ancestor"], scheme="ptb")
    scorer.update(["(TOP (UH Yes))"], ["(TOP (UH Yes))"])
    scorer.update(["(TOP (S (NP (NN dogs)) (VP (VBP bark))))"], ["(TOP (NN dogs) (VBP bark))"])
    result = scorer.compute()
    assert isinstance(result, dict)
    assert result["parseval"].counts.status_counts()["scored"] == 2
    assert result["parseval"]["recall"] == 0
    with raises(MissingAnnotationError, annotation="trees", where="candidate"):
        scorer.update(["(S (NP (NN dogs)) (VP (VBP bark)))"], [(["dogs", "bark"], [2, 0], ["nsubj", "root"])])


def test_a_result_is_freed_without_the_garbage_collector() -> None:
    """A cycle would leave each of a million results to the collector, which takes a tenth of the time."""
    scorer = crossbank.Scorer("parseval", scheme="ptb", gold=TREES[:1])
    gc.disable()
    try:
        result = scorer.score(PARSED[:1])
        assert isinstance(result, crossbank.Result)
        assert 0 < result["f1"] <= 1
        alive = weakref.ref(result.counts)
        del result
        assert alive() is None
    finally:
        gc.enable()
