"""Every reader, models and Parquet on damaged files: sound treebanks, or the project's own errors."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crossbank.parsers.models import PARSERS
from crossbank.treebanks.formats import FORMATS
from tests.fuzz.harness import read_and_use, read_damaged
from tests.fuzz.mutations import damaged
from tests.fuzz.run import FAILURES, file_of, use_of
from tests.fuzz.seeds import MODEL, RANDOM, YAML, seeds

KINDS = (*FORMATS, *(MODEL + parser for parser in PARSERS), *YAML, RANDOM)

WITHOUT_LINES = ("parquet", "tsdb", "tsdb_trees", "tsdb_dmrs")
"""Formats whose files are not text, or several files."""

SEED = 22
FILES = 100
"""Files of each reader that are the same in every run, also in that with checked memory."""


@pytest.mark.parametrize("kind", KINDS)
def test_the_sound_files_are_read(kind: str, tmp_path: Path) -> None:
    assert next(read_and_use(kind, data, tmp_path) for data in seeds()[kind]) == ""


@pytest.mark.parametrize("path", sorted(FAILURES.iterdir()), ids=lambda path: path.name)
def test_what_was_found_before_is_answered(path: Path, tmp_path: Path) -> None:
    name = re.fullmatch(r"(?P<kind>.+)\.[0-9a-f]{8}(\.(?P<use>\d+))?", path.name)
    assert name is not None
    messages = read_and_use(name["kind"], path.read_bytes(), tmp_path, int(name["use"] or 0))
    assert name["use"] or messages.startswith(str(tmp_path))


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_damaged_files_are_answered(kind: str, tmp_path: Path) -> None:
    messages = {
        read_and_use(kind, file_of(kind, SEED, number), tmp_path, use_of(SEED, number))
        for number in range(FILES)
    }
    assert len(messages) > 1 or kind in ("text", RANDOM)


@pytest.mark.parametrize("kind", [*FORMATS, *YAML])
def test_every_error_names_its_file_and_its_line(kind: str, tmp_path: Path) -> None:
    """Only errors about a whole file, such as an empty one, have no line."""
    errors = [
        (str(error), path)
        for number in range(FILES if seeds()[kind] else 0)
        for error, path in read_damaged(kind, file_of(kind, SEED, number), tmp_path)
    ]
    assert [message for message, path in errors if not message.startswith(str(path))] == []
    if kind not in WITHOUT_LINES:
        with_line = [re.match(rf"{re.escape(str(path))}:[1-9]\d*: ", message) for message, path in errors]
        assert sum(map(bool, with_line)) >= 0.6 * len(errors)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=20, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_any_damage_is_answered(
    kind: str, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    sound = seeds()[kind]
    file = sound[data.draw(st.integers(0, len(sound) - 1))]
    file = damaged(kind, file, lambda n: data.draw(st.integers(0, n - 1)))
    read_and_use(kind, file, tmp_path_factory.mktemp("f"), data.draw(st.integers(0, 2**32 - 1)))
