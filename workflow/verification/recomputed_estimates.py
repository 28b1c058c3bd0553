"""Estimates of a family recomputed from the Parquet counts of a study.

The definition is that of docs/differences.md: every sentence gets a random sign, scores move with the signs
of their sentences, and a contrast's deviation is divided by its standard deviation. Signs come from the
documented seeds, so that bounds and probabilities are comparable to the last digit.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from math import ceil, floor
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crossbank.metrics.counting.counts import FAILED, Measure, means_of, ratio
from crossbank.metrics.counting.metric import metric_class
from crossbank.metrics.pairing.pair import Status
from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.stored_sources import StoredSource, source_in, stored_sources

CONVENTIONS, CONVENTIONS_FILE = "conventions", "conventions.parquet"
"""The question on conventions of dependencies, and the file with counts under each of them."""

STEP, POWER, EQUAL = 2**-6, 0.8416212335729143, 1e-9
BLOCK = 256

Rows = Sequence[Mapping[str, Any]]
"""Rows of ``estimates.parquet`` by column."""

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class RecomputedSettings:
    """Settings of a study's tests, as ``estimates.parquet`` has them."""

    trials: int
    seed: int
    alpha: float
    match: str = "none"


@dataclass(frozen=True, eq=False)
class ScoreFile:
    """Counts of one candidate: columns, the measures by name, and which sentences enter."""

    columns: Mapping[str, Floats]
    measures: Mapping[str, Measure]
    enters: Mask
    parsed: Mask
    failed: Mask

    def score(self, measure: str, sums: Mapping[str, Floats]) -> Floats:
        """Return a score of sums of columns."""
        return np.asarray(self.measures[measure].score(sums), np.float64)

    def value(self, measure: str, rows: Mask | None = None) -> float:
        """Return the score of some sentences, by default all that enter."""
        rows = self.enters if rows is None else rows
        sums = {name: np.asarray(column[rows].sum()) for name, column in self.columns.items()}
        return float(self.score(measure, {"rows": np.asarray(float(rows.sum())), **sums}))


class StudyCounts:
    """Counts of a study's folder, read when they are first needed."""

    def __init__(self, folder: Path, settings: RecomputedSettings) -> None:
        self.folder, self.settings = folder, settings
        self._files: dict[tuple[str, str, str, str], ScoreFile] = {}

    def of(self, treebank: str, candidate: str, metric: str, convention: str = "") -> ScoreFile:
        """Return the counts of a candidate under a metric; those of types of errors under ``errors``.

        convention  the convention of dependencies; the study's own if empty
        """
        key = treebank, candidate, metric, convention
        if key not in self._files:
            self._files[key] = self._errors(*key[:2]) if metric == "errors" else self._scores(*key)
        return self._files[key]

    def _scores(self, treebank: str, candidate: str, metric: str, convention: str) -> ScoreFile:
        from pyarrow import parquet

        if convention:
            path = self.folder / CONVENTIONS_FILE
            source = source_in(path, f"{treebank} {candidate} {metric} {convention}")
        else:
            path, source = self._source(treebank, candidate, metric)
        about = source.about
        names = [f"count.{name}" for name in about["columns"]]
        with parquet.ParquetFile(path) as file:
            table = file.read_row_groups(source.groups, ["status", *names])
        status = table["status"].to_numpy()
        matched = self._matched.get(treebank)
        if matched is not None:
            status = np.where(matched, status, Status.SKIPPED)
        measures = metric_class(about["class"]).measures
        if ["average", "macro"] in about["choices"]:
            measures = means_of(measures)
        parsed, failed = status == Status.SCORED, np.isin(status, FAILED)
        return ScoreFile(
            {name.removeprefix("count."): table[name].to_numpy().astype(np.float64) for name in names},
            {measure.name: measure for measure in measures},
            parsed | failed if about["policy"] == "empty" else parsed,
            parsed,
            failed,
        )

    def _source(self, treebank: str, candidate: str, metric: str) -> tuple[Path, StoredSource]:
        """Return the file with a candidate's counts, and where they are in it."""
        for path in sorted((self.folder / "scores" / treebank).glob(f"*.{metric}.parquet")):
            if (source := stored_sources(path).get(candidate)) is not None:
                return path, source
        raise CrossbankError(f"{self.folder / 'scores' / treebank}: no counts of {candidate} under {metric}")

    def _errors(self, treebank: str, candidate: str) -> ScoreFile:
        from pyarrow import parquet

        own = [("treebank", "=", treebank), ("candidate", "=", candidate)]
        table = parquet.read_table(self.folder / "report" / "errors.parquet", filters=own)
        names = [name.removeprefix("count.") for name in table.column_names if name.startswith("count.")]
        parsed = np.asarray(table["parsed"].to_pylist(), np.bool_)

        def rate(name: str) -> Measure:
            return Measure(name, lambda sums: 100 * ratio(sums[name], sums["rows"]), name, False, "less")

        columns = {name: table[f"count.{name}"].to_numpy().astype(np.float64) for name in names}
        return ScoreFile(columns, {n: rate(n) for n in names}, parsed, parsed, np.zeros_like(parsed))

    @cached_property
    def _matched(self) -> dict[str, Mask]:
        """Sentences of each treebank that are matched by length; none where the study does not match them."""
        if self.settings.match != "length":
            return {}
        from crossbank.treebanks.formats.parquet import load

        golds = sorted((self.folder / "treebanks").glob("*/gold.parquet"))
        lengths = {path.parent.name: load(path).tokens.lengths() for path in golds}
        longest = max(int(of.max(initial=0)) for of in lengths.values())
        fewest = np.min([np.bincount(of, minlength=longest + 1) for of in lengths.values()], axis=0)
        masks = {}
        for name, of in lengths.items():
            random, mask = np.random.default_rng(self.settings.seed), np.zeros(len(of), np.bool_)
            for length in np.flatnonzero(fewest).tolist():
                mask[random.permutation(np.flatnonzero(of == length))[: fewest[length]]] = True
            masks[name] = mask
        return masks


