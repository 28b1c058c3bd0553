# What of Cython's pure Python mode the compiled modules use, for mypy.

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, TypeAlias, TypeVar

from . import dataclasses as dataclasses

Decorated = TypeVar("Decorated")
Value = TypeVar("Value")

compiled: bool

Py_ssize_t: TypeAlias = int
bint: TypeAlias = bool
char: TypeAlias = int
uchar: TypeAlias = int
short: TypeAlias = int
int: TypeAlias = int  # type: ignore[misc]
uint: TypeAlias = int  # type: ignore[misc]
longlong: TypeAlias = int  # type: ignore[misc]
ulonglong: TypeAlias = int  # type: ignore[misc]
double: TypeAlias = float
void: TypeAlias = None

def cclass(decorated: Decorated) -> Decorated: ...
def ccall(decorated: Decorated) -> Decorated: ...
def cfunc(decorated: Decorated) -> Decorated: ...
def exceptval(value: Any = ..., *, check: bool = ...) -> Callable[[Decorated], Decorated]: ...
def declare(kind: type[Value], value: Value) -> Value: ...
def cast(kind: type[Value], value: Any) -> Value: ...

class _WithoutGil(AbstractContextManager[None]):
    def __call__(self, decorated: Decorated) -> Decorated: ...
    def __exit__(self, *exception: object) -> None: ...

nogil: _WithoutGil
gil: _WithoutGil
