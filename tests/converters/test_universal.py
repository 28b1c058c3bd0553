"""Universal Dependencies from trees: the guidelines' constructions, properties, and real treebanks."""

from __future__ import annotations

import json
import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import TypeAlias

import numpy as np
import pytest

import crossbank
from crossbank.converters.scheme_files import load_scheme
from crossbank.converters.transformations import transform
from crossbank.converters.universal.rule_files import RuleFile
from crossbank.converters.universal.rules import RULES, load_rules
from crossbank.metrics.analyses.universal_structure import counted, universal_faults
from crossbank.treebanks import ConversionError, Treebank
from crossbank.treebanks.errors import CrossbankError, MissingAnnotationError, OptionError
from crossbank.treebanks.formats import bracket, conllu, read, read_all
from crossbank.treebanks.yaml_files import load_yaml
from crossbank.treebanks.yaml_nodes import YamlError
from crossbank.treebanks.yaml_schemas import violations
from crossbank.workflow.commands.cli import main
from tests.errors import raises, run_failing
from tests.validity import validate

PTB = load_scheme("ptb")


def converted(text: str, representation: str = "basic") -> Treebank:
    """Return the trees of the Penn Treebank as Universal Dependencies."""
    steps = [{"universal_dependencies": {"representation": representation}}]
    return transform(bracket.loads(text), steps, PTB)


