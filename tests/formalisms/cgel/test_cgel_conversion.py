"""Cambridge Grammar: the words of the text, heads by function, and dependencies beside gold ones."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from crossbank.converters.dependencies.auxiliaries_as_leaves import auxiliaries_as_leaves
from crossbank.converters.scheme_files import load_scheme
from crossbank.converters.transformations import transform
from crossbank.formalisms.cgel.conversions.surface_words import surface_words
from crossbank.formalisms.cgel.formats import cgel
from crossbank.metrics.analyses.conversion_reliability import against_gold, without_functions
from crossbank.metrics.counting.scoring import in_view
from crossbank.treebanks import Treebank
from crossbank.treebanks.errors import RequirementError
from crossbank.treebanks.formats import bracket, read_all
from tests.errors import raises

CGEL = load_scheme("cgel")

UNIVERSAL = [
    "surface_words",
    "delete_empty_elements",
    "dependencies:rules=content,prepositions=noun",
    "auxiliaries_as_leaves",
]

# Our own sentences.
TEXT = """\
# text = Doesn't Ann like al-Hoceima, and what she saw?
(Clause
    :Prenucleus (y / V_aux :t "doesn't" :subt "does" :subt "n't")
    :Head (Clause
        :Subj (NP :Head (Nom :Head (N :t "Ann")))
        :Head (VP
            :Head (y / GAP)
            :Comp (Clause
                :Head (VP
                    :Head (V :t "like")
                    :Obj (Coordination
                        :Coordinate (NP :Head (Nom :Head (N :t "al-Hoceima" :l "al" :subt "al" :subp "-" :subt "Hoceima" :p ",")))
                        :Coordinate (NP
                            :Marker (Coordinator :t "and")
                            :Head (NP
                                :Head (Nom
                                    :Mod (Clause_rel
                                        :Head-Prenucleus (x / NP :Head (Nom :Head (N_pro :t "what")))
                                        :Head (Clause_rel
                                            :Subj (NP :Head (Nom :Head (N_pro :t "she")))
                                            :Head (VP :Head (V :t "saw" :p "?") :Obj (x / GAP)))))))))))))

# text = it has not been in the best
(Clause
    :Subj (NP :Head (Nom :Head (N_pro :t "it")))
    :Head (VP
        :Head (VP
            :Head (V_aux :t "has")
            :Mod (AdvP :Head (Adv :t "not")))
        :Comp (Clause
            :Head (VP
                :Head (V_aux :t "been")
                :Comp (PP
                    :Head (P :t "in")
                    :Obj (NP
                        :Det (DP :Head (D :t "the"))
                        :Head (Nom
                            :Head (Nom
                                :Mod-Head (AdjP :Head (Adj :t "best"))))))))))
