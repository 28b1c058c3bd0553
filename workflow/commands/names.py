"""Names that options and arguments take, by kind: those of the registries, other packages' among them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import partial
from importlib import import_module
from typing import Any

METRICS = "crossbank.metrics.counting.metric"
FORMATS = "crossbank.treebanks.formats"
TRANSFORMATIONS = "crossbank.converters.transformations"
"""The modules with a registry, which other packages may add to."""


def registered(module: str) -> list[str]:
    """Return the names in the registry of a module, including those of other packages."""
    registry = import_module(module).REGISTRY
    return list(dict.fromkeys([*registry.ours, *registry.entry_points()]))


def _attribute(module: str, name: str) -> Any:
    return getattr(import_module(module), name)


def _breakdowns() -> Collection[str]:
    entries: Mapping[str, str] = _attribute("crossbank.workflow.commands.list", "breakdowns")()
    return [name for name in entries if name.islower()]


NAMES: Mapping[str, Callable[[], Collection[str]]] = {
    "metric": partial(registered, METRICS),
    "format": partial(registered, FORMATS),
    "scheme": lambda: list(_attribute("crossbank.converters.scheme_files", "scheme_names")()),
    "transformation": partial(registered, TRANSFORMATIONS),
    "mode": lambda: list(_attribute("crossbank.metrics.rivals.modes_by_name", "MODES")),
    "profile": lambda: list(_attribute("crossbank.workflow.named_profiles", "profile_names")()),
    "breakdown": _breakdowns,
}
"""The function that returns the names of a kind."""
