"""Signature of a score: every choice that the number depends on, after Post (2018)'s sacrebleu.

Post, Matt (2018): A Call for Clarity in Reporting BLEU Scores. WMT.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Signature:
    """Name of the metric, its choices in order, and its version.

    >>> str(Signature("parseval", "1.0", (("labels", "yes"), ("unscored", "empty:3"))))
    'parseval|labels:yes|unscored:empty:3|v1.0'
    """

    metric: str
    version: str
    choices: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        choices = "".join(f"|{name}:{value}" for name, value in self.choices)
        return f"{self.metric}{choices}|v{self.version}"

    def with_choice(self, name: str, value: str) -> Signature:
        """Return the same signature with one more choice, or with another value for one it has."""
        others = tuple(choice for choice in self.choices if choice[0] != name)
        return replace(self, choices=(*others, (name, value)))

    def with_values(self, **values: str | None) -> Signature:
        """The same signature with other values for choices that it has, each in its place; None drops one."""
        found = ((name, values.get(name, value)) for name, value in self.choices)
        return replace(self, choices=tuple((name, value) for name, value in found if value is not None))


class SignatureText(str):
    """A signature as text, which also tells its parts.

    metric   the metric's name
    version  its version
    choices  the values of its choices by their names
    """

    metric: str
    version: str
    choices: Mapping[str, str]

    def __new__(cls, signature: Signature) -> SignatureText:
        """Return the text of a signature."""
        made = super().__new__(cls, signature)
        made.metric, made.version = signature.metric, signature.version
        made.choices = dict(signature.choices)
        return made

    def __reduce__(self) -> tuple[type[SignatureText], tuple[Signature]]:
        return SignatureText, (Signature(self.metric, self.version, tuple(self.choices.items())),)
