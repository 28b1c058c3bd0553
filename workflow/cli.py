"""The `crossbank` command: what it takes, and one line of error where that is wrong."""

from __future__ import annotations

import argparse
import gc
import os
import re
import sys
from collections.abc import Sequence
from typing import NoReturn

from crossbank.metrics.rivals.modes import MODES
from crossbank.workflow.commands import COMMANDS

NAME = re.compile(r"[a-z][a-z0-9_]*(:.*)?")

FORMATS = (
    "bracket, discbracket, export, tigerxml, exportxml, conllx, conllu, relations, rasp, marytts, parquet"
)


class _Parser(argparse.ArgumentParser):
    """Answers a wrong call in one line, as everything else is answered."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


def parser() -> argparse.ArgumentParser:
    """The command line: what each command takes, and nothing of what it does."""
    top = _Parser(
        prog="crossbank",
        description="Convert treebanks between annotation schemes and compare parsers across them.",
    )
    top.add_argument("--version", action="store_true", help="print the version and stop")
    commands = top.add_subparsers(dest="command", metavar="COMMAND")

    score = commands.add_parser("score", help="score a candidate against gold")
    score.add_argument("gold", metavar="GOLD", help="the gold trees")
    score.add_argument("candidate", metavar="CANDIDATE", help="the parser's trees of the same sentences")
    score.add_argument("--format", metavar="F", help=f"format of both: {FORMATS} (default: by file name)")
    score.add_argument("--candidate-format", metavar="F", help="format of CANDIDATE where it is another")
    score.add_argument("--encoding", metavar="E", help="encoding of both (default: UTF-8)")
    score.add_argument(
        "--scheme", metavar="NAME_OR_FILE", help="the annotation scheme, or a file of one's own"
    )
    score.add_argument(
        "--metric",
        metavar="NAME",
        action="append",
        help="parseval (default), leaf_ancestor, dependencies, conformance ...: all are in README.md",
    )
    score.add_argument(
        "--option",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help="an option of the metrics, such as labels=no, cost=first_letter, delete=punct",
    )
    score.add_argument(
        "--explain", action="store_true", help="the score under all conventions, and what each moves"
    )
    score.add_argument(
        "--mode",
        metavar="RIVAL",
        help=f"another program's numbers and report: {', '.join(MODES)}",
    )
    score.add_argument("--parameters", metavar="FILE.prm", help="that program's parameter file")
    score.add_argument(
        "--unscored",
        choices=("skip", "empty", "fail"),
        help="sentences without a parse or with other words: leave out, count as empty (default), stop",
    )
    score.add_argument(
        "--by",
        metavar="KIND",
        action="append",
        default=[],
        help="a table by what a metric breaks down: label, relation, pos, direction, distance, confusion ...",
    )
    score.add_argument("--json", action="store_true", help="print one JSON object")
    score.add_argument("--per-sentence", metavar="FILE", help="write counts per sentence (.csv or .parquet)")

    compare = commands.add_parser("compare", help="compare candidates with gold and with each other")
    compare.add_argument("gold", metavar="GOLD")
    compare.add_argument("candidates", metavar="CANDIDATE", nargs="+")
    compare.add_argument("--format", metavar="F", help=f"{FORMATS} (default: by file name)")
    compare.add_argument(
        "--candidate-format", metavar="F", help="format of the candidates where it is another"
    )
    compare.add_argument("--encoding", metavar="E", help="encoding of all (default: UTF-8)")
    compare.add_argument("--scheme", metavar="NAME_OR_FILE", help="the annotation scheme")
    compare.add_argument("--metric", metavar="NAME", action="append", help="as for score (default: parseval)")
    compare.add_argument("--option", metavar="KEY=VALUE", action="append", default=[], help="as for score")
    compare.add_argument("--unscored", choices=("skip", "empty"), default="empty", help="as for score")
    compare.add_argument("--report", metavar="DIR", help="write the report of a study to this folder")

    view = commands.add_parser("view", help="draw a tree, or gold and candidate with what differs marked")
    view.add_argument("file", metavar="FILE")
    view.add_argument("candidate", metavar="CANDIDATE", nargs="?")
    view.add_argument(
        "--sentence", metavar="ID", action="append", help="by identifier or number (default: 1)"
    )
    view.add_argument("--format", metavar="F", help=f"{FORMATS} (default: by file name)")
    view.add_argument("--candidate-format", metavar="F", help="format of CANDIDATE where it is another")
    view.add_argument("--encoding", metavar="E", help="encoding of both (default: UTF-8)")
    view.add_argument("--scheme", metavar="NAME_OR_FILE", help="draw trees as metrics see them")

    convert = commands.add_parser("convert", help="convert a treebank to another format or scheme")
    convert.add_argument("source", metavar="SOURCE", help="a file, or several by a name with * in it")
    convert.add_argument("target", metavar="TARGET")
    convert.add_argument("--from", dest="source_format", metavar="F", help=f"{FORMATS} (default: by name)")
    convert.add_argument(
        "--to", dest="target_format", metavar="F", help="the same but exportxml (default: by name)"
    )
    convert.add_argument("--encoding", metavar="E", help="encoding of SOURCE (default: UTF-8)")
    convert.add_argument(
        "--scheme",
        metavar="S",
        help="the annotation scheme of SOURCE; by it trees become dependencies for CoNLL formats, with one "
        "root for each sentence",
    )
    convert.add_argument(
        "--transform",
        metavar="NAME[:key=value,...]",
        action="append",
        default=[],
        help="conversions, in order",
    )
    convert.add_argument(
        "--diagnosis", metavar="FILE.csv", help="write what was done to which sentence, all of them"
    )

    agree = commands.add_parser("consensus", help="the majority parse of several candidates")
    agree.add_argument("files", metavar="FILE", nargs="+", help="candidates of the same sentences")
    agree.add_argument("target", metavar="TARGET", help="the file to write")
    agree.add_argument("--format", metavar="F", help="format of the candidates (default: by file name)")
    agree.add_argument("--to", dest="target_format", metavar="F", help="format of TARGET (default: by name)")
    agree.add_argument("--encoding", metavar="E", help="encoding of the candidates (default: UTF-8)")
    agree.add_argument("--unlabelled", action="store_true", help="brackets agree whatever their labels are")

    info = commands.add_parser("info", help="count what a treebank holds")
    info.add_argument("file", metavar="FILE")
    info.add_argument("--format", metavar="F", help=f"{FORMATS} (default: by file name)")
    info.add_argument("--encoding", metavar="E", help="encoding of FILE (default: UTF-8)")
    info.add_argument("--json", action="store_true", help="print one JSON object")

    heads = commands.add_parser("heads", help="which head rules fire, and where functions disagree")
    heads.add_argument("files", metavar="FILE", nargs="+", help="constituents; a name may have * in it")
    heads.add_argument("--scheme", metavar="S", required=True, help="the annotation scheme")
    heads.add_argument("--format", metavar="F", help=f"{FORMATS} (default: by file name)")
    heads.add_argument("--encoding", metavar="E", help="encoding of FILE (default: UTF-8)")
    heads.add_argument(
        "--rules", metavar="NAME", default="", help="another of the scheme's sets of head rules"
    )
    heads.add_argument("--json", action="store_true", help="print a JSON list, all sentences named in it")

    trust = commands.add_parser("reliability", help="how far a conversion to dependencies can be trusted")
    trust.add_argument("files", metavar="FILE", nargs="+", help="constituents; a name may have * in it")
    trust.add_argument("--scheme", metavar="S", help="the annotation scheme (a round trip needs none)")
    trust.add_argument("--format", metavar="F", help=f"{FORMATS} (default: by file name)")
    trust.add_argument("--encoding", metavar="E", help="encoding of all files (default: UTF-8)")
    trust.add_argument(
        "--transform",
        metavar="NAME[:key=value,...]",
        action="append",
        help="the conversion (default: the scheme's view of dependencies)",
    )
    compared = trust.add_mutually_exclusive_group()
    compared.add_argument(
        "--against",
        metavar="GOLD",
        nargs="+",
        help="dependencies of the same sentences, such as CoNLL-U (default: without functions)",
    )
    trust.add_argument("--against-format", metavar="F", help="format of GOLD (default: by file name)")
    trust.add_argument(
        "--against-transform",
        metavar="NAME[:key=value,...]",
        action="append",
        default=[],
        help="what GOLD goes through first",
    )
    compared.add_argument(
        "--round-trip",
        metavar="FORMAT",
        help="what is lost when FILE is written in a format and read again, or goes through `dependencies`",
    )
    trust.add_argument(
        "--json", action="store_true", help="print one JSON object, all sentences left out in it"
    )

    find = commands.add_parser("find", help="find nodes with a tree pattern, in tgrep's notation")
    find.add_argument(
        "pattern", metavar="PATTERN", help="such as 'NP < (NN . PP)': see converters/pattern.py"
    )
    find.add_argument("file", metavar="FILE")
    find.add_argument("--format", metavar="F", help=f"{FORMATS} (default: by file name)")
    find.add_argument("--encoding", metavar="E", help="encoding of FILE (default: UTF-8)")
    find.add_argument(
        "--scheme", metavar="S", help="the annotation scheme, by whose rules <# and ># know heads"
    )
    find.add_argument("--json", action="store_true", help="print a JSON list, one entry for each match")

    study = commands.add_parser("study", help="run a study with Snakemake")
    study.add_argument("study", metavar="STUDY.yaml", help="the study file: see config/README.md")
    study.add_argument("snakemake", nargs=argparse.REMAINDER, help="further arguments for snakemake")
    return top


def _one_name_each(arguments: Sequence[str]) -> list[str]:
    """The arguments with ``--metric A B`` written ``--metric A --metric B``.

    What follows a name counts as another one as long as it looks like one and is no file, so that
    the list may stand before GOLD and CANDIDATE as well as behind them.
    """
    written: list[str] = []
    listing = ""
    for argument in arguments:
        if argument in ("--metric", "--transform", "--against-transform", "--by"):
            listing = argument
        elif listing and written[-1] != listing:
            if NAME.fullmatch(argument) and not os.path.exists(argument):
                written.append(listing)
            else:
                listing = ""
        written.append(argument)
    return written


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command. Returns 0 when it is done, 1 under ``--unscored fail``, 2 for wrong input."""
    top = parser()
    given = top.parse_args(_one_name_each(sys.argv[1:] if arguments is None else arguments))
    if given.version:
        from importlib.metadata import version

        print(f"crossbank {version('crossbank')}")
        return 0
    if given.command is None:
        top.print_help()
        return 0
    from crossbank.treebanks.errors import CrossbankError

    # A command's arrays hold no circles of references: looking for some costs a tenth of a second.
    gc.disable()
    try:
        return COMMANDS[given.command](given)
    except CrossbankError as error:
        print(error, file=sys.stderr)
        return 2
    except BrokenPipeError:
        sys.stderr.close()
        return 0


if __name__ == "__main__":
    sys.exit(main())
