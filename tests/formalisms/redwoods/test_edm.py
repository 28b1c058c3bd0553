"""Elementary dependency match: against ``delphin edm``, weights, parts, exact match, selection."""

from __future__ import annotations

import gzip
import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

from crossbank.formalisms.ccg.formats import candc
from crossbank.formalisms.lfg.formats import triples
from crossbank.formalisms.redwoods.formats import tsdb
from crossbank.formalisms.redwoods.formats.tsdb_tables import Profile
from crossbank.formalisms.redwoods.metrics.edm import Edm
from crossbank.metrics.counting.counts import Counts
from crossbank.metrics.counting.scoring import Scoring, score, scoring_of
from crossbank.reports.sections.parts import count_confusions
from crossbank.treebanks import CrossbankError, OptionError, Treebank
from crossbank.treebanks.errors import SentenceError
from crossbank.treebanks.formats import read, relations
from crossbank.workflow.commands.cli import main
from tests.errors import raises
from tests.formalisms.redwoods.profiles import (
    CAT,
    CAT_MRS,
    NAME_MRS,
    RAINED,
    RAINED_MRS,
    Result,
    profile,
    two_readings,
)


def scored(gold: Treebank, candidate: Treebank, unscored: str = "empty", **options: object) -> Counts:
    (counts,) = score(gold, candidate, scoring_of(["edm"], options, unscored))  # type: ignore[arg-type]
    return counts


def test_triples_in_common(tmp_path: Path) -> None:
    """The name's graph has another predicate, no constant in gold, and the same arguments and properties."""
    gold = tsdb.load(profile(tmp_path / "gold", {1: ("the cat sleeps", [Result(CAT, CAT_MRS)])}))
    other = tsdb.load(profile(tmp_path / "other", {1: ("the cat sleeps", [Result(CAT, NAME_MRS)])}))
    scores = scored(gold, other)
    assert scores.by_breakdown("type") == {
        "names": {"gold": 3, "candidate": 3, "matched": 2},
        "arguments": {"gold": 2, "candidate": 2, "matched": 2},
        "properties": {"gold": 3, "candidate": 3, "matched": 3},
        "constants": {"gold": 0, "candidate": 1, "matched": 0},
        "tops": {"gold": 1, "candidate": 1, "matched": 1},
    }
    assert (scores.values()["precision"], scores.values()["recall"], scores.values()["exact"]) == (
        8 / 10,
        8 / 9,
        0,
    )
    assert [(c.gold, c.candidate, c.count) for c in count_confusions(scores)] == [("_cat_n_1", "named", 1)]
    roles = scores.by_breakdown("role")
    assert (roles["ARG1"]["matched"], roles["carg"]["candidate"], roles["predicate"]["gold"]) == (1, 1, 3)
    weighted = scored(gold, other, properties="0", constants="0", tops="0.5")
    assert (weighted.sums()["gold"], weighted.sums()["matched"]) == (5.5, 4.5)
    assert weighted.values()["properties_f1"] == 1


def test_items_are_triples(tmp_path: Path) -> None:
    gold = tsdb.load(profile(tmp_path / "gold", {1: ("the cat sleeps", [Result(CAT, CAT_MRS)])}))
    other = tsdb.load(profile(tmp_path / "other", {1: ("the cat sleeps", [Result(CAT, NAME_MRS)])}))
    metric = Edm()
    items = metric.items(metric.pair(gold, other), 0)
    assert [item.side for item in items] == ["both"] * 8 + ["gold"] + ["candidate"] * 2
    assert (items[2].gold, items[2].tokens) == ("_the_q<0:3> BV _cat_n_1<4:7>", ())
    assert [item.candidate for item in items[-2:]] == ["named<4:7> predicate", "named<4:7> carg Cat"]


def test_spans_are_compared_and_not_tokens(tmp_path: Path) -> None:
    split = RAINED.replace('("rained" 6 "token', '("rai ned" 6 "x" 7 "token')
    moved = RAINED_MRS.replace("<3:9>", "<3:8>")
    gold, other, shorter = (
        tsdb.load(profile(tmp_path / str(index), {1: ("It rained", [result])}))
        for index, result in enumerate(
            [Result(RAINED, RAINED_MRS), Result(split, RAINED_MRS), Result(RAINED, moved)]
        )
    )
    assert gold.words(0) != other.words(0)
    assert (scored(gold, other).values()["f1"], scored(gold, shorter).values()["f1"]) == (1, 0)


