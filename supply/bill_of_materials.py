"""A bill of materials of the wheel (CycloneDX 1.6, JSON), and the licences of what it brings.

    python supply/bill_of_materials.py > crossbank.cdx.json
    python supply/bill_of_materials.py --licences

Versions and licences are those of the packages that are installed; the checksums are the lock file's. The
same environment gives the same bytes: there is neither a date nor a serial number.
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from packaging.utils import canonicalize_name

from supply.installed import ROOT, Package, brought, pinned, required, spdx


def bill() -> dict[str, Any]:
    """Return the bill of materials."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    packages = brought()
    own = Package(
        project["name"],
        project["version"],
        project["license"],
        tuple(
            package.name
            for package in packages
            if package.name in {canonicalize_name(each.name) for each in required()}
        ),
    )
    references = {package.name: _reference(package) for package in (own, *packages)}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": _component(own, "application")},
        "components": [_component(package, "library") for package in packages],
        "dependencies": [
            {
                "ref": references[package.name],
                "dependsOn": [references[name] for name in package.requires if name in references],
            }
            for package in (own, *packages)
        ],
    }


def licences() -> str:
    """Return a list of Markdown between comments: the licences, each with its packages."""
    packages: dict[str, list[str]] = {}
    for package in brought():
        packages.setdefault(package.licence, []).append(package.name)
    lines = [f"- {licence}: {', '.join(names)}" for licence, names in sorted(packages.items())]
    command = "python supply/bill_of_materials.py --licences"
    return "\n".join([f"<!-- written by {command} -->\n", *lines, "\n<!-- end of what is written -->"])


def _reference(package: Package) -> str:
    return f"pkg:pypi/{package.name}@{package.version}"


def _component(package: Package, kind: str) -> dict[str, Any]:
    expression = spdx(package.licence)
    licence = {"expression": expression} if expression else {"license": {"name": package.licence}}
    checksums = pinned().get(package.name, {}).get(package.version, [])
    archives = [{"name": "pypi:sha256", "value": checksum} for checksum in checksums]
    return {
        "type": kind,
        "bom-ref": _reference(package),
        "name": package.name,
        "version": package.version,
        "purl": _reference(package),
        "licenses": [licence],
        **({"properties": archives} if archives else {}),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="the wheel's bill of materials, or the licences")
    parser.add_argument("--licences", action="store_true", help="print the licences instead")
    print(licences() if parser.parse_args().licences else json.dumps(bill(), indent=1, ensure_ascii=False))
