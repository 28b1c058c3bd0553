"""Declarations of files' keys: what they refuse, what objects and schemas they make, and our own files."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from jsonschema import Draft202012Validator

from crossbank.converters.relations import map_relations
from crossbank.converters.schemes import relation_rules
from crossbank.formalisms.ccg.conversions import grammatical_relations, head_sharing
from crossbank.formalisms.ccg.metrics import ignored_dependencies
from crossbank.formalisms.lfg.conversions import relation_map
from crossbank.treebanks.typed_yaml import DROPPED, Rule, adds_keys, key, no_key, object_of
from crossbank.treebanks.yaml_files import load_yaml
from crossbank.treebanks.yaml_schemas import json_schema, remove_values, violations

FILES: dict[type, list[Path]] = {
    head_sharing.HeadSharingFile: [*head_sharing.FOLDER.glob("*.yaml")],
    grammatical_relations.CcgRelationRules: [*grammatical_relations.FOLDER.glob("*.yaml")],
    relation_map.RelationMap: [*relation_map.FOLDER.glob("*.yaml")],
    map_relations.MapFile: [*map_relations.FOLDER.glob("*.yaml")],
    relation_rules.RelationRuleFile: [*relation_rules.RULES.bundled.values()],
    ignored_dependencies.IgnoredFile: [*ignored_dependencies.FOLDER.glob("*.yaml")],
}


@pytest.mark.parametrize(
    ("path", "kind"),
    [(path, kind) for kind, paths in FILES.items() for path in paths],
    ids=lambda value: value.stem if isinstance(value, Path) else "",
)
def test_the_files_of_the_package_follow_their_declarations(path: Path, kind: type) -> None:
    assert list(violations(kind, load_yaml(path))) == []


@dataclass(frozen=True)
class Point:
    """A point.

    x, y  coordinates
    """

    x: int = key(..., minimum=0)
    y: int = key(7, otherwise="seven")


@dataclass(frozen=True)
class Drawing:
    """A drawing.

    points  the points
    width   the width of lines
    """

    name: str
    points: tuple[Point, ...] = ()
    origin: Point | Literal["centre"] = "centre"
    labels: frozenset[str] = key(frozenset(), name="text.labels")
    width: float = key(1.0, name="line.width", expected="a width above 0", exclusiveMinimum=0)
    sizes: Mapping[str, Annotated[int, Rule(maximum=9)]] = field(default_factory=dict)
    made: int = no_key(3)


@adds_keys(Drawing)
@dataclass(frozen=True)
class Colours:
    """Colours of a plug-in.

    colour  a colour
    """

    colour: Literal["red", "blue"] | None = None

    @staticmethod
    def check_keys(drawing: Mapping[str, Any]) -> Any:
        if drawing.get("colour") == "red" and not drawing.get("points"):
            yield ("colour",), "nothing is coloured"


RIGHT = {"name": "d", "points": [{"x": 1}, {"x": 2, "y": 0}], "text": {"labels": ["a"]}, "line": {"width": 2}}


def test_an_object_has_the_values_of_the_file_and_defaults() -> None:
    made = object_of(Drawing, RIGHT)
    assert made == Drawing("d", (Point(1), Point(2, 0)), labels=frozenset("a"), width=2)
    assert object_of(Drawing, {"name": "d"}, made=4).made == 4
    assert object_of(Drawing, {"name": "d", "made": 5}).made == 5  # put into the content of a file


@pytest.mark.parametrize(
    ("changes", "keys", "message"),
    [
        ({"name": 3}, ("name",), "found 3, expected a string"),
        ({"points": [{"x": 1}, {"x": -1}]}, ("points", 1, "x"), "found -1, expected a whole number from 0"),
        ({"points": [{"y": 1}]}, ("points", 0), "'x' is missing"),
        ({"points": {"x": 1}}, ("points",), "found {'x': 1}, expected a list"),
        ({"points": [{"x": True}]}, ("points", 0, "x"), "found True, expected a whole number"),
        ({"origin": "center"}, ("origin",), "found 'center', expected a mapping or centre"),
        ({"origin": {"x": 0, "z": 1}}, ("origin",), "'z' is not a key; expected one of x, y"),
        ({"line": {"width": 0}}, ("line", "width"), "found 0, expected a width above 0"),
        ({"line": 3}, ("line",), "found 3, expected a mapping"),
        ({"sizes": {"a": 10}}, ("sizes", "a"), "found 10, expected a whole number to 9"),
        ({"sizes": {False: 1}}, ("sizes",), "found the key False, expected a string"),  # no: 1
        ({"pionts": []}, (), "'pionts' is not a key; did you mean 'points'?"),
        ({"made": 3}, (), "'made' is not a key; expected one of name, points"),
        ({"colour": "green"}, ("colour",), "found 'green', expected one of red, blue"),
        ({"colour": "red", "points": []}, ("colour",), "nothing is coloured"),
    ],
)
def test_a_violation_names_its_keys(
    changes: dict[str, Any], keys: tuple[str | int, ...], message: str
) -> None:
    (wrong,) = violations(Drawing, {**RIGHT, **changes})
    assert wrong.keys == keys
    assert wrong.message.startswith(message)


def test_all_violations_are_listed_and_the_rest_is_right() -> None:
    content: Any = {
        "name": "d", "points": [{"x": 1}, {"x": "one"}, {"x": 2}], "width": 1, "sizes": {"a": 1, "b": "2"},
        "labels": [], "line": {"width": -1},
    }  # fmt: skip
    wrong = list(violations(Drawing, content))
    assert [one.keys + one.inside for one in wrong] == [
        ("points", 1, "x"), ("width",), ("sizes", "b"), ("labels",), ("line", "width"),
    ]  # fmt: skip
    assert remove_values(content, wrong)
    assert list(violations(Drawing, content)) == [(("points", 1), "'x' is missing", (), "missing")]
    assert remove_values(content, violations(Drawing, content))
    assert content["points"] == [{"x": 1}, DROPPED, {"x": 2}]
    assert object_of(Drawing, content) == Drawing("d", (Point(1), Point(2)), sizes={"a": 1})


def test_the_json_schema_allows_what_the_declaration_allows() -> None:
    schema = json_schema(Drawing, "Drawings")
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    assert validator.is_valid(RIGHT)
    for wrong in ({"name": 3}, {"points": [{"x": -1}]}, {"line": {"width": 0}}, {"pionts": []}, {"made": 3}):
        assert not validator.is_valid({**RIGHT, **wrong})
    assert schema["required"] == ["name"]
    properties = schema["properties"]
    assert properties["points"]["description"] == "the points"
    assert properties["line"]["properties"]["width"]["default"] == 1.0
    assert schema["$defs"]["Point"]["properties"]["y"]["otherwise"] == "seven"
    assert properties["colour"]["description"] == "a colour"
