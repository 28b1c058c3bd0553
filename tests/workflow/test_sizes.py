"""What jobs ask of a cluster."""

from pathlib import Path

import pytest

from crossbank.reports.study.reading import study_of
from crossbank.workflow.plan import Plan
from crossbank.workflow.sizes import FEW, HUGE, LARGE, SMALL, Demand, megabytes

MEGABYTE = b"(S (X x))\n" * 100_000


def test_large_inputs_and_further_attempts_ask_for_more() -> None:
    requested = Demand(lambda size: [size], cores=8)
    for ask in (requested.memory, requested.minutes):
        assert ask(0.1, 1) < ask(500.0, 1) < ask(500.0, 2)
    assert (requested.threads(0.1), requested.threads(LARGE)) == (1, 8)


def test_a_batch_asks_for_the_memory_of_its_largest_candidate_and_the_time_of_all() -> None:
    alone, batch = Demand(lambda _: [30.0], cores=8), Demand(lambda _: [30.0] * 10, cores=8)
    assert batch.memory(None, 1) == alone.memory(None, 1)
    assert batch.minutes(None, 1) > alone.minutes(None, 1)
    assert (alone.threads(None), batch.threads(None)) == (8, 1), "others of its kind run beside it"
    assert Demand(lambda _: [1.0, HUGE], cores=8).threads(None) == 8


def test_files_that_are_still_to_be_made_have_no_size(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(MEGABYTE)
    assert megabytes([str(tmp_path / "a"), str(tmp_path / "b")]) == 1.0


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Plan:
    monkeypatch.chdir(tmp_path)
    for name in ("gold.mrg", "a.mrg", "b.mrg"):
        Path(name).write_bytes(MEGABYTE)
    candidates = [{"name": name, "path": f"{name}.mrg"} for name in "ab"]
    trained = {"name": "trained", "parser": {"pcfg": {}}}
    return Plan(
        study_of(
            {
                "study": "small",
                "treebanks": [
                    {"name": "t", "gold": {"path": "gold.mrg"}, "candidates": candidates},
                    {"name": "u", "gold": {"path": "gold.mrg"}, "candidates": [trained], "folds": 2},
                ],
                "metrics": ["parseval"],
            },
            "study.yaml",
        ),
        Path("results"),
    )


def test_a_job_is_as_large_as_the_files_of_the_study_that_it_reads(plan: Plan) -> None:
    assert plan.megabytes("t", "gold", "a", "b") == 3.0
    assert plan.megabytes("u", "trained") == 1.0
    assert plan.megabytes_of_all() == [4.0]
    assert plan.megabytes_of_each("t", "candidates-1-of-1", "gold") == [2.0, 2.0]


def test_a_small_study_is_one_job_of_a_cluster(plan: Plan) -> None:
    assert not plan.is_small, "a parser in training may take long"
    content = {**plan.study.content, "treebanks": plan.study.content["treebanks"][:1]}
    assert Plan(study_of(content, "study.yaml"), Path("results")).is_small
    many = [{"name": f"c{index}", "path": "study.mrg"} for index in range(FEW)]
    Path("study.mrg").write_bytes(b"(S (X x))\n")
    crowded = [{**content["treebanks"][0], "candidates": many}]
    assert not Plan(study_of({**content, "treebanks": crowded}, "study.yaml"), Path("results")).is_small
    Path("a.mrg").write_bytes(MEGABYTE * SMALL)
    assert not Plan(study_of(content, "study.yaml"), Path("results")).is_small
    Path("a.mrg").unlink()
    absent = study_of(content, "study.yaml", present=False)
    assert not Plan(absent, Path("results")).is_small, "nobody knows the size of what is still to be made"
