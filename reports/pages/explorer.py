"""Page on which all sentences of a study can be compared, filtered and opened, with its data.

The page loads only what it displays. The data are scripts, since a page that is opened from a file may not
read other files otherwise: each calls ``crossbank(name, content)``. Trees are columns of numbers, laid out
and compared by the page: so ten thousand sentences of thirty candidates are written in seconds.

``sentences-T-S``    shard S of treebank T: identifiers, words, lengths, and the groups of each attribute
``gold-T-S``          its gold trees
``scores-T-C-S``      candidate C: statuses, scores by measure, and the sentences with each type of error
``trees-T-C-S``       its trees
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crossbank.converters.schemes.views import OF_DEPENDENCIES
from crossbank.metrics.counting.counts import Counts, Measure
from crossbank.metrics.counting.presentation import measure_title
from crossbank.metrics.pairing.pair import Pair, Status
from crossbank.metrics.pairing.word_forms import canonical
from crossbank.reports.pages.page_templates import load_templates
from crossbank.reports.results.study_results import (
    MAX_EXAMINED_SENTENCES,
    CandidateResults,
    StudyResults,
    TreebankResults,
)
from crossbank.reports.results.typed_errors import CandidateErrors, type_title
from crossbank.treebanks import UNATTACHED, Treebank
from crossbank.treebanks.arrays import Int32Array

ROWS_PER_FILE, TREES_PER_FILE = 5000, 500
"""The number of sentences in a shard of a list, and in a shard of trees."""

CONSTITUENTS, DEPENDENCIES = "constituents", "dependencies"
"""The two types of trees that the page draws."""


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
    treebanks = (
        [] if study.is_very_large else [treebank for treebank in study.treebanks if treebank.candidates]
    )
    of = {(one.treebank.name, one.candidate.name): one.per_sentence for one in errors}
    index = [_write_treebank(study, treebank, number, data, of) for number, treebank in enumerate(treebanks)]
    types = {type_: type_title(type_) for by_type in of.values() for type_ in by_type}
    variables = {"title": study.title, "index": as_json(index), "types": as_json(types)}
    page = load_templates().get_template("sentences.html.j2")
    text = page.render(variables, rows=ROWS_PER_FILE, trees=TREES_PER_FILE, unattached=UNATTACHED)
    (target / "sentences.html").write_text(text, encoding="utf-8")


def _write_treebank(
    study: StudyResults,
    treebank: TreebankResults,
    treebank_number: int,
    data: Path,
    errors: Mapping[tuple[str, str], Mapping[str, NDArray[np.float64]]],
) -> dict[str, Any]:
    """Write the data of a treebank and its candidates; the result is its entry in the page's index."""
    shared: DrawnTrees | None = None
    first = next(iter(treebank.candidates[0].counts.values()))
    sentences = min(len(first), MAX_EXAMINED_SENTENCES)
    candidates = []
    for number, candidate in enumerate(treebank.candidates):
        drawn = _draw_trees(study, treebank, candidate)
        shared = drawn if shared is None else shared
        own = shared is not drawn and not drawn.has_gold_of(shared)
        of_type = errors.get((treebank.name, candidate.name), {})
        for shard, rows in split_rows(sentences, ROWS_PER_FILE):
            scores = collect_chunk_scores(candidate.counts, study.headlines, of_type, rows)
            write_data(data, f"scores-{treebank_number}-{number}-{shard}", scores)
        for shard, rows in split_rows(sentences, TREES_PER_FILE):
            trees = drawn.candidate(rows)
            if own:
                trees["gold"] = drawn.gold(rows)
            write_data(data, f"trees-{treebank_number}-{number}-{shard}", trees)
        candidates.append({"name": candidate.name, "types": list(of_type)})
    gold = next((pair.gold for pair in shared.pairs.values()), None) if shared is not None else None
    for shard, rows in split_rows(sentences, ROWS_PER_FILE):
        write_data(
            data, f"sentences-{treebank_number}-{shard}", collect_sentences(treebank, first, gold, rows)
        )
    for shard, rows in split_rows(sentences, TREES_PER_FILE):
        write_data(data, f"gold-{treebank_number}-{shard}", shared.gold(rows) if shared is not None else {})
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
        "kinds": _collect_strings(shared),
    }


