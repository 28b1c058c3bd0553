"""ELAS and EULAS in the mode conll18; on random graphs they were those of the scorer in udtools 0.2.9."""

from __future__ import annotations

from pathlib import Path

import pytest

from crossbank.compat.conll18.enhanced_scores import ENHANCED
from crossbank.treebanks.errors import FormatError
from tests.compat.modes import Mode
from tests.errors import raises

evaluate, run = Mode("conll18").evaluate, Mode("conll18").run

ENHANCED_TOO = {"enhanced": "yes"}


def sentence(*deps: str) -> str:
    """Return a sentence with these columns DEPS; the first word is the root of the tree."""
    lines = [f"{n}\tw{n}" + "\t_" * 4 + f"\t{int(n > 1)}\tdep\t{d}\t_" for n, d in enumerate(deps, 1)]
    return "\n".join([*lines, "", ""])


def scores(folder: Path, gold: str, system: str) -> list[tuple[float, float, float]]:
    """Correct, gold's and the system's edges, with and without subtypes."""
    files = folder / "gold.conllu", folder / "system.conllu"
    for path, text in zip(files, (gold, system), strict=True):
        path.write_text(text, encoding="utf-8")
    sums = evaluate(*files, options=ENHANCED_TOO).counts().sums()
    return [tuple(float(sums[f"{n.lower()}_{c}"]) for c in ("correct", "gold", "system")) for n in ENHANCED]  # type: ignore[misc]


def test_a_word_may_have_several_heads(tmp_path: Path) -> None:
    gold = sentence("0:root", "1:conj:and|0:root", "1:obj|2:obj")
    system = sentence("0:root", "1:conj:or", "1:obj|2:nsubj|2:obj")
    assert scores(tmp_path, gold, system) == [(3, 5, 5), (4, 5, 5)]
    assert scores(tmp_path, gold, gold) == [(5, 5, 5), (5, 5, 5)]


def test_paths_through_empty_nodes_lose_the_subtype_of_each_step(tmp_path: Path) -> None:
    pair = sentence("0:root", "1:conj:and>obl:in"), sentence("0:root", "1:conj:or>obl:at")
    assert scores(tmp_path, *pair) == [(1, 2, 2), (2, 2, 2)]
    pair = sentence("0:root", "1:conj:and>obl:in"), sentence("0:root", "1:conj")
    assert scores(tmp_path, *pair) == [(1, 2, 2), (1, 2, 2)]


def test_edges_from_empty_nodes_are_left_out_and_double_edges_count_twice(tmp_path: Path) -> None:
    pair = sentence("0:root", "1.1:obj|1:dep"), sentence("0:root", "1:dep|1:dep")
    assert scores(tmp_path, *pair) == [(3, 2, 3), (3, 2, 3)]


def test_heads_are_compared_by_their_alignment(tmp_path: Path) -> None:
    """The system's second word is no word of gold, so neither are its edges right nor those from it."""
    gold = sentence("0:root", "1:obj").replace("w2", "w2x") + sentence("0:root").replace("w1", "x")
    system = sentence("0:root", "1:obj", "2:dep", "1:dep").replace("w3", "x").replace("w4", "x")
    assert scores(tmp_path, gold, system) == [(1, 3, 4), (1, 3, 4)]


def test_the_rows_after_the_official_table(tmp_path: Path) -> None:
    path = tmp_path / "gold.conllu"
    path.write_text(sentence("0:root", "1:a|2:b"), encoding="utf-8")
    official = run(path, path)[0]
    table = run(path, path, options=ENHANCED_TOO)[0]
    assert table.startswith(official)
    assert table.removeprefix(official) == (
        "ELAS       |    100.00 |    100.00 |    100.00 |\nEULAS      |    100.00 |    100.00 |    100.00 |\n"
    )
    values = evaluate(path, path, options=ENHANCED_TOO).counts().values()
    assert (values["elas"], values["eulas"]) == (1, 1)
    assert "elas" not in evaluate(path, path).counts().values()


@pytest.mark.parametrize(
    ("deps", "fields"),
    [
        (
            "obj",
            {
                "file": "gold.conllu",
                "line": 2,
                "sentence": "1",
                "actual": "the enhanced dependency 'obj'",
                "expected": "head:relation",
            },
        ),
        (
            "9999999999999999999:obj",
            {
                "line": 2,
                "sentence": "1",
                "actual": "the enhanced dependency '9999999999999999999:obj'",
                "expected": "head:relation",
            },
        ),
        (
            "3:obj",
            {
                "line": 2,
                "sentence": "1",
                "actual": "the enhanced head 3",
                "expected": "a word of the sentence, of 2 words, or 0",
            },
        ),
    ],
)
def test_a_column_that_is_no_list_of_heads_and_relations(
    tmp_path: Path, deps: str, fields: dict[str, object]
) -> None:
    with raises(FormatError, **fields):
        scores(tmp_path, sentence("0:root", deps), sentence("0:root", "_"))
