"""Penn brackets: every quirk, every error, round trips, and nltk's reader as a witness."""

from __future__ import annotations

import gzip
import os
import re
import threading
import unicodedata
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk import Tree

from crossbank.treebanks import NO_PARENT, FormatError, Treebank
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.diagnosis import FAILED_PARSES
from crossbank.treebanks.errors import MissingFileError, SentenceError
from crossbank.treebanks.files import as_utf8
from crossbank.treebanks.formats.bracket import WITHOUT_TAGS, dump, dumps, load, loads, read
from tests.errors import raises


def labels(bank: Treebank) -> list[str]:
    return bank.vocabulary.decode(bank.nodes.label)


def tagged(bank: Treebank) -> list[tuple[str, str]]:
    decode = bank.vocabulary.decode
    return list(zip(decode(bank.tokens.form), decode(bank.tokens.pos), strict=True))


def findings(bank: Treebank) -> dict[str, list[int]]:
    return {finding.event: finding.counts.tolist() for finding in bank.diagnosis}


def lines_of(bank: Treebank) -> list[int]:
    return bank.sentences.line.tolist()


def same(one: Treebank, other: Treebank) -> bool:
    """Return whether two treebanks have the same words, tags, labels and structure."""
    arrays = [
        (getattr(getattr(one, table), column), getattr(getattr(other, table), column))
        for table in ("tokens", "nodes")
        for column in ("offsets", "parent")
    ]
    return (
        all(np.array_equal(a, b) for a, b in arrays)
        and tagged(one) == tagged(other)
        and labels(one) == labels(other)
    )


# What is in brackets


def test_a_tree() -> None:
    bank = loads("(S (NP (NNP Anna)) (VP (VBZ sleeps)) (. .))")
    assert labels(bank) == ["S", "NP", "VP"]
    assert tagged(bank) == [("Anna", "NNP"), ("sleeps", "VBZ"), (".", ".")]
    assert bank.nodes.parent.tolist() == [NO_PARENT, 0, 0]
    assert bank.tokens.parent.tolist() == [1, 2, 0]
    assert bank.diagnosis == ()


@pytest.mark.parametrize(
    "label", ["NP-SBJ=2", "ADVP|PRT", "NP*SBJ", "NX=PER:APP", "-NONE-", "$,", "IP-SUB-PRN=2"]
)
def test_labels_stay_whole(label: str) -> None:
    assert labels(loads(f"(S ({label} (A a)))")) == ["S", label]
    assert tagged(loads(f"(S ({label} a))")) == [("a", label)]


@pytest.mark.parametrize("word", ["1\\/2", "-LRB-", "*T*-1", "*con*", "0", "séra-séra", '"', "<heading>"])
def test_words_stay_as_they_stand(word: str) -> None:
    assert tagged(loads(f"(S (X {word}))")) == [(word, "X")]


def test_an_unlabelled_root_is_a_node_with_the_empty_label() -> None:
    assert labels(loads("( (S (A a)))")) == ["", "S"]
    assert labels(loads("((S (A a)))")) == ["", "S"]


def test_a_root_with_two_children() -> None:
    bank = loads("( (IP-MAT (A a)) (ID 1210.JARTEIN,.1))")
    assert labels(bank) == ["", "IP-MAT"]
    assert bank.tokens.parent.tolist() == [1, 0]


def test_a_word_may_contain_spaces() -> None:
    bank = loads("(NP (NNP New \t York\n City ) (NN x))")
    assert tagged(bank) == [("New York City", "NNP"), ("x", "NN")]
    assert findings(bank) == {}


def test_words_that_would_be_read_without_tags_are_refused() -> None:
    """What is written is read again; most words of a tiny file may have spaces, and lose their tags there."""
    tree = "(S (X parce que) (V dort) (V dort))"
    bank = loads(tree)
    assert dumps(bank).strip() == tree
    alone = bank.with_strings("tokens", "form", lambda form: "parce que")
    with raises(SentenceError, "parce que", path="text", line=1, sentence="1"):
        dumps(alone)
    names = bank.with_strings("tokens", "form", lambda form: "New York")
    assert loads(dumps(names)).words(0) == ["New York"] * 3


