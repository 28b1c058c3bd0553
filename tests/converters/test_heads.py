"""Heads by function and by category."""

from pathlib import Path

import pytest

from crossbank.converters.heads.marking import mark_heads
from crossbank.converters.scheme_files import load_scheme
from crossbank.converters.schemes.head_rules import HeadGroup, HeadRules
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks.errors import RequirementError
from tests.converters.banks import bank_of, events
from tests.errors import raises

PTB, PPCHE, TIGER, TUEBADZ = map(load_scheme, ("ptb", "ppche", "tiger", "tuebadz"))


def own_scheme(path: Path, rules: str, default: str = "right") -> Scheme:
    """Return a scheme with some head rules, written to a file."""
    path = path / "own.yaml"
    heads = f"heads: {{default: {default}, rules: {rules}}}"
    path.write_text(
        f"name: own\ntitle: Own\nsources: [me]\ndelete: punct\n"
        f"tokens: {{punctuation: {{tags: [P]}}}}\n{heads}\n",
        encoding="utf-8",
    )
    return load_scheme(path)


@pytest.mark.parametrize(
    ("scheme", "tree", "head"),
    [
        # Collins (1999), appendix A
        (PTB, "(NP 0=the/DT 1=dog/NN 2='s/POS)", 2),
        (PTB, "(NP (NP 0=men/NNS) (PP 1=in/IN))", 0),
        (PTB, "(NP 0=a/NN 1=and/CC 2=b/NN)", 0),
        (PTB, "(NP 0=a/NN 1=,/, 2=b/NN 3=,/, 4=and/CC 5=c/NN)", 2),
        (PTB, "(NP 0=about/IN 1=10/CD)", 1),
        (PTB, "(VP 0=to/TO (VP 1=go/VB))", 0),
        (PTB, "(VP (VP 0=go/VB) 1=and/CC (VP 2=come/VB))", 0),
        (PTB, "(PP 0=out/IN 1=of/IN (NP 2=it/PRP))", 1),
        (PTB, "(NP 0=more/JJR 1=this/DT (NP 2=year/X))", 0),
        (PTB, "(NP (NP 0=a/DT) (NP 1=b/DT) (PP 2=of/IN))", 0),
        (PTB, "(NP 0=a/DT 1=$/$ (PRN 2=b/X) 3=c/CD)", 2),
        (PTB, "(NP 0=a/CD 1=b/CD 2=few/JJ)", 1),
        (PTB, "(NP 0=the/DT 1=rich/JJ 2=too/DT)", 1),
        (PTB, "(NP 0=all/PDT 1=that/DT)", 1),
        (PTB, "(ADVP 0=more/RBR 1=there/X)", 0),
        (PTB, "(ADVP 0=much/X 1=so/X)", 1),
        (PTB, "(UCP (NP 0=a/NN) 1=and/CC (ADJP 2=b/JJ))", 0),
        (PTB, "(S (NP-SBJ 0=it/PRP) (ADVP|PRT 1=now/RB) (VP 2=is/VBZ))", 2),
        (PTB, "(SBARQ (WHNP 0=which/WDT) (SQ 1=do/VBP (NP 2=you/PRP) (VP 3=like/VB)) 4=?/.)", 1),
        (PTB, "(XYZ 0=,/, 1=a/A 2=b/B)", 1),
        (PTB, "(XYZ 0=,/, 1=./.)", 0),
        (TIGER, "(NP 0=ART/ART:NK 1=Bürgermeisterin/NN:NK (PN:NK 2=Karin/NE:PNC 3=Vogel/NE:PNC))", 1),
        (TIGER, "(PN 0=Karin/NE 1=Vogel/NE)", 1),
        (TIGER, "(NP 0=die/ART 1=Ufer/NN 2=Brandenburgs/NE)", 1),
        (TIGER, "(NP 0=Brandenburgs/NE 1=Ufer/NN)", 1),
        (TIGER, "(NP 0=eine/ART 1=Tasse/NN 2=Tee/NN)", 1),
        (TIGER, "(NP 0=das/PDS:NK 1=alles/PIS:NK)", 0),
        (TIGER, "(NP 0=ihre/PPOSAT (CNP 1=Freunde/NN 2=und/KON 3=Feinde/NN))", 1),
        (TIGER, "(AVP 0=Nicht/PTKNEG 1=mehr/ADV)", 0),
        (TIGER, "(AVP 0=nicht/PTKNEG 1=nur/ADV)", 1),
        (TIGER, "(AVP 0=wieder/ADV 1=einmal/ADV)", 0),
        (TIGER, "(AVP 0=noch/ADV 1=einmal/ADV)", 1),
        (TIGER, "(AVP 0=noch/ADV 1=immer/ADV 2=nicht/PTKNEG)", 2),
        (TIGER, "(VZ 0=zu/PTKZU 1=prüfende/ADJA)", 1),
        (TIGER, "(AP 0=allein/ADV 1=Reisende/NN)", 1),
        (TIGER, "(NP 0=Es/PPER:PH (S:RE 1=regnet/VVFIN:HD))", 0),
        (TIGER, "(PP 0=um/APPR:AC (NP:NK 1=der/ART:NK 2=Leute/NN:NK) 3=willen/APZR:AC)", 0),
        (TIGER, "(CNP 0=A/NN:CJ 1=und/KON:CD 2=B/NN:CJ)", 0),
        (TIGER, "(VP 0=schnell/ADJD 1=gelesen/VVPP 2=werden/VAINF)", 2),
        (TUEBADZ, "(PX:MOD 0=mit/APPR:- (NX:HD 1=ihm/PPER:HD))", 1),
        (TUEBADZ, "(PX 0=mit/APPR (NX=PER 1=Anna/NE))", 1),
        (TUEBADZ, "(SIMPX (VF (NX:ON 0=er/PPER)) (LK (VXFIN:HD 1=ist/VAFIN)) (VC (VXINF:OV 2=da/VVPP)))", 1),
        (TUEBADZ, "(SIMPX (C 0=o/KOUS) (MF (NX 1=er/PPER)) (VC (VXINF 2=da/VVPP) (VXFIN 3=ist/VAFIN)))", 3),
        (TUEBADZ, "(NX (NX:KONJ 0=A/NN:HD) 1=und/KON:- (NX:KONJ 2=B/NN:HD))", 0),
        (PPCHE, "(IP-MAT 0=og/CONJ (NP-SBJ 1=hann/PRO-N) 2=skal/MDPI 3=fara/VB)", 2),
        (PPCHE, "(IP*INF 0=at/TO 1=fara/VB)", 1),
        (PPCHE, "(NP*OB1 0=tann/D*A 1=Babylóniska/ADJ*A 2=Útlagnan/N*A)", 2),
        (PPCHE, "(NP 0=a/N-N 1=og/CONJ 2=b/N-N)", 0),
        (PPCHE, "(NP (NP 0=a/PRO-N) (CONJP 1=og/CONJ (NP 2=b/N-N)))", 0),
        (PPCHE, "(CP-REL (WNP-1 0=sum/WPRO) 1=sum/C (IP-SUB 2=er/BEPI))", 2),
        (PPCHE, "(PP 0=við/P (NP 1=Navni/N-D))", 0),
        (PPCHE, "(NP-POS 0=the/D 1=kinges/N$)", 1),
        (PPCHE, "(NP (NP-POS 0=the/D 1=kinges/N$) 2=sonne/N)", 2),
    ],
)  # fmt: skip
def test_the_head_of_the_highest_node(scheme, tree: str, head: int) -> None:  # type: ignore[no-untyped-def]
    assert int(mark_heads(bank_of(tree), scheme).nodes.head[0]) == head


