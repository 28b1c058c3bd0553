"""Private parts of Snakemake that a study changes, and nothing else does: its scheduler, and names.

Tried with Snakemake 9.27.1; ``tests/workflow/test_failed_jobs.py`` fails where another has not these parts.
As a module of another workflow a study changes none of them: that workflow is not ours.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from typing import Any

EQUAL = re.match("", "")
"""The match of a name without wildcards: it has no groups."""


def compare_names(file: Any) -> None:
    """Have Snakemake's class of files compare a name without wildcards as it is written.

    Snakemake compiles a regular expression of each name. A third of the time was that, where thousands of
    files are there and nothing is to be done.
    """
    match_expression = file.match

    def match(self: Any, target: str) -> Any:
        if "{" in self.file:
            return match_expression(self, target)
        return EQUAL if self.file == target else None

    file.match = match


def take_any_name(graph: Any) -> None:
    """Have Snakemake's class of graphs take names that repeat themselves, as circles of rules would."""
    graph.check_periodic_wildcards = lambda graph, job: None


def adapt(scheduler: Any, at_once: int) -> None:
    """Have Snakemake's scheduler lose no time where hundreds of jobs are ready, and no job of a cluster.

    at_once  the number of jobs that can run at once
    """
    ask_again(scheduler._executor)
    # Snakemake starts at most 100 jobs a second. To keep to it, it looks at all jobs that are ready once a
    # second for every job that has ended: with hundreds of jobs that was most of a study's time.
    scheduler.job_rate_limiter = None
    # For each job that it looks at it asks for the size of all inputs: no more than can start are enough.
    scheduler.subsample = scheduler.subsample or 2 * at_once


def ask_again(executor: Any) -> None:
    """Have an executor of Snakemake ask again for jobs about which it was told nothing.

    Slurm's plugin forgets all jobs where Slurm does not answer, as while its controller is started anew. The
    study would wait for ever. Executors that ask nobody are left as they are.
    """
    if not hasattr(executor, "check_active_jobs"):
        return
    answered: set[int] = set()
    ask = executor.check_active_jobs

    def noted(report: Callable[..., None]) -> Callable[..., None]:
        def report_and_note(job: Any, *arguments: Any, **named: Any) -> None:
            answered.add(id(job))
            report(job, *arguments, **named)

        return report_and_note

    async def ask_for_all(active: list[Any]) -> AsyncIterator[Any]:
        answered.clear()
        async for job in ask(active):
            answered.add(id(job))
            yield job
        for job in active:
            if id(job) not in answered:
                yield job

    executor.report_job_success = noted(executor.report_job_success)
    executor.report_job_error = noted(executor.report_job_error)
    executor.check_active_jobs = ask_for_all