def test_several_words_with_spaces_share_a_code() -> None:
    bank = loads("(NP (NNP New York) (NNP New  York) (NNP New))")
    assert bank.words(0) == ["New York", "New York", "New"]
    assert len(set(bank.tokens.form.tolist())) == 2


@pytest.mark.parametrize(
    ("text", "words", "phrases"),
    [
        ("(NP the air)", ["the", "air"], ["NP"]),
        ("(S (NP the air) (VP moves))", ["the", "air", "moves"], ["S", "NP", "VP"]),
        ("(S (N1 two (N1 tax revision) bills) were passed)",
         ["two", "tax", "revision", "bills", "were", "passed"], ["S", "N1", "N1"]),
    ],
)  # fmt: skip
def test_trees_without_tags_have_words_below_phrases(text: str, words: list[str], phrases: list[str]) -> None:
    bank = loads(text)
    assert tagged(bank) == [(word, "") for word in words]
    assert labels(bank) == phrases
    assert findings(bank) == {WITHOUT_TAGS: [len(words)]}
    assert same(loads(dumps(bank)), bank)


def test_a_word_with_a_space_does_not_take_the_tags_of_others() -> None:
    bank = loads("(S (NP (DT the) (NN air)) (ADVP (RB at once)) (VBZ moves) (. .))")
    assert bank.words(0) == ["the", "air", "at once", "moves", "."]


def test_a_word_beside_brackets_has_no_tag_and_is_counted() -> None:
    bank = loads("(NP the very (NN dog) here)(NP (NN dog))")
    assert tagged(bank) == [("the", ""), ("very", ""), ("dog", "NN"), ("here", ""), ("dog", "NN")]
    assert findings(bank) == {"words without a tag": [3, 0]}


def test_more_words_than_brackets() -> None:
    words = [str(i) for i in range(5000)]
    bank = loads(f"(S {' '.join(words)} (A a))")
    assert bank.words(0) == [*words, "a"]


@pytest.mark.parametrize("gap", ["", " ", "\n"])
def test_nodes_without_a_word_are_left_out_and_counted(gap: str) -> None:
    bank = loads(f"(S (X{gap}) (NP (Y (Z{gap})) (A a)) (W{gap}))(S (A a))")
    assert labels(bank) == ["S", "NP", "S"]
    assert bank.tokens.parent.tolist() == [1, 0]
    assert findings(bank) == {"nodes without a word dropped": [4, 0]}


@pytest.mark.parametrize("text", ["(())", "( )", "()", "( ( ) )", "((()))"])
def test_no_parse(text: str) -> None:
    bank = loads(f"(S (A a))\n{text}\n(S (A b))")
    assert bank.tokens.lengths().tolist() == [1, 0, 1]
    assert bank.nodes.lengths().tolist() == [1, 0, 1]
    assert bank.diagnosis == ()


FAILED = [
    "(TOP ())",
    "(ROOT ())",
    "(S1 ())",
    "(ROOT)",
    "(TOP (S ))",
    "(S (NP) (VP))",
    "( (NP ) )",
    "(X)",
    "null",
    "NIL",
    'No parse for: "He said ) so"',
    "SENT: fail",
]


