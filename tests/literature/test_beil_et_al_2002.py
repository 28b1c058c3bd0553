"""Beil, Prescher, Schmid and Schulte im Walde (2002): Evaluation of the Gramotron Parser for German. Beyond
PARSEVAL. Perplexity, noun chunks and frames, by the paper's own examples.

The paper prints clauses; their trees here are those that TIGER's and TüBa-D/Z's guidelines give them.
"""

import math

import numpy as np
import pytest

from crossbank.converters.scheme_files import load_scheme
from crossbank.converters.schemes.scheme import Scheme
from crossbank.converters.transformations import transform
from crossbank.metrics.counting.scoring import score, scoring_of
from crossbank.parsers.cross_entropy import SentenceBits
from crossbank.treebanks import CrossbankError, Treebank
from tests.converters.banks import bank_of
from tests.errors import raises
from tests.literature.printed import replicates

TIGER, TUEBADZ = load_scheme("tiger"), load_scheme("tuebadz")


def test_perplexity_of_footnote_3() -> None:
    """An average length of 9.2 and a cross-entropy of 24.2 (base 10) give a word perplexity of 427.0."""
    lengths = np.array([9, 9, 9, 9, 10], np.int32)
    actual = SentenceBits(np.full(5, 24.2 * math.log2(10)), lengths, lengths).entropy()
    assert lengths.mean() == 9.2
    perplexity = f"{actual.perplexity:.1f}"
    replicates("Beil et al. (2002)", "footnote 3", "word perplexity", "427.0", perplexity)
    assert round(10 ** (24.2 / 9.2), 1) == 427.0


# Table 1


@pytest.mark.parametrize("scheme", [TIGER, TUEBADZ])
def test_frames_of_table_1(scheme: Scheme) -> None:
    assert scheme.frames is not None
    types = scheme.frames.types
    for kind, printed in {"VPA": 16, "VPP": 18, "VPI": 8, "VPK": 2}.items():
        why = "the table prints 9, the one without arguments included" if kind == "VPI" else ""
        item = f"frame types of {kind}"
        replicates("Beil et al. (2002)", "Table 1", item, printed, len(set(types[kind])), why)
    assert max(len(frame.replace("p-s", "P")) for frames in types.values() for frame in frames) == 3


def letters(frame: str) -> list[str]:
    return [*frame.removesuffix("p-s"), *(["p-s"] if frame.endswith("p-s") else [])]


def test_passive_frames_generalise_to_active_ones() -> None:
    """Section 3.2: IP.nad for VPA.nad, VPP.nd and VPP.ndp-s."""
    rules = TIGER.frames
    assert rules is not None
    passive = {
        frame: rules.frame("passive", letters(frame), generalised=True) for frame in rules.types["VPP"]
    }
    assert passive["nd"] == passive["ndp-s"] == "IP.nad"
    assert rules.frame("active", letters("nad"), generalised=True) == "IP.nad"
    # Each of the nine active frames that have a passive has two: with the agent and without.
    assert sorted(passive.values()) == sorted(
        2 * [f"IP.{frame}" for frame in ("na", "nd", "np", "nad", "nap", "ndp", "ni", "nai", "ndi")]
    )
    assert {frame.removeprefix("IP.") for frame in passive.values()} <= set(rules.types["VPA"])


def frames(tree: str, scheme: Scheme = TIGER, view: str = "frames") -> list[tuple[str, str]]:
    """Return the verb and the frame of every clause."""
    bank = transform(bank_of(tree), list(scheme.views[view]), scheme)
    verbs = [bank.words(0)[head] for head in bank.nodes.head.tolist()]
    return list(zip(verbs, bank.vocabulary.decode(bank.nodes.label), strict=True))


