"""What the classes of parsers' options say: their docstrings and defaults."""

from __future__ import annotations

from dataclasses import fields

from docstring_text import as_markdown

from crossbank.treebanks.registry import written


def parsers() -> str:
    """Every parser with its options and their defaults."""
    from crossbank.parsers.models import PARSERS

    return "\n".join(map(_parser, PARSERS))


def _parser(name: str) -> str:
    from crossbank.parsers.models import parser_class

    kind = parser_class(name).options_class
    defaults = ", ".join(f"`{one.name}={written(one.default)}`" for one in fields(kind) if one.default != "")
    return f"### {name}\n\n{as_markdown(kind.__doc__ or '')}\nDefaults: {defaults}.\n"
