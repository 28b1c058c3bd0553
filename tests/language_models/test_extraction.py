"""The parse in an answer: every way in which language models write trees and rows."""

import json
import time

import pytest

import crossbank
from crossbank.language_models.bracket_candidates import escape_words
from crossbank.language_models.extraction import (
    CONTROL,
    EARLIER,
    NO_HEADS,
    NO_PARSE,
    SEVERAL,
    extract,
)
from crossbank.language_models.parse_candidate import FENCED, PROSE, SPACES, SQUARE, TABLE
from crossbank.treebanks.damage.brackets import ADDED, DROPPED
from tests.language_models.gold_and_answers import HEADS, ROWS

TREE = "(S (NP (NNP Ann)) (VP (VBD saw) (NP (DT a) (NN cat))) (. .))"
INDENTED = (
    TREE.replace("(S (", "(S\n  (")
    .replace(" (VP", "\n  (VP")
    .replace(" (.", "\n  (.")
    .replace("saw) ", "saw)\n    ")
)
WORDS = ["Ann", "saw", "a", "cat", "."]


@pytest.mark.parametrize(
    "answer",
    [
        TREE,
        INDENTED,
        f"```\n{TREE}\n```",
        f"Here is the parse (in Penn style):\n\n```text\n{INDENTED}\n```\n\nNote (1): NP (noun phrase).",
        f"The parse is {TREE}.",
        f"**{TREE}**",
        f"`{TREE}`",
        f"1. {TREE}",
        f"> {TREE}",
        f"``` {TREE} ```",
        f"```\n{INDENTED}",
        f"{INDENTED}\r\n".replace("\n", "\r\n"),
        INDENTED.replace("\n", "\n\n"),
        TREE.replace(" ", "\u00a0"),
        f"\ufeff{TREE}\x00",
        json.dumps(TREE),
        json.dumps({"parse": TREE}),
        json.dumps(
            [
                "S",
                ["NP", ["NNP", "Ann"]],
                ["VP", ["VBD", "saw"], ["NP", ["DT", "a"], ["NN", "cat"]]],
                [".", "."],
            ]
        ),
        TREE.replace("(", "[").replace(")", "]"),
        f"First draft:\n{TREE.replace('VBD', 'VBZ')}\n\nCorrected:\n{TREE}",
        f"{TREE}\n\nThe phrase (NP (DT a) (NN cat)) is the object.",
    ],
)
def test_a_tree_is_extracted(answer: str) -> None:
    extraction = extract(answer)
    assert extraction.tree == TREE
    assert (extraction.words, extraction.rows, extraction.is_damaged) == (5, None, False)


def table(*columns: int, header: bool = False) -> list[list[str]]:
    names = ["ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"]
    rows = [line.split("\t") for line in ROWS.splitlines()]
    return [[row[column] for column in columns] for row in ([names] if header else []) + rows]


def bars(rows: list[list[str]]) -> str:
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([lines[0], "|---" * len(rows[0]) + "|", *lines[1:]])


@pytest.mark.parametrize(
    "answer",
    [
        ROWS,
        f"```conllu\n# text = Ann saw a cat.\n{ROWS}```\n\n- *saw* is the root.",
        ROWS.replace("\t", "    "),
        ROWS.replace("\t", " "),
        ROWS.replace("\t", ","),
        bars(table(*range(10), header=True)),
        bars(table(0, 1, 2, 3, 6, 7, header=True)),
        bars(table(1, 3, 6, 7, header=True)),
        "\n".join("\t".join(row) for row in table(0, 1, 2, 3, 6, 7)),
        "\n".join("\t".join(row) for row in table(0, 1, 3, 4, 6, 7)),
        "\n".join("\t".join(row) for row in table(0, 1, 6, 7, header=True)),
        "\n".join("  ".join(row) for row in table(0, 1, 3, 6, 7)),
        json.dumps(
            [
                dict(zip(("id", "form", "upos", "head", "deprel"), (int(a), b, c, int(d), e), strict=True))
                for a, b, c, d, e in table(0, 1, 3, 6, 7)
            ]
        ),
        json.dumps([[int(row[0]), *row[1:]] for row in table(*range(10))]),
    ],
)
def test_rows_are_extracted(answer: str) -> None:
    extraction = extract(answer)
    assert extraction.rows is not None
    assert [row[1] for row in extraction.rows] == WORDS
    assert [row[6] for row in extraction.rows] == HEADS
    assert [row[7] for row in extraction.rows] == ["nsubj", "root", "det", "obj", "punct"]
    assert not extraction.is_damaged
    assert extraction.tree is None


