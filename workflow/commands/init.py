"""``crossbank init``: draft a study file from the files to compare."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from crossbank.treebanks.errors import CrossbankError, MissingFileError
from crossbank.treebanks.files import is_pipe, matching
from crossbank.workflow.commands.command import command
from crossbank.workflow.commands.parameters import FILE, INPUT, reading_options, scheme_option

EXAMPLES = (
    "crossbank init gold.mrg parsed.mrg other.mrg --output study.yaml",
    "crossbank init gold.conllu parsed.conllu --name dependencies",
    "crossbank init 'gold/*.mrg' 'parsed/*.mrg' --name all",
)


@command("init", EXAMPLES, group="study", help="draft a study file from gold and candidates", position=170)
@click.argument("gold", type=INPUT, help="the gold trees; * in a quoted name matches several files")
@click.argument(
    "candidates",
    nargs=-1,
    type=INPUT,
    help="parsers' trees, named like GOLD; GOLD itself is skipped. Many files become a pattern of names",
)
@click.option("--name", help="the study's name (default: that of GOLD)")
@scheme_option("the annotation scheme (default: recognised)")
@reading_options("GOLD", candidates="the candidates")
@click.option("--output", type=FILE, help="write the study here (default: print it)")
def run(
    gold: str,
    candidates: Sequence[str],
    name: str | None,
    scheme: str | None,
    format: str | None,
    candidate_format: str | None,
    encoding: str | None,
    output: str | None,
) -> None:
    """Print the study file, or write it where no file is yet."""
    from crossbank.reports.study.patterns import plain
    from crossbank.workflow.joined_folds import numbered_alike
    from crossbank.workflow.new_study import draft, recognise
    from crossbank.workflow.proposed_patterns import golds_among

    every = {pattern: matching(pattern) for pattern in (gold, *candidates)}
    for pattern, matches in every.items():
        if not matches:
            raise MissingFileError(pattern)
        if any(map(is_pipe, matches)):
            raise CrossbankError(f"{pattern}: this is a pipe; a study needs files")
    golds, candidate_paths = every[gold], [path for one in candidates for path in every[one]]
    if len(golds) == 1:
        golds = golds_among(golds[0], candidate_paths)
    if len(golds) == 1:
        golds = numbered_alike(golds[0], candidate_paths)
    of_gold = {Path(path).resolve() for path in golds}
    parsed = [path for path in dict.fromkeys(candidate_paths) if Path(path).resolve() not in of_gold]
    name = plain(name or (Path(golds[0]).stem if len(golds) == 1 else "treebanks"))
    text = draft(
        [recognise(path, format, encoding) for path in golds],
        [recognise(path, candidate_format, encoding) for path in parsed],
        scheme=scheme,
        name=name,
    )
    print_or_write(text, output)
    if output:
        print(f"Written. To check it: crossbank check {output}. To run it: crossbank study {output}")


def print_or_write(text: str, path: str | None) -> None:
    """Print a text, or write it to a file. Raises CrossbankError if there is such a file."""
    if path is None:
        print(text, end="")
        return
    try:
        with open(path, "x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as error:
        raise CrossbankError(f"{path}: this file exists; name a new one") from error
    except OSError as error:
        raise CrossbankError(
            f"{path}: cannot be written: {(error.strerror or str(error)).lower()}"
        ) from error
