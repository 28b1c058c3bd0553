r"""Profiles of [incr tsdb()]: derivations, phrase trees, elementary dependencies, preferences, bad input."""

from __future__ import annotations

import json
import shutil
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crossbank.converters.transformations import transform
from crossbank.formalisms.redwoods.formats import tsdb, tsdb_dmrs, tsdb_trees
from crossbank.formalisms.redwoods.formats.tsdb_ambiguity import SUBSETS, ambiguity
from crossbank.formalisms.redwoods.formats.tsdb_derivations import derivation, phrase_tree
from crossbank.formalisms.redwoods.formats.tsdb_tables import Profile
from crossbank.treebanks import CrossbankError, FormatError, Treebank
from crossbank.treebanks.discriminants import Discriminant, disambiguations
from crossbank.treebanks.formats import bracket, format_of, read, relations
from crossbank.treebanks.formats.symbolic_expressions import ExpressionError
from crossbank.treebanks.readings import Ambiguity, chosen_analyses
from crossbank.treebanks.relations.relation import relations_of
from crossbank.workflow.commands.cli import main
from tests.errors import raises, run_failing
from tests.formalisms.redwoods.profiles import (
    CAT,
    CAT_AS_NAME,
    CAT_MRS,
    RAINED,
    Result,
    profile,
    two_readings,
)
from tests.validity import validate


def column(bank: Treebank, table: str, name: str, sentence: int) -> list[str]:
    rows = getattr(bank, table)
    return bank.vocabulary.decode(getattr(rows, name)[rows.rows(sentence)])


def triples(bank: Treebank, sentence: int) -> list[tuple[str, str, str]]:
    return [
        (relation.name, relation.head.word, relation.dependent.word)
        for relation in relations_of(bank, sentence)
    ]


def test_a_derivation_is_a_tree_of_rules_over_lexical_entries(tmp_path: Path) -> None:
    bank = tsdb.load(two_readings(tmp_path))
    assert bank.words(0) == ["It", "rained"]
    assert column(bank, "nodes", "label", 0) == ["root_strict", "sb-hd_mc_c", "v_pst_olr"]
    assert column(bank, "tokens", "lemma", 0) == column(bank, "tokens", "pos", 0) == ["it", "rain_v1"]
    assert column(bank, "tokens", "xpos", 0) == ["", "VBD"]
    assert column(bank, "tokens", "misc", 0) == ["From=0|To=2", "From=3|To=9"]
    assert bracket.dumps(bank.select([0])) == (
        "(root_strict (sb-hd_mc_c (it It) (v_pst_olr (rain_v1 rained))))\n"
    )
    assert validate(bank) == []


def test_readings_are_analyses_and_the_preferred_one_is_chosen(tmp_path: Path) -> None:
    bank = tsdb.load(two_readings(tmp_path))
    assert [bank.sentence_id(row) for row in range(len(bank))] == ["1", "2", "2", "3"]
    assert bank.sentences.analysis.tolist() == [0, 0, 1, 0]
    assert chosen_analyses(bank).tolist() == [0, 2, 3]
    assert bank.vocabulary.decode(bank.sentences.score) == ["", "0.25", "-0.5", ""]
    assert bank.vocabulary.decode(bank.sentences.comments)[2:] == [
        "text = the cat sleeps\nresult = 1",
        "text = cat the\nwf = 0",
    ]
    assert column(bank.only_chosen(), "tokens", "pos", 1) == ["the_1", "cat_n1", "sleep_v1"]
    assert [bank.where(row) for row in (0, 2)] == [f"{tmp_path}/result:1", f"{tmp_path}/result:3"]


def test_elementary_dependencies_are_relations(tmp_path: Path) -> None:
    bank = tsdb.load(two_readings(tmp_path))
    assert triples(bank, 2) == [
        ("top", "_sleep_v_1", ""),
        ("predicate", "_the_q", ""),
        ("BV", "_the_q", "_cat_n_1"),
        ("predicate", "_cat_n_1", ""),
        ("NUM", "_cat_n_1", "sg"),
        ("PERS", "_cat_n_1", "3"),
        ("predicate", "_sleep_v_1", ""),
        ("ARG1", "_sleep_v_1", "_cat_n_1"),
        ("TENSE", "_sleep_v_1", "pres"),
    ]
    assert ("carg", "named", "Cat") in triples(bank, 1)
    verb = relations_of(bank, 0)[1].head
    assert (verb.word, verb.token, verb.tag) == ("_rain_v_1", 1, "e2<3:9>")


