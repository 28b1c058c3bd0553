"""Annotation schemes as YAML files.

Those of Crossbank and of other packages are known by name. A custom scheme is a YAML file of the same form,
which ``converters/schemes/schema.json`` describes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from crossbank.converters.schemes.label_syntax import LabelSyntax
from crossbank.converters.schemes.scheme import PLAIN_LABELS, Scheme
from crossbank.converters.schemes.views import with_views
from crossbank.treebanks.errors import meant
from crossbank.treebanks.registry import DataFiles
from crossbank.treebanks.yaml_files import YamlError, at, check, load_yaml, read_once
from crossbank.treebanks.yaml_objects import object_of

SCHEMES = DataFiles("scheme", "scheme")

SCHEMA = Path(__file__).parent / "schemes" / "schema.json"

OF_THE_FILE = ("name", "title", "sources")
"""The keys that each file has for itself: they are not taken from the scheme that it extends."""


def scheme_names() -> list[str]:
    """Return the names of all schemes, those of Crossbank first."""
    return SCHEMES.names()


NEARLY_ALL = 0.9
"""A scheme fits a treebank if it knows more than this proportion of the nodes' categories."""


def fitting_schemes(labels: Mapping[str, int]) -> tuple[str, float]:
    """Schemes that know most of the nodes' categories, joined by ``or``, and the proportion they know."""
    fits = {name: load_scheme(name).known_proportion(labels) or 0.0 for name in scheme_names()}
    most = max(fits.values())
    return " or ".join(name for name, proportion in fits.items() if proportion == most), most


@read_once(SCHEMES.path)
def load_scheme(name_or_path: str | Path) -> Scheme:
    """A scheme by name, or from a YAML file of one's own; it is read once in a process.

    ``files`` of the scheme lists the files that were read; ``converters.transformations.files_read`` lists
    the further data files of the transformations in its views. Raises OptionError for an unknown name,
    YamlError where a file is not a scheme: the message names the file, the line, the key, what was found and
    what was expected.
    """
    path = Path(name_or_path)
    contents = _contents(path)
    merged = in_one(contents)
    if not SCHEMES.has_file(path):
        from crossbank.converters.scheme_faults import faults

        check(merged, scheme_schema(), path)
        for own in (one for one in contents if not SCHEMES.has_file(one)):
            for keys, message in faults(contents[own], merged, label_syntax(merged)):
                raise YamlError(at(own, keys, message))
    return scheme_of_content(merged, *contents)


def scheme_schema() -> dict[str, Any]:
    """Return the JSON schema of a scheme file, with all views."""
    return with_views(json.loads(SCHEMA.read_text(encoding="utf-8")))


def _contents(path: Path, *above: Path) -> dict[Path, dict[str, Any]]:
    """Return the content of a scheme's file, and after it those of the files that it extends."""
    content = load_yaml(path)
    if not isinstance(content, dict):
        check(content, scheme_schema(), path)
    return {path: content, **base_of(content, path, *above)}


def base_of(content: Mapping[str, Any], path: Path, *above: Path) -> dict[Path, dict[str, Any]]:
    """Return the content of the file that a scheme extends, by its path; nothing where it extends none.

    above  the files that extend this one. Raises YamlError for a base that is not there.
    """
    if "extends" not in content:
        return {}
    if fault := fault_of_base(base := content["extends"], path, *above):
        raise YamlError(at(path, ["extends"], fault))
    return _contents(SCHEMES.path(base) if base in scheme_names() else path.parent / base, path, *above)


def fault_of_base(base: Any, path: Path, *above: Path) -> str:
    """Return what is wrong with the scheme that a file extends, one of ours or a file beside it."""
    if base in (names := scheme_names()):
        return ""
    if not isinstance(base, str) or not (path.parent / base).is_file():
        return f"found {base!r}, {meant(base, [*names, 'a file beside this one'])}"
    circle = any(one.samefile(path.parent / base) for one in (path, *above))
    return f"found {base!r}, which extends this file, expected another one" if circle else ""


def in_one(contents: Mapping[Path, Mapping[str, Any]]) -> dict[str, Any]:
    """Return the content of a scheme's file, merged with that of the file that it extends.

    This is what the schema is about: a part that lacks what the base has is whole.
    """
    merged: dict[str, Any] = {}
    for content in reversed(list(contents.values())):
        merged = _merged({key: value for key, value in merged.items() if key not in OF_THE_FILE}, content)
    return merged


def _merged(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Return the base with a scheme's own content: mappings are merged, everything else is replaced."""
    merged = dict(base)
    for key, value in own.items():
        both = isinstance(value, dict) and isinstance(base.get(key), dict)
        merged[key] = _merged(base[key], value) if both else value
    return merged


def label_syntax(content: Mapping[str, Any]) -> LabelSyntax:
    """Return the syntax of labels in a scheme's content."""
    return replace(PLAIN_LABELS, **content.get("labels", {}))


def scheme_of_content(content: Mapping[str, Any], *files: Path) -> Scheme:
    """Return the scheme that the content of files says, which has no faults."""
    heads = content.get("heads", {})
    said = {**content, **content.get("tokens", {}), **content.get("dependencies", {}), "files": files}
    said["rule_sets"] = {name: _merged(heads, rules) for name, rules in heads.get("sets", {}).items()}
    scheme: Scheme = object_of(Scheme, said)
    return scheme
