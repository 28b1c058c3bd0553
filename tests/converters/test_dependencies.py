"""Dependencies from constituents."""

import numpy as np
import pytest

from crossbank.converters.dependencies.conventions import conventions_of
from crossbank.converters.dependencies.flat_phrases import insert_flat_phrases
from crossbank.converters.dependencies.from_trees import dependencies
from crossbank.converters.heads.marking import mark_heads
from crossbank.converters.scheme_files import load_scheme
from crossbank.converters.schemes.scheme import Scheme
from crossbank.converters.transformations import parse, transform
from crossbank.treebanks import ROOT, Treebank
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.errors import RequirementError
from crossbank.treebanks.formats import export
from tests.converters.banks import bank_of, events, render
from tests.errors import raises

PTB, PPCHE, TIGER, NEGRA, TUEBADZ = map(load_scheme, ("ptb", "ppche", "tiger", "negra", "tuebadz"))


def read_off(tree: str, scheme: Scheme, *steps: str) -> list[str]:
    bank = transform(bank_of(tree), steps or scheme.views["dependencies"], scheme)
    return arcs(bank)


def arcs(bank: Treebank, sentence: int = 0) -> list[str]:
    """Return ``relation:head`` of each word."""
    rows = bank.tokens.rows(sentence)
    relations = bank.vocabulary.decode(bank.tokens.relation[rows])
    return [f"{r}:{h}" for r, h in zip(relations, bank.tokens.head[rows].tolist(), strict=True)]


def test_tiger_with_crossing_branches() -> None:
    tree = "(S (VP:OC 0=B/NN:OA 3=g/VVPP:HD) 1=hat/VAFIN:HD (NP:SB 2=er/PPER:NK)) 4=./$.:--"
    assert read_off(tree, TIGER) == ["OA:3", "root:-1", "SB:1", "OC:1", "punct:1"]
    projective = read_off(tree, TIGER, "raise_crossing", "dependencies")
    assert projective == ["OA:1", "root:-1", "SB:1", "OC:1", "punct:1"]


NEGRA_TREES = """\
#BOS 1 1 899973978 1
in\t\tAPPR\tDat\tAC\t502
der\t\tART\tDat\tNK\t502
Mitte\t\tNN\tDat\tNK\t502
der\t\tART\tGen\tNK\t503
Stadt\t\tNN\tGen\tNK\t503
hat\t\tVAFIN\t3sis\tHD\t506
Hamburgs\t\tNE\tGen\tGL\t500
Senator\t\tNN\tNom\tNK\t500
Max\t\tNE\tNom\tPNC\t501
Meier\t\tNE\tNom\tPNC\t501
Häuser\t\tNN\tAkk\tCJ\t504
und\t\tKON\t--\tCD\t504
Läden\t\tNN\tAkk\tCJ\t504
besucht\t\tVVPP\t--\tHD\t505
.\t\t$.\t--\t--\t0
#500\t\tNP\t--\tSB\t506
#501\t\tMPN\t--\tNK\t500
#502\t\tPP\t--\tML\t505
#503\t\tNP\t--\tGR\t502
#504\t\tCNP\t--\tOA\t505
#505\t\tVP\t--\tOC\t506
#506\t\tS\t--\t--\t0
#EOS 1
#BOS 2 1 899973978 1
Zehn\t\tCARD\t--\tNMC\t500
Millionen\t\tNN\tNom\tNMC\t500
Mark\t\tNN\tNom\tNK\t501
?\t\t$.\t--\t--\t0
Immer\t\tADV\t--\tAVC\t502
wieder\t\tADV\t--\tAVC\t502
!\t\t$.\t--\t--\t0
#500\t\tNM\t--\tNK\t501
#501\t\tNP\t--\t--\t0
#502\t\tAVP\t--\t--\t0
#EOS 2
"""


def test_negra() -> None:
    """Version 3 of the export format: no lemmas, no VROOT; a crossing verb phrase, two roots."""
    bank = export.loads(NEGRA_TREES)
    assert bank.discontinuous_sentences.tolist() == [0]
    first = [
        "ML:13",
        "NK:2",
        "NK:0",
        "NK:4",
        "GR:2",
        "root:-1",
        "GL:7",
        "SB:5",
        "PNC:9",
        "NK:7",
        "OA:13",
        "CD:10",
        "CJ:10",
        "OC:5",
        "punct:5",
    ]
    assert NEGRA.views["dependencies"][-1] == "single_root"
    read = transform(bank, NEGRA.views["dependencies"][:-1], NEGRA)
    assert arcs(read) == first
    assert arcs(read, 1) == ["NMC:1", "NK:2", "root:-1", "punct:2", "AVC:5", "root:-1", "punct:2"]
    stripped = transform(bank, ["strip_functions", *NEGRA.views["dependencies"][:-1]], NEGRA)
    assert np.array_equal(stripped.tokens.head, read.tokens.head)
    options = "dependencies:prepositions=noun,coordination=all"
    other = arcs(transform(bank, ["insert_flat_phrases", options], NEGRA))
    assert other == [
        "AC:2",
        "NK:2",
        "ML:13",
        "NK:4",
        "GR:2",
        "root:-1",
        "GL:7",
        "SB:5",
        "PNC:9",
        "NK:7",
        "OA:13",
        "CD:12",
        "OA:13",
        "OC:5",
        "punct:5",
    ]


