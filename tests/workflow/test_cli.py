"""Command line's contract: what it prints, and what it answers to wrong input."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from crossbank.metrics.counting.scoring import LackingViewError
from crossbank.treebanks.errors import CrossbankError, MissingAnnotationError, OptionError
from crossbank.workflow.commands.cli import main
from tests.errors import raises, run_failing

ROOT = Path(__file__).resolve().parents[2]

GOLD = """\
(TOP (S (NP (ART Die) (NN Regierung)) (VVFIN rief) (PP (APPRART zum) (ADJA weltweiten) (NN Kampf) \
(PP (APPR gegen) (NN Terror))) (PTKVZ auf)) ($. .))
(S (NP (NE Anna)) (VVFIN schläft))
"""
CANDIDATE = """\
(TOP (S (NP (ART Die) (NN Regierung)) (VVFIN rief) (PP (APPRART zum) (ADJA weltweiten) (NN Kampf)) \
(PP (APPR gegen) (NN Terror)) (PTKVZ auf)) ($. .))
(S (NP (NE Anna)) (VVFIN schläft))
"""


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    """Return Rehbein and van Genabith (2007), Figures 3 and 4, and a sentence without an error."""
    (tmp_path / "gold.mrg").write_text(GOLD, encoding="utf-8")
    (tmp_path / "parsed.mrg").write_text(CANDIDATE, encoding="utf-8")
    return str(tmp_path / "gold.mrg"), str(tmp_path / "parsed.mrg")


def scores(output: str) -> dict[tuple[str, str], float]:
    return {(score["metric"], score["measure"]): score["value"] for score in json.loads(output)["scores"]}


def test_scores_as_json(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", *files, "--metric", "parseval,leaf_ancestor", "--json"]) == 0
    output = capsys.readouterr().out
    computed = scores(output)
    assert computed["parseval", "precision"] == computed["parseval", "recall"] == 6 / 7
    assert computed["parseval", "exact"] == 0.5
    assert computed["leaf_ancestor", "mean"] == pytest.approx((0.9635 + 1) / 2, abs=1e-4)
    printed = json.loads(output)
    assert printed["sentences"] == {"total": 2, "scored": 2}
    assert all(0 <= score["value"] <= 1 for score in printed["scores"])
    assert all(score["signature"].startswith(score["metric"] + "|") for score in printed["scores"])


LARGE = {
    *("numba", "scipy", "pyarrow", "conllu", "nltk", "lxml", "snakemake"),
    *("jinja2", "jsonschema", "yaml", "altair", "concurrent", "rich"),
}
"""Libraries that take longer to load than a hundred trees take to score."""


@pytest.mark.parametrize("metric", ["parseval,leaf_ancestor"])
def test_scoring_trees_loads_no_large_library(files: tuple[str, str], metric: str) -> None:
    command = ["score", *files, "--metric", metric]
    called = f"from crossbank.workflow.commands.cli import main; main({command})"
    program = f"import sys; {called}; print(*sys.modules)"
    completed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in completed.stdout.splitlines()[-1].split()}
    assert "numpy" in loaded
    assert not loaded & LARGE


def test_names_of_metrics_may_stand_before_the_files(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", "--json", "--metric", "parseval,leaf_ancestor", *files]) == 0
    assert {metric for metric, _ in scores(capsys.readouterr().out)} == {"parseval", "leaf_ancestor"}


def test_options_are_in_the_signature(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", *files, "--json", "--option", "labels=no", "--option", "delete=punct"]) == 0
    signature = json.loads(capsys.readouterr().out)["scores"][0]["signature"]
    assert "|labels:no|" in signature
    assert "|delete:unicode|" in signature
    assert "|unscored:empty:0|" in signature


@pytest.mark.parametrize(
    ("policy", "code", "f1"), [("empty", 0, 2 * 2 / (7 + 2)), ("skip", 0, 1.0), ("fail", 1, None)]
)
def test_unscored_sentences(
    files: tuple[str, str], policy: str, code: int, f1: float | None, capsys: pytest.CaptureFixture[str]
) -> None:
    Path(files[1]).write_text("(())\n(S (NP (NE Anna)) (VVFIN schläft))\n", encoding="utf-8")
    assert main(["score", *files, "--json", "--unscored", policy]) == code
    captured = capsys.readouterr()
    if f1 is None:
        assert captured.err.count("\n") == 1
        assert "no parse" in captured.err
    else:
        assert scores(captured.out)["parseval", "f1"] == pytest.approx(f1)
        assert json.loads(captured.out)["sentences"] == {"total": 2, "scored": 1, "no parse": 1}


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_counts_per_sentence(files: tuple[str, str], suffix: str, tmp_path: Path) -> None:
    target = tmp_path / f"sentences.{suffix}"
    assert main(["score", *files, "--per-sentence", str(target)]) == 0
    if suffix == "csv":
        lines = target.read_text(encoding="utf-8").splitlines()
        assert len(lines) == 3
        assert "matched" in lines[0]
    else:
        import pyarrow.parquet

        assert pyarrow.parquet.read_table(target).num_rows == 2


def test_info(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", files[0], "--json"]) == 0
    described = json.loads(capsys.readouterr().out)
    assert described["sentences"] == 2
    assert described["tokens"] == 12
    assert described["nodes"] == 7
    assert described["nodes_per_sentence"] == 3.5
    assert described["nodes_per_token"] == pytest.approx(7 / 12)
    assert described["tokens_per_sentence"] == 6
    assert described["discontinuous_sentences"] == 0


def test_info_counts_discontinuous_sentences_before_and_after_punctuation_is_attached(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A comma on the root cuts the sentence around it in two; a verb phrase with a gap stays."""
    path = tmp_path / "loose.discbracket"
    path.write_text(
        "(VROOT (S (NN 0=Anna) (VVFIN 2=schläft)) ($, 1=,))\n"
        "(S (VP (PP 0=Darüber) (V 2=nachgedacht)) (V 1=wird))\n",
        encoding="utf-8",
    )
    assert main(["info", str(path), "--json"]) == 0
    assert "discontinuous_with_punctuation_attached" not in json.loads(capsys.readouterr().out)
    assert main(["info", str(path), "--scheme", "tiger", "--json"]) == 0
    described = json.loads(capsys.readouterr().out)
    assert described["discontinuous_sentences"] == 2
    assert described["discontinuous_with_punctuation_attached"] == 1


