"""``crossbank score``: score a candidate against gold, as this package or as another program does.

``crossbank score gold.mrg parsed.mrg --scheme ptb`` takes these steps, each in the file that is named:

1.  ``run`` and ``_score`` below: from the options to the steps that follow.
2.  ``metrics/counting/scoring.py``, ``scoring_of``: the metrics with their options.
    ``converters/scheme_files.py``, ``load_scheme``: the scheme.
3.  ``metrics/engine.py``, ``evaluate``: gold and candidate become counts and diagnostics, chunk by chunk.

    a.  ``treebanks/formats/__init__.py``, ``chunked_files``, and ``bracket.py`` beside it: files become
        treebanks. ``treebanks/chunks.py``, ``aligned_chunks``: chunks of both with the same sentences.
    b.  ``metrics/counting/scoring.py``, ``compare_views``: both are brought into the metric's view by the
        scheme's transformations (``converters/transformations.py``), and their counts are taken.
    c.  ``metrics/pairing/pair.py``, ``pair``: words are compared, and punctuation is deleted.
    d.  ``metrics/parseval.py``, with ``metrics/counting/items.py``: brackets are matched and counted by
        sentence.
    e.  ``metrics/checks/``: checks observe the chunk, and report in the end what is misleading.

4.  ``print_counts`` below and ``reports/tables/console.py``: the scores are printed, of which
    ``metrics/counting/counts.py``, ``Counts.values``, makes precision, recall and F1 from sums.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal

import click

from crossbank.converters import scheme_of
from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.quantities import quantity
from crossbank.workflow.commands.command import command
from crossbank.workflow.commands.parameters import (
    FILE,
    INPUT,
    Breakdowns,
    Name,
    damaged_option,
    json_option,
    metric_option,
    names_option,
    options_option,
    reading_options,
    scheme_option,
    seed_option,
    words_option,
)
from crossbank.workflow.commands.score_options import CommandWithAddedOptions, added_options, addition
from crossbank.workflow.file_pairs import ScoredFiles, pairs_of_files, read_both, sources_of

if TYPE_CHECKING:
    from crossbank.converters.schemes.scheme import Scheme
    from crossbank.metrics.checks.check import Diagnostic
    from crossbank.metrics.counting.counts import Counts
    from crossbank.metrics.counting.scoring import Scoring
    from crossbank.metrics.engine import Evaluated, Keep
    from crossbank.metrics.modes.modes_by_name import Mode
    from crossbank.metrics.modes.protocol import Answer
    from crossbank.metrics.statistics.estimates import Estimate
    from crossbank.reports.texts.gates import Threshold
    from crossbank.treebanks import Treebank


EXAMPLES = (
    "crossbank score gold.mrg parsed.mrg --scheme tiger",
    "crossbank score 'gold/*.mrg' 'parsed/*.mrg' --scheme tiger --by length,label",
    "crossbank score gold.mrg parsed.mrg --mode evalb --parameters COLLINS.prm",
)


@dataclass(frozen=True)
class ScoreOptions:
    """The arguments and options of the command; ``added`` are those of plug-ins."""

    gold: str
    candidate: str
    format: str | None
    candidate_format: str | None
    encoding: str | None
    damaged: Literal["stop", "skip", "repair"] | None
    scheme: str | None
    metric: Sequence[str]
    option: Mapping[str, str]
    explain: bool
    mode: str | None
    parameters: str | None
    unscored: Literal["empty", "skip", "fail"] | None
    words: str | None
    best: str | None
    seed: int | None
    by: Sequence[str]
    find: Sequence[str]
    mine: bool
    against: str | None
    added: Mapping[str, str | None]
    fail_under: Sequence[str]
    baseline: str | None
    strict: bool
    json: bool
    per_sentence: str | None


@command(
    "score",
    EXAMPLES,
    group="score",
    help="score a candidate against gold",
    position=10,
    cls=CommandWithAddedOptions,
)
@click.argument("gold", type=INPUT, help="the gold trees; * in a quoted name matches several files")
@click.argument(
    "candidate",
    type=INPUT,
    help="the parser's trees of the same sentences; several files are paired by name, else in order;"
    " a single file is compared with all of GOLD",
)
@reading_options("both", candidates="CANDIDATE")
@damaged_option
@scheme_option()
@metric_option("parseval (default), leaf_ancestor, dependencies ... (all: crossbank list metrics)")
@options_option(
    "an option of the metrics, such as labels=no, cost=first_letter, delete=punct; "
    "METRIC.KEY=VALUE is for one of several metrics"
)
@click.option("--explain", is_flag=True, help="show the score under all conventions, and the effect of each")
@click.option(
    "--mode",
    type=Name("mode"),
    help="another program's numbers and report: evalb, conll18 ... (all: crossbank list modes)",
)
@click.option("--parameters", metavar="FILE.prm", type=FILE, help="that program's parameter file")
@click.option(
    "--unscored",
    type=click.Choice(("skip", "empty", "fail")),
    help="sentences without a parse or with other words: leave out, count as empty (default), stop",
)
@words_option
@click.option(
    "--best",
    type=click.Choice(("chosen", "oracle", "random", "expected")),
    help="which of several analyses is scored (default: the marked one, else the first)",
)
@seed_option("the seed of --best random (default: its expected counts)")
@names_option(
    "--by",
    Breakdowns(),
    "a table by label, relation, pos, direction, distance, confusion ... as far as the metric "
    "has it; by length, file or an attribute in gold's comments for every metric and mode",
)
@click.option(
    "--find",
    metavar="PATTERN",
    multiple=True,
    help="show what is lost in the constituents of gold that match a tree pattern, and in their "
    "tokens; repeatable",
)
@click.option(
    "--mine", is_flag=True, help="show the local configurations in gold that are associated with errors"
)
@click.option(
    "--against",
    metavar="OTHER",
    type=INPUT,
    help="another candidate to compare with: differences, with intervals and probabilities",
)
@added_options
@click.option(
    "--fail-under",
    metavar="METRIC.MEASURE=NUMBER",
    multiple=True,
    help="exit with 1 if the score is worse, for instance parseval.f1=0.85; repeatable",
)
@click.option(
    "--baseline",
    metavar="FILE.json",
    type=FILE,
    help="exit with 1 if a score is worse than in this output of an earlier --json",
)
@click.option("--strict", is_flag=True, help="stop (exit code 2) if a comparison is misleading")
@json_option("print one JSON object")
@click.option("--per-sentence", type=FILE, help="write counts per sentence (.csv or .parquet)")
def run(**values: Any) -> int:
    """Print the scores. Returns 1 where ``--unscored fail`` meets a sentence without a score."""
    added = [name for name in values if name not in ScoreOptions.__dataclass_fields__]
    settings = ScoreOptions(added={name: values.pop(name) for name in added}, **values)
    _refuse_combinations(settings)
    thresholds_of(settings)  # a threshold or a table that cannot be is refused before anything is scored
    if settings.per_sentence:
        from crossbank.reports.results.counts_in_files import sentence_table_path

        sentence_table_path(settings.per_sentence)
    try:
        pairs = pairs_of_files(settings.gold, settings.candidate)
        if settings.mode is not None:
            return _score_as_program(settings, pairs)
        return _explain(settings, pairs) if settings.explain else _score(settings, pairs)
    except CrossbankError as error:
        from crossbank.metrics.counting.counts import UnscoredError

        if not isinstance(error, UnscoredError):
            raise
        print(error, file=sys.stderr)
        return 1


def _score(settings: ScoreOptions, pairs: Sequence[tuple[str, str]]) -> int:
    """Evaluate all pairs of files, one after the other, and print what came of it."""
    scoring = _scoring(settings)
    scheme = scheme_of(settings.scheme)
    evaluated, lengths = _evaluate(settings, pairs, scoring, scheme)
    differences = _compare(settings, evaluated.counts, scoring, scheme)
    _print_diagnostics(settings, evaluated.diagnostics)
    code = print_counts(settings, ScoredFiles(pairs, lengths), evaluated.counts, differences=differences)
    if settings.find or settings.mine:
        from crossbank.reports.sections.configurations import format_configurations

        names = settings.gold, settings.candidate, scoring.metrics
        print()
        compared = [(one.counts, one.pairs[0]) for one in evaluated.metrics]
        print(format_configurations(*names, compared, settings.find, mine=settings.mine), end="")
    return code


def _scoring(settings: ScoreOptions) -> Scoring:
    """Return the metrics and their options, from the arguments."""
    from crossbank.metrics.counting.scoring import scoring_of

    options: dict[str, object] = {**settings.option}
    shared = {"best": settings.best, "seed": settings.seed, "words": settings.words}
    options |= {name: value for name, value in shared.items() if value is not None}
    return scoring_of(settings.metric or ["parseval"], options, settings.unscored or "empty")


def _evaluate(
    settings: ScoreOptions, pairs: Sequence[tuple[str, str]], scoring: Scoring, scheme: Scheme | None
) -> tuple[Evaluated, Sequence[int]]:
    """Return the result of all pairs of files, and the number of sentences of each."""
    from crossbank.metrics.engine import Evaluation, evaluate

    by_sentence = settings.by or settings.per_sentence or settings.against or len(pairs) > 1
    by_sentence = by_sentence or any(settings.added.values())
    needs_trees = settings.find or settings.mine
    keep: Keep = "trees" if needs_trees else "sentences" if by_sentence else "sums"
    breakdowns = {*settings.by, *(["relation"] if settings.json else [])}
    evaluation = Evaluation(scoring, scheme, keep=keep, breakdowns=breakdowns)
    gold, candidate = sources_of(settings, pairs)
    evaluate(evaluation, gold, candidate)
    return evaluation.result(), (gold if len(gold.parts) == len(pairs) else candidate).lengths


def _compare(
    settings: ScoreOptions, scored: Sequence[Counts], scoring: Scoring, scheme: Scheme | None
) -> Sequence[Estimate]:
    """Return every score minus that of the candidate that ``--against`` names; nothing without it."""
    if settings.against is None:
        return ()
    from crossbank.metrics.statistics.defaults import ALPHA, SEED, TRIALS
    from crossbank.reports.estimates.candidates import compare_candidates

    pairs = pairs_of_files(settings.gold, settings.against)
    other_counts = _evaluate(settings, pairs, scoring, scheme)[0].counts
    names = [counts.signature.metric for counts in scored]
    candidates = {
        "candidate": dict(zip(names, scored, strict=True)),
        "other": dict(zip(names, other_counts, strict=True)),
    }
    return compare_candidates({"gold": candidates}, trials=TRIALS, seed=SEED, alpha=ALPHA)


def _print_diagnostics(settings: ScoreOptions, diagnostics: Sequence[Diagnostic]) -> None:
    """Print the diagnostics on stderr. Raises CrossbankError with them under ``--strict``."""
    if settings.strict and diagnostics:
        raise CrossbankError("\n".join(map(str, diagnostics)))
    for diagnostic in diagnostics:
        from crossbank.reports.texts.colours import add_colour

        print(f"{add_colour('warning:', 'warning', sys.stderr)} {diagnostic}", file=sys.stderr)


def _explain(settings: ScoreOptions, pairs: Sequence[tuple[str, str]]) -> int:
    """Print the score under all conventions."""
    from crossbank.metrics.analyses.score_under_conventions import explain
    from crossbank.metrics.modes.protocol import Call
    from crossbank.reports.tables.console import explanation_as_json, format_explanation

    scoring = _scoring(settings)
    if len(pairs) > 1:
        raise CrossbankError(f"--explain takes one pair of files, not {len(pairs)}")
    ((gold, candidate),) = pairs
    formats = settings.format, settings.candidate_format, settings.encoding
    files = Call(gold, candidate, settings.parameters, {}, *formats)
    banks = read_both(settings, pairs)
    explanation = explain(*banks, scoring, scheme_of(settings.scheme), files=files)
    print((explanation_as_json if settings.json else format_explanation)(explanation))
    return 0


def _score_as_program(settings: ScoreOptions, pairs: Sequence[tuple[str, str]]) -> int:
    """Print the report of a mode, or its scores where these are to be broken down. Returns the exit code."""
    from crossbank.metrics.modes.modes_by_name import evaluate, mode_named
    from crossbank.metrics.modes.protocol import Call
    from crossbank.reports.escaped_output import underlying_stream
    from crossbank.treebanks.files import list_repairs

    assert settings.mode is not None
    if len(pairs) > 1 and any(len(set(paths)) == 1 for paths in zip(*pairs, strict=True)):
        raise CrossbankError(f"--mode {settings.mode} compares files one by one, not one with several")
    formats = settings.format, settings.candidate_format, settings.encoding
    has_thresholds = bool(settings.fail_under) or settings.baseline is not None
    needs_counts = bool(settings.json or settings.per_sentence or settings.by or len(pairs) > 1)
    options = settings.parameters, dict(settings.option)
    by_sentence = needs_counts or has_thresholds
    calls = (Call(*pair, *options, *formats, by_sentence=by_sentence) for pair in pairs)
    answers = [evaluate(settings.mode, call) for call in calls]
    mode = mode_named(settings.mode)
    if sys.stderr.isatty():
        # Pipes get what the program itself prints, and nothing more.
        print(f"--mode {settings.mode}: as {mode.label}", file=sys.stderr)
    if needs_counts:
        return _print_counts_of_mode(settings, mode, pairs, answers)
    (answer,) = answers
    missed = missed_thresholds(settings, [answer.counts()]) if has_thresholds and not answer.exit_code else []
    # Programs get the bytes that the other program prints; a terminal gets no control characters of words.
    out, err = (each if each.isatty() else underlying_stream(each) for each in (sys.stdout, sys.stderr))
    for stream in (out, err):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="surrogateescape")
    code = 0
    for output in answer.outputs:
        out.write(output.report())
        err.write(output.complaints)
        code = max(code, output.exit_code)
    repairs = "".join(
        f"{path}: {what}: read over, other programs may not\n"
        for path in (settings.gold, settings.candidate)
        for what in list_repairs(path)
    )
    err.write(answer.notes + repairs + "".join(f"{line}\n" for line in missed))
    return code or int(bool(missed))


def _print_counts_of_mode(
    settings: ScoreOptions, mode: Mode, pairs: Sequence[tuple[str, str]], answers: Sequence[Answer]
) -> int:
    """Print scores over all pairs of files in place of the program's report on each."""
    from crossbank.metrics.counting.counts import Counts

    if len(pairs) > 1:
        message = f"{len(pairs)} pairs of files, for which the program has no report of its own"
        print(f"--mode {settings.mode}: {message}", file=sys.stderr)
        for answer in answers:
            sys.stderr.write(answer.complaints + answer.notes)
    counts = [answer.counts() for answer in answers]
    files = ScoredFiles(pairs, [len(one) for one in counts])
    code = max(answer.exit_code for answer in answers) if len(pairs) > 1 else 0
    return print_counts(settings, files, [Counts.joined(counts)], mode=mode) or code


