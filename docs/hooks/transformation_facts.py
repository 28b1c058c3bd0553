"""What the functions of transformations say: their docstrings and options."""

from __future__ import annotations

import inspect

from docstring_text import as_markdown
from markdown_tables import table

from crossbank.converters.transformations import REGISTRY, TRANSFORMATIONS
from crossbank.treebanks.registry import written


def transformations() -> str:
    """Every transformation with its docstring and its options."""
    return "\n".join(map(_transformation, TRANSFORMATIONS))


def _transformation(name: str) -> str:
    function = REGISTRY.load(name)
    options = [
        [
            f"`{option}`",
            "required" if parameter.default is parameter.empty else f"`{written(parameter.default)}`",
        ]
        for option, parameter in inspect.signature(function).parameters.items()
        if parameter.kind is parameter.KEYWORD_ONLY
    ]
    parts = [f"## {name}\n", as_markdown(function.__doc__ or "")]
    if options:
        parts += ["", table(["option", "default"], options)]
    return "\n".join([*parts, ""])
