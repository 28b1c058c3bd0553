r"""Grammatical relations read off CCG derivations, and off Penn-style trees of the same sentences."""

from __future__ import annotations

from pathlib import Path

import pytest

import crossbank
from crossbank.converters import scheme_of
from crossbank.converters.relations.relations_from_trees import relations_from_trees
from crossbank.formalisms.ccg.ccg_categories import CategoryError, parse_category
from crossbank.formalisms.ccg.conversions.category_patterns import CategoryPattern
from crossbank.formalisms.ccg.conversions.grammatical_relations import ccg_relations, load_category_relations
from crossbank.formalisms.ccg.formats import auto
from crossbank.treebanks import OptionError, Treebank
from crossbank.treebanks.relations.relation import relations_of
from crossbank.treebanks.yaml_nodes import YamlError
from tests.errors import raises

EXAMPLES = Path("examples/three_styles")


def derivation(brackets: str) -> Treebank:
    """Return the derivation that a short notation gives: ``{NP {NP/N the} {N dog}}``."""
    children: list[list[str]] = [[]]
    for part in brackets.replace("{", " { ").replace("}", " } ").split():
        if part == "{":
            children.append([])
        elif part != "}":
            children[-1].append(part)
        else:
            category, *below = children.pop()
            if below[0].startswith("(<"):
                children[-1].append(f"(<T {category} 0 {len(below)}> {' '.join(below)} )")
            else:
                children[-1].append(f"(<L {category} T T {below[0]} {category}>)")
    return auto.loads(f"ID=1\n{children[0][0]}\n")


def relations(bank: Treebank) -> set[str]:
    """Return the relations of the first sentence, such as ``ncsubj(sees, Anna)``."""
    converted = ccg_relations(bank)
    written = set()
    for one in relations_of(converted, 0):
        words = [one.head.word, *(word.word for word in one.further_heads), one.dependent.word]
        written.add(f"{one.name}({', '.join(filter(None, [one.type, *words, one.initial_gr]))})")
    return written


def test_relations_of_derivations_are_those_of_penn_trees() -> None:
    penn = relations_from_trees(crossbank.read(EXAMPLES / "penn.mrg"), scheme_of("ptb"))
    ccg = ccg_relations(crossbank.read(EXAMPLES / "ccg.auto"))
    assert len(penn) == len(ccg) == 8
    for sentence in range(8):
        of_trees, of_derivations = (set(relations_of(bank, sentence)) for bank in (penn, ccg))
        assert of_derivations == of_trees


SUBJECT = r"{NP {NP/N the} {N boys}}"