def test_dmrs_in_place_of_them(tmp_path: Path) -> None:
    bank = tsdb_dmrs.load(two_readings(tmp_path))
    arguments = [r for r in relations_of(bank, 2) if r.dependent.tag]
    assert [(r.name, r.type, r.head.word, r.dependent.word) for r in arguments] == [
        ("RSTR", "H", "_the_q", "_cat_n_1"),
        ("ARG1", "NEQ", "_sleep_v_1", "_cat_n_1"),
    ]


def test_labelled_phrase_trees(tmp_path: Path) -> None:
    folder = two_readings(tmp_path)
    bank = tsdb_trees.load(folder)
    assert bracket.dumps(bank.select([1])) == "(S (NP (DET the) (N (N cat))) (VP (V sleeps)))\n"
    assert bank.words(0) == []
    assert {finding.event: finding.total for finding in bank.diagnosis} == {"no tree": 1}
    assert len(triples(bank, 2)) == 9
    (folder / "result").write_text(
        (folder / "result").read_text().replace('"S"', "S").replace('("N" ("cat"))', '("N" cat)')
    )
    assert tsdb_trees.load(folder).equals(bank)


def test_no_phrase_tree_at_all(tmp_path: Path) -> None:
    folder = profile(tmp_path, {1: ("It rained", [Result(RAINED)])})
    with raises(FormatError, actual="no tree in any result", expected="the field tree filled"):
        tsdb_trees.load(folder)


def test_gzipped_tables_with_empty_files_beside_them(tmp_path: Path) -> None:
    plain, zipped = two_readings(tmp_path / "plain"), two_readings(tmp_path / "zipped", zipped=True)
    assert (zipped / "result").stat().st_size == 0
    assert tsdb.load(zipped).equals(tsdb.load(plain), ignore=["source"])
    (plain / "result.gz").write_bytes((zipped / "result.gz").read_bytes())
    with raises(FormatError, actual="both result and result.gz", expected="one of them, the other empty"):
        tsdb.load(plain)


def test_the_folder_or_any_file_in_it(tmp_path: Path) -> None:
    folder = two_readings(tmp_path)
    assert format_of(folder) == "tsdb"
    assert read(folder).equals(read(folder / "result", "tsdb"))


def test_types_and_heads_where_derivations_have_them(tmp_path: Path) -> None:
    text = (
        CAT.replace("cat_n1", "cat_n1@n_-_c_le")
        .replace("6 v_3s_olr", "6 ^v_3s_olr")
        .replace("5 cat", "5 ^cat")
    )
    bank = tsdb.load(profile(tmp_path, {1: ("the cat sleeps", [Result(text)])}))
    assert column(bank, "tokens", "pos", 0) == ["the_1", "n_-_c_le", "sleep_v1"]
    assert column(bank, "tokens", "lemma", 0) == ["the_1", "cat_n1", "sleep_v1"]
    assert column(bank, "tokens", "function", 0) == ["", "HD", ""]
    assert column(bank, "nodes", "function", 0) == ["", "", "", "", "HD"]


def test_an_entry_of_several_tokens_is_a_node(tmp_path: Path) -> None:
    text = r'(r (1 x 0 0 3 (2 ad_hoc 0 0 2 ("ad hoc" 1 "\"ad\"" 2 "\"hoc\"")) (3 y 0 2 3 ("(" 3 "\"(\""))))'
    bank = tsdb.load(profile(tmp_path, {1: ("ad hoc (", [Result(text)])}))
    assert bank.words(0) == ["ad", "hoc", "("]
    assert column(bank, "nodes", "label", 0) == ["r", "x", "ad_hoc"]
    assert column(bank, "tokens", "pos", 0) == ["ad_hoc", "ad_hoc", "y"]


def test_what_annotators_rejected_or_left_open_is_counted(tmp_path: Path) -> None:
    items = {number: ("It rained", [Result(RAINED), Result(RAINED)]) for number in (1, 2, 3)}
    bank = tsdb.load(profile(tmp_path, items, {1: 1}, active={1: 1, 2: 0, 3: 2}))
    assert bank.sentences.analysis.tolist() == [0, 1, 0, 0, 1]
    assert bank.tokens.lengths().tolist() == [2, 2, 0, 2, 2]
    assert {finding.event: finding.total for finding in bank.diagnosis} == {
        "every result rejected by the annotator": 1,
        "no result preferred": 1,
    }


