"""disco-dop's summary: its conventions one by one, by hand.

Its own program is asked too where the variable DISCODOP, or PATH, names one (``discodop eval``).
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crossbank.compat.discodop.discodop_parameters import load_parameters
from crossbank.treebanks import Treebank
from crossbank.treebanks.errors import CrossbankError, FormatError, OptionError
from crossbank.treebanks.formats import read, write
from tests.compat.modes import Mode
from tests.errors import raises

evaluate, run = Mode("discodop").evaluate, Mode("discodop").run

PROGRAM = os.environ.get("DISCODOP") or shutil.which("discodop")

FLAGS = {"la": "--la", "ted": "--ted", "disconly": "--disconly"}


class Files:
    """Gold, candidate and parameters in a folder, and disco-dop's summary of them."""

    def __init__(self, folder: Path) -> None:
        self.gold, self.candidate, self.parameters = (folder / name for name in ("gold", "test", "x.prm"))

    def summary(
        self, gold: str, candidate: str, parameters: str = "", format: str = "discbracket", **options: str
    ) -> dict[str, str]:
        """Return the summary's scores by name; the columns for short sentences and for all as they stand."""
        self.gold.write_text(gold)
        self.candidate.write_text(candidate)
        self.parameters.write_text(f"DEBUG 0\n{parameters}")
        report, _, code = run(self.gold, self.candidate, self.parameters, options=options, format=format)
        assert code == 0
        above, _, summary = report.rpartition("__ Summary ")
        if PROGRAM:
            printed = self.by_the_program(format, options)
            if printed is not None:
                reference, _, their_summary = printed.rpartition("__ Summary ")
                assert their_summary == summary
                # Its children are in the order that they had before anything was deleted.
                same = 3 if "DELETE" in parameters else 0
                assert tables(reference)[same:] == tables(above)[same:]
        return {
            name.strip(): " ".join(columns.split())
            for name, columns in ((line[:26].rstrip(" :"), line[26:]) for line in summary.splitlines()[1:])
        }

    def by_the_program(self, format: str, options: dict[str, str]) -> str | None:
        """What it prints; None where it ends before the summary, which it does without brackets in gold."""
        values = {"cutoff_len": "--cutofflen", "functions": "--functions"}
        chosen = {name: value for name, value in options.items() if name != "version"}
        flags = [FLAGS.get(name) or f"{values[name]}={value}" for name, value in chosen.items()]
        arguments = [
            str(PROGRAM),
            "eval",
            self.gold,
            self.candidate,
            self.parameters,
            f"--fmt={format}",
            *flags,
        ]
        done = subprocess.run(arguments, capture_output=True, text=True, check=False)
        assert done.returncode == 0 or "in catbreakdown" in done.stderr, done.stderr
        return None if done.returncode else done.stdout


def tables(breakdowns: str) -> list[tuple[str, list[str], list[str]]]:
    """Return the title, the left and the right cells of each table, without the order of rows.

    disco-dop leaves the order of what is equally frequent to chance; so of tables of ten rows, where that
    tells which rows are there, only the title is looked at.
    """
    actual = []
    for table in breakdowns.rstrip("_\n").split("\n\n"):
        title, *rows = table.strip("\n").split("\n")
        split = 0 if "Rewrite" in title or "Attachment" in title else 39
        if "Rewrite rule mismatches" in title:
            rows = [rows[0], *("\n".join(pair) for pair in zip(rows[1::2], rows[2::2], strict=True))]
        cells = [
            sorted(filter(None, (cell.strip() for cell in side)))
            for side in ((row[:split] for row in rows), (row[split:] for row in rows))
        ]
        actual.append((title, *(side if len(side) < 11 else [] for side in cells)))
    return actual


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


def export(*sentences: str) -> str:
    """Return an export file; the lines of a sentence have their fields apart by single spaces."""
    text = "#FORMAT 4\n"
    for sentence in sentences:
        number, *lines = sentence.strip().splitlines()
        fields = "\n".join("\t".join(line.split()) for line in lines)
        text += f"#BOS {number}\n{fields}\n#EOS {number}\n"
    return text


GOLD = """1
Das -- ART -- NK 500
ist -- VAFIN -- HD 502
Haus -- NN -- NK 500
gut -- ADJD -- PD 502
. -- $. -- -- 0
#500 -- NP -- SB 502
#502 -- S -- -- 0
"""
CANDIDATE = GOLD.replace("Haus -- NN -- NK 500", "Haus -- NE -- NK 502")

