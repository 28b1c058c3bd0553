"""Black et al. (1991), the appendix: every example that is worked through there, and what must"
" hold of all trees."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossbank.converters.scheme_files import load_scheme
from crossbank.converters.schemes.scheme import Scheme
from crossbank.converters.transformations import transform
from crossbank.metrics.counting.counts import Counts
from crossbank.metrics.pairing.pair import pair
from crossbank.metrics.parseval1991 import Parseval1991
from crossbank.treebanks import Treebank
from crossbank.treebanks.formats.bracket import loads
from tests.assumptions import assume
from tests.literature.printed import replicates
from tests.metrics.trees import labelled

PAPER = "Black et al. (1991)"
PTB = load_scheme("ptb")

GRAMMAR = """
name: toy
title: The candidate grammar of the example of Miss Xydis, and Logos-like labels of the others
sources: [Black et al. 1991]
delete: none
tokens: {punctuation: {tags: [FIN]}, empty: {forms: ["0"]}}
erase:
  auxiliaries:
    - {tags: [VPAST], before: [V]}
    - {tags: [AUX]}
  others: {not: [{tags: [NEG]}], to: [{forms: [to], before: [V]}], endings: [{forms: ["'s"]}]}
  adverbs: [ADV]
  verbs: [VP]
redraw:
  extraposition: [{clauses: [S], hosts: [S], through: [VP, ADJP], subjects: [it], verbs: [is]}]
  noun_phrases: {phrases: [NP], modifiers: [PP, S]}
  prepositions: {phrases: [PP], tags: [P]}
  particles: {phrases: [VP], tags: [RP]}
"""

XYDIS = """
(S(NP-s(PNP(PNP Miss) (PNP Xydis))) (VP(VPAST was) (ADJP(ADJ best)))
 (S(COMP(WHADVP(WHADV when))) (NP-s (PRO she)) (VP ((VPAST did) (NEG not) (V need))
  (VP((X to) (V be)) (ADJP(ADV too) (ADJ probing)))))(?(FIN .)))
