"""Children that a conjunction stands between and the head child."""

import pytest

from crossbank.converters.constructions.mark_coordination import COORDINATED
from crossbank.converters.scheme_files import load_scheme
from crossbank.converters.transformations import transform
from crossbank.treebanks.errors import RequirementError
from tests.converters.banks import bank_of, render
from tests.errors import raises


@pytest.mark.parametrize(
    ("scheme", "tree", "expected"),
    [
        ("ptb", "(NP (NP 0=a/NN) 1=,/, (NP 2=b/NN) 3=and/CC (NP:C 4=c/NN))",
         f"(NP (NP 0) 1 (NP 2) 3 (NP:C-{COORDINATED} 4))"),
        ("ptb", "(S 0=But/CC (NP 1=a/NN) (VP 2=is/VBZ))", "(S 0 (NP 1) (VP 2))"),
        ("tiger", "(CNP:OA 0=Hund/NN:CJ 1=und/KON:CD 2=Katze/NN:CJ)",
         f"(CNP:OA 0:CJ 1:CD 2:CJ-{COORDINATED})"),
        ("tiger", "(CVP (VP:CJ 0=a/ADJD 3=b/VVPP) 1=und/KON:CD (VP:CJ 2=c/ADJD 4=d/VVPP))",
         f"(CVP (VP:CJ 0 3) 1:CD (VP:CJ-{COORDINATED} 2 4))"),
    ],
)  # fmt: skip
def test_what_is_marked(scheme: str, tree: str, expected: str) -> None:
    assert (
        render(transform(bank_of(tree), ["mark_coordination"], load_scheme(scheme)), functions=True)
        == expected
    )


def test_without_a_scheme_nothing_says_what_conjunctions_are() -> None:
    with raises(
        RequirementError, name="mark_coordination", required="a scheme that says what conjunctions are"
    ):
        transform(bank_of("(NP 0=a/NN)"), ["mark_coordination"])