def test_arguments_that_are_quantifiers(shared_data: Path) -> None:
    """*Nearly every dog barked* is the only such sentence of the test suite."""
    bank = read(shared_data / "erg" / "mrs")
    counted = [scored(bank, bank, quantifiers=value).sums()["gold arguments"] for value in ("no", "yes")]
    assert counted == [484, 485]


def test_sentences_without_a_graph(tmp_path: Path) -> None:
    bank = tsdb.load(two_readings(tmp_path / "gold"))
    missing = tsdb.load(
        profile(tmp_path / "other", {1: ("", [Result(RAINED, RAINED_MRS)]), 2: ("", []), 3: ("", [])})
    )
    scores = scored(bank, missing)
    assert scores.status_counts() == {"total": 3, "scored": 1, "no parse": 1, "no gold": 1}
    assert (scores.values()["recall"], scores.values()["coverage"]) == (4 / 13, 1 / 2)
    assert scored(bank, missing, "skip").values()["recall"] == 1
    spurious = scored(missing, bank)
    assert (spurious.values()["precision"], spurious.values()["recall"]) == (4 / 13, 1)


def test_parse_selection(tmp_path: Path) -> None:
    """The second reading is gold's; the first has the higher score."""
    folder = two_readings(tmp_path / "readings")
    gold = read(folder)
    (folder / "preference").write_text("")
    lists = read(folder)
    for best, matched in (("chosen", 12), ("oracle", 13), ("random", 12.5)):
        scoring = Scoring(**{**vars(scoring_of(["edm"], {})), "best": best})
        (result,) = score(gold, lists, scoring)
        assert result.sums()["matched"] == matched
    (result,) = score(gold, lists, scoring_of(["selection"], {"of": "edm"}))
    values = result.values()
    assert (values["exact_match"], values["exact_match_baseline"]) == (1 / 2, (1 + 1 / 2) / 2)
    assert (values["coverage"], values["best_rank"]) == (1, 3 / 2)
    assert values["error_reduction"] == pytest.approx(-0.963, abs=1e-3)
    (result,) = score(gold, gold, scoring_of(["selection"], {"of": "edm"}))
    assert (result.values()["chosen"], result.values()["exact_match"]) == (1, 1)


