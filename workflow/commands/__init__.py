"""Commands, one module each: a click command with ``@command``, which gives its name, its help and its group.

It may return an exit code, else it is 0. ``EXAMPLES`` are calls for the end of its help, which a test makes.
A module is imported when its command is called, completed or explained. So ``crossbank --help`` loads none.
"""

from __future__ import annotations

from crossbank.plugins.packages import bundled, installed

COMMAND = "command"

OTHER = "other"
"""The group of commands that name none."""

COMMANDS = {added.name: added.declared.values["help"] for added in bundled(COMMAND)}
"""The help on each of Crossbank's own commands, in the order of the list."""


def grouped_commands() -> dict[str, dict[str, str]]:
    """Return the help on all commands, in groups by what they are for, each where its first command is."""
    groups: dict[str, dict[str, str]] = {}
    for added in (*bundled(COMMAND), *installed(COMMAND)):
        group = groups.setdefault(added.declared.values.get("group", OTHER), {})
        group.setdefault(added.name, added.declared.values.get("help", ""))
    other = groups.pop(OTHER, {})
    return {**groups, OTHER: other} if other else groups
