"""Dependencies between chunks (Kübler and Telljohann 2002, section 5, on Srinivas et al. 1996)."""

import pytest

from crossbank.converters.scheme_files import load_scheme
from crossbank.converters.transformations import transform
from crossbank.treebanks import UNATTACHED, Treebank
from crossbank.treebanks.errors import RequirementError
from crossbank.treebanks.formats.bracket import loads

NESTED = (
    "(S (NP-SB (ART-NK die) (ADJA-NK alte) (NN-NK Katze)) (VVFIN-HD sieht)"
    " (NP-OA (ART-NK den) (AP-NK (ADV-MO sehr) (ADJA-HD lauten)) (NN-NK Hund)"
    " (PP-MNR (APPR-AC mit) (ART-NK der) (NN-NK Glocke))))"
)
FLAT = NESTED.replace("(AP-NK (ADV-MO sehr) (ADJA-HD lauten))", "(ADV-MO sehr) (ADJA-NK lauten)")
STEPS = ["split_functions", "insert_flat_phrases", "dependencies", "chunk_dependencies"]


def converted(tree: str, scheme: str = "tiger") -> Treebank:
    return transform(loads(tree), STEPS if scheme == "tiger" else STEPS[:1] + STEPS[2:], load_scheme(scheme))


def arcs(bank: Treebank) -> list[tuple[str, str, str]]:
    words, heads = bank.words(0), bank.tokens.head.tolist()
    relations = bank.vocabulary.decode(bank.tokens.relation)
    return [
        (word, relation, words[head] if head >= 0 else "-")
        for word, head, relation in zip(words, heads, relations, strict=True)
        if head != UNATTACHED
    ]


def test_chunks_depend_on_each_other_and_on_words_outside() -> None:
    assert arcs(converted(NESTED)) == [
        ("Katze", "SB", "sieht"),
        ("sieht", "root", "-"),
        ("Hund", "OA", "sieht"),
        ("mit", "MNR", "Hund"),
        ("Glocke", "NK", "mit"),
    ]


def test_structure_inside_a_chunk_makes_no_difference() -> None:
    """Noun phrases with more structure than gold's lower precision otherwise (section 5)."""
    steps = STEPS[:-1]
    scheme = load_scheme("tiger")
    assert arcs(transform(loads(NESTED), steps, scheme)) != arcs(transform(loads(FLAT), steps, scheme))
    assert arcs(converted(NESTED)) == arcs(converted(FLAT))


def test_chunks_of_tuebadz() -> None:
    tree = (
        "(SIMPX (VF (NX:ON (ART die) (NN:HD Katze))) (LK (VXFIN:HD (VVFIN:HD sieht)))"
        " (MF (NX:OA (ART den) (NN:HD Hund))))"
    )
    assert [(word, head) for word, _, head in arcs(converted(tree, "tuebadz"))] == [
        ("Katze", "sieht"),
        ("sieht", "-"),
        ("Hund", "sieht"),
    ]


def test_dependencies_come_before_and_the_scheme_says_what_chunks_are() -> None:
    with pytest.raises(RequirementError):
        transform(loads(NESTED), ["chunk_dependencies"], load_scheme("tiger"))
    with pytest.raises(RequirementError):
        transform(loads(NESTED), ["dependencies", "chunk_dependencies"], load_scheme("ppche"))