@pytest.mark.slow
def test_selection_among_derivations_of_our_own(
    shared_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A grammar read off the derivations of one suite, and its ten best derivations of another one."""
    gold, model, lists = (
        str(shared_data / "erg" / "mrs"),
        str(tmp_path / "model"),
        str(tmp_path / "mrs.nbest"),
    )
    assert main(["train", str(shared_data / "erg" / "csli"), model, "--scheme", "redwoods"]) == 0
    assert main(["parse", model, gold, lists, "--best", "10"]) == 0
    capsys.readouterr()
    assert main(["score", gold, lists, "--scheme", "redwoods", "--metric", "selection", "--json"]) == 0
    values = {score["measure"]: score["value"] for score in json.loads(capsys.readouterr().out)["scores"]}
    assert values["lower"] < values["chosen"] < values["upper"]
    assert 0 <= values["exact_match"] <= values["coverage"]
    assert values["coverage_at_10"] == values["coverage"]


def test_wrong_calls(tmp_path: Path) -> None:
    with raises(OptionError, kind="option names of edm", value=-1.0, allowed="a weight, 0 or more"):
        Edm(names=-1.0)
    with raises(OptionError, kind="options of edm", value="no weight above 0", allowed="one at least"):
        Edm(0, 0, 0, 0, 0)
    structures = triples.loads("subj(see~1, dog~2)\n")
    with raises(CrossbankError, "edm", "predicates"):
        scored(structures, structures)
    for bank in (candc.loads("a_1 N/N 1 b_2\n\n"), relations.loads("(ncsubj sees Anna _)\n")):
        with raises(SentenceError, line=1, sentence="1"):
            scored(bank, bank)


# PyDelphin


def copied(source: Path, folder: Path, seed: int | None = None) -> Path:
    """A copy of a profile; with a seed some results are wrong in one way or another, and some are gone.

    Without those in which several predications have one variable: PyDelphin takes them in an order that is
    another one in each run.
    """
    from delphin.codecs import simplemrs
    from delphin.mrs import has_unique_intrinsic_variables
    from delphin.tsdb import unescape

    draw = random.Random(seed)
    folder.mkdir()
    for path in source.iterdir():
        if path.is_file() and path.stem != "result":
            (folder / path.name).write_bytes(path.read_bytes())
    path = Profile(source).path("result")
    data = path.read_bytes()
    lines = (gzip.decompress(data) if path.suffix else data).decode().split("\n")
    changes = (
        lambda mrs: re.sub(r"_[vn]_(\w+)<", r"_a_\1<", mrs, count=1),
        lambda mrs: re.sub(r"TENSE: \w+", "TENSE: FUT", mrs),
        lambda mrs: mrs.replace("ARG1:", "ARG9:", 1).replace("ARG2:", "ARG1:", 1),
        lambda mrs: re.sub(
            r"<(\d+):(\d+)>", lambda m: f"<{m[1]}:{int(m[2]) + 1}>", mrs, count=draw.randint(1, 3)
        ),
        lambda mrs: re.sub(r'CARG: "\w+"', 'CARG: "Kim"', mrs),
        lambda mrs: re.sub(r"(NUM|PERS): \w+ ?", "", mrs, count=1),
        lambda mrs: re.sub(r"INDEX: \w+", "INDEX: e99", mrs),
        lambda mrs: mrs,
        lambda mrs: "",
        None,
    )
    retained = []
    for line in filter(None, lines):
        fields = line.split("@")
        if not has_unique_intrinsic_variables(simplemrs.decode(unescape(fields[13]))):
            continue
        for change in draw.sample(changes, draw.randint(0, 3) if seed else 0):
            fields[13] = fields[13] and change(fields[13]) if change else ""
        if not seed or draw.random() < 0.95:
            retained.append("@".join(fields))
    (folder / "result").write_text("\n".join(retained) + "\n", encoding="utf-8")
    for name in ("preference", "preference.gz"):
        (folder / name).unlink(missing_ok=True)
    return folder


@pytest.mark.parametrize("name", ["erg/mrs", pytest.param("erg/csli", marks=pytest.mark.slow), "jacy-mrs"])
@pytest.mark.parametrize(
    ("seed", "weights"), [(1, {}), (2, {"names": "0.5", "properties": "0", "constants": "2", "tops": "3"})]
)
def test_the_same_scores_as_delphin_edm(
    shared_data: Path, tmp_path: Path, name: str, seed: int, weights: dict[str, str]
) -> None:
    gold = copied(shared_data / name, tmp_path / "gold")
    candidate = copied(shared_data / name, tmp_path / "damaged", seed)
    options = [part for kind, weight in weights.items() for part in (f"-{kind[0].upper()}", weight)]
    printed = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "delphin", "edm", *options, str(gold), str(candidate)],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    reference = [float(line.split("\t")[1]) for line in printed.splitlines()]
    values = scored(read(gold), read(candidate), **weights).values()
    computed = [values[measure] for measure in ("precision", "recall", "f1")]
    assert 0.3 < computed[2] < 0.95
    assert computed == pytest.approx(reference, abs=1e-12)
    assert [f"{value:.10f}" for value in computed] == [f"{value:.10f}" for value in reference]


def test_graphs_are_the_same_in_every_run(shared_data: Path) -> None:
    """Three items of the Japanese profile have several predications with one variable."""
    program = "from crossbank.treebanks.formats import read; import sys; b = read(sys.argv[1]); "
    program += "print([b.vocabulary[c] for c in b.relations.head_tag.tolist()])"
    printed = {
        subprocess.run(
            [sys.executable, "-c", program, str(shared_data / "jacy-mrs")],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in "123"
    }
    assert len(printed) == 1


def test_eds_and_dmrs_of_the_same_profile(shared_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(shared_data / "erg" / "mrs")
    assert (
        main(
            [
                "score",
                folder,
                folder,
                "--candidate-format",
                "tsdb_dmrs",
                "--metric",
                "edm",
                "--by",
                "type,role,confusion",
            ]
        )
        == 0
    )
    captured = capsys.readouterr()
    printed = captured.out
    assert re.search(r"names_f1 +100.00 %", printed)
    assert re.search(r"properties_f1 +100.00 %", printed)
    assert "identical" not in printed + captured.err
    assert re.search(r"arguments +484 ", printed)
