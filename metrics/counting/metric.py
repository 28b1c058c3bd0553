"""What every metric is: options, a version, a count loop and measures over the counts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from importlib import import_module
from typing import ClassVar, Literal, get_type_hints

import numpy as np

from crossbank.converters.schemes.views import VIEWS
from crossbank.metrics.counting.counts import Counts, Measure, Sums
from crossbank.metrics.counting.signature import Signature
from crossbank.metrics.pairing.pair import Pair, pair
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import BoolArray
from crossbank.treebanks.errors import CrossbankError, OptionError
from crossbank.treebanks.option_values import option_value, written

METRICS = {
    "parseval": "crossbank.metrics.parseval:Parseval",
    "parseval1991": "crossbank.metrics.parseval1991:Parseval1991",
    "conformance": "crossbank.metrics.conformance:Conformance",
    "selected": "crossbank.metrics.selected:Selected",
    "frames": "crossbank.metrics.frames:Frames",
    "leaf_ancestor": "crossbank.metrics.leaf_ancestor:LeafAncestor",
    "rule_distance": "crossbank.metrics.rule_distance:RuleDistance",
    "span_distance": "crossbank.metrics.span_distance:SpanDistance",
    "bracketing_distance": "crossbank.metrics.bracketing_distance:BracketingDistance",
    "tree_distance": "crossbank.metrics.tree_distance:TreeDistance",
    "tedeval": "crossbank.metrics.tedeval:TedEval",
    "dependencies": "crossbank.metrics.dependencies:Dependencies",
    "local_dependencies": "crossbank.metrics.local_dependencies:LocalDependencies",
    "conll18": "crossbank.metrics.conll18:Conll18",
    "relations": "crossbank.metrics.relations:Relations",
}
"""Each metric's class by the name under which the command line and studies know it."""


@dataclass(frozen=True)
class Item:
    """One thing that a metric counted in a sentence, for error analysis and pictures.

    kind       ``bracket``, ``arc``, ``word`` ...
    label      its label, relation or form
    tokens     the tokens it covers or joins, by position from 0
    side       on which side it stands
    matched    whether the other side has it too
    score      its own score where items have one (leaf-ancestor's words), else 1 or 0
    gold, candidate  what each side says, where that is more than the label (lineages, heads)
    """

    kind: str
    label: str
    tokens: tuple[int, ...]
    side: Literal["gold", "candidate", "both"]
    matched: bool
    score: float
    gold: str = ""
    candidate: str = ""


@dataclass(frozen=True)
class Metric(ABC):
    """A metric with its options, which are the fields of its class.

    A subclass is a frozen dataclass; a field of type ``bool`` takes ``yes`` and ``no``, a
    ``Literal`` one of its values, ``tuple[str, ...]`` names joined by ``+``, ``int``, ``float`` and
    ``str`` what they say; ``none`` is None where the type has it. ``version`` changes with every
    change that can change a number.
    ``view`` names one of ``converters.schemes.views.VIEWS``. ``part_measures`` are what is said of some
    kinds of parts, where that is other than those of the metric's own measures that the parts' columns
    suffice for.
    """

    name: ClassVar[str]
    version: ClassVar[str]
    view: ClassVar[str]
    measures: ClassVar[tuple[Measure, ...]]
    part_measures: ClassVar[Mapping[str, tuple[Measure, ...]]] = {}

    @staticmethod
    def pair(
        gold: Treebank, candidate: Treebank, *, delete: BoolArray | None = None, align: bool = False
    ) -> Pair:
        """Gold and candidate, in the metric's view, paired by ``metrics.pairing.pair``."""
        return pair(gold, candidate, delete=delete, align=align)

    @abstractmethod
    def counts(self, pair: Pair) -> Counts:
        """Count, sentence by sentence; in sentences that are not scored, gold alone."""

    def require_view(self, pair: Pair) -> None:
        """Raise CrossbankError where gold has nothing to compare: finding nothing would score 1."""
        view = VIEWS[self.view]
        if not view.accepts_gold(pair.gold):
            where = pair.gold.where(0).partition(":")[0] or "gold"
            raise CrossbankError(f"{where}: found no {view.name}, expected {view.expected} ({self.name})")

    @abstractmethod
    def items(self, pair: Pair, sentence: int) -> list[Item]:
        """What was counted in one sentence."""

    @classmethod
    def with_options(cls, options: Mapping[str, object]) -> Metric:
        """The metric with options as a user writes them.

        Raises OptionError for an unknown option or a value that is not of its kind.
        """
        kinds = get_type_hints(cls)
        allowed = [field.name for field in fields(cls)]
        for name in options:
            if name not in allowed:
                raise OptionError(f"option of {cls.name}", name, allowed or "none")
        return cls(**{name: option_value(name, value, kinds[name]) for name, value in options.items()})

    def signature(self, pair: Pair) -> Signature:
        """The options, and the conversions that gold and candidate went through."""
        choices = [(field.name, written(getattr(self, field.name))) for field in fields(self)]
        conversions = {"+".join(bank.history) or "none" for bank in (pair.gold, pair.candidate)}
        choices.append(("conversions", "/".join(sorted(conversions))))
        return Signature(self.name, self.version, tuple(choices))


def metric(name: str, options: Mapping[str, object] | None = None) -> Metric:
    """A metric by name, with options as a user writes them. Raises OptionError for unknown names."""
    return metric_class(name).with_options(options or {})


def metric_class(name: str) -> type[Metric]:
    """A metric's class by its name. Raises OptionError for unknown names."""
    if name not in METRICS:
        raise OptionError("metric", name, tuple(METRICS))
    module, _, attribute = METRICS[name].partition(":")
    found: type[Metric] = getattr(import_module(module), attribute)
    return found


def measures_of_part(
    counts: Counts, part: str, among: Sequence[Measure] | None = None
) -> tuple[Measure, ...]:
    """What is said of each kind of one of the parts: see ``Metric``.

    among  the measures to choose from where the metric has chosen none: all of its own if not given
    """
    name = counts.signature.metric
    found = metric_class(name) if name in METRICS else None
    if found is not None and part in found.part_measures:
        uncounted = {m.name for m in found.measures} - {m.name for m in counts.measures}
        return tuple(m for m in found.part_measures[part] if m.name not in uncounted)
    nothing = {column: np.zeros(()) for column in counts.parts[part]().columns}
    chosen = counts.measures if among is None else among
    return tuple(measure for measure in chosen if _computable(measure, nothing))


def _computable(measure: Measure, sums: Sums) -> bool:
    try:
        measure.score(sums)
    except KeyError:
        return False
    return True
