"""Roots, functions, labels, tokens and nodes: small trees before and after."""

import numpy as np
import pytest

from crossbank.converters.deletions import (
    collapse_unary,
    delete_empty_elements,
    delete_metadata,
    delete_nodes,
    delete_punctuation,
    delete_roots,
    delete_tokens,
)
from crossbank.converters.labels import (
    equate_labels,
    functions_of_nodes,
    map_labels,
    split_functions,
    strip_functions,
)
from crossbank.converters.scheme_files import load_scheme
from crossbank.converters.split_lemmas import split_lemmas
from crossbank.converters.transformations import transform
from crossbank.converters.virtual_root import virtual_root
from crossbank.metrics.counting.scoring import in_view
from crossbank.treebanks import OptionError
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.errors import RequirementError
from crossbank.treebanks.formats import bracket, conllu
from tests.converters.banks import bank_of, events, render
from tests.errors import raises

PTB, PPCHE, TIGER, TUEBADZ = map(load_scheme, ("ptb", "ppche", "tiger", "tuebadz"))


@pytest.mark.parametrize(
    ("before", "after", "event"),
    [
        ("(S 0=a/X) 1=./$.", "(VROOT (S 0) 1)", "virtual roots added"),
        ("(S 0=a/X)", "(VROOT (S 0))", "virtual roots added"),
        ("0=a/X", "(VROOT 0)", "virtual roots added"),
        ("(TOP (S 0=a/X))", "(VROOT (S 0))", "roots relabelled"),
        ("( (S 0=a/X))", "(VROOT (S 0))", "roots relabelled"),
        ("(VROOT (S 0=a/X)) 1=./$. (NP 2=b/X)", "(VROOT (S 0) 1 (NP 2))", None),
        ("(TOP 0=a/X) (TOP 1=b/X)", "(VROOT (TOP 0) (TOP 1))", "virtual roots added"),
    ],
)
def test_virtual_root(before: str, after: str, event: str | None) -> None:
    result = virtual_root(bank_of(before), TIGER)
    assert render(result) == after
    assert events(result) == ({f"virtual_root: {event}": 1} if event else {})
    assert render(virtual_root(result, TIGER)) == after


def test_virtual_root_leaves_sentences_without_words() -> None:
    bank = virtual_root(bank_of("(S 0=a/X)", "", "(S 0=a/X) (S 1=b/X)"), TIGER, label="TOP")
    assert [render(bank, i) for i in range(3)] == ["(TOP (S 0))", "", "(TOP (S 0) (S 1))"]


def test_virtual_root_keeps_secondary_edges_where_they_are() -> None:
    builder = TreebankBuilder()
    builder.sentence()
    for form, parent in (("a", 0), ("b", 1)):
        builder.token(form=form, parent=parent)
    builder.node(label="S")
    builder.node(label="NP")
    builder.secondary(label="SB", child=0, parent=-2)
    bank = virtual_root(builder.build())
    assert bank.secondary.parent.tolist() == [-3]
    assert bank.vocabulary.decode(bank.nodes.label) == ["VROOT", "S", "NP"]


def test_functions_are_stripped_and_split() -> None:
    bank = bank_of("(S (NP-SBJ-1 0=-LRB-/-LRB-) (VP (ADVP|PRT 1=x/RB) (NP-SBJ 2=*-1/-NONE-)))")
    assert render(strip_functions(bank, PTB)) == "(S (NP 0) (VP (ADVP 1) (NP 2)))"
    split = split_functions(bank, PTB)
    assert render(split, functions=True) == "(S (NP:SBJ 0) (VP (ADVP 1) (NP:SBJ 2)))"
    assert events(split) == {"split_functions: co-indices dropped": 1}
    assert split.vocabulary.decode(split.tokens.pos) == ["-LRB-", "RB", "-NONE-"]
    assert render(strip_functions(bank)) == "(S (NP 0) (VP (ADVP 1) (NP 2)))"


