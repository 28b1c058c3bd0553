"""``crossbank reliability``: how far conversions and formats can be trusted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import Int32Array
from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.formats import read_all
from crossbank.treebanks.quantities import listed, listed_lines, quantity
from crossbank.workflow.commands.command import command
from crossbank.workflow.commands.parameters import (
    FILE,
    FORMAT,
    Names,
    files_argument,
    json_option,
    names_option,
    reading_options,
    scheme_option,
    transform_option,
)
from crossbank.workflow.commands.printing import print_result

if TYPE_CHECKING:
    from crossbank.converters.dependencies.through_dependencies import ThroughDependencies
    from crossbank.converters.schemes.scheme import Scheme
    from crossbank.metrics.analyses.conversion_reliability import Reliability
    from crossbank.metrics.analyses.reliability_breakdowns import Share
    from crossbank.treebanks.formats.round_trip import RoundTrip

THROUGH_DEPENDENCIES = "dependencies"
"""The round trip that is a conversion, not a format."""

LISTED = 20
"""The number of omitted sentences that are printed; the JSON has all of them."""

REFUSED = 10
"""The number of sentences that a format cannot hold of which messages are printed."""

EXAMPLES = (
    "crossbank reliability corpus.xml --scheme tiger",
    "crossbank reliability corpus.xml --round-trip bracket",
)


@command(
    "reliability",
    EXAMPLES,
    group="score",
    help="measure the reliability of a conversion to dependencies",
    position=40,
)
@files_argument("constituency trees")
@scheme_option("the annotation scheme (a round trip needs none)")
@reading_options("all files")
@transform_option("--transform", "the conversion (default: the scheme's view of dependencies)")
@click.option(
    "--ud",
    is_flag=True,
    help="the conversion to Universal Dependencies by the scheme's rules (instead of --transform)",
)
@click.option(
    "--against",
    metavar="GOLD",
    type=FILE,
    multiple=True,
    help="dependencies of the same sentences, such as CoNLL-U (default: without functions); repeatable",
)
@click.option("--against-format", type=FORMAT, help="the format of GOLD (default: by file name)")
@transform_option("--against-transform", "transformations of GOLD that come first")
@names_option(
    "--by",
    Names(),
    "further tables against GOLD, with intervals: relation, construction (of Universal "
    "Dependencies), length, or an attribute in GOLD's comments, such as genre",
)
@click.option(
    "--round-trip",
    type=FORMAT,
    help="the losses when FILE is written in a format and read again, or goes through `dependencies`",
)
@json_option("print one JSON object, with all sentences that were left out")
def run(
    files: Sequence[str],
    scheme: str | None,
    format: str | None,
    encoding: str | None,
    transform: Sequence[str],
    ud: bool,
    against: Sequence[str],
    against_format: str | None,
    against_transform: Sequence[str],
    by: Sequence[str],
    round_trip: str | None,
    json: bool,
) -> None:
    """Compare a conversion with itself without functions or with gold, or print a round trip's losses."""
    from crossbank.converters import scheme_of
    from crossbank.metrics.analyses.conversion_reliability import Resamples, against_gold, without_functions
    from crossbank.metrics.statistics.defaults import SAMPLES
    from crossbank.reports.results.measured_conversions import reliability_as_json

    if against and round_trip is not None:
        raise CrossbankError("--round-trip does not work with --against")
    if ud and transform:
        raise CrossbankError("--ud does not work with --transform")
    if by and not against:
        raise CrossbankError("--by needs --against FILE, the dependencies to compare with")
    steps = ["universal_dependencies"] if ud else list(transform)
    rules = scheme_of(scheme)
    if rules is None and round_trip in (None, THROUGH_DEPENDENCIES):
        raise CrossbankError("--scheme is missing: name the annotation scheme of the trees")
    bank = read_all(files, format, encoding=encoding)
    if round_trip is not None:
        _print_round_trip(bank, round_trip, rules, steps, json)
        return
    assert rules is not None
    drawn = Resamples(SAMPLES, by=dict.fromkeys(by, _groups))
    if against:
        gold = read_all(against, against_format, encoding=encoding)
        reliability = against_gold(bank, gold, rules, steps or None, against_transform, drawn)
    else:
        reliability = without_functions(bank, rules, steps or None, drawn)
    print_result(json, lambda: reliability_as_json(reliability), lambda: reliability_as_text(reliability))


