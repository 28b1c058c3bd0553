"""A mode as tests call it."""

from __future__ import annotations

from typing import Any

from crossbank.metrics.modes import modes_by_name as modes
from crossbank.metrics.modes.protocol import Call


class Mode:
    """Mode of a name."""

    def __init__(self, name: str) -> None:
        self.name = name

    def evaluate(self, *files: Any, **choices: Any) -> Any:
        """Return the mode's answer."""
        return modes.evaluate(self.name, Call(*files, **choices))

    def run(self, *files: Any, **choices: Any) -> tuple[str, str, int]:
        """Return the report, the complaints and the exit status."""
        return self.evaluate(*files, **choices).printed()
