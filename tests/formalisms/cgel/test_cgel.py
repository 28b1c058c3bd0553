"""Trees of the Cambridge Grammar: words, gaps, fused functions, punctuation; files as they were written."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from crossbank.converters.deletions import delete_nodes
from crossbank.formalisms.cgel.formats import cgel
from crossbank.treebanks import FormatError, Treebank
from crossbank.treebanks.errors import ConversionError, SentenceError
from crossbank.treebanks.formats import bracket, discbracket, export, read
from crossbank.treebanks.formats.losses import find_dropped
from crossbank.treebanks.formats.round_trip import round_trip
from tests.errors import raises

# Our own sentences.
TEXT = r"""# sent_id = s1
# text = "What should'nt she sell," he said.
# note of ours
(Clause
    :Prenucleus (x / NP :note "a \"quoted\" word | and more"
        :Head (Nom
            :Head (N_pro :p "\"" :t "What")))
    :Head (Clause
        :Prenucleus (y / V_aux :t "should'nt" :correct "shouldn't" :l "shall" :subt "should" :subt "'nt")
        :Head (Clause
            :Subj (NP
                :Head (Nom
                    :Head (N_pro :t "she")))
            :Head (VP
                :Head (VP
                    :Head (y / GAP)
                    :Comp (Clause
                        :Head (VP
                            :Head (V :t "sell" :xpos "VB" :p "," :p "\"")
                            :Obj (x / GAP))))
                :Mod (PP
                    :Head (P :correct "to"))))))

# sent_id = s2
(NP
    :Det (DP
        :Head (D :t "the"))
    :Head (Nom
        :Head (Nom
            :Mod-Head (AdjP
                :Head (Adj :t "best")))
        :Mod (Clause_rel
            :Head-Prenucleus (NP
                :Head (Nom
                    :Det-Head (DP
                        :Head (D :t "some"))))
            :Head (Clause_rel
                :Head (VP
                    :Head (V :t "saw"))))))

