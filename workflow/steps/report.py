"""Step: write the summary, the sentences without a score, and the report."""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from crossbank.converters import scheme_of
from crossbank.converters.schemes.views import VIEWS
from crossbank.metrics.counting.metric import metric_class
from crossbank.metrics.counting.scoring import Views, compare_views, pair_views, scoring_of
from crossbank.metrics.pairing.pair import Pair
from crossbank.reports.charts.rendering import figure_writers
from crossbank.reports.estimates.breakdowns import write_error_counts
from crossbank.reports.estimates.table import write_estimates
from crossbank.reports.pages.page import write_page
from crossbank.reports.pages.paper import render_latex_tables, render_paper
from crossbank.reports.results.study_files import StudyFiles
from crossbank.reports.results.study_results import MAX_EXAMINED_SENTENCES, StudyResults, load_results
from crossbank.reports.results.summary import write_problems, write_summary
from crossbank.reports.results.typed_errors import errors_of
from crossbank.reports.sections.cite import compile_bibliography
from crossbank.reports.sections.inputs import collect_provenance
from crossbank.reports.sections.section import all_figures, all_tables
from crossbank.reports.study.model import GOLD, Study
from crossbank.reports.study.reading import load_study
from crossbank.reports.tables.table_files import write_table_files
from crossbank.reports.texts.terminal_summary import format_summary
from crossbank.treebanks import Treebank
from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.files import checksum
from crossbank.treebanks.formats.parquet import load, load_sentences, shard_sizes
from crossbank.treebanks.ranges import side_by_side
from crossbank.treebanks.stored_sources import source_in
from crossbank.workflow.plan import Plan
from crossbank.workflow.steps.read import CHECKSUMS
from crossbank.workflow.steps.step import run

MAX_CACHED_TOKENS = 3_000_000
"""The maximal number of tokens of all cached treebanks; the oldest are dropped first."""


def summarise(study: Study, results: Path, root: Path = Path()) -> StudyResults:
    """Return the study's results, after writing ``summary.csv`` and ``problems.csv`` into their folder."""
    inputs = {study.origin(path): root / path for path in study.inputs}
    made_of = collect_provenance(results / "study.yaml", inputs, study)
    study_results = load_results(results, study, partial(pair_of, study, StudyFiles(results)), made_of)
    write_summary(study_results.scores, results / "summary.csv")
    write_problems(study_results.problems, results / "problems.csv", study_results.failures)
    return study_results


def check_inputs(study: Study, results: Path, root: Path) -> None:
    """Raise CrossbankError if a source has changed since it was read, and take back what was read.

    The same command then reads it again, also where the file is older than what was made of it. A file that a
    pattern finds only now was added during the run: that is an error, too.
    """
    files = StudyFiles(results)
    for treebank in study.treebanks:
        for source in treebank.sources:
            as_read = files.as_read(treebank.name, source.name)
            if as_read is None:
                added = source.paths[0] if source.paths else source.name
                raise CrossbankError(
                    f"{added}: found a file that was not there when the run began, expected the same files "
                    "throughout a run (the same command reads it)"
                )
            checksums = source_in(as_read, source.name).about.get(CHECKSUMS, ())
            for path, before in zip(source.paths, checksums, strict=False):
                if checksum(root / path) != before:
                    as_read.unlink(missing_ok=True)
                    raise CrossbankError(
                        f"{path}: found other content than when it was read, expected the same throughout "
                        "a run (the same command reads it again)"
                    )


def remove_unnamed(plan: Plan) -> None:
    """Remove the outputs of an earlier run for candidates that the study no longer has."""
    named = {*plan.as_read(), *plan.views(), *plan.scores()}
    for folder in ("treebanks", "parsed", "converted", "scores"):
        for path in plan.results.glob(f"{folder}/*/*.parquet"):
            if path not in named:
                path.unlink()


