"""One test over many cases: a test where ``pytest.mark.parametrize`` would count each of them as one."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from itertools import product
from typing import Any

import pytest


def each(**cases: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Call a test with all combinations of some arguments: each is a subtest and fails by itself."""
    calls = [dict(zip(cases, case, strict=True)) for case in product(*cases.values())]

    def decorated(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def one_test(subtests: pytest.Subtests, **fixtures: Any) -> None:
            for call in calls:
                with subtests.test(**call):
                    test(**fixtures, **call)

        names = [name for name in inspect.signature(test).parameters if name not in cases]
        one_test.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY) for name in ("subtests", *names)]
        )
        return one_test

    return decorated
