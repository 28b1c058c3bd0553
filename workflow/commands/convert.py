"""``crossbank convert``: a treebank in another format or scheme."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from crossbank.converters import scheme_of
from crossbank.treebanks import Treebank
from crossbank.treebanks.diagnosis import Diagnosis, concatenate_findings
from crossbank.treebanks.errors import ConversionError, CrossbankError
from crossbank.treebanks.files import LARGE_CHUNK, STANDARD, file_size, write_chunks
from crossbank.treebanks.formats import (
    REGISTRY,
    format_named,
    format_of,
    format_to_read,
    format_to_write,
    read_all,
    read_chunks,
    refuse_dependencies_alone,
    write,
)
from crossbank.treebanks.quantities import describe_amount
from crossbank.treebanks.ranges import begun
from crossbank.workflow.commands.command import command
from crossbank.workflow.commands.parameters import (
    FILE,
    INPUT,
    SCHEME,
    reading_options,
    scheme_option,
    target_format_option,
    transform_option,
)
from crossbank.workflow.commands.printing import print_diagnosis
from crossbank.workflow.overwriting import refuse_overwriting

if TYPE_CHECKING:
    from crossbank.converters.schemes.scheme import Scheme

EXAMPLES = (
    "crossbank convert corpus.xml corpus.mrg --resolve",
    "crossbank convert corpus.xml corpus.conllu --scheme tiger --diagnosis changes.csv",
    "crossbank convert 'gold/*.mrg' words.export --scheme tiger --transform delete_punctuation",
)


@dataclass
class ConversionSettings:
    """The arguments and options of the command; a scheme that is recognised is put into ``scheme``."""

    source: str
    target: str
    source_format: str | None
    target_format: str | None
    encoding: str | None
    scheme: str | None
    to_scheme: str | None
    transform: Sequence[str]
    resolve: bool
    ud: str | None
    diagnosis: str | None


@command(
    "convert", EXAMPLES, group="convert", help="convert a treebank to another format or scheme", position=100
)
@click.argument("source", type=INPUT, help="a file; * in a quoted name matches several files")
@click.argument("target", type=FILE, help="the file to write")
@reading_options("SOURCE", flag="--from")
@target_format_option
@scheme_option(
    "the annotation scheme of SOURCE; for CoNLL formats its head rules turn trees into "
    "dependencies, with one root for each sentence"
)
@click.option(
    "--to-scheme",
    type=SCHEME,
    help="the scheme or the view to convert to, from --scheme: ud, sud, constituents, relations ...",
)
@transform_option("--transform", "a transformation; several are applied in order")
@click.option(
    "--resolve", is_flag=True, help="add the transformations that TARGET's format needs, and name them"
)
@click.option(
    "--ud",
    is_flag=False,
    flag_value="basic",
    type=click.Choice(("basic", "enhanced", "no")),
    help="Universal Dependencies by the scheme's rules (basic, enhanced), or no: the scheme's own "
    "dependencies (default: basic for CoNLL-U where the scheme has rules and there is no --transform)",
)
@click.option("--diagnosis", metavar="FILE.csv", type=FILE, help="write all changes, sentence by sentence")
def run(**values: Any) -> None:
    """Write the target. Raises ConversionError if the target's format cannot hold what there is."""
    from crossbank.converters.format_repairs import find_losses
    from crossbank.treebanks.formats.losses import contents_of

    settings = ConversionSettings(**values)
    if settings.to_scheme is not None:
        _set_conversion(settings, settings.to_scheme)
    refuse_overwriting(settings.target, settings.source)
    source = settings.source_format or (format_of if "*" in settings.source else format_to_read)(
        settings.source
    )
    target = settings.target_format or format_to_write(settings.target)
    if _in_chunks(settings, target) and _convert_in_chunks(settings, source, target):
        return
    bank = read_all([settings.source], settings.source_format, encoding=settings.encoding)
    recognised = _recognise(settings, bank, source, target)
    converted = _converted(settings, bank, source, target, scheme_of(settings.scheme))
    write(_with_words(settings, converted), settings.target, target)
    losses = find_losses(converted, target)
    if recognised:
        print(recognised, file=sys.stderr)
    _tell(settings, converted, target, losses, contents_of(converted) if losses else set())


def _set_conversion(settings: ConversionSettings, target: str) -> None:
    """Set the transformations to another scheme or a view. Raises CrossbankError if there are none."""
    from crossbank.converters.conversions import UNIVERSAL, conversion
    from crossbank.converters.transformations import parse

    scheme = scheme_of(settings.scheme)
    if scheme is None:
        raise CrossbankError(f"--to-scheme {target} needs the scheme of {settings.source} (--scheme NAME)")
    if settings.ud is not None:
        raise CrossbankError("--to-scheme does not work with --ud")
    steps = conversion(scheme, target)
    if target == UNIVERSAL and scheme.universal:
        settings.ud = "basic"
    else:
        settings.transform, settings.ud = [*settings.transform, *(str(parse(step)) for step in steps)], "no"


