"""Names that options and arguments take, by kind: those of the registries, other packages' among them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import fields
from functools import partial
from importlib import import_module
from typing import Any

METRICS = "crossbank.metrics.counting.metric"
FORMATS = "crossbank.treebanks.formats"
TRANSFORMATIONS = "crossbank.converters.transformations"
MODES = "crossbank.metrics.modes.modes_by_name"
"""The modules with a registry, which other packages may add to."""


def registered(module: str) -> list[str]:
    """Return the names in the registry of a module, including those of other packages."""
    names: list[str] = import_module(module).REGISTRY.names()
    return names


def _attribute(module: str, name: str) -> Any:
    return getattr(import_module(module), name)


def breakdowns(metrics: Sequence[str] = ()) -> dict[str, str]:
    """Return the breakdowns of metrics, or of all, with the metrics that have them.

    Which breakdowns a metric has shows when it counts, so it counts an example and no sentences at all.
    """
    from crossbank.converters.scheme_files import load_scheme
    from crossbank.metrics.counting.metric import metric_class
    from crossbank.metrics.counting.scoring import Scoring, score
    from crossbank.treebanks.errors import CrossbankError, OptionError
    from crossbank.workflow.example import example

    gold, candidate = example()
    nothing = gold.select([])
    metrics_of: dict[str, dict[str, None]] = {}
    for name in metrics or registered(METRICS):
        try:
            of_name = metric_class(name)
        except OptionError:
            continue  # Another package names a metric that it does not have.
        metric = of_name.with_options(_needed_labels(of_name))
        for pair, scheme in (((nothing, nothing), None), ((gold, candidate), load_scheme("ptb"))):
            try:
                (counts,) = score(*pair, Scoring((metric,), delete="none"), scheme)
            except CrossbankError:
                continue  # The metric wants what this pair does not hold, such as frames.
            for breakdown in counts.breakdowns:
                metrics_of.setdefault(breakdown, {})[name] = None
    by_sentence = {"length": "number of words", "file": "file", "ATTRIBUTE": "attribute in gold's comments"}
    return {
        **{breakdown: f"of {', '.join(names)}" for breakdown, names in metrics_of.items()},
        **{name: f"of all metrics and modes: sentences by {what}" for name, what in by_sentence.items()},
    }


def _needed_labels(metric: Any) -> dict[str, str]:
    """Return all labels, for a metric that counts only the labels it is given."""
    return {field.name: "*" for field in fields(metric) if field.name == "labels" and field.default == ()}


NAMES: Mapping[str, Callable[[], Collection[str]]] = {
    "metric": partial(registered, METRICS),
    "format": partial(registered, FORMATS),
    "scheme": lambda: list(_attribute("crossbank.converters.scheme_files", "scheme_names")()),
    "transformation": partial(registered, TRANSFORMATIONS),
    "mode": partial(registered, MODES),
    "profile": lambda: list(_attribute("crossbank.workflow.named_profiles", "profile_names")()),
}
"""The function that returns the names of a kind."""
