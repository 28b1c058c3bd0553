"""Inventories of relations: the files agree with their schema, subsumption is an order."""

from itertools import product
from pathlib import Path

import pytest

from crossbank.treebanks.errors import OptionError
from crossbank.treebanks.relations.hierarchy import (
    FOLDER,
    INVENTORIES,
    HierarchyFile,
    hierarchy_for,
    load_hierarchy,
)
from crossbank.treebanks.yaml_files import check, load_yaml
from crossbank.treebanks.yaml_nodes import YamlError
from tests.errors import raises


@pytest.mark.parametrize("name", INVENTORIES)
def test_the_inventories_follow_the_declaration(name: str) -> None:
    check(load_yaml(FOLDER / f"{name}.yaml"), HierarchyFile, name)
    assert load_hierarchy(name).name == name


def test_there_are_fifteen_fully_specified_relations() -> None:
    """Briscoe et al. (2002), section 1: "a total of 15 fully specified relations"."""
    hierarchy = load_hierarchy("carroll_minnen_briscoe")
    general = {above for parents in hierarchy.under.values() for above in parents}
    assert len(hierarchy.slots.keys() - general) == 15


@pytest.mark.parametrize("name", INVENTORIES)
def test_subsumption_is_an_order(name: str) -> None:
    hierarchy = load_hierarchy(name)
    for one, other in product(hierarchy.slots, repeat=2):
        assert hierarchy.proportion(one, other) == hierarchy.proportion(other, one)
        if hierarchy.subsumes(one, other) and hierarchy.subsumes(other, one):
            assert one == other
        common = hierarchy.common(one, other)
        if hierarchy.subsumes(one, other):
            assert common == one
        if common is not None:
            assert hierarchy.subsumes(common, one)
            assert hierarchy.subsumes(common, other)


def test_shares_and_common_relations() -> None:
    carroll = load_hierarchy("carroll_minnen_briscoe")
    assert carroll.proportion("subj", "ncsubj") == 3 / 4
    assert carroll.proportion("ncsubj", "dependent") == 1 / 4
    assert carroll.proportion("ncsubj", "csubj") == 0
    assert carroll.proportion("subj_or_dobj", "dobj") == 3 / 5
    rasp = load_hierarchy("rasp")
    assert rasp.common("ncsubj", "dobj") == "subj_dobj"
    assert rasp.common("xcomp", "dobj") == "comp"
    assert rasp.common("ncmod", "iobj") == "arg_mod"
    assert rasp.common("passive", "aux") is None
    assert [rasp.depth(name) for name in ("dependent", "subj", "dobj", "pcomp")] == [0, 3, 5, 4]
    assert rasp.proportion("obja", "dobj") == 0
    assert rasp.proportion("obja", "obja") == 1


def test_the_inventory_that_knows_most_names() -> None:
    assert hierarchy_for(["ncsubj", "detmod"]).name == "carroll_minnen_briscoe"
    assert hierarchy_for(["ncsubj", "det", "passive"]).name == "rasp"
    assert hierarchy_for([]).name == "rasp"


@pytest.mark.parametrize(
    ("relations", "fields"),
    [
        (
            "a: {under: [b], slots: [[head]]}",
            {"line": 5, "key": "relations.a.under", "names": ("'b'",)},
        ),
        ("a: {slots: [[heat]]}", {"line": 5, "key": "relations.a.slots[0][0]", "names": ("heat",)}),
        ("a: {under: [a], slots: [[head]]}", {"line": 5, "key": "relations.a.under"}),
        ("a: {slot: [[head]]}", {"line": 5, "key": "relations.a", "names": ("slot",)}),
    ],
)
def test_a_wrong_file_of_ones_own(relations: str, fields: dict[str, object], tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(f"name: own\ntitle: t\nsource: s\nrelations:\n  {relations}\n")
    with raises(YamlError, **fields):
        load_hierarchy(str(path))


def test_an_unknown_inventory() -> None:
    with raises(OptionError, kind="hierarchy", value="raps"):
        load_hierarchy("raps")


def test_a_file_may_add_relations_to_an_inventory(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    text = "name: own\ntitle: t\nsource: s\nextends: INVENTORY\n"
    text += "relations:\n  a: {under: [subj], slots: [[head]]}\n"
    path.write_text(text.replace("INVENTORY", "rasp"))
    assert load_hierarchy(str(path)).subsumes("dependent", "a")
    other = tmp_path / "other.yaml"
    other.write_text(text.replace("INVENTORY", "raps"))
    with raises(YamlError, "raps", file="other.yaml", line=4, key="extends"):
        load_hierarchy(str(other))
