"""Pages of reference: complete, in the navigation, and taken from the code."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from command_reference import commands
from docstring_text import as_markdown
from facts import FACTS, MARKER, generated_pages, page_text, with_facts
from format_facts import format_page
from format_losses import LAYERS, kept
from metric_facts import metric_page
from papers import reference
from scheme_facts import scheme_page
from study_keys import keys, rows
from transformation_facts import transformations

import crossbank
from crossbank.converters.scheme_files import scheme_names
from crossbank.converters.transformations import TRANSFORMATIONS
from crossbank.metrics.counting.metric import METRICS, metric_class
from crossbank.metrics.counting.presentation import metric_title
from crossbank.metrics.counting.scoring import SHARED
from crossbank.reports.sections.cite import load_entries
from crossbank.reports.study.reading import study_schema
from crossbank.treebanks.formats import FORMATS
from crossbank.treebanks.formats.format import CONTENTS
from crossbank.workflow.commands import COMMANDS
from crossbank.workflow.commands.list import options, sections
from tests.cases import each
from tests.docs.blocks import METRIC_PAGES, ROOT, blocks_of

DOCS = ROOT / "docs"

PAGES = [*sorted(DOCS.rglob("*.md")), *sorted(ROOT.glob("parsers/*.md"))]
"""The pages that may have markers."""

PARTS = ["When to use it", "Definition", "Formula", "Example", "Other programs"]
"""The sections of a metric's docstring in their order; it may lack all but formula and example."""


