"""MkDocs' hook: the navigation, pages that lie outside of docs/, and formulas."""

from __future__ import annotations

import os
import re
from collections.abc import Container
from pathlib import Path
from typing import Any

import formulas
from mkdocs.structure.files import File

from crossbank.converters.scheme_files import scheme_names
from crossbank.metrics.counting.metric import METRICS
from crossbank.treebanks.formats import FORMATS

ROOT = Path(__file__).resolve().parents[2]

DOCS = ROOT / "docs"

FILE = re.compile(r"^<!-- file: (?P<name>\S+) -->\n```(?P<language>\w+)\n", re.M)
"""A block that is the content of a file, as ``tests/docs/blocks.py`` knows it."""
OUTSIDE = re.compile(r"\[(?P<text>[^]]*)\]\((?P<path>\.\./[^)]*)\)")

ADDED = ("CONTRIBUTING", "CHANGELOG")
"""The pages of the site that lie outside of docs/."""

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
    """Add the pages that lie outside of docs/."""
    for name in ADDED:
        text = (ROOT / f"{name}.md").read_text(encoding="utf-8")
        content = text.replace("](docs/", "](")
        files.append(File.generated(config, f"{name.lower()}.md", content=content))


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Put names of files and formulas into a page; files outside of the site are named, not linked."""
    path = page.file.src_uri
    text = FILE.sub(lambda block: f'```{block["language"]} title="{block["name"]}"\n', markdown)
    return OUTSIDE.sub(lambda link: _outside(link, path), formulas.with_formulas(text))


def _outside(link: re.Match[str], page: str) -> str:
    """A link as it stands if it stays in the site, else the path of the file in the repository."""
    target = os.path.normpath(f"docs/{os.path.dirname(page)}/{link['path'].partition('#')[0]}")
    if target.startswith("docs/"):
        return link[0]
    if target.removesuffix(".md") in ADDED:
        return f"[{link['text']}]({os.path.relpath(target.lower(), os.path.dirname(page) or '.')})"
    text = link["text"].strip("`")
    return f"`{target}`" if text in target else f"{link['text']} (`{target}`)"