def report(results: StudyResults, folder: Path) -> None:
    """Write the page, LaTeX, tables and figures in files, and lines for the terminal.

    Charts are drawn beside the rest, without Python's lock.
    """
    writers: dict[str, Callable[[Path], object]] = {
        "index.html": lambda path: write_page(results, path),
        "tables": lambda path: write_table_files(all_tables(results), path),
        "estimates": lambda path: write_estimates(
            results, path.with_suffix(".csv"), path.with_suffix(".parquet")
        ),
        "errors.parquet": lambda path: write_error_counts(errors_of(results), path),
    }
    texts = {"tables.tex": render_latex_tables, "paper.tex": render_paper, "papers.bib": compile_bibliography}
    texts["summary.md"] = format_summary

    def write_all() -> None:
        for name, write in writers.items():
            write(folder / name)
        for name, text in texts.items():
            (folder / name).write_text(text(results), encoding="utf-8")

    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    side_by_side([write_all, *figure_writers(all_figures(results), folder / "figures")])


def pair_of(
    study: Study,
    files: StudyFiles,
    treebank: str,
    candidate: str,
    metric: str,
    rows: Sequence[int] | None = None,
) -> Pair:
    """Return gold and candidate as the metric counted them, without the tokens that it omitted.

    Some of their sentences, else the first ones of a large treebank, else all.
    """
    studied, chosen = study.treebank(treebank), study.metric(metric)
    names, views = (GOLD, candidate), (chosen.view, VIEWS[chosen.view].of_candidates)
    paths = [files.view(treebank, name, view) for name, view in zip(names, views, strict=True)]
    sources = [(path, name) for path, name in zip(paths, names, strict=True) if path is not None]
    assert len(sources) == len(names)  # otherwise nothing was scored
    sizes, candidate_sizes = (shard_sizes(path, source=name) for path, name in sources)
    if (
        metric_class(chosen.metric).word_by_word
        and sum(sizes) > MAX_EXAMINED_SENTENCES
        and candidate_sizes == sizes
    ):
        sentences = range(MAX_EXAMINED_SENTENCES) if rows is None else rows
        gold, parsed = (load_sentences(path, sentences, name) for path, name in sources)
        rows = None
    else:
        gold, parsed = (_treebank_cache.read(*source) for source in sources)
    scoring, scheme = scoring_of([chosen.metric], study.options(treebank, metric)), scheme_of(studied.scheme)
    one, other = (Views(bank, scheme, view=view) for bank, view in zip((gold, parsed), views, strict=True))
    if parsed.has_several_analyses:
        ((_, both),) = compare_views(one, other, scoring, scheme)  # with the analyses that were scored
    else:
        both = pair_views(scoring.metrics[0], one, other, scoring, scheme)
    return both if rows is None else both.select(rows)


class _TreebankCache:
    """Cache of the treebanks read last: a report reads each of them several times."""

    def __init__(self) -> None:
        self.banks: dict[tuple[Path, str], Treebank] = {}
        self.tokens = 0

    def read(self, path: Path, name: str) -> Treebank:
        """Return a treebank from the cache or from its file; drop the oldest ones if the cache is full."""
        if (path, name) not in self.banks:
            bank = self.banks[path, name] = load(path, source=name)
            self.tokens += len(bank.tokens)
            while self.tokens > MAX_CACHED_TOKENS and len(self.banks) > 2:
                self.tokens -= len(self.banks.pop(next(iter(self.banks))).tokens)
        return self.banks[path, name]


_treebank_cache = _TreebankCache()


def job(arguments: argparse.Namespace) -> None:
    """Summarise and report the study whose results lie in a folder."""
    results = Path(arguments.results[0])
    study = load_study(results / "study.yaml", present=False)
    root = results.parent.parent  # the paths of a study are relative to the folder of results/NAME
    check_inputs(study, results, root)
    remove_unnamed(Plan(study, results))
    report(summarise(study, results, root), results / "report")


if __name__ == "__main__":
    run(job, "results")
