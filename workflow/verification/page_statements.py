"""Statements of a finished page: the row that each claims to render, and what its sentence says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

NUMBER = r"[+−]?[\d,.]+"
NUMBERS = (
    rf"(?P<value>{NUMBER})(?: points)? \(simultaneous (?P<level>[\d.]+) % interval (?P<low>{NUMBER}) to "
    rf"(?P<high>{NUMBER}), corrected p (?P<p_corrected>= [\d.]+|< 0\.001); (?P<n>[\d,]+) sentences?"
    r"(?:, (?P<population>[^);]+))?"
    rf"(?:; gold itself loses (?P<floor>{NUMBER})(?: points)?)?\)"
)
BETTER = r"(?P<candidate>\S+) is better than (?P<other>\S+)"
SENTENCES: Mapping[str, str] = {
    "systems": (
        rf"On average over their common runs in (?P<treebank>.+?) {BETTER} under (?P<measure>.+): {NUMBERS}\."
    ),
    "better": rf"In (?P<treebank>.+?) {BETTER} under (?P<measure>.+): {NUMBERS}\.",
    "undecided": (
        r"In (?P<treebank>.+?) (?P<candidate>\S+) and (?P<other>\S+) do not differ significantly under "
        rf"(?P<measure>.+): {NUMBERS}\. These sentences could have shown "
        rf"(?P<detectable>{NUMBER})(?: points)?; about (?P<needed>[\d,]+) could show "
        rf"(?P<size>{NUMBER})(?: points)?\."
    ),
    "treebanks": (
        r"(?P<candidate>\S+) scores better in (?P<treebank>.+?) than in (?P<other_treebank>.+?) under "
        rf"(?P<measure>.+): {NUMBERS}\."
    ),
    "curve": (
        r"At (?P<key>.+?) (?P<candidate>\S+) in (?P<treebank>\S+) is better than (?P<other>\S+) in "
        rf"(?P<other_treebank>\S+) under (?P<measure>.+): {NUMBERS}\."
    ),
    "change": (
        r"From (?P<key>.+?) the difference of (?P<candidate>\S+) in (?P<treebank>\S+) and (?P<other>\S+) in "
        rf"(?P<other_treebank>\S+) under (?P<measure>.+) changes by {NUMBERS}\."
    ),
    "errors": (
        r"In (?P<treebank>.+?) (?P<candidate>\S+) makes fewer (?P<measure>.+) in 100 sentences than "
        rf"(?P<other>\S+): {NUMBERS}\."
    ),
}
"""What the sentence of each kind says, by the columns of its row."""


@dataclass(frozen=True)
class PageStatement:
    """A statement of a page.

    attributes  the data attributes of its element, with underscores
    text        its sentence
    """

    attributes: Mapping[str, str]
    text: str

    @property
    def type(self) -> str:
        """Kind of the statement."""
        return self.attributes["statement"]

    def parts(self) -> dict[str, str] | None:
        """Return what the sentence says by column; None if it is not a sentence of its kind."""
        match = re.fullmatch(SENTENCES.get(self.type, "(?!)"), self.text)
        return None if match is None else {k: v for k, v in match.groupdict().items() if v is not None}


def statements_on(page: Path) -> list[PageStatement]:
    """Return the statements of a page, each once."""
    parser = _Statements()
    parser.feed(page.read_text(encoding="utf-8"))
    by_content = {(tuple(one.attributes.items()), one.text): one for one in parser.statements()}
    return list(by_content.values())


class _Statements(HTMLParser):
    """Collects list items with the attribute ``data-statement``."""

    def __init__(self) -> None:
        super().__init__()
        self._items: list[tuple[dict[str, str], list[str]]] = []
        self._inside = self._in_link = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag == "li" and "data-statement" in attributes:
            own = {n.removeprefix("data-").replace("-", "_"): v for n, v in attributes.items()}
            self._items.append((own, []))
            self._inside = True
        self._in_link = self._in_link or tag == "a"

    def handle_endtag(self, tag: str) -> None:
        self._inside = self._inside and tag != "li"
        self._in_link = self._in_link and tag != "a"

    def handle_data(self, data: str) -> None:
        if self._inside and not self._in_link:
            self._items[-1][1].append(data)

    def statements(self) -> Iterator[PageStatement]:
        """Yield the statements in the order of the page."""
        return (PageStatement(own, " ".join("".join(texts).split())) for own, texts in self._items)