def _converted(
    settings: ConversionSettings, bank: Treebank, source: str, target: str, scheme: Scheme | None
) -> Treebank:
    from crossbank.converters.format_repairs import in_labels
    from crossbank.converters.transformations import transform

    converted = transform(bank, settings.transform, scheme)
    # In a file of trees sentences may be of words alone, such as headlines, and all of them.
    of_trees = format_named(source).trees
    of_trees = bank.has_constituents or (of_trees and len(bank.tokens) > 0 and not bank.has_dependencies)
    representation = settings.ud
    if representation is None and target == "conllu" and of_trees and not settings.transform:
        representation = "basic" if scheme is not None and scheme.universal else None
    if representation in ("basic", "enhanced"):
        from crossbank.converters.universal.conversion import of_trees as universal

        converted = universal(converted, scheme, representation)
    elif target in ("conllu", "conllx") and scheme is not None and of_trees:
        converted = _as_conll(converted, scheme, target)
    refuse_dependencies_alone(converted, target, settings.source)
    if format_named(target).relations and not converted.has_relations:
        from crossbank.metrics.counting.scoring import in_view

        converted = in_view(converted, "relations", scheme)
    return in_labels(_fit(settings, bank, converted, source, target, scheme), target, scheme)


def _with_words(settings: ConversionSettings, converted: Treebank) -> Treebank:
    """Return the sentences that are written: a sentence of Universal Dependencies has words.

    https://universaldependencies.org/format.html. Raises ConversionError if none has.
    """
    from crossbank.converters.universal.conversion import NAME

    wordless = converted.tokens.lengths() == 0
    if not wordless.any() or not any(NAME in step for step in converted.history):
        return converted
    if wordless.all():
        raise ConversionError(f"{settings.source}: no sentence has words")
    return converted.select(np.flatnonzero(~wordless))


def _tell(
    settings: ConversionSettings, converted: Treebank, target: str, losses: Diagnosis, contents: set[str]
) -> None:
    """Tell what was changed and what is lost, on stderr and in the file of ``--diagnosis``.

    contents  what the treebank holds, where something is lost
    """
    print_diagnosis(converted)
    if losses:
        _print_losses_and_hints(target, scheme_of(settings.scheme), losses, contents)
    if settings.diagnosis:
        from crossbank.reports.texts.conversion_events import write_diagnosis

        write_diagnosis(converted.diagnosed(losses), settings.diagnosis)


def _in_chunks(settings: ConversionSettings, target: str) -> bool:
    """Return whether a file is converted in chunks.

    It must be one large file, to a format in which text is appended, without ``--resolve``.
    """
    target_path = Path(settings.target)
    plain = (
        target_path.suffix != ".gz"
        and settings.target != STANDARD
        and (target_path.is_file() or not target_path.exists())
    )
    if "*" in settings.source or settings.resolve or not plain or not format_named(target).appended:
        return False
    try:
        return file_size(settings.source) >= 2 * LARGE_CHUNK
    except CrossbankError:
        return False  # What is wrong with the file is said when it is read.


def _convert_in_chunks(settings: ConversionSettings, source: str, target: str) -> bool:
    """Convert a large file chunk by chunk, so that memory depends on a chunk.

    Returns False, and has written and told nothing, where a chunk is not like the others or has a fault: then
    all sentences must be converted at once, and an error is that of the whole file.
    """
    from crossbank.converters.format_repairs import find_losses
    from crossbank.treebanks.formats.losses import contents_of
    from crossbank.treebanks.shards import UnlikeShardsError, analyses_of

    recognised = ""
    written_parts: list[Treebank] = []
    losses: list[tuple[Diagnosis, int]] = []
    held: set[str] = set()
    alike = set()
    target_module = REGISTRY.load(target)

    def texts() -> Iterator[str | bytearray]:
        nonlocal recognised
        # The text of a chunk is made while the next one is read and converted.
        waiting = None
        for bank in read_chunks(settings.source, settings.source_format, encoding=settings.encoding):
            recognised = recognised or _recognise(settings, bank, source, target)
            converted = _converted(settings, bank, source, target, scheme_of(settings.scheme))
            alike.add((analyses_of(bank), analyses_of(converted), converted.history))
            if len(alike) > 1:
                raise UnlikeShardsError(f"{settings.source}: its chunks have different analyses")
            held.update(contents_of(converted))
            losses.append((find_losses(converted, target), len(converted)))
            written_parts.append(converted.without_contents())
            written = _with_words(settings, converted)
            text = begun(partial(getattr(target_module, "encoded", target_module.dumps), written))
            del bank, converted, written
            if waiting is not None:
                yield waiting()
            waiting = text
        if waiting is not None:
            yield waiting()

    try:
        write_chunks(settings.target, texts())
    except CrossbankError:
        settings.scheme = None if recognised else settings.scheme
        return False
    if recognised:
        print(recognised, file=sys.stderr)
    _tell(settings, Treebank.concatenate(written_parts), target, concatenate_findings(losses), held)
    return True


