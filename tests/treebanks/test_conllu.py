"""CoNLL-U: columns, ranges, empty nodes, comments; round trips; what is refused, and with which words."""

import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossbank.treebanks import ROOT, UNATTACHED, FormatError, Treebank
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.errors import MissingFileError, SentenceError
from crossbank.treebanks.formats import conllu
from tests.errors import raises
from tests.strategies import treebanks
from tests.validity import validate

WHOLE = """\
# newdoc id = d
# sent_id = s-1
# text = au_ vámonos
0.1	_	_	PRON	_	_	_	_	2:nsubj	CopyOf=2
1-2	au_	_	_	_	Typo=Yes	_	_	_	SpaceAfter=No
1	à	à	ADP	P	_	2	case	2:case	_
2	le grand	le	DET	D	Definite=Def|PronType=Art	0	root	0:root|3.1:x	_
3	_	_	PUNCT	_	_	2	punct	_	Name=a b
3.1	y	y	PRON	_	_	_	_	2:obl	_
3.2	z	z	PRON	_	_	_	_	2:obl	_

#a comment without space
# sent_id = s-2
1	10 000	10 000	NUM	_	_	_	_	_	_

"""


def row(number: object, form: str = "x", head: object = "_", relation: str = "_") -> str:
    return f"{number}\t{form}\t_\t_\t_\t_\t{head}\t{relation}\t_\t_\n"


def strings(bank: Treebank, table: str, column: str) -> list[str]:
    return bank.vocabulary.decode(getattr(getattr(bank, table), column))


def same(left: Treebank, right: Treebank) -> bool:
    """Return whether two treebanks have the same dependencies, whatever their codes."""
    tables = ("sentences", "tokens", "multiword", "empty")
    for name in tables:
        one, other = getattr(left, name), getattr(right, name)
        if one.offsets.tolist() != other.offsets.tolist():
            return False
        for column in one.columns():
            if column in ("source", "line", "ordinal", "parent", "function"):
                continue
            values, others = getattr(one, column), getattr(other, column)
            if column in one.STRINGS:
                if left.vocabulary.decode(values) != right.vocabulary.decode(others):
                    return False
            elif values.tolist() != others.tolist():
                return False
    return True


# What the columns become


def test_columns() -> None:
    bank = conllu.loads(WHOLE)
    assert len(bank) == 2
    assert bank.words(0) == ["à", "le grand", "_"]
    assert bank.words(1) == ["10 000"]
    assert strings(bank, "tokens", "lemma") == ["à", "le", "_", "10 000"]
    assert strings(bank, "tokens", "pos") == ["ADP", "DET", "PUNCT", "NUM"]
    assert strings(bank, "tokens", "xpos") == ["P", "D", "", ""]
    assert strings(bank, "tokens", "morph") == ["", "Definite=Def|PronType=Art", "", ""]
    assert bank.tokens.head.tolist() == [1, ROOT, 1, UNATTACHED]
    assert strings(bank, "tokens", "relation") == ["case", "root", "punct", ""]
    assert strings(bank, "tokens", "deps") == ["2:case", "0:root|3.1:x", "", ""]
    assert strings(bank, "tokens", "misc") == ["", "", "Name=a b", ""]
    assert not bank.has_constituents
    assert bank.diagnosis == ()


def test_sentences() -> None:
    bank = conllu.loads(WHOLE)
    assert [bank.sentence_id(i) for i in range(2)] == ["s-1", "s-2"]
    assert strings(bank, "sentences", "comments") == [
        "# newdoc id = d\n# sent_id = s-1\n# text = au_ vámonos",
        "#a comment without space\n# sent_id = s-2",
    ]
    assert bank.sentences.line.tolist() == [1, 12]
    assert bank.sentences.ordinal.tolist() == [1, 2]


def test_ranges_and_empty_nodes() -> None:
    bank = conllu.loads(WHOLE)
    table = bank.multiword
    assert (table.first.tolist(), table.last.tolist()) == ([0], [1])
    assert [strings(bank, "multiword", column) for column in ("form", "morph", "misc")] == [
        ["au_"],
        ["Typo=Yes"],
        ["SpaceAfter=No"],
    ]
    assert bank.empty.anchor.tolist() == [-1, 2, 2]
    assert bank.empty.index.tolist() == [1, 1, 2]
    assert strings(bank, "empty", "form") == ["_", "y", "z"]
    assert strings(bank, "empty", "lemma") == ["_", "y", "z"]
    assert strings(bank, "empty", "deps") == ["2:nsubj", "2:obl", "2:obl"]
    assert strings(bank, "empty", "misc") == ["CopyOf=2", "", ""]
    assert bank.empty.offsets.tolist() == [0, 3, 3]