@pytest.mark.parametrize("sign", FAILED)
@pytest.mark.parametrize("by_line", [False, True])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_failed_parse_is_a_sentence_without_a_parse_and_is_counted(
    sign: str, by_line: bool, end: str
) -> None:
    text = end.join([sign, "(S (A a))", f"  {sign} ", sign, "(S (A b) (X))", sign])
    bank = read(as_utf8(text.encode(), "text"), "text", by_line=by_line)
    assert [bank.words(index) for index in range(len(bank))] == [[], ["a"], [], [], ["b"], []]
    assert lines_of(bank) == [1, 2, 3, 4, 5, 6]
    assert findings(bank) == {
        FAILED_PARSES: [1, 0, 1, 1, 0, 1],
        "nodes without a word dropped": [0, 0, 0, 0, 1, 0],
    }
    assert dumps(bank).split("\n")[2] == "(())"


def test_failed_parses_stand_between_trees_over_many_lines() -> None:
    bank = loads('(S\n  (A a))\n\nnull\n\n(S\n  (A b))\nNo parse for: "(c) d"\n(TOP\n ())\n')
    assert bank.tokens.lengths().tolist() == [1, 0, 1, 0, 0]
    assert lines_of(bank) == [1, 4, 6, 8, 9]


def test_a_word_alone_is_a_sentence() -> None:
    bank = loads("(A a)\n( b)")
    assert tagged(bank) == [("a", "A"), ("b", "")]
    assert bank.tokens.parent.tolist() == [NO_PARENT, NO_PARENT]


def test_other_spaces_belong_to_words() -> None:
    assert tagged(loads("(S (A 1\u00a0000))")) == [("1\u00a0000", "A")]


def test_composed_and_decomposed_letters_stay_apart() -> None:
    composed, decomposed = (unicodedata.normalize(form, "ü") for form in ("NFC", "NFD"))
    bank = loads(f"(S (A {composed}) (A {decomposed}))")
    assert bank.words(0) == [composed, decomposed]


def test_many_distinct_words() -> None:
    words = [f"w{i}" for i in range(30_000)]
    bank = loads("\n".join(f"(S (A {word}) (A {word}))" for word in words))
    assert bank.vocabulary.decode(bank.tokens.form[::2]) == words
    assert np.array_equal(bank.tokens.form[::2], bank.tokens.form[1::2])


# Sentences and layouts


def test_several_trees_on_a_line_and_a_tree_over_many_lines() -> None:
    bank = loads("(S (A a)) (S (A b))\n\n\n(S\n  (A\n c)\n(A d))\n")
    assert [bank.words(i) for i in range(len(bank))] == [["a"], ["b"], ["c", "d"]]
    assert lines_of(bank) == [1, 1, 4]
    assert bank.where(2) == "text:4"
    assert bank.sentence_id(2) == "3"


def test_crlf_and_byte_order_mark() -> None:
    bank = loads("\ufeff(S (A a))\r\n(S\r\n (A B C))\r\n".removeprefix("\ufeff"))
    assert tagged(bank) == [("a", "A"), ("B C", "A")]
    assert lines_of(bank) == [1, 2]


@pytest.mark.parametrize(
    ("text", "by_line", "words", "lines"),
    [
        ("(A a)\n\n(A b)\n", False, ["a", "b"], [1, 3]),
        ("(A a)\n\n(A b)\n(A c)\n\n\n", False, ["a", "", "b", "c"], [1, 2, 3, 4]),
        ("\n(A a)\n(A b)", False, ["", "a", "b"], [1, 2, 3]),
        ("(A a)\n(A b)\n\n\n", False, ["a", "b"], [1, 2]),
        ("(A a) (A b)\n\n(A c)\n(A d)", False, ["a", "b", "c", "d"], [1, 1, 3, 4]),
        ("(A a)\n\n(A b)\n(A\nc)", False, ["a", "b", "c"], [1, 3, 4]),
        ("(A a)\n\n(A b) (B c)\n\n\n", True, ["a", "", "b c", "", ""], [1, 2, 3, 4, 5]),
        ("(A a)\r\n\r\n(A b)\r\n(A c)\r\n", False, ["a", "", "b", "c"], [1, 2, 3, 4]),
        ("(A a)\n(())\n\n(A b)", False, ["a", "", "", "b"], [1, 2, 3, 4]),
    ],
)
def test_lines_and_sentences(text: str, by_line: bool, words: list[str], lines: list[int]) -> None:
    bank = read(as_utf8(text.encode(), "text"), "text", by_line=by_line)
    assert [" ".join(bank.words(i)) for i in range(len(bank))] == words
    assert lines_of(bank) == lines


