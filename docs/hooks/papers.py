"""References to papers, from ``reports/texts/papers.bib``."""

from __future__ import annotations

import re

from crossbank.reports.texts.citation import entries

ACCENTS = {'"u': "ü", '"o': "ö", '"a': "ä"}


def reference(key: str) -> str:
    """One paper as a line of a bibliography: authors (year): title. Where it appeared."""
    fields = dict(re.findall(r"^  (\w+) *= *\{(.*)\},?$", entries()[key], re.M))
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
    text = re.sub(r"\{\\(\"\w)\}", lambda mark: ACCENTS[mark[1]], text)
    return re.sub(r"[{}]", "", text).replace("--", "–")
