"""The example study has the same bytes whatever the date, locale, time zone, hash seed, threads and umask."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.workflow.test_shards import EXAMPLES, STUDY, contents
from tests.workflow.test_study_run import ROOT

CLOCK = """\
import datetime, time

AHEAD = 700_000_000
now = time.time
time.time = lambda: now() + AHEAD

class Later(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return super().now(tz) + datetime.timedelta(seconds=AHEAD)

class LaterDate(datetime.date):
    @classmethod
    def today(cls):
        return super().today() + datetime.timedelta(seconds=AHEAD)

datetime.datetime, datetime.date = Later, LaterDate
"""
"""A ``sitecustomize`` for all processes of a run: the clock is 22 years ahead. Files' dates stay."""

ODD = {
    "a hash seed, a zone of half hours and an ASCII locale": (
        {"PYTHONHASHSEED": "1", "TZ": "Asia/Kolkata", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"},
        {"cores": 1, "umask": 0o077, "threads": "1"},
    ),
    "a clock that is ahead, the zone with the latest date, a locale that is not there": (
        {
            "PYTHONHASHSEED": "4242",
            "TZ": "Pacific/Kiritimati",
            "LC_ALL": "tr_TR.ISO-8859-9",
            "PYTHONUTF8": "0",
            "SOURCE_DATE_EPOCH": "1",
            "CLOCK": "ahead",
        },
        {"cores": 3, "umask": 0o000, "threads": "5"},
    ),
}


def run(folder: Path, given: dict[str, str], cores: int, umask: int, threads: str | None) -> dict[str, bytes]:
    """Return the files of the example study, run with some variables."""
    folder.mkdir()
    (folder / "examples").symlink_to(EXAMPLES)
    path = [str(ROOT)]
    if "CLOCK" in given:
        (folder / "clock").mkdir()
        (folder / "clock/sitecustomize.py").write_text(CLOCK, encoding="utf-8")
        path.insert(0, str(folder / "clock"))
    environment = {**os.environ, **given, "PYTHONPATH": os.pathsep.join(path)}
    if threads is not None:
        environment["CROSSBANK_THREADS"] = threads
    command = [sys.executable, "-m", "crossbank.workflow.commands.cli", "study", STUDY, "--cores", str(cores)]
    done = subprocess.run(
        command, cwd=folder, env=environment, umask=umask, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return contents(folder)


@pytest.mark.skipif(os.name != "posix", reason="umask and time zones are those of POSIX")
def test_the_environment_changes_no_byte(tmp_path: Path) -> None:
    expected = run(tmp_path / "plain", {}, cores=2, umask=0o022, threads=None)
    assert len(expected) > 150
    for number, (name, (variables, choices)) in enumerate(ODD.items()):
        found = run(tmp_path / str(number), variables, **choices)  # type: ignore[arg-type]
        assert found.keys() == expected.keys(), name
        assert [file for file, content in expected.items() if found[file] != content] == [], name
