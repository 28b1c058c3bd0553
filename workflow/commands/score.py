"""``crossbank score``: a candidate's scores, as ours or as another program prints them."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

import click

from crossbank.converters import scheme_of
from crossbank.metrics.modes.modes_by_name import evaluate, mode_named
from crossbank.treebanks import Treebank
from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.files import mended
from crossbank.treebanks.formats import read_named
from crossbank.treebanks.quantities import quantity
from crossbank.workflow.commands.command import command
from crossbank.workflow.commands.parameters import (
    FILE,
    INPUT,
    Breakdowns,
    Name,
    given_options,
    json_option,
    metric_option,
    names_option,
    options_option,
    reading_options,
    scheme_option,
)
from crossbank.workflow.commands.score_options import ADDED, added_options, addition
from crossbank.workflow.reading_pairs import read_both, sources_of

if TYPE_CHECKING:
    from crossbank.converters.schemes.scheme import Scheme
    from crossbank.metrics.checks.check import Diagnostic
    from crossbank.metrics.counting.counts import Counts
    from crossbank.metrics.counting.scoring import Scoring
    from crossbank.metrics.engine import Evaluated, Keep
    from crossbank.metrics.modes.protocol import Answer
    from crossbank.metrics.statistics.estimates import Estimate
    from crossbank.reports.texts.gates import Bound

EXAMPLES = (
    "crossbank score gold.mrg parsed.mrg --scheme tiger",
    "crossbank score 'gold/*.mrg' 'parsed/*.mrg' --scheme tiger --by length,label",
    "crossbank score gold.mrg parsed.mrg --mode evalb --parameters COLLINS.prm",
)


@dataclass(frozen=True)
class ScoreSettings:
    """The arguments and options of the command; ``added`` are those of plug-ins."""

    gold: str
    candidate: str
    format: str | None
    candidate_format: str | None
    encoding: str | None
    scheme: str | None
    metric: Sequence[str]
    option: Mapping[str, str]
    explain: bool
    mode: str | None
    parameters: str | None
    unscored: Literal["empty", "skip", "fail"] | None
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


@command("score", EXAMPLES, group="score", help="score a candidate against gold", position=10)
@click.argument("gold", type=INPUT, help="the gold trees; * in a quoted name matches several files")
@click.argument(
    "candidate",
    type=INPUT,
    help="the parser's trees of the same sentences; several files are paired by name, else in order;"
    " a single file is compared with all of GOLD",
)
@reading_options("both", candidates="CANDIDATE")
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
@click.option(
    "--best",
    type=click.Choice(("chosen", "oracle", "random", "expected")),
    help="which of several analyses is scored (default: the marked one, else the first)",
)
@click.option(
    "--seed",
    metavar="N",
    type=click.IntRange(min=0),
    help="the seed of --best random (default: its expected counts)",
)
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
    given = ScoreSettings(added={name: values.pop(name) for name in ADDED}, **values)
    _refuse_combinations(given)
    _bounds(given)  # a gate or a table that cannot be is refused before anything is scored
    if given.per_sentence:
        from crossbank.reports.results.counts_in_files import per_sentence_file

        per_sentence_file(given.per_sentence)
    score = _explain if given.explain else _score if given.mode is None else _score_as_rival
    try:
        return score(given)
    except CrossbankError as error:
        from crossbank.metrics.counting.counts import UnscoredError

        if not isinstance(error, UnscoredError):
            raise
        print(error, file=sys.stderr)
        return 1


def _score(given: ScoreSettings) -> int:
    scoring, scheme = _scoring(given), scheme_of(given.scheme) if given.scheme is not None else None
    pairs = _pairs(given, given.candidate)
    evaluated, lengths = _evaluated(given, pairs, scoring, scheme)
    against = _against(given, evaluated.counts, scoring, scheme)
    _print_diagnostics(given, evaluated.diagnostics)
    files = FilesScored(pairs, lengths)
    code = _print_counts(given, files, partial(_read_gold, given, pairs), *evaluated.counts, against=against)
    if given.find or given.mine:
        from crossbank.reports.sections.configurations import configurations_as_text

        names = given.gold, given.candidate, scoring.metrics
        print()
        print(configurations_as_text(*names, evaluated.compared(), given.find, mine=given.mine), end="")
    return code


def _evaluated(
    given: ScoreSettings, pairs: Sequence[tuple[str, str]], scoring: Scoring, scheme: Scheme | None
) -> tuple[Evaluated, Sequence[int]]:
    """Return the result of all pairs of files, one after the other, and the sentences of each."""
    from crossbank.metrics.engine import Evaluation, evaluate

    by_sentence = given.by or given.per_sentence or given.against or len(pairs) > 1
    by_sentence = by_sentence or any(given.added.values())
    keep: Keep = "trees" if given.find or given.mine else "sentences" if by_sentence else "sums"
    breakdowns = {*given.by, *(["relation"] if given.json else [])}
    evaluation = Evaluation(scoring, scheme, keep=keep, breakdowns=breakdowns)
    gold, candidate = sources_of(given, pairs)
    evaluate(evaluation, gold, candidate)
    return evaluation.result(), (gold if len(gold.parts) == len(pairs) else candidate).lengths


def _print_diagnostics(given: ScoreSettings, diagnostics: Sequence[Diagnostic]) -> None:
    """Print the diagnostics on stderr. Raises CrossbankError with them under ``--strict``."""
    if given.strict and diagnostics:
        raise CrossbankError("\n".join(map(str, diagnostics)))
    for diagnostic in diagnostics:
        from crossbank.reports.texts.colours import coloured

        print(f"{coloured('warning:', 'warning', sys.stderr)} {diagnostic}", file=sys.stderr)


def _read_gold(given: ScoreSettings, pairs: Sequence[tuple[str, str]]) -> Treebank:
    """Return gold as read: all of its files, one after the other."""
    banks = read_named([path for path, _ in pairs], given.format, encoding=given.encoding)
    return Treebank.concatenate([bank for _, bank in banks])


EXCLUDED: Final = {
    # Another program's report: it has its own conventions, and knows no metrics of ours.
    "mode": (
        *("explain", "find", "mine", "against", "strict", *ADDED),
        *("metric", "scheme", "unscored", "best", "seed"),
    ),
    # A table of one score under all conventions, which is no score of any sentence.
    "explain": (
        *("find", "mine", "against", "by", "fail_under"),
        *("baseline", "strict", "per_sentence", *ADDED),
    ),
    # What these two print has no form as JSON.
    "json": ("find", "mine"),
}
"""An option, and those that it does not work with."""

REQUIRED: Final = {"parameters": ("mode", "explain")}
"""An option, and those of which it needs one."""


def _refuse_combinations(given: ScoreSettings) -> None:
    """Raise CrossbankError, in one line, where options are given that cannot be combined."""
    options = given_options({**vars(given), **given.added})
    for option, others in EXCLUDED.items():
        refused = [other for other in others if other in options]
        if refused and option in options:
            said = f"{_flags(refused, 'and')} {'do' if len(refused) > 1 else 'does'} not work"
            raise CrossbankError(f"{said} with {_flag(option)}")
    for option, others in REQUIRED.items():
        if option in options and not options & set(others):
            raise CrossbankError(f"{_flag(option)} needs {_flags(others, 'or')}")


def _flag(option: str) -> str:
    return f"--{option.replace('_', '-')}"


def _flags(options: Sequence[str], last: str) -> str:
    *others, final = map(_flag, options)
    return f"{', '.join(others)} {last} {final}" if others else final


class FilesScored(NamedTuple):
    """Pairs of files that were scored, and the number of sentences of each."""

    pairs: Sequence[tuple[str, str]]
    lengths: Sequence[int]

    @property
    def names(self) -> Sequence[str]:
        """A name for each pair: the file of gold, or the candidate's where gold is one file."""
        golds, candidates = zip(*self.pairs, strict=True)
        return golds if len(set(golds)) == len(golds) else candidates

    @property
    def said(self) -> str:
        """Their number in words."""
        one = any(len(set(paths)) == 1 for paths in zip(*self.pairs, strict=True))
        return f"{len(self.pairs)} {'files' if one else 'pairs of files'}"


