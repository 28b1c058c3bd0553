"""Musillo and Sima'an (2002), section 2.4: what dependencies by Magerman's heads lose, and traces give back.

The trees of their figure 4 are drawings; these follow what is said of them.
"""

import pytest

from crossbank.converters.scheme_files import load_scheme
from crossbank.converters.transformations import transform
from crossbank.treebanks.formats import bracket

PTB = load_scheme("ptb")
QUESTION = "(SBARQ (WHNP-1 (WDT which) (NNS measures)) (SQ (VBP do) (NP-SBJ (PRP you)) {}))"
NEAR = QUESTION.format("(VP (VB propose) (NP (-NONE- *T*-1)))")
FAR = QUESTION.format(
    "(VP (VB think) (SBAR (-NONE- 0) (S (NP-SBJ (PRP we)) (VP (MD should) "
    "(VP (VB propose) (NP (-NONE- *T*-1)))))))"
)


@pytest.mark.parametrize(
    ("tree", "steps", "head"),
    [
        # "the head-word of SBARQ is the head-word of SQ, that is propose"
        (NEAR, (), "propose"),
        # "The head-word of SBARQ is think. Therefore, the WHNP [...] is not any more a dependent of proposed"
        (FAR, (), "think"),
        # "Such information represented by the position of a trace is of course relevant"
        (FAR, ("resolve_traces",), "propose"),
    ],
)
def test_what_governs_the_wh_phrase(tree: str, steps: tuple[str, ...], head: str) -> None:
    steps = (*steps, "delete_empty_elements", "dependencies:rules=magerman")
    bank = transform(bracket.loads(tree), steps, PTB)
    words = bank.words(0)
    # In Magerman's table "which" heads its phrase: WDT comes before all else.
    assert words[int(bank.tokens.head[words.index("which")])] == head
