"""Jobs that cannot say themselves why they failed, and jobs about which a cluster says nothing."""

import asyncio
import inspect
import os
import re
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from crossbank.workflow.snakemake_messages import tell_of_cluster
from crossbank.workflow.snakemake_parts import adapt, ask_again, compare_names, take_any_name
from tests.workflow.test_faults import folder, posix, start, wait_for
from tests.workflow.test_kills import is_step

ROOT = Path(__file__).resolve().parents[2]

__all__ = ["folder"]


@posix
@pytest.mark.slow
def test_a_killed_job_is_named(folder: Path) -> None:
    process = start(folder)
    command = psutil.Process(process.pid)
    wait_for(lambda: any(map(is_step, command.children(recursive=True))))
    job = next(filter(is_step, command.children(recursive=True)))
    os.kill(job.pid, signal.SIGKILL)
    said, _ = process.communicate(timeout=60)
    assert process.returncode == 1
    (line,) = [line for line in said.splitlines() if ": the job was killed (kill -9). Where nobody" in line]
    assert line.startswith(("convert t/", "score t/", "report"))


def test_a_job_of_a_cluster_is_quoted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own, log = tmp_path / "gold.log", tmp_path / "1.log"
    own.write_text("a note that is only here\ngold.mrg:2: found this, expected that\n", encoding="utf-8")
    killed = "slurmstepd-node1: error: Exceeded job memory limit"
    log.write_text(
        f"Building DAG of jobs...\ngold.mrg:2: found this, expected that\n\n{killed}\n{killed}\n",
        encoding="utf-8",
    )
    tell_of_cluster(str(log), [str(own), str(tmp_path / "missing.log")])
    assert capsys.readouterr().err == (
        f"A job of the cluster failed: {log}\ngold.mrg:2: found this, expected that\n{killed}\n"
    )


class Forgetful:
    """An executor that is told of the first job and the second, and forgets the third."""

    def report_job_success(self, job: str) -> None:
        assert job == "ended"

    report_job_error = report_job_success

    async def check_active_jobs(self, active: list[str]) -> AsyncIterator[str]:
        for job in active:
            if job == "ended":
                self.report_job_success(job)
            elif job == "running":
                yield job


def test_jobs_without_an_answer_are_asked_for_again() -> None:
    executor = Forgetful()
    ask_again(executor)

    async def still_active(jobs: list[str]) -> list[str]:
        return [job async for job in executor.check_active_jobs(jobs)]

    assert asyncio.run(still_active(["ended", "running", "unknown"])) == ["running", "unknown"]
    assert asyncio.run(still_active(["unknown"])) == ["unknown"]
    ask_again(object())


def test_snakemake_has_the_parts_that_a_study_changes() -> None:
    """The scheduler's own attributes, which its code reads under the names that ``adapt`` gives them."""
    from snakemake.scheduling.job_scheduler import JobScheduler

    parts = {"_executor", "job_rate_limiter", "subsample"}
    changed = {name for name in adapt.__code__.co_names if not name.startswith("ask")}
    assert changed == parts
    code = inspect.getsource(JobScheduler)
    assert {name for name in parts if f"self.{name} = " in code or f"self.{name} = (" in code} == parts
    assert "if self.job_rate_limiter is None:" in code

    scheduler = SimpleNamespace(_executor=object(), job_rate_limiter=object(), subsample=None)
    adapt(scheduler, 4)
    assert (scheduler.job_rate_limiter, scheduler.subsample) == (None, 8)


def test_names_without_wildcards_are_compared_as_snakemake_compares_them() -> None:
    from snakemake.io import _IOFile

    class Compared(_IOFile):
        pass

    compare_names(Compared)
    names = ["a/b.c", "a/b+c", "a/{x}.c", "a/{x,[a-z]+}.c", "{x}{y}", "a/{{x}}.c"]
    targets = ["a/b.c", "a/bxc", "a/B.c", "a/b+c", "a/{x}.c", "a/b.cd", ""]
    for name in names:
        found, expected = (
            [match and match.groupdict() for match in map(kind(name, None).match, targets)]
            for kind in (Compared, _IOFile)
        )
        assert found == expected, name


def test_a_name_that_repeats_itself_is_no_circle_of_rules() -> None:
    import snakemake.api  # noqa: F401, without it the next line fails
    from snakemake.dag import DAG
    from snakemake.exceptions import PeriodicWildcardError
    from snakemake.io import PeriodicityDetector

    class Graph(DAG):
        def __init__(self) -> None:
            self.periodic_wildcard_detector = PeriodicityDetector()

    job = SimpleNamespace(wildcards_dict={"candidate": "0" * 20}, rule=None)
    with pytest.raises(PeriodicWildcardError):
        Graph().check_periodic_wildcards(job)
    take_any_name(Graph)
    Graph().check_periodic_wildcards(job)


def test_no_other_file_touches_private_parts_of_snakemake() -> None:
    """The rules and all modules of the floor ``workflow`` but one."""
    private = re.compile(r"workflow\.scheduler\.|scheduler\._executor|periodic|job_rate_limiter|\.subsample")
    files = [
        path
        for path in (ROOT / "workflow").rglob("*")
        if path.suffix in {"", ".py", ".smk"} and path.is_file()
    ]
    assert [path.name for path in files if private.search(path.read_text("utf-8"))] == ["snakemake_parts.py"]
