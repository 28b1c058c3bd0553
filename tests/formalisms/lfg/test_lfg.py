"""F-structures reduced to predicates, and as grammatical relations."""

from __future__ import annotations

from pathlib import Path

import pytest

from crossbank.converters.transformations import files_read
from crossbank.formalisms.lfg.conversions.fstructure_relations import relations_from_fstructures
from crossbank.formalisms.lfg.conversions.preds_only import preds_only
from crossbank.formalisms.lfg.conversions.relation_map import FOLDER, load_relation_map
from crossbank.formalisms.lfg.formats import triples
from crossbank.treebanks import OptionError
from crossbank.treebanks.errors import SentenceError
from crossbank.treebanks.formats import read_all, relations
from crossbank.treebanks.relations.relation import relations_of
from crossbank.treebanks.yaml_nodes import YamlError
from tests.errors import raises


def read_off(text: str) -> list[str]:
    """Return relations of an f-structure: name, type, head, dependent, initial relation, further heads."""
    bank = relations_from_fstructures(triples.loads(text))
    return [
        " ".join(
            [
                relation.name,
                relation.type or "_",
                relation.head.word,
                relation.dependent.word or "_",
                *([relation.initial_gr] if relation.initial_gr else []),
                *(head.word for head in relation.further_heads),
            ]
        )
        for relation in relations_of(bank, 0)
    ]


def test_functions_of_coordinations_are_those_of_their_members() -> None:
    text = """\
subj(run~0, _~1)
in_set(_~1, dog~2)
in_set(_~1, cat~3)
coord_form(_~1, and)
adjunct(dog~2, _~4)
in_set(_~4, big~5)
"""
    assert read_off(text) == [
        "subj _ run dog",
        "subj _ run cat",
        "conj and dog _ cat",
        "mod _ dog big",
    ]


def test_prepositions_give_way_to_their_objects() -> None:
    text = """\
obl(rely~0, on~1)
obj(on~1, Ann~2)
adjunct(rely~0, _~3)
in_set(_~3, while~4)
obj(while~4, sing~5)
"""
    assert read_off(text) == ["iobj on rely Ann", "mod while rely sing"]


def test_an_adjunct_with_a_subject_is_no_preposition() -> None:
    text = "adjunct(leave~0, sing~1)\nsubj(sing~1, Ann~2)\nobj(sing~1, song~3)\ncomp_form(sing~1, while)\n"
    assert read_off(text) == ["mod while leave sing", "subj _ sing Ann", "dobj _ sing song"]


def test_passives_and_auxiliaries() -> None:
    text = """\
subj(see~0, dog~1)
obl_ag(see~0, by~2)
obj(by~2, Ann~3)
passive(see~0, +)
tns_asp(see~0, _~4)
perf(_~4, +)
tense(_~4, fut)
"""
    assert read_off(text) == [
        "aux _ see will",
        "aux _ see have",
        "aux _ see be",
        "subj _ see dog obj",
        "arg_mod by see Ann subj",
    ]


def test_pronouns_have_their_form_or_are_not_expressed() -> None:
    text = "subj(see~0, pro~1)\npron_form(pro~1, they)\nobj(see~0, pro~2)\n"
    bank = relations_from_fstructures(triples.loads(text))
    assert [relation.dependent.word for relation in relations_of(bank, 0)] == ["they"]
    assert [finding.total for finding in bank.diagnosis] == [1]


def test_functions_that_the_map_does_not_have_are_counted() -> None:
    bank = relations_from_fstructures(triples.loads("vocative(see~0, Ann~1)\ntopic(see~0, dog~2)\n"))
    assert len(bank.relations) == 0
    assert [(finding.event, finding.total) for finding in bank.diagnosis] == [
        ("functions that the map does not have dropped", 1)
    ]


def test_a_cycle_is_left_out_of_nothing() -> None:
    assert read_off("in_set(_~0, _~1)\nin_set(_~1, _~0)\nsubj(see~2, _~0)\n") == []
    assert read_off("adjunct(man~0, see~1)\nsubj(see~1, man~0)\n") == ["mod _ man see", "subj _ see man"]


def test_preds_only_keeps_paths_that_end_in_a_predicate() -> None:
    text = """\
spec(dog~1, _~2)
det(_~2, _~3)
det_type(_~3, def)
poss(_~2, Ann~4)
check(dog~1, _~5)
loop(_~5, _~5)
"""
    reduced = preds_only(triples.loads(text))
    assert [relation.name for relation in relations_of(reduced, 0)] == ["spec", "poss"]
    assert [finding.total for finding in reduced.diagnosis] == [4]


def test_relations_between_words_are_refused() -> None:
    with raises(
        SentenceError,
        path="text",
        line=1,
        sentence="1",
        problem="the relations are between words, not in an f-structure (formats xle, triples)",
    ):
        relations_from_fstructures(relations.loads("(ncsubj die proprietor _)"))


@pytest.mark.parametrize(
    ("old", "new", "fields"),
    [
        (
            "relation: dobj}",
            "relation: object}",
            {"line": 20, "key": "functions[2].relation", "names": ("object",)},
        ),
        (
            "path: [subj], relation",
            "paths: [subj], relation",
            {"line": 18, "key": "functions[0]", "names": ("paths",)},
        ),
    ],
)
def test_a_map_of_ones_own(tmp_path: Path, old: str, new: str, fields: dict[str, object]) -> None:
    text = (FOLDER / "carroll_minnen_briscoe.yaml").read_text("utf-8")
    path = tmp_path / "mine.yaml"
    path.write_text(text, "utf-8")
    assert load_relation_map(str(path)).functions == load_relation_map().functions
    assert files_read([f"relations_from_fstructures:by={path}"])[0] == path
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(text.replace(old, new), "utf-8")
    with raises(YamlError, **fields):
        load_relation_map(str(wrong))


def test_an_unknown_map_names_the_known_one() -> None:
    with raises(OptionError, "carroll_minnen_briscoe", kind="map of f-structures", value="parc"):
        load_relation_map("parc")


def test_real_analyses(shared_data: Path) -> None:
    for language in ("nb", "ka"):
        bank = read_all([str(shared_data / f"xle-fstructures/mrs/{language}/1*.pl")], "xle")
        read = relations_from_fstructures(bank)
        has_subject = [
            any(relation.name == "subj" for relation in relations_of(read, sentence))
            for sentence in range(len(read))
            if bank.relations.lengths()[sentence]
        ]
        assert sum(has_subject) > 0.8 * len(has_subject)


def test_an_edge_to_the_first_node_of_a_treebank_is_one() -> None:
    bank = triples.loads("x(a~0, _~1)\ny(_~1, a~0)\nnum(a~0, sg)\n")
    assert [relation.name for relation in relations_of(preds_only(bank), 0)] == ["x", "y"]
