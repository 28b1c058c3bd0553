"""Run loops that are not compiled as plain Python, with a warning that they are slow."""

from __future__ import annotations

import os
import sys
import warnings
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

PLAIN_LOOPS = "CROSSBANK_PLAIN_LOOPS"
"""The environment variable with which loops run as plain Python, for debuggers."""


class _PlainModules:
    """Finds the modules that loops import from ``cython.cimports``, when they run as plain Python."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Find only modules of this package."""
        loader: Any = self
        return ModuleSpec(name, loader) if name.startswith("cython.cimports.crossbank.") else None

    def create_module(self, spec: ModuleSpec) -> None:
        """Leave it to Python to make a module."""

    def exec_module(self, module: ModuleType) -> None:
        """Replace the module that Python made by that of the package."""
        sys.modules[module.__name__] = import_module(module.__name__.removeprefix("cython.cimports."))


def allow_plain_loops() -> None:
    """Let loops run as plain Python if they are not compiled or the variable is set.

    Without the variable a warning is issued, once in a run and not in subprocesses.
    """
    sys.modules["cython.cimports.crossbank"] = sys.modules["crossbank"]
    sys.meta_path.insert(0, _PlainModules())
    if not os.environ.get(PLAIN_LOOPS):
        os.environ[PLAIN_LOOPS] = "said"
        message = "the loops are not compiled and run as plain Python, which is slow: make env compiles them"
        warnings.warn(f"{message} ({PLAIN_LOOPS}=1 asks for it)", RuntimeWarning, stacklevel=2)
