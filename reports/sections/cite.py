"""Citation of a study: sentences for a method section, and BibTeX."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, cached_property
from inspect import cleandoc
from pathlib import Path

from crossbank.metrics.counting.metric import known_metric
from crossbank.metrics.counting.presentation import metric_title
from crossbank.reports.estimates.questions import describe_tests
from crossbank.reports.estimates.table import estimates_of
from crossbank.reports.results.rankings import rankings_of
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.sections.scores import shared_signatures_of
from crossbank.reports.sections.section import Section, sections_of
from crossbank.reports.tables.signatures import share_signatures
from crossbank.reports.tables.table import Column, ReportTable, make_cells
from crossbank.treebanks.quantities import listing, quantity

MAX_LISTED_VALUES = 6
"""Of more values of a choice, the first and the last are listed."""

MAX_NAMED = 6
"""More candidates, or treebanks, than these are counted and not named."""

PAPERS = Path(__file__).parent / "papers.bib"
"""The papers that define measures and tests."""

UNSCORED = {
    "empty": "A sentence without a parse counts as one without a match.",
    "skip": "Sentences without a parse are omitted.",
}


def build_signature_table(study: StudyResults) -> ReportTable:
    """Return each signature with its scores; a column for each choice that differs."""
    by_score = shared_signatures_of(study)
    scores: dict[str, dict[tuple[str, str, str], None]] = {}
    for score in study.scores:
        key = score.metric, score.treebank, score.candidate
        scores.setdefault(by_score[score.signature].text, {})[key] = None
    by_text = {one.text: one for one in by_score.values()}
    choices = dict.fromkeys(one.choice for one in by_text.values() if one.choice)
    rows = []
    for number, (text, one) in enumerate(by_text.items(), 1):
        metrics, treebanks, _ = (list(dict.fromkeys(names)) for names in zip(*scores[text], strict=True))
        differing = [_list_first_and_last(one.values) if one.choice == choice else "–" for choice in choices]
        candidates = len({(treebank, candidate) for _, treebank, candidate in scores[text]})
        where = ", ".join(map(metric_title, metrics)), _list_first_and_last(treebanks)
        rows.append(make_cells(number, *where, candidates, *differing, text))
    return ReportTable(
        "signatures",
        "Signatures",
        "Every choice that a score depends on. Scores whose signatures differ in one value share a row: the "
        "value has a column, and summary.csv the signature of each score.",
        Column.numbers("No.")
        + Column.texts("Metric", "Treebanks")
        + Column.numbers("Candidates")
        + Column.texts(*choices, "Signature"),
        rows,
    )


def _list_first_and_last(values: Sequence[str]) -> str:
    if len(values) <= MAX_LISTED_VALUES:
        return ", ".join(values)
    return f"{values[0]}, {values[1]} … {values[-1]} ({len(values):,})"


def describe_method(study: StudyResults) -> str:
    """Return the method as sentences with every signature; empty if nothing was scored."""
    scored = list(study.counted())
    if not scored:
        return ""
    version = study.provenance.get("Versions", {}).get("crossbank", "")
    sizes = [(t, len(next(iter(t.candidates[0].counts.values())))) for t in study.treebanks if t.candidates]
    golds = f"{len(sizes):,} treebanks ({quantity(sum(size for _, size in sizes), 'sentence')})"
    if len(sizes) <= MAX_NAMED:
        schemes = (f", scheme {t.scheme}" if t.scheme else "" for t, _ in sizes)
        named = zip(sizes, schemes, strict=True)
        golds = listing([f"{t.name} ({quantity(size, 'sentence')}{scheme})" for (t, size), scheme in named])
    candidates = list(dict.fromkeys(candidate.name for _, candidate, _, _ in scored))
    many = len(candidates) > MAX_NAMED
    names = quantity(len(candidates), "candidate") if many else listing(candidates)
    texts = [(name, str(counts.full_signature)) for _, _, name, counts in scored]
    scores_of = share_signatures(text for _, text in texts)
    by_metric: dict[str, dict[str, None]] = {}
    for name, text in texts:
        by_metric.setdefault(name, {})[scores_of[text].text] = None
    measures = "; ".join(
        f"{metric_title(name)} ({' and '.join(signatures)})" for name, signatures in by_metric.items()
    )
    sentences = [
        f"We compare {names} with the gold trees of {golds}, scored with Crossbank"
        f"{version and f' {version}'}: {measures}."
    ]
    if study.samples:
        sentences.append(
            f"Intervals are {100 * study.level:g} % percentile intervals over {study.samples:,} bootstrap "
            f"resamples of the sentences (seed {study.seed}; Efron and Tibshirani 1993)."
        )
    if len(candidates) > 1 and estimates_of(study):
        sentences.append(
            "Differences are tested by random signs of the sentences (Noreen 1989; multiplier bootstrap of "
            f"Chernozhukov et al. 2013). {describe_tests(study)}"
        )
    if rankings_of(study):
        sentences.append(
            "Average ranks over treebanks are compared by Friedman's test in the form of Iman and Davenport "
            f"and Nemenyi's critical difference at {study.alpha:g} (Demšar 2006)."
        )
    policies = dict.fromkeys(counts.policy for _, _, _, counts in scored)
    sentences += [UNSCORED[policy] for policy in policies if policy in UNSCORED]
    return " ".join(sentences)


def compile_bibliography(study: StudyResults) -> str:
    """Return BibTeX of the study's corpora, of its measures' papers, and of all that the report cites."""
    metrics = (known_metric(counts.signature.metric) for _, _, _, counts in study.counted())
    papers = {paper for metric in metrics if metric is not None for paper in metric.papers}
    if text := describe_method(study):
        for section in sections_of(study):
            text = " ".join([text, *section.introduction(), *(part.caption for part in section.content)])
        papers |= {key for key in load_entries() if re.search(_citation_pattern(key), text)}
    corpora = dict.fromkeys(treebank.cite.strip() for treebank in study.treebanks if treebank.cite)
    known = [key for key in load_entries() if key in papers]
    cited = [*corpora, *map(entry, known), *map(entry, sorted(papers - load_entries().keys()))]
    return "\n\n".join(dict.fromkeys(cited)) + "\n" * bool(cited)


def entry(paper: str) -> str:
    """Return the BibTeX entry of a metric's paper: a key of ``papers.bib``, or the entry itself.

    Raises KeyError for an unknown key.
    """
    return cleandoc(paper) if paper.lstrip().startswith("@") else load_entries()[paper]


@cache
def _citation_pattern(key: str) -> str:
    """Return a pattern of an entry's citation in a sentence: ``Efron and Tibshirani (1993``."""
    authors, year = (
        re.findall(rf"{name} += {{(.+)}}", load_entries()[key])[0] for name in ("author", "year")
    )
    names = [author.partition(",")[0].strip("{}") for author in authors.split(" and ")]
    named = " and ".join(names) if len(names) < 3 else f"{names[0]} et al."
    letters = re.split(r"\{\\.\{?\w\}?\}", named)  # an accent of LaTeX is any letter
    return rf"\b{'.'.join(map(re.escape, letters))},? [(]?{year}\b"


@cache
def load_entries() -> dict[str, str]:
    """Return the entries of ``papers.bib`` by key, as they are there."""
    text = PAPERS.read_text(encoding="utf-8")
    return {entry.partition("{")[2].partition(",")[0]: entry for entry in re.split(r"\n\n+", text.strip())}


class CitationSection(Section):
    """Every signature, the method in sentences, and the papers that it follows."""

    key, heading = "cite", "How this was scored"
    position = 190
    builders = (build_signature_table,)
    on_candidate_page = True
    open_tables = ("signatures",)
    template = "cite.html.j2"

    def has_content(self) -> bool:
        """Return whether something was scored."""
        return bool(self.method)

    @cached_property
    def method(self) -> str:
        """Sentences of a method section."""
        return describe_method(self.study)

    @cached_property
    def bibliography(self) -> str:
        """BibTeX of the corpora, measures, intervals and tests."""
        return compile_bibliography(self.study)
