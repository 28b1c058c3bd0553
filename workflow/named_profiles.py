"""Snakemake's profiles that come with Crossbank, by name: where and how the jobs of a study run."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

PROFILES = Path(__file__).resolve().parent / "profiles"

OPTION = "--profile"


def profile_names() -> list[str]:
    """Return the names of the profiles."""
    return sorted(path.parent.name for path in PROFILES.glob("*/config.yaml"))


def profile_text(name: str) -> str:
    """Return the content of a profile's file, whose first comment says what it is for."""
    return (PROFILES / name / "config.yaml").read_text(encoding="utf-8")


def with_paths(words: Sequence[str]) -> list[str]:
    """Return Snakemake's arguments with the path of each profile of Crossbank in place of its name.

    A folder or a file of that name goes first, and other names are looked for as Snakemake does. Raises
    OptionError if there is none of the name.
    """
    named = False
    written = []
    for word in words:
        flag, equals, name = word.partition("=")
        if named:
            written.append(_path(word))
        elif flag == OPTION and equals:
            written.append(f"{OPTION}={_path(name)}")
        else:
            written.append(word)
        named = not named and word == OPTION
    return written


def check_plugins(words: Sequence[str]) -> None:
    """Raise CrossbankError if a profile among Snakemake's arguments needs a plugin that is not installed.

    words  the arguments with the paths of Crossbank's profiles; other profiles are left to Snakemake
    """
    import yaml

    from crossbank.treebanks.errors import CrossbankError

    for name in profile_names():
        if not {str(PROFILES / name), f"{OPTION}={PROFILES / name}"} & set(words):
            continue
        executor = yaml.safe_load(profile_text(name)).get("executor", "local")
        plugin = f"snakemake-executor-plugin-{executor}"
        if executor != "local" and find_spec(plugin.replace("-", "_")) is None:
            raise CrossbankError(
                f'{OPTION} {name}: {plugin} is not installed: pip install "crossbank[{executor}]"'
            )


def _path(name: str) -> str:
    """Return the profile of a name, as Snakemake is to be given it."""
    from crossbank.treebanks.errors import OptionError

    if Path(name).exists():
        return name
    if name in profile_names():
        return str(PROFILES / name)
    from snakemake.common import get_appdirs

    # The folders in which Snakemake looks for profiles by name, besides the current one.
    dirs = get_appdirs()
    folders = (dirs.user_config_dir, *dirs.site_config_dir.split(os.pathsep))
    if not any(Path(folder, name).exists() for folder in folders):
        raise OptionError(OPTION, name, [*profile_names(), "the folder of a profile of your own"])
    return name
