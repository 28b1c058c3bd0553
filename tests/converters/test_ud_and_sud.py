"""Universal Dependencies and Surface-Syntactic UD, both ways."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import crossbank
from crossbank.converters.rewriting.rewrite_dependencies import rewrite_dependencies
from crossbank.converters.rewriting.rules import RULES, load_rewriting_rules
from crossbank.converters.rewriting.word_tests import new_relation, relation_matches
from crossbank.converters.scheme_files import load_scheme
from crossbank.metrics.analyses.universal_structure import universal_faults
from crossbank.treebanks import ConversionError, Treebank
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.errors import RequirementError
from crossbank.treebanks.formats import conllu
from crossbank.treebanks.yaml_files import load_yaml
from crossbank.treebanks.yaml_nodes import YamlError
from crossbank.workflow.commands.cli import main
from tests.converters.banks import events
from tests.errors import raises
from tests.validity import validate


def words(text: str) -> Treebank:
    """A sentence of words ``form/TAG/head/relation``, with features after a second slash: ``/Name=Value``."""
    builder = TreebankBuilder("test")
    builder.sentence(id="1")
    for word in text.split():
        form, tag, head, relation, *features = word.split("/")
        builder.token(
            form=form, lemma=form, pos=tag, head=int(head) - 1, relation=relation, morph="|".join(features)
        )
    return builder.build()


def arcs(bank: Treebank) -> str:
    relations = bank.vocabulary.decode(bank.tokens.relation)
    return " ".join(
        f"{head + 1}/{name}" for head, name in zip(bank.tokens.head.tolist(), relations, strict=True)
    )


# The guidelines' constructions: https://surfacesyntacticud.github.io/guidelines/u/
PAIRS = {
    "general_principles: adpositions and conjunctions are heads": (
        "He/PRON/2/nsubj went/VERB/0/root to/ADP/4/case "
        "Rome/PROPN/2/obl because/SCONJ/7/mark she/PRON/7/nsubj left/VERB/2/advcl",
        "2/subj 0/root 2/udep 3/comp:obj 2/mod 7/subj 5/comp:obj",
    ),
    "comp_aux: auxiliaries are heads, the first of all": (
        "Ann/PROPN/5/nsubj:pass may/AUX/5/aux have/AUX/5/aux "
        "been/AUX/5/aux:pass seen/VERB/0/root ./PUNCT/5/punct",
        "2/subj@pass 0/root 2/comp:aux 3/comp:aux 4/comp:aux@pass 2/punct",
    ),
    "comp_pred: the copula is the head": (
        "Bo/PROPN/5/nsubj is/AUX/5/cop not/ADV/5/advmod a/DET/5/det poet/NOUN/0/root",
        "2/subj 0/root 2/mod 5/det 2/comp:pred",
    ),
    "a clause in a clause": (
        "I/PRON/2/nsubj think/VERB/0/root that/SCONJ/6/mark "
        "she/PRON/6/nsubj will/AUX/6/aux come/VERB/2/ccomp",
        "2/subj 0/root 2/comp:obj 5/subj 3/comp:obj 5/comp:aux",
    ),
    "Deep/expl: a subject that fills a position": (
        "There/PRON/2/expl is/VERB/0/root time/NOUN/2/nsubj",
        "2/subj@expl 0/root 2/comp:obj@agent",
    ),
    "Deep/expl: a subject of what an auxiliary introduces": (
        "There/PRON/3/expl may/AUX/3/aux be/VERB/0/root time/NOUN/3/nsubj",
        "2/subj@expl 0/root 2/comp:aux 3/comp:obj@agent",
    ),
    "Deep/expl: a clitic is no subject": (
        "si/PRON/2/expl/Reflex=Yes ricorda/VERB/0/root",
        "2/comp@expl 0/root",
    ),
    "comp_obj: an infinitive with an auxiliary": (
        "We/PRON/2/nsubj seem/VERB/0/root to/PART/5/mark be/AUX/5/aux drowning/VERB/2/xcomp/VerbForm=Part",
        "2/subj 0/root 2/comp:obj 3/comp:obj 4/comp:aux",
    ),
    "coordination: a chain": (
        "tea/NOUN/0/root ,/PUNCT/3/punct milk/NOUN/1/conj and/CCONJ/5/cc juice/NOUN/1/conj",
        "0/root 3/punct 1/conj:coord 5/cc 3/conj:coord",
    ),
    "coordination of adpositions with their complements": (
        "go/VERB/0/root to/ADP/3/case Rome/PROPN/1/obl or/CCONJ/6/cc to/ADP/6/case Pisa/PROPN/3/conj",
        "0/root 1/udep 2/comp:obj 5/cc 2/conj:coord 5/comp:obj",
    ),
    "Shared: a dependent of both conjuncts is at the last one": (
        "We/PRON/2/nsubj buy/VERB/0/root and/CCONJ/4/cc sell/VERB/2/conj books/NOUN/2/obj",
        "2/subj 0/root 4/cc 2/conj:coord 4/comp:obj",
    ),
    "Deep/relcl: an extension": (
        "the/DET/2/det man/NOUN/0/root who/PRON/4/nsubj sings/VERB/2/acl:relcl",
        "2/det 0/root 4/subj 2/mod@relcl",
    ),
    "flat: a chain": (
        "Ann/PROPN/0/root Mae/PROPN/1/flat Lee/PROPN/1/flat",
        "0/root 1/flat 2/flat",
    ),
    "Idioms: no structure of their own": (
        "because/ADP/4/case of/ADP/1/fixed the/DET/4/det rain/NOUN/5/obl stay/VERB/0/root",
        "5/udep 1/unk 4/det 1/comp:obj 0/root",
    ),
    "disfluency: the repair depends on what it repairs": (
        "to/ADP/2/case Pari/X/4/reparandum to/ADP/4/case Paris/PROPN/0/root",
        "0/root 1/comp:obj 1/conj:dicto 3/comp:obj",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PAIRS)
def test_constructions_of_the_guidelines(name: str) -> None:
    text, expected = PAIRS[name]
    ud = words(text)
    sud = rewrite_dependencies(ud, rules="ud_to_sud")
    assert arcs(sud) == expected
    assert arcs(rewrite_dependencies(sud, rules="sud_to_ud")) == arcs(ud)
    assert validate(sud) == []


def test_what_only_sud_distinguishes_becomes_one_relation() -> None:
    sud = words(
        "He/PRON/2/subj gave/VERB/0/root up/ADP/2/comp:obl "
        "in/ADP/2/mod May/PROPN/4/comp:obj to/ADP/2/comp:obl Bo/PROPN/6/comp:obj",
    )
    ud = arcs(rewrite_dependencies(sud, rules="sud_to_ud"))
    assert ud == "2/nsubj 0/root 2/obl:arg 5/case 2/obl:mod 7/case 2/obl:arg"


def test_idioms_and_shared_dependents_are_marked_in_sud_alone() -> None:
    ud = words(PAIRS["Idioms: no structure of their own"][0])
    sud = rewrite_dependencies(ud, rules="ud_to_sud")
    assert sud.vocabulary.decode(sud.tokens.misc)[:2] == ["Idiom=Yes", "InIdiom=Yes"]
    assert sud.vocabulary.decode(sud.tokens.morph)[0] == "ExtPos=ADP"
    back = rewrite_dependencies(sud, rules="sud_to_ud")
    assert back.vocabulary.decode(back.tokens.misc)[:2] == ["", ""]
    shared = words(PAIRS["Shared: a dependent of both conjuncts is at the last one"][0])
    sud = rewrite_dependencies(shared, rules="ud_to_sud")
    assert sud.vocabulary.decode(sud.tokens.morph)[4] == "Shared=Yes"
    assert "Shared" not in conllu.dumps(rewrite_dependencies(sud, rules="sud_to_ud"))


def test_an_idiom_with_a_structure_becomes_fixed() -> None:
    sud = words(
        "in/ADP/4/mod/ExtPos=ADV/Idiom=Yes fact/NOUN/1/comp:obj/InIdiom=Yes he/PRON/4/subj sings/VERB/0/root"
    )
    ud = arcs(rewrite_dependencies(sud, rules="sud_to_ud"))
    assert ud == "4/advmod 1/fixed 4/nsubj 0/root"


ROUND_TRIPS = {
    "an adjective that is a noun": "iron/NOUN/2/amod gate/NOUN/0/root",
    "an oblique of a noun": "the/DET/2/det way/NOUN/0/root to/ADP/4/case Rome/PROPN/2/obl",
    "an indirect object": "give/VERB/0/root Ann/PROPN/1/iobj tea/NOUN/1/obj",
    "an open complement": "She/PRON/2/nsubj wants/VERB/0/root to/PART/4/mark sing/VERB/2/xcomp",
    "an open complement with a copula": (
        "She/PRON/2/nsubj wants/VERB/0/root to/PART/5/mark be/AUX/5/cop rich/ADJ/2/xcomp"
    ),
    "a marker with a rare tag": "say/VERB/0/root how/ADV/3/mark it/PRON/4/nsubj ended/VERB/1/ccomp",
    "a modifier of an adposition": "stay/VERB/0/root right/ADV/3/advmod after/ADP/4/case lunch/NOUN/1/obl",
    "a modifier of an adposition below a copula": (
        "it/PRON/5/nsubj is/AUX/5/cop right/ADV/4/advmod after/ADP/5/case lunch/NOUN/0/root"
    ),
    "an object of an adposition": "say/VERB/0/root of/ADP/1/obl it/PRON/2/obj",
    "a conjunct of a marker with another tag": (
        "ask/VERB/0/root if/SCONJ/5/mark and/CCONJ/4/cc how/ADV/2/conj go/VERB/1/ccomp"
    ),
    "a comma of a conjunction": "a/NOUN/0/root and/CCONJ/4/cc ,/PUNCT/2/punct b/NOUN/1/conj",
    "a dependent of an inner coordination": (
        "a/VERB/0/root b/VERB/1/conj or/CCONJ/4/cc c/VERB/2/conj tea/NOUN/2/obj"
    ),
    "a clause at a noun that is no verb": "live/VERB/0/root as/SCONJ/3/mark guests/NOUN/1/advcl",
    "crossing punctuation": "a/X/3/dep ,/PUNCT/4/punct b/X/0/root c/X/3/dep",
}


@pytest.mark.parametrize("name", ROUND_TRIPS)
def test_what_tags_do_not_show_comes_back(name: str) -> None:
    ud = words(ROUND_TRIPS[name])
    sud = rewrite_dependencies(ud, rules="ud_to_sud")
    back = rewrite_dependencies(sud, rules="sud_to_ud")
    assert arcs(back) == arcs(ud)
    assert "UDRel" not in conllu.dumps(back)
    assert "UDHead" not in conllu.dumps(back)
    assert "Raising" not in conllu.dumps(back)


TEXT = """# text = Il va au bar
1\tIl\til\tPRON\t_\t_\t2\tnsubj\t2:nsubj\t_
2\tva\taller\tVERB\t_\t_\t0\troot\t0:root\t_
3-4\tau\t_\t_\t_\t_\t_\t_\t_\t_
3\tà\tà\tADP\t_\t_\t5\tcase\t5:case\t_
4\tle\tle\tDET\t_\t_\t5\tdet\t5:det\t_
5\tbar\tbar\tNOUN\t_\t_\t2\tobl\t2:obl\t_
5.1\tva\taller\tVERB\t_\t_\t_\t_\t2:conj\t_