EXCLUDED: Final = {
    # Another program's report: it has its own conventions, and knows no metrics of Crossbank.
    "mode": (
        *("explain", "find", "mine", "against", "strict", "added"),
        *("metric", "scheme", "unscored", "words", "best", "seed", "damaged"),
    ),
    # A table of one score under all conventions, which is not a score of any sentence.
    "explain": ("find", "mine", "against", "by", "fail_under", "baseline", "strict", "per_sentence", "added"),
    # What these two print has no form as JSON.
    "json": ("find", "mine"),
}
"""An option, and those that it does not work with; ``added`` are all those of plug-ins."""

REQUIRED: Final = {"parameters": ("mode", "explain")}
"""An option, and those of which it needs one."""


def _refuse_combinations(settings: ScoreOptions) -> None:
    """Raise CrossbankError, in one line, where options are given that cannot be combined."""
    values = {**vars(settings), **settings.added}
    # 0 is a value; an empty list is none.
    options = {
        name for name, value in values.items() if value is not False and value not in (None, (), [], {})
    }
    for option, excluded in EXCLUDED.items():
        listed = [one for other in excluded for one in (settings.added if other == "added" else [other])]
        refused = [other for other in listed if other in options]
        if refused and option in options:
            verb = "do" if len(refused) > 1 else "does"
            raise CrossbankError(f"{_flags(refused, 'and')} {verb} not work with {_flag(option)}")
    for option, required in REQUIRED.items():
        if option in options and not options & set(required):
            raise CrossbankError(f"{_flag(option)} needs {_flags(required, 'or')}")


