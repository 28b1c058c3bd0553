"""Jobs of a cluster about which there was no answer: they are asked for again."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any


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