def test_noun_phrases_inside_prepositional_phrases() -> None:
    bank = bank_of("(PP:MO 0=im/APPRART:AC 1=neuen/ADJA:NK 2=Haus/NN:NK (PP:MNR 3=in/APPR:AC 4=Rom/NE:NK))")
    inserted = insert_flat_phrases(bank, TIGER)
    assert render(inserted, functions=True) == "(PP:MO 0:AC (NP:NK 1:NK 2:NK) (PP:MNR 3:AC 4:NK))"
    assert events(inserted) == {"insert_flat_phrases: NP inserted": 1}
    assert render(insert_flat_phrases(inserted, TIGER)) == render(inserted)
    bare = insert_flat_phrases(transform(bank, ["strip_functions"], TIGER), TIGER)
    assert render(bare, functions=True) == "(PP 0 (NP 1 2) (PP 3 4))"


def test_tuebadz_fields_are_transparent() -> None:
    tree = (
        "(SIMPX (VF:- (NX:ON 0=er/PPER:HD)) (LK:- (VXFIN:HD 1=kann/VMFIN:HD)) (MF:-"
        " (PX:V-MOD 2=in/APPR:- (NX:HD 3=Rom/NE:HD)) (NX:OA 4=es/PPER:HD)) "
        " (VC:- (VXINF:OV 5=getan/VVPP:HD) (VXINF:HD 6=haben/VAINF:HD))) 7=./$.:--"
    )
    assert read_off(tree, TUEBADZ) == [
        "ON:1", "root:-1", "-:3", "V-MOD:1", "OA:1", "OV:6", "HD:1", "punct:1",
    ]  # fmt: skip


def test_tuebadz_the_head_of_a_relative_clause_has_the_relation_of_the_clause() -> None:
    tree = (
        "(NX (NX:HD 0=der/ART:- 1=Hund/NN:HD) (R-SIMPX:- (C:- (NX:ON 2=der/PRELS:HD))"
        " (VC:- (VXFIN:HD 3=lacht/VVFIN:HD))))"
    )
    assert read_off(tree, TUEBADZ) == ["-:1", "root:-1", "ON:3", "-:1"]


def test_tuebadz_verb_last_and_particles() -> None:
    tree = (
        "(SIMPX (C:- 0=dass/KOUS:-) (MF:- (NX:ON 1=er/PPER:HD))"
        " (VC:- (VXINF:OV 2=da/VVPP:HD) (VXFIN:HD 3=ist/VAFIN:HD)))"
    )
    assert read_off(tree, TUEBADZ) == ["-:3", "ON:3", "OV:3", "root:-1"]
    tree = "(SIMPX (KOORD:- 0=und/KON:-) (LK:- (VXFIN:HD 1=ruf/VVIMP:HD)) (VC:- 2=an/PTKVZ:VPT))"
    assert read_off(tree, TUEBADZ) == ["-:1", "root:-1", "VPT:1"]


def test_tuebadz_a_clause_with_a_middle_field_only() -> None:
    assert read_off("(SIMPX (MF:- (NX:ON 0=a/NN:HD) (NX:OA 1=b/NN:HD)))", TUEBADZ) == ["root:-1", "OA:0"]


def test_tuebadz_a_clause_without_a_verb() -> None:
    tree = "(SIMPX (VF:- (NX:ON 0=a/NN:HD)) (MF:- (ADVX:MOD 1=b/ADV:HD) (NX:OA 2=c/NN:HD)))"
    assert read_off(tree, TUEBADZ) == ["root:-1", "MOD:0", "OA:0"]


