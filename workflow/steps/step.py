"""How a step begins and ends: settings as JSON, one plain line for a wrong input."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from typing import Any

from crossbank.treebanks.errors import CrossbankError


def run(
    step: Callable[[argparse.Namespace, dict[str, Any]], None], *options: str, inputs: bool = False
) -> None:
    """Run a step with its arguments from the command line; leave with 2 where the input is wrong.

    ``options`` are the step's own arguments, all of them files; ``inputs`` says that further files
    may follow.
    """
    parser = argparse.ArgumentParser()
    parser.add_argument("--settings", required=True, type=json.loads)
    for option in options:
        parser.add_argument(f"--{option}", required=True)
    if inputs:
        parser.add_argument("inputs", nargs="+")
    given = parser.parse_args()
    try:
        step(given, given.settings)
    except CrossbankError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