def _draw_trees(study: StudyResults, treebank: TreebankResults, candidate: CandidateResults) -> DrawnTrees:
    """Return gold and candidate in each type of trees that the study's metrics compare."""
    relations = any(
        metric.view in OF_DEPENDENCIES and getattr(metric, "labels", True)
        for metric in study.metrics.values()
    )
    by_view = {m.view: name for name, m in study.metrics.items() if name in candidate.counts}
    if study.pair_of is None:
        return DrawnTrees({}, relations)
    pairs = {
        structure: study.pair_of(treebank.name, candidate.name, by_view[view])
        for structure, view in select_views(list(by_view)).items()
    }
    return DrawnTrees(pairs, relations)


def _collect_strings(drawn: DrawnTrees | None) -> dict[str, list[str]]:
    """Return gold's labels, tags and relations, in alphabetical order."""
    occurring: dict[str, list[str]] = {}
    for structure, pair in {} if drawn is None else drawn.pairs.items():
        if structure == "constituents":
            occurring["label"] = _list_occurring(pair.gold, pair.gold.nodes.label)
            occurring["tag"] = _list_occurring(pair.gold, pair.gold.tokens.pos)
        elif drawn is not None and drawn.relations:
            occurring["relation"] = _list_occurring(pair.gold, pair.gold.tokens.relation)
    return {name: strings for name, strings in occurring.items() if strings}


def _list_occurring(bank: Treebank, column: NDArray[np.int32]) -> list[str]:
    return sorted({string for string in bank.vocabulary.decode(np.unique(column)) if string})


@dataclass(frozen=True)
class DrawnTrees:
    """Trees that the page draws of a candidate.

    pairs      gold and candidate by type of trees
    relations  whether any metric compares the relations of dependencies; if not, only heads are drawn
    """

    pairs: Mapping[str, Pair]
    relations: bool

    def has_gold_of(self, other: DrawnTrees) -> bool:
        """Return whether the gold trees are the same as another candidate's."""
        return self.pairs.keys() == other.pairs.keys() and all(
            _are_same_trees(pair.gold, other.pairs[structure].gold) for structure, pair in self.pairs.items()
        )

    def gold(self, rows: slice) -> dict[str, Any]:
        """Return the gold trees of some sentences, with their words."""
        return self._trees({structure: pair.gold for structure, pair in self.pairs.items()}, rows, forms=True)

    def candidate(self, rows: slice) -> dict[str, Any]:
        """Return the candidate's trees of some sentences. Words are gold's where a sentence is scored."""
        columns = self._trees(
            {structure: pair.candidate for structure, pair in self.pairs.items()}, rows, forms=False
        )
        for structure, pair in self.pairs.items():
            columns[structure]["unscored"] = np.flatnonzero(~pair.scored[rows]).tolist()
        return columns

    def _trees(self, banks: Mapping[str, Treebank], rows: slice, *, forms: bool) -> dict[str, Any]:
        strings: dict[str, int] = {}

        def codes(bank: Treebank, column: Int32Array) -> list[int]:
            used, inverse = np.unique(column, return_inverse=True)
            texts = bank.vocabulary.decode(used)
            for text in sorted(texts):  # codes of the vocabulary depend on how the treebank is cut
                strings.setdefault(text, len(strings))
            known = [strings[text] for text in texts]
            trees: list[int] = np.array(known, np.int32)[inverse].tolist() if known else []
            return trees

        trees: dict[str, Any] = {}
        for structure, bank in banks.items():
            tokens, begins = _slice_table(bank.tokens.offsets, rows)
            columns: dict[str, Any] = {"begins": begins}
            if forms:
                columns["form"] = codes(bank, bank.tokens.form[tokens])
            if structure == CONSTITUENTS:
                nodes, columns["nodes"] = _slice_table(bank.nodes.offsets, rows)
                columns["tag"] = codes(bank, bank.tokens.pos[tokens])
                columns["parent"] = bank.tokens.parent[tokens].tolist()
                columns["label"] = codes(bank, bank.nodes.label[nodes])
                columns["above"] = bank.nodes.parent[nodes].tolist()
            else:
                columns["head"] = bank.tokens.head[tokens].tolist()
                if self.relations:
                    columns["relation"] = codes(bank, bank.tokens.relation[tokens])
            trees[structure] = columns
        trees["strings"] = list(strings)
        trees["canonical"] = {code: one for text, code in strings.items() if (one := canonical(text)) != text}
        return trees