def test_a_bracket_at_the_margin_of_a_tree_is_counted() -> None:
    assert findings(loads("(S (A a)\n(S (B b))\n(S (C c)))\n")) == {
        "brackets at the margin inside a tree": [2]
    }


def test_ten_thousand_levels() -> None:
    depth = 10_000
    text = "(S " * depth + "(A a)" + ")" * depth
    bank = loads(text)
    assert len(bank.nodes) == depth
    assert bank.nodes.parent.tolist() == list(range(-1, depth - 1))
    assert dumps(bank) == text + "\n"


def test_the_arrays_are_those_of_the_treebank() -> None:
    bank = loads("(S (A a))")
    for table in (bank.tokens, bank.nodes, bank.sentences):
        assert table.offsets.dtype == np.int64
        for column in table.columns():
            array = getattr(table, column)
            assert array.dtype == np.int32
            assert array.flags.c_contiguous


# Files


def test_encodings(tmp_path: Path) -> None:
    text = "(S (A schön))\n(S (A für))\n"
    expected = loads(text)
    for name, data, encoding in (
        ("utf8", text.encode(), None),
        ("bom", b"\xef\xbb\xbf" + text.encode(), None),
        ("utf16", text.encode("utf-16"), None),
        ("latin1", text.encode("latin-1"), "latin-1"),
        ("gzip", gzip.compress(text.encode(), mtime=0), None),
        ("crlf", text.replace("\n", "\r\n").encode(), None),
    ):
        path = tmp_path / name
        path.write_bytes(data)
        bank = load(path, encoding=encoding)
        assert same(bank, expected), name
        assert bank.where(1) == f"{path}:2"


def test_writing_files(tmp_path: Path) -> None:
    bank = loads("(S (A schön))")
    dump(bank, tmp_path / "new" / "latin.mrg", encoding="latin-1")
    assert (tmp_path / "new" / "latin.mrg").read_bytes() == b"(S (A sch\xf6n))\n"
    dump(bank, tmp_path / "packed.mrg.gz")
    assert same(load(tmp_path / "packed.mrg.gz"), bank)


@pytest.mark.parametrize(
    ("content", "fields"),
    [
        (b"", {"actual": "an empty file"}),
        (b"(S (A a\0))", {"actual": "binary data"}),
        (b"(S (A a))\n(S (A sch\xf6n))", {"line": 2, "names": ("0xf6",)}),
        (b"\x1f\x8bnonsense", {"file": "bad.mrg"}),
    ],
)
def test_what_is_no_text(tmp_path: Path, content: bytes, fields: dict[str, object]) -> None:
    path = tmp_path / "bad.mrg"
    path.write_bytes(content)
    with raises(FormatError, **fields):
        load(path)


@pytest.mark.parametrize("text", ["", "  \n\n"])
def test_an_empty_text(text: str) -> None:
    with raises(FormatError, actual="an empty text", expected="at least one tree"):
        loads(text)


def test_a_missing_file(tmp_path: Path) -> None:
    with raises(MissingFileError, file="missing.mrg"):
        load(tmp_path / "missing.mrg")


# Errors


