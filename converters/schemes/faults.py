"""Faults of a scheme's file that its form does not show: wrong expressions, rules that can never fire."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from crossbank.converters.schemes.dependency_rules import BareRules
from crossbank.converters.schemes.label_syntax import LabelSyntax
from crossbank.converters.schemes.relation_rules import load_rules
from crossbank.converters.schemes.unreachable import at_path, unreachable
from crossbank.converters.transformations import files_read
from crossbank.treebanks import OptionError
from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.yaml_objects import object_of

Keys = list[str | int]

TOKEN_CLASSES = ("punctuation", "empty", "metadata", "sentence_ids")
"""The keys of ``tokens`` that name tokens by tags and forms."""


def faults(
    own: Mapping[str, Any], merged: Mapping[str, Any], labels: LabelSyntax
) -> Iterator[tuple[Keys, str]]:
    """Keys of each fault of a file that its schema allows, with what was found and what was expected.

    merged  the file's content with that of the scheme that it extends
    """
    yield from _expressions(own)
    for kind in ("governors", "conjuncts"):
        for place, pattern in enumerate(at_path(own, ("dependencies", "bare", kind))):
            try:
                object_of(BareRules, {kind: [pattern]})
            except OptionError as error:
                yield ["dependencies", "bare", kind, place], str(error)
    for view, transformations in at_path(own, ("views",)).items():
        for place, transformation in enumerate(transformations):
            try:
                files_read([transformation])
            except CrossbankError as error:
                yield ["views", view, place], str(error)
    if "relation_rules" in own:
        try:
            load_rules(own["relation_rules"])
        except CrossbankError as error:
            yield ["relation_rules"], str(error)
    yield from unreachable(own, labels)
    if "delete" not in merged and any(at_path(merged, ("tokens", "punctuation")).values()):
        yield (
            ["tokens", "punctuation"],
            "there is no 'delete' beside it; write 'delete: punct' (metrics leave punctuation out) or "
            "'delete: none' (they count it)",
        )


def _expressions(own: Mapping[str, Any]) -> Iterator[tuple[Keys, str]]:
    """Yield the regular expressions that cannot be compiled."""
    paths: list[Keys] = [["tokens", kind, "forms"] for kind in TOKEN_CLASSES]
    paths += [["frames", "passive", key] for key in ("forms", "perfect", "always")]
    paths.append(["erase", "contractions"])
    auxiliaries = at_path(own, ("erase", "auxiliaries"))
    paths += [["erase", "auxiliaries", place, "forms"] for place in range(len(auxiliaries))]
    for what, rules in at_path(own, ("erase", "others")).items():
        paths += [["erase", "others", what, place, "forms"] for place in range(len(rules))]
    for place in range(len(at_path(own, ("redraw", "extraposition")))):
        paths += [["redraw", "extraposition", place, key] for key in ("subjects", "verbs")]
    for path in paths:
        for place, form in enumerate(at_path(own, path)):
            try:
                re.compile(form)
            except re.error as error:
                yield [*path, place], f"found {form!r}, expected a regular expression ({error})"
