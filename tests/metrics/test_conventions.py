"""One candidate under all conventions: what each changes, and that modes agree with the options like them."""

import json
from pathlib import Path

import pytest

from crossbank.metrics.analyses.score_under_conventions import Explained, Explanation, explain
from crossbank.metrics.counting.scoring import scoring_of
from crossbank.metrics.modes.protocol import Call
from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.formats import conllu
from crossbank.treebanks.formats.bracket import loads
from crossbank.workflow.commands.cli import main
from tests.errors import raises

GOLD = """\
(TOP (S (NP-SBJ (D the) (N man)) (VP (V saw) (NP (NP (D a) (N dog)) (PP (P with) (NP (N spots)))))) (. .))
(TOP (S (X (X (N a))) (VP (V b))))
"""
CANDIDATE = """\
(TOP (S (NP (D the) (N man)) (VP (V saw) (NP (D a) (N dog)) (PP (P with) (NP (N spots))))) (. .))
(TOP (S (X (X (N a))) (NP (V b))))
"""


def explained(gold: str, candidate: str, **options: object) -> dict[str, Explained]:
    explanation = explain(loads(gold), loads(candidate), scoring_of(["parseval"], options))
    return by_name(explanation)


def by_name(explanation: Explanation) -> dict[str, Explained]:
    return {row.name: row for row in (explanation.start, *explanation.changed, *explanation.others)}


def test_each_convention_by_itself() -> None:
    """Of 8 + 5 brackets of gold and 7 + 5 of the candidate 6 + 4 are the same."""
    rows = explained(GOLD, CANDIDATE)
    start = rows["as chosen"]
    assert (start.recall, start.precision, start.f1) == (10 / 13, 10 / 12, 20 / 25)
    assert start.difference is None
    assert rows["labels without functions"].f1 == 22 / 25
    assert rows["labels do not count"].f1 == 24 / 25
    assert rows["no root counts"].f1 == 16 / 21
    assert rows["repeated brackets matched once"].f1 == 18 / 25
    assert rows["repeated brackets counted once"].f1 == 18 / 23
    assert rows["only brackets with gaps"].reason == "no such bracket on either side"
    for name, row in rows.items():
        if row.f1 is not None and name != "as chosen":
            assert row.difference == pytest.approx(row.f1 - 20 / 25)


def test_what_moves_the_score_most_stands_first() -> None:
    explanation = explain(loads(GOLD), loads(CANDIDATE), scoring_of(["parseval"], {}))
    moved = [abs(row.difference or 0) for row in explanation.changed]
    assert moved == sorted(moved, reverse=True)


def test_it_starts_from_the_choices_made() -> None:
    rows = explained(GOLD, CANDIDATE, labels="no", average="macro")
    assert "labels do not count" not in rows
    assert "mean of the sentences' scores" not in rows
    assert "|labels:no|" in rows["as chosen"].signature
    assert "|labels:no|root:no|" in rows["no root counts"].signature


def test_unscored_sentences() -> None:
    rows = explained(GOLD, CANDIDATE.splitlines()[0] + "\n(())\n")
    chosen, without = rows["as chosen"], rows["unscored sentences left out"]
    assert chosen.recall is not None
    assert without.recall is not None
    assert without.recall > chosen.recall
    assert rows["PYEVALB"].recall == without.recall


def test_grammar_induction() -> None:
    """Unlabelled sets without trivial brackets and punctuation; nothing is left of the second sentence."""
    rows = explained(
        "(S (A (N a) (N b)) (B (N c) (N d)) (. .))\n(S (N a) (N b))\n",
        "(S (C (C (N a) (N b))) (N c) (N d) (. .))\n(S (N a) (N b))\n",
    )
    row = rows["grammar induction"]
    assert (row.precision, row.recall, row.f1) == (1.0, (1 / 2 + 1) / 2, pytest.approx((2 / 3 + 1) / 2))


def test_modes_count_as_the_options_that_say_the_same(tmp_path: Path) -> None:
    gold, candidate = tmp_path / "gold.mrg", tmp_path / "parsed.mrg"
    gold.write_text(GOLD)
    candidate.write_text(CANDIDATE)
    scoring = scoring_of(["parseval"], {})
    explanation = explain(loads(GOLD), loads(CANDIDATE), scoring, files=Call(gold, candidate))
    rows = by_name(explanation)
    for reference in ("EVALB", "EVALB_SPMRL", "disco-dop"):
        assert rows[f"{reference} without parameters"].f1 == rows["labels without functions"].f1
    assert rows["evalb-lcfrs"].f1 == rows["labels without functions"].f1