def relations(bank: Treebank, sentence: int = 0) -> str:
    """Return the relations of a sentence in the order of its words: ``nsubj(2) root(0)``."""
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
        "nsubj(2) root(0) iobj(2) mark(5) xcomp(2)",
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
    "participle after a noun": (
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
    "word written as two": (
        "(S (NP (PRP I)) (VP (VBD left) (ADVP (GW for) (RB ever))))",
        "nsubj(2) root(0) advmod(2) goeswith(3)",
    ),
    "coordinated prepositions": (
        "(S (NP (PRP He)) (VP (VBZ flies) (PP (TO to) (CC and) (IN from) (NP (NNP Rome)))))",
        "nsubj(2) root(0) case(6) cc(5) conj(3) obl(2)",
    ),
    "amounts": (
        "(NP (QP (IN between) ($ $) (CD 60) (CD million) (CC and) ($ $) (CD 100) (CD million)))",
        "advmod(2) root(0) compound(4) nummod(2) cc(6) conj(2) compound(8) nummod(6)",
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
    "cleft": (
        "(S (NP (PRP It)) (VP (VBD was) (NP (NNP Ann)) (SBAR (WHNP (WP who)) (S (VP (VBD won))))))",
        "nsubj(3) cop(3) root(0) nsubj(5) acl:relcl(3)",
    ),
    "vocative": (
        "(S (NP (NNP Ann)) (, ,) (VP (VB open) (NP (DT the) (NN door))))",
        "vocative(3) punct(1) root(0) det(5) obj(3)",
    ),
    "free relative": (
        "(S (SBAR (WHNP (WP What)) (S (NP (PRP he)) (VP (VBD said)))) (VP (VBZ is) (ADJP (JJ true))))",
        "nsubj(5) nsubj(3) acl:relcl(1) cop(5) root(0)",
    ),
    "home": (
        "(S (NP (PRP We)) (VP (VBD went) (NP (NN home))))",
        "nsubj(2) root(0) obl:unmarked(2)",
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


TRACES = {
    "expletive": (
        "(S (NP-SBJ (NP (PRP It)) (SBAR (-NONE- *EXP*-1))) (VP (VBZ is) (ADJP-PRD (JJ clear))"
        " (SBAR-1 (IN that) (S (NP-SBJ (PRP he)) (VP (VBD left))))))",
        "expl(3) cop(3) root(0) mark(6) nsubj(6) csubj(3)",
    ),
    "clause with a silent that": (
        "(NP (NP (DT the) (NN fact)) (SBAR (-NONE- 0) (S (NP-SBJ (PRP he)) (VP (VBD left)))))",
        "det(2) root(0) nsubj(4) acl(2)",
    ),
    "relative clause with a silent pronoun": (
        "(NP (NP (DT the) (NN man)) (SBAR (WHNP-1 (-NONE- 0)) (S (NP-SBJ (PRP he)) (VP (VBD saw)"
        " (NP (-NONE- *T*-1))))))",
        "det(2) root(0) nsubj(4) acl:relcl(2)",
    ),
    "object of a clause below": (
        "(SBARQ (WHNP-1 (WP Whom)) (SQ (VBD did) (NP-SBJ-2 (PRP you)) (VP (VB want) (S (NP-SBJ (-NONE- *-2))"
        " (VP (TO to) (VP (VB invite) (NP (-NONE- *T*-1))))))))",
        "obj(6) aux(4) nsubj(4) root(0) mark(6) xcomp(4)",
    ),
    "subject of a passive clause below": (
        "(NP (NP (NN time)) (SBAR (WHNP-1 (WDT which)) (S (NP-SBJ (PRP it)) (VP (VBD said) (SBAR (-NONE- 0)"
        " (S (NP-SBJ-2 (-NONE- *T*-1)) (VP (VBD was) (VP (VBN lost) (NP (-NONE- *-2))))))))))",
        "root(0) nsubj:pass(6) nsubj(4) acl:relcl(1) aux:pass(6) ccomp(4)",
    ),
    "adposition of a clause below": (
        "(SBARQ (WHNP-1 (WP Who)) (SQ (VBD did) (NP-SBJ (PRP you)) (VP (VB say) (SBAR (-NONE- 0) (S (NP-SBJ"
        " (PRP she)) (VP (VBD talked) (PP (TO to) (NP (-NONE- *T*-1)))))))))",
        "obl(6) aux(4) nsubj(4) root(0) nsubj(6) ccomp(4) case(1)",
    ),
    "object of a small clause": (
        "(NP (NP (NNS products)) (SBAR (WHNP-1 (WDT that)) (S (NP-SBJ (NNS brokers)) (VP (VBP find) (S"
        " (NP-SBJ (-NONE- *T*-1)) (ADJP-PRD (JJ easy)))))))",
        "root(0) obj(4) nsubj(4) acl:relcl(1) xcomp(4)",
    ),
    "modifier of two conjuncts": (
        "(SBAR (WHADVP-1 (WRB When)) (S (S (NP-SBJ (NN demand)) (VP (VBZ grows) (ADVP (-NONE- *T*-1))))"
        " (CC and) (S (NP-SBJ (NNS times)) (VP (VBP lengthen) (ADVP (-NONE- *T*-1))))))",
        "advmod(3) nsubj(3) root(0) cc(6) nsubj(6) conj(3)",
    ),
    "passive": (
        "(S (NP-SBJ-1 (NNP Ann)) (VP (VBD was) (VP (VBN seen) (NP (-NONE- *-1)))))",
        "nsubj:pass(3) aux:pass(3) root(0)",
    ),
}


@pytest.mark.parametrize("name", TRACES)
def test_traces_tell_constructions_apart(name: str) -> None:
    tree, expected = TRACES[name]
    assert relations(converted(tree)) == expected


def test_a_scheme_without_rules_is_named() -> None:
    with raises(ConversionError, "scheme rasp", "Universal Dependencies"):
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


def test_another_text_is_replaced_and_leaves_no_line() -> None:
    bank = bracket.loads("(S (NP (PRP I)) (VP (VBP go)))")
    bank = bank.with_columns("sentences", id=["7"], comments=["# sent_id = 7\n# text = I  go"])
    written = conllu.dumps(transform(bank, ["universal_dependencies"], PTB))
    assert written.startswith("# sent_id = 7\n# text = I go\n1\t")


ENHANCED = {
    # https://universaldependencies.org/u/overview/enhanced-syntax.html
    "conjuncts share governor and subject": (
        "(S (NP (NNP Ann)) (VP (VBD sat) (CC and) (VBD ate)))",
        ["2:nsubj|4:nsubj", "0:root", "4:cc", "2:conj:and"],
    ),
    "conjuncts of a modifier": (
        "(NP (NP (NNS cats)) (PP (IN in) (NP (NNS hats) (CC and) (NNS coats))))",
        ["0:root", "3:case", "1:nmod:in", "5:cc", "1:nmod:in|3:conj:and"],
    ),
    "controlled subject": (
        "(S (NP (PRP He)) (VP (VBZ wants) (S (VP (TO to) (VP (VB go))))))",
        ["2:nsubj|4:nsubj:xsubj", "0:root", "4:mark", "2:xcomp"],
    ),
    "subject that a trace tells": (
        "(S (NP-SBJ-1 (PRP I)) (VP (VBD promised) (NP (PRP her)) (S (NP-SBJ (-NONE- *-1)) (VP (TO to)"
        " (VP (VB go) (CC or) (VB stay))))))",
        [
            "2:nsubj|5:nsubj:xsubj|7:nsubj:xsubj",
            "0:root",
            "2:iobj",
            "5:mark",
            "2:xcomp",
            "7:cc",
            "2:xcomp|5:conj:or",
        ],
    ),
    "relative pronoun": (
        "(NP (NP (DT the) (NN man)) (SBAR (WHNP (WP who)) (S (VP (VBD left)))))",
        ["2:det", "0:root|4:nsubj", "2:ref", "2:acl:relcl"],
    ),
    "marker of several words": (
        "(S (NP (PRP He)) (VP (VBD left) (PP (IN because) (IN of) (NP (NNP Ann)))))",
        ["2:nsubj", "0:root", "5:case", "3:fixed", "2:obl:because_of"],
    ),
}


@pytest.mark.parametrize("name", ENHANCED)
def test_enhanced_dependencies(name: str) -> None:
    tree, expected = ENHANCED[name]
    bank = converted(tree, "enhanced")
    assert bank.vocabulary.decode(bank.tokens.deps) == expected


GAPS = {
    "a subject and an object": (
        "(S (S (NP-SBJ-1 (NNP Ann)) (VP (VBD ate) (NP-2 (NNS apples)))) (CC and)"
        " (S (NP-SBJ=1 (NNP Bob)) (NP=2 (NNS pears))))",
        "nsubj(2) root(0) obj(2) cc(5) conj(2) orphan(5)",
        ["2:nsubj", "0:root", "2:obj", "5.1:cc", "5.1:nsubj", "5.1:obj"],
        (4, "ate", "2:conj:and"),
    ),
    "two phrases and a subject that is shared": (
        "(S (NP-SBJ (PRP It)) (VP (VP (VBD rose) (PP-DIR-1 (TO to) (NP (CD 5)))"
        " (PP-TMP-2 (IN in) (NP (CD 1989)))) (CC and)"
        " (VP (PP-DIR=1 (TO to) (NP (CD 6))) (PP-TMP=2 (IN in) (NP (CD 1990))))))",
        "nsubj(2) root(0) case(4) obl(2) case(6) obl(2) cc(9) case(9) conj(2) case(11) orphan(9)",
        [
            "2:nsubj|7.1:nsubj",
            "0:root",
            "4:case",
            "2:obl:to",
            "6:case",
            "2:obl:in",
            "7.1:cc",
            "9:case",
            "7.1:obl:to",
            "11:case",
            "7.1:obl:in",
        ],
        (6, "rose", "2:conj:and"),
    ),
}


@pytest.mark.parametrize("name", GAPS)
def test_an_empty_node_stands_for_a_verb_that_is_left_out(name: str) -> None:
    tree, basic, deps, node = GAPS[name]
    assert relations(converted(tree)) == basic
    assert len(converted(tree).empty) == 0
    bank = conllu.loads(conllu.dumps(converted(tree, "enhanced")))
    decode = bank.vocabulary.decode
    assert decode(bank.tokens.deps) == deps
    empty = bank.empty
    assert (int(empty.anchor[0]), *decode(empty.form), *decode(empty.deps)) == node
    assert counted(universal_faults(bank)) == {}


def test_the_rules_that_come_with_the_project_can_be_extended(tmp_path: Path) -> None:
    rules = tmp_path / "own.yaml"
    rules.write_text(
        "name: own\ntitle: Own rules\nsources: [none]\nextends: ptb\n"
        "relations:\n  - vocative: {category: NP, function: HEY}\n",
        encoding="utf-8",
    )
    scheme = tmp_path / "scheme.yaml"
    scheme.write_text(
        f"name: own\ntitle: Own\nsources: [none]\nextends: ptb\nuniversal_dependencies: {rules}\n",
        encoding="utf-8",
    )
    tree = "(S (NP-HEY (NNP Ann)) (NP (PRP we)) (VP (VBD left)))"
    bank = crossbank.to_ud([tree], str(scheme))
    assert relations(bank) == "vocative(3) nsubj(3) root(0)"
    assert load_rules(rules).files[0] == rules


@pytest.mark.parametrize("name", RULES.bundled)
def test_the_rules_that_come_with_the_project_follow_the_declaration(name: str) -> None:
    assert list(violations(RuleFile, load_yaml(RULES.path(name)))) == []


def test_faults_of_rules_name_line_and_key(tmp_path: Path) -> None:
    rules = tmp_path / "own.yaml"
    head = "name: own\ntitle: Own\nsources: []\nextends: ptb\nrelations:\n"
    rules.write_text(f"{head}  - obj: {{is: nonsense}}\n", encoding="utf-8")
    with raises(YamlError, "nonsense", file="own.yaml", line=6, key="relations[0].obj"):
        load_rules(rules)
    rules.write_text(f"{head}  - obj: {{categorie: NP}}\n", encoding="utf-8")
    with raises(YamlError, "categorie", line=6, key="relations[0].obj"):
        load_rules(rules)
    for way in ("[parent, aunt]", "{aunt: {tag: NN}}", "3"):
        rules.write_text(f"{head}  - obj: {{to: {way}}}\n", encoding="utf-8")
        with pytest.raises(YamlError, match=r"own.yaml:6: relations\[0\].obj.to"):
            load_rules(rules)
    rules.write_text("name: own\ntitle: Own\nsources: []\nfixed: [of course, 1.5]\n", encoding="utf-8")
    with raises(YamlError, "1.5", file="own.yaml", line=4, key="fixed[1]"):
        load_rules(rules)


def test_rules_without_heads_and_relations_are_read(tmp_path: Path) -> None:
    rules = tmp_path / "own.yaml"
    rules.write_text("name: own\ntitle: Own\nsources: []\n", encoding="utf-8")
    assert (load_rules(rules).heads, load_rules(rules).relations) == ({}, ())


def test_the_parts_of_a_word_written_as_two_have_one_lemma_and_tag() -> None:
    bank = converted("(S (NP (PRP We)) (VP (GW with) (VBD draw) (NP (PRP it))))")
    assert bank.vocabulary.decode(bank.tokens.pos) == ["PRON", "VERB", "X", "PRON"]
    assert bank.vocabulary.decode(bank.tokens.lemma) == ["we", "with", "", "it"]
    assert counted(universal_faults(bank)) == {}


def test_identifiers_are_there_once_and_have_no_spaces(tmp_path: Path) -> None:
    for name in ("a", "b"):
        text = f"( (S (VB Sing)) (ID 7))\n( (S (VB Go)) (ID x/1,{name} y))\n"
        (tmp_path / f"{name}.mrg").write_text(text, encoding="utf-8")
    bank = transform(read_all([str(tmp_path / "*.mrg")]), ["universal_dependencies"], PTB)
    ids = [bank.sentence_id(i) for i in range(len(bank))]
    assert len(set(ids)) == 4
    assert not any(set(name) & set(" /") for name in ids)


def test_a_rule_of_governors_makes_no_circle() -> None:
    bank = converted("(NP (NN a) (HYPH -) (NN b) (CC and) (CC or) (CC and))")
    assert validate(bank) == []


def test_unknown_tags_and_labels_are_counted() -> None:
    bank = converted("(FOO (BAR x) (BAZ y) (QUX (BAR z)))")
    events = {finding.event: finding.total for finding in bank.diagnosis}
    assert events == {"words without a relation (dep)": 2, "tags without a universal tag (X)": 3}
    assert bank.vocabulary.decode(bank.tokens.pos) == ["X"] * 3


def test_trees_in_memory() -> None:
    from nltk import Tree

    text = "(S (NP (NNP Ann)) (VP (VBD left)))"
    bank = crossbank.to_ud([Tree.fromstring(text)], "ptb")
    assert relations(bank) == relations(crossbank.to_ud([text], "ptb")) == "nsubj(2) root(0)"


# The command line


def test_convert_writes_universal_dependencies_unless_told_otherwise(tmp_path: Path) -> None:
    source, target = tmp_path / "a.mrg", tmp_path / "a.conllu"
    source.write_text("(S (NP (NNP Ann)) (VP (VBZ is) (ADJP (JJ tall))))\n", encoding="utf-8")
    actual = []
    for options in ([], ["--ud"], ["--ud", "enhanced"], ["--ud", "no"], ["--transform", "dependencies"]):
        assert main(["convert", str(source), str(target), "--scheme", "ptb", *options]) == 0
        bank = read(target)
        actual.append((relations(bank), bool(bank.tokens.deps.any())))
    universal = "nsubj(3) cop(3) root(0)"
    assert actual[:3] == [(universal, False), (universal, False), (universal, True)]
    assert actual[3][0] == actual[4][0] != universal


def test_universal_dependencies_are_of_trees(tmp_path: Path) -> None:
    """Dependencies were passed on as they are, and words of a text became arcs that nobody had parsed."""
    target = tmp_path / "b.conllu"
    for name, content in {"a.conll": "1\ta\t_\tN\tN\t_\t0\troot\t_\t_\n\n", "a.txt": "a b\n"}.items():
        source = tmp_path / name
        source.write_text(content, encoding="utf-8")
        with raises(MissingAnnotationError, annotation="trees"):
            run_failing(["convert", str(source), str(target), "--scheme", "ptb", "--ud"])
        with raises(MissingAnnotationError, annotation="trees"):
            crossbank.to_ud(source, "ptb")
    assert len(crossbank.to_ud(["(UH yes)", None], "ptb").tokens) == 1


def test_convert_leaves_out_sentences_without_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, target = tmp_path / "a.psd", tmp_path / "a.conllu"
    silent = "( (IP-MAT (NP-SBJ *T*-1)) (ID a,.2))\n"
    source.write_text("( (IP-MAT (NP-SBJ (PRO hann)) (VBDI kom)) (ID a,.1))\n" + silent, encoding="utf-8")
    command = ["convert", str(source), str(target), "--scheme", "ppche", "--ud"]
    assert main(command) == 0
    assert "sentences without words, which crossbank convert leaves out: 1 in 1 sentence (a,.2)" in (
        capsys.readouterr().err
    )
    bank = read(target)
    assert (len(bank), bank.words(0), bank.diagnosis) == (1, ["hann", "kom"], ())
    source.write_text(silent, encoding="utf-8")
    target.unlink()
    assert main(command) == 2
    assert "no sentence has words" in capsys.readouterr().err
    assert not target.exists()


def test_heads_tells_which_rule_fired(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "a.mrg"
    source.write_text("(S (NP (NNP Ann)) (VP (VBD left)) (FOO (NN x)))\n", encoding="utf-8")
    assert main(["heads", str(source), "--scheme", "ptb", "--ud"]) == 0
    output = capsys.readouterr().out
    assert "words without a relation (dep), by configuration: 1" in output
    assert "FOO under S, governor VBD: 1" in output
    assert main(["heads", str(source), "--scheme", "ptb", "--ud", "--json"]) == 0
    kinds = {row["kind"] for row in json.loads(capsys.readouterr().out)}
    assert kinds == {"head", "relation", "dep"}


def test_reliability_against_universal_dependencies(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, target = tmp_path / "a.mrg", tmp_path / "a.conllu"
    source.write_text("(S (NP (NNP Ann)) (VP (VBD left)))\n", encoding="utf-8")
    assert main(["convert", str(source), str(target), "--scheme", "ptb"]) == 0
    assert main(["reliability", str(source), "--scheme", "ptb", "--ud", "--against", str(target)]) == 0
    assert "2 of 2 words have the same head and relation" in capsys.readouterr().out


def test_reliability_by_construction_and_group(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = tmp_path / "a.mrg", tmp_path / "a.conllu"
    tree = "(S (NP (NNP Ann)) (VP (VBD left) (NP (DT the) (NN house))))\n"
    source.write_text(tree * 4, encoding="utf-8")
    assert main(["convert", str(source), str(target), "--scheme", "ptb"]) == 0
    blocks = target.read_text("utf-8").split("\n\n")[:4]
    wrong = blocks[3].replace("\tobj\t", "\tobl\t")
    genres = ("a", "a", "b", "b")
    text = [f"# genre = {g}\n{b}\n\n" for g, b in zip(genres, [*blocks[:3], wrong], strict=True)]
    target.write_text("".join(text), encoding="utf-8")
    call = ["reliability", str(source), "--scheme", "ptb", "--ud", "--by", "construction,genre,relation"]
    assert main([*call, "--against", str(target), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)["breakdowns"]
    shares = {kind: {row["name"]: row for row in rows} for kind, rows in document.items()}
    assert shares["construction"]["objects"]["gold"] == 3
    assert shares["construction"]["objects"]["labelled"][0] == pytest.approx(2 * 3 / (3 + 4))
    assert shares["genre"]["a"]["labelled"] == [1, 1, 1]
    assert shares["genre"]["b"]["labelled"][0] == 7 / 8
    assert shares["relation"]["obl"]["attached"][0] == 1
    assert main([*call, "--against", str(target)]) == 0
    assert "labelled F1" in capsys.readouterr().out
    with raises(OptionError, kind="--by", value="nonsense"):
        run_failing([*call[:-1], "nonsense", "--against", str(target)])
    with raises(CrossbankError, "--by", "--against"):
        run_failing(call)


# Real treebanks


Halves: TypeAlias = tuple[Treebank, Treebank, list[bool]]


@pytest.fixture(scope="module")
def benchmark() -> ModuleType:
    """Return the benchmark that measures the conversion, which has the halves of GUM and what is counted."""
    path = Path(__file__).resolve().parents[2] / "benchmarks" / "universal.py"
    specification = spec_from_file_location("universal", path)
    assert specification is not None
    assert specification.loader is not None
    module = module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def gum(shared_data: Path, benchmark: ModuleType) -> Halves:
    """GUM's trees and dependencies, and whether each sentence is of a text on which no rule was chosen."""
    halves: Halves = benchmark.halves(shared_data)
    return halves


@pytest.mark.parametrize(
    ("before", "least"),
    [
        (["strip_functions"], {"UPOS": 98.5, "UAS": 91.3, "LAS": 88.4, "ELAS": 86.7}),
        ([], {"UPOS": 98.5, "UAS": 91.5, "LAS": 88.9, "ELAS": 87.2}),
    ],
)
def test_gum(gum: Halves, benchmark: ModuleType, before: list[str], least: dict[str, float]) -> None:
    """The texts on which no rule was chosen: every second one by name, the second among them."""
    trees, gold, held_out = gum
    steps = [*before, {"universal_dependencies": {"representation": "enhanced"}}]
    actual = benchmark.agreement(transform(trees.select(held_out), steps, PTB), gold.select(held_out))
    assert all(actual[name] >= number for name, number in least.items()), actual


def test_other_genres_of_gum(shared_data: Path, benchmark: ModuleType) -> None:
    """Texts of eleven genres on which no rule was chosen."""
    trees, gold, held_out = benchmark.other_genres(shared_data)
    steps = [{"universal_dependencies": {"representation": "enhanced"}}]
    bank = transform(trees, steps, PTB)
    assert validate(bank) == []
    assert counted(universal_faults(bank)) == {}
    actual = benchmark.agreement(bank.select(held_out), gold.select(held_out))
    assert actual["LAS"] >= 88.2
    assert actual["UAS"] >= 91.4


def test_gum_is_valid(gum: Halves) -> None:
    trees, _, _ = gum
    bank = transform(trees, [{"universal_dependencies": {"representation": "enhanced"}}], PTB)
    assert validate(bank) == []
    assert counted(universal_faults(bank)) == {}


@pytest.mark.slow
def test_the_wall_street_journal_is_valid(shared_data: Path) -> None:
    trees = read_all(sorted(map(str, (shared_data / "wsj-sample" / "trees").glob("*.mrg"))), "bracket")
    bank = transform(trees, [{"universal_dependencies": {"representation": "enhanced"}}], PTB)
    assert validate(bank) == []
    assert counted(universal_faults(bank)) == {}


def test_the_heads_of_penn2malt(shared_data: Path) -> None:
    """Yamada and Matsumoto (2003): all but two words, whose verbs have the tag of a noun."""
    trees = read_all(sorted(map(str, (shared_data / "wsj-sample" / "trees").glob("*.mrg"))), "bracket")
    steps = ["delete_empty_elements", "dependencies:rules=yamada,punctuation=tree", "single_root"]
    bank = transform(trees, steps, PTB)
    texts = [
        path.read_text("latin-1") for path in sorted((shared_data / "wsj-sample" / "heads").glob("*.dp"))
    ]
    heads = [int(line.split("\t")[2]) - 1 for text in texts for line in text.split("\n") if "\t" in line]
    assert int((bank.tokens.head != np.array(heads)).sum()) == 2


@pytest.mark.slow
def test_examples_of_another_converter(shared_data: Path) -> None:
    """CoreNLP's examples, all counted, also those in which its answer is not that of today's guidelines."""
    examples = json.loads((shared_data / "ud-converter" / "examples.json").read_text("utf-8"))
    heads = relations = total = 0
    for example in examples:
        if example["type"] not in ("BASIC", "NON_COLLAPSED"):
            continue
        bank = converted(example["tree"])
        names = bank.vocabulary.decode(bank.tokens.relation)
        actual = {
            (h + 1, d): name
            for d, (h, name) in enumerate(zip(bank.tokens.head.tolist(), names, strict=True), 1)
        }
        for written in example["dependencies"]:
            if match := re.fullmatch(r"(\S+)\(.+-(\d+)'*, .+-(\d+)'*\)", written):
                total += 1
                name = actual.get((int(match[2]), int(match[3])))
                heads += name is not None
                relations += name == match[1]
    assert total > 600
    assert heads / total > 0.93
    assert relations / total > 0.89


GERMAN_TREES = Path(__file__).parents[2] / "examples"
GERMAN = ("tiger", "tuebadz")


@pytest.mark.parametrize("scheme", GERMAN)
def test_german_sentences_agree_with_what_was_annotated(scheme: str) -> None:
    """LAS of examples/ud.conllu without punctuation, on every second sentence and on the others."""
    gold = read(GERMAN_TREES / "ud.conllu")
    trees = read(GERMAN_TREES / f"{scheme}.export")
    transformed = transform(trees, ["universal_dependencies"], load_scheme(scheme))
    forms = [bank.vocabulary.decode(bank.tokens.form) for bank in (transformed, gold)]
    assert forms[0] == forms[1]
    words = np.array(gold.vocabulary.decode(gold.tokens.pos)) != "PUNCT"
    names = (np.array(bank.vocabulary.decode(bank.tokens.relation)) for bank in (transformed, gold))
    right = (transformed.tokens.head == gold.tokens.head) & np.equal(*names)
    half = gold.tokens.sentence_of_row() % 2
    for part in (0, 1):
        assert right[words & (half == part)].mean() >= 0.98


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scheme", "pattern"),
    [
        ("tiger", "tiger-pcc/syntax/*.xml"),
        ("tuebadz", "tuebadz-masked/*.negra"),
        ("ppche", "farpahc/psd/*.psd"),
        ("cgel", "cgel/*.cgel"),
        ("ppche", "icepahc/psd/1[23]*.psd"),
    ],
)
def test_real_treebanks_become_valid(scheme: str, pattern: str, shared_data: Path) -> None:
    transformed = transform(
        read_all([str(shared_data / pattern)]), ["universal_dependencies"], load_scheme(scheme)
    )
    assert counted(universal_faults(transformed)) == {}


def test_topological_fields_are_passed_over() -> None:
    """Phrases of different fields are sisters; the constituents stay."""
    text = "(SIMPX (VF (NX:ON (NE Anna))) (LK (VXFIN:HD (VVFIN liest))) (MF (NX:OA (NN Zeitung))))"
    transformed = transform(
        bracket.loads(text), ["split_functions", "universal_dependencies"], load_scheme("tuebadz")
    )
    assert relations(transformed) == "nsubj(2) root(0) obj(2)"
    assert len(transformed.nodes) == 7