@pytest.mark.parametrize(
    ("text", "by_line", "line", "sentence", "actual"),
    [
        (
            "(S (A a))\n\n(S (NP (A a)\n (B b)",
            False,
            3,
            "2",
            "2 opening brackets without a closing one at the end",
        ),
        ("(S (A a)\n", False, 1, "1", "1 opening bracket without a closing one at the end of the file"),
        (
            "(S (A a))\n(S (A b)\n(S (A c))\n",
            False,
            2,
            "2",
            "a tree that is still open on line 3, where another",
        ),
        ("(S (A a))\n(S (A b)\n(S (A c))\n", True, 2, "2", "1 opening bracket without a closing one"),
        ("(S (A a))\n(S (A b)))\n(S (A c))", False, 2, "2", "a closing bracket too many"),
        (")", False, 1, "1", "a closing bracket too many"),
        ("(S (A a)))", True, 1, "1", "a closing bracket too many"),
        ("(S (A a))\n# comment (B b)\n", False, 2, "2", "'# comment' outside brackets"),
        ("1\tAnna\tNNP\n", False, 1, "1", "'1\\tAnna\\tNNP' outside brackets"),
        ("(S (A a)) null\n", False, 1, "2", "'null' outside brackets"),
        ("(S (A a))\nnull and void\n", False, 2, "2", "'null and void' outside brackets"),
        ("(S (A a))\n\n(S (A b)) NIL\n", True, 3, "3", "'NIL' outside brackets"),
    ],
)
def test_errors(text: str, by_line: bool, line: int, sentence: str, actual: str) -> None:
    with pytest.raises(FormatError) as raised:
        read(text.encode(), "text", by_line=by_line)
    error = raised.value
    assert (error.path, error.line, error.sentence) == ("text", line, sentence)
    assert error.actual.startswith(actual)
    assert "\n" not in str(error)


def test_errors_in_a_long_file() -> None:
    good = "(S (NP (DT the) (NN dog)) (VP (VBZ barks)))\n" * 20_000
    with raises(
        FormatError,
        line=20001,
        sentence="20001",
        actual="a tree that is still open on line 20002, where another seems to begin",
    ):
        loads(good + "(S (A a)\n" + good)


# Writing


@pytest.mark.parametrize(
    "line",
    [
        "(S (NP (NNP Anna)) (VP (VBZ sleeps)) (. .))",
        "( (IP-MAT (A a)) (ID 1))",
        "(A a)",
        "( a)",
        "(NN New York)",
        "(S (A (B (C (D d)))))",
        "(NP ( the) (NN dog))",
        "(())",
    ],
)
def test_lines_come_back(line: str) -> None:
    text = f"(X (A a))\n{line}\n(X (A a))\n{line}\n"
    assert dumps(loads(text)) == text


def test_functions_brackets_and_several_roots() -> None:
    builder = TreebankBuilder()
    builder.sentence()
    builder.node(label="NP", function="SB")
    builder.node(label="P P", function="--")
    builder.token(form="(", pos="$(", parent=0, function="--")
    builder.token(form="a)b", pos="NN", parent=0, function="NK")
    builder.token(form="x y", pos="NN", parent=1)
    builder.token(form="!", pos="$.")
    bank = builder.build()
    assert dumps(bank) == "( (NP-SB ($-LRB- -LRB-) (NN-NK a-RRB-b)) (P_P (NN x y)) ($. !))\n"


def discontinuous() -> Treebank:
    builder = TreebankBuilder("example.export")
    builder.sentence(id="first")
    builder.node(label="S")
    builder.token(form="x", parent=0)
    builder.sentence(id="second", line=7)
    builder.node(label="S")
    builder.node(label="VP", parent=0)
    for form, parent in (("a", 1), ("b", 0), ("c", 1)):
        builder.token(form=form, parent=parent)
    return builder.build()


def test_discontinuous_constituents_are_refused() -> None:
    with raises(SentenceError, line=7, sentence="second"):
        dumps(discontinuous())


def test_words_without_letters_are_refused() -> None:
    builder = TreebankBuilder("x.conllu")
    for line, form in enumerate(("a", ""), 1):
        builder.sentence(line=line)
        builder.token(form=form, pos="B")
    with raises(
        SentenceError,
        path="x.conllu",
        line=2,
        sentence="2",
        problem="found a word without letters, which brackets cannot hold, "
        "expected every token to have a form",
    ):
        dumps(builder.build())