# Figure 3: scrambling does not change the frame.
LIEBT = "(S 0=der/PRELS:SB 1=sie/PPER:OA 2=liebt/VVFIN:HD)"
SCRAMBLED = "(S 0=den/PRELS:OA 1=sie/PPER:SB 2=liebt/VVFIN:HD)"
# Figure 4: the active and both passives.
ACTIVE = "(S 0=der/PRELS:SB (NP:OA 1=die/ART:NK 2=Frau/NN:NK) 3=verfolgt/VVFIN:HD)"
PASSIVE = "(S 0=die/PRELS:SB 1=verfolgt/VVPP:OC 2=wird/VAFIN:HD)"
WITH_AGENT = (
    "(S 0=die/PRELS:SB (VP:OC (PP:SBP 1=von/APPR:AC 2=dem/ART:NK 3=Mann/NN:NK) 4=verfolgt/VVPP:HD)"
    " 5=wird/VAFIN:HD)"
)
# Section 4: the same noun is an accusative and the nominative of the passive.
FEEDS = "(S 0=dass/KOUS:CP 1=sie/PPER:SB (NP:OA 2=den/ART:NK 3=Hund/NN:NK) 4=füttert/VVFIN:HD)"
FED = "(S (NP:SB 0=der/ART:NK 1=Hund/NN:NK) 2=gefüttert/VVPP:OC 3=wird/VAFIN:HD)"
# Section 6.3: the accusative belongs to the infinitive.
TRIES = (
    "(S 0=der/PRELS:SB (VP:OC 1=ihn/PPER:OA (VZ:HD 2=zu/PTKZU:PM 3=überreden/VVINF:HD)) 4=versucht/VVFIN:HD)"
)
# A reflexive pronoun is no accusative (sich befinden), also beside a prepositional object.
IS_SITUATED = "(S 0=der/PRELS:SB 1=sich/PRF:OA (PP:MO 2=in/APPR:AC 3=Berlin/NE:NK) 4=befindet/VVFIN:HD)"
REMEMBERS = "(S 0=er/PPER:SB 1=erinnert/VVFIN:HD 2=sich/PRF:OA (PP:OP 3=an/APPR:AC 4=sie/PPER:NK))"