PROPER = "DELETE_LABEL ROOT\nDELETE_LABEL TOP\nDELETE_LABEL $.\nDELETE_LABEL $[\nDELETE_WORD .\n"


def test_nothing_is_deleted_without_parameters(files: Files) -> None:
    """The root counts: ROOT, S and NP, of which the candidate's NP has another yield."""
    summary = files.summary(export(GOLD), export(CANDIDATE), format="export")
    assert summary["gold brackets (disc.)"] == "3 (1)"
    assert summary["cand. brackets (disc.)"] == "3 (0)"
    assert (
        summary["labeled recall"] == summary["labeled precision"] == summary["labeled f-measure"] == "66.67"
    )
    assert summary["exact match"] == "0.00"
    assert summary["pos accuracy"] == "80.00"
    assert "leaf-ancestor" not in summary


def test_deleted_words_roots_and_phrases(files: Files) -> None:
    summary = files.summary(export(GOLD), export(CANDIDATE), PROPER, format="export")
    assert (summary["labeled f-measure"], summary["pos accuracy"]) == ("50.00", "75.00")
    gone = files.summary(export(GOLD), export(CANDIDATE), PROPER + "DELETE_LABEL NP\n", format="export")
    assert (gone["gold brackets"], gone["exact match"]) == ("1", "100.00")


def test_words_are_deleted_by_gold_s_tags(files: Files) -> None:
    """The candidate's tags say nothing: its ``N`` goes with gold's comma, its comma stays."""
    gold, candidate = "(S (N 0=a) (, 1=b) (V 2=c))\n", "(S (, 0=a) (N 1=b) (V 2=c))\n"
    summary = files.summary(gold, candidate, "DELETE_LABEL ,\n")
    assert summary["pos accuracy"] == "50.00"
    assert summary["labeled recall"] == "100.00"


def test_words_right_below_the_root_are_deleted_on_demand(files: Files) -> None:
    gold, candidate = "(R (NP (N 0=a)) (V 1=b))\n", "(R (N 0=a) (NP (V 1=b)))\n"
    summary = files.summary(gold, candidate, "DELETE_ROOT_PRETERMS 1\n")
    assert (summary["gold brackets"], summary["cand. brackets"]) == ("2", "1")
    assert summary["pos accuracy"] == "100.00"


def test_a_candidate_may_lack_what_is_deleted(files: Files) -> None:
    gold, candidate = "(S (. 0=`) (N 1=No) (. 2=.))\n", "(S (N 0=No))\n"
    assert files.summary(gold, candidate, "DELETE_LABEL .\n")["labeled f-measure"] == "100.00"


def test_only_sentences_of_the_candidate_count(files: Files) -> None:
    first, second = GOLD, GOLD.replace("1\n", "2\n", 1)
    summary = files.summary(export(first, second), export(second), format="export")
    assert summary["number of sentences"] == "1"
    notes = evaluate(files.gold, files.candidate, format="export").notes
    assert notes == "left out: 1 sentence of gold without a parse\n"


def test_other_identifiers_pair_sentences_by_their_places(files: Files) -> None:
    files.gold.write_text(export(GOLD))
    files.candidate.write_text(export(GOLD.replace("1\n", "s1\n", 1)))
    report = evaluate(files.gold, files.candidate, format="export")
    assert report.counts().values()["f1"] == 1
    assert report.notes == (
        "identifiers differ, such as 1 in gold and s1 in the candidate: "
        "sentences are paired by their places\n"
    )


def test_functions_in_discontinuous_brackets_by_version(files: Files) -> None:
    """0.5.2 takes ``NP-SBJ`` for a label, as it does ``VB-X``; later versions cut both."""
    gold = "(S (NP-SBJ (DT 0=a) (NN 2=b)) (VP (VB-X 1=c)))\n"
    candidate = "(S (NP (DT 0=a) (NN 2=b)) (VP (VB 1=c)))\n"
    old = files.summary(gold, candidate, version="0.5.2")
    assert (old["labeled f-measure"], old["pos accuracy"]) == ("66.67", "66.67")
    files.gold.write_text(gold)
    values = evaluate(files.gold, files.candidate, format="discbracket").counts().values()
    assert (values["f1"], values["tagging"]) == (1, 1)


