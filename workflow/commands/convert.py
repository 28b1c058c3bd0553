"""``crossbank convert``: a treebank in another format or scheme."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from crossbank.workflow.commands.arguments import FORMATS, add_transform, scheme_of, tell_diagnosis

if TYPE_CHECKING:
    from crossbank.converters.schemes.scheme import Scheme
    from crossbank.treebanks import Treebank


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("source", metavar="SOURCE", help="a file, or several by a name with * in it")
    parser.add_argument("target", metavar="TARGET")
    parser.add_argument("--from", dest="source_format", metavar="F", help=f"{FORMATS} (default: by name)")
    parser.add_argument(
        "--to", dest="target_format", metavar="F", help="the same but exportxml (default: by name)"
    )
    parser.add_argument("--encoding", metavar="E", help="encoding of SOURCE (default: UTF-8)")
    parser.add_argument(
        "--scheme",
        metavar="S",
        help="the annotation scheme of SOURCE; by it trees become dependencies for CoNLL formats, with one "
        "root for each sentence",
    )
    add_transform(parser, "--transform", "transformations, in order; the option may be repeated")
    parser.add_argument("--diagnosis", metavar="FILE.csv", help="write all changes, sentence by sentence")


def run(given: Namespace) -> int:
    """Write the target. Raises ConversionError where the target's format has no place for what there is."""
    from crossbank.converters.transformations import transform
    from crossbank.treebanks.errors import ConversionError
    from crossbank.treebanks.formats import format_named, format_of, read_all, write

    scheme = scheme_of(given.scheme)
    bank = read_all([given.source], given.source_format, encoding=given.encoding)
    target = given.target_format or format_of(given.target)
    converted = transform(bank, given.transform or (), scheme)
    # In a file of trees sentences may be of words alone, such as headlines, and all of them.
    of_trees = format_named(given.source_format or format_of(given.source)).trees
    of_trees = bank.has_constituents or (of_trees and len(bank.tokens) > 0 and not bank.has_dependencies)
    if target in ("conllu", "conllx") and scheme is not None and of_trees:
        converted = _as_conll(converted, scheme, target)
    if format_named(target).trees and converted.has_dependencies and not converted.has_constituents:
        raise ConversionError(
            f"{given.source}: found dependencies alone, expected trees to write as {target}"
        )
    if format_named(target).relations and not converted.has_relations:
        from crossbank.metrics.counting.scoring import in_view

        converted = in_view(converted, "relations", scheme)
    write(converted, given.target, target)
    if given.diagnosis:
        from crossbank.reports.texts.diagnosis import write_diagnosis

        write_diagnosis(converted, given.diagnosis)
    tell_diagnosis(converted)
    return 0


def _as_conll(bank: Treebank, scheme: Scheme, target: str) -> Treebank:
    """Trees with dependencies and columns as a CoNLL format wants them."""
    from crossbank.converters.transformations import transform
    from crossbank.metrics.counting.scoring import in_view

    if not bank.has_dependencies:
        # Traces are used where there are any. Scores leave them out of account, since parsers have none.
        if scheme.traces.moved:
            bank = transform(bank, ["resolve_traces"], scheme)
        bank = in_view(bank, "dependencies", scheme)
    columns = {"conll_columns": {"universal": target == "conllu"}}
    return transform(bank, ["single_root", columns], scheme)