def test_no_break_space_and_underscores_within_a_form_stay() -> None:
    bank = conllu.loads(row(1, "\u00a0") + row(2, "__") + row(3, "a\u00a0b ") + "\n")
    assert bank.words(0) == ["\u00a0", "__", "a\u00a0b "]


@pytest.mark.parametrize(
    "comment", ["# sent_id = a b", "#sent_id=a b", "#  sent_id\t= \ta b  "], ids=["spaced", "tight", "wide"]
)
def test_spellings_of_sent_id(comment: str) -> None:
    text = f"# sent_id =\n{comment}\n# sent_id = second\n" + row(1) + "\n"
    bank = conllu.loads(text)
    assert bank.sentence_id(0) == "a b"
    assert conllu.dumps(bank) == text


def test_what_resembles_sent_id_is_not_it() -> None:
    bank = conllu.loads("# sent_idx = 5\n# sent_id 5\n# sent\n#\n# my sent_id = 5\n" + row(1))
    assert bank.sentence_id(0) == "1"
    assert bank.sentences.id.tolist() == [0]


# Round trips


def test_whole_text_comes_back() -> None:
    assert conllu.dumps(conllu.loads(WHOLE)) == WHOLE


@pytest.mark.parametrize(
    "text",
    [
        WHOLE.replace("\n", "\r\n"),
        WHOLE.replace("\n", "\r"),
        "\ufeff" + WHOLE,
        WHOLE.rstrip("\n"),
        WHOLE.rstrip("\n") + "\n",
        "\n \n" + WHOLE.replace("\n\n", "\n \t\n\n") + "\n\n",
    ],
    ids=["crlf", "cr", "byte order mark", "no final newline", "no final blank line", "more blank lines"],
)
def test_other_layouts_are_read_the_same(text: str) -> None:
    assert conllu.dumps(conllu.loads(text)) == WHOLE


@pytest.mark.parametrize(
    ("name", "encoding"),
    [("a.conllu", "utf-8"), ("a.conllu.gz", "utf-8"), ("a.conllu", "utf-16"), ("a.conllu", "latin-1")],
)
def test_files(tmp_path: Path, name: str, encoding: str) -> None:
    path = tmp_path / name
    bank = conllu.loads(WHOLE)
    conllu.dump(bank, path, encoding=encoding)
    data = path.read_bytes()
    assert (gzip.decompress(data) if name.endswith(".gz") else data).decode(encoding) == WHOLE
    again = conllu.load(path, encoding=None if encoding == "utf-16" else encoding)
    assert same(again, bank)
    assert again.where(1) == f"{path}:12"


def test_blank_columns_are_counted() -> None:
    bank = conllu.loads("1\ta\t\tX\t\t_\t\t_\t_\t\n")
    assert [(finding.event, finding.total) for finding in bank.diagnosis] == [("blank columns read as _", 4)]
    assert conllu.dumps(bank) == "1\ta\t_\tX\t_\t_\t_\t_\t_\t_\n\n"


def test_columns_of_ranges_and_empty_nodes_that_should_be_empty_are_counted() -> None:
    text = "1-2\tab\tL\t_\t_\t_\t0\t_\t_\t_\n" + row(1) + "1.1\tq\tq\tX\t_\t_\t1\tdep\t_\t_\n" + row(2) + "\n"
    bank = conllu.loads(text)
    event = "columns of multiword tokens and empty nodes dropped"
    assert [(finding.event, finding.total) for finding in bank.diagnosis] == [(event, 4)]
    expected = text.replace("L\t_\t_\t_\t0", "_\t_\t_\t_\t_").replace("1\tdep", "_\t_")
    assert conllu.dumps(bank) == expected


