r"""Parse selection: bounds, error reduction, ranks and coverage, and ``--best``."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from crossbank.converters.scheme_files import load_scheme
from crossbank.formalisms.ccg.formats import auto
from crossbank.formalisms.redwoods.metrics.selection import error_reduction
from crossbank.metrics.counting.counts import Counts
from crossbank.metrics.counting.scoring import Scoring, Views, compare_views, score, scoring_of
from crossbank.treebanks import CrossbankError, OptionError
from crossbank.treebanks.chunks import LengthMismatchError
from crossbank.treebanks.formats import bracket, nbest
from crossbank.workflow.commands.cli import main
from tests.errors import raises, run_failing
from tests.treebanks.test_nbest_lists import CHARNIAK, RIGHT, SHORT, WRONG

GOLD = f"{RIGHT}\n(S1 (NP (NN Nothing)))\n{SHORT}\n"


def scored(
    candidate: str = CHARNIAK, metric: str = "parseval", best: str = "chosen", **more: object
) -> Counts:
    scoring = scoring_of([metric], more.pop("options", {}), more.pop("unscored", "empty"))  # type: ignore[arg-type]
    scoring = Scoring(**{**vars(scoring), "best": best, **more})  # type: ignore[arg-type]
    (result,) = score(bracket.loads(GOLD), nbest.loads(candidate), scoring)
    return result


# RIGHT has the brackets S1, S, NP, VP, NP; WRONG has S1 and NP, of which S1 is right.


def test_the_best_analysis_is_the_upper_bound() -> None:
    swapped = CHARNIAK.replace(RIGHT, "@").replace(WRONG, RIGHT).replace("@", WRONG)
    assert scored(swapped, best="chosen").sums()["matched"] == 1 + 0 + 3
    assert scored(swapped, best="oracle").sums()["matched"] == 5 + 0 + 3
    assert scored(best="chosen").values() == scored(swapped, best="oracle").values()


def test_where_gold_is_the_chosen_analyses_it_is_said_that_nothing_is_shown() -> None:
    listed = nbest.loads(CHARNIAK)
    (result,) = score(listed.only_chosen(), listed, scoring_of(["selection"], {}))
    (measure,) = [one for one in result.measures if one.name == "error_reduction"]
    assert (result.values()["chosen"], result.values()["error_reduction"]) == (1, 1)
    assert result.values()["lower"] < 1
    assert "1 by construction where gold is the chosen analyses" in measure.meaning


def test_the_random_analysis_is_expected_and_not_drawn() -> None:
    sums = scored(best="random").sums()
    assert (sums["matched"], sums["candidate"], sums["gold"]) == (3 + 0 + 3, 3.5 + 0 + 3, 5 + 2 + 3)
    drawn = {float(scored(best="random", seed=seed).sums()["matched"]) for seed in range(20)}
    assert drawn == {4.0, 8.0}
    assert scored(best="random", seed=3).values() == scored(best="random", seed=3).values()


def test_the_expected_analysis_follows_the_probabilities() -> None:
    first = 1 / (1 + np.exp(-0.75))
    assert scored(best="expected").sums()["matched"] == pytest.approx(5 * first + (1 - first) + 3)


def test_the_choice_is_in_the_signature_and_parts_follow_it() -> None:
    scores = scored(best="random")
    assert "best:random" in str(scores.full_signature)
    assert "best:random:5" in str(scored(best="random", seed=5).full_signature)
    parts = scores.by_breakdown("label")
    assert sum(part["candidate"] for part in parts.values()) == scores.sums()["candidate"]
    assert "best" not in str(scored().full_signature)


def test_sentences_without_analyses_stay_unscored() -> None:
    for best in ("chosen", "oracle", "random", "expected"):
        scores = scored(best=best)
        assert (len(scores), scores.status_counts()) == (3, {"total": 3, "scored": 2, "no parse": 1})
        assert list(scores.sentences) == ["1", "2", "3"]


def test_bounds_error_reduction_ranks_and_coverage() -> None:
    values = scored(metric="selection").values()
    for name, best in (
        ("chosen", "chosen"),
        ("upper", "oracle"),
        ("lower", "random"),
        ("expected", "expected"),
    ):
        assert values[name] == pytest.approx(scored(best=best).values()["f1"])
    assert values["error_reduction"] == pytest.approx(1.0)
    assert (values["exact_match"], values["exact_match_baseline"]) == (2 / 3, (1 / 2 + 0 + 1) / 3)
    assert (values["coverage_at_1"], values["coverage"]) == (2 / 3, 2 / 3)
    assert values["analyses"] == 4 / 3
    swapped = scored(
        CHARNIAK.replace(RIGHT, "@").replace(WRONG, RIGHT).replace("@", WRONG), metric="selection"
    )
    assert swapped.values()["error_reduction"] < 0
    assert (swapped.values()["best_rank"], swapped.values()["coverage_at_2"]) == (4 / 3, 2 / 3)
    assert swapped.values()["exact_match"] == 1 / 3


def test_analyses_are_compared_by_any_metric() -> None:
    gold = auto.loads("ID=1\n(<T S 0 2> (<L NP NN NN a NP>) (<L S\\NP VB VB b S\\NP>) )\n")
    text = "ID=1, Prob=-1\n(<T S 0 2> (<L N NN NN a N>) (<L S\\N VB VB b S\\N>) )\n"
    right = "ID=1, Prob=-2\n(<T S 0 2> (<L NP NN NN a NP>) (<L S\\N VB VB b S\\N>) )\n"
    (result,) = score(gold, auto.loads(text + right), scoring_of(["selection"], {"of": "categories"}))
    values = result.values()
    assert (values["chosen"], values["upper"], values["lower"]) == (0, 1 / 2, 1 / 4)
    assert values["best_rank"] == 2


def test_dependencies_of_several_derivations() -> None:
    right = "(<T NP 0 2> (<L NP/N DT DT the NP/N>) (<L N NN NN cat N>) )"
    wrong = "(<T NP 0 2> (<L NP DT DT the NP>) (<L NP\\\\NP NN NN cat NP\\\\NP>) )".replace("\\\\", "\\")
    gold = auto.loads(f"ID=x\n{right}\nID=y\n{right}\n")
    lists = auto.loads(f"ID=x\n{wrong}\nID=x\n{right}\nID=y\n{right}\n")
    scheme = load_scheme("ccg")
    for best, matched in (("chosen", 1), ("oracle", 2), ("random", 1.5)):
        (result,) = score(gold, lists, scoring_of(["ccg_dependencies"], {"best": best}), scheme)
        assert (result.sums()["matched"], list(result.sentences)) == (matched, ["x", "y"])


def test_the_pair_has_the_analysis_that_is_scored() -> None:
    swapped = CHARNIAK.replace(RIGHT, "@").replace(WRONG, RIGHT).replace("@", WRONG)
    for best, tags in (("chosen", 2), ("oracle", 5)):
        scoring = scoring_of(["parseval"], {"best": best})
        gold, parsed = (Views(bank, None) for bank in (bracket.loads(GOLD), nbest.loads(swapped)))
        ((_, pair),) = compare_views(gold, parsed, scoring, None)
        assert len(pair) == 3
        assert pair.candidate.nodes.lengths()[0] == tags


def test_options_say_which_analysis_too() -> None:
    scoring = scoring_of(["parseval"], {"best": "random", "seed": "4"})
    assert (scoring.best, scoring.seed) == ("random", 4)
    with raises(OptionError, "chosen", "oracle", kind="option best", value="worst"):
        scoring_of(["parseval"], {"best": "worst"})


def test_error_reduction_where_nothing_can_be_gained() -> None:
    assert float(error_reduction(0.5, 0.5, 0.5)) == 0


def test_wrong_calls(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with raises(CrossbankError, "seed=", 'best="random"'):
        scored(best="oracle", seed=1)
    with raises(OptionError, kind="option measure of selection", value="uas"):
        scored(metric="selection", options={"measure": "uas"})
    gold, lists = tmp_path / "gold.mrg", tmp_path / "lists.nbest"
    gold.write_text(GOLD.split("\n")[0])
    lists.write_text(CHARNIAK)
    with raises(LengthMismatchError, "gold.mrg", "lists.nbest", "1", "3"):
        run_failing(["score", str(gold), str(lists), "--best", "oracle"])
    gold.write_text(GOLD)
    assert main(["score", str(gold), str(lists), "--best", "oracle", "--metric", "parseval,selection"]) == 0
    printed = capsys.readouterr().out
    assert "best:oracle" in printed
    assert "error_reduction" in printed