def _flag(option: str) -> str:
    return f"--{option.replace('_', '-')}"


def _flags(options: Sequence[str], last: str) -> str:
    *first, final = map(_flag, options)
    return f"{', '.join(first)} {last} {final}" if first else final


def print_counts(
    settings: ScoreOptions,
    files: ScoredFiles,
    scored: Sequence[Counts],
    *,
    mode: Mode | None = None,
    differences: Sequence[Estimate] = (),
) -> int:
    """Print scores and differences. Returns 1 if a score misses its threshold.

    mode  the program whose scores they are, if they are not this package's
    """
    from crossbank.reports.tables.console import format_scores, scores_as_json

    missed = missed_thresholds(settings, scored)
    gold = partial(_read_gold, settings, files)
    additions = [addition(name, value, scored, gold) for name, value in settings.added.items() if value]
    if differences:
        from crossbank.reports.texts.against import differences_as_values, format_differences

    by, has_several_files = settings.by, len(files.pairs) > 1
    if by or has_several_files:
        from crossbank.reports.results.groups import FILE

        by = [*by, *([FILE] if has_several_files and FILE not in by else ())]
        scored = _broken_down(by, files, gold, scored)
    if settings.json:
        further = differences_as_values(settings.against, differences) if settings.against else {}
        for one in additions:
            further |= one.values
        if mode is not None:
            further["mode"] = {"name": settings.mode, "program": mode.program}
        print(scores_as_json(scored, by, further))
    else:
        program = f"as {mode.label}\n" if mode is not None else ""
        print(program + format_scores(scored, by))
        if has_several_files:
            print(f"\n{files.description}: scores are of sums over the sentences of all, no means over files")
        if settings.against:
            print(f"\n{format_differences(settings.against, differences, sys.stdout)}")
        for one in additions:
            print(f"\n{one.text}")
    if settings.per_sentence:
        from crossbank.reports.results.counts_in_files import write_sentence_table

        write_sentence_table(scored, settings.per_sentence, files.names, files.lengths)
    for line in missed:
        print(line, file=sys.stderr)
    return int(bool(missed))


