"""Values behind the arguments that several commands take."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from crossbank.treebanks.quantities import quantity

if TYPE_CHECKING:
    from crossbank.converters.schemes.scheme import Scheme
    from crossbank.treebanks import Treebank


def options_of(written: Sequence[str]) -> dict[str, object]:
    """Options by their names. Raises OptionError for one that is not written ``KEY=VALUE``."""
    from crossbank.treebanks.errors import OptionError

    options: dict[str, object] = {}
    for option in written:
        key, equals, value = option.partition("=")
        if not equals or not key:
            raise OptionError("--option", option, "KEY=VALUE")
        options[key] = value
    return options


def scheme_of(name: str | None) -> Scheme | None:
    """A scheme by its name or its file; none without a name."""
    if name is None:
        return None
    from crossbank.converters.scheme_files import load_scheme

    return load_scheme(name)


class Both(NamedTuple):
    """Gold and candidate of all pairs of files, the sentences of one pair after those of the other.

    lengths  the number of sentences of each pair
    """

    gold: Treebank
    candidate: Treebank
    lengths: Sequence[int]


def read_both(given: Namespace, pairs: Sequence[tuple[str, str]], *, text: bool = False) -> Both:
    """Gold and candidate, read side by side.

    text  whether sentences may be cut differently, as long as the text is the same

    Raises CrossbankError where one of several pairs has more sentences on one side.
    """
    from crossbank.treebanks.formats import read
    from crossbank.treebanks.progress import work
    from crossbank.treebanks.ranges import side_by_side
    from crossbank.treebanks.treebank import Treebank

    formats = given.format, given.candidate_format or given.format
    # A file that goes with several is read once.
    sides = [dict.fromkeys(paths) for paths in zip(*pairs, strict=True)]
    files = [(path, format) for paths, format in zip(sides, formats, strict=True) for path in paths]
    with work("reading", len(files), "files") as reading:

        def read_one(path: str, format: str | None) -> Treebank:
            bank = read(path, format, encoding=given.encoding)
            reading.add()
            return bank

        banks = side_by_side([partial(read_one, *file) for file in files])
    gold, candidates = banks[: len(sides[0])], banks[len(sides[0]) :]
    lengths = [_sentences(bank) for bank in (gold if len(gold) == len(pairs) else candidates)]
    if not text:
        require_lengths(pairs, lengths, candidates)
    return Both(Treebank.concatenate(gold), Treebank.concatenate(candidates), lengths)


def require_lengths(
    pairs: Sequence[tuple[str, str]], lengths: Sequence[int], candidates: Sequence[Treebank]
) -> None:
    """Raise CrossbankError where a candidate's file has not as many sentences as its file of gold.

    lengths     the numbers of gold's sentences
    candidates  the candidate's files; nothing is asked of one file, in one pair or in several
    """
    if len(candidates) < 2 or len({gold for gold, _ in pairs}) < 2:
        return
    for (gold, candidate), expected, bank in zip(pairs, lengths, candidates, strict=True):
        if (found := _sentences(bank)) != expected:
            from crossbank.treebanks.errors import CrossbankError

            raise CrossbankError(f"{candidate} has {quantity(found, 'sentence')}, {gold} has {expected:,}")


def _sentences(bank: Treebank) -> int:
    """Return the number of sentences, each with one analysis or several."""
    return int((bank.sentences.analysis == 0).sum())


def in_columns(entries: Mapping[str, object]) -> str:
    """Names and values in two columns; fractions have four digits."""
    width = max(map(len, entries), default=0)
    return "\n".join(f"{name:<{width}}  {shown(value)}".rstrip() for name, value in entries.items())


def shown(value: object) -> str:
    """A value of a table."""
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def print_found(given: Namespace, values: Callable[[], object], text: Callable[[], str]) -> None:
    """Print the findings of a command: with ``--json`` as one JSON value, else as text."""
    if given.json:
        import json

        print(json.dumps(values(), ensure_ascii=False))
    else:
        print(text())


def tell_diagnosis(bank: Treebank) -> None:
    """Print on stderr what transformations did, a line for each kind of event."""
    import sys

    from crossbank.reports.texts.conversion_events import as_lines

    for line in as_lines(bank):
        print(line, file=sys.stderr)


EXCLUDED: Final = {
    "score": {
        # Another program's report: it has its own conventions, and knows no metrics of ours.
        "mode": (
            *("explain", "find", "mine", "against", "strict", "per_bit"),
            *("metric", "scheme", "unscored", "best", "seed"),
        ),
        # A table of one score under all conventions, which is no score of any sentence.
        "explain": (
            *("find", "mine", "against", "by", "fail_under", "baseline", "strict", "per_sentence"),
            "per_bit",
        ),
        # What these two print has no form as JSON.
        "json": ("find", "mine"),
    },
    "compare": {},
}
"""By command: an option, and those that it does not work with."""

REQUIRED: Final = {"score": {"parameters": ("mode", "explain")}, "compare": {}}
"""By command: an option, and those of which it needs one."""


def refuse_combinations(command: str, given: Namespace) -> None:
    """Raise CrossbankError, in one line, where options are given that cannot be combined."""
    for option, others in EXCLUDED[command].items():
        found = [other for other in others if _is_given(given, other)]
        if found and _is_given(given, option):
            _refuse(
                f"{_flags(found, 'and')} {'do' if len(found) > 1 else 'does'} not work with {_flag(option)}"
            )
    for option, others in REQUIRED[command].items():
        if _is_given(given, option) and not any(_is_given(given, other) for other in others):
            _refuse(f"{_flag(option)} needs {_flags(others, 'or')}")


def _refuse(message: str) -> None:
    from crossbank.treebanks.errors import CrossbankError

    raise CrossbankError(message)


def _is_given(given: Namespace, option: str) -> bool:
    """True if an option is given; 0 is a value."""
    value = getattr(given, option)
    return value is not None and value is not False and value != []


def _flag(option: str) -> str:
    return f"--{option.replace('_', '-')}"


def _flags(options: Sequence[str], last: str) -> str:
    *others, final = map(_flag, options)
    return f"{', '.join(others)} {last} {final}" if others else final
