"""TIGER-XML: its quirks, its errors, and that writing and reading give the same treebank."""

import gzip
import io
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, note

from crossbank.treebanks import NO_PARENT, FormatError, Treebank
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.errors import MissingFileError, OptionError, SentenceError
from crossbank.treebanks.formats import bracket, export, tigerxml
from crossbank.treebanks.formats.xml_events import KnownEntities
from tests.errors import raises
from tests.strategies import treebanks

CORPUS = """\
<?xml version="1.0" encoding="utf-8" standalone="yes"?>
<corpus id="c">
<head><meta><name>small</name></meta><annotation><feature name="word" domain="T"/></annotation></head>
<body>
<s id="s5" art_id="8288">
<graph root="s5_501" discontinuous="true">
<terminals>
<t id="s5_1" word="B&#252;cher" lemma="Buch" pos="NN" morph="Acc.Pl" case="Acc" number="--"/>
<t id="s5_2" word="&quot;hat&quot;" lemma="haben" pos="VAFIN" morph="--">
<secedge label="HD" idref="s5_500"/>
</t>
<t id="s5_3" word="gelesen" lemma="lesen" pos="VVPP" morph="--"/>
<t id="s5_4" word="." lemma="--" pos="$." morph="--"/>
</terminals>
<nonterminals>
<nt id="s5_500" cat="VP">
<edge label="OA" idref="s5_1"/>
<edge label="HD" idref="s5_3"/>
<secedge label="OC" idref="s5_501"/>
</nt>
<nt id="s5_501" cat="S">
<edge label="HD" idref="s5_2"/>
<edge idref="s5_500"/>
</nt>
</nonterminals>
</graph>
</s><s id="s6">
<graph root="s6_VROOT">
<terminals><t id="s6_1" word="Ja"/></terminals>
<nonterminals><nt id="s6_VROOT" cat="VROOT"><edge label="--" idref="s6_1"/></nt></nonterminals>
</graph></s>
</body>
</corpus>
"""


def strings(bank: Treebank, table: str, column: str) -> list[str]:
    return bank.vocabulary.decode(getattr(getattr(bank, table), column))


def test_two_sentences() -> None:
    bank = tigerxml.loads(CORPUS)
    assert bank.words(0) == ["Bücher", '"hat"', "gelesen", "."]
    assert bank.tokens.parent.tolist() == [1, 0, 1, NO_PARENT, 0]
    assert strings(bank, "tokens", "lemma") == ["Buch", "haben", "lesen", "", ""]
    assert strings(bank, "tokens", "pos") == ["NN", "VAFIN", "VVPP", "$.", ""]
    assert strings(bank, "tokens", "morph") == ["Acc.Pl", "", "", "", ""]
    assert strings(bank, "tokens", "misc") == ["case=Acc", "", "", "", ""]
    assert strings(bank, "tokens", "function") == ["OA", "HD", "HD", "", ""]
    assert strings(bank, "nodes", "label") == ["S", "VP", "VROOT"]
    assert strings(bank, "nodes", "name") == ["501", "500", "VROOT"]
    assert strings(bank, "nodes", "function") == ["", "", ""]
    assert strings(bank, "secondary", "label") == ["HD", "OC"]
    assert bank.secondary.child.tolist() == [1, -2]
    assert bank.secondary.parent.tolist() == [-2, -1]
    assert [bank.sentence_id(i) for i in range(2)] == ["s5", "s6"]
    assert strings(bank, "sentences", "comments") == ["art_id = 8288", ""]
    assert bank.sentences.line.tolist() == [5, 27]
    assert bank.spans.fan_out.tolist() == [1, 2, 1]
    assert bank.diagnosis == ()