def test_a_sentence_without_words_keeps_its_place() -> None:
    builder = TreebankBuilder()
    for words in (["a"], [], [], ["b"]):
        builder.sentence(comments="no parse" if len(words) else "")
        for word in words:
            builder.token(form=word)
    text = conllu.dumps(builder.build())
    assert text == (
        f"# no parse\n{row(1, 'a')}\n# sent_id = 2\n\n# sent_id = 3\n\n# no parse\n{row(1, 'b')}\n"
    )
    bank = conllu.loads(text)
    assert bank.tokens.lengths().tolist() == [1, 0, 0, 1]
    assert [(f.event, f.counts.tolist()) for f in bank.diagnosis] == [
        ("sentences without words", [0, 1, 1, 0])
    ]


def test_an_identifier_is_written_where_no_comment_tells_it() -> None:
    builder = TreebankBuilder()
    builder.sentence(id="new", comments="# newdoc\n# sent_id = old\n#")
    builder.token(form="a")
    builder.sentence(id="s2", comments="editor = 2")
    builder.token(form="b")
    builder.sentence(comments="# sent_id = kept")
    builder.token(form="c")
    assert conllu.dumps(builder.build()) == (
        f"# newdoc\n# sent_id = new\n#\n{row(1, 'a')}\n"
        f"# sent_id = s2\n# editor = 2\n{row(1, 'b')}\n# sent_id = kept\n{row(1, 'c')}\n"
    )


def test_constituents_are_written_with_empty_columns() -> None:
    builder = TreebankBuilder()
    builder.sentence(id="1")
    builder.node(label="NP")
    builder.token(form="Anna", pos="NE", morph="--", function="SB", parent=0)
    assert conllu.dumps(builder.build()) == "# sent_id = 1\n1\tAnna\t_\tNE\t_\t--\t_\t_\t_\t_\n\n"


@pytest.mark.parametrize("sign", ["\t", "\n", "\r"])
def test_a_form_that_breaks_a_line_is_refused(sign: str) -> None:
    builder = TreebankBuilder("odd")
    builder.sentence(id="fine")
    builder.token(form="a")
    builder.sentence(id="s7")
    builder.token(form=f"a{sign}b")
    with raises(SentenceError, sentence="s7"):
        conllu.dumps(builder.build())


CELLS = st.text(
    st.characters(exclude_characters="\t\n\r\0", exclude_categories=["Cs"]), min_size=1, max_size=4
)


@st.composite
def dependency_banks(draw: st.DrawFn) -> Treebank:
    builder = TreebankBuilder("random")
    for sentence in range(draw(st.integers(1, 3))):
        identifier = draw(st.sampled_from(["", f"s{sentence}", "Straße 1"]))
        messages = [f"# sent_id = {identifier}"] if identifier else []
        more = draw(st.lists(st.sampled_from(["#", "# text = a = b", "# newpar", "#\ttab "]), max_size=2))
        builder.sentence(id=identifier, comments="\n".join(messages + more))
        words = draw(st.integers(1, 5))
        cells = st.one_of(st.just(""), CELLS.filter(lambda cell: cell != "_"))
        columns = ("pos", "xpos", "morph", "relation", "deps", "misc")
        for word in range(words):
            head = draw(st.integers(UNATTACHED, words - 1).filter(lambda head, word=word: head != word))
            form = draw(CELLS)
            lemma = "_" if form == "_" else draw(cells)
            builder.token(form=form, lemma=lemma, head=head, **{c: draw(cells) for c in columns})
        free = 0
        while draw(st.booleans()) and free < words:
            first = draw(st.integers(free, words - 1))
            last = draw(st.integers(first, words - 1))
            builder.multiword(first=first, last=last, form=draw(CELLS), morph=draw(cells), misc=draw(cells))
            free = last + 1
        for anchor in range(-1, words):
            for index in range(draw(st.sampled_from([0, 0, 0, 1, 2]))):
                form = draw(CELLS)
                builder.empty(
                    anchor=anchor,
                    index=index + 1,
                    form=form,
                    lemma="_" if form == "_" else draw(cells),
                    **{c: draw(cells) for c in columns if c != "relation"},
                )
    return builder.build()


@given(dependency_banks())
def test_written_and_read_is_the_same(bank: Treebank) -> None:
    text = conllu.dumps(bank)
    again = conllu.loads(text)
    assert same(again, bank)
    assert conllu.dumps(again) == text
    assert again.diagnosis == ()


