"""Annotation schemes as YAML files.

Schemes of Crossbank and of other packages are known by name. A custom scheme is a YAML file of the same form:
``crossbank help scheme`` lists its keys.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple

from crossbank.converters.schemes.scheme import Scheme
from crossbank.converters.schemes.unreachable_rules import at_path
from crossbank.treebanks.errors import meant
from crossbank.treebanks.registry import DataFiles
from crossbank.treebanks.typed_yaml import object_of
from crossbank.treebanks.yaml_files import load_yaml, read_once
from crossbank.treebanks.yaml_nodes import FileDiagnostic, YamlError, at, raise_all

SCHEMES = DataFiles("scheme", "scheme")

OF_THE_FILE = ("name", "title", "sources")
"""Keys that a file does not inherit from the scheme that it extends."""


def scheme_names() -> list[str]:
    """Return the names of all schemes, those of Crossbank first."""
    return SCHEMES.names()


NEARLY_ALL = 0.9
"""A scheme fits a treebank if it knows more than this proportion of the nodes' categories."""


def fitting_schemes(labels: Mapping[str, int]) -> tuple[str, float]:
    """Return the schemes that know most of the nodes' categories, joined by ``or``, and that proportion."""
    fits = {name: load_scheme(name).known_proportion(labels) or 0.0 for name in scheme_names()}
    most = max(fits.values())
    return " or ".join(name for name, proportion in fits.items() if proportion == most), most


@read_once(SCHEMES.path)
def load_scheme(name_or_path: str | Path) -> Scheme:
    """Return a scheme by name, or from a custom YAML file; each is read once in a process.

    ``files`` of the scheme lists the files that were read; ``converters.transformations.files_read`` lists
    the further data files of the transformations in its views. Raises OptionError for an unknown name,
    YamlError if a file is not a scheme, with the file, the line and the key of each error.
    """
    path = Path(name_or_path)
    if SCHEMES.has_file(path):
        contents = _contents(path)
        return scheme_of_content(in_one(contents), *contents)
    examined = examine(path)
    raise_all(examined.errors)
    return examined.scheme


class Examined(NamedTuple):
    """Content and errors of a scheme's file.

    errors  all errors
    own     its valid content; ``DROPPED`` replaces invalid entries of lists
    base    the content of the scheme that it extends
    scheme  the scheme of this content
    """

    errors: list[FileDiagnostic]
    own: dict[str, Any]
    base: dict[str, Any]
    scheme: Scheme


PLACEHOLDERS = {"name": "unnamed", "title": "untitled", "sources": ["unknown"]}
"""Values for required keys that are missing, so that all else can be examined."""

PUNCTUATION = ("tokens", "punctuation")


def examine(path: Path) -> Examined:
    """Examine a scheme's file. Raises CrossbankError if it is not YAML of a mapping."""
    from crossbank.treebanks.yaml_schemas import Violation, remove_values, violations

    written = load_yaml(path)
    own = deepcopy(written)
    if not isinstance(own, dict):
        raise YamlError(at(path, (), f"found {own!r}, expected a mapping"))
    wrong = []
    if "extends" in own and (fault := fault_of_base(own["extends"], path)):
        wrong.append(Violation(("extends",), fault))
        own.pop("extends")
    contents = {path: own, **base_of(own, path)}
    invalid = list(violations(Scheme, in_one(contents)))
    wrong += invalid
    while invalid:
        remove_values(own, invalid)
        own |= {key: value for key, value in PLACEHOLDERS.items() if key not in own}
        before, invalid = invalid, list(violations(Scheme, in_one(contents)))
        wrong += [one for one in invalid if one.broken not in ("limit", "missing")]
        if invalid == before:  # The violations are in the file that this one extends.
            break
    merged = in_one(contents)
    if "delete" not in merged and any(at_path(merged, PUNCTUATION).values()):
        expected = "write 'delete: punct' (metrics leave punctuation out) or 'delete: none' (they count it)"
        wrong.append(Violation(PUNCTUATION, f"there is no 'delete' beside it; {expected}"))
        own["delete"] = "punct"
    located = ((_file_of(one.keys, {**contents, path: written}), one) for one in wrong)
    # Rules of a bundled scheme may not apply under the syntax of labels of a file that extends it.
    errors = [at(of, *one[:3]) for of, one in located if of == path or not SCHEMES.has_file(of)]
    return Examined(errors, own, in_one(base_of(own, path)), scheme_of_content(in_one(contents), *contents))


def _file_of(keys: Sequence[str | int], contents: Mapping[Path, Mapping[str, Any]]) -> Path:
    """Return the first file that has some keys; else the first file."""
    own = next(iter(contents))
    return next((path for path, content in contents.items() if keys and at_path(content, keys)), own)


def _contents(path: Path, *above: Path) -> dict[Path, dict[str, Any]]:
    """Return the content of a scheme's file, and after it those of the files that it extends."""
    content = load_yaml(path)
    if not isinstance(content, dict):
        raise YamlError(at(path, (), f"found {content!r}, expected a mapping"))
    return {path: content, **base_of(content, path, *above)}


def base_of(content: Mapping[str, Any], path: Path, *above: Path) -> dict[Path, dict[str, Any]]:
    """Return the content of the file that a scheme extends, by its path; nothing if it extends none.

    above  the files that extend this one. Raises YamlError if there is no such base.
    """
    if "extends" not in content:
        return {}
    if fault := fault_of_base(base := content["extends"], path, *above):
        raise YamlError(at(path, ("extends",), fault))
    return _contents(SCHEMES.path(base) if base in scheme_names() else path.parent / base, path, *above)


def fault_of_base(base: Any, path: Path, *above: Path) -> str:
    """Return why a file cannot extend a scheme (by name, or a file in its folder); empty if it can."""
    if base in (names := scheme_names()):
        return ""
    if not isinstance(base, str) or not (path.parent / base).is_file():
        return f"found {base!r}, {meant(base, [*names, 'a file beside this one'])}"
    circle = any(one.samefile(path.parent / base) for one in (path, *above))
    return f"found {base!r}, which extends this file, expected another one" if circle else ""


def in_one(contents: Mapping[Path, Mapping[str, Any]]) -> dict[str, Any]:
    """Return the content of a scheme's file, merged with that of the file that it extends.

    The schema applies to this merged content: a part may lack keys that the base has.
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


def scheme_of_content(content: Mapping[str, Any], *files: Path) -> Scheme:
    """Return the scheme of the merged, valid content of some files."""
    heads = content.get("heads", {})
    rule_sets = {name: _merged(heads, rules) for name, rules in heads.get("sets", {}).items()}
    scheme: Scheme = object_of(Scheme, {**content, "rule_sets": rule_sets, "files": files})
    return scheme