@pytest.mark.parametrize(
    ("tree", "head"),
    [
        # Magerman (1995) as against Collins (1999), where the two differ
        ("(NP 0=the/DT 1=dog/NN 2='s/POS)", 1),
        ("(NP 0=dog/NN 1=Rex/NNP 2='s/POS)", 0),
        ("(NP (NP 0=men/NNS) (PP 1=in/IN))", 0),
        ("(NP (NP 0=a/DT) (NP 1=b/DT))", 1),
        ("(NP 0=a/NN 1=and/CC 2=b/NN)", 2),
        ("(NP 0=all/PDT 1=the/DT 2=best/JJS)", 2),
        ("(NP 0=all/PDT 1=which/X)", 1),
        ("(VP 0=to/TO (VP 1=go/VB))", 0),
        ("(VP 0=is/VBZ 1=to/TO)", 0),
        ("(VP (VP 0=go/VB) 1=and/CC (VP 2=come/VB))", 0),
        ("(S (S 0=a/VB) 1=,/, (NP 2=b/NN) (VP 3=c/VB))", 3),
        ("(SBAR 0=that/IN (S 1=rains/VBZ))", 1),
        ("(SBAR (WHNP 0=who/WP) (S 1=rains/VBZ))", 1),
        ("(PP 0=out/IN 1=of/IN (NP 2=it/PRP))", 0),
        ("(PP 0=a/X 1=b/X)", 0),
        ("(ADJP 0=too/RB 1=far/JJ 2=gone/VBN)", 1),
        ("(QP 0=about/IN 1=10/CD 2=more/JJR)", 1),
        ("(WHNP 0=which/WDT 1=day/NN)", 0),
        ("(INTJ 0=oh/UH 1=dear/UH)", 1),
        ("(ADVP 0=not/RB 1=more/RBR)", 1),
    ],
)
def test_heads_after_magerman(tree: str, head: int) -> None:
    assert int(mark_heads(bank_of(tree), PTB, rules="magerman").nodes.head[0]) == head


