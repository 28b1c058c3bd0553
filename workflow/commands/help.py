"""``crossbank help``: the manual's page on anything that has a name."""

from __future__ import annotations

from argparse import Namespace

from crossbank.workflow.commands.cli import Parser

EXAMPLES = ("crossbank help study", "crossbank help parseval")


def arguments(parser: Parser) -> None:
    """Add the arguments of the command."""
    parser.value(
        "topic",
        "TOPIC",
        "study (every key of a study file), a command, a list (metrics, schemes ...) or a name in one "
        "(parseval, tiger, export ...)",
        nargs="?",
    )


def run(given: Namespace) -> None:
    """Print all pages on a topic. Raises OptionError for a topic without one."""
    from crossbank.workflow.commands.manual import contents, pages, topics

    found = [contents()] if given.topic is None else list(pages(given.topic))
    if not found:
        from crossbank.treebanks.errors import CrossbankError, meant

        said = meant(given.topic, topics())
        if said.startswith("expected"):
            said = "expected a topic that `crossbank help` lists"
        raise CrossbankError(f"help: found {given.topic!r}, {said}")
    print("\n\n".join(found))