@pytest.mark.parametrize(
    ("tree", "classes", "generalised"),
    [
        (LIEBT, [("liebt", "VPA.na")], ["IP.na"]),
        (SCRAMBLED, [("liebt", "VPA.na")], ["IP.na"]),
        (ACTIVE, [("verfolgt", "VPA.na")], ["IP.na"]),
        (PASSIVE, [("verfolgt", "VPP.n")], ["IP.na"]),
        (WITH_AGENT, [("verfolgt", "VPP.np-s")], ["IP.na"]),
        (FEEDS, [("füttert", "VPA.na")], ["IP.na"]),
        (FED, [("gefüttert", "VPP.n")], ["IP.na"]),
        (TRIES, [("versucht", "VPA.ni"), ("überreden", "VPI.a")], ["IP.ni", "VPI.a"]),
        (IS_SITUATED, [("befindet", "VPA.nr")], ["IP.nr"]),
        (REMEMBERS, [("erinnert", "VPA.npr")], ["IP.npr"]),
        # Section 6.3: the perfect, passives of condition, and copulas look alike.
        ("(S 0=der/PRELS:SB 1=geschwommen/VVPP:OC 2=ist/VAFIN:HD)", [("geschwommen", "VPA.n")], ["IP.n"]),
        ("(S 0=der/PRELS:SB 1=gebunden/VVPP:PD 2=ist/VAFIN:HD)", [("gebunden", "VPP.n")], ["IP.na"]),
        ("(S 0=das/PRELS:SB 1=verboten/VVPP:PD 2=ist/VAFIN:HD)", [("verboten", "VPP.n")], ["IP.na"]),
        ("(S 0=der/PRELS:SB 1=erfahren/ADJD:PD 2=ist/VAFIN:HD)", [("ist", "VPK.n")], ["VPK.n"]),
        # The verbs of Table 3
        (
            "(S 0=die/PRELS:SB 1=sich/PRF:OA (PP:OP 2=daran/PROAV:AC) 3=beteiligen/VVFIN:HD)",
            [("beteiligen", "VPA.npr")],
            ["IP.npr"],
        ),
        ("(S 0=der/PRELS:SB 1=ihm/PPER:DA 2=folgt/VVFIN:HD)", [("folgt", "VPA.nd")], ["IP.nd"]),
        (
            "(S 0=er/PPER:SB 1=verspricht/VVFIN:HD 2=ihr/PPER:DA (VP:OC 3=einzukaufen/VVIZU:HD))",
            [("verspricht", "VPA.ndi"), ("einzukaufen", "VPI.-")],
            ["IP.ndi", "VPI.-"],
        ),
        (
            "(S 0=er/PPER:SB 1=verspricht/VVFIN:HD 2=ihr/PPER:DA 3=einzukaufen/VVIZU:OC)",
            [("verspricht", "VPA.ndi")],
            ["IP.ndi"],
        ),
        (
            "(S 0=weil/KOUS:CP 1=ihm/PPER:DA 2=verboten/VVPP:OC 3=wurde/VAFIN:HD"
            " (VZ:SB 4=zu/PTKZU:PM 5=rauchen/VVINF:HD))",
            [("verboten", "VPP.di"), ("rauchen", "VPI.-")],
            ["IP.ndi", "VPI.-"],
        ),
    ],
)
def test_frames_of_printed_clauses(tree: str, classes: list[tuple[str, str]], generalised: list[str]) -> None:
    assert frames(tree) == classes
    assert [frame for _, frame in frames(tree, view="generalised_frames")] == generalised


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        # Plain infinitives, which the grammar does not tell from those with zu, are arguments of full verbs.
        (
            "(S 0=er/PPER:SB 1=lernt/VVFIN:HD (VP:OC 2=Auto/NN:OA 3=fahren/VVINF:HD))",
            [("lernt", "VPA.ni"), ("fahren", "VPI.a")],
        ),
        ("(S 0=er/PPER:SB 1=geht/VVFIN:HD 2=einkaufen/VVINF:OC)", [("geht", "VPA.ni")]),
        ("(S 0=er/PPER:SB 1=will/VMFIN:HD (VP:OC 2=sie/PPER:OA 3=sehen/VVINF:HD))", [("sehen", "VPA.na")]),
        # werden of the future is no passive
        ("(S 0=er/PPER:SB 1=wird/VAFIN:HD 2=kommen/VVINF:OC)", [("kommen", "VPA.n")]),
        (
            "(S 0=er/PPER:SB 1=wird/VAFIN:HD (VP:OC 2=gekommen/VVPP:OC 3=sein/VAINF:HD))",
            [("gekommen", "VPA.n")],
        ),
        (
            "(S 0=er/PPER:SB 1=ist/VAFIN:HD (VP:OC 2=gesehen/VVPP:OC 3=worden/VAPP:HD))",
            [("gesehen", "VPP.n")],
        ),
        ("(S 0=ihm/PPER:DA 1=wird/VAFIN:HD 2=geholfen/VVPP:OC)", [("geholfen", "VPP.d")]),
        # genitives, clauses and expletives have letters of their own
        ("(S 0=es/PPER:EP 1=regnet/VVFIN:HD)", [("regnet", "VPA.x")]),
        ("(S 0=er/PPER:SB 1=gedenkt/VVFIN:HD 2=ihrer/PPER:OG)", [("gedenkt", "VPA.ng")]),
        (
            "(S 0=er/PPER:SB 1=sagt/VVFIN:HD (S:OC 2=sie/PPER:SB 3=komme/VVFIN:HD))",
            [("sagt", "VPA.ns"), ("komme", "VPA.n")],
        ),
    ],
)
def test_frames_of_other_clauses(tree: str, expected: list[tuple[str, str]]) -> None:
    assert frames(tree) == expected


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        ("(SIMPX (VF (NX:ON 0=er/PPER)) (LK (VXFIN:HD 1=irrt/VVFIN)) (MF (NX:OA 2=sich/PRF)))", ["VPA.nr"]),
        (
            "(R-SIMPX (C (NX:ON 0=die/PRELS)) (MF (PX:FOPP 1=von/APPR (NX 2=dem/ART 3=Mann/NN)))"
            " (VC (VXINF:OV 4=verfolgt/VVPP) (VXFIN:HD 5=wird/VAFIN)))",
            ["VPP.np-s"],
        ),
        (
            "(R-SIMPX (C (NX:ON 0=die/PRELS)) (MF (PX:FOPP 1=von/APPR (NX 2=dem/ART 3=Mann/NN)))"
            " (VC (VXFIN:HD 4=spricht/VVFIN)))",
            ["VPA.n"],
        ),
        (
            "(R-SIMPX (C (NX:ON 0=der/PRELS)) (VC (VXFIN:HD 1=versucht/VVFIN)) (NF (SIMPX:OS (MF (NX:OA"
            " 2=ihn/PPER)) (VC (VXINF:HD 3=zu/PTKZU 4=überreden/VVINF)))))",
            ["VPA.ni", "VPI.a"],
        ),
        (
            "(SIMPX (VF (NX:ON 0=er/PPER)) (LK (VXFIN:HD 1=ist/VAFIN)) (MF (ADJX:PRED 2=erfahren/ADJD)))",
            ["VPK.n"],
        ),
    ],
)
def test_frames_of_tuebadz(tree: str, expected: list[str]) -> None:
    assert [frame for _, frame in frames(tree, TUEBADZ)] == expected


