"""Conventions of dependencies that several schemes share, under which a comparison of them is repeated.

A difference between two schemes may be one of the conventions by which their trees are converted. Rehbein
and van Genabith (2007), section 3.3, compare one conversion of each scheme; here the same options are set in
both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TypeAlias

from crossbank.converters.dependencies.from_trees import NAME
from crossbank.converters.schemes.scheme import Scheme
from crossbank.converters.transformations import Transformation, Written, parse
from crossbank.treebanks.yaml_files import load_yaml

FILE = Path(__file__).with_name("shared_conventions.yaml")

Convention: TypeAlias = Mapping[str, str]
"""Values of options of ``dependencies``, and whether ``functions`` are ``kept`` or ``removed``."""


@cache
def conventions() -> tuple[Convention, ...]:
    """Return all conventions, in the order of the file."""
    return tuple(load_yaml(FILE))


def convention_name(convention: Convention) -> str:
    """Return a convention as one word: ``coordination=all,prepositions=noun``."""
    return ",".join(f"{option}={value}" for option, value in convention.items())


def is_shared(convention: Convention, schemes: Iterable[Scheme]) -> bool:
    """Return whether all schemes have head rules for a convention's prepositional phrases."""
    return all(convention["prepositions"] in scheme.prepositions for scheme in schemes)


def split_at_conversion(
    steps: Iterable[Written],
) -> tuple[Sequence[Transformation], Transformation, Sequence[Transformation]] | None:
    """Return the steps before ``dependencies``, this step, and those after it; None if it is not there."""
    parsed = list(map(parse, steps))
    index = next((index for index, step in enumerate(parsed) if step.name == NAME), None)
    return None if index is None else (parsed[:index], parsed[index], parsed[index + 1 :])


def follow_convention(conversion: Transformation, convention: Convention) -> list[Transformation]:
    """Return the step ``dependencies`` under a convention; its other options stay."""
    options = {option: value for option, value in convention.items() if option != "functions"}
    without = [Transformation("strip_functions")] if convention["functions"] == "removed" else []
    return [*without, Transformation(NAME, {**conversion.options, **options})]
