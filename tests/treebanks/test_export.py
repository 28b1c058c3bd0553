"""NEGRA export: its quirks, its errors, and that writing and reading give the same treebank."""

import gzip
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, note

from crossbank.treebanks import NO_PARENT, CrossbankError, FormatError, Treebank
from crossbank.treebanks.errors import MissingFileError, OptionError, SentenceError
from crossbank.treebanks.formats import export
from crossbank.treebanks.formats.bracket import loads as loads_brackets
from tests.errors import raises
from tests.strategies import treebanks

SENTENCE = """\
#BOS 3  2 1070544990 0 %% HEADLINE
Bücher\tBuch\tNN\tapn\tOA\t500\tSB\t501
hat\thaben\tVAFIN\t3sis\tHD\t501
gelesen\tlesen\tVVPP\t--\tHD\t500\t%% R=coreferential.2:500
.\t.\t$.\t--\t--\t0
#500\t--\tVP\t--\tOC\t501\trefvc\t501\t%%\tLU=2
#501\t--\tNX=PER\t--\t--\t0
#EOS 3
"""


def strings(bank: Treebank, table: str, column: str) -> list[str]:
    return bank.vocabulary.decode(getattr(getattr(bank, table), column))


def test_a_sentence_in_version_4() -> None:
    bank = export.loads("#FORMAT 4\n" + SENTENCE)
    assert bank.words(0) == ["Bücher", "hat", "gelesen", "."]
    assert strings(bank, "tokens", "lemma") == ["Buch", "haben", "lesen", "."]
    assert strings(bank, "tokens", "pos") == ["NN", "VAFIN", "VVPP", "$."]
    assert strings(bank, "tokens", "morph") == ["apn", "3sis", "--", "--"]
    assert strings(bank, "tokens", "function") == ["OA", "HD", "HD", "--"]
    assert strings(bank, "tokens", "misc") == ["", "", "R=coreferential.2:500", ""]
    assert bank.tokens.parent.tolist() == [1, 0, 1, NO_PARENT]
    assert strings(bank, "nodes", "label") == ["NX=PER", "VP"]
    assert strings(bank, "nodes", "name") == ["501", "500"]
    assert strings(bank, "nodes", "misc") == ["", "LU=2"]
    assert bank.nodes.parent.tolist() == [NO_PARENT, 0]
    assert strings(bank, "secondary", "label") == ["SB", "refvc"]
    assert bank.secondary.child.tolist() == [0, -2]
    assert bank.secondary.parent.tolist() == [-1, -1]
    assert bank.spans.fan_out.tolist() == [1, 2]
    assert (bank.sentence_id(0), bank.sentences.line.tolist()) == ("3", [2])
    comments = "editor = 2\ndate = 1070544990\norigin = 0\ncomment = HEADLINE"
    assert strings(bank, "sentences", "comments") == [comments]


def test_written_as_it_was_read() -> None:
    written = export.dumps(export.loads(SENTENCE))
    assert written == "#FORMAT 4\n" + SENTENCE.replace("3  2", "3 2").replace("%%\tLU", "%% LU")


def test_version_3_has_no_lemma() -> None:
    text = (
        "#FORMAT 3\n#BOS 1\nSie\tPPER\t--\tSB\t500\trefint\t500\ngeht\tVVFIN\t--\tHD\t500\n"
        "#500\tS\t--\t--\t0\n#EOS 1\n"
    )
    bank = export.loads(text)
    assert strings(bank, "tokens", "lemma") == ["", ""]
    assert strings(bank, "tokens", "pos") == ["PPER", "VVFIN"]
    assert export.dumps(bank) == text
    assert export.loads(text.replace("#FORMAT 3\n", "")).equals(bank, ignore=["line"])


def test_the_columns_tell_the_version_where_no_line_does() -> None:
    ragged = SENTENCE.replace(
        "Bücher\tBuch\tNN\tapn\tOA\t500\tSB\t501", "Bücher   Buch\t\tNN\tapn\t\tOA\t500"
    )
    bank = export.loads(ragged)
    assert bank.words(0)[0] == "Bücher"
    assert strings(bank, "tokens", "lemma")[0] == "Buch"


def test_a_file_may_change_its_version() -> None:
    text = "#FORMAT 4\n" + SENTENCE + "#FORMAT 3\n#BOS 4\na\tNN\t--\t--\t0\n#EOS 4"
    assert strings(export.loads(text), "tokens", "pos")[-1] == "NN"


def test_spaces_for_tabs() -> None:
    spaced = re.sub(r"\t", "   ", SENTENCE)
    assert export.loads(spaced).equals(export.loads(SENTENCE))


