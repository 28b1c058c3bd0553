"""Mode conll18: official figures, the official alignment's own examples, and every fatal error."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import unicodedata
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import crossbank
from crossbank.compat.conll18.stretches_of_text import SPACES
from crossbank.treebanks.errors import CrossbankError, FormatError, OptionError
from crossbank.treebanks.formats.conllu import dumps, loads
from crossbank.workflow.commands.cli import main
from tests.compat.modes import Mode
from tests.errors import raises

evaluate, run = Mode("conll18").evaluate, Mode("conll18").run


def sentence(*tokens: str, relation: str = "dep") -> str:
    """Return a sentence of tokens; ``"zum zu dem"`` is a multiword token of two words."""
    lines, word = [], 0
    for token in tokens:
        surface, *words = token.split(" ")
        if words:
            lines.append(f"{word + 1}-{word + len(words)}\t{surface}" + "\t_" * 8)
        for form in words or [surface]:
            word += 1
            head, label = (1, relation) if word > 1 else (0, "root")
            lines.append(f"{word}\t{form}\t_\t_\t_\t_\t{head}\t{label}\t_\t_")
    return "\n".join([*lines, "", ""])


class Files:
    def __init__(self, folder: Path) -> None:
        self.gold, self.system = folder / "gold.conllu", folder / "system.conllu"

    def written(self, gold: str, system: str) -> tuple[Path, Path]:
        for path, text in ((self.gold, gold), (self.system, system)):
            path.write_bytes(text.encode())
        return self.gold, self.system

    def scores(self, gold: str, system: str) -> dict[str, float]:
        return evaluate(*self.written(gold, system)).counts().values()

    def correct_words(self, gold: str, system: str) -> int:
        self.scores(gold, system)
        return int(evaluate(self.gold, self.system).counts().sums()["words_correct"])


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


@pytest.mark.parametrize(
    ("system", "las"), [("HIT-SCIR-18", "80.36"), ("conll18-baseline", "70.85")], ids=lambda value: value
)
def test_official_results_of_de_gsd(shared_data: Path, system: str, las: str) -> None:
    folder = shared_data / "conll18"
    report, _, code = run(folder / "00-gold-standard" / "de_gsd.conllu", folder / system / "de_gsd.conllu")
    rows = {line[:11].strip(): line.split("|")[1:] for line in report.splitlines()}
    assert rows["LAS"][2].strip() == las
    assert code == 0


def test_a_treebank_against_itself(shared_data: Path) -> None:
    gold = shared_data / "conll18" / "00-gold-standard" / "de_gsd.conllu"
    assert set(evaluate(gold, gold).counts().values().values()) == {1.0}


@pytest.mark.parametrize(
    ("gold", "system", "correct"),
    [
        (["abc a b c"], ["a", "b", "c"], 3),
        (["a", "bc b c", "d"], ["a", "b", "c", "d"], 4),
        (["abcd a b c d"], ["ab a b", "cd c d"], 4),
        (["abc a b c", "de d e"], ["a", "bcd b c d", "e"], 5),
        (["abcd"], ["a", "b", "c", "d"], 0),
        (["abc", "d"], ["a", "b", "c", "d"], 1),
        (["a", "bc", "d"], ["a", "b", "c", "d"], 2),
        (["a", "bc b c", "d"], ["a", "b", "cd"], 2),
        (["abc a BX c", "def d EX f"], ["ab a b", "cd c d", "ef e f"], 4),
        (["ab a b", "cd bc d"], ["a", "bc", "d"], 2),
        (["a", "bc b c", "d"], ["ab AX BX", "cd CX a"], 1),
    ],
)
def test_the_official_examples_of_alignment(
    files: Files, gold: list[str], system: list[str], correct: int
) -> None:
    assert files.correct_words(sentence(*gold), sentence(*system)) == correct


def test_files_without_a_sentence(files: Files) -> None:
    report = evaluate(*files.written("#", "#"))
    assert len(report.counts()) == 0
    assert "LAS" in report.printed()[0]


def test_the_table_and_its_counts(files: Files) -> None:
    files.scores(sentence("a", "b", "cd c d"), sentence("a", "bcd", relation="nsubj:pass"))
    report = run(files.gold, files.system)[0].splitlines()
    assert report[0] == "Metric     | Precision |    Recall |  F1 Score | AligndAcc"
    assert report[2] == "Tokens     |     50.00 |     33.33 |     40.00 |"
    assert report[11] == "LAS        |     50.00 |     25.00 |     33.33 |    100.00"
    counted = run(files.gold, files.system, options={"counts": "yes"})[0].splitlines()
    assert counted[2] == "Tokens     |         1 |         3 |         2 |          "
    assert counted[4] == "Words      |         1 |         4 |         2 |         1"


def test_universal_features_and_unknown_lemmas(files: Files) -> None:
    gold = "1\ta\t_\t_\t_\tCase=Nom|Number=Sing|Number[psor]=Sing\t0\troot\t_\t_\n\n"
    scores = files.scores(gold, gold.replace("Nom|Number=Sing|Number[psor]=Sing", "Nom|Foo=1|Number=Sing"))
    assert scores["ufeats"] == 1
    assert files.scores(gold, gold.replace("a\t_", "a\tx"))["lemmas"] == 1
    assert files.scores(gold.replace("a\t_", "a\tx"), gold)["lemmas"] == 0


def test_the_only_word_of_gold_may_have_no_counterpart() -> None:
    """An index of -2 was out of bounds of gold's one word."""
    gold, system = loads(sentence("ab", relation="root")), loads(sentence("a", "b"))
    result = crossbank.score(gold, system, "conll18")
    assert result["uas"] == 0