def test_frames_that_table_1_does_not_have_are_counted() -> None:
    bank = transform(bank_of(ACTIVE, "(S 0=es/PPER:EP 1=regnet/VVFIN:HD)"), ["label_frames"], TIGER)
    (actual,) = [f for f in bank.diagnosis if f.event == "frames that the scheme does not list"]
    assert actual.counts.tolist() == [0, 1]


def test_confusing_the_passive_of_condition_costs_the_frame() -> None:
    """Section 6.3: precision = correct / guesses, recall = correct / baseline."""
    gold = bank_of(ACTIVE, "(S 0=das/PRELS:SB 1=verboten/VVPP:PD 2=ist/VAFIN:HD)")
    parsed = bank_of(ACTIVE, "(S 0=das/PRELS:SB 1=verboten/VVPP:OC 2=ist/VAFIN:HD)")
    for metric, wrong in (("frames", "VPA.n"), ("generalised_frames", "IP.n")):
        (counts,) = score(gold, parsed, scoring_of([metric], {}), TIGER)
        assert counts.value("precision") == counts.value("recall") == 0.5
        assert counts.by_breakdown("frame")[wrong] == {"gold": 0, "candidate": 1, "matched": 0}


# Noun chunks, section 3.1


def chunks(bank: Treebank, scheme: Scheme = TIGER) -> list[tuple[str, str]]:
    """Return the words and the label of each chunk of the first sentence."""
    made = transform(bank, list(scheme.views["chunks"]), scheme)
    words, rows = made.words(0), made.nodes.rows(0)
    spans = zip(made.spans.start[rows].tolist(), made.spans.end[rows].tolist(), strict=True)
    labels = made.vocabulary.decode(made.nodes.label[rows])
    return [(" ".join(words[s:e]), label) for (s, e), label in zip(spans, labels, strict=True)]


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        (LIEBT, [("der", "NC.Nom"), ("sie", "NC.Akk")]),
        (SCRAMBLED, [("den", "NC.Akk"), ("sie", "NC.Nom")]),
        (ACTIVE, [("der", "NC.Nom"), ("die Frau", "NC.Akk")]),
        (PASSIVE, [("die", "NC.Nom")]),
        # Section 6.4: chunks inside prepositional phrases are annotated as well.
        (WITH_AGENT, [("die", "NC.Nom"), ("dem Mann", "NC")]),
        (FEEDS, [("sie", "NC.Nom"), ("den Hund", "NC.Akk")]),
        (FED, [("der Hund", "NC.Nom")]),
        (TRIES, [("der", "NC.Nom"), ("ihn", "NC.Akk")]),
        # Section 6.3: a reflexive pronoun projects to an accusative chunk.
        (IS_SITUATED, [("der", "NC.Nom"), ("sich", "NC.Akk"), ("Berlin", "NC")]),
        # Section 4
        ("(NP:SB 0=altes/ADJA:NK 1=Buch/NN:NK)", [("altes Buch", "NC.Nom")]),
        ("(NP:AG 0=alter/ADJA:NK 1=Bücher/NN:NK)", [("alter Bücher", "NC.Gen")]),
        # What comes after the head is out: a genitive, a prepositional phrase, a relative clause.
        (
            "(NP:SB 0=der/ART:NK 1=Hund/NN:NK (NP:AG 2=der/ART:NK 3=Frau/NN:NK) (PP:MNR 4=mit/APPR:AC"
            " 5=Bart/NN:NK) (S:RC 6=den/PRELS:OA 7=sie/PPER:SB 8=füttert/VVFIN:HD))",
            [
                ("der Hund", "NC.Nom"),
                ("der Frau", "NC.Gen"),
                ("Bart", "NC"),
                ("den", "NC.Akk"),
                ("sie", "NC.Nom"),
            ],
        ),
        # Participles before the head are in, with their complements.
        (
            "(NP:OA 0=den/ART:NK (AP:NK (PP:SBP 1=von/APPR:AC 2=der/ART:NK 3=Frau/NN:NK)"
            " 4=gefütterten/ADJA:HD) 5=Hund/NN:NK)",
            [("den von der Frau gefütterten Hund", "NC.Akk"), ("der Frau", "NC")],
        ),
        # A genitive before the head is a chunk of its own; conjuncts have the case of their coordination.
        ("(NP:SB 0=Annas/NE:AG 1=Hund/NN:NK)", [("Annas Hund", "NC.Nom"), ("Annas", "NC.Gen")]),
        (
            "(CNP:OA (NP:CJ 0=den/ART:NK 1=Hund/NN:NK) 2=und/KON:CD 3=Katzen/NN:CJ)",
            [("den Hund", "NC.Akk"), ("Katzen", "NC.Akk")],
        ),
    ],
)
def test_chunks_end_at_the_head_noun(tree: str, expected: list[tuple[str, str]]) -> None:
    assert chunks(bank_of(tree)) == expected


