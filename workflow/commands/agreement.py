"""``crossbank agreement``: how far annotators, or parsers, of the same sentences agree."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from functools import partial
from os.path import basename

from crossbank.converters import scheme_of
from crossbank.treebanks.errors import CrossbankError, OptionError
from crossbank.treebanks.formats import read
from crossbank.treebanks.ranges import side_by_side
from crossbank.workflow.commands.cli import Parser, options_of
from crossbank.workflow.commands.printing import print_found

EXAMPLES = (
    "crossbank agreement gold.mrg parsed.mrg other.mrg --scheme tiger",
    "crossbank agreement gold.conllu parsed.conllu --names Anna,Ben --json",
)


def arguments(parser: Parser) -> None:
    """Add the arguments of the command."""
    parser.value("first", "A", "the first annotator's sentences")
    parser.value("others", "B", "other annotators of the same sentences", nargs="+")
    parser.reading("all", "format of all: {} (default: by file name)")
    parser.value("--scheme", "NAME_OR_FILE", "the annotation scheme")
    parser.metric("as for score (default: parseval for trees, dependencies for dependency files)")
    parser.option("an option of the metrics, as for score")
    parser.names("the annotators' names, in the order of the files (default: the names of the files)")
    parser.flag("--json", "print one JSON object")


def run(given: Namespace) -> None:
    """Print scores of all pairs, kappa, alpha, and the sentences on which annotators differ most."""
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
    from crossbank.reports.texts.agreement_of_annotators import AnnotatorAgreement, as_json, as_text

    files = [given.first, *given.others]
    names = _names(given.names, files)
    scheme = scheme_of(given.scheme)
    banks = side_by_side([partial(read, file, given.format, encoding=given.encoding) for file in files])
    banks = [bank.only_chosen() for bank in banks]
    trees = all(bank.has_constituents for bank in banks)
    metrics = given.metric or ["parseval" if trees else "dependencies"]
    scoring = scoring_of(metrics, options_of(given.option), "skip")
    lacking: dict[str, list[int]] = {}
    if scheme is not None and trees:
        lacking = _lacking("functions", [has_functions(bank, scheme) for bank in banks])
    if lacking:
        banks = [transform(bank, ["strip_functions"], scheme) for bank in banks]
    seen = [
        in_view(bank, "constituents", scheme) if scheme is not None and bank.has_constituents else bank
        for bank in banks
    ]
    kept, left_out = same_words(seen)
    if not kept.any():
        raise CrossbankError(f"{', '.join(files)}: no sentence has the same words in all files")
    banks, seen = [bank.select(kept) for bank in banks], [bank.select(kept) for bank in seen]
    arcs = None
    if scheme is not None and trees and "dependencies" in scheme.views:
        arcs = [in_view(bank, "dependencies", scheme) for bank in banks]
    lacking |= _lacking("relations", [names_relations(bank) for bank in arcs or seen])
    coded, compared = codings(seen, arcs), list(seen[0].sentence_ids)
    measured = pair_scores(banks, scoring, scheme), [agreement(coding) for coding in coded]
    differing = disagreements(coded, len(compared))
    found = AnnotatorAgreement(names, len(kept), compared, left_out, *measured, differing, lacking)
    print_found(given, lambda: as_json(found), lambda: as_text(found))


def _names(given: Sequence[str] | None, files: Sequence[str]) -> Sequence[str]:
    """Return the annotators' names: those given, else those of the files, else where these differ.

    Raises OptionError where there is not one name for each file, all different.
    """
    if given is None:
        from crossbank.workflow.proposed_patterns import names_of

        names = [basename(file) for file in files]
        return names if len(set(names)) == len(names) else names_of(files)
    if len(set(given)) == len(given) == len(files):
        return given
    raise OptionError("--names", ",".join(given), f"{len(files)} different names, one for each file")


def _lacking(what: str, has: Sequence[bool]) -> dict[str, list[int]]:
    """Return the annotators who do not have what others have; nothing where all or none have it."""
    without = [place for place, there in enumerate(has) if not there]
    return {what: without} if without and len(without) < len(has) else {}
