"""``crossbank init``: a study file from the files that it is to compare."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from crossbank.workflow.commands.arguments import FORMATS

EXAMPLES = (
    "crossbank init gold.mrg parsed.mrg other.mrg --output study.yaml",
    "crossbank init gold.conllu parsed.conllu --name dependencies",
)


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("gold", metavar="GOLD", help="the gold trees")
    parser.add_argument(
        "candidates", metavar="CANDIDATE", nargs="*", help="parsers' trees; GOLD itself is left out"
    )
    parser.add_argument("--name", metavar="NAME", help="the study's name (default: that of GOLD)")
    parser.add_argument(
        "--scheme", metavar="NAME_OR_FILE", help="the annotation scheme (default: recognised)"
    )
    parser.add_argument("--format", metavar="F", help=f"format of GOLD: {FORMATS} (default: recognised)")
    parser.add_argument(
        "--candidate-format", metavar="F", help="format of the candidates (default: recognised)"
    )
    parser.add_argument("--encoding", metavar="E", help="encoding of all (default: UTF-8, else Latin-1)")
    parser.add_argument("--output", metavar="FILE", help="write the study here (default: print it)")


def run(given: Namespace) -> int:
    """Print the study file, or write it where no file is yet."""
    from pathlib import Path

    from crossbank.workflow.compare import distinct
    from crossbank.workflow.new_study import draft, recognise

    gold = recognise(given.gold, given.format, given.encoding)
    candidates = [
        recognise(path, given.candidate_format, given.encoding)
        for path in given.candidates
        if not Path(path).exists() or not Path(path).samefile(given.gold)
    ]
    (name,) = distinct([given.name or Path(given.gold).stem])
    text = draft(gold, candidates, scheme=given.scheme, name=name)
    print_or_write(text, given.output)
    if given.output:
        print(
            f"Written. To check it: crossbank check {given.output}. To run it: crossbank study {given.output}"
        )
    return 0


def print_or_write(text: str, path: str | None) -> None:
    """Print a text, or write it to a file. Raises CrossbankError where there is such a file."""
    from crossbank.treebanks.errors import CrossbankError

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
