"""Page on which all sentences of a study can be compared, filtered and opened, with its data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crossbank.converters.schemes.views import OF_DEPENDENCIES
from crossbank.metrics.counting.presentation import measure_title
from crossbank.reports.pages.page_templates import templates
from crossbank.reports.pages.sentence_data import (
    ROWS,
    TREES,
    Drawn,
    as_json,
    kinds_of_trees,
    pieces,
    scores_of,
    sentences_of,
    write_data,
)
from crossbank.reports.results.study_results import LOOKED_AT, CandidateResults, StudyResults, TreebankResults
from crossbank.reports.results.typed_errors import CandidateErrors, type_title
from crossbank.treebanks import UNATTACHED, Treebank


def write_explorer(
    study: StudyResults, folder: str | PathLike[str], errors: Sequence[CandidateErrors] = ()
) -> None:
    """Write ``sentences.html`` and its folder ``data`` beside the report's page.

    Those of a very large study are empty: each candidate would need files of its own.
    """
    target = Path(folder)
    data = target / "data"
    data.mkdir(parents=True, exist_ok=True)
    for old in data.glob("*.js"):
        old.unlink()
    shown = [] if study.very_large else [treebank for treebank in study.treebanks if treebank.candidates]
    of = {(one.treebank.name, one.candidate.name): one.per_sentence for one in errors}
    index = [_write_treebank(study, treebank, place, data, of) for place, treebank in enumerate(shown)]
    types = {type_: type_title(type_) for found in of.values() for type_ in found}
    told = {"title": study.title, "index": as_json(index), "types": as_json(types)}
    page = templates().get_template("sentences.html.j2")
    text = page.render(told, rows=ROWS, trees=TREES, unattached=UNATTACHED)
    (target / "sentences.html").write_text(text, encoding="utf-8")


def _write_treebank(
    study: StudyResults,
    treebank: TreebankResults,
    place: int,
    data: Path,
    errors: Mapping[tuple[str, str], Mapping[str, NDArray[np.float64]]],
) -> dict[str, Any]:
    """Write the data of a treebank and its candidates; the result is its entry in the page's index."""
    shared: Drawn | None = None
    first = next(iter(treebank.candidates[0].counts.values()))
    sentences = min(len(first), LOOKED_AT)
    candidates = []
    for number, candidate in enumerate(treebank.candidates):
        drawn = _drawn(study, treebank, candidate)
        shared = drawn if shared is None else shared
        own = shared is not drawn and not drawn.has_gold_of(shared)
        of_type = errors.get((treebank.name, candidate.name), {})
        for piece, rows in pieces(sentences, ROWS):
            scores = scores_of(candidate.counts, study.headlines, of_type, rows)
            write_data(data, f"scores-{place}-{number}-{piece}", scores)
        for piece, rows in pieces(sentences, TREES):
            trees = drawn.candidate(rows)
            if own:
                trees["gold"] = drawn.gold(rows)
            write_data(data, f"trees-{place}-{number}-{piece}", trees)
        candidates.append({"name": candidate.name, "types": list(of_type)})
    gold = next((pair.gold for pair in shared.pairs.values()), None) if shared is not None else None
    for piece, rows in pieces(sentences, ROWS):
        write_data(data, f"sentences-{place}-{piece}", sentences_of(treebank, first, gold, rows))
    for piece, rows in pieces(sentences, TREES):
        write_data(data, f"gold-{place}-{piece}", shared.gold(rows) if shared is not None else {})
    facts = treebank.sentences
    return {
        "treebank": treebank.name,
        "sentences": sentences,
        "candidates": candidates,
        "measures": [
            {"name": measure_title(name, m), "proportion": m.proportion, "less": m.better == "less"}
            for name, m in ((name, study.headlines[name]) for name in treebank.candidates[0].counts)
        ],
        "attributes": {} if facts is None else {n: list(g.groups) for n, g in facts.groupings.items()},
        "kinds": _strings(shared),
    }


def _drawn(study: StudyResults, treebank: TreebankResults, candidate: CandidateResults) -> Drawn:
    """Gold and candidate in each kind of trees that the study's metrics look at."""
    relations = any(
        metric.view in OF_DEPENDENCIES and getattr(metric, "labels", True)
        for metric in study.metrics.values()
    )
    by_view = {m.view: name for name, m in study.metrics.items() if name in candidate.counts}
    if study.pair_of is None:
        return Drawn({}, relations)
    pairs = {
        kind: study.pair_of(treebank.name, candidate.name, by_view[view])
        for kind, view in kinds_of_trees(list(by_view)).items()
    }
    return Drawn(pairs, relations)


def _strings(drawn: Drawn | None) -> dict[str, list[str]]:
    """Gold's labels, tags and relations, in alphabetical order."""
    found: dict[str, list[str]] = {}
    for kind, pair in {} if drawn is None else drawn.pairs.items():
        if kind == "constituents":
            found["label"] = _occurring(pair.gold, pair.gold.nodes.label)
            found["tag"] = _occurring(pair.gold, pair.gold.tokens.pos)
        elif drawn is not None and drawn.relations:
            found["relation"] = _occurring(pair.gold, pair.gold.tokens.relation)
    return {name: strings for name, strings in found.items() if strings}


def _occurring(bank: Treebank, column: NDArray[np.int32]) -> list[str]:
    return sorted({string for string in bank.vocabulary.decode(np.unique(column)) if string})
