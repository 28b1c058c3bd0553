"""Fixed expressions and hyphenated words: which word heads them, and where what depends on them goes."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from crossbank.converters.dependencies.word_groups import attach_word_groups
from crossbank.converters.scheme_files import load_scheme
from crossbank.converters.transformations import transform
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.errors import RequirementError
from crossbank.treebanks.formats import bracket
from tests.converters.banks import bank_of, events
from tests.errors import raises
from tests.validity import validate

PTB = load_scheme("ptb")
CONTENT = "dependencies:rules=content,prepositions=noun,coordination=universal"


def heads(tree: str) -> dict[str, str]:
    bank = transform(bracket.loads(tree), [CONTENT, "attach_word_groups"], PTB)
    words = [*bank.words(0), "-"]
    return {word: words[max(head, -1)] for word, head in zip(words, bank.tokens.head.tolist(), strict=False)}


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        (
            "(NP (NP (NNS birds)) (PP (JJ Such) (IN as) (NP (NNS owls))))",
            {"Such": "owls", "as": "Such", "owls": "birds"},
        ),
        (
            "(S (NP (PRP we)) (VP (VBP stay) (PP (VBG according) (PP (TO to) (NP (NNS plans))))))",
            {"according": "plans", "to": "according", "plans": "stay"},
        ),
        # The whole of a longer expression counts, not its beginning.
        (
            "(NP (NP (NN tea)) (CONJP (RB as) (RB well) (IN as)) (NP (NN milk)))",
            {"as": "as", "well": "as", "milk": "tea"},
        ),
        ("(NP (DT an) (NN eye) (HYPH -) (NN tracking) (NN study))", {"eye": "tracking", "tracking": "study"}),
        ("(NP (NNP Rose) (HYPH -) (NNP Mary) (NNS fans))", {"Rose": "fans", "Mary": "Rose", "-": "Rose"}),
        ("(NP (NNP July) (CD 6) (, ,) (CD 1998))", {"July": "6", "6": "-", "1998": "6"}),
        ("(NP (NNP July) (CD 1998))", {"July": "-", "1998": "July"}),
        ("(NP (NP (NN eye)) (: -) (NP (NN tracking)))", {"eye": "-", "tracking": "eye"}),
    ],
)
def test_one_word_heads_the_group(tree: str, expected: dict[str, str]) -> None:
    head_words = heads(tree)
    assert {word: head_words[word] for word in expected} == expected


def test_groups_are_counted_and_need_dependencies_and_rules() -> None:
    tree = "(NP (NP (NNS birds)) (PP (JJ such) (IN as) (NP (NNS owls))))"
    bank = transform(bracket.loads(tree), [CONTENT, "attach_word_groups"], PTB)
    assert events(bank)["attach_word_groups: groups of words with one head"] == 1
    with raises(RequirementError, name="attach_word_groups", required="dependencies before it"):
        attach_word_groups(bracket.loads(tree), PTB)
    with raises(RequirementError, name="attach_word_groups", required="a scheme with word_groups"):
        transform(bank_of("(NX 0=Brot/NN)"), ["dependencies", "attach_word_groups"], load_scheme("tuebadz"))


@given(
    st.lists(st.sampled_from(["as", "well", "such", "because", "of", "tea"]), min_size=1, max_size=9),
    st.randoms(use_true_random=False),
)
def test_trees_stay_trees(words: list[str], random: Random) -> None:
    """Each word depends on one that comes earlier in a random order, so there is no cycle before."""
    order = random.sample(range(len(words)), len(words))
    builder = TreebankBuilder()
    builder.sentence(id="1")
    for index, word in enumerate(words):
        earlier = order[: order.index(index)]
        builder.token(form=word, pos="IN", head=random.choice(earlier) if earlier else -1)
    bank = builder.build()
    assert validate(bank) == []
    result = attach_word_groups(bank, PTB)
    event("a group" if result.diagnosis else "no group")
    assert validate(result) == []
    assert result.diagnosis or np.array_equal(result.tokens.head, bank.tokens.head)
