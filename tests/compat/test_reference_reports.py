"""Modes against what the reference evaluators printed: ``tests/data/reference_reports``."""

from __future__ import annotations

from pathlib import Path

import pytest

from crossbank.metrics.modes.modes_by_name import evaluate
from crossbank.metrics.modes.protocol import Call

DATA = Path(__file__).parents[1] / "data" / "reference_reports"


def printed(name: str) -> str:
    return (DATA / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["evalb", "evalb.prm"])
def test_evalb(name: str) -> None:
    parameters = DATA / "trees.prm" if name.endswith("prm") else None
    report = evaluate("evalb", Call(DATA / "trees.gold.mrg", DATA / "trees.parsed.mrg", parameters))
    assert report.printed() == (printed(f"{name}.report"), printed(f"{name}.complaints"), 0)


@pytest.mark.parametrize(("name", "counts"), [("conll18", "no"), ("conll18.counts", "yes")])
def test_conll18(name: str, counts: str) -> None:
    files = DATA / "words.gold.conllu", DATA / "words.system.conllu"
    assert evaluate("conll18", Call(*files, options={"counts": counts})).printed()[0] == printed(
        f"{name}.report"
    )


@pytest.mark.parametrize(
    ("name", "parameters", "options"),
    [("discodop", None, {"la": "yes", "ted": "yes"}), ("discodop.prm", DATA / "tiger.prm", {})],
)
def test_discodop(name: str, parameters: Path | None, options: dict[str, str]) -> None:
    """The rules and the summary; the tables between have entries of equal frequency."""
    files = DATA / "tiger.gold.export", DATA / "tiger.parsed.export"
    report = evaluate("discodop", Call(*files, parameters, {**options, "version": "0.5.2"}))
    for start, end in ((" Rewrite rule mismatches", " Attachment errors"), ("_ Summary", "pos accuracy")):
        parts = [
            text[text.index(start) : text.index(end)]
            for text in (report.printed()[0], printed(f"{name}.report"))
        ]
        assert parts[0] == parts[1]
    assert report.printed()[0].splitlines()[-1] == printed(f"{name}.report").splitlines()[-1]


def test_a_report_on_something_else_is_not_that_report() -> None:
    """The comparison can fail: with gold as the candidate the report is another one."""
    gold = DATA / "trees.gold.mrg"
    assert evaluate("evalb", Call(gold, gold)).printed()[0] != printed("evalb.report")