class _Run:
    """One run of a row: its counts, and the sentences of the row's population."""

    def __init__(self, counts: ScoreFile, measure: str, draws: str, enters: Mask) -> None:
        self.counts, self.measure, self.draws, self.enters = counts, measure, draws, enters

    @property
    def n(self) -> int:
        return int(self.enters.sum())

    def value(self) -> float:
        return self.counts.value(self.measure, self.enters)


def recompute_family(counts: StudyCounts, rows: Rows) -> list[dict[str, Any]]:
    """Return the value, n and the test results of each row of a family."""
    terms = [_terms(counts, row) for row in rows]
    settings, largest = counts.settings, np.zeros(counts.settings.trials)
    signs: dict[tuple[str, int], NDArray[np.int8]] = {}
    made: list[dict[str, Any]] = []
    deviations: list[Floats | None] = []
    for runs in terms:
        value = sum(weight * run.value() for weight, run in runs)
        entering: dict[str, Mask] = {}
        for _, run in runs:
            entering[run.draws] = run.enters | entering.get(run.draws, run.enters)
        made.append({"value": value, "n": sum(int(mask.sum()) for mask in entering.values())})
        drawn = None
        if min(run.n for _, run in runs) >= 2:
            drawn = _deviations(runs, settings, signs)
            spread = float(np.sqrt(np.mean(drawn**2)))
            drawn = np.abs(drawn) / spread if spread > 0 else None
            made[-1]["spread"] = spread
        deviations.append(drawn)
        if drawn is not None:
            largest = np.maximum(largest, drawn)
    allowed = floor(settings.alpha * (settings.trials + 1) + EQUAL)
    critical = np.sort(largest)[-allowed] if allowed else None
    for row, drawn in zip(made, deviations, strict=True):
        row |= dict.fromkeys(("low", "high", "detectable", "needed"))
        row |= {"p": 1.0, "p_corrected": 1.0, "significant": False}
        if drawn is None:
            continue
        value, spread = row["value"], row["spread"]
        limit = abs(value) / spread * (1 - EQUAL)
        row["p"] = (1 + int((drawn >= limit).sum())) / (settings.trials + 1)
        row["p_corrected"] = (1 + int((largest >= limit).sum())) / (settings.trials + 1)
        if critical is not None:
            row["significant"] = bool((largest >= limit).sum() < allowed)
            row["low"], row["high"] = value - critical * spread, value + critical * spread
            row["detectable"] = (critical + POWER) * spread
            row["needed"] = ceil(row["n"] * (row["detectable"] / value) ** 2) if value else None
    return made