def test_functions_beside_the_label_go_too() -> None:
    bank = bank_of("(S (NP:SB 0=a/NN:NK) 1=b/VVFIN:HD)")
    assert render(strip_functions(bank, TIGER), functions=True) == "(S (NP 0) 1)"
    assert render(split_functions(bank, TIGER), functions=True) == "(S (NP:SB 0:NK) 1:HD)"


def test_tags_are_cut_where_the_scheme_says_so() -> None:
    bank = bank_of("(NX 0=a/NN)").with_strings("tokens", "pos", lambda tag: f"{tag}:HD")
    split = split_functions(bank, TUEBADZ)
    assert split.vocabulary.decode(split.tokens.pos) == ["NN"]
    assert render(split, functions=True) == "(NX 0:HD)"
    assert bank.vocabulary.decode(strip_functions(bank, TUEBADZ, tags=False).tokens.pos) == ["NN:HD"]


def test_a_function_beside_the_label_wins() -> None:
    bank = bank_of("(NP-SBJ:OB 0=a/X)")
    assert render(split_functions(bank, PTB), functions=True) == "(NP:OB 0)"
    assert "split_functions: functions in labels dropped where the edge has one" in events(
        split_functions(bank, PTB)
    )
    bank, codes = functions_of_nodes(bank_of("(S-X (NP-SBJ:OB 0=a/X))"), PTB)
    assert bank.vocabulary.decode(codes) == ["X", "OB"]


def test_labels_are_mapped_and_equated() -> None:
    bank = bank_of("(S (PRT 0=a/X:HD) (NX:HD 1=b/PRT))")
    assert render(equate_labels(bank, PTB)) == "(S (ADVP 0) (NX 1))"
    assert events(equate_labels(bank, PTB)) == {"equate_labels: labels replaced": 1}
    tags = map_labels(bank, labels={"PRT": "RP"}, of="tags")
    assert (render(tags), tags.vocabulary.decode(tags.tokens.pos)) == (render(bank), ["X", "RP"])
    functions = map_labels(bank, labels={"HD": "NK"}, of="functions")
    assert render(functions, functions=True) == "(S (PRT 0:NK) (NX:NK 1))"
    with raises(RequirementError, name="equate_labels", required="a scheme with equivalences"):
        equate_labels(bank)


def test_forms_of_tokens_to_delete_are_regular_expressions() -> None:
    bank = bank_of("(S 0=a/X 1=ab/X 2=b/X)")
    assert transform(bank, ["delete_tokens:forms=a.*"], PPCHE).words(0) == ["b"]
    with raises(OptionError, kind="option forms of delete_tokens", value="*"):
        transform(bank, ["delete_tokens:forms=*"], PPCHE)


def test_tokens_are_deleted_with_what_they_leave_empty() -> None:
    bank = bank_of(
        "( (IP-MAT (NP-SBJ 0=*con*/X) 1=fór/VBDI (CODE 2=x/CODE) (CP-REL (WNP-1 3=0/X) 4=./.)) 5=A,.1/ID)"
    )
    shorter = delete_empty_elements(delete_metadata(bank, PPCHE), PPCHE)
    assert render(shorter) == "( (IP-MAT 0 (CP-REL 1)))"
    assert events(shorter) == {
        "delete_metadata: metadata deleted": 2,
        "delete_metadata: nodes left without a word": 1,
        "delete_empty_elements: empty elements deleted": 2,
        "delete_empty_elements: nodes left without a word": 2,
    }
    assert render(delete_punctuation(shorter, PPCHE)) == "( (IP-MAT 0))"
    assert render(delete_tokens(bank, PPCHE, tags=("ID", "CODE"), forms=("0", r"\*.*"))) == render(shorter)
    assert delete_empty_elements(shorter, PPCHE) is shorter


