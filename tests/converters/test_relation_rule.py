"""Rule files: those that come with Crossbank hold; those of users are checked, with file and line."""

from pathlib import Path

import pytest

from crossbank.converters.schemes.relation_rules import RULES as RULE_FILES
from crossbank.converters.schemes.relation_rules import load_rules
from crossbank.treebanks import OptionError
from crossbank.treebanks.yaml_nodes import YamlError
from tests.errors import raises

RULES = """\
name: mine
title: Mine
sources: [me]
inventory: carroll_minnen_briscoe
trees: constituents
macros:
  NOUN: /^NN/
rules:
  - rule: object
    relation: dobj
    pattern: VP=v < (NP=o < @NOUN)
    head: v
    dependent: o
"""


@pytest.mark.parametrize("name", RULE_FILES.bundled)
def test_the_rules_of_each_scheme_hold(name):
    rules = load_rules(name)
    assert rules.name == name
    names = [(rule.relation, rule.name) for rule in rules.rules]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("old", "new", "line", "fields"),
    [
        (
            "dobj",
            "dobject",
            10,
            {"line": 10, "key": "rules[0].relation", "names": ("dobject",)},
        ),
        ("head: v", "head: w", 12, {"line": 12, "key": "rules[0].head", "names": ("'w'",)}),
        (
            "    dependent: o",
            "    type: o",
            13,
            {"line": 13, "key": "rules[0].type", "names": ("type",)},
        ),
        ("dependent: o", "depends: o", 13, {"line": 13, "key": "rules[0]", "names": ("depends",)}),
        ("    head: v\n", "", 9, {"line": 9, "key": "rules[0]", "names": ("head",)}),
        ("(NP=o <", "(NP=o <%", 11, {"line": 11, "key": "rules[0].pattern", "names": ("'%'",)}),
        ("@NOUN)", "@NOUNS)", 11, {"line": 11, "key": "rules[0].pattern", "names": ("@NOUNS)",)}),
        ("/^NN/", "/^(NN/", 7, {"line": 7, "key": "macros.NOUN", "names": ("NOUN", "NN/")}),
        ("carroll_minnen_briscoe", "carrol", 4, {"line": 4, "key": "inventory", "names": ("carrol",)}),
        ("constituents", "trees", 5, {"line": 5, "key": "trees", "names": ("trees",)}),
    ],
)
def test_bad_rules(tmp_path: Path, old, new, line, fields: dict[str, object]):
    path = tmp_path / "mine.yaml"
    path.write_text(RULES, encoding="utf-8")
    assert load_rules(path).rules[0].name == "object"
    path.write_text(RULES.replace(old, new), encoding="utf-8")
    path = path.rename(tmp_path / "wrong.yaml")
    with raises(YamlError, **fields):
        load_rules(path)


def test_unknown_rules_name_the_known_ones():
    with raises(OptionError, "ptb", kind="relation rules", value="ptv"):
        load_rules("ptv")
