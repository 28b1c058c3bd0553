"""MkDocs' hook: the navigation, generated pages, pages outside of docs/, generated text and formulas."""

from __future__ import annotations

import os
import re
from collections.abc import Container
from pathlib import Path
from typing import Any

import facts
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

ADDED = {
    **{f"{name.lower()}.md": ROOT / f"{name}.md" for name in ("CONTRIBUTING", "CHANGELOG")},
    **{f"formalisms/{path.name}": path for path in sorted(ROOT.glob("formalisms/*/*.md"))},
    **{
        path.name: path
        for folder in ("parsers", "language_models")
        for path in sorted(ROOT.glob(f"{folder}/*.md"))
    },
}
"""The files outside of docs/ that are pages of the site, by the address that each has there."""

FOLDERS = {
    "metrics/": ["index", *METRICS],
    "formats/": ["index", *FORMATS],
    "schemes/": ["index", *scheme_names()],
    "formalisms/": [Path(page).stem for page in ADDED if page.startswith("formalisms/")],
}
"""Folders whose pages the navigation does not list: those of registries, in their order, and formalisms."""


def on_config(config: Any) -> None:
    """Expand folders and patterns of the navigation to pages, and omit those of plug-ins that are absent.

    A pattern stands for the pages that have no other position, in this or an earlier part of the navigation.
    """
    parts = [part for entry in config.nav for part in entry.values()]
    placed = {page for pages in parts if isinstance(pages, list) for page in pages if "*" not in page}
    for entry in config.nav:
        for title, pages in entry.items():
            if isinstance(pages, str):
                entry[title] = [f"{pages}{name}.md" for name in FOLDERS[pages]]
            else:
                entry[title] = [path for page in pages for path in _expanded(page, placed)]
                placed.update(entry[title])


def _expanded(page: str, placed: Container[str]) -> list[str]:
    """Return a page, or the pages that a pattern stands for."""
    if "*" not in page:
        return (
            [page]
            if page in ADDED or (DOCS / page).is_file() or DOCS / page in facts.generated_pages()
            else []
        )
    paths = sorted(path.relative_to(DOCS).as_posix() for path in DOCS.glob(page))
    return [path for path in paths if path not in placed]


def on_files(files: Any, config: Any) -> None:
    """Add the pages outside of docs/, and those that are generated as a whole."""
    for address, path in ADDED.items():
        files.append(
            File.generated(config, address, content=_moved(path.read_text(encoding="utf-8"), address))
        )
    for path in facts.generated_pages():
        address = path.relative_to(DOCS).as_posix()
        files.append(File.generated(config, address, content=facts.page_text(path)))


def _moved(text: str, address: str) -> str:
    """Return the text of a file outside of docs/ with its links as they are from its address in the site."""
    folder = os.path.dirname(address)
    return re.sub(r"\]\((?:\.\./)*docs/", f"]({'../' * bool(folder)}", text)


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Insert generated text, names of files and formulas; name files outside of the site, without links."""
    path = page.file.src_uri
    text = facts.with_facts(markdown)
    text = FILE.sub(lambda block: f'```{block["language"]} title="{block["name"]}"\n', text)
    return OUTSIDE.sub(lambda link: _outside(link, path), formulas.with_formulas(text))


def _outside(link: re.Match[str], page: str) -> str:
    """Return a link as it is if it stays in the site, else the path of the file in the repository."""
    target = os.path.normpath(f"docs/{os.path.dirname(page)}/{link['path'].partition('#')[0]}")
    if target.startswith("docs/"):
        return link[0]
    addresses = {path.relative_to(ROOT).as_posix(): address for address, path in ADDED.items()}
    if target in addresses:
        return f"[{link['text']}]({os.path.relpath(addresses[target], os.path.dirname(page) or '.')})"
    text = link["text"].strip("`")
    return f"`{target}`" if text in target else f"{link['text']} (`{target}`)"