def test_more_sentences_than_are_written_at_once() -> None:
    text = "(S (A a) (NP (B b)))\n(())\n(X x)\n" * 4000
    assert dumps(loads(text)) == text


# Properties

LETTERS = st.characters(codec="utf-8", exclude_characters="()", exclude_categories=("Cc", "Z"))
STRINGS = st.text(LETTERS, min_size=1, max_size=5).filter(lambda s: not s.isspace())
# In small letters several words in one bracket would be words of a phrase.
WORDS = STRINGS | st.lists(STRINGS, min_size=2, max_size=3).map(lambda words: " ".join(words).upper())
LABELS = st.just("") | STRINGS
LEAVES = st.builds(lambda pos, form: Tree(pos, [form]), LABELS, WORDS)
TREES = st.recursive(
    LEAVES, lambda inner: st.builds(Tree, LABELS, st.lists(inner, min_size=1, max_size=4)), max_leaves=12
)


def bank_rows(bank: Treebank, sentence: int) -> tuple[list[tuple[str, int]], list[tuple[str, str, int]]]:
    """Return nodes (label, parent) in pre-order and tokens (form, tag, parent) of a sentence."""
    decode = bank.vocabulary.decode
    nodes, tokens = bank.nodes.rows(sentence), bank.tokens.rows(sentence)
    return (
        list(zip(decode(bank.nodes.label[nodes]), bank.nodes.parent[nodes].tolist(), strict=True)),
        list(
            zip(
                decode(bank.tokens.form[tokens]),
                decode(bank.tokens.pos[tokens]),
                bank.tokens.parent[tokens].tolist(),
                strict=True,
            )
        ),
    )


def written_by_hand(tree: Tree, space: str) -> str:
    inside = (child if isinstance(child, str) else written_by_hand(child, space) for child in tree)
    return f"({tree.label()}{space}{space.join(inside)})"


def tree_rows(tree: Tree) -> tuple[list[tuple[str, int]], list[tuple[str, str, int]]]:
    """Return the same of a tree."""
    nodes: list[tuple[str, int]] = []
    tokens: list[tuple[str, str, int]] = []

    def walk(subtree: Tree, parent: int) -> None:
        if len(subtree) == 1 and isinstance(subtree[0], str):
            tokens.append((subtree[0], subtree.label(), parent))
        else:
            nodes.append((subtree.label(), parent))
            own = len(nodes) - 1
            for child in subtree:
                walk(child, own)

    walk(tree, NO_PARENT)
    return nodes, tokens


@settings(deadline=None)
@given(st.lists(TREES, min_size=1, max_size=5), st.sampled_from([" ", "\n ", "\r\n\t"]))
def test_random_trees_are_read_and_come_back(trees: list[Tree], space: str) -> None:
    bank = loads("\n".join(written_by_hand(tree, space) for tree in trees))
    assert len(bank) == len(trees)
    assert [bank_rows(bank, i) for i in range(len(bank))] == [tree_rows(tree) for tree in trees]
    assert same(loads(dumps(bank)), bank)


@settings(deadline=None)
@given(st.text(alphabet="() \nab-", max_size=40), st.booleans())
def test_any_text_is_read_or_refused(text: str, by_line: bool) -> None:
    try:
        bank = read(text.encode(), "text", by_line=by_line)
    except FormatError:
        return
    assert text.count("(") == text.count(")")
    assert (bank.spans.size > 0).all()
    if by_line:
        assert len(bank) == len(text.removesuffix("\n").split("\n"))
    assert dumps(read(dumps(bank).encode(), "text", by_line=True)) == dumps(bank)