@pytest.mark.parametrize(("measure", "column"), [("upos", 3), ("xpos", 4), ("lemmas", 2), ("las", 7)])
def test_a_blank_column_is_not_an_underscore(files: Files, measure: str, column: int) -> None:
    """The official program compares columns as they are written; so does this mode, and no other reader."""
    columns = ["1", "a", *"_" * 4, "0", "root", "_", "_"]
    columns[2] = "x"
    gold, system = list(columns), list(columns)
    gold[column], system[column] = "", "_"
    first, second = ("\t".join(side) + "\n\n" for side in (gold, system))
    assert files.scores(first, second)[measure] == 0
    assert files.scores(first, first)[measure] == 1


def test_function_words_count_in_mlas_alone(files: Files) -> None:
    gold = "1\tthe\t_\tDET\t_\t_\t2\tdet\t_\t_\n2\tcat\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
    scores = files.scores(gold, gold.replace("DET", "PRON"))
    assert (scores["clas"], scores["mlas"], scores["blex"]) == (1, 0, 1)
    assert files.scores(gold, gold.replace("\tdet", "\tnmod"))["clas"] == pytest.approx(2 / 3)


def test_the_sentences_of_gold_have_the_counts_of_a_system_that_cuts_otherwise(files: Files) -> None:
    files.scores(sentence("a", "b") + sentence("c"), sentence("a", "b", "c"))
    counts = evaluate(files.gold, files.system).counts()
    assert counts.columns["uas_system"].tolist() == [2, 1]
    assert counts.columns["uas_correct"].tolist() == [2, 0]
    assert counts.columns["sentences_correct"].tolist() == [0, 0]


GOOD = sentence("a", "b")


@pytest.mark.parametrize(
    ("system", "fields"),
    [
        (
            "1\ta\t_\t_\t_\t_\t2\tx\t_\t_\n2\tb\t_\t_\t_\t_\t1\tx\t_\t_\n\n",
            {"file": "system.conllu", "line": 1, "sentence": "1", "actual": "a cycle"},
        ),
        (
            GOOD.replace("\t1\tdep", "\t2\tdep"),
            {"file": "system.conllu", "line": 2, "sentence": "1", "actual": "a cycle"},
        ),
        (
            GOOD + "# c\n" + GOOD.replace("\t1\tdep", "\t0\troot"),
            {"file": "system.conllu", "line": 6, "sentence": "2", "actual": "2 roots"},
        ),
        (
            GOOD.replace("\t1\tdep", "\t_\tdep"),
            {"file": "system.conllu", "line": 2, "sentence": "1", "actual": "a word without a head"},
        ),
        (
            GOOD.replace("\t1\tdep", "\t3\tdep"),
            {"file": "system.conllu", "line": 2, "sentence": "1", "actual": "the head 3 of 2"},
        ),
        (
            "# c\n" + GOOD.replace("2\tb", "2\tc"),
            {
                "file": "system.conllu",
                "line": 3,
                "sentence": "1",
                "actual": "the text 'c'",
                "expected": "'b' as in gold",
            },
        ),
        (
            GOOD.replace("\t_\n", "\n"),
            {
                "file": "system.conllu",
                "line": 1,
                "sentence": "1",
                "actual": "9 columns ('1\\ta\\t_\\t_\\t_\\t_\\t0\\troot\\t_')",
            },
        ),
        (
            GOOD.replace("2\tb", "3\tb"),
            {"file": "system.conllu", "line": 2, "sentence": "1", "actual": "the number '3'"},
        ),
        (
            GOOD.replace("2\tb", "2\t\u00a0"),
            {"file": "system.conllu", "line": 2, "sentence": "1", "actual": "a form of spaces"},
        ),
        (GOOD + "\n", {"file": "system.conllu", "line": 4, "actual": "a blank line that ends no sentence"}),
        (
            GOOD[:-1] + " \n",
            {
                "file": "system.conllu",
                "line": 3,
                "actual": "a line of white space",
                "expected": "an empty line",
            },
        ),
        (GOOD[:-1], {"file": "system.conllu", "line": 3, "actual": "the end of the file"}),
        (
            "1-x" + GOOD[1:],
            {
                "file": "system.conllu",
                "line": 1,
                "sentence": "1",
                "actual": "the range '1-x'",
                "expected": "two numbers with a hyphen between",
            },
        ),
        (
            "1-3\tab" + "\t_" * 8 + "\n" + GOOD,
            {
                "file": "system.conllu",
                "line": 4,
                "sentence": "1",
                "actual": "the end of a sentence within a multiword token",
            },
        ),
        (
            GOOD.replace("\t1\tdep", "\t-1\tdep"),
            {"file": "system.conllu", "line": 2, "sentence": "1", "actual": "the head '-1' of 2"},
        ),
    ],
)
def test_what_ends_the_official_program_ends_the_mode(
    files: Files, system: str, fields: dict[str, object]
) -> None:
    with raises(FormatError, **fields):
        files.scores(GOOD, system)