def test_ambiguity_by_the_trees_that_annotators_left(tmp_path: Path) -> None:
    one, two = [Result(RAINED)], [Result(RAINED), Result(RAINED)]
    items = {
        1: ("It rained", one),
        2: ("It rained .", two),
        3: ("It", two),
        4: ("rained It", one),
        5: ("It", []),
    }
    folder = profile(tmp_path, {**items, 6: ("It", two)}, active={1: 0, 2: 1, 3: 2, 4: -1})
    assert dict(ambiguity(folder)) == {
        "all": Ambiguity(5, (2 + 3 + 1 + 2 + 1) / 5, None, (1 + 2 + 2 + 1 + 2) / 5),
        "no active tree": Ambiguity(1, 2.0, None, 1.0),
        "one active tree": Ambiguity(1, 3.0, None, 2.0),
        "more active trees": Ambiguity(1, 1.0, None, 2.0),
        "not annotated": Ambiguity(2, 1.5, None, 1.5),
    }


def test_entries_of_a_word_are_those_that_were_counted(tmp_path: Path) -> None:
    items = {number: ("It rained .", [Result(RAINED)]) for number in (1, 2, 3)}
    folder = profile(tmp_path, items, active={1: 1, 2: 1, 3: 1})
    schema = (folder / "relations").read_text()
    (folder / "relations").write_text(
        schema.replace("  readings :integer", "  readings :integer\n  words :integer")
    )
    (folder / "parse").write_text("101@1@1@6\n102@2@1@12\n103@3@1@-1\n")
    assert ambiguity(folder)["one active tree"] == Ambiguity(3, 3.0, (6 + 12) / (3 + 3), 1.0)