def _pairs(given: ScoreSettings, candidate: str) -> Sequence[tuple[str, str]]:
    """Return the pairs of files of gold and a candidate. Pairs that no names tell are named on stderr."""
    if "*" not in given.gold and "*" not in candidate:
        return [(given.gold, candidate)]
    from crossbank.workflow.file_pairs import file_pairs

    found = file_pairs(given.gold, candidate)
    if found.remark:
        print(found.remark, file=sys.stderr)
    return found.pairs


def _scoring(given: ScoreSettings) -> Scoring:
    """Return the metrics and their options, from the arguments."""
    from crossbank.metrics.counting.scoring import scoring_of

    options: dict[str, object] = {**given.option}
    options |= {name: getattr(given, name) for name in ("best", "seed") if getattr(given, name) is not None}
    return scoring_of(given.metric or ["parseval"], options, given.unscored or "empty")


def _score_as_rival(given: ScoreSettings) -> int:
    from crossbank.metrics.modes.protocol import Call
    from crossbank.reports.texts.escaped_output import unescaped

    assert given.mode is not None
    pairs = _pairs(given, given.candidate)
    if len(pairs) > 1 and any(len(set(paths)) == 1 for paths in zip(*pairs, strict=True)):
        raise CrossbankError(f"--mode {given.mode} compares files one by one, not one with several")
    formats = given.format, given.candidate_format, given.encoding
    gated = bool(given.fail_under) or given.baseline is not None
    counted = bool(given.json or given.per_sentence or given.by or len(pairs) > 1)
    options = given.parameters, dict(given.option)
    calls = (Call(*pair, *options, *formats, by_sentence=counted or gated) for pair in pairs)
    answers = [evaluate(given.mode, call) for call in calls]
    if sys.stderr.isatty():
        # Pipes get what the program itself prints, and nothing more.
        print(f"--mode {given.mode}: as {mode_named(given.mode).said}", file=sys.stderr)
    if counted:
        return _print_counts_of_rival(given, pairs, answers)
    (answer,) = answers
    missed = _missed_bounds(given, [answer.counts()]) if gated and not answer.exit_code else []
    # Programs get the bytes that the other program prints; a terminal gets no control characters of words.
    out, err = (each if each.isatty() else unescaped(each) for each in (sys.stdout, sys.stderr))
    for stream in (out, err):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="surrogateescape")
    code = 0
    for output in answer.outputs:
        out.write(output.report())
        err.write(output.complaints)
        code = max(code, output.exit_code)
    mends = "".join(
        f"{path}: {what}: read over, other programs may not\n"
        for path in (given.gold, given.candidate)
        for what in mended(path)
    )
    err.write(answer.notes + mends + "".join(f"{line}\n" for line in missed))
    return code or int(bool(missed))