def _slice_table(offsets: NDArray[np.int64], rows: slice) -> tuple[slice, list[int]]:
    """Return the rows of a table that belong to some sentences, and where each sentence begins among them."""
    own = offsets[rows.start : rows.stop + 1]
    begins: list[int] = (own - own[0]).tolist()
    return slice(int(own[0]), int(own[-1])), begins


def _are_same_trees(one: Treebank, other: Treebank) -> bool:
    if one is other:
        return True
    columns = (
        (one.tokens, other.tokens, ("form", "pos", "parent", "head", "relation")),
        (one.nodes, other.nodes, ("label", "parent")),
    )
    if tuple(one.vocabulary) != tuple(other.vocabulary):
        return False
    return all(
        np.array_equal(left.offsets, right.offsets)
        and all(np.array_equal(getattr(left, name), getattr(right, name)) for name in names)
        for left, right, names in columns
    )


def split_rows(sentences: int, size: int) -> Iterator[tuple[int, slice]]:
    """Yield number and rows of each file; there is at least one."""
    for shard in range(max(-(-sentences // size), 1)):
        yield shard, slice(shard * size, min((shard + 1) * size, sentences))


def collect_sentences(
    treebank: TreebankResults, counts: Counts, gold: Treebank | None, rows: slice
) -> list[Any]:
    """Return identifiers, words, lengths, and the group under each attribute, each a list over sentences."""
    facts = treebank.sentences
    known = facts is not None and len(facts.lengths) == len(counts)
    numbers = range(rows.start, rows.stop)
    if facts is not None and known:
        words = [facts.text(row) for row in numbers]
        lengths = facts.lengths[rows].tolist()
        groups = [grouping.group[rows].tolist() for grouping in facts.groupings.values()]
    else:
        words = ["" if gold is None else " ".join(gold.words(row)) for row in numbers]
        lengths = [len(text.split()) for text in words]
        groups = []
    return [[counts.sentences[row] for row in numbers], words, lengths, groups]


def collect_chunk_scores(
    counts: Mapping[str, Counts],
    measures: Mapping[str, Measure],
    errors: Mapping[str, NDArray[np.float64]],
    rows: slice,
) -> list[Any]:
    """Return reasons of unscored sentences, scores by measure, and sentences by type of error.

    Reasons and types are mappings, from the sentence and from the type; sentences are counted in the shard. A
    score is None if there is none.
    """
    first = next(iter(counts.values()))
    unscored = np.flatnonzero(first.status[rows] != Status.SCORED).tolist()
    reasons = {row: str(Status(int(first.status[rows][row]))) for row in unscored}
    scores = []
    for metric, of_metric in counts.items():
        values = np.round(of_metric.by_sentence(measures[metric].name)[rows], 4).tolist()
        scored = (of_metric.status[rows] == Status.SCORED).tolist()
        scores.append([value if known else None for value, known in zip(values, scored, strict=True)])
    types = {name: np.flatnonzero(of_type[rows]).tolist() for name, of_type in errors.items()}
    return [reasons, scores, {name: names for name, names in types.items() if names}]


def write_data(folder: Path, name: str, content: object) -> None:
    """Write one script of data."""
    (folder / f"{name}.js").write_text(f'crossbank("{name}",{as_json(content)});\n', encoding="utf-8")


def as_json(content: object) -> str:
    """Return JSON for a script element, which ``</script`` would end and ``<!--`` would prolong."""
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def select_views(views: Sequence[str]) -> dict[str, str]:
    """Return the view from which each type of trees is drawn, among the views of a study's metrics."""
    chosen_trees = {}
    if chosen := next((view for view in ("constituents", "heads", "flat_keys") if view in views), None):
        chosen_trees[CONSTITUENTS] = chosen
    if chosen := next((view for view in ("dependencies", "dependency_graphs") if view in views), None):
        chosen_trees[DEPENDENCIES] = chosen
    return chosen_trees