def test_other_words_end_the_run_with_tree_distance_too(files: Files) -> None:
    files.gold.write_text("(S (N 0=a) (N 1=b))\n")
    files.candidate.write_text("(S (N 0=a) (N 1=c))\n")
    with raises(CrossbankError, "'c'", "'b'"):
        run(files.gold, files.candidate, options={"ted": "yes"}, format="discbracket")


def test_blank_lines_are_named(files: Files) -> None:
    files.gold.write_text("(S (N 0=a))\n\n(S (N 0=b))\n")
    files.candidate.write_text("(S (N 0=a))\n(S (N 0=b))\n")
    assert evaluate(files.gold, files.candidate, format="discbracket").notes == (
        f"{files.gold}: 1 blank lines are passed over, at which discodop ends\n"
    )


def test_the_breakdowns(files: Files) -> None:
    gold = "(S (NP (DT 0=a) (NN 2=b)) (VP (VB 1=c)) (AP (X 3=d) (Y 4=e)))\n"
    candidate = "(S (NX (DT 0=a) (NN 2=b)) (VP (VP (VZ 1=c))) (X 3=d) (Y 4=e))\n"
    files.summary(gold, candidate)
    report = run(files.gold, files.candidate, files.parameters, format="discbracket")[0]
    assert report[: report.index("\n\n___")].splitlines() == [
        "",
        " Rewrite rule mismatches (for given span)",
        "   count   cand / gold rules",
        "       1  01023\tS NX VP X Y",
        "          0102\tS NP VP AP",
        "       1  0,1\tNX DT NN",
        "          0,1\tNP DT NN",
        "",
        " Rewrite rules (span not in gold trees)",
        "   count   rule in candidate parses",
        "",
        " Rewrite rules (span missing from candidate parses)",
        "   count   rule in gold standard set",
        "       1  01\tAP X Y",
        "",
        " Attachment errors (correct labeled bracketing, wrong parent)",
        "  label     cand     gold    count",
        " _________________________________",
        "",
        " Category Statistics (10 most frequent categories / errors)",
        "  label  % gold  recall    prec.     F1           cand gold       count",
        " ______________________________________        ________________________",
        "     AP   25.00    0.00     nan     nan             NX NP             1",
        "     NP   25.00    0.00     nan     nan",
        "      S   25.00  100.00  100.00  100.00",
        "     VP   25.00  100.00   50.00   66.67",
        "     NX    0.00     nan    0.00     nan",
        "",
        " POS Statistics (10 most frequent tags / errors)",
        "    tag  % gold  recall   prec.      F1           cand gold   count",
        " ______________________________________            ____________________",
        "     DT   20.00  100.00  100.00  100.00             VZ VB             1",
        "     VB   20.00    0.00     nan     nan",
        "     NN   20.00  100.00  100.00  100.00",
        "      X   20.00  100.00  100.00  100.00",
        "      Y   20.00  100.00  100.00  100.00",
    ]
    labels = run(files.gold, files.gold, files.parameters, format="discbracket")[0]
    files.parameters.write_text("LABELED 0\n")
    assert "POS Statistics" not in labels
    assert run(files.gold, files.gold, files.parameters, format="discbracket")[0].startswith("___")


def test_a_sentence_that_gold_lacks_is_an_error(files: Files) -> None:
    second, other = (GOLD.replace("1\n", number, 1) for number in ("2\n", "7\n"))
    files.gold.write_text(export(GOLD, second))
    files.candidate.write_text(export(GOLD, other))
    with raises(CrossbankError, "test:11:", "sentence 7"):
        run(files.gold, files.candidate, format="export")


@pytest.mark.parametrize(
    ("candidate", "names"),
    [
        ("(S (N 0=a) (N 1=c))\n", ("test:1: sentence 1:", "word 2", "'c'", "'b'")),
        ("(S (N 0=a))\n", ("test:1: sentence 1:",)),
        ("(())\n(S (N 0=a))\n", ("tree",)),
    ],
)
def test_other_words_end_the_run(files: Files, candidate: str, names: tuple[str, ...]) -> None:
    files.gold.write_text("(S (N 0=a) (N 1=b))\n" * candidate.count("\n"))
    files.candidate.write_text(candidate)
    with raises(CrossbankError, *names) as caught:
        run(files.gold, files.candidate, format="discbracket")
    assert "\n" not in str(caught.value)


