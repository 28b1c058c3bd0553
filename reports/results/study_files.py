"""Files of a study's results: the file of each source as read, in each view, and with its counts.

A file holds the sources of a batch, and lists them in its metadata, which are read once.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from crossbank.treebanks.stored_sources import stored_sources


class StudyFiles:
    """Files under a folder of results.

    An earlier run with another number of batches may have left files: of two files with the same source the
    newer one is used.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def as_read(self, treebank: str, source: str) -> Path | None:
        """Return the file with a source as it was read or parsed."""
        return self._of(treebank, source).get("")

    def view(self, treebank: str, source: str, view: str) -> Path | None:
        """Return the file with a source in a view."""
        return self._of(treebank, source).get(f"converted.{view}")

    def views(self, treebank: str, source: str) -> dict[str, Path]:
        """Return the files with a source by view, in alphabetical order."""
        of_source = sorted(self._of(treebank, source).items())
        return {step.split(".")[1]: path for step, path in of_source if step.startswith("converted.")}

    def counts(self, treebank: str, candidate: str, metric: str) -> Path | None:
        """Return the file with a candidate's counts under a metric."""
        return self._of(treebank, candidate).get(f"scores.{metric}")

    def _of(self, treebank: str, source: str) -> Mapping[str, Path]:
        return self._files.get((treebank, source), {})

    @cached_property
    def _files(self) -> Mapping[tuple[str, str], Mapping[str, Path]]:
        """The files of each source of a treebank, by folder and last part of the name."""
        files: dict[tuple[str, str], dict[str, Path]] = {}
        for folder in ("treebanks", "parsed", "converted", "scores"):
            paths = self.folder.glob(f"{folder}/*/*.parquet")
            for path in sorted(paths, key=lambda path: (path.stat().st_mtime_ns, path.name)):
                _, _, last = path.stem.partition(".")
                for source in stored_sources(path):
                    files.setdefault((path.parent.name, source), {})[f"{folder}.{last}" if last else ""] = (
                        path
                    )
        return files
