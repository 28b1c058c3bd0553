"""Transformations by name, as studies and the command line write them."""

from importlib import import_module

import pytest

from crossbank.converters.transformations import TRANSFORMATIONS, Transformation, parse, transform
from crossbank.treebanks import OptionError
from tests.converters.banks import bank_of, render
from tests.errors import raises


@pytest.mark.parametrize("name", TRANSFORMATIONS)
def test_every_name_leads_to_a_documented_function(name: str) -> None:
    module, _, attribute = TRANSFORMATIONS[name].partition(":")
    assert attribute == name
    assert getattr(import_module(module), attribute).__doc__


@pytest.mark.parametrize(
    ("written", "transformation"),
    [
        ("virtual_root", Transformation("virtual_root")),
        ("virtual_root:label=TOP", Transformation("virtual_root", {"label": "TOP"})),
        ({"virtual_root": None}, Transformation("virtual_root")),
        ({"strip_functions": {"tags": True}}, Transformation("strip_functions", {"tags": True})),
        ("delete_tokens:tags=$,+$.", Transformation("delete_tokens", {"tags": ("$,", "$.")})),
        (
            "delete_tokens:tags=$,,forms=0",
            Transformation("delete_tokens", {"tags": ("$,",), "forms": ("0",)}),
        ),
        (
            "map_labels:labels=PRT>ADVP+NX>NP",
            Transformation("map_labels", {"labels": {"PRT": "ADVP", "NX": "NP"}}),
        ),
    ],
)
def test_transformations_are_read_and_written(written: object, transformation: Transformation) -> None:
    assert parse(written) == transformation  # type: ignore[arg-type]
    assert parse(str(transformation)) == transformation


@pytest.mark.parametrize(
    ("written", "fields"),
    [
        ("virtual_rot", {"kind": "transformation", "value": "virtual_rot", "names": ("virtual_root",)}),
        ("virtual_root:lable=TOP", {"kind": "option of virtual_root", "value": "lable", "names": ("label",)}),
        ("delete_punctuation:x=1", {"kind": "option of delete_punctuation", "value": "x", "names": ("'x'",)}),
        (
            "virtual_root:TOP",
            {"kind": "transformation", "value": "virtual_root:TOP", "names": ("NAME:key=value",)},
        ),
        ("collapse_unary:keep=both", {"kind": "option collapse_unary:keep", "value": "both"}),
        ("strip_functions:tags=1", {"kind": "option strip_functions:tags", "value": "1", "names": ("'1'",)}),
        ("map_labels:labels=A", {"kind": "option map_labels:labels", "value": "A", "names": ("'A'",)}),
        ("map_labels:of=tags", {"kind": "options of map_labels", "value": "of", "names": ("'of'",)}),
        ({"a": {}, "b": {}}, {"kind": "transformation"}),
    ],
)
def test_mistakes_are_named(written: object, fields: dict[str, object]) -> None:
    with raises(OptionError, **fields):
        parse(written)  # type: ignore[arg-type]


def test_a_treebank_remembers_its_conversions() -> None:
    bank = bank_of("(S (NP 0=a/X) (VP 1=b/X))")
    result = transform(bank, ["virtual_root:label=TOP", {"delete_nodes": {"labels": ["S"]}}])
    assert result.history == ("virtual_root:label=TOP", "delete_nodes:labels=S")
    assert render(result) == "(TOP (NP 0) (VP 1))"
    assert bank.history == ()
