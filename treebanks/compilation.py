"""Loops that are not compiled: what they find as plain Python, and a warning that they are slow."""

from __future__ import annotations

import os
import sys
import warnings
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

PLAIN_LOOPS = "CROSSBANK_PLAIN_LOOPS"
"""The variable that says that loops are meant to run as plain Python, as in a debugger."""


class _PlainModules:
    """Finds what loops take from ``cython.cimports`` when they run as plain Python."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Find the modules of this package alone."""
        loader: Any = self
        return ModuleSpec(name, loader) if name.startswith("cython.cimports.crossbank.") else None

    def create_module(self, spec: ModuleSpec) -> None:
        """Leave it to Python to make a module."""

    def exec_module(self, module: ModuleType) -> None:
        """Replace the module that Python made by that of the package."""
        sys.modules[module.__name__] = import_module(module.__name__.removeprefix("cython.cimports."))


def allow_plain_loops() -> None:
    """Let loops run as plain Python: they are not compiled, or the variable asks for it.

    Without the variable a warning says so, once in a run: processes that this one starts say nothing.
    """
    sys.modules["cython.cimports.crossbank"] = sys.modules["crossbank"]
    sys.meta_path.insert(0, _PlainModules())
    if not os.environ.get(PLAIN_LOOPS):
        os.environ[PLAIN_LOOPS] = "said"
        message = "the loops are not compiled and run as plain Python, which is slow: make env compiles them"
        warnings.warn(f"{message} ({PLAIN_LOOPS}=1 asks for it)", RuntimeWarning, stacklevel=2)