def test_constituents_become_dependencies(files: tuple[str, str], tmp_path: Path) -> None:
    """Rehbein and van Genabith (2007), Table 2."""
    target = tmp_path / "gold.conllu"
    call = ["convert", files[0], str(target), "--from", "bracket", "--to", "conllu", "--scheme", "tiger"]
    assert main([*call, "--ud", "no"]) == 0
    first = target.read_text(encoding="utf-8").split("\n\n")[0]
    heads = {line.split("\t")[1]: int(line.split("\t")[6]) for line in first.splitlines() if line[0] != "#"}
    assert heads["Die"] == 2
    assert heads["rief"] == 0
    assert heads["gegen"] == 4


def test_a_file_of_words_without_phrases_becomes_dependencies(tmp_path: Path) -> None:
    words = '<t id="a" word="Nein" pos="PTKANT"/><t id="b" word="." pos="$." morph="--"/>'
    source, target = tmp_path / "words.xml", tmp_path / "words.conllu"
    call = ["convert", str(source), str(target), "--from", "tigerxml", "--scheme", "tiger"]
    for terminals, rows in ((words, ["INTJ _ 0 root", "PUNCT _ 1 punct"]), ("", [])):
        graph = f"<graph><terminals>{terminals}</terminals></graph>"
        source.write_text(f'<corpus><body><s id="s1">{graph}</s></body></corpus>', encoding="utf-8")
        assert main(call) == 0
        lines = [line.split("\t") for line in target.read_text(encoding="utf-8").splitlines() if "\t" in line]
        assert [" ".join((row[3], *row[5:8])) for row in lines] == rows


def test_heads_are_those_of_trees(tmp_path: Path) -> None:
    (tmp_path / "a.conllu").write_text("1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n", encoding="utf-8")
    with raises(MissingAnnotationError, "a.conllu", annotation="trees"):
        run_failing(["heads", str(tmp_path / "a.conllu"), "--scheme", "tiger"])


