"""What the wheel brings: the packages that it requires, and what these require, as they are installed."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Package:
    """A package with the licence that it declares, and the names of those that it requires."""

    name: str
    version: str
    licence: str
    requires: tuple[str, ...]


def pinned(file: Path = ROOT / "requirements.txt") -> dict[str, dict[str, list[str]]]:
    """Return the versions of each package in a lock file, each with the checksums of its archives."""
    versions: dict[str, dict[str, list[str]]] = {}
    blocks = re.split(r"\n(?=[\w.-]+==)", file.read_text(encoding="utf-8"))[1:]
    for block in blocks:
        name, version = re.match(r"([\w.-]+)==([^\s;\\]+)", block).groups()  # type: ignore[union-attr]
        checksums = sorted(re.findall(r"--hash=sha256:([0-9a-f]{64})", block))
        versions.setdefault(canonicalize_name(name), {})[version] = checksums
    return versions


def required() -> list[Requirement]:
    """Return the requirements of the wheel and of all its extras but Slurm's."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    return [Requirement(line) for line in (*project["dependencies"], *extras["study"], *extras["tsdb"])]


def brought() -> list[Package]:
    """Return the packages that the wheel installs with all its extras but Slurm's, sorted by name."""
    waiting = required()
    seen: set[tuple[str, str]] = set()
    versions: dict[str, Package] = {}
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        try:
            about = distribution(name)
        except PackageNotFoundError:
            raise SystemExit(f"{name}: not installed. `make env` installs what the wheel brings.") from None
        for extra in ("", *sorted(requirement.extras)):
            if (name, extra) not in seen:
                seen.add((name, extra))
                waiting += _required(about, extra)
        extras = ("", *(extra for known, extra in seen if known == name))
        names = {canonicalize_name(each.name) for extra in extras for each in _required(about, extra)}
        versions[name] = Package(name, about.version, licence_of(about), tuple(sorted(names)))
    return [versions[name] for name in sorted(versions)]


def _required(about: Distribution, extra: str) -> Iterator[Requirement]:
    for line in about.requires or ():
        requirement = Requirement(line)
        if requirement.marker is None or requirement.marker.evaluate({"extra": extra}):
            yield requirement


def licence_of(about: Distribution) -> str:
    """Return the licence that a package declares: as an SPDX expression, by classifiers or as text."""
    metadata = about.metadata
    if expression := metadata.get("License-Expression"):
        return str(expression)
    classifiers = [
        line.rpartition(" :: ")[2]
        for line in metadata.get_all("Classifier") or ()
        if line.startswith("License ::") and line != "License :: OSI Approved"
    ]
    words = str(metadata.get("License") or "").strip().partition("\n")[0]
    return " and ".join(classifiers) or words or "not declared"


def spdx(licence: str) -> str | None:
    """Return a licence as an SPDX expression; None if it is not one."""
    try:
        return str(canonicalize_license_expression(licence))
    except InvalidLicenseExpression:
        return None