@each(path=[path for path in PAGES if "<!-- facts: " in path.read_text(encoding="utf-8")])
def test_every_marker_is_replaced(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(MARKER.findall(text)) == text.count("<!-- facts: ")
    assert "<!-- facts: " not in page_text(path)


def test_every_generated_text_is_used() -> None:
    markers = MARKER.findall("".join(path.read_text(encoding="utf-8") for path in PAGES))
    assert {name for name, _ in markers} == {*FACTS}


def test_only_markers_are_replaced() -> None:
    assert with_facts("# A page\n\nIts text.\n") == "# A page\n\nIts text.\n"


def test_the_pages_of_metrics_formats_and_schemes_are_generated() -> None:
    pages = generated_pages()
    assert {path.stem for path in pages if path.parent == DOCS / "metrics"} == {*METRICS}
    assert {path.stem for path in pages if path.parent == DOCS / "formats"} == {*FORMATS}
    assert {path.stem for path in pages if path.parent == DOCS / "schemes"} == {*scheme_names()}
    assert [path for path in pages if path.exists()] == [], "generated pages are not committed"


@each(path=generated_pages())
def test_a_generated_page_names_the_files_that_it_is_generated_from(path: Path) -> None:
    title, line = page_text(path).split("\n\n")[:2]
    assert title == f"# {metric_title(path.stem) if path.parent.name == 'metrics' else path.stem}"
    files = re.findall(r"`([^`]+)`", line)
    assert line.startswith("*Generated from ")
    assert files
    assert all((ROOT / file).is_file() for file in files)


@each(name=METRICS)
def test_the_docstring_of_a_metric_has_formula_and_example(name: str) -> None:
    text = sections(metric_class(name).__doc__)
    assert [title for title in PARTS if title in text] == [title for title in text if title]
    assert all(text.values())
    assert re.search(r"^```math\n.+\n```$", text["Formula"], re.M | re.S)
    assert re.search(rf"^\$ crossbank .*--metric {name}\b", text["Example"], re.M)
    blocks = blocks_of(METRIC_PAGES[name])
    run = [command for block in blocks for command in block.commands() if "file" not in block.notes]
    assert all(command.output for command in run)


@each(name=METRICS)
def test_the_facts_of_a_metric_name_its_measures_options_and_papers(name: str) -> None:
    text, actual = metric_page(name), metric_class(name)
    for measure in actual.measures:
        assert f"`{measure.name}`" in text
    for option in options(name):
        assert f"`{option}`" in text or option in SHARED
    for paper in actual.papers:
        assert reference(paper) in text


def test_every_metric_has_a_paper() -> None:
    assert [name for name in METRICS if not metric_class(name).papers] == []


def test_references_have_no_trace_of_latex() -> None:
    assert reference("demsar-2006").startswith("Demšar, Janez (2006): *")
    for key in load_entries():
        assert re.fullmatch(r"[^{}\\]+ \(\d{4}\): \*[^{}\\]+\*\. [^{}\\]+\.", reference(key))


@each(name=FORMATS)
def test_the_page_of_a_format_says_what_is_lost(name: str) -> None:
    text = format_page(name)
    assert "## What is kept and what is lost\n" in text
    assert len(text.split("## At a glance")[0].split()) > 10


def test_losses_are_those_that_are_known() -> None:
    assert set(kept("parquet").values()) == {"yes"}
    assert kept("conllu")["constituents"] == "no"
    assert kept("conllu")["further heads"] == "yes"
    assert kept("export")["discontinuous constituents"] == "yes"
    assert kept("bracket")["discontinuous constituents"] == "refused"
    assert kept("bracket")["functions of phrases"] == "in the label"
    assert {name for name in FORMATS if kept(name)} >= {"bracket", "tigerxml", "conllx", "nbest", "text"}
    assert all(set(kept(name)) in ({*LAYERS}, set()) for name in FORMATS)


CONTENT = {"functions of phrases": "functions", "functions of words": "functions"}
"""The content to which a layer belongs, where their names are not the same."""


@each(name=[name for name, format in FORMATS.items() if format.holds is not None])
def test_what_is_kept_is_what_the_format_says_that_it_holds(name: str) -> None:
    holds = {*(FORMATS[name].holds or ())}
    if name == "auto":
        holds.add("morphology")  # It keeps that of words and loses that of nodes, which stand for rules.
    for layer, report in kept(name).items():
        if (content := CONTENT.get(layer, layer)) in CONTENTS and report != "refused":
            assert (report != "no") == (content in holds), layer


@each(name=scheme_names())
def test_the_page_of_a_scheme_has_sources_views_and_what_it_lacks(name: str) -> None:
    text = scheme_page(name)
    for part in ("Sources", "Conventions", "Views", "What is supported"):
        assert f"## {part}\n" in text


def keys_of(part: Any, schema: dict[str, Any]) -> Iterator[str]:
    """Yield the names of all keys below a part of the schema."""
    if isinstance(part, dict):
        for name, value in part.items():
            if name == "properties":
                yield from value
            yield from keys_of(value, schema)
    elif isinstance(part, list):
        for value in part:
            yield from keys_of(value, schema)


def test_the_manual_of_studies_has_every_key_of_the_schema() -> None:
    manual = (DOCS / "study_keys.md").read_text(encoding="utf-8")
    parts = re.findall(r"^<!-- facts: keys (\w+) -->$", manual, re.M)
    displayed = [row[0].strip("`") for part in parts for row in rows(part)]
    assert {row[0].strip("`") for row in rows("treebank_files")} <= set(displayed), (
        "a pattern has no keys of its own"
    )
    named = {name for key in displayed for name in key.replace("[]", "").split(".")}
    schema = study_schema()
    assert set(keys_of(schema, schema)) == named


def test_keys_have_type_meaning_and_default() -> None:
    for row in rows("study"):
        assert all(row), row
    assert "| `bootstrap.samples` | whole number |" in keys("study")
    assert "| `published[].scores[].candidate` | name |" in keys("study")
    assert "| `training.sizes` | list of whole number or `all` |" in keys("candidate")


def test_every_command_and_every_transformation_is_there() -> None:
    text = commands()
    assert re.findall(r"^## crossbank (.+)$", text, re.M) == [*COMMANDS]
    assert "`--scheme SCHEME`" in text
    assert "### crossbank scheme new\n" in text
    assert [line for line in text.splitlines() if line.endswith("|  |")] == []
    assert re.findall(r"^## (.+)$", transformations(), re.M) == [*TRANSFORMATIONS]


def test_the_python_reference_has_the_public_face() -> None:
    text = page_text(DOCS / "api.md").partition("\n## Metrics\n")[0]
    displayed = re.findall(r"^### crossbank\.(\w+)$", text, re.M)
    # The version is a string, which has no documentation of its own.
    assert sorted(displayed) == sorted(set(crossbank.__all__) - {"__version__"})


def test_nothing_comes_from_another_host() -> None:
    site = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    assert site["theme"]["font"] is False
    own = (*site["extra"]["polyfills"], *site["extra_css"])
    assert [path for path in own if not (DOCS / path).is_file()] == []


@pytest.mark.parametrize(
    ("docstring", "markdown"),
    [
        ("A ``word``.", "A `word`."),
        ("Read it::\n\n    load(path)\n\nDone.", "Read it:\n\n    load(path)\n\nDone."),
        (
            "First.\n\nform, lemma  as they stand\nhead         the token ``i`` |\n             above",
            "First.\n\n| name | meaning |\n| --- | --- |\n| `form`, `lemma` | as they stand |\n"
            "| `head` | the token `i` \\| above |\n",
        ),
        ("==  ==\na   b\n==  ==\nc   d\n==  ==", "| a | b |\n| --- | --- |\n| c | d |\n"),
    ],
)
def test_docstrings_become_markdown(docstring: str, markdown: str) -> None:
    assert as_markdown(docstring) == markdown