def _groups(gold: Treebank) -> dict[str, tuple[Sequence[str], Int32Array]]:
    from crossbank.reports.results.groups import group_sentences

    return {name: (grouping.groups, grouping.group) for name, grouping in group_sentences(gold).items()}


def _print_round_trip(
    bank: Treebank, target: str, scheme: Scheme | None, steps: Sequence[str], json: bool
) -> None:
    if target == THROUGH_DEPENDENCIES and scheme is not None:
        from crossbank.converters.dependencies.through_dependencies import through_dependencies
        from crossbank.reports.results.measured_conversions import survival_as_json

        survival = through_dependencies(bank, scheme, steps or None)
        print_result(json, lambda: survival_as_json(survival), lambda: survival_as_text(survival))
        return
    from crossbank.converters.transformations import transform
    from crossbank.treebanks.formats.round_trip import round_trip

    bank = transform(bank, steps, scheme)
    trip = round_trip(bank, target)
    print_result(
        json,
        lambda: round_trip_as_json(trip, bank.sentence_id),
        lambda: round_trip_as_text(trip, bank.sentence_id),
    )


def reliability_as_text(reliability: Reliability) -> str:
    """Return signature, scores, sentences, and a line for each relation of gold."""
    from crossbank.metrics.statistics.defaults import interval_name

    lines = [reliability.signature, f"  {'':<12} {'precision':>9}  {'recall':>6}  {'F1':>6}"]
    for labels in (False, True) if reliability.labelled else (False,):
        precision, recall, f1 = (100 * score for score in reliability.overall.scores(labels=labels))
        same = reliability.overall.same_relation if labels else reliability.overall.same_head
        lines.append(
            f"  {'labelled' if labels else 'unlabelled':<12} {precision:9.2f}  {recall:6.2f}  {f1:6.2f}"
            f"  {same:,} of {quantity(reliability.overall.gold, 'word')} have the same head"
            f"{' and relation' if labels else ''}"
        )
    if reliability.interval:
        low, high = reliability.interval
        lines.append(f"  unlabelled F1, {interval_name()}: {100 * low:.2f} to {100 * high:.2f}")
    lines.append(
        f"  labelled scores compare names as they stand: {reliability.shared_names()} of "
        f"{quantity(len(reliability.in_gold()), 'relation')} of gold occur on the other side"
        if reliability.labelled
        else "  labelled: not compared, relations are made of functions"
    )
    lines.append(f"  {sentences(reliability)}")
    left_out = [
        f"    {left.side} {left.sentence} ({left.where}): {left.reason}" for left in reliability.left_out
    ]
    lines += listed_lines(left_out, LISTED, "--json", indent="    ")
    lines.append("")
    names = ["relation", *(row.relation for row in reliability.in_gold())]
    width = max(map(len, names))
    head = f"  {'relation':<{width}} {'words':>8}  {'same head':>9}  {'per cent':>8}"
    lines.append(head + ("  labelled: precision  recall      F1" if reliability.labelled else ""))
    for row in reliability.in_gold():
        line = f"  {row.relation:<{width}} {row.gold:>8,}  {row.same_head:>9,}  {100 * row.attached:8.2f}"
        if reliability.labelled and row.other:
            precision, recall, f1 = (100 * score for score in row.scores(labels=True))
            line += f"  {precision:19.2f}  {recall:6.2f}  {f1:6.2f}"
        lines.append(line)
    for breakdown, shares in reliability.breakdowns.items():
        lines += ["", *_shares(breakdown, shares)]
    return "\n".join(lines)