def test_which_head_rules_fire(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["heads", *files, "--scheme", "tiger"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "14 nodes with more than one child"
    assert lines[2].split()[:3] == ["14", "100.00", "%"]
    assert "S                 4  VVFIN VAFIN VMFIN ... from left: 1 2 1 2" in lines
    assert main(["heads", files[0], "--scheme", "tiger", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert {row["category"] for row in rows} == {"S", "NP", "PP", "TOP"}
    assert sum(row["nodes"] for row in rows) == 7


def test_what_was_done_to_which_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trees = ("(S (NE Ute) (VVFIN singt)) (NE Anna)", "(S (NE Ute) (VVFIN singt))", "(NE Ute) (NE Anna)")
    for number, tree in enumerate(trees, 8):
        (tmp_path / f"{number}.mrg").write_text(f"(TOP {tree})\n", encoding="utf-8")
    target, table = str(tmp_path / "all.conllu"), tmp_path / "done.csv"
    call = ["convert", str(tmp_path / "*.mrg"), target, "--scheme", "tiger", "--diagnosis", str(table)]
    call += ["--ud", "no"]
    assert main(call) == 0
    message = "single_root: roots attached to the main root: 2 in 2 sentences (1 1)"
    assert capsys.readouterr().err.splitlines() == [
        "mark_heads: heads by rule: 3 in 2 sentences",
        "mark_heads: TOP: head by default: 1 in 1 sentence (1)",
        "dependencies: roots beside the main root: 2 in 2 sentences (1 1)",
        message,
    ]
    step, event = message.split(": ")[:2]
    rows = table.read_text(encoding="utf-8").splitlines()
    assert rows[0] == "step,event,file,sentence,times"
    assert [row for row in rows if event in row] == [
        f"{step},{event},{tmp_path / f'{file}.mrg'},1,1" for file in (8, 10)
    ]
    heads = [
        line.split("\t")[6] for line in Path(target).read_text(encoding="utf-8").split("\n") if "\t" in line
    ]
    assert heads == ["2", "0", "2", "2", "0", "0", "1"]


def test_transformations_in_order(files: tuple[str, str], tmp_path: Path) -> None:
    target = tmp_path / "changed.mrg"
    assert main(["convert", *[files[0], str(target)], "--transform", "virtual_root:label=ALL"]) == 0
    assert target.read_text(encoding="utf-8").startswith("(ALL (")


def test_a_mode_refuses_what_it_does_not_use(files: tuple[str, str]) -> None:
    with raises(CrossbankError, "--scheme", "--unscored", "--mode"):
        run_failing(["score", *files, "--mode", "evalb", "--scheme", "ptb", "--unscored", "skip"])


WRONG = [
    (["score", "{gold}", "none.mrg"], r"none.mrg: no such file or directory"),
    (["score", "{gold}", "{gold}", "--format", "xml"], r"format: found 'xml', expected one of bracket"),
    (["score", "{gold}", "{gold}", "--metric", "parsevall"], r"metric: found 'parsevall', did you mean"),
    (["score", "{gold}", "{gold}", "--scheme", "tigger"], r"'tigger', did you mean 'tiger'"),
    (["score", "{gold}", "{gold}", "--option", "lables=no"], r"option: found 'lables', did you mean"),
    (["score", "{gold}", "{gold}", "--option", "labels"], r"'labels' is not of the form KEY=VALUE"),
    (
        ["score", "{gold}", "{gold}", "--option", "labels=no", "--option", "labels=yes"],
        r"labels has two values, no and yes",
    ),
    (["score", "{gold}", "{gold}", "--option", "labels=perhaps"], r"'perhaps', expected one of yes, no"),
    (["score", "{gold}", "{gold}", "--mode", "bleu"], r"mode: found 'bleu', expected one of evalb"),
    (["score", "{gold}", "{gold}", "--mode", "evalb", "--explain"], r"--explain does not work with --mode"),
    (
        ["score", "{gold}", "{gold}", "--mode", "evalb", "--by", "label"],
        r"--by: found 'label', expected one of length, file (evalb counts nothing by label)",
    ),
    (["score", "{gold}", "{gold}", "--metric", "dependencies"], r"there are no dependencies (name a scheme"),
    (["convert", "{gold}", "x.mrg", "--transform", "nonsense"], r"'nonsense', expected one of"),
    (["compare", "{gold}", "none.mrg"], r"no such file: none.mrg"),
    (["convert", "{gold}", "{gold}"], r"{gold}: this file is read; name another one to write"),
    (["consensus", "{gold}", "{gold}", "{gold}"], r"this file is read"),
    (["train", "{gold}", "{gold}"], r"this file is read"),
]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (["score", "{gold}", "{gold}", "--metric", ","], "--metric"),
        (["score", "{gold}", "{gold}", "--metric", ""], "argument 5 is empty"),
        (["score", "{gold}", "{gold}", "--scheme="], "argument 4 is empty"),
        (["score", "", "{gold}"], "argument 2 is empty"),
        (["info", "{gold}", ""], "argument 3 is empty"),
        ([""], "argument 1 is empty"),
    ],
)
def test_an_empty_value_is_no_default_and_no_folder(
    files: tuple[str, str], call: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([word.format(gold=files[0]) for word in call]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert message in error


@pytest.mark.parametrize(("call", "message"), WRONG)
def test_wrong_calls_are_answered_in_one_line(
    files: tuple[str, str], call: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([argument.format(gold=files[0]) for argument in call]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert message.replace("\\", "").replace("{gold}", files[0]) in captured.err


@pytest.mark.parametrize("call", ["--version", "--help", "list metrics", "score --help"])
@pytest.mark.parametrize("buffered", ["", "1"])
def test_a_reader_that_has_left_is_no_error(call: str, buffered: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as closed:
        done = subprocess.run(
            [sys.executable, "-m", "crossbank", *call.split()],
            cwd=ROOT, env={**os.environ, "PYTHONUNBUFFERED": buffered},
            stdout=closed, stderr=subprocess.PIPE, check=False,
        )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")


BAD_FILES = {
    "unbalanced": (b"(S (NP (N a))\n", "found", "expected"),
    "extra": (b"(S (N a)))\n", "found", "expected"),
    "no words": (b"(S (NP))\n", "has 1 sentence", "has 2"),
    "empty": (b"", "an empty file", "at least one sentence"),
    "blank": (b"\n\n", "an empty file", "at least one sentence"),
    "binary": (b"\x00\x01\x02(S)", "binary data", "text"),
    "wrong encoding": ("(S (N schläft))\n".encode("latin-1"), "0xe4", "utf-8"),
    "other text": (b"hello world\n", "found", "expected"),
    "fewer sentences": (GOLD.splitlines()[0].encode(), "has 1 sentence", "has 2"),
}


@pytest.mark.parametrize("kind", BAD_FILES)
def test_bad_files_are_answered_in_one_line(
    files: tuple[str, str], kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    content, actual, expected = BAD_FILES[kind]
    Path(files[1]).write_bytes(content)
    assert main(["score", *files]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert files[1] in error
    assert actual in error
    assert expected in error


def test_finds_nodes_with_a_pattern(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["find", "NP|PP > S", files[0], "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert {entry.pop("file") for entry in document} == {files[0]}
    assert document == [
        {"sentence": "1", "node": 2, "label": "NP", "words": ["Die", "Regierung"], "tokens": [1, 2]},
        {
            "sentence": "1",
            "node": 9,
            "label": "PP",
            "words": ["zum", "weltweiten", "Kampf", "gegen", "Terror"],
            "tokens": [4, 5, 6, 7, 8],
        },
        {"sentence": "2", "node": 1, "label": "NP", "words": ["Anna"], "tokens": [1]},
    ]
    assert main(["find", "NE", files[0]]) == 0
    assert capsys.readouterr().out == "2\t2\tNE\tAnna\n"


def test_a_pattern_that_cannot_fit_says_why(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a scheme no heads are known: it printed nothing and exited with 0."""
    with raises(MissingAnnotationError, annotation="lexical heads"):
        run_failing(["find", "NP <# NN", files[0]])
    assert main(["find", "NP <# NN", files[0], "--scheme", "tiger"]) == 0
    assert capsys.readouterr().out.startswith("1\t2\tNP\t")
    assert main(["find", "NX", files[0]]) == 0
    assert "no node, tag or word matches 'NX'" in capsys.readouterr().err


def test_a_pattern_that_does_not_parse_has_a_caret_under_the_place(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["find", "NP << (VP", files[0]]) == 2
    sentence, pattern, caret = capsys.readouterr().err.splitlines()
    assert sentence == "pattern: found the end, expected ')' for the bracket at character 7, or a relation"
    assert (pattern, caret) == ("NP << (VP", "         ^")


def test_the_majority_parse_of_three_files(tmp_path: Path) -> None:
    trees = ["(S (NP (D a) (N b)) (V c))", "(S (NX (D a) (N b)) (V c))", "(S (NP (D a) (N b)) (VP (V c)))"]
    files = [str(tmp_path / f"{index}.mrg") for index in range(3)]
    for file, tree in zip(files, trees, strict=True):
        Path(file).write_text(tree, encoding="utf-8")
    target = tmp_path / "majority.mrg"
    assert main(["consensus", *files, str(target)]) == 0
    assert target.read_text(encoding="utf-8") == "(S (NP (D a) (N b)) (V c))\n"


def test_the_majority_parse_is_not_written_where_nothing_of_it_stays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Dependencies became words in brackets, and what a format does not hold was left out unsaid."""
    parses, trees = tmp_path / "a.conllu", tmp_path / "a.mrg"
    parses.write_text("1\ta\ta\tN\tN\t_\t0\troot\t_\t_\n\n", encoding="utf-8")
    trees.write_text("(S (N a))", encoding="utf-8")
    assert main(["consensus", str(parses), str(parses), str(tmp_path / "b.mrg")]) == 2
    assert "there are dependencies but no trees to write as bracket" in capsys.readouterr().err
    assert main(["consensus", str(trees), str(trees), str(tmp_path / "b.conllu")]) == 0
    assert "conllu: 1 constituent dropped" in capsys.readouterr().err


def test_a_flat_key_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tree = "(S (NP (NP (D the) (N man)) (PP (P in) (NP (N town)))) (VP (MD can) (VP (V go) (RB now))))\n"
    (tmp_path / "gold.mrg").write_text(tree, encoding="utf-8")
    files = [str(tmp_path / name) for name in ("key.mrg", "gold.mrg")]
    assert main(["convert", files[1], files[0], "--scheme", "ptb", "--transform", "flatten"]) == 0
    assert capsys.readouterr().err.startswith("flatten: ")
    assert main(["score", *files, "--metric", "conformance", "--json"]) == 0
    computed = scores(capsys.readouterr().out)
    assert (computed["conformance", "recall"], computed["conformance", "conformance"]) == (1, 1)
    assert computed["conformance", "precision"] == pytest.approx(4 / 7)


def test_dependencies_of_trees_with_traces(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sentence = "(SBARQ (WHNP-1 (WP what)) (SQ (VBD did) (NP-SBJ (PRP I)) (VP (VB find){})))\n"
    files = [str(tmp_path / name) for name in ("deep.mrg", "plain.mrg", "deep.conllu", "plain.conllu")]
    for file, trace in zip(files, (" (NP (-NONE- *T*-1))", ""), strict=False):
        Path(file).write_text(sentence.format(trace), encoding="utf-8")
    heads = []
    for source, target, more in ((*files[0::2], ["resolve_traces"]), (*files[1::2], [])):
        steps = ["--transform", *more] if more else []
        assert main(["convert", source, target, "--scheme", "ptb", "--ud", "no", *steps]) == 0
        heads.append(
            [
                line.split("\t")[6]
                for line in Path(target).read_text(encoding="utf-8").split("\n")
                if "\t" in line
            ]
        )
    assert "moved constituents put back" in capsys.readouterr().err
    assert [actual[-4:] for actual in heads] == [["4", "0", "2", "2"], ["2", "0", "2", "2"]]
    # Scores of trees ignore traces; those of what was converted with them do not.
    for call, uas in (([*files[:2], "--scheme", "ptb"], 1), (files[2:], 3 / 4)):
        assert main(["score", *call, "--metric", "dependencies", "--json"]) == 0
        assert scores(capsys.readouterr().out)["dependencies", "uas"] == uas


@pytest.mark.parametrize(
    ("call", "parts"),
    [
        (["frobnicate"], ["crossbank: ", "'frobnicate'", "(see crossbank --help)"]),
        (["scroe"], ["crossbank: ", "'scroe'", "'score'?"]),
        (["score", "a", "b", "--metirc", "parseval"], ["crossbank score: ", "'--metirc'", "'--metric'"]),
        (["score", "a", "b", "--zorch"], ["crossbank score: ", "'--zorch'", "(see crossbank score --help)"]),
        (["score", "gold.mrg"], ["crossbank score: ", "'CANDIDATE'"]),
        (["score", "a.mrg", "b.mrg", "c.mrg"], ["crossbank score: ", "c.mrg", "in quotes"]),
        (
            ["score", "a", "b", "--unscored", "perhaps"],
            ["crossbank score: ", "'--unscored'", "'perhaps'", "'skip', 'empty', 'fail'"],
        ),
        (["score", "-", "-"], ["crossbank score: ", "standard input"]),
        (["compare", "a", "-", "-"], ["crossbank compare: ", "standard input"]),
        (["list"], ["crossbank list: ", "metrics, schemes, formats"]),
        (["scheme", "frobnicate"], ["crossbank scheme: ", "'frobnicate'"]),
    ],
)
def test_calls_that_do_not_parse_are_answered_in_one_line(
    call: list[str], parts: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(call) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert [part for part in parts if part not in error] == []


def test_dependencies_alone_are_no_trees(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "a.conllu"
    source.write_text("1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n", encoding="utf-8")
    assert main(["convert", str(source), str(tmp_path / "a.mrg")]) == 2
    assert "there are dependencies but no trees to write as bracket" in capsys.readouterr().err


def test_converts_trees_to_relations(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trees, relations = tmp_path / "trees.mrg", tmp_path / "trees.grs"
    trees.write_text(
        "(S (NP-SBJ (DT The) (NN couple)) (VP (VBD were) (VP (VBN married))))\n", encoding="utf-8"
    )
    assert (
        main(
            [
                "convert",
                str(trees),
                str(relations),
                "--from",
                "bracket",
                "--to",
                "relations",
                "--scheme",
                "ptb",
            ]
        )
        == 0
    )
    assert "ncsubj: subject of a passive: 1 in 1 sentence" in capsys.readouterr().err
    written = relations.read_text(encoding="utf-8")
    assert "(ncsubj married:4_VBN couple:2_NN obj)" in written


def test_breakdowns_are_printed_where_they_are_asked_for(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    gold, parsed = tmp_path / "gold.conllu", tmp_path / "parsed.conllu"
    row = "{}\t{}\t_\tX\t_\t_\t{}\t{}\t_\t_\n".format
    gold.write_text(row(1, "a", 2, "nsubj") + row(2, "b", 0, "root") + row(3, "c", 2, "obj") + "\n")
    parsed.write_text(row(1, "a", 2, "obj") + row(2, "b", 0, "root") + row(3, "c", 2, "obj") + "\n")
    call = ["score", "--metric", "dependencies", "--by", "direction,confusion"]
    files = [str(gold), str(parsed)]
    assert main([*call, *files]) == 0
    printed = capsys.readouterr().out
    assert "\n  to_root " in printed
    assert " → " in printed
    assert main([*call, "--json", *files]) == 0
    document = json.loads(capsys.readouterr().out)
    directions = document["by_direction"]
    assert {"to_root", "left", "right"} == directions.keys()
    assert sum(row["gold"] for row in directions.values()) == sum(
        row["gold"] for row in document["by_confusion"].values()
    )
    with raises(OptionError, kind="--by", value="moon"):
        run_failing([*call, "--by", "moon", *files])


def test_a_comparison_that_is_not_what_it_seems_is_told_and_stops_under_strict(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    gold, parsed = tmp_path / "gold.mrg", tmp_path / "parsed.mrg"
    gold.write_text("(S (NP-SBJ (D the) (N cat)) (VP (V saw)))\n" * 3, encoding="utf-8")
    parsed.write_text("(S (NP (D the) (N cat)) (VP (V saw)))\n" * 3, encoding="utf-8")
    message = "only gold has functions in its labels (33 % of them), so these never match (name the scheme"
    assert main(["score", str(gold), str(parsed)]) == 0
    assert f"warning: {message}" in capsys.readouterr().err
    assert main(["score", "--strict", str(gold), str(parsed)]) == 2
    printed = capsys.readouterr()
    assert printed.err.startswith(message)
    assert printed.out == ""


def test_a_scheme_whose_views_make_no_dependencies(tmp_path: Path) -> None:
    """The message said to name a scheme, which had been named."""
    scheme, trees, target = (tmp_path / name for name in ("own.yaml", "x.mrg", "x.conllu"))
    scheme.write_text("name: own\ntitle: own\nsources: [own]\nheads: {default: left}\n")
    trees.write_text("(S (NN a) (VB b))\n")
    call = ["convert", str(trees), str(target), "--scheme", str(scheme)]
    with raises(LackingViewError, "--scheme", "FILE", "NEW", "--transform", annotation="dependencies"):
        run_failing(call)
    assert main([*call, "--transform", "dependencies"]) == 0
    assert "\t0\troot\t" in target.read_text()


def test_relations_without_words_are_no_trees(tmp_path: Path) -> None:
    """Their sentences have no tokens, which is not the same as no parse."""
    (tmp_path / "gold.mrg").write_text("(S (NP (NNP Anna)) (VP (VBZ sleeps)))\n", encoding="utf-8")
    (tmp_path / "a.parg").write_text(
        '<s id="1"> 2\n0\t1\tS[dcl]\\NP\t1\tAnna sleeps\n<\\s>\n', encoding="utf-8"
    )
    with raises(MissingAnnotationError, annotation="trees"):
        run_failing(["score", str(tmp_path / "gold.mrg"), str(tmp_path / "a.parg")])