def test_functions_in_labels_count() -> None:
    in_labels = "(SIMPX:-- (LK:- (VXFIN:HD 0=geh/VVIMP:HD)) (MF:- (NX=PER:ON 1=A/NE:- 2=B/NE:-)))"
    bank = bank_of(in_labels)
    words = bank.vocabulary.decode(bank.tokens.function)
    tagged = bank.with_strings("tokens", "function", lambda name: "")
    vocabulary, tags = tagged.vocabulary.extended(["VVIMP:HD", "NE:-", "NE:-"])
    labels = ["SIMPX:--", "LK:-", "VXFIN:HD", "MF:-", "NX=PER:ON"]
    vocabulary, codes = vocabulary.extended(labels)
    tagged = tagged.replace(
        vocabulary=vocabulary,
        tokens=tagged.tokens.replace(pos=tags),
        nodes=tagged.nodes.replace(label=codes, function=np.zeros_like(codes)),
    )
    assert words == ["HD", "-", "-"]
    view = TUEBADZ.views["dependencies"]
    assert arcs(transform(tagged, view, TUEBADZ)) == read_off(in_labels, TUEBADZ)


@pytest.mark.parametrize(
    ("tree", "heads"),
    [
        ("(NX (NX:KONJ 0=A/NN:HD) 1=und/KON:- (NX:KONJ 2=B/NN:HD) (NX:KONJ 3=C/NN:HD))", [-1, 0, 1, 2]),
        ("(NX 0=entweder/KON:- (NX:KONJ 1=A/NN:HD) 2=oder/KON:- (NX:KONJ 3=B/NN:HD))", [1, -1, 1, 2]),
        ("(NX 0=A/NE:- 1=B/NE:- 2=C/NE:-)", [-1, 0, 1]),
        ("(NX 0=der/ART:- 1=Rat/NN:HD (PX:- 2=in/APPR:- (NX:HD 3=A/NE:- 4=B/NE:-)))", [1, -1, 3, 1, 3]),
        # What is coordinated are fields, which have no head: their constituents depend on the verb.
        ("(SIMPX (LK:- (VXFIN:HD 0=g/VVFIN:HD)) (FKOORD:- (MF:KONJ (NX:OA 1=A/NN:HD)) 2=und/KON:-"
         " (MF:KONJ (NX:OA 3=B/NN:HD))))", [-1, 0, 1, 0]),
    ],
)  # fmt: skip
def test_a_chain_of_conjuncts(tree: str, heads: list[int]) -> None:
    bank = transform(bank_of(tree), ["dependencies:coordination=chain"], TUEBADZ)
    assert bank.tokens.head.tolist() == heads


def test_penn_treebank() -> None:
    tree = (
        "( (S (NP-SBJ-1 0=the/DT 1=men/NNS) (VP 2=want/VBP (S (NP-SBJ 3=*-1/-NONE-) (VP 4=to/TO (VP 5=go/VB"
        " (PP-DIR 6=to/TO (NP 7=Rome/NNP)))))) 8=./.))"
    )
    assert read_off(tree, PTB) == ["dep:1", "SBJ:2", "root:-1", "dep:2", "dep:3", "DIR:4", "dep:5", "punct:2"]


def test_penn_helsinki() -> None:
    gold = "(TOP (IP*MAT 0=og/CONJ (NP*SBJ 1=Asa/NPR*N) 2=átti/VBDI (NP*OB1 3=J/NPR*A) 4=;/.))"
    parsed = "( (IP-MAT 0=og/CONJ (NP-SBJ 1=Asa/NPR-N) 2=átti/VBDI (NP-OB1 3=J/NPR-A) 4=;/.))"
    assert read_off(gold, PPCHE) == ["dep:2", "SBJ:2", "root:-1", "OB1:2", "punct:2"]
    assert read_off(parsed, PPCHE) == read_off(gold, PPCHE)


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        (["dependencies"], ["root:-1", "punct:2", "root:-1", "punct:2"]),
        (["dependencies", "single_root"], ["dep:2", "punct:2", "root:-1", "punct:2"]),
        (["dependencies:punctuation=tree"], ["root:-1", "root:-1", "root:-1", "punct:2"]),
        (["dependencies:punctuation=tree", "single_root"], ["dep:2", "punct:2", "root:-1", "punct:2"]),
    ],
)
def test_several_roots(steps: list[str], expected: list[str]) -> None:
    assert read_off("(VROOT 0=Ja/ITJ 1=,/$, (S 2=geh/VVIMP 3=!/$.))", TIGER, *steps) == expected


def test_what_was_decided_is_counted() -> None:
    bank = dependencies(mark_heads(bank_of("(S 0=geh/VVIMP) 1=!/$. (S 2=lauf/VVIMP)"), TIGER), TIGER)
    assert events(bank) == {
        "dependencies: roots beside the main root": 1,
        "dependencies: punctuation attached to the root": 1,
    }