def test_a_range_of_an_underscore_leaves_nothing_out() -> None:
    text = "0.1\tb\t_\t_\t_\t_\t_\t_\t_\t0\n1-1\t_\t_\t_\t_\t_\t_\t_\t_\t_\n1\ta\t_\t_\t_\t_\t0\t_\t_\t_\n\n"
    assert conllu.loads(text).diagnosis == ()
    assert conllu.dumps(conllu.loads(text)) == text
    (actual,) = conllu.loads(text.replace("1-1\t_\t_", "1-1\t_\ta")).diagnosis
    assert actual.total == 1


@given(treebanks(dependencies=True))
def test_what_constituents_leave_is_the_same(bank: Treebank) -> None:
    again = conllu.loads(conllu.dumps(bank))
    assert again.tokens.head.tolist() == bank.tokens.head.tolist()
    for column in ("form", "pos", "morph", "relation", "misc"):
        assert strings(again, "tokens", column) == strings(bank, "tokens", column)
    assert validate(again) == []


def test_more_strings_than_the_table_has_room_for_at_first() -> None:
    text = "".join("".join(row(n + 1, f"w{17 * s + n}") for n in range(17)) + "\n" for s in range(400))
    bank = conllu.loads(text)
    assert strings(bank, "tokens", "form") == [f"w{n}" for n in range(6800)]
    assert conllu.dumps(bank) == text


# What is refused


@pytest.mark.parametrize(
    ("text", "line", "fields"),
    [
        ("1\ta\t_\n", 1, {"line": 4, "sentence": "2", "names": ("10",)}),
        ("prose\n", 1, {"line": 4, "sentence": "2", "names": ("prose", "10")}),
        (row(1) + row(2)[:-1] + "\t_\n", 2, {"line": 5, "sentence": "2", "names": ("11",)}),
        (row(1).replace("\t", " "), 1, {"line": 4, "sentence": "2", "names": ("1 x _ _ _ _ _ _ _ _",)}),
        (row(1, ""), 1, {"line": 4, "sentence": "2", "actual": "an empty form of 1"}),
        ("1-1\t\t_\t_\t_\t_\t_\t_\t_\t_\n" + row(1), 1, {"line": 4, "sentence": "2", "names": ("1-1",)}),
        (row(1) + row(3), 2, {"line": 5, "sentence": "2", "names": ("'3'",)}),
        (row(1) + row(1), 2, {"line": 5, "sentence": "2", "names": ("'1'",)}),
        (row(0), 1, {"line": 4, "sentence": "2", "names": ("'0'",)}),
        (row("01"), 1, {"line": 4, "sentence": "2", "names": ("'01'",)}),
        (row("_"), 1, {"line": 4, "sentence": "2", "names": ("'_'",)}),
        (row("a"), 1, {"line": 4, "sentence": "2", "names": ("'a'",)}),
        (row(""), 1, {"line": 4, "sentence": "2", "actual": "the number ''"}),
        (row("99999999999999999999"), 1, {"line": 4, "sentence": "2", "names": ("99999999999999999999",)}),
        (row(1) + row("2.1"), 2, {"line": 5, "sentence": "2", "names": ("2.1",)}),
        (row(1) + row("1.2"), 2, {"line": 5, "sentence": "2", "names": ("1.2",)}),
        (row(1) + row("1.1") + row("1.1"), 3, {"line": 6, "sentence": "2", "names": ("1.1",)}),
        (row(1) + row("1.x"), 2, {"line": 5, "sentence": "2", "names": ("1.x",)}),
        (
            row(1) + row("2-3") + row("1.1") + row(2) + row(3),
            3,
            {"line": 6, "sentence": "2", "names": ("1.1",)},
        ),
        (row(1, head="x"), 1, {"line": 4, "sentence": "2", "names": ("'x'",)}),
        (row(1, head="-1"), 1, {"line": 4, "sentence": "2", "names": ("'-1'",)}),
        (row(1, head="02"), 1, {"line": 4, "sentence": "2", "names": ("'02'",)}),
        (row(1, head="1.1"), 1, {"line": 4, "sentence": "2", "names": ("1.1",)}),
        (row(1, head=3) + row(2, head=1), 1, {"line": 4, "sentence": "2", "actual": "the head 3 of 1"}),
        (row("2-3") + row(1), 1, {"line": 4, "sentence": "2", "names": ("2-3",)}),
        (row(1) + row("2-1") + row(2), 2, {"line": 5, "sentence": "2", "names": ("2-1",)}),
        (row("1-2") + row("1-2") + row(1) + row(2), 2, {"line": 5, "sentence": "2", "names": ("1-2",)}),
        (
            row("1-2") + row(1) + row("2-3") + row(2) + row(3),
            3,
            {"line": 6, "sentence": "2", "names": ("2-3",)},
        ),
        (row("1-x") + row(1), 1, {"line": 4, "sentence": "2", "names": ("1-x",)}),
        (row(1) + row("2-3") + row(2), 2, {"line": 5, "sentence": "2", "names": ("2-3",)}),
        (row(1) + "# late\n" + row(2), 2, {"line": 5, "sentence": "2", "names": ("# late",)}),
        ("# only comments\n", None, {"actual": "no words"}),
        ("", None, {"actual": "no words"}),
        (" \n\n", None, {"actual": "no words"}),
    ],
)
def test_errors(text: str, line: int | None, fields: dict[str, object]) -> None:
    before = "# sent_id = fine\n" + row(1) + "\n" if line else ""
    with raises(FormatError, **fields) as error:
        conllu.loads(before + text)
    assert error.value.line == (line + 3 if line else None)