def test_written() -> None:
    written = tigerxml.dumps(tigerxml.loads(CORPUS))
    head = re.findall("<feature name=.*|<(?:sec)?edgelabel>", written)
    assert head == [
        '<feature name="word" domain="T"/>',
        '<feature name="cat" domain="NT">',
        '<feature name="lemma" domain="T"/>',
        '<feature name="pos" domain="T">',
        '<feature name="morph" domain="T">',
        '<feature name="case" domain="T"/>',
        "<edgelabel>",
        "<secedgelabel>",
    ]
    assert (
        '<feature name="cat" domain="NT">\n<value name="--"/>\n<value name="S"/>\n<value name="VP"/>\n'
        in written
    )
    assert '<s id="s5" art_id="8288">\n<graph root="s5_VROOT">\n' in written
    assert (
        '<nt id="s5_VROOT" cat="--">\n<edge label="--" idref="s5_501"/>\n<edge label="--" idref="s5_4"/>\n'
        in written
    )
    assert '<t id="s5_4" word="." lemma="--" pos="$." morph="--"/>' in written
    assert '<t id="s5_2" word="&quot;hat&quot;" lemma="haben" pos="VAFIN" morph="--">\n<secedge' in written
    assert (
        '<nt id="s5_501" cat="S">\n<edge label="--" idref="s5_500"/>\n<edge label="HD" idref="s5_2"/>\n</nt>'
        in written
    )
    assert tigerxml.loads(written).equals(tigerxml.loads(CORPUS), ignore=["line"])


def test_features_of_both_tokens_and_nodes_are_declared_once() -> None:
    text = CORPUS.replace('cat="VP"', 'cat="VP" morph="fin" case="x"')
    written = tigerxml.dumps(tigerxml.loads(text))
    assert '<feature name="morph" domain="FREC">' in written
    assert '<feature name="case" domain="FREC"/>' in written
    assert tigerxml.loads(written).equals(tigerxml.loads(text), ignore=["line"])


def test_functions_of_roots_and_identifiers_survive() -> None:
    """Of parts right below the root of an export file the function was lost, and sentence 1 became s1."""
    text = "#FORMAT 3\n#BOS 1\nGut\tADJD\t--\tPD\t500\n.\t$.\t--\tPU\t0\n#500\tAP\t--\tDM\t0\n#EOS 1\n"
    bank = export.loads(text)
    written = tigerxml.dumps(bank)
    assert '<s id="s1" orig_id="1">\n<graph root="s1_VROOT">' in written
    assert '<edge label="DM" idref="s1_500"/>\n<edge label="PU" idref="s1_2"/>' in written
    again = tigerxml.loads(written)
    assert again.sentence_id(0) == "1"
    assert strings(again, "tokens", "function") == ["PD", "PU"]
    assert strings(again, "nodes", "function") == ["DM"]
    bank = bank.with_strings("tokens", "morph", lambda _: "").with_strings("nodes", "morph", lambda _: "")
    assert again.equals(bank, ignore=["line", "source"])


def test_every_attribute_that_disco_dop_needs_is_written() -> None:
    """Its reader fails where a terminal has no lemma, tag or morphology, or an edge no label."""
    written = tigerxml.dumps(bracket.loads("(S (NP (NN Anna)) schläft)"))
    terminals = re.findall("<t .*/>", written)
    assert [re.findall(r"(\w+)=", terminal) for terminal in terminals] == [
        ["id", "word", "lemma", "pos", "morph"]
    ] * 2
    assert written.count("<edge ") == written.count('<edge label="--"') == 4
    assert '<value name="--"/>' in written.partition("<edgelabel>")[2]


def test_children_stand_before_their_parents() -> None:
    written = tigerxml.dumps(tigerxml.loads(CORPUS))
    for node in re.finditer(r'<nt id="(\w+)"(?:.*\n)*?</nt>', written):
        for child in re.findall(r'<edge .*idref="(\w+)"', node[0]):
            assert written.index(f' id="{child}"') < node.start()


def test_identifiers_that_xml_does_not_allow() -> None:
    builder = TreebankBuilder()
    for identifier in ("", "x/4", "s1"):
        builder.sentence(id=identifier)
        builder.node(label="S")
        builder.token(form="x", parent=0)
    written = tigerxml.dumps(builder.build())
    assert re.findall("<(?:s|nt) id=[^ >]*", written) == [
        '<s id="s1"', '<nt id="s1_500"', '<nt id="s1_VROOT"',
        '<s id="x_4"', '<nt id="x_4_500"', '<nt id="x_4_VROOT"',
        '<s id="s1"', '<nt id="s1_500"', '<nt id="s1_VROOT"',
    ]  # fmt: skip


def test_every_sentence_has_a_virtual_root_because_disco_dop_drops_the_topmost_node() -> None:
    """It took the VP of a heading, ``Auf Eis gelegt``, for the virtual root and lost the constituent."""
    bank = bracket.loads("(VP (PP (APPR Auf) (NN Eis)) (VVPP gelegt))\n(NN Ja)\n()")
    written = tigerxml.dumps(bank)
    assert re.findall("<graph[^>]*>", written) == [
        '<graph root="s1_VROOT">', '<graph root="s2_VROOT">', "<graph>",
    ]  # fmt: skip
    assert tigerxml.loads(written).equals(bank, ignore=["line", "source", "id", "name"])


