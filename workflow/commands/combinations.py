"""Options that cannot be combined, as one table: everything else can be, and a test tries all pairs."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from typing import Final

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
