"""``crossbank agreement``: how far annotators, or parsers, of the same sentences agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from os.path import basename
from typing import TYPE_CHECKING, Any

import click

from crossbank.converters import scheme_of
from crossbank.treebanks.errors import CrossbankError, OptionError
from crossbank.treebanks.formats import read
from crossbank.treebanks.quantities import and_more, listed_lines, quantity
from crossbank.treebanks.ranges import side_by_side
from crossbank.workflow.commands.command import command
from crossbank.workflow.commands.parameters import (
    INPUT,
    Names,
    damaged_option,
    json_option,
    metric_option,
    names_option,
    options_option,
    reading_options,
    scheme_option,
    words_option,
)
from crossbank.workflow.commands.printing import print_damage, print_result

if TYPE_CHECKING:
    from crossbank.metrics.pairing.pair import UnscoredSentence
    from crossbank.metrics.statistics.annotator_agreement import Agreement, Disagreement, PairScore

LISTED = 10
"""The number of labels, and of sentences of a kind, that are printed; all of them are in the JSON."""

CONFUSIONS = 5
"""The number of confusions that are printed."""

EXAMPLES = (
    "crossbank agreement gold.mrg parsed.mrg other.mrg --scheme tiger",
    "crossbank agreement gold.conllu parsed.conllu --names Anna,Ben --json",
)


@command(
    "agreement",
    EXAMPLES,
    group="score",
    help="measure the agreement of annotators of the same sentences",
    position=30,
)
@click.argument("first", type=INPUT, help="the first annotator's sentences")
@click.argument("others", nargs=-1, required=True, type=INPUT, help="other annotators of the same sentences")
@reading_options("all")
@damaged_option
@words_option
@scheme_option()
@metric_option("as for score (default: parseval for trees, dependencies for dependency files)")
@options_option("an option of the metrics, as for score")
@names_option(
    "--names", Names(), "the annotators' names, in the order of the files (default: the names of the files)"
)
@json_option("print one JSON object")
def run(
    first: str,
    others: Sequence[str],
    format: str | None,
    encoding: str | None,
    damaged: str | None,
    words: str | None,
    scheme: str | None,
    metric: Sequence[str],
    option: Mapping[str, str],
    names: Sequence[str],
    json: bool,
) -> None:
    """Print scores of all pairs, kappa, alpha, and the sentences on which annotators differ most.

    With ``words`` scores are of sentences with other words as well; kappa and alpha are of tokens that all
    have, in sentences with the same words.
    """
    from crossbank.converters.consensus.samples import match_candidates
    from crossbank.converters.transformations import transform
    from crossbank.metrics.analyses.conversion_reliability import has_functions
    from crossbank.metrics.counting.scoring import in_view, scoring_of
    from crossbank.metrics.dependencies import names_relations
    from crossbank.metrics.statistics.annotator_agreement import (
        agreement,
        codings,
        disagreements,
        pair_scores,
        same_words,
    )
    from crossbank.treebanks.damage.rules import policies

    files = [first, *others]
    annotators = _name_annotators(names, files)
    rules = scheme_of(scheme)
    # No annotator is gold, so damaged sentences are treated as a candidate's.
    _, policy = policies(damaged)
    banks = side_by_side([partial(read, file, format, encoding=encoding, damaged=policy) for file in files])
    for bank, file in zip(banks, files, strict=True):
        print_damage(bank, file)
    banks = [bank.only_chosen() for bank in match_candidates(banks)]
    trees = all(bank.has_constituents for bank in banks)
    options = {**option, **({"words": words} if words else {})}
    scoring = scoring_of(metric or ["parseval" if trees else "dependencies"], options, "skip")
    lacking: dict[str, list[int]] = {}
    if rules is not None and trees:
        lacking = _annotators_without("functions", [has_functions(bank, rules) for bank in banks])
    if lacking:
        banks = [transform(bank, ["strip_functions"], rules) for bank in banks]
    seen = [
        in_view(bank, "constituents", rules) if rules is not None and bank.has_constituents else bank
        for bank in banks
    ]
    is_same, left_out = same_words(seen)
    if not is_same.any():
        raise CrossbankError(f"{', '.join(files)}: no sentence has the same words in all files")
    scored = banks
    banks, seen = [bank.select(is_same) for bank in banks], [bank.select(is_same) for bank in seen]
    if scoring.words == "same":
        scored = banks
    arcs = None
    if rules is not None and trees and "dependencies" in rules.views:
        arcs = [in_view(bank, "dependencies", rules) for bank in banks]
    lacking |= _annotators_without("relations", [names_relations(bank) for bank in arcs or seen])
    coded, compared = codings(seen, arcs), list(seen[0].sentence_ids)
    measured = pair_scores(scored, scoring, rules), [agreement(coding) for coding in coded]
    differing = disagreements(coded, len(compared))
    agreement_results = AnnotatorAgreement(
        annotators, len(is_same), compared, left_out, *measured, differing, lacking
    )
    print_result(json, lambda: as_json(agreement_results), lambda: as_text(agreement_results))


def _name_annotators(names: Sequence[str], files: Sequence[str]) -> Sequence[str]:
    """Return the names of the option, or the files' names, or the parts in which the paths differ.

    Raises OptionError if the option has not one name for each file, all different.
    """
    if not names:
        from crossbank.workflow.proposed_patterns import names_of

        file_names = [basename(file) for file in files]
        return file_names if len(set(file_names)) == len(file_names) else names_of(files)
    if len(set(names)) == len(names) == len(files):
        return names
    raise OptionError("--names", ",".join(names), f"{len(files)} different names, one for each file")


def _annotators_without(what: str, has: Sequence[bool]) -> dict[str, list[int]]:
    """Return the indices of the annotators who lack what others have; nothing if all or none have it."""
    without = [annotator for annotator, present in enumerate(has) if not present]
    return {what: without} if without and len(without) < len(has) else {}


@dataclass(frozen=True)
class AnnotatorAgreement:
    """Agreement results.

    sentences  the number of sentences of each annotator
    compared   the identifiers of the sentences that all have with the same words
    left_out   the other sentences: the index of the annotator who differs from the first, and how
    lacking    what is not compared, and the indices of the annotators who do not have it
    """

    annotators: Sequence[str]
    sentences: int
    compared: Sequence[str]
    left_out: Sequence[tuple[int, UnscoredSentence]]
    scores: Sequence[PairScore]
    agreements: Sequence[Agreement]
    disagreements: Sequence[Disagreement]
    lacking: Mapping[str, Sequence[int]] = field(default_factory=dict)


def as_text(results: AnnotatorAgreement) -> str:
    """Return as text the matrices of scores and kappa, alpha over all, by annotator and by label.

    The sentences with the lowest agreement come last.
    """
    blocks = [_sentences(results), *_score_matrices(results)]
    blocks += [_coefficients(results, one) for one in results.agreements]
    blocks.append(_worst(results))
    return "\n\n".join("\n".join(line.rstrip() for line in lines) for lines in blocks)


def as_json(results: AnnotatorAgreement) -> dict[str, Any]:
    """Return everything by name, for ``json.dumps``."""
    name = results.annotators

    def scored(one: PairScore) -> dict[str, Any]:
        row = asdict(one) | {"gold": name[one.gold], "candidate": name[one.candidate]}
        del row["compared"]
        return row

    return {
        "annotators": list(name),
        "sentences": {
            "compared": len(results.compared),
            "left_out": results.sentences - len(results.compared),
        },
        "left_out": [
            {"annotator": name[annotator], **asdict(problem), "status": str(problem.status)}
            for annotator, problem in results.left_out
        ],
        "not_compared": {what: [name[i] for i in annotators] for what, annotators in results.lacking.items()},
        "scores": [scored(one) for one in results.scores],
        "agreement": [
            asdict(one)
            | {
                "missing": dict(zip(name, one.missing, strict=True)),
                "pairs": [
                    asdict(pair) | {"annotators": [name[i] for i in pair.annotators]} for pair in one.pairs
                ],
            }
            for one in results.agreements
        ],
        "disagreements": [
            {"sentence": results.compared[one.sentence], "differing": one.differing, "pairs": one.pairs}
            for one in results.disagreements
        ],
    }


def _sentences(results: AnnotatorAgreement) -> list[str]:
    compared = len(results.compared)
    lines = [
        f"{len(results.annotators)} annotators: {', '.join(results.annotators)}",
        f"{quantity(results.sentences, 'sentence')}: {compared:,} compared, "
        f"{results.sentences - compared:,} left out",
    ]
    left_out = [f"  left out: {one.sentence} ({one.where}): {one.detail}" for _, one in results.left_out]
    lines += listed_lines(left_out, LISTED, "--json")
    for what, annotators in results.lacking.items():
        lines.append(
            f"  {what} are not compared: {', '.join(results.annotators[i] for i in annotators)} without any"
        )
    return lines


def _score_matrices(results: AnnotatorAgreement) -> list[list[str]]:
    """Yield a matrix for each measure of comparisons: gold in rows, candidates in columns."""
    blocks = []
    compared = [one for one in results.scores if one.compared]
    for metric, measure in dict.fromkeys((one.metric, one.measure) for one in compared):
        rows = [one for one in compared if (one.metric, one.measure) == (metric, measure)]
        values = {(one.gold, one.candidate): one.value for one in rows}
        cells = {pair: "-" if value is None else f"{100 * value:.2f}" for pair, value in values.items()} | {
            (annotator, annotator): "" for annotator in range(len(results.annotators))
        }
        lines = [rows[0].signature, *_matrix(results.annotators, f"{measure} (%)", cells)]
        lines += [
            f"  {gold} (gold) and {candidate}: {quantity(one.scored, 'sentence')} scored"
            for one in rows
            for gold, candidate in [(results.annotators[one.gold], results.annotators[one.candidate])]
            if one.scored < len(results.compared)
        ]
        blocks.append(lines)
    return blocks


def _coefficients(results: AnnotatorAgreement, one: Agreement) -> list[str]:
    """Return the kappa in a matrix, with each annotator's mean and alpha without them; then the labels."""
    kappa = {pair.annotators: pair.kappa for pair in one.pairs}
    lines = [f"{one.name}: {quantity(one.units, 'unit')}, Krippendorff's alpha {_coefficient(one.alpha)}"]
    lines += [
        f"  {name} gives no category to {quantity(missing, 'unit')}"
        for name, missing in zip(results.annotators, one.missing, strict=True)
        if missing
    ]
    annotators = range(len(results.annotators))
    kappas = {
        (i, j): "" if i == j else _coefficient(kappa[min(i, j), max(i, j)])
        for i in annotators
        for j in annotators
    }
    matrix = _matrix(results.annotators, "Cohen's kappa", kappas)
    if one.alpha_without:
        without = ["alpha without", *map(_coefficient, one.alpha_without)]
        matrix = [f"{line}  {cell:>13}" for line, cell in zip(matrix, without, strict=True)]
    lines += matrix
    labels = one.labels[:LISTED]
    width = max(map(len, ["label", *(row.label for row in labels)]))
    heads = [*(f"in {name}" for name in results.annotators), "kappa", "alpha"]
    lines.append(f"  {'label':<{width}}" + "".join(f"  {head:>8}" for head in heads))
    for row in labels:
        cells = [*(f"{uses:,}" for uses in row.uses), _coefficient(row.kappa), _coefficient(row.alpha)]
        lines.append(
            f"  {row.label:<{width}}"
            + "".join(f"  {cell:>{max(len(head), 8)}}" for head, cell in zip(heads, cells, strict=True))
        )
    if more := and_more(len(one.labels) - LISTED, "label"):
        lines.append(f" {more}: all are in --json")
    confused = [f"{' and '.join(row.labels)} {row.times:,}" for row in one.confusions[:CONFUSIONS]]
    if confused:
        lines.append(f"  most often confused: {', '.join(confused)}")
    return lines


def _worst(results: AnnotatorAgreement) -> list[str]:
    if not results.disagreements:
        return ["The annotators agree in every sentence."]
    lines = [
        f"  {results.compared[one.sentence]}: {one.differing:,} of {one.pairs:,}"
        for one in results.disagreements
    ]
    return ["sentences with the most differing pairs of values", *listed_lines(lines, LISTED, "--json")]


def _matrix(names: Sequence[str], heading: str, cells: Mapping[tuple[int, int], str]) -> list[str]:
    width = max(map(len, [heading, *names]))
    lines = [f"  {heading:<{width}}" + "".join(f"  {name:>6}" for name in names)]
    for i, row in enumerate(names):
        of_row = (f"  {cells[i, j]:>{max(len(name), 6)}}" for j, name in enumerate(names))
        lines.append(f"  {row:<{width}}" + "".join(of_row))
    return lines


def _coefficient(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
