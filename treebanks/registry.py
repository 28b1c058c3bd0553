"""Metrics, transformations and formats by name, and their options as users write them.

Ours are in a table. Another package declares its objects as entry points in the groups ``crossbank.metrics``,
``crossbank.converters`` and ``crossbank.formats``; without an entry point, users write ``module:name``. Entry
points are read only for a name that is not ours: finding them takes longer than scoring a small file.

An option of theirs has the type with which it is declared: ``bool`` is written ``yes`` or ``no``, a
``Literal`` as one of its values, names are joined by ``+``, pairs are ``old>new``. ``none`` is None where
the type has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from importlib import import_module
from types import NoneType
from typing import Any, Literal, get_args, get_origin

from crossbank.treebanks.errors import CrossbankError, OptionError
from crossbank.treebanks.own_modules import make_known

REFERENCE = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*(?=:|$)")
"""``module:name``, as entry points write it; options may follow after a second colon."""

CODE_IS_TRUSTED: ContextVar[bool] = ContextVar("CODE_IS_TRUSTED", default=True)
"""False while a file is only looked at: nothing that it names is imported then, but what is ours."""


class UntrustedCodeError(CrossbankError):
    """A metric, a transformation or a format of others, which would run their code."""

    def __init__(self, kind: str, name: str) -> None:
        super().__init__(f"{kind} {name}: this is your own code, which is not loaded here")


@contextmanager
def no_code_of_others() -> Iterator[None]:
    """Refuse to load code that is not ours, for as long as this holds."""
    before = CODE_IS_TRUSTED.set(False)
    try:
        yield
    finally:
        CODE_IS_TRUSTED.reset(before)


@dataclass(frozen=True)
class Registry:
    """Objects of one kind by name.

    kind   their name in error messages
    group  the group of entry points
    ours   where each of ours is: ``module:name``, or a whole ``module``
    form   how a reference to an object of another package is written
    """

    kind: str
    group: str
    ours: Mapping[str, str]
    form: str

    def reference(self, name: str) -> str:
        """Return the reference to the object of a name. Raises OptionError for an unknown name."""
        if not isinstance(name, str):
            raise OptionError(self.kind, name, f"a name or {self.form}, as a string")
        if name in self.ours:
            return self.ours[name]
        if REFERENCE.fullmatch(name):
            return name
        others = self.entry_points()
        if name not in others:
            raise OptionError(self.kind, name, [*self.ours, *others, self.form])
        return others[name]

    def module(self, name: str) -> str:
        """Return the module that has the object of a name. Raises OptionError for an unknown name."""
        return self.reference(name).partition(":")[0]

    def load(self, name: str) -> Any:
        """Return the object of a name; its module is imported when it is first used.

        Modules are also looked for in the current folder. Raises OptionError for an unknown name, a module
        that cannot be imported and one that has no such object, UntrustedCodeError where such code must not
        run.
        """
        reference = self.reference(name)
        module, _, attribute = reference.partition(":")
        if name not in self.ours:
            if not CODE_IS_TRUSTED.get():
                raise UntrustedCodeError(self.kind, name)
            make_known(module)
        try:
            found: Any = import_module(module)
            for part in attribute.split(".") if attribute else ():
                found = getattr(found, part)
        except Exception as error:
            if name in self.ours:
                raise
            raise OptionError(
                self.kind, name, f"{self.form} that can be imported ({type(error).__name__}: {error})"
            ) from error
        return found

    def entry_points(self) -> dict[str, str]:
        """Names of the objects of other installed packages, and the places where they are defined."""
        from importlib.metadata import entry_points

        return {point.name: point.value for point in sorted(entry_points(group=self.group))}


def option_value(name: str, value: object, kind: Any) -> Any:
    """An option's value from what the user wrote, a string or a value from YAML.

    Raises OptionError where it is not of the kind that the option's type says.
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
    """An option's value as a user writes it; ``none`` for nothing."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "none"
    if isinstance(value, tuple):
        return "+".join(map(str, value)) or "none"
    if isinstance(value, Mapping):
        return "+".join(f"{old}>{new}" for old, new in value.items()) or "none"
    return str(value) or "none"
