"""Modes eval07 and conllx: reports that the scorers printed, and what ends them.

The scorers themselves are asked too where the variables EVAL07 and CONLLX_EVAL name them. They leave what
has equal counts in the order of Perl's hashes; here their copies sort the keys.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from crossbank.compat.eval07.names import displayed
from crossbank.compat.eval07.parallel_lines import scan
from crossbank.compat.eval07.specific_errors import ErrorKind, without_general
from crossbank.compat.eval07.tokens import number_of
from crossbank.treebanks.errors import CrossbankError, FormatError, MissingAnnotationError, OptionError
from crossbank.workflow.commands.cli import main
from tests.compat.modes import Mode
from tests.errors import raises

evaluate, run = Mode("eval07").evaluate, Mode("eval07").run
evaluate_conllx, run_conllx = Mode("conllx").evaluate, Mode("conllx").run

PRINTED = Path(__file__).parent / "eval07"
"""Gold and system of some sentences, and what the scorers printed of them, their keys sorted."""

WORDS = (("Der", "ART", 2, "NK"), ("Hund", "NN", 3, "SB"), ("bellt", "V", 0, "ROOT"), ("”", "$", 3, "--"))
WRONG = (("Der", "ART", 2, "NK"), ("Hund", "NN", 0, "SB"), ("bellt", "V", 2, "OA"), ("”", "$", 2, "--"))


def lines(words: tuple[tuple[str, str, int, str], ...]) -> str:
    return "".join(
        f"{n}\t{word}\t_\t{tag}\t{tag}\t_\t{head}\t{relation}\n"
        for n, (word, tag, head, relation) in enumerate(words, 1)
    )


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    gold, system = tmp_path / "gold.conll", tmp_path / "system.conll"
    gold.write_text((lines(WORDS) + "\n") * 5, encoding="utf-8")
    system.write_text((lines(WRONG) + "\n") * 5, encoding="utf-8")
    return gold, system


@pytest.mark.parametrize(("program", "options"), [(run, {"per_sentence": "yes"}), (run_conllx, {})])
def test_whole_reports_as_the_scorers_printed_them(program, options, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.chdir(PRINTED)
    name = "eval07.txt" if program is run else "conllx.txt"
    report, errors, code = program("gold.conll", "system.conll", options=options)
    assert report == Path(name).read_text(encoding="utf-8")
    assert (errors, code) == ("", 0)


SUMMARY = """\
  Labeled   attachment score: 5 / 20 * 100 = 25.00 %
  Unlabeled attachment score: 5 / 20 * 100 = 25.00 %
  Label accuracy score:       15 / 20 * 100 = 75.00 %
"""

WITHOUT_PUNCTUATION = """\
  Labeled   attachment score: 5 / 15 * 100 = 33.33 %
  Unlabeled attachment score: 5 / 15 * 100 = 33.33 %
  Label accuracy score:       10 / 15 * 100 = 66.67 %