def test_the_scanner_grows_its_arrays() -> None:
    text = "".join(f"(x{i} " for i in range(3000)) + "".join(f" Y{i}" for i in range(3000)) + ")" * 3000
    text += "(a B C)" * 100 + "\n(())" * 3000
    bank = loads(text)
    assert len(bank) == 3101
    assert bank.words(0) == ["".join(f" Y{i}" for i in range(3000)).strip()]
    assert labels(bank) == [f"x{i}" for i in range(2999)]


# Real treebanks


@pytest.mark.parametrize(
    ("file", "sentences"),
    [
        ("farpahc/parsers/e1/corpus/far_split0testing.psd", 372),
        ("farpahc/parsers/e1/output/far_split0machineparsed.psd", 372),
        ("gum/const/GUM_academic_economics.ptb", None),
        ("tuebadz-masked/test.ptb", 500),
        ("evalb-sample/bug/bug.gld", 5),
    ],
)
def test_real_trees_are_nltks(shared_data: Path, file: str, sentences: int | None) -> None:
    bank = load(shared_data / file)
    trees = [
        tree
        for tree in Tree.fromstring(f"(TOP {(shared_data / file).read_text(encoding='utf-8')})")
        if isinstance(tree, Tree)
    ]
    assert len(bank) == len(trees) == (sentences or len(trees))
    assert [bank_rows(bank, i) for i in range(len(bank))] == [tree_rows(tree) for tree in trees]


def test_icepahc_comes_back(shared_data: Path) -> None:
    paths = sorted((shared_data / "icepahc" / "psd").glob("*.psd"))
    assert len(paths) == 20
    for path in paths:
        bank = load(path)
        assert len(bank) == len(re.findall(r"(?m)^\(", path.read_text(encoding="utf-8")))
        assert bank.diagnosis == ()
        assert same(loads(dumps(bank)), bank)


def test_farpahc_outputs_stand_beside_their_gold(shared_data: Path) -> None:
    folder = shared_data / "farpahc" / "parsers" / "e1"
    totals = np.zeros(2, int)
    for fold in range(10):
        gold = load(folder / "corpus" / f"far_split{fold}testing.psd")
        parsed = load(folder / "output" / f"far_split{fold}machineparsed.psd")
        assert len(gold) == len(parsed)
        totals += len(gold), len(parsed)
    assert totals.tolist() == [3713, 3713]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_pipe_is_read_once_from_its_beginning(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.mrg"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=("(S (A a))\n",))
    writer.start()
    assert dumps(load(pipe)) == "(S (A a))\n"
    writer.join()


def test_a_treebank_outlives_its_file(tmp_path: Path) -> None:
    path = tmp_path / "trees.mrg"
    path.write_text("(S (A A B) (B b))\n")
    bank = load(path)
    path.write_text("(T")
    assert dumps(bank) == "(S (A A B) (B b))\n"


def test_a_word_of_other_spaces_than_asciis_is_written() -> None:
    """Pages of the web have words that are a no-break space."""
    tree = "(S (N \u00a0) (N a\u2003) (N b))\n"
    assert loads(tree).words(0) == ["\u00a0", "a\u2003", "b"]
    assert dumps(loads(tree)) == tree


@pytest.mark.parametrize("length", [1, 6, 7, 8, 9, 15, 16, 17, 30])
def test_strings_end_at_brackets_and_white_space_alone(length: int) -> None:
    """Other characters are part of a string, wherever they are in the eight bytes that are read at once."""
    letters = "x" * length
    for character in map(chr, {*range(1, 256), 0x2028, 0x1F600} - {*b"()\r"}):
        for string in (letters + character, character + letters, letters + character + letters):
            if character in " \t\n\v\f":
                first, *_ = tagged(loads(f"(S (A {string}) (B b) (C c) (D d))"))
                assert first == (" ".join(string.split()), "A")
            else:
                assert tagged(loads(f"(S ({string} {string}))")) == [(string, string)]
                assert tagged(loads(f"(S ({string}\t{string}\n)\f)")) == [(string, string)]
