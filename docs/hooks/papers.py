"""References to papers, from ``reports/sections/papers.bib``."""

from __future__ import annotations

import re
from unicodedata import normalize

from crossbank.reports.sections.cite import entry

ACCENTS = {
    '"': "\u0308",
    "'": "\u0301",
    "`": "\u0300",
    "^": "\u0302",
    "~": "\u0303",
    "v": "\u030c",
    "c": "\u0327",
}
"""The combining character of each of LaTeX's accents."""


def reference(paper: str) -> str:
    """One paper as a line of a bibliography: authors (year): title. Where it appeared."""
    fields = dict(re.findall(r"^ *(\w+) *= *\{(.*)\},?$", entry(paper), re.M))
    where = [
        _plain(fields[name]) for name in ("booktitle", "journal", "publisher", "school") if name in fields
    ]
    if "volume" in fields:
        where[-1] += f" {fields['volume']}" + (f"({fields['number']})" if "number" in fields else "")
    authors = _plain(fields["author"]).replace(" and others", " et al.")
    title = _plain(fields["title"])
    return f"{authors.replace(' and ', '; ')} ({fields['year']}): *{title}*. {'. '.join(where)}."


def _plain(text: str) -> str:
    """Text without LaTeX's braces and accents."""
    text = re.sub(
        r"\\([\"'`^~vc])\{?(\w)\}?", lambda mark: normalize("NFC", mark[2] + ACCENTS[mark[1]]), text
    )
    return re.sub(r"[{}]", "", text).replace("--", "–")
