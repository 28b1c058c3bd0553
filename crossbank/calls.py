"""``score``, ``compare``, ``transform`` and ``to_ud`` for Python users: on paths or treebanks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike, fspath
from typing import TYPE_CHECKING, Literal, TypeAlias, overload

from crossbank.metrics.counting.counts import Policy
from crossbank.metrics.counting.metric import Metric
from crossbank.metrics.counting.scoring import Scoring, counts_and_pairs, scoring_of
from crossbank.metrics.statistics.defaults import ALPHA, SAMPLES, SEED, TRIALS
from crossbank.reports.results.comparisons import every_pair
from crossbank.reports.results.result import Differences, Result
from crossbank.treebanks import Treebank
from crossbank.treebanks.formats import read_all
from crossbank.treebanks.validation import refuse_unsound

if TYPE_CHECKING:
    from nltk import Tree

    from crossbank.converters.schemes.scheme import Scheme
    from crossbank.converters.transformations import Written

Source: TypeAlias = "Treebank | str | PathLike[str]"
"""A treebank, or the path of a file; a name with ``*`` in it stands for all files that it matches."""

SchemeName: TypeAlias = "Scheme | str | PathLike[str] | None"
"""A scheme, its name, or the path of your own YAML file."""

MetricName: TypeAlias = "str | type[Metric]"
"""A metric's name (``parseval``), ``module:Class``, or the class itself."""

MetricNames: TypeAlias = "list[str] | list[type[Metric]] | tuple[MetricName, ...]"
"""Several metrics."""


@overload
def score(
    gold: Source,
    candidate: Source,
    metric: MetricName = "parseval",
    *,
    scheme: SchemeName = None,
    unscored: Policy = "empty",
    format: str | None = None,
    candidate_format: str | None = None,
    encoding: str | None = None,
    **options: object,
) -> Result: ...


@overload
def score(
    gold: Source,
    candidate: Source,
    metric: MetricNames,
    *,
    scheme: SchemeName = None,
    unscored: Policy = "empty",
    format: str | None = None,
    candidate_format: str | None = None,
    encoding: str | None = None,
    **options: object,
) -> dict[str, Result]: ...


def score(
    gold: Source,
    candidate: Source,
    metric: MetricName | MetricNames = "parseval",
    *,
    scheme: SchemeName = None,
    unscored: Policy = "empty",
    format: str | None = None,
    candidate_format: str | None = None,
    encoding: str | None = None,
    **options: object,
) -> Result | dict[str, Result]:
    """Score a candidate against gold: a result, or for a list of metrics the results by metric.

    scheme            decides, together with the metric, how both sides are converted and which tokens count;
                      without one nothing is converted or deleted
    unscored          what to do with a sentence without a parse or with other words: count it as
                      ``empty``, ``skip`` it, or ``fail``
    format, candidate_format, encoding  of files; by default the file's name tells the format, and files
                      are UTF-8
    options           options of the metrics (``labels=False``), and ``delete``, ``align``, ``average``,
                      ``best``, ``seed``

    Raises CrossbankError: OptionError for an unknown name, FormatError for a file that is not in its
    format, ConversionError if a side cannot be converted to the metric's view, UnscoredError under ``fail``.
    """
    scoring = scoring_of(_names(metric), options, unscored)
    bank, parsed = _bank(gold, format, encoding), _bank(candidate, candidate_format or format, encoding)
    results = _results(bank, parsed, scoring, _scheme(scheme))
    return next(iter(results.values())) if isinstance(metric, (str, type)) else results


def compare(
    gold: Source,
    candidates: Mapping[str, Source],
    metric: MetricName | MetricNames = "parseval",
    *,
    scheme: SchemeName = None,
    unscored: Policy = "empty",
    format: str | None = None,
    candidate_format: str | None = None,
    encoding: str | None = None,
    samples: int = SAMPLES,
    trials: int = TRIALS,
    seed: int = SEED,
    alpha: float = ALPHA,
    **options: object,
) -> Differences:
    """Test the differences of candidates, given by name: every pair under every measure.

    Intervals come from ``samples`` resamples of the sentences, probabilities from ``trials`` random swaps
    (Noreen 1989), corrected for all pairs and measures as one family (Romano and Wolf 2005). Where the
    sentences without a score differ, the main measure of the best candidate and each other is also compared
    over the sentences that both parsed: see ``parsed`` of ``comparisons``. Everything else is as in
    ``score``.
    """
    scoring = scoring_of(_names(metric), options, unscored)
    bank, known = _bank(gold, format, encoding), _scheme(scheme)
    results = {
        name: _results(bank, _bank(candidate, candidate_format or format, encoding), scoring, known)
        for name, candidate in candidates.items()
    }
    counts = {
        name: {of_metric: result.counts for of_metric, result in found.items()}
        for name, found in results.items()
    }
    comparisons, _ = every_pair({"gold": counts}, samples=samples, trials=trials, seed=seed)
    return Differences(results, comparisons, alpha)


