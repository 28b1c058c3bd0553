"""Mode kummerfeld: what the authors' program printed, of real parsers and of small trees."""

from __future__ import annotations

from pathlib import Path

import pytest

from crossbank.compat.kummerfeld.edited_tree import EditedTree
from crossbank.compat.kummerfeld.repair_search import find_repairs
from crossbank.treebanks import CrossbankError
from crossbank.treebanks.tables import NO_PARENT
from tests.compat.modes import Mode

mode = Mode("kummerfeld")

GOLD = """\
(ROOT (S (NP (PRP We)) (VP (VBD saw) (NP (DT a) (NN hill)) (PP (IN with) (NP (NNS trees)))) (. .)))
(ROOT (S (NP (PRP She)) (VP (VBZ sings) (ADVP (RB well))) (. .)))
(ROOT (S (NP (NNS Cats) (CC and) (NNS dogs)) (VP (VBP sleep)) (. .)))
(ROOT (S (NP (PRP He)) (VP (VBD said) (SBAR (IN that) (S (NP (PRP it)) (VP (VBD rained))))) (. .)))
(ROOT (S (NP (DT The) (ADJP (RB very) (JJ old)) (NN tree)) (VP (VBD fell)) (. .)))
(ROOT (S (NP (NP (DT a) (NN cup)) (PP (IN of) (NP (NN tea)))) (VP (VBZ helps)) (. .)))
(ROOT (S (NP (NNP Ann) (NNP Lee)) (VP (VBD left) (NP (NN home)) (NP (NN today))) (. .)))
(ROOT (S (NP (NP (NNS books)) (CC and) (NP (NNS pens) (PP (IN of) (NP (NN it))))) (VP (VBD fell)) (. .)))
"""
CANDIDATE = """\
(ROOT (S (NP (PRP We)) (VP (VBD saw) (NP (NP (DT a) (NN hill)) (PP (IN with) (NP (NNS trees))))) (. .)))
(ROOT (S (NP (PRP She)) (VP (VBZ sings) (RB well)) (. .)))
(ROOT (S (NP (NP (NNS Cats)) (CC and) (NP (NNS dogs))) (VP (VBP sleep)) (. .)))
(ROOT (S (NP (PRP He)) (VP (VBD said) (S (IN that) (NP (PRP it)) (VP (VBD rained)))) (. .)))
(ROOT (S (NP (DT The) (RB very) (JJ old) (NN tree)) (VP (VBD fell)) (. .)))
(ROOT (SINV (NP (DT a) (NN cup) (PP (IN of) (NP (NN tea)))) (VP (VBZ helps)) (. .)))
(ROOT (S (NP (NNP Ann) (NNP Lee)) (VP (VBD left) (NP (NP (NN home)) (NP (NN today)))) (. .)))
(ROOT (S (NP (NP (NP (NNS books)) (CC and) (NP (NNS pens))) (PP (IN of) (NP (NN it)))) (VP (VBD fell)) (. .)))
"""
PRINTED = """\
3 3 Single Word Phrase
3 3 NP Internal Structure
2 4 PP Attachment
1 3 UNSET move
1 2 Different label
"""


