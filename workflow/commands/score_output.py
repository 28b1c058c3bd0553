"""What ``crossbank score`` prints of counts: scores, breakdowns, differences, missed thresholds."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.quantities import quantity
from crossbank.workflow.commands.score_options import addition

if TYPE_CHECKING:
    from crossbank.metrics.counting.counts import Counts
    from crossbank.metrics.modes.modes_by_name import Mode
    from crossbank.metrics.statistics.estimates import Estimate
    from crossbank.reports.texts.gates import Threshold
    from crossbank.treebanks import Treebank
    from crossbank.workflow.commands.score import ScoreOptions
    from crossbank.workflow.file_pairs import ScoredFiles


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