def test_info_prints_the_ambiguity_of_profiles(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(two_readings(tmp_path, active={1: 1, 2: 1}))
    assert main(["info", folder, "--ambiguity"]) == 0
    table = capsys.readouterr().out.split("\n\n")[1].splitlines()
    assert table[3].split("  ")[1] == "one active tree"
    assert table[3].split()[-4:] == ["2", "2.5", "–", "1.5"]
    assert main(["info", folder, "--ambiguity", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)["ambiguity"]
    assert [row["trees"] for row in document] == list(SUBSETS)
    assert document[0] == {
        "file": folder, "trees": "all", "items": 2, "length": 2.5, "lexical": None, "readings": 1.5
    }  # fmt: skip
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "a.mrg").write_text("(S (N a))\n", encoding="utf-8")
    with raises(CrossbankError, "--ambiguity"):
        run_failing(["info", str(tmp_path / "other" / "a.mrg"), "--ambiguity"])


def test_discriminants_tell_readings_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = two_readings(tmp_path)
    (analyses,) = disambiguations(tsdb.load(folder))
    # The cat is a noun or a name: another entry and another lexical rule over the same three characters.
    differ = {("entry", "cat_n1"), ("entry", "cat_pn"), ("rule", "n_sg_ilr"), ("rule", "pn_sg_ilr")}
    assert analyses.properties == {Discriminant(*one, 3, 6) for one in differ}
    assert analyses[:2] == ("2", 2)
    assert analyses.decisions == (Discriminant("entry", "cat_n1", 3, 6),)
    assert analyses.alike == 0
    assert main(["info", str(folder), "--discriminants"]) == 0
    printed = capsys.readouterr().out.split("\n\n")[1].splitlines()
    assert [line.split()[-1] for line in printed] == ["1", "2.00", "4.00", "1.00", "0"]
    assert main(["info", str(folder), "--discriminants", "--json"]) == 0
    (displayed,) = json.loads(capsys.readouterr().out)["discriminants"]
    assert displayed["decisions"] == [["entry", "cat_n1", 3, 6]]


def test_a_decision_leaves_as_few_readings_as_it_can(tmp_path: Path) -> None:
    readings = [CAT, CAT_AS_NAME, CAT.replace("sleep_v1", "sleep_n1"), CAT_AS_NAME.replace("v1", "n1"), CAT]
    folder = profile(tmp_path, {1: ("the cat sleeps", [Result(one) for one in readings])})
    (analyses,) = disambiguations(tsdb.load(folder))
    assert (analyses.analyses, analyses.alike) == (5, 1)
    assert {(one.first, one.end) for one in analyses.decisions} == {(3, 6), (6, 12)}
    assert len(analyses.decisions) == 2


def test_the_latest_version_of_a_preference_counts(tmp_path: Path) -> None:
    folder = two_readings(tmp_path)
    with (folder / "preference").open("a") as stream:
        stream.write("102@2@0\n")
    assert chosen_analyses(tsdb.load(folder)).tolist() == [0, 1, 3]


def test_an_mrs_without_dependencies_is_counted(tmp_path: Path) -> None:
    broken = CAT_MRS.replace("h5 qeq h7", "h5 qeq h9")
    bank = tsdb.load(profile(tmp_path, {1: ("the cat sleeps", [Result(CAT, broken)])}))
    assert {finding.event for finding in bank.diagnosis} <= {
        "MRS with a warning: broken handle constraint",
        "MRS without EDS: h9",
    }


def test_an_mrs_without_predications_has_no_relations(tmp_path: Path) -> None:
    empty = "[ TOP: h0 INDEX: e2 RELS: < > HCONS: < > ]"
    for format in (tsdb, tsdb_dmrs):
        bank = format.load(profile(tmp_path, {1: ("the cat sleeps", [Result(CAT, empty)])}))
        assert (len(bank), len(bank.relations)) == (1, 0)
        assert bank.diagnosis


def test_escapes_of_fields(tmp_path: Path) -> None:
    bank = tsdb.load(profile(tmp_path, {1: (r"a@b \ c", [Result(RAINED)])}))
    assert bank.vocabulary[int(bank.sentences.comments[0])] == "text = a@b \\ c"


# Bad input


def edited(folder: Path, name: str, old: str, new: str) -> None:
    text = (folder / name).read_text(encoding="utf-8")
    assert old in text
    (folder / name).write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "old", "new", "fields"),
    [
        (
            "preference",
            "102@1@1",
            "102@1@1\n102@1@0",
            {"sentence": "2", "actual": "results 1 and 0 both preferred"},
        ),
        ("preference", "102@1@1", "102@1@7", {"sentence": "2", "actual": "result 7 preferred"}),
        ("preference", "102@1@1", "9@1@0", {"line": 2, "actual": "parse 9"}),
        ("result", "102@1@", "102@1@@", {"line": 3, "actual": "7 fields"}),
        ("result", "102@1@", "x@1@", {"line": 3, "names": ("'x'",)}),
        (
            "result",
            "(root_strict (1",
            "(root_strict 1",
            {"line": 1, "sentence": "1", "names": ("root_strict",)},
        ),
        ("result", "(3 the_1 0 0 1", "(3 the_1 0 0", {"line": 2, "sentence": "2", "names": ("'('", "66")}),
        (
            "result",
            '("cat")))',
            '("cat"))',
            {"line": 2, "sentence": "2", "names": ("(root_strict (1 sb-hd_mc_c 0 0 3 (2 sp-h",)},
        ),
        ("result", '("rained"', '("rained', {"line": 1, "sentence": "1", "names": ("token", "153")}),
        ("result", "RELS: <", "RELS:", {"line": 1, "sentence": "1", "names": ("54",)}),
        ("result", "\\\\", "\\q", {"line": 1, "actual": "the escape \\q"}),
        ("parse", "102@2@2", "102@1@2", {"line": 2, "sentence": "1", "actual": "a second parse of item 1"}),
        ("parse", "103@3@0", "103@4@0", {"names": ("103",)}),
        ("item", "2@the", "1@the", {"line": 2, "actual": "item 1 again"}),
        ("relations", "result:", "results:", {"actual": "no table result"}),
        ("relations", "  result-id", "  number", {"actual": "no field result-id of result"}),
        ("relations", "  i-wf :integer", "  i-wf", {"names": ("split",)}),
    ],
)
def test_bad_profiles(tmp_path: Path, name: str, old: str, new: str, fields: dict[str, object]) -> None:
    folder = two_readings(tmp_path)
    edited(folder, name, old, new)
    with raises(FormatError, **fields) as error:
        tsdb.load(folder)
    assert "\n" not in str(error.value)


def test_missing_and_empty_files(tmp_path: Path) -> None:
    with raises(CrossbankError, "nowhere:"):
        tsdb.load(tmp_path / "nowhere")
    folder = two_readings(tmp_path / "profile")
    (folder / "result").write_text("")
    with raises(FormatError, actual="no results", expected="at least one"):
        tsdb.load(folder)
    (folder / "result").unlink()
    with raises(FormatError, actual="no file result or result.gz", expected="one of them"):
        tsdb.load(folder)
    (folder / "relations").unlink()
    with raises(FormatError, actual="no file relations"):
        run_failing(["info", str(folder), "--format", "tsdb"])


def test_a_profile_without_preferences(tmp_path: Path) -> None:
    folder = two_readings(tmp_path)
    for name in ("preference", "tree"):
        (folder / name).unlink()
    assert chosen_analyses(tsdb.load(folder)).tolist() == [0, 1, 3]


