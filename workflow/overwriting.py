"""A command does not write over the file that it reads."""

from __future__ import annotations

import os

from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.files import matching


def refuse_overwriting(target: str, *sources: str) -> None:
    """Raise CrossbankError if a file that a command reads is the one that it would write."""
    for path in (path for source in sources for path in matching(source)):
        if os.path.isfile(target) and os.path.exists(path) and os.path.samefile(path, target):
            raise CrossbankError(f"{target}: this file is read; name another one to write")
