"""Universal Dependencies from trees: the guidelines' constructions, properties, and real treebanks."""

from __future__ import annotations

import pytest

from crossbank.converters.schemes.files import load_scheme
from crossbank.converters.transformations import transform
from crossbank.treebanks import ConversionError, Treebank
from crossbank.treebanks.formats import bracket, conllu
from crossbank.treebanks.validation import validate

PTB = load_scheme("ptb")


def converted(text: str, representation: str = "basic") -> Treebank:
    """Trees of the Penn Treebank as Universal Dependencies."""
    steps = [{"universal_dependencies": {"representation": representation}}]
    return transform(bracket.loads(text), steps, PTB)


def relations(bank: Treebank, sentence: int = 0) -> str:
    """The relations of a sentence in the order of its words: ``nsubj(2) root(0)``."""
    rows = bank.tokens.rows(sentence)
    names = bank.vocabulary.decode(bank.tokens.relation[rows])
    heads = (bank.tokens.head[rows] + 1).tolist()
    return " ".join(f"{name}({head})" for name, head in zip(names, heads, strict=True))


EXAMPLES = {
    # https://universaldependencies.org/u/overview/simple-syntax.html and the pages of the relations
    "subject and object": (
        "(S (NP (NNP Ann)) (VP (VBD saw) (NP (DT the) (NN cat))) (. .))",
        "nsubj(2) root(0) det(4) obj(2) punct(2)",
    ),
    "auxiliaries": (
        "(S (NP (PRP We)) (VP (MD will) (VP (VB have) (VP (VBN eaten)))))",
        "nsubj(4) aux(4) aux(4) root(0)",
    ),
    "nominal predicate": (
        "(S (NP (NNP Ann)) (VP (VBZ is) (NP (DT a) (NN pilot))))",
        "nsubj(4) cop(4) det(4) root(0)",
    ),
    "adjectival predicate": (
        "(S (NP (NNP Ann)) (VP (VBZ is) (ADJP (RB very) (JJ tall))))",
        "nsubj(4) cop(4) advmod(4) root(0)",
    ),
    "prepositional predicate": (
        "(S (NP (NNP Ann)) (VP (VBZ is) (PP (IN in) (NP (NNP Rome)))))",
        "nsubj(4) cop(4) case(4) root(0)",
    ),
    "existential": (
        "(S (NP (EX There)) (VP (VBZ is) (NP (DT a) (NN ghost)) (PP (IN in) (NP (DT the) (NN room)))))",
        "expl(2) root(0) det(4) nsubj(2) case(7) det(7) obl(2)",
    ),
    "passive with an agent": (
        "(S (NP (NNP Ann)) (VP (VBD was) (VP (VBN seen) (PP (IN by) (NP (NNP Bob))))))",
        "nsubj:pass(3) aux:pass(3) root(0) case(5) obl:agent(3)",
    ),
    "two objects": (
        "(S (NP (PRP He)) (VP (VBD gave) (NP (PRP me)) (NP (DT a) (NN book))))",
        "nsubj(2) root(0) iobj(2) det(5) obj(2)",
    ),
    "coordination of nouns": (
        "(S (NP (NNS Cats) (, ,) (NNS dogs) (CC and) (NNS mice)) (VP (VBP run)))",
        "nsubj(6) punct(3) conj(1) cc(5) conj(1) root(0)",
    ),
    "coordination of clauses": (
        "(S (S (NP (PRP He)) (VP (VBD came))) (CC and) (S (NP (PRP she)) (VP (VBD left))))",
        "nsubj(2) root(0) cc(5) nsubj(5) conj(2)",
    ),
    "complement clause": (
        "(S (NP (PRP He)) (VP (VBZ says) (SBAR (IN that) (S (NP (PRP she)) (VP (VBD left))))))",
        "nsubj(2) root(0) mark(5) nsubj(5) ccomp(2)",
    ),
    "infinitive": (
        "(S (NP (PRP He)) (VP (VBZ wants) (S (VP (TO to) (VP (VB leave))))))",
        "nsubj(2) root(0) mark(4) xcomp(2)",
    ),
    "object and infinitive": (
        "(S (NP (PRP He)) (VP (VBD told) (S (NP (PRP her)) (VP (TO to) (VP (VB leave))))))",
        "nsubj(2) root(0) obj(2) mark(5) xcomp(2)",
    ),
    "adverbial clause": (
        "(S (NP (PRP He)) (VP (VBD left) (SBAR (IN because) (S (NP (PRP she)) (VP (VBD came))))))",
        "nsubj(2) root(0) mark(5) nsubj(5) advcl(2)",
    ),
    "relative clause of a subject": (
        "(NP (NP (DT the) (NN man)) (SBAR (WHNP (WP who)) (S (VP (VBD left)))))",
        "det(2) root(0) nsubj(4) acl:relcl(2)",
    ),
    "relative clause of an object": (
        "(NP (NP (DT the) (NN man)) (SBAR (WHNP (WP whom)) (S (NP (PRP I)) (VP (VBD saw)))))",
        "det(2) root(0) obj(5) nsubj(5) acl:relcl(2)",
    ),
    "relative clause without a pronoun": (
        "(NP (NP (DT the) (NN man)) (SBAR (S (NP (PRP I)) (VP (VBD saw)))))",
        "det(2) root(0) nsubj(4) acl:relcl(2)",
    ),
    "participle behind a noun": (
        "(NP (NP (DT the) (NN man)) (VP (VBN seen) (PP (IN by) (NP (NNP Ann)))))",
        "det(2) root(0) acl(2) case(5) obl:agent(3)",
    ),
    "possessor": (
        "(NP (NP (NNP Ann) (POS 's)) (JJ old) (NN house))",
        "nmod:poss(4) case(1) amod(4) root(0)",
    ),
    "personal name": ("(NP (NNP Ada) (NNP Byron))", "root(0) flat(1)"),
    "compound": ("(NP (NN phone) (NN book))", "compound(2) root(0)"),
    "number": ("(NP (CD three) (NNS cats))", "nummod(2) root(0)"),
    "apposition": (
        "(NP (NP (NNP Ann)) (, ,) (NP (DT the) (NN pilot)))",
        "root(0) punct(4) det(4) appos(1)",
    ),
    "particle": (
        "(S (NP (PRP He)) (VP (VBD gave) (PRT (RP up))))",
        "nsubj(2) root(0) compound:prt(2)",
    ),
    "fixed expression": (
        "(S (NP (PRP He)) (VP (VBD left) (PP (IN because) (IN of) (NP (NNP Ann)))))",
        "nsubj(2) root(0) case(5) fixed(3) obl(2)",
    ),
    "yes/no question": (
        "(SQ (VBD Did) (NP (PRP he)) (VP (VB leave)) (. ?))",
        "aux(3) nsubj(3) root(0) punct(3)",
    ),
    "question": (
        "(SBARQ (WHNP (WP What)) (SQ (VBD did) (NP (PRP he)) (VP (VB see))) (. ?))",
        "obj(4) aux(4) nsubj(4) root(0) punct(4)",
    ),
    "reported speech": (
        "(S (S (NP (PRP I)) (VP (VBP left))) (, ,) (NP (PRP he)) (VP (VBD said)) (. .))",
        "nsubj(2) ccomp(5) punct(2) nsubj(5) root(0) punct(5)",
    ),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_constructions_of_the_guidelines(name: str) -> None:
    tree, expected = EXAMPLES[name]
    assert relations(converted(tree)) == expected


def test_a_scheme_without_rules_is_named() -> None:
    with pytest.raises(ConversionError, match="scheme rasp has no rules for Universal Dependencies; see"):
        transform(bracket.loads("(S (NN a))"), ["universal_dependencies"], load_scheme("rasp"))


@pytest.mark.parametrize(
    "tree",
    [
        "(FOO (BAR x) (BAZ y))",
        "(NN cat)",
        "(S (NP (NN a)) (VP b))",
        "((S (NN a)) (S (NN b)))",
        "(S (. .) (, ,))",
        "(())",
    ],
)
def test_ill_formed_trees_are_converted(tree: str) -> None:
    bank = converted(tree)
    assert validate(bank) == []
    assert conllu.dumps(bank)


def test_words_are_joined_as_they_are_written() -> None:
    bank = converted("(S (NP (PRP I)) (VP (MD wo) (RB n't) (VP (VB go))) (. .))")
    assert bank.vocabulary.decode(bank.multiword.form) == ["won't"]
    assert "# text = I won't go." in conllu.dumps(bank)
