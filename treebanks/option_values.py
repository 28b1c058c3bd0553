"""Options of transformations and metrics, from what a user writes to values and back.

The kind of an option is its type where it is declared: ``bool`` is written ``yes`` or ``no``, a
``Literal`` as one of its values, names are joined by ``+``, pairs are ``old>new``. ``none`` is None where
the type has it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import NoneType
from typing import Any, Literal, get_args, get_origin

from crossbank.treebanks.errors import OptionError


def option_value(name: str, value: object, kind: Any) -> Any:
    """An option's value from what the user wrote, a string or a value from YAML.

    Raises OptionError where it is not of the kind that the option's type says.
    """
    if NoneType in get_args(kind):
        if value in (None, "none"):
            return None
        (kind,) = (one for one in get_args(kind) if one is not NoneType)
    if get_origin(kind) is Literal:
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
