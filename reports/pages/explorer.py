"""A page on which all sentences of a study can be filtered and opened, with its data beside it.

The page ``sentences.html`` loads only what it shows: lists of sentences by the thousand, drawings by the
hundred. They are scripts, since a page that is opened from a file may not read other files otherwise. The
sentences with the worst scores come first: they are in the list that is loaded first.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from crossbank.metrics.counting.counts import Counts, Status
from crossbank.metrics.counting.presentation import headline, metric_title
from crossbank.metrics.pairing.pair import Pair
from crossbank.reports.results.differences import node_marks, tag_marks
from crossbank.reports.results.study import CandidateResults, StudyResults, TreebankResults
from crossbank.reports.sections.error_types import CandidateErrors, type_title
from crossbank.treebanks.pictures.arcs import arcs_of, draw_arcs
from crossbank.treebanks.pictures.trees import draw_tree

TEMPLATES = Path(__file__).parent / "templates"

ROWS, TREES = 5000, 200
"""The number of sentences in a list, and in a file of drawings: each file has some hundred kilobytes."""


@dataclass(frozen=True)
class _Candidate:
    """One candidate's sentences: their order, scores, errors and pairs.

    relations  whether any metric compares the relations of dependencies; if not, only heads are drawn
    """

    treebank: TreebankResults
    candidate: CandidateResults
    errors: CandidateErrors | None
    pairs: Mapping[str, Pair]
    relations: bool

    @property
    def counts(self) -> Mapping[str, Counts]:
        return self.candidate.counts

    @property
    def order(self) -> list[int]:
        """The rows of the counts: unscored sentences first, then by the first metric, the worst first."""
        first = next(iter(self.counts.values()))
        values = first.by_sentence(headline(first).name)
        scored = first.status == Status.SCORED
        order: list[int] = np.lexsort((np.arange(len(first)), np.where(scored, values, -1.0))).tolist()
        return order


def write_explorer(
    study: StudyResults, folder: str | PathLike[str], errors: Sequence[CandidateErrors] = ()
) -> None:
    """Write ``sentences.html`` and its folder ``data`` beside the report's page."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    target = Path(folder)
    data = target / "data"
    data.mkdir(parents=True, exist_ok=True)
    for old in data.glob("*.js"):
        old.unlink()
    index = []
    for place, one in enumerate(_candidates(study, errors)):
        order = one.order
        for piece, rows in enumerate(_cut(order, ROWS)):
            _write(data / f"rows-{place}-{piece}.js", "rows", place, piece, list(_rows(one, rows)))
        for piece, rows in enumerate(_cut(order, TREES)):
            _write(data / f"trees-{place}-{piece}.js", "trees", place, piece, list(_trees(one, rows)))
        index.append(
            {
                "treebank": one.treebank.name,
                "candidate": one.candidate.name,
                "sentences": len(order),
                "measures": [
                    f"{metric_title(name)} {headline(counts).heading}" for name, counts in one.counts.items()
                ],
                "types": {} if one.errors is None else {t: type_title(t) for t in one.errors.per_sentence},
            }
        )
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    page = environment.get_template("sentences.html.j2").render(
        title=study.title, index=_json(index), rows=ROWS, trees=TREES
    )
    (target / "sentences.html").write_text(page, encoding="utf-8")


def _candidates(study: StudyResults, errors: Sequence[CandidateErrors]) -> Iterator[_Candidate]:
    of = {(one.treebank.name, one.candidate.name): one for one in errors}
    relations = any(
        metric.view == "dependencies" and getattr(metric, "labels", True) for metric in study.metrics.values()
    )
    for treebank in study.treebanks:
        for candidate in treebank.candidates:
            views = {m.view: name for name, m in study.metrics.items() if name in candidate.counts}
            pairs: dict[str, Pair] = (
                {view: study.pair_of(treebank.name, candidate.name, name) for view, name in views.items()}
                if study.pair_of is not None
                else {}
            )
            found = of.get((treebank.name, candidate.name))
            yield _Candidate(treebank, candidate, found, pairs, relations)


def _cut(order: list[int], size: int) -> Iterator[list[int]]:
    return (order[begin : begin + size] for begin in range(0, max(len(order), 1), size))


def _rows(one: _Candidate, rows: list[int]) -> Iterator[list[Any]]:
    """Each sentence's identifier, words, reason if unscored, score under each metric, types of errors."""
    values = [(counts, counts.by_sentence(headline(counts).name)) for counts in one.counts.values()]
    first = next(iter(one.counts.values()))
    words = next((pair.gold for pair in one.pairs.values()), None)
    types = [] if one.errors is None else list(one.errors.per_sentence.items())
    for row in rows:
        status = Status(int(first.status[row]))
        yield [
            first.sentences[row],
            "" if words is None else " ".join(words.words(row)),
            "" if status is Status.SCORED else str(status),
            [round(float(v[row]), 4) if c.status[row] == Status.SCORED else None for c, v in values],
            [type_ for type_, counts in types if counts[row]],
        ]


def _trees(one: _Candidate, rows: list[int]) -> Iterator[dict[str, Any]]:
    """The drawings of a sentence: gold's tree and the candidate's with marks, the dependencies of both."""
    constituents = one.pairs.get("constituents", one.pairs.get("heads"))
    dependencies = one.pairs.get("dependencies")
    for row in rows:
        shown: dict[str, Any] = {}
        if constituents is not None and constituents.scored[row]:
            gold, candidate = node_marks(constituents, row)
            wrong = tag_marks(constituents, row)
            shown["gold"] = draw_tree(constituents.gold, row, gold)
            shown["candidate"] = draw_tree(constituents.candidate, row, candidate, wrong)
        if dependencies is not None and dependencies.scored[row]:
            sides = (
                arcs_of(bank, row, relations=one.relations)
                for bank in (dependencies.gold, dependencies.candidate)
            )
            shown["arcs"] = draw_arcs(dependencies.gold.words(row), *sides)
        yield shown


def _write(path: Path, kind: str, candidate: int, piece: int, content: list[Any]) -> None:
    path.write_text(f'crossbank("{kind}",{candidate},{piece},{_json(content)});\n', encoding="utf-8")


def _json(content: Any) -> str:
    """JSON that may stand in a script."""
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