def _recognise(settings: ConversionSettings, bank: Treebank, source: str, target: str) -> str:
    """Take the scheme that knows most of the labels where one is needed and none named; what to say of it.

    It is needed to resolve what the format refuses, and to write functions into labels as it does.
    """
    from crossbank.treebanks.formats.losses import contents
    from crossbank.workflow.new_study import scheme_in

    into_labels = format_named(target).labelled and "functions" in contents(bank)
    if settings.scheme is not None or not (settings.resolve or into_labels):
        return ""
    settings.scheme, fit = scheme_in(bank, source)
    return (
        f"--scheme {settings.scheme}: recognised ({fit.partition(': ')[2] or fit})" if settings.scheme else ""
    )


def _fit(
    settings: ConversionSettings,
    bank: Treebank,
    converted: Treebank,
    source: str,
    target: str,
    scheme: Scheme | None,
) -> Treebank:
    """Return the treebank as the target's format can hold it.

    With ``--resolve``, further transformations are applied.

    Raises ConversionError if the format refuses it, with the command that works.
    """
    from crossbank.converters.format_repairs import repair_for_format
    from crossbank.treebanks.formats.losses import STRUCTURES, formats_that_hold, unfit
    from crossbank.treebanks.readings import first_of_each

    changed = format_named(target).changes
    unfit_sentences = unfit(converted, target)
    refused = [name for name in unfit_sentences if name not in changed]
    if not refused and not (settings.resolve and unfit_sentences):
        return converted
    name = settings.scheme
    if name is None:
        from crossbank.workflow.new_study import scheme_in

        name, _ = scheme_in(bank, source)
    repaired = repair_for_format(converted, target, scheme or scheme_of(name))
    transformations = list(map(str, repaired.transformations))
    works = all(structure in changed for structure in repaired.remaining)
    if settings.resolve and works:
        if transformations:
            print(f"--resolve: {' '.join(transformations)}", file=sys.stderr)
        return repaired.bank
    structure = STRUCTURES[refused[0]]
    sentences = first_of_each(converted, unfit_sentences[refused[0]].nonzero()[0]).tolist()
    first_of = f", the first of {len(sentences):,} such sentences" if len(sentences) > 1 else ""
    command = _command(settings, name, transformations)
    if works:
        hint = f"to convert it: {command} (or add --resolve)"
    else:
        hint = f"{', '.join(formats_that_hold(refused))} can hold it, and no transformation removes it"
    raise ConversionError(
        f"{converted.where(sentences[0])}: sentence {converted.sentence_id(sentences[0])}{first_of}: found "
        f"{structure.actual}, expected {structure.expected} to write as {target}; {hint}",
        longer=len(command),
    )


def _command(settings: ConversionSettings, scheme: str | None, transformations: Sequence[str]) -> str:
    """Return the command that was typed, with a scheme and further transformations."""
    options = {
        "--from": settings.source_format,
        "--to": settings.target_format,
        "--encoding": settings.encoding,
        "--scheme": scheme,
        "--ud": settings.ud,
        "--diagnosis": settings.diagnosis,
    }
    words = ["crossbank", "convert", settings.source, settings.target]
    words += [word for option, value in options.items() if value is not None for word in (option, value)]
    steps = [word for step in (*settings.transform, *transformations) for word in ("--transform", step)]
    return shlex.join([*words, *steps])


def _print_losses_and_hints(
    target: str, scheme: Scheme | None, losses: Diagnosis, contents: set[str]
) -> None:
    """Print on stderr what the format cannot hold, the formats that can, and transformations."""
    from crossbank.converters.format_repairs import find_replacements

    message = _losses_message(target, losses, contents)
    ways: dict[tuple[str, str], list[str]] = {}
    for content, way in find_replacements(losses, contents, target).items():
        ways.setdefault(way, []).append(content)
    for (becomes, transformation), replaced in ways.items():
        with_scheme = "with --scheme NAME " if scheme is None else ""
        message += (
            f"; {with_scheme}--transform {transformation} turns {' and '.join(replaced)} into {becomes}"
        )
    print(f"{message})", file=sys.stderr)


def print_losses(bank: Treebank, target: str) -> None:
    """Print on stderr what is lost where a treebank is written as a command made it."""
    from crossbank.converters.format_repairs import find_losses
    from crossbank.treebanks.formats.losses import contents_of

    if losses := find_losses(bank, target):
        print(f"{_losses_message(target, losses, contents_of(bank))})", file=sys.stderr)


def _losses_message(target: str, losses: Diagnosis, contents: set[str]) -> str:
    """Return what a format cannot hold, and the formats that can, in a bracket that is open."""
    from crossbank.treebanks.formats.losses import formats_without_loss

    amounts = [describe_amount(finding.total, finding.event) for finding in losses]
    return f"{target}: {', '.join(amounts)} ({', '.join(formats_without_loss(contents))} can hold everything"


def _as_conll(bank: Treebank, scheme: Scheme, target: str) -> Treebank:
    from crossbank.converters.transformations import transform
    from crossbank.metrics.counting.scoring import in_view

    if not bank.has_dependencies:
        bank = in_view(bank, "dependencies", scheme)
    one_root = [] if "single_root" in bank.history else ["single_root"]
    return transform(bank, [*one_root, {"conll_columns": {"universal": target == "conllu"}}], scheme)