@pytest.mark.parametrize(
    ("scheme", "tree", "head"),
    [
        # predicates rather than copulas, full verbs rather than auxiliaries
        (PTB, "(VP 0=is/VBZ (NP-PRD 1=a/DT 2=ship/NN))", 2),
        (PTB, "(VP 0=is/VBZ 1=sad/ADJP)", 1),
        (PTB, "(VP 0=made/VBD (NP 1=me/PRP) (ADJP 2=sad/JJ))", 0),
        (PTB, "(VP 0=makes/VBZ (S-PRD (NP-SBJ 1=it/PRP) (VP 2=float/VB)))", 0),
        (PTB, "(VP 0=has/VBZ (VP 1=been/VBN (VP 2=seen/VBN)))", 2),
        (PTB, "(VP (VP 0=go/VB) 1=and/CC (VP 2=come/VB))", 0),
        (PTB, "(S (NP-SBJ 0=him/PRP) (ADJP-PRD 1=sad/JJ))", 1),
        (PTB, "(S (S-ADV (VP 0=sailing/VBG)) (NP-SBJ 1=he/PRP) (VP 2=sang/VBD))", 2),
        (PTB, "(SQ 0=is/VBZ (NP-SBJ 1=it/PRP) (ADJP-PRD 2=far/JJ))", 2),
        (PTB, "(SBAR 0=that/IN (S (NP 1=it/PRP) (VP 2=rains/VBZ)))", 2),
        (PTB, "(SBAR (WHNP 0=what/WP) (S (NP 1=we/PRP) (VP 2=see/VBP)))", 0),
        (PTB, "(SBAR (WHNP 0=which/WDT) (S (NP 1=we/PRP) (VP 2=see/VBP)))", 2),
        # names are headed by their first part, compounds by their last, an apposition's noun heads both
        (PTB, "(NP 0=Ada/NNP 1=Byron/NNP)", 0),
        (PTB, "(NP 0=the/DT 1=Long/NNP 2=Room/NNP)", 2),
        (PTB, "(NP 0=the/DT 1=painter/NN 2=Ada/NNP 3=Byron/NNP)", 1),
        (PTB, "(NP 0=Johnson/NNP 1=Space/NNP 2=Center/NNP)", 2),
        (PTB, "(NP 0=Eastern/NNP 1=Europe/NNP)", 1),
        (PTB, "(NP 0=Inspector/NNP 1=Lynley/NNP)", 1),
        (PTB, "(NP 0=Mr./NNP 1=John/NNP 2=Key/NNP)", 1),
        (PTB, "(NP 0=8/CD 1=May/NNP 2=1815/CD)", 0),
        (PTB, "(NP 0=sea/NN 1=level/NN)", 1),
        (PTB, "(NP (NP 0=the/DT 1=sea/NN 2='s/POS) 3=level/NN)", 3),
        (PTB, "(NP 0=the/DT 1=sea/NN 2='s/POS)", 1),
        # the last noun of the first conjunct
        (PTB, "(NP 0=sea/NN 1=level/NN 2=,/, 3=wind/NN 4=and/CC 5=rain/NN)", 1),
        (PTB, "(NP 0=wind/NN 1=and/CC 2=rain/NN)", 0),
        (PTB, "(QP 0=over/IN 1=two/CD 2=million/CD)", 2),
        (PTB, "(QP 0=two/CD 1=or/CC 2=three/CD)", 0),
        (PTB, "(PRN 0=-LRB-/-LRB- (NP 1=Byron/NNP) 2=-RRB-/-RRB-)", 1),
        (PPCHE, "(IP-MAT (NP-SBJ 0=hon/PRO-N) 1=hevur/HVPI 2=sæð/VBN (NP-OB1 3=tað/PRO-A))", 2),
        (PPCHE, "(IP-MAT (NP-SBJ 0=hon/PRO-N) 1=var/BEDI (NP-PRD 2=kona/N-N))", 2),
        (PPCHE, "(IP-MAT (NP-SBJ 0=hon/PRO-N) 1=var/BEDI (PP 2=við/P (NP 3=hav/N-A)))", 2),
        (PPCHE, "(IP-MAT (NP-SBJ 0=hon/PRO-N) 1=varð/RDDI (ADJP 2=glað/ADJ-N))", 1),
        (PPCHE, "(IP-MAT (NP-SBJ 0=hon/PRO-N) 1=skal/MDPI 2=hava/HV (NP-OB1 3=frið/N-A))", 2),
        (PPCHE, "(NP 0=Símun/NPR-N 1=Zelotes/NPR-N)", 0),
    ],
)  # fmt: skip
def test_heads_as_universal_dependencies_have_them(  # type: ignore[no-untyped-def]
    scheme, tree: str, head: int
) -> None:
    assert int(mark_heads(bank_of(tree), scheme, rules="content").nodes.head[0]) == head


