"""exportXML: what it says of words, nodes, edges and dependencies, what is left out, and its errors."""

import gzip
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from crossbank.treebanks import NO_PARENT, ROOT, UNATTACHED, FormatError, Treebank
from crossbank.treebanks.errors import MissingFileError
from crossbank.treebanks.formats import OptionError, exportxml, read, write
from crossbank.workflow.commands.cli import main
from tests.errors import raises
from tests.validity import validate

DOCUMENT = """\
<?xml version="1.0" encoding="utf-8"?>
<exml-doc>
<schema><node name="sentence" locality="text"/><tnode name="word"/></schema>
<body serialization="inline">
<text xml:id="text_0" origin="Brief.1">
<topic xml:id="topic_0" description="Garten">
<sentence xml:id="s7">
 <node xml:id="s7_504" cat="SIMPX" func="--">
  <node xml:id="s7_501" cat="VF" func="-" parent="s7_504">
   <node xml:id="s7_500" cat="NX" func="ON" parent="s7_501">
    <relation type="anaphoric" target="s3_500"/>
    <ne xml:id="ne_1" type="PER">
     <word xml:id="s7_1" form="&#196;nne" pos="NE" morph="nsf" lemma="&#196;nne" func="HD" parent="s7_500"
      comment="Anne" dephead="s7_3" deprel="SUBJ"/>
    </ne>
   </node>
  </node>
  <word xml:id="s7_2" form="," pos="$," lemma="," func="--" deprel="ROOT"/>
  <node xml:id="s7_503" cat="LK" func="-" parent="s7_504">
   <node xml:id="s7_502" cat="VXFIN" func="HD" parent="s7_503">
    <secEdge cat="refvc" parent="s7_500"/>
    <word xml:id="s7_3" form="gr&#228;bt" pos="VVFIN" morph="3sis" lemma="graben" func="HD" parent="s7_502"
     deprel="ROOT"><secEdge cat="refint" parent="s7_1"/></word>
   </node>
  </node>
 </node>
</sentence>
</topic>
<sentence xml:id="s8" mood="kurz" span="s8_1..s8_2">
 <edu xml:id="edu_1"><node xml:id="s8_500" cat="NX" func="--" span="s8_1..s8_2">
  <word xml:id="s8_1" form="Rosen" pos="NN" func="HD" parent="s8_500"/></node></edu>
</sentence>
<edu xml:id="edu_2"><word xml:id="s8_2" form="&amp;" pos="KON" func="-" parent="s8_500" dephead="s8_1"/></edu>
</text>
</body>
</exml-doc>
"""


def strings(bank: Treebank, table: str, column: str) -> list[str]:
    return bank.vocabulary.decode(getattr(getattr(bank, table), column))


def test_two_sentences() -> None:
    bank = exportxml.loads(DOCUMENT)
    assert [bank.words(i) for i in range(2)] == [["Änne", ",", "gräbt"], ["Rosen", "&"]]
    assert strings(bank, "tokens", "lemma") == ["Änne", ",", "graben", "", ""]
    assert strings(bank, "tokens", "pos") == ["NE", "$,", "VVFIN", "NN", "KON"]
    assert strings(bank, "tokens", "morph") == ["nsf", "", "3sis", "", ""]
    assert strings(bank, "tokens", "function") == ["HD", "--", "HD", "HD", "-"]
    assert strings(bank, "tokens", "misc") == ["comment=Anne", "", "", "", ""]
    assert strings(bank, "nodes", "label") == ["SIMPX", "VF", "NX", "LK", "VXFIN", "NX"]
    assert strings(bank, "nodes", "function") == ["--", "-", "ON", "-", "HD", "--"]
    assert strings(bank, "nodes", "name") == ["504", "501", "500", "503", "502", "500"]
    assert bank.tokens.parent.tolist() == [2, NO_PARENT, 4, 0, 0]
    assert bank.nodes.parent.tolist() == [NO_PARENT, 0, 1, 0, 3, NO_PARENT]
    assert [bank.sentence_id(i) for i in range(2)] == ["s7", "s8"]
    assert strings(bank, "sentences", "comments") == ["document = Brief.1", "document = Brief.1\nmood = kurz"]
    assert bank.sentences.line.tolist() == [7, 29]


def test_the_dependencies_of_the_file() -> None:
    bank = exportxml.loads(DOCUMENT)
    assert bank.tokens.head.tolist() == [2, ROOT, ROOT, UNATTACHED, 0]
    assert strings(bank, "tokens", "relation") == ["SUBJ", "ROOT", "ROOT", "", ""]


def test_secondary_edges() -> None:
    bank = exportxml.loads(DOCUMENT)
    assert strings(bank, "secondary", "label") == ["refint", "refvc"]
    assert (bank.secondary.child.tolist(), bank.secondary.parent.tolist()) == ([2, -5], [0, -3])