def _print_counts_of_rival(
    given: ScoreSettings, pairs: Sequence[tuple[str, str]], answers: Sequence[Answer]
) -> int:
    """Print a mode's scores over all pairs of files in place of its program's report on each."""
    from crossbank.metrics.counting.counts import Counts

    if len(pairs) > 1:
        said = f"{len(pairs)} pairs of files, for which the program has no report of its own"
        print(f"--mode {given.mode}: {said}", file=sys.stderr)
        for answer in answers:
            sys.stderr.write(answer.complaints + answer.notes)
    counts = [answer.counts() for answer in answers]
    files = FilesScored(pairs, [len(of) for of in counts])
    code = max(answer.exit_code for answer in answers) if len(pairs) > 1 else 0
    return _print_counts(given, files, partial(_read_gold, given, pairs), Counts.joined(counts)) or code


def _against(
    given: ScoreSettings, scored: Sequence[Counts], scoring: Scoring, scheme: Scheme | None
) -> Sequence[Estimate]:
    """Every score minus that of the candidate that ``--against`` names; nothing without it."""
    if given.against is None:
        return ()
    from crossbank.metrics.statistics.defaults import ALPHA, SEED, TRIALS
    from crossbank.reports.estimates.candidates import compare_candidates

    others = _evaluated(given, _pairs(given, given.against), scoring, scheme)[0].counts
    names = [counts.signature.metric for counts in scored]
    sides = {
        "candidate": dict(zip(names, scored, strict=True)),
        "other": dict(zip(names, others, strict=True)),
    }
    return compare_candidates({"gold": sides}, trials=TRIALS, seed=SEED, alpha=ALPHA)


