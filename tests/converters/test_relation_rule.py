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
    ("old", "new", "line", "message"),
    [
        (
            "dobj",
            "dobject",
            10,
            "rules[0].relation: found the relation 'dobject', expected one of dependent, ",
        ),
        ("head: v", "head: w", 12, "rules[0].head: found the node 'w', expected v, o"),
        (
            "    dependent: o",
            "    type: o",
            13,
            "found the slot 'type' of dobj, expected one of head, dependent",
        ),
        ("dependent: o", "depends: o", 13, "rules[0]: 'depends' is not a key; did you mean"),
        ("    head: v\n", "", 9, "rules[0]: 'head' is missing"),
        ("(NP=o <", "(NP=o <%", 11, "rules[0].pattern: found '%', expected a node"),
        ("@NOUN)", "@NOUNS)", 11, "rules[0].pattern: found '@NOUNS)', expected a macro: NOUN"),
        ("/^NN/", "/^(NN/", 7, "macros.NOUN: found /^(NN/, expected a regular expression"),
        ("carroll_minnen_briscoe", "carrol", 4, "inventory: hierarchy: found 'carrol', expected one of"),
        ("constituents", "trees", 5, "trees: found 'trees', expected one of constituents, dependencies"),
    ],
)
def test_bad_rules(tmp_path: Path, old, new, line, message):
    path = tmp_path / "mine.yaml"
    path.write_text(RULES, encoding="utf-8")
    assert load_rules(path).rules[0].name == "object"
    path.write_text(RULES.replace(old, new), encoding="utf-8")
    path = path.rename(tmp_path / "wrong.yaml")
    with pytest.raises(YamlError) as error:
        load_rules(path)
    assert str(error.value).startswith(f"{path}:{line}: ")
    assert message in str(error.value)


def test_unknown_rules_name_the_known_ones():
    with raises(OptionError, "ptb", kind="relation rules", value="ptv"):
        load_rules("ptv")
