"""Failed parses in a candidate: every metric counts the same sentences without a parse."""

from __future__ import annotations

from pathlib import Path

import pytest

from crossbank import Scorer, read, score
from crossbank.treebanks.errors import FormatError

GOLD = [
    "(TOP (S (NP (NNP Anna)) (VP (VBZ sleeps)) (. .)))",
    "(TOP (INTJ (UH Yes) (. .)))",
    "(TOP (S (NP (PRP She)) (VP (VBZ sees) (NP (PRP it)))))",
    "(TOP (FRAG (NN Dog)))",
    "(TOP (S (NP (PRP We)) (VP (VBP go))))",
]
pytestmark = pytest.mark.filterwarnings("ignore:the candidate has no parse")

METRICS = ["parseval", "leaf_ancestor", "dependencies", "relations", "conformance"]


@pytest.mark.parametrize("sign", ["(TOP ())", "(ROOT)", "(S1 (S ))", "null", 'No parse for: "Yes ."', "(())"])
@pytest.mark.parametrize("suffix", ["mrg", "out"])
def test_metrics_agree_on_what_has_no_parse(sign: str, suffix: str, tmp_path: Path) -> None:
    gold, parsed = tmp_path / "gold.mrg", tmp_path / f"parsed.{suffix}"
    gold.write_text("\n".join(GOLD) + "\n")
    parsed.write_text("\n".join([sign, sign, GOLD[2], sign, GOLD[4]]) + "\n")
    results = score(gold, parsed, METRICS, scheme="ptb")
    expected = {"total": 5, "scored": 2, "no parse": 3}
    assert {name: result.counts.status_counts() for name, result in results.items()} == dict.fromkeys(
        METRICS, expected
    )
    where = [problem.where for problem in results["relations"].problems]
    assert where == [f"{parsed}:{line}" for line in (1, 2, 4)]


def test_strings_in_memory_may_be_failed_parses() -> None:
    actual = Scorer(scheme="ptb").score(["(TOP ())", "null", *GOLD[2:]], GOLD)
    assert actual.counts.status_counts() == {"total": 5, "scored": 3, "no parse": 2}


@pytest.mark.parametrize("sign", ["(TOP ())", "null"])
def test_gold_with_a_failed_parse_is_refused(sign: str, tmp_path: Path) -> None:
    gold = tmp_path / "gold.mrg"
    gold.write_text("\n".join([GOLD[0], sign]))
    with pytest.raises(FormatError) as raised:
        score(gold, GOLD[:2])
    assert (raised.value.line, raised.value.sentence) == (2, "2")
    assert read(gold).tokens.lengths().tolist() == [3, 0]
