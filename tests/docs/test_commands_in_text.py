"""Text of a page outside its blocks: commands and their options are known, and links lead to files."""

import re
from collections.abc import Iterator
from pathlib import Path

import click
from facts import generated_pages, page_text

from crossbank.workflow.commands import COMMANDS
from crossbank.workflow.commands.cli import COMMAND_LINE
from tests.cases import each
from tests.docs.blocks import GUIDES, PAGES, ROOT

EVERY = [*GUIDES, *PAGES, *generated_pages()]

FENCED = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)
WITHIN = re.compile(r"`crossbank ([a-z]\w*)((?:[^`\n]|\n(?!\n))*)`")
INDENTED = re.compile(r"^    (?:crossbank|snakemake|make|pip|python) .*", re.MULTILINE)
LINK = re.compile(r"\]\((?!\w+:)([^)#\s]+)(?:#[^)]*)?\)")


def text_of(page: Path) -> str:
    """Return the page, generated text included, without its blocks."""
    return FENCED.sub("", page_text(page))


def options_of(command: str) -> set[str]:
    """Return the options of a command and of the commands within it."""
    actual = COMMAND_LINE.get_command(click.Context(COMMAND_LINE), command)
    assert actual is not None
    return set(_options(actual))


def _options(command: click.Command) -> Iterator[str]:
    for param in command.params:
        yield from param.opts
    for inner in command.commands.values() if isinstance(command, click.Group) else ():
        yield from _options(inner)


@each(page=EVERY)
def test_commands_in_the_text_are_known(page: Path) -> None:
    for command, rest in WITHIN.findall(text_of(page)):
        assert command in COMMANDS
        known = options_of(command) | ({"--dry-run", "--jobs"} if command == "study" else set())
        assert set(re.findall(r"(?<=\s)--[\w-]+", rest)) <= known


@each(page=EVERY)
def test_all_commands_stand_in_blocks_that_are_run(page: Path) -> None:
    assert INDENTED.findall(text_of(page)) == []


@each(name=("README.md", "CONTRIBUTING.md", "config/README.md"))
def test_links_lead_to_files(name: str) -> None:
    page = ROOT / name
    links = LINK.findall(text_of(page))
    assert [link for link in links if not (page.parent / link).exists()] == []
