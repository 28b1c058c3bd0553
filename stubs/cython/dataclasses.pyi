# What of Cython's dataclasses the compiled modules use, for mypy.

from collections.abc import Callable
from typing import TypeVar, dataclass_transform

Value = TypeVar("Value")

@dataclass_transform(eq_default=False)
def dataclass(*, eq: bool, repr: bool) -> Callable[[type[Value]], type[Value]]: ...
