"""Known advisories about the versions that the lock files pin, where the package index tells them.

    python supply/advisories.py                 all pinned versions
    python supply/advisories.py numpy pyyaml    some of them

The index is pip's own (its configuration, or ``--index``). It is asked for ``/pypi/NAME/VERSION/json``, of
which the field ``vulnerabilities`` lists advisories. Exit code: 0 where there are none, 1 where there are
some, 3 where the index cannot be asked, or tells nothing about advisories.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from supply.installed import ROOT, pinned

NOT_ASKED = 3


class NoAnswerError(Exception):
    """The index cannot be asked, or tells nothing about advisories."""


def advisories(index: str, name: str, version: str) -> list[dict[str, Any]]:
    """Return the advisories about a version that have not been withdrawn. Raises NoAnswerError."""
    address = f"{index.rstrip('/').removesuffix('/simple')}/pypi/{name}/{version}/json"
    try:
        with urlopen(address, timeout=20) as answer:
            reported = json.load(answer)
    except (URLError, OSError, ValueError) as error:
        raise NoAnswerError(f"{name} {version}: the index does not answer ({_reason(error)})") from error
    if not isinstance(reported, dict) or "vulnerabilities" not in reported:
        raise NoAnswerError(f"{name} {version}: the index tells nothing about advisories")
    return [
        listed_advisories
        for listed_advisories in reported["vulnerabilities"]
        if not listed_advisories.get("withdrawn")
    ]


def index_of_pip() -> str | None:
    """Return the index that pip is configured with; None where it is configured with none."""
    for key in (":env:.index-url", "global.index-url", "user.index-url", "install.index-url"):
        command = [sys.executable, "-m", "pip", "config", "get", key]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode == 0 and done.stdout.strip():
            return done.stdout.strip()
    return None


def look(index: str, names: list[str]) -> int:
    """Print the advisories about pinned versions, all or those of some packages; return the exit code."""
    versions = {
        (name, version)
        for file in ROOT.glob("requirements*.txt")
        for name, pins in pinned(file).items()
        for version in pins
        if name in names or not names
    }
    if unknown := sorted(set(names) - {name for name, _ in versions}):
        print(f"not pinned: {', '.join(unknown)}", file=sys.stderr)
        return 2
    number = 0
    for name, version in sorted(versions):
        try:
            listed_advisories = advisories(index, name, version)
        except NoAnswerError as error:
            print(f"{error}. Nothing is known about the versions from here on.", file=sys.stderr)
            return NOT_ASKED
        for advisory in listed_advisories:
            aliases = ", ".join([advisory["id"], *advisory.get("aliases", ())])
            fixed = ", ".join(advisory.get("fixed_in") or ()) or "no version"
            print(
                f"{name} {version}: {aliases}: {advisory.get('summary') or 'no summary'} (fixed in {fixed})"
            )
        number += len(listed_advisories)
    print(f"{len(versions)} versions, {number} advisories")
    return 1 if number else 0


def _reason(error: Exception) -> str:
    """Return why there is no answer, without the address."""
    return str(getattr(error, "code", None) or getattr(error, "reason", None) or type(error).__name__)


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description="known advisories about the pinned versions")
    parser.add_argument("names", nargs="*", help="packages; by default all that are pinned")
    parser.add_argument("--index", help="the package index; by default the one that pip is configured with")
    given = parser.parse_args()
    index = given.index or index_of_pip()
    if index is None:
        print("pip is configured with no index: name one with --index.", file=sys.stderr)
        return NOT_ASKED
    return look(index, given.names)


if __name__ == "__main__":
    sys.exit(main())
