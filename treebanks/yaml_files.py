"""YAML files by name or path, read once for as long as they do not change."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextvars import ContextVar
from functools import wraps
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar, cast

from crossbank.treebanks.compiled_yaml import read_compiled
from crossbank.treebanks.errors import OptionError
from crossbank.treebanks.files import SAVE_AS_UTF_8, decode, read_bytes
from crossbank.treebanks.yaml_nodes import FileDiagnostic, State, YamlError, at, parse_yaml, raise_all, state

Load = TypeVar("Load", bound=Callable[[str | Path], Any])

LONGEST = 250
"""The bytes of a file's name without its suffix: systems refuse more than 255 in words of their own."""

MAX_KEPT = 32
"""The number of files of one kind whose content is kept."""


def named_file(folder: Path, name_or_path: str | PathLike[str], kind: str) -> Path:
    """Return the YAML file of a name in a folder, or a custom file.

    Raises OptionError for a name that the folder does not have; ``kind`` says what it names.
    """
    name = str(name_or_path)
    if not is_name(name, kind):
        return Path(name)
    path = folder / f"{name}.yaml"
    if not os.path.isfile(path):
        raise OptionError(kind, name, [*names_in(folder), "the path of a YAML file"])
    return path


def is_name(text: str, kind: str) -> bool:
    """Return whether a text is a name, not a path. Raises OptionError for one that is too long for both."""
    if len(text.rpartition("/")[2].encode(errors="replace")) > LONGEST:
        raise OptionError(kind, f"{text[:20]}...", f"a name of at most {LONGEST} bytes")
    return re.fullmatch(r"[\w-]+", text) is not None


_READ: ContextVar[dict[Path, State]] = ContextVar("the files that load_yaml has read")


def read_once(find: Callable[..., Path]) -> Callable[[Load], Load]:
    """Let a function of a file, which ``find`` gives by its name, read it again only where it has changed.

    It has changed if a YAML file has that was read with it: one that it extends, or rules that it names.
    """

    def decorated(load: Load) -> Load:
        read: dict[Path, tuple[Any, dict[Path, State]]] = {}  # with the states of the files then

        @wraps(load)
        def loaded(*name: str | Path) -> Any:
            path = find(*name)
            content, files = read.get(path.absolute(), (None, {}))
            if not files or any(state(file) != was for file, was in files.items()):
                files = {}
                outer = _READ.set(files)
                try:
                    content = load(path)
                finally:
                    _READ.reset(outer)
                if len(read) >= MAX_KEPT:
                    read.clear()
                read[path.absolute()] = content, files
            _READ.get({}).update(files)
            return content

        return cast(Load, loaded)

    return decorated


def names_in(folder: Path) -> list[str]:
    """Return the names of a folder's YAML files."""
    return sorted(path.stem for path in folder.glob("*.yaml"))


def load_yaml(path: str | PathLike[str], kind: Any = None) -> Any:
    """Return the content of a YAML file, held against the dataclass that declares its keys.

    A file of the package is not parsed if its compiled content is up to date, and the parser is not even
    imported; tests hold such files against their declarations.

    Raises YamlError with all errors and their lines: text that is not YAML, keys that are there twice,
    numbers without a value (``.nan``, ``.inf``, 5,000 digits), aliases that stand for more than
    ``MAX_VALUES`` values, more than ``MAX_DEPTH`` levels, and what breaks the declaration.
    """
    _READ.get({})[Path(path).absolute()] = state(Path(path))
    data = read_bytes(path, may_be_blank=True)
    if (content := read_compiled(Path(path), data)) is not None:
        return content
    text = decode(data, path, advice=SAVE_AS_UTF_8)
    if not text.strip():
        raise YamlError(FileDiagnostic(path, (), "found an empty file, expected YAML"))
    content = parse_yaml(text, path)
    if kind is not None:
        check(content, kind, path)
    return content


def check(content: Any, kind: Any, path: str | PathLike[str]) -> None:
    """Raise YamlError with everything in a file that breaks the dataclass that declares its keys."""
    from crossbank.treebanks.yaml_schemas import violations

    raise_all(at(path, *one[:3]) for one in violations(kind, content))
