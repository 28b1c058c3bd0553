"""Step: read one source, all its files one after the other, and keep it as Parquet."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from crossbank.treebanks import Treebank
from crossbank.treebanks.formats import read, write
from crossbank.workflow.steps.step import run


def step(given: argparse.Namespace, settings: dict[str, Any]) -> None:
    """Read ``given.inputs`` in the format and encoding of the settings; write ``given.output``."""
    banks = [read(path, settings["format"], encoding=settings["encoding"]) for path in given.inputs]
    bank = Treebank.concatenate(banks)
    write(bank, given.output, "parquet")
    print(f"{len(banks)} files, {len(bank)} sentences, {len(bank.tokens)} tokens", file=sys.stderr)


if __name__ == "__main__":
    run(step, "output", inputs=True)
