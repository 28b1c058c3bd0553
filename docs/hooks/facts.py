"""What the code says of itself, written into the pages: ``python docs/hooks/facts.py``.

Between a line ``<!-- facts: NAME ARGUMENT -->`` and a line ``<!-- end of facts -->`` stands what the function
of that name gives, so that pages can be read as they are. Formats and schemes have a page for each name.
A test tells the pages that are not as the code is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import command_reference
import format_facts
import metric_facts
import parser_facts
import python_facts
import scheme_facts
import study_keys
import transformation_facts
import yaml

from crossbank.converters.scheme_files import scheme_names
from crossbank.reports.study.reading import study_schema
from crossbank.treebanks.formats import FORMATS

DOCS = Path(__file__).resolve().parents[1]
STUDY_SCHEMA = DOCS.parent / "workflow" / "schemas" / "config.schema.yaml"

FACTS: dict[str, Callable[..., str]] = {
    "breakdowns": metric_facts.breakdowns,
    "commands": command_reference.commands,
    "format": format_facts.format_page,
    "formats": format_facts.formats,
    "keys": study_keys.keys,
    "losses": format_facts.losses,
    "metric": metric_facts.metric,
    "metrics": metric_facts.metrics,
    "modes": metric_facts.modes,
    "parsers": parser_facts.parsers,
    "python": python_facts.python,
    "scheme": scheme_facts.scheme_page,
    "scheme_parts": scheme_facts.parts,
    "schemes": scheme_facts.schemes,
    "shared_options": metric_facts.shared_options,
    "transformations": transformation_facts.transformations,
}
"""The function of each marker."""

OF_THE_PAGE = ("format", "metric", "scheme")
"""The facts whose argument is the name of the page where none is given."""

END = "<!-- end of facts -->"
FOUND = re.compile(rf"^<!-- facts: (?P<name>\w+)(?: (?P<argument>\S+))? -->$.*?^{END}$", re.M | re.S)


def pages() -> list[Path]:
    """Return the pages that have facts; those of formats and schemes need not be there yet."""
    own = [DOCS / "formats" / f"{name}.md" for name in FORMATS]
    own += [DOCS / "schemes" / f"{name}.md" for name in scheme_names()]
    other = (path for path in sorted(DOCS.rglob("*.md")) if path not in own)
    return own + [path for path in other if "<!-- facts: " in path.read_text(encoding="utf-8")]


def written(path: Path) -> str:
    """Return the text of a page with the facts as they are now."""
    kind = {"formats": "format", "schemes": "scheme"}.get(path.parent.name, "")
    if kind and path.stem != "index":
        text = f"<!-- facts: {kind} -->\n{END}\n"
    else:
        text = path.read_text(encoding="utf-8")
    return FOUND.sub(lambda marker: _filled(marker, path.stem), text)


def _filled(marker: re.Match[str], page: str) -> str:
    argument = marker["argument"] or (page if marker["name"] in OF_THE_PAGE else None)
    function = FACTS[marker["name"]]
    facts = re.sub(r"\n{3,}", "\n\n", function() if argument is None else function(argument))
    first = marker[0].partition("\n")[0]
    return f"{first}\n\n{facts.strip()}\n\n{END}"


def study_schema_text() -> str:
    """Return the schema of study files, which catalogues of workflows and editors look for, as YAML."""
    head = "# Written by docs/hooks/facts.py from reports/study/model.py.\n"
    return head + yaml.safe_dump(study_schema(), sort_keys=False, allow_unicode=True, width=110)


if __name__ == "__main__":
    STUDY_SCHEMA.write_text(study_schema_text(), encoding="utf-8")
    for path in pages():
        text = written(path)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(path.relative_to(DOCS.parent))
