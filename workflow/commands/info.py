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
from crossbank.workflow.commands.printing import format_value, in_columns, print_result

if TYPE_CHECKING:
    from crossbank.converters.schemes.scheme import Scheme
    from crossbank.metrics.analyses.universal_structure import Fault
    from crossbank.treebanks.discriminants import Disambiguation
    from crossbank.treebanks.readings import Ambiguity

MAX_LISTED_FAULTS = 3
"""Number of faults of a check that are listed."""

MAX_LISTED_FILES = 20
"""Number of files that are listed one by one."""

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
    described = _count_contents(whole, rules)
    text = [in_columns({name.replace("_", " "): value for name, value in described.items()})]
    contents: dict[str, object] = {**described}
    faults: list[Fault] = []
    if check:
        from crossbank.metrics.analyses.universal_structure import counted, universal_faults

        if not whole.has_dependencies:
            problem = "there are no dependencies to check"
            raise ConversionError(f"{', '.join(files)}: {problem}")
        faults = universal_faults(whole)
        contents["faults"] = counted(faults)
    if of_profiles:
        profiles = [
            (file, subset, means)
            for file, _ in banks
            for subset, means in _count_ambiguity(file, format, encoding).items()
        ]
        contents["ambiguity"] = [
            {"file": file, "trees": subset, **means._asdict()} for file, subset, means in profiles
        ]
    if discriminants:
        from crossbank.treebanks.discriminants import disambiguations

        solved = list(disambiguations(whole))
        contents["discriminants"] = [
            {**one._asdict(), "properties": sorted(one.properties)} for one in solved
        ]
    if len(banks) > 1:
        by_file = [(file, _count_contents(bank, rules)) for file, bank in banks]
        contents["files"] = [{"file": file, **values} for file, values in by_file]
        text += ["", *_format_files(by_file)]
    text += ["", *_format_ambiguity(profiles)] if of_profiles else []
    text += ["", *_format_discriminants(solved)] if discriminants else []
    text += _format_faults(faults, whole) if check else []
    print_result(json, lambda: contents, lambda: "\n".join(text))
    return 1 if faults else 0


def _count_ambiguity(file: str, format: str | None, encoding: str | None) -> Mapping[str, Ambiguity]:
    """Return the ambiguity of a file by subsets. Raises CrossbankError without parser records."""
    name = format or format_to_read(file)
    count = getattr(REGISTRY.load(name), "ambiguity", None)
    if count is None:
        raise CrossbankError(
            f"{file}: --ambiguity needs a parser's records of its work, which the format {name} does not have"
        )
    counts: Mapping[str, Ambiguity] = count(file, encoding)
    return counts


def _format_ambiguity(profiles: Sequence[tuple[str, str, Ambiguity]]) -> Iterator[str]:
    first = max(len(file) for file, *_ in profiles)
    yield f"{'':<{first}}  {'':<17}  {'items':>6}  {'length':>8}  {'entries of a word':>17}  {'readings':>9}"
    for file, subset, (items, *means) in profiles:
        length, lexical, readings = ("–" if mean is None else f"{mean:.1f}" for mean in means)
        yield f"{file:<{first}}  {subset:<17}  {items:>6}  {length:>8}  {lexical:>17}  {readings:>9}"


def _format_discriminants(solved: Sequence[Disambiguation]) -> Iterator[str]:
    yield f"sentences with several analyses   {len(solved)}"
    for what, numbers in (
        ("analyses of one", [one.analyses for one in solved]),
        ("discriminants of one", [len(one.properties) for one in solved]),
        ("decisions for the chosen analysis", [len(one.decisions) for one in solved]),
    ):
        yield f"{what:<33} {f'{sum(numbers) / len(solved):.2f}' if solved else '–'}"
    yield f"analyses like the chosen one      {sum(one.alike for one in solved)}"


def _count_contents(bank: Treebank, scheme: Scheme | None) -> Mapping[str, object]:
    from crossbank.converters.crossing.attach_punctuation import with_punctuation_attached
    from crossbank.treebanks.ratios import describe

    return cast("Mapping[str, object]", describe(bank, with_punctuation_attached(bank, scheme)))


def _format_files(files: Sequence[tuple[str, Mapping[str, object]]]) -> Iterator[str]:
    """Yield a line for each file; of many files, only for outliers."""
    if len(files) <= MAX_LISTED_FILES:
        yield from _format_table(files)
        return
    odd = [
        file
        for file, is_odd in zip(files, _are_outliers([counts for _, counts in files]), strict=True)
        if is_odd
    ]
    rest = f"{len(files)} files, each in --json"
    if not odd:
        yield f"{rest}; no outliers among them"
        return
    first = f", of which {MAX_LISTED_FILES} are here" if len(odd) > MAX_LISTED_FILES else ""
    yield f"{rest}; {len(odd)} with ratios far from those of the others{first}:"
    yield from _format_table(odd[:MAX_LISTED_FILES])


def _are_outliers(files: Sequence[Mapping[str, object]]) -> BoolArray:
    """Return which files have a ratio beyond Tukey's outer fences (three interquartile ranges)."""
    odd = np.zeros(len(files), np.bool_)
    for name in files[0]:
        values = [counts.get(name) for counts in files]
        if not all(isinstance(value, float) for value in values):
            continue
        ratios = np.array(values, np.float64)
        low, high = np.quantile(ratios, [0.25, 0.75])
        odd |= (ratios < low - 3 * (high - low)) | (ratios > high + 3 * (high - low))
    return odd


def _format_table(files: Sequence[tuple[str, Mapping[str, object]]]) -> Iterator[str]:
    """Yield a line for each file; the words of a heading are below each other."""
    names = list(max((counts for _, counts in files), key=lambda counts: len(tuple(counts))))
    headings = [name.split("_") for name in names]
    height = max(map(len, headings))
    rows = [[""] * (height - len(heading)) + heading for heading in headings]
    # Where no sentence of a file has several analyses there are as many as sentences.
    cells = [
        (file, [format_value(counts.get(name, counts["sentences"])) for name in names])
        for file, counts in files
    ]
    widths = [max(map(len, [*row, *(of[column] for _, of in cells)])) for column, row in enumerate(rows)]
    first = max(len(file) for file, _ in files)
    for level in range(height):
        words = (f"{row[level]:>{width}}" for row, width in zip(rows, widths, strict=True))
        yield f"{'':<{first}}  {'  '.join(words)}".rstrip()
    for file, of in cells:
        values = (f"{cell:>{width}}" for cell, width in zip(of, widths, strict=True))
        yield f"{file:<{first}}  {'  '.join(values)}"


def _format_faults(faults: list[Fault], bank: Treebank) -> Iterator[str]:
    from crossbank.metrics.analyses.universal_structure import counted

    if not faults:
        yield "no faults in the structure of Universal Dependencies"
    for check, number in counted(faults).items():
        of_check = [fault for fault in faults if fault.check == check]
        first = "; ".join(
            f"{bank.where(fault.sentence)}: sentence {bank.sentence_id(fault.sentence)}"
            + (f", word {fault.token + 1}" if fault.token >= 0 else "")
            + f": {fault.what}"
            for fault in of_check[:MAX_LISTED_FAULTS]
        )
        yield f"{check}: {number:,} ({first}{'; ...' if number > MAX_LISTED_FAULTS else ''})"
