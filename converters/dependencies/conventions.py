"""Under which conventions a conversion makes dependencies: what two schemes must share to be compared."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass

from crossbank.converters.dependencies.from_trees import dependencies
from crossbank.converters.schemes.scheme import Scheme
from crossbank.converters.transformations import Step


@dataclass(frozen=True)
class DependencyConventions:
    """What a conversion decides where linguists differ.

    coordination  what governs in a coordination: see ``converters.dependencies.from_trees``
    prepositions  ``noun`` or ``preposition``: what heads a prepositional phrase; empty where rules decide
    rules         the set of head rules; empty for the scheme's own
    functions     whether functions are used where trees have them
    steps         the whole conversion
    """

    coordination: str
    prepositions: str
    rules: str
    functions: bool
    steps: str


def conventions_of(steps: Sequence[Step], scheme: Scheme) -> DependencyConventions:
    """The conventions of a conversion, with the defaults of the options that it does not give."""
    parameters = inspect.signature(dependencies).parameters.values()
    options = {p.name: p.default for p in parameters if p.kind == p.KEYWORD_ONLY}
    for step in steps:
        if step.name == dependencies.__name__:
            options |= step.options
    prepositions = options["prepositions"]
    if prepositions == "scheme":
        own = [name for name, groups in scheme.prepositions.items() if not groups]
        prepositions = own[0] if own and not options["rules"] else ""
    return DependencyConventions(
        options["coordination"],
        prepositions,
        options["rules"],
        not any(step.name == "strip_functions" for step in steps),
        ", ".join(map(str, steps)),
    )
