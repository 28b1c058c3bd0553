"""Memory that this process may take, asked for before large arrays are made.

Some measures take memory by the square of a sentence's length. Where that would be more than there is, the
system ends the process without a word, or an allocation fails in the middle: so the size is estimated first.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from crossbank.treebanks.errors import CrossbankError, OptionError, located
from crossbank.treebanks.named_arguments import argument
from crossbank.treebanks.quantities import quantity

MEMORY = "CROSSBANK_MEMORY"
"""The environment variable that sets the limit: ``4G``, ``500M``. A number alone is bytes."""

UNITS = {"": 0, "K": 10, "M": 20, "G": 30, "T": 40}

WORTH_A_LOOK = 1 << 26
"""Below this many bytes nobody asks the system."""

CONTROL_GROUP = Path("/sys/fs/cgroup")


class MemoryLimitError(CrossbankError):
    """Work that needs more memory than the process may take.

    where, what   the file or sentence, and what takes the memory
    size, limit   the bytes that it needs, and those that the process may take; None if they are not known
    """

    def __init__(self, where: str, what: str, size: int | None, limit: int | None) -> None:
        self.where, self.what, self.size, self.limit = where, what, size, limit
        option = argument("memory", in_python=MEMORY, in_study=MEMORY)
        needed = "more memory" if size is None else f"{format_size(size)} of memory"
        allowed = "than there is" if limit is None else f"but at most {format_size(limit)} may be used"
        separator = " " if size is None and limit is None else ", "
        super().__init__(
            located(where, f"{what} needs {needed}{separator}{allowed} ({option} sets the limit)")
        )


def require(size: int, where: str, what: str) -> None:
    """Raise MemoryLimitError where ``size`` bytes are more than this process may take.

    ``where`` and ``what`` say whose they are: the sentence and its length.
    """
    if size < WORTH_A_LOOK and MEMORY not in os.environ:
        return
    most = limit()
    if most is not None and size > most:
        raise MemoryLimitError(where, what, size, most)


BYTES_OF_A_BYTE = 4
"""The memory that a byte of text takes at least while it is read, in the formats with compiled readers."""


def require_for_text(size: int, where: str) -> None:
    """Raise MemoryLimitError if a text of ``size`` bytes takes more than this process may take."""
    needed = BYTES_OF_A_BYTE * size
    if needed >= WORTH_A_LOOK or MEMORY in os.environ:
        require(needed, where, f"{format_size(size)} of text to be read at once")


STACK = 1 << 23
"""The bytes that a thread reserves and hardly uses."""


@contextmanager
def enforced() -> Iterator[None]:
    """Let allocations beyond the limit of ``CROSSBANK_MEMORY`` fail, until the end of the block.

    Not everything can be estimated before it is allocated: the tables of a text depend on its words. The
    system refuses memory to this process then, on systems that have such a limit (Linux), and Python raises
    MemoryError, which is raised as MemoryLimitError here.
    """
    allowed = limit() if os.environ.get(MEMORY) else None
    try:
        with _limited(allowed):
            yield
    except MemoryError as error:
        raise MemoryLimitError("", "this work", None, allowed) from error


@contextmanager
def _limited(allowed: int | None) -> Iterator[None]:
    used = _used()
    if allowed is None or used is None:
        yield
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    most = used + allowed + STACK * (os.cpu_count() or 1)
    resource.setrlimit(resource.RLIMIT_DATA, (min(most, hard) if hard >= 0 else most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _used() -> int | None:
    """Return the bytes of data that this process has, None if the system does not say."""
    try:
        status = Path("/proc/self/status").read_text("ascii", errors="replace")
    except OSError:
        return None
    match = re.search(r"^VmData:\s*(\d+) kB", status, re.MULTILINE)
    return int(match[1]) << 10 if match else None


def limit() -> int | None:
    """Return the bytes that this process may take: ``CROSSBANK_MEMORY``, else free memory; None: unknown."""
    if written := os.environ.get(MEMORY, ""):
        return size_of(written)
    known = [size for size in (_of_control_group(), _of_machine()) if size is not None]
    return min(known, default=None)


def at_most(size: int) -> int:
    """Return a number of bytes, or those that this process may take where they are fewer."""
    return min(size, limit() or size)


def set_limit(written: str) -> None:
    """Set the limit of this process and its children. Raises OptionError if the value is not a size."""
    size_of(written)
    os.environ[MEMORY] = written


def size_of(written: str) -> int:
    """Return a number of bytes from ``4G``. Raises OptionError if the value is not a size, or 0."""
    match = re.fullmatch(r"(\d{1,9}(?:\.\d{1,3})?)([KMGT]?)(?:i?B)?", written.strip(), re.I)
    size = int(float(match[1]) * (1 << UNITS[match[2].upper()])) if match else 0
    if not size:
        raise OptionError("memory", written, "a size such as 500M or 4G")
    return size


def format_size(size: int) -> str:
    """Return a number of bytes as text: ``596.0 GB``."""
    for unit in ("G", "M"):
        if size >= 1 << UNITS[unit]:
            return f"{size / (1 << UNITS[unit]):,.1f} {unit}B"
    return f"{quantity(size, 'byte')}"


def _of_machine() -> int | None:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None


def _of_control_group() -> int | None:
    """Return the limit of the container, where the system has one."""
    for name in ("memory.max", "memory/memory.limit_in_bytes"):
        try:
            written = (CONTROL_GROUP / name).read_text("ascii").strip()
        except (OSError, ValueError):
            continue
        if written.isdecimal():
            return int(written)
    return None
