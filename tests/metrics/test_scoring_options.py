"""Options of several metrics: each metric's own, those of all, those written for one of them."""

from pathlib import Path
from typing import Any

import pytest

import crossbank
from crossbank.metrics.counting.metric import METRICS, metric_class, types_of_options
from crossbank.metrics.counting.scoring import options_of_each, scoring_of
from crossbank.treebanks import OptionError
from crossbank.workflow.commands.cli import main
from crossbank.workflow.steps.here import run_here

EXAMPLES = Path(__file__).parents[2] / "examples"
GOLD, ALPHA, BETA = (str(EXAMPLES / name) for name in ("tiger.export", "tiger.alpha.mrg", "tiger.beta.mrg"))
BOTH = ["parseval", "dependencies"]
AMBIGUOUS_ROOTS = (
    "option roots: found 'no', expected parseval.roots=... or dependencies.roots=..., since these metrics "
    "mean different things by it"
)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"dependencies.roots": "no"}, ({}, {"roots": "no"})),
        ({"dependencies.roots": "no", "parseval.roots": "trees"}, ({"roots": "trees"}, {"roots": "no"})),
        ({"labels": "no"}, ({"labels": "no"}, {"labels": "no"})),
        ({"parseval.labels": "yes", "labels": "no"}, ({"labels": "yes"}, {"labels": "no"})),
        ({"subtypes": "no", "delete": "none"}, ({"delete": "none"}, {"subtypes": "no", "delete": "none"})),
    ],
)
def test_an_option_goes_where_it_belongs(options: dict[str, object], expected: tuple[Any, Any]) -> None:
    assert tuple(options_of_each(BOTH, options)) == expected


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"roots": "no"}, AMBIGUOUS_ROOTS),
        ({"leaf_ancestor.cost": "exact"}, "found 'leaf_ancestor', expected one of parseval, dependencies"),
        (
            {"dependencies.rots": "no"},
            "option: found 'dependencies.rots', expected one of labels, roots, subt",
        ),
        (
            {"dependencies.delete": "none"},
            "option: found 'dependencies.delete', expected one of labels, roots",
        ),
        ({"dependencies.roots": "trees"}, "option roots: found 'trees', expected one of yes, no"),
        ({"price": "exact"}, "option: found 'price', expected one of align, "),
    ],
)
def test_an_option_that_goes_nowhere_is_named(options: dict[str, object], message: str) -> None:
    with pytest.raises(OptionError) as error:
        scoring_of(BOTH, options)
    assert message in str(error.value)


@pytest.mark.parametrize("one", list(METRICS))
def test_what_two_metrics_mean_by_an_option_is_asked_where_it_differs(one: str) -> None:
    for other in METRICS:
        kinds, others = (types_of_options(metric_class(name)) for name in (one, other))
        for name in kinds.keys() & others.keys():
            if kinds[name] == others[name]:
                assert [own.get(name) for own in options_of_each([one, other], {name: "x"})] == ["x", "x"]
            else:
                with pytest.raises(OptionError, match=f"{one}.{name}=... or {other}.{name}=..."):
                    options_of_each([one, other], {name: "x"})


def signatures_of_score(option: str, capsys: pytest.CaptureFixture[str]) -> str:
    code = main(["score", GOLD, ALPHA, "--scheme", "tiger", "--metric", ",".join(BOTH), "--option", option])
    captured = capsys.readouterr()
    assert code == (2 if captured.err.startswith("option") else 0)
    return captured.out + captured.err


def signatures_of_compare(option: str, capsys: pytest.CaptureFixture[str]) -> str:
    words = ["compare", GOLD, ALPHA, BETA, "--scheme", "tiger", "--trials", "100", "--samples", "10"]
    main([*words, "--metric", ",".join(BOTH), "--option", option])
    captured = capsys.readouterr()
    return captured.out + captured.err


def signatures_in_python(option: str, capsys: pytest.CaptureFixture[str]) -> str:
    name, _, value = option.partition("=")
    try:
        actual = crossbank.score(GOLD, ALPHA, BOTH, scheme="tiger", **{name: value})
    except OptionError as error:
        return str(error)
    return "\n".join(str(result.signature) for result in actual.values())


@pytest.mark.parametrize("way", [signatures_of_score, signatures_of_compare, signatures_in_python])
def test_options_are_addressed_everywhere(way: Any, capsys: pytest.CaptureFixture[str]) -> None:
    messages = way("dependencies.roots=no", capsys)
    assert "parseval|labels:yes|root:yes|roots:all|" in messages
    assert "dependencies|labels:yes|tags:no|subtypes:yes|roots:no|" in messages
    assert AMBIGUOUS_ROOTS in way("roots=no", capsys)


def test_an_address_in_a_study(tmp_path: Path) -> None:
    content = {
        "study": "s",
        "treebanks": [
            {
                "name": "t",
                "scheme": "tiger",
                "gold": {"path": GOLD},
                "candidates": [{"name": "alpha", "path": ALPHA}],
            }
        ],
        "metrics": ["parseval", {"metric": "dependencies", "options": {"dependencies.roots": False}}],
        "bootstrap": {"samples": 0},
    }
    completed = run_here(content, tmp_path, reported=False)
    message = str(completed.treebanks[0].candidates[0].counts["dependencies"].signature)
    assert "|roots:no|" in message