@pytest.mark.parametrize(
    ("form", "empty"),
    [
        ("0", True), ("*", True), ("*con*", True), ("*T*-1", True), ("*ICH*-12", True), ("*-1", True),
        ("*con*-D", True), ("*T*-1-2", True), ("0,5", False), ("**", False), ("10", False), ("a*b*", False),
    ],
)  # fmt: skip
def test_empty_elements_of_the_historical_corpora(form: str, empty: bool) -> None:
    assert PPCHE.is_empty(bank_of(f"(NP 0={form}/X)")).tolist() == [empty]


def test_lemmas_are_split_off() -> None:
    bank = bank_of("(IP 0=bóndi-bóndi/N 1=e-mail-e-mail/N 2=,-,/, 3=*con*-D/X 4=og/CONJ 5=a-b-c/N)")
    split = split_lemmas(bank, PPCHE)
    assert split.words(0) == ["bóndi", "e-mail", ",", "*con*-D", "og", "a-b"]
    assert split.vocabulary.decode(split.tokens.lemma) == ["bóndi", "e-mail", ",", "", "", "c"]
    assert events(split) == {"split_lemmas: lemmas split off": 4}


ICEPAHC = "( (IP-MAT (VBDI hét-heita) (NP-SBJ (N-N e-mail-e-mail)) (NP *T*-1)) (ID 1210.JARTEIN.REL-SAG,.1))"
"""The form of IcePaHC's trees."""


def test_identifiers_have_no_lemmas_and_name_their_sentences() -> None:
    bank = transform(bracket.loads(ICEPAHC), ["split_lemmas"], PPCHE)
    assert bank.words(0)[-1] == "1210.JARTEIN.REL-SAG,.1"
    for views in (["split_lemmas", "delete_metadata"], ["delete_metadata", "split_lemmas"]):
        named = transform(bracket.loads(ICEPAHC), views, PPCHE)
        assert named.sentence_id(0) == "1210.JARTEIN.REL-SAG,.1"
        assert named.words(0) == ["hét", "e-mail", "*T*-1"]


def test_views_of_icepahc_have_words_and_conllu_has_identifiers() -> None:
    bank = in_view(bracket.loads(ICEPAHC), "dependencies", PPCHE)
    written = conllu.dumps(bank)
    assert "# sent_id = 1210.JARTEIN.REL-SAG,.1\n" in written
    assert "1\thét\theita\t" in written


def test_hyphens_of_a_treebank_without_lemmas_stay() -> None:
    bank = bracket.loads("(IP-MAT (NP-SBJ (N-N e-mail)) (VBDI kom) (ADV nú)) (IP-MAT (VBDI fer))")
    assert split_lemmas(bank, PPCHE) is bank


def test_nodes_are_deleted_and_collapsed() -> None:
    bank = bank_of("(TOP (S (VP:OC 0=a/X (NX (NX (NX 1=b/X)) 2=c/X)))) (TOP 3=d/X)")
    assert render(delete_roots(bank, TIGER)) == "(S (VP 0 (NX (NX (NX 1)) 2))) 3"
    assert events(delete_roots(bank, TIGER)) == {"delete_roots: roots deleted": 2}
    assert render(delete_nodes(bank, labels=("NX",), functions=("OC",))) == "(TOP (S 0 1 2)) (TOP 3)"
    assert render(collapse_unary(bank)) == "(TOP 0 (NX (NX 1) 2)) (TOP 3)"
    assert render(collapse_unary(bank, keep="bottom")) == "(VP 0 (NX (NX 1) 2)) (TOP 3)"
    assert events(collapse_unary(bank)) == {"collapse_unary: unary nodes collapsed": 3}


def test_nothing_to_do_changes_nothing() -> None:
    bank = bank_of("(S (NP 0=a/X) 1=b/X)")
    for result in (
        delete_punctuation(bank, TIGER),
        delete_nodes(bank, labels=("XY",)),
        strip_functions(bank, TIGER),
        collapse_unary(bank),
    ):
        assert render(result) == render(bank)
        assert np.array_equal(result.tokens.form, bank.tokens.form)
        assert result.diagnosis == ()
