"""``crossbank info``: the contents of a treebank."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING

from crossbank.workflow.commands.arguments import BY_NAME, scheme_of

if TYPE_CHECKING:
    from crossbank.metrics.analyses.universal_structure import Fault
    from crossbank.treebanks import Treebank

SHOWN = 3
"""The number of faults of a kind that are shown."""


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("--format", metavar="F", help=BY_NAME)
    parser.add_argument("--encoding", metavar="E", help="encoding of FILE (default: UTF-8)")
    parser.add_argument(
        "--scheme", metavar="S", help="the annotation scheme of FILE; it says what punctuation is"
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="count faults in the structure of Universal Dependencies; exit code 1 where there are any",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(given: Namespace) -> int:
    """Print the counts and ratios of a treebank, and with ``--check`` its faults as a UD treebank."""
    from crossbank.converters.crossing.attach_punctuation import with_punctuation_attached
    from crossbank.treebanks.formats import read
    from crossbank.treebanks.ratios import describe

    bank = read(given.file, given.format, encoding=given.encoding)
    described = describe(bank, with_punctuation_attached(bank, scheme_of(given.scheme)))
    faults = _faults(given, bank)
    if given.json:
        import json

        from crossbank.metrics.analyses.universal_structure import counted

        print(json.dumps({**described, **({"faults": counted(faults)} if given.check else {})}))
    else:
        width = max(len(name) for name in described)
        for name, value in described.items():
            shown = f"{value:.4f}" if isinstance(value, float) else str(value)
            print(f"{name.replace('_', ' '):<{width}}  {shown}")
        if given.check:
            print("\n".join(_told(faults, bank)))
    return 1 if faults else 0


def _faults(given: Namespace, bank: Treebank) -> list[Fault]:
    if not given.check:
        return []
    from crossbank.metrics.analyses.universal_structure import universal_faults
    from crossbank.treebanks.errors import ConversionError

    if not bank.has_dependencies:
        raise ConversionError(f"{given.file}: found no dependencies, expected some to check (--check)")
    return universal_faults(bank)


def _told(faults: list[Fault], bank: Treebank) -> Iterator[str]:
    """A line for each kind of fault, with its first sentences."""
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