def _print_counts(
    given: ScoreSettings,
    files: FilesScored,
    gold: Callable[[], Treebank],
    *scored: Counts,
    against: Sequence[Estimate] = (),
) -> int:
    """Print scores and differences. Returns 1 where a score misses a bound that was given for it.

    gold  gives gold as read, if it is needed to break scores down
    """
    from crossbank.reports.tables.console import as_json, as_table

    missed = _missed_bounds(given, scored)
    additions = [addition(name, value, scored, gold) for name, value in given.added.items() if value]
    if against:
        from crossbank.reports.texts.against import as_lines, as_values

    by, several = given.by, len(files.pairs) > 1
    if by or several:
        from crossbank.reports.results.groups import FILE

        by = [*by, *([FILE] if several and FILE not in by else ())]
        scored = _broken_down(by, files, gold, scored)
    if given.json:
        further = as_values(given.against, against) if given.against else {}
        for one in additions:
            further |= one.values
        if given.mode is not None:
            further["mode"] = {"name": given.mode, "program": mode_named(given.mode).program}
        print(as_json(scored, by, further))
    else:
        program = f"as {mode_named(given.mode).said}\n" if given.mode is not None else ""
        print(program + as_table(scored, by))
        if several:
            said = "scores are of sums over the sentences of all, no means over files"
            print(f"\n{files.said}: {said}")
        if given.against:
            print(f"\n{as_lines(given.against, against, sys.stdout)}")
        for one in additions:
            print(f"\n{one.text}")
    if given.per_sentence:
        from crossbank.reports.results.counts_in_files import write_per_sentence

        write_per_sentence(scored, given.per_sentence, files.names, files.lengths)
    for line in missed:
        print(line, file=sys.stderr)
    return int(bool(missed))


def _broken_down(
    by: Sequence[str], files: FilesScored, gold: Callable[[], Treebank], scored: Sequence[Counts]
) -> tuple[Counts, ...]:
    """Return the counts with groups of sentences as parts, besides the parts that the metrics have.

    Raises CrossbankError where a mode counts other sentences than those of gold as read.
    """
    from crossbank.reports.results.groups import FILE, by_file, grouped, groupings

    found = {FILE: by_file(files.names, files.lengths)}
    if any(kind not in {*counts.parts, FILE} for counts in scored for kind in by):
        further = groupings(gold())
        sentences = {len(grouping.group) for grouping in further.values()}
        if sentences != {len(scored[0])}:
            raise CrossbankError(
                f"--by: found {quantity(max(sentences), 'sentence')} in {files.pairs[0][0]}, expected the "
                f"{len(scored[0])} that {scored[0].signature.metric} counts"
            )
        found = {**further, **found}
    return tuple(grouped(counts, found) for counts in scored)


def _missed_bounds(given: ScoreSettings, scored: Sequence[Counts]) -> list[str]:
    """A line for each score that is worse than it may be."""
    if not (bounds := _bounds(given)):
        return []
    from crossbank.reports.texts.gates import missed

    return list(missed(scored, bounds))


def _bounds(given: ScoreSettings) -> list[Bound]:
    if not given.fail_under and given.baseline is None:
        return []
    from crossbank.reports.texts.gates import baseline, bounds_of

    return [*bounds_of(given.fail_under), *(baseline(given.baseline) if given.baseline else ())]


def _explain(given: ScoreSettings) -> int:
    from crossbank.metrics.analyses.score_under_conventions import explain
    from crossbank.metrics.modes.protocol import Call
    from crossbank.reports.tables.console import explanation_as_json, explanation_as_table

    scoring = _scoring(given)
    pairs = _pairs(given, given.candidate)
    if len(pairs) > 1:
        raise CrossbankError(f"--explain takes one pair of files, not {len(pairs)}")
    ((gold, candidate),) = pairs
    formats = given.format, given.candidate_format, given.encoding
    files = Call(gold, candidate, given.parameters, {}, *formats)
    banks = read_both(given, pairs)
    explanation = explain(*banks, scoring, scheme_of(given.scheme), files=files)
    print((explanation_as_json if given.json else explanation_as_table)(explanation))
    return 0