@pytest.mark.parametrize(
    ("brackets", "expected"),
    [
        pytest.param(
            rf"{{S[dcl] {SUBJECT} {{S[dcl]\NP {{(S[dcl]\NP)/(S[pt]\NP) have}} {{S[pt]\NP "
            r"{(S[pt]\NP)/(S[pss]\NP) been} {S[pss]\NP seen}}}}",
            {"detmod(boys, the)", "ncsubj(seen, boys, obj)", "aux(seen, have)", "aux(seen, been)"},
            id="the main verb stands for a verb group, whose subject is the object of the passive",
        ),
        pytest.param(
            rf"{{S[dcl] {SUBJECT} {{S[dcl]\NP {{(S[dcl]\NP)/(S[to]\NP) want}} {{S[to]\NP "
            r"{(S[to]\NP)/(S[b]\NP) to} {S[b]\NP leave}}}}",
            {"detmod(boys, the)", "ncsubj(want, boys)", "ncsubj(leave, boys)", "xcomp(to, want, leave)"},
            id="control",
        ),
        pytest.param(
            rf"{{S[dcl] {SUBJECT} {{S[dcl]\NP {{(S[dcl]\NP)/NP {{((S[dcl]\NP)/NP)/NP gave}} {{NP Anna}}}} "
            r"{NP books}}}",
            {"detmod(boys, the)", "ncsubj(gave, boys)", "dobj(gave, Anna)", "obj2(gave, books)"},
            id="two objects",
        ),
        pytest.param(
            rf"{{S[dcl] {SUBJECT} {{S[dcl]\NP {{(S[dcl]\NP)/PP talk}} {{PP {{PP/NP to}} {{NP Anna}}}}}}}}",
            {"detmod(boys, the)", "ncsubj(talk, boys)", "iobj(to, talk, Anna)"},
            id="an indirect object has the preposition as its type",
        ),
        pytest.param(
            rf"{{S[dcl] {SUBJECT} {{S[dcl]\NP {{(S[dcl]\NP)/S[em] say}} {{S[em] {{S[em]/S[dcl] that}} "
            r"{S[dcl] {NP Anna} {S[dcl]\NP sleeps}}}}}",
            {"detmod(boys, the)", "ncsubj(say, boys)", "ccomp(that, say, sleeps)", "ncsubj(sleeps, Anna)"},
            id="a clause has the complementiser as its type",
        ),
        pytest.param(
            r"{S[dcl] {NP {NP Anna} {NP[conj] {, ,} {NP {NP Bert} {NP[conj] {conj and} {NP Carl}}}}} "
            r"{S[dcl]\NP sleep}}",
            {
                "conj(and, Anna, Bert, Carl)",
                "ncsubj(sleep, Anna)",
                "ncsubj(sleep, Bert)",
                "ncsubj(sleep, Carl)",
            },
            id="a coordination of three is one relation",
        ),
        pytest.param(
            rf"{{S[dcl] {{NP {SUBJECT} {{NP\NP {{S[pss]\NP seen}}}}}} {{S[dcl]\NP sleep}}}}",
            {"detmod(boys, the)", "xmod(boys, seen)", "ncsubj(seen, boys, obj)", "ncsubj(sleep, boys)"},
            id="a reduced relative clause is made by a rule with one child",
        ),
        pytest.param(
            r"{NP {NP/N {NP Anna} {(NP/N)\NP 's}} {N dog}}",
            {"ncmod('s, dog, Anna)"},
            id="a possessor",
        ),
        pytest.param(
            r"{S[wq] {S[wq]/(S[dcl]\NP) {(S[wq]/(S[dcl]\NP))/N which} {N boys}} {S[dcl]\NP sleep}}",
            {"detmod(boys, which)", "ncsubj(sleep, boys)"},
            id="a question word with a noun",
        ),
    ],
)
def test_relations_of_a_construction(brackets: str, expected: set[str]) -> None:
    assert relations(derivation(brackets)) == expected


def test_slots_without_a_relation_are_counted() -> None:
    bank = derivation(r"{N {N/(S[ng]\NP) point} {S[ng]\NP going}}")
    events = ccg_relations(bank).diagnosis
    assert [(event.event, event.total) for event in events if "without" in event.event] == [
        (r"slots without a relation: N/(S[ng]\NP) 1", 1)
    ]


@pytest.mark.parametrize(
    ("pattern", "category", "slots"),
    [
        (r"(S\NP)/NP{D}", r"(S[dcl]\NP)/NP", {"D": 2}),
        (r"S[dcl|b]\NP{D}$", r"((S[b]\NP)/NP)/NP", {"D": 1}),
        (r"S[dcl|b]\NP{D}$", r"(S[to]\NP)/NP", None),
        (r"S\NP{D}", r"(S[dcl]\NP)/NP", None),
        (r"(X\X{H})/NP{D}", r"((S\NP)\(S\NP))/NP", {"H": 2, "D": 3}),
        (r"(X\X{H})/NP{D}", r"((S\NP)\NP)/NP", None),
        ("X/X{H}", "NP[nb]/N", None),
    ],
)
def test_a_pattern_binds_variables_to_slots(
    pattern: str, category: str, slots: dict[str, int] | None
) -> None:
    assert CategoryPattern.parse(pattern).match(parse_category(category)) == slots


def test_a_variable_inside_an_argument_is_refused() -> None:
    with pytest.raises(CategoryError):
        CategoryPattern.parse(r"S/(S\NP{D})")


@pytest.mark.parametrize(
    ("old", "new", "line_of"),
    [
        ("category: 'NP/(N/PP){H}', head: H", "category: 'NP/(N/PP){H}', head: K", "head: K"),
        ("category: 'X/X{H}'", "category: 'X/X{H'", "'X/X{H'"),
    ],
)
def test_wrong_rules_are_refused_with_their_line(tmp_path: Path, old: str, new: str, line_of: str) -> None:
    text = Path("formalisms/ccg/conversions/category_relations/english.yaml").read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "own.yaml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    line = next(number for number, line in enumerate(path.read_text().splitlines(), 1) if line_of in line)
    with raises(YamlError, file="own.yaml", line=line):
        load_category_relations(path)


def test_unknown_rules_are_refused() -> None:
    with pytest.raises(OptionError):
        load_category_relations("german")