def test_what_has_no_place_is_counted_with_its_sentence() -> None:
    actual = {f.event: f.counts.tolist() for f in exportxml.loads(DOCUMENT).diagnosis}
    assert actual == {
        "elements <topic> dropped": [1, 0],
        "elements <relation> dropped": [1, 0],
        "elements <ne> dropped": [1, 0],
        "elements <edu> dropped": [0, 2],
    }
    unparented = DOCUMENT.replace(' func="-" parent="s7_504"', ' func="OA"', 1)
    actual = {f.event: f.counts.tolist() for f in exportxml.loads(unparented).diagnosis}
    assert actual["words and nodes with a function and without a parent"] == [1, 0]


def test_a_namespace_changes_nothing() -> None:
    named = exportxml.loads(DOCUMENT.replace("<exml-doc>", '<exml-doc xmlns="http://example.org/exml">'))
    assert named.equals(exportxml.loads(DOCUMENT))


def test_lines_of_a_long_file() -> None:
    padded = DOCUMENT.replace("<schema>", "<schema>" + "\n" * 70_000)
    assert exportxml.loads(padded).sentences.line.tolist() == [70_007, 70_029]


def test_entities_are_not_replaced() -> None:
    bomb = DOCUMENT.replace(
        "<exml-doc>", '<!DOCTYPE e [<!ENTITY x SYSTEM "file:///etc/hostname">]><exml-doc>', 1
    )
    assert exportxml.loads(bomb.replace("<topic", "&x;<topic")).words(1) == ["Rosen", "&"]


@pytest.mark.parametrize(
    ("old", "new", "fields"),
    [
        (' xml:id="s7_504"', "", {"line": 8, "sentence": "s7", "names": ("<node>", "xml:id")}),
        (' cat="SIMPX"', "", {"line": 8, "sentence": "s7", "names": ("<node>", "cat")}),
        (' form="Rosen"', "", {"line": 31, "sentence": "s8", "names": ("<word>", "form")}),
        (' xml:id="s8"', "", {"line": 29, "names": ("<sentence>", "xml:id")}),
        ('id="s7_500"', 'id="s7_501"', {"line": 10, "sentence": "s7", "names": ("s7_501",)}),
        ('id="s8" mood', 'id="s7" mood', {"line": 29, "names": ("s7",)}),
        ('parent="s7_501"', 'parent="s7_9"', {"line": 10, "sentence": "s7", "names": ("s7_9",)}),
        ('parent="s7_501"', 'parent="s7_3"', {"line": 10, "sentence": "s7", "names": ("s7_3",)}),
        ('head="s7_3"', 'head="s7_9"', {"line": 13, "sentence": "s7", "names": ("s7_9",)}),
        ('head="s7_3"', 'head="s7_503"', {"line": 13, "sentence": "s7", "names": ("s7_503",)}),
        ('head="s8_1"', 'head="s8_2"', {"line": 33, "sentence": "s8", "names": ("s8_2",)}),
        (
            '"SIMPX" func="--"',
            '"SIMPX" func="-" parent="s7_502"',
            {"line": 8, "sentence": "s7", "names": ("s7_504",)},
        ),
        (
            'refvc" parent="s7_500"',
            'refvc"',
            {"line": 21, "sentence": "s7", "names": ("<secEdge>", "parent")},
        ),
        ('refvc" parent="s7_500"', 'refvc" parent="x"', {"line": 21, "sentence": "s7", "actual": "parent x"}),
        (
            "</topic>",
            '</topic><secEdge parent="s7_1"/>',
            {"line": 28, "sentence": "s7", "names": ("<secEdge>",)},
        ),
        ('xml:id="s8_2"', 'xml:id="s9_2"', {"line": 33, "sentence": "s8", "names": ("s9_2",)}),
        ("<topic", '<word xml:id="s1_1" form="x"/><topic', {"line": 6, "names": ("s1_1",)}),
        ("<edu", '<sentence xml:id="s9"/><edu', {"line": 30, "sentence": "s8", "names": ("<sentence>",)}),
        ("</topic>", "", {"line": 34, "names": ("<topic>",)}),
        ("</body>", "", {"line": 36, "names": ("<body>",)}),
        (DOCUMENT, "", {"actual": "an empty file"}),
        (DOCUMENT, "#BOS 1", {"line": 1}),
        ("<body", "<foot/><x", {"line": 35, "names": ("<x>",)}),
        (DOCUMENT, "<a><s/></a>", {"names": ("<sentence>", "<body>")}),
    ],
)
def test_errors(old: str, new: str, fields: dict[str, object]) -> None:
    assert old in DOCUMENT
    with raises(FormatError, **fields):
        exportxml.loads(DOCUMENT.replace(old, new, 1))


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "a.exportxml"
    path.write_text(DOCUMENT, encoding="utf-8")
    assert read(path).equals(exportxml.loads(DOCUMENT), ignore=["source"])
    with raises(OptionError, kind="format to write", value="exportxml"):
        write(read(path), tmp_path / "b.exportxml")
    latin = tmp_path / "latin.xml.gz"
    latin.write_bytes(gzip.compress(DOCUMENT.replace("utf-8", "iso-8859-1").encode("latin-1")))
    assert read(latin, "exportxml").words(0)[0] == "Änne"
    latin.write_bytes(latin.read_bytes()[:80])
    with raises(FormatError, file="latin.xml.gz"):
        read(latin, "exportxml")
    with raises(MissingFileError, file="none.xml"):
        exportxml.load(tmp_path / "none.xml")


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = tmp_path / "a.xml", tmp_path / "a.conllu"
    source.write_text(DOCUMENT, encoding="utf-8")
    assert main(["info", str(source), "--format", "exportxml"]) == 0
    assert re.search(r"^tokens +5$", capsys.readouterr().out, re.M)
    assert main(["convert", str(source), str(target), "--from", "exportxml"]) == 0
    assert "read: elements <edu> dropped: 2 in 1 sentence" in capsys.readouterr().err
    assert "1\tÄnne\tÄnne\tNE\t_\tnsf\t3\tSUBJ\t_\tcomment=Anne\n" in target.read_text("utf-8")
    assert (
        main(
            ["convert", str(source), str(target), "--from", "exportxml", "--scheme", "tuebadz", "--ud", "no"]
        )
        == 0
    )
    lines = target.read_text("utf-8").split("\n")
    assert [line.split("\t")[6:8] for line in lines if "\t" in line][:3] == [
        ["3", "SUBJ"], ["3", "punct"], ["0", "root"],
    ]  # fmt: skip
    own = ["--scheme", "tuebadz", "--transform", "dependencies:coordination=all"]
    assert main(["convert", str(source), str(target), "--from", "exportxml", *own]) == 0
    assert "\t3\tON\t" in target.read_text("utf-8")
    capsys.readouterr()
    assert main(["info", str(source)]) == 0  # its first lines tell it from TIGER-XML
    assert re.search(r"^tokens +5$", capsys.readouterr().out, re.M)


