"""Metrics, transformations and formats by name: ours in a table, others in entry points or modules.

Another package declares its objects as entry points in the groups ``crossbank.metrics``,
``crossbank.converters`` and ``crossbank.formats``; without an entry point, users write ``module:name``. Entry
points are read only for a name that is not ours: finding them takes longer than scoring a small file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from importlib import import_module
from typing import Any

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