def test_node_names_that_are_numbers_of_tokens_are_replaced() -> None:
    text = CORPUS.replace("s5_500", "s5_x2").replace("s5_501", "q")
    assert strings(tigerxml.loads(text), "nodes", "name") == ["q", "x2", "VROOT"]
    bank = tigerxml.loads(tigerxml.dumps(tigerxml.loads(text.replace("s5_x2", "2"))))
    assert strings(bank, "nodes", "name") == ["501", "500", "VROOT"]


def test_what_is_no_attribute_is_kept_in_one_named_misc_or_comments() -> None:
    bank = tigerxml.loads(CORPUS)
    vocabulary, codes = bank.vocabulary.extended(
        ["R=x.2:500", "a|b", "pos=NN", "a=--", "x y=1", "one\ntwo = 2\n<3>"]
    )
    misc, comments = codes[:5], codes[[5, 5]]
    bank = bank.replace(
        vocabulary=vocabulary,
        tokens=bank.tokens.replace(misc=misc),
        sentences=bank.sentences.replace(comments=comments),
    )
    written = tigerxml.dumps(bank)
    for attribute in ('R="x.2:500"', 'misc="a|b"', 'misc="pos=NN"', 'misc="a=--"', 'misc="x y=1"'):
        assert f" {attribute}" in written
    assert '<s id="s6" two="2" comments="one&#10;&lt;3&gt;">' in written
    read = tigerxml.loads(written)
    assert read.equals(bank, ignore=["line", "comments"])
    assert strings(read, "sentences", "comments") == ["two = 2\none\n<3>"] * 2


def test_unknown_elements_are_counted() -> None:
    bank = tigerxml.loads(CORPUS.replace("</graph>", "<frames/></graph><matches/><!-- x --><?y z?>", 1))
    events = [(f.step, f.event, f.counts.tolist()) for f in bank.diagnosis]
    assert events == [
        ("read", "elements <frames> dropped", [1, 0]),
        ("read", "elements <matches> dropped", [1, 0]),
    ]


def test_terminals_with_an_empty_word_are_counted() -> None:
    text = (
        '<corpus><body><s id="s1"><graph><terminals><t id="s1_1" word="" pos="NN"/>'
        '<t id="s1_2" word="Ja" pos="PTKANT"/></terminals></graph></s></body></corpus>'
    )
    bank = tigerxml.loads(text)
    assert bank.words(0) == ["", "Ja"]
    assert [(finding.event, finding.total) for finding in bank.diagnosis] == [
        ("terminals with an empty word", 1)
    ]


def test_namespaces_do_not_matter() -> None:
    spaced = CORPUS.replace("<corpus ", '<corpus xmlns="http://www.ims.uni-stuttgart.de/projekte/TIGER" ')
    assert tigerxml.loads(spaced).equals(tigerxml.loads(CORPUS))


def test_encodings_entities_and_gzip(tmp_path: Path) -> None:
    expected = tigerxml.loads(CORPUS)
    path = tmp_path / "small.xml"
    doctype = '?>\n<!DOCTYPE corpus [<!ENTITY uuml "&#252;">]>'
    declared = CORPUS.replace("utf-8", "iso-8859-1")
    for data in (
        declared.replace("&#252;", "ü").encode("latin-1"),
        CORPUS.replace("&#252;", "&uuml;").replace("?>", doctype).encode(),
        b"\xef\xbb\xbf" + CORPUS.encode(),
        gzip.compress(CORPUS.encode(), mtime=0),
    ):
        path.write_bytes(data)
        assert tigerxml.load(path).equals(expected, ignore=["source", "line"])
    path.write_bytes(declared.encode("utf-8-sig"))
    assert tigerxml.load(path, encoding="utf-8-sig").equals(expected, ignore=["source"])
    path.write_bytes(CORPUS.replace("&#252;", "ü").encode("latin-1"))
    assert tigerxml.load(path, encoding="latin-1").equals(expected, ignore=["source"])
    with raises(FormatError, line=8):
        tigerxml.load(path)
    with raises(
        OptionError,
        kind="encoding",
        value="klingon",
        allowed="utf-8, latin-1 or another encoding that Python has",
    ):
        tigerxml.load(path, encoding="klingon")
    with raises(FormatError, "HEX"):
        tigerxml.load(path, encoding="hex")
    with raises(OptionError, kind="encoding", value="klingon"):
        tigerxml.dump(expected, path, encoding="klingon")
    packed = tmp_path / "small.xml.gz"
    tigerxml.dump(expected, packed, encoding="latin-1")
    assert b'encoding="ISO-8859-1"' in gzip.decompress(packed.read_bytes())
    assert tigerxml.load(packed).equals(expected, ignore=["source", "line"])