def test_runs_of_tabs_blank_lines_crlf_and_no_final_newline() -> None:
    expected = export.loads(SENTENCE)
    assert export.loads(SENTENCE.replace("\t", "\t\t\t")).equals(expected)
    assert export.loads(SENTENCE.replace("\n", "\r\n")).equals(expected)
    assert export.loads(SENTENCE.rstrip("\n")).equals(expected)
    assert export.loads("\n\n" + SENTENCE.replace("\n#500", "\n\n#500")).equals(expected, ignore=["line"])


def test_a_word_may_contain_a_space_between_tabs() -> None:
    bank = export.loads("#FORMAT 3\n#BOS 1\n10 000\tCARD\t--\t--\t0\nso\u00a0dass\tKOUS\t--\t--\t0\n#EOS 1\n")
    assert bank.words(0) == ["10 000", "so\u00a0dass"]


def test_identifiers_need_not_be_numbers() -> None:
    bank = export.loads(
        SENTENCE.replace("#BOS 3  2 1070544990 0 %% HEADLINE", "#BOS x/4").replace("EOS 3", "EOS x/4")
    )
    assert bank.sentence_id(0) == "x/4"
    assert strings(bank, "sentences", "comments") == [""]
    assert "#BOS x/4\n" in export.dumps(bank)


def test_the_origin_table_names_the_document_and_other_tables_are_read_over() -> None:
    text = (
        "%% a corpus\n%%\n#FORMAT 4\n#BOT ORIGIN\n0\tT990507.2\n1\tT990507.3\n#EOT ORIGIN\n"
        "#BOT WORDTAG\n0\tNN\tY\tNormales Nomen\n#EOT WORDTAG\n" + SENTENCE
    )
    bank = export.loads(text)
    comments = strings(bank, "sentences", "comments")[0].split("\n")
    assert (comments[0], comments[-1]) == ("a corpus", "document = T990507.2")
    written = export.dumps(bank)
    assert "#BOT ORIGIN\n0\tT990507.2\n#EOT ORIGIN\n%% a corpus\n#BOS 3 2" in written
    assert export.loads(written).equals(bank, ignore=["line"])


def test_origins_that_two_files_number_differently_are_not_put_into_one_table() -> None:
    banks = [export.loads(f"#BOT ORIGIN\n0\t{name}\n#EOT ORIGIN\n{SENTENCE}") for name in ("A", "B")]
    written = export.dumps(Treebank.concatenate(banks))
    assert "#BOT" not in written
    comments = strings(export.loads(written), "sentences", "comments")
    assert [comment.split("\n")[0] for comment in comments] == ["document = A", "document = B"]


def test_a_table_that_is_not_closed_ends_at_the_sentence() -> None:
    assert len(export.loads("#BOT ORIGIN\n0\tT990507.2\n\n" + SENTENCE)) == 1


def test_comment_lines_inside_a_sentence() -> None:
    bank = export.loads(SENTENCE.replace("hat\t", "%% doubtful, see p. 5\nhat\t"))
    assert strings(bank, "sentences", "comments")[0].endswith("\ndoubtful, see p. 5")
    assert len(bank.tokens) == 4


def test_words_that_look_like_marks() -> None:
    words = ["#", "#500", "%%", "#EOS", "#BOS", "#501"]
    text = "#BOS 1\n" + "".join(f"{word}\t--\tXY\t--\t--\t500\n" for word in words)
    bank = export.loads(text + "#500\t--\tNP\t--\t--\t0\n#EOS 1\n")
    assert bank.words(0) == words
    assert strings(bank, "nodes", "name") == ["500"]
    written = export.dumps(bank)
    assert "\n#502\t--\tNP" in written or "\n#502\tNP" in written
    assert export.loads(written).words(0) == words


def test_a_sentence_of_words_only_and_one_of_nothing() -> None:
    bank = export.loads("#BOS 1\nJa\t--\tITJ\t--\t--\t0\n#EOS 1\n#BOS 2\n#EOS 2\n")
    assert bank.tokens.lengths().tolist() == [1, 0]
    assert len(bank.nodes) == 0


def test_nodes_without_a_word_are_counted() -> None:
    bank = export.loads(SENTENCE.replace("#EOS", "#502\t--\tNP\t--\t--\t0\n#EOS"))
    assert strings(bank, "nodes", "name") == ["501", "500"]
    assert [(f.event, f.total) for f in bank.diagnosis] == [("nodes without a word dropped", 1)]


def test_secondary_edges_to_tokens_and_to_the_root() -> None:
    bank = export.loads(SENTENCE.replace("refvc\t501", "refvc\t2").replace("SB\t501", "SB\t0"))
    assert (bank.secondary.child.tolist(), bank.secondary.parent.tolist()) == ([-2], [1])
    assert [(f.event, f.total) for f in bank.diagnosis] == [("secondary edges to the root dropped", 1)]
    assert "\trefvc\t2\t" in export.dumps(bank)