COLLINS = """
ADJP    left   NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB
ADVP    right  RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN
CONJP   right  CC RB IN
FRAG    right
INTJ    left
LST     right  LS :
NAC     left   NN NNS NNP NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW
PP      right  IN TO VBG VBN RP FW
PRN     left
PRT     right  RP
QP      left   $ IN NNS NN JJ RB DT CD NCD QP JJR JJS
RRC     right  VP NP ADVP ADJP PP
S       left   TO IN VP S SBAR ADJP UCP NP
SBAR    left   WHNP WHPP WHADVP WHADJP IN DT S SQ SINV SBAR FRAG
SBARQ   left   SQ S SINV SBARQ FRAG
SINV    left   VBZ VBD VBP VB MD VP S SINV ADJP NP
SQ      left   VBZ VBD VBP VB MD VP SQ
UCP     right
VP      left   TO VBD VBN MD VBZ VB VBG VBP VP ADJP NN NNS NP
WHADJP  left   CC WRB JJ ADJP
WHADVP  right  CC WRB
WHNP    left   WDT WP WP$ WHADJP WHPP WHNP
WHPP    right  IN TO FW
"""
"""Collins (1999), appendix A: category, end from which the list is tried, list. NP has rules of its own."""

MAGERMAN = """
ADJP    right  QP JJ VBN VBG ADJP $ JJR JJS DT FW RBR RBS RB
ADVP    left   RBR RB RBS FW ADVP CD JJR JJS JJ
CONJP   left   CC RB IN
FRAG    left
INTJ    right
LST     left   LS :
NAC     right  NN NNS NNP NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW
PP      left   IN TO FW
PRN     left
PRT     left   RP
QP      right  CD NCD QP JJ JJR JJS DT
RRC     left   VP NP ADVP ADJP PP
S       right  VP SBAR ADJP UCP NP
SBAR    right  S SQ SINV SBAR FRAG X
SBARQ   right  SQ S SINV SBARQ FRAG X
SINV    right  S VP VBZ VBD VBP VB SINV ADJP NP
SQ      right  VP VBZ VBD VBP VB MD SQ
UCP     left
VP      left   VBD VBN MD VBZ TO VB VP VBG VBP ADJP NP
WHADJP  right  JJ ADJP
WHADVP  left   WRB
WHNP    right  WDT WP WP$ WHADJP WHPP WHNP
WHPP    left   IN TO FW
X       left
"""
"""Magerman's table as he gave it to others in 1995, without the labels that the treebank does not have."""


