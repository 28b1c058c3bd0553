"""ELAS and EULAS in the mode conll18; on random graphs they were those of the scorer in udtools 0.2.9.

With ``enhancements`` they were the same on 5,500 pairs of random graphs and combinations of digits.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from crossbank.compat.conll18.enhanced_scores import ENHANCED
from crossbank.compat.conll18.enhancement_filters import EnhancedEdge, filter_sentence
from crossbank.treebanks.errors import FormatError, OptionError
from tests.compat.modes import Mode
from tests.errors import raises

evaluate, run = Mode("conll18").evaluate, Mode("conll18").run

ENHANCED_TOO = {"enhanced": "yes"}


def sentence(*deps: str) -> str:
    """Return a sentence with these columns DEPS; the first word is the root of the tree."""
    lines = [f"{n}\tw{n}" + "\t_" * 4 + f"\t{int(n > 1)}\tdep\t{d}\t_" for n, d in enumerate(deps, 1)]
    return "\n".join([*lines, "", ""])


def scores(folder: Path, gold: str, system: str, **options: str) -> list[tuple[float, float, float]]:
    """Correct, gold's and the system's edges, with and without subtypes."""
    files = folder / "gold.conllu", folder / "system.conllu"
    for path, text in zip(files, (gold, system), strict=True):
        path.write_text(text, encoding="utf-8")
    sums = evaluate(*files, options={**ENHANCED_TOO, **options}).counts().sums()
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


def tree(*words: tuple[int, str, str]) -> str:
    """Return a sentence of heads, relations and columns DEPS."""
    lines = [f"{n}\tw{n}" + "\t_" * 4 + f"\t{h}\t{r}\t{d}\t_" for n, (h, r, d) in enumerate(words, 1)]
    return "\n".join([*lines, "", ""])


ROOT = (0, "root", "0:root")


@pytest.mark.parametrize(
    ("digits", "words", "edges_of_second"),
    [
        # A path through an empty node gives way to the basic dependency, without its subtype.
        ("1", [ROOT, (1, "obj:x", "1:conj>obj")], [(0, ("obj",))]),
        ("1", [ROOT, (1, "obj", "1:obj|1:obj|0:root")], [(0, ("obj",)), (-1, ("root",))]),
        # Of a conjunct the last edge that says so counts.
        ("2", [ROOT, (1, "conj", "0:root|1:conj:and")], [(0, ("conj:and",))]),
        ("2", [ROOT, (1, "obj", "0:root|1:obj")], [(-1, ("root",)), (0, ("obj",))]),
        ("3", [ROOT, (1, "obj", "0:obj|1:obj")], [(-1, ("obj",)), (0, ("obj",))]),
        ("4", [ROOT, (1, "nsubj", "1:nsubj|3:nsubj:xsubj"), (1, "xcomp", "1:xcomp")], [(0, ("nsubj",))]),
        # A relative pronoun gets its basic dependency; an argument of a clause on the word before goes.
        ("5", [ROOT, (3, "nsubj", "1:ref"), (1, "acl", "1:acl:relcl")], [(2, ("nsubj",))]),
        ("5", [ROOT, (1, "obj", "1:obj|3:nsubj"), (1, "acl", "1:acl:relcl")], [(0, ("obj",))]),
        ("6", [ROOT, (1, "obl", "1:obl:in|1:obl:pass|1:obl:in:gen|1:obj:in")],
         [(0, ("obl",)), (0, ("obl:pass",)), (0, ("obl:in:gen",)), (0, ("obj:in",))]),
        ("16", [ROOT, (1, "obl", "1:conj:and>obl:in|1:obl:in")], [(0, ("obl",)), (0, ("obl",))]),
    ],
)  # fmt: skip
def test_enhancements_that_a_treebank_does_not_have_are_left_out(
    digits: str, words: list[tuple[int, str, str]], edges_of_second: list[tuple[int, tuple[str, ...]]]
) -> None:
    edges = [
        [
            EnhancedEdge(int(n) - 1, tuple(path.split(">")))
            for n, path in (e.split(":", 1) for e in d.split("|"))
        ]
        for _, _, d in words
    ]
    heads, relations = [head - 1 for head, _, _ in words], [r.partition(":")[0] for _, r, _ in words]
    assert filter_sentence(edges, heads, relations, digits)[1] == edges_of_second


def test_left_out_enhancements_count_on_neither_side(tmp_path: Path) -> None:
    gold = tree(ROOT, (1, "obl", "1:obl:in"), (1, "conj", "1:conj:and|0:root"))
    system = tree(ROOT, (1, "obl", "1:obl:at"), (1, "conj", "1:conj:or"))
    assert scores(tmp_path, gold, system) == [(1, 4, 3), (3, 4, 3)]
    assert scores(tmp_path, gold, system, enhancements="6") == [(3, 4, 3), (3, 4, 3)]
    assert scores(tmp_path, gold, system, enhancements="62") == [(3, 3, 3), (3, 3, 3)]


def test_a_path_of_the_root_is_right_on_no_side(tmp_path: Path) -> None:
    gold = tree((0, "root", "0:root>obj"), (1, "obj", "1:obj"))
    assert scores(tmp_path, gold, gold) == [(2, 2, 2), (2, 2, 2)]
    assert scores(tmp_path, gold, gold, enhancements="1") == [(1, 2, 2), (1, 2, 2)]


@pytest.mark.parametrize(
    ("options", "value"),
    [
        ({"enhanced": "yes", "enhancements": "7"}, "7"),
        ({"enhanced": "yes", "enhancements": ""}, ""),
        ({"enhancements": "12"}, "12"),
    ],
)
def test_wrong_enhancements_are_refused(tmp_path: Path, options: dict[str, str], value: str) -> None:
    path = tmp_path / "gold.conllu"
    path.write_text(tree(ROOT), encoding="utf-8")
    with raises(OptionError, kind="enhancements", value=value):
        evaluate(path, path, options=options)


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
