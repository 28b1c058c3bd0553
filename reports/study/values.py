"""Types of values in study files, with their checks."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from crossbank.converters.patterns.program import compile_pattern
from crossbank.converters.patterns.syntax import PatternError
from crossbank.converters.scheme_files import load_scheme
from crossbank.metrics.counting.metric import metric_class
from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.formats import format_named
from crossbank.treebanks.typed_yaml import Rule

NAME = "a name of at most {} ASCII letters, digits, _ and -"


def name_of(longest: int) -> Rule:
    """Return the rule of names with at most ``longest`` characters, which become names of files."""
    return Rule(NAME.format(longest), pattern=rf"^[A-Za-z0-9_-]{{1,{longest}}}$(?!\n)")


def _check_pattern(pattern: str) -> None:
    try:
        compile_pattern(pattern)
    except PatternError as error:
        message = str(error).partition("\n")[0]
        raise CrossbankError(f"{pattern!r}, character {error.offset + 1}: {message}") from error


Name: TypeAlias = Annotated[str, name_of(200)]
SchemeName: TypeAlias = Annotated[str, Rule(minLength=1, check=load_scheme)]
FormatName: TypeAlias = Annotated[str, Rule(minLength=1, check=format_named)]
TreePattern: TypeAlias = Annotated[str, Rule(check=_check_pattern)]
Encoding: TypeAlias = Annotated[str, Rule(minLength=1)]
Deleted: TypeAlias = Literal["none", "punct", "unicode"]
Attribute: TypeAlias = str | int | float | bool

MetricName: TypeAlias = Annotated[str, Rule(check=metric_class)]

Sha256: TypeAlias = Annotated[
    Annotated[str, Rule(pattern=r"^([0-9a-fA-F]{64})?$(?!\n)")] | None,
    Rule("64 hexadecimal digits, or no key sha256"),
]