def _read_gold(settings: ScoreOptions, files: ScoredFiles) -> Treebank:
    """Return gold as read: all of its files, one after the other."""
    from crossbank.treebanks import Treebank
    from crossbank.treebanks.formats import read_named

    banks = read_named([gold for gold, _ in files.pairs], settings.format, encoding=settings.encoding)
    return Treebank.concatenate([bank for _, bank in banks])


def _broken_down(
    by: Sequence[str], files: ScoredFiles, gold: Callable[[], Treebank], scored: Sequence[Counts]
) -> tuple[Counts, ...]:
    """Return the counts with groups of sentences as breakdowns, besides those that the metrics have.

    Raises CrossbankError if a mode counts other sentences than those of gold as read.
    """
    from crossbank.reports.results.groups import FILE, add_groupings, group_by_file, group_sentences

    groups = {FILE: group_by_file(files.names, files.lengths)}
    if any(breakdown not in {*counts.breakdowns, FILE} for counts in scored for breakdown in by):
        further = group_sentences(gold())
        sentences = {len(grouping.group) for grouping in further.values()}
        if sentences != {len(scored[0])}:
            raise CrossbankError(
                f"--by: found {quantity(max(sentences), 'sentence')} in {files.pairs[0][0]}, expected the "
                f"{len(scored[0])} that {scored[0].signature.metric} counts"
            )
        groups = {**further, **groups}
    return tuple(add_groupings(counts, groups) for counts in scored)


def missed_thresholds(settings: ScoreOptions, scored: Sequence[Counts]) -> list[str]:
    """Return a line for each score that misses its threshold."""
    if not (thresholds := thresholds_of(settings)):
        return []
    from crossbank.reports.texts.gates import list_missed_thresholds

    return list(list_missed_thresholds(scored, thresholds))


def thresholds_of(settings: ScoreOptions) -> list[Threshold]:
    """Return the scores that ``--fail-under`` and ``--baseline`` require."""
    if not settings.fail_under and settings.baseline is None:
        return []
    from crossbank.reports.texts.gates import parse_thresholds, read_baseline

    return [
        *parse_thresholds(settings.fail_under),
        *(read_baseline(settings.baseline) if settings.baseline else ()),
    ]
