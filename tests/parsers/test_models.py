"""Model files: the same again when read, and one line for files that are none."""

import json
import zipfile
from pathlib import Path

import pytest

from crossbank.parsers import models
from crossbank.parsers.models import ModelError, load, save, train
from crossbank.treebanks import CrossbankError, OptionError
from crossbank.treebanks.formats import bracket, conllu
from crossbank.treebanks.memory import MemoryLimitError
from tests.errors import raises
from tests.parsers.test_treebank_grammar import TREES, trees


def test_a_model_is_the_same_when_it_is_read_again(tmp_path: Path) -> None:
    model = train(trees(), "tiger", {"horizontal": 2, "input": "tags"})
    save(model, tmp_path / "models/one")
    again = load(tmp_path / "models/one")
    assert again.parser.options == model.parser.options
    assert again.trained_on == {"sentences": 3, "tokens": 14}
    assert bracket.dumps(again.parser.parse(trees()).bank) == TREES
    assert again.parser.content() == model.parser.content()
    save(again, tmp_path / "two")
    assert (tmp_path / "two").read_bytes() == (tmp_path / "models/one").read_bytes()


def changed(path: Path, **values: object) -> None:
    """The model file with other values in ``model.json`` or ``content.json``."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: json.loads(archive.read(name)) for name in archive.namelist()}
    for part in parts.values():
        part |= {name: value for name, value in values.items() if name in part}
    with zipfile.ZipFile(path, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, json.dumps(part))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"version": 7}, "model: found a model of version 7, expected version 3 "),
        ({"format": "x"}, "model: found a damaged file"),
        ({"scheme": "tig\0er"}, "model: found a damaged file"),
        ({"parser": "psychic"}, "parser: found 'psychic', expected one of pcfg"),
        ({"unary": [[1.5, 0, 1]]}, "model: found a probability of"),
        ({"lexicon": [[0.5, 1, 0]]}, "model: found probabilities of .* that add up to .*, expected 1"),
        ({"start": None, "symbols": 7}, "model: found a damaged file"),
        ({"start": -1}, "model: found a rule with symbol -1 or -1, expected those from 0 to"),
        ({"start": 10**6}, "model: found a rule with symbol 1000000 or 1000000, expected those from 0 to"),
        ({"unary": [[1.0, 0, -7]]}, "model: found a rule with symbol -7 or 0, expected those from 0 to"),
        ({"binary": [[1.0, 0, 1, 10**6]]}, "model: found a rule with symbol"),
        ({"unary": [[1.0, 0, 10**10]]}, "model: found a damaged file"),
        ({"unary": [[float("nan"), 0, 1]]}, "model: found a probability of nan"),
        ({"terminals": [1, 2]}, "model: found a symbol or terminal that is no string"),
        ({"frequency": [1.0]}, "model: found other frequencies"),
    ],
)
def test_files_that_are_no_models(tmp_path: Path, values: dict[str, object], message: str) -> None:
    save(train(trees(), "tiger", {}), tmp_path / "model")
    changed(tmp_path / "model", **values)
    with pytest.raises(CrossbankError, match=message):
        load(tmp_path / "model")


@pytest.mark.parametrize(
    ("parser", "values"),
    [
        ("model_c", {"events": [[-1, 0, 0, 1]]}),
        ("model_c", {"events": [[0, 2, 0, 1]]}),
        ("model_c", {"events": [[0, 0, 10**6, 1]]}),
        ("model_c", {"events": [[0, 0, 0, float("inf")]]}),
        ("model_c", {"relations": {"by_arc": {"a": 1}, "by_tag": {}}}),
        ("arc_factored", {"places": [-1], "weights": [1]}),
        ("arc_factored", {"places": [1 << 20], "weights": [1]}),
        ("arc_factored", {"places": [1], "weights": [float("nan")]}),
        ("lexicalised", {"heads_of_rules": [9]}),
        ("lexicalised", {"rules": [[-1], [1.0]]}),
        ("lexicalised", {"rules": [[10**15], [1.0]]}),
        ("lexicalised", {"choices": [[3, 2], [1.0, 1.0]]}),
        ("lexicalised", {"choices": [[0], [float("nan")]]}),
        ("lexicalised", {"words": {"words": [3], "signatures": []}}),
    ],
)
def test_numbers_that_no_loop_could_bear(tmp_path: Path, parser: str, values: dict[str, object]) -> None:
    if parser == "lexicalised":
        bank, options = trees(), {"rare": 0, "iterations": 2, "unlexicalised": 1}
    else:
        bank, options = conllu.loads(DOGS), {}
    save(train(bank, "tiger" if parser == "lexicalised" else None, options, parser), tmp_path / "model")
    load(tmp_path / "model")
    changed(tmp_path / "model", **values)
    with pytest.raises(CrossbankError, match="model: found"):
        load(tmp_path / "model")


DOGS = "1\tdogs\t_\tNN\t_\t_\t2\tsubj\t_\t_\n2\tbark\t_\tVB\t_\t_\t0\troot\t_\t_\n\n"


def test_sizes_are_looked_at_before_anything_is_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "bomb"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("model.json", " " * (1 << 25))
    with raises(ModelError, actual="32,618 bytes that unpack to 32.0 MB (model.json)"):
        load(path)
    save(train(trees(), "tiger", {}), path)
    monkeypatch.setenv("CROSSBANK_MEMORY", "1K")
    with raises(MemoryLimitError, "bomb", what="a model of 353 bytes", size=3530, limit=1024):
        load(path)


def test_passwords_and_other_compressions_are_named(tmp_path: Path) -> None:
    path = tmp_path / "model"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("model.json", "{}")
    with raises(ModelError, actual="model.json in another compression (method 12)"):
        load(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("model.json", "{}")
    written = bytearray(path.read_bytes())
    written[6] |= 1
    written[written.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(written)
    with raises(ModelError, actual="a part with a password (model.json)"):
        load(path)


def test_other_files_are_named(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("no model\n")
    with raises(ModelError, actual="neither a model nor a grammar"):
        load(tmp_path / "x")
    (tmp_path / "y").write_bytes(b"PK\x03\x04 and nothing")
    with raises(ModelError, actual="a damaged file (File is not a zip file)"):
        load(tmp_path / "y")


def test_options_that_are_none() -> None:
    with raises(OptionError, "input", kind="option of pcfg", value="vertigo"):
        train(trees(), "tiger", {"vertigo": 2})
    with raises(OptionError, kind="option input", value="letters"):
        train(trees(), "tiger", {"input": "letters"})
    with raises(OptionError, kind="parser", value="psychic"):
        train(trees(), "tiger", {}, "psychic")


def test_every_parser_is_where_it_is_said_to_be() -> None:
    for name in models.PARSERS:
        assert models.parser_class(name).name == name
