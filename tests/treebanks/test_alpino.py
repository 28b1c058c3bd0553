"""Alpino XML: words out of order, references, metadata, identifiers, and its errors."""

from pathlib import Path

import pytest

from crossbank.treebanks import FormatError, Treebank
from crossbank.treebanks.formats import alpino, read, write
from crossbank.treebanks.tables import node_end
from tests.validity import validate

WANTS = """\
<?xml version="1.0" encoding="UTF-8"?>
<alpino_ds version="1.3">
  <parser cats="1" skips="0"/>
  <node begin="0" cat="top" end="5" id="0" rel="top">
    <node begin="0" cat="smain" end="4" id="1" rel="--">
      <node begin="0" end="1" index="1" lemma="Anna" postag="SPEC()" pt="spec" rel="su" word="Anna"/>
      <node begin="1" end="2" id="3" lemma="willen" postag="WW(pv)" pt="ww" rel="hd" word="wil" wvorm="pv"/>
      <node begin="0" cat="inf" end="4" id="4" rel="vc">
        <node begin="0" end="1" id="5" index="1" rel="su"/>
        <node begin="3" end="4" id="7" lemma="kopen" postag="WW(inf)" pt="ww" rel="hd" word="kopen"/>
        <node begin="2" end="3" id="6" lemma="brood" postag="N(soort)" pt="n" rel="obj1" word="brood"/>
      </node>
    </node>
    <node begin="4" end="5" id="8" lemma="." postag="LET()" pt="let" rel="--" word="."/>
  </node>
  <sentence sentid="7">Anna wil brood kopen .</sentence>
  <metadata><meta type="text" name="uttid" value="12"/></metadata>
</alpino_ds>
"""


def strings(bank: Treebank, table: str, column: str) -> list[str]:
    return bank.vocabulary.decode(getattr(getattr(bank, table), column))


def test_a_sentence_with_a_shared_subject() -> None:
    bank = alpino.loads(WANTS)
    validate(bank)
    assert strings(bank, "tokens", "form") == ["Anna", "wil", "brood", "kopen", "."]
    assert strings(bank, "tokens", "pos") == ["spec", "ww", "n", "ww", "let"]
    assert strings(bank, "tokens", "xpos")[0] == "SPEC()"
    assert strings(bank, "tokens", "lemma") == ["Anna", "willen", "brood", "kopen", "."]
    assert strings(bank, "tokens", "function") == ["su", "hd", "obj1", "hd", "--"]
    assert strings(bank, "tokens", "misc")[1] == "wvorm=pv"
    assert strings(bank, "nodes", "label") == ["top", "smain", "inf"]
    assert strings(bank, "nodes", "function") == ["top", "--", "vc"]
    assert strings(bank, "nodes", "name") == ["0", "1", "4"]
    assert bank.tokens.parent.tolist() == [1, 1, 2, 2, 0]
    assert strings(bank, "secondary", "label") == ["su"]
    assert (bank.secondary.child.tolist(), bank.secondary.parent.tolist()) == ([0], [node_end(2)])
    assert bank.sentence_id(0) == "7"
    assert strings(bank, "sentences", "comments") == ["uttid = 12"]
    counts = {finding.event: int(finding.counts.sum()) for finding in bank.diagnosis}
    assert counts == {"elements <parser> dropped": 1}


def test_a_treebank_in_one_file_and_sentences_in_files_of_their_own(tmp_path: Path) -> None:
    sentence = WANTS.partition("?>\n")[2].replace(' sentid="7"', "")
    (tmp_path / "wants.12.xml").write_text(sentence, encoding="utf-8")
    assert read(tmp_path / "wants.12.xml").sentence_id(0) == "wants"
    (tmp_path / "all.xml").write_text(f"<treebank>\n{sentence}{WANTS.partition('?>')[2]}</treebank>\n")
    bank = read(tmp_path / "all.xml")
    assert [bank.sentence_id(index) for index in range(len(bank))] == ["1", "7"]
    write(bank, tmp_path / "all.export")
    assert strings(read(tmp_path / "all.export"), "nodes", "label") == ["top", "smain", "inf"] * 2


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ('word="wil" ', "", 7),
        ('index="1" rel="su"/>', 'index="2" rel="su"/>', 9),
        ('begin="3" end="4" id="7"', 'begin="x" end="4" id="7"', 10),
        ('begin="3" end="4" id="7"', 'begin="3" end="4" index="1" id="7"', 10),
        ('cat="inf"', 'word="inf"', 11),
        ('cat="smain"', 'index="1"', 6),
        ("</alpino_ds>", "", 19),
    ],
)
def test_errors_name_the_line(old: str, new: str, line: int) -> None:
    assert old in WANTS
    with pytest.raises(FormatError) as raised:
        alpino.loads(WANTS.replace(old, new, 1))
    assert raised.value.line == line


def test_xml_without_a_sentence() -> None:
    with pytest.raises(FormatError):
        alpino.loads("<treebank></treebank>")


def test_constituents_of_references_alone_are_counted() -> None:
    bank = alpino.loads(WANTS.replace('word="kopen"', 'cat="x"').replace('word="brood"', 'cat="y"'))
    counts = {finding.event: int(finding.counts.sum()) for finding in bank.diagnosis}
    assert counts["nodes without a word dropped"] == 3