def test_chunks_of_tuebadz() -> None:
    tree = (
        "(SIMPX (VF (NX:ON (NX:HD 0=der/ART 1=Hund/NN:HD) (PX:- 2=mit/APPR:- (NX:HD 3=Flecken/NN:HD))))"
        " (LK (VXFIN:HD 4=schläft/VVFIN:HD)))"
    )
    assert chunks(bank_of(tree), TUEBADZ) == [("der Hund", "NC.Nom"), ("Flecken", "NC")]


def test_schemes_without_chunks_are_refused() -> None:
    bank = bank_of("(S (NP 0=der/ART 1=Hund/NN) 2=schläft/VVFIN)")
    with raises(CrossbankError, "NC"):
        score(bank, bank, scoring_of(["chunks"], {}))


def test_range_and_label_are_scored_apart() -> None:
    """Table 3: chunks by range, and by range and label."""
    gold = bank_of(ACTIVE)
    parsed = bank_of("(S 0=der/PRELS:OA (NP:SB 1=die/ART:NK 2=Frau/NN:NK) 3=verfolgt/VVFIN:HD)")
    (counts,) = score(gold, parsed, scoring_of(["chunks"], {}), TIGER)
    assert (counts.value("range_precision"), counts.value("range_recall")) == (1, 1)
    assert (counts.value("precision"), counts.value("recall")) == (0, 0)
    wider = bank_of("(S (NP:SB 0=der/PRELS:NK 1=die/ART:NK 2=Frau/NN:NK) 3=verfolgt/VVFIN:HD)")
    (counts,) = score(gold, wider, scoring_of(["chunks"], {}), TIGER)
    assert counts.value("range_precision") == counts.value("range_recall") == 0