def write(folder: Path, gold: str, candidate: str) -> tuple[Path, Path]:
    paths = folder / "gold.mrg", folder / "candidate.mrg"
    for path, text in zip(paths, (gold, candidate), strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


def types(folder: Path, gold: str, candidate: str) -> dict[str, tuple[int, int]]:
    report, _, _ = mode.run(*write(folder, gold, candidate))
    rows = (line.split(" ", 2) for line in report.splitlines())
    return {name: (int(errors), int(brackets)) for errors, brackets, name in rows}


def test_thirteen_parsers_as_the_program_printed_them(shared_data: Path) -> None:
    folder = shared_data / "kummerfeld"
    parsers = sorted(folder.glob("*.counts"))
    assert len(parsers) == 13
    for printed in parsers:
        assert mode.run(folder / "wsj01.mrg", printed.with_suffix(".mrg")) == (printed.read_text(), "", 0)


def test_small_trees_as_the_program_printed_them(tmp_path: Path) -> None:
    assert mode.run(*write(tmp_path, GOLD, CANDIDATE)) == (PRINTED, "", 0)


def test_counts_by_sentence_and_type_are_those_of_the_report(tmp_path: Path) -> None:
    counts = mode.evaluate(*write(tmp_path, GOLD, CANDIDATE)).counts()
    assert counts.columns["errors"].tolist() == [1, 1, 2, 1, 1, 2, 1, 1]
    breakdown = counts.breakdowns["type"]()
    by_type = dict(zip(breakdown.keys, breakdown.sums(counts.status == 0)["brackets"].tolist(), strict=True))
    assert by_type == {
        "Different label": 2,
        "NP Internal Structure": 3,
        "PP Attachment": 4,
        "Single Word Phrase": 3,
        "UNSET move": 3,
    }


def test_equal_trees_have_no_error(tmp_path: Path) -> None:
    assert mode.run(*write(tmp_path, GOLD, GOLD)) == ("", "", 0)


@pytest.mark.parametrize(
    ("gold", "candidate", "expected"),
    [
        # The program ends with a traceback at each of these.
        (
            "(S (NP (NN rain)) (VP (VBZ falls)))",
            "(FRAG (NP (NN rain)) (VP (VBZ falls)))",
            {"Different label": (1, 2)},
        ),
        (
            "(S (NP (NN rain)) (VP (VBZ falls)))",
            "(S (S (NP (NN rain)) (VP (VBZ falls))))",
            {"Unary": (1, 1)},
        ),
        (
            "( (S (NP (NN rain)) (VP (VBZ falls))))",
            "(ROOT (S (NP (NN rain)) (VBZ falls)))",
            {"Single Word Phrase": (1, 1)},
        ),
    ],
)
def test_tops_that_differ(
    gold: str, candidate: str, expected: dict[str, tuple[int, int]], tmp_path: Path
) -> None:
    assert types(tmp_path, gold, candidate) == expected


def test_sentences_without_an_answer_are_counted(tmp_path: Path) -> None:
    gold = "(S (NP (NN rain)) (VP (VBZ falls)))\n" * 3
    candidate = "(())\n(S (NP (NN rain)))\n(S (NP (NN rain)) (VP (VBZ falls)))\n"
    answer = mode.evaluate(*write(tmp_path, gold, candidate))
    assert answer.printed()[0] == ""
    assert [line.split()[1] for line in answer.notes.splitlines()] == ["1", "1"]


def test_punctuation_alone_is_not_deleted(tmp_path: Path) -> None:
    assert types(tmp_path, "(ROOT (FRAG (. ?)))", "(ROOT (X (. ?)))") == {"Single Word Phrase": (1, 2)}


def test_other_numbers_of_sentences_are_refused(tmp_path: Path) -> None:
    gold, candidate = write(tmp_path, GOLD, "".join(CANDIDATE.splitlines(keepends=True)[:3]))
    with pytest.raises(CrossbankError):
        mode.run(gold, candidate)


def test_crossing_branches_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.discbracket").write_text(
        "(S (VP (PP 0=Daran) (V 2=denken)) (V 1=will))\n", encoding="utf-8"
    )
    with pytest.raises(CrossbankError):
        mode.evaluate(tmp_path / "a.discbracket", tmp_path / "a.discbracket").printed()


def test_a_deep_tree(tmp_path: Path) -> None:
    depth = 3000
    labels = ["X"] * depth + ["w"]
    chain = [[node + 1] for node in range(depth)]
    gold = EditedTree(labels, [NO_PARENT, *range(depth)], [*chain, []])
    candidate = EditedTree(["X"] * (depth - 1) + ["Y", "w"], [NO_PARENT, *range(depth)], [*chain, []])
    repairs = find_repairs(gold, candidate)
    assert repairs is not None
    assert [(repair.name, repair.change) for repair in repairs] == [("relabel", 2)]
