"""Docstrings in the reference of Python, written as Markdown before mkdocstrings renders them."""

from __future__ import annotations

from typing import Any

import griffe
from docstring_text import as_markdown


class AsMarkdown(griffe.Extension):
    """Rewrites the docstring of every object that is collected."""

    def on_object(self, *, obj: griffe.Object, **others: Any) -> None:
        """Rewrite one docstring."""
        if obj.docstring is not None:
            obj.docstring.value = as_markdown(obj.docstring.value)