"""


@pytest.fixture(scope="module")
def grammar(tmp_path_factory: pytest.TempPathFactory) -> Scheme:
    path = tmp_path_factory.mktemp("schemes") / "toy.yaml"
    path.write_text(GRAMMAR, encoding="utf-8")
    return load_scheme(path)


def render_unlabelled(bank: Treebank, sentence: int = 0) -> str:
    """Return the brackets of a sentence without labels: ``((Miss Xydis) (was best))``."""
    text = re.sub(r"\(\S* ", "(", bank.tree(sentence).pformat(margin=10**6))
    return re.sub(r"\(([^\s()]+)\)", r"\1", text)


def brackets(text: str) -> Treebank:
    """Return a tree without labels, as the paper prints them."""
    return labelled(text.replace("(", " [X ").replace(")", " ] "))


def score(standard: str, candidate: str) -> Counts:
    return Parseval1991().counts(pair(brackets(standard), brackets(candidate)))


def counted(counts: Counts) -> dict[str, float]:
    return {name: column[0] for name, column in counts.columns.items()}


def test_miss_xydis_after_the_first_step(grammar: Scheme) -> None:
    erased = transform(loads(XYDIS), ["erase"], grammar)
    assert erased.words(0) == ["Miss", "Xydis", "was", "best", "when", "she", "need", "be", "too", "probing"]
    events = {f.event: f.total for f in erased.diagnosis if f.step == "erase"}
    assert events == {"punctuation erased": 1, "auxiliaries erased": 1, "not erased": 1, "to erased": 1}


def test_miss_xydis_after_the_second_step(grammar: Scheme) -> None:
    reduced = transform(loads(XYDIS), ["erase", "delete_empty_brackets"], grammar)
    assert render_unlabelled(reduced) == "((Miss Xydis) (was best) (when she (need (be (too probing)))))"
    labels = reduced.vocabulary.decode(reduced.nodes.label)
    assert labels == ["S", "NP-s", "VP", "S", "VP", "VP", "ADJP"]


def test_miss_xydis_against_the_treebank(grammar: Scheme) -> None:
    treebank = loads(
        "(S (NP (NNP Miss) (NNP Xydis)) (VP (VBD was) (ADJP (JJS best)) (SBAR (WHADVP (WRB when))"
        " (S (NP (PRP she))"
        " (VP (VBD did) (RB not) (VP (VB need) (S (VP (TO to) (VP (VB be) (ADJP (RB too) (JJ"
        " probing)))))))))) (. .))"
    )
    steps = ["erase", "delete_empty_brackets", "redraw", "delete_empty_brackets"]
    gold = transform(treebank, steps, PTB)
    assert render_unlabelled(gold) == "((Miss Xydis) (was best (when (she (need (be (too probing)))))))"
    counts = Parseval1991().counts(pair(gold, transform(loads(XYDIS), steps, grammar)))
    actual = counted(counts)
    # The standard has (when (she ...)) inside of (was best ...); the candidate's (was best) is a part of it.
    assert (actual["gold"], actual["candidate"], actual["matched"], actual["crossing"]) == (8, 7, 6, 0)


def test_the_prospect_of_cutting_back_spending() -> None:
    counts = score(
        "((The prospect) (of (cutting back spending)))", "(The (prospect (of ((cutting back) spending))))"
    )
    actual = {name: int(value) for name, value in counted(counts).items()}
    for what, printed, computed in (
        ("constituents of the standard parse", "4", f"{actual['gold']}"),
        ("constituents of the candidate parse", "5", f"{actual['candidate']}"),
        ("constituents incompatible with the standard", "1", f"{actual['crossing']}"),
        ("recall", "3/4", f"{actual['matched']}/{actual['gold']}"),
        ("precision", "3/5", f"{actual['matched']}/{actual['candidate']}"),
    ):
        replicates(
            PAPER, "appendix, scores", f"*The prospect of cutting back spending*, {what}", printed, computed
        )
    assert counts.value("recall") == 3 / 4
    assert counts.value("precision") == 3 / 5


def chains(gold: int, candidate: int, common: int, crossing: int) -> tuple[str, str]:
    """Return a standard and a candidate with so many brackets, in common and crossing.

    The common ones begin at the first word and end further and further to the right; between two of them
    brackets of one side alone begin at the second word and cross none, or lie apart at the end.
    """
    words = [f"w{i}" for i in range(60)]
    spans: dict[str, list[tuple[int, int]]] = {
        "gold": [(0, 60 - i) for i in range(common)],
        "candidate": [(0, 60 - i) for i in range(common)],
    }
    # Pairs of words: gold's and the candidate's apart from each other, or one word off.
    index = 0
    own = {"gold": gold - common, "candidate": candidate - common}
    for _ in range(crossing):
        spans["gold"].append((index, index + 2))
        spans["candidate"].append((index + 1, index + 3))
        own = {side: left - 1 for side, left in own.items()}
        index += 3
    for side, left in own.items():
        for _ in range(left):
            spans[side].append((index, index + 2))
            index += 2
    return written(words, spans["gold"]), written(words, spans["candidate"])


def written(words: list[str], spans: list[tuple[int, int]]) -> str:
    return " ".join(
        "(" * sum(start == i for start, _ in spans) + word + ")" * sum(end == i + 1 for _, end in spans)
        for i, word in enumerate(words)
    )


def test_averages_and_frequencies_of_five_sentences() -> None:
    # Recalls 3/4, 7/8, 2/4, 5/8, 3/4; precisions 3/5, 7/10, 2/5, 5/10, 3/5; crossings 0 three times, 1 and 2.
    figures = [(4, 5, 3, 0), (8, 10, 7, 0), (4, 5, 2, 1), (8, 10, 5, 2), (4, 5, 3, 0)]
    sides = [chains(*figure) for figure in figures]
    gold = Treebank.concatenate([brackets(standard) for standard, _ in sides])
    candidate = Treebank.concatenate([brackets(candidate) for _, candidate in sides])
    counts = Parseval1991().counts(pair(gold, candidate))
    for name, index in (("gold", 0), ("candidate", 1), ("matched", 2), ("crossing", 3)):
        assert counts.columns[name].tolist() == [figure[index] for figure in figures]
    for name, printed in (("recall", ".700"), ("precision", ".560")):
        actual = f"{counts.value(name):.3f}".removeprefix("0")
        replicates(PAPER, "appendix, statistics", f"five sentences, average {name}", printed, actual)
    frequencies = {
        crossings: actual["sentences"] for crossings, actual in counts.by_breakdown("crossing").items()
    }
    assert set(frequencies) == {"0", "1", "2"}
    for crossings, printed in (("0", 3), ("1", 1), ("2", 1)):
        item = f"five sentences, sentences with {crossings} incompatible constituents"
        replicates(PAPER, "appendix, statistics", item, printed, int(frequencies[crossings]))


@pytest.mark.parametrize(
    ("tree", "words"),
    [
        ("(VP (MD would) (VP (VB go) (ADVP (RB there))))", "go there"),
        ("(VP (VBZ has) (VP (VBN been) (VP (VBG laughing))))", "laughing"),
        ("(VP (VBZ does) (VP (VB sing) (NP (PRP it)) (ADVP (RB correctly))))", "sing it correctly"),
        ("(VP (VBZ is) (NP (DT a) (NN cup)))", "is a cup"),
        ("(VP (VBZ is) (ADJP (JJ blue)))", "is blue"),
        ("(VP (VBZ has) (NP (DT a) (NN dollar)))", "has a dollar"),
        ("(VP (VBZ does) (NP (DT the) (NN laundry)))", "does the laundry"),
        ("(VP (VBZ is) (RB not) (PP (IN in) (ADVP (RB here))))", "is in here"),
        ("(VP (VBD opted) (S (VP (TO to) (VP (VB retire)))))", "opted retire"),
        ("(SBAR (WHADVP (WRB how)) (S (VP (TO to) (VP (VB construe) (NP (PRP it))))))", "how construe it"),
        ("(PP (TO to) (NP (NN school)))", "to school"),
        ("(NP (NP (NNP Lori) (POS 's)) (NN mother))", "Lori mother"),
        ("(S (NP (DT The) (`` ``) (JJ blue) (NN book) ('' '')) (VP (VBD was) (ADVP (RB there))))",
         "The blue book was there"),
        ("(SQ (VBD Did) (NP (NNP Anna)) (RB n't) (VP (VB sleep)) (. ?))", "Anna sleep"),
    ],
)  # fmt: skip
def test_erasures(tree: str, words: str) -> None:
    assert transform(loads(tree), ["erase"], PTB).words(0) == words.split()


@pytest.mark.parametrize(
    ("tree", "words"),
    [
        ("(S (NP (PRP You)) (VP (VBP 've) (NP (DT a) (JJ good) (NN reason) (PP (IN for) (NP (DT that))))))",
         "You 've a good reason for that"),
        ("(S (NP (PRP You've)) (VP (VBN been) (ADVP (RB here)) (ADVP (RB often))))", "You been here often"),
        ("(S (NP (PRP You)) (VP (VBP 've) (VP (VBN been) (ADVP (RB here)) (ADVP (RB often)))))",
         "You been here often"),
        ("(S (NP (NNP John)) (VP (VBZ 's) (NP (DT a) (JJ good) (NN friend))))", "John 's a good friend"),
        ("(S (NP (NNP John's)) (VP (VBG leaving)))", "John leaving"),
        ("(S (NP (NNP John's)) (VP (VBN been) (ADVP (RB here))))", "John been here"),
        ("(NP (NNP Lori's) (NN mother))", "Lori mother"),
    ],
)  # fmt: skip
def test_contracted_auxiliaries_are_erased_and_main_verbs_stay(tree: str, words: str) -> None:
    bank = transform(loads(tree), ["erase"], PTB)
    assert bank.words(0) == words.split()
    assert transform(bank, ["erase"], PTB).words(0) == words.split()


def test_a_null_category_without_a_word_leaves_nothing(grammar: Scheme) -> None:
    # "getting more pro letters than con", example 1 of null categories.
    con = loads("(NXc (Qr more) (NX (A pro) (Npl letters)) (Than than) (NX (A con) (Npl 0)))")
    bank = transform(con, ["erase", "delete_empty_brackets"], grammar)
    assert render_unlabelled(bank) == "(more (pro letters) than con)"
    assert bank.words(0) == ["more", "pro", "letters", "than", "con"]


def test_null_categories(grammar: Scheme) -> None:
    clause = "(S-REL (PP (P with) (NP whom)) (NP I) (VP (V studied) (NP (N law)) (PP 0)))"
    lawyer = loads(f"(NP (DET The) (N lawyer) {clause})")
    bank = transform(lawyer, ["erase", "delete_empty_brackets"], grammar)
    assert render_unlabelled(bank) == "(The lawyer ((with whom) I (studied law)))"


@pytest.mark.parametrize(
    ("tree", "reduced"),
    [
        ("(S (NP he) (VP (AUX will) (ADV probably) (AUX have)) (VP (V seen) (NP Milton)))", "(he"
         " (probably seen Milton))"),
        ("(S (NP he) (VP (AUX will) (ADVP (ADV probably)) (VP (AUX have) (VP (V seen) (NP Milton)))))",
         "(he (probably seen Milton))"),
        ("(S (NP he) (VP (AUX will) (ADV soon) (VP (AUX have) (ADV really) (VP (V seen) (NP Milton)))))",
         "(he (soon really seen Milton))"),
        ("(S (NP he) (VP (AUX will) (ADVP (ADV very) (ADV soon)) (VP (V see) (NP Milton))))",
         "(he ((very soon) (see Milton)))"),
    ],
)  # fmt: skip
def test_adverbs_left_behind_go_to_the_following_verb(grammar: Scheme, tree: str, reduced: str) -> None:
    assert render_unlabelled(transform(loads(tree), ["erase", "delete_empty_brackets"], grammar)) == reduced


@pytest.mark.parametrize(
    ("tree", "redrawn"),
    [
        ("(S (PRO It) (VP (V is) (ADJP (ADJ necessary) (S (C for) (PRO us) (INF to) (V leave)))))",
         "(It (is necessary) (for us to leave))"),
        ("(S (PRO It) (VP (V seemed) (PP (P like) (NP (NP (D a) (A good) (N idea)) (S (INF to) (V"
         " begin) (ADV early))))))",
         "(It (seemed (like ((a good idea) (to begin early)))))"),
        ("(NP (NP (NP (D the) (N tree) (S (C that) (VP (PRO we) (V saw)))) (PP (P with) (NP (A"
         " orange) (N leaves))))"
         " (S (C that) (VP (V was) (ADJP (ADV very) (A old)))))",
         "((the tree) (that (we saw)) (with (orange leaves)) (that (was (very old))))"),
        ("(S (PRO We) (VP (V were) (PP (P out) (PP (P of) (NP (N oatmeal) (N cookies))))))",
         "(We (were (out of (oatmeal cookies))))"),
        ("(S (PRO We) (VP (VP (V came) (RP on)) (RP over)))", "(We (came on over))"),
        ("(S (PRO We) (VP (V came) (PRT (RP on) (RP over))))", "(We (came on over))"),
    ],
)  # fmt: skip
def test_redrawing(grammar: Scheme, tree: str, redrawn: str) -> None:
    steps = ["delete_empty_brackets", "redraw", "delete_empty_brackets"]
    assert render_unlabelled(transform(loads(tree), steps, grammar)) == redrawn


def test_words_erased_on_one_side_are_left_out_on_both() -> None:
    gold = loads("(S (NP (NN it)) (VP (VBZ is) (VP (VBN gone))))")
    candidate = loads("(S (NP (NN it)) (VP (VBZ is) (ADJP (JJ gone))))")
    steps = ["erase", "delete_empty_brackets"]
    both = pair(*(transform(bank, steps, PTB) for bank in (gold, candidate)))
    assert both.scored.all()
    assert both.candidate.words(0) == ["it", "gone"]


LABELS = ["S", "SBAR", "NP", "VP", "PP", "ADVP", "PRT", "ADJP", "SQ", "NX"]
WORDS = [("will", "MD"), ("has", "VBZ"), ("gone", "VBN"), ("not", "RB"), ("to", "TO"), ("'s", "POS"), (".",
 "."),
         ("it", "PRP"), ("is", "VBZ"), ("up", "RP"), ("of", "IN"), ("soon", "RB"), ("dog", "NN"), ("*",
          "-NONE-")]  # fmt: skip


@st.composite
def english(draw: st.DrawFn) -> Treebank:
    """Return the trees of nonsense with the words that are erased and redrawn."""
    text, depth = ["(S"], 1
    for _ in range(draw(st.integers(1, 9))):
        for label in draw(st.lists(st.sampled_from(LABELS), max_size=3)):
            text.append(f"({label}")
            depth += 1
        form, tag = draw(st.sampled_from(WORDS))
        closed = draw(st.integers(0, depth - 1))
        text.append(f"({tag} {form})" + ")" * closed)
        depth -= closed
    return loads(" ".join(text) + ")" * depth)


@given(english())
def test_every_step_done_twice_is_done_once(bank: Treebank) -> None:
    for step in ("erase", "delete_empty_brackets"):
        once = transform(bank, [step], PTB)
        assert transform(once, [step], PTB).equals(once, ignore=("diagnosis", "history"))


@given(english())
def test_what_is_redrawn_stays(bank: Treebank) -> None:
    steps = ["delete_empty_brackets", "redraw", "delete_empty_brackets"]
    once = transform(bank, steps, PTB)
    assert transform(once, steps, PTB).equals(once, ignore=("diagnosis", "history"))


@given(english())
def test_a_treebank_against_itself(bank: Treebank) -> None:
    assume(bank.spans.size.max() > 1)
    counts = Parseval1991().counts(pair(bank, bank))
    assert counts.values() == {"recall": 1, "precision": 1, "crossing_per_sentence": 0, "no_crossing": 1}


@given(english())
def test_reducing_loses_no_other_word(bank: Treebank) -> None:
    reduced = transform(bank, PTB.views["parseval1991"], PTB)
    lost = [word for word in bank.words(0) if word not in reduced.words(0)]
    assert set(lost) <= {"will", "has", "is", "not", "to", "'s", ".", "*"}


@pytest.mark.parametrize(
    ("scheme", "tree", "reduced"),
    [
        ("tiger", "(S (NE Anna) (VAFIN hat) (PTKNEG nicht) (VP (NN Bücher) (VVPP gelesen)))",
         "(Anna (Bücher gelesen))"),
        ("tiger", "(S (NE Anna) (VAFIN ist) (NN Lehrerin))", "(Anna ist Lehrerin)"),
        ("tiger", "(S (NE Anna) (VVFIN hofft) (VP (ADV bald) (VZ (PTKZU zu) (VVINF gehen))))",
         "(Anna hofft (bald gehen))"),
        ("tuebadz", "(SIMPX (VF (NX (NE Anna))) (LK (VXFIN (VAFIN hat))) (MF (NX (ART ein) (NN"
         " Buch))) (VC (VXINF (VVPP gelesen))))",
         "(Anna (ein Buch) gelesen)"),
        ("tuebadz", "(SIMPX (VF (NX (NE Anna))) (LK (VXFIN (VAFIN ist))) (MF (ADJX (ADJD da))))",
         "(Anna ist da)"),
        ("susanne", "(S (Nns (NP1m Anna)) (Vc (VMd would) (XX not) (VH0 have) (VVNv seen)) (Np"
         " (NP1m Milton)))",
         "(Anna seen Milton)"),
        ("susanne", "(S (N (AT the) (NN1c cup)) (V (VBDZ was)) (J (RGi very) (JJ blue)))", "((the"
         " cup) was (very blue))"),
    ],
)  # fmt: skip
def test_other_schemes(scheme: str, tree: str, reduced: str) -> None:
    loaded = load_scheme(scheme)
    assert render_unlabelled(transform(loads(tree), loaded.views["parseval1991"], loaded)) == reduced
