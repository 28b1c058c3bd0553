"""``score``, ``compare``, ``transform`` and ``to_ud``: on paths, treebanks, or parses in memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from numbers import Real
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, overload

from crossbank.converters import scheme_of
from crossbank.metrics.counting.counts import Policy
from crossbank.metrics.statistics.defaults import ALPHA, SEED, TRIALS
from crossbank.reports.estimates.candidates import compare_candidates
from crossbank.reports.results.result import Differences, Result
from crossbank.scorer import MetricName, MetricNames, SchemeName, Scorer
from crossbank.treebanks import CrossbankError, OptionError, Treebank
from crossbank.treebanks.formats import format_to_write, refuse_dependencies_alone
from crossbank.treebanks.formats import write as written
from crossbank.treebanks.in_memory.elements import named
from crossbank.treebanks.in_memory.sources import Source, treebank_of_source

if TYPE_CHECKING:
    from crossbank.converters.transformations import Written


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
    damaged: str | None = None,
    mode: str | None = None,
    parameters: str | PathLike[str] | Mapping[str, object] | None = None,
    **options: Any,
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
    damaged: str | None = None,
    mode: None = None,
    parameters: None = None,
    **options: Any,
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
    damaged: str | None = None,
    mode: str | None = None,
    parameters: str | PathLike[str] | Mapping[str, object] | None = None,
    **options: Any,
) -> Result | dict[str, Result]:
    """Score a candidate against gold: a result, or for a list of metrics the results by metric.

    gold, candidate   each a path or pattern, a ``Treebank``, or any iterable, also a generator, of bracketed
                      strings, ``nltk.Tree``, ``conllu.TokenList``, spaCy's ``Doc`` or ``Span``, Stanza's
                      ``Document`` or ``Sentence``, ``(words, heads, relations)`` with 0 as the head of roots,
                      or ``(words, spans)`` with spans ``(start, end, label)``; None or "" has no parse
    scheme            decides, together with the metric, how both sides are converted and which tokens count;
                      without one nothing is converted or deleted
    unscored          what to do with a sentence without a parse or with other words: count it as
                      ``empty``, ``skip`` it, or ``fail``
    format, candidate_format, encoding  of files; by default the file's name tells the format, and files
                      are UTF-8
    damaged           what to do with a sentence of a file that cannot be read: ``stop`` (gold's default),
                      ``skip`` it, so that it has no parse (a candidate's), or ``repair`` it
    mode, parameters  score as another program does (``mode="evalb"``), with its parameter file, given as a
                      path or as a dictionary; ``result.report`` is then what it prints
    options           options of the metrics (``labels=False``), and ``delete``, ``words``, ``align``,
                      ``average``, ``best``, ``seed``; those of the mode where there is one

    What makes the comparison doubtful is a ``CrossbankWarning``. Raises CrossbankError: OptionError for an
    unknown name, FormatError for a file that is not in its format, ElementError for an element that is
    no parse, ConversionError if a side cannot be converted to the view, UnscoredError under ``fail``.
    """
    reading: dict[str, Any] = {"format": format, "candidate_format": candidate_format, "encoding": encoding}
    if mode is not None or parameters is not None:
        from crossbank.modes import score_as_program

        is_given = {
            "metric": metric != "parseval",
            "scheme": scheme is not None,
            "unscored": unscored != "empty",
            "damaged": damaged is not None,
        }
        return score_as_program(mode, gold, candidate, parameters, options, reading, is_given)
    scorer = Scorer(metric, scheme, unscored=unscored, damaged=damaged, **reading, **options)
    return scorer.score(candidate, gold)


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
    damaged: str | None = None,
    trials: int = TRIALS,
    seed: int = SEED,
    alpha: float = ALPHA,
    **options: Any,
) -> Differences:
    """Test the differences of candidates, given by name: every pair under every measure.

    Simultaneous intervals of the level ``1 - alpha`` and probabilities that are corrected for all pairs and
    measures as one family come from the same ``trials`` draws of sentences (single-step max-T, Westfall and
    Young 1993): two candidates are ``different`` exactly where the interval excludes 0. Where the sentences
    without a score differ, the main measure of the best candidate and each other is also compared over the
    sentences that are scored in both: see ``population``. Everything else is as in ``score``.
    """
    if not isinstance(candidates, Mapping) or not candidates:
        raise OptionError("candidates", candidates, "a dictionary: each candidate by its name")
    if not isinstance(alpha, Real) or not 0 < alpha < 1:
        raise OptionError("alpha", alpha, "a proportion between 0 and 1")
    metrics = [metric] if isinstance(metric, (str, type)) else metric
    reading: dict[str, Any] = {"format": format, "candidate_format": candidate_format, "encoding": encoding}
    scorer = Scorer(metrics, scheme, gold, unscored=unscored, damaged=damaged, **reading, **options)
    results: dict[str, Any] = {
        name: scorer.score(candidate, name=name) for name, candidate in candidates.items()
    }
    counts = {
        name: {of_metric: result.counts for of_metric, result in by_metric.items()}
        for name, by_metric in results.items()
    }
    return Differences(results, compare_candidates({"gold": counts}, trials=trials, seed=seed, alpha=alpha))


def transform(
    bank: Source, transformations: Written | Iterable[Written], scheme: SchemeName = None
) -> Treebank:
    """Return a treebank after one or several transformations.

    They are written ``"delete_tokens:tags=PUNCT"``, or as ``{name: options}``.

    bank  a treebank, the path of a file, or parses in memory: see ``score``

    Raises OptionError for an unknown transformation or option, ConversionError if one cannot be done.
    """
    from crossbank.converters.transformations import Transformation
    from crossbank.converters.transformations import transform as transformed

    read = treebank_of_source(bank, "treebank")
    several = isinstance(transformations, Iterable)
    single = not several or isinstance(transformations, (str, Mapping, Transformation))
    steps: Any = [transformations] if single else transformations
    return transformed(read, steps, scheme_of(scheme))


def write(
    bank: Treebank, path: str | PathLike[str], format: str | None = None, *, scheme: SchemeName = None
) -> None:
    """Write a treebank in a named format, else in the one that the file's name tells.

    scheme  the scheme of the trees: a format that writes functions in labels (Penn brackets) writes them as
            the scheme reads them

    Raises OptionError for a format that is unknown or only read, CrossbankError if the name tells none,
    ConversionError if the format cannot hold the treebank.
    """
    from crossbank.converters.format_repairs import in_labels

    if not isinstance(path, (str, PathLike)):
        raise CrossbankError(f"path: found {named(path)}, expected a path")
    target = format or format_to_write(path)
    if isinstance(bank, Treebank):
        refuse_dependencies_alone(bank, target)
    written(in_labels(bank, target, scheme_of(scheme)), path, format)


def to_ud(
    trees: Source, scheme: SchemeName, *, representation: Literal["basic", "enhanced"] = "basic"
) -> Treebank:
    """Return Universal Dependencies of trees, by the rules of their scheme.

    trees  a treebank, the path of a file, or trees in memory: see ``score``

    Raises ConversionError if the scheme has no rules or there are no trees, FormatError for brackets that
    are not in order.

    >>> to_ud(["(S (NP (NNP Ann)) (VP (VBD left)))"], "ptb")
    <Treebank of 1 sentence, 2 tokens, 3 nodes>
    """
    from crossbank.converters.universal.conversion import of_trees

    return of_trees(treebank_of_source(trees, "treebank"), scheme_of(scheme), representation)


def read(
    source: Source, format: str | None = None, *, encoding: str | None = None, damaged: str = "stop"
) -> Treebank:
    """Return a treebank of a file, of all files of a pattern, or of parses that are in memory: see ``score``.

    Without a format a file's name tells it. Raises OptionError for an unknown format, FormatError if a
    file is not in it, ElementError for an element that is not a parse.
    """
    return treebank_of_source(source, "trees", format, encoding, damaged)
