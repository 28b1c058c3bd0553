"""``crossbank convert``: a treebank in another format or scheme."""

from __future__ import annotations

import shlex
import sys
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from crossbank.workflow.commands.arguments import FORMATS, add_transform, scheme_of, tell_diagnosis

if TYPE_CHECKING:
    from collections.abc import Sequence

    from crossbank.converters.schemes.scheme import Scheme
    from crossbank.treebanks import Treebank
    from crossbank.treebanks.diagnosis import Diagnosis

EXAMPLES = (
    "crossbank convert corpus.xml corpus.mrg --resolve",
    "crossbank convert corpus.xml corpus.conllu --scheme tiger --diagnosis changes.csv",
    "crossbank convert 'gold/*.mrg' words.export --scheme tiger --transform delete_punctuation",
)


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("source", metavar="SOURCE", help="a file, or several by a name with * in it")
    parser.add_argument("target", metavar="TARGET", help="the file to write")
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
    parser.add_argument(
        "--resolve",
        action="store_true",
        help="add the transformations without which TARGET's format cannot hold the trees, and name them",
    )
    parser.add_argument("--diagnosis", metavar="FILE.csv", help="write all changes, sentence by sentence")


def run(given: Namespace) -> int:
    """Write the target. Raises ConversionError where the target's format has no place for what there is."""
    from crossbank.converters.remedies import lost
    from crossbank.converters.transformations import transform
    from crossbank.treebanks.errors import ConversionError
    from crossbank.treebanks.formats import FORMATS, format_named, format_of, read_all, write

    source = given.source_format or format_of(given.source)
    target = given.target_format or format_of(given.target)
    bank = read_all([given.source], given.source_format, encoding=given.encoding)
    recognised = ""
    if given.resolve and given.scheme is None:
        given.scheme, recognised = _recognised_scheme(bank, source)
    scheme = scheme_of(given.scheme)
    converted = transform(bank, given.transform or (), scheme)
    # In a file of trees sentences may be of words alone, such as headlines, and all of them.
    of_trees = format_named(source).trees
    of_trees = bank.has_constituents or (of_trees and len(bank.tokens) > 0 and not bank.has_dependencies)
    if target in ("conllu", "conllx") and scheme is not None and of_trees:
        converted = _as_conll(converted, scheme, target)
    if format_named(target).trees and converted.has_dependencies and not converted.has_constituents:
        holding = [name for name, format in FORMATS.items() if "dependencies" in (format.holds or ())]
        raise ConversionError(
            f"{given.source}: found dependencies alone, expected trees to write as {target} "
            f"({', '.join(holding)} hold dependencies)"
        )
    if format_named(target).relations and not converted.has_relations:
        from crossbank.metrics.counting.scoring import in_view

        converted = in_view(converted, "relations", scheme)
    converted = _fit(given, bank, converted, source, target, scheme)
    write(converted, given.target, target)
    if recognised:
        print(recognised, file=sys.stderr)
    losses = lost(converted, target)
    tell_diagnosis(converted)
    if losses:
        _tell_losses(converted, target, scheme, losses)
    if given.diagnosis:
        from crossbank.reports.texts.diagnosis import write_diagnosis

        write_diagnosis(converted.diagnosed(losses), given.diagnosis)
    return 0


def _recognised_scheme(bank: Treebank, format: str) -> tuple[str | None, str]:
    """The scheme that knows most of a treebank's labels, with a sentence about it; None and nothing else."""
    from crossbank.workflow.new_study import scheme_in

    name, said = scheme_in(bank, format)
    if name is None:
        return None, ""
    return name, f"--scheme {name}: recognised ({said.partition(': ')[2] or said})"


def _fit(
    given: Namespace, bank: Treebank, converted: Treebank, source: str, target: str, scheme: Scheme | None
) -> Treebank:
    """The treebank as the target's format can hold it: with ``--resolve`` after further transformations.

    Raises ConversionError where the format refuses it, with the command that works.
    """
    from crossbank.converters.remedies import remedy
    from crossbank.treebanks.errors import ConversionError
    from crossbank.treebanks.formats import format_named
    from crossbank.treebanks.losses import STRUCTURES, formats_that_hold, unfit

    changed = format_named(target).changes
    found = unfit(converted, target)
    refused = [name for name in found if name not in changed]
    if not refused and not (given.resolve and found):
        return converted
    name = given.scheme
    if name is None:
        from crossbank.workflow.new_study import scheme_in

        name, _ = scheme_in(bank, source)
    remedied = remedy(converted, target, scheme or scheme_of(name))
    transformations = list(map(str, remedied.transformations))
    works = all(structure in changed for structure in remedied.remaining)
    if given.resolve and works:
        if transformations:
            print(f"--resolve: {' '.join(transformations)}", file=sys.stderr)
        return remedied.bank
    structure = STRUCTURES[refused[0]]
    sentences = found[refused[0]].nonzero()[0].tolist()
    others = f", the first of {len(sentences):,} such sentences" if len(sentences) > 1 else ""
    if works:
        command = _command(given, name, transformations)
        said = f"this command makes it so: {command} (or the same as typed, with --resolve)"
    else:
        said = f"{', '.join(formats_that_hold(refused))} can hold it, and no transformation removes it"
    raise ConversionError(
        f"{converted.where(sentences[0])}: sentence {converted.sentence_id(sentences[0])}{others}: found "
        f"{structure.found}, expected {structure.expected} to write as {target}; {said}"
    )


def _command(given: Namespace, scheme: str | None, transformations: Sequence[str]) -> str:
    """The command that was typed, with a scheme and further transformations."""
    options = {
        "--from": given.source_format,
        "--to": given.target_format,
        "--encoding": given.encoding,
        "--scheme": scheme,
        "--diagnosis": given.diagnosis,
    }
    words = ["crossbank", "convert", given.source, given.target]
    words += [word for option, value in options.items() if value is not None for word in (option, value)]
    return shlex.join([*words, "--transform", *(given.transform or ()), *transformations])


def _tell_losses(bank: Treebank, target: str, scheme: Scheme | None, losses: Diagnosis) -> None:
    """Print on stderr what the format has no place for, the formats that have one, and transformations."""
    from crossbank.converters.remedies import turning
    from crossbank.treebanks.losses import formats_without_loss

    told = [f"{found.total:,} {found.event}" for found in losses]
    said = f"{target}: {', '.join(told)} ({', '.join(formats_without_loss(bank))} can hold everything"
    ways: dict[tuple[str, str], list[str]] = {}
    for content, way in turning(losses, bank, target).items():
        ways.setdefault(way, []).append(content)
    for (becomes, transformation), contents in ways.items():
        with_scheme = "with --scheme NAME " if scheme is None else ""
        said += f"; {with_scheme}--transform {transformation} turns {' and '.join(contents)} into {becomes}"
    print(f"{said})", file=sys.stderr)


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