"""


def test_the_two_programs_have_opposite_defaults(files: tuple[Path, Path]) -> None:
    quiet = {"quiet": "yes"}
    assert run(*files, options=quiet) == (SUMMARY, "", 0)
    assert run(*files, options={**quiet, "punctuation": "exclude"})[0] == WITHOUT_PUNCTUATION
    assert run_conllx(*files, options=quiet)[0] == WITHOUT_PUNCTUATION
    assert run_conllx(*files, options={**quiet, "punctuation": "include"})[0] == SUMMARY


def test_derivational_links_can_be_left_out_in_2007(tmp_path: Path) -> None:
    path = tmp_path / "a.conll"
    path.write_text(lines(WORDS).replace("NK", "DERIV"), encoding="utf-8")
    report = run(path, path, options={"quiet": "yes", "deriv": "exclude"})[0]
    assert "3 / 3 * 100 = 100.00 %" in report
    with raises(OptionError, "punctuation", "per_sentence", "quiet", kind="option of conllx", value="deriv"):
        run_conllx(path, path, options={"deriv": "exclude"})


def test_another_word_or_tag_is_a_warning_once_in_2007_and_nothing_in_2006(files: tuple[Path, Path]) -> None:
    files[1].write_text(files[1].read_text(encoding="utf-8").replace("Hund", "Hünd"), encoding="utf-8")
    report, warning, code = run(*files)
    assert report.startswith(SUMMARY)
    assert code == 0
    assert warning == (
        "Warning: ignoring word/pos mismatch, line 2:\n"
        " gold: 2\tHund\t_\tNN\tNN\t_\t3\tSB\n"
        " sys : 2\tHünd\t_\tNN\tNN\t_\t0\tSB\n"
    )
    assert run_conllx(*files)[1:] == ("", 0)


def test_lines_that_are_not_parallel_end_both(files: tuple[Path, Path]) -> None:
    files[1].write_text(lines(WRONG) + "\n" + lines(WRONG[:3]) + "\n", encoding="utf-8")
    message = "line mismatch, line 9:\n gold: 4\t”\t_\t$\t$\t_\t3\t--\n sys : \n"
    assert run(*files) == ("", f"Fatal: {message}", 1)
    assert run_conllx(*files) == ("", message, 1)
    report, _, _ = run(*files, options={"per_sentence": "yes"})
    assert report.count("\n") == 3 + 1
    assert report.endswith("     1    4    0   25.00  25.00     1       1           4    0 0 0 0\n")
    with raises(FormatError, file="system.conll", line=9, actual="no words"):
        evaluate(*files).counts()
    with raises(FormatError, file="system.conll", line=9):
        evaluate_conllx(*files).counts()


def test_blank_lines_at_the_end_are_forgiven_in_2007(files: tuple[Path, Path]) -> None:
    text = files[1].read_text(encoding="utf-8")
    whole = run(*files)[0]
    files[1].write_text(text.removesuffix("\n"), encoding="utf-8")
    missing = f"Warning: ignoring missing blank line at the end of {files[1]}.\n"
    assert run(*files) == (whole, missing * 2, 0)
    assert run(*files, options={"quiet": "yes"}) == (SUMMARY, missing, 0)
    assert run_conllx(*files) == ("", "line mismatch, line 25:\n gold: \n sys : past end of file\n", 1)
    files[1].write_text(f"{text}\n \n", encoding="utf-8")
    extra = f"Warning: ignoring extra blank line at the end of {files[1]}.\n"
    assert run(*files) == (whole, extra * 4, 0)


def test_missing_columns_count_as_nothing_and_are_told(files: tuple[Path, Path]) -> None:
    files[1].write_text(files[1].read_text(encoding="utf-8").replace("\tNK", ""), encoding="utf-8")
    report, messages, code = run(*files)
    assert "Label accuracy score:       10 / 20" in report
    assert messages == (
        f"{files[1]}:1: found 7 columns, expected at least 8 separated by white space: "
        "what is missing counts as nothing, here and in 4 more lines\n"
    )
    assert code == 0


def test_nothing_to_score_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "a.conll"
    path.write_text("1\t.\t_\tX\tX\t_\t0\tROOT\n\n", encoding="utf-8")
    with raises(CrossbankError, "a.conll"):
        run_conllx(path, path)


def test_a_negative_head_counts_from_the_end_as_in_perl(tmp_path: Path) -> None:
    gold, system = tmp_path / "gold.conll", tmp_path / "system.conll"
    text = "".join(f"{n}\tw\t_\tT\tT\t_\t{head}\tr\n" for n, head in enumerate((0, 1, 1), 1)) + "\n"
    gold.write_text(text * 5, encoding="utf-8")
    system.write_text(text.replace("3\tw\t_\tT\tT\t_\t1", "3\tw\t_\tT\tT\t_\t-2") * 5, encoding="utf-8")
    report = run(gold, system)[0]
    assert "    5  *r* / *r* r \n    5  *r* r r / *r* r \n" in report
    system.write_text(text.replace("3\tw\t_\tT\tT\t_\t1", "3\tw\t_\tT\tT\t_\t-5"), encoding="utf-8")
    gold.write_text(text, encoding="utf-8")
    with raises(CrossbankError, "sentence 1", "line 1", "-5", "-4"):
        run(gold, system)


def test_trees_without_dependencies_have_no_score(tmp_path: Path) -> None:
    """Their words would all have the head and the relation ``_``, and agree."""
    path = tmp_path / "a.export"
    path.write_text("#FORMAT 4\n#BOS 1 0 0 0\nda\t--\tADV\t--\tHD\t0\n#EOS 1\n", encoding="utf-8")
    with raises(MissingAnnotationError, annotation="dependencies"):
        run(path, path)


def test_json_of_both_modes(files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    for mode, las in (("eval07", 5 / 20), ("conllx", 5 / 15)):
        assert main(["score", "--mode", mode, "--json", *map(str, files)]) == 0
        scores = {s["measure"]: s["value"] for s in json.loads(capsys.readouterr().out)["scores"]}
        assert (scores["las"], scores["uas"]) == (las, las)


def test_bytes_that_are_no_text_are_printed_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "a.conll"
    path.write_bytes(lines(WORDS).encode().replace(b"ART", b"\xe4"))
    report, _, _ = run(path, path)
    assert b"\n  \xe4          |     1 |" in report.encode("utf-8", "surrogateescape")


# The parts


def test_columns_are_set_apart_by_any_white_space() -> None:
    columns = scan(b"1 a\tb \x0bN c d 2 R\r\n \t\r\n\ta x N\n")
    assert columns.blank.tolist() == [False, True, False]
    assert columns.columns.tolist() == [8, 0, 4]
    assert [[columns.strings[code] for code in line] for line in columns.codes.T.tolist()] == [
        ["a", "N", "2", "R"],
        ["", "", "", ""],
        ["a", "N", "", ""],
    ]


@given(words=st.lists(st.lists(st.text("abc ä\t", max_size=4), max_size=9), max_size=12))
def test_columns_as_python_splits_them(words: list[list[str]]) -> None:
    text = "\n".join("\t".join(line) for line in words) + "\n"
    actual = scan(text.encode())
    for number, line in enumerate(text.encode().decode("latin-1").split("\n")[:-1]):
        columns = re.split("[ \t]+", line.rstrip(" \t"))
        columns += [""] * (8 - len(columns))
        requested = [columns[index] for index in (1, 3, 6, 7)]
        assert [actual.strings[code] for code in actual.codes[:, number]] == requested


def test_many_strings_make_the_table_grow() -> None:
    text = "".join(f"1 w{n} _ t{n} _ _ {n} r{n}\n" for n in range(30_000))
    assert len(scan(text.encode()).strings) == 4 * 30_000 + 1


@pytest.mark.parametrize(
    ("string", "number"),
    [("3", 3), ("3rd", 3), ("+1", 1), ("-2", -2), (".5", 0.5), ("1e1", 10), ("_", 0), ("", 0), ("0x1f", 0)],
)
def test_numbers_as_perl_takes_them(string: str, number: float) -> None:
    assert number_of(string) == number


def test_non_spacing_marks_have_no_width() -> None:
    assert [displayed(text.encode().decode("latin-1")) for text in ("naïve", "שָׁלוֹם", "日本")] == [5, 4, 2]


@pytest.mark.parametrize(
    ("kind", "description"),
    [
        (
            ErrorKind("-", "b", "b", "a->b"),
            'correct head (before the focus word), dependency "b" instead of "a"',
        ),
        (ErrorKind("0", "a", "0", "-"), "head = 0 instead of after the focus word, correct dependency"),
        (ErrorKind("2", "0", "a", "-"), "head is the focus word instead of 0, correct dependency"),
        (
            ErrorKind("-5", "a", "b", "-"),
            "head 5 words before the correct head (before the focus word instead ofbefore the focus word), "
            "correct dependency",
        ),
    ],
)
def test_errors_in_the_scorers_words(kind: ErrorKind, description: str) -> None:
    assert kind.description() == description


def test_contexts_that_say_less_are_left_out() -> None:
    full, one, two, three = (
        tuple("abcdef"),
        ("*", *"bcdef"),
        ("*", "*", *"cdef"),
        ("*", "*", "*", *"def"),
    )
    assert without_general([full, one, two]) == {full}
    # The one with three asterisks is out of the reach of the first, and that with one goes before its turn.
    assert without_general([full, one, three]) == {full}
    assert without_general([full, three]) == {full, three}


# Properties

FORMS = st.sampled_from(["a", "der", "Hündin", "日本", "*", ".", "”", "+", "a+b", ".S", ".E", "שָׁ"])
TAGS = st.sampled_from(["N", "N+V", "Ä", ".S", "*", "LONGEST_TAG"])
RELATIONS = st.sampled_from(["nsubj", "obj", "DERIV", "x:y"])
HEADS = st.integers(0, 4).map(str) | st.sampled_from(["_", "-1", "03", "1.5", "99", "2x"])


@st.composite
def pairs(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    """Sentences of gold and system as lines with a blank line after; the system has some wrong columns."""
    gold, system = [], []
    for _ in range(draw(st.integers(1, 8))):
        blocks = ["", ""]
        for number in range(1, draw(st.integers(1, 4)) + 1):
            word, tag, head, relation = draw(FORMS), draw(TAGS), draw(HEADS), draw(RELATIONS)
            other = draw(HEADS) if draw(st.booleans()) else head
            renamed = draw(RELATIONS) if draw(st.booleans()) else relation
            for side, (above, name) in enumerate(((head, relation), (other, renamed))):
                blocks[side] += f"{number}\t{word}\t_\t{tag}\t_\t_\t{above}\t{name}\n"
        repeated = draw(st.sampled_from([1, 1, 6]))
        gold += [blocks[0] + "\n"] * repeated
        system += [blocks[1] + "\n"] * repeated
    return gold, system


@settings(max_examples=30)
@given(pair=pairs(), chance=st.randoms())
def test_the_order_of_sentences_changes_nothing_but_their_numbers(
    tmp_path_factory: pytest.TempPathFactory, pair: tuple[list[str], list[str]], chance: object
) -> None:
    folder = tmp_path_factory.mktemp("pair")
    files = folder / "gold.conll", folder / "system.conll"
    reports = []
    order = list(range(len(pair[0])))
    for _ in range(2):
        for path, side in zip(files, pair, strict=True):
            path.write_text("".join(side[index] for index in order), encoding="utf-8")
        reports.append(re.sub(r"(?<=Sentence )\d+ line.*", "", run(*files)[0]))
        chance.shuffle(order)  # type: ignore[attr-defined]
    assert reports[0] == reports[1]


@given(pair=pairs())
def test_a_file_against_itself_has_no_errors(
    tmp_path_factory: pytest.TempPathFactory, pair: tuple[list[str], list[str]]
) -> None:
    path = tmp_path_factory.mktemp("one") / "gold.conll"
    path.write_text("".join(pair[0]), encoding="utf-8")
    assert set(evaluate(path, path).counts().values().values()) == {1.0}
    assert "  0 focus words where" in run(path, path)[0]


# The scorers themselves

PROGRAMS = {"EVAL07": run, "CONLLX_EVAL": run_conllx}


def run_scorer(
    name: str, files: tuple[Path, Path], switches: list[str], folder: Path
) -> tuple[bytes, bytes, int]:
    """Return what a scorer with sorted keys prints; without what Perl itself says on the way."""
    script = folder / "sorted.pl"
    source = Path(os.environ[name]).read_text(encoding="utf-8")
    script.write_text(re.sub(r"(?<!scalar )(?<!sort )keys %", "sort keys %", source), encoding="utf-8")
    completed = subprocess.run(
        [str(shutil.which("perl")), str(script), *switches, "-g", str(files[0]), "-s", str(files[1])],
        capture_output=True,
        check=False,
    )
    messages = [
        line for line in completed.stderr.splitlines(keepends=True) if b" at " + bytes(script) not in line
    ]
    return completed.stdout, b"".join(messages), completed.returncode


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(
            name,
            marks=pytest.mark.skipif(
                name not in os.environ or shutil.which("perl") is None,
                reason=f"the scorer is not here (set {name} to its path, and have perl)",
            ),
        )
        for name in PROGRAMS
    ],
)
@settings(max_examples=60)
@given(
    pair=pairs(),
    switches=st.sets(st.sampled_from(["-p", "-q", "-b"])),
    end=st.sampled_from(["", "", "\n", "1\ta\n"]),
)
@example(pair=([" \n"], [" \n"]), switches=set(), end="")
def test_the_scorers(
    tmp_path_factory: pytest.TempPathFactory,
    name: str,
    pair: tuple[list[str], list[str]],
    switches: set[str],
    end: str,
) -> None:
    folder = tmp_path_factory.mktemp("pair")
    files = folder / "gold.conll", folder / "system.conll"
    for path, side in zip(files, (pair[0], [*pair[1], end]), strict=True):
        path.write_text("".join(side), encoding="utf-8")
    options = {"-q": {"quiet": "yes"}, "-b": {"per_sentence": "yes"}}
    options["-p"] = {"punctuation": "exclude" if name == "EVAL07" else "include"}
    inputs = {key: value for switch in switches for key, value in options[switch].items()}
    printed = run_scorer(name, files, sorted(switches), folder)
    try:
        report, messages, code = PROGRAMS[name](*files, options=inputs)
    except CrossbankError:
        assert printed[2] not in (0, 1)  # Perl divides by nothing
        return
    short = [line for line in messages.splitlines(keepends=True) if "expected at least 8" not in line]
    assert (report.encode(), "".join(short).encode(), code) == printed


def test_comments_are_tokens_and_called_comments(tmp_path: Path) -> None:
    path = tmp_path / "x.conllu"
    path.write_text("# sent_id = 1\n1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n")
    _, messages, _ = run(path, path)
    comment = f"{path}:1: found a comment, expected a token: it is read as a token, as the program reads it"
    assert messages.startswith(f"{comment}\n")
    assert messages.count("found a comment") == 2
    assert "columns" not in messages
