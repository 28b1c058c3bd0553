"""Schemes: the ones that come with Crossbank hold, those of users are checked."""

import re
from collections.abc import Callable
from pathlib import Path
from shutil import copyfile

import pytest

from crossbank.converters.relations import map_relations
from crossbank.converters.relations.map_relations import load_map
from crossbank.converters.scheme_files import SCHEMES, examine, load_scheme, scheme_names
from crossbank.converters.schemes import relation_rules
from crossbank.converters.schemes.relation_rules import load_rules as load_relation_rules
from crossbank.converters.transformations import files_read, parse
from crossbank.converters.universal import rules as universal
from crossbank.converters.universal.rules import load_rules
from crossbank.formalisms.ccg.conversions import head_sharing
from crossbank.formalisms.ccg.conversions.head_sharing import load_head_sharing
from crossbank.formalisms.lfg.conversions import relation_map
from crossbank.formalisms.lfg.conversions.relation_map import load_relation_map
from crossbank.treebanks import OptionError
from crossbank.treebanks.relations import hierarchy
from crossbank.treebanks.relations.hierarchy import load_hierarchy
from crossbank.treebanks.yaml_nodes import YamlError
from tests.errors import raises


@pytest.mark.parametrize("name", scheme_names())
def test_schemes_have_no_errors(name: str) -> None:
    assert examine(SCHEMES.path(name)).errors == []
    scheme = load_scheme(name)
    assert scheme.name == name
    assert all(parse(step) for steps in scheme.views.values() for step in steps)


@pytest.mark.parametrize("name", ["ptb", "ppche", "tiger", "negra", "tuebadz"])
def test_constituent_schemes_are_complete(name: str) -> None:
    scheme = load_scheme(name)
    assert set(scheme.views) >= {"constituents", "dependencies"}
    assert scheme.punctuation.tags
    assert scheme.inventory["categories"]
    assert set(scheme.heads.rules) - scheme.root_labels <= {
        *(scheme.labels.main_category(label) for label in scheme.inventory["categories"]),
        *("TOP", "VP", "WNX", "ADVX", "MPN", "CAVP"),
    }


def test_an_unknown_scheme_names_the_known_ones() -> None:
    with raises(OptionError, "tiger", kind="scheme", value="tiiger"):
        load_scheme("tiiger")


def test_a_scheme_is_read_once(tmp_path: Path) -> None:
    assert load_scheme("tiger") is load_scheme("tiger")