@pytest.mark.parametrize(
    "system",
    [
        GOOD.replace("\t1\tdep", "\t01\tdep"),
        GOOD.replace("\t1\tdep", "\t+1\tdep"),
        GOOD.replace("\t1\tdep", "\t 1 \tdep"),
        GOOD.replace("\t1\tdep", "\t0_1\tdep"),
        GOOD.replace("\t1\tdep", "\t\u0661\tdep"),
        GOOD.replace("2\tb", "02\tb"),
        GOOD.replace("2\tb", " 2\tb"),
        GOOD + "# the end\n",
        GOOD.replace("\n", "\r\n"),
        "1-1\ta" + "\t_" * 8 + "\n" + GOOD,
        "3-03\ta" + "\t_" * 8 + "\n" + GOOD,
        "1- 1\ta" + "\t_" * 8 + "\n" + GOOD,
        "1-1\ta" + "\t_" * 8 + "\n" + GOOD.replace("1\ta", "x\ta", 1),
        "1.1" + "\t" * 9 + "\n" + GOOD,
        "0.1\t" + "\t_" * 8 + "\n" + GOOD,
        GOOD.replace("2\tb", "1.1\n2\tb".replace("\n", "\t_" * 9 + "\n")),
    ],
)
def test_what_the_official_program_accepts_the_mode_accepts(files: Files, system: str) -> None:
    """Numbers are what Python takes for such; those of ranges and of their words are not looked at."""
    assert files.scores(GOOD, system)["las"] == 1


def test_a_multiword_token_may_have_no_words_or_empty_ones(files: Files) -> None:
    token = "3-2\tc" + "\t_" * 8 + "\n"
    counts = evaluate(*files.written(GOOD[:-1] + token + "\n", GOOD[:-1] + token + "\n")).counts().sums()
    assert (counts["tokens_correct"], counts["words_correct"]) == (3, 2)
    empty = "1-2\tab" + "\t_" * 8 + "\n" + GOOD.replace("1\ta", "1\t", 1)
    assert files.scores(empty, empty)["words"] == 1


def test_empty_nodes_within_a_multiword_token(files: Files) -> None:
    """Version 1.2 of the script takes the node for the second word of the two; later ones leave it out."""
    plain = sentence("ab a b")
    inputs = files.written(plain, plain.replace("2\tb", "1.1\te" + "\t_" * 8 + "\n2\tb"))
    report = evaluate(*inputs)
    assert report.printed()[0] == run(files.gold, files.gold)[0]
    assert "system.conllu:3: empty nodes within multiword tokens are skipped" in report.notes
    with raises(FormatError, line=3, sentence="1", actual="an empty node within a multiword token"):
        evaluate(*inputs, options={"version": "1.2"})
    assert evaluate(files.gold, files.gold).notes == ""


