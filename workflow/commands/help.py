"""``crossbank help``: manual pages on study files, commands, and the entries of ``crossbank list``.

The texts are those of schemas and docstrings, which are in the package.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from inspect import cleandoc, getmodule
from json import dumps
from textwrap import wrap

import click

from crossbank.treebanks.yaml_schemas import Schema, mappings_in, record_schema, whole
from crossbank.workflow.commands import COMMANDS
from crossbank.workflow.commands.command import command
from crossbank.workflow.commands.list import LISTS, Entries, options, sections
from crossbank.workflow.commands.names import NAMES

INDENT = "  "

STUDY = "study"

SCHEME = "scheme"

MAX_WIDTH = 110
"""Largest number of characters in a line."""

EXAMPLES = ("crossbank help study", "crossbank help parseval")


@command(
    "help",
    EXAMPLES,
    group="help",
    help="explain a command, the keys of a study file, or a name of any list",
    position=230,
)
@click.argument(
    "topic",
    required=False,
    help="study (every key of a study file), a command, a list (metrics, schemes ...) or a name in one "
    "(parseval, tiger, export ...)",
)
def run(topic: str | None) -> None:
    """Print all pages on a topic. Raises OptionError for a topic without one."""
    texts = [contents()] if topic is None else list(pages(topic))
    if not texts:
        from crossbank.treebanks.errors import CrossbankError, meant

        expectation = meant(topic, topics())
        if expectation.startswith("expected"):
            expectation = "expected a topic that `crossbank help` lists"
        raise CrossbankError(f"help: found {topic!r}, {expectation}")
    print("\n\n".join(texts))


def pages(topic: str) -> Iterator[str]:
    """Yield all pages on a topic: a name may be that of a metric and of a format."""
    if topic == STUDY:
        from crossbank.reports.study.reading import keys_of_studies

        yield _table_of_keys("A Crossbank study.", keys_of_studies())
    elif topic in COMMANDS:
        yield _help_of_command(topic)
    if topic == SCHEME:
        from crossbank.converters.schemes.scheme import Scheme

        yield _table_of_keys("The keys of a scheme's file", record_schema(Scheme))
    if topic in LISTS:
        yield f"{topic.capitalize()}\n\n{_table(LISTS[topic]())}"
    named_pages = []
    for kind, page in PAGES.items():
        if topic in NAMES[kind]():
            named_pages.append(f"{kind.capitalize()} {topic}\n\n{page(topic)}")
    yield from named_pages
    # Breakdowns are found by counting an example, which takes longer than all else.
    if not named_pages and topic not in LISTS and (of := LISTS["breakdowns"]().get(topic)):
        yield f"Breakdown {topic}\n\n{of}: crossbank score GOLD CANDIDATE --metric NAME --by {topic}"


def topics() -> list[str]:
    """Return the topics that have a page, without breakdowns."""
    return [STUDY, *COMMANDS, *LISTS, *(name for kind in PAGES for name in NAMES[kind]())]


def contents() -> str:
    """Return the page without a topic: the list of topics."""
    kinds = {f"crossbank help {kind}": f"all {kind} with one line each" for kind in LISTS}
    return _table(
        {
            "crossbank help study": "every key of a study file",
            "crossbank help scheme": "every key of a scheme's file",
            "crossbank help COMMAND": "a command: score, convert, scheme ...: crossbank --help lists all",
            **kinds,
            "crossbank help NAME": "anything in these lists: parseval, tiger, export, raise_crossing ...",
        }
    )


def _help_of_command(name: str) -> str:
    from crossbank.workflow.commands.cli import COMMAND_LINE

    context = click.Context(COMMAND_LINE, info_name="crossbank", **COMMAND_LINE.context_settings)
    click_command = COMMAND_LINE.get_command(context, name)
    assert click_command is not None
    return click_command.get_help(click.Context(click_command, context, info_name=name))


def _metric(name: str) -> str:
    from crossbank.metrics.counting.metric import metric_class

    described = options(name)
    # The docstring's own list of options has no values and no defaults.
    listed = re.compile(rf"^(?:{'|'.join(described)}) {{2,}}.+(?:\n .+)*\n*", re.M)
    metric = metric_class(name)
    text = sections(metric.__doc__)
    # Formula and example are for the page in the documentation.
    parts = [
        listed.sub("", text[""]),
        *(text[title] for title in ("When to use it", "Definition") if title in text),
    ]
    parts.append(cleandoc(getattr(getmodule(metric), "__doc__", "") or ""))
    return "\n\n".join([*map(_plain, parts), f"Options\n\n{_table(described)}"])


def _format(name: str) -> str:
    from crossbank.treebanks.formats import REGISTRY, format_named
    from crossbank.treebanks.formats.format import CONTENTS

    format = format_named(name)
    notes = [f"Names of files end in {', '.join(format.suffixes)}."] if format.suffixes else []
    notes += [] if format.written else ["It is only read."]
    if format.holds is not None and (left_out := [name for name in CONTENTS if name not in format.holds]):
        notes.append(f"Dropped when written: {', '.join(left_out)}.")
    if unfit := [*format.refuses, *format.changes]:
        notes.append(f"It cannot hold {', '.join(unfit)}: see crossbank convert --resolve.")
    return "\n\n".join([_documented(REGISTRY.load(name)), *notes])


def _transformation(name: str) -> str:
    from crossbank.converters.transformations import REGISTRY

    return _documented(REGISTRY.load(name))


def _mode(name: str) -> str:
    from crossbank.metrics.modes.modes_by_name import REGISTRY, mode_named

    return f"{mode_named(name).label}\n\n{_documented(REGISTRY.load(name))}"


def _scheme(name: str) -> str:
    from crossbank.converters.scheme_files import load_scheme

    scheme = load_scheme(name)
    parts = [scheme.title, "Sources\n\n" + "\n".join(f"- {source}" for source in scheme.sources)]
    parts.append(f"Views: {', '.join(scheme.views) or 'none'}")
    parts += [f"{kind.capitalize()}\n\n{_table(dict(names))}" for kind, names in scheme.inventory.items()]
    return "\n\n".join(parts)


def _profile(name: str) -> str:
    from crossbank.workflow.named_profiles import profile_text

    return profile_text(name).rstrip()


PAGES: Mapping[str, Callable[[str], str]] = {
    "metric": _metric,
    "format": _format,
    "scheme": _scheme,
    "transformation": _transformation,
    "mode": _mode,
    "profile": _profile,
}
"""The function that returns the page on a name, by the type of name."""


def _documented(thing: object) -> str:
    """Return the docstring of a module, a class or a function, and that of its module."""
    module = getmodule(thing)
    texts = [cleandoc(one.__doc__ or "") for one in dict.fromkeys((thing, module)) if one is not None]
    return _plain("\n\n".join(filter(None, texts)))


def _plain(text: str) -> str:
    return text.strip().replace("``", "").replace("::\n", ":\n")


def _table(entries: Entries) -> str:
    column = max(map(len, entries), default=0) + 2
    return "\n".join(
        line
        for name, meaning in entries.items()
        for line in wrap(f"{name:<{column}}{meaning}", _width(), subsequent_indent=" " * column)
    )


def _width() -> int:
    """Return the number of characters in a line: those of the terminal, and not more than can be read."""
    return min(shutil.get_terminal_size((MAX_WIDTH, 24)).columns, MAX_WIDTH)


def _table_of_keys(title: str, schema: Schema) -> str:
    """Return every key of a file, in the form of the file."""
    return "\n".join([title, "", *_keys(schema, "")])


def _keys(schema: Schema, indent: str) -> Iterator[str]:
    """Yield the keys of a mapping and the description of each; below it, the keys of its value."""
    for key, value in schema.get("properties", {}).items():
        yield f"{indent}{key}:"
        description = _describe(value, required=key in schema.get("required", ()))
        begin = f"{indent}{INDENT}# "
        yield from wrap(description, _width(), initial_indent=begin, subsequent_indent=begin)
        for number, (mapping, is_listed) in enumerate(mappings_in(value)):
            if number:
                yield f"{indent}{INDENT}# or, instead:"
            below = list(_keys(mapping, f"{indent}{INDENT}{INDENT if is_listed else ''}"))
            if is_listed and below:
                below[0] = f"{indent}{INDENT}- {below[0].lstrip()}"
            yield from below


def _describe(value: Schema, *, required: bool) -> str:
    value = whole(value)
    description = value.get("description", "")
    if "enum" in value:
        description = "; ".join(filter(None, (description, f"one of {', '.join(map(str, value['enum']))}")))
    if required:
        return f"{description} (required)".strip()
    if "default" in value:
        return f"{description} (default: {dumps(value['default'], ensure_ascii=False)})"
    return f"{description} (without it: {value['otherwise']})" if "otherwise" in value else description
