"""Form of the files of rules for Universal Dependencies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from crossbank.converters.universal.notation import AXES
from crossbank.treebanks.errors import one_of
from crossbank.treebanks.typed_yaml import Rule, Text, Texts, key


def _check_strings(value: Any) -> None:
    if isinstance(value, list):
        for one in value:
            _check_strings(one)
    elif not isinstance(value, str | int) or isinstance(value, bool):
        raise ValueError(f"{value!r} is neither")


def _check_axis(name: str) -> None:
    if name not in AXES:
        raise ValueError(f"{name!r} is not an axis; expected {one_of(AXES)}")


Strings = Annotated[Any, Rule("a string, or a list of strings", check=_check_strings)]


@dataclass(frozen=True)
class Test:
    """What holds of a phrase or a word, and of others in relation to it.

    to  a way to the governor: the name of an axis, one axis with a test, or a list of two of them
    """

    category: Strings = None
    function: Strings = None
    tag: Strings = None
    form: Strings = None
    spelling: Literal["capital"] | None = None
    relation: Strings = None
    upos: Strings = None
    side: Literal["left", "right"] | None = None
    at: Literal["first", "last", "only"] | None = None
    size: Literal["one", "several"] | None = None
    repeated: Literal["yes"] | None = None
    named: Strings = key(None, name="is")
    unless: Test | tuple[Test, ...] | None = None
    any_of: tuple[Test, ...] = key(name="any")
    all_of: tuple[Test, ...] = key(name="all")
    parent: Test | None = None
    head: Test | None = None
    core: Test | None = None
    child: Test | None = None
    first: Test | None = None
    last: Test | None = None
    next: Test | None = None
    previous: Test | None = None
    before: Test | None = None
    behind: Test | None = None
    beside: Test | None = None
    under: Test | None = None
    over: Test | None = None
    governor: Test | None = None
    dependent: Test | None = None
    word_before: Test | None = None
    word_behind: Test | None = None
    whole: Test | None = None
    earlier: Test | None = None
    later: Test | None = None
    direction: Literal["left", "right"] | None = key(None, name="from")
    to: Annotated[Way | tuple[Way, ...], Rule(WAYS)] | None = None
    guideline: str = ""


WAYS = "the name of an axis, one axis with a test, or a list of two of them"

Way = (
    Annotated[str, Rule(WAYS, check=_check_axis)]
    | Annotated[
        Mapping[Annotated[str, Rule(names=dict.fromkeys(AXES, ""))], Test],
        Rule(minProperties=1, maxProperties=1),
    ]
)
"""A step on the way to a governor."""

Rules = tuple[
    Annotated[
        Mapping[str, Test], Rule("what the rule gives, with its test", minProperties=1, maxProperties=1)
    ],
    ...,
]


@dataclass(frozen=True)
class RuleFile:
    """Rules for Universal Dependencies.

    first       transformations that come first, by name
    gaps        traces of what was moved out of a clause, with relations by the trace's function or category
    controlled  functions of traces whose antecedents are subjects of controlled verbs
    through     categories of nodes that are passed over
    goeswith    tags of the parts of a word that is written as several, but the last
    """

    name: str
    title: str
    sources: tuple[str, ...]
    extends: str = ""
    words: Mapping[str, Strings] = field(default_factory=dict)
    tests: Mapping[str, Test] = field(default_factory=dict)
    first: Strings = None
    gaps: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    controlled: Strings = None
    through: Strings = None
    heads: Mapping[str, tuple[Test, ...]] = field(default_factory=dict)
    relations: Rules = ()
    revisions: Rules = ()
    tags: Rules = ()
    features: Rules = ()
    fixed: tuple[Text | Mapping[str, Texts], ...] = ()
    goeswith: Strings = None
    writing: Rules = ()
    escapes: Mapping[str, str] = field(default_factory=dict)
    lemmas: Mapping[str, Any] = field(default_factory=dict)