"""  # noqa: E501


def arcs(bank: Treebank, sentence: int) -> dict[str, str]:
    """Return the head of each word."""
    words = bank.words(sentence)
    heads = bank.tokens.head[bank.tokens.rows(sentence)].tolist()
    return {word: words[head] if head >= 0 else "" for word, head in zip(words, heads, strict=True)}


def test_lexemes_become_the_words_of_the_text() -> None:
    bank = surface_words(cgel.loads(TEXT))
    decode = bank.vocabulary.decode
    rows = bank.tokens.rows(0)
    assert bank.words(0)[:5] == ["Does", "n't", "Ann", "--", "like"]
    assert bank.words(0)[5:9] == ["al", "-", "Hoceima", ","]
    assert decode(bank.tokens.pos[rows])[:9] == ["V_aux", "V_aux", "N", "GAP", "V", "N", "p", "N", "p"]
    assert decode(bank.tokens.function[rows])[5:8] == ["Head", "", "Flat"]
    assert decode(bank.tokens.lemma[rows])[5:8] == ["al", "", ""]
    assert [(finding.event, finding.total) for finding in bank.diagnosis] == [("lexemes split", 2)]
    # Secondary edges have followed their words.
    assert bank.secondary.child[bank.secondary.rows(0)].tolist()[0] == 0


def test_other_letters_than_the_text_has() -> None:
    bank = surface_words(
        cgel.loads('# text = An A and B\n(NP :Head (Nom :Head (N :t "an") :Mod (N :t "b")))\n')
    )
    assert bank.words(0) == ["An", "b"]
    assert [finding.event for finding in bank.diagnosis] == ["sentences whose letters differ from their text"]


def test_heads_by_function() -> None:
    bank = transform(cgel.loads(TEXT), ["delete_empty_elements", "dependencies"], CGEL)
    assert arcs(bank, 0) == {
        "doesn't": "like",  # the head of the verb phrase is a gap, so that its complement is the head
        "Ann": "like",
        "like": "",
        "al-Hoceima": "like",
        ",": "like",
        "and": "what",
        "what": "al-Hoceima",  # the head of its clause, and so of the noun phrase
        "she": "saw",
        "saw": "what",
        "?": "like",
    }
    assert arcs(bank, 1) == {
        "it": "has", "has": "", "not": "has", "been": "has", "in": "been", "the": "best", "best": "in",
    }  # fmt: skip


def test_heads_as_universal_dependencies_have_them() -> None:
    bank = transform(cgel.loads(TEXT), UNIVERSAL, CGEL)
    assert arcs(bank, 1) == {
        "it": "best", "has": "best", "not": "best", "been": "best", "in": "best", "the": "best", "best": "",
    }  # fmt: skip


def test_auxiliaries_that_head_a_clause_keep_their_dependents() -> None:
    text = """(Clause
        :Subj (NP :Head (N_pro :t "there"))
        :Head (VP
            :Head (VP :Head (V_aux :t "is") :Mod (AdvP :Head (Adv :t "often")))
            :DisplacedSubj (NP :Head (Nom :Head (N :t "reason")))))"""
    before = transform(cgel.loads(text), UNIVERSAL[:-1], CGEL)
    after = transform(before, UNIVERSAL[-1:], CGEL)
    assert arcs(before, 0) == arcs(after, 0) == {"there": "is", "is": "", "often": "is", "reason": "is"}
    bank = transform(cgel.loads(TEXT), UNIVERSAL, CGEL)
    moved = {finding.event: finding.total for finding in bank.diagnosis}
    assert moved["dependents of auxiliaries moved"] == 1


def test_auxiliaries_are_told_by_the_scheme() -> None:
    bank = transform(cgel.loads(TEXT), ["delete_empty_elements", "dependencies"], CGEL)
    with raises(
        RequirementError,
        name="auxiliaries_as_leaves",
        required="a scheme with a tag of auxiliaries and a function of heads",
    ):
        auxiliaries_as_leaves(bank, load_scheme("ptb"))


def test_repeated_tokens_take_their_references_along() -> None:
    bank = transform(cgel.loads(TEXT), ["delete_empty_elements", "dependencies"], CGEL)
    times = np.ones(len(bank.tokens), np.int64)
    times[2] = 3
    longer = bank.with_repeated_tokens(times, "test")
    assert longer.words(0)[:5] == ["doesn't", "Ann", "like", "like", "like"]
    heads = longer.tokens.head[longer.tokens.rows(0)].tolist()
    assert heads[:6] == [2, 2, -1, 2, 2, 2]
    assert longer.nodes.head[0] == 2
    assert arcs(longer, 1) == arcs(bank, 1)


def test_functions_after_categories_in_brackets() -> None:
    bank = cgel.loads(TEXT)
    written = bracket.loads(bracket.dumps(bank))
    assert "NP-Subj" in bracket.dumps(bank)
    for view in ("constituents", "dependencies"):
        one, other = (in_view(side, view, CGEL) for side in (bank, written))
        for table, columns in {
            "tokens": ("pos", "function", "relation"),
            "nodes": ("label", "function"),
        }.items():
            for column in columns:
                messages = [
                    side.vocabulary.decode(getattr(getattr(side, table), column)) for side in (one, other)
                ]
                assert messages[0] == messages[1]
        assert one.tokens.head.tolist() == other.tokens.head.tolist()


@pytest.mark.parametrize(
    ("name", "same_head", "words"),
    [("ewt", 1795, 1864), ("twitter", 800, 823), ("ewt-test_iaa50", 630, 642)],
)
def test_heads_without_functions(shared_data: Path, name: str, same_head: int, words: int) -> None:
    comparison = without_functions(read_all([str(shared_data / "cgel" / f"{name}.cgel")]), CGEL)
    assert (comparison.overall.same_head, comparison.overall.gold) == (same_head, words)


@pytest.mark.parametrize(
    ("names", "compared", "words", "same_head"),
    [
        # The rules were written on the first hundred trees and are measured on the others.
        (["ewt"], 99, 1873, 1722),
        (["twitter", "ewt-test_iaa50"], 115, 1487, 1364),
    ],
)
def test_dependencies_beside_gold(
    shared_data: Path, names: list[str], compared: int, words: int, same_head: int
) -> None:
    trees, gold = (
        read_all([str(shared_data / "cgel" / f"{name}.{ending}") for name in names])
        for ending in ("cgel", "conllu")
    )
    scores = against_gold(trees, gold, CGEL, UNIVERSAL)
    assert (scores.compared, scores.overall.gold, scores.overall.same_head) == (compared, words, same_head)
