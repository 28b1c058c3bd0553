"""Formulas: fenced blocks of LaTeX marked ``math``, as MathML, which browsers draw without a script."""

from __future__ import annotations

import re
from itertools import cycle

from latex2mathml.converter import convert

FENCE = re.compile(r"^```math\n(.*?)^```$", re.M | re.S)


def with_formulas(markdown: str) -> str:
    """Return the page with each block of formulas as MathML; a line that ends in ``\\\\`` ends a formula."""
    return FENCE.sub(lambda block: _mathml(block[1]), markdown)


def _mathml(latex: str) -> str:
    formulas = [line for line in re.split(r"\\\\\s*\n", latex.strip()) if line]
    drawn = (_with_bars(convert(" ".join(one.split()), display="block")) for one in formulas)
    return "\n".join(f'<div class="formula">{one}</div>' for one in drawn)


def _with_bars(mathml: str) -> str:
    """MathML in which one bar opens and the next closes: browsers put space around a bar between operands."""
    first, *others = mathml.split("<mo>&#x0007C;</mo>")
    bars = cycle(f'<mo form="{form}" stretchy="false">|</mo>' for form in ("prefix", "postfix"))
    return first + "".join(bar + other for bar, other in zip(bars, others, strict=False))