def test_sentences_of_punctuation_and_without_nodes() -> None:
    bank = dependencies(bank_of("(S 0=./$. 1=./$.)", "0=a/NN 1=b/NN", "", "0=./$. 1=a/X"), TIGER)
    assert [arcs(bank, i) for i in range(4)] == [
        ["root:-1", "punct:0"], ["root:-1", "root:-1"], [], ["punct:1", "root:-1"],
    ]  # fmt: skip


def test_marked_heads_need_no_scheme() -> None:
    bank = mark_heads(bank_of("(S (NP 0=a/NN) 1=b/VVFIN)"), TIGER)
    assert arcs(dependencies(bank)) == ["dep:1", "root:-1"]
    with raises(
        RequirementError,
        name="dependencies",
        required="heads: a scheme with head rules, or mark_heads before it",
    ):
        dependencies(bank_of("(S 0=a/X)"))


@pytest.mark.parametrize(
    ("tree", "heads"),
    [
        # Universal Dependencies: conjuncts on the first one, a conjunction on the conjunct at its right
        ("(NP (NP 0=wind/NN) 1=,/, (NP 2=rain/NN) 3=and/CC (NP 4=much/JJ 5=snow/NN))", [-1, 0, 0, 5, 5, 0]),
        ("(NP 0=winds/NNS 1=and/CC 2=rain/NN)", [-1, 2, 0]),
        ("(VP 0=blow/VB 1=and/CC 2=or/CC 3=rains/VBZ)", [-1, 3, 3, 0]),
        ("(UCP (ADJP 0=wet/JJ) 1=and/CC (PP 2=in/IN 3=pain/NN))", [-1, 2, 0, 2]),
        ("(S 0=and/CC (NP 1=it/PRP) (VP 2=rains/VBZ))", [2, 2, -1]),
    ],
)
def test_conjunctions_as_universal_dependencies_have_them(tree: str, heads: list[int]) -> None:
    bank = transform(bank_of(tree), ["dependencies:coordination=universal,rules=content"], PTB)
    assert bank.tokens.head.tolist() == heads


@pytest.mark.parametrize(
    ("scheme", "tree", "heads"),
    [
        # all conjuncts depend on what governs them, a conjunction on the conjunct at its right
        (PTB, "(VP 0=see/VBP (NP (NP 1=wind/NN) 2=and/CC (NP 3=rain/NN)))", [-1, 0, 3, 0]),
        (PTB, "(VP 0=see/VBP (NP 1=winds/NNS 2=and/CC 3=rain/NN))", [-1, 0, 3, 0]),
        (PPCHE, "(IP-MAT 0=sjá/VBPI (NP (NP 1=vind/N-A) (CONJP 2=og/CONJ (NP 3=regn/N-A))))", [-1, 0, 3, 0]),
        (PPCHE, "(IP-MAT 0=sjá/VBPI (NP 1=vind/N-A (CONJP 2=og/CONJ (NX 3=regn/N-A))))", [-1, 0, 3, 0]),
        (PPCHE, "(IP-MAT (NP 0=vind/N-A) 1=sjá/VBPI (CONJP 2=og/CONJ (NP 3=regn/N-A)))", [1, -1, 3, 1]),
    ],
)
def test_conjuncts_of_equal_status_in_penn_trees(scheme, tree: str, heads: list[int]) -> None:  # type: ignore[no-untyped-def]
    assert transform(bank_of(tree), ["dependencies:coordination=all"], scheme).tokens.head.tolist() == heads


def test_dependencies_without_constituents_stay() -> None:
    builder = TreebankBuilder()
    builder.sentence()
    builder.token(form="a", head=ROOT, relation="root")
    bank = builder.build()
    assert dependencies(bank, TIGER) is bank


def test_conventions_are_the_options_given_and_the_defaults_of_others() -> None:
    def choices(*steps: str) -> tuple[str, str, str, bool]:
        actual = conventions_of([parse(step) for step in steps], TIGER)
        assert actual.steps == ", ".join(steps)
        return actual.coordination, actual.prepositions, actual.rules, actual.functions

    default = choices("dependencies")
    assert default == choices("raise_crossing", "dependencies", "single_root")
    assert choices("dependencies:coordination=chain") == ("chain", *default[1:])
    assert choices("dependencies:prepositions=noun") == (default[0], "noun", *default[2:])
    assert choices("dependencies:coordination=chain", "dependencies:prepositions=noun")[:2] == (
        "chain",
        "noun",
    )
    assert choices("strip_functions", "dependencies")[3] is False
    assert default[3] is True
