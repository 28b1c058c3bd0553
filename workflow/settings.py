"""Settings of each step of a study, and a digest of everything else that its result depends on.

Settings name schemes, rules, cost tables and modules. What those hold changes a result as well, so the
digest covers the content of every such file and the code of every such module. Snakemake runs a step
again when its input, its settings or the digest have changed, and not otherwise.
"""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Literal

from crossbank.converters import scheme_of, transformations
from crossbank.converters.dependencies.shared_conventions import FILE as CONVENTIONS
from crossbank.converters.schemes.scheme import Scheme
from crossbank.converters.schemes.views import VIEWS
from crossbank.converters.transformations import TRANSFORMATIONS, files_read, parse
from crossbank.metrics.counting.metric import METRICS, Metric
from crossbank.metrics.counting.scoring import scoring_of
from crossbank.reports.study.held_out import HeldOut
from crossbank.treebanks import formats
from crossbank.treebanks.yaml_files import load_yaml
from crossbank.treebanks.yaml_nodes import State, state
from crossbank.workflow.code_digest import code_digest

STEPS = "crossbank.workflow.steps"


@dataclass(frozen=True)
class Settings(ABC):
    """Settings of a step."""

    def files(self) -> Iterable[Path]:
        """Return the files that the settings name, directly or through another file."""
        return ()

    @abstractmethod
    def modules(self) -> Iterable[str]:
        """Return the modules that do the step, with those that the settings name."""

    @cached_property
    def argument(self) -> str:
        """Settings as JSON; the same text for the same settings."""
        return json.dumps(asdict(self), sort_keys=True, ensure_ascii=False)

    @cached_property
    def digest(self) -> str:
        """Sixteen hexadecimal digits over the settings, the content of their files, and the code."""
        digest = hashlib.sha256(self.argument.encode())
        for path in dict.fromkeys(self.files()):
            digest.update(_said_in(path, state(path)))
        digest.update(code_digest(*self.modules()).encode())
        return digest.hexdigest()[:16]


@lru_cache(maxsize=256)
def _said_in(path: Path, state: State) -> bytes:
    """Return a digest of a file's content at a given version, without comments of YAML."""
    content = repr(load_yaml(path)).encode() if path.suffix in (".yaml", ".yml") else path.read_bytes()
    return hashlib.sha256(content).digest()


@dataclass(frozen=True)
class TransformingSettings(Settings):
    """Settings of a step that applies transformations.

    scheme           by name or file; none where labels stand as they are
    transformations  the study's own, which come first
    """

    scheme: str | None
    transformations: Sequence[Any]

    def files(self) -> Iterable[Path]:
        """Return the scheme's files, and the rules and maps of the transformations."""
        scheme = scheme_of(self.scheme)
        return (*files_of(scheme), *files_read(self.steps(), scheme))

    @abstractmethod
    def steps(self) -> list[Any]:
        """Return all transformations."""


@dataclass(frozen=True)
class ReadSettings(Settings):
    """Settings for reading the files of a source.

    held_out  which sentences are scored: of gold only these are taken
    in_place  whether a single file is only named, and read again where it lies
    damaged   what happens to damaged sentences
    """

    format: str
    encoding: str | None = None
    held_out: HeldOut | None = None
    in_place: bool = False
    damaged: str = "stop"

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> ReadSettings:
        """Return the settings from their argument."""
        held_out = values["held_out"]
        return cls(**{**values, "held_out": None if held_out is None else HeldOut(**held_out)})

    def modules(self) -> Iterable[str]:
        """Return the step and the reader of the format."""
        return (f"{STEPS}.read", formats.REGISTRY.module(self.format))


@dataclass(frozen=True)
class ConvertSettings(TransformingSettings):
    """Settings for the conversion of a source to a view.

    view          the view at the end
    views         the study's lists of transformations, which replace those of the scheme
    context_free  what makes gold like the output of a context-free parser before dependencies are read off;
                  empty where gold stays intact
    """

    view: str
    views: Mapping[str, Sequence[Any]]
    context_free: Sequence[Any] = ()

    def modules(self) -> Iterable[str]:
        """Return the step and all transformations."""
        return (f"{STEPS}.view", *transformation_modules(self.steps()))

    def steps(self) -> list[Any]:
        """Return the study's own transformations, and those of the view."""
        scheme = scheme_of(self.scheme)
        lists = {**(scheme.views if scheme is not None else {}), **self.views}
        listed = lists.get(self.view, lists.get(VIEWS[self.view].instead, ()))
        return [*self.transformations, *self.context_free, *listed]