@pytest.mark.parametrize("columns", [(0, 1, 2, 3, 6, 7), (0, 1, 3, 4, 6, 7), (0, 1, 3, 6, 7)])
def test_tags_are_told_from_lemmas(columns: tuple[int, ...]) -> None:
    rows = extract("\n".join("\t".join(row) for row in table(*columns))).rows
    assert rows is not None
    assert [row[3] for row in rows] == ["PROPN", "VERB", "DET", "NOUN", "PUNCT"]


@pytest.mark.parametrize(
    ("answer", "note"),
    [
        (f"```\n{TREE}\n```", FENCED),
        (f"The parse is {TREE}", PROSE),
        (bars(table(*range(10), header=True)), TABLE),
        (ROWS.replace("\t", "  "), SPACES),
        (TREE.replace("(", "[").replace(")", "]"), SQUARE),
        (f"{TREE}\n\nBetter:\n{TREE}", SEVERAL),
        (f"{TREE}\n\nBetter:\n{TREE}\n\n{TREE}", EARLIER),
        (f"\x07{TREE}", CONTROL),
        ("I cannot parse this sentence.", NO_PARSE),
    ],
)
def test_what_is_noted(answer: str, note: str) -> None:
    assert extract(answer).notes[note] >= 1


@pytest.mark.parametrize(
    "answer",
    [
        "",
        " \n",
        "I cannot parse this sentence.",
        "I cannot parse this sentence (see (Marcus 1993)).",
        "2 words are missing in this text",
        "(sorry)",
        "```\n```",
        "[]",
        "{}",
        "null",
        "((((((",
        "))))",
        "1",
    ],
)
def test_an_answer_without_a_parse(answer: str) -> None:
    extraction = extract(answer)
    assert (extraction.tree, extraction.rows, extraction.style) == (None, None, "")
    assert extraction.notes[NO_PARSE] == 1


def test_missing_and_surplus_brackets_are_repaired() -> None:
    missing = extract(f"```\n{INDENTED[:-1]}\n```")
    assert (missing.tree, dict(missing.damage)) == (TREE, {ADDED: 1})
    surplus = extract(f"{TREE}))")
    assert (surplus.tree, dict(surplus.damage)) == (TREE, {DROPPED: 2})


def test_a_complete_parse_counts_before_a_later_damaged_one() -> None:
    extraction = extract(f"{TREE}\n\nOr:\n\n{TREE.replace('NNP', 'NN')[:-2]}")
    assert (extraction.tree, extraction.is_damaged) == (TREE, False)


def test_heads_that_no_word_has_are_damage() -> None:
    extraction = extract(ROWS.replace("\t4\tdet", "\t44\tdet"))
    assert extraction.is_damaged
    assert extraction.rows is not None
    assert [row[6] for row in extraction.rows] == ["2", "0", "2", "2", "2"]


def test_rows_without_heads_are_damage() -> None:
    extraction = extract(bars(table(0, 1, 3, header=True)))
    assert extraction.damage[NO_HEADS] == 5


@pytest.mark.parametrize(
    ("tree", "escaped"),
    [
        ("(X (-LRB- () (CD 1) (-RRB- )))", "(X (-LRB- -LRB-) (CD 1) (-RRB- -RRB-))"),
        ("(NP (NN word(s)) (NN f(x)y))", "(NP (NN word-LRB-s-RRB-) (NN f-LRB-x-RRB-y))"),
        ("(NP (NN dog) (NN (cat)))", "(NP (NN dog) (NN (cat)))"),
        (TREE, TREE),
    ],
)
def test_brackets_in_words_are_escaped(tree: str, escaped: str) -> None:
    assert escape_words(tree)[0] == escaped


def test_text_from_right_to_left() -> None:
    tree = "(S (NP (NN \u05d4\u05db\u05dc\u05d1)) (VP (VB \u05e0\u05d5\u05d1\u05d7)))"
    assert extract(f"\u200f{tree}\u200f").tree == tree


def test_the_public_function() -> None:
    assert crossbank.extract(TREE).tree == TREE
    with pytest.raises(crossbank.CrossbankError):
        crossbank.extract(None)


@pytest.mark.parametrize(
    "unit",
    [
        "(",
        ")",
        "(S ",
        "( (",
        "(a) ",
        "(S (NP x)) ",
        "\n(S (NP x\n",
        "1\tx\t_\t_\n",
        "| 1 | x |\n",
        "```\n",
        "[",
        " ",
        "(a  ",
        "1|2|3|4\n",
        "nsubj(b-1,a(b-1,",
        "{}\n",
        "S\n NP\n",
    ],
)
def test_time_is_linear(unit: str) -> None:
    """An answer of eight times the length takes less than forty times as long."""

    def seconds(length: int) -> float:
        text = unit * (length // len(unit))
        begin = time.process_time()
        extract(text)
        return time.process_time() - begin

    seconds(1000)
    assert seconds(80_000) < 40 * seconds(10_000) + 1