@pytest.mark.parametrize(
    ("rules", "table"),
    [(PTB.heads, COLLINS), (PTB.rule_sets["magerman"], MAGERMAN)],
    ids=["collins", "magerman"],
)
def test_the_tables_entry_by_entry(rules: HeadRules, table: str) -> None:
    """A category has one list, tried in order from one end; the child at that end is the head otherwise."""
    for entry in table.strip().splitlines():
        category, end, *labels = entry.split()
        *groups, last = (*rules.rules.get(category, ()), HeadGroup(rules.default == "right", ("*",)))
        if groups and groups[-1] == HeadGroup(True, ("*",)):
            last = groups.pop()
        assert last.from_right == (end == "right"), category
        assert groups == ([HeadGroup(end == "right", tuple(labels), in_order=True)] if labels else []), (
            category
        )


def test_noun_phrases_of_the_tables() -> None:
    """Collins's six rules: the last word if it is a possessive ending is among the first of them."""
    ends_and_labels = [(group.from_right, group.in_order, *group.labels) for group in PTB.heads.rules["NP"]]
    assert ends_and_labels == [
        (True, False, "NN", "NNP", "NNPS", "NNS", "NX", "NML", "POS", "JJR"),
        (False, False, "NP"),
        (True, False, "$", "ADJP", "PRN"),
        (True, False, "CD"),
        (True, False, "JJ", "JJS", "RB", "QP"),
        (True, False, "*"),
    ]
    magerman = PTB.rule_sets["magerman"].rules["NP"]
    assert magerman[1] == HeadGroup(True, ("N*",))
    listed = "EX $ CD QP PRP VBG JJ JJS JJR ADJP DT FW RB SYM PRP$"
    assert magerman[2] == HeadGroup(True, tuple(listed.split()), in_order=True)


@pytest.mark.parametrize(
    ("scheme", "tree", "own", "rightmost"),
    [
        (TIGER, "(NP 0=der/ART 1=Abgeordnete/NN 2=Meier/NE)", 1, 2),
        (TIGER, "(NP 0=die/ART:NK 1=Ufer/NN:NK 2=Brandenburgs/NE:AG)", 1, 2),
        (TIGER, "(CNP 0=A/NN:CJ 1=und/KON:CD 2=B/NN:CJ)", 0, 2),
        (TIGER, "(PN 0=Karin/NE 1=Vogel/NE)", 1, 1),
        (TIGER, "(S (NP 0=sie/PPER) 1=kommt/VVFIN (AVP 2=gern/ADV))", 1, 1),
        (TUEBADZ, "(NX 0=Anna/NE:- 1=Vogel/NE:-)", 0, 1),
        (TUEBADZ, "(NX (NX:HD 0=Ufer/NN:HD) (NX:- 1=Bonns/NE:HD))", 0, 1),
    ],
)
def test_the_rightmost_noun(scheme: Scheme, tree: str, own: int, rightmost: int) -> None:
    bank = bank_of(tree)
    assert int(mark_heads(bank, scheme).nodes.head[0]) == own
    assert int(mark_heads(bank, scheme, rules="rightmost").nodes.head[0]) == rightmost