@pytest.fixture(scope="module")
def real(shared_data: Path) -> tuple[str, Treebank]:
    path = shared_data / "tuebadz-masked" / "exportxml-example.xml"
    return path.read_text("utf-8").partition("<body")[2], read(path, "exportxml")


def test_nothing_of_the_real_treebank_is_lost(real: tuple[str, Treebank]) -> None:
    text, bank = real
    elements = Counter(re.findall(r"<([\w-]+)", text))
    assert (len(bank), len(bank.tokens), len(bank.nodes)) == (102, 1780, 2224)
    assert (elements["sentence"], elements["word"], elements["node"]) == (102, 1780, 2224)
    assert elements["secEdge"] == len(bank.secondary) == 5
    assert text.count(' parent="s') - 5 == (bank.tokens.parent >= 0).sum() + (bank.nodes.parent >= 0).sum()
    counted = {f.event: f.total for f in bank.diagnosis}
    others = set(elements) - {"sentence", "word", "node", "secEdge", "text"}
    assert counted == {f"elements <{name}> dropped": elements[name] for name in others}
    assert {p.what[1:] for p in validate(bank)} <= {
        f"{n} roots of its dependencies, not one" for n in ("", 1)
    }


def test_words_of_the_real_treebank_stand_in_order(real: tuple[str, Treebank]) -> None:
    text, bank = real
    forms = re.findall(r'<word xml:id="(s\d+)_(\d+)" form="([^"]*)" pos="([^"]*)"', text)
    expected = [
        (bank.sentence_id(i), str(index), form, pos)
        for i in range(len(bank))
        for index, (form, pos) in enumerate(
            zip(
                bank.words(i),
                bank.vocabulary.decode(bank.tokens.pos[bank.tokens.rows(i)]),
                strict=True,
            ),
            1,
        )
    ]
    assert forms == expected


def test_dependencies_of_the_real_treebank(real: tuple[str, Treebank]) -> None:
    text, bank = real
    relations = Counter(bank.vocabulary.decode(bank.tokens.relation))
    assert relations == Counter(re.findall(' deprel="([^"]*)"', text))
    assert (bank.tokens.head >= 0).sum() == text.count(" dephead=") == 1418
    roots = np.flatnonzero(bank.tokens.head == ROOT)
    assert set(bank.vocabulary.decode(bank.tokens.relation[roots])) == {"ROOT"}