def test_nodes_without_numbers_are_numbered_from_the_bottom() -> None:
    bank = export.loads(SENTENCE)
    nameless = bank.replace(nodes=bank.nodes.replace(name=np.zeros(2, np.int32)))
    assert export.dumps(nameless) == export.dumps(bank)


def test_numbers_that_were_chosen_stay() -> None:
    text = SENTENCE.replace("500", "712").replace("501", "600")
    assert strings(export.loads(export.dumps(export.loads(text))), "nodes", "name") == ["600", "712"]


def test_encodings_and_gzip(tmp_path: Path) -> None:
    expected = export.loads(SENTENCE)
    path = tmp_path / "tiger.export"
    path.write_bytes(SENTENCE.encode("latin-1"))
    assert export.load(path, encoding="latin-1").equals(expected, ignore=["source"])
    with raises(FormatError, "0xfc", line=2):
        export.load(path)
    for data in (
        b"\xef\xbb\xbf" + SENTENCE.encode(),
        SENTENCE.encode("utf-16"),
        gzip.compress(SENTENCE.encode(), mtime=0),
    ):
        path.write_bytes(data)
        assert export.load(path).equals(expected, ignore=["source"])
    packed = tmp_path / "out" / "tiger.export.gz"
    export.dump(expected, packed, encoding="latin-1")
    assert packed.read_bytes()[:2] == b"\x1f\x8b"
    assert export.load(packed, encoding="latin-1").equals(expected, ignore=["source", "line"])
    with raises(CrossbankError, "'ü'"):
        export.dump(expected, packed, encoding="ascii")


@pytest.mark.parametrize(
    ("old", "new", "fields"),
    [
        (
            "HD\t501",
            "HD\t507",
            {"line": 3, "sentence": "3", "names": ("507",)},
        ),
        ("HD\t501", "HD\tS", {"line": 3, "sentence": "3", "names": ("'S'",)}),
        ("\t3sis", "", {"line": 3, "sentence": "3", "names": ("hat haben VAFIN HD 501",)}),
        (
            "\t3sis",
            "\tx\ty\tz",
            {"line": 3, "sentence": "3", "names": ("hat haben VAFIN x y z HD 501",)},
        ),
        (
            "refvc\t501",
            "refvc\t7",
            {"line": 6, "sentence": "3", "names": ("500",)},
        ),
        ("#501\t--", "#500\t--", {"line": 7, "sentence": "3", "names": ("500",)}),
        ("#EOS 3", "#EOS 4", {"line": 8, "sentence": "3", "names": ("#EOS 4", "#EOS 3")}),
        ("#EOS 3\n", "", {"line": 7, "sentence": "3", "names": ("#EOS 3",)}),
        ("#EOS 3", "#BOS 4", {"line": 8, "sentence": "3", "names": ("#BOS 4", "#EOS 3")}),
        (
            "#BOS 3  2 1070544990 0 %% HEADLINE\n",
            "",
            {"line": 1, "names": ("Bücher Buch NN apn OA 500 SB 501",)},
        ),
        (
            "#BOS 3  2 1070544990 0",
            "#BOS",
            {"line": 1, "names": ("#BOS", "HEADLINE")},
        ),
        ("0 %% HEADLINE", "0 0", {"line": 1, "names": ("#BOS 3", "1070544990")}),
        (SENTENCE, "#EOS 3\n", {"line": 1, "names": ("#EOS 3", "#BOS")}),
        ("#BOS 3  2", "#FORMAT 5\n#BOS 3 2", {"line": 1, "names": ("#FORMAT 5", "#FORMAT 3", "#FORMAT 4")}),
        ("#BOS 3  2", "#FORMAT 3\n#BOS 3 2", {"line": 3, "sentence": "3", "names": ("NN",)}),
        (SENTENCE, "#FORMAT 4\n%% nothing\n", {"names": ("#BOS", "#EOS")}),
    ],
)
def test_errors(old: str, new: str, fields: dict[str, object]) -> None:
    assert old in SENTENCE
    with raises(FormatError, **fields):
        export.loads(SENTENCE.replace(old, new))


def test_nodes_that_dominate_each_other() -> None:
    with raises(
        SentenceError,
        path="text",
        line=1,
        sentence="3",
        problem="found nodes that dominate each other, expected a tree",
    ):
        export.loads(SENTENCE.replace("NX=PER\t--\t--\t0", "NX=PER\t--\t--\t500"))