def test_the_tables_know_the_treebank() -> None:
    """Each label in a rule is in the inventory, and each category of the table has a rule of its own."""
    known = {*PTB.inventory["categories"], *PTB.inventory["tags"], *PTB.root_labels, "NCD"}
    for rules in (PTB.heads, *PTB.rule_sets.values()):
        groups = [group for groups in rules.rules.values() for group in groups]
        conditions = [condition for group in groups for condition in group.where + group.unless]
        named = {label for part in (*groups, *conditions) for label in part.labels}
        assert {label for label in named if "*" not in label} <= known
    assert set(PTB.heads.rules) | {"INTJ", "PRN", "X"} >= set(PTB.inventory["categories"])
    magerman = PTB.rule_sets["magerman"]
    assert not magerman.conjunctions
    assert [c for c in PTB.heads.rules if magerman.rules[c] == PTB.heads.rules[c]] == ["ROOT", "TOP"]


@pytest.mark.parametrize(
    ("tree", "head"),
    [
        ("(PP 0=in/APPR:AC 1=der/ART:NK 2=Stadt/NN:NK 3=Celle/NE:NK)", 2),
        ("(PP 0=in/APPR 1=der/ART 2=Stadt/NN 3=Celle/NE)", 2),
        ("(PP 0=nach/APPR 1=2002/CARD)", 1),
        ("(PP (NP 0=zwei/CARD 1=Tage/NN) 2=nach/APPR 3=Ostern/NN)", 3),
        ("(PP 0=dem/ART 1=Gesetz/NN 2=zufolge/APPO)", 1),
        ("(PP 0=dadurch/PROAV)", 0),
    ],
)
def test_nouns_as_heads_of_prepositional_phrases(tree: str, head: int) -> None:
    assert int(mark_heads(bank_of(tree), TIGER, prepositions="noun").nodes.head[0]) == head


def test_functions_can_be_left_out_of_account() -> None:
    bank = bank_of("(NP 0=Geld/NN:NK 1=Peter/NE:HD 2=Haus/NN:NK)")
    assert mark_heads(bank, TIGER).nodes.head.tolist() == [1]
    assert mark_heads(bank, TIGER, functions=False).nodes.head.tolist() == [0]


def test_the_diagnosis_says_which_group_decided() -> None:
    bank = bank_of("(S (PP 0=in/APPR:AC 1=Rom/NE:NK) 2=ist/VAFIN (NP 3=es/PPER:NK))", "(DL 0=a/X 1=b/X)")
    marked = mark_heads(bank, TIGER)
    assert events(marked) == {
        "mark_heads: S: head by VVFIN VAFIN VMFIN ... from left": 1,
        "mark_heads: PP: head by AC from left": 1,
        "mark_heads: DL: head by default": 1,
    }
    assert [f.counts.tolist() for f in marked.diagnosis if "DL" in f.event] == [[0, 1]]


def test_fields_have_no_heads_to_count() -> None:
    bank = bank_of("(MF (NX:ON 0=a/NN:HD) (NX:OA 1=b/NN:HD))")
    assert mark_heads(bank, TUEBADZ).diagnosis == ()


def test_heads_need_a_scheme() -> None:
    with raises(RequirementError, name="mark_heads", required="a scheme with head rules"):
        mark_heads(bank_of("(S 0=a/X)"))


