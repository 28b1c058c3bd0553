"""How the inner loops' compiler is started: quickly, and with a word to the user when it compiles.

Numba looks for SciPy's linear algebra as soon as the first loop is loaded, which costs a fifth of
the time in which 50,000 trees are scored. No loop of ours multiplies matrices: so it is told that
there is none, and SciPy is importable again afterwards.
"""

from __future__ import annotations

import sys
from typing import Any

BLAS = "scipy.linalg.cython_blas"


def start_without_linear_algebra() -> None:
    """Load the part of Numba that asks for SciPy, without SciPy."""
    if BLAS in sys.modules:
        return
    modules: dict[str, Any] = sys.modules
    modules[BLAS] = None
    try:
        import numba.np.arraymath  # noqa: F401 - imported for what it does
    finally:
        del modules[BLAS]


def announce() -> None:
    """Say once on stderr when a loop is compiled, which happens on first use only."""
    from numba.core import event

    class Announcement(event.Listener):  # type: ignore[misc]
        def on_start(self, event_: object) -> None:
            event.unregister("numba:compile", self)
            print("crossbank: compiling the inner loops (on first use only, some seconds)", file=sys.stderr)

        def on_end(self, event_: object) -> None:
            return None

    event.register("numba:compile", Announcement())