"""


def test_words_written_as_one_stay_and_empty_nodes_are_counted() -> None:
    ud = conllu.loads(TEXT)
    sud = rewrite_dependencies(ud, rules="ud_to_sud")
    assert arcs(sud) == "2/subj 0/root 2/udep 5/det 3/comp:obj"
    assert len(sud.multiword) == 1
    assert len(sud.empty) == 0
    event_totals = events(sud)
    assert event_totals["rewrite_dependencies: empty nodes dropped"] == 1
    assert event_totals["rewrite_dependencies: enhanced dependencies dropped"] == 1
    assert not sud.tokens.deps.any()


def test_sentences_without_a_tree_stay() -> None:
    tree, cycle = "He/PRON/2/nsubj sat/VERB/0/root on/ADP/4/case it/PRON/2/obl", "on/ADP/2/case it/PRON/1/obl"
    bank = Treebank.concatenate(
        [words(tree), words(cycle), words("on/ADP/2/case it/PRON/-1/obl"), words(tree)]
    )
    sud = rewrite_dependencies(bank, rules="ud_to_sud")
    assert arcs(sud[1:2]) == arcs(bank[1:2])
    assert arcs(sud[2:3]) == arcs(bank[2:3])
    assert arcs(sud[0:1]) == arcs(sud[3:4]) == "2/subj 0/root 2/udep 3/comp:obj"
    assert [f.total for f in sud.diagnosis if "without a tree" in f.event] == [2]


def test_several_roots_stay_roots() -> None:
    bank = words("on/ADP/2/case it/PRON/0/root and/CCONJ/4/cc she/PRON/5/nsubj sang/VERB/0/root")
    assert arcs(rewrite_dependencies(bank, rules="ud_to_sud")) == "0/root 1/comp:obj 4/cc 5/subj 0/root"


def test_punctuation_is_not_attached_to_what_depends_on_it() -> None:
    sud = words("b/X/3/punct a/X/4/subj ,/PUNCT/5/punct c/X/1/subj d/VERB/0/root")
    ud = rewrite_dependencies(sud, rules="sud_to_ud")
    assert validate(ud) == []


@pytest.mark.parametrize("name", ["maybe", "maybe:not"])
def test_unknown_relations_are_kept_and_counted(name: str) -> None:
    bank = words(f"He/PRON/2/nsubj sat/VERB/0/root so/ADV/2/{name}")
    sud = rewrite_dependencies(bank, rules="ud_to_sud")
    assert arcs(sud) == f"2/subj 0/root 2/{name}"
    assert events(sud) == {"rewrite_dependencies: relations that ud does not have": 1}
    bank = words(f"He/PRON/2/subj sat/VERB/0/root so/ADV/2/{name}")
    ud = rewrite_dependencies(bank, rules="sud_to_ud")
    assert arcs(ud) == f"2/nsubj 0/root 2/{name}"
    assert events(ud) == {"rewrite_dependencies: relations that sud does not have": 1}


def test_a_treebank_of_the_target_is_refused() -> None:
    bank = words("He/PRON/2/nsubj sat/VERB/0/root on/ADP/4/case it/PRON/2/obl")
    sud = rewrite_dependencies(bank, rules="ud_to_sud")
    with pytest.raises(ConversionError, match="seems to be sud"):
        rewrite_dependencies(sud, rules="ud_to_sud")
    with pytest.raises(ConversionError, match="seems to be ud"):
        rewrite_dependencies(bank, rules="sud_to_ud")


def test_nothing_is_converted_without_dependencies() -> None:
    with raises(RequirementError, name="rewrite_dependencies", required="dependencies before it"):
        rewrite_dependencies(crossbank.loads("(S (NN a))", "bracket"), rules="ud_to_sud")
    empty = conllu.loads(TEXT).select(np.zeros(0, np.intp))
    assert len(rewrite_dependencies(empty, rules="ud_to_sud")) == 0


UD = tuple(load_scheme("ud").inventory["functions"])
SUD = (
    "subj",
    "comp:obj",
    "comp:obl",
    "comp:aux",
    "comp:pred",
    "mod",
    "udep",
    "conj:coord",
    "conj:dicto",
    "punct",
    "unk",
    "flat",
)
TAGS = tuple(load_scheme("ud").inventory["tags"])


@st.composite
def trees(draw: st.DrawFn, relations: tuple[str, ...]) -> Treebank:
    builder = TreebankBuilder("test")
    for number in range(draw(st.integers(1, 3))):
        builder.sentence(id=str(number))
        size = draw(st.integers(1, 9))
        order = draw(st.permutations(range(size)))
        above = {word: order[draw(st.integers(0, i - 1))] if i else -1 for i, word in enumerate(order)}
        for word in range(size):
            relation = "root" if above[word] < 0 else draw(st.sampled_from(relations))
            morph = draw(st.sampled_from(["", "", "Shared=Yes", "Idiom=Yes", "InIdiom=Yes", "ExtPos=ADP"]))
            builder.token(
                form=f"w{word}",
                pos=draw(st.sampled_from(TAGS)),
                head=above[word],
                relation=relation,
                morph=morph,
            )
    return builder.build()


def has_same_words(one: Treebank, other: Treebank) -> bool:
    return [one.words(i) for i in range(len(one))] == [other.words(i) for i in range(len(other))]


@given(trees(UD))
def test_from_ud_there_is_a_tree_and_back(bank: Treebank) -> None:
    sud = rewrite_dependencies(bank, rules="ud_to_sud")
    assert validate(sud) == []
    assert has_same_words(bank, sud)
    again = Treebank.concatenate([sud, words(PAIRS["flat: a chain"][0]), sud])
    assert validate(rewrite_dependencies(again, rules="sud_to_ud")) == []


@given(trees(SUD))
def test_from_sud_there_is_a_tree(bank: Treebank) -> None:
    if all(name in ("root", "punct", "flat") for name in bank.vocabulary.decode(bank.tokens.relation)):
        return
    ud = rewrite_dependencies(bank, rules="sud_to_ud")
    assert validate(ud) == []
    assert has_same_words(bank, ud)
    names = {name.partition(":")[0] for name in ud.vocabulary.decode(ud.tokens.relation)}
    assert names <= set(UD)


@given(trees(UD), st.integers(1, 3))
def test_a_sentence_is_converted_as_it_is_alone(bank: Treebank, times: int) -> None:
    joined = Treebank.concatenate([bank] * times)
    assert arcs(rewrite_dependencies(joined, rules="ud_to_sud")) == " ".join(
        [arcs(rewrite_dependencies(bank, rules="ud_to_sud"))] * times
    )


def test_parts_of_relations() -> None:
    assert relation_matches("mod", "mod@relcl")
    assert relation_matches("mod@", "mod:poss")
    assert not relation_matches("mod@", "mod@relcl")
    assert relation_matches("comp:obj", "comp:obj@lvc")
    assert not relation_matches("comp:", "comp:obj")
    assert not relation_matches("comp", "compound")
    assert new_relation("{base}@{subtype}", "flat:name") == "flat@name"
    assert new_relation("comp:obj@{subtype}", "obj") == "comp:obj"


@pytest.mark.parametrize(
    ("rules", "relations", "expected"),
    [
        ("ud_without_subtypes", "2/nsubj:pass 0/root", "2/nsubj 0/root"),
        ("sud_without_extensions", "2/comp:obj@pass 0/root", "2/comp:obj 0/root"),
        ("sud_without_extensions", "2/mod@relcl$x 0/root", "2/mod 0/root"),
    ],
)
def test_relations_without_what_is_optional(rules: str, relations: str, expected: str) -> None:
    bank = words(" ".join(f"w/X/{arc}" for arc in relations.split()))
    assert arcs(rewrite_dependencies(bank, rules=rules)) == expected


@pytest.mark.parametrize("name", RULES.names())
def test_each_rule_names_its_guideline(name: str) -> None:
    steps = load_yaml(RULES.path(name))["steps"]
    lists = [listed for step in steps for listed in step.values() if isinstance(listed, list)]
    tests = [
        rule if "relation" in rule or len(rule) > 1 else next(iter(rule.values()))
        for of in lists
        for rule in of
    ]
    assert [test for test in tests if "guideline" not in test] == []


def test_a_file_of_rules_extends_another(tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text(
        "name: own\ntitle: Own\nsources: [me]\nextends: ud_to_sud\nsteps:\n"
        "  - {name: relations, relabel: [det: {relation: nummod, side: left}]}\n",
        "utf-8",
    )
    bank = words("six/NUM/2/nummod men/NOUN/3/nsubj sat/VERB/0/root")
    assert arcs(rewrite_dependencies(bank, rules=str(own))) == "2/det 3/subj 0/root"
    assert [path.name for path in load_rewriting_rules(own).files] == ["own.yaml", "ud_to_sud.yaml"]
    own.write_text(own.read_text("utf-8").replace("name: relations", "name: relation"), "utf-8")
    with raises(YamlError, "relations", file="own.yaml", line=6, key="steps[0].name"):
        load_rewriting_rules(own)
    own.write_text(
        own.read_text("utf-8")
        .replace("name: relation,", "name: relations,")
        .replace("side: left", "is: nominl"),
        "utf-8",
    )
    with raises(YamlError, "nominl", file="own.yaml", line=6, key="steps[0].relabel[0].det.is"):
        load_rewriting_rules(own)


def test_a_file_without_steps_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "own.yaml").write_text("name: own\ntitle: Own\nsources: [me]\n", encoding="utf-8")
    assert load_rewriting_rules(tmp_path / "own.yaml").steps == ()


def test_languages_extend_the_general_rules() -> None:
    french = words("six/NUM/2/nummod ans/NOUN/0/root")
    assert arcs(rewrite_dependencies(french, rules="ud_to_sud")) == "2/mod 0/root"
    assert arcs(rewrite_dependencies(french, rules="ud_to_sud_fr")) == "2/det 0/root"
    # The subject stands behind the subordinating auxiliary of Naija, and does not rise to it.
    naija = words("make/AUX/4/aux I/PRON/4/nsubj con/AUX/4/aux go/VERB/0/root")
    assert arcs(rewrite_dependencies(naija, rules="ud_to_sud")) == "0/root 1/subj 1/comp:aux 3/comp:aux"
    assert arcs(rewrite_dependencies(naija, rules="ud_to_sud_pcm")) == "0/root 3/subj 1/comp:aux 3/comp:aux"


def test_the_command_converts_both_ways(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, sud, ud = (tmp_path / name for name in ("ud.conllu", "sud.conllu", "again.conllu"))
    source.write_text(TEXT, "utf-8")
    assert main(["convert", str(source), str(sud), "--scheme", "ud", "--to-scheme", "sud"]) == 0
    assert "empty nodes dropped" in capsys.readouterr().err
    assert main(["convert", str(sud), str(ud), "--scheme", "sud", "--to-scheme", "ud"]) == 0
    assert arcs(crossbank.read(ud)) == arcs(crossbank.read(source))


@pytest.mark.parametrize(
    ("source", "target", "file", "uas", "las"),
    [
        ("sud", "ud", "fr_gsd-dev", 99.5, 99.0),
        ("ud", "sud", "fr_gsd-dev", 98.0, 96.0),
        ("sud", "ud", "pcm_nsc-ENU_33", 98.5, 98.0),
        ("ud", "sud", "pcm_nsc-ENU_33", 93.0, 87.0),
        ("ud", "sud_fr", "fr_gsd-dev", 98.0, 97.5),
        ("ud", "sud_pcm", "pcm_nsc-ENU_33", 96.0, 91.0),
    ],
)
def test_treebanks_that_are_in_both_schemes(
    source: str, target: str, file: str, uas: float, las: float, shared_data: Path
) -> None:
    bank, gold = (
        crossbank.read(shared_data / "sud" / f"{file}.{name[:3].rstrip('_')}.conllu")
        for name in (source, target)
    )
    converted = rewrite_dependencies(bank, rules=f"{source}_to_{target}")
    head = converted.tokens.head == gold.tokens.head
    names = [np.array(one.vocabulary.decode(one.tokens.relation)) for one in (converted, gold)]
    assert 100 * head.mean() > uas
    assert 100 * (head & (names[0] == names[1])).mean() > las
    assert validate(converted) == []


@pytest.mark.slow
@pytest.mark.slow
@pytest.mark.parametrize(
    "pattern", ["gum/dep/*.conllu", "conll18/00-gold-standard/*.conllu", "farpahc/ud/*.conllu"]
)
def test_a_round_trip_makes_no_new_fault(pattern: str, shared_data: Path) -> None:
    ud = Treebank.concatenate([crossbank.read(path) for path in sorted(shared_data.glob(pattern))])
    back = rewrite_dependencies(rewrite_dependencies(ud, rules="ud_to_sud"), rules="sud_to_ud")
    faults = [
        {(fault.check, fault.sentence, fault.token) for fault in universal_faults(one)} for one in (ud, back)
    ]
    assert faults[1] - faults[0] == set()
    assert (ud.tokens.head == back.tokens.head).mean() > 0.997
