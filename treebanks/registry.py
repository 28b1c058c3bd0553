"""Look up metrics, transformations, formats and data files by name, and parse their options.

Names and the locations of their objects come from manifests (``crossbank.plugins``): Crossbank's, and those
of other packages, which are read only for names that Crossbank's lacks. Code of no package is named
``module:name``.

Options have the types with which they are declared: ``bool`` is written ``yes`` or ``no``, a
``Literal`` as one of its values, names are joined by ``+``, pairs are ``old>new``. ``none`` is None where
the type has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from os import PathLike
from pathlib import Path
from types import NoneType
from typing import Any, Literal, get_args, get_origin

from crossbank.plugins.manifest import CONSTANTS
from crossbank.plugins.packages import absent, bundled, installed
from crossbank.treebanks.errors import CrossbankError, OptionError
from crossbank.treebanks.own_modules import make_known
from crossbank.treebanks.yaml_files import is_name

REFERENCE = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*(?=:|$)")
"""``module:name``, as entry points write it; options may follow after a second colon."""

CODE_IS_TRUSTED: ContextVar[bool] = ContextVar("CODE_IS_TRUSTED", default=True)
"""False while a file is only examined: then modules that it names as ``module:name`` are not imported."""


class UntrustedCodeError(CrossbankError):
    """A custom metric, transformation or format whose code must not run."""

    def __init__(self, kind: str, name: str) -> None:
        super().__init__(f"{kind} {name}: this is your own code, which is not loaded here")


@contextmanager
def no_code_of_others() -> Iterator[None]:
    """Refuse to load code that belongs to no installed package, within the block."""
    before = CODE_IS_TRUSTED.set(False)
    try:
        yield
    finally:
        CODE_IS_TRUSTED.reset(before)


class AbsentPlugInError(CrossbankError):
    """A name from a plug-in of Crossbank that is not installed."""

    def __init__(self, kind: str, name: str, folder: str) -> None:
        super().__init__(f"{kind} {name}: it is part of {folder}, which is not installed")


class AmbiguousNameError(CrossbankError):
    """A name that several installed packages define for one kind of object."""

    def __init__(self, kind: str, name: str, references: Iterable[str]) -> None:
        listed = " and ".join(map(str, references))
        super().__init__(
            f"{kind} {name}: added by {listed}, expected one of them: uninstall the other package"
        )


@dataclass(frozen=True)
class Registry:
    """Objects of one kind by name.

    kind   their kind in manifests and in error messages
    form   how a reference to an object of another package is written
    """

    kind: str
    form: str

    @cached_property
    def bundled(self) -> dict[str, str]:
        """Crossbank's own names, and where each object is: ``module:name``, or a whole ``module``."""
        return {added.name: added.reference for added in bundled(self.kind)}

    def installed(self) -> dict[str, str]:
        """Return the names of the objects of other installed packages, and where each is."""
        return {added.name: added.reference for added in installed(self.kind)}

    def names(self) -> list[str]:
        """Return all names, Crossbank's own first."""
        return [*self.bundled, *self.installed()]

    def declared(self) -> dict[str, dict[str, Any]]:
        """Return the literal values with which each of Crossbank's own objects is declared."""
        return {added.name: added.declared.values for added in bundled(self.kind)}

    def declared_by_others(self) -> dict[str, dict[str, Any]]:
        """Return the literal values with which each object of other packages is declared."""
        return {added.name: added.declared.values for added in installed(self.kind)}

    def values_of_other(self, name: str) -> dict[str, Any] | None:
        """Return the values with which another package declares a name; None if none declares it."""
        return self.declared_by_others().get(name) if isinstance(name, str) else None

    def reference(self, name: str) -> str:
        """Return the reference to the object of a name. Raises OptionError for an unknown name."""
        if not isinstance(name, str):
            raise OptionError(self.kind, name, f"a name or {self.form}, as a string")
        if name in self.bundled:
            return self.bundled[name]
        if REFERENCE.fullmatch(name):
            return name
        refuse_absent(self.kind, name)
        added = installed(self.kind)
        references = [one.reference for one in added if one.name == name]
        if not references:
            raise OptionError(self.kind, name, [*self.bundled, *(one.name for one in added), self.form])
        if len(references) > 1:
            raise AmbiguousNameError(self.kind, name, references)
        return references[0]

    def module(self, name: str) -> str:
        """Return the module that has the object of a name. Raises OptionError for an unknown name."""
        return self.reference(name).partition(":")[0]

    def load(self, name: str) -> Any:
        """Return the object of a name; its module is imported when it is first used.

        A module that is named in full is also looked for in the current folder. Raises OptionError for an
        unknown name, a module that cannot be imported and one that has no such object, UntrustedCodeError
        where such code must not run.
        """
        reference = self.reference(name)
        module, _, attribute = reference.partition(":")
        if REFERENCE.fullmatch(name):
            if not CODE_IS_TRUSTED.get():
                raise UntrustedCodeError(self.kind, name)
            make_known(module)
        try:
            loaded: Any = import_module(module)
            # A constant that declares something is a reference to its module.
            for part in attribute.split(".") if attribute and attribute not in CONSTANTS else ():
                loaded = getattr(loaded, part)
        except Exception as error:
            if name in self.bundled:
                raise
            raise OptionError(
                self.kind, name, f"{self.form} that can be imported ({type(error).__name__}: {error})"
            ) from error
        return loaded


