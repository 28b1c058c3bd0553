"""``crossbank score --mode``: the numbers and the report of another program."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from crossbank.metrics.counting.counts import Counts
from crossbank.metrics.modes.modes_by_name import Mode, evaluate, mode_named
from crossbank.metrics.modes.protocol import Answer, Call
from crossbank.reports.escaped_output import underlying_stream
from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.files import list_repairs
from crossbank.workflow.commands.score_output import missed_thresholds, print_counts
from crossbank.workflow.file_pairs import ScoredFiles

if TYPE_CHECKING:
    from crossbank.workflow.commands.score import ScoreOptions


def score_as_program(settings: ScoreOptions, pairs: Sequence[tuple[str, str]]) -> int:
    """Print the report of a mode, or its scores where these are to be broken down. Returns the exit code."""
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
        return _print_counts(settings, mode, pairs, answers)
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


def _print_counts(
    settings: ScoreOptions, mode: Mode, pairs: Sequence[tuple[str, str]], answers: Sequence[Answer]
) -> int:
    """Print scores over all pairs of files in place of the program's report on each."""
    if len(pairs) > 1:
        message = f"{len(pairs)} pairs of files, for which the program has no report of its own"
        print(f"--mode {settings.mode}: {message}", file=sys.stderr)
        for answer in answers:
            sys.stderr.write(answer.complaints + answer.notes)
    counts = [answer.counts() for answer in answers]
    files = ScoredFiles(pairs, [len(one) for one in counts])
    code = max(answer.exit_code for answer in answers) if len(pairs) > 1 else 0
    return print_counts(settings, files, [Counts.joined(counts)], mode=mode) or code
