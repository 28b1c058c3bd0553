"""Reference text that is generated from the code, for the pages of the documentation.

A line ``<!-- facts: NAME ARGUMENT -->`` on a page stands for the text that the function NAME returns. The
pages of metrics, formats and schemes are generated as a whole. No such text is committed: pages.py inserts it
when the site is built.
``python docs/hooks/facts.py`` writes the schema of study files.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import command_reference
import format_facts
import metric_facts
import parser_facts
import python_facts
import report_facts
import scheme_facts
import study_keys
import transformation_facts
import yaml

from crossbank.converters.scheme_files import scheme_names
from crossbank.metrics.counting.metric import METRICS
from crossbank.reports.study.reading import study_schema
from crossbank.treebanks.formats import FORMATS

DOCS = Path(__file__).resolve().parents[1]
STUDY_SCHEMA = DOCS.parent / "workflow" / "schemas" / "config.schema.yaml"

FACTS: dict[str, Callable[..., str]] = {
    "breakdowns": metric_facts.breakdowns,
    "commands": command_reference.commands,
    "formats": format_facts.formats,
    "keys": study_keys.keys,
    "losses": format_facts.losses,
    "metrics": metric_facts.metrics,
    "modes": metric_facts.modes,
    "parsers": parser_facts.parsers,
    "python": python_facts.python,
    "sections": report_facts.sections,
    "scheme_keys": study_keys.scheme_keys,
    "scheme_parts": scheme_facts.parts,
    "schemes": scheme_facts.schemes,
    "shared_options": metric_facts.shared_options,
    "transformations": transformation_facts.transformations,
}
"""The function of each marker."""

MARKER = re.compile(r"^<!-- facts: (?P<name>\w+)(?: (?P<argument>\S+))? -->$", re.M)


def generated_pages() -> Mapping[Path, Callable[[], str]]:
    """Return the function of each page that is generated as a whole, by the path of the page in docs/."""
    folders = (
        ("metrics", METRICS, metric_facts.metric_page),
        ("formats", FORMATS, format_facts.format_page),
        ("schemes", scheme_names(), scheme_facts.scheme_page),
    )
    return {
        DOCS / folder / f"{name}.md": partial(page, name) for folder, names, page in folders for name in names
    }


def with_facts(text: str) -> str:
    """Return the text of a page with its markers replaced."""

    def facts(marker: re.Match[str]) -> str:
        function, argument = FACTS[marker["name"]], marker["argument"]
        return _without_double_blank_lines(function() if argument is None else function(argument)).strip()

    return MARKER.sub(facts, text)


def page_text(path: Path) -> str:
    """Return the Markdown of a page as the site has it, generated text included."""
    generate = generated_pages().get(path)
    if generate is not None:
        return _without_double_blank_lines(generate())
    return with_facts(path.read_text(encoding="utf-8"))


def _without_double_blank_lines(text: str) -> str:
    return re.sub(r"\n{3,}", "\n\n", text)


def study_schema_text() -> str:
    """Return the schema of study files, which catalogues of workflows and editors look for, as YAML."""
    head = "# Written by docs/hooks/facts.py from reports/study/model.py.\n"
    return head + yaml.safe_dump(study_schema(), sort_keys=False, allow_unicode=True, width=110)


if __name__ == "__main__":
    STUDY_SCHEMA.write_text(study_schema_text(), encoding="utf-8")