def test_a_scheme_of_ones_own_decides(tmp_path: Path) -> None:
    own = own_scheme(tmp_path, "{NP: [{from: right, first_of: [A*, B], functions: [F]}]}")
    for tree, head in (
        ("(NP 0=a/AA:F 1=b/B:F 2=c/AB:F 3=d/B)", 2),
        ("(NP 0=a/AA 1=b/B:F 2=c/AB)", 1),
        ("(NP 0=a/AA 1=b/B)", 1),
        ("(VP 0=a/B:F 1=b/B)", 1),
    ):
        assert mark_heads(bank_of(tree), own).nodes.head.tolist() == [head]


@pytest.mark.parametrize(
    ("group", "tree", "head"),
    [
        ("any_of: [A], where: {at: last}", "(X 0=a/A 1=b/B 2=c/A 3=./P)", 2),
        ("any_of: [A], where: {at: last}", "(X 0=a/A 1=b/B)", 1),
        ("any_of: [A, B], where: {at: first}", "(X 0=./P 1=a/A 2=b/B 3=c/C)", 1),
        ("any_of: [A], unless: {at: first}", "(X 0=a/A 1=a/A 2=b/B)", 1),
        # Children stand where they begin, crossing branches or not.
        ("any_of: [Y], where: {at: last}", "(X (Y 0=a/A 3=b/B) (Y 1=c/C) 2=./P)", 1),
        ("any_of: [A], where: {before: {any_of: [C]}}", "(X 0=a/A 1=c/C 2=a/A)", 0),
        ("any_of: [A], where: {behind: {any_of: [C]}}", "(X 0=a/A 1=c/C 2=a/A 3=b/B)", 2),
        ("any_of: [A], where: {beside: {any_of: [A]}}", "(X 0=a/A 1=b/B)", 1),
        ("any_of: [A], where: {beside: {any_of: [A]}}", "(X 0=a/A 1=a/A 2=b/B)", 0),
        ("any_of: [A], where: {beside: {any_of: [C], functions: [F]}}", "(X 0=a/A 1=c/C:F 2=b/B)", 0),
        ("any_of: [A], where: {beside: {any_of: [C], functions: [F]}}", "(X 0=a/A 1=c/C 2=b/B:F)", 2),
        ("any_of: [Y], where: {over: {functions: [F]}}", "(X (Y 0=a/A) (Y 1=a/A:F) (Z 2=b/B))", 1),
        ("any_of: [Y], unless: {over: {any_of: [A]}}", "(X (Y 0=a/A) (Y (Z 1=a/A)) (Z 2=b/B))", 1),
        ("any_of: [A], where: {is: {forms: [b]}}", "(X 0=a/A 1=B/A 2=c/A)", 1),
        ("any_of: [A], unless: {before: {forms: [b]}}", "(X 0=a/A 1=b/B 2=c/A (Y 3=b/B))", 2),
        ("any_of: [A], where: {beside: {any_of: [A], forms: [b]}}", "(X 0=a/A 1=b/B 2=c/C)", 2),
        ("any_of: [Y], where: {over: {forms: [b]}}", "(X (Y 0=a/A) (Y 1=b/A) 2=c/C)", 1),
        ("any_of: [A], where: {at: first, before: {any_of: [C]}}", "(X 0=a/A 1=b/B 2=b/B)", 2),
        ("any_of: [A], unless: {at: last, before: {any_of: [C]}}", "(X 0=a/A 1=a/A 2=c/C 3=a/A)", 3),
    ],
)
def test_conditions(tmp_path: Path, group: str, tree: str, head: int) -> None:
    own = own_scheme(tmp_path, f"{{X: [{{from: left, {group}}}]}}")
    assert int(mark_heads(bank_of(tree), own).nodes.head[0]) == head


def test_conditions_are_told_in_the_diagnosis(tmp_path: Path) -> None:
    group = "{from: right, any_of: [A], where: {at: last}, unless: {beside: {any_of: [B], functions: [F]}}}"
    own = own_scheme(tmp_path, f"{{X: [{group}]}}")
    assert events(mark_heads(bank_of("(X 0=b/B 1=a/A)"), own)) == {
        "mark_heads: X: head by A from right where last unless beside B as F": 1
    }
