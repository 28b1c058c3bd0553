"""All pairs of options of ``score`` and ``compare``: both do what they say, or one line refuses them."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from itertools import combinations, pairwise
from pathlib import Path
from typing import NamedTuple

import click
import pytest

from crossbank.workflow.commands.cli import COMMAND_LINE, main
from crossbank.workflow.commands.score import EXCLUDED, REQUIRED
from tests.cases import each

GOLD = """\
(S (NP (DT The) (NN cat)) (VP (VBD saw) (NP (DT a) (NN bird))) (. .))
(S (NP (NNP Kim)) (VP (VBD saw) (NP (NP (DT a) (NN bird)) (PP (IN in) (NP (NNP May))))) (. .))
"""
CANDIDATE = """\
(S (NP (DT The) (NN cat)) (VP (VBD saw) (NP (DT a) (NN bird))) (. .))
(S (NP (NNP Kim)) (VP (VBD saw) (NP (DT a) (NN bird)) (PP (IN in) (NP (NNP May)))) (. .))
"""
OTHER = """\
(S (NP (DT The) (NN cat)) (VBD saw) (NP (DT a) (NN bird)) (. .))
(())
"""


FILES = {
    "gold.mrg": GOLD,
    "one.mrg": CANDIDATE,
    "other.mrg": OTHER,
    "p.prm": "LABELED 1\n",
    "model": "S -> 'a' [1.0]\n",
}


class Answer(NamedTuple):
    """What a call did, with the folder in which it was made."""

    code: int
    out: str
    err: str
    folder: Path


def called(folder: Path, command: str, *words: str) -> Answer:
    """Return the answer to a call on the three files."""
    for name, content in FILES.items():
        (folder / name).write_text(content, encoding="utf-8")
    candidates = ["one.mrg"] if command == "score" else ["one.mrg", "other.mrg"]
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.chdir(folder)
        code = main([command, "gold.mrg", *candidates, *words])
    return Answer(code, out.getvalue(), err.getvalue(), folder)


def printed(*texts: str) -> Callable[[Answer], bool]:
    return lambda report: any(text in report.out for text in texts)


class Use(NamedTuple):
    """An option with a value, and how one sees that it was heeded; without that only that nothing fails.

    needed  what it needs besides, one of these
    """

    words: tuple[str, ...]
    heeded: Callable[[Answer], bool] = lambda answer: True
    needed: tuple[tuple[str, ...], ...] = ()


SCORE: Mapping[str, Use] = {
    "format": Use(("--format", "bracket")),
    "candidate_format": Use(("--candidate-format", "bracket")),
    "encoding": Use(("--encoding", "latin-1")),
    "scheme": Use(("--scheme", "ptb"), printed("scheme:ptb")),
    "metric": Use(("--metric", "parseval"), printed("parseval")),
    "option": Use(("--option", "{option}"), printed("trivial:no", "evalb", "EVALB", "-- All --")),
    "explain": Use(("--explain",), printed("one choice changed", '"conventions"')),
    "mode": Use(("--mode", "evalb"), printed("-- All --", "EVALB", '"name": "evalb"')),
    "parameters": Use(
        ("--parameters", "p.prm"),
        printed("p.prm", "evalb", "EVALB", "-- All --"),
        (("--mode", "evalb"), ("--explain",)),
    ),
    "damaged": Use(("--damaged", "repair")),
    "unscored": Use(("--unscored", "skip"), printed("unscored:skip")),
    "words": Use(("--words", "align"), printed("compared_words:align")),
    "best": Use(("--best", "random")),
    "seed": Use(("--seed", "7"), needed=(("--best", "random"),)),
    "by": Use(("--by", "length"), printed("length  ", '"by_length"')),
    "find": Use(("--find", "NP < PP"), printed("NP < PP")),
    "mine": Use(("--mine",), printed("onfiguration")),
    "against": Use(("--against", "other.mrg"), printed("minus other.mrg", '"against"')),
    "per_bit": Use(("--per-bit", "model"), printed("per bit of model:", '"per_bit"')),
    "fail_under": Use(
        ("--fail-under", "{metric}.f1=100%"),
        lambda answer: answer.code == 1 and "expected at least 1 (--fail-under)" in answer.err,
    ),
    "baseline": Use(
        ("--baseline", "better.json"),
        lambda answer: answer.code == 1 and "expected at least 1 (--baseline better.json)" in answer.err,
    ),
    "strict": Use(("--strict",)),
    "memory": Use(("--memory", "4G")),
    "json": Use(("--json",), lambda answer: isinstance(json.loads(answer.out), dict)),
    "per_sentence": Use(
        ("--per-sentence", "counts.csv"), lambda answer: (answer.folder / "counts.csv").is_file()
    ),
}

COMPARE: Mapping[str, Use] = {
    "format": SCORE["format"],
    "candidate_format": SCORE["candidate_format"],
    "damaged": SCORE["damaged"],
    "encoding": SCORE["encoding"],
    "scheme": Use(("--scheme", "ptb"), printed("scheme:ptb", "| one")),
    "metric": Use(("--metric", "leaf_ancestor"), printed("leaf_ancestor", "Leaf-ancestor")),
    "option": Use(("--option", "{option}"), printed("root:no", "| one", "| ours")),
    "unscored": Use(("--unscored", "skip"), printed("unscored:skip", "| one", "| ours")),
    "words": Use(("--words", "align"), printed("compared_words:align")),
    "memory": SCORE["memory"],
    "names": Use(("--names", "ours,theirs"), printed("theirs")),
    "trials": Use(("--trials", "200")),
    "samples": Use(("--samples", "50")),
    "seed": Use(("--seed", "7")),
    "json": Use(("--json",), lambda answer: isinstance(json.loads(answer.out), dict)),
    "report": Use(("--report", "made"), lambda answer: (answer.folder / "made/report/index.html").is_file()),
}
USES = {"score": SCORE, "compare": COMPARE}


def refused(command: str, *options: str) -> bool:
    """Return whether the table says that options cannot be combined."""
    if command != "score":
        return False
    excluded = any(
        option in options and ("per_bit" if other == "added" else other) in options
        for option, others in EXCLUDED.items()
        for other in others
    )
    return excluded or any(
        option in options and not set(others) & set(options) for option, others in REQUIRED.items()
    )


@each(command=USES)
def test_each_option_is_looked_at(command: str) -> None:
    actual = COMMAND_LINE.get_command(click.Context(COMMAND_LINE), command)
    assert actual is not None
    options = {param.name for param in actual.params if isinstance(param, click.Option)}
    assert options - {"quiet", "colour"} == set(USES[command])


def words_of(command: str, pair: tuple[str, ...]) -> tuple[list[str], set[str]]:
    """Return the words of a call with two options and what they need, and the names of all options in it."""
    uses = [USES[command][name] for name in pair]
    needed = [
        use.needed
        for use in uses
        if use.needed and not any(n[0] in o.words for n in use.needed for o in uses)
    ]
    calls = [[word for use in uses for word in use.words]]
    for alternatives in needed:
        calls = [[*call, *further] for call in calls for further in alternatives]
    named = [{word[2:].replace("-", "_") for word in call if word.startswith("--")} for call in calls]
    index = next((index for index, names in enumerate(named) if not refused(command, *names)), 0)
    mode = "mode" in named[index]
    values = {"metric": "evalb" if mode else "parseval", "option": "max_error=5" if mode else "trivial=no"}
    values["option"] = "root=no" if command == "compare" else values["option"]
    return [word.format(**values) for word in calls[index]], named[index]


@each(pair=combinations(SCORE, 2))
def test_a_pair_of_score_is_served_or_refused(tmp_path: Path, pair: tuple[str, str]) -> None:
    served_or_refused(tmp_path, "score", pair)


JSON_AND_ANOTHER = [pair for pair in combinations(COMPARE, 2) if "json" in pair]


@each(pair=JSON_AND_ANOTHER)
def test_an_option_of_compare_is_served_with_json(tmp_path: Path, pair: tuple[str, str]) -> None:
    served_or_refused(tmp_path, "compare", pair)


@pytest.mark.slow
@each(pair=[pair for pair in combinations(COMPARE, 2) if pair not in JSON_AND_ANOTHER])
def test_a_pair_of_compare_is_served_or_refused(tmp_path: Path, pair: tuple[str, str]) -> None:
    served_or_refused(tmp_path, "compare", pair)


def served_or_refused(tmp_path: Path, command: str, pair: tuple[str, str]) -> None:
    folder = tmp_path / "-".join((command, *pair))
    folder.mkdir()
    words, names = words_of(command, pair)
    if "baseline" in names and not refused(command, *names):
        (folder / "better.json").write_text(scores_of_gold(folder, words), encoding="utf-8")
    before = {path.name for path in folder.iterdir()}
    report = called(folder, command, *words)
    if refused(command, *names):
        assert (report.code, report.out, report.err.count("\n")) == (2, "", 1), report
        assert any(f"--{name.replace('_', '-')}" in report.err for name in pair)
        assert "not work with" in report.err or "needs" in report.err
        assert {path.name for path in folder.iterdir()} <= {*before, *FILES}
    else:
        assert report.code == int(bool({"fail_under", "baseline"} & names)), report
        for name in pair:
            assert USES[command][name].heeded(report), (name, report)


def scores_of_gold(folder: Path, words: list[str]) -> str:
    """Return the JSON of gold against itself under the conventions of a call."""
    retained = (
        "--scheme",
        "--metric",
        "--option",
        "--mode",
        "--parameters",
        "--unscored",
        "--words",
        "--best",
        "--seed",
    )
    conventions = [w for word, value in pairwise([*words, ""]) if word in retained for w in (word, value)]
    out = io.StringIO()
    for name, content in FILES.items():
        (folder / name).write_text(content, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out):
        patch.chdir(folder)
        assert main(["score", "gold.mrg", "gold.mrg", *conventions, "--json"]) == 0
    return out.getvalue()


@each(
    case=[
        (("--per-sentence", "x.txt"), "found 'x.txt', expected a name in .csv or .parquet"),
        (("--fail-under", "f1=0.9"), "--fail-under: found 'f1=0.9', expected METRIC.MEASURE=NUMBER"),
        (("--baseline", "gold.mrg"), "--baseline gold.mrg: there are no scores"),
    ]
)
def test_what_cannot_be_written_or_met_is_refused_before_anything_is_scored(
    tmp_path: Path, case: tuple[tuple[str, str], str]
) -> None:
    words, expected = case
    report = called(tmp_path, "score", *words)
    assert (report.code, report.out, report.err.count("\n")) == (2, "", 1)
    assert expected in report.err
