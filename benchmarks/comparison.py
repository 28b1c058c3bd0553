"""A line that compares two times, in the one form that ``benchmarks/everything.py`` collects."""

from __future__ import annotations

import re

LINE = re.compile(r"compared: (?P<work>.+): (?P<time>[\d.]+) s, (?P<program>.+) (?P<program_time>[\d.]+) s")


def compared(work: str, seconds: float, program: str, program_seconds: float) -> str:
    """Return both times, in seconds, for the same work: ``compared: 50,000 trees: 0.45 s, evalb 0.6 s``."""
    return f"compared: {work}: {_digits(seconds)} s, {program} {_digits(program_seconds)} s"


def _digits(value: float) -> str:
    """Return three digits that count, without an exponent."""
    if value >= 1:
        return f"{value:.{max(0, 3 - len(f'{value:.0f}'))}f}"
    return f"{float(f'{value:.3g}'):f}".rstrip("0")