@dataclass(frozen=True)
class ScoreSettings(Settings):
    """Settings of one metric.

    strict  whether a fault of the comparison that is noticed stops the study
    raw     whether the candidate is said to be parsed from raw text
    """

    metric: str
    options: Mapping[str, Any]
    scheme: str | None
    unscored: Literal["empty", "skip"]
    strict: bool = False
    raw: bool = False

    def files(self) -> Iterable[Path]:
        """Return the scheme's files, and those that the metric's options name."""
        return (*files_of(scheme_of(self.scheme)), *self._metric().files())

    def modules(self) -> Iterable[str]:
        """Return the step, the metric, and another metric that one of its options names."""
        metric = self._metric()
        named = [
            METRICS[value] for value in vars(metric).values() if isinstance(value, str) and value in METRICS
        ]
        return (f"{STEPS}.score", type(metric).__module__, *(name.partition(":")[0] for name in named))

    def _metric(self) -> Metric:
        return scoring_of([self.metric], self.options).metrics[0]


@dataclass(frozen=True)
class FloorSettings(ScoreSettings):
    """Settings of one metric for gold against gold."""

    def modules(self) -> Iterable[str]:
        """Return the step as well."""
        return (f"{STEPS}.floor", *super().modules())


@dataclass(frozen=True)
class ConventionSettings(ScoreSettings):
    """Settings of one metric for candidates under several conventions of dependencies.

    sources  the settings of the conversion of gold and of each candidate, by name
    """

    sources: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> ConventionSettings:
        """Return the settings from their argument."""
        return cls(**values)

    def converting(self, source: str) -> ConvertSettings:
        """Return the settings of the conversion of a source."""
        return ConvertSettings(**self.sources[source])

    def files(self) -> Iterable[Path]:
        """Return the files of the conversions as well."""
        converted = (path for source in self.sources for path in self.converting(source).files())
        return (*super().files(), *converted, CONVENTIONS)

    def modules(self) -> Iterable[str]:
        """Return the step and all transformations as well."""
        steps = [step for source in self.sources for step in self.converting(source).steps()]
        return (f"{STEPS}.conventions", *super().modules(), *transformation_modules(steps))


@dataclass(frozen=True)
class ReliabilitySettings(TransformingSettings):
    """Settings for measuring the conversion of a treebank to dependencies.

    conversion   the transformations that make dependencies of trees
    independent  what independent dependencies go through first; None if there are none
    """

    scheme: str
    conversion: Sequence[Any]
    independent: Sequence[Any] | None
    samples: int
    seed: int
    level: float

    def modules(self) -> Iterable[str]:
        """Return the step, all transformations, and the formats through which trees are sent."""
        readers = formats.REGISTRY.bundled.values()
        return (f"{STEPS}.reliability", *transformation_modules(self.steps()), *readers)

    def steps(self) -> list[Any]:
        """Return what trees and independent dependencies go through first, and the conversion."""
        return [*self.transformations, *self.conversion, *(self.independent or ())]


class JobSettings:
    """Settings of a job that works on several sources.

    entries   the sources' names and settings, as JSON has them
    settings  what the digest covers
    """

    def __init__(self, entries: Sequence[Any], settings: Iterable[Settings]) -> None:
        self.argument = json.dumps(entries, sort_keys=True, ensure_ascii=False)
        digests = dict.fromkeys(one.digest for one in settings)
        self.digest = hashlib.sha256("".join([self.argument, *digests]).encode()).hexdigest()[:16]

    @classmethod
    def of(cls, settings: Mapping[str, Settings]) -> JobSettings:
        """Return the settings of a job from those of each source."""
        return cls([[name, asdict(one)] for name, one in settings.items()], settings.values())


def files_of(scheme: Scheme | None) -> tuple[Path, ...]:
    """Return the files that a scheme was read from; none for no scheme."""
    return () if scheme is None else scheme.files


def transformation_modules(steps: Iterable[Any]) -> list[str]:
    """Return the modules of all our transformations, and of others among some steps."""
    names = dict.fromkeys([*TRANSFORMATIONS, *(parse(step).name for step in steps)])
    return [transformations.REGISTRY.module(name) for name in names]