def test_a_scheme_of_ones_own_extends_another(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(
        "name: mine\nextends: tiger\ntitle: Mine\nsources: [me]\nroots: {virtual: TOP}\n", encoding="utf-8"
    )
    mine, tiger = load_scheme(path), load_scheme("tiger")
    assert (mine.name, mine.virtual_root) == ("mine", "TOP")
    assert mine.root_labels == tiger.root_labels
    assert mine.heads.rules == tiger.heads.rules
    assert mine.files == (path, SCHEMES.path("tiger"))
    own = tmp_path / "own.yaml"
    own.write_text("name: own\nextends: mine.yaml\ntitle: Own\nsources: [me]\n", encoding="utf-8")
    assert load_scheme(own).virtual_root == "TOP"
    assert load_scheme(own).files == (own, path, SCHEMES.path("tiger"))


@pytest.mark.parametrize(
    ("load", "computed"),
    [
        (load_scheme, SCHEMES.path("tiger")),
        (load_rules, universal.RULES.path("ptb")),
        (load_relation_rules, relation_rules.RULES.path("ud")),
        (load_hierarchy, hierarchy.FOLDER / "rasp.yaml"),
        (load_map, map_relations.FOLDER / f"{map_relations.MAPS[0]}.yaml"),
        (load_head_sharing, head_sharing.FOLDER / "english.yaml"),
        (load_relation_map, relation_map.FOLDER / "carroll_minnen_briscoe.yaml"),
    ],
)
def test_a_file_is_read_again_where_it_has_changed(
    load: Callable[[str], object], computed: Path, tmp_path: Path
) -> None:
    path = tmp_path / "own.yaml"
    copyfile(computed, path)
    before = load(str(path))
    assert load(str(path)) is before
    path.write_text("not: a file of these\n", encoding="utf-8")
    with pytest.raises((YamlError, KeyError)):
        load(str(path))


def test_a_file_is_read_again_where_one_that_it_needs_has_changed(tmp_path: Path) -> None:
    for name, base in (("own", "mine.yaml"), ("mine", "tiger")):
        text = f"name: {name}\nextends: {base}\ntitle: Mine\nsources: [me]\n"
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    own = tmp_path / "own.yaml"
    before = load_scheme(own)
    assert load_scheme(own) is before
    with (tmp_path / "mine.yaml").open("a", encoding="utf-8") as stream:
        stream.write("roots: {virtual: TOP}\n")
    assert load_scheme(own).virtual_root == "TOP"
    copyfile(hierarchy.FOLDER / "carroll_minnen_briscoe.yaml", inventory := tmp_path / "inventory.yaml")
    rules = tmp_path / "rules.yaml"
    text = (relation_rules.RULES.path("ud")).read_text("utf-8")
    rules.write_text(re.sub("(?m)^inventory: .*", f"inventory: {inventory}", text), encoding="utf-8")
    with own.open("a", encoding="utf-8") as stream:
        stream.write(f"relation_rules: {rules}\n")
    assert load_scheme(own).relation_rules == str(rules)
    assert load_relation_rules(rules) is load_relation_rules(rules)
    inventory.write_text(inventory.read_text("utf-8").replace("  mod:", "  mood:"), encoding="utf-8")
    for load, path in ((load_relation_rules, rules), (load_scheme, own)):
        with pytest.raises(YamlError, match=r"inventory\.yaml:\d+"):
            load(path)


def test_a_scheme_does_not_extend_itself(tmp_path: Path) -> None:
    for name, base in (("a", "b"), ("b", "a")):
        text = f"name: {name}\nextends: {base}.yaml\ntitle: Mine\nsources: [me]\n"
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    with raises(YamlError, "a.yaml", file="b.yaml", line=2, key="extends"):
        load_scheme(tmp_path / "a.yaml")


def test_data_files_of_transformations_are_listed(tmp_path: Path) -> None:
    ptb = load_scheme("ptb")
    assert ptb.files == (SCHEMES.path("ptb"),)
    names = [path.name for path in files_read(["split_functions", "relations_from_trees"], ptb)]
    assert names == ["ptb.yaml", "carroll_minnen_briscoe.yaml"]
    assert [path.parent.name for path in files_read(["relations_from_trees"], ptb)] == [
        "relation_rules",
        "hierarchies",
    ]
    mine = tmp_path / "map.yaml"
    assert files_read([f"map_relations:by={mine}", "strip_functions"], ptb) == (mine,)
    assert files_read(["relations_from_trees"], load_scheme("ppche")) == ()  # it has no rules
    assert [path.name for path in files_read(["ccg_heads", "ccg_dependencies:slots=filled"])] == [
        "english.yaml"
    ]


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        (
            "heads: {default: up}",
            {"file": "mine.yaml", "line": 4, "key": "heads.default", "names": ("up", "left", "right")},
        ),
        (
            "heads:\n  rules:\n    NP:\n      - {any_of: [NN]}",
            {"file": "mine.yaml", "line": 7, "key": "heads.rules.NP[0]", "names": ("from",)},
        ),
        (
            "heads:\n  rules:\n    NP:\n      - {from: left, where: {at: middle}}",
            {
                "file": "mine.yaml",
                "line": 7,
                "key": "heads.rules.NP[0].where.at",
                "names": ("middle", "first", "last"),
            },
        ),
        (
            "heads:\n  rules:\n    NP:\n      - {from: left, unless: {beside: [NN]}}",
            {
                "file": "mine.yaml",
                "line": 7,
                "key": "heads.rules.NP[0].unless.beside",
                "names": ("NN", "a mapping"),
            },
        ),
        ("colour: red", {"file": "mine.yaml", "line": 4, "names": ("colour", "name", "title")}),
        (
            "tokens: {empty: {forms: ['(']}}",
            {"line": 4, "key": "tokens.empty.forms[0]", "names": ("(", "a regular expr")},
        ),
        ("extends: tigger", {"file": "mine.yaml", "line": 4, "key": "extends", "names": ("tigger",)}),
        (
            "views: {constituent: []}",
            {"line": 4, "key": "views", "names": ("constituent",)},
        ),
        (
            "labels: {function: '-'}\nheads:\n  rules:\n    S-MAIN:\n      - {from: left, any_of: [VB]}",
            {"file": "mine.yaml", "line": 7, "key": "heads.rules.S-MAIN", "names": ("S-MAIN", "S", "'S'")},
        ),
        (
            "labels: {function: '-'}\nheads:\n  rules:\n    S:\n      - {from: left, any_of: [VB, NP-SBJ]}",
            {
                "file": "mine.yaml",
                "line": 8,
                "key": "heads.rules.S[0].any_of[1]",
                "names": ("NP-SBJ", "NP", "'NP'"),
            },
        ),
        (
            "labels: {subclass: '='}\ndependencies: {transparent: [VF, NX=PER]}",
            {"line": 5, "key": "dependencies.transparent[1]", "names": ("NX=PER", "NX", "'NX'")},
        ),
        (
            "tokens: {punctuation: {tags: [PUNCT]}}",
            {
                "file": "mine.yaml",
                "line": 4,
                "key": "tokens.punctuation",
                "names": ("delete", "delete: punct"),
            },
        ),
        ("views: {constituents: [strip]}", {"line": 4, "names": ("strip",)}),
        (
            "universal_dependencies: no.yaml",
            {
                "file": "mine.yaml",
                "line": 4,
                "key": "universal_dependencies",
                "names": ("4: universal_dependencies: no.yaml: no such file",),
            },
        ),
    ],
)
def test_mistakes_are_named(tmp_path: Path, text: str, fields: dict[str, object]) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(f"name: mine\ntitle: Mine\nsources: [me]\n{text}\n", encoding="utf-8")
    with raises(YamlError, **fields):
        load_scheme(path)


def test_a_name_has_no_signs_of_signatures(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("name: tiger|v9\nextends: tiger\ntitle: Mine\nsources: [me]\n", encoding="utf-8")
    with raises(YamlError, "tiger|v9", "a name without", file="mine.yaml", line=1, key="name"):
        load_scheme(path)
    diagnostics = examine(path)
    assert [error.keys for error in diagnostics.errors] == [("name",)]


@pytest.mark.parametrize("text", ["- a\n- b\n", "word\n", "3\n", "[extends]\n"])
def test_a_file_that_is_no_mapping_is_no_scheme(tmp_path: Path, text: str) -> None:
    """Also where another one extends it: the message is about the file that is wrong."""
    path, mine = tmp_path / "other.yaml", tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    mine.write_text("name: mine\ntitle: Mine\nsources: [me]\nextends: other.yaml\n", encoding="utf-8")
    for file in (path, mine):
        with raises(YamlError, "a mapping", file="other.yaml"):
            load_scheme(file)
