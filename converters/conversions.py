"""Conversions from an annotation scheme to another one or to a view: the transformations that lead there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from crossbank.converters.scheme_files import load_scheme, scheme_names
from crossbank.converters.schemes.scheme import Scheme
from crossbank.converters.transformations import Written
from crossbank.treebanks.errors import ConversionError

UNIVERSAL = "ud"
"""The scheme Universal Dependencies, to which schemes with rules for it are converted."""


def conversions_from(scheme: Scheme) -> Mapping[str, Sequence[Written]]:
    """Return the targets of the conversions of a scheme, each with its transformations."""
    universal = {UNIVERSAL: ("universal_dependencies",)} if scheme.universal else {}
    return {**universal, **scheme.conversions, **scheme.views}


def conversion(scheme: Scheme, target: str) -> Sequence[Written]:
    """Return the transformations from a scheme to another one or to a view.

    Raises ConversionError for a target without a conversion, with those that there are.
    """
    targets = conversions_from(scheme)
    if target in targets:
        return targets[target]
    there = f"{scheme.name} is converted to {', '.join(targets)}" if targets else "none starts there"
    sources = [name for name in scheme_names() if target in conversions_from(load_scheme(name))]
    here = f", and {target} is made of {', '.join(sources)}" if sources else ""
    raise ConversionError(f"there is no conversion from {scheme.name} to {target}: {there}{here}")