def test_labels_in_brackets_are_cut_where_something_stands_before(files: Files) -> None:
    gold, candidate = "(S (NP-SBJ=2 (N-x a)) (-NONE- b))\n", "(S (NP=3 (N=1 a)) (-NONE- b))\n"
    summary = files.summary(gold, candidate, format="bracket")
    assert (summary["labeled f-measure"], summary["pos accuracy"]) == ("100.00", "100.00")
    left = files.summary(gold, candidate, format="bracket", functions="leave")
    assert (left["labeled f-measure"], left["pos accuracy"]) == ("50.00", "50.00")


def test_functions_in_the_place_of_labels_or_after_them(files: Files) -> None:
    other = GOLD.replace("NP -- SB", "NP -- OA")
    same = files.summary(export(GOLD), export(other), format="export")
    assert same["labeled f-measure"] == "100.00"
    for functions in ("add", "replace"):
        summary = files.summary(export(GOLD), export(other), format="export", functions=functions)
        assert summary["labeled f-measure"] == "66.67"


def test_repeated_brackets_are_matched_as_often_and_counted_once(files: Files) -> None:
    gold, candidate = "(S (X (X (N 0=a))) (N 1=b))\n", "(S (X (N 0=a)) (N 1=b))\n"
    summary = files.summary(gold, candidate)
    assert (summary["gold brackets"], summary["cand. brackets"]) == ("2", "2")
    assert (summary["labeled recall"], summary["labeled precision"]) == ("66.67", "100.00")


def test_without_labels(files: Files) -> None:
    summary = files.summary("(S (X (N 0=a)) (N 1=b))\n", "(T (Y (N 0=a)) (N 1=b))\n", "LABELED 0\n")
    assert summary["labeled f-measure"] == "100.00"


def test_equal_labels_chain_but_tags_are_compared_as_they_are(files: Files) -> None:
    parameters = "EQ_LABEL A B\nEQ_LABEL B C\n"
    summary = files.summary("(S (A (A 0=a)) (N 1=b))\n", "(S (C (C 0=a)) (N 1=b))\n", parameters)
    assert (summary["labeled f-measure"], summary["pos accuracy"]) == ("100.00", "50.00")


def test_a_root_has_no_equals(files: Files) -> None:
    summary = files.summary("(A (N 0=a))\n", "(B (N 0=a))\n", "EQ_LABEL A B\n")
    assert summary["labeled f-measure"] == "nan"


def test_only_discontinuous_brackets(files: Files) -> None:
    """Sentences without one on either side do not count as sentences, and so not as exact matches."""
    gold = "(S (VP (V 0=a) (V 2=c)) (N 1=b))\n(S (VP (V 0=a)) (N 1=b))\n"
    candidate = "(S (VP (V 0=a)) (N 1=b) (V 2=c))\n(S (VP (V 0=a)) (N 1=b))\n"
    summary = files.summary(gold, candidate, disconly="yes")
    assert (summary["number of sentences"], summary["gold brackets (disc.)"]) == ("1", "1 (1)")
    assert (summary["labeled recall"], summary["labeled precision"]) == ("0.00", "nan")
    assert summary["exact match"] == "0.00"
    assert summary["pos accuracy"] == "100.00"


def test_the_parameter_file_cannot_ask_for_discontinuous_brackets_only(files: Files) -> None:
    assert files.summary("(S (N 0=a))\n", "(S (N 0=a))\n", "DISC_ONLY 1\n")["gold brackets"] == "1"


def test_a_second_column_for_short_sentences(files: Files) -> None:
    gold = "(S (NP (N 0=a)) (, 1=b))\n(S (VP (V 0=a) (V 2=c)) (N 1=b))\n"
    candidate = "(S (NP (N 0=a)) (, 1=b))\n(S (VP (V 0=a)) (N 1=b) (V 2=c))\n"
    summary = files.summary(gold, candidate, "CUTOFF_LEN 1\nDELETE_LABEL_FOR_LENGTH ,\n")
    assert summary["longest sentence"] == "1 3"
    assert summary["disc. gold brackets"] == "0 1"
    assert summary["labeled f-measure"] == "100.00 75.00"
    report, _, _ = run(files.gold, files.candidate, files.parameters, format="discbracket")
    assert "\n\n_________ Summary _________ <= 1 ______ ALL\nnumber of sentences:" in report
    assert "labeled recall:            100.00      75.00\n" in report


