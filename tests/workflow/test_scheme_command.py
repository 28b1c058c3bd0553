"""Schemes of one's own: drafted from a treebank, and checked with one."""

import json
import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossbank.converters.scheme_files import load_scheme
from crossbank.treebanks import Treebank
from crossbank.workflow.commands.cli import main
from crossbank.workflow.schemes.draft import draft
from crossbank.workflow.schemes.examination import examined, unused
from tests.strategies import treebanks

ROOT = Path(__file__).resolve().parents[2]
TIGER = str(ROOT / "examples" / "tiger.export")

TREES = """\
(TOP (S-MAIN (GN-SBJ (D le) (N chat))
  (GV (V voit) (GN-OBJ (D un) (N oiseau) (GP (P de) (GN (N nuit))))) (PONCT .)))
(TOP (S-MAIN (GN-SBJ (N Marie)) (GV (V dort)) (PONCT .)))
(TOP (S-MAIN (GN-SBJ (N Marie)) (PONCT ,) (GV (V dort) (GP (P dans) (GN (D le) (N lit)))) (PONCT .)))
"""


@pytest.fixture
def trees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a treebank in a scheme that nobody knows."""
    monkeypatch.chdir(tmp_path)
    Path("trees.mrg").write_text(TREES, encoding="utf-8")
    return "trees.mrg"


def printed(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    assert main(words) == code
    return capsys.readouterr().out


def drafted(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Draft a scheme, of which its check says what is left to write, and write a text there."""
    text = printed(capsys, "scheme", "new", *words)
    Path("own.yaml").write_text(text, encoding="utf-8")
    report = printed(capsys, "scheme", "check", "own.yaml")
    assert "own.yaml:6: warning: title: found 'edit', as drafted; expected your text\n" in report
    edited = re.sub(r'(?m)(: |\[)("?)edit(: )?(?=  # |\w)', r"\1\2my ", text)
    Path("own.yaml").write_text(edited, encoding="utf-8")
    return text


