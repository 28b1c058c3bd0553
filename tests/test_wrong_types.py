"""Arguments of the Python API of another type, or that cannot be: each is refused with our own error."""

import io
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import crossbank
from crossbank.treebanks import OptionError

TREES = ["(S (NP (D the) (N dog)) (VP (V barks)))"]

WRONG: list[Any] = [
    5, {"a": 1}, {5: 5}, [5], object(), b"x\xff", "", "nope", ["nope"], {"nope": 5}, [[]], [{}], ("a", "b"),
    float("nan"), -1, 10**30, "\0", "a\0b", "\ud800", "a" * 5000, type,
]  # fmt: skip

CALLS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "loads": (crossbank.loads, {"text": TREES[0], "format": "bracket", "encoding": None}),
    "dumps": (crossbank.dumps, {"bank": None, "format": "bracket"}),
    "read": (crossbank.read, {"source": TREES, "format": None, "encoding": None}),
    "load": (lambda name: crossbank.load(io.StringIO(TREES[0]), name), {"name": "bracket"}),
    "write": (crossbank.write, {"bank": None, "path": "x.mrg", "format": None, "scheme": None}),
    "dump": (crossbank.dump, {"bank": None, "file": io.StringIO(), "format": "bracket"}),
    "score": (
        crossbank.score,
        {
            "gold": TREES, "candidate": TREES, "metric": "parseval", "scheme": None, "unscored": "empty",
            "mode": None, "parameters": None, "labels": True, "average": "micro",
        },
    ),
    "score_as_evalb": (
        lambda mode, parameters: crossbank.score(TREES, TREES, mode=mode, parameters=parameters),
        {"mode": "evalb", "parameters": None},
    ),
    "compare": (
        crossbank.compare,
        {"gold": TREES, "candidates": {"a": TREES, "b": TREES}, "alpha": 0.05, "samples": 9, "trials": 9},
    ),
    "transform": (
        crossbank.transform,
        {"bank": TREES, "transformations": "delete_roots", "scheme": None},
    ),
    "to_ud": (crossbank.to_ud, {"trees": TREES, "scheme": "ptb", "representation": "basic"}),
    "update": (
        lambda gold, candidate: crossbank.Scorer().update(gold, candidate),
        {"gold": TREES, "candidate": TREES},
    ),
    "find": (crossbank.find, {"pattern": "NP", "bank": TREES}),
    "load_scheme": (lambda name: crossbank.load_scheme(name), {"name": "ptb"}),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("name", "argument"), [(name, key) for name, (_, keys) in CALLS.items() for key in keys]
)
def test_an_argument_of_another_type_is_refused_or_taken(
    name: str, argument: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    function, keys = CALLS[name]
    inputs = {
        key: crossbank.read(TREES) if value is None and key == "bank" else value
        for key, value in keys.items()
    }
    for wrong in WRONG:
        with suppress(crossbank.CrossbankError):
            function(**{**inputs, argument: wrong})


@pytest.mark.parametrize(
    "call",
    [
        lambda: crossbank.loads(TREES[0], 5),  # type: ignore[arg-type]
        lambda: crossbank.transform(TREES, {"a": 1}),
        lambda: crossbank.transform(TREES, {"delete_tokens": 1}),
        lambda: crossbank.score(TREES, TREES, mode={}),  # type: ignore[call-overload]
        lambda: crossbank.score(TREES, TREES, mode="evalb", parameters=5),  # type: ignore[call-overload]
        lambda: crossbank.compare(TREES, {"a": TREES}, alpha=None),  # type: ignore[arg-type]
    ],
)
def test_the_error_names_the_value(call: Callable[[], object]) -> None:
    with pytest.raises(OptionError, match=r"found (5|'a'|1|\{\}|None), (expected|did you mean)"):
        call()


@pytest.mark.parametrize("path", ["a\0.mrg", "\ud800.mrg"])
def test_a_path_that_no_file_can_have(path: str) -> None:
    bank = crossbank.read(TREES)
    for call in (crossbank.read, lambda path: crossbank.write(bank, path)):
        with pytest.raises(crossbank.CrossbankError, match="expected characters of file names"):
            call(path)


def test_words_of_relations_may_have_no_tokens() -> None:
    """A list of the C&C tools without ``<c>``, beside a sentence with it."""
    text = "a_1 (S/NP) 1 b_2\n\nbought_1 (S/NP) 1 shares_2\n<c> bought|V|S/NP shares|N|NP\n\n"
    bank = crossbank.loads(text, "candc")
    for transformations in ("surface_words", {"delete_tokens": {"tags": "S/NP"}}):
        changed = crossbank.transform(bank, transformations)
        assert changed.relations.head_index[0] == bank.relations.head_index[0] == 0
        assert changed.relations.dependent_index[0] == 1
    only_relations = crossbank.loads(text.partition("\n\n")[0], "candc")
    assert crossbank.transform(only_relations, "surface_words").relations.head_index.tolist() == [0]