def _shares(breakdown: str, shares: Sequence[Share]) -> list[str]:
    width = max(len(breakdown), *(len(share.name) for share in shares))
    lines = [f"  {breakdown:<{width}} {'words':>8}  {'same head':>22}  {'labelled F1':>22}"]
    for share in shares:
        scores = ("{:.2f} ({:.2f} to {:.2f})".format(*(100 * x for x in s)) for s in share[2:])
        lines.append(f"  {share.name:<{width}} {share.gold:>8,}  " + "  ".join(f"{s:>22}" for s in scores))
    return lines


def sentences(reliability: Reliability) -> str:
    """Return a line with the numbers of sentences that were and were not compared."""
    sides = reliability.left_out_by_side()
    clauses = [
        f"{quantity(reliability.compared, 'sentence')} compared",
        f"{reliability.exact:,} of them with the same head for every word",
    ]
    if reliability.joined:
        clauses.append(f"{reliability.joined:,} of them several sentences of one side")
    clauses.append(
        f"left out: {sides[0]:,} of gold, {sides[1]:,} of the trees" if any(sides) else "none left out"
    )
    return "; ".join(clauses)


def round_trip_as_text(trip: RoundTrip, sentence_id: Callable[[int], str]) -> str:
    """Return the numbers of equal, different and refused sentences, and a line for each difference.

    A difference is a column or a table.
    """
    from crossbank.reports.results.measured_conversions import MAX_EXAMPLES
    from crossbank.treebanks.formats.round_trip import CHANGES

    differing = trip.sentences - trip.same - len(trip.refused)
    lines = [
        f"{quantity(trip.sentences, 'sentence')} written as {trip.format} and read again: {trip.same:,} are "
        f"the same, {differing:,} differ, {len(trip.refused):,} cannot be written or read"
    ]
    if trip.differences:
        width = max(len(difference.what) for difference in trip.differences)
        heading = "".join(f"{change:>9}" for change in CHANGES)
        lines.append(f"  {'':<{width}}{heading}  sentences  for instance")
        for difference in trip.differences:
            counts = "".join(f"{difference.counts[change]:>9,}" for change in CHANGES)
            named = ", ".join(map(sentence_id, sorted(difference.sentences)[:MAX_EXAMPLES]))
            lines.append(f"  {difference.what:<{width}}{counts}  {len(difference.sentences):>9,}  {named}")
    refused = [f"  {left.sentence} ({left.where}): {left.reason}" for left in trip.refused]
    return "\n".join(lines + listed_lines(refused, REFUSED, "--json"))


def round_trip_as_json(trip: RoundTrip, sentence_id: Callable[[int], str]) -> dict[str, Any]:
    """Return everything by name, for ``json.dumps``."""
    return {
        "format": trip.format,
        "sentences": {"total": trip.sentences, "same": trip.same, "refused": len(trip.refused)},
        "differences": [
            {
                "what": difference.what,
                **difference.counts,
                "sentences": [*map(sentence_id, sorted(difference.sentences))],
            }
            for difference in trip.differences
        ],
        "refused": [left._asdict() for left in trip.refused],
    }


def survival_as_text(survival: ThroughDependencies) -> str:
    """Return the constituents that can be found again in dependencies, of all categories and of each."""
    from crossbank.reports.results.measured_conversions import MAX_EXAMPLES

    rows = [("all", survival.overall), *((row.category, row) for row in survival.categories)]
    width = max(len("category"), *(len(name) for name, _ in rows))
    lines = [
        f"{quantity(survival.sentences, 'sentence')} to dependencies and back: in {survival.whole:,} all "
        "constituents of more than one word are found again",
        f"  {'category':<{width}}  constituents  found again  per cent  same head",
    ]
    for name, row in rows:
        proportion = f"{100 * row.recovered / row.constituents:8.2f}" if row.constituents else f"{'-':>8}"
        lines.append(
            f"  {name:<{width}}  {row.constituents:>12,}  {row.recovered:>11,}  {proportion}"
            f"  {row.same_head:>9,}"
        )
    if survival.lost_in:
        lines.append(f"  lost in {listed(survival.lost_in, MAX_EXAMPLES, 'sentence')}")
    return "\n".join(lines)
