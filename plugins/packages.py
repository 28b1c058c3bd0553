"""Packages that add something: Crossbank itself, and those with an entry point ``crossbank.plugins``.

The value of an entry point is a package, or a single module. Neither is imported to learn what it adds. Entry
points are read only for a name that Crossbank does not have, for lists and for studies: finding them takes
longer than scoring a small file. A name of Crossbank's own stays its own: what another package declares under
it is left out, with a warning.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib.util import find_spec
from math import inf
from typing import NamedTuple, TypeVar

from crossbank.plugins.manifest import Declaration, declarations, scan

GROUP = "crossbank.plugins"
"""The group of entry points."""

OF_ALL_PACKAGES = ("plug-in", "study rules")
"""Kinds whose names are those of files alone, which several packages may have."""

PACKAGE = os.path.dirname(os.path.dirname(__file__))
"""The folder of Crossbank."""


class PlugIn(NamedTuple):
    """A folder of Crossbank that an installation may lack, declared in its ``__init__.py``.

    title  what it adds, in a few words
    """

    title: str


Function = TypeVar("Function", bound=Callable[..., object])


def public_function(function: Function) -> Function:
    """Mark a function of a plug-in that users call as ``crossbank.NAME``."""
    return function


class Added(NamedTuple):
    """Something that a package adds.

    package  the name under which the folder of the manifest is imported; empty for a single module
    folder   the folder of the manifest
    """

    package: str
    folder: str
    declared: Declaration

    @property
    def name(self) -> str:
        """Name under which users know it."""
        return self.declared.name

    @property
    def path(self) -> str:
        """Path of its module or data file."""
        return os.path.join(self.folder, self.declared.file)

    @property
    def module(self) -> str:
        """Name of its module."""
        file = self.declared.file.removesuffix(".py").removesuffix("/__init__")
        return ".".join(filter(None, (self.package, *file.split("/"))))

    @property
    def reference(self) -> str:
        """Where it is: ``module:attribute``, or a whole ``module``."""
        return f"{self.module}:{self.declared.attribute}" if self.declared.attribute else self.module


def bundled(kind: str) -> list[Added]:
    """Return what Crossbank adds of a kind, in the order of lists."""
    return [added for added in _ordered(_all_bundled(), kind) if os.path.exists(added.path)]


def absent(kind: str) -> dict[str, str]:
    """Return the names of a kind that folders add which are not installed, with these folders."""
    folders = [
        os.path.dirname(added.declared.file) for added in _all_bundled() if added.declared.kind == "plug-in"
    ]
    return {
        added.name: next((one for one in folders if added.declared.file.startswith(f"{one}/")), "crossbank")
        for added in _ordered(_all_bundled(), kind)
        if not os.path.exists(added.path)
    }


def installed(kind: str) -> list[Added]:
    """Return what other packages add of a kind, in the order of lists.

    Warns of names that are Crossbank's own, of any kind.
    """
    from importlib.metadata import entry_points

    values = sorted({point.value for point in entry_points(group=GROUP)})
    own = {one.declared[:2] for one in _all_bundled()}
    all_added = []
    for value in values:
        for added in _added_by(value):
            if added.declared[:2] in own and added.declared.kind not in OF_ALL_PACKAGES:
                _warn_of_name(value, added.declared.kind, added.name)
            else:
                all_added.append(added)
    return _ordered(all_added, kind)


@cache
def _warn_of_name(package: str, kind: str, name: str) -> None:
    """Warn once of a name that Crossbank has itself."""
    from warnings import warn

    message = f"the {kind} {name} is Crossbank's own, and that of the package is not used (rename it)"
    warn(f"{package}: {message}", stacklevel=2)


@cache
def _all_bundled() -> list[Added]:
    return [Added("crossbank", PACKAGE, declared) for declared in declarations(PACKAGE)]


def _added_by(value: str) -> Iterator[Added]:
    """Yield what a package or a module adds; nothing if it is not there."""
    try:
        spec = find_spec(value)
    except (ImportError, ValueError):
        return
    if spec is not None and spec.submodule_search_locations:
        (folder, *_) = spec.submodule_search_locations
        yield from (Added(value, folder, declared) for declared in declarations(folder))
    elif spec is not None and spec.origin:
        folder, file = os.path.split(spec.origin)
        yield from (
            Added("", folder, Declaration(*entry[:2], file, *entry[2:])) for entry in scan(spec.origin)
        )


def _ordered(all_added: Iterable[Added], kind: str) -> list[Added]:
    """Return what is of a kind, in the order of its numbers; what has no number comes last."""
    of_kind = (added for added in all_added if added.declared.kind == kind)
    return sorted(of_kind, key=lambda added: (added.declared.values.get("position", inf), added.name))
