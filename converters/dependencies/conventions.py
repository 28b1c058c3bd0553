"""Conventions of a conversion to dependencies: what two schemes must share to be compared."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass

from crossbank.converters.dependencies.from_trees import dependencies
from crossbank.converters.schemes.scheme import Scheme
from crossbank.converters.transformations import Transformation


@dataclass(frozen=True)
class DependencyConventions:
    """Decisions of a list of transformations where linguists differ.

    coordination  the governor in a coordination: see ``converters.dependencies.from_trees``
    prepositions  ``noun`` or ``preposition``, the head of a prepositional phrase; empty where rules decide
    rules         the set of head rules; empty for the scheme's own
    functions     whether functions are used where trees have them
    steps         all transformations
    """

    coordination: str
    prepositions: str
    rules: str
    functions: bool
    steps: str


def conventions_of(transformations: Sequence[Transformation], scheme: Scheme) -> DependencyConventions:
    """Return conventions that some transformations follow; options that are not given have their defaults."""
    parameters = inspect.signature(dependencies).parameters.values()
    options = {p.name: p.default for p in parameters if p.kind == p.KEYWORD_ONLY}
    for transformation in transformations:
        if transformation.name == dependencies.__name__:
            options |= transformation.options
    prepositions = options["prepositions"]
    if prepositions == "scheme":
        own = [name for name, groups in scheme.prepositions.items() if not groups]
        prepositions = own[0] if own and not options["rules"] else ""
    functions = all(transformation.name != "strip_functions" for transformation in transformations)
    steps = ", ".join(map(str, transformations))
    return DependencyConventions(options["coordination"], prepositions, options["rules"], functions, steps)
