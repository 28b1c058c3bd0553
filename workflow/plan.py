"""Which files a study makes, and everything that each of its steps depends on.

A step gets its settings as one JSON argument and a digest of its code beside it: Snakemake runs a
step again when its input, its settings or its code have changed, and not otherwise.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crossbank.converters.schemes.files import load_scheme
from crossbank.converters.schemes.views import VIEWS
from crossbank.converters.transformations import TRANSFORMATIONS
from crossbank.metrics.counting.metric import METRICS
from crossbank.treebanks.formats import FORMATS
from crossbank.workflow.code_digest import code_digest
from crossbank.workflow.study import GOLD, Study


@dataclass(frozen=True)
class Plan:
    """The files of a study under the folder ``results``, and the settings and code of its steps."""

    study: Study
    results: Path

    # Files

    def as_read(self) -> list[Path]:
        """Every treebank and candidate as it was read."""
        return [self.source(t.name, s.name) for t in self.study.treebanks for s in t.sources]

    def views(self) -> list[Path]:
        """Gold in every view that its scheme has or a metric wants; candidates in those that metrics want."""
        wanted = {metric.view for metric in self.study.metrics}
        paths = []
        for treebank in self.study.treebanks:
            of_scheme = load_scheme(treebank.scheme).views if treebank.scheme else {}
            lists = {**of_scheme, **treebank.views}
            shown = wanted | {name for name, view in VIEWS.items() if view.shown and lists.get(name)}
            for source in (treebank.gold, *treebank.candidates):
                paths += [
                    self.converted(treebank.name, source.name, view)
                    for view in VIEWS
                    if view in (shown if source.name == GOLD else wanted)
                ]
        return paths

    def view(self, treebank: str, source: str, metric: str) -> Path:
        """Gold or a candidate in the view that a metric wants."""
        return self.converted(treebank, source, self.study.metric(metric).view)

    def scores(self) -> list[Path]:
        """Every candidate's counts under every metric."""
        return [
            self.results / "scores" / treebank.name / f"{candidate.name}.{metric.name}.parquet"
            for treebank in self.study.treebanks
            for candidate in treebank.candidates
            for metric in self.study.metrics
        ]

    def reliability(self) -> list[Path]:
        """How far conversions to dependencies can be trusted, where a metric wants dependencies."""
        if not any(metric.view == "dependencies" for metric in self.study.metrics):
            return []
        return [
            self.results / "reliability" / f"{treebank.name}.json"
            for treebank in self.study.treebanks
            if treebank.conversion()
        ]

    def measured(self, treebank: str) -> list[Path]:
        """The trees of a treebank, and the independent dependencies of their sentences if there are some."""
        studied = self.study.treebank(treebank)
        measured = (studied.gold, studied.dependencies)
        return [self.source(treebank, source.name) for source in measured if source is not None]

    def source(self, treebank: str, source: str) -> Path:
        """A source as it was read."""
        return self.results / "treebanks" / treebank / f"{source}.parquet"

    def converted(self, treebank: str, source: str, view: str) -> Path:
        """A source in a view."""
        return self.results / "converted" / treebank / f"{source}.{view}.parquet"

    # Settings

    def reading(self, treebank: str, source: str) -> str:
        """How a source is read."""
        found = self.study.treebank(treebank).source(source)
        return settings(format=found.format, encoding=found.encoding)

    def converting(self, treebank: str, source: str, view: str) -> str:
        """What a source goes through on its way to a view."""
        studied = self.study.treebank(treebank)
        return settings(
            scheme=studied.scheme,
            transformations=list(studied.source(source).transformations),
            view=view,
            views=dict(studied.views),
        )

    def measuring(self, treebank: str) -> str:
        """The conversion to dependencies, and what trees and independent dependencies go through first."""
        studied = self.study.treebank(treebank)
        independent = studied.dependencies
        return settings(
            scheme=studied.scheme,
            transformations=list(studied.gold.transformations),
            conversion=list(studied.conversion()),
            independent=None if independent is None else list(independent.transformations),
            samples=self.study.samples,
            seed=self.study.seed,
        )

    def scoring(self, treebank: str, metric: str) -> str:
        """How a metric counts."""
        studied, chosen = self.study.treebank(treebank), self.study.metric(metric)
        options = dict(chosen.options)
        if studied.delete is not None:
            options.setdefault("delete", studied.delete)
        return settings(
            metric=chosen.metric, options=options, scheme=studied.scheme, unscored=self.study.unscored
        )

    def reporting(self) -> str:
        """The whole study: the summary and the report tell of all of it."""
        return settings(**self.study.content)

    # Code

    def code(self, step: str, metric: str | None = None) -> str:
        """A digest of the code of a step, with what it finds by name: formats, conversions, metrics."""
        conversions = [target.partition(":")[0] for target in TRANSFORMATIONS.values()]
        formats = [f"crossbank.treebanks.formats.{format}" for format in FORMATS]
        named = {
            "read": formats,
            "convert": conversions,
            "reliability": formats + conversions,
        }.get(step, [])
        chosen = [self.study.metric(metric)] if metric is not None else self.study.metrics
        if step not in ("read", "convert", "reliability"):
            named = [METRICS[used.metric].partition(":")[0] for used in chosen]
        return code_digest(f"crossbank.workflow.steps.{step}", *named)


def settings(**values: Any) -> str:
    """Settings as one argument of a command, the same for the same settings."""
    return json.dumps(values, sort_keys=True, ensure_ascii=False)
