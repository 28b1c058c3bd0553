r"""Conversions of CCG derivations: signs, rules, lexical heads, dependencies, brackets.

The sentences are our own.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from crossbank.converters.scheme_files import load_scheme
from crossbank.converters.transformations import transform
from crossbank.formalisms.ccg.ccg_categories import parse_category
from crossbank.formalisms.ccg.conversions.head_sharing import load_head_sharing
from crossbank.formalisms.ccg.conversions.signs import lexical_sign
from crossbank.formalisms.ccg.formats import auto, langpro
from crossbank.metrics.counting.scoring import score, scoring_of
from crossbank.treebanks import OptionError, Treebank
from crossbank.treebanks.formats import read
from crossbank.treebanks.yaml_nodes import YamlError
from tests.errors import raises


def derivation(text: str) -> Treebank:
    r"""Return a derivation from ``[S[dcl] Anna:NP sleeps:S[dcl]\NP ]``, brackets separated by spaces."""
    written: list[str] = []
    children: list[int] = []
    opened: list[int] = []
    for chunk in text.split():
        if chunk.startswith("[") and ":" not in chunk:
            if opened:
                children[opened[-1]] += 1
            opened.append(len(children))
            children.append(0)
            written.append(f"(<T {chunk[1:]} 0 {{{len(children) - 1}}}>")
        elif chunk == "]":
            opened.pop()
            written.append(")")
        else:
            word, category = chunk.split(":", 1)
            children[opened[-1]] += 1
            written.append(f"(<L {category} XX XX {word} {category}>)")
    return auto.loads(" ".join(written).format(*children))


def dependencies(text: str) -> set[str]:
    """Return the dependencies of a derivation as ``functor slot argument``; all children must combine."""
    bank = transform(derivation(text), ["ccg_dependencies"])
    assert bank.diagnosis == ()
    table = bank.relations
    decode = bank.vocabulary.decode
    rows = zip(decode(table.head_word), decode(table.type), decode(table.dependent_word), strict=True)
    return {" ".join(row) for row in rows}


CONSTRUCTIONS = {
    "adverb": (
        r"[S[dcl] Anna:NP [S[dcl]\NP sleeps:S[dcl]\NP soundly:(S\NP)\(S\NP) ] ]",
        {"sleeps 1 Anna", "soundly 2 sleeps"},
    ),
    "auxiliaries share their subject": (
        r"[S[dcl] Anna:NP [S[dcl]\NP will:(S[dcl]\NP)/(S[b]\NP) [S[b]\NP have:(S[b]\NP)/(S[pt]\NP) "
        r"slept:S[pt]\NP ] ] ]",
        {"will 1 Anna", "will 2 have", "have 1 Anna", "have 2 slept", "slept 1 Anna"},
    ),
    "object control": (
        r"[S[dcl] Anna:NP [S[dcl]\NP [(S[dcl]\NP)/(S[to]\NP) asks:((S[dcl]\NP)/(S[to]\NP))/NP Bert:NP ] "
        r"[S[to]\NP to:(S[to]\NP)/(S[b]\NP) sleep:S[b]\NP ] ] ]",
        {"asks 1 Anna", "asks 3 Bert", "asks 2 to", "to 1 Bert", "to 2 sleep", "sleep 1 Bert"},
    ),
    "subject relative clause": (
        r"[NP cats:NP [NP\NP that:(NP\NP)/(S[dcl]\NP) sleep:S[dcl]\NP ] ]",
        {"that 1 cats", "that 2 sleep", "sleep 1 cats"},
    ),
    "whose": (
        r"[NP cats:NP [NP\NP [(NP\NP)/(S[dcl]\NP) whose:((NP\NP)/(S[dcl]\NP))/N tails:N ] curl:S[dcl]\NP ] ]",
        {"whose 1 cats", "whose 2 curl", "whose 3 tails", "curl 1 tails"},
    ),
    "coordinated subjects": (
        r"[S[dcl] [NP [NP the:NP[nb]/N cat:N ] [NP[conj] and:conj [NP a:NP[nb]/N dog:N ] ] ] "
        r"sleep:S[dcl]\NP ]",
        {"the 1 cat", "a 1 dog", "sleep 1 cat", "sleep 1 dog"},
    ),
    "coordinated verbs share their arguments": (
        r"[S[dcl] Anna:NP [S[dcl]\NP [(S[dcl]\NP)/NP sees:(S[dcl]\NP)/NP [(S[dcl]\NP)/NP[conj] and:conj "
        r"hears:(S[dcl]\NP)/NP ] ] [NP Bert:NP .:. ] ] ]",
        {"sees 1 Anna", "sees 2 Bert", "hears 1 Anna", "hears 2 Bert"},
    ),
    "a conjunct called X\\X, after a comma": (
        r"[S[dcl] [NP cats:NP [NP\NP ,:, [NP\NP and:conj dogs:NP ] ] ] [S[dcl]\NP soundly:(S\NP)/(S\NP) "
        r"sleep:S[dcl]\NP ] ]",
        {"sleep 1 cats", "sleep 1 dogs", "soundly 2 sleep"},
    ),
    "right node raising": (
        r"[S[dcl] [S[dcl]/NP [S[dcl]/NP [S/(S\NP) Anna:NP ] sees:(S[dcl]\NP)/NP ] [S[dcl]/NP[conj] and:conj "
        r"[S[dcl]/NP [S/(S\NP) Bert:NP ] hears:(S[dcl]\NP)/NP ] ] ] cats:NP ]",
        {"sees 1 Anna", "hears 1 Bert", "sees 2 cats", "hears 2 cats"},
    ),
    "reduced relative clause": (
        r"[NP cats:NP [NP\NP [S[pss]\NP seen:S[pss]\NP yesterday:(S\NP)\(S\NP) ] ] ]",
        {"seen 1 cats", "yesterday 2 seen"},
    ),
    "adverbial participle": (
        r"[S[dcl] Anna:NP [S[dcl]\NP sleeps:S[dcl]\NP [(S\NP)\(S\NP) snoring:S[ng]\NP ] ] ]",
        {"sleeps 1 Anna", "snoring 1 Anna"},
    ),
    "a participle after a comma": (
        r"[S[dcl] Anna:NP [S[dcl]\NP sleeps:S[dcl]\NP [(S\NP)\(S\NP) ,:, snoring:S[ng]\NP ] ] ]",
        {"sleeps 1 Anna", "snoring 1 Anna"},
    ),
    "crossed composition": (
        r"[S[dcl] Anna:NP [S[dcl]\NP [(S[dcl]\NP)/NP sees:(S[dcl]\NP)/NP often:(S\NP)\(S\NP) ] "
        r"[NP cats:N ] ] ]",
        {"sees 1 Anna", "sees 2 cats", "often 2 sees"},
    ),
    "tough adjective": (
        r"[S[dcl] Bert:NP [S[dcl]\NP is:(S[dcl]\NP)/(S[adj]\NP) [S[adj]\NP easy:(S[adj]\NP)/((S[to]\NP)/NP) "
        r"[(S[to]\NP)/NP to:(S[to]\NP)/(S[b]\NP) please:(S[b]\NP)/NP ] ] ] ]",
        {"is 1 Bert", "is 2 easy", "easy 1 Bert", "easy 2 to", "to 2 please", "please 2 Bert"},
    ),
}


@pytest.mark.parametrize("name", CONSTRUCTIONS)
def test_dependencies_by_construction(name: str) -> None:
    text, expected = CONSTRUCTIONS[name]
    assert dependencies(text) == expected


def test_slots_are_numbered_by_arguments_or_by_dependencies() -> None:
    bank = derivation(CONSTRUCTIONS["adverb"][0])
    numbered = transform(bank, ["ccg_dependencies:slots=filled"])
    assert numbered.vocabulary.decode(numbered.relations.type) == ["1", "1"]
    _, slots = lexical_sign(parse_category(r"((S\NP)\(S\NP))/NP"), load_head_sharing())
    assert [slot.number for slot in slots] == [2, 3]


def test_children_that_cannot_combine_are_counted_and_listed() -> None:
    bank = transform(derivation("[S[dcl] Anna:NP [NP Bert:N ] ]"), ["ccg_dependencies"])
    assert [(f.step, f.event, f.counts.tolist()) for f in bank.diagnosis] == [
        ("ccg_dependencies", "children that cannot combine: NP NP to S[dcl]", [1])
    ]
    assert len(bank.relations) == 0


def test_three_children_cannot_combine() -> None:
    bank = transform(derivation("[NP a:NP/N b:N c:N ]"), ["ccg_heads"])
    assert [f.event for f in bank.diagnosis] == ["children that cannot combine: NP/N N ... to NP"]


def test_heads_and_rules() -> None:
    text = (
        r"[S[dcl] [NP the:NP[nb]/N cat:N ] [S[dcl]\NP [S[dcl]\NP will:(S[dcl]\NP)/(S[b]\NP) sleep:S[b]\NP ] "
        r".:. ] ]"
    )
    bank = transform(derivation(text), ["ccg_heads"])
    words = bank.words(0)
    assert [words[head] for head in bank.nodes.head.tolist()] == ["will", "cat", "will", "will"]
    assert bank.vocabulary.decode(bank.nodes.morph) == ["ba", "fa", "rp", "fa"]


def test_levels_of_punctuation() -> None:
    text = r"[S[dcl] [S[dcl] Anna:NP [S[dcl]\NP sleeps:S[dcl]\NP ,:, ] ] .:. ]"
    for scheme in (None, load_scheme("ccg")):
        bank = transform(derivation(text), ["delete_punctuation_levels"], scheme)
        assert bank.vocabulary.decode(bank.nodes.label) == ["S[dcl]"]
        assert bank.words(0) == ["Anna", "sleeps", ",", "."]


def test_a_derivation_without_words_and_one_of_one_word() -> None:
    bank = transform(auto.loads("ID=1\nID=2\n(<L N NN NN a N>)\n"), ["ccg_heads", "ccg_dependencies"])
    assert (len(bank), len(bank.relations)) == (2, 0)


def test_a_deep_derivation() -> None:
    depth = 3000
    text = "[NP " * depth + "a:N" + " ]" * depth
    bank = transform(derivation(text), ["ccg_heads", "ccg_dependencies"])
    assert set(bank.nodes.head.tolist()) == {0}


def test_ranges_make_no_difference(shared_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from crossbank.treebanks import ranges

    bank = read(shared_data / "ccg-geometry" / "geo-dev.auto")
    once = transform(bank, ["ccg_dependencies"])
    monkeypatch.setattr(ranges, "WORTH_A_THREAD", 1)
    monkeypatch.setenv("CROSSBANK_THREADS", "3")
    many = transform(Treebank.concatenate([bank] * 40), ["ccg_dependencies"])
    assert np.array_equal(many.relations.head_index, np.tile(once.relations.head_index, 40))
    assert np.array_equal(many.relations.dependent_index, np.tile(once.relations.dependent_index, 40))


def test_files_of_head_sharing(tmp_path: Path) -> None:
    with raises(OptionError, "english", "the path of a YAML file", kind="head sharing", value="german"):
        load_head_sharing("german")
    path = tmp_path / "mine.yaml"
    path.write_text(
        "name: mine\nsources: [me]\npunctuation: ['.']\nconjunctions: [conj]\nshared: {a: ['NP{Y}/N{Y']}\n"
        "unary: {}\n"
    )
    with raises(YamlError, "NP{Y}/N{Y", file="mine.yaml", line=5, key="shared.a[0]"):
        load_head_sharing(str(path))


def test_real_derivations_have_the_gold_dependencies(shared_data: Path) -> None:
    folder = shared_data / "ccg-geometry"
    gold, read_off = read(folder / "geo-dev.gold_deps"), read(folder / "geo-dev.auto")
    (result,) = score(gold, read_off, scoring_of(["ccg_dependencies"], {}), load_scheme("ccg"))
    values = result.values()
    assert values["f1"] == values["unlabelled_f1"] == values["coverage"] == 1.0
    assert result.sums()["gold"] == 717


@pytest.mark.slow
@pytest.mark.parametrize("parser", ["ccg", "eccg", "depccg.trihf.sep"])
def test_real_parses_combine(shared_data: Path, parser: str) -> None:
    bank = langpro.load(shared_data / "langpro-ccg" / f"ccg_sen_d_SICK_trial_{parser}.pl")
    actual = transform(bank, ["ccg_dependencies"]).diagnosis
    assert sum(finding.total for finding in actual) <= 0.001 * len(bank.nodes)
