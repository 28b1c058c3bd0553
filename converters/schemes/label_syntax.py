"""Parts of labels besides the category: functions, co-indices, alternatives, subclasses.

The same syntax reads labels and writes them, so that a file is read as it was written.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from crossbank.treebanks.cached_properties import cached_property
from crossbank.treebanks.typed_yaml import key

MOST_LABELS = 10_000
"""The number of labels whose parts are kept."""


@dataclass(frozen=True)
class LabelParts:
    """Parts of a label: ``NP-LOC-PRD-2`` is an NP with the function ``LOC-PRD`` and the index 2.

    gap  the index of a constituent that another one repeats where a verb is left out: 2 in ``NP-SBJ=2``
    """

    category: str
    function: str = ""
    index: str = ""
    gap: str = ""


@dataclass(frozen=True)
class LabelSyntax:
    """Way in which a scheme writes functions and the like in labels.

    Each field but the last holds the characters that begin such a part. A label that begins with one
    of them (``-NONE-``) is never cut, and neither are the names of brackets (``-LRB-``, ``$-LRB-``).

    function     ``NP-SBJ``; a part that is a number is an index: ``NP-1``
    index        ``NP=2``
    alternative  ``ADVP|PRT``: the annotators could not decide; the rest is left out
    subclass     ``NX=PER``: it belongs to the category, but the rules for NX apply to it
    tags         whether the tags of tokens have functions too: ``NN:HD``
    """

    function: str = key("-", otherwise="none")
    index: str = key("=", otherwise="none")
    alternative: str = key("|", otherwise="none")
    subclass: str = ""
    tags: bool = False

    @cached_property
    def _cuts(self) -> str:
        return self.function + self.index + self.alternative

    @cached_property
    def _category(self) -> re.Pattern[str]:
        return re.compile(f"(?:-[LR][RSC]B-|[^{re.escape(self._cuts)}])*" if self._cuts else ".*", re.DOTALL)

    @cached_property
    def _part(self) -> re.Pattern[str]:
        cuts = re.escape(self._cuts)
        return re.compile(f"([{cuts}])([^{cuts}]*)")

    @cached_property
    def _parsed(self) -> dict[str, LabelParts]:
        return {}

    def parts(self, label: str) -> LabelParts:
        """Return the parts of a label. Functions are joined by ``-``, whatever joins them in the label."""
        parts = self._parsed.get(label)
        if parts is None:
            # Each chunk of a file has the same labels.
            if len(self._parsed) >= MOST_LABELS:
                self._parsed.clear()
            parts = self._parsed[label] = self._parse(label)
        return parts

    def _parse(self, label: str) -> LabelParts:
        category = self._category.match(label)
        at = category.end() if category is not None else 0
        if at in (0, len(label)):
            return LabelParts(label)
        functions, index, gap = [], "", ""
        for mark, text in self._part.findall(label[at:]):
            if mark in self.index:
                gap = text
            elif mark in self.function and text.isdigit():
                index = text
            elif mark in self.function and text:
                functions.append(text)
        return LabelParts(label[:at], "-".join(functions), index, gap)

    def category(self, label: str) -> str:
        """Return the label without functions, indices and alternatives."""
        return self.parts(label).category

    def joined(self, label: str, function: str) -> str | None:
        """Label with a function, which ``parts`` finds again; None where that cannot be written."""
        written, before = label + self.function[:1] + function, self.parts(label)
        again = not before.function and self.parts(written) == replace(before, function=function)
        return written if self.function and again else None

    def main_category(self, label: str) -> str:
        """Return the category without its subclass, under which rules are looked up."""
        category = self.category(label)
        at = next((i for i, character in enumerate(category) if character in self.subclass), 0)
        return category[:at] if at else category