def test_no_sentence_is_short(files: Files) -> None:
    summary = files.summary("(S (N 0=a) (N 1=b))\n", "(S (N 0=a) (N 1=b))\n", cutoff_len="1", la="yes")
    assert summary["labeled recall"] == "nan 100.00"
    assert summary["exact match"] == "0DIV! 100.00"
    assert summary["leaf-ancestor"] == "nan 100.00"
    assert summary["pos accuracy"] == "0DIV! 100.00"


def test_similarity_of_lineages(files: Files) -> None:
    """Replacing a symbol costs 1, of ``) A (`` and ``) B (`` one of six."""
    summary = files.summary("(A (X 0=a))\n", "(B (X 0=a))\n", la="yes")
    assert summary["leaf-ancestor"] == "83.33"


def test_leaf_ancestor_marks_the_parts_of_discontinuous_nodes(files: Files) -> None:
    """``[`` and ``]`` at the gap: S ( VP ] for a, ) S VP [ for c against ( S VP ) and ) S."""
    gold, candidate = "(S (VP (V 0=a) (V 2=c)) (N 1=b))\n", "(S (VP (V 0=a)) (N 1=b) (V 2=c))\n"
    summary = files.summary(gold, candidate, la="yes")
    first, second, third = 1 - 1 / 8, 1.0, 1 - 2 / 6
    assert summary["leaf-ancestor"] == f"{100 * (first + second + third) / 3:.2f}"


def test_a_sentence_of_punctuation_only_spoils_leaf_ancestor(files: Files) -> None:
    trees = "(S (N 0=a))\n(S (. 0=.))\n"
    summary = files.summary(trees, trees, "DELETE_LABEL .\n", la="yes")
    assert (summary["leaf-ancestor"], summary["labeled f-measure"]) == ("nan", "100.00")


def test_the_parameter_file_asks_for_leaf_ancestor(files: Files) -> None:
    assert files.summary("(S (N 0=a))\n", "(S (N 0=a))\n", "LA 1\n")["leaf-ancestor"] == "100.00"


def test_tree_distance(files: Files) -> None:
    """The VP is deleted: one edit on 5 + 4 nodes and tags; one less of each where the root does not count."""
    gold, candidate = "(S (N 0=a) (VP (V 1=b) (N 2=c)))\n", "(S (N 0=a) (V 1=b) (N 2=c))\n"
    summary = files.summary(gold, candidate, ted="yes")
    assert summary["tree-dist (Dice micro avg)"] == f"{100 * (1 - 1 / 9):.2f}"
    summary = files.summary(gold, candidate, "DELETE_LABEL S\n", ted="yes")
    assert summary["tree-dist (Dice micro avg)"] == f"{100 * (1 - 1 / 7):.2f}"


def test_function_tags_of_what_is_bracketed_and_tagged_alike(files: Files) -> None:
    """SB and NK under a lost NP do not count, nor does NK of the other tag; HD, PD and NK are left."""
    summary = files.summary(export(GOLD), export(CANDIDATE), format="export")
    assert summary["function tags"] == "100.00"
    other = CANDIDATE.replace("ADJD -- PD", "ADJD -- MO")
    assert files.summary(export(GOLD), export(other), format="export")["function tags"] == "66.67"


def test_a_label_with_several_functions(files: Files) -> None:
    summary = files.summary("(S (NP-SBJ-TPC (N a)) (N b))\n", "(S (NP-SBJ (N a)) (N b))\n", format="bracket")
    assert summary["function tags"] == "66.67"


def test_tags_of_export_files_have_square_brackets(files: Files) -> None:
    quoted = GOLD.replace("$. --", "$( --")
    summary = files.summary(export(quoted), export(quoted), "DELETE_LABEL $[\n", format="export")
    assert summary["longest sentence"] == "5"
    assert (
        files.summary(export(quoted), export(quoted), "DELETE_LABEL_FOR_LENGTH $[\n", format="export")[
            "longest sentence"
        ]
        == "4"
    )


