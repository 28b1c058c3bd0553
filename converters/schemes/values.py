"""Kinds of values in files of schemes and studies, with what checks them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

from crossbank.converters.schemes.views import VIEWS
from crossbank.treebanks.typed_yaml import Rule

_Step: TypeAlias = (
    Annotated[str, Rule(minLength=1)]
    | Annotated[Mapping[str, Mapping[str, Any] | None], Rule(minProperties=1, maxProperties=1)]
)
_STEP = "a name, NAME:key=value,... or one NAME with its options"

Step: TypeAlias = Annotated[_Step, Rule(_STEP, check="crossbank.converters.transformations:parse")]
"""A transformation."""

SchemeStep: TypeAlias = Annotated[
    _Step, Rule(_STEP, check="crossbank.converters.transformations:check_files")
]
"""A transformation whose own data files are there."""

Expression: TypeAlias = Annotated[str, Rule("a regular expression", check=re.compile)]

ViewName: TypeAlias = Annotated[
    str, Rule(names={view.name: f"the transformations that make {view.shows}" for view in VIEWS.values()})
]

Feature: TypeAlias = Annotated[
    str, Rule("Name=Value", pattern=r"^[A-Z][A-Za-z]*=[A-Z0-9][A-Za-z0-9]*$(?!\n)")
]
"""A feature of Universal Dependencies."""

PrepositionHead: TypeAlias = Literal["noun", "preposition"]
"""The head of an adpositional phrase."""