def test_one_line_and_exit_code_2(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    files.gold.write_text(GOOD)
    files.system.write_text(sentence("a", "c"))
    assert main(["score", "--mode", "conll18", str(files.gold), str(files.system)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_json(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    files.gold.write_text(GOOD)
    files.system.write_text(GOOD.replace("dep", "obj"))
    assert main(["score", "--mode", "conll18", "--json", str(files.gold), str(files.system)]) == 0
    printed = json.loads(capsys.readouterr().out)
    scores = {score["measure"]: score["value"] for score in printed["scores"]}
    assert scores["las"] == 0.5
    assert {"uas", "las", "clas", "mlas", "blex", "upos", "words", "sentences"} <= set(scores)
    assert printed["sentences"] == {"total": 1, "scored": 1}


TOKENS = st.lists(st.sampled_from(["a", "b", "ab", "ab a b", "ba b a", "abc a bc"]), min_size=1, max_size=5)


@given(st.lists(st.tuples(TOKENS, st.sampled_from(["dep", "obj", "det"])), min_size=1), st.randoms())
def test_shuffling_sentences_changes_nothing(
    tmp_path_factory: pytest.TempPathFactory, drawn: list[tuple[list[str], str]], random: Random
) -> None:
    gold = loads("".join(sentence(*tokens) for tokens, _ in drawn))
    system = loads("".join(sentence(*tokens, relation=relation) for tokens, relation in drawn))
    order = list(range(len(drawn)))
    random.shuffle(order)
    files = Files(tmp_path_factory.mktemp("conll18"))
    before = files.scores(dumps(gold), dumps(system))
    assert files.scores(dumps(gold.select(order)), dumps(system.select(order))) == before
    assert set(files.scores(dumps(system), dumps(system)).values()) == {1.0}


@st.composite
def cuts(draw: st.DrawFn) -> str:
    """Return the text ``abcabcabcabc`` cut into sentences, tokens and words; at times a letter is another."""
    text, sentences = "abc" * 4 if draw(st.integers(0, 9)) else "abc" * 3 + "abd", []
    while text:
        tokens = []
        for length in draw(st.lists(st.integers(1, 4), min_size=1, max_size=4)):
            words = draw(st.lists(st.sampled_from(["a", "ab", "B", "c d"]), max_size=3))
            words = [word.replace(" ", "\u00a0") for word in words]
            tokens.append(" ".join([text[:length], *words]))
            text = text[length:]
            if not text:
                break
        sentences.append(sentence(*tokens, relation=draw(st.sampled_from(["dep", "obj:x", "det", "punct"]))))
    return "".join(sentences)


@pytest.mark.skipif(
    "CONLL18_EVAL" not in os.environ, reason="the script is not here (set CONLL18_EVAL to its path)"
)
@pytest.mark.parametrize(
    ("switch", "options"), [("-c", {"counts": "yes"}), ("-v", {}), ("", {"table": "no"})]
)
@settings(max_examples=40)
@given(gold=cuts(), system=cuts())
def test_the_official_script(
    tmp_path_factory: pytest.TempPathFactory, gold: str, system: str, switch: str, options: dict[str, str]
) -> None:
    """Its table is the mode's, and where it ends with an error, the mode does."""
    files = Files(tmp_path_factory.mktemp("conll18"))
    files.gold.write_text(gold, encoding="utf-8")
    files.system.write_text(system, encoding="utf-8")
    command = [
        sys.executable,
        os.environ["CONLL18_EVAL"],
        *switch.split(),
        str(files.gold),
        str(files.system),
    ]
    printed = subprocess.run(command, capture_output=True, check=False, text=True)
    try:
        report = run(files.gold, files.system, options=options)[0]
    except CrossbankError:
        assert printed.returncode
        return
    assert report == printed.stdout


def test_without_the_table_three_scores_are_printed(shared_data: Path) -> None:
    gold, system = (
        shared_data / "conll18" / name / "de_gsd.conllu" for name in ("00-gold-standard", "HIT-SCIR-18")
    )
    # As printed by the official script without an option.
    report = run(gold, system, options={"table": "no"})[0]
    assert report == "LAS F1 Score: 80.36\nMLAS Score: 40.64\nBLEX Score: 71.40\n"
    with raises(OptionError, kind="table", value="no"):
        run(gold, system, options={"table": "no", "enhanced": "yes"})


def test_spaces_are_the_characters_of_the_category_zs() -> None:
    every = [chr(code) for code in range(sys.maxunicode + 1)]
    assert [c for c in every if SPACES.match(c)] == [c for c in every if unicodedata.category(c) == "Zs"]
