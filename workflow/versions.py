"""Versions of what a score depends on: Crossbank, Python, the packages that Crossbank requires, metrics."""

from __future__ import annotations

import platform
import re
from importlib.metadata import PackageNotFoundError, requires, version
from typing import NamedTuple


class Package(NamedTuple):
    """A package that Crossbank requires.

    name      as package indexes have it
    expected  the versions that Crossbank can use, such as ``>=9.20,<10``
    installed  the installed version; empty if it is not installed
    extra     the extra that brings it; empty if it is always installed
    """

    name: str
    expected: str
    installed: str
    extra: str = ""

    @property
    def fits(self) -> bool:
        """Return whether the version that is installed is one of those that Crossbank can use."""
        return bool(self.installed) and all(
            _numbers(self.installed) >= _numbers(bound)
            if sign == ">="
            else _numbers(self.installed) < _numbers(bound)
            for sign, bound in re.findall(r"(>=|<)([\d.]+)", self.expected)
        )


def version_of(name: str) -> str:
    """Return the version of an installed package; empty if it is not installed."""
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def required_packages() -> list[Package]:
    """Return the packages that Crossbank's metadata names; none if Crossbank itself is not installed."""
    try:
        written = requires("crossbank") or []
    except PackageNotFoundError:
        return []
    form = r"([\w.-]+)(?:\[[^]]*\])?([^;]*)(?:; extra == ['\"](\w+)['\"])?"
    parts = (re.fullmatch(form, requirement) for requirement in written)
    # What only clusters need is looked for by itself; extras may name each other, and the same package.
    packages: dict[str, Package] = {}
    for part in parts:
        if part and part[1] not in ("crossbank", *packages) and part[3] != "slurm":
            packages[part[1]] = Package(part[1], part[2].strip(), version_of(part[1]), part[3] or "")
    return list(packages.values())


def all_versions() -> dict[str, str]:
    """Return versions by name: Crossbank, Python, the packages, then each metric as its signature has it."""
    try:
        from crossbank.metrics.counting.metric import METRICS, metric_class

        metrics = {f"metric {name}": metric_class(name).version for name in METRICS}
    except ImportError as error:
        metrics = {"metrics": f"cannot be loaded ({error}): crossbank doctor says what to do"}
    return {
        "crossbank": version_of("crossbank") or "not installed",
        "python": platform.python_version(),
        **{package.name: package.installed or "not installed" for package in required_packages()},
        **metrics,
    }


def _numbers(written: str) -> tuple[int, ...]:
    """Return the leading numbers of a version: ``9.20`` is (9, 20)."""
    leading = re.match(r"[\d.]*", written)
    return tuple(int(number) for number in leading[0].split(".") if number) if leading else ()
