"""``crossbank info``: the contents of a treebank."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, cast

import click
import numpy as np

from crossbank.converters import scheme_of
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import BoolArray
from crossbank.treebanks.errors import ConversionError, CrossbankError
from crossbank.treebanks.formats import REGISTRY, format_to_read, read_named
from crossbank.workflow.commands.command import command
from crossbank.workflow.commands.parameters import (
    files_argument,
    json_option,
    reading_options,
    scheme_option,
)
from crossbank.workflow.commands.printing import in_columns, print_result, shown

if TYPE_CHECKING:
    from crossbank.converters.schemes.scheme import Scheme
    from crossbank.metrics.analyses.universal_structure import Fault
    from crossbank.treebanks.ambiguity import Ambiguity
    from crossbank.treebanks.discriminants import Disambiguation

SHOWN = 3
"""The number of faults of a kind that are shown."""

MOST_FILES = 20
"""The number of files that are listed one by one."""

EXAMPLES = ("crossbank info corpus.xml --scheme tiger", "crossbank info 'gold/*.mrg' parsed.mrg --json")


@command("info", EXAMPLES, group="look", help="count the contents of a treebank", position=80)
@files_argument()
@reading_options("the files")
@scheme_option("the annotation scheme of the files, which defines punctuation")
@click.option(
    "--check",
    is_flag=True,
    help="count faults in the structure of Universal Dependencies; exit code 1 where there are any",
)
@click.option(
    "--ambiguity",
    "of_profiles",
    is_flag=True,
    help="of profiles of [incr tsdb()]: items, length, ambiguity, by the trees that annotators left",
)
@click.option(
    "--discriminants",
    is_flag=True,
    help="of sentences with several analyses: the properties that tell these apart, and decisions",
)
@json_option("print one JSON object")
def run(
    files: Sequence[str],
    format: str | None,
    encoding: str | None,
    scheme: str | None,
    check: bool,
    of_profiles: bool,
    discriminants: bool,
    json: bool,
) -> int:
    """Print the counts and ratios of all files together and of each, and with ``--check`` faults in UD."""
    banks = read_named(files, format, encoding=encoding)
    rules = scheme_of(scheme)
    whole = Treebank.concatenate([bank for _, bank in banks])
    described = _described(whole, rules)
    text = [in_columns({name.replace("_", " "): value for name, value in described.items()})]
    found: dict[str, object] = {**described}
    faults: list[Fault] = []
    if check:
        from crossbank.metrics.analyses.universal_structure import counted, universal_faults

        if not whole.has_dependencies:
            said = "there are no dependencies to check (--check)"
            raise ConversionError(f"{', '.join(files)}: {said}")
        faults = universal_faults(whole)
        found["faults"] = counted(faults)
    if of_profiles:
        profiles = [
            (file, subset, means)
            for file, _ in banks
            for subset, means in _ambiguity(file, format, encoding).items()
        ]
        found["ambiguity"] = [
            {"file": file, "trees": subset, **means._asdict()} for file, subset, means in profiles
        ]
    if discriminants:
        from crossbank.treebanks.discriminants import disambiguations

        told = list(disambiguations(whole))
        found["discriminants"] = [{**one._asdict(), "properties": sorted(one.properties)} for one in told]
    if len(banks) > 1:
        by_file = [(file, _described(bank, rules)) for file, bank in banks]
        found["files"] = [{"file": file, **values} for file, values in by_file]
        text += ["", *_listed(by_file)]
    text += ["", *_ambiguous(profiles)] if of_profiles else []
    text += ["", *_decided(told)] if discriminants else []
    text += _told(faults, whole) if check else []
    print_result(json, lambda: found, lambda: "\n".join(text))
    return 1 if faults else 0


def _ambiguity(file: str, format: str | None, encoding: str | None) -> Mapping[str, Ambiguity]:
    """Return the ambiguity of a file by subsets. Raises CrossbankError for a format that cannot tell it."""
    name = format or format_to_read(file)
    count = getattr(REGISTRY.load(name), "ambiguity", None)
    if count is None:
        raise CrossbankError(f"{file}: the format {name} has no records of a parser (--ambiguity)")
    counts: Mapping[str, Ambiguity] = count(file, encoding)
    return counts


def _ambiguous(profiles: Sequence[tuple[str, str, Ambiguity]]) -> Iterator[str]:
    first = max(len(file) for file, *_ in profiles)
    yield f"{'':<{first}}  {'':<17}  {'items':>6}  {'length':>8}  {'entries of a word':>17}  {'readings':>9}"
    for file, subset, (items, *means) in profiles:
        length, lexical, readings = ("–" if mean is None else f"{mean:.1f}" for mean in means)
        yield f"{file:<{first}}  {subset:<17}  {items:>6}  {length:>8}  {lexical:>17}  {readings:>9}"


def _decided(told: Sequence[Disambiguation]) -> Iterator[str]:
    yield f"sentences with several analyses   {len(told)}"
    for what, numbers in (
        ("analyses of one", [one.analyses for one in told]),
        ("discriminants of one", [len(one.properties) for one in told]),
        ("decisions for the chosen analysis", [len(one.decisions) for one in told]),
    ):
        yield f"{what:<33} {f'{sum(numbers) / len(told):.2f}' if told else '–'}"
    yield f"analyses like the chosen one      {sum(one.alike for one in told)}"


def _described(bank: Treebank, scheme: Scheme | None) -> Mapping[str, object]:
    from crossbank.converters.crossing.attach_punctuation import with_punctuation_attached
    from crossbank.treebanks.ratios import describe

    return cast("Mapping[str, object]", describe(bank, with_punctuation_attached(bank, scheme)))


def _listed(files: Sequence[tuple[str, Mapping[str, object]]]) -> Iterator[str]:
    """A line for each file; of many, only for those that are unlike the others."""
    if len(files) <= MOST_FILES:
        yield from _table(files)
        return
    odd = [file for file, is_odd in zip(files, _odd([found for _, found in files]), strict=True) if is_odd]
    rest = f"{len(files)} files, each in --json"
    if not odd:
        yield f"{rest}; none is unlike the others"
        return
    first = f", of which {MOST_FILES} are here" if len(odd) > MOST_FILES else ""
    yield f"{rest}; {len(odd)} with ratios far from those of the others{first}:"
    yield from _table(odd[:MOST_FILES])


def _odd(files: Sequence[Mapping[str, object]]) -> BoolArray:
    """True for files with a ratio beyond Tukey's outer fences: three times the middle half away from it."""
    odd = np.zeros(len(files), np.bool_)
    for name in files[0]:
        values = [found.get(name) for found in files]
        if not all(isinstance(value, float) for value in values):
            continue
        ratios = np.array(values, np.float64)
        low, high = np.quantile(ratios, [0.25, 0.75])
        odd |= (ratios < low - 3 * (high - low)) | (ratios > high + 3 * (high - low))
    return odd