def transform(
    bank: Treebank, transformations: Written | Iterable[Written], scheme: SchemeName = None
) -> Treebank:
    """A treebank after one transformation or several: ``"delete_tokens:tags=PUNCT"``, ``{name: options}``.

    Raises OptionError for an unknown transformation or option, ConversionError if one cannot be done.
    """
    from crossbank.converters.transformations import Transformation
    from crossbank.converters.transformations import transform as transformed

    refuse_unsound(bank, "treebank")
    if isinstance(transformations, (str, Mapping, Transformation)):
        return transformed(bank, [transformations], _scheme(scheme))
    return transformed(bank, transformations, _scheme(scheme))


def write(
    bank: Treebank, path: str | PathLike[str], format: str | None = None, *, scheme: SchemeName = None
) -> None:
    """Write a treebank in a named format, else in the one that the file's name tells.

    scheme  the scheme of the trees: a format that writes functions in labels (Penn brackets) writes them as
            the scheme reads them

    Raises OptionError for a format that is unknown or only read, ConversionError where the format cannot hold
    the treebank.
    """
    from crossbank.converters.remedies import in_labels
    from crossbank.treebanks.formats import format_of
    from crossbank.treebanks.formats import write as written

    written(in_labels(bank, format or format_of(path), _scheme(scheme)), path, format)


def to_ud(
    trees: Source | Iterable[Tree | str],
    scheme: SchemeName,
    *,
    representation: Literal["basic", "enhanced"] = "basic",
) -> Treebank:
    """Universal Dependencies of trees, by the rules of their scheme.

    trees  a treebank, the path of a file, or trees in memory: brackets, or those of NLTK

    Raises ConversionError where the scheme has no rules or there are no trees, FormatError for brackets that
    are not in order.

    >>> to_ud(["(S (NP (NNP Ann)) (VP (VBD left)))"], "ptb")
    <Treebank of 1 sentences, 2 tokens, 3 nodes>
    """
    from crossbank.converters.transformations import Transformation
    from crossbank.converters.transformations import transform as transformed

    bank = _bank(trees, None, None) if isinstance(trees, (Treebank, str, PathLike)) else _of_trees(trees)
    steps = [Transformation("universal_dependencies", {"representation": representation})]
    return transformed(bank, steps, _scheme(scheme))


def _of_trees(trees: Iterable[Tree | str]) -> Treebank:
    """Trees in memory as a treebank."""
    from crossbank.treebanks.formats import bracket

    listed = list(trees)
    if all(isinstance(tree, str) for tree in listed):
        return bracket.loads("\n".join(map(str, listed)))
    from crossbank.treebanks.nltk_trees import from_trees

    return from_trees([tree for tree in listed if not isinstance(tree, str)])


def _names(metric: MetricName | MetricNames) -> list[MetricName]:
    return [metric] if isinstance(metric, (str, type)) else list(metric)


def _results(
    gold: Treebank, candidate: Treebank, scoring: Scoring, scheme: Scheme | None
) -> dict[str, Result]:
    """One candidate's results by metric."""
    found = counts_and_pairs(gold, candidate, scoring, scheme)
    results = [Result(counts, tuple(pair.problems())) for counts, pair in found]
    return {result.metric: result for result in results}


def _bank(source: Source, format: str | None, encoding: str | None) -> Treebank:
    if isinstance(source, Treebank):
        refuse_unsound(source, "treebank")
        return source
    return read_all([fspath(source)], format, encoding=encoding)


def _scheme(scheme: SchemeName) -> Scheme | None:
    if isinstance(scheme, (str, PathLike)):
        from crossbank.converters.schemes.files import load_scheme

        return load_scheme(fspath(scheme))
    return scheme
