"""Signatures that differ in one value are one."""

from crossbank.reports.tables.signatures import share_signatures


def test_what_differs_in_one_choice_is_one_with_its_values() -> None:
    names = [f"parseval|labels:yes|scheme:tiger|unscored:empty:{number}|v1.1" for number in (2, 10, 0)]
    actual = share_signatures([*names, "leaf_ancestor|cost:exact|unscored:empty:1|v1.0"])
    one = actual[names[0]]
    assert one.text == "parseval|labels:yes|scheme:tiger|unscored:empty:…|v1.1"
    assert (one.choice, one.values) == ("unscored", ("empty:0", "empty:2", "empty:10"))
    assert [actual[name] for name in names] == [one] * 3
    assert list(actual.values())[-1].text == "leaf_ancestor|cost:exact|unscored:empty:1|v1.0"


def test_signatures_that_differ_in_two_choices_stay_two() -> None:
    texts = [
        f"parseval|scheme:{scheme}|unscored:empty:{number}|v1.1"
        for scheme, numbers in (("tiger", (0, 1, 2)), ("tuba", (1, 5)))
        for number in numbers
    ]
    assert list(dict.fromkeys(one.text for one in share_signatures(texts).values())) == [
        "parseval|scheme:tiger|unscored:empty:…|v1.1",
        "parseval|scheme:tuba|unscored:empty:…|v1.1",
    ]


def test_other_choices_and_other_versions_are_never_joined() -> None:
    texts = ["a|x:1|v1", "a|x:1|v2", "a|y:1|v1", "b|x:1|v1", "plain"]
    assert [one.text for one in share_signatures(texts).values()] == texts
