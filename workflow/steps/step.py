"""How a step's process begins and ends: arguments by name, one plain line for a wrong input."""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Callable

from crossbank.treebanks.errors import CrossbankError


def run(job: Callable[[argparse.Namespace], None], *options: str) -> None:
    """Run a job with its arguments from the command line; leave with 2 where the input is wrong.

    Every argument is a list.
    """
    parser = argparse.ArgumentParser()
    for option in options:
        parser.add_argument(f"--{option}", nargs="*", default=[])
    given = parser.parse_args()
    gc.disable()  # a short job's arrays hold no cycles of references
    try:
        job(given)
    except CrossbankError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
