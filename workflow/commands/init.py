"""``crossbank init``: a study file from the files that it is to compare."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.files import is_pipe, matching
from crossbank.treebanks.formats import FORMATS
from crossbank.workflow.commands.cli import Parser

EXAMPLES = (
    "crossbank init gold.mrg parsed.mrg other.mrg --output study.yaml",
    "crossbank init gold.conllu parsed.conllu --name dependencies",
    "crossbank init 'gold/*.mrg' 'parsed/*.mrg' --name all",
)


def arguments(parser: Parser) -> None:
    """Add the arguments of the command."""
    parser.value("gold", "GOLD", "the gold trees; * in a quoted name matches several files")
    parser.value(
        "candidates",
        "CANDIDATE",
        "parsers' trees, named like GOLD; GOLD itself is left out. Many files become a pattern of names",
        nargs="*",
    )
    parser.value("--name", "NAME", "the study's name (default: that of GOLD)")
    parser.value("--scheme", "NAME_OR_FILE", "the annotation scheme (default: recognised)")
    parser.value("--format", "F", f"format of GOLD: {', '.join(FORMATS)} (default: recognised)")
    parser.value("--candidate-format", "F", "format of the candidates (default: recognised)")
    parser.value("--encoding", "E", "encoding of all (default: UTF-8, else Latin-1)")
    parser.value("--output", "FILE", "write the study here (default: print it)")


def run(given: Namespace) -> None:
    """Print the study file, or write it where no file is yet."""
    from crossbank.reports.study.patterns import plain
    from crossbank.workflow.new_study import draft, recognise
    from crossbank.workflow.proposed_patterns import golds_among

    every = {pattern: matching(pattern) for pattern in (given.gold, *given.candidates)}
    for pattern, found in every.items():
        if not found:
            raise CrossbankError(f"{pattern}: no such file")
        if any(map(is_pipe, found)):
            raise CrossbankError(f"{pattern}: a pipe, expected a file, which a study reads by its name")
    golds, others = every[given.gold], [path for one in given.candidates for path in every[one]]
    if len(golds) == 1:
        golds = golds_among(golds[0], others)
    of_gold = {Path(path).resolve() for path in golds}
    candidates = [path for path in dict.fromkeys(others) if Path(path).resolve() not in of_gold]
    name = plain(given.name or (Path(golds[0]).stem if len(golds) == 1 else "treebanks"))
    text = draft(
        [recognise(path, given.format, given.encoding) for path in golds],
        [recognise(path, given.candidate_format, given.encoding) for path in candidates],
        scheme=given.scheme,
        name=name,
    )
    print_or_write(text, given.output)
    if given.output:
        print(
            f"Written. To check it: crossbank check {given.output}. To run it: crossbank study {given.output}"
        )


def print_or_write(text: str, path: str | None) -> None:
    """Print a text, or write it to a file. Raises CrossbankError where there is such a file."""
    if path is None:
        print(text, end="")
        return
    try:
        with open(path, "x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as error:
        raise CrossbankError(f"{path}: found a file, expected to write a new one") from error
    except OSError as error:
        raise CrossbankError(f"{path}: {error.strerror}, expected a file to write") from error