@dataclass(frozen=True)
class DataFiles:
    """YAML files of one kind by name: those of Crossbank, of other packages and of the user.

    kind   their kind in manifests
    label  their kind in error messages
    """

    kind: str
    label: str

    @cached_property
    def bundled(self) -> dict[str, Path]:
        """Crossbank's own files."""
        return {added.name: Path(added.path) for added in bundled(self.kind)}

    def names(self) -> list[str]:
        """Return the names of all files, Crossbank's own first."""
        return list(dict.fromkeys([*self.bundled, *(added.name for added in installed(self.kind))]))

    def has_file(self, path: Path) -> bool:
        """Return whether a file is one of Crossbank's own."""
        return path in self.bundled.values()

    def path(self, name_or_path: str | PathLike[str], label: str = "") -> Path:
        """Return the file of a name, or a user's own file.

        label  its kind in messages, if not the usual one

        Raises OptionError for a name that no package has.
        """
        name, label = str(name_or_path), label or self.label
        if name in self.bundled:
            return self.bundled[name]
        if not is_name(name, label):
            return Path(name)
        refuse_absent(label, name, self.kind)
        added = installed(self.kind)
        paths = [Path(one.path) for one in added if one.name == name]
        if not paths:
            raise OptionError(
                label, name, [*self.bundled, *(one.name for one in added), "the path of a YAML file"]
            )
        if len(paths) > 1:
            raise AmbiguousNameError(label, name, map(str, paths))
        return paths[0]


def refuse_absent(label: str, name: str, kind: str = "") -> None:
    """Raise AbsentPlugInError for a name of a folder that is not installed."""
    if folder := absent(kind or label).get(name):
        raise AbsentPlugInError(label, name, folder)


def option_value(name: str, value: object, kind: Any) -> Any:
    """Return an option's value from what the user wrote, a string or a value from YAML.

    Raises OptionError if it is not of the option's type.
    """
    if NoneType in get_args(kind):
        if value in (None, "none"):
            return None
        (kind,) = (one for one in get_args(kind) if one is not NoneType)
    if get_origin(kind) is Literal:
        value = written(value) if isinstance(value, bool) else value  # YAML reads a bare no as False
        if value not in get_args(kind):
            raise OptionError(f"option {name}", value, get_args(kind))
        return value
    if kind is bool:
        if value not in ("yes", "no", True, False):
            raise OptionError(f"option {name}", value, ("yes", "no"))
        return value in ("yes", True)
    if kind in (int, float):
        try:
            return kind(str(value))
        except ValueError as error:
            expected = "a whole number" if kind is int else "a number"
            raise OptionError(f"option {name}", value, expected) from error
    if get_origin(kind) is tuple:
        parts = value if isinstance(value, (list, tuple)) else str(value).split("+")
        return tuple(str(part) for part in parts if str(part))
    if get_origin(kind) is Mapping:
        if isinstance(value, Mapping):
            return {str(old): str(new) for old, new in value.items()}
        pairs = [pair.partition(">") for pair in str(value).split("+")]
        if not all(arrow for _, arrow, _ in pairs):
            raise OptionError(f"option {name}", value, "old>new, several joined by +")
        return {old: new for old, _, new in pairs}
    return str(value)


def written(value: object) -> str:
    """Return an option's value as a user writes it; ``none`` for nothing."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "none"
    if isinstance(value, tuple):
        return "+".join(map(str, value)) or "none"
    if isinstance(value, Mapping):
        return "+".join(f"{old}>{new}" for old, new in value.items()) or "none"
    return str(value) or "none"