@pytest.mark.parametrize(
    ("line", "fields"),
    [
        ("QUOTE_LABEL ``", {"line": 1, "names": ("x.prm", "QUOTE_LABEL")}),
        ("LABELED 1\nLABELED 0", {"line": 2, "names": ("x.prm", "LABELED")}),
        ("LABELED yes", {"line": 1, "names": ("x.prm", "LABELED")}),
        ("EQ_LABEL A", {"line": 1, "names": ("x.prm", "EQ_LABEL")}),
        ("DELETE_LABEL", {"line": 1, "names": ("x.prm", "DELETE_LABEL")}),
    ],
)
def test_a_wrong_parameter_file_is_refused(tmp_path: Path, line: str, fields: dict[str, object]) -> None:
    path = tmp_path / "x.prm"
    path.write_text(line + "\n")
    with raises(FormatError, **fields):
        load_parameters(path, {})


def test_an_empty_parameter_file(tmp_path: Path) -> None:
    path = tmp_path / "x.prm"
    path.write_text("\n")
    with raises(FormatError, file="x.prm", actual="an empty parameter file", expected="at least one setting"):
        load_parameters(path, {})


@pytest.mark.parametrize(
    ("option", "fields"),
    [
        (("max_error", "3"), {"kind": "option of discodop", "value": "max_error"}),
        (("la", "maybe"), {"kind": "option la", "value": "maybe"}),
        (("functions", "cut"), {"kind": "option functions", "value": "cut"}),
    ],
)
def test_wrong_options_are_refused(files: Files, option: tuple[str, str], fields: dict[str, object]) -> None:
    with raises(OptionError, **fields):
        run(files.gold, files.candidate, options=dict([option]))


def test_counts_give_the_summary_s_scores(files: Files) -> None:
    summary = files.summary(export(GOLD), export(CANDIDATE), PROPER, "export", la="yes", ted="yes")
    options = {"la": "yes", "ted": "yes"}
    evaluation = evaluate(files.gold, files.candidate, files.parameters, options=options, format="export")
    values = evaluation.counts().values()
    for name, measure in (
        ("labeled recall", "recall"),
        ("labeled precision", "precision"),
        ("labeled f-measure", "f1"),
        ("exact match", "exact"),
        ("leaf-ancestor", "leaf_ancestor"),
        ("tree-dist (Dice micro avg)", "tree_similarity"),
        ("pos accuracy", "tagging"),
    ):
        assert summary[name] == f"{100 * values[measure]:.2f}"


# Against the program, on real trees


@pytest.mark.skipif(not PROGRAM, reason="no discodop: DISCODOP or PATH may say where it is")
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_the_program(
    shared_data: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """TüBa-D/Z sentences against themselves with words hung elsewhere and other labels and functions."""
    bank = _tuebadz(shared_data)
    first = data.draw(st.integers(0, len(bank) - 6))
    gold = bank.select(range(first, first + data.draw(st.integers(1, 5))))
    random = data.draw(st.randoms(use_true_random=False))
    lengths = gold.nodes.lengths().repeat(gold.tokens.lengths())
    moved = gold.tokens.parent.copy()
    for token in range(len(moved)):
        if lengths[token] and random.random() < 0.1:
            moved[token] = random.randrange(int(lengths[token]))
    columns = {}
    for name in ("label", "function"):
        columns[name] = getattr(gold.nodes, name).copy()
        for node in range(len(gold.nodes)):
            if random.random() < 0.1:
                columns[name][node] = random.choice(columns[name].tolist())
    candidate = gold.replace(nodes=gold.nodes.replace(**columns)).with_structure(token_parent=moved)
    files = Files(tmp_path_factory.mktemp("discodop"))
    write(gold, files.gold, "export")
    write(candidate, files.candidate, "export")
    deleted = data.draw(st.sets(st.sampled_from(["ROOT", "$.", "$,", "NX", "SIMPX", "VF", "ART"])))
    parameters = "".join(f"DELETE_LABEL {label}\n" for label in sorted(deleted))
    options = data.draw(st.fixed_dictionaries({}, optional={name: st.just("yes") for name in FLAGS}))
    files.summary(files.gold.read_text(), files.candidate.read_text(), parameters, "export", **options)


def _tuebadz(shared_data: Path) -> Treebank:
    path = shared_data / "tuebadz-masked" / "test.negra"
    if not path.is_file():
        pytest.skip("the TüBa-D/Z sample is not in ../shared/data")
    return read(path, "export")