def test_errors_name_file_line_and_sentence(tmp_path: Path) -> None:
    path = tmp_path / "bad.conllu"
    path.write_text(f"{row(1)}\n# text = x\n# sent_id = Ä7\n{row(1, head='to')}", encoding="utf-8")
    with raises(FormatError, "'to'", line=5, sentence="Ä7"):
        conllu.load(path)


def test_files_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "bad.conllu"
    path.write_bytes((row(1) + row(2, "Grün")).encode("latin-1"))
    with raises(FormatError, file="bad.conllu", line=2, actual="the byte 0xfc, which is not utf-8"):
        conllu.load(path)
    assert conllu.load(path, encoding="latin-1").words(0) == ["x", "Grün"]
    path.write_bytes(b"\0\1\2")
    with raises(FormatError, actual="binary data"):
        conllu.load(path)
    path.write_bytes(b"")
    with raises(FormatError, actual="an empty file"):
        conllu.load(path)
    with raises(MissingFileError, file="missing.conllu"):
        conllu.load(tmp_path / "missing.conllu")


def test_cycles_and_several_roots_are_read() -> None:
    bank = conllu.loads(row(1, head=2) + row(2, head=1) + "\n" + row(1, head=0) + row(2, head=0))
    assert bank.tokens.head.tolist() == [1, 0, ROOT, ROOT]
    assert {problem.sentence for problem in validate(bank)} == {0, 1}


# Real files


def real_files(shared_data: Path) -> list[Path]:
    patterns = ("conll18/*/*.conllu", "farpahc/ud/*.conllu", "gum/dep/*.conllu")
    return [path for pattern in patterns for path in sorted(shared_data.glob(pattern))]


def test_real_files_come_back_byte_for_byte(shared_data: Path) -> None:
    files = real_files(shared_data)
    assert len(files) == 99
    for path in files:
        data = path.read_bytes()
        bank = conllu.load(path)
        written = conllu.dumps(bank).encode()
        if path.parent.name == "UDPipe-Future":
            # It leaves FEATS blank where it means `_`.
            assert sum(finding.total for finding in bank.diagnosis) == data.count(b"\t\t") > 6000
            assert written == data.replace(b"\t\t", b"\t_\t")
        else:
            assert bank.diagnosis == ()
            assert written == data, path
        assert len(bank) == data.count(b"\n\n")


def test_real_files_fit_together(shared_data: Path) -> None:
    for path in real_files(shared_data)[::7]:
        assert validate(conllu.load(path)) == []


def test_farpahc_counts(shared_data: Path) -> None:
    bank = Treebank.concatenate([conllu.load(p) for p in sorted(shared_data.glob("farpahc/ud/*.conllu"))])
    roots = np.add.reduceat((bank.tokens.head == ROOT).astype(int), bank.tokens.offsets[:-1])
    assert (roots == 1).all()
    assert bank.sentence_id(0) == "1928.NTACTS.REL-BIB,.1-dev"


def test_lines_that_a_reader_mends_are_counted() -> None:
    sentence = "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n"
    bank = conllu.loads(f"\n{sentence}\n\n \n{sentence} \n")
    (finding,) = bank.diagnosis
    assert finding.event == "blank lines that have white space or end no sentence"
    assert finding.counts.tolist() == [1, 3]
    assert not conllu.loads(f"{sentence}\n{sentence}\n").diagnosis
