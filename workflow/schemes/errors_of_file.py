"""All errors of a scheme's file at once, and what a draft leaves to be written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from crossbank.converters.scheme_files import Examined, examine
from crossbank.treebanks.quantities import listed
from crossbank.treebanks.yaml_files import load_yaml
from crossbank.treebanks.yaml_nodes import FileDiagnostic, YamlError, at

DRAFTED = ("title", "sources", "inventory")
"""The keys of a draft under which only its author knows what to write."""

EDIT = re.compile(r"edit(:.*)?", re.DOTALL)
"""What is in a draft where something is to be written."""

Keys = tuple[str | int, ...]


def examined(path: Path) -> tuple[list[FileDiagnostic], Examined | None]:
    """Return the errors and warnings of a scheme's file, and the file, if it is YAML of a scheme.

    Raises CrossbankError if it cannot be read.
    """
    try:
        scheme = examine(path)
    except YamlError as error:
        return error.diagnostics or [FileDiagnostic(path, (), str(error))], None
    # A scheme of which nobody wrote yet what its labels mean gives the same scores.
    content = load_yaml(path)
    drafted = unedited({key: content[key] for key in DRAFTED if key in content})
    warnings = [replace(at(path, *one), severity="warning") for one in drafted]
    return [*scheme.errors, *warnings], scheme


def unedited(content: Any, keys: Keys = ()) -> Iterator[tuple[Keys, str]]:
    """Yield the places at which a draft still says ``edit``, those of one mapping or list together."""
    entries: dict[Any, Any] = dict(content.items() if isinstance(content, dict) else enumerate(content))
    left = [key for key, value in entries.items() if isinstance(value, str) and EDIT.fullmatch(value)]
    if keys and len(left) > 1:
        names = listed([str(key) for key in left])
        yield keys, f"found 'edit' for {names}, as drafted; expected your text"
    else:
        yield from (((*keys, key), "found 'edit', as drafted; expected your text") for key in left)
    for key, value in entries.items():
        if isinstance(value, dict | list):
            yield from unedited(value, (*keys, key))