def test_an_empty_file_is_named_once(trees: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("empty.yaml").touch()
    text = printed(capsys, "scheme", "check", "empty.yaml", code=1)
    assert text.startswith("empty.yaml: error: found an empty file, expected YAML\n")


def test_a_draft_says_what_it_saw_and_what_it_guessed(trees: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = drafted(capsys, trees)
    assert "# The nearest scheme is ptb, which knows 18 % of the constituents' labels." in text
    assert "\n# extends: ptb\n" in text
    assert "#   PONCT: 4 words, such as . ,\n  punctuation: {tags: [PONCT]}" in text
    message = "    # 6 nodes: 100 % have N, 50 % have D, 17 % have GP\n"
    assert f"{message}    GN: [{{from: right, first_of: [N, D, GP]}}]" in text
    for line in ("N: edit  # 6", "GV: edit  # 3", "OBJ: edit  # 1", 'labels: {function: "-"}'):
        assert line in text
    heads = load_scheme("own.yaml").heads.rules
    assert {label: groups[0].labels[0] for label, groups in heads.items()} == {
        "GN": "N",
        "GP": "P",
        "GV": "V",
        "S": "GV",
        "TOP": "S",
    }


def test_what_is_left_to_edit_is_told_by_place(trees: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("own.yaml").write_text(printed(capsys, "scheme", "new", trees), encoding="utf-8")
    lines = printed(capsys, "scheme", "check", "own.yaml", trees).splitlines()
    assert [re.sub(r"^own.yaml:\d+: warning: ", "", line) for line in lines] == [
        "title: found 'edit', as drafted; expected your text",
        "sources[0]: found 'edit', as drafted; expected your text",
        "inventory.tags: found 'edit' for N, PONCT, D, V, P, as drafted; expected your text",
        "inventory.categories: found 'edit' for GN, GV, TOP, GP, as drafted; expected your text",
        "inventory.functions: found 'edit' for MAIN, OBJ, as drafted; expected your text",
        "no errors, 5 warnings",
    ]
    printed(capsys, "scheme", "check", "own.yaml", trees, "--strict", code=1)


def test_a_draft_can_be_used_at_once(trees: str, capsys: pytest.CaptureFixture[str]) -> None:
    drafted(capsys, trees)
    assert printed(capsys, "scheme", "check", "own.yaml", trees) == "no errors, no warnings\n"
    scored = printed(
        capsys, "score", trees, trees, "--scheme", "own.yaml", "--metric", "parseval,dependencies", "--json"
    )
    values = [s["value"] for s in json.loads(scored)["scores"] if s["measure"] == "f1"]
    assert values == [1, 1]
    printed(capsys, "convert", trees, "trees.conllu", "--scheme", "own.yaml")
    first = Path("trees.conllu").read_text(encoding="utf-8").splitlines()[1:9]
    assert [tuple(line.split("\t")[i] for i in (1, 3, 4, 6)) for line in first] == [
        ("le", "DET", "D", "2"),
        ("chat", "NOUN", "N", "3"),
        ("voit", "VERB", "V", "0"),
        ("un", "DET", "D", "5"),
        ("oiseau", "NOUN", "N", "3"),
        ("de", "ADP", "P", "5"),
        ("nuit", "NOUN", "N", "6"),
        (".", "PUNCT", "PONCT", "3"),
    ]


def test_a_draft_extends_the_scheme_that_knows_the_labels(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    text = drafted(capsys, TIGER)
    assert "\nname: own_tiger " in text
    assert "\nextends: tiger\n" in text
    assert "# The head rules of tiger hold for AP (" in text
    assert "NN: noun  # " in text
    assert printed(capsys, "scheme", "check", "own.yaml", TIGER) == "no errors, no warnings\n"
    other = str(ROOT / "examples" / "tiger.alpha.mrg")
    scores = []
    for scheme in ("own.yaml", "tiger"):
        listed = json.loads(printed(capsys, "score", TIGER, other, "--scheme", scheme, "--json"))["scores"]
        scores.append([(score["measure"], score["value"]) for score in listed])
    assert scores[0] == scores[1]


def test_a_new_label_gets_a_rule_beside_those_of_the_base(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    tree = "(S (NP (DT the) (NN cat)) (VP (VBD saw) (NP (DT a) (NN bird)) (XYP (XY there) (RB now))) (. .))\n"
    Path("a.mrg").write_text(
        tree * 9 + "(S (NP (NN it)) (NP (NN y)) (VP (VBD x)) (-X- ?))\n", encoding="utf-8"
    )
    text = drafted(capsys, "a.mrg")
    assert "\nextends: " not in text.replace("\n# extends: ", "")
    Path("b.mrg").write_text(tree * 3 + tree.replace("XYP", "ADVP") * 9, encoding="utf-8")
    text = drafted(capsys, "b.mrg")
    assert "\nextends: ptb\n" in text
    assert "    XYP: [{from: right, first_of: [RB, XY]}]" in text
    assert "  X: [ADD, AFX, FW, GW, LS, XY]" in text
    assert load_scheme("own.yaml").heads.rules["NP"] == load_scheme("ptb").heads.rules["NP"]
    assert printed(capsys, "scheme", "check", "own.yaml", "b.mrg") == "no errors, no warnings\n"


def test_a_draft_of_dependencies_has_no_head_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [
        "1\tles\t_\tDETE\t_\t_\t2\td\t_\t_",
        "2\tchats\t_\tNOMI\t_\t_\t0\tr\t_\t_",
        "3\t!\t_\tSIGN\t_\t_\t2\tp\t_\t_",
    ]
    Path("a.conllu").write_text("\n".join(rows) + "\n\n", encoding="utf-8")
    text = drafted(capsys, "a.conllu")
    assert "heads:" not in text
    assert "punctuation: {tags: [SIGN]}" in text
    scored = printed(
        capsys, "score", "a.conllu", "a.conllu", "--scheme", "own.yaml", "--metric", "dependencies", "--json"
    )
    assert json.loads(scored)["scores"][0]["value"] == 1
    assert printed(capsys, "scheme", "check", "own.yaml", "a.conllu") == "no errors, no warnings\n"


STRANGE = st.sampled_from(
    [*("S", "NP", "NP-SBJ", "NP-SBJ=1", "NP|PP", "VROOT", "-NONE-", "-", "*", "~"),
     *("no", "1e5", "- a", "a: b", "#x", "[a]", "{", "'", '"', "a\\b")]
)  # fmt: skip
"""Labels that YAML or a scheme would read as something else."""


@given(bank=treebanks(labels=STRANGE))
def test_every_draft_is_a_scheme(bank: Treebank) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "own.yaml"
        path.write_text(draft(bank, ["random.mrg"], "own"), encoding="utf-8")
        load_scheme(path)
        actual, scheme = examined(path)
        assert scheme is not None
        assert all("found 'edit'" in one.message and one.severity == "warning" for one in actual)
        assert all(one.severity == "warning" or one.keys[0] == "views" for one in unused(scheme, bank))


@pytest.mark.slow
@pytest.mark.parametrize(
    "files",
    ["tiger-pcc/syntax/*.xml", "tuebadz-masked/test.negra", "farpahc/psd/*.psd", "cgel/ewt.cgel",
     "conll18/00-gold-standard/en_pud.conllu"],
)  # fmt: skip
def test_drafts_of_real_treebanks_fit_them(
    shared_data: Path,
    files: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    drafted(capsys, f"{shared_data}/{files}")
    assert (
        printed(capsys, "scheme", "check", "own.yaml", f"{shared_data}/{files}") == "no errors, no warnings\n"
    )


SILENT = """\
((S (NP-SBJ-1 (DT the) (NN cat)) (VP (VBD was) (VP (VBN seen) (NP (-NONE- *-1)))) (. .)))
((S (NP-SBJ (NN Ann)) (VP (VBD said) (XYP (-NONE- 0) (-NONE- *T*-1))) (. .)))
"""
"""Two empty elements below a label of which no rule speaks: nothing of it is spoken."""


@pytest.mark.parametrize(
    ("base", "trees"),
    [
        ("ptb", SILENT),
        # In these treebanks an empty element is one by its form; its tag is a phrase's.
        (
            "ppche",
            "( (IP-MAT (NP-SBJ (PRO-N eg-eg)) (VBPI sjái-sjá) (WNP-1 0) (CP *T*-1) (. .-.)) (ID A,1))\n",
        ),
    ],
)
def test_nothing_is_missed_for_empty_elements(
    base: str,
    trees: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("trees.mrg").write_text(trees, encoding="utf-8")
    Path("own.yaml").write_text(f"name: own\nextends: {base}\ntitle: t\nsources: [s]\n", encoding="utf-8")
    assert printed(capsys, "scheme", "check", "own.yaml", "trees.mrg") == "no errors, no warnings\n"
    text = printed(capsys, "scheme", "new", "trees.mrg")
    assert not re.search(
        r"NONE|XYP|CP|\bX:", text.partition("\nuniversal_tags:" if base == "ppche" else "\ninventory:")[2]
    )


WRONG = """\
name: own
titel: Mine
sources: [me]
colour: red
extends: tigger
labels: {function: "-"}
tokens:
  punctuation: {tags: [PONCT, "$,"], forms: ["("]}
heads:
  default: up
  rules:
    GN: [{from: right, anyof: [N]}, {from: left, first_of: [N, GP-MOD]}]
    S-MAIN: [{from: left, any_of: [GV]}]
    XP: [{from: left, any_of: [N]}]
views:
  constituents: [delete_rots, strip_functions]
  dependencies: [dependencies]
universal_tags: {NOUN: N}
"""

ERRORS = [
    "own.yaml: error: 'title' is missing",
    "own.yaml:2: error: 'titel' is not a key; did you mean 'title'?",
    "own.yaml:4: error: 'colour' is not a key; expected one of name, title",
    "own.yaml:5: error: extends: found 'tigger', did you mean",
    "own.yaml:8: error: tokens.punctuation: there is no 'delete' beside it; write 'delete: punct'",
    "own.yaml:8: error: tokens.punctuation.forms[0]: found '(', expected a regular expression",
    "own.yaml:10: error: heads.default: found 'up', expected one of left, right",
    "own.yaml:12: error: heads.rules.GN[0]: 'anyof' is not a key; did you mean 'any_of'?",
    "own.yaml:12: error: heads.rules.GN[1].first_of[1]: found 'GP-MOD', which is split into the category GP",
    "own.yaml:13: error: heads.rules.S-MAIN: found 'S-MAIN', which is split into the category S",
    "own.yaml:16: error: views.constituents[0]: 'delete_rots' is not a transformation; did you mean",
    "own.yaml:18: error: universal_tags.NOUN: found 'N', expected a list",
]


def test_all_errors_are_told_at_once_with_their_lines(trees: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("own.yaml").write_text(WRONG, encoding="utf-8")
    lines = printed(capsys, "scheme", "check", "own.yaml", code=1).splitlines()
    assert lines[-1].startswith(f"{len(ERRORS)} errors, no warnings; no treebank was named")
    actual = lines[:-1]
    missing = [error for error in ERRORS if not any(line.startswith(error) for line in actual)]
    assert (missing, len(actual)) == ([], len(ERRORS))


FIRST = "nodes with several children): the first child is the head"


def test_what_never_matches_is_told_even_where_there_are_errors(
    trees: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("own.yaml").write_text(WRONG, encoding="utf-8")
    warnings = [line for line in printed(capsys, "scheme", "check", "own.yaml", trees, code=1).splitlines()
                if ": warning: " in line]  # fmt: skip
    assert sorted(warnings) == [
        f"own.yaml:11: warning: heads.rules: no rule for 'GP' (2 {FIRST}",
        f"own.yaml:11: warning: heads.rules: no rule for 'GV' (2 {FIRST}",
        f"own.yaml:11: warning: heads.rules: no rule for 'S' (3 {FIRST}",
        "own.yaml:14: warning: heads.rules.XP: found a rule for 'XP', a label that never occurs",
        "own.yaml:8: warning: tokens.punctuation.tags[1]: found '$,', which no word has",
    ]


RIGHT = """\
name: own
title: Mine
sources: [me]
labels: {function: "-"}
delete: punct
tokens: {punctuation: {tags: [PONCT]}}
heads:
  rules:
    GN: [{from: right, any_of: [N, NN]}]
    GV: [{from: left, any_of: [V]}]
    GP: [{from: left, any_of: [X]}]
    S: [{from: left, functions: [HD], any_of: [GV]}, {from: left, any_of: [GV]}]
universal_tags: {NOUN: [N], VERB: [V], DET: [D], PUNCT: [PONCT]}
views:
  dependencies: [dependencies]
  relations: ["relations_from_trees:rules=rules.yaml"]
inventory:
  categories: {GN: noun group, GV: verb group, S: clause, TOP: root}
"""

RULES = """\
name: own
title: Mine
sources: [me]
inventory: rasp
trees: constituents
rules:
  - {rule: subjects, relation: ncsubj, pattern: "S=v < *^SBJ=s", head: v, dependent: s}
  - {rule: objects of prepositions, relation: dobj, pattern: "GP=p < GV=o", head: p, dependent: o}
"""


def test_warnings_of_all_kinds(trees: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("own.yaml").write_text(RIGHT, encoding="utf-8")
    Path("rules.yaml").write_text(RULES, encoding="utf-8")
    lines = printed(capsys, "scheme", "check", "own.yaml", trees).splitlines()
    assert lines == [
        "own.yaml:9: warning: heads.rules.GN[0].any_of: found NN, which never occurs",
        "own.yaml:11: warning: heads.rules.GP[0].any_of: found X, which never occurs",
        "own.yaml:11: warning: heads.rules.GP: no candidate in 2 nodes with several children: the "
        "first child is the head",
        "own.yaml:12: warning: heads.rules.S[0].functions: found HD, which never occurs",
        "own.yaml:13: warning: universal_tags: no universal tag for 'P' (2 words)",
        "own.yaml:18: warning: inventory.categories: GP is missing, which the treebank has",
        "rules.yaml:8: warning: rules[1]: the rule 'objects of prepositions' (dobj) never matches",
        "no errors, 7 warnings",
    ]
    printed(capsys, "scheme", "check", "own.yaml", trees, "--strict", code=1)
    listed = json.loads(printed(capsys, "scheme", "check", "own.yaml", trees, "--json"))
    assert listed[0] == {
        "file": "own.yaml",
        "line": 9,
        "severity": "warning",
        "keys": ["heads", "rules", "GN", 0, "any_of"],
        "message": "found NN, which never occurs",
    }


def test_signs_that_are_not_listed_are_told(trees: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("own.yaml").write_text("name: own\ntitle: Mine\nsources: [me]\n", encoding="utf-8")
    report = printed(capsys, "scheme", "check", "own.yaml", trees)
    assert (
        "tokens.punctuation: found 4 signs with the tag PONCT, which is not listed as punctuation" in report
    )


def test_a_view_that_cannot_be_made_is_an_error(trees: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("own.yaml").write_text(
        "name: own\ntitle: Mine\nsources: [me]\nviews: {relations: [relations_from_trees]}\n",
        encoding="utf-8",
    )
    report = printed(capsys, "scheme", "check", "own.yaml", trees, code=1)
    assert (
        "own.yaml:4: error: views.relations[0]: "
        "relations_from_trees needs rules: found the scheme own, which names no "
        "relation_rules; name some with rules=NAME_OR_FILE"
    ) in report


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name: [x\ntitle: ]\n", "own.yaml:2: error: "),
        ("- name\n", "own.yaml: error: found ['name'], expected a mapping"),
    ],
)
def test_files_that_are_no_schemes(
    text: str, message: str, trees: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("own.yaml").write_text(text, encoding="utf-8")
    assert printed(capsys, "scheme", "check", "own.yaml", trees, code=1).startswith(message)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["check", "none.yaml"], "none.yaml: "),
        (["check", "tigger"], "scheme: found 'tigger', did you mean"),
        (["check", "tiger", "none.mrg"], "none.mrg: "),
        (["new", "none.mrg"], "none.mrg: "),
        (
            ["new", "trees.mrg", "--output", "trees.mrg"],
            "trees.mrg: this file exists; name a new one",
        ),
        (["new", "trees.mrg", "--format", "tree"], "format: found 'tree', expected one of "),
        (["new", "no.txt"], "no.txt: "),
    ],
)
def test_wrong_calls(words: list[str], message: str, trees: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("no.txt").write_text("\n\n", encoding="utf-8")
    assert main(["scheme", *words]) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith(message)
    assert captured.err.count("\n") == 1


@pytest.mark.parametrize("words", [[], ["draft"], ["check"], ["new"]])
def test_calls_without_what_they_need(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scheme", *words]) == 2
    assert capsys.readouterr().err.count("\n") == 1
