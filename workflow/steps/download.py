"""Step: a file from its address on the web."""

from __future__ import annotations

import argparse
from pathlib import Path

from crossbank.reports.study.addresses import Download
from crossbank.workflow.steps.step import run
from crossbank.workflow.web_files import fetch


def job(given: argparse.Namespace) -> None:
    """Download one file."""
    (address,), (output,) = given.address, given.output
    fetch(Download(address, *given.sha256), Path(output))


if __name__ == "__main__":
    run(job, "address", "sha256", "output")
