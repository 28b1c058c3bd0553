"""Set up Snakemake's cache, which is in the user's home and required."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory

VARIABLE = "XDG_CACHE_HOME"

FOLDER = Path(".snakemake") / "cache"
"""The cache's folder within a study if the home cannot be written to."""


def cache_folder() -> Path:
    """Return the folder of Snakemake's cache; its path begins with ``~`` for a user without a home."""
    from platformdirs import user_cache_dir

    try:
        return Path(user_cache_dir("snakemake", "snakemake"))
    except RuntimeError:
        return Path("~/.cache/snakemake")


def is_writable(folder: Path) -> bool:
    """Return whether files can be written to a folder, which is made if it is missing."""
    if not folder.is_absolute():
        return False
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=folder):
            return True
    except OSError:
        return False


def provide_cache() -> None:
    """Let Snakemake and its jobs keep the cache in the study's folder if the home cannot be written to."""
    if not is_writable(cache_folder()):
        os.environ[VARIABLE] = str(FOLDER.absolute())
