"""Relations of Carroll, Minnen and Briscoe as those of RASP."""

from pathlib import Path

import pytest

from crossbank.converters.relations.map_relations import FOLDER, MAPS, load_map, map_relations
from crossbank.converters.transformations import transform
from crossbank.treebanks import OptionError
from crossbank.treebanks.formats.relations import dumps, loads
from crossbank.treebanks.relations.hierarchy import load_hierarchy
from crossbank.treebanks.yaml_nodes import YamlError
from tests.errors import raises


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(detmod _ proprietor the)", "(det proprietor the)"),
        ("(aux _ become shall)", "(aux become shall)"),
        ("(ncmod _ acquire either)", "(ncmod _ acquire either)"),
        ("(ncmod of premium $)", "(ncmod _ premium of)\n(dobj of $)"),
        ("(cmod when become die)", "(cmod _ become when)\n(ccomp _ when die)"),
        ("(arg_mod by acquire proprietor subj)", "(arg_mod _ acquire by)\n(dobj by proprietor)"),
        ("(iobj in arrive Spain)", "(iobj arrive in)\n(dobj in Spain)"),
        ("(conj or acquire decide)", "(conj or acquire)\n(conj or decide)"),
        ("(xcomp to decide drop)", "(xcomp to decide drop)"),
        ("(ncsubj acquire it obj)", "(ncsubj acquire it obj)"),
        ("(subj_or_dobj a b)", "(subj_dobj a b)"),
    ],
)
def test_from_carroll_minnen_and_briscoe_to_rasp(old: str, new: str) -> None:
    assert dumps(map_relations(loads(old))) == new + "\n"


def test_all_relations_of_the_old_inventory_become_such_of_the_new() -> None:
    ways, rasp = load_map(MAPS[0]), load_hierarchy("rasp")
    for name in load_hierarchy("carroll_minnen_briscoe").slots:
        inputs = [inputs["name"] for way in ways.get(name, ()) for inputs in way["gives"]] or [name]
        assert all(new in rasp for new in inputs), name


def test_what_was_replaced_and_left_out_is_counted() -> None:
    bank = transform(loads("(arg_mod by a b subj)\n(det a the)\n\n(det a the)\n"), ["map_relations"])
    assert [(f.event, f.counts.tolist()) for f in bank.diagnosis] == [
        ("relations replaced", [1, 0]),
        ("filled slots dropped", [1, 0]),
    ]


def test_maps_that_cannot_be_used(tmp_path: Path) -> None:
    with raises(OptionError, "carroll", kind="map of relations", value="x"):
        load_map("x")
    path = tmp_path / "own.yaml"
    path.write_text((FOLDER / f"{MAPS[0]}.yaml").read_text().replace("head: type", "head: tip"))
    with raises(YamlError, "tip", line=22, key="relations.ncmod[0].gives[1].head"):
        load_map(str(path))