def test_a_mode_that_gives_up_says_why(tmp_path: Path) -> None:
    gold, candidate = tmp_path / "gold.mrg", tmp_path / "parsed.mrg"
    gold.write_text(GOLD)
    other = CANDIDATE.replace("dog", "cat")
    candidate.write_text(other)
    explanation = explain(
        loads(GOLD), loads(other), scoring_of(["parseval"], {}), files=Call(gold, candidate)
    )
    row = by_name(explanation)["disco-dop without parameters"]
    assert row.f1 is None
    assert "found 'cat', expected 'dog' as in gold" in row.reason


@pytest.mark.parametrize("metrics", [["leaf_ancestor"], ["parseval", "leaf_ancestor"]])
def test_another_metric_is_refused(metrics: list[str]) -> None:
    with raises(CrossbankError, "leaf_ancestor", "parseval", "dependencies"):
        explain(loads(GOLD), loads(CANDIDATE), scoring_of(["leaf_ancestor"], {}))


DEPENDENCIES = "\n".join(
    f"{i}\t{form}\t_\t{tag}\t_\t_\t{head}\t{relation}\t_\t_"
    for i, (form, tag, head, relation) in enumerate(
        [
            ("Cats", "NOUN", 2, "nsubj:x"),
            ("sing", "VERB", 0, "root"),
            ("loud", "ADV", 2, "advmod"),
            (".", "PUNCT", 2, "punct"),
        ],
        1,
    )
)


def test_conventions_of_dependencies() -> None:
    """The candidate calls the adverb punctuation, and the full stop an adverb with a wrong head."""
    candidate = DEPENDENCIES.replace("2\tadvmod", "2\tPUNCT").replace("2\tpunct", "1\tadvmod")
    gold, parsed = (conllu.loads(f"{text.replace('nsubj:x', name)}\n\n") for text, name in (
        (DEPENDENCIES, "nsubj"), (candidate, "nsubj:x")
    ))  # fmt: skip
    rows = by_name(explain(gold, parsed, scoring_of(["dependencies"], {})))
    assert rows["as chosen"].f1 == 1 / 4
    assert rows["relations do not count"].f1 == 3 / 4
    assert rows["relations without subtypes"].f1 == 2 / 4
    assert rows["punctuation left out by characters"].f1 == 1 / 3


def test_conventions_of_other_programs(shared_data: Path, tmp_path: Path) -> None:
    """As printed by the Scorer of spaCy 3.8 and by supar 1.1 for the same files."""
    paths = sorted((shared_data / "gum" / "dep").glob("*.conllu"))
    files = (tmp_path / "gold.conllu", shared_data / "ud-converter" / "gum.corenlp.conllu")
    files[0].write_text("".join(path.read_text("utf-8") for path in paths), encoding="utf-8")
    scoring = scoring_of(["dependencies"], {})
    rows = by_name(
        explain(conllu.load(files[0]), conllu.load(files[1]), scoring, files=Call(*files, format="conllu"))
    )
    scores = [rows[name].f1 for name in ("spaCy UAS", "spaCy LAS", "supar UAS", "supar LAS")]
    assert scores[:2] == pytest.approx([0.866965, 0.806786], abs=1e-6)
    assert scores[2:] == pytest.approx([0.8677, 0.8083], abs=5e-5)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold, candidate, parameters = (tmp_path / name for name in ("gold.mrg", "parsed.mrg", "x.prm"))
    gold.write_text(GOLD)
    candidate.write_text(CANDIDATE)
    parameters.write_text("DELETE_LABEL TOP\nDELETE_LABEL .\n")
    arguments = ["score", str(gold), str(candidate), "--explain", "--parameters", str(parameters)]
    assert main(arguments) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[2].split() == ["as", "chosen", "83.33", "76.92", "80.00"]
    (evalb,) = (line for line in printed if line.strip().startswith("EVALB with"))
    assert evalb.split()[-4:-1] == ["90.00", "81.82", "85.71"]
    assert main([*arguments, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["conventions"]
    assert rows[0]["f1"] == 20 / 25
    assert {"name", "precision", "recall", "f1", "difference", "signature", "reason"} == set(rows[0])
