"""What does not parse is refused with a caret under the place."""

import pytest

from crossbank.converters.patterns.program import compile_pattern
from crossbank.converters.patterns.syntax import PatternError, parse
from tests.errors import raises


@pytest.mark.parametrize(
    ("pattern", "index", "actual", "expected"),
    [
        ("", 0, "the end", "a node"),
        ("NP <", 4, "the end", "a node"),
        ("NP < DT)", 7, "')'", "a relation"),
        ("NP << (VP", 9, "the end", "')'"),
        ("NP [< DT", 8, "the end", "']'"),
        ("NP []", 4, "']'", "a relation"),
        ("NP ! X", 5, "'X'", "a relation"),
        ("NP <0 X", 3, "'<0'", "a number from 1"),
        ("NP <-- X", 3, "'<--'", "one of the relations"),
        ("NP < /a(/", 7, "/a(/", "a regular expression"),
        ("NP < /a", 7, "the end", "a closing /"),
        ('NP < "a', 7, "the end", 'a closing "'),
        ("NP < =x", 5, "the name 'x'", "one given before"),
        ("NP !< DT=x < =x", 13, "the name 'x'", "one given before"),
        ("NP < @NOUN", 5, "'@NOUN'", "a macro"),
        ("NP=", 3, "the end", "a name"),
        ("NP <+(NP=x) DT", 6, "'NP=x)'", "labels without"),
        ("NP <\n DT [ $ ]", 13, "']'", "a node"),
    ],
)
def test_bad_patterns(pattern, index, actual, expected):
    with pytest.raises(PatternError) as error:
        compile_pattern(pattern)
    sentence, line, caret = str(error.value).split("\n")
    assert sentence.startswith(f"pattern: found {actual}, expected {expected}")
    begin = pattern.rfind("\n", 0, index) + 1
    assert line == pattern[begin:].split("\n")[0]
    assert caret == " " * (index - begin) + "^"


def test_groups_inside_each_other_are_limited():
    parse("(" * 50 + "A" + ")" * 50)
    with raises(PatternError, "50", offset=51):
        parse("(" * 51 + "A" + ")" * 51)


def test_equal_labels_are_one_object():
    ((one,),) = (pattern.node for pattern in parse("/^NP/ < NN"))
    ((other,),) = (pattern.node for pattern in parse("/^NP/ < NP"))
    assert one.label is other.label
