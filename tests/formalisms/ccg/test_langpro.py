r"""Derivations as Prolog terms."""

from __future__ import annotations

from pathlib import Path

import pytest

from crossbank.formalisms.ccg.formats import auto, langpro
from crossbank.treebanks import FormatError
from crossbank.treebanks.errors import SentenceError
from tests.errors import raises

# Our own sentence.
TEXT = r"""% a comment
:- op(601, xfx, (/)).
id(1, p).
ccg(1,
 ba(s:dcl,
  lx(np, n,
   t(n, 'Anna\'s', 'Anna', 'NNP', 'I-NP', 'I-PER')),
  rp(s:dcl\np,
   fa(s:dcl\np,
    t((s:dcl\np)/ (s:ng\np), keeps, keep, 'VBZ', 'O', 'O'),
    t(s:ng\np, 'smiling', 'smile', 'VBG', 'O', 'O')),
   t(comma, ',', ',', ',', 'O', 'O')))).
"""


def test_terms() -> None:
    bank = langpro.loads(TEXT)
    string = bank.vocabulary.decode
    assert bank.words(0) == ["Anna's", "keeps", "smiling", ","]
    assert string(bank.tokens.pos) == ["N", r"(S[dcl]\NP)/(S[ng]\NP)", r"S[ng]\NP", ","]
    assert string(bank.tokens.misc)[0] == "Chunk=I-NP|Entity=I-PER"
    assert string(bank.nodes.label) == ["S[dcl]", "NP", r"S[dcl]\NP", r"S[dcl]\NP"]
    assert string(bank.nodes.morph) == ["ba", "lx", "rp", "fa"]
    assert [(f.event, f.total) for f in bank.diagnosis] == [("facts that are no derivation", 1)]
    assert langpro.loads(langpro.dumps(bank)).equals(bank, ignore=["line", "diagnosis"])


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("ccg(1, fa(np, t(n, 'a', 'a', 'NN', 'O'))).", {"line": 1, "actual": "t(n, a, a, NN, O)"}),
        (
            "ccg(1,\n fa(np,\n  t(n, 'a', 'a', 'NN', 'O', 'O'))",
            {"line": 1, "actual": "'(' that is not closed"},
        ),
        (
            "ccg(1, t(n//n, 'a', 'a', 'NN', 'O', 'O')).",
            {"line": 1, "sentence": "1", "actual": "the category 'N//N' with '/' at character 3"},
        ),
        ("ccg(1, t(n, 'a', \"a\")).", {"line": 1, "actual": "'\"a\")).'"}),
        ("% nothing\n", {"actual": "no ccg(...)", "expected": "at least one derivation"}),
    ],
)
def test_bad_terms(text: str, fields: dict[str, object]) -> None:
    with raises(FormatError, **fields):
        langpro.loads(text)


def test_a_bracket_that_is_missing_is_reported_in_its_fact() -> None:
    with raises(FormatError, line=4, actual="'(' that is not closed"):
        langpro.loads(TEXT.replace("'O')))).", "'O'))).") + TEXT)


def test_a_comma_without_quotes_is_a_category() -> None:
    bank = langpro.loads("ccg(1, rp(n, t(n, 'a', 'a', 'NN', 'O', 'O'), t(,, ',', ',', ',', 'O', 'O'))).")
    assert bank.vocabulary.decode(bank.tokens.pos) == ["N", ","]


def test_a_deep_term_is_read() -> None:
    depth = 3000
    leaf = "t(n, 'a', 'a', 'NN', 'O', 'O')"
    bank = langpro.loads(f"ccg(1, {'lx(n, n, ' * depth}{leaf}{')' * depth}).")
    assert len(bank.nodes) == depth


def test_a_node_without_a_rule_cannot_be_written() -> None:
    with raises(
        SentenceError,
        path="text",
        line=1,
        sentence="1",
        problem="found a node that does not name its rule, expected fa, ba ...",
    ):
        langpro.dumps(auto.loads("(<T NP 0 1> (<L N NN NN a N>) )"))


def test_the_features_of_another_format_are_no_rules() -> None:
    bank = langpro.loads("ccg(1, lx(n, n, t(n, 'a', 'a', 'NN', 'O', 'O'))).")
    vocabulary, codes = bank.vocabulary.mapped(bank.nodes.morph, lambda rule: rule and "--")
    other = bank.replace(vocabulary=vocabulary, nodes=bank.nodes.replace(morph=codes))
    with raises(
        SentenceError,
        path="text",
        line=1,
        sentence="1",
        problem="found a node that does not name its rule, expected fa, ba ...",
    ):
        langpro.dumps(other)


@pytest.mark.slow
@pytest.mark.parametrize("parser", ["ccg", "eccg", "depccg.trihf.sep"])
def test_real_terms(shared_data: Path, parser: str) -> None:
    bank = langpro.load(shared_data / "langpro-ccg" / f"ccg_sen_d_SICK_trial_{parser}.pl")
    assert len(bank) == 1000
    assert langpro.loads(langpro.dumps(bank)).equals(bank, ignore=["source", "line"])
    assert auto.loads(auto.dumps(bank)).words(999) == bank.words(999)
