"""A warning where the loops are not compiled: as plain Python they take some hundred times as long."""

from __future__ import annotations

import os
import sys
import warnings

from crossbank.treebanks.forest import Forest

PLAIN_LOOPS = "CROSSBANK_PLAIN_LOOPS"
"""The variable that says that loops are meant to run as plain Python, as in a debugger."""


def warn_of_plain_loops() -> None:
    """Warn where the loops are not compiled, once in a run: processes that this one starts say nothing."""
    if not str(sys.modules[Forest.__module__].__file__).endswith(".py") or os.environ.get(PLAIN_LOOPS):
        return
    os.environ[PLAIN_LOOPS] = "said"
    message = "the loops are not compiled and run as plain Python, which is slow: make env compiles them"
    warnings.warn(f"{message} ({PLAIN_LOOPS}=1 asks for it)", RuntimeWarning, stacklevel=2)