@given(data=st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_mutated_profiles_read_or_are_refused(tmp_path: Path, data: st.DataObject) -> None:
    folder = tmp_path / "mutated"
    shutil.rmtree(folder, ignore_errors=True)
    two_readings(folder)
    path = folder / data.draw(
        st.sampled_from(["relations", "item", "parse", "result", "result", "result", "preference"])
    )
    content = path.read_bytes()
    index = data.draw(st.integers(0, len(content) - 1))
    length = data.draw(st.integers(0, 8))
    path.write_bytes(content[:index] + data.draw(st.binary(max_size=4)) + content[index + length :])
    message = ""
    try:
        for format in (tsdb, tsdb_trees, tsdb_dmrs):
            assert validate(format.load(folder)) == []
    except CrossbankError as error:
        message = str(error)
    assert "\n" not in message


@given(st.integers(0, 200), st.binary(max_size=3))
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_mutated_gzip_files_read_or_are_refused(tmp_path: Path, index: int, data: bytes) -> None:
    folder = tmp_path / "mutated"
    shutil.rmtree(folder, ignore_errors=True)
    two_readings(folder, zipped=True)
    path = folder / "result.gz"
    content = path.read_bytes()
    path.write_bytes(content[:index] + data + content[index + 1 :])
    message = ""
    try:
        tsdb.load(folder)
    except CrossbankError as error:
        message = str(error)
    assert "\n" not in message


@given(st.integers(0, len(RAINED)), st.integers(0, 5), st.text(alphabet='()" \\@^ax1', max_size=3))
def test_mutated_derivations_read_or_are_refused(index: int, length: int, text: str) -> None:
    for reader in (derivation, phrase_tree):
        with suppress(ExpressionError):
            reader(RAINED[:index] + text + RAINED[index + length :])


def test_deep_derivations() -> None:
    deep = "(root " + "(1 rule 0 0 1 " * 20_000 + '("a")' + ")" * 20_001
    assert len(derivation(deep).rules) == 20_001


# Real profiles


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        ("erg/mrs", (107, 591, 1037, 2741)),
        ("erg/csli", (1348, 6986, 13302, 32788)),
        ("jacy-mrs", (135, 813, 1398, 3842)),
    ],
)
def test_real_profiles(shared_data: Path, name: str, sizes: tuple[int, ...]) -> None:
    bank = tsdb.load(shared_data / name)
    assert (len(bank), len(bank.tokens), len(bank.nodes), len(bank.relations)) == sizes
    assert bank.diagnosis == ()
    assert validate(bank) == []


@pytest.mark.parametrize("name", ["erg/mrs", "jacy-mrs"])
def test_derivations_are_those_of_pydelphin(shared_data: Path, name: str) -> None:
    from delphin import derivation as delphin

    for record in Profile(shared_data / name).records("result"):
        text = record.fields["derivation"]
        computed, reference = derivation(text), delphin.from_string(text)
        assert [rule.name for rule in computed.rules] == _preorder(reference)
        assert [terminal.form for terminal in computed.terminals] == [
            leaf.form for leaf in reference.terminals()
        ]
        assert [computed.rules[terminal.entry].name for terminal in computed.terminals] == [
            node.entity for node in reference.preterminals()
        ]


def _preorder(node: object) -> list[str]:
    names = [node.entity]  # type: ignore[attr-defined]
    for daughter in node.daughters:  # type: ignore[attr-defined]
        names += _preorder(daughter) if hasattr(daughter, "entity") else []
    return names


def test_derivations_go_through_transformations(shared_data: Path) -> None:
    bank = tsdb.load(shared_data / "erg" / "mrs")
    bare = transform(bank, [{"delete_nodes": {"labels": "root_strict+root_informal"}}])
    assert len(bank.nodes) - len(bare.nodes) == 107


def test_relations_lose_nothing_as_text(shared_data: Path, tmp_path: Path) -> None:
    bank = tsdb.load(shared_data / "jacy-mrs")
    relations.dump(bank, tmp_path / "jacy.grs")
    again = relations.load(tmp_path / "jacy.grs")
    for row in range(len(bank)):
        assert relations_of(again, row) == relations_of(bank, row)


def test_the_command_line(shared_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", str(shared_data / "jacy-mrs")]) == 0
    assert "sentences" in capsys.readouterr().out
    assert main(["convert", str(shared_data / "erg" / "mrs"), str(tmp_path / "erg.mrg")]) == 0
    assert len(bracket.load(tmp_path / "erg.mrg")) == 107


def test_the_ambiguity_of_a_real_profile(shared_data: Path) -> None:
    # Of 135 items the parser found none for four, and failed on one (-1).
    ambiguities = ambiguity(shared_data / "jacy-mrs")
    assert [ambiguities[subset].items for subset in SUBSETS] == [130, 3, 127, 0, 0]
