"""Jobs that cannot print themselves why they failed, and Snakemake without any change to it."""

import ast
import re
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from crossbank.workflow.snakemake_logger import failed_in_cluster
from tests.workflow.test_faults import HUNG, folder, posix, start, wait_for
from tests.workflow.test_kills import is_step

ROOT = Path(__file__).resolve().parents[2]

__all__ = ["folder"]


def kill_a_step(command: psutil.Process) -> bool:
    """Kill a step of a study with -9; False if there is none that has not ended."""
    for step in filter(is_step, command.children(recursive=True)):
        with suppress(psutil.NoSuchProcess):
            step.kill()
            return True
    return False


@posix
@pytest.mark.slow
def test_a_killed_job_is_named(folder: Path) -> None:
    process = start(folder)
    wait_for(lambda: kill_a_step(psutil.Process(process.pid)))
    output, _ = process.communicate(timeout=HUNG)
    assert process.returncode == 1
    (line,) = [line for line in output.splitlines() if ": the job was killed (kill -9). Where nobody" in line]
    assert re.match(r"\w+ t/(gold|candidates-1-of-1)\b|report:", line)


def test_a_job_of_a_cluster_is_quoted(tmp_path: Path) -> None:
    own, log = tmp_path / "gold.log", tmp_path / "1.log"
    own.write_text("a note that is only here\ngold.mrg:2: this is wrong\n", encoding="utf-8")
    killed = "slurmstepd-node1: error: Exceeded job memory limit"
    log.write_text(
        f"Building DAG of jobs...\ngold.mrg:2: this is wrong\n\n{killed}\n{killed}\n", encoding="utf-8"
    )
    assert failed_in_cluster(str(log), [str(own), str(tmp_path / "missing.log")]) == (
        f"A job of the cluster failed: {log}\ngold.mrg:2: this is wrong\n{killed}"
    )


def files_of_workflow() -> list[Path]:
    """Return the Snakefile, the rules and all modules of the layer."""
    every = (ROOT / "workflow").rglob("*")
    return [path for path in every if path.suffix in {".py", ".smk"} or path.name == "Snakefile"]


def test_nothing_of_snakemake_is_replaced() -> None:
    """No private part is read, and none of the objects that the Snakefile sees is given another value."""
    private = re.compile(
        r"workflow\.(_|scheduler|dag|persistence|modifier)|\b_IOFile\b|snakemake\.logging import logger"
        r"|^\s*workflow\.\w+ = ",
        re.M,
    )
    assert [path.name for path in files_of_workflow() if private.search(path.read_text("utf-8"))] == []
    for path in files_of_workflow():
        if path.suffix == ".py":
            imports = [
                node
                for node in ast.walk(ast.parse(path.read_text("utf-8")))
                if isinstance(node, ast.ImportFrom)
            ]
            of_snakemake = [node for node in imports if (node.module or "").startswith("snakemake")]
            assert not any(alias.name.startswith("_") for node in of_snakemake for alias in node.names)