@pytest.mark.parametrize(
    ("data", "fields"),
    [
        (b"", {"actual": "an empty file"}),
        (b"\n \n", {"actual": "an empty file"}),
        (b"\x00\x01\x02", {"actual": "binary data"}),
        (gzip.compress(SENTENCE.encode(), mtime=0)[:40], {"file": "bad.export"}),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, data: bytes, fields: dict[str, object]) -> None:
    path = tmp_path / "bad.export"
    path.write_bytes(data)
    with raises(FormatError, **fields):
        export.load(path)


def test_files_and_encodings_that_are_not_there(tmp_path: Path) -> None:
    path = tmp_path / "tiger.export"
    with raises(MissingFileError, file="tiger.export"):
        export.load(path)
    path.write_text(SENTENCE, encoding="utf-8")
    with raises(
        OptionError,
        kind="encoding",
        value="klingon",
        allowed="utf-8, latin-1 or another encoding that Python has",
    ):
        export.load(path, encoding="klingon")


def test_an_unlabelled_root_and_a_missing_tag_survive() -> None:
    """Read back as labels, ``--`` would cost a tree against its own round trip F1."""
    bank = loads_brackets("( (S (N a) (NP b)))")
    again = export.loads(export.dumps(bank))
    assert again.vocabulary.decode(again.nodes.label) == bank.vocabulary.decode(bank.nodes.label)
    assert again.vocabulary.decode(again.tokens.pos) == bank.vocabulary.decode(bank.tokens.pos)


def test_a_lemma_of_hyphens_is_none() -> None:
    """As a lemma, ``--`` would be the word in every relation that takes lemmas where there are any."""
    bank = export.loads("#FORMAT 4\n#BOS 1\nIn --\tAPPR -- -- 0\nHäusern\tHaus\tNN\t--\t--\t0\n#EOS 1\n")
    assert strings(bank, "tokens", "lemma") == ["", "Haus"]
    assert "In\t--\tAPPR" in export.dumps(bank)


def as_export_has_it(bank: Treebank) -> Treebank:
    """Absent identifiers are written as ordinals, absent values as ``--``: none, as a tag or a lemma."""
    for column in ("morph", "function"):
        bank = bank.with_strings("tokens", column, lambda string: string or "--")
    for column in ("morph", "function"):
        bank = bank.with_strings("nodes", column, lambda string: string or "--")
    for table, column in (("tokens", "pos"), ("tokens", "lemma"), ("nodes", "label")):
        bank = bank.with_strings(table, column, lambda string: "" if string == "--" else string)
    vocabulary, codes = bank.vocabulary.extended([bank.sentence_id(i) for i in range(len(bank))])
    return bank.replace(vocabulary=vocabulary, sentences=bank.sentences.replace(id=codes))


def test_lemmas_that_say_nothing_take_no_column() -> None:
    bank = export.loads("#FORMAT 4\n#BOS 1\na\tb\tX\t--\t--\t0\n#EOS 1\n")
    for nothing in ("--", "", " "):
        written = export.dumps(bank.with_strings("tokens", "lemma", lambda lemma, message=nothing: message))
        assert written.startswith("#FORMAT 3\n")
        assert export.dumps(export.loads(written)) == written


@given(treebanks())
def test_writing_and_reading_give_the_same_treebank(bank: Treebank) -> None:
    written = export.dumps(bank)
    note(written)
    read = export.loads(written)
    ignore = ["line", "source", "name", "comments"]
    assert read.equals(as_export_has_it(bank), ignore=ignore)
    assert read.equals(export.loads(export.dumps(read)))
    assert export.dumps(read) == written


@pytest.mark.parametrize(
    ("name", "sentences", "tokens", "nodes", "discontinuous", "secondary"),
    [("test", 500, 8817, 10436, 284, 33), ("10", 10, 210, 254, 6, 2), ("long_single", 1, 39, 46, 1, 0)],
)
def test_real_export(
    shared_data: Path, name: str, sentences: int, tokens: int, nodes: int, discontinuous: int, secondary: int
) -> None:
    path = shared_data / "tuebadz-masked" / f"{name}.negra"
    bank = export.load(path)
    assert (len(bank), len(bank.tokens), len(bank.nodes)) == (sentences, tokens, nodes)
    assert (len(bank.discontinuous_sentences), len(bank.secondary)) == (discontinuous, secondary)
    assert bank.diagnosis == ()
    written = export.dumps(bank)
    assert export.loads(written).equals(bank, ignore=["line", "source"])

    def lines(text: str) -> list[str]:
        """Return the sentences with single separators, without tables and comment lines."""
        retained = re.sub(r"[ \t]+", " ", text).split("\n")
        start = next(i for i, line in enumerate(retained) if line.startswith("#BOS"))
        return [line.strip() for line in retained[start:] if line.strip()]

    assert lines(written) == lines(path.read_text(encoding="utf-8"))
