"""Properties that are computed once for each object, without the lock that Python 3.11 takes for each.

What is computed follows from values that never change, so two threads that compute it at once get the same.
Python 3.12 has no lock in ``functools.cached_property`` either.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

Value = TypeVar("Value")


class cached_property(Generic[Value]):  # noqa: N801
    """A property whose value is kept among the object's attributes."""

    def __init__(self, function: Callable[[Any], Value]) -> None:
        self.func = function
        self.__doc__ = function.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type) -> Value: ...

    def __get__(self, instance: object, owner: type) -> Self | Value:
        """Compute the value; the attribute comes before this property from then on."""
        if instance is None:
            return self
        value = instance.__dict__[self._name] = self.func(instance)
        return value
