"""``crossbank probe``: what measures make of errors that are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from crossbank.converters import scheme_of
from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.formats import read
from crossbank.treebanks.quantities import quantity
from crossbank.workflow.commands.command import command
from crossbank.workflow.commands.parameters import (
    INPUT,
    json_option,
    metric_option,
    options_option,
    reading_options,
    samples_option,
    scheme_option,
    seed_option,
)
from crossbank.workflow.commands.printing import print_result

if TYPE_CHECKING:
    from crossbank.metrics.analyses.probe import ExplainedVariance, FurtherErrors, Price, ProbeResults

METRICS = ("parseval", "parseval1991", "leaf_ancestor", "tree_distance")

EXAMPLES = (
    "crossbank probe gold.mrg --scheme tiger",
    "crossbank probe gold.mrg --scheme tiger --metric parseval,leaf_ancestor,dependencies --json",
)


@command(
    "probe",
    EXAMPLES,
    group="score",
    help="plant known errors in gold trees, and compare how much each lowers the scores",
    position=50,
)
@click.argument("gold", type=INPUT, help="gold trees without crossing branches")
@reading_options("gold")
@scheme_option()
@metric_option(f"the measures (default: {','.join(METRICS)})")
@options_option("as for score")
@click.option(
    "--errors",
    metavar="N",
    type=click.IntRange(min=1),
    default=4,
    help="errors that are planted into the same sentence, one after the other (default: 4)",
)
@samples_option("resamples for each interval (default: 1000)", default=1000)
@seed_option("the same seed plants the same errors (default: 1)", default=1)
@json_option("print one JSON object")
def run(
    gold: str,
    format: str | None,
    encoding: str | None,
    scheme: str | None,
    metric: Sequence[str],
    option: Mapping[str, str],
    errors: int,
    samples: int,
    seed: int,
    json: bool,
) -> None:
    """Print the price of an error by type and depth, and how measures agree on it."""
    from crossbank.metrics.analyses.probe import probe
    from crossbank.metrics.counting.scoring import in_view, scoring_of

    rules = scheme_of(scheme)
    bank = read(gold, format, encoding=encoding).only_chosen()
    if not bank.has_constituents:
        raise CrossbankError(f"{gold}: there are no constituents into which errors can be planted")
    if rules is not None:
        bank = in_view(bank, "constituents", rules)
    scoring = scoring_of(metric or METRICS, dict(option))
    results = probe(bank, scoring, rules, further=errors, samples=samples, seed=seed)
    print_result(json, lambda: asdict(results), lambda: as_text(results, errors))


def as_text(results: ProbeResults, errors: int) -> str:
    """Return the results as a table for each question."""
    blocks = [
        f"{quantity(results.sentences, 'sentence')}, with one error of each type in turn where one is "
        "possible.\nThe price of an error is the fall of its sentence's score, in points (95 % interval).",
        _price_table("type", [price for price in results.prices if price.depth == "all"]),
        _price_table("depth", [price for price in results.prices if price.type == "all"]),
        _table(
            ["share of the variance of prices", "explained by type", "by depth"],
            [
                [_name(row), f"{100 * row.by_type:.1f} %", f"{100 * row.by_depth:.1f} %"]
                for row in results.explained
            ],
        ),
        f"{quantity(errors, 'error')} one after the other in each sentence where all are possible:",
        _table(
            ["further errors after which the score", "fell", "did not change", "rose"],
            [[_name(row), *_shares(row.n, row.fell, row.unchanged, row.rose)] for row in results.further],
        ),
    ]
    if results.disagreements:
        blocks.append(
            _table(
                [
                    "pairs of errors in a sentence that two measures order in opposite ways",
                    "pairs",
                    "opposite",
                ],
                [
                    [" and ".join(row.metrics), f"{row.n:,}", *_shares(row.n, row.opposite)]
                    for row in results.disagreements
                ],
            )
        )
    return "\n\n".join(blocks)


def _price_table(heading: str, prices: Sequence[Price]) -> str:
    """Return a line for each type or depth, with a column for each measure."""
    measures = list(dict.fromkeys(map(_name, prices)))
    rows: dict[str, list[str]] = {}
    numbers: dict[str, int] = {}
    for price in prices:
        key = price.type if heading == "type" else price.depth
        points = [f"{100 * value:.1f}" for value in (price.mean, price.low, price.high)]
        rows.setdefault(key, []).append(f"{points[0]} ({points[1]} to {points[2]})")
        numbers[key] = price.n
    return _table(
        [heading, "errors", *measures], [[key, f"{numbers[key]:,}", *cells] for key, cells in rows.items()]
    )


def _name(row: Price | ExplainedVariance | FurtherErrors) -> str:
    return f"{row.metric} {row.measure}"


def _shares(whole: int, *parts: int) -> list[str]:
    return [f"{100 * part / whole:.1f} %" if whole else "–" for part in parts]


def _table(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(heading, *rows, strict=True)]
    lines = []
    for row in (heading, *rows):
        first, *others = (
            cell.ljust(width) if index == 0 else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        lines.append("  ".join([first, *others]).rstrip())
    return "\n".join(lines)
