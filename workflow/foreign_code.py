"""Code of others that a study runs: what it names as ``module:name``, and commands of other parsers.

It is found in the text of the study and of its own schemes, before anything of it is loaded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from os.path import relpath
from pathlib import Path
from typing import Any

from crossbank.reports.study.making import making_class, making_names
from crossbank.treebanks.own_modules import own_files
from crossbank.treebanks.registry import REFERENCE
from crossbank.treebanks.yaml_files import load_yaml

KEYS = {"format", "metric", "metrics", "transformations", "context_free", "views", "options"}
"""The keys under which a study or a scheme may name code."""


def code_of_study(study: str | Path) -> list[str]:
    """Return the code that a study names: each reference with its file, if that is in the current folder.

    Raises YamlError if the study, or a scheme of its own, cannot be read.
    """
    named = {}
    for reference in _references_in(Path(study)):
        module = reference.partition(":")[0]
        own = own_files(module).get(module)
        named[reference] = f"{reference} ({relpath(own)})" if own is not None else reference
    return list(named.values())


def commands_of_study(study: str | Path) -> list[str]:
    """Return the shell commands by which candidates of a study are made."""
    return list(dict.fromkeys(_commands(load_yaml(study))))


def _references_in(file: Path) -> Iterator[str]:
    for key, text in _strings(load_yaml(file)):
        if key in ("scheme", "extends"):
            # A custom file: a scheme's views may name transformations.
            own = next((path for path in (Path(text), file.parent / text) if path.is_file()), None)
            if own is not None and own.suffix in (".yaml", ".yml") and own != file:
                yield from _references_in(own)
        elif key in KEYS and (reference := REFERENCE.match(text)):
            yield reference.group()


def _strings(content: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Yield all strings of a file's content, including names of keys, each with its key."""
    if isinstance(content, Mapping):
        for name, value in content.items():
            yield key, str(name)
            yield from _strings(value, key if key in KEYS else str(name))
    elif isinstance(content, list):
        for value in content:
            yield from _strings(value, key)
    elif isinstance(content, str):
        yield key, content


def _commands(content: Any) -> Iterator[str]:
    if isinstance(content, Mapping):
        for key in making_names():
            if isinstance(options := content.get(key), Mapping):
                yield from making_class(key).commands(options)
        for value in content.values():
            yield from _commands(value)
    elif isinstance(content, list):
        for value in content:
            yield from _commands(value)
