"""Formulas: fenced blocks of LaTeX marked ``math``, as MathML, which browsers draw without a script."""

from __future__ import annotations

import re

from latex2mathml.converter import convert

FENCE = re.compile(r"^```math\n(.*?)^```$", re.M | re.S)


def with_formulas(markdown: str) -> str:
    """The page with each block of formulas as MathML; a line that ends in ``\\\\`` ends a formula."""
    return FENCE.sub(lambda block: _mathml(block[1]), markdown)


def _mathml(latex: str) -> str:
    formulas = [line for line in re.split(r"\\\\\s*\n", latex.strip()) if line]
    return "\n".join(
        f'<div class="formula">{convert(" ".join(one.split()), display="block")}</div>' for one in formulas
    )