@pytest.mark.parametrize("doctype", ["?>", '?>\n<!DOCTYPE corpus SYSTEM "corpus.dtd">'])
def test_entities_of_html(doctype: str) -> None:
    """With a DTD that is not fetched the parser alone would read ``&uuml;`` as nothing."""
    text = CORPUS.replace("?>", doctype)
    expected = tigerxml.loads(CORPUS)
    umlaut = tigerxml.loads(text.replace("&#252;", "&uuml;"))
    assert umlaut.equals(expected, ignore=["line"])
    line = text[: text.index("&#252;")].count("\n") + 1
    with raises(FormatError, "&umlaut;", line=line):
        tigerxml.loads(text.replace("&#252;", "&umlaut;"))


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_entities_that_the_end_of_a_chunk_cuts(size: int) -> None:
    text = b'<!DOCTYPE c [<!ENTITY own "x">]><c a="&auml;&own;&amp;a&auml"> & </c>&ouml;'
    stream, chunks = KnownEntities(io.BytesIO(text), "text"), []
    while chunk := stream.read(size):
        chunks.append(chunk)
    assert b"".join(chunks) == text.replace(b"&auml;", b"&#228;").replace(b"&ouml;", b"&#246;")


@pytest.mark.parametrize("encoding", ["shift-jis", "klingon"])
def test_a_declared_encoding_that_is_not_read(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "small.xml"
    path.write_text(CORPUS.replace("utf-8", encoding), encoding="ascii")
    with raises(FormatError, file="small.xml"):
        tigerxml.load(path)


def test_nothing_outside_the_file_is_fetched(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret", encoding="utf-8")
    doctype = f'?>\n<!DOCTYPE corpus [<!ENTITY uuml SYSTEM "{secret.as_uri()}">]>'
    text = CORPUS.replace("?>", doctype)
    with raises(FormatError, line=9):
        tigerxml.loads(text.replace("&#252;", "&uuml;"))
    inside = tigerxml.loads(text.replace("<terminals>", "<terminals>&uuml;"))
    assert "secret" not in "".join(inside.vocabulary)


def test_a_bomb_of_entities_is_refused() -> None:
    entities = '<!ENTITY e0 "0123456789">' + "".join(
        f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 9)
    )
    with raises(FormatError, line=1):
        tigerxml.loads(f'<!DOCTYPE c [{entities}]><c><s id="&e8;"/></c>')


@pytest.mark.parametrize(
    ("old", "new", "fields"),
    [
        (
            '"s5_1"/>',
            '"s5_9"/>',
            {"line": 17, "sentence": "s5", "names": ("s5_9",)},
        ),
        (
            '"s5_501"/>',
            '"s5_9"/>',
            {"line": 19, "sentence": "s5", "names": ("s5_9",)},
        ),
        (
            '"s5_2"/>',
            '"s5_1"/>',
            {"line": 22, "sentence": "s5", "names": ("s5_1", "s5_500", "s5_501")},
        ),
        (
            'id="s5_501"',
            'id="s5_500"',
            {"line": 21, "sentence": "s5", "names": ("s5_500",)},
        ),
        (' word="Ja"', "", {"line": 29, "sentence": "s6", "names": ("<t>", "word")}),
        (' cat="S"', "", {"line": 21, "sentence": "s5", "names": ("<nt>", "cat")}),
        (' id="s5_3"', "", {"line": 12, "sentence": "s5", "names": ("<t>", "id")}),
        (
            '<edge idref="s5_500"/>',
            "<edge/>",
            {"line": 23, "sentence": "s5", "names": ("<edge>", "idref")},
        ),
        (
            "secedge label",
            "edge label",
            {"line": 10, "sentence": "s5", "names": ("<edge>", "s5_2")},
        ),
        (
            "</graph>",
            "",
            {"line": 27, "names": ("<graph>",)},
        ),
        (
            "</body>\n</corpus>\n",
            "",
            {"line": 32, "names": ("<body>",)},
        ),
        (CORPUS, "", {"actual": "an empty file"}),
        (CORPUS, "( (S (NP", {"line": 1}),
        (
            "<terminals>",
            "<s/><terminals>",
            {"line": 7, "names": ("<s>",)},
        ),
        (CORPUS, "<corpus/>", {"names": ("<s>", "TIGER-XML")}),
    ],
)
def test_errors(old: str, new: str, fields: dict[str, object]) -> None:
    assert old in CORPUS
    with raises(FormatError, **fields):
        tigerxml.loads(CORPUS.replace(old, new, 1))


def test_nodes_that_dominate_each_other() -> None:
    with raises(
        SentenceError,
        path="text",
        line=5,
        sentence="s5",
        problem="found nodes that dominate each other, expected a tree",
    ):
        tigerxml.loads(CORPUS.replace('idref="s5_3"', 'idref="s5_501"'))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with raises(MissingFileError, file="none.xml"):
        tigerxml.load(tmp_path / "none.xml")
    path = tmp_path / "cut.xml.gz"
    path.write_bytes(gzip.compress(CORPUS.encode())[:60])
    with raises(FormatError, file="cut.xml.gz"):
        tigerxml.load(path)


def test_characters_that_xml_cannot_hold() -> None:
    bank = tigerxml.loads(CORPUS).with_strings("tokens", "form", lambda form: form.replace(".", "\x07"))
    with raises(
        SentenceError,
        path="text",
        line=5,
        sentence="s5",
        problem="found '\\x07', expected characters that XML can hold",
    ):
        tigerxml.dumps(bank)
    other = bank.select([1])
    assert tigerxml.loads(tigerxml.dumps(other)).words(0) == ["Ja"]


@given(treebanks(min_tokens=0))
def test_writing_and_reading_give_the_same_treebank(bank: Treebank) -> None:
    written = tigerxml.dumps(bank)
    note(written)
    read = tigerxml.loads(written)
    assert list(read.sentence_ids) == list(bank.sentence_ids)
    named = [np.all(bank.nodes.name[bank.nodes.rows(i)] > 0) for i in range(len(bank))]
    for sentence in np.flatnonzero(named).tolist():
        rows = bank.nodes.rows(sentence)
        assert read.vocabulary.decode(read.nodes.name[rows]) == bank.vocabulary.decode(bank.nodes.name[rows])
    columns = {
        "tokens": ("lemma", "pos", "morph", "function"),
        "nodes": ("morph", "function"),
        "secondary": ("label",),
    }
    for table, column in [(table, column) for table, names in columns.items() for column in names]:
        bank = bank.with_strings(table, column, lambda string: "" if string == "--" else string)
    assert read.equals(bank, ignore=["id", "line", "source", "name"])
    assert tigerxml.dumps(read) == tigerxml.dumps(bank)


@pytest.mark.slow
def test_the_potsdam_commentary_corpus(shared_data: Path) -> None:
    files = sorted((shared_data / "tiger-pcc" / "syntax").glob("*.xml"))
    bank = Treebank.concatenate([tigerxml.load(path) for path in files])
    assert (len(files), len(bank), len(bank.tokens), len(bank.nodes)) == (176, 2193, 33222, 13808)
    assert (len(bank.discontinuous_sentences), len(bank.secondary)) == (1345, 310)
    content = {str(path): path.read_text("utf-8") for path in files}
    edges = sum(re.sub("<!--.*-->", "", text).count("<edge ") for text in content.values())
    assert edges == (bank.tokens.parent != NO_PARENT).sum() + (bank.nodes.parent != NO_PARENT).sum()
    assert bank.diagnosis == ()
    lines = (bank.where(i).rpartition(":") for i in range(len(bank)))
    lines_of = {path: text.split("\n") for path, text in content.items()}
    for sentence, (path, _, line) in enumerate(lines):
        assert f'id="{bank.sentence_id(sentence)}"' in lines_of[path][int(line) - 1]
    read = tigerxml.loads(tigerxml.dumps(bank))
    assert read.equals(bank, ignore=["line", "source", "ordinal"])