def _terms(counts: StudyCounts, row: Mapping[str, Any]) -> list[tuple[float, _Run]]:
    written = json.loads(row["terms"])
    convention = str(row["key"]) if row["question"] == CONVENTIONS else ""
    files = [
        counts.of(treebank, candidate, row["metric"], convention) for _, treebank, candidate, _ in written
    ]
    enters = [file.enters for file in files]
    if str(row["population"]).endswith("scored in both"):
        enters = [file.enters & file.parsed for file in files]
        if len({draws for *_, draws in written}) == 1:
            enters = [np.logical_and.reduce(enters)] * len(files)
    return [
        (weight, _Run(file, row["measure"], draws, own))
        for (weight, _, _, draws), file, own in zip(written, files, enters, strict=True)
    ]


def _deviations(
    runs: Sequence[tuple[float, _Run]],
    settings: RecomputedSettings,
    known: dict[tuple[str, int], NDArray[np.int8]],
) -> Floats:
    """Return how far a contrast deviates in each draw if it is 0."""
    groups: dict[str, list[tuple[float, float, Floats, int]]] = {}
    total = np.zeros(settings.trials)
    for weight, run in runs:
        key = run.draws, len(run.enters)
        if key not in known:
            known[key] = _signs(*key, settings)
        score, mean_sign = _moved(run, known[key])
        total += weight * score
        groups.setdefault(run.draws, []).append((weight, run.value(), mean_sign, run.n))
    unpaired = []
    for of in groups.values():
        part = sum(weight * value for weight, value, _, _ in of)
        size = sum(abs(weight) for weight, *_ in of)
        sign = sum((abs(weight) / size * mean for weight, _, mean, _ in of), np.zeros(settings.trials))
        if abs(sum(weight for weight, *_ in of)) < EQUAL:
            total += part * sign
        else:
            unpaired.append((part, sign, of[0][3]))
    if unpaired:
        inverse = sum(1 / n for _, _, n in unpaired)
        balance = sum((sign / (n * inverse) for _, sign, n in unpaired), np.zeros(settings.trials))
        total += sum(part for part, _, _ in unpaired) * balance
    return total


def _signs(name: str, sentences: int, settings: RecomputedSettings) -> NDArray[np.int8]:
    """Return the sign of each sentence in each draw, shape ``(trials, sentences)``."""
    words = np.frombuffer(sha256(name.encode()).digest()[:16], np.uint32).tolist()
    bits = np.random.default_rng([settings.seed, *words]).integers(
        0, 2**64, (settings.trials, -(-sentences // 64)), np.uint64
    )
    unpacked = np.unpackbits(bits.view(np.uint8), axis=1, bitorder="little", count=sentences)
    return (2 * unpacked.astype(np.int8) - 1).astype(np.int8)


def _moved(run: _Run, signs: NDArray[np.int8]) -> tuple[Floats, Floats]:
    """Return the deviation of a run's score in each draw, and the mean sign of its sentences."""
    names = list(run.counts.columns)
    table = np.stack([np.ones(len(run.enters)), *(run.counts.columns[name] for name in names)], axis=1)
    table *= run.enters[:, None]
    sums = np.concatenate(
        [signs[first : first + BLOCK].astype(np.float64) @ table for first in range(0, len(signs), BLOCK)]
    )
    moved = dict(zip(("rows", *names), (table.sum(axis=0) + STEP * sums).T, strict=True))
    scores = np.broadcast_to(run.counts.score(run.measure, moved), len(signs))
    return (scores - run.value()) / STEP, sums[:, 0] / max(run.n, 1)