def _table(files: Sequence[tuple[str, Mapping[str, object]]]) -> Iterator[str]:
    """A line for each file; the words of a heading are below each other."""
    names = list(max((found for _, found in files), key=lambda found: len(tuple(found))))
    headings = [name.split("_") for name in names]
    height = max(map(len, headings))
    rows = [[""] * (height - len(heading)) + heading for heading in headings]
    # Where no sentence of a file has several analyses there are as many as sentences.
    cells = [(file, [shown(found.get(name, found["sentences"])) for name in names]) for file, found in files]
    widths = [max(map(len, [*row, *(of[place] for _, of in cells)])) for place, row in enumerate(rows)]
    first = max(len(file) for file, _ in files)
    for level in range(height):
        words = (f"{row[level]:>{width}}" for row, width in zip(rows, widths, strict=True))
        yield f"{'':<{first}}  {'  '.join(words)}".rstrip()
    for file, of in cells:
        values = (f"{cell:>{width}}" for cell, width in zip(of, widths, strict=True))
        yield f"{file:<{first}}  {'  '.join(values)}"


def _told(faults: list[Fault], bank: Treebank) -> Iterator[str]:
    from crossbank.metrics.analyses.universal_structure import counted

    if not faults:
        yield "no faults in the structure of Universal Dependencies"
    for check, number in counted(faults).items():
        found = [fault for fault in faults if fault.check == check]
        first = "; ".join(
            f"{bank.where(fault.sentence)}: sentence {bank.sentence_id(fault.sentence)}"
            + (f", word {fault.token + 1}" if fault.token >= 0 else "")
            + f": {fault.what}"
            for fault in found[:SHOWN]
        )
        yield f"{check}: {number:,} ({first}{'; ...' if number > SHOWN else ''})"
