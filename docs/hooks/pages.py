"""MkDocs' hook: pages and parts of pages that come from the code, and formulas.

A line ``<!-- facts: NAME ARGUMENT -->`` stands for what the function of that name gives.
"""

from __future__ import annotations

import os
import re
from collections.abc import Container
from pathlib import Path
from typing import Any

import command_reference
import format_facts
import formulas
import metric_facts
import scheme_facts
import study_keys
import transformation_facts
from mkdocs.structure.files import File

from crossbank.converters.schemes.files import scheme_names
from crossbank.metrics.counting.metric import METRICS
from crossbank.treebanks.formats import FORMATS

ROOT = Path(__file__).resolve().parents[2]

DOCS = ROOT / "docs"

FACTS = {
    "breakdowns": metric_facts.breakdowns,
    "commands": command_reference.commands,
    "formats": format_facts.formats,
    "keys": study_keys.keys,
    "losses": format_facts.losses,
    "metric": metric_facts.metric,
    "metrics": metric_facts.metrics,
    "modes": metric_facts.modes,
    "scheme_parts": scheme_facts.parts,
    "schemes": scheme_facts.schemes,
    "shared_options": metric_facts.shared_options,
    "transformations": transformation_facts.transformations,
}
"""The function behind each marker."""

MARKER = re.compile(r"^<!-- facts: (?P<name>\w+)(?: (?P<argument>\S+))? -->$", re.M)
FILE = re.compile(r"^<!-- file: (?P<name>\S+) -->\n```(?P<language>\w+)\n", re.M)
"""A block that is the content of a file, as ``tests/docs/blocks.py`` knows it."""
OUTSIDE = re.compile(r"\[(?P<text>[^]]*)\]\((?P<path>\.\./[^)]*)\)")

FOLDERS = {
    "metrics/": ["index", *METRICS],
    "formats/": ["index", *FORMATS],
    "schemes/": ["index", *scheme_names()],
}
"""The folders that have a page for each name of a registry, in its order."""


def on_config(config: Any) -> None:
    """Put the pages that the navigation names by a folder or a pattern into it.

    A pattern stands for the pages that have no other place, in this or an earlier part of the navigation.
    """
    parts = [part for entry in config.nav for part in entry.values()]
    placed = {page for pages in parts if isinstance(pages, list) for page in pages if "*" not in page}
    for entry in config.nav:
        for title, pages in entry.items():
            if isinstance(pages, str):
                entry[title] = [f"{pages}{name}.md" for name in FOLDERS[pages]]
            else:
                entry[title] = [found for page in pages for found in _found(page, placed)]
                placed.update(entry[title])


def _found(page: str, placed: Container[str]) -> list[str]:
    """A page, or the pages that a pattern stands for."""
    if "*" not in page:
        return [page]
    paths = sorted(path.relative_to(DOCS).as_posix() for path in DOCS.glob(page))
    return [path for path in paths if path not in placed]


def on_files(files: Any, config: Any) -> None:
    """Add the pages that have no file: formats, schemes, the house's map, the changes."""
    pages = {f"formats/{name}.md": format_facts.format_page(name) for name in FORMATS}
    pages |= {f"schemes/{name}.md": scheme_facts.scheme_page(name) for name in scheme_names()}
    for name in ("CONTRIBUTING", "CHANGELOG"):
        text = (ROOT / f"{name}.md").read_text(encoding="utf-8")
        pages[f"{name.lower()}.md"] = text.replace("](docs/", "](")
    for path, content in pages.items():
        files.append(File.generated(config, path, content=content))


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Put facts, names of files and formulas into a page; files outside of the site are named, not linked."""
    path = page.file.src_uri
    text = MARKER.sub(lambda marker: _facts(marker, path), markdown)
    text = FILE.sub(lambda block: f'```{block["language"]} title="{block["name"]}"\n', text)
    return OUTSIDE.sub(lambda link: _outside(link, path), formulas.with_formulas(text))


def _facts(marker: re.Match[str], path: str) -> str:
    argument = marker["argument"] or (Path(path).stem if marker["name"] == "metric" else None)
    function: Any = FACTS[marker["name"]]
    text: str = function() if argument is None else function(argument)
    return text


def _outside(link: re.Match[str], page: str) -> str:
    """A link as it stands if it stays in the site, else the path of the file in the repository."""
    target = os.path.normpath(f"docs/{os.path.dirname(page)}/{link['path'].partition('#')[0]}")
    if target.startswith("docs/"):
        return link[0]
    text = link["text"].strip("`")
    return f"`{target}`" if text in target else f"{link['text']} (`{target}`)"