"""


def edges(bank: Treebank, sentence: int) -> list[tuple[str, str, str]]:
    """Return the secondary edges of a sentence: child, label and parent, by word or category."""
    rows, table = bank.secondary.rows(sentence), bank.secondary
    words = bank.words(sentence)
    labels = bank.vocabulary.decode(bank.nodes.label[bank.nodes.rows(sentence)])

    def named(end: int) -> str:
        return words[end] if end >= 0 else labels[-1 - end]

    return [
        (named(child), label, named(parent))
        for child, label, parent in zip(
            table.child[rows].tolist(),
            bank.vocabulary.decode(table.label[rows]),
            table.parent[rows].tolist(),
            strict=True,
        )
    ]


def test_words_gaps_and_punctuation() -> None:
    bank = cgel.loads(TEXT)
    decode = bank.vocabulary.decode
    assert bank.words(0) == ['"', "What", "should'nt", "she", "--", "sell", ",", '"', "--", "⟨to⟩"]
    rows = bank.tokens.rows(0)
    assert decode(bank.tokens.pos[rows]) == ["p", "N_pro", "V_aux", "N_pro", "GAP", "V", "p", "p", "GAP", "P"]
    assert decode(bank.tokens.lemma[rows])[2] == "shall"
    assert decode(bank.tokens.xpos[rows])[5] == "VB"
    assert decode(bank.tokens.function[rows])[:3] == ["", "Head", "Prenucleus"]
    assert decode(bank.tokens.misc[rows])[2] == "Index=y|Correct=shouldn't|Subt=should|Subt='nt"
    assert decode(bank.tokens.misc[rows])[0] == "Before=Yes"
    assert decode(bank.nodes.misc)[1] == r'Index=x|Note=a "quoted" word \p and more'
    assert bank.sentence_ids[0] == "s1"


def test_gaps_and_fused_functions_are_secondary_edges() -> None:
    bank = cgel.loads(TEXT)
    assert edges(bank, 0) == [("should'nt", "Head", "VP"), ("NP", "Obj", "VP")]
    # In "the best some saw" best is modifier and head; some is determiner and head of its noun phrase, which
    # is the head of the nominal around the relative clause.
    assert edges(bank, 1) == [("AdjP", "Mod", "Nom"), ("NP", "Head", "Nom"), ("DP", "Det", "NP")]
    assert not bank.diagnosis


def test_what_is_missing_is_counted() -> None:
    text = """(NP :note "n" :l "lemma"
        :Det-Head (D :t "one")
        :Mod (PP)
        :Obj (x / GAP)
        :Comp (y / GAP)
        :A (y / N :t "a")
        :B (y / N :t "b"))"""
    assert {finding.event: finding.total for finding in cgel.loads(text).diagnosis} == {
        "attributes of words on phrases dropped": 1,
        "further antecedents of one index": 1,
        "gaps without an antecedent": 1,
        "fused functions without a phrase further up": 1,
        "nodes without a word dropped": 1,
    }


def test_text_is_written_as_it_was_read() -> None:
    bank = cgel.loads(TEXT)
    assert cgel.dumps(bank) == TEXT
    assert "secondary edges dropped" not in {finding.event for finding in find_dropped(bank, "cgel")}
    other = np.full_like(bank.secondary.label, bank.vocabulary.code("Clause"))
    bank = bank.replace(secondary=replace(bank.secondary, label=other))
    reported = {finding.event: finding.counts.tolist() for finding in find_dropped(bank, "cgel")}
    assert reported["secondary edges dropped"] == [2, 3]


def test_a_hyphen_of_another_scheme_fuses_no_functions() -> None:
    line = "{}\t--\t{}\t--\t{}\t{}\n"
    rows = [("oft", "ADV", "HD", 500), ("#500", "ADVX", "V-MOD", 501), ("#501", "MF", "--", 502)]
    trees = "".join(line.format(*row) for row in [*rows, ("#502", "SIMPX", "--", 0)])
    written = cgel.dumps(export.loads(f"#FORMAT 4\n#BOS 1 1 2 3\n{trees}#EOS 1\n"))
    assert ":V-HYPHEN-MOD" in written
    back = cgel.loads(written)
    assert len(back.secondary) == 0
    assert "V-MOD" in back.vocabulary.decode(back.nodes.function)


def test_blanks_and_line_ends_do_not_matter() -> None:
    plain = " ".join(line for line in TEXT.split("\n\n")[1].split("\n")[1:])
    assert cgel.dumps(cgel.loads(plain)) == TEXT.split("\n\n")[1].split("\n", 1)[1] + "\n\n"
    assert cgel.dumps(cgel.loads("\ufeff" + TEXT)) == TEXT


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        (
            '# sent_id = a\n(NP :Head (N :t "a")',
            {
                "line": 2,
                "sentence": "a",
                "actual": "1 opening bracket without a closing one, the last one '(NP :Head (N :t \"a\")'",
            },
        ),
        (
            '(NP :Head (N :t "a")))',
            {
                "line": 1,
                "actual": "a closing bracket too many",
                "expected": "as many closing brackets as opening ones",
            },
        ),
        (
            '(NP (N :t "a"))',
            {
                "line": 1,
                "actual": "a constituent without a function",
                "expected": "its function before it, such as :Head",
            },
        ),
        (
            '(NP :Head (:t "a"))',
            {"line": 1, "actual": "':t'", "expected": "the category of a constituent, such as NP or x / NP"},
        ),
        (
            '(NP :Head (x / :t "a"))',
            {"line": 1, "actual": "':t'", "expected": "the category of a constituent, such as NP or x / NP"},
        ),
        (
            '(NP :Head (N :u "a"))',
            {
                "line": 1,
                "actual": ":u '\"a\"'",
                "expected": "one of :t, :correct, :l, :xpos, :subt, :subp, :p, :note before a string",
            },
        ),
        (
            '(NP :Head (N :t "a" :t "b"))',
            {"line": 1, "actual": "a second :t", "expected": "one at most in a constituent"},
        ),
        (
            '(NP :Head (N :t "a\n"))',
            {"line": 1, "actual": "'\"a'", "expected": "a bracket, a name or a string in quotes"},
        ),
        (
            r'(NP :Head (N :t "\n"))',
            {"line": 1, "actual": "'\"\\\\n\"))'", "expected": "a bracket, a name or a string in quotes"},
        ),
        (
            '(NP :Head (N :t ""))',
            {
                "line": 1,
                "actual": "an empty :t",
                "expected": "a word (one that is only meant has :correct alone)",
            },
        ),
        (
            '(NP :Head (GAP :t "a"))',
            {"line": 1, "actual": "the word '\"a\"' in a gap", "expected": "gaps without words"},
        ),
        ('(NP :Head (GAP :Head (N :t "a")))', {"line": 1, "actual": "a constituent below a gap"}),
        ('(NP :Head (N :t "a" :Head (N :t "b")))', {"line": 1, "actual": "a constituent below a word"}),
        ('(NP :Head (N :t "a") :t "b")', {"line": 1, "actual": "the word '\"b\"' in a phrase"}),
        (
            "(NP :Head)",
            {"line": 1, "actual": "')' after :Head", "expected": "a constituent or a string after it"},
        ),
        ("(NP :Head word)", {"line": 1, "actual": "'word'", "expected": "a string in quotes or a bracket"}),
        ("(NP / NP :Head (GAP)) (", {"line": 1, "actual": "'('", "expected": "a blank line after the tree"}),
        ("word\n", {"line": 1, "actual": "'word'", "expected": "a tree in brackets"}),
        ("# sent_id = a\n\n# sent_id = b\n", {"line": 1, "actual": "headers without a tree"}),
        ("\n\n", {"actual": "no tree", "expected": "at least one"}),
        (
            "(NP\n# note\n)",
            {"line": 2, "actual": "the header '# note'", "expected": "a blank line before it"},
        ),
    ],
)
def test_bad_trees(text: str, fields: dict[str, object]) -> None:
    with raises(FormatError, **fields):
        cgel.loads(text)


@pytest.mark.parametrize(
    ("trees", "sentence"),
    [
        ("(S (NP 0=a))\n(())\n", "2"),
        ("(S (NP (N 0=a)) (VP (V 1=b)))\n", None),
        (
            "(S (NP (N 0=a) (N 2=c)) (VP (V 1=b)))\n",
            "1",
        ),
    ],
)
def test_trees_that_the_notation_cannot_hold(trees: str, sentence: str | None) -> None:
    bank = discbracket.loads(trees)
    if sentence is None:  # without their root
        bank, sentence = delete_nodes(bank, labels=["S"]), "1"
    with raises(SentenceError, sentence=sentence):
        cgel.dumps(bank)


def test_trees_of_other_schemes_are_written() -> None:
    written = cgel.dumps(bracket.loads('(S (NP-SBJ (PRP it)) (-LRB- -LRB-) (: ;) (VP (V"x" is)))'))
    assert written.split("\n")[:2] == ["(S", "    :_ (NP-SBJ"]
    back = cgel.loads(written)
    assert back.vocabulary.decode(back.tokens.pos) == ["PRP", "-LRB-", ":", "V''x''"]
    assert set(back.vocabulary.decode(back.nodes.function)) == {""}


def test_a_deep_tree_is_read_and_written() -> None:
    depth = 3000
    text = "(NP " + ":Head (NP " * depth + ':Head (N :t "a")' + ")" * (depth + 1)
    bank = cgel.loads(text)
    assert len(bank.nodes) == depth + 1
    assert cgel.loads(cgel.dumps(bank)).equals(bank)


def test_no_mutation_gives_a_traceback() -> None:
    random = Random(5)
    characters = [
        "(",
        ")",
        ":",
        '"',
        "\\",
        "/",
        " ",
        "\n",
        "#",
        "x",
        ":t",
        ":Head",
        "GAP",
        ' :p "!"',
        "\0",
        "⟨",
    ]
    for _ in range(600):
        text = TEXT
        for _ in range(random.randint(1, 4)):
            begin = random.randrange(len(text))
            end = min(len(text), begin + random.choice([0, 0, 1, 1, 2, 30]))
            text = text[:begin] + random.choice(characters) * random.randint(0, 2) + text[end:]
        try:
            bank = cgel.loads(text)
            again = cgel.loads(cgel.dumps(bank))
        except (FormatError, ConversionError) as error:
            message = str(error)
        else:
            message = "found nothing wrong, expected it"
            assert cgel.dumps(again) == cgel.dumps(bank)
        assert re.fullmatch(".*found .*expected .*", message)


FILES = [
    "ewt.cgel",
    "twitter.cgel",
    "ewt-test_iaa50.cgel",
    "iaa/ewt-test_iaa50.adjudicated.cgel",
    "iaa/ewt-test_iaa50.brettrey.novalidator.cgel",
    "iaa/ewt-test_iaa50.nschneid.validator.cgel",
    "iaa/ewt-test_pilot5.brettrey.cgel",
]


@pytest.mark.parametrize("name", FILES)
def test_real_files_byte_for_byte(shared_data: Path, name: str) -> None:
    path = shared_data / "cgel" / name
    bank = read(path)
    assert cgel.dumps(bank).rstrip("\n") == path.read_text().rstrip("\n")
    trip = round_trip(bank, "cgel")
    assert trip.same == len(bank)


def test_gaps_of_real_files(shared_data: Path) -> None:
    bank = read(shared_data / "cgel" / "ewt.cgel")
    gaps = bank.vocabulary.decode(bank.tokens.pos).count("GAP")
    functions = [*bank.vocabulary.decode(bank.nodes.function), *bank.vocabulary.decode(bank.tokens.function)]
    fused = [function for function in functions if "-" in function]
    assert (gaps, len(fused), len(bank.secondary)) == (49, 36, 85)
