"""A file that a step makes, and makes again only where it would come out otherwise.

A job makes several files. Beside each one stands a record of what it was made from: a digest of the
settings and the code, and the checksums of the inputs. Where all of this is as it was and the file is
whole, it stays as it is. A file is written under another name and renamed when it is complete, so that
a job that is killed leaves no half of one behind.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from crossbank.reports.results.failures import failure_in, write_failure
from crossbank.treebanks.errors import CrossbankError, OutputError
from crossbank.treebanks.files import checksum
from crossbank.workflow.steps.store import Store

RECORDS = ".made"
"""The folder of the records, beside the files."""


@dataclass(frozen=True)
class Product:
    """A file to make.

    inputs    the files that it is made from, besides those that the digest covers
    digest    of the settings and the code; the empty string stands for ``always make it``
    forgiven  whether the message is written in its place where it cannot be made
    names     the names that the file keeps of its inputs, where it does
    """

    path: Path
    inputs: Sequence[Path]
    digest: str = ""
    forgiven: bool = False
    names: Sequence[str] = ()

    def make(self, write: Callable[[Path], object]) -> bool:
        """Make the file unless it is there already; return whether it was made.

        ``write`` is called with the name of a file to write. Raises CrossbankError where it cannot be
        made, unless it is ``forgiven``; and in any case where a disk is full, or where an input is a damaged
        product. That one is taken away, so that the same command makes it again.
        """
        for path in self.inputs:
            check_whole(path)
        source = {"digest": self.digest, "inputs": [checksum(path) for path in self.inputs]}
        if self.digest and self._is_whole(source):
            return False
        self.path.parent.mkdir(parents=True, exist_ok=True)
        part = part_of(self.path)
        store = Store.of_run() if self.digest else None
        made_from = {**source, "names": list(self.names)}
        try:
            if store is not None and store.fetch(made_from, part):
                print(f"{self.path.name}: from the store", file=sys.stderr)
            elif self._write(write, part) and store is not None:
                store.keep(made_from, part)
            os.replace(part, self.path)
        finally:
            part.unlink(missing_ok=True)
        if self.digest:
            record = record_of(self.path)
            record.parent.mkdir(exist_ok=True)
            part = part_of(record)
            part.write_text(json.dumps({"of": source, "sha256": checksum(self.path)}), encoding="utf-8")
            os.replace(part, record)
        return True

    def make_or_tell(self, write: Callable[[Path], object]) -> None:
        """Make the file; where it is there already, say so on stderr."""
        if not self.make(write):
            print(f"{self.path.name}: as before", file=sys.stderr)

    def _write(self, write: Callable[[Path], object], part: Path) -> bool:
        """Write the file, or why it cannot be made; return whether it is the file."""
        try:
            for message in filter(None, map(failure_in, self.inputs)):
                raise CrossbankError(message)
            write(part)
        except CrossbankError as error:
            if not self.forgiven or isinstance(error, OutputError):
                raise
            write_failure(part, str(error))
            print(error, file=sys.stderr)
            return False
        return True

    def _is_whole(self, source: object) -> bool:
        """True if the file was made from this, and nobody has changed it since."""
        try:
            record = json.loads(record_of(self.path).read_text(encoding="utf-8"))
            return bool(record["of"] == source and record["sha256"] == checksum(self.path))
        except (OSError, ValueError, KeyError, TypeError):
            return False


def check_whole(path: Path) -> None:
    """Raise CrossbankError for a product whose content is not what was written there, and take it away."""
    if not is_whole(path):
        path.unlink()
        said = "found other content than was written there, expected the same"
        raise CrossbankError(f"{path}: {said} (the file is taken away; the same command makes it again)")


def is_whole(path: Path, compute: Callable[[Path], str] = checksum) -> bool:
    """True unless a record says that other content was written there, by a function of checksums."""
    try:
        written = json.loads(record_of(path).read_text(encoding="utf-8"))["sha256"]
    except (OSError, ValueError, KeyError, TypeError):
        return True
    return compute(path) == str(written)


def part_of(path: Path) -> Path:
    """Return the name under which this process writes a file or a folder, before it is renamed.

    No other process has the same: a job of a cluster may run on after its study was killed, while the same
    command makes the file again.
    """
    return path.with_name(f".{path.name[:100]}.{platform.node()}-{os.getpid()}.part")


def remove_parts(results: Path) -> None:
    """Remove what killed jobs have begun to write in a folder. No job may be at work in it."""
    for part in results.rglob(".*.part"):
        if part.is_dir():
            shutil.rmtree(part, ignore_errors=True)
        else:
            part.unlink(missing_ok=True)


def record_of(path: Path) -> Path:
    """Return the file that records from what a file was made."""
    return path.parent / RECORDS / f"{path.name}.json"
